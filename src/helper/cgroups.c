/*
 * cgroups.c - control groups for trials with a memory limit.
 *
 * A group whose children have a memory limit may have no processes itself. So when Wick and its
 * helper are alone in theirs, as in `systemd-run --user --scope -p Delegate=yes wick run ...`, they
 * move to a child of their own, and back at the end. When others are there, such as the shell, the
 * kernel refuses limits: they are kept by looking at the family, as without groups.
 */
#include "helper/cgroups.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

enum { KILL_ROUNDS = 20, REMOVE_ROUNDS = 100, REMOVE_PAUSE = 5 /* milliseconds */ };

static const char PREFIX[] = "wick-";

struct cgroups {
    char *group, *own; /* the folders */
    int lock;          /* of `own` */
    bool is_stand_in, keep_limits, has_moved;
    unsigned workers, made; /* made: how many, for their names */
    char (*leaves)[32];     /* by worker: the name of its group in `own`; "": none */
};

/* ---- files of a group ---- */

static const char *path_of(struct str *path, const char *group, const char *leaf, const char *file)
{
    str_clear(path);
    str_printf(path, "%s%s%s%s%s", group, leaf[0] ? "/" : "", leaf, file[0] ? "/" : "", file);
    return path->text;
}

static int open_file(const struct cgroups *c, const char *group, const char *leaf, const char *file)
{
    struct str path = {0};
    int flags = O_WRONLY | O_CLOEXEC | (c->is_stand_in ? O_CREAT | O_APPEND : 0);
    int fd = open(path_of(&path, group, leaf, file), flags, 0600);
    str_free(&path);
    return fd;
}

static bool write_file(const struct cgroups *c, const char *group, const char *leaf,
                       const char *file, const char *text)
{
    int fd = open_file(c, group, leaf, file);
    if (fd < 0)
        return false;
    bool good = write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    close(fd);
    return good;
}

/* Such files have no size: they are read to their end. */
static bool read_file(const char *group, const char *leaf, const char *file, struct str *text)
{
    struct str path = {0};
    char bytes[4096];
    ssize_t got = -1;
    int fd = open(path_of(&path, group, leaf, file), O_RDONLY | O_CLOEXEC);
    str_clear(text);
    while (fd >= 0 && (got = read(fd, bytes, sizeof bytes)) > 0)
        str_add_bytes(text, bytes, (size_t)got);
    if (fd >= 0)
        close(fd);
    str_free(&path);
    return got == 0;
}

/* The number behind a key at the start of a line, as in "oom_kill 3"; 0: it is not there. */
static uint64_t number_of(const char *text, const char *key)
{
    size_t length = strlen(key);
    for (const char *at = text; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, key, length) == 0 && at[length] == ' ')
            return strtoull(at + length + 1, NULL, 10);
    return 0;
}

/* ---- ending a group ---- */

/* Before Linux 5.14 a group cannot be killed at once. */
static void kill_one_by_one(const char *group, const char *leaf)
{
    struct str text = {0};
    for (int round = 0; round < KILL_ROUNDS; round++) {
        if (!read_file(group, leaf, "cgroup.procs", &text) || text.length == 0)
            break;
        for (char *at = text.text, *end; *at; at = *end ? end + 1 : end) {
            long pid = strtol(at, &end, 10);
            if (end == at || pid <= 1)
                break;
            kill((pid_t)pid, SIGKILL);
        }
    }
    str_free(&text);
}

static void kill_all(const struct cgroups *c, const char *group, const char *leaf)
{
    if (!write_file(c, group, leaf, "cgroup.kill", "1"))
        kill_one_by_one(group, leaf);
}

/* Removes the groups in a helper's group; those that still have processes stay for now. */
static void remove_leaves(const struct cgroups *c, const char *own, bool ends_them)
{
    struct str path = {0};
    DIR *leaves = opendir(own);
    for (struct dirent *leaf; leaves && (leaf = readdir(leaves));) {
        if (leaf->d_type != DT_DIR || leaf->d_name[0] == '.')
            continue;
        if (ends_them && strcmp(leaf->d_name, "self") != 0)
            kill_all(c, own, leaf->d_name);
        rmdir(path_of(&path, own, leaf->d_name, ""));
    }
    if (leaves)
        closedir(leaves);
    str_free(&path);
}

