/*
 * sql.c - a query on a study, in SQL.
 *
 * The study becomes a database in memory, the query reads it and its rows are written. An
 * authorizer allows only reading: a query can neither change the tables nor access any file of the
 * machine.
 */
#include "report/csv.h"
#include "report/database.h"
#include "report/out.h"
#include "report/row.h"

#include <math.h>

/* ---- what a query may do ---- */

static int authorize(void *unused, int action, const char *first, const char *second,
                     const char *database, const char *trigger)
{
    (void)unused, (void)database, (void)trigger;
    switch (action) {
    case SQLITE_SELECT:
    case SQLITE_READ:
    case SQLITE_RECURSIVE: return SQLITE_OK;
    case SQLITE_FUNCTION:
        return sqlite3_stricmp(second, "load_extension") == 0 ? SQLITE_DENY : SQLITE_OK;
    case SQLITE_PRAGMA: /* the list of tables */
        return sqlite3_strnicmp(first, "table_", 6) == 0 ? SQLITE_OK : SQLITE_DENY;
    case SQLITE_UPDATE: /* asked when json_each() and the like declare themselves; see prepare() */
        return strcmp(first, "sqlite_master") == 0 ? SQLITE_OK : SQLITE_DENY;
    default: return SQLITE_DENY;
    }
}

/* True for a column such as learning-rate, which SQL takes for a subtraction without its quotes. */
static bool needs_quotes(const char *name)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return strspn(name, plain) != strlen(name);
}

/* True if the query has this name without quotes around it. */
static bool is_bare(const char *query, const char *name)
{
    const char *at = query;
    while ((at = strstr(at, name))) {
        if (at == query || !strchr("\"[`", at[-1]))
            return true;
        at += strlen(name);
    }
    return false;
}

/* True if the column that is not there has double quotes in the query. */
static bool is_text(const char *query, const char *message)
{
    struct str quoted = {0};
    const char *colon = strrchr(message, ':');
    str_printf(&quoted, "\"%s\"", colon ? colon + strspn(colon, ": ") : "");
    bool found = strstr(query, quoted.text);
    str_free(&quoted);
    return found;
}

/* The first column that lacks its quotes in the query, in *name; "" if there is none. */
static void find_unquoted(const struct journal *journal, const char *query, struct str *name)
{
    struct column_names columns;
    column_names_init(&columns, journal);
    for (size_t i = 0; i < columns.count && name->length == 0; i++)
        if (needs_quotes(columns.names[i]) && is_bare(query, columns.names[i]))
            str_add(name, columns.names[i]);
    column_names_free(&columns);
}

/* Appends the tables and their columns, for a user who has mistyped one. */
static void put_tables(const struct journal *journal, struct str *s)
{
    struct column_names columns;
    column_names_init(&columns, journal);
    str_add(s, "trials(");
    for (size_t i = 0; i < columns.count; i++)
        str_printf(s, needs_quotes(columns.names[i]) ? "%s\"%s\"" : "%s%s", i ? ", " : "",
                   columns.names[i]);
    str_add(s, "), metrics(trial, name, value), logs(trial, log), study(key, value)");
    column_names_free(&columns);
}

static int refuse(struct err *e)
{
    return err_set(e, ERR_USER,
                   "this query does more than read, and only reading is possible here; to get a "
                   "database of your own, use `wick export --format sqlite`");
}

static int query_error(sqlite3 *db, const char *query, const struct journal *journal, struct err *e)
{
    if (sqlite3_errcode(db) == SQLITE_AUTH)
        return refuse(e);
    if (sqlite3_errcode(db) != SQLITE_ERROR)
        return database_error(db, "answer the query", e);
    struct str tables = {0}, unquoted = {0};
    put_tables(journal, &tables);
    find_unquoted(journal, query, &unquoted);
    if (is_text(query, sqlite3_errmsg(db)))
        err_set(e, ERR_USER,
                "%s: text needs single quotes, as in state = 'done'; the tables are %s",
                sqlite3_errmsg(db), tables.text);
    else if (unquoted.length > 0)
        err_set(e, ERR_USER,
                "%s: write \"%s\" with its double quotes, and put the query in single quotes",
                sqlite3_errmsg(db), unquoted.text);
    else
        err_set(e, ERR_USER, "%s; the tables are %s", sqlite3_errmsg(db), tables.text);
    /* A study with many parameters has more columns than a message has room for. */
    if (strlen(e->message) + 1 == sizeof e->message)
        memcpy(e->message + sizeof e->message - 4, "...", 4);
    str_free(&tables);
    str_free(&unquoted);
    return ERR_USER;
}

