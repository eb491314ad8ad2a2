/* All trials as CSV and as JSON. */
#include "journal_fixture.h"
#include "report/csv.h"
#include "report/report.h"

static const char definition[] = "model: {command: train, score: loss}\n"
                                 "space:\n"
                                 "  lr: {log: [1e-5, 1]}\n"
                                 "  LR: {int: [1, 9]}\n"
                                 "  score: {choice: [\"a, b\", 'say \"x\"']}\n"
                                 "  m: {float: [0, 1], when: {score: \"a, b\"}}\n"
                                 "  fixed: yes\n";

static const char lines[] =
    "{\"open\":0,\"host\":\"n1\",\"pid\":7,\"workers\":2,\"trials\":3,\"limit\":0}\n"
    "{\"start\":1,\"time\":0.1,\"worker\":1,\"params\":{\"lr\":0.001,\"LR\":3,\"score\":\"a, b\","
    "\"m\":0.1,\"fixed\":\"yes\"}}\n"
    "{\"start\":2,\"time\":0.2,\"worker\":2,\"params\":{\"lr\":0.1,\"LR\":4,\"score\":\"say "
    "\\\"x\\\"\",\"fixed\":\"yes\"}}\n"
    "{\"end\":1,\"time\":1.3,\"took\":1.2,\"worker\":1,\"state\":\"done\",\"score\":0."
    "30000000000000004,"
    "\"cpu\":1.1,\"memory\":4096,\"read\":123,\"written\":45,\"energy\":6.5,\"metrics\":{\"loss\":"
    "0.30000000000000004,\"lr\":5}}\n"
    "{\"end\":2,\"time\":1.5,\"took\":1.3,\"worker\":2,\"state\":\"failed\",\"cpu\":0.5,\"exit\":3,"
    "\"reason\":\"exit code 3,\\nsaid \\\"no\\\"\",\"log\":\"no\\n\"}\n"
    "{\"start\":3,\"time\":1.6,\"worker\":1,\"params\":{\"lr\":0.01,\"LR\":5,\"score\":\"a, b\","
    "\"m\":0.2,\"fixed\":\"yes\"}}\n";

static const char csv[] =
    "trial,state,score,started,ended,duration,started_at,ended_at,node,job,worker,tries,processor,"
    "peak_memory,bytes_read,"
    "bytes_written,energy,exit_code,signal,"
    "reason,lr,param_LR,param_score,m,fixed,loss,metric_lr\r\n"
    "1,done,0.30000000000000004,0.1,1.3,1.2,2026-11-15T00:00:00Z,2026-11-15T00:00:01Z,n1,,1,1,1.1,"
    "4096,123,45,6.5,0,,,0.001,3,\"a, b\",0.1,yes,"
    "0.30000000000000004,5\r\n"
    "2,failed,,0.2,1.5,1.3,2026-11-15T00:00:00Z,2026-11-15T00:00:01Z,n1,,2,1,0.5,,,,,3,,\"exit "
    "code 3,\nsaid \"\"no\"\"\",0.1,4,\"say "
    "\"\"x\"\"\",,"
    "yes,,\r\n"
    "3,running,,1.6,,,2026-11-15T00:00:01Z,,n1,,1,1,,,,,,,,,0.01,5,\"a, b\",0.2,yes,,\r\n";

static void check_field(const char *text, const char *expected, const char *name)
{
    struct str s = {0};
    csv_put_field(&s, text, strlen(text));
    is_text(str_text(&s), expected, name);
    str_free(&s);
}

static void test_fields(void)
{
    check_field("plain", "plain", "a plain field has no quotes");
    check_field("", "", "an empty field is empty");
    check_field("a,b", "\"a,b\"", "a comma needs quotes");
    check_field("a\"b", "\"a\"\"b\"", "a quote is doubled");
    check_field("a\nb", "\"a\nb\"", "a newline needs quotes");
    check_field("a\rb", "\"a\rb\"", "so does a carriage return");
    check_field(" a", "\" a\"", "and a blank at the begin");
}

/* Checks what a reader of JSON finds; returns the number of trials. */
static size_t count_trials(const char *text, struct str *first)
{
    struct json j;
    struct slice key;
    size_t count = 0;
    json_open(&j, text, strlen(text));
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        if (!slice_is(key, "trials")) {
            json_skip(&j);
            continue;
        }
        json_enter(&j, '[');
        while (json_item(&j)) {
            struct slice trial = json_raw(&j);
            if (count++ == 0)
                str_add_bytes(first, trial.text, trial.length);
        }
    }
    const char *wrong = json_close(&j);
    ok(!wrong, "the JSON reads (%s)", wrong ? wrong : "no mistake");
    return count;
}

static void test_exports(struct fixture *f)
{
    struct err e = {0};
    struct str first = {0};
    char *path = fixture_path(f, "out");
    struct report_target target = {.path = path};
    size_t left_out = 1;
    ok(report_csv(&f->journal, target, &left_out, &e) == 0, "a CSV is written");
    ok(left_out == 0, "with all metrics");
    char *text = fixture_take(f, "out");
    is_text(text, csv, "it has the columns and rows of the study");
    free(text);
    ok(report_json(&f->journal, target, &e) == 0, "JSON is written");
    text = fixture_take(f, "out");
    ok(count_trials(text, &first) == 3, "it has all trials");
    is_text(str_text(&first),
            "{\"trial\":1,\"state\":\"done\",\"score\":0.30000000000000004,\"started\":0.1,"
            "\"ended\":1.3,\"duration\":1.2,\"started_at\":\"2026-11-15T00:00:00Z\","
            "\"ended_at\":\"2026-11-15T00:00:01Z\",\"node\":\"n1\",\"job\":null,\"worker\":1,"
            "\"tries\":1,\"processor\":1.1,"
            "\"peak_memory\":4096,\"bytes_read\":123,\"bytes_written\":45,\"energy\":6.5,\"exit_"
            "code\":0,\"signal\":null,\"reason\":null,"
            "\"params\":{\"lr\":0.001,\"LR\":3,\"score\":\"a, b\",\"m\":0.1,\"fixed\":\"yes\"},"
            "\"metrics\":{\"loss\":0.30000000000000004,\"lr\":5}}",
            "a trial is an object with its parameters and metrics");
    ok(strstr(text, "\"created\":\"2026-11-15T00:00:00Z\"") != NULL,
       "the study says when it began");
    free(text);
    str_free(&first);
    free(path);
}

static void test_refused(struct fixture *f)
{
    struct err e = {0};
    struct report_target target = {.path = "/nowhere/at/all.csv"};
    size_t left_out;
    ok(report_csv(&f->journal, target, &left_out, &e) == ERR_SYSTEM,
       "a folder that is not there is an error");
    ok(strstr(e.message, "/nowhere/at/all.csv") != NULL, "that names the file");
}

static void test_command(struct fixture *f)
{
    struct err e = {0};
    struct str s = {0};
    double point[5];
    journal_point(&f->journal, 1, point, &e);
    report_command(&f->journal.study, f->dir, 2, point, &s);
    is_text(str_text(&s), "cd /tmp && train --lr 0.1 --LR 4 --score 'say \"x\"' --fixed yes",
            "a command is quoted for a shell");
    str_free(&s);
}

int main(void)
{
    struct fixture f;
    fixture_open(&f, definition, lines);
    test_fields();
    test_exports(&f);
    test_refused(&f);
    test_command(&f);
    fixture_close(&f);
    return tap_end();
}
