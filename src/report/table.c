/* table.c - all trials as CSV and as JSON, a row at a time. */
#include "report/table.h"
#include "report/facts.h"
#include "report/out.h"
#include "report/row.h"

#include <math.h>

/* ---- CSV ---- */

void table_put_field(struct str *s, const char *text, size_t length)
{
    bool plain = length == 0 || (text[0] != ' ' && text[length - 1] != ' ');
    for (size_t i = 0; i < length && plain; i++)
        plain = text[i] != ',' && text[i] != '"' && text[i] != '\n' && text[i] != '\r';
    if (plain) {
        str_add_bytes(s, text, length);
        return;
    }
    str_add_char(s, '"');
    for (size_t i = 0; i < length; i++) {
        if (text[i] == '"')
            str_add_char(s, '"');
        str_add_char(s, text[i]);
    }
    str_add_char(s, '"');
}

void table_end_record(struct str *s)
{
    str_add(s, "\r\n");
}

static void put_number(struct str *s, double number)
{
    if (!isnan(number))
        str_add_number(s, number);
}

/* The metrics of a study, in the order in which they first appear. */
struct metrics {
    struct arena arena;
    struct map places;
    const char *names[TABLE_METRICS];
    size_t count;
};

static int find_metrics(const struct journal *journal, struct metrics *metrics, struct err *e)
{
    struct outcome result = {0};
    int failed = 0;
    for (size_t i = 0; i < journal->count && !failed; i++) {
        failed = journal_result(journal, i, &result, e);
        for (size_t m = 0; m < result.metric_count && !failed; m++) {
            const char *name = result.metrics[m].name;
            bool has_column = journal->scores && study_is_objective(&journal->study, name);
            if (metrics->count == TABLE_METRICS || has_column ||
                map_find(&metrics->places, slice_of(name)) != MAP_NONE)
                continue;
            const char *copy = arena_copy(&metrics->arena, name, strlen(name));
            map_add(&metrics->places, slice_of(copy), (uint32_t)metrics->count);
            metrics->names[metrics->count++] = copy;
        }
    }
    outcome_free(&result);
    return failed;
}

static void put_header(const struct journal *journal, const struct metrics *metrics, struct str *s)
{
    struct columns columns;
    columns_init(&columns, journal);
    for (size_t i = 0; i < metrics->count; i++)
        columns_add(&columns, metrics->names[i], "metric_");
    for (size_t i = 0; i < columns.count; i++) {
        str_add(s, i ? "," : "");
        table_put_field(s, columns.names[i], strlen(columns.names[i]));
    }
    table_end_record(s);
    columns_free(&columns);
}

static void put_parameter(const struct parameter *parameter, double value, struct str *s)
{
    if (isnan(value))
        return;
    if (parameter->kind == PARAMETER_FLOAT || parameter->kind == PARAMETER_INT) {
        str_add_number(s, value);
        return;
    }
    const char *text = parameter->values[(size_t)value].text;
    table_put_field(s, text, strlen(text));
}

static void put_record(const struct journal *journal, const struct row *row,
                       const struct metrics *metrics, double *values, struct str *s)
{
    const struct space *space = &journal->study.space;
    for (size_t i = 0; i < ROW_FIXED; i++) {
        const char *text = row_text(row, i);
        if (!row_has(journal, i))
            continue;
        if (i > 0)
            str_add_char(s, ',');
        if (text)
            table_put_field(s, text, strlen(text));
        else
            put_number(s, row_number(row, i));
    }
    for (size_t i = 0; i < row_extra_count(journal); i++) {
        str_add_char(s, ',');
        put_number(s, row_extra(row, journal, i));
    }
    for (size_t i = 0; i < space->count; i++) {
        str_add_char(s, ',');
        put_parameter(&space->parameters[i], row->point[i], s);
    }
    for (size_t i = 0; i < metrics->count; i++)
        values[i] = NAN;
    for (size_t i = 0; i < row->result.metric_count; i++) {
        int64_t place = map_find(&metrics->places, slice_of(row->result.metrics[i].name));
        if (place != MAP_NONE)
            values[place] = row->result.metrics[i].value;
    }
    for (size_t i = 0; i < metrics->count; i++) {
        str_add_char(s, ',');
        put_number(s, values[i]);
    }
    table_end_record(s);
}

