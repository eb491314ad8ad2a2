/* journal.c - no bytes in a journal can make Wick crash, whichever command reads it. */
#include "journal/journal.h"
#include "folder.h"

#include <fcntl.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Everything that a command may ask for. */
static void ask(const struct journal *journal)
{
    struct err e = {0};
    struct journal_counts counts;
    struct outcome result = {0};
    uint32_t best[10];
    double *point = memory_new(journal->study.space.count, sizeof *point);
    journal_count(journal, &counts);
    journal_top(journal, 10, best);
    for (size_t i = 0; i < journal->count; i++) {
        (void)!journal_point(journal, i, point, &e);
        (void)!journal_result(journal, i, &result, &e);
    }
    outcome_free(&result);
    free(point);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static int fd = -1;
    if (fd < 0) {
        char path[64];
        fuzz_folder_open();
        snprintf(path, sizeof path, "%s/journal", fuzz_folder);
        fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    }
    struct journal journal;
    struct err e = {0};
    if (ftruncate(fd, 0) != 0 || pwrite(fd, data, size, 0) != (ssize_t)size)
        abort();
    if (journal_load(&journal, fuzz_folder, &e) == 0) {
        ask(&journal);
        journal_free(&journal);
    }
    return 0;
}