static int prepare(sqlite3 *db, const char *query, sqlite3_stmt **statement,
                   const struct journal *journal, struct err *e)
{
    const char *rest;
    sqlite3_stmt *second = NULL;
    if (sqlite3_prepare_v2(db, query, -1, statement, &rest) != SQLITE_OK)
        return query_error(db, query, journal, e);
    if (!*statement)
        return err_set(e, ERR_USER, "the query is empty: try \"select * from trials limit 10\"");
    /* VACUUM asks the authorizer only while it runs. */
    if (!sqlite3_stmt_readonly(*statement))
        return refuse(e);
    /* Only white space and comments may follow: they are not a statement. */
    int code = sqlite3_prepare_v2(db, rest, -1, &second, NULL);
    bool more = code != SQLITE_OK || second;
    sqlite3_finalize(second);
    if (code == SQLITE_NOMEM)
        return database_error(db, "answer the query", e);
    if (more)
        return err_set(e, ERR_USER, "one query at a time: remove what follows the first ';'");
    return 0;
}

/*
 * An error during the query, such as an overflow, is a mistake of the user; lack of memory is not.
 */
static int answer_error(sqlite3 *db, struct err *e)
{
    if (sqlite3_errcode(db) == SQLITE_ERROR)
        return err_set(e, ERR_USER, "the query failed: %s", sqlite3_errmsg(db));
    return database_error(db, "answer the query", e);
}

/* ---- rows as CSV and JSON ---- */

static void put_cell(sqlite3_stmt *statement, int column, struct str *s)
{
    if (sqlite3_column_type(statement, column) == SQLITE_FLOAT)
        str_add_number(s, sqlite3_column_double(statement, column));
    else
        str_add_bytes(s, sqlite3_column_text(statement, column),
                      (size_t)sqlite3_column_bytes(statement, column));
}

static void put_record(sqlite3_stmt *statement, struct str *s)
{
    struct str cell = {0};
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        str_clear(&cell);
        put_cell(statement, i, &cell);
        str_add(s, i ? "," : "");
        csv_put_field(s, str_text(&cell), cell.length);
    }
    csv_end_record(s);
    str_free(&cell);
}

/* SQLite has no name when it is out of memory; then the query fails as well. */
static const char *name_of(sqlite3_stmt *statement, int column)
{
    const char *name = sqlite3_column_name(statement, column);
    return name ? name : "";
}

static void put_object(sqlite3_stmt *statement, struct str *s)
{
    json_add_object(s);
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        int type = sqlite3_column_type(statement, i);
        json_add_name(s, name_of(statement, i));
        if (type == SQLITE_NULL)
            json_add_null(s);
        else if (type == SQLITE_FLOAT)
            json_add_number(s, sqlite3_column_double(statement, i));
        else if (type == SQLITE_INTEGER)
            json_add_printf(s, "%lld", (long long)sqlite3_column_int64(statement, i));
        else
            json_add_string(s, (const char *)sqlite3_column_text(statement, i),
                            (size_t)sqlite3_column_bytes(statement, i));
    }
    json_end_object(s);
    str_add_char(s, '\n');
}

static void put_names(sqlite3_stmt *statement, struct str *s)
{
    for (int i = 0; i < sqlite3_column_count(statement); i++) {
        const char *name = name_of(statement, i);
        str_add(s, i ? "," : "");
        csv_put_field(s, name, strlen(name));
    }
    csv_end_record(s);
}

static int put_plain(sqlite3 *db, sqlite3_stmt *statement, bool csv, struct out *out, struct err *e)
{
    int code;
    if (csv)
        put_names(statement, &out->text);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW) {
        if (csv)
            put_record(statement, &out->text);
        else
            put_object(statement, &out->text);
        out_turn(out);
    }
    return code == SQLITE_DONE ? 0 : answer_error(db, e);
}

/* ---- rows as an aligned table ---- */

/* The first rows determine the widths of columns; later cells that are wider stick out. */
enum { TABLE_LOOK = 1000 };

struct grid {
    size_t columns, rows, *widths;
    bool *right;      /* columns of numbers */
    struct str cells; /* cells of the header and the first rows, each ended by a zero byte */
};

/* Counts characters, not bytes: only their first bytes count. */
static size_t width_of(const char *text)
{
    size_t width = 0;
    for (; *text; text++)
        width += ((unsigned char)*text & 0xc0) != 0x80;
    return width;
}

/* A cell on one line: control characters would break the table. */
static void put_shown(sqlite3_stmt *statement, int column, struct str *s)
{
    size_t from = s->length;
    if (sqlite3_column_type(statement, column) == SQLITE_FLOAT)
        str_printf(s, "%.10g", sqlite3_column_double(statement, column));
    else
        put_cell(statement, column, s);
    for (size_t i = from; i < s->length; i++)
        if ((unsigned char)s->text[i] < ' ' || s->text[i] == 127)
            s->text[i] = ' ';
    str_add_char(s, 0);
}