/* A lock on the folder tells whether its helper lives, in whatever namespace. -1: it does. */
static int lock_folder(const char *path)
{
    int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW);
    if (fd >= 0 && flock(fd, LOCK_EX | LOCK_NB) != 0) {
        close(fd);
        fd = -1;
    }
    return fd;
}

static void remove_deserted(const struct cgroups *c)
{
    struct str path = {0};
    DIR *groups = opendir(c->group);
    for (struct dirent *group; groups && (group = readdir(groups));) {
        if (strncmp(group->d_name, PREFIX, sizeof PREFIX - 1) != 0)
            continue;
        int lock = lock_folder(path_of(&path, c->group, group->d_name, ""));
        if (lock < 0)
            continue;
        remove_leaves(c, path.text, true);
        rmdir(path.text);
        close(lock);
    }
    if (groups)
        closedir(groups);
    str_free(&path);
}

/* ---- limits ---- */

static bool allow_limits(const struct cgroups *c, const char *group)
{
    return write_file(c, group, "", "cgroup.subtree_control", "+memory");
}

/* Moves all processes of one group to another. */
static void move_processes(const struct cgroups *c, const char *from, const char *leaf,
                           const char *to, const char *to_leaf)
{
    struct str text = {0};
    char number[16];
    if (read_file(from, leaf, "cgroup.procs", &text))
        for (const char *at = str_text(&text); *at; at += strcspn(at, "\n"), at += *at == '\n') {
            snprintf(number, sizeof number, "%ld", strtol(at, NULL, 10));
            write_file(c, to, to_leaf, "cgroup.procs", number);
        }
    str_free(&text);
}

/* True when nobody but Wick and its helper is in the group that Wick was started in. */
static bool are_alone(const struct cgroups *c)
{
    struct str text = {0};
    bool alone = read_file(c->group, "", "cgroup.procs", &text);
    for (const char *at = str_text(&text); *at; at += strcspn(at, "\n"), at += *at == '\n') {
        long pid = strtol(at, NULL, 10);
        alone = alone && (pid == getpid() || pid == getppid());
    }
    str_free(&text);
    return alone;
}

static void move_back(struct cgroups *c)
{
    write_file(c, c->own, "", "cgroup.subtree_control", "-memory");
    write_file(c, c->group, "", "cgroup.subtree_control", "-memory");
    move_processes(c, c->own, "self", c->group, "");
    c->has_moved = false;
}

static void set_up_limits(struct cgroups *c)
{
    struct str text = {0};
    bool has_memory =
        read_file(c->group, "", "cgroup.controllers", &text) && strstr(str_text(&text), "memory");
    str_free(&text);
    if (!has_memory)
        return;
    bool allowed = allow_limits(c, c->group);
    if (!allowed && are_alone(c)) {
        mkdir(path_of(&text, c->own, "self", ""), 0700);
        str_free(&text);
        move_processes(c, c->group, "", c->own, "self");
        c->has_moved = true;
        allowed = allow_limits(c, c->group);
    }
    c->keep_limits = allowed && allow_limits(c, c->own);
    if (c->has_moved && !c->keep_limits)
        move_back(c);
}

/* ---- the door ---- */

/* The path behind "0::" in /proc/self/cgroup; false when there is none. */
static bool find_name(struct str *name)
{
    struct str text = {0};
    bool found = false;
    read_file("/proc/self", "", "cgroup", &text);
    for (const char *at = str_text(&text); *at && !found;) {
        size_t length = strcspn(at, "\n");
        found = strncmp(at, "0::/", 4) == 0;
        if (found)
            str_add_bytes(name, at + 3, length - 3);
        at += length + (at[length] == '\n');
    }
    str_free(&text);
    return found;
}

/* The mount point of version 2, and which group it shows there. */
static bool find_mount(char point[4096], char root[4096])
{
    struct str text = {0};
    bool found = false;
    read_file("/proc/self", "", "mountinfo", &text);
    for (const char *at = str_text(&text); *at && !found;) {
        size_t length = strcspn(at, "\n");
        const char *type = strstr(at, " - cgroup2 ");
        found =
            type && type < at + length && sscanf(at, "%*s %*s %*s %4095s %4095s", root, point) == 2;
        at += length + (at[length] == '\n');
    }
    str_free(&text);
    return found;
}

