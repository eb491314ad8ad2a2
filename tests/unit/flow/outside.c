/*
 * outside.c - programs and waiting, as tasks of the dataflow language use them: with real
 * processes, as events of a rank and inside of the simulator.
 */
#include "outside_fixture.h"

#include <errno.h>
#include <signal.h>
#include <sys/wait.h>

/* ---- programs ---- */

static const struct step programs[] = {
    {.name = "a program that succeeds", .words = {"true"}, .text = ""},
    {.name = "another exit code",
     .script = "exit 3",
     .state = OUTSIDE_EXIT,
     .number = 3,
     .text = "exit code 3"},
    {.name = "a signal",
     .script = "kill -9 $$",
     .state = OUTSIDE_SIGNAL,
     .number = SIGKILL,
     .text = "killed by signal 9 (Killed)"},
    {.name = "a program that is not there",
     .words = {"no-such-program"},
     .state = OUTSIDE_FAILED,
     .number = ENOENT,
     .text = "cannot start no-such-program: there is no such program on the PATH"},
    {.name = "a path that is not there",
     .words = {"./none"},
     .state = OUTSIDE_FAILED,
     .number = ENOENT,
     .text = "cannot start ./none: No such file or directory"},
    {.name = "a file that is no program",
     .words = {"./data"},
     .state = OUTSIDE_FAILED,
     .number = EACCES,
     .text = "cannot start ./data: Permission denied"},
    {.name = "a script without its interpreter",
     .words = {"./script"},
     .state = OUTSIDE_FAILED,
     .number = ENOENT,
     .text = "the interpreter that its first line names does not exist"},
    {.name = "no word", .words = {""}, .state = OUTSIDE_FAILED, .number = ENOENT},
    {.name = "words are not split, joined or expanded",
     .words = {"printf", "[%s]", "a b", "", "*", "$HOME", "\"", "ü"},
     .out = "[a b][][*][$HOME][\"][ü]"},
    {.name = "variables",
     .script = "echo $FIRST $SECOND; test -n \"$PATH\"",
     .variables = {"FIRST=1", "SECOND=a  b"},
     .out = "1 a b\n"},
    {.name = "no input", .words = {"cat"}},
    {.name = "input from a file", .words = {"cat"}, .from = "data", .out = "some\ndata"},
    {.name = "input that is not there",
     .words = {"cat"},
     .from = "none",
     .state = OUTSIDE_FAILED,
     .number = ENOENT,
     .text = "cannot read none: No such file or directory"},
    {.name = "output to a file in new folders",
     .words = {"cat"},
     .from = "data",
     .to = "new/folder/out",
     .file = "new/folder/out",
     .content = "some\ndata"},
    {.name = "a file is replaced",
     .script = "echo x; echo y >&2",
     .to = "new/folder/out",
     .errors_to = "./new/other/err",
     .file = "new/folder/out",
     .content = "x\n"},
    {.name = "errors to a file", .words = {"true"}, .file = "new/other/err", .content = "y\n"},
    {.name = "both to one file",
     .script = "echo a; echo b >&2; echo c",
     .to = "both",
     .errors_to = "both",
     .file = "both",
     .content = "a\nb\nc\n"},
    {.name = "output to a folder",
     .words = {"true"},
     .to = "new",
     .state = OUTSIDE_FAILED,
     .number = EISDIR,
     .text = "cannot write new: Is a directory"},
    {.name = "a file where a folder should be",
     .words = {"true"},
     .errors_to = "data/err",
     .state = OUTSIDE_FAILED,
     .number = ENOTDIR,
     .text = "cannot write data/err: Not a directory"},
    {.name = "a pipe that nobody reads",
     .words = {"true"},
     .to = "fifo",
     .state = OUTSIDE_FAILED,
     .number = ENXIO,
     .text = "cannot write fifo"},
    {0},
};

