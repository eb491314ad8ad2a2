/*
 * Any bytes as the output of a scheduler's programs, and as the record of a study's jobs: nothing
 * may crash, an accepted number is valid, and an appended line is found again. The first byte
 * chooses: 'r' a record, 'l' the number of a local job, 'd' directives, otherwise a scheduler of
 * the table.
 */
#include "launch/schedulers.h"

#include <fcntl.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/dev/shm/wick-fuzz-XXXXXX", path[64];

static void remove_folder(void)
{
    unlink(path);
    rmdir(folder);
}

static void write_record(const uint8_t *data, size_t size)
{
    if (!path[0]) {
        if (!mkdtemp(folder))
            abort();
        snprintf(path, sizeof path, "%s/jobs", folder);
        atexit(remove_folder);
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

static void read_record(const uint8_t *data, size_t size)
{
    struct launch_record record;
    struct launch_report report;
    struct err e = {0};
    write_record(data, size);
    if (launch_record_began(folder, "fuzz-1", &e) || launch_record_load(&record, folder, &e))
        abort();
    const struct launch_entry *entry = launch_record_find(&record, "fuzz-1");
    if (!entry || entry->began <= 0 || entry->ended != 0)
        abort(); /* the earlier content swallowed the line */
    for (size_t i = 0; i < record.count; i++) {
        launch_record_after(&record, record.entries[i].id);
        if (strcmp(record.entries[i].scheduler, "local") == 0)
            launch_ask("local", record.entries[i].id, &report);
    }
    launch_record_free(&record);
}

static void read_answer(const struct scheduler *row, const char *text, size_t size)
{
    struct program_answer answer = {0};
    struct launch_report report = {0};
    char id[LAUNCH_ID] = "", line[64];
    str_add_bytes(&answer.out, text, size);
    if (answer_id(row, &answer.out, id) && !answer_is_id(id))
        abort();
    answer_is_unknown(row, &answer);
    answer_line(&answer, line, sizeof line);
    if (row->states)
        answer_read(row, "12.server", str_text(&answer.out), &report);
    if (strpbrk(report.word, "\r\n") || strpbrk(report.detail, "\r\n"))
        abort(); /* one line of a status */
    program_answer_free(&answer);
}

/* The last of equal lines is kept, and a line alone is. */
static void read_directive(const char *line)
{
    for (size_t i = 0; i < SCHEDULERS; i++) {
        const char *lines[] = {line, line};
        if (!schedulers[i].prefix)
            continue;
        if (directives_last(&schedulers[i], lines, 1) != 1 ||
            directives_last(&schedulers[i], lines, 2) < 1)
            abort();
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct launch_report report;
    if (size == 0)
        return 0;
    if (data[0] == 'r') {
        read_record(data + 1, size - 1);
    } else if (data[0] == 'd') {
        char *line = memory_new(size, 1);
        memcpy(line, data + 1, size - 1);
        read_directive(line);
        free(line);
    } else if (data[0] == 'l') {
        char *id = memory_new(size, 1);
        memcpy(id, data + 1, size - 1);
        launch_ask("local", id, &report);
        free(id);
    } else {
        read_answer(&schedulers[data[0] % SCHEDULERS], (const char *)data + 1, size - 1);
    }
    return 0;
}
