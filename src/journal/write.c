/*
 * write.c - appends to the journal.
 *
 * The driver builds a record and hands it over. A thread of the writer writes it at once and calls
 * fdatasync() at most every SYNC_INTERVAL, for all records since the last call. So the driver never
 * waits for the disk, a killed process loses at most the records of the last moment, and the
 * records counted by `synced` survive a power failure. Only synced results are shown to the user.
 *
 * `wick asktell` needs its records in the file before it answers. It writes them itself, with
 * journal_flush(), and the thread only syncs: waking a thread for each answer would cost more than
 * writing.
 *
 * If writing fails (disk full), the file is cut back to its last complete record and the writer
 * stays failed: it never leaves a gap. If a sync fails, the system may have dropped what it did not
 * write, and succeed at the next sync: so all records since the last sync are written again, in the
 * same place. If that does not help, they are cut off: they do not count, and their trials run
 * again. After each sync the writer also checks that the file is still the journal of the study, as
 * long as it was written: nothing is announced that readers would not find.
 */
#include "journal/head.h"
#include "journal/lock.h"
#include "journal/mend.h"
#include "journal/records.h"
#include "journal/seal.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

static const double SYNC_INTERVAL = 0.02;
enum { SYNC_TRIES = 3 };

struct journal_writer {
    char *dir;
    int folder; /* of the journal, which may be renamed while a run writes */
    int fd, lock, event;
    double began; /* the time of the study when this writer started */
    struct head head;
    struct str kept;         /* name of the damaged file that was replaced */
    struct str record;       /* the record being built; only the driver uses it */
    struct seal_count count; /* of the last record in the journal; only the driver uses it */
    uint64_t appended;       /* records of this writer; only the driver uses it */
    char blamed[256]; /* why the run ends without a "close" record; "": it has one, or crashed */
    bool flushes;     /* the driver writes the records into the file, not the thread */
    struct str held;  /* records that the driver has not written yet */
    pthread_t thread;

    pthread_mutex_t file; /* guards what is in the file */
    off_t size;           /* size of the complete records in it */
    struct str unsynced;  /* the last ones of these, which may not be on disk yet */
    const char *tampered; /* what somebody else has done to it; NULL: nothing */

    pthread_mutex_t mutex; /* guards everything below */
    pthread_cond_t wake;
    struct str queue;      /* records not written yet */
    uint64_t queued;       /* total number of records put into it */
    uint64_t synced;       /* number of records on disk */
    bool flushed;          /* the driver has written records since the thread last looked */
    struct kept_log *logs; /* outputs not yet written */
    size_t log_count, log_capacity;
    bool closing;
    struct err failure;
};

/* An output to be kept as a file; without text, the file is removed. */
struct kept_log {
    uint64_t id;
    char *text;
    size_t length;
};

/* Appends to the file, which is cut back to its complete records if that fails. */
static bool write_bytes(struct journal_writer *w, const struct str *bytes)
{
    size_t done = 0;
    while (done < bytes->length) {
        ssize_t n = write(w->fd, bytes->text + done, bytes->length - done);
        if (n < 0 && errno == EINTR)
            continue;
        if (n < 0) {
            int number = errno;
            (void)!ftruncate(w->fd, w->size);
            errno = number;
            return false;
        }
        done += (size_t)n;
    }
    w->size += (off_t)bytes->length;
    return true;
}

/* Writes records, which are gone then: they are kept until they are synced. */
static bool write_records(struct journal_writer *w, struct str *records)
{
    pthread_mutex_lock(&w->file);
    bool good = write_bytes(w, records);
    if (good && w->unsynced.length == 0) {
        struct str empty = w->unsynced;
        w->unsynced = *records;
        *records = empty;
    } else if (good) {
        str_add_bytes(&w->unsynced, records->text, records->length);
    }
    str_clear(records);
    int number = errno;
    pthread_mutex_unlock(&w->file);
    errno = number;
    return good;
}

/* Cuts off the records since the last sync. */
static bool take_back(struct journal_writer *w)
{
    off_t synced = w->size - (off_t)w->unsynced.length;
    if (ftruncate(w->fd, synced) != 0)
        return false;
    w->size = synced;
    return true;
}

