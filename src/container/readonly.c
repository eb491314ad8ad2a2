/*
 * readonly.c - read-only binds for runtimes that have none of their own.
 *
 * Such a runtime is started by Wick itself, `wick read-only PLACE SOURCE ... -- RUNTIME ...`: in a
 * mount namespace of its own, each SOURCE is bound read-only as PLACE/0, PLACE/1, ..., and the
 * runtime binds those. The kernel enforces it. A second namespace follows: from within that one,
 * not even root can change how the binds are mounted.
 */
#include "container/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- the command line ---- */

bool readonly_needed(const struct runtime *runtime, const struct bind *bind)
{
    return bind->read_only && bind->role == BIND_ANY && !runtime->has_read_only;
}

const char *readonly_place(struct container *c, size_t index)
{
    return arena_printf(&c->arena, "%s/read-only/%zu", c->place, index);
}

int readonly_make_place(const struct container *c, struct err *e)
{
    struct str path = {0};
    str_printf(&path, "%s/read-only", c->place);
    int folder = study_make_folder(path.text, e);
    if (folder >= 0)
        close(folder);
    str_free(&path);
    return e->code;
}

void readonly_remove_place(const struct container *c)
{
    struct str path = {0};
    str_printf(&path, "%s/read-only", c->place);
    rmdir(path.text);
    str_free(&path);
}

void readonly_add(const struct container *c, struct words *words)
{
    if (c->read_only.count == 0)
        return;
    words_add(words, "%s", c->self);
    words_add(words, CONTAINER_READ_ONLY);
    words_add(words, "%s/read-only", c->place);
    for (size_t i = 0; i < c->read_only.count; i++)
        words_add(words, "%s", c->read_only.all[i].source);
    words_add(words, "--");
}

/* ---- in the process that becomes the runtime ---- */

static int write_text(const char *path, const char *text, struct err *e)
{
    int fd = open(path, O_WRONLY | O_CLOEXEC);
    bool written = fd >= 0 && write(fd, text, strlen(text)) == (ssize_t)strlen(text);
    if (!written)
        err_system(e, "cannot write %s", path);
    if (fd >= 0)
        close(fd);
    return e->code;
}

/* Enters new namespaces in which the user keeps their own ids. */
static int enter(struct err *e)
{
    char user[64], group[64];
    snprintf(user, sizeof user, "%u %u 1\n", (unsigned)geteuid(), (unsigned)geteuid());
    snprintf(group, sizeof group, "%u %u 1\n", (unsigned)getegid(), (unsigned)getegid());
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        return err_set(e, ERR_SYSTEM, "this machine does not allow user namespaces");
    return write_text("/proc/self/setgroups", "deny", e) ||
                   write_text("/proc/self/uid_map", user, e) ||
                   write_text("/proc/self/gid_map", group, e)
               ? e->code
               : 0;
}

/* The flags of a mount, which a user must keep, from its options: "rw,nosuid,relatime". */
static unsigned long flags_of(const char *options)
{
    static const struct {
        const char *name;
        unsigned long flag;
    } known[] = {{"nosuid", MS_NOSUID},   {"nodev", MS_NODEV},           {"noexec", MS_NOEXEC},
                 {"noatime", MS_NOATIME}, {"nodiratime", MS_NODIRATIME}, {"relatime", MS_RELATIME}};
    struct mount mount = {.type = ""};
    unsigned long flags = 0;
    snprintf(mount.options, sizeof mount.options, ",%s,", options);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (mount_has(&mount, known[i].name))
            flags |= known[i].flag;
    return flags;
}

/* Replaces \040 and the like, as mountinfo has them, by their characters. */
static void decode(char *text)
{
    char *to = text;
    for (const char *from = text; *from; to++) {
        bool escaped = *from == '\\' && strspn(from + 1, "01234567") >= 3;
        *to = escaped ? (char)((from[1] - '0') * 64 + (from[2] - '0') * 8 + from[3] - '0') : *from;
        from += escaped ? 4 : 1;
    }
    *to = 0;
}

/* Makes all that is mounted at a path or below it read-only; *count is how many. */
static int close_mounts(const char *path, size_t *count, struct err *e)
{
    char *line = NULL, point[PATH_MAX], options[512];
    size_t room = 0;
    *count = 0;
    FILE *file = fopen("/proc/self/mountinfo", "re");
    if (!file)
        return err_system(e, "cannot read /proc/self/mountinfo");
    while (!e->code && getline(&line, &room, file) > 0) {
        if (sscanf(line, "%*u %*u %*s %*s %4095s %511s", point, options) != 2)
            continue;
        decode(point);
        if (!binds_is_in(point, path))
            continue;
        if (mount(NULL, point, NULL, MS_REMOUNT | MS_BIND | MS_RDONLY | flags_of(options), NULL))
            err_system(e, "cannot make %s read-only", point);
        (*count)++;
    }
    free(line);
    fclose(file);
    return e->code;
}

static int bind_one(const char *source, const char *target, struct err *e)
{
    struct stat info;
    size_t count = 0;
    if (stat(source, &info) != 0)
        return err_system(e, "cannot bind %s", source);
    int fd = S_ISDIR(info.st_mode) ? mkdir(target, 0700)
                                   : open(target, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd < 0)
        return err_system(e, "cannot create %s", target);
    if (!S_ISDIR(info.st_mode))
        close(fd);
    if (mount(source, target, NULL, MS_BIND | MS_REC, NULL) != 0)
        return err_system(e, "cannot bind %s", source);
    if (close_mounts(target, &count, e))
        return e->code;
    return count > 0 ? 0 : err_set(e, ERR_SYSTEM, "cannot find the mount of %s", source);
}

int container_read_only(char **words, struct err *e)
{
    char place[PATH_MAX], target[PATH_MAX + 32];
    if (!words[0] || !realpath(words[0], place))
        return err_system(e, "cannot bind read-only at %s", words[0] ? words[0] : "nowhere");
    char **sources = words + 1, **program = sources;
    while (*program && strcmp(*program, "--") != 0)
        program++;
    if (!*program || !program[1])
        return err_set(e, ERR_USER, "%s: there is no program", CONTAINER_READ_ONLY);
    if (enter(e))
        return err_wrap(e, "cannot bind %s read-only", sources[0]);
    if (mount("wick", place, "tmpfs", MS_NOSUID | MS_NODEV, "mode=0755") != 0)
        return err_system(e, "cannot mount anything at %s", place);
    for (char **source = sources; source < program; source++) {
        snprintf(target, sizeof target, "%s/%d", place, (int)(source - sources));
        if (bind_one(*source, target, e))
            return e->code;
    }
    if (enter(e))
        return e->code;
    execv(program[1], program + 1);
    return err_system(e, "cannot start %s", program[1]);
}
