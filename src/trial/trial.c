/* trial.c - the states and the result of a trial. */
#include "trial/trial.h"

#include <math.h>

static const char *const names[] = {
    [TRIAL_RUNNING] = "running",
    [TRIAL_DONE] = "done",
    [TRIAL_FAILED] = "failed",
    [TRIAL_TIMEOUT] = "timeout",
    [TRIAL_OUT_OF_MEMORY] = "out of memory",
    [TRIAL_NO_SCORE] = "no score",
    [TRIAL_NAN] = "nan",
    [TRIAL_STOPPED] = "stopped",
    [TRIAL_INTERRUPTED] = "interrupted",
};

const char *trial_state_name(enum trial_state state)
{
    return names[state];
}

enum trial_state trial_state_find(struct slice name)
{
    for (int state = TRIAL_DONE; state <= TRIAL_INTERRUPTED; state++)
        if (slice_is(name, names[state]))
            return (enum trial_state)state;
    return TRIAL_RUNNING;
}

bool trial_state_ended(enum trial_state state)
{
    return state != TRIAL_RUNNING && state != TRIAL_INTERRUPTED;
}

bool trial_state_failed(enum trial_state state)
{
    return trial_state_ended(state) && state != TRIAL_DONE && state != TRIAL_STOPPED;
}

void trial_result_free(struct trial_result *result)
{
    str_free(&result->log);
    *result = (struct trial_result){0};
}

struct trial_result trial_not_begun(double now)
{
    return (struct trial_result){.state = TRIAL_INTERRUPTED,
                                 .score = NAN,
                                 .exit_code = -1,
                                 .started = now,
                                 .ended = now,
                                 .reason = "interrupted before it began"};
}

/* The part of a result that has a fixed size; metrics, reason and log follow it. */
struct packed {
    int32_t state, exit_code, signal, can_go_on;
    uint32_t metric_count, reason_length;
    uint64_t log_length, log_dropped, peak_memory, read, written;
    double score, started, ended, processor, energy;
};

void trial_result_pack(const struct trial_result *r, struct str *bytes)
{
    struct packed head = {
        .state = (int32_t)r->state,
        .exit_code = r->exit_code,
        .signal = r->signal,
        .can_go_on = r->can_go_on,
        .metric_count = (uint32_t)r->metric_count,
        .reason_length = (uint32_t)strlen(r->reason),
        .log_length = r->log.length,
        .log_dropped = r->log_dropped,
        .peak_memory = r->peak_memory,
        .read = r->read,
        .written = r->written,
        .score = r->score,
        .started = r->started,
        .ended = r->ended,
        .processor = r->processor,
        .energy = r->energy,
    };
    str_add_bytes(bytes, &head, sizeof head);
    str_add_bytes(bytes, r->metrics, r->metric_count * sizeof *r->metrics);
    str_add_bytes(bytes, r->reason, head.reason_length);
    str_add_bytes(bytes, r->log.text, r->log.length);
}

void trial_result_unpack(struct trial_result *r, const unsigned char *bytes, size_t length)
{
    struct packed head;
    if (length < sizeof head)
        BUG("a result of %zu bytes", length);
    memcpy(&head, bytes, sizeof head);
    size_t metrics = head.metric_count * sizeof *r->metrics;
    if (head.metric_count > TRIAL_METRICS || head.reason_length >= sizeof r->reason ||
        length != sizeof head + metrics + head.reason_length + head.log_length)
        BUG("a result whose parts do not fit its %zu bytes", length);
    bytes += sizeof head;
    r->state = (enum trial_state)head.state;
    r->exit_code = head.exit_code;
    r->signal = head.signal;
    r->can_go_on = head.can_go_on != 0;
    r->metric_count = head.metric_count;
    r->log_dropped = head.log_dropped;
    r->peak_memory = head.peak_memory;
    r->read = head.read;
    r->written = head.written;
    r->score = head.score;
    r->started = head.started;
    r->ended = head.ended;
    r->processor = head.processor;
    r->energy = head.energy;
    r->score_count = 0;
    r->violation = 0;
    r->paused = false;
    memcpy(r->metrics, bytes, metrics);
    memcpy(r->reason, bytes + metrics, head.reason_length);
    r->reason[head.reason_length] = 0;
    str_clear(&r->log);
    if (head.log_length > 0)
        str_add_bytes(&r->log, bytes + metrics + head.reason_length, head.log_length);
}