/* A sync has failed, with errno: writes the records since the one before again, and syncs again. */
static bool write_again(struct journal_writer *w)
{
    int number = errno;
    bool good = false;
    for (int i = 1; !good && i < SYNC_TRIES && take_back(w); i++)
        good = write_bytes(w, &w->unsynced) && fdatasync(w->fd) == 0;
    if (good)
        str_clear(&w->unsynced);
    else if (!w->flushes) /* those of `wick asktell` have been answered already */
        take_back(w);
    errno = number;
    return good;
}

/*
 * What somebody else has done to the file, which only this writer may change; NULL: nothing. What
 * was written to a file that is cut off, or has another name, is not what readers will find.
 */
static const char *find_tampering(const struct journal_writer *w)
{
    struct stat ours, named;
    if (fstat(w->fd, &ours) != 0)
        return NULL;
    bool is_missing = fstatat(w->folder, "journal", &named, AT_SYMLINK_NOFOLLOW) != 0;
    if (is_missing && errno != ENOENT)
        return NULL;
    if (is_missing)
        return ours.st_nlink > 0 ? "it has been moved away" : "it has been removed";
    if (named.st_dev != ours.st_dev || named.st_ino != ours.st_ino)
        return "another file has replaced it";
    if (ours.st_size < w->size)
        return "something else has cut it off";
    return ours.st_size > w->size ? "something else has written to it" : NULL;
}

/* False, with errno or `tampered`, if the records are not on disk, where readers find them. */
static bool sync_records(struct journal_writer *w)
{
    pthread_mutex_lock(&w->file);
    size_t before = w->unsynced.length;
    pthread_mutex_unlock(&w->file);
    bool good = fdatasync(w->fd) == 0;
    pthread_mutex_lock(&w->file);
    if (good)
        str_drop(&w->unsynced, before);
    else
        good = write_again(w);
    int number = errno;
    if (good)
        w->tampered = find_tampering(w);
    pthread_mutex_unlock(&w->file);
    errno = number;
    return good && !w->tampered;
}

static void tell_driver(struct journal_writer *w)
{
    uint64_t one = 1;
    (void)!write(w->event, &one, sizeof one);
}

/*
 * Waits until there are records, a sync is due, or the journal closes; takes the records. Those
 * that the driver has written matter only if no sync is due.
 */
static bool take_records(struct journal_writer *w, struct str *records, uint64_t *until, double due)
{
    pthread_mutex_lock(&w->mutex);
    while (w->queue.length == 0 && !w->closing && !(w->flushed && due == 0)) {
        if (due == 0) {
            pthread_cond_wait(&w->wake, &w->mutex);
            continue;
        }
        struct timespec limit = {.tv_sec = (time_t)due,
                                 .tv_nsec = (long)((due - floor(due)) * 1e9)};
        if (pthread_cond_timedwait(&w->wake, &w->mutex, &limit) == ETIMEDOUT)
            break;
    }
    struct str taken = w->queue;
    w->queue = *records;
    *records = taken;
    *until = w->queued;
    bool closing = w->closing;
    w->flushed = w->flushed && due != 0;
    pthread_mutex_unlock(&w->mutex);
    return closing;
}

static void write_log(const struct journal_writer *w, struct kept_log *log)
{
    struct str path = {0};
    struct err ignored = {0};
    mkdir(study_path(&path, w->dir, STUDY_LOGS), 0777);
    study_trial_path(&path, w->dir, STUDY_LOGS, log->id);
    if (log->text)
        (void)!str_write_inside(path.text, log->text, log->length, &ignored);
    else
        (void)!str_remove_inside(path.text);
    str_free(&path);
    free(log->text);
}

/* Writes the outputs to keep, before the records that refer to them. */
static void write_logs(struct journal_writer *w)
{
    pthread_mutex_lock(&w->mutex);
    struct kept_log *logs = w->logs;
    size_t count = w->log_count;
    w->logs = NULL;
    w->log_count = w->log_capacity = 0;
    pthread_mutex_unlock(&w->mutex);
    for (size_t i = 0; i < count; i++)
        write_log(w, &logs[i]);
    free(logs);
}

static void say_failure(struct journal_writer *w)
{
    struct str path = {0};
    int number = errno;
    study_path(&path, w->dir, STUDY_JOURNAL);
    errno = number;
    if (w->tampered)
        err_set(&w->failure, ERR_SYSTEM, "cannot write %s: %s", path.text, w->tampered);
    else
        err_system(&w->failure, "cannot write %s", path.text);
    str_free(&path);
}

