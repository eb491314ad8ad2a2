/*
 * mend.c - replaces a damaged journal by what is whole of it, or a whole one by a private copy.
 *
 * All whole records are copied and numbered anew, so that later damage is noticed as before; behind
 * the head stands a record that says how much is lost. A journal of version 1 becomes one of
 * version 2. The new file gets the name of the old one only once both are on disk: a crash in
 * between leaves the damaged journal, which is mended again.
 */
#include "journal/mend.h"

#include "journal/head.h"
#include "journal/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

enum { COPIES = 1000 }; /* damaged files that are kept */

/* The new file, as it is written. */
struct mended {
    const struct journal *journal;
    struct str text;
    struct head head;
    struct seal_count count; /* of the last record */
};

/* Adds a record without its seal and closing brace. */
static void add_record(struct mended *m, const char *text, size_t length)
{
    size_t from = m->text.length;
    str_add_bytes(&m->text, text, length);
    seal_set(&m->count, m->count.number + 1);
    seal_add(&m->text, from, &m->count, m->count.number > 1 ? m->head.key : 0);
    str_add_char(&m->text, '\n');
}

/* One record on a line, or several without their newlines; or one of version 1. */
static void copy_line(struct mended *m, const char *at, const char *end)
{
    const char *seal = at;
    while ((seal = seal_find(seal, end))) {
        uint64_t number;
        const char *stop = seal + SEAL_SUM;
        struct slice record = {at, (size_t)(stop - at)};
        size_t body = seal_check(record, m->journal->key, &m->count, &number);
        seal++;
        if (body == 0)
            continue;
        add_record(m, at, body);
        at = seal = stop;
    }
    while (end > at && end[-1] != '}') /* an editor may have left a carriage return */
        end--;
    if (at < end)
        add_record(m, at, (size_t)(end - at) - 1);
}

/* In memory, what is damaged consists of newlines. */
static void copy_records(struct mended *m, const char *at)
{
    const char *end = m->journal->text + m->journal->size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        copy_line(m, at, stop);
        at = stop + 1;
    }
}

/* Adds the head, and returns where the other records start. */
static const char *add_head(struct mended *m)
{
    static const char unsealed[] = "{\"wick\":1,";
    const struct journal *journal = m->journal;
    size_t body, length = scan_head(journal, &body);
    if (length > 0 && body > 0) {
        str_add_bytes(&m->text, journal->text, length);
        str_add_char(&m->text, '\n');
        seal_set(&m->count, 1);
    } else if (length > strlen(unsealed) &&
               memcmp(journal->text, unsealed, strlen(unsealed)) == 0) {
        struct str s = {0};
        str_printf(&s, "{\"wick\":%d,\"key\":\"", JOURNAL_VERSION);
        seal_put_key(&s, m->head.key);
        str_add(&s, "\",");
        str_add_bytes(&s, journal->text + strlen(unsealed), length - strlen(unsealed) - 1);
        add_record(m, s.text, s.length);
        str_free(&s);
    } else {
        head_put(&m->text, &m->head, &journal->study, true);
        seal_set(&m->count, 1);
    }
    return journal->text + length;
}

static void add_repair(struct mended *m, double time)
{
    const struct journal_damage *damage = &m->journal->damage;
    struct str s = {0};
    str_add_char(&s, '{');
    json_add_key(&s, "repair");
    json_put_number(&s, round(time * 1e6) / 1e6);
    json_set_whole(&s, "records", damage->missing);
    json_set_whole(&s, "trials", m->journal->loader->may_miss + m->journal->loader->lost);
    json_set_whole(&s, "bytes", damage->bytes);
    if (damage->more)
        json_set_bool(&s, "more", true);
    add_record(m, s.text, s.length);
    str_free(&s);
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

/* True for the errors of link() on a file system without hard links, such as vfat and some FUSE. */
static bool has_no_links(int number)
{
    return number == EPERM || number == EOPNOTSUPP || number == ENOSYS || number == EMLINK;
}

/* Copies all bytes; a page that the disk cannot read becomes zeros, as when it was loaded. */
static bool copy_bytes(int from, int to, off_t size)
{
    enum { PAGE = 4096 };
    char page[PAGE];
    for (off_t at = 0; at < size;) {
        size_t most = (size_t)(PAGE - at % PAGE);
        most = (off_t)most < size - at ? most : (size_t)(size - at);
        ssize_t got = pread(from, page, most, at);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0 && errno == EIO) {
            memset(page, 0, most);
            got = (ssize_t)most;
        }
        if (got <= 0)
            return got == 0;
        if (!write_all(to, page, (size_t)got))
            return false;
        at += got;
    }
    return true;
}

