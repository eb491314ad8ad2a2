/* database.c - a study as an SQLite database. */
#include "report/database.h"
#include "report/choose.h"
#include "report/facts.h"
#include "report/out.h"
#include "report/row.h"

#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

int database_error(sqlite3 *db, const char *doing, struct err *e)
{
    return err_set(e, ERR_SYSTEM, "cannot %s: %s", doing, sqlite3_errmsg(db));
}

static int execute(sqlite3 *db, const char *sql, struct err *e)
{
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        return database_error(db, "make the database", e);
    return 0;
}

/* ---- the tables ---- */

static void put_name(struct str *s, const char *name)
{
    str_add_char(s, '"');
    for (; *name; name++) {
        if (*name == '"')
            str_add_char(s, '"');
        str_add_char(s, *name);
    }
    str_add_char(s, '"');
}

/* NUMERIC stores numbers as numbers, and leaves everything else as it is. */
static const char *type_of(const struct parameter *parameter)
{
    if (parameter->kind == PARAMETER_FLOAT)
        return "REAL";
    if (parameter->kind == PARAMETER_INT)
        return "INTEGER";
    for (size_t i = 0; i < parameter->value_count; i++) {
        enum value_kind kind = parameter->values[i].kind;
        if (kind != VALUE_NUMBER && kind != VALUE_BOOL && kind != VALUE_NULL)
            return "TEXT";
    }
    return "NUMERIC";
}

static void put_column(struct str *s, size_t at, const char *name, const char *type)
{
    str_add(s, at ? ", " : "");
    put_name(s, name);
    str_printf(s, " %s", type);
}

static void put_tables(const struct journal *journal, const struct column_names *columns,
                       struct str *s)
{
    static const char *const types[ROW_FIXED] = {
        "INTEGER PRIMARY KEY",
        "TEXT",
        "TEXT NOT NULL",
        "REAL",
        "REAL",
        "REAL",
        "REAL",
        "TEXT",
        "TEXT",
        "TEXT",
        "TEXT",
        "INTEGER",
        "INTEGER",
        "REAL",
        "INTEGER",
        "INTEGER",
        "INTEGER",
        "REAL",
        "INTEGER",
        "INTEGER",
        "TEXT",
    };
    str_add(s, "CREATE TABLE study (key TEXT PRIMARY KEY, value);"
               "CREATE TABLE metrics (trial INTEGER NOT NULL, name TEXT NOT NULL, value REAL);"
               "CREATE TABLE logs (trial INTEGER PRIMARY KEY, log TEXT);"
               "CREATE TABLE trials (");
    size_t at = 0;
    for (size_t i = 0; i < ROW_FIXED; i++)
        if (row_has(journal, i)) {
            put_column(s, at, columns->names[at], types[i]);
            at++;
        }
    for (size_t i = 0; i < row_extra_count(journal); i++, at++)
        put_column(s, at, columns->names[at], "NUMERIC");
    for (size_t i = 0; i < journal->study.space.count; i++, at++)
        put_column(s, at, columns->names[at], type_of(&journal->study.space.parameters[i]));
    str_add(s, ");");
}

/* ---- the rows ---- */

/* The insert statements; each is used for many rows. */
struct inserts {
    sqlite3 *db;
    sqlite3_stmt *study, *trial, *metric, *log;
};

static int prepare(sqlite3 *db, const char *sql, sqlite3_stmt **statement, struct err *e)
{
    if (sqlite3_prepare_v2(db, sql, -1, statement, NULL) != SQLITE_OK)
        return database_error(db, "make the database", e);
    return 0;
}

static int prepare_all(struct inserts *inserts, size_t columns, struct err *e)
{
    struct str trial = {0};
    str_add(&trial, "INSERT INTO trials VALUES (?");
    for (size_t i = 1; i < columns; i++)
        str_add(&trial, ",?");
    str_add_char(&trial, ')');
    sqlite3 *db = inserts->db;
    int failed = prepare(db, "INSERT INTO study VALUES (?,?)", &inserts->study, e);
    if (!failed)
        failed = prepare(db, trial.text, &inserts->trial, e);
    if (!failed)
        failed = prepare(db, "INSERT INTO metrics VALUES (?,?,?)", &inserts->metric, e);
    if (!failed)
        failed = prepare(db, "INSERT INTO logs VALUES (?,?)", &inserts->log, e);
    str_free(&trial);
    return failed;
}

