/* read.c - reads the file of a journal: all of it, or what was appended since. */
#include "journal/journal.h"

#include "journal/load.h"
#include "journal/lock.h"
#include "journal/records.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

/*
 * Walks the records from journal->size on. Whatever follows the last newline is a torn record and
 * does not count.
 */
static int load_records(struct journal *journal, struct err *e)
{
    struct journal_loader *l = journal->loader;
    size_t ends = journal->completion_count;
    const char *text = journal->text ? journal->text : "", *newline;
    const char *at = text + journal->size, *end = text + journal->file_size;
    l->journal = journal;
    while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
        struct record record;
        l->offset = (uint64_t)(at - text);
        const char *wrong = record_read(at, (size_t)(newline - at), &record);
        l->number++;
        if (l->number == 1 && !wrong) {
            if (load_header(journal, &record, e))
                return e->code;
        } else if (!wrong) {
            wrong = load_record(l, &record);
        }
        if (wrong)
            return err_set(e, ERR_USER,
                           "%s/journal, line %zu is damaged (%s): keep a copy, then remove that "
                           "line and all after it",
                           journal->dir, l->number, wrong);
        at = newline + 1;
    }
    if (l->number == 0)
        return err_set(e, ERR_USER, "%s/journal is empty: run the study again", journal->dir);
    journal->size = (size_t)(at - text);
    load_conclude(journal, journal->completion_count > ends);
    return 0;
}

static int open_file(const struct journal *journal, int *fd, struct stat *info, struct err *e)
{
    struct str path = {0};
    int result = 0;
    *fd = open(study_path(&path, journal->dir, STUDY_JOURNAL), O_RDONLY | O_CLOEXEC);
    if (*fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        bool folder = stat(journal->dir, info) == 0;
        result = err_set(e, ERR_USER,
                         folder ? "%s is not a study folder: it has no journal"
                                : "there is no folder %s",
                         journal->dir);
    } else if (*fd < 0 || fstat(*fd, info) != 0) {
        result = err_system(e, "cannot read %s", path.text);
    } else if (!S_ISREG(info->st_mode)) {
        result = err_set(e, ERR_USER, "%s is not a file", path.text);
    }
    if (*fd >= 0 && result)
        close(*fd);
    str_free(&path);
    return result;
}

/* Maps the file as it is now, replacing the earlier mapping. */
static int map_file(struct journal *journal, int fd, size_t size, struct err *e)
{
    void *text = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    if (text == MAP_FAILED)
        return err_system(e, "cannot read %s/journal", journal->dir);
    if (journal->text)
        munmap((void *)journal->text, journal->file_size);
    journal->text = text;
    journal->file_size = size;
    return 0;
}

int journal_load(struct journal *journal, const char *dir, struct err *e)
{
    struct stat info = {0};
    int fd;
    struct journal_loader *loader = memory_new(1, sizeof *loader);
    *journal = (struct journal){.dir = memory_copy(dir), .loader = loader};
    journal->running = lock_taken(dir);
    int failed = open_file(journal, &fd, &info, e);
    if (!failed) {
        loader->device = info.st_dev;
        loader->inode = info.st_ino;
        failed = map_file(journal, fd, (size_t)info.st_size, e);
        close(fd);
    }
    if (!failed)
        failed = load_records(journal, e);
    if (failed)
        journal_free(journal);
    return failed;
}

static int reload(struct journal *journal, struct err *e)
{
    struct journal fresh;
    int failed = journal_load(&fresh, journal->dir, e);
    journal_free(journal);
    *journal = fresh;
    return failed;
}

int journal_follow(struct journal *journal, struct err *e)
{
    struct stat info = {0};
    int fd;
    journal->running = lock_taken(journal->dir);
    if (open_file(journal, &fd, &info, e))
        return e->code;
    size_t size = (size_t)info.st_size;
    bool other = info.st_dev != journal->loader->device || info.st_ino != journal->loader->inode;
    if (other || size < journal->size) {
        close(fd);
        return reload(journal, e);
    }
    bool grown = size != journal->file_size;
    int failed = grown ? map_file(journal, fd, size, e) : 0;
    close(fd);
    return grown && !failed ? load_records(journal, e) : failed;
}

void journal_free(struct journal *journal)
{
    if (journal->text)
        munmap((void *)journal->text, journal->file_size);
    study_free(&journal->study);
    records_free_earlier(journal);
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
