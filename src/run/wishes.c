/*
 * wishes.c - points that the user wants tried.
 *
 * `wick enqueue` may run on any node that sees the study's folder, and nothing but the file system
 * is between it and the driver. So the file is opened anew for each look: on NFS that is when other
 * nodes' writes become visible. That there is a file now shows when halt.c opens the folder,
 * before.
 */
#include "run/wishes.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- reading ---- */

void wishes_open(struct wishes *wishes, const char *dir, const struct space *space)
{
    struct str path = {0};
    str_printf(&path, "%s/queue", dir);
    *wishes = (struct wishes){.space = space, .path = path.text};
}

void wishes_close(struct wishes *wishes)
{
    str_free(&wishes->text);
    free(wishes->path);
    free(wishes->lines);
    free(wishes->points);
}

void wishes_used(struct wishes *wishes, uint64_t line)
{
    wishes->used = line;
}

size_t wishes_waiting(const struct wishes *wishes)
{
    return wishes->count - wishes->next;
}

static void take_line(struct wishes *wishes, struct slice line)
{
    struct json j;
    struct err ignored = {0};
    size_t width = wishes->space->count;
    if (++wishes->read <= wishes->used)
        return;
    wishes->points = memory_grow(wishes->points, &wishes->point_capacity,
                                 (wishes->count + 1) * width, sizeof *wishes->points);
    double *point = wishes->points + wishes->count * width;
    json_open(&j, line.text, line.length);
    if (space_read_json(wishes->space, &j, point, &ignored) || json_close(&j) ||
        wishes_complete(wishes->space, point, &ignored))
        return;
    wishes->lines = memory_grow(wishes->lines, &wishes->line_capacity, wishes->count + 1,
                                sizeof *wishes->lines);
    wishes->lines[wishes->count++] = wishes->read;
}

static void take_lines(struct wishes *wishes)
{
    size_t from = 0;
    const char *text = str_text(&wishes->text), *newline;
    while ((newline = memchr(text + from, '\n', wishes->text.length - from))) {
        size_t to = (size_t)(newline - text);
        take_line(wishes, (struct slice){text + from, to - from});
        from = to + 1;
    }
    str_drop(&wishes->text, from);
    wishes->offset += from;
}

void wishes_look(struct wishes *wishes)
{
    enum { CHUNK = 1 << 16 };
    struct stat info;
    int fd = open(wishes->path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    /* A torn line may have been cut off since, and a whole one stand there now. */
    str_clear(&wishes->text);
    bool more = fstat(fd, &info) == 0 && (uint64_t)info.st_size > wishes->offset;
    char *chunk = more ? memory_new(CHUNK, 1) : NULL;
    while (more) {
        ssize_t n = pread(fd, chunk, CHUNK, (off_t)(wishes->offset + wishes->text.length));
        more = n > 0;
        if (more)
            str_add_bytes(&wishes->text, chunk, (size_t)n);
        if (more)
            take_lines(wishes);
    }
    free(chunk);
    close(fd);
}

const double *wishes_next(const struct wishes *wishes)
{
    bool waits = wishes->next < wishes->count;
    return waits ? wishes->points + wishes->next * wishes->space->count : NULL;
}

uint64_t wishes_take(struct wishes *wishes, double *point)
{
    size_t width = wishes->space->count;
    if (wishes->next == wishes->count)
        return 0;
    memcpy(point, wishes->points + wishes->next * width, width * sizeof *point);
    uint64_t line = wishes->lines[wishes->next++];
    if (wishes->next == wishes->count)
        wishes->next = wishes->count = 0;
    return line;
}

size_t wishes_left(const char *dir, const struct space *space, uint64_t used)
{
    struct wishes wishes;
    wishes_open(&wishes, dir, space);
    wishes_used(&wishes, used);
    wishes_look(&wishes);
    size_t left = wishes_waiting(&wishes);
    wishes_close(&wishes);
    return left;
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

double wishes_default(const struct parameter *parameter)
{
    bool numeric = parameter->kind == PARAMETER_FLOAT || parameter->kind == PARAMETER_INT;
    if (!isnan(parameter->fallback))
        return parameter->fallback;
    return numeric ? space_at(parameter, 0.5) : 0;
}

int wishes_complete(const struct space *space, double *point, struct err *e)
{
    int result = 0;
    double *given = memory_new(space->count, sizeof *given);
    memcpy(given, point, space->count * sizeof *given);
    for (size_t i = 0; i < space->count; i++)
        if (isnan(point[i]))
            point[i] = wishes_default(&space->parameters[i]);
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
    char byte;
    off_t size = lseek(fd, 0, SEEK_END), whole = size;
    while (whole > 0 && pread(fd, &byte, 1, whole - 1) == 1 && byte != '\n')
        whole--;
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
 * The lock keeps writers of several nodes apart, since O_APPEND alone does not on NFS. Where there
 * are no locks a line is still one write.
 */
static int append(const char *path, const struct str *lines, struct err *e)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    int fd = open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC, 0666), result = 0;
    if (fd < 0)
        return err_system(e, "cannot write %s", path);
    while (fcntl(fd, F_OFD_SETLKW, &whole) != 0 && errno == EINTR)
        ;
    if (cut_torn_line(fd) != 0 || !write_all(fd, lines) || fdatasync(fd) != 0)
        result = err_system(e, "cannot write %s", path);
    close(fd);
    return result;
}

int wishes_append(const char *dir, const struct space *space, const double *points, size_t count,
                  struct err *e)
{
    struct str path = {0}, lines = {0};
    str_printf(&path, "%s/queue", dir);
    for (size_t i = 0; i < count; i++) {
        space_put_json(space, points + i * space->count, &lines);
        str_add_char(&lines, '\n');
    }
    int result = count > 0 ? append(path.text, &lines, e) : 0;
    str_free(&path);
    str_free(&lines);
    return result;
}
