/* str.c - slices and growing text. */
#include "base/base.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

struct slice slice_of(const char *text)
{
    return (struct slice){text, strlen(text)};
}

struct slice slice_last_line(struct slice text)
{
    if (text.length == 0) /* its text may be NULL */
        return text;
    const char *end = text.text + text.length, *start;
    while (end > text.text && strchr(" \t\r\n", end[-1]))
        end--;
    for (start = end; start > text.text && start[-1] != '\n' && start[-1] != '\r';)
        start--;
    return (struct slice){start, (size_t)(end - start)};
}

void str_reserve(struct str *s, size_t length)
{
    s->text = memory_grow(s->text, &s->capacity, s->length + length + 1, 1);
}

void str_vprintf(struct str *s, const char *format, va_list arguments)
{
    va_list again;
    va_copy(again, arguments);
    int length = vsnprintf(NULL, 0, format, arguments);
    if (length < 0)
        BUG("bad format: %s", format);
    str_reserve(s, (size_t)length);
    vsnprintf(s->text + s->length, (size_t)length + 1, format, again);
    va_end(again);
    s->length += (size_t)length;
}

void str_printf(struct str *s, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    str_vprintf(s, format, arguments);
    va_end(arguments);
}

void str_clear(struct str *s)
{
    s->length = 0;
    if (s->text)
        s->text[0] = 0;
}

void str_drop(struct str *s, size_t length)
{
    if (length == 0)
        return;
    memmove(s->text, s->text + length, s->length - length + 1);
    s->length -= length;
}

void str_free(struct str *s)
{
    free(s->text);
    *s = (struct str){0};
}

const char *str_text(const struct str *s)
{
    return s->text ? s->text : "";
}

/* Reads what is open as `fd`, and closes it. */
static int read_all(struct str *s, int fd, const char *path, size_t limit, struct err *e)
{
    int result = 0;
    size_t start = s->length;
    for (;;) {
        str_reserve(s, 65535);
        ssize_t got = read(fd, s->text + s->length, 65535);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            result = err_system(e, "cannot read %s", path);
        if (got <= 0)
            break;
        s->length += (size_t)got;
        if (s->length - start > limit) {
            result = err_set(e, ERR_USER, "%s is larger than %zu bytes", path, limit);
            break;
        }
    }
    int number = errno;
    s->text[s->length] = 0;
    close(fd);
    errno = number;
    return result;
}

int str_read_file(struct str *s, const char *path, size_t limit, struct err *e)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    return fd < 0 ? err_system(e, "cannot read %s", path) : read_all(s, fd, path, limit, e);
}

int str_open_regular(const char *path, int flags)
{
    struct stat info;
    int fd = open(path, flags | O_NONBLOCK | O_CLOEXEC, 0666);
    if (fd < 0)
        return -1;
    int number = fstat(fd, &info) != 0 ? errno : S_ISREG(info.st_mode) ? 0 : EINVAL;
    if (number == 0)
        return fd;
    close(fd);
    errno = number;
    return -1;
}

int str_not_regular(const char *doing, const char *path, struct err *e)
{
    bool is_odd = errno == EINVAL || errno == EISDIR || errno == ELOOP || errno == ENXIO;
    if (is_odd)
        return err_set(e, ERR_SYSTEM, "cannot %s %s: it is not a regular file; move it away", doing,
                       path);
    return err_system(e, "cannot %s %s", doing, path);
}

int str_read_regular(struct str *s, const char *path, size_t limit, struct err *e)
{
    int fd = str_open_regular(path, O_RDONLY);
    return fd < 0 ? str_not_regular("read", path, e) : read_all(s, fd, path, limit, e);
}

static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t done = write(fd, bytes, length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        bytes += done;
        length -= (size_t)done;
    }
    return true;
}

