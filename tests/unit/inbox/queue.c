/* queue.c - points that the user has queued: what is filled in, what is rejected, what is read. */
#include "inbox/inbox.h"
#include "study/study.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static const char definition[] = "model: {function: noop}\n"
                                 "space:\n"
                                 "  x: {float: [0, 1]}\n"
                                 "  n: {int: [1, 9], default: 4}\n"
                                 "  c: {choice: [a, b]}\n"
                                 "  d: {float: [0, 2], when: {c: b}}\n"
                                 "forbid:\n"
                                 "- {n: 9, c: b}\n";
static char folder[] = "/tmp/wick-unit-XXXXXX";

static void test_points(const struct space *space)
{
    static const struct {
        const char *given, *expected, *name;
    } cases[] = {
        {"{}", "{\"x\":0.5,\"n\":4,\"c\":\"a\"}", "defaults, the middle and the first value"},
        {"{\"c\":\"b\"}", "{\"x\":0.5,\"n\":4,\"c\":\"b\",\"d\":1}", "what becomes active"},
        {"{\"d\":1.5,\"c\":\"b\",\"x\":0}", "{\"x\":0,\"n\":4,\"c\":\"b\",\"d\":1.5}",
         "what is given"},
        {"{\"d\":1.5}", "'d' is not used with this value of 'c': change that, or leave 'd' out",
         "what is not active"},
        {"{\"n\":9,\"c\":\"b\"}", "the study forbids this combination", "what is forbidden"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double point[4];
        struct json j;
        struct err e = {0};
        struct str text = {0};
        json_open(&j, cases[i].given, strlen(cases[i].given));
        if (space_read_json(space, &j, point, &e) || inbox_complete(space, point, &e))
            str_add(&text, e.message);
        else
            space_put_json(space, point, &text);
        is_text(text.text, cases[i].expected, cases[i].name);
        str_free(&text);
    }
}

static void add_text(const char *path, const char *text)
{
    FILE *file = fopen(path, "a");
    fputs(text, file);
    fclose(file);
}

static void test_reading(const struct space *space)
{
    struct inbox_queue queue;
    struct err e = {0};
    char path[64];
    double point[4], mine[4] = {0.25, 2, 0, NAN};
    snprintf(path, sizeof path, "%s/queue", folder);
    inbox_queue_open(&queue, folder, space);
    inbox_queue_look(&queue);
    ok(inbox_queue_waiting(&queue) == 0, "without a file nothing waits");
    add_text(path, "{\"x\":0.125}\nno point\n{\"n\":100}\n{\"x\":0.5}\n{\"x\":0.7");
    inbox_queue_look(&queue);
    ok(inbox_queue_waiting(&queue) == 2, "whole lines that fit wait");
    ok(inbox_queue_pop(&queue, point) == 1 && point[0] == 0.125, "the first line");
    ok(inbox_queue_pop(&queue, point) == 4 && point[0] == 0.5,
       "wrong ones are left out and counted");
    ok(inbox_queue_pop(&queue, point) == 0, "half a line does not count");
    add_text(path, "5}\n");
    inbox_queue_look(&queue);
    ok(inbox_queue_pop(&queue, point) == 5 && point[0] == 0.75, "until it is whole");
    add_text(path, "{\"x\":0.9");
    inbox_queue_look(&queue);
    ok(inbox_queue_append(folder, space, mine, 1, &e) == 0, "a writer after one that was killed");
    inbox_queue_look(&queue);
    ok(inbox_queue_pop(&queue, point) == 6 && point[0] == 0.25, "takes its place");
    inbox_queue_close(&queue);
    ok(inbox_queue_left(folder, space, 4, NULL) == 2,
       "lines that were used before are not used again");
    uint64_t used[] = {1, 6}, lines[4];
    double points[16];
    ok(inbox_queue_skipped(folder, space, used, 2, lines, points, 4) == 2 && lines[0] == 4 &&
           points[0] == 0.5 && lines[1] == 5 && points[space->count] == 0.75,
       "lines between those that were used");
    ok(inbox_queue_skipped(folder, space, used, 2, lines, points, 1) == 1 && lines[0] == 4,
       "no more of them than wanted");
    ok(inbox_queue_skipped(folder, space, used, 1, lines, points, 4) == 0, "or none");
    unlink(path);
}

/* Appends bytes that are not a point, without a newline. */
static void add_bytes(const char *path, size_t count)
{
    FILE *file = fopen(path, "a");
    for (size_t i = 0; i < count; i++)
        putc('x', file);
    fclose(file);
}

static void test_long_lines(const struct space *space)
{
    struct inbox_queue queue;
    struct err e = {0};
    char path[64];
    double point[4], mine[4] = {0.25, 2, 0, NAN};
    unsigned looks = 1;
    snprintf(path, sizeof path, "%s/queue", folder);
    inbox_queue_open(&queue, folder, space);
    add_text(path, "{\"x\":0.125}\n");
    add_bytes(path, 20 << 20);
    while (inbox_queue_look(&queue))
        looks++;
    ok(looks > 1, "a look does not read a large file as a whole");
    ok(queue.text.capacity < 4 * INBOX_LINE, "nor keeps a line that is too long");
    ok(inbox_queue_pop(&queue, point) == 1, "the line before it is used");
    ok(inbox_queue_waiting(&queue) == 0, "it is not");
    add_text(path, "\n{\"x\":0.5}\n");
    inbox_queue_look(&queue);
    ok(inbox_queue_pop(&queue, point) == 3 && point[0] == 0.5, "it is counted when it ends");
    add_bytes(path, 2 * INBOX_LINE);
    inbox_queue_look(&queue);
    ok(inbox_queue_append(folder, space, mine, 1, &e) == 0, "a writer after a long torn line");
    inbox_queue_look(&queue);
    ok(inbox_queue_pop(&queue, point) == 4 && point[0] == 0.25, "takes its place");
    inbox_queue_close(&queue);
    ok(inbox_queue_left(folder, space, 0, NULL) == 3,
       "all points are found, whatever is between them");
    unlink(path);
}

/* Without a writer, opening a pipe to read it would block, and so would reading it with one. */
static void test_no_files(const struct space *space)
{
    struct inbox_queue queue;
    struct err e = {0};
    char path[64], other[64], expected[128];
    double mine[4] = {0.25, 2, 0, NAN};
    snprintf(path, sizeof path, "%s/queue", folder);
    snprintf(other, sizeof other, "%s/other", folder);
    snprintf(expected, sizeof expected, "cannot write %s: it is not a regular file; move it away",
             path);
    inbox_queue_open(&queue, folder, space);
    ok(mkfifo(path, 0600) == 0, "a pipe in place of the queue");
    ok(!inbox_queue_look(&queue) && inbox_queue_left(folder, space, 0, NULL) == 0, "has no points");
    is_text(queue.trouble, "it is not a regular file; remove it", "and says so");
    ok(inbox_queue_append(folder, space, mine, 1, &e) != 0, "and takes none");
    is_text(e.message, expected, "as the message says");
    unlink(path);
    add_text(other, "{\"x\":0.5}\n");
    ok(symlink(other, path) == 0, "a link in place of the queue");
    inbox_queue_look(&queue);
    ok(inbox_queue_waiting(&queue) == 0, "is not followed");
    ok(inbox_queue_append(folder, space, mine, 1, &e) != 0, "nor written through");
    inbox_queue_close(&queue);
    unlink(path);
    unlink(other);
}

/* The queue of somebody who writes faster than trials run must not fill the memory. */
static void test_many(const struct space *space)
{
    enum { MOST = INBOX_WAITING, MANY = 10 * MOST };
    struct inbox_queue queue;
    struct str text = {0};
    char path[64];
    double point[4];
    size_t taken = 0;
    snprintf(path, sizeof path, "%s/queue", folder);
    for (int i = 0; i < MANY; i++)
        str_add(&text, "{\"x\":0.5}\n");
    add_text(path, text.text);
    inbox_queue_open(&queue, folder, space);
    for (int looks = 0; looks < 10; looks++)
        inbox_queue_look(&queue);
    ok(inbox_queue_waiting(&queue) >= MOST && inbox_queue_waiting(&queue) < MANY / 2,
       "a long queue is not read as a whole: %zu", inbox_queue_waiting(&queue));
    for (int looks = 0; looks < 100 && taken < MANY; looks++) {
        while (inbox_queue_pop(&queue, point) > 0)
            taken++;
        inbox_queue_look(&queue);
    }
    ok(taken == MANY, "but in the end each of its points is taken: %zu", taken);
    ok(inbox_queue_left(folder, space, 0, NULL) == MANY, "and all are counted");
    inbox_queue_close(&queue);
    str_free(&text);
    unlink(path);
}

int main(void)
{
    struct study study;
    struct err_list mistakes = {0};
    if (!mkdtemp(folder) ||
        study_parse(&study, definition, strlen(definition), "study.yaml", folder, &mistakes))
        return 1;
    test_points(&study.space);
    test_reading(&study.space);
    test_long_lines(&study.space);
    test_no_files(&study.space);
    test_many(&study.space);
    study_free(&study);
    rmdir(folder);
    return tap_end();
}
