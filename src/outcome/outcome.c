/* outcome.c - the states of a trial, and outcomes as bytes. */
#include "outcome/outcome.h"

#include <math.h>

static const char *const names[] = {
    [OUTCOME_RUNNING] = "running",
    [OUTCOME_DONE] = "done",
    [OUTCOME_FAILED] = "failed",
    [OUTCOME_TIMEOUT] = "timeout",
    [OUTCOME_OUT_OF_MEMORY] = "out of memory",
    [OUTCOME_NO_SCORE] = "no score",
    [OUTCOME_NAN] = "nan",
    [OUTCOME_STOPPED] = "stopped",
    [OUTCOME_INTERRUPTED] = "interrupted",
};

const char *outcome_state_name(enum outcome_state state)
{
    return names[state];
}

enum outcome_state outcome_state_find(struct slice name)
{
    for (int state = OUTCOME_DONE; state <= OUTCOME_INTERRUPTED; state++)
        if (slice_is(name, names[state]))
            return (enum outcome_state)state;
    return OUTCOME_RUNNING;
}

bool outcome_state_ended(enum outcome_state state)
{
    return state != OUTCOME_RUNNING && state != OUTCOME_INTERRUPTED;
}

bool outcome_state_failed(enum outcome_state state)
{
    return outcome_state_ended(state) && state != OUTCOME_DONE && state != OUTCOME_STOPPED;
}

void outcome_free(struct outcome *outcome)
{
    str_free(&outcome->log);
    *outcome = (struct outcome){0};
}

struct outcome outcome_not_started(double now)
{
    return (struct outcome){.state = OUTCOME_INTERRUPTED,
                            .score = NAN,
                            .exit_code = -1,
                            .started = now,
                            .ended = now,
                            .reason = "interrupted before it started"};
}

bool outcome_set_metric(struct outcome_metric *metrics, size_t *count, const char *name,
                        size_t length, double value)
{
    size_t i = 0;
    if (length >= sizeof metrics->name)
        length = sizeof metrics->name - 1;
    while (i < *count && !slice_is((struct slice){name, length}, metrics[i].name))
        i++;
    if (i == OUTCOME_METRICS)
        return false;
    if (i == *count) {
        memcpy(metrics[i].name, name, length);
        metrics[i].name[length] = 0;
        (*count)++;
    }
    metrics[i].value = value;
    return true;
}

/* The part of an outcome that has a fixed size; metrics, reason and log follow it. */
struct packed {
    int32_t state, exit_code, signal;
    int16_t can_go_on, no_room;
    uint32_t metric_count, reason_length;
    uint64_t log_length, log_dropped, peak_memory, read, written;
    double score, started, ended, processor, energy;
};

void outcome_pack(const struct outcome *o, struct str *bytes)
{
    struct packed head = {
        .state = (int32_t)o->state,
        .exit_code = o->exit_code,
        .signal = o->signal,
        .can_go_on = o->can_go_on,
        .no_room = o->no_room,
        .metric_count = (uint32_t)o->metric_count,
        .reason_length = (uint32_t)strlen(o->reason),
        .log_length = o->log.length,
        .log_dropped = o->log_dropped,
        .peak_memory = o->peak_memory,
        .read = o->read,
        .written = o->written,
        .score = o->score,
        .started = o->started,
        .ended = o->ended,
        .processor = o->processor,
        .energy = o->energy,
    };
    str_add_bytes(bytes, &head, sizeof head);
    str_add_bytes(bytes, o->metrics, o->metric_count * sizeof *o->metrics);
    str_add_bytes(bytes, o->reason, head.reason_length);
    str_add_bytes(bytes, o->log.text, o->log.length);
}

void outcome_unpack(struct outcome *o, const unsigned char *bytes, size_t length)
{
    struct packed head;
    if (length < sizeof head)
        BUG("an outcome of %zu bytes", length);
    memcpy(&head, bytes, sizeof head);
    size_t metrics = head.metric_count * sizeof *o->metrics;
    if (head.metric_count > OUTCOME_METRICS || head.reason_length >= sizeof o->reason ||
        length != sizeof head + metrics + head.reason_length + head.log_length)
        BUG("an outcome whose parts do not fit its %zu bytes", length);
    bytes += sizeof head;
    o->state = (enum outcome_state)head.state;
    o->exit_code = head.exit_code;
    o->signal = head.signal;
    o->can_go_on = head.can_go_on != 0;
    o->no_room = head.no_room != 0;
    o->metric_count = head.metric_count;
    o->log_dropped = head.log_dropped;
    o->peak_memory = head.peak_memory;
    o->read = head.read;
    o->written = head.written;
    o->score = head.score;
    o->started = head.started;
    o->ended = head.ended;
    o->processor = head.processor;
    o->energy = head.energy;
    o->score_count = 0;
    o->violation = 0;
    o->paused = false;
    memcpy(o->metrics, bytes, metrics);
    memcpy(o->reason, bytes + metrics, head.reason_length);
    o->reason[head.reason_length] = 0;
    str_clear(&o->log);
    if (head.log_length > 0)
        str_add_bytes(&o->log, bytes + metrics + head.reason_length, head.log_length);
}
