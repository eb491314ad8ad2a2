/* records.c - the content of each record of the journal; journal.h lists them all. */
#include "journal/records.h"

#include "launch/launch.h"

#include <math.h>
#include <unistd.h>

enum { LOG_END = 2048 }; /* bytes of a failed trial's output that its record keeps */

/* Microseconds are precise enough for a time, and keep it short. */
static void put_time(struct str *s, const char *key, double seconds)
{
    double micros = round(seconds * 1e6);
    json_add_key(s, key);
    if (micros >= 0 && micros < 1e15)
        str_add_decimal(s, (uint64_t)micros, 6);
    else
        json_put_number(s, micros / 1e6);
}

void journal_opened(struct journal_writer *w, double time, uint64_t workers, uint64_t trials,
                    double limit)
{
    struct str *s = writer_record(w);
    char host[128] = "?";
    gethostname(host, sizeof host - 1);
    put_time(s, "open", time);
    json_set_text(s, "host", host);
    json_set_whole(s, "pid", (uint64_t)getpid());
    json_set_whole(s, "workers", workers);
    json_set_whole(s, "trials", trials);
    json_set_number(s, "limit", limit);
    struct launch_here here = launch_here();
    if (here.id[0])
        json_set_text(s, "job", here.id);
    writer_append(w);
}

static void add_value(struct str *s, const char *value)
{
    if (value)
        json_add_text(s, value);
    else
        json_add_null(s);
}

void journal_changed(struct journal_writer *w, double time, const struct study_changes *changes)
{
    struct str *s = writer_record(w);
    put_time(s, "change", time);
    json_set_array(s, "keys");
    for (size_t i = 0; i < changes->count; i++) {
        json_add_array(s);
        json_add_text(s, changes->items[i].key);
        add_value(s, changes->items[i].old);
        add_value(s, changes->items[i].now);
        json_end_array(s);
    }
    json_end_array(s);
    if (changes->file_text)
        json_set_text(s, "says", changes->file_text);
    writer_append(w);
}

/* The number of workers first, first + step, ... that are on the node of the first. */
static uint64_t count_step(const char **names, uint64_t workers, uint64_t first, uint64_t step)
{
    uint64_t count = 1;
    for (uint64_t at = first + step; at < workers; at += step, count++)
        if (!names[at] || strcmp(names[at], names[first]) != 0)
            break;
    return count;
}

/*
 * Launchers fill one node after the other, or place ranks on the nodes in turn: so the workers of a
 * node are one sequence with a fixed step, or a few of them, however many there are. Clears
 * names[].
 */
static void put_placement(struct str *s, const char **names, uint64_t workers)
{
    json_set_array(s, "seats");
    for (uint64_t first = 0; first < workers; first++) {
        uint64_t next = first + 1;
        if (!names[first])
            continue;
        while (next < workers && (!names[next] || strcmp(names[next], names[first]) != 0))
            next++;
        uint64_t step = next < workers ? next - first : 1;
        uint64_t count = count_step(names, workers, first, step);
        uint64_t last = first + (count - 1) * step;
        json_add_array(s);
        json_add_text(s, names[first]);
        json_add_whole(s, first + 1);
        json_add_whole(s, last + 1);
        if (step > 1)
            json_add_whole(s, step);
        json_end_array(s);
        for (uint64_t at = first; at <= last; at += step)
            names[at] = NULL;
    }
    json_end_array(s);
}

void journal_placed(struct journal_writer *w, double time, uint64_t nodes, const char **names,
                    uint64_t workers)
{
    struct str *s = writer_record(w);
    json_set_whole(s, "nodes", nodes);
    put_time(s, "time", time);
    put_placement(s, names, workers);
    writer_append(w);
}

static void put_params(struct str *s, const struct space *space, const double *point)
{
    json_add_key(s, "params");
    space_put_json(space, point, s);
}

void journal_learned(struct journal_writer *w, uint64_t number, const struct space *space,
                     const double *point, const double *scores, size_t objectives)
{
    struct str *s = writer_record(w);
    json_set_whole(s, "earlier", number);
    put_params(s, space, point);
    json_set_numbers(s, "scores", scores, objectives);
    writer_append(w);
}

static void put_start(struct str *s, uint64_t id, double time, unsigned worker)
{
    json_set_whole(s, "start", id);
    put_time(s, "time", time);
    json_set_whole(s, "worker", worker);
}

void journal_start_queued(struct journal_writer *w, uint64_t id, double time, unsigned worker,
                          const struct space *space, const double *point, uint64_t line)
{
    struct str *s = writer_record(w);
    put_start(s, id, time, worker);
    json_set_whole(s, "queued", line);
    put_params(s, space, point);
    writer_append(w);
}

void journal_start_from(struct journal_writer *w, uint64_t id, double time, unsigned worker,
                        const struct space *space, const double *point, uint64_t origin)
{
    struct str *s = writer_record(w);
    put_start(s, id, time, worker);
    json_set_whole(s, "from", origin);
    put_params(s, space, point);
    writer_append(w);
}