static const struct step outputs[] = {
    {.name = "both outputs",
     .script = "echo one; echo two >&2",
     .out = "one\n",
     .err = "two\n",
     .wrote_errors = true},
    {.name = "lines that come in pieces",
     .script = "printf a; sleep 0.1; printf 'b\\nc'; sleep 0.1; "
               "printf 'd\\ne'",
     .out = "ab\ncd\ne"},
    {.name = "much output", .script = "yes 'many lines' | head -c 10000000", .bytes = 10000000},
    {.name = "what a dead program has left in its pipe",
     .script = "yes | head -c 60000; kill -9 $$",
     .state = OUTSIDE_SIGNAL,
     .number = SIGKILL,
     .bytes = 60000},
    {.name = "output that is closed",
     .script = "echo a; exec >&- 2>&-; sleep 0.1; exit 4",
     .state = OUTSIDE_EXIT,
     .number = 4,
     .out = "a\n"},
    {.name = "captured", .script = "echo a; echo b; echo", .capture = 100, .text = "a\nb\n"},
    {.name = "captured nothing", .words = {"true"}, .capture = 100, .text = ""},
    {.name = "captured with errors",
     .script = "printf a; echo b >&2",
     .capture = 100,
     .text = "a",
     .err = "b\n",
     .wrote_errors = true},
    {.name = "captured from a failure",
     .script = "echo a; exit 7",
     .capture = 100,
     .state = OUTSIDE_EXIT,
     .number = 7,
     .text = "exit code 7"},
    {.name = "exactly as much as can be captured",
     .words = {"printf", "12345"},
     .capture = 5,
     .text = "12345"},
    {.name = "more than can be captured",
     .script = "yes",
     .capture = 1000000,
     .state = OUTSIDE_FAILED,
     .text = "it printed more than the 1000000 bytes"},
    {.name = "10 MB captured", .script = "yes 123456789 | head -c 10000000", .capture = 10000000},
    {0},
};

static void test_programs(bool is_simulated)
{
    struct test t = {.is_simulated = is_simulated};
    write_text("data", "some\ndata", 0644);
    write_text("script", "#!/no/such/interpreter\n", 0755);
    if (access("fifo", F_OK) != 0 && mkfifo("fifo", 0644) != 0)
        ok(false, "a FIFO");
    play(&t, programs);
    play(&t, outputs);
    ok(!t.has_broken, "no line was handed on in parts");
}

static void test_endless_line(bool is_simulated)
{
    static const struct step steps[] = {
        {.name = "an endless line",
         .script = "head -c 3000000 /dev/zero | tr '\\0' x",
         .bytes = 3000000},
        {0},
    };
    struct test t = {.is_simulated = is_simulated};
    play(&t, steps);
    ok(t.has_broken, "is handed on in parts");
}

/* What a program leaves behind is ended, too. */
static void test_orphans(bool is_simulated)
{
    static const struct step steps[] = {
        {.name = "a program with a process in the background",
         .script = "sleep 100 & echo $! >orphan; echo here",
         .out = "here\n"},
        {0},
    };
    struct test t = {.is_simulated = is_simulated};
    struct str text = {0};
    struct err e = {0};
    bool gone = false;
    play(&t, steps);
    ok(str_read_file(&text, "orphan", 100, &e) == 0, "its number");
    pid_t orphan = (pid_t)strtol(str_text(&text), NULL, 10);
    for (int i = 0; i < 200 && !gone; i++) {
        waitpid(orphan, NULL, WNOHANG); /* it is ours after the helper */
        gone = kill(orphan, 0) != 0;
        usleep(10000);
    }
    ok(gone, "does not leave it behind");
    str_free(&text);
}

static void test_long_command(void)
{
    char *word = memory_new(100001, 1);
    memset(word, 'x', 100000);
    const struct step steps[] = {
        {.name = "a long command", .words = {"true", word}},
        {.name = "a longer one",
         .words = {"true", word, word},
         .state = OUTSIDE_FAILED,
         .text = "and at most 163840 can be passed on"},
        {.name = "the next one", .words = {"true"}},
        {0},
    };
    struct test t = {0};
    play(&t, steps);
    free(word);
}

