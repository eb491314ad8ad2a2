/* files.c - files that the runtime itself makes. */
#include "flow/files.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPY_SIZE = 1 << 16 };

static int cannot(struct err *e, const char *doing, const char *path)
{
    return err_set(e, ERR_USER, "cannot %s '%s': %s", doing, path, strerror(errno));
}

/* Makes the folders of a path. */
static int make_folders(struct slice path, struct err *e)
{
    struct str folder = {0};
    int result = 0;
    str_add_bytes(&folder, path.text, path.length);
    for (size_t i = 1; i < folder.length && result == 0; i++) {
        if (folder.text[i] != '/')
            continue;
        folder.text[i] = 0;
        if (mkdir(folder.text, 0777) != 0 && errno != EEXIST)
            result = cannot(e, "make the folder", folder.text);
        folder.text[i] = '/';
    }
    str_free(&folder);
    return result;
}

/* Returns 0, or the path that failed, with errno. */
static const char *copy_bytes(int in, int out, const char *from, const char *to)
{
    static const size_t size = COPY_SIZE;
    char *bytes = memory_new(size, 1);
    const char *failed = NULL;
    for (ssize_t got; !failed && (got = read(in, bytes, size)) != 0;) {
        if (got < 0) {
            failed = errno == EINTR ? NULL : from;
            continue;
        }
        for (ssize_t done = 0, put; done < got && !failed; done += put) {
            put = write(out, bytes + done, (size_t)(got - done));
            if (put < 0 && errno != EINTR)
                failed = to;
            put = put < 0 ? 0 : put;
        }
    }
    free(bytes);
    return failed;
}

static bool is_same_file(int in, const char *to)
{
    struct stat a, b;
    return fstat(in, &a) == 0 && stat(to, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

static int copy(const char *from, const char *to, struct err *e)
{
    int in = open(from, O_RDONLY | O_CLOEXEC);
    if (in < 0)
        return cannot(e, "read", from);
    if (is_same_file(in, to)) {
        close(in);
        return 0;
    }
    int out = open(to, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666), result = 0;
    if (out < 0) {
        result = cannot(e, "write", to);
    } else {
        const char *failed = copy_bytes(in, out, from, to);
        if (failed)
            result = cannot(e, failed == to ? "write" : "read", failed);
        if (close(out) != 0 && result == 0)
            result = cannot(e, "write", to);
    }
    close(in);
    return result;
}

int files_copy(struct slice from, struct slice to, struct err *e)
{
    struct str source = {0}, target = {0};
    str_add_bytes(&source, from.text, from.length);
    str_add_bytes(&target, to.text, to.length);
    int result = make_folders(to, e);
    if (result == 0)
        result = copy(source.text, target.text, e);
    str_free(&source);
    str_free(&target);
    return result;
}

int files_temporary(struct str *path, struct err *e)
{
    static const char suffix[] = ".turbine";
    const char *folder = getenv("SWIFT_TMP");
    if (!folder || !*folder)
        folder = getenv("TMP");
    if (!folder || !*folder)
        folder = "/tmp";
    size_t start = path->length;
    str_printf(path, "%s/wick-XXXXXX%s", folder, suffix);
    int fd = mkostemps(path->text + start, (int)strlen(suffix), O_CLOEXEC);
    if (fd < 0)
        return cannot(e, "make a temporary file in", folder);
    close(fd);
    return 0;
}
