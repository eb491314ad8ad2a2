/* The arguments of a script, the environment and the clock. */
#include "call.h"

#include <time.h>

/* As in: script -cells=12 --title=main -verbose first -expr=a=b second */
static const char *const many[] = {"-cells=12", "--title=main", "-verbose", "first",
                                   "-expr=a=b", "second",       NULL};

static const struct call_case of_many[] = {
    {"argc()", "2"},
    {"args()", "-cells=12 --title=main -verbose first -expr=a=b second"},
    {"argv(\"cells\")", "12"},
    {"argv(\"title\")", "main"},
    {"argv(\"title\", \"other\")", "main"},
    {"argv(\"mode\", \"fast\")", "fast"},
    {"argv(\"mode\", 3)", "3"},
    {"argv(\"verbose\")", ""},
    {"argv(\"expr\")", "a=b"},
    {"argv(\"quiet\")",
     "error: argv(): The command line did not provide 'quiet': add -quiet=VALUE after the script"},
    {"argv(\"tilte\")",
     "error: argv(): The command line did not provide 'tilte', but it has 'title'"},
    {"argv_contains(\"verbose\")", "1"},
    {"argv_contains(\"cells\")", "1"},
    {"argv_contains(\"cell\")", "0"},
    {"argv_contains(\"first\")", "0"},
    {"argv_contains(\"\")", "0"},
    {"argv_accept(\"cells\", \"title\", \"verbose\", \"expr\", \"mode\")", ""},
    {"argv_accept(\"cells\", \"title\", \"verbos\", \"expr\")",
     "error: argv_accept(): unknown argument 'verbose': did you mean 'verbos'?"},
    {"argv_accept(\"x\", \"y\")",
     "error: argv_accept(): unknown argument 'cells': the script accepts x, y"},
    {"argv_accept()", "error: argv_accept(): unknown argument 'cells': the script accepts none"},
    {"argp(0)", "script.swift"},
    {"argp(1)", "first"},
    {"argp(2)", "second"},
    {"argp(2, \"none\")", "second"},
    {"argp(3, \"none\")", "none"},
    {"argp(3)", "error: argp(3): there are only 2 arguments"},
    {"argp(-1, \"none\")", "error: argp(-1): arguments are numbered from 1"},
};

static const char *const odd[] = {"-", "", "--", "-=x", "-5", "-0.5", "-a=1", "--a=2", NULL};

static const struct call_case of_odd[] = {
    {"argc()", "4"},
    {"args()", "-  -- -=x -5 -0.5 -a=1 --a=2"},
    {"argp(1)", "-"},
    {"argp(2)", ""},
    {"argp(3)", "--"},
    {"argp(4)", "-=x"},
    {"argv(\"a\")", "2"},
    {"argv_contains(\"5\")", "1"},
    {"argv_accept(\"a\")", ""},
};

static const char *const none[] = {NULL};

static const struct call_case of_none[] = {
    {"argc()", "0"},
    {"args()", ""},
    {"argv(\"foo\")",
     "error: argv(): The command line did not provide 'foo': add -foo=VALUE after the script"},
    {"argv_accept()", ""},
    {"argp(1)", "error: argp(1): there are only 0 arguments"},
};

static const char *const one[] = {"x", NULL};

static const struct call_case of_one[] = {
    {"argp(2)", "error: argp(2): there is only 1 argument"},
};

static void test_arguments(void)
{
    call_world.program = "script.swift";
    call_world.arguments = many;
    CALL_CHECK(of_many);
    call_world.arguments = odd;
    CALL_CHECK(of_odd);
    call_world.arguments = none;
    CALL_CHECK(of_none);
    call_world.arguments = one;
    CALL_CHECK(of_one);
}

static const struct call_case other[] = {
    {"getenv(\"LEAF_STATION\")", "harbor-9"},
    {"getenv(\"LEAF_NOT_SET_ANYWHERE\")", ""},
    {"getenv(\"\")", ""},
    {"INT_MAX()", "9223372036854775807"},
    {"clock_format(\"%Y-%m-%dT%H:%M:%S\", 0)", "1970-01-01T02:00:00"},
    {"clock_format(\"%Y-%m-%d %H:%M:%S\", 1234567890)", "2009-02-14 01:31:30"},
    {"clock_format(\"%S\", 59.5)", "00"},
    {"clock_format(\"%S\", 59.4)", "59"},
    {"clock_format(\"%Y\", -86400)", "1969"},
    {"clock_format(\"\", 0)", ""},
    {"clock_format(\"100%%\", 0)", "100%"},
    {"clock_format(\"%9999999Y\", 0)", "error: clock_format: the text would be too long"},
    {"clock_format(\"%Y\", 1e300)",
     "error: clock_format: 1e+300 seconds is no time before the year 10000"},
    {"clock_format(\"%Y\", nan)",
     "error: clock_format: nan seconds is no time before the year 10000"},
};

static void test_clock(void)
{
    struct str text = {0};
    double before = floor(clock_wall() * 1000) / 1000;
    call_run("clock()", &text);
    double got = strtod(text.text, NULL);
    ok(got >= before && got <= clock_wall(), "clock() is the time");
    ok(fabs(got * 1000 - round(got * 1000)) < 1e-3, "in milliseconds");
    str_clear(&text);
    call_run("clock_seconds()", &text);
    got = strtod(text.text, NULL);
    ok(fabs(got - before) < 2 && !strchr(text.text, '.'), "clock_seconds() is the time as an int");
    str_free(&text);
}

int main(void)
{
    setenv("LEAF_STATION", "harbor-9", 1);
    setenv("TZ", "EET-2", 1);
    tzset();
    test_arguments();
    CALL_CHECK(other);
    test_clock();
    return tap_end();
}
