/* standing.c - how a study stands. */
#include "standing/standing.h"

#include <math.h>

/* ---- the state of a study ---- */

const char *standing_state_name(enum standing_state state)
{
    static const char *const names[] = {
        [STANDING_RUNNING] = "running",         [STANDING_DONE] = "done",
        [STANDING_INTERRUPTED] = "interrupted", [STANDING_CRASHED] = "crashed",
        [STANDING_PREPARED] = "prepared",       [STANDING_STOPPED] = "stopped",
        [STANDING_HALTED] = "halted",           [STANDING_WAITING] = "waiting",
        [STANDING_BROKEN] = "broken",
    };
    return names[state];
}

enum standing_state standing_after(enum journal_end end)
{
    switch (end) {
    case END_NONE: return STANDING_CRASHED;
    case END_PREPARED: return STANDING_PREPARED;
    case END_INTERRUPTED:
    case END_DEADLINE: return STANDING_INTERRUPTED;
    case END_STOPPED: return STANDING_STOPPED;
    case END_HALTED: return STANDING_HALTED;
    case END_BROKEN: return STANDING_BROKEN;
    case END_DONE:
    case END_EXHAUSTED:
    case END_TIME:
    case END_TARGET:
    case END_OTHER: break;
    }
    return STANDING_DONE;
}

bool standing_continues(enum journal_end end)
{
    enum standing_state state = standing_after(end);
    return state != STANDING_DONE && state != STANDING_STOPPED && state != STANDING_HALTED;
}

bool standing_was_asked(enum journal_end end)
{
    return end == END_INTERRUPTED || end == END_STOPPED;
}

/* ---- what is left ---- */

struct standing_budget standing_budget(const struct journal *journal)
{
    return (struct standing_budget){.trials = journal->budget, .time = journal->limit};
}

uint64_t standing_trials_left(uint64_t budget, uint64_t started)
{
    if (budget == 0)
        return UINT64_MAX;
    return started < budget ? budget - started : 0;
}

uint64_t standing_total(uint64_t budget, const struct search *search)
{
    double total = search_total(search);
    bool fewer = isfinite(total) && (budget == 0 || total < (double)budget);
    return fewer ? (uint64_t)total : budget;
}

uint64_t standing_journal_total(const struct journal *journal)
{
    if (journal->end == END_EXHAUSTED)
        return journal->count;
    struct search *search = search_create(&journal->study.search, &journal->study.space);
    uint64_t total = standing_total(journal->budget, search);
    search_free(search);
    return total;
}

struct standing_cost standing_cost(const struct journal *journal, bool running, double since)
{
    size_t runs = journal->run_count;
    double nodes = runs > 0 ? (double)journal->runs[runs - 1].nodes : (double)NAN;
    double spent = journal->spent + since;
    uint64_t total = standing_journal_total(journal);
    struct standing_cost cost = {.used = journal_node_hours(journal)};
    struct standing_pace pace = {.total = total,
                                 .ended = journal->completion_count,
                                 .rate = spent > 0 ? (double)journal->completion_count / spent : 0,
                                 .limit = journal->limit,
                                 .spent = spent};
    if (since > 0)
        cost.used += nodes * since / 3600;
    bool over = !running && standing_after(journal->end) == STANDING_DONE;
    double left = running ? standing_journal_left(journal, total, journal->last_time + since, spent)
                          : standing_time_left(&pace);
    cost.left = over ? 0 : nodes * left / 3600;
    return cost;
}

/* ---- whether there is anything left to do ---- */

bool standing_reaches_target(const struct study *study, double score)
{
    if (!study->has_target)
        return false;
    return study->model.maximize ? score >= study->target : score <= study->target;
}

static bool best_reaches_target(const struct journal *journal)
{
    int64_t best = journal->study.has_target ? journal_best(journal) : -1;
    return best >= 0 && standing_reaches_target(&journal->study, journal->trials[best].score);
}

/* A run that was cut short may have left trials paused that would have gone on. */
static bool has_paused(const struct journal *journal)
{
    if (journal->end == END_DONE)
        return false;
    for (size_t i = 0; i < journal->count; i++)
        if (journal->trials[i].paused)
            return true;
    return false;
}

enum journal_end standing_complete(const struct journal *journal,
                                   const struct standing_budget *budget, size_t queued, bool retry)
{
    bool time_used = budget->time > 0 && journal->spent >= budget->time;
    if (!time_used && queued > 0)
        return END_NONE;
    if (best_reaches_target(journal))
        return END_TARGET;
    if (!time_used && has_paused(journal))
        return END_NONE;
    if (retry || journal->completion_count < journal->count)
        return END_NONE;
    if (journal->end == END_EXHAUSTED)
        return END_EXHAUSTED;
    if (time_used)
        return END_TIME;
    return standing_trials_left(budget->trials, journal->count) == 0 ? END_DONE : END_NONE;
}