/* The copy is on disk before the file is replaced; -1 and errno, EEXIST if the name is taken. */
static int copy_file(const char *path, const char *copy)
{
    struct stat info;
    int from = open(path, O_RDONLY | O_CLOEXEC);
    int to = from < 0 ? -1 : open(copy, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    bool good = to >= 0 && fstat(from, &info) == 0 && copy_bytes(from, to, info.st_size) &&
                fchmod(to, info.st_mode & 0777) == 0 && fsync(to) == 0;
    int number = errno;
    if (from >= 0)
        close(from);
    if (to >= 0)
        close(to);
    if (to >= 0 && !good)
        unlink(copy);
    errno = number;
    return good ? 0 : -1;
}

/* Gives the file a second name; where that is impossible, the name gets a copy. */
static int keep_as(const char *path, const char *name)
{
    int failed = link(path, name);
    return failed && has_no_links(errno) ? copy_file(path, name) : failed;
}

static bool is_name_of(const char *name, const struct stat *file)
{
    struct stat info;
    return lstat(name, &info) == 0 && info.st_dev == file->st_dev && info.st_ino == file->st_ino;
}

/*
 * Keeps the file under a name that is free, journal.damaged or with a number; or under one that a
 * mend has given it that was killed.
 */
static int keep_damaged(const struct journal *journal, const char *path, const struct stat *file,
                        struct str *kept, struct err *e)
{
    study_path(kept, journal->dir, STUDY_DAMAGED);
    size_t length = kept->length;
    int failed = keep_as(path, kept->text);
    for (int i = 2; failed && errno == EEXIST && i < COPIES; i++) {
        if (is_name_of(kept->text, file))
            return 0;
        kept->length = length;
        str_printf(kept, ".%d", i);
        failed = keep_as(path, kept->text);
    }
    return failed ? err_system(e, "cannot keep the damaged journal as %s", kept->text) : 0;
}

/* The file belongs to the owner of the one before: nobody else can read it if it is private. */
static bool set_owner(int fd, const struct stat *before, mode_t mode)
{
    struct stat info;
    return fstat(fd, &info) == 0 &&
           (info.st_uid == before->st_uid || fchown(fd, before->st_uid, (gid_t)-1) == 0 ||
            (mode & 077) != 0);
}

/* The new file is on disk before it gets its name. */
static int replace(const char *path, struct slice text, const struct stat *before, mode_t mode,
                   struct err *e)
{
    struct str name = {0};
    int fd = str_create_beside(&name, path, 0600);
    bool good = fd >= 0 && set_owner(fd, before, mode) && fchmod(fd, mode) == 0 &&
                write_all(fd, text.text, text.length) && fsync(fd) == 0;
    int number = errno;
    if (fd >= 0)
        close(fd);
    if (good && rename(name.text, path) != 0) {
        good = false;
        number = errno;
    }
    if (!good && fd >= 0)
        unlink(name.text);
    str_free(&name);
    errno = number;
    return good ? 0 : err_system(e, "cannot write %s", path);
}

int mend_file(const struct journal *journal, double time, struct mend_result *result, struct err *e)
{
    struct mended m = {.journal = journal, .head = {journal->key, journal->created}};
    struct str path = {0}, kept = {0};
    struct stat info = {0};
    study_path(&path, journal->dir, STUDY_JOURNAL);
    if (m.head.key == 0 && seal_new_key(&m.head.key))
        err_system(e, "cannot get random numbers");
    else if (stat(path.text, &info) != 0)
        err_system(e, "cannot read %s", path.text);
    const char *records = add_head(&m);
    add_repair(&m, time);
    copy_records(&m, records);
    if (!e->code && !keep_damaged(journal, path.text, &info, &kept, e)) {
        struct slice text = {m.text.text, m.text.length};
        if (!replace(path.text, text, &info, info.st_mode & 0777, e))
            str_add(&result->kept, kept.text + strlen(journal->dir) + 1);
        else if (is_name_of(path.text, &info)) /* it still has its own name */
            unlink(kept.text);
    }
    result->size = (off_t)m.text.length;
    result->records = m.count.number;
    result->key = m.head.key;
    str_free(&m.text);
    str_free(&kept);
    str_free(&path);
    return e->code;
}

int mend_privately(const struct journal *journal, const char *path, const struct stat *before,
                   struct err *e)
{
    return replace(path, (struct slice){journal->text, journal->size}, before,
                   before->st_mode & 0700, e);
}
