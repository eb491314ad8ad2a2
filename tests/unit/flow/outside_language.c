/*
 * outside_language.c - Python and R, as tasks of the dataflow language use them: with real
 * interpreters, as events of a rank and inside of the simulator.
 */
#include "outside_fixture.h"

/* A piece of code in one row. */
struct question {
    const char *name;
    enum kind kind;
    const char *code, *expression;
    enum outside_state state;
    const char *text; /* the value, or a part of the message */
    const char *out;  /* what is printed; NULL: nothing */
};

static const struct question python[] = {
    {"a value", PYTHON, "x = 6", "str(x * 7)", OUTSIDE_GOOD, "42", NULL},
    {"a fresh state", PYTHON, "", "str(x)", OUTSIDE_EXCEPTION, "NameError: name 'x' is not defined",
     NULL},
    {"the default expression", PYTHON, "y = 1", "\"\"", OUTSIDE_GOOD, "", NULL},
    {"no expression", PYTHON, "y = 1", " ", OUTSIDE_GOOD, "", NULL},
    {"several lines", PYTHON, "\ndef f(n):\n\tif n:\n\t\treturn 'ü\\\"' * n\n", " f(2) ",
     OUTSIDE_GOOD, "ü\"ü\"", NULL},
    {"a number is no string", PYTHON, "", "7", OUTSIDE_FAILED,
     "python(): expression did not return a string! it is of type int: 7", NULL},
    {"an exception", PYTHON, "def g():\n    1 / 0\ng()", "''", OUTSIDE_EXCEPTION,
     "ZeroDivisionError: division by zero", NULL},
    {"a mistake in the syntax", PYTHON, "x = = 1", "''", OUTSIDE_EXCEPTION,
     "SyntaxError: invalid syntax", NULL},
    {"an exit", PYTHON, "import sys; sys.exit(3)", "''", OUTSIDE_EXCEPTION, "SystemExit: 3", NULL},
    {"the end of the process", PYTHON, "import os; os._exit(3)", "''", OUTSIDE_FAILED,
     "python(): the Python process ended with exit code 3", NULL},
    {"a crash", PYTHON, "import os; os.kill(os.getpid(), 11)", "''", OUTSIDE_FAILED,
     "was ended by signal 11 (SIGSEGV)", NULL},
    {"printed", PYTHON,
     "import sys\nprint('one', flush=True)\nprint('two', file=sys.stderr, "
     "flush=True)\nsys.stdout.write('three')",
     "'x'", OUTSIDE_GOOD, "x", "one\ntwo\nthree"},
    {"printed at the end", PYTHON,
     "import atexit, threading, time\natexit.register(print, "
     "'end')\nthreading.Thread(target=lambda: (time.sleep(0.05), print('thread'))).start()",
     "'x'", OUTSIDE_GOOD, "x", "thread\nend\n"},
    {"a process left behind", PYTHON, "import os, time\nif os.fork() == 0:\n    time.sleep(100)",
     "'x'", OUTSIDE_GOOD, "x", NULL},
    {"a value that is too long", PYTHON, "", "'ü' * 9000000", OUTSIDE_FAILED,
     "python(): the string is longer than 16 MiB", NULL},
    {"a module of the folder", PYTHON, "import near", "near.name", OUTSIDE_GOOD, "near", NULL},
    {"state that stays", PERSIST, "x = 6", "str(x)", OUTSIDE_GOOD, "6", NULL},
    {"is there later", PERSIST, "", "str(x + 1)", OUTSIDE_GOOD, "7", NULL},
    {"but not elsewhere", PYTHON, "", "str(x)", OUTSIDE_EXCEPTION, "NameError", NULL},
    {"and after an exception", PERSIST, "raise ValueError('a\\nb')", "''", OUTSIDE_EXCEPTION,
     "ValueError: a\nb", NULL},
    {"still", PERSIST, "print('x is', x)", "str(x)", OUTSIDE_GOOD, "6", "x is 6\n"},
    {"until the process ends", PERSIST, "import os; os._exit(1)", "''", OUTSIDE_FAILED,
     "python_persist(): the evaluating process has ended", NULL},
    {"and starts again", PERSIST, "", "str('x' in globals())", OUTSIDE_GOOD, "False", NULL},
    {0},
};

