/* csv.c - all trials as CSV, one row at a time. */
#include "report/csv.h"
#include "report/out.h"
#include "report/row.h"

#include <math.h>

/*
 * True if a spreadsheet would compute a text, which may come from anywhere, as a formula; or if it
 * looks as such a text does once it has its quote, which a reader takes away.
 */
static bool is_formula(const char *text, size_t length)
{
    double number;
    char copy[NUMBER_LENGTH];
    size_t quotes = 0;
    while (quotes < length && text[quotes] == '\'')
        quotes++;
    if (quotes == length || text[quotes] == 0 || !strchr("=+-@\t\r", text[quotes]))
        return false;
    if (quotes > 0 || length >= sizeof copy)
        return true;
    memcpy(copy, text, length);
    copy[length] = 0;
    return !str_number(copy, &number);
}

static void put_text(struct str *s, const char *text, size_t length)
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

/* Spreadsheets take what follows a single quote as text. */
void csv_put_field(struct str *s, const char *text, size_t length)
{
    if (!is_formula(text, length)) {
        put_text(s, text, length);
        return;
    }
    struct str quoted = {0};
    str_add_char(&quoted, '\'');
    str_add_bytes(&quoted, text, length);
    put_text(s, quoted.text, quoted.length);
    str_free(&quoted);
}

void csv_end_record(struct str *s)
{
    str_add(s, "\r\n");
}

static void put_number(struct str *s, double number)
{
    if (!isnan(number))
        str_add_number(s, number);
}

/* The metrics of a study, in the order in which they first appear; `places` has all of them. */
struct metrics {
    struct arena arena;
    struct map places;
    const char *names[REPORT_CSV_METRICS];
    size_t count, left_out;
};

static void add_metric(struct metrics *metrics, const char *name)
{
    const char *copy = arena_copy(&metrics->arena, name, strlen(name));
    map_add(&metrics->places, slice_of(copy), (uint32_t)(metrics->count + metrics->left_out));
    if (metrics->count < REPORT_CSV_METRICS)
        metrics->names[metrics->count++] = copy;
    else
        metrics->left_out++;
}

static int find_metrics(const struct journal *journal, struct metrics *metrics, struct err *e)
{
    struct outcome result = {0};
    int failed = 0;
    for (size_t i = 0; i < journal->count && !failed; i++) {
        failed = journal_result(journal, i, &result, e);
        for (size_t m = 0; m < result.metric_count && !failed; m++) {
            const char *name = result.metrics[m].name;
            bool has_column = journal->scores && study_is_objective(&journal->study, name);
            if (!has_column && map_find(&metrics->places, slice_of(name)) == MAP_NONE)
                add_metric(metrics, name);
        }
    }
    outcome_free(&result);
    return failed;
}

static void put_header(const struct journal *journal, const struct metrics *metrics, struct str *s)
{
    struct column_names columns;
    column_names_init(&columns, journal);
    for (size_t i = 0; i < metrics->count; i++)
        column_names_add(&columns, metrics->names[i], "metric_");
    for (size_t i = 0; i < columns.count; i++) {
        str_add(s, i ? "," : "");
        csv_put_field(s, columns.names[i], strlen(columns.names[i]));
    }
    csv_end_record(s);
    column_names_free(&columns);
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
    csv_put_field(s, text, strlen(text));
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
            csv_put_field(s, text, strlen(text));
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
        if (place != MAP_NONE && place < (int64_t)metrics->count)
            values[place] = row->result.metrics[i].value;
    }
    for (size_t i = 0; i < metrics->count; i++) {
        str_add_char(s, ',');
        put_number(s, values[i]);
    }
    csv_end_record(s);
}

int report_csv(const struct journal *journal, struct report_target target, size_t *left_out,
               struct err *e)
{
    struct out out;
    struct row row;
    struct metrics metrics = {0};
    double values[REPORT_CSV_METRICS];
    *left_out = 0;
    int failed = out_open(&out, target, 0666, e);
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
    *left_out = metrics.left_out;
    row_free(&row);
    map_free(&metrics.places);
    arena_free(&metrics.arena);
    return out_close(&out, failed, e);
}
