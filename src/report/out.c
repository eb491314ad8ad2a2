/* out.c - text on its way to a file or a descriptor. */
#include "report/out.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OUT_MUCH = 1 << 16 };

/* Where links lead to what a program has open, as /dev/stdout does. */
static bool is_systems(const char *path)
{
    return strncmp(path, "/dev/", 5) == 0 || strncmp(path, "/proc/", 6) == 0;
}

bool out_is_special(const char *path)
{
    struct stat status;
    if (lstat(path, &status) != 0 || S_ISREG(status.st_mode))
        return false;
    return !S_ISLNK(status.st_mode) || is_systems(path);
}

static const char *unfinished; /* NULL: there was none yet; "": there is none now */

static void remove_unfinished(void)
{
    if (unfinished[0])
        unlink(unfinished);
}

void out_remember(const char *temporary)
{
    bool is_first = !unfinished;
    unfinished = temporary;
    if (is_first)
        atexit(remove_unfinished);
}

void out_forget(void)
{
    unfinished = "";
}

unsigned out_mode(const struct study *study)
{
    return study->shows_secrets && study_has_secrets(study) ? 0600 : 0666;
}

int out_open(struct out *out, struct report_target target, unsigned mode, struct err *e)
{
    *out = (struct out){.path = target.path, .fd = target.fd};
    if (!target.path)
        return 0;
    if (target.is_own || !out_is_special(target.path)) {
        struct str name = {0};
        out->fd = str_create_beside(&name, target.path, mode);
        out->temporary = name.text;
    } else {
        int follow = is_systems(target.path) ? 0 : O_NOFOLLOW;
        out->fd = open(target.path, O_WRONLY | O_TRUNC | O_CLOEXEC | follow);
    }
    if (out->fd >= 0 && out->temporary)
        out_remember(out->temporary);
    if (out->fd >= 0)
        return 0;
    free(out->temporary);
    return err_system(e, "cannot write %s", target.path);
}

static void write_away(struct out *out)
{
    const char *at = str_text(&out->text);
    size_t left = out->text.length;
    while (left > 0 && !out->number) {
        ssize_t done = write(out->fd, at, left);
        if (done < 0 && errno != EINTR)
            out->number = errno;
        if (done > 0) {
            at += done;
            left -= (size_t)done;
        }
    }
    str_clear(&out->text);
}

void out_turn(struct out *out)
{
    if (out->text.length >= OUT_MUCH)
        write_away(out);
}

int out_close(struct out *out, int failed, struct err *e)
{
    if (!failed)
        write_away(out);
    if (out->path && close(out->fd) != 0 && !out->number)
        out->number = errno;
    bool good = !failed && !out->number;
    if (good && out->temporary && rename(out->temporary, out->path) != 0)
        out->number = errno;
    if (out->temporary && (!good || out->number))
        unlink(out->temporary);
    if (!failed && out->number) {
        errno = out->number;
        failed = err_system(e, "cannot write %s", out->path ? out->path : "the output");
    }
    if (out->temporary)
        out_forget();
    free(out->temporary);
    str_free(&out->text);
    return failed;
}