static void test_describe(void)
{
    struct str text = {0};
    char *word = memory_new(5001, 1);
    for (int i = 0; i < 5000; i += 2)
        memcpy(word + i, "ü", 2);
    const char *const words[] = {"cat", "a b", "", "it's", "x=1", NULL};
    outside_describe(
        &(struct outside_command){.words = words, .in = "in", .out = "o t", .err = "err"}, &text);
    is_text(text.text, "cat 'a b' '' 'it'\\''s' x=1 <in >'o t' 2>err", "a command as text");
    str_clear(&text);
    outside_describe(&(struct outside_command){.words = (const char *const[]){"x", word, NULL}},
                     &text);
    ok(text.length < 2100 && strcmp(text.text + text.length - 5, "ü...") == 0,
       "a long one is cut between characters");
    free(word);
    str_free(&text);
}

/* ---- retries ---- */

static const struct step third_time[] = {
    {.name = "a program that succeeds at the third time",
     .script = "echo x >>count; test $(wc -l <count) -ge 3",
     .file = "count",
     .content = "x\nx\nx\n"},
    {.name = "one that never does",
     .script = "echo x >>count; exit 2",
     .state = OUTSIDE_EXIT,
     .number = 2,
     .file = "count",
     .content = "x\nx\nx\nx\nx\nx\nx\n"},
    {.name = "a captured one has no retries",
     .script = "echo x >>count; exit 2",
     .capture = 10,
     .state = OUTSIDE_EXIT,
     .number = 2,
     .file = "count",
     .content = "x\nx\nx\nx\nx\nx\nx\nx\n"},
    {.name = "a missing one", .words = {"no-such"}, .state = OUTSIDE_FAILED, .number = ENOENT},
    {0},
};

static void test_retries(bool is_simulated)
{
    struct test t = {
        .is_simulated = is_simulated,
        .settings = {.retries = 3, .backoff = 0.01, .delay = 0.01, .logs = true},
    };
    unlink("count");
    play(&t, third_time);
    const char *second = strstr(t.logged.text, "exit code 1; retry 1 of 3 in ");
    ok(strncmp(t.logged.text, "app: sh -c 'echo x", 18) == 0 && second &&
           strstr(second, "retry 2 of 3"),
       "the log tells of starts and failures");
    str_free(&t.logged);
}

static void test_backoff(void)
{
    static const struct step steps[] = {
        {.name = "a program that fails six times",
         .words = {"false"},
         .state = OUTSIDE_EXIT,
         .number = 1},
        {0},
    };
    double least = INFINITY, most = 0;
    for (unsigned seed = 1; seed <= 5; seed++) {
        struct test t = {.is_simulated = true,
                         .settings = {.retries = 5, .backoff = 10, .seed = seed}};
        play(&t, steps);
        least = fmin(least, t.seconds);
        most = fmax(most, t.seconds);
    }
    ok(least > 40 && most < 620 && most > least,
       "the pauses double, and are random: %.0f to %.0f seconds", least, most);
}

/* ---- settings ---- */

static void test_settings(void)
{
    struct outside_settings settings = {.backoff = 0.1};
    struct err e = {0};
    ok(outside_settings_read(&settings, &e) == 0 && settings.retries == 0 &&
           settings.backoff == 0.1 && !settings.logs,
       "without variables, nothing changes");
    setenv("TURBINE_APP_RETRIES_LOCAL", "3", 1);
    setenv("TURBINE_APP_RETRIES_REPUT", "2", 1);
    setenv("TURBINE_APP_BACKOFF", "0.5", 1);
    setenv("TURBINE_APP_DELAY", "1.5", 1);
    setenv("TURBINE_APP_DEBUG", "1", 1);
    ok(outside_settings_read(&settings, &e) == 0 && settings.retries == 3 &&
           settings.other_retries == 2 && settings.backoff == 0.5 && settings.delay == 1.5 &&
           settings.logs,
       "all of them");
    static const struct {
        const char *name, *value, *message;
    } mistakes[] = {
        {"TURBINE_APP_DELAY", "soon", "TURBINE_APP_DELAY is 'soon': it must be a number from 0"},
        {"TURBINE_APP_DELAY", "nan", "it must be a number from 0 to 86400"},
        {"TURBINE_APP_BACKOFF", "-1", "TURBINE_APP_BACKOFF is '-1'"},
        {"TURBINE_APP_RETRIES_LOCAL", "1.5", "it must be a whole number from 0 to 1000"},
    };
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        setenv(mistakes[i].name, mistakes[i].value, 1);
        ok(outside_settings_read(&settings, &e) == ERR_USER &&
               strstr(e.message, mistakes[i].message),
           "%s=%s", mistakes[i].name, mistakes[i].value);
        unsetenv(mistakes[i].name);
    }
}

