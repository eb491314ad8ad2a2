/* The columns of metrics: names as they occur, and gaps where a trial lacks one. */
#include "report/columns.h"
#include "tap.h"

#include <math.h>

static struct outcome result_of(size_t count, const char *const *names, const double *values)
{
    struct outcome result = {.metric_count = count};
    for (size_t i = 0; i < count; i++) {
        snprintf(result.metrics[i].name, sizeof result.metrics[i].name, "%s", names[i]);
        result.metrics[i].value = values[i];
    }
    return result;
}

static void test_columns(void)
{
    struct metrics metrics = {0};
    struct outcome none = {0};
    struct outcome first =
        result_of(2, (const char *[]){"loss", "steps"}, (double[]){0.5, 12345678});
    struct outcome second =
        result_of(2, (const char *[]){"auc", "steps"}, (double[]){0.12345678, INFINITY});
    metrics_add(&metrics, &none, "loss");
    metrics_add(&metrics, &first, "loss");
    metrics_add(&metrics, &second, "loss");
    ok(metrics.count == 2 && metrics.rows == 3, "the score is no column");
    is_text(metrics.names[0], "steps", "names come in the order in which they occur");
    is_text(metrics.columns[0].text, "null,12345678,null", "whole numbers keep their digits");
    is_text(metrics.columns[1].text, "null,null,0.123457", "a late name has no earlier values");
    ok(metrics_find(&first, "loss") == 0.5, "a metric is found");
    ok(isnan(metrics_find(&first, "auc")), "and one that is not there is not");
    metrics_free(&metrics);
}

static void test_limit(void)
{
    struct metrics metrics = {0};
    struct outcome many = {.metric_count = METRICS_MOST + 5};
    for (size_t i = 0; i < many.metric_count; i++)
        snprintf(many.metrics[i].name, sizeof many.metrics[i].name, "m%zu", i);
    metrics_add(&metrics, &many, "score");
    ok(metrics.count == METRICS_MOST, "a page has so many metrics at most");
    metrics_free(&metrics);
}

int main(void)
{
    test_columns();
    test_limit();
    return tap_end();
}
