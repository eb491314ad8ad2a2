/* outcome.c - states have names, outcomes survive a message, metrics and logs are bounded. */
#include "outcome/outcome.h"
#include "tap.h"

#include <math.h>

static void states_have_names(void)
{
    unsigned wrong = 0;
    for (int state = OUTCOME_DONE; state <= OUTCOME_INTERRUPTED; state++) {
        const char *name = outcome_state_name((enum outcome_state)state);
        wrong +=
            outcome_state_find((struct slice){name, strlen(name)}) != (enum outcome_state)state;
    }
    ok(wrong == 0, "each state is found by its name");
    ok(outcome_state_find((struct slice){"lost", 4}) == OUTCOME_RUNNING, "an unknown name is none");
    ok(outcome_state_failed(OUTCOME_NAN) && !outcome_state_failed(OUTCOME_STOPPED),
       "a stopped trial has not failed");
    ok(!outcome_state_ended(OUTCOME_INTERRUPTED) && outcome_state_ended(OUTCOME_STOPPED),
       "an interrupted trial is not over");
}

static void messages_keep_outcomes(void)
{
    struct outcome sent = {.state = OUTCOME_STOPPED,
                           .score = 0.5,
                           .started = 1,
                           .ended = 3,
                           .exit_code = -1,
                           .signal = 15,
                           .peak_memory = 1 << 20,
                           .can_go_on = true,
                           .reason = "stopped",
                           .log_dropped = 7};
    struct outcome got = {.violation = 2, .paused = true};
    struct str bytes = {0};
    outcome_set_metric(sent.metrics, &sent.metric_count, "loss", 4, 0.25);
    str_add_bytes(&sent.log, "a\0b", 3);
    outcome_pack(&sent, &bytes);
    outcome_unpack(&got, (const unsigned char *)bytes.text, bytes.length);
    ok(got.state == sent.state && got.score == 0.5 && got.ended == 3 && got.signal == 15 &&
           got.exit_code == -1 && got.peak_memory == 1 << 20 && got.can_go_on,
       "the numbers are the same");
    ok(got.metric_count == 1 && strcmp(got.metrics[0].name, "loss") == 0 &&
           got.metrics[0].value == 0.25,
       "the metrics are the same");
    ok(strcmp(got.reason, "stopped") == 0 && got.log.length == 3 &&
           memcmp(got.log.text, "a\0b", 3) == 0 && got.log_dropped == 7,
       "reason and log are the same, whatever bytes the log has");
    ok(got.violation == 0 && !got.paused, "what the driver decides is not sent");
    outcome_free(&sent);
    outcome_free(&got);
    str_free(&bytes);
}

static void metrics_are_bounded(void)
{
    struct outcome_metric metrics[OUTCOME_METRICS];
    size_t count = 0;
    char name[80];
    for (int i = 0; i < OUTCOME_METRICS + 5; i++) {
        int length = snprintf(name, sizeof name, "m%d", i);
        outcome_set_metric(metrics, &count, name, (size_t)length, i);
    }
    ok(count == OUTCOME_METRICS, "there are at most %d metrics", OUTCOME_METRICS);
    outcome_set_metric(metrics, &count, "m3", 2, 0.5);
    ok(count == OUTCOME_METRICS && metrics[3].value == 0.5, "a name has its last value");
    count = 0;
    memset(name, 'x', sizeof name);
    outcome_set_metric(metrics, &count, name, sizeof name, 1);
    ok(strlen(metrics[0].name) == sizeof metrics->name - 1, "a long name is cut off");
}

static void logs_are_bounded(void)
{
    static struct outcome_log log;
    static char block[OUTCOME_LOG_HEAD + OUTCOME_LOG_TAIL];
    struct str text = {0};
    outcome_log_add(&log, "start ", 6);
    outcome_log_add(&log, "end", 3);
    ok(outcome_log_copy(&log, &text) == 0 && strcmp(str_text(&text), "start end") == 0,
       "a short log is kept as it is");
    memset(block, '.', sizeof block);
    outcome_log_add(&log, block, sizeof block);
    outcome_log_add(&log, "last", 4);
    str_clear(&text);
    ok(outcome_log_copy(&log, &text) == 13 && outcome_log_bytes(&log) == sizeof block + 13,
       "what is left out of a long one is counted");
    ok(strncmp(text.text, "start end...", 12) == 0 &&
           strcmp(text.text + text.length - 7, "...last") == 0,
       "its start and its end are kept");
    outcome_log_clear(&log);
    ok(outcome_log_bytes(&log) == 0, "a log can be used again");
    str_free(&text);
}

int main(void)
{
    states_have_names();
    messages_keep_outcomes();
    metrics_are_bounded();
    logs_are_bounded();
    return tap_end();
}
