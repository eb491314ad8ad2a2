/*
 * record.c - DIR/jobs: the jobs of a study, and what became of them.
 *
 *   {"submitted":T,"id":I,"scheduler":S,"link":N,"links":M}   and "after":I if it waits for one
 *   {"began":T,"id":I,"until":T}                              once more if it was started again
 *   {"ended":T,"id":I,"why":W}
 *
 * T is in seconds since 1970. Jobs on several nodes and commands on a login node append to it, so
 * each line is one write() to a file that is open for appending.
 */
#include "launch/launch.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RECORD_LIMIT = 16 << 20 };

/* ---- writing ---- */

/* True if a crash has torn the last line: then a newline is written before the next one. */
static bool is_torn(int fd)
{
    char last = '\n';
    off_t size = lseek(fd, 0, SEEK_END);
    return size > 0 && pread(fd, &last, 1, size - 1) == 1 && last != '\n';
}

static int append(const char *dir, struct str *record, struct err *e)
{
    struct str path = {0}, whole = {0};
    study_path(&path, dir, STUDY_JOBS);
    json_end_object(record);
    str_add_char(record, '\n');
    int fd = str_open_regular(path.text, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW);
    if (fd < 0) {
        str_not_regular("open", path.text, e);
    } else {
        if (is_torn(fd))
            str_add_char(&whole, '\n');
        str_add_bytes(&whole, record->text, record->length);
        ssize_t written = write(fd, whole.text, whole.length);
        if (written != (ssize_t)whole.length || fsync(fd) != 0)
            err_system(e, "cannot write %s", path.text);
        if (close(fd) != 0 && !e->code)
            err_system(e, "cannot write %s", path.text);
    }
    str_free(&path);
    str_free(&whole);
    str_free(record);
    return e->code;
}

static struct str record_of(const char *event, double time, const char *id)
{
    struct str record = {0};
    json_add_object(&record);
    json_set_printf(&record, event, "%.3f", time);
    json_set_text(&record, "id", id);
    return record;
}

int launch_record_submitted(const char *dir, const struct launch_entry *entry, struct err *e)
{
    double time = entry->submitted > 0 ? entry->submitted : clock_wall();
    struct str record = record_of("submitted", time, entry->id);
    json_set_text(&record, "scheduler", entry->scheduler);
    json_set_whole(&record, "link", entry->link);
    json_set_whole(&record, "links", entry->links);
    if (entry->after[0])
        json_set_text(&record, "after", entry->after);
    return append(dir, &record, e);
}

int launch_record_began(const char *dir, const char *id, struct err *e)
{
    struct str record = record_of("began", clock_wall(), id);
    double until = launch_here().end;
    if (until > 0)
        json_set_printf(&record, "until", "%.0f", until);
    return append(dir, &record, e);
}

int launch_record_ended(const char *dir, const char *id, const char *why, struct err *e)
{
    struct str record = record_of("ended", clock_wall(), id);
    json_set_text(&record, "why", why);
    return append(dir, &record, e);
}

/* ---- reading ---- */

/* A line as it was read; a time that is missing is 0. */
struct line {
    struct launch_entry entry;
    double submitted, began, ended;
};

static void read_text(struct json *j, char *text, size_t size)
{
    struct str value = {0};
    json_string(j, &value);
    snprintf(text, size, "%s", str_text(&value));
    str_free(&value);
}

static uint64_t read_count(struct json *j)
{
    double number = json_number(j);
    return number >= 0 && number < 1e15 ? (uint64_t)number : 0;
}

static void read_key(struct json *j, struct slice key, struct line *line)
{
    struct launch_entry *entry = &line->entry;
    if (slice_is(key, "submitted"))
        line->submitted = json_number(j);
    else if (slice_is(key, "began"))
        line->began = json_number(j);
    else if (slice_is(key, "ended"))
        line->ended = json_number(j);
    else if (slice_is(key, "until"))
        entry->until = json_number(j);
    else if (slice_is(key, "id"))
        read_text(j, entry->id, sizeof entry->id);
    else if (slice_is(key, "scheduler"))
        read_text(j, entry->scheduler, sizeof entry->scheduler);
    else if (slice_is(key, "link"))
        entry->link = read_count(j);
    else if (slice_is(key, "links"))
        entry->links = read_count(j);
    else if (slice_is(key, "after"))
        read_text(j, entry->after, sizeof entry->after);
    else if (slice_is(key, "why"))
        read_text(j, entry->end, sizeof entry->end);
    else
        json_skip(j);
}