static void finalize_all(struct inserts *inserts)
{
    sqlite3_finalize(inserts->study);
    sqlite3_finalize(inserts->trial);
    sqlite3_finalize(inserts->metric);
    sqlite3_finalize(inserts->log);
}

static int step(struct inserts *inserts, sqlite3_stmt *statement, struct err *e)
{
    bool good = sqlite3_step(statement) == SQLITE_DONE;
    sqlite3_reset(statement);
    sqlite3_clear_bindings(statement);
    return good ? 0 : database_error(inserts->db, "fill the database", e);
}

/* A column that is not bound is NULL. */
static void bind_number(sqlite3_stmt *statement, size_t column, double number)
{
    if (isnan(number))
        return;
    if (number == floor(number) && fabs(number) < 9e15)
        sqlite3_bind_int64(statement, (int)column, (sqlite3_int64)number);
    else
        sqlite3_bind_double(statement, (int)column, number);
}

static void bind_text(sqlite3_stmt *statement, size_t column, const char *text, size_t length)
{
    sqlite3_bind_text64(statement, (int)column, text, length, SQLITE_TRANSIENT, SQLITE_UTF8);
}

static void bind_value(sqlite3_stmt *statement, size_t column, const struct parameter *parameter,
                       double value)
{
    if (isnan(value))
        return;
    if (parameter->value_count == 0) {
        bind_number(statement, column, value);
        return;
    }
    const struct value *chosen = &parameter->values[(size_t)value];
    if (chosen->kind == VALUE_NUMBER)
        bind_number(statement, column, chosen->number);
    else if (chosen->kind == VALUE_BOOL)
        bind_number(statement, column, strcmp(chosen->text, "true") == 0);
    else if (chosen->kind != VALUE_NULL)
        bind_text(statement, column, chosen->text, strlen(chosen->text));
}

static int insert_trial(struct inserts *inserts, const struct journal *journal,
                        const struct row *row, struct err *e)
{
    const struct space *space = &journal->study.space;
    size_t at = 1; /* SQLite counts from 1 */
    for (size_t i = 0; i < ROW_FIXED; i++) {
        const char *text = row_text(row, i);
        if (!row_has(journal, i))
            continue;
        if (!text)
            bind_number(inserts->trial, at, row_number(row, i));
        else if (text[0])
            bind_text(inserts->trial, at, text, strlen(text));
        at++;
    }
    for (size_t i = 0; i < row_extra_count(journal); i++)
        bind_number(inserts->trial, at++, row_extra(row, journal, i));
    for (size_t i = 0; i < space->count; i++)
        bind_value(inserts->trial, at + i, &space->parameters[i], row->point[i]);
    return step(inserts, inserts->trial, e);
}

static int insert_metrics(struct inserts *inserts, const struct row *row, struct err *e)
{
    int failed = 0;
    for (size_t i = 0; i < row->result.metric_count && !failed; i++) {
        const struct outcome_metric *metric = &row->result.metrics[i];
        bind_number(inserts->metric, 1, (double)(row->index + 1));
        bind_text(inserts->metric, 2, metric->name, strlen(metric->name));
        bind_number(inserts->metric, 3, metric->value);
        failed = step(inserts, inserts->metric, e);
    }
    return failed;
}

/* The output of a program may be any bytes; writing it as JSON makes it UTF-8. */
static int insert_log(struct inserts *inserts, const struct row *row, struct err *e)
{
    struct str quoted = {0}, text = {0};
    struct json j;
    json_put_string(&quoted, str_text(&row->result.log), row->result.log.length);
    json_open(&j, quoted.text, quoted.length);
    json_string(&j, &text);
    bind_number(inserts->log, 1, (double)(row->index + 1));
    bind_text(inserts->log, 2, str_text(&text), text.length);
    int failed = step(inserts, inserts->log, e);
    str_free(&quoted);
    str_free(&text);
    return failed;
}

