/* command - other programs: what they print, how they end, and that none of them is left behind. */
#include "base/base.h"
#include "tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/stat.h>
#include <unistd.h>

/* Runs a shell script; its outputs replace those of the previous one. */
static int shell(const char *script, const struct command_options *o, struct str *out,
                 struct str *err, int *status, struct err *e)
{
    const char *const argv[] = {"sh", "-c", script, NULL};
    str_clear(out);
    if (err != out)
        str_clear(err);
    *e = (struct err){0};
    return command_run(argv, o, out, err, status, e);
}

static void what_it_says_is_heard(void)
{
    struct str out = {0}, err = {0};
    struct err e;
    int status;
    ok(shell("echo one; echo two >&2; exit 3", NULL, &out, &err, &status, &e) == 0, "it runs");
    is_text(str_text(&out), "one\n", "its output");
    is_text(str_text(&err), "two\n", "its errors");
    ok(status == 3, "its exit code");
    ok(shell("echo one; echo two >&2", NULL, &out, &out, &status, &e) == 0, "both in one");
    is_text(str_text(&out), "one\ntwo\n", "both are there");
    ok(shell("kill -9 $$", NULL, &out, &err, &status, &e) == 0 && status == 137, "a signal");
    ok(shell("cat", NULL, &out, &err, &status, &e) == 0 && status == 0, "its input is empty");
    ok(shell("exec >&- 2>&-; sleep 0.1; exit 5", NULL, &out, &err, &status, &e) == 0 && status == 5,
       "it may close its outputs and go on");
    const char *const quoted[] = {"printf", "%s|", "a b", "$(id)", "'\"", NULL};
    str_clear(&out);
    ok(command_run(quoted, NULL, &out, NULL, NULL, &e) == 0, "no status, no errors wanted");
    is_text(str_text(&out), "a b|$(id)|'\"|", "words stay as they are: there is no shell");
    str_free(&out);
    str_free(&err);
}

static void options_count(void)
{
    char folder[] = "/tmp/wick-command-XXXXXX";
    char variable[] = "WICK_TEST=x", *environment[] = {variable, NULL};
    struct str out = {0}, path = {0};
    struct err e;
    int status;
    if (!ok(mkdtemp(folder) != NULL, "a folder"))
        return;
    str_printf(&path, "%s/input", folder);
    ok(str_write_file(path.text, "hello", 5, &e) == 0, "a file");
    struct command_options o = {.folder = folder, .input = path.text, .environment = environment};
    ok(shell("pwd; cat; echo; echo $WICK_TEST$HOME", &o, &out, &out, &status, &e) == 0, "it runs");
    struct str expected = {0};
    str_printf(&expected, "%s\nhello\nx\n", folder);
    is_text(str_text(&out), expected.text, "folder, input and environment are as asked");
    o.folder = "/no/such/folder";
    ok(shell("true", &o, &out, &out, &status, &e) == ERR_USER && status == COMMAND_MISSING,
       "a folder that is not there");
    unlink(path.text);
    rmdir(folder);
    str_free(&out);
    str_free(&path);
    str_free(&expected);
}

static void much_is_dropped(void)
{
    struct str out = {0};
    struct err e;
    int status;
    struct command_options o = {.most = 1000};
    ok(shell("head -c 5000000 /dev/zero; echo end", &o, &out, &out, &status, &e) == 0 &&
           status == 0,
       "a flood is read to its end");
    ok(out.length == 1000, "and kept as far as is asked");
    o.limit = 0.2;
    ok(shell("exec cat /dev/zero", &o, &out, &out, &status, &e) == ERR_SYSTEM &&
           status == COMMAND_LATE,
       "one that never ends, at its limit");
    str_free(&out);
}

/* The process whose number is on this line. */
static bool is_gone(const char *line)
{
    pid_t pid = (pid_t)strtol(line, NULL, 10);
    for (int i = 0; i < 18000 && pid > 0; i++) {
        if (kill(pid, 0) != 0 && errno == ESRCH)
            return true;
        usleep(10000); /* its new parent has not reaped it yet */
    }
    return false;
}

/* Runs a script that prints a number and hangs; raises its limit until the number is printed. */
static bool is_late(const char *script, struct command_options *o, struct str *out, struct err *e)
{
    struct str err = {0};
    int code = 0, status = 0;
    for (o->limit = 0.2; o->limit < 100; o->limit *= 2) {
        code = shell(script, o, out, &err, &status, e);
        if (out->length > 0)
            break;
    }
    str_free(&err);
    return code == ERR_SYSTEM && status == COMMAND_LATE;
}

static void none_stays(void)
{
    struct str out = {0}, err = {0};
    struct err e;
    int status;
    struct command_options o = {0};
    char message[80];
    ok(is_late("sleep 1000 & echo $!; wait", &o, &out, &e), "one that hangs is ended");
    snprintf(message, sizeof message, "sh did not answer within %g seconds", o.limit);
    is_text(e.message, message, "the message");
    ok(is_gone(str_text(&out)), "with all it has started");
    ok(is_late("trap '' TERM; echo $$; while :; do sleep 1000; done", &o, &out, &e) &&
           is_gone(str_text(&out)),
       "one that does not listen is killed");
    ok(shell("sleep 1000 & echo $!", NULL, &out, &err, &status, &e) == 0 && status == 0,
       "one that leaves another behind which has its outputs");
    ok(is_gone(str_text(&out)), "that is ended, too");
    str_free(&out);
    str_free(&err);
}

static void programs_are_found(void)
{
    char path[PATH_MAX];
    struct err e = {0};
    int status;
    const char *const missing[] = {"wick-no-such-program", NULL};
    ok(command_run(missing, NULL, NULL, NULL, &status, &e) == ERR_USER && status == COMMAND_MISSING,
       "a program that is not there");
    is_text(e.message, "cannot start wick-no-such-program: No such file or directory",
            "the message");
    ok(command_find("sh", path) && path[0] == '/', "sh is on PATH");
    ok(!command_find("wick-no-such-program", path), "another is not");
    ok(!command_find("", path), "no name is no program");
    ok(command_find("/bin/sh", path), "a path is itself");
    ok(!command_find("/etc/passwd", path) && !command_find("/etc", path), "but must be a program");
    setenv("PATH", "/no/such::/bin:/usr/bin", 1);
    ok(command_find("sh", path), "folders without it are passed over");
}

int main(void)
{
    what_it_says_is_heard();
    options_count();
    much_is_dropped();
    none_stays();
    programs_are_found();
    return tap_end();
}