/* ---- waiting ---- */

static void test_sleep(void)
{
    static const struct step none[] = {
        {.name = "no time", .kind = SLEEP},
        {.name = "less than none", .kind = SLEEP, .seconds = -1},
        {.name = "what is no time", .kind = SLEEP, .seconds = NAN},
        {0},
    };
    static const struct step some[] = {{.name = "some time", .kind = SLEEP, .seconds = 0.1}, {0}};
    static const struct step hours[] = {{.name = "hours", .kind = SLEEP, .seconds = 7200}, {0}};
    struct test t = {0}, simulated = {.is_simulated = true};
    play(&t, none);
    play(&t, some);
    ok(t.seconds >= 0.1 && t.seconds < 5, "0.1 seconds are over");
    play(&simulated, hours);
    ok(simulated.seconds == 7200, "two hours are over in the simulator");
}

/* ---- stopping and freeing ---- */

static void test_stop(void)
{
    static const struct step stopped[] = {
        {.name = "a program is stopped",
         .words = {"sleep", "100"},
         .stop = 0.1,
         .state = OUTSIDE_STOPPED},
        {.name = "the next one runs", .script = "echo a", .out = "a\n"},
        {.name = "one that does not want to",
         .script = "trap '' TERM; echo a; sleep 100",
         .stop = 0.3,
         .state = OUTSIDE_STOPPED,
         .out = "a\n"},
        {.name = "sleep is stopped",
         .kind = SLEEP,
         .seconds = 100,
         .stop = 0.1,
         .state = OUTSIDE_STOPPED,
         .text = "it was stopped"},
        {0},
    };
    static const struct step pause[] = {
        {.name = "a pause before a retry is stopped",
         .words = {"false"},
         .stop = 1,
         .state = OUTSIDE_STOPPED},
        {0},
    };
    double before = clock_now();
    struct test t = {0};
    play(&t, stopped);
    t = (struct test){.is_simulated = true, .settings = {.retries = 1, .backoff = 3600}};
    play(&t, pause);
    ok(clock_now() - before < 30, "without waiting for the end");
}

static void test_stop_at_output(bool is_simulated)
{
    static const struct step steps[] = {
        {.name = "a program is stopped by what it prints",
         .script = "echo a; sleep 100",
         .state = OUTSIDE_STOPPED,
         .out = "a\n"},
        {.name = "and the next one runs", .words = {"true"}},
        {0},
    };
    struct test t = {.is_simulated = is_simulated, .stops_at_output = true};
    play(&t, steps);
}

static void test_free(void)
{
    static const struct step program[] = {{.name = "a program", .words = {"sleep", "100"}}};
    static const struct step pause[] = {{.name = "sleep", .kind = SLEEP, .seconds = 100}};
    const struct step *const both[] = {program, pause};
    double before = clock_now();
    for (int i = 0; i < 2; i++) {
        struct test t = {.free_after = 0.2};
        play(&t, both[i]);
        ok(t.at == both[i], "%s is freed while it runs", both[i]->name);
    }
    ok(clock_now() - before < 30, "without waiting for the end");
}

int main(void)
{
    char folder[64];
    if (!enter_folder(folder, sizeof folder))
        return 1;
    test_settings();
    test_describe();
    for (int is_simulated = 0; is_simulated < 2; is_simulated++) {
        test_programs(is_simulated);
        test_endless_line(is_simulated);
        test_orphans(is_simulated);
        test_retries(is_simulated);
        test_stop_at_output(is_simulated);
    }
    test_long_command();
    test_backoff();
    test_sleep();
    test_stop();
    test_free();
    leave_folder(folder);
    return tap_end();
}
