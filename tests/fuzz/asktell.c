/* asktell.c - no input can make wick asktell crash or lose its journal. */
#include "asktell/asktell.h"
#include "folder.h"

#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char definition[] = "space:\n"
                                 "  x: {float: [0, 1]}\n"
                                 "  n: {int: [1, 3], default: 2}\n"
                                 "  c: {choice: [a, 'b', 3, null]}\n"
                                 "  d: {float: [0, 1], when: {c: a}}\n"
                                 "model: {asktell: true}\n";

/* The bytes are lines; each must get an answer of one line. */
static void answer(struct asktell *asktell, const char *text, size_t length)
{
    struct str out = {0};
    for (size_t from = 0; from < length;) {
        const char *newline = memchr(text + from, '\n', length - from);
        size_t to = newline ? (size_t)(newline - text) : length;
        str_clear(&out);
        asktell_line(asktell, (struct slice){text + from, to - from}, &out);
        const char *end = strchr(str_text(&out), '\n');
        if (out.length > 0 && (!end || end[1]))
            abort();
        from = to + 1;
    }
    str_free(&out);
}

/* The journal of the last session, which must be whole. */
static void check_journal(const char *folder)
{
    struct journal journal;
    struct err e = {0};
    char path[80];
    if (journal_load(&journal, folder, &e))
        abort();
    journal_free(&journal);
    snprintf(path, sizeof path, "%s/journal", folder);
    unlink(path);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct study study;
    struct err_list mistakes = {0};
    struct err e = {0};
    if (!study.text) {
        fuzz_folder_open();
        if (study_restore(&study, definition, strlen(definition), "/", &mistakes))
            abort();
    }
    struct asktell *asktell;
    struct asktell_options options = {.dir = fuzz_folder};
    char *text = memcpy(memory_new(size + 1, 1), data, size);
    if (asktell_open(&asktell, &study, &options, &e))
        abort();
    answer(asktell, text, size);
    if (asktell_close(asktell, &e))
        abort();
    check_journal(fuzz_folder);
    free(text);
    return 0;
}