static void *writer_thread(void *argument)
{
    struct journal_writer *w = argument;
    struct str records = {0};
    bool closing = false, good = true;
    double due = 0, last = 0; /* due: when the next sync is due; 0: nothing to sync */
    while (!closing && good) {
        uint64_t until;
        closing = take_records(w, &records, &until, due);
        if (until > w->synced && due == 0) /* only this thread changes `synced` */
            due = fmax(last + SYNC_INTERVAL, clock_now());
        write_logs(w);
        if (records.length > 0)
            good = write_records(w, &records);
        bool sync = good && due != 0 && (closing || clock_now() >= due);
        if (sync) {
            good = sync_records(w);
            due = 0;
            last = clock_now();
        }
        if (sync || !good) {
            pthread_mutex_lock(&w->mutex);
            if (good)
                w->synced = until;
            else
                say_failure(w);
            pthread_mutex_unlock(&w->mutex);
            tell_driver(w);
        }
    }
    str_free(&records);
    return NULL;
}

struct str *writer_record(struct journal_writer *w)
{
    str_add_char(&w->record, '{');
    return &w->record;
}

void writer_append(struct journal_writer *w)
{
    seal_set(&w->count, w->count.number + 1);
    seal_add(&w->record, 0, &w->count, w->head.key);
    str_add_char(&w->record, '\n');
    w->appended++;
    if (w->flushes) {
        str_add_bytes(&w->held, w->record.text, w->record.length);
        str_clear(&w->record);
        return;
    }
    pthread_mutex_lock(&w->mutex);
    if (w->failure.code == 0) {
        str_add_bytes(&w->queue, w->record.text, w->record.length);
        w->queued++;
        pthread_cond_signal(&w->wake);
    }
    pthread_mutex_unlock(&w->mutex);
    str_clear(&w->record);
}

void journal_keep_log(struct journal_writer *w, uint64_t id, const struct str *log)
{
    struct kept_log kept = {.id = id};
    if (log) {
        kept.length = log->length;
        kept.text = memcpy(memory_new(log->length + 1, 1), str_text(log), log->length);
    }
    pthread_mutex_lock(&w->mutex);
    w->logs = memory_grow(w->logs, &w->log_capacity, w->log_count + 1, sizeof *w->logs);
    w->logs[w->log_count++] = kept;
    pthread_mutex_unlock(&w->mutex);
}

double journal_began(const struct journal_writer *w)
{
    return w->began;
}

uint64_t journal_appended(const struct journal_writer *w)
{
    return w->appended;
}

uint64_t journal_synced(struct journal_writer *w)
{
    uint64_t count;
    (void)!read(w->event, &count, sizeof count);
    pthread_mutex_lock(&w->mutex);
    uint64_t synced = w->synced;
    pthread_mutex_unlock(&w->mutex);
    return synced;
}

int journal_descriptor(const struct journal_writer *w)
{
    return w->event;
}

int journal_failed(struct journal_writer *w, struct err *e)
{
    pthread_mutex_lock(&w->mutex);
    if (w->failure.code)
        *e = w->failure;
    int code = w->failure.code;
    pthread_mutex_unlock(&w->mutex);
    return code;
}

void journal_flushes(struct journal_writer *w)
{
    w->flushes = true;
}

int journal_flush(struct journal_writer *w, struct err *e)
{
    if (w->held.length == 0 || journal_failed(w, e))
        return journal_failed(w, e);
    bool good = write_records(w, &w->held);
    pthread_mutex_lock(&w->mutex);
    if (good)
        w->queued = w->appended;
    else
        err_system(&w->failure, "cannot write %s/journal", w->dir);
    if (!w->flushed)
        pthread_cond_signal(&w->wake);
    w->flushed = true;
    pthread_mutex_unlock(&w->mutex);
    return journal_failed(w, e);
}

static void writer_free(struct journal_writer *w)
{
    pthread_mutex_destroy(&w->mutex);
    pthread_mutex_destroy(&w->file);
    pthread_cond_destroy(&w->wake);
    str_free(&w->record);
    str_free(&w->held);
    str_free(&w->kept);
    str_free(&w->unsynced);
    str_free(&w->queue);
    for (size_t i = 0; i < w->log_count; i++)
        free(w->logs[i].text);
    free(w->logs);
    if (w->fd >= 0)
        close(w->fd);
    if (w->folder >= 0)
        close(w->folder);
    if (w->event >= 0)
        close(w->event);
    lock_release(w->lock, w->blamed);
    free(w->dir);
    free(w);
}

