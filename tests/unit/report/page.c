/* The page as a file: complete, safe, and with the study's data in it. */
#include "report/report.h"

#include "journal_fixture.h"

static const char definition[] = "# </script><script>alert(1)</script>\n"
                                 "model:\n"
                                 "  command: train '</script>' {kind}\n"
                                 "space:\n"
                                 "  x: {log: [1e-5, 1]}\n"
                                 "  kind: {choice: [a, \"</script><b>\"]}\n"
                                 "  y: {float: [0, 1], when: {kind: a}}\n"
                                 "  z: 7\n";

static const char lines[] =
    "{\"open\":0,\"host\":\"n1\",\"pid\":7,\"workers\":2,\"trials\":2,\"limit\":0}\n"
    "{\"start\":1,\"time\":0.1,\"worker\":1,\"params\":{\"x\":0.12345678901234567,\"kind\":"
    "\"</script><b>\",\"z\":7}}\n"
    "{\"start\":2,\"time\":0.2,\"worker\":2,\"params\":{\"x\":0.002,\"kind\":\"a\",\"y\":0.5,"
    "\"z\":7}}\n"
    "{\"end\":1,\"time\":1.1,\"took\":1,\"worker\":1,\"state\":\"done\",\"score\":0.1234567890123,"
    "\"metrics\":{\"</script>\":0.98765432109,\"score\":0.1234567890123}}\n"
    "{\"end\":2,\"time\":1.5,\"took\":1.3,\"worker\":2,\"state\":\"failed\",\"exit\":3,"
    "\"reason\":\"<img src=x>\",\"log\":\"</script><script>alert(2)</script>\\n\"}\n"
    "{\"close\":2,\"why\":\"done\"}\n";

/* Counts how often a part occurs in a text. */
static size_t occurrences(const char *text, const char *part)
{
    size_t count = 0;
    while ((text = strstr(text, part))) {
        count++;
        text += strlen(part);
    }
    return count;
}

static void test_safety(const char *page)
{
    ok(strncmp(page, "<!doctype html>", 15) == 0, "the page is HTML");
    ok(occurrences(page, "</script>") == 2, "only its own scripts end");
    ok(occurrences(page, "<script") == 2, "and begin");
    ok(!strstr(page, "<img"), "a reason is no markup");
    ok(strstr(page, "<title>a &amp; b</title>") != NULL, "the title is escaped");
    ok(!strstr(page, "http://") && !strstr(page, "https://"), "nothing is fetched from elsewhere");
    ok(!strstr(page, "<!--"), "every place of the page is filled");
}

/* Extracts the data from the page; NULL if it is not JSON. */
static char *take_data(const char *page)
{
    const char *start = strstr(page, "id=\"data\">");
    if (!start)
        return NULL;
    start += strlen("id=\"data\">");
    size_t length = (size_t)(strstr(start, "</script>") - start);
    struct json j;
    json_open(&j, start, length);
    json_skip(&j);
    if (json_close(&j))
        return NULL;
    struct str data = {0};
    str_add_bytes(&data, start, length);
    return data.text;
}

static void test_data(const char *data)
{
    static const char *const parts[] = {
        "\"trial\":[1,1]",
        "\"state\":[1,2]",
        "\"name\":\"y\",\"log\":false,\"conditional\":true",
        "\"score\":[0.123457,null]",
        "\"started\":[100000,100000]",
        "\"duration\":[1000000,1300000]",
        "\"parameters\":[[0.123457,0.002],[1,0],[null,0.5],null]",
        "\"metrics\":[[0.987654,null]]",
        "\"metrics\":[\"\\u003c/script>\"]",
        "\"metrics\":[\"0.98765432109\"]",
        "\"score\":\"0.1234567890123\"",
        "\"values\":[\"0.12345678901234566\",\"\\u003c/script>\\u003cb>\",null,\"7\"]",
        "\"command\":\"cd /tmp && train '\\u003c/script>' '\\u003c/script>\\u003cb>'\"",
        "\"reason\":\"\\u003cimg src=x>\"",
        "\"counts\":[0,1,1,0,0,0,0,0,0]",
        "\"total\":2,\"kept\":2,\"failed\":1",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        ok(strstr(data, parts[i]) != NULL, "the data has %s", parts[i]);
}

int main(void)
{
    struct fixture f;
    struct err e = {0};
    fixture_open(&f, definition, lines);
    char *path = fixture_path(&f, "page.html");
    ok(report_html(&f.journal, path, &e) == 0, "a page is written");
    char *page = fixture_take(&f, "page.html");
    test_safety(page);
    char *data = take_data(page);
    ok(data != NULL, "its data is JSON");
    if (data)
        test_data(data);
    ok(report_html(&f.journal, "/nowhere/page.html", &e) == ERR_SYSTEM,
       "a folder that is not there is an error");
    free(data);
    free(page);
    free(path);
    fixture_close(&f);

    fixture_open(&f, definition, "");
    path = fixture_path(&f, "page.html");
    ok(report_html(&f.journal, path, &e) == 0, "a study without trials has a page, too");
    page = fixture_take(&f, "page.html");
    data = take_data(page);
    ok(data != NULL, "with data that reads");
    free(data);
    free(page);
    free(path);
    fixture_close(&f);
    return tap_end();
}