static void put_line(const struct grid *grid, const char *cells, struct str *s)
{
    for (size_t i = 0; i < grid->columns; i++) {
        size_t width = width_of(cells);
        int blank = width < grid->widths[i] ? (int)(grid->widths[i] - width) : 0;
        bool last = i + 1 == grid->columns;
        str_printf(s, "%s%*s%s", i ? "  " : "", grid->right[i] ? blank : 0, "", cells);
        if (!grid->right[i] && !last)
            str_printf(s, "%*s", blank, "");
        cells += strlen(cells) + 1;
    }
    while (s->length > 0 && s->text[s->length - 1] == ' ')
        s->text[--s->length] = 0;
    str_add_char(s, '\n');
}

static void put_rule(const struct grid *grid, struct str *s)
{
    for (size_t i = 0; i < grid->columns; i++) {
        str_add(s, i ? "  " : "");
        for (size_t k = 0; k < grid->widths[i]; k++)
            str_add_char(s, '-');
    }
    str_add_char(s, '\n');
}

/* Writes the header and the first rows. */
static void put_grid(struct grid *grid, struct out *out)
{
    const char *at = grid->cells.text;
    for (size_t line = 0; line <= grid->rows; line++) {
        put_line(grid, at, &out->text);
        if (line == 0)
            put_rule(grid, &out->text);
        for (size_t i = 0; i < grid->columns; i++)
            at += strlen(at) + 1;
        out_turn(out);
    }
}

static void measure(struct grid *grid, sqlite3_stmt *statement, bool is_header)
{
    for (size_t i = 0; i < grid->columns; i++) {
        size_t from = grid->cells.length;
        if (is_header) {
            const char *name = name_of(statement, (int)i);
            str_add_bytes(&grid->cells, name, strlen(name) + 1);
        } else {
            put_shown(statement, (int)i, &grid->cells);
            int type = sqlite3_column_type(statement, (int)i);
            grid->right[i] &= type != SQLITE_TEXT && type != SQLITE_BLOB;
        }
        size_t width = width_of(grid->cells.text + from);
        if (width > grid->widths[i])
            grid->widths[i] = width;
    }
}

static int put_aligned(sqlite3 *db, sqlite3_stmt *statement, struct out *out, struct err *e)
{
    struct grid grid = {.columns = (size_t)sqlite3_column_count(statement)};
    struct str cells = {0};
    int code;
    grid.widths = memory_new(grid.columns, sizeof *grid.widths);
    grid.right = memory_new(grid.columns, sizeof *grid.right);
    memset(grid.right, true, grid.columns * sizeof *grid.right);
    measure(&grid, statement, true);
    while ((code = sqlite3_step(statement)) == SQLITE_ROW && grid.rows < TABLE_LOOK) {
        measure(&grid, statement, false);
        grid.rows++;
    }
    put_grid(&grid, out);
    for (; code == SQLITE_ROW; code = sqlite3_step(statement)) {
        str_clear(&cells);
        for (size_t i = 0; i < grid.columns; i++)
            put_shown(statement, (int)i, &cells);
        put_line(&grid, cells.text, &out->text);
        out_turn(out);
    }
    free(grid.widths);
    free(grid.right);
    str_free(&grid.cells);
    str_free(&cells);
    return code == SQLITE_DONE ? 0 : answer_error(db, e);
}

/* ---- the query ---- */

static int answer(sqlite3 *db, sqlite3_stmt *statement, enum report_form form,
                  struct report_target target, struct err *e)
{
    struct out out;
    int failed = out_open(&out, target, 0666, e);
    if (failed)
        return failed;
    if (form == REPORT_TABLE)
        failed = put_aligned(db, statement, &out, e);
    else
        failed = put_plain(db, statement, form == REPORT_CSV, &out, e);
    return out_close(&out, failed, e);
}

int report_sql(const struct journal *journal, const char *query, enum report_form form,
               struct report_target target, struct err *e)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *statement = NULL;
    if (sqlite3_open(":memory:", &db) != SQLITE_OK) {
        database_error(db, "open a database in memory", e);
        sqlite3_close(db); /* NULL when there is no memory for it */
        return e->code;
    }
    /* A mistyped column in double quotes would otherwise be a text. */
    sqlite3_db_config(db, SQLITE_DBCONFIG_DQS_DML, 0, NULL);
    int failed = database_create(db, journal, e);
    /* A mistake in the query is reported before a million rows are read. */
    sqlite3_set_authorizer(db, authorize, NULL);
    if (!failed)
        failed = prepare(db, query, &statement, journal, e);
    sqlite3_set_authorizer(db, NULL, NULL);
    if (!failed)
        failed = database_fill(db, journal, e);
    sqlite3_set_authorizer(db, authorize, NULL);
    if (!failed)
        failed = answer(db, statement, form, target, e);
    sqlite3_finalize(statement);
    sqlite3_close(db);
    return failed;
}