static int create_beside(int folder, struct str *name, const char *path, unsigned mode)
{
    for (int tries = 0; tries < 100; tries++) {
        uint64_t number = 0;
        if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
            return -1;
        str_clear(name);
        str_printf(name, "%s.%016llx.tmp", path, (unsigned long long)number);
        int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC;
        int fd = openat(folder, name->text, flags, mode);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

int str_create_beside(struct str *name, const char *path, unsigned mode)
{
    return create_beside(AT_FDCWD, name, path, mode);
}

/* Returns false, and errno. */
static bool write_file(int folder, const char *path, const void *bytes, size_t length,
                       unsigned mode)
{
    struct str name = {0};
    int fd = create_beside(folder, &name, path, mode);
    bool good = fd >= 0 && write_all(fd, bytes, length);
    int number = errno;
    if (fd >= 0 && close(fd) != 0 && good) {
        good = false;
        number = errno;
    }
    if (good && renameat(folder, name.text, folder, path) != 0) {
        good = false;
        number = errno;
    }
    if (!good && fd >= 0)
        unlinkat(folder, name.text, 0);
    str_free(&name);
    errno = number;
    return good;
}

int str_write_file(const char *path, const void *bytes, size_t length, struct err *e)
{
    bool good = write_file(AT_FDCWD, path, bytes, length, 0666);
    return good ? 0 : err_system(e, "cannot write %s", path);
}

int str_write_private(const char *path, const void *bytes, size_t length, struct err *e)
{
    bool good = write_file(AT_FDCWD, path, bytes, length, 0600);
    return good ? 0 : err_system(e, "cannot write %s", path);
}

/* ---- files in a folder that may have become a link ---- */

/* Opens the folder of a file, whose name follows in *name; -1, and errno, if it is a link. */
static int open_folder(const char *path, const char **name)
{
    struct str folder = {0};
    const char *slash = strrchr(path, '/');
    str_add_bytes(&folder, path, (size_t)(slash - path));
    *name = slash + 1;
    int fd = open(folder.text, O_PATH | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int number = errno;
    str_free(&folder);
    errno = number;
    return fd;
}

static void close_folder(int folder)
{
    int number = errno;
    close(folder);
    errno = number;
}

int str_write_inside(const char *path, const void *bytes, size_t length, struct err *e)
{
    const char *name;
    int folder = open_folder(path, &name);
    bool good = folder >= 0 && write_file(folder, name, bytes, length, 0666);
    if (folder >= 0)
        close_folder(folder);
    return good ? 0 : err_system(e, "cannot write %s", path);
}

int str_remove_inside(const char *path)
{
    const char *name;
    int folder = open_folder(path, &name);
    if (folder < 0)
        return -1;
    int failed = unlinkat(folder, name, 0);
    close_folder(folder);
    return failed;
}

int str_make_inside(const char *path)
{
    const char *name;
    int folder = open_folder(path, &name);
    if (folder < 0)
        return -1;
    int failed = mkdirat(folder, name, 0777);
    close_folder(folder);
    return failed;
}

static bool same_letter(char a, char b)
{
    return tolower((unsigned char)a) == tolower((unsigned char)b);
}

/* Optimal string alignment: insert, delete, replace, swap of neighbours; case does not count. */
static size_t distance(const char *a, const char *b)
{
    enum { MOST = 40 };
    size_t n = strlen(a), m = strlen(b);
    if (n > MOST || m > MOST)
        return SIZE_MAX;
    size_t rows[MOST + 1][MOST + 1];
    for (size_t i = 0; i <= n; i++)
        rows[i][0] = i;
    for (size_t j = 0; j <= m; j++)
        rows[0][j] = j;
    for (size_t i = 1; i <= n; i++) {
        for (size_t j = 1; j <= m; j++) {
            size_t best = rows[i - 1][j - 1] + !same_letter(a[i - 1], b[j - 1]);
            if (rows[i - 1][j] + 1 < best)
                best = rows[i - 1][j] + 1;
            if (rows[i][j - 1] + 1 < best)
                best = rows[i][j - 1] + 1;
            if (i > 1 && j > 1 && same_letter(a[i - 1], b[j - 2]) &&
                same_letter(a[i - 2], b[j - 1]) && rows[i - 2][j - 2] + 1 < best)
                best = rows[i - 2][j - 2] + 1;
            rows[i][j] = best;
        }
    }
    return rows[n][m];
}

const char *str_nearest(const char *word, const char *const *words)
{
    const char *nearest = NULL;
    size_t length = strlen(word);
    /* Half of the word may be wrong, but never all of it. */
    size_t best = length < 3 ? length : length / 2 + 1;
    for (; *words; words++) {
        size_t d = distance(word, *words);
        /* A word that is the start of another one means that one: learn -> learning_rate. */
        if (length >= 3 && strncmp(word, *words, length) == 0)
            d = 1;
        if (d < best) {
            best = d;
            nearest = *words;
        }
    }
    return nearest;
}

void str_add_number(struct str *s, double number)
{
    str_reserve(s, NUMBER_LENGTH);
    s->length += number_put(s->text + s->length, number);
    s->text[s->length] = 0;
}

void str_add_whole(struct str *s, uint64_t number)
{
    str_reserve(s, NUMBER_LENGTH);
    s->length += number_put_whole(s->text + s->length, number);
    s->text[s->length] = 0;
}

void str_add_decimal(struct str *s, uint64_t digits, int decimals)
{
    str_reserve(s, NUMBER_LENGTH);
    s->length += number_put_decimal(s->text + s->length, digits, decimals);
    s->text[s->length] = 0;
}

bool str_number(const char *text, double *number)
{
    char *end;
    /* strtod() also accepts white space, 0x1p3 and nan(1), which nobody means. */
    if (text[0] == 0 || text[strcspn(text, " \t\n\r\v\fxX(")] != 0)
        return false;
    *number = strtod(text, &end);
    return *end == 0;
}

void str_add_duration(struct str *s, double seconds)
{
    if (!(fabs(seconds) < 1e15)) {
        str_add(s, isnan(seconds) ? "unknown" : "forever");
    } else if (seconds < 10) {
        str_printf(s, "%.2f s", seconds);
    } else if (seconds < 100) {
        str_printf(s, "%.0f s", seconds);
    } else {
        long long whole = (long long)(seconds + 0.5);
        if (whole < 3600)
            str_printf(s, "%lld min %lld s", whole / 60, whole % 60);
        else if (whole < 2 * 86400)
            str_printf(s, "%lld h %lld min", whole / 3600, whole / 60 % 60);
        else
            str_printf(s, "%lld days %lld h", whole / 86400, whole / 3600 % 24);
    }
}