static int insert_study(struct inserts *inserts, const struct journal *journal, struct err *e)
{
    struct arena arena = {0};
    struct fact facts[FACTS_MOST];
    size_t count = facts_collect(journal, facts, &arena);
    int failed = 0;
    for (size_t i = 0; i < count && !failed; i++) {
        bind_text(inserts->study, 1, facts[i].key, strlen(facts[i].key));
        if (facts[i].text)
            bind_text(inserts->study, 2, facts[i].text, strlen(facts[i].text));
        else
            bind_number(inserts->study, 2, facts[i].number);
        failed = step(inserts, inserts->study, e);
    }
    arena_free(&arena);
    return failed;
}

static int insert_all(struct inserts *inserts, const struct journal *journal, struct err *e)
{
    struct row row;
    row_init(&row, journal);
    int failed = insert_study(inserts, journal, e);
    for (size_t i = 0; i < journal->count && !failed; i++) {
        failed = row_read(&row, journal, i, e);
        if (!failed)
            failed = insert_trial(inserts, journal, &row, e);
        if (!failed)
            failed = insert_metrics(inserts, &row, e);
        if (!failed && outcome_state_failed(row.trial->state) && row.result.log.length > 0) {
            failed = journal_log(journal, i, &row.result, e);
            if (!failed)
                failed = insert_log(inserts, &row, e);
        }
    }
    row_free(&row);
    return failed;
}

int database_create(sqlite3 *db, const struct journal *journal, struct err *e)
{
    struct column_names columns;
    struct str tables = {0};
    column_names_init(&columns, journal);
    int most = sqlite3_limit(db, SQLITE_LIMIT_COLUMN, -1), failed = 0;
    if (columns.count > (size_t)most)
        failed = err_set(e, ERR_USER,
                         "an SQLite table can have %d columns, but this study needs %zu: export it "
                         "as csv or json",
                         most, columns.count);
    put_tables(journal, &columns, &tables);
    if (!failed)
        failed = execute(db, tables.text, e);
    str_free(&tables);
    column_names_free(&columns);
    return failed;
}

int database_fill(sqlite3 *db, const struct journal *journal, struct err *e)
{
    struct inserts inserts = {.db = db};
    int failed = execute(db, "BEGIN", e);
    if (!failed)
        failed = prepare_all(
            &inserts, row_width(journal) + row_extra_count(journal) + journal->study.space.count,
            e);
    if (!failed)
        failed = insert_all(&inserts, journal, e);
    if (!failed)
        failed = execute(db, "CREATE INDEX metrics_of_trial ON metrics (trial, name); COMMIT", e);
    finalize_all(&inserts);
    return failed;
}

/* Creates the database in the empty file at path. */
static int write_database(const struct journal *journal, const char *path, struct err *e)
{
    sqlite3 *db = NULL;
    int flags = SQLITE_OPEN_READWRITE, failed = 0;
    if (sqlite3_open_v2(path, &db, flags, "unix-none") != SQLITE_OK)
        failed = database_error(db, "open it", e);
    if (!failed)
        failed = execute(db, "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF", e);
    if (!failed)
        failed = database_create(db, journal, e);
    if (!failed)
        failed = database_fill(db, journal, e);
    if (sqlite3_close(db) != SQLITE_OK && !failed)
        failed = err_set(e, ERR_SYSTEM, "cannot close it");
    return failed;
}

/*
 * The database is created next to its place and moved there at the end. Nobody else can have it
 * open, so it needs neither locks (which network file systems may lack) nor a journal.
 */
int report_sqlite(const struct journal *journal, const char *path, struct err *e)
{
    struct str temporary = {0};
    if (out_is_special(path))
        return err_set(e, ERR_USER, "%s is not a regular file, which a database needs", path);
    int fd = str_create_beside(&temporary, path, out_mode(&journal->study));
    int failed = fd < 0 ? err_system(e, "cannot write %s", path) : 0;
    if (fd >= 0) {
        close(fd);
        out_remember(temporary.text);
        failed = write_database(journal, temporary.text, e);
        if (failed)
            err_wrap(e, "cannot write %s", path);
        else if (rename(temporary.text, path) != 0)
            failed = err_system(e, "cannot write %s", path);
        if (failed)
            unlink(temporary.text);
        out_forget();
    }
    str_free(&temporary);
    return failed;
}
