/* Queries in SQL: what is answered, what is rejected. */
#include "report/report.h"

#include "journal_fixture.h"

static const char definition[] = "model: {command: train, score: loss}\n"
                                 "space:\n"
                                 "  x: {float: [0, 1]}\n"
                                 "  kind: {choice: [a, b]}\n"
                                 "  on: {choice: [true, false]}\n";

static const char lines[] =
    "{\"open\":0,\"host\":\"n1\",\"pid\":7,\"workers\":2,\"trials\":2,\"limit\":0}\n"
    "{\"start\":1,\"time\":0.1,\"worker\":1,\"params\":{\"x\":0.25,\"kind\":\"a\",\"on\":true}}\n"
    "{\"start\":2,\"time\":0.2,\"worker\":2,\"params\":{\"x\":1,\"kind\":\"b\",\"on\":false}}\n"
    "{\"end\":1,\"time\":1.1,\"took\":1,\"worker\":1,\"state\":\"done\",\"score\":0.5,\"cpu\":1,"
    "\"metrics\":{\"loss\":0.5}}\n"
    "{\"end\":2,\"time\":1.5,\"took\":1.3,\"worker\":2,\"state\":\"failed\",\"cpu\":0.5,\"exit\":3,"
    "\"reason\":\"exit code 3\",\"log\":\"first\\nlast\\n\"}\n"
    "{\"close\":2,\"why\":\"done\"}\n";

static const struct {
    const char *query;
    enum report_form form;
    const char *expected;
} answers[] = {
    {"select trial, score, kind from trials", REPORT_TABLE,
     "trial  score  kind\n-----  -----  ----\n    1    0.5  a\n    2         b\n"},
    {"select trial, score, \"on\" from trials;", REPORT_CSV,
     "trial,score,on\r\n1,0.5,1\r\n2,,0\r\n"},
    {"select trial, x, kind, score from trials order by x desc -- last", REPORT_LINES,
     "{\"trial\":2,\"x\":1,\"kind\":\"b\",\"score\":null}\n"
     "{\"trial\":1,\"x\":0.25,\"kind\":\"a\",\"score\":0.5}\n"},
    {"select log from logs", REPORT_TABLE, "log\n-----------\nfirst last\n"},
    {"select log from logs", REPORT_CSV, "log\r\n\"first\nlast\n\"\r\n"},
    {"select name, value from metrics where trial = 1", REPORT_CSV, "name,value\r\nloss,0.5\r\n"},
    {"select value from study where key = 'best_trial'", REPORT_CSV, "value\r\n1\r\n"},
    {"select count(*) from pragma_table_info('trials')", REPORT_CSV, "count(*)\r\n23\r\n"},
    {"with recursive n(i) as (select 1 union all select i + 1 from n where i < 3) "
     "select sum(i) from n",
     REPORT_CSV, "sum(i)\r\n6\r\n"},
    {"select value from json_each('[7]')", REPORT_CSV, "value\r\n7\r\n"},
    {"select 1 where 0", REPORT_CSV, "1\r\n"},
};

static const char *const refused[] = {
    "delete from trials",
    "update trials set score = 0",
    "insert into study values (1, 2)",
    "drop table trials",
    "create table t (a)",
    "create temp table t (a)",
    "attach '/tmp/wick-attached.db' as other",
    "detach main",
    "vacuum into '/tmp/wick-vacuum.db'",
    "pragma journal_mode = wal",
    "pragma writable_schema = 1",
    "update sqlite_master set sql = 'x'",
    "begin",
    "select load_extension('/tmp/x.so')",
    "select 1; delete from trials",
    "select 1; select 2",
};

static const struct {
    const char *query, *message;
} mistakes[] = {
    {"select nope from trials", "no such column: nope; the tables are trials(trial, state, score"},
    {"select * from results", "no such table: results; the tables are trials("},
    {"selekt 1", "syntax error"},
    {"select abs(-9223372036854775807 - 1)", "integer overflow"},
    {"", "the query is empty"},
    {"-- nothing", "the query is empty"},
};

static void test_answers(struct fixture *f)
{
    char *path = fixture_path(f, "out");
    struct report_target target = {.path = path};
    for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
        struct err e = {0};
        if (report_sql(&f->journal, answers[i].query, answers[i].form, target, &e)) {
            ok(false, "%s: %s", answers[i].query, e.message);
            continue;
        }
        char *text = fixture_take(f, "out");
        is_text(text, answers[i].expected, answers[i].query);
        free(text);
    }
    free(path);
}

static void test_refused(struct fixture *f)
{
    char *path = fixture_path(f, "out");
    struct report_target target = {.path = path};
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++) {
        struct err e = {0};
        ok(report_sql(&f->journal, refused[i], REPORT_CSV, target, &e) == ERR_USER, "refused: %s",
           refused[i]);
    }
    ok(access("/tmp/wick-attached.db", F_OK) && access("/tmp/wick-vacuum.db", F_OK),
       "no query makes a file");
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct err e = {0};
        report_sql(&f->journal, mistakes[i].query, REPORT_CSV, target, &e);
        ok(e.code == ERR_USER && strstr(e.message, mistakes[i].message), "'%s' says: %s",
           mistakes[i].query, mistakes[i].message);
    }
    free(path);
}

static void test_file(struct fixture *f)
{
    struct err e = {0};
    char *path = fixture_path(f, "out");
    ok(report_sqlite(&f->journal, path, &e) == 0, "a database is written");
    ok(report_sqlite(&f->journal, path, &e) == 0, "and replaced");
    char *text = fixture_take(f, "out");
    ok(strncmp(text, "SQLite format 3", 15) == 0, "it is one of SQLite");
    free(text);
    ok(report_sqlite(&f->journal, "/nowhere/a.db", &e) == ERR_SYSTEM &&
           strstr(e.message, "/nowhere/a.db"),
       "a folder that is not there is an error that names the file");
    ok(report_sqlite(&f->journal, "/dev/null", &e) == ERR_USER && access("/dev/null", W_OK) == 0,
       "a device is left alone");
    free(path);
}

int main(void)
{
    struct fixture f;
    fixture_open(&f, definition, lines);
    test_answers(&f);
    test_refused(&f);
    test_file(&f);
    fixture_close(&f);
    return tap_end();
}