/* Starts the thread of a writer whose file is open and locked. */
static int start_thread(struct journal_writer *w, struct err *e)
{
    w->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    if (w->event < 0)
        return err_system(e, "cannot make an event");
    errno = pthread_create(&w->thread, NULL, writer_thread, w);
    return errno ? err_thread(e, "cannot start a thread") : 0;
}

static struct journal_writer *writer_new(const char *dir, int lock)
{
    struct journal_writer *w = memory_new(1, sizeof *w);
    w->dir = memory_copy(dir);
    w->lock = lock;
    w->fd = w->event = w->folder = -1;
    pthread_mutex_init(&w->mutex, NULL);
    pthread_mutex_init(&w->file, NULL);
    pthread_condattr_t monotonic;
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&w->wake, &monotonic);
    pthread_condattr_destroy(&monotonic);
    return w;
}

/* A new file survives a crash only once its folder is synced; the same holds for a new folder. */
static void sync_folder(const char *dir)
{
    struct str parent = {0};
    str_printf(&parent, "%s/..", dir);
    const char *const folders[] = {dir, parent.text};
    for (size_t i = 0; i < 2; i++) {
        int fd = open(folders[i], O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        if (fd >= 0) {
            fsync(fd);
            close(fd);
        }
    }
    str_free(&parent);
}

/* A link may lead to a file that somebody else wants to see changed. */
static int open_file(struct journal_writer *w, const char *path, struct err *e)
{
    w->fd = str_open_regular(path, O_WRONLY | O_APPEND | O_NOFOLLOW);
    if (w->fd < 0 && errno == ELOOP)
        return err_set(e, ERR_SYSTEM,
                       "%s is a link, but Wick writes only to a file of its own there: replace it "
                       "by the file itself, or link the whole folder",
                       path);
    if (w->fd < 0)
        return str_not_regular("write", path, e);
    if (w->folder < 0)
        w->folder = open(w->dir, O_PATH | O_DIRECTORY | O_CLOEXEC);
    return w->folder < 0 ? err_system(e, "cannot open the folder %s", w->dir)
                         : lock_file(w->fd, path, e);
}

/*
 * The header is written to a temporary file that is then renamed, so that nobody sees a journal
 * without a complete header.
 */
static int write_head(struct journal_writer *w, const struct study *study, struct err *e)
{
    struct str path = {0}, header = {0};
    w->head.created = clock_wall();
    seal_set(&w->count, 1);
    if (seal_new_key(&w->head.key))
        return err_system(e, "cannot get random numbers");
    study_path(&path, w->dir, STUDY_JOURNAL);
    head_put(&header, &w->head, study, true);
    int failed = study_has_secrets(study)
                     ? str_write_private(path.text, header.text, header.length, e)
                     : str_write_file(path.text, header.text, header.length, e);
    if (!failed) {
        w->size = (off_t)header.length;
        failed = open_file(w, path.text, e);
        if (!failed && fdatasync(w->fd) != 0)
            failed = err_system(e, "cannot write %s", path.text);
        sync_folder(w->dir);
    }
    str_free(&path);
    str_free(&header);
    return failed;
}

/*
 * A new journal would replace an old one: it must be certain that there is none. An empty one holds
 * nothing: a full disk or a crash may have left it.
 */
static int check_new(const char *dir, const struct study *study, struct err *e)
{
    struct str path = {0};
    struct stat info;
    int failed = 0;
    bool there = stat(study_path(&path, dir, STUDY_JOURNAL), &info) == 0;
    if (there && !(S_ISREG(info.st_mode) && info.st_size == 0))
        failed = err_set(e, ERR_USER,
                         "the folder %s already has a study: continue it with `wick %s %s`, or "
                         "choose another folder with --dir",
                         dir, study_resume_command(&study->model), dir);
    else if (!there && errno != ENOENT)
        failed = err_system(e, "cannot look for %s", path.text);
    str_free(&path);
    return failed;
}

static void remove_journal(const char *dir)
{
    struct str path = {0};
    unlink(study_path(&path, dir, STUDY_JOURNAL));
    str_free(&path);
}

int journal_create(struct journal_writer **writer, const char *dir, const struct study *study,
                   struct err *e)
{
    if (mkdir(dir, 0777) != 0 && errno != EEXIST)
        return err_system(e, "cannot make the folder %s", dir);
    int lock;
    if (lock_take(dir, &lock, e))
        return e->code;
    if (check_new(dir, study, e)) {
        lock_release(lock, "");
        return e->code;
    }
    struct journal_writer *w = writer_new(dir, lock);
    int failed = write_head(w, study, e);
    if (!failed)
        failed = start_thread(w, e);
    if (failed) {
        remove_journal(dir); /* else the study could only be resumed, without ever having started */
        writer_free(w);
    } else {
        *writer = w;
    }
    return failed;
}

/* Opens the file that has taken the place of the one before. */
static int open_new(struct journal_writer *w, const char *path, struct err *e)
{
    close(w->fd);
    if (open_file(w, path, e))
        return e->code;
    sync_folder(w->dir);
    return 0;
}

/* Replaces a damaged file. */
static int mend(struct journal_writer *w, const struct journal *journal, const char *path,
                struct err *e)
{
    struct mend_result mended = {0};
    int failed = mend_file(journal, w->began, &mended, e);
    w->kept = mended.kept;
    if (failed)
        return failed;
    w->size = mended.size;
    w->head.key = mended.key;
    seal_set(&w->count, mended.records);
    return open_new(w, path, e);
}

/* Opens the file of a loaded journal, and cuts off a torn last record. */
static int reopen(struct journal_writer *w, const struct journal *journal, const char *path,
                  struct err *e)
{
    struct stat now;
    w->size = (off_t)journal->size;
    seal_set(&w->count, journal->records);
    w->head = (struct head){.key = journal->key, .created = journal->created};
    if (open_file(w, path, e))
        return e->code;
    if (fstat(w->fd, &now) != 0)
        return err_system(e, "cannot write %s", path);
    if (now.st_size != (off_t)journal->file_size)
        return err_set(e, ERR_USER, "%s changed while it was read: try again", path);
    /* A change may have brought a secret, and others may have the file open. */
    bool is_open = study_has_secrets(&journal->study) && (now.st_mode & 077);
    if (is_open && journal_is_whole(journal))
        return mend_privately(journal, path, &now, e) ? e->code : open_new(w, path, e);
    if (is_open && fchmod(w->fd, now.st_mode & 0700) != 0)
        return err_system(e, "cannot write %s", path);
    if (!journal_is_whole(journal))
        return mend(w, journal, path, e);
    if (ftruncate(w->fd, w->size) != 0)
        return err_system(e, "cannot write %s", path);
    return 0;
}

int journal_open(struct journal_writer **writer, const struct journal *journal, struct err *e)
{
    int lock;
    if (lock_take(journal->dir, &lock, e))
        return e->code;
    struct journal_writer *w = writer_new(journal->dir, lock);
    struct str path = {0};
    study_path(&path, journal->dir, STUDY_JOURNAL);
    /* The time of a study never goes backwards, even if the clock did between two runs. */
    w->began = fmax(clock_wall() - journal->created, journal->last_time);
    int failed = reopen(w, journal, path.text, e);
    str_free(&path);
    if (!failed)
        failed = start_thread(w, e);
    if (failed)
        writer_free(w);
    else
        *writer = w;
    return failed;
}

const char *journal_kept(const struct journal_writer *w)
{
    return w->kept.text;
}

int journal_write_copy(const struct journal_writer *w, const struct study *study, struct err *e)
{
    return head_write_copy(w->dir, &w->head, study, e);
}

void journal_blame(struct journal_writer *w, const struct err *e)
{
    struct str line = {0};
    for (const char *at = e->message; *at; at++) {
        if (*at != '\n')
            str_add_char(&line, *at);
        else if (line.length > 0 && strchr(".:;,!?", line.text[line.length - 1]))
            str_add_char(&line, ' ');
        else
            str_add(&line, at[1] >= 'A' && at[1] <= 'Z' ? ". " : "; ");
    }
    snprintf(w->blamed, sizeof w->blamed, "%s", str_text(&line));
    str_free(&line);
}

int journal_close(struct journal_writer *w, double time, enum journal_end end, struct err *e)
{
    if (end != END_NONE)
        records_close(w, time, journal_end_name(end));
    struct err told_below = {0};
    (void)!journal_flush(w, &told_below);
    pthread_mutex_lock(&w->mutex);
    w->closing = true;
    pthread_cond_signal(&w->wake);
    pthread_mutex_unlock(&w->mutex);
    pthread_join(w->thread, NULL);
    int failed = journal_failed(w, e);
    if (failed)
        journal_blame(w, e);
    writer_free(w);
    return failed;
}