static const struct question r[] = {
    {"a value of R", R, "x <- 6", "toString(x * 7)", OUTSIDE_GOOD, "42", NULL},
    {"its state stays", R, "", "toString(x)", OUTSIDE_GOOD, "6", NULL},
    {"several lines of R", R, "f <- function(n) {\n  strrep('ü\\\"', n)\n}\n", "f(2)", OUTSIDE_GOOD,
     "ü\"ü\"", NULL},
    {"the default expression of R", R, "y <- 1", "\"\"", OUTSIDE_GOOD, "", NULL},
    {"a number of R", R, "", "7", OUTSIDE_FAILED,
     "R(): expression did not return a string! it is of type numeric and length 1", NULL},
    {"two strings of R", R, "", "c('a', 'b')", OUTSIDE_FAILED, "of type character and length 2",
     NULL},
    {"an error of R", R, "stop('not so')", "''", OUTSIDE_EXCEPTION, "not so", NULL},
    {"an error in its expression", R, "", "nothing", OUTSIDE_EXCEPTION,
     "object 'nothing' not found", NULL},
    {"printed by R", R, "cat('one\\n'); print('two'); cat('three')", "'x'", OUTSIDE_GOOD, "x",
     "one\n[1] \"two\"\nthree"},
    {"the end of R", R, "quit()", "''", OUTSIDE_FAILED, "R(): the evaluating process has ended",
     NULL},
    {"R again", R, "", "toString(exists('x'))", OUTSIDE_GOOD, "FALSE", NULL},
    {0},
};

static void ask(struct test *t, const struct question *questions)
{
    size_t count = 0;
    while (questions[count].name)
        count++;
    struct step *steps = memory_new(count + 1, sizeof *steps);
    for (size_t i = 0; i < count; i++)
        steps[i] = (struct step){.name = questions[i].name,
                                 .kind = questions[i].kind,
                                 .code = questions[i].code,
                                 .expression = questions[i].expression,
                                 .state = questions[i].state,
                                 .text = questions[i].text,
                                 .out = questions[i].out};
    play(t, steps);
    ok(t->at == steps + count, "all of it was answered");
    free(steps);
}

static void test_much(bool is_simulated)
{
    static const struct step steps[] = {
        {.name = "much is printed",
         .kind = PYTHON,
         .code = "print('many bytes\\n' * 1000000, end='')",
         .expression = "'x'",
         .text = "x",
         .bytes = 11000000},
        {.name = "a long value", .kind = PYTHON, .code = "", .expression = "'a' * 3000000"},
        {.name = "a traceback shows the code",
         .kind = PYTHON,
         .code = "def g():\n    1 / 0\ng()",
         .expression = "''",
         .state = OUTSIDE_EXCEPTION,
         .text = "ZeroDivisionError: division by zero",
         .traceback = "line 2, in g\n    1 / 0\n"},
        {.name = "a long message",
         .kind = PERSIST,
         .code = "raise ValueError('ü' * 10000000)",
         .expression = "''",
         .state = OUTSIDE_EXCEPTION,
         .text = "ValueError: üüü",
         .traceback = "\n[...]\nüüü"},
        {0},
    };
    struct test t = {.is_simulated = is_simulated};
    play(&t, steps);
}

static void test_long_code(bool is_simulated)
{
    char *code = memory_new((20 << 20) + 1, 1);
    memset(code, '#', 20 << 20);
    struct question questions[] = {
        {"code that is too long", PYTHON, code, "''", OUTSIDE_FAILED, "at most 16 MiB are possible",
         NULL},
        {"after it", PYTHON, "", "'x'", OUTSIDE_GOOD, "x", NULL},
        {0},
    };
    struct test t = {.is_simulated = is_simulated};
    ask(&t, questions);
    code[10 << 20] = 0;
    questions[0] = (struct question){"long code", PYTHON, code, "'x'", OUTSIDE_GOOD, "x", NULL};
    ask(&t, questions);
    free(code);
}

/* Forks must not all draw the same numbers. */
static void test_random(void)
{
    static const char code[] =
        "import random\nopen('random', 'a').write('%r\\n' % random.random())";
    static const struct question questions[] = {
        {"a random number", PYTHON, code, "''", OUTSIDE_GOOD, "", NULL},
        {"and another", PYTHON, code, "''", OUTSIDE_GOOD, "", NULL},
        {"differ", PYTHON, "", "str(len(set(open('random'))))", OUTSIDE_GOOD, "2", NULL},
        {0},
    };
    struct test t = {0};
    unlink("random");
    ask(&t, questions);
}

