/* metrics.c - what trials gave beside the score, as the columns of a page. */
#include "report/metrics.h"

#include <math.h>

double metrics_find(const struct outcome *result, const char *name)
{
    for (size_t i = 0; i < result->metric_count; i++)
        if (strcmp(result->metrics[i].name, name) == 0)
            return result->metrics[i].value;
    return NAN;
}

static void put_value(struct str *column, double value)
{
    if (column->length > 0)
        str_add_char(column, ',');
    if (!isfinite(value))
        str_add(column, "null");
    else if (value == floor(value) && fabs(value) < 1e15)
        str_add_number(column, value);
    else
        str_printf(column, "%.6g", value);
}

/* Makes room for a name that was not there before: earlier rows have no value for it. */
static void add_name(struct metrics *metrics, const char *name)
{
    for (size_t i = 0; i < metrics->count; i++)
        if (strcmp(metrics->names[i], name) == 0)
            return;
    if (metrics->count == METRICS_MOST)
        return;
    snprintf(metrics->names[metrics->count], sizeof metrics->names[0], "%s", name);
    for (size_t i = 0; i < metrics->rows; i++)
        put_value(&metrics->columns[metrics->count], NAN);
    metrics->count++;
}

void metrics_add(struct metrics *metrics, const struct outcome *result, const char *score)
{
    for (size_t i = 0; i < result->metric_count; i++)
        if (strcmp(result->metrics[i].name, score) != 0)
            add_name(metrics, result->metrics[i].name);
    for (size_t i = 0; i < metrics->count; i++)
        put_value(&metrics->columns[i], metrics_find(result, metrics->names[i]));
    metrics->rows++;
}

void metrics_free(struct metrics *metrics)
{
    for (size_t i = 0; i < metrics->count; i++)
        str_free(&metrics->columns[i]);
    *metrics = (struct metrics){0};
}