int report_csv(const struct journal *journal, struct report_target target, struct err *e)
{
    struct out out;
    struct row row;
    struct metrics metrics = {0};
    double values[TABLE_METRICS];
    int failed = out_open(&out, target, e);
    if (failed)
        return failed;
    row_init(&row, journal);
    failed = find_metrics(journal, &metrics, e);
    if (!failed)
        put_header(journal, &metrics, &out.text);
    for (size_t i = 0; i < journal->count && !failed; i++) {
        failed = row_read(&row, journal, i, e);
        if (!failed)
            put_record(journal, &row, &metrics, values, &out.text);
        out_turn(&out);
    }
    row_free(&row);
    map_free(&metrics.places);
    arena_free(&metrics.arena);
    return out_close(&out, failed, e);
}

/* ---- JSON ---- */

static void put_study(const struct journal *journal, struct str *s)
{
    struct arena arena = {0};
    struct fact facts[FACTS_MOST];
    size_t count = facts_collect(journal, facts, &arena);
    for (size_t i = 0; i < count; i++) {
        str_printf(s, "%s\"%s\":", i ? "," : "{", facts[i].key);
        facts_put_value(&facts[i], s);
    }
    str_add_char(s, '}');
    arena_free(&arena);
}

/* The scores by their names, when there are several; and what the CSV has for them beside. */
static void put_objectives(const struct journal *journal, const struct row *row, struct str *s)
{
    size_t objectives = study_objectives(&journal->study);
    for (size_t i = 0; i < objectives && journal->scores; i++) {
        const char *name = study_objective_name(&journal->study, i);
        str_add(s, i ? "," : ",\"scores\":{");
        json_put_string(s, name, strlen(name));
        str_add_char(s, ':');
        json_put_number(s, journal_scores(journal, row->index)[i]);
    }
    if (journal->scores)
        str_printf(s, "},\"front\":%s", row->trial->on_front ? "true" : "false");
    if (journal->study.measured_count > 0) {
        str_add(s, ",\"violation\":");
        json_put_number(s, row_extra(row, journal, row_extra_count(journal) - 1));
    }
}

static void put_object(const struct journal *journal, const struct row *row, struct str *s)
{
    for (size_t i = 0; i < ROW_FIXED; i++) {
        const char *text = row_text(row, i);
        if (!row_has(journal, i))
            continue;
        str_add(s, i ? ",\"" : "{\"");
        str_add(s, row_names[i]);
        str_add(s, "\":");
        if (!text)
            json_put_number(s, row_number(row, i));
        else if (text[0])
            json_put_string(s, text, strlen(text));
        else
            str_add(s, "null");
    }
    put_objectives(journal, row, s);
    str_add(s, ",\"params\":");
    space_put_json(&journal->study.space, row->point, s);
    str_add(s, ",\"metrics\":{");
    for (size_t i = 0; i < row->result.metric_count; i++) {
        const struct outcome_metric *metric = &row->result.metrics[i];
        str_add(s, i ? "," : "");
        json_put_string(s, metric->name, strlen(metric->name));
        str_add_char(s, ':');
        json_put_number(s, metric->value);
    }
    str_add(s, "}}");
}

int report_json(const struct journal *journal, struct report_target target, struct err *e)
{
    struct out out;
    struct row row;
    int failed = out_open(&out, target, e);
    if (failed)
        return failed;
    row_init(&row, journal);
    str_add(&out.text, "{\"study\":");
    put_study(journal, &out.text);
    str_add(&out.text, ",\"trials\":[");
    for (size_t i = 0; i < journal->count && !failed; i++) {
        failed = row_read(&row, journal, i, e);
        str_add(&out.text, i ? ",\n" : "\n");
        if (!failed)
            put_object(journal, &row, &out.text);
        out_turn(&out);
    }
    str_add(&out.text, "\n]}\n");
    row_free(&row);
    return out_close(&out, failed, e);
}