/* ---- stopping and freeing ---- */

static void test_stop(void)
{
    static const struct step stopped[] = {
        {.name = "Python", .kind = PERSIST, .code = "", .expression = "'x'", .text = "x"},
        {.name = "Python is stopped",
         .kind = PERSIST,
         .code = "print('a', flush=True)\nwhile True: pass",
         .expression = "''",
         .stop = 1,
         .state = OUTSIDE_STOPPED,
         .out = "a\n"},
        {.name = "and starts again", .kind = PERSIST, .code = "", .expression = "'x'", .text = "x"},
        {.name = "and with forks", .kind = PYTHON, .code = "", .expression = "'x'", .text = "x"},
        {.name = "a fork of it is stopped",
         .kind = PYTHON,
         .code = "while True: pass",
         .expression = "''",
         .stop = 0.5,
         .state = OUTSIDE_STOPPED},
        {.name = "and starts again", .kind = PYTHON, .code = "", .expression = "'x'", .text = "x"},
        {0},
    };
    double before = clock_now();
    struct test t = {0};
    play(&t, stopped);
    ok(clock_now() - before < 30, "without waiting for the end");
}

static void test_stop_at_output(bool is_simulated)
{
    static const struct step steps[] = {
        {.name = "code is stopped by what it prints",
         .kind = PERSIST,
         .code = "import time\nprint('a', flush=True)\ntime.sleep(100)",
         .expression = "''",
         .state = OUTSIDE_STOPPED,
         .out = "a\n"},
        {.name = "and when it has ended",
         .kind = PYTHON,
         .code = "print('a', end='')",
         .expression = "''",
         .state = OUTSIDE_STOPPED,
         .out = "a"},
        {.name = "and the next one runs",
         .kind = PYTHON,
         .code = "",
         .expression = "'x'",
         .text = "x"},
        {0},
    };
    struct test t = {.is_simulated = is_simulated, .stops_at_output = true};
    play(&t, steps);
}

static void test_free(void)
{
    static const struct step endless[] = {
        {.name = "code", .kind = PYTHON, .code = "while True: pass", .expression = "''"}};
    struct test t = {.free_after = 0.5};
    play(&t, endless);
    ok(t.at == endless, "code is freed while it runs");
}

/* ---- interpreters ---- */

static void test_missing(bool is_simulated)
{
    static const struct question questions[] = {
        {"no Python", PYTHON, "", "''", OUTSIDE_FAILED,
         "python(): cannot start /no/python: No such file or directory", NULL},
        {"still none", PYTHON, "", "''", OUTSIDE_FAILED,
         "python(): cannot start /no/python: No such file or directory", NULL},
        {"no R", R, "", "''", OUTSIDE_FAILED, "R(): cannot start /no/R: No such file or directory",
         NULL},
        {0},
    };
    struct test t = {.is_simulated = is_simulated,
                     .settings = {.python = "/no/python", .r = "/no/R"}};
    ask(&t, questions);
}

static bool has_program(const char *program)
{
    char path[PATH_MAX];
    bool found = command_find(program, path);
    if (!found)
        printf("# skipped: there is no %s\n", program);
    return found;
}

static bool has_r_library(void)
{
    bool found = installed_find("wick-r.so", (char[PATH_MAX]){0}, NULL);
    if (!found)
        printf("# skipped: wick-r.so is not built\n");
    return found;
}

static void test_python(bool is_simulated)
{
    struct test t = {.is_simulated = is_simulated};
    write_text("near.py", "name = __name__\n", 0644);
    ask(&t, python);
    test_much(is_simulated);
    test_long_code(is_simulated);
    test_stop_at_output(is_simulated);
}

int main(void)
{
    char folder[64];
    if (!enter_folder(folder, sizeof folder))
        return 1;
    bool has_python = has_program("python3"), has_r = has_r_library() && has_program("Rscript");
    for (int is_simulated = 0; is_simulated < 2; is_simulated++) {
        struct test t = {.is_simulated = is_simulated};
        if (has_r_library())
            test_missing(is_simulated);
        if (has_python)
            test_python(is_simulated);
        if (has_r)
            ask(&t, r);
    }
    if (has_python) {
        test_random();
        test_stop();
        test_free();
    }
    leave_folder(folder);
    return tap_end();
}
