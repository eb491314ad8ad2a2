/* memory.c - what the reports leave behind when there is no memory. */
#include "report/out.h"

#include "journal_fixture.h"

#include <dirent.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <sys/wait.h>

static const char definition[] = "model: {command: train}\nspace: {x: {float: [0, 1]}}\n";
static const char lines[] =
    "{\"open\":0,\"host\":\"n1\",\"pid\":7,\"workers\":1,\"trials\":1,\"limit\":0}\n"
    "{\"start\":1,\"time\":0.1,\"worker\":1,\"params\":{\"x\":0.25}}\n"
    "{\"end\":1,\"time\":1.1,\"took\":1,\"worker\":1,\"state\":\"done\",\"score\":0.5,\"cpu\":1}\n"
    "{\"close\":2,\"why\":\"done\"}\n";

/* ---- an SQLite whose memory runs out ---- */

static sqlite3_mem_methods original;
static long allowed; /* allocations that still succeed */

static void *fail_malloc(int size)
{
    return allowed-- > 0 ? original.xMalloc(size) : NULL;
}

static void *fail_realloc(void *memory, int size)
{
    return allowed-- > 0 ? original.xRealloc(memory, size) : NULL;
}

static void make_sqlite_fail(void)
{
    sqlite3_config(SQLITE_CONFIG_GETMALLOC, &original);
    sqlite3_mem_methods failing = original;
    failing.xMalloc = fail_malloc;
    failing.xRealloc = fail_realloc;
    ok(sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) == SQLITE_OK, "an SQLite that can fail");
    allowed = 1000000;
    ok(sqlite3_initialize() == SQLITE_OK, "starts");
}

/* Fails after each number of allocations; stops at the first that is enough. */
static void test_queries(struct fixture *f, enum report_form form, const char *name)
{
    char *path = fixture_path(f, "rows");
    struct report_target target = {.path = path};
    int result = -1, wrong = 0;
    long most = 0;
    for (; result != 0 && most < 100000; most++) {
        struct err e = {0};
        allowed = most;
        result = report_sql(&f->journal, "select * from trials", form, target, &e);
        wrong += result != 0 && (e.code != ERR_SYSTEM || !strstr(e.message, "out of memory"));
    }
    ok(result == 0 && most > 10, "%s needs memory, and works with enough of it", name);
    ok(wrong == 0, "and else says that there is none");
    allowed = 1000000;
    unlink(path);
    free(path);
}

/* ---- temporary files ---- */

static int count_temporaries(const struct fixture *f)
{
    int count = 0;
    DIR *dir = opendir(f->dir);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += strstr(entry->d_name, ".tmp") != NULL;
    if (dir)
        closedir(dir);
    return count;
}

static void test_temporary(struct fixture *f)
{
    char *path = fixture_path(f, "page");
    int status = 0;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        struct out out;
        struct err e = {0};
        int there = out_open(&out, (struct report_target){.path = path}, 0666, &e) == 0 &&
                    count_temporaries(f) == 1;
        int nothing = open("/dev/null", O_WRONLY);
        dup2(nothing, STDOUT_FILENO);
        dup2(nothing, STDERR_FILENO);
        if (there)
            memory_out();
        _exit(9);
    }
    ok(waitpid(pid, &status, 0) == pid && WIFEXITED(status) && WEXITSTATUS(status) == 1,
       "a program runs out of memory while it writes");
    ok(count_temporaries(f) == 0, "and leaves no temporary file");
    free(path);
}

int main(void)
{
    struct fixture f;
    make_sqlite_fail();
    fixture_open(&f, definition, lines);
    test_queries(&f, REPORT_CSV, "CSV");
    test_queries(&f, REPORT_LINES, "JSON");
    test_queries(&f, REPORT_TABLE, "a table");
    test_temporary(&f);
    ok(count_temporaries(&f) == 0, "nor does a query that fails");
    fixture_close(&f);
    return tap_end();
}