static bool read_line(struct slice text, struct line *line)
{
    struct json j;
    struct slice key;
    *line = (struct line){0};
    json_open(&j, text.text, text.length);
    json_enter(&j, '{');
    while (json_key(&j, &key))
        read_key(&j, key, line);
    return !json_close(&j) && line->entry.id[0] &&
           (line->submitted > 0 || line->began > 0 || line->ended > 0);
}

/* The latest entry with this ID: a reinstalled scheduler counts from 1 again. */
static struct launch_entry *find(const struct launch_record *record, const char *id)
{
    for (size_t i = record->count; i-- > 0;)
        if (strcmp(record->entries[i].id, id) == 0)
            return &record->entries[i];
    return NULL;
}

static struct launch_entry *add(struct launch_record *record, size_t *capacity, const char *id)
{
    record->entries =
        memory_grow(record->entries, capacity, record->count + 1, sizeof *record->entries);
    struct launch_entry *entry = &record->entries[record->count++];
    *entry = (struct launch_entry){0};
    snprintf(entry->id, sizeof entry->id, "%s", id);
    return entry;
}

/* The line about a submission is written after it: those about start and end may come first. */
static void take_line(struct launch_record *record, size_t *capacity, const struct line *line)
{
    struct launch_entry *entry = find(record, line->entry.id);
    if (!entry || (line->submitted > 0 && entry->submitted > 0))
        entry = add(record, capacity, line->entry.id);
    if (line->submitted > 0) {
        entry->submitted = line->submitted;
        entry->link = line->entry.link;
        entry->links = line->entry.links;
        snprintf(entry->scheduler, sizeof entry->scheduler, "%s", line->entry.scheduler);
        snprintf(entry->after, sizeof entry->after, "%s", line->entry.after);
    } else if (line->began > 0) {
        entry->began = line->began;
        entry->until = line->entry.until;
        entry->ended = 0;
        entry->end[0] = 0;
        entry->starts++;
    } else if (line->ended > 0) {
        entry->ended = line->ended;
        snprintf(entry->end, sizeof entry->end, "%s", line->entry.end);
    }
}

/* If a crash has left zero bytes in the file, only the line with them is lost. */
static void read_lines(struct launch_record *record, const struct str *text)
{
    size_t capacity = 0;
    const char *at = str_text(text), *end = at + text->length, *newline;
    for (; (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
        struct line line;
        if (read_line((struct slice){at, (size_t)(newline - at)}, &line))
            take_line(record, &capacity, &line);
    }
}

int launch_record_load(struct launch_record *record, const char *dir, struct err *e)
{
    struct str path = {0}, text = {0};
    *record = (struct launch_record){0};
    study_path(&path, dir, STUDY_JOBS);
    if (access(path.text, F_OK) == 0 && str_read_regular(&text, path.text, RECORD_LIMIT, e) == 0)
        read_lines(record, &text);
    str_free(&path);
    str_free(&text);
    return e->code;
}

void launch_record_free(struct launch_record *record)
{
    free(record->entries);
    *record = (struct launch_record){0};
}

/* True for 12.server and 12.server.example.org: only one of the two IDs may have the domain. */
static bool is_same_job(const char *a, const char *b)
{
    size_t length = strlen(a) < strlen(b) ? strlen(a) : strlen(b);
    bool has_server = memchr(a, '.', length) != NULL;
    return has_server && strncmp(a, b, length) == 0 && (a[length] ? a : b)[length] == '.';
}

const struct launch_entry *launch_record_find(const struct launch_record *record, const char *id)
{
    const struct launch_entry *entry = find(record, id);
    for (size_t i = record->count; i-- > 0 && !entry;)
        if (is_same_job(record->entries[i].id, id))
            entry = &record->entries[i];
    return entry;
}

/* A job that was cut off may be queued again; a start after the end means that it runs again. */
bool launch_entry_open(const struct launch_entry *entry)
{
    bool cut_off = strcmp(entry->end, "interrupted") == 0 || strcmp(entry->end, "error") == 0;
    return entry->ended == 0 || entry->ended < entry->began || cut_off;
}

const struct launch_entry *launch_record_after(const struct launch_record *record, const char *id)
{
    for (size_t i = record->count; i-- > 0;)
        if (strcmp(record->entries[i].after, id) == 0)
            return &record->entries[i];
    return NULL;
}

bool launch_record_follows(const struct launch_record *record, const char *id, const char *earlier)
{
    const struct launch_entry *entry = launch_record_find(record, id);
    for (size_t i = 0; i < record->count && entry && entry->after[0]; i++) {
        if (strcmp(entry->after, earlier) == 0 || is_same_job(entry->after, earlier))
            return true;
        entry = launch_record_find(record, entry->after);
    }
    return false;
}