void journal_start(struct journal_writer *w, uint64_t id, double time, unsigned worker,
                   unsigned try, const struct space *space, const double *point)
{
    struct str *s = writer_record(w);
    put_start(s, id, time, worker);
    if (point)
        put_params(s, space, point);
    else
        json_set_whole(s, "try", try);
    writer_append(w);
}

void journal_pace(struct journal_writer *w, uint64_t id, double time, bool quick, double cost)
{
    struct str *s = writer_record(w);
    json_set_whole(s, "pace", id);
    put_time(s, "time", time);
    json_set_bool(s, "quick", quick);
    put_time(s, "cost", cost);
    writer_append(w);
}

void journal_move(struct journal_writer *w, uint64_t id, double time, unsigned worker)
{
    struct str *s = writer_record(w);
    json_set_whole(s, "move", id);
    put_time(s, "time", time);
    json_set_whole(s, "worker", worker);
    writer_append(w);
}

void journal_team(struct journal_writer *w, uint64_t id, double time, const int *workers,
                  unsigned count)
{
    struct str *s = writer_record(w);
    json_set_whole(s, "group", id);
    put_time(s, "time", time);
    json_set_array(s, "members");
    for (unsigned i = 0; i < count; i++)
        json_add_whole(s, (uint64_t)workers[i]);
    json_end_array(s);
    writer_append(w);
}

void journal_lost(struct journal_writer *w, double time, unsigned worker, const char *node)
{
    struct str *s = writer_record(w);
    json_set_whole(s, "lost", worker);
    put_time(s, "time", time);
    json_set_text(s, "node", node);
    writer_append(w);
}

static void put_metrics(struct str *s, const struct outcome_metric *metrics, size_t count)
{
    json_set_object(s, "metrics");
    for (size_t i = 0; i < count; i++) {
        json_add_name(s, metrics[i].name);
        json_put_number(s, metrics[i].value);
    }
    json_end_object(s);
}

void journal_step(struct journal_writer *w, uint64_t id, double time, unsigned try,
                  const struct outcome_step *step)
{
    struct str *s = writer_record(w);
    json_set_whole(s, "step", id);
    put_time(s, "time", time);
    if (try > 1)
        json_set_whole(s, "try", try);
    json_set_whole(s, "n", step->step);
    if (!step->unscored)
        json_set_number(s, "value", step->value);
    if (step->metric_count > 0)
        put_metrics(s, step->metrics, step->metric_count);
    writer_append(w);
}

/* Why a trial failed: its reason and the last lines of its output. */
static void put_failure(struct str *s, const struct outcome *result)
{
    if (result->signal)
        json_set_whole(s, "signal", (uint64_t)result->signal);
    else if (result->exit_code >= 0)
        json_set_whole(s, "exit", (uint64_t)result->exit_code);
    if (result->reason[0])
        json_set_text(s, "reason", result->reason);
    size_t length = result->log.length < LOG_END ? result->log.length : LOG_END;
    if (length > 0)
        json_set_string(s, "log", result->log.text + result->log.length - length, length);
    if (result->log_dropped > 0)
        json_set_whole(s, "dropped", result->log_dropped);
}

void journal_end(struct journal_writer *w, uint64_t id, double time, unsigned worker,
                 const struct outcome *result, bool again)
{
    struct str *s = writer_record(w);
    json_set_whole(s, "end", id);
    put_time(s, "time", time);
    put_time(s, "took", result->ended - result->started);
    json_set_whole(s, "worker", worker);
    json_set_text(s, "state", outcome_state_name(result->state));
    if (isfinite(result->score))
        json_set_number(s, "score", result->score);
    if (result->score_count > 0)
        json_set_numbers(s, "scores", result->scores, result->score_count);
    if (result->violation > 0)
        json_set_number(s, "violation", result->violation);
    if (result->processor > 0)
        put_time(s, "cpu", result->processor);
    if (result->peak_memory > 0)
        json_set_whole(s, "memory", result->peak_memory);
    if (result->read > 0)
        json_set_whole(s, "read", result->read);
    if (result->written > 0)
        json_set_whole(s, "written", result->written);
    if (result->energy > 0)
        put_time(s, "energy", result->energy);
    if (result->metric_count > 0)
        put_metrics(s, result->metrics, result->metric_count);
    if (result->state != OUTCOME_DONE)
        put_failure(s, result);
    else if (result->reason[0])
        json_set_text(s, "reason", result->reason);
    if (again)
        json_set_bool(s, "again", true);
    if (result->paused)
        json_set_bool(s, "paused", true);
    writer_append(w);
}

void records_close(struct journal_writer *w, double time, const char *why)
{
    struct str *s = writer_record(w);
    put_time(s, "close", time);
    json_set_text(s, "why", why);
    writer_append(w);
}
