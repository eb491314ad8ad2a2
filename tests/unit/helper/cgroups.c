/*
 * cgroups.c - control groups for trials: what is written where, on a folder that stands in for one
 * with the memory controller; and on a real one, where this user may make groups, how they end.
 */
#include "helper/cgroups.h"
#include "tap.h"

#include <dirent.h>
#include <ftw.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORKERS = 3 };

static char base[] = "/tmp/wick-cgroups-XXXXXX";

static const char *path_to(const char *file)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", base, file);
    return path;
}

static void make(const char *file, const char *text)
{
    FILE *f = fopen(path_to(file), "we");
    fputs(text, f);
    fclose(f);
}

static const char *content(const char *file)
{
    static char text[512];
    FILE *f = fopen(path_to(file), "re");
    size_t length = f ? fread(text, 1, sizeof text - 1, f) : 0;
    text[length] = 0;
    if (f)
        fclose(f);
    return f ? text : "(no file)";
}

/* The name of a helper's group in a folder; "" when there is none. */
static const char *group_in(const char *folder)
{
    static char name[256];
    DIR *d = opendir(folder);
    name[0] = 0;
    for (struct dirent *entry; (entry = readdir(d));)
        if (strncmp(entry->d_name, "wick-", 5) == 0)
            snprintf(name, sizeof name, "%s", entry->d_name);
    closedir(d);
    return name;
}

static const char *in_own(const char *file)
{
    static char path[512];
    snprintf(path, sizeof path, "%s/%s", group_in(base), file);
    return path;
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *place)
{
    (void)info, (void)type;
    return place->level > 0 ? remove(path) : 0;
}

/* Files do not go by themselves here, as those of a group do. */
static void clear(void)
{
    if (nftw(base, remove_one, 8, FTW_DEPTH | FTW_PHYS) != 0)
        ok(false, "an empty folder");
}

static void a_limit(void)
{
    clear();
    make("cgroup.controllers", "cpu memory pids\n");
    struct cgroups *c = cgroups_open(base, WORKERS, true);
    ok(c && cgroups_keep_limits(c), "a delegated group with the memory controller limits memory");
    is_text(content("cgroup.subtree_control"), "+memory", "for its children");
    is_text(content(in_own("cgroup.subtree_control")), "+memory", "and theirs");
    int joining = cgroups_begin(c, 1, 64 << 20);
    ok(joining >= 0 && write(joining, "0", 1) == 1, "a program joins");
    close(joining);
    is_text(content(in_own("2-1/memory.max")), "67108864", "a group with the limit");
    is_text(content(in_own("2-1/memory.swap.max")), "0", "which swap does not extend");
    is_text(content(in_own("2-1/memory.oom.group")), "1", "and which ends as a whole");
    is_text(content(in_own("2-1/cgroup.procs")), "0", "by writing to the descriptor");
    ok(cgroups_over(c, 1) == 0, "a program that has kept the limit");
    make(in_own("2-1/memory.events"),
         "low 0\nhigh 0\nmax 7\noom 1\noom_kill 2\noom_group_kill 1\n");
    ok(cgroups_over(c, 1) == 64 << 20, "and one that has not");
    ok(cgroups_over(c, 0) == 0, "another worker has no part in it");
    cgroups_end(c, 1);
    is_text(content(in_own("2-1/cgroup.kill")), "1", "in the end all of the group is killed");
    ok(cgroups_begin(c, 1, 1 << 20) >= 0, "the next program");
    is_text(content(in_own("2-2/memory.max")), "1048576", "has a group of its own");
    cgroups_close(c);
}

static void others_in_the_group(void)
{
    clear();
    make("cgroup.controllers", "memory\n");
    make("cgroup.procs", "1\n");
    mkdir(path_to("cgroup.subtree_control"), 0700); /* so that writing to it fails */
    struct cgroups *c = cgroups_open(base, WORKERS, true);
    ok(c && !cgroups_keep_limits(c), "a group with other processes has no limits");
    is_text(content(in_own("self/cgroup.procs")), "(no file)", "nobody is moved");
    cgroups_close(c);
}

static void alone_in_the_group(void)
{
    char pids[64];
    clear();
    snprintf(pids, sizeof pids, "%d\n%d\n", (int)getppid(), (int)getpid());
    make("cgroup.controllers", "memory\n");
    make("cgroup.procs", pids);
    mkdir(path_to("cgroup.subtree_control"), 0700);
    struct cgroups *c = cgroups_open(base, WORKERS, true);
    snprintf(pids, sizeof pids, "%d%d", (int)getppid(), (int)getpid());
    is_text(content(in_own("self/cgroup.procs")), pids, "Wick and its helper make room");
    ok(!cgroups_keep_limits(c), "when that does not help, there are no limits");
    ok(strlen(content("cgroup.procs")) > 2 * strlen(pids), "and they move back");
    cgroups_close(c);
}

static void no_controller(void)
{
    clear();
    make("cgroup.controllers", "hugetlb\n");
    struct cgroups *c = cgroups_open(base, WORKERS, true);
    ok(c && !cgroups_keep_limits(c), "without the memory controller there are no limits");
    cgroups_close(c);
    ok(!cgroups_open("/proc/self/nothing", WORKERS, false), "a folder that is not there");
    ok(!cgroups_open(base, WORKERS, false), "an ordinary folder is no control group");
}

/* ---- a real one ---- */

static pid_t start_in(int joining, bool *joined)
{
    int told[2];
    char letter = 0;
    if (pipe(told) != 0)
        return -1;
    pid_t pid = fork();
    if (pid == 0) {
        letter = write(joining, "0", 1) == 1 ? 'y' : 'n';
        setsid();
        pid_t child = fork(); /* a child that nobody knows */
        if (child != 0)
            (void)!write(told[1], &letter, 1);
        for (;;)
            pause();
    }
    (void)!read(told[0], &letter, 1);
    close(told[0]);
    close(told[1]);
    *joined = letter == 'y';
    return pid;
}

/* In a group of this test's own, below the one that it was started in. */
static void kill_a_group(const char *group)
{
    bool joined = false;
    int status = 0;
    struct cgroups *c = cgroups_open(group, WORKERS, false);
    int joining = cgroups_begin(c, 0, 64 << 20);
    pid_t pid = start_in(joining, &joined);
    ok(joined, "a program joins a real group, %s", group);
    close(joining);
    cgroups_end(c, 0);
    ok(waitpid(pid, &status, 0) == pid && WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL,
       "which ends as a whole");
    struct cgroups *other = cgroups_open(group, WORKERS, false);
    ok(cgroups_begin(c, 0, 64 << 20) >= 0, "a second helper does not end the groups of the first");
    cgroups_close(other);
    cgroups_close(c);
    is_text(group_in(group), "", "nothing is left of it");
}

static void in_a_real_group(void)
{
    struct str group = {0};
    if (cgroups_find(&group)) {
        ok(group.text[0] == '/', "the group of this process is %s", group.text);
        str_add(&group, "/unit-XXXXXX");
        if (mkdtemp(group.text)) { /* most users may not */
            kill_a_group(group.text);
            rmdir(group.text);
        }
    }
    str_free(&group);
}

int main(void)
{
    if (!mkdtemp(base))
        return 1;
    a_limit();
    others_in_the_group();
    alone_in_the_group();
    no_controller();
    in_a_real_group();
    clear();
    rmdir(base);
    return tap_end();
}
