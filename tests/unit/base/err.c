/* err - messages, context, lists, and how BUG() ends the program. */
#include "base/base.h"
#include "tap.h"

#include <errno.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

static void errors_are_set(void)
{
    struct err e = {0};
    ok(err_set(&e, ERR_USER, "%s is %d", "x", 3) == ERR_USER && e.code == ERR_USER,
       "the code is set and returned");
    is_text(e.message, "x is 3", "the message is formatted");
    errno = ENOENT;
    ok(err_system(&e, "cannot open %s", "f") == ERR_SYSTEM && e.code == ERR_SYSTEM,
       "the machine's refusal");
    is_text(e.message, "cannot open f: No such file or directory", "errno is told");
    err_set(&e, ERR_USER, "again: %s", e.message);
    is_text(e.message, "again: cannot open f: No such file or directory",
            "a message may hold the one before");
}

static void context_is_put_before(void)
{
    struct err e = {0};
    err_set(&e, ERR_USER, "bad value");
    ok(err_wrap(&e, "parameter %s", "lr") == ERR_USER, "the code stays");
    err_wrap(&e, "study.yaml");
    is_text(e.message, "study.yaml: parameter lr: bad value", "the outermost comes first");
}

static void long_messages_are_cut(void)
{
    struct err e = {0};
    err_set(&e, ERR_USER, "%2000d", 1);
    ok(strlen(e.message) == sizeof e.message - 1, "a long message fills the room");
    err_wrap(&e, "context");
    ok(strncmp(e.message, "context:    ", 12) == 0 && strlen(e.message) == sizeof e.message - 1,
       "context has precedence");
    errno = EAGAIN;
    err_thread(&e, "cannot start %d threads", 3);
    is_text(e.message,
            "cannot start 3 threads: there is not enough memory, or there are too many processes "
            "and threads (ulimit -v and -u limit them)",
            "a thread that cannot be started");
    errno = EACCES;
    err_system(&e, "%2000d", 1);
    ok(strlen(e.message) == sizeof e.message - 1, "a long message of the machine is cut, too");
    err_wrap(&e, "%2000d", 1);
    ok(strlen(e.message) == sizeof e.message - 1, "and long context");
}

static void a_list_has_a_limit(void)
{
    struct err_list list = {0};
    for (int i = 0; i < ERR_LIST_LIMIT + 50; i++) {
        struct err *e = err_list_add(&list);
        if (e->code != ERR_USER || e->line != 0 || e->message[0] != 0)
            ok(false, "error %d is new", i);
        e->line = i;
        err_set(e, ERR_USER, "mistake %d", i);
    }
    ok(list.count == ERR_LIST_LIMIT + 50, "all mistakes are counted");
    bool kept = true;
    for (int i = 0; i < ERR_LIST_LIMIT; i++)
        kept = kept && list.items[i].line == i;
    ok(kept, "the first %d are kept in their order", ERR_LIST_LIMIT);
    err_list_free(&list);
    ok(list.count == 0 && !list.items, "the list is freed");
}

static void a_bug_ends_the_program(void)
{
    int ends[2];
    if (!ok(pipe(ends) == 0, "a pipe"))
        return;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        setrlimit(RLIMIT_CORE, &(struct rlimit){0});
        signal(SIGABRT, SIG_DFL);
        dup2(ends[1], 2);
        BUG("count is %d", 5);
    }
    close(ends[1]);
    char text[400] = "";
    size_t used = 0;
    ssize_t got;
    while ((got = read(ends[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)got;
    close(ends[0]);
    int status = 0;
    waitpid(child, &status, 0);
    ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "BUG() aborts");
    ok(strstr(text, "wick: a bug at ") && strstr(text, "err.c:") && strstr(text, "count is 5\n"),
       "it says where and what");
}

int main(void)
{
    errors_are_set();
    context_is_put_before();
    long_messages_are_cut();
    a_list_has_a_limit();
    a_bug_ends_the_program();
    return tap_end();
}
