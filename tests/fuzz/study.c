/*
 * Any bytes as a study: nothing may crash, and an accepted study must come back from its text as
 * the same study. The first byte chooses the way in: 0 a study file, 1 a study file with words of
 * the command line on top, 2 a parameter file, 3 lines that are values of --set, 's' a site file.
 */
#include "study/study.h"

#include "../unit/study/describe.h"

#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A file in memory with these bytes; its path goes into `path`. */
static int make_file(const uint8_t *data, size_t size, char path[32])
{
    int fd = memfd_create("study", 0);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    snprintf(path, 32, "/proc/self/fd/%d", fd);
    return fd;
}

/* Each line is a --set. */
static int read_sets(const uint8_t *data, size_t size, struct study *study,
                     struct err_list *mistakes)
{
    enum { SETS = 20 };
    static const char *const command[] = {"true", NULL};
    const char *set[SETS + 1] = {NULL};
    struct study_words words = {.set = set, .command = command};
    struct arena arena = {0};
    const char *text = arena_copy(&arena, (const char *)data, size);
    for (size_t i = 0; i < SETS && *text; i++) {
        size_t length = strcspn(text, "\n");
        set[i] = arena_copy(&arena, text, length);
        text += length + (text[length] == '\n');
    }
    int result = study_from_words(study, NULL, &words, mistakes);
    arena_free(&arena);
    return result;
}

static int read_bytes(const uint8_t *data, size_t size, struct study *study,
                      struct err_list *mistakes)
{
    static const char *const command[] = {"true", "{trial}", "a b", NULL};
    static const char *const set[] = {"zz=1..5", "yy=a,b", "xx=log:1e-3..1", "x=0.5", NULL};
    static const char *const env[] = {"NAME=value", NULL};
    static const struct study_words over = {
        .set = set, .env = env, .command = command, .score = "loss", .trials = "7"};
    static const struct study_words with = {.command = command, .name = "fuzz"};
    char path[32];
    unsigned way = data[0] % 4;
    if (way == 0)
        return study_parse(study, (const char *)data + 1, size - 1, "fuzz.yaml", "/", mistakes);
    if (way == 3)
        return read_sets(data + 1, size - 1, study, mistakes);
    int fd = make_file(data + 1, size - 1, path);
    int result = way == 1 ? study_from_words(study, path, &over, mistakes)
                          : study_from_upf(study, path, &with, mistakes);
    close(fd);
    return result;
}

static void compare_restored(const struct study *study)
{
    struct study again;
    struct err_list mistakes = {0};
    struct str first = {0}, second = {0};
    if (study_restore(&again, study->text, strlen(study->text), study->model.folder, &mistakes) !=
        0) {
        fprintf(stderr, "not restored: %s\n", mistakes.items[0].message);
        abort();
    }
    describe(study, &first);
    describe(&again, &second);
    if (strcmp(first.text, second.text) != 0) {
        fprintf(stderr, "restored differently:\n%s\n---\n%s\n", first.text, second.text);
        abort();
    }
    study_free(&again);
    err_list_free(&mistakes);
    str_free(&first);
    str_free(&second);
}

static void read_site(const uint8_t *data, size_t size)
{
    struct study_site site;
    struct study_job job = {.nodes = 1};
    struct arena arena = {0};
    struct err_list mistakes = {0};
    char path[32];
    int fd = make_file(data, size, path);
    if (study_site_load(&site, path, &mistakes) == 0)
        study_job_complete(&job, &site, &arena);
    else if (mistakes.count == 0)
        abort(); /* rejected without a message */
    close(fd);
    study_site_free(&site);
    arena_free(&arena);
    err_list_free(&mistakes);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct study study;
    struct err_list mistakes = {0};
    if (size == 0)
        return 0;
    if (data[0] == 's') {
        read_site(data + 1, size - 1);
        return 0;
    }
    if (read_bytes(data, size, &study, &mistakes) == 0) {
        compare_restored(&study);
        study_free(&study);
    } else if (mistakes.count == 0) {
        abort(); /* rejected without a message */
    }
    err_list_free(&mistakes);
    return 0;
}
