/*
 * queue.c - points that the user wants tried.
 *
 * `wick enqueue` may run on any node that sees the study folder, and only the file system
 * connects it to the driver. So the file is opened again for each look: on NFS that is when writes
 * of other nodes become visible. That the file exists at all becomes visible when inbox_stop_obey()
 * opens the folder, which the driver calls first.
 */
#include "inbox/inbox.h"

#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <time.h>
#include <unistd.h>

static const double LOCK_SECONDS = 3; /* to wait for others who write */

/* ---- reading ---- */

void inbox_queue_open(struct inbox_queue *queue, const char *dir, const struct space *space)
{
    struct str path = {0};
    study_path(&path, dir, STUDY_QUEUE);
    *queue = (struct inbox_queue){.space = space, .path = path.text};
}

void inbox_queue_close(struct inbox_queue *queue)
{
    str_free(&queue->text);
    free(queue->path);
    free(queue->lines);
    free(queue->points);
}

void inbox_queue_skip(struct inbox_queue *queue, uint64_t line)
{
    queue->used = line;
}

size_t inbox_queue_waiting(const struct inbox_queue *queue)
{
    return queue->count - queue->next;
}

static void read_line(struct inbox_queue *queue, struct slice line)
{
    struct json j;
    struct err ignored = {0};
    size_t width = queue->space->count;
    if (++queue->read <= queue->used)
        return;
    queue->points = memory_grow(queue->points, &queue->point_capacity, (queue->count + 1) * width,
                                sizeof *queue->points);
    double *point = queue->points + queue->count * width;
    json_open(&j, line.text, line.length);
    if (space_read_json(queue->space, &j, point, &ignored) || json_close(&j) ||
        inbox_complete(queue->space, point, &ignored))
        return;
    queue->lines =
        memory_grow(queue->lines, &queue->line_capacity, queue->count + 1, sizeof *queue->lines);
    queue->lines[queue->count++] = queue->read;
}

/* Takes the whole lines of `text`. A line that is too long is counted, but not kept. */
static void take_lines(struct inbox_queue *queue)
{
    size_t from = 0;
    const char *text = str_text(&queue->text), *newline;
    while ((newline = memchr(text + from, '\n', queue->text.length - from))) {
        size_t to = (size_t)(newline - text);
        if (queue->passed > 0 || to - from > INBOX_LINE)
            queue->read++;
        else
            read_line(queue, (struct slice){text + from, to - from});
        queue->offset += queue->passed + to + 1 - from;
        queue->passed = 0;
        from = to + 1;
    }
    str_drop(&queue->text, from);
    if (queue->passed > 0 || queue->text.length > INBOX_LINE) {
        queue->passed += queue->text.length;
        str_clear(&queue->text);
    }
}

/* What is no file, or has no end, would never be taken; the rest may pass by itself. */
static void set_trouble(struct inbox_queue *queue, const char *what, int number)
{
    bool is_odd = number == EINVAL || number == EISDIR || number == ELOOP || number == ENXIO;
    if (is_odd)
        snprintf(queue->trouble, sizeof queue->trouble, "it is not a regular file; remove it");
    else
        snprintf(queue->trouble, sizeof queue->trouble, "%s: %s", what, strerror(number));
}

bool inbox_queue_look(struct inbox_queue *queue)
{
    enum { CHUNK = 1 << 16, MOST = 4 << 20 };
    if (inbox_queue_waiting(queue) >= INBOX_WAITING)
        return false;
    int fd = str_open_regular(queue->path, O_RDONLY | O_NOFOLLOW);
    queue->trouble[0] = 0;
    if (fd < 0) {
        if (errno != ENOENT)
            set_trouble(queue, "it cannot be opened", errno);
        return false;
    }
    off_t size = lseek(fd, 0, SEEK_END);
    /* A torn line may have been cut off since, and a whole one written in its place. */
    str_clear(&queue->text);
    if ((uint64_t)size < queue->offset + queue->passed)
        queue->passed = 0;
    bool more = (uint64_t)size > queue->offset + queue->passed;
    char *chunk = more ? memory_new(CHUNK, 1) : NULL;
    for (size_t done = 0; more && done < MOST;) {
        uint64_t at = queue->offset + queue->passed + queue->text.length;
        ssize_t n = pread(fd, chunk, CHUNK, (off_t)at);
        more = n > 0;
        if (n < 0)
            set_trouble(queue, "it cannot be read", errno);
        if (more) {
            str_add_bytes(&queue->text, chunk, (size_t)n);
            take_lines(queue);
            done += (size_t)n;
        }
    }
    free(chunk);
    close(fd);
    if (queue->passed > 0 && !queue->trouble[0])
        snprintf(queue->trouble, sizeof queue->trouble,
                 "its last line is longer than 1 MiB; remove that line");
    return more;
}

const double *inbox_queue_next(const struct inbox_queue *queue)
{
    bool waits = queue->next < queue->count;
    return waits ? queue->points + queue->next * queue->space->count : NULL;
}

uint64_t inbox_queue_pop(struct inbox_queue *queue, double *point)
{
    size_t width = queue->space->count;
    if (queue->next == queue->count)
        return 0;
    memcpy(point, queue->points + queue->next * width, width * sizeof *point);
    uint64_t line = queue->lines[queue->next++];
    if (queue->next == queue->count)
        queue->next = queue->count = 0;
    return line;
}

