/* text_table.c - text in columns. */
#include "cli/cli.h"

enum { ROWS_MEASURED = 1000, NARROWEST = 30, GAP = 2 };

struct cli_column {
    const char *title;
    enum cli_align align;
    size_t width;
};

struct cli_cell {
    const char *text;
    enum cli_colour colour;
};

void text_table_column(struct text_table *table, const char *title, enum cli_align align)
{
    table->columns = memory_grow(table->columns, &table->column_capacity, table->column_count + 1,
                                 sizeof *table->columns);
    table->columns[table->column_count++] =
        (struct cli_column){title, align, cli_text_width(title, strlen(title))};
}

void text_table_parameter(struct text_table *table, const struct parameter *parameter)
{
    bool numbers = true;
    for (size_t i = 0; i < parameter->value_count; i++)
        numbers &= parameter->values[i].kind == VALUE_NUMBER;
    text_table_column(table, parameter->name, numbers ? CLI_RIGHT : CLI_LEFT);
}

void text_table_id(struct text_table *table, const struct study *study, size_t index)
{
    const char *id = study_upf_id(study, index);
    struct str text = {0};
    cli_add_safe(&text, id ? id : "-", strlen(id ? id : "-"));
    text_table_cell(table, CLI_PLAIN, text.text);
    str_free(&text);
}

void text_table_metrics(struct text_table *table, const struct cli_metrics *metrics)
{
    for (size_t i = 0; i < metrics->count; i++)
        text_table_column(table, metrics->titles[i], CLI_RIGHT);
    table->spare = metrics->count;
}

void text_table_metric_cells(struct text_table *table, const struct cli_metrics *metrics,
                             const struct outcome *result)
{
    struct str text = {0};
    for (size_t i = 0; i < metrics->count; i++) {
        str_clear(&text);
        cli_add_score(&text, cli_metric(result, metrics->names[i]));
        text_table_cell(table, CLI_PLAIN, text.text);
    }
    str_free(&text);
}

/* The terminal on which the table will be shown. */
static FILE *terminal(const struct text_table *table)
{
    return table->terminal ? table->terminal : table->out;
}

static size_t total_width(const struct text_table *table)
{
    size_t total = 0;
    for (size_t c = 0; c < table->shown; c++)
        total += table->columns[c].width + (c ? GAP : 0);
    return total;
}

/* The widest column of text that may still be cut, or NULL. */
static struct cli_column *widest_text(const struct text_table *table)
{
    struct cli_column *widest = NULL;
    for (size_t c = 0; c < table->shown; c++) {
        struct cli_column *column = &table->columns[c];
        size_t least = cli_text_width(column->title, strlen(column->title));
        if (column->align == CLI_LEFT && column->width > NARROWEST && column->width > least &&
            (!widest || column->width > widest->width))
            widest = column;
    }
    return widest;
}

static void lay_out(struct text_table *table)
{
    for (size_t i = 0; i < table->cell_count; i++) {
        struct cli_column *column = &table->columns[i % table->column_count];
        size_t width = cli_text_width(table->cells[i].text, strlen(table->cells[i].text));
        column->width = width > column->width ? width : column->width;
    }
    bool first = table->shown == 0;
    if (first)
        table->shown = table->column_count;
    size_t room = cli_width(terminal(table));
    struct cli_column *column;
    size_t least = table->column_count - table->spare;
    while (first && total_width(table) > room && table->shown > least)
        table->shown--;
    while (total_width(table) > room && (column = widest_text(table)))
        column->width--;
    while (first && total_width(table) > room && table->shown > 1)
        table->shown--;
}

/* Appends a cell; `paint` is its colour or "". */
static void add_cell(struct str *row, const struct text_table *table, size_t c, const char *text,
                     const char *paint)
{
    const struct cli_column *column = &table->columns[c];
    struct str cut = {0};
    if (column->align == CLI_LEFT)
        cli_add_cut(&cut, text, column->width);
    else
        str_add(&cut, text);
    size_t used = cli_text_width(cut.text, cut.length);
    int blank = used < column->width ? (int)(column->width - used) : 0;
    str_printf(row, "%*s%s%s%s%*s", column->align == CLI_RIGHT ? blank : 0, "", paint, cut.text,
               paint[0] ? cli_colour(terminal(table), CLI_PLAIN) : "",
               GAP + (column->align == CLI_LEFT ? blank : 0), "");
    str_free(&cut);
}

static void print_row(const struct text_table *table, const struct cli_cell *cells, bool colours)
{
    struct str row = {0};
    for (size_t c = 0; c < table->shown; c++) {
        bool painted = colours && cells[c].colour != CLI_PLAIN && cells[c].text[0];
        add_cell(&row, table, c, cells[c].text,
                 painted ? cli_colour(terminal(table), cells[c].colour) : "");
    }
    while (row.length > 0 && row.text[row.length - 1] == ' ')
        row.text[--row.length] = 0;
    fprintf(table->out, "%s\n", row.text);
    str_free(&row);
}

static void print_titles(const struct text_table *table, bool colours)
{
    struct cli_cell *titles = memory_new(table->column_count, sizeof *titles);
    for (size_t c = 0; c < table->column_count; c++)
        titles[c] = (struct cli_cell){table->columns[c].title, CLI_DIM};
    print_row(table, titles, colours);
    free(titles);
}

static void print_rows(struct text_table *table)
{
    bool first = table->shown == 0, colours = cli_colour(terminal(table), CLI_DIM)[0] != 0;
    lay_out(table);
    if (first)
        print_titles(table, colours);
    for (size_t i = 0; i < table->cell_count; i += table->column_count)
        print_row(table, &table->cells[i], colours);
    table->cell_count = 0;
    arena_free(&table->arena);
}

void text_table_cell(struct text_table *table, enum cli_colour colour, const char *text)
{
    if (table->cell_count == ROWS_MEASURED * table->column_count)
        print_rows(table);
    table->cells = memory_grow(table->cells, &table->cell_capacity, table->cell_count + 1,
                               sizeof *table->cells);
    char *copy = arena_copy(&table->arena, text, strlen(text));
    for (char *at = copy; (at = strpbrk(at, "\n\t"));)
        *at = ' '; /* a cell is one line */
    table->cells[table->cell_count++] = (struct cli_cell){copy, colour};
}

void text_table_end(struct text_table *table)
{
    if (table->cell_count > 0)
        print_rows(table);
    size_t left_out = table->shown ? table->column_count - table->shown : 0;
    if (left_out > 0 && !table->terminal) {
        fflush(table->out);
        fprintf(stderr, "(%zu more column%s: widen the window)\n", left_out,
                left_out == 1 ? "" : "s");
    }
    free(table->columns);
    free(table->cells);
    arena_free(&table->arena);
    *table = (struct text_table){.out = table->out};
}
