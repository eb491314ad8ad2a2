/* csv.c - no bytes in a CSV file of earlier results can make Wick crash. */
#include "earlier/earlier.h"
#include "folder.h"

#include <fcntl.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char definition[] = "space:\n"
                                 "  x: {float: [0, 1]}\n"
                                 "  n: {int: [1, 3], default: 2}\n"
                                 "  c: {choice: [a, 'b', 3, null]}\n"
                                 "  d: {float: [0, 1], when: {c: a}}\n"
                                 "model: {asktell: true}\n";

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static char path[80];
    static struct study study;
    static const char *paths[] = {path, NULL};
    struct err_list mistakes = {0};
    struct err e = {0};
    if (!study.text) {
        fuzz_folder_open();
        if (study_restore(&study, definition, strlen(definition), "/", &mistakes))
            abort();
        snprintf(path, sizeof path, "%s/results.csv", fuzz_folder);
        study.learn = paths;
        study.start_of = path;
        study.start_best = 3;
    }
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
    struct earlier *earlier;
    if (!earlier_read(&earlier, &study, &e))
        earlier_free(earlier);
    return 0;
}
