/*
 * wick_r.c - the trial library in C for R: what wick.R calls with .C().
 *
 * An answer whose length R cannot know is kept here; R makes a vector of that length and fetches it
 * with wick_r_take().
 */
#include "wick_trial.h"

static char *kept;
static size_t kept_length;

static void keep(char *bytes, size_t length)
{
    free(kept);
    kept = bytes;
    kept_length = length;
}

void wick_r_report(double *step, char **names, double *values, int *count);
void wick_r_result(char **names, double *values, int *count);
void wick_r_should_stop(int *answer);
void wick_r_put(char **key, unsigned char *bytes, double *length, double *version);
void wick_r_get(char **key, double *known, int *wait, double *version, double *length);
void wick_r_delete(char **key, double *version);
void wick_r_keys(char **prefix, double *length);
void wick_r_take(unsigned char *bytes);
void wick_r_reason(double *length);

static struct wick_metric *metrics_of(char **names, const double *values, int count)
{
    struct wick_metric *metrics = calloc((size_t)count + 1, sizeof *metrics);
    for (int i = 0; metrics && i < count; i++) {
        metrics[i].name = names[i];
        metrics[i].value = values[i];
    }
    return metrics;
}

void wick_r_report(double *step, char **names, double *values, int *count)
{
    struct wick_metric *metrics = metrics_of(names, values, *count);
    if (metrics)
        wick_report_metrics((long)*step, metrics, (size_t)*count);
    free(metrics);
}

void wick_r_result(char **names, double *values, int *count)
{
    struct wick_metric *metrics = metrics_of(names, values, *count);
    if (metrics)
        wick_result_metrics(metrics, (size_t)*count);
    free(metrics);
}

void wick_r_should_stop(int *answer)
{
    *answer = wick_should_stop();
}

void wick_r_put(char **key, unsigned char *bytes, double *length, double *version)
{
    *version = (double)wick_put(*key, bytes, (size_t)*length);
}

/* Gets a value, or waits for one above the known version. */
void wick_r_get(char **key, double *known, int *wait, double *version, double *length)
{
    struct wick_value value = *wait ? wick_wait(*key, (long)*known) : wick_get(*key);
    *version = (double)value.version;
    *length = (double)value.length;
    keep(value.bytes, value.length);
}

void wick_r_delete(char **key, double *version)
{
    *version = (double)wick_delete(*key);
}

/* The keys, each ended by a newline; length -1: it failed. */
void wick_r_keys(char **prefix, double *length)
{
    char *keys = wick_keys(*prefix), *at = keys;
    while (keys && *at) {
        at += strlen(at);
        *at++ = '\n';
    }
    keep(keys, keys ? (size_t)(at - keys) : 0);
    *length = keys ? (double)kept_length : -1;
}

void wick_r_take(unsigned char *bytes)
{
    if (kept_length > 0)
        memcpy(bytes, kept, kept_length);
    keep(NULL, 0);
}

/* Keeps what went wrong, for wick_r_take(). */
void wick_r_reason(double *length)
{
    const char *reason = wick_error();
    keep(wick_copy_(reason, strlen(reason)), strlen(reason));
    *length = (double)kept_length;
}
