/* DIR/jobs: what is written is read back, torn lines are left out, and appends stay whole. */
#include "launch/launch.h"
#include "tap.h"

#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/wick-record-XXXXXX";
static char path[64];

static void add_bytes(const char *text)
{
    FILE *file = fopen(path, "a");
    fputs(text, file);
    fclose(file);
}

static void submit(const char *id, uint64_t link, const char *after)
{
    struct err e = {0};
    struct launch_entry entry = {.scheduler = "slurm", .link = link, .links = 3, .submitted = 1000};
    snprintf(entry.id, sizeof entry.id, "%s", id);
    snprintf(entry.after, sizeof entry.after, "%s", after);
    launch_record_submitted(dir, &entry, &e);
    ok(e.code == 0, "job %s is recorded", id);
}

static void test_nothing(void)
{
    struct err e = {0};
    struct launch_record record;
    ok(launch_record_load(&record, dir, &e) == 0 && record.count == 0, "no file is no jobs");
    launch_record_free(&record);
    launch_record_load(&record, "/nonexistent", &e);
    ok(e.code == 0 && record.count == 0, "nor is no folder");
}

static void test_life(void)
{
    struct err e = {0};
    struct launch_record record;
    submit("12", 1, "");
    setenv("SLURM_JOB_ID", "12", 1);
    setenv("SLURM_JOB_END_TIME", "4000000000", 1);
    launch_record_began(dir, "12", &e);
    unsetenv("SLURM_JOB_ID");
    submit("13", 2, "12");
    launch_record_ended(dir, "12", "deadline", &e);
    launch_record_load(&record, dir, &e);
    ok(e.code == 0 && record.count == 2, "two jobs");
    const struct launch_entry *first = launch_record_find(&record, "12");
    ok(first && first->began > 1e9 && first->ended >= first->began && first->starts == 1,
       "the first began and ended");
    is_text(first->end, "deadline", "and told why");
    ok(first->until == 4e9, "and when it would have to end");
    ok(first->submitted == 1000 && first->link == 1 && first->links == 3, "its place in the chain");
    is_text(first->scheduler, "slurm", "and its scheduler");
    const struct launch_entry *next = launch_record_after(&record, "12");
    ok(next && strcmp(next->id, "13") == 0 && next->began == 0, "the second waits for it");
    ok(!launch_record_after(&record, "13") && !launch_record_find(&record, "1"), "others are not");
    ok(launch_record_follows(&record, "13", "12") && !launch_record_follows(&record, "12", "13") &&
           !launch_record_follows(&record, "1", "12"),
       "so it comes after the first had ended");
    launch_record_free(&record);
}

static void test_again(void)
{
    struct err e = {0};
    struct launch_record record;
    launch_record_began(dir, "12", &e);
    launch_record_load(&record, dir, &e);
    const struct launch_entry *first = launch_record_find(&record, "12");
    ok(first->starts == 2 && first->ended == 0 && !first->end[0], "a job that was started anew");
    launch_record_free(&record);
}

static void test_torn(void)
{
    struct err e = {0};
    struct launch_record record;
    add_bytes("{\"submitted\":1,\"id\":\"99\"");
    submit("14", 1, "");
    add_bytes(
        "\n[]\nnonsense\n{\"id\":3}\n{\"began\":5}\n"
        "{\"later\":{\"a\":[1]},\"submitted\":7,\"id\":\"15\"}\n{\"submitted\":8,\"id\":\"16\"");
    launch_record_load(&record, dir, &e);
    ok(!launch_record_find(&record, "99"), "a torn line is left out");
    ok(launch_record_find(&record, "14") != NULL, "and does not take the next one with it");
    ok(launch_record_find(&record, "15") != NULL, "keys of a later version are no mistake");
    ok(!launch_record_find(&record, "16") && record.count == 4, "nor is there more");
    launch_record_free(&record);
}

/* Numbers are reused, so jobs may seem to wait for each other. */
static void test_follows(void)
{
    static struct launch_entry entries[] = {{.id = "1.server"},
                                            {.id = "2", .after = "1.server"},
                                            {.id = "3", .after = "2"},
                                            {.id = "8", .after = "9"},
                                            {.id = "9", .after = "8"}};
    struct launch_record record = {entries, sizeof entries / sizeof *entries};
    ok(launch_record_follows(&record, "3", "1.server.example.org"), "the third follows the first");
    ok(!launch_record_follows(&record, "8", "3"), "a circle has an end");
}

/* A job may begin before its submission has been recorded. */
static void test_early(void)
{
    struct err e = {0};
    struct launch_record record;
    launch_record_began(dir, "20", &e);
    submit("20", 2, "14");
    submit("14", 1, "");
    launch_record_load(&record, dir, &e);
    const struct launch_entry *entry = launch_record_find(&record, "20");
    ok(entry && entry->began > 0 && entry->starts == 1 && entry->link == 2, "it began early");
    is_text(entry->after, "14", "and what it waited for is known");
    entry = launch_record_find(&record, "14");
    ok(entry && record.count == 6 && entry - record.entries == 5,
       "a number that comes again is another job, and the later one is meant");
    launch_record_free(&record);
}

/* PBS: qsub may give the server with its domain and the job without it, or the other way round. */
static void test_servers(void)
{
    struct err e = {0};
    struct launch_record record;
    remove(path);
    submit("12.pbs", 1, "");
    submit("13.pbs.example.org", 1, "");
    launch_record_load(&record, dir, &e);
    const struct launch_entry *first = launch_record_find(&record, "12.pbs.example.org");
    const struct launch_entry *second = launch_record_find(&record, "13.pbs");
    ok(first == &record.entries[0] && second == &record.entries[1], "with and without a domain");
    ok(!launch_record_find(&record, "12") && !launch_record_find(&record, "12.pbs2") &&
           !launch_record_find(&record, "1.pbs"),
       "others are not found");
    launch_record_free(&record);
}

/* Several processes append at once; no line is torn or lost. */
static void test_concurrent(void)
{
    enum { WRITERS = 4, LINES = 25 };
    struct err e = {0};
    struct launch_record record;
    remove(path);
    submit("1", 1, "");
    fflush(stdout);
    for (int i = 0; i < WRITERS; i++)
        if (fork() == 0) {
            struct err mine = {0};
            for (int k = 0; k < LINES; k++)
                launch_record_began(dir, "1", &mine);
            _exit(mine.code != 0);
        }
    int status, failed = 0;
    while (wait(&status) > 0)
        failed += status != 0;
    launch_record_load(&record, dir, &e);
    ok(failed == 0 && record.count == 1 && record.entries[0].starts == WRITERS * LINES,
       "%d lines of %d writers are whole", LINES, WRITERS);
    launch_record_free(&record);
}

int main(void)
{
    if (!mkdtemp(dir))
        return 1;
    snprintf(path, sizeof path, "%s/jobs", dir);
    test_nothing();
    test_life();
    test_again();
    test_torn();
    test_follows();
    test_early();
    test_servers();
    test_concurrent();
    remove(path);
    rmdir(dir);
    return tap_end();
}
