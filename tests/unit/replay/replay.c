/* replay.c - a new search that replays a journal suggests what the old one would have suggested. */
#include "replay/replay.h"
#include "run/folder.h"
#include "tap.h"

#include <math.h>

static const char definition[] = "model: {function: noop}\n"
                                 "search: {algorithm: tpe, seed: 5}\n"
                                 "space:\n"
                                 "  x: {float: [0, 1]}\n"
                                 "  n: {int: [1, 9]}\n";
enum { TRIALS = 40, OPEN = 7, FAILED = 11, QUEUED = 5, WIDTH = 2 };

/* A search, what it should know, and the best results. */
struct side {
    struct search *search;
    struct best best;
};

static void side_open(struct side *side, const struct study *study)
{
    side->search = search_create(&study->search, &study->space);
    best_init(&side->best, 1, study->search.maximize, WIDTH, false);
}

static void side_close(struct side *side)
{
    search_free(side->search);
    best_free(&side->best);
}

/* Trial OPEN does not end, trial FAILED fails, and the point of trial QUEUED is the user's. */
static void live_through(struct side *side, const struct study *study,
                         struct journal_writer *writer)
{
    double point[WIDTH] = {0.25, 3};
    for (uint64_t id = 1; id <= TRIALS; id++) {
        if (id == QUEUED) {
            double own[WIDTH] = {0.25, 3};
            search_add(side->search, own);
            memcpy(point, own, sizeof own);
            journal_start_queued(writer, id, (double)id, 1, &study->space, point, 1);
        } else {
            if (search_ask(side->search, point) != SEARCH_POINT)
                printf("# no point %llu\n", (unsigned long long)id);
            journal_start(writer, id, (double)id, 1, 1, &study->space, point);
        }
        if (id == OPEN)
            continue;
        struct outcome outcome = {.state = id == FAILED ? OUTCOME_FAILED : OUTCOME_DONE,
                                  .score = id == FAILED ? NAN : (point[0] - 0.3) * (point[0] - 0.3),
                                  .ended = 0.5};
        struct search_result result = {.good = id != FAILED, .scores = {outcome.score}};
        journal_end(writer, id, (double)id + 0.5, 1, &outcome, false);
        search_tell(side->search, id - 1, &result);
        if (id != FAILED)
            best_add(&side->best, id, &outcome.score, point);
    }
}

struct count {
    size_t trials, again, ended;
    uint64_t last; /* the last trial that runs again */
};

static void count_trial(void *self, size_t index, const double *point, uint64_t line, bool again)
{
    struct count *count = self;
    count->again += line > 0; /* none is lost */
    count->trials += index == count->trials && !isnan(point[0]);
    count->again += again;
    if (again)
        count->last = index + 1;
}

static void count_end(void *self, size_t index)
{
    struct count *count = self;
    count->ended += index + 1 != OPEN;
}

static void test_same(const struct study *study, const struct journal *journal, struct side *old)
{
    struct side fresh;
    struct count count = {0};
    struct err e = {0};
    side_open(&fresh, study);
    struct replay replay = {.journal = journal,
                            .search = fresh.search,
                            .best = &fresh.best,
                            .self = &count,
                            .trial = count_trial,
                            .ended = count_end};
    ok(replay_journal(&replay, &e) == 0, "a journal is replayed %s", e.message);
    ok(count.trials == TRIALS && count.ended == TRIALS - 1, "with all trials and all ends");
    ok(count.again == 1 && count.last == OPEN, "the one that had not ended runs again");
    ok(best_id(&fresh.best) == best_id(&old->best) &&
           best_score(&fresh.best) == best_score(&old->best) &&
           best_point(&fresh.best, 0)[0] == best_point(&old->best, 0)[0],
       "the best is the same");
    bool same = true;
    for (int i = 0; i < 5; i++) {
        double expected[WIDTH], got[WIDTH];
        same = same && search_ask(old->search, expected) == search_ask(fresh.search, got) &&
               space_same(&study->space, expected, got);
    }
    ok(same, "and so are the next suggestions");
    side_close(&fresh);
}

static void test_retry(const struct study *study, const struct journal *journal)
{
    struct side fresh;
    struct count count = {0};
    struct err e = {0};
    side_open(&fresh, study);
    struct replay replay = {.journal = journal,
                            .search = fresh.search,
                            .best = &fresh.best,
                            .retry_failed = true,
                            .self = &count,
                            .trial = count_trial,
                            .ended = count_end};
    ok(replay_journal(&replay, &e) == 0 && count.again == 2 && count.last == FAILED &&
           count.ended == TRIALS - 2,
       "a failed trial runs again when that is wanted");
    side_close(&fresh);
}

int main(void)
{
    char dir[80];
    struct study study;
    struct err e = {0};
    struct side old;
    struct journal_writer *writer;
    struct journal journal;
    if (!folder_open())
        return 1;
    parse_text(&study, definition);
    snprintf(dir, sizeof dir, "%s/study.wick", folder);
    side_open(&old, &study);
    ok(journal_create(&writer, dir, &study, &e) == 0, "a study %s", e.message);
    journal_opened(writer, 0, 1, TRIALS, 0);
    live_through(&old, &study, writer);
    ok(journal_close(writer, 99, END_INTERRUPTED, &e) == 0, "that was interrupted %s", e.message);
    ok(journal_load(&journal, dir, &e) == 0, "is read again %s", e.message);
    test_same(&study, &journal, &old);
    test_retry(&study, &journal);
    journal_free(&journal);
    side_close(&old);
    study_free(&study);
    folder_remove(folder);
    return tap_end();
}