size_t inbox_queue_left(const char *dir, const struct space *space, uint64_t used,
                        char trouble[INBOX_TROUBLE])
{
    struct inbox_queue queue;
    inbox_queue_open(&queue, dir, space);
    inbox_queue_skip(&queue, used);
    size_t left = 0;
    for (bool more = true; more;) { /* no more than one look is kept in memory */
        more = inbox_queue_look(&queue);
        left += inbox_queue_waiting(&queue);
        queue.next = queue.count = 0;
    }
    if (trouble)
        memcpy(trouble, queue.trouble, sizeof queue.trouble);
    inbox_queue_close(&queue);
    return left;
}

size_t inbox_queue_skipped(const char *dir, const struct space *space, const uint64_t *used,
                           size_t used_count, uint64_t *lines, double *points, size_t most)
{
    struct inbox_queue queue;
    size_t count = 0, next = 0; /* next: of the used lines */
    bool more = true;
    inbox_queue_open(&queue, dir, space);
    while (next < used_count && count < most && (more || inbox_queue_waiting(&queue) > 0)) {
        if (inbox_queue_waiting(&queue) == 0) {
            more = inbox_queue_look(&queue);
            continue;
        }
        uint64_t line = inbox_queue_pop(&queue, points + count * space->count);
        while (next < used_count && used[next] < line)
            next++;
        if (next < used_count && used[next] > line)
            lines[count++] = line;
    }
    inbox_queue_close(&queue);
    return count;
}

/* ---- points ---- */

static int not_active(const struct space *space, size_t index, struct err *e)
{
    const struct parameter *parameter = &space->parameters[index];
    struct str parents = {0};
    for (size_t i = 0; i < parameter->when_count; i++)
        str_printf(&parents, "%s'%s'", i ? " and " : "",
                   space->parameters[parameter->when[i].parameter].name);
    err_set(e, ERR_USER, "'%s' is not used with this value of %s: change that, or leave '%s' out",
            parameter->name, str_text(&parents), parameter->name);
    str_free(&parents);
    return e->code;
}

int inbox_complete(const struct space *space, double *point, struct err *e)
{
    int result = 0;
    double *given = memory_new(space->count, sizeof *given);
    memcpy(given, point, space->count * sizeof *given);
    for (size_t i = 0; i < space->count; i++)
        if (isnan(point[i]))
            point[i] = space_fallback(&space->parameters[i]);
    space_deactivate(space, point);
    for (size_t i = 0; i < space->count && !result; i++)
        if (isnan(point[i]) && !isnan(given[i]))
            result = not_active(space, i, e);
    if (!result && !space_allowed(space, point))
        result = err_set(e, ERR_USER, "the study forbids this combination");
    free(given);
    return result;
}

/* ---- writing ---- */

/* A writer that was killed may have left a part of a line: nobody has read it. */
static int cut_torn_line(int fd)
{
    char chunk[4096];
    off_t size = lseek(fd, 0, SEEK_END), whole = size;
    while (whole > 0) {
        size_t length = whole < (off_t)sizeof chunk ? (size_t)whole : sizeof chunk;
        if (pread(fd, chunk, length, whole - (off_t)length) != (ssize_t)length)
            return -1;
        const char *newline = memrchr(chunk, '\n', length);
        whole -= (off_t)length;
        if (newline) {
            whole += newline + 1 - chunk;
            break;
        }
    }
    return whole == size ? 0 : ftruncate(fd, whole);
}

static bool write_all(int fd, const struct str *text)
{
    size_t done = 0;
    while (done < text->length) {
        ssize_t n = write(fd, text->text + done, text->length - done);
        if (n < 0 && errno != EINTR)
            return false;
        done += n > 0 ? (size_t)n : 0;
    }
    return true;
}

/*
 * The lock keeps writers on several nodes apart, which O_APPEND alone does not do on NFS. Without
 * it, a line is still one write: so nobody waits for long. Who may only read the file could hold
 * it.
 */
static void lock_for_append(int fd)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    double end = clock_now() + LOCK_SECONDS;
    while (fcntl(fd, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES) &&
           clock_now() < end)
        nanosleep(&(struct timespec){.tv_nsec = 20000000}, NULL);
}

static int append(const char *path, const struct str *lines, struct err *e)
{
    int fd = str_open_regular(path, O_RDWR | O_APPEND | O_CREAT | O_NOFOLLOW), result = 0;
    if (fd < 0)
        return str_not_regular("write", path, e);
    lock_for_append(fd);
    if (cut_torn_line(fd) != 0 || !write_all(fd, lines) || fdatasync(fd) != 0)
        result = err_system(e, "cannot write %s", path);
    close(fd);
    return result;
}

int inbox_queue_append(const char *dir, const struct space *space, const double *points,
                       size_t count, struct err *e)
{
    struct str path = {0}, lines = {0};
    int result = 0;
    study_path(&path, dir, STUDY_QUEUE);
    for (size_t i = 0; i < count && !result; i++) {
        size_t from = lines.length;
        space_put_json(space, points + i * space->count, &lines);
        if (lines.length - from > INBOX_LINE)
            result = err_set(e, ERR_USER, "a point of %zu bytes is too long: the most is %d",
                             lines.length - from, INBOX_LINE);
        str_add_char(&lines, '\n');
    }
    if (count > 0 && !result)
        result = append(path.text, &lines, e);
    str_free(&path);
    str_free(&lines);
    return result;
}
