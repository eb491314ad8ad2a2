/*
 * read.c - reads the file of a journal: all of it, or what was appended since.
 *
 * The file is copied into memory, not mapped: a file that shrinks, or a disk that fails, would kill
 * a process that has it mapped.
 */
#include "journal/journal.h"

#include "journal/flaw.h"
#include "journal/head.h"
#include "journal/lock.h"
#include "journal/records.h"
#include "journal/scan.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static int open_file(const struct journal *journal, int *fd, struct stat *info, struct err *e)
{
    struct str path = {0};
    int result = 0;
    *fd = open(study_path(&path, journal->dir, STUDY_JOURNAL), O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (*fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        bool folder = stat(journal->dir, info) == 0;
        result = err_set(e, ERR_USER,
                         folder ? "%s is not a study folder: it has no journal"
                                : "there is no folder %s",
                         journal->dir);
    } else if (*fd < 0 || fstat(*fd, info) != 0) {
        result = err_system(e, "cannot read %s", path.text);
    } else if (!S_ISREG(info->st_mode)) {
        result = err_set(e, ERR_USER, "%s is not a regular file", path.text);
    }
    if (*fd >= 0 && result)
        close(*fd);
    str_free(&path);
    return result;
}

/*
 * Reads a page that could not be read with the others: once more, since most failures pass, and
 * then as zeros, which are damage like any other. Returns how many bytes; 0 at the end of the file.
 */
static ssize_t read_page(struct journal_loader *l, int fd, size_t at, size_t size)
{
    enum { PAGE = 4096 };
    size_t page = PAGE - at % PAGE;
    if (page > size - at)
        page = size - at;
    ssize_t got = pread(fd, l->buffer + at, page, (off_t)at);
    if (got >= 0 || errno != EIO)
        return got;
    memset(l->buffer + at, 0, page);
    l->unread += page;
    return (ssize_t)page;
}

static int fail_to_read(const struct journal *journal, struct err *e)
{
    if (errno != EIO)
        return err_system(e, "cannot read %s/journal", journal->dir);
    return err_set(e, ERR_SYSTEM,
                   "cannot read %s/journal: Input/output error\nif this disk stays damaged, "
                   "`wick repair %s` keeps what can be read",
                   journal->dir, journal->dir);
}

/* Reads the bytes of the file from the last complete record on, as far as it reaches. */
static int read_text(struct journal *journal, int fd, size_t size, struct err *e)
{
    struct journal_loader *l = journal->loader;
    size_t at = journal->size;
    l->buffer = memory_grow(l->buffer, &l->buffer_capacity, size + 1, 1);
    while (at < size) {
        ssize_t got = pread(fd, l->buffer + at, size - at, (off_t)at);
        if (got < 0 && errno == EIO && l->tolerant)
            got = read_page(l, fd, at, size);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return fail_to_read(journal, e);
        if (got == 0)
            break;
        at += (size_t)got;
    }
    if (l->unread > 0 && l->unread == at)
        return err_set(e, ERR_SYSTEM, "cannot read any of %s/journal: Input/output error",
                       journal->dir);
    journal->text = l->buffer;
    journal->file_size = at;
    return 0;
}

/* Reads the head, or recovers it. */
static int start(struct journal *journal, struct err *e)
{
    struct journal_loader *l = journal->loader;
    size_t length = 0;
    if (!l->headless && head_load(journal, &length, e))
        return e->code;
    if (length == 0 && head_recover(journal, e))
        return e->code;
    if (length == 0)
        flaw_add_head(l);
    bool has_newline = length > 0 && length < journal->file_size && journal->text[length] == '\n';
    journal->size = length + has_newline;
    journal->records = 1;
    l->line = 1;
    seal_set(&l->next, 2);
    return 0;
}

/*
 * A block of another journal may have taken the place of the head. Only records tell that:
 * study.yaml may be that of another run, and what is damaged seems to have any key.
 */
static bool has_foreign_head(const struct journal *journal)
{
    uint64_t key = head_copied_key(journal);
    size_t least = 1;
    if (key == 0) {
        key = scan_key(journal);
        least = scan_count(journal, journal->key) + 1;
    }
    return journal->key != 0 && key != 0 && key != journal->key &&
           scan_count(journal, key) >= least;
}

/* Loads the records from journal->size on; false if there is damage, which is not loaded. */
static bool load_records(struct journal *journal)
{
    struct journal_loader *l = journal->loader;
    size_t ends = journal->completion_count;
    bool good = scan_lines(l) && (journal->running || scan_is_torn(journal));
    load_conclude(journal, journal->completion_count > ends);
    return good;
}

static int load(struct journal *journal, const char *dir, bool headless, bool tolerant,
                struct err *e)
{
    struct stat info = {0};
    int fd;
    struct journal_loader *l = memory_new(1, sizeof *l);
    *journal = (struct journal){.dir = memory_copy(dir), .loader = l};
    *l = (struct journal_loader){.journal = journal, .headless = headless, .tolerant = tolerant};
    journal->running = lock_taken(dir);
    int failed = open_file(journal, &fd, &info, e);
    if (!failed) {
        l->device = info.st_dev;
        l->inode = info.st_ino;
        failed = read_text(journal, fd, (size_t)info.st_size, e);
        close(fd);
    }
    if (!failed)
        failed = start(journal, e);
    if (!failed && !load_records(journal)) {
        l->headless = !headless && has_foreign_head(journal);
        scan_salvage(l);
        load_conclude(journal, true);
    }
    if (failed)
        journal_free(journal);
    return failed;
}

/* A run that stopped because of an error, such as a full disk, has left it in DIR/lock. */
static void find_failure(struct journal *journal)
{
    if (journal->running || journal->end != END_NONE ||
        !lock_failure(journal->dir, journal->failure, sizeof journal->failure))
        return;
    journal->end = END_BROKEN;
    snprintf(journal->why, sizeof journal->why, "%s", journal_end_name(END_BROKEN));
}

static int load_any(struct journal *journal, const char *dir, bool tolerant, struct err *e)
{
    int failed = load(journal, dir, false, tolerant, e);
    if (!failed && journal->loader->headless) {
        journal_free(journal);
        failed = load(journal, dir, true, tolerant, e);
    }
    if (!failed)
        find_failure(journal);
    return failed;
}

int journal_load(struct journal *journal, const char *dir, struct err *e)
{
    return load_any(journal, dir, false, e);
}

int journal_load_readable(struct journal *journal, const char *dir, struct err *e)
{
    return load_any(journal, dir, true, e);
}

static int reload(struct journal *journal, struct err *e)
{
    struct journal fresh;
    int failed = journal_load(&fresh, journal->dir, e);
    journal_free(journal);
    *journal = fresh;
    return failed;
}

/*
 * On a network file system, what looks damaged may be a record that is still being written. So
 * damage is not believed before the second look.
 */
static bool is_suspect(struct journal_loader *l, uint64_t offset)
{
    bool is_new = l->suspect != offset;
    l->suspect = offset;
    return is_new;
}

int journal_follow(struct journal *journal, struct err *e)
{
    struct stat info = {0};
    struct journal_loader *l = journal->loader;
    int fd;
    journal->running = lock_taken(journal->dir);
    if (open_file(journal, &fd, &info, e))
        return e->code;
    size_t size = (size_t)info.st_size;
    bool other = info.st_dev != l->device || info.st_ino != l->inode;
    bool grown = size != journal->file_size;
    bool again = other || size < journal->size || (grown && l->rebuilt);
    int failed = grown && !again ? read_text(journal, fd, size, e) : 0;
    close(fd);
    l->journal = journal;
    if (grown && !again && !failed && !load_records(journal))
        again = !is_suspect(l, journal->size);
    if (again)
        return reload(journal, e);
    if (!failed)
        find_failure(journal);
    return failed;
}

void journal_free(struct journal *journal)
{
    study_free(&journal->study);
    records_free_earlier(journal);
    free(journal->loader ? journal->loader->buffer : NULL);
    free(journal->damage.flaws);
    free(journal->trials);
    free(journal->progress);
    free(journal->scores);
    free(journal->front);
    free(journal->completions);
    free(journal->earlier);
    free(journal->placements);
    free(journal->runs);
    free(journal->lost_workers);
    free(journal->loader);
    free(journal->dir);
    *journal = (struct journal){0};
}