bool cgroups_find(struct str *group)
{
    char point[4096], root[4096];
    struct str name = {0};
    bool found = find_name(&name) && find_mount(point, root);
    size_t length = found && strcmp(root, "/") != 0 ? strlen(root) : 0;
    found = found && strncmp(name.text, root, length) == 0;
    if (found)
        str_printf(group, "%s%s", point, strcmp(name.text, "/") == 0 ? "" : name.text + length);
    str_free(&name);
    return found;
}

struct cgroups *cgroups_open(const char *group, unsigned workers, bool is_stand_in)
{
    struct cgroups *c = memory_new(1, sizeof *c);
    struct str own = {0};
    *c = (struct cgroups){.group = memory_copy(group),
                          .is_stand_in = is_stand_in,
                          .workers = workers,
                          .lock = -1,
                          .leaves = memory_new(workers, sizeof *c->leaves)};
    str_printf(&own, "%s/%sXXXXXX", group, PREFIX);
    c->own = own.text;
    remove_deserted(c);
    if (mkdtemp(c->own))
        c->lock = lock_folder(c->own);
    struct str path = {0};
    bool is_group = is_stand_in || access(path_of(&path, c->own, "", "cgroup.procs"), W_OK) == 0;
    str_free(&path);
    if (c->lock >= 0 && is_group) {
        set_up_limits(c);
        return c;
    }
    cgroups_close(c);
    return NULL;
}

bool cgroups_keep_limits(const struct cgroups *c)
{
    return c->keep_limits;
}

int cgroups_begin(struct cgroups *c, unsigned worker, uint64_t memory)
{
    struct str path = {0};
    char number[32], *leaf = c->leaves[worker];
    remove_leaves(c, c->own, false); /* that were not empty at once */
    snprintf(leaf, sizeof c->leaves[worker], "%u-%u", worker + 1, ++c->made);
    bool made = mkdir(path_of(&path, c->own, leaf, ""), 0700) == 0;
    str_free(&path);
    snprintf(number, sizeof number, "%llu", (unsigned long long)memory);
    if (made && c->keep_limits) {
        write_file(c, c->own, leaf, "memory.oom.group", "1");
        write_file(c, c->own, leaf, "memory.swap.max", "0"); /* where the kernel counts swap */
        made = write_file(c, c->own, leaf, "memory.max", number);
    }
    int joining = made ? open_file(c, c->own, leaf, "cgroup.procs") : -1;
    if (joining < 0)
        leaf[0] = 0;
    return joining;
}

uint64_t cgroups_over(const struct cgroups *c, unsigned worker)
{
    struct str text = {0};
    uint64_t peak = 0;
    if (!c->leaves[worker][0] || !c->keep_limits)
        return 0;
    const char *leaf = c->leaves[worker];
    bool over = read_file(c->own, leaf, "memory.events", &text) &&
                number_of(str_text(&text), "oom_kill") > 0;
    if (over && read_file(c->own, leaf, "memory.max", &text)) /* memory.peak is of Linux 5.19 */
        peak = strtoull(str_text(&text), NULL, 10);
    str_free(&text);
    return over && peak == 0 ? 1 : peak;
}

void cgroups_end(struct cgroups *c, unsigned worker)
{
    struct str path = {0};
    if (!c->leaves[worker][0])
        return;
    kill_all(c, c->own, c->leaves[worker]);
    rmdir(path_of(&path, c->own, c->leaves[worker], ""));
    str_free(&path);
    c->leaves[worker][0] = 0;
}

void cgroups_close(struct cgroups *c)
{
    if (c->lock >= 0) {
        remove_leaves(c, c->own, true);
        if (c->has_moved)
            move_back(c);
        remove_leaves(c, c->own, false);
        /* What was killed may need a moment; what needs longer goes when a helper starts next. */
        for (int round = 0; rmdir(c->own) != 0 && !c->is_stand_in && round < REMOVE_ROUNDS;
             round++) {
            poll(NULL, 0, REMOVE_PAUSE);
            remove_leaves(c, c->own, false);
        }
        close(c->lock);
    }
    free(c->leaves);
    free(c->group);
    free(c->own);
    free(c);
}
