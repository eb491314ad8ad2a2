/* What users write must stay text: in JSON inside a script, in HTML, and in a spreadsheet. */
#include "report/csv.h"
#include "report/html.h"
#include "tap.h"

static void check_safe(const char *json, const char *expected, const char *name)
{
    struct str s = {0};
    html_put_safe(&s, json, strlen(json));
    is_text(str_text(&s), expected, name);
    str_free(&s);
}

static void check_text(const char *text, const char *expected, const char *name)
{
    struct str s = {0};
    html_put_text(&s, text);
    is_text(str_text(&s), expected, name);
    str_free(&s);
}

static void check_log(const char *log, size_t expected, const char *name)
{
    struct slice end = html_log_end(log, strlen(log));
    ok(end.length == expected, "%s", name);
    if (end.length != expected)
        printf("# got %zu bytes, expected %zu\n", end.length, expected);
}

static void check_field(const char *text, const char *expected, const char *name)
{
    struct str s = {0};
    csv_put_field(&s, text, strlen(text));
    is_text(str_text(&s), expected, name);
    str_free(&s);
}

static void test_fields(void)
{
    check_field("adam", "adam", "a text is a field as it is");
    check_field("a,\"b\"", "\"a,\"\"b\"\"\"", "quotes where they are needed");
    check_field("=1+1", "'=1+1", "a formula stays text");
    check_field("=HYPERLINK(\"x\",1)", "\"'=HYPERLINK(\"\"x\"\",1)\"", "also in quotes");
    check_field("@SUM(A1)", "'@SUM(A1)", "a function as well");
    check_field("+cmd", "'+cmd", "and what starts with a sign");
    check_field("-O2", "'-O2", "or a minus");
    check_field("-0.5", "-0.5", "a negative number is a number");
    check_field("+1e-3", "+1e-3", "so is one with a plus");
    check_field("-", "'-", "a sign alone is none");
    check_field("a=b", "a=b", "only the start counts");
    check_field("'=a", "''=a", "a text that looks as if it had its quote gets one more");
    check_field("'a", "'a", "other quotes are as they are");
}

int main(void)
{
    test_fields();
    check_safe("{\"a\":1}", "{\"a\":1}", "JSON without < is as it was");
    check_safe("\"</script>\"", "\"\\u003c/script>\"", "a script element cannot be ended");
    check_safe("\"<!--<script>\"", "\"\\u003c!--\\u003cscript>\"", "nor a comment begun");
    check_safe("", "", "nothing is nothing");
    check_text("a <b> & \"c\"", "a &lt;b&gt; &amp; &quot;c&quot;", "HTML is escaped");

    struct str log = {0};
    check_log("", 0, "an empty log has no end");
    check_log("one\ntwo\n", 8, "a short log is shown whole");
    for (int i = 0; i < 100; i++)
        str_add(&log, "a line\n");
    check_log(log.text, 40 * 7, "of many lines the last 40 are shown");
    str_clear(&log);
    for (int i = 0; i < 10; i++) {
        for (int k = 0; k < 999; k++)
            str_add_char(&log, 'x');
        str_add_char(&log, '\n');
    }
    check_log(log.text, 3000, "long lines are shown as far as whole ones fit");
    str_clear(&log);
    for (int i = 0; i < 9000; i++)
        str_add_char(&log, 'x');
    check_log(log.text, 4000, "one endless line is cut");
    str_free(&log);
    return tap_end();
}
