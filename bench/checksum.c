/*
 * checksum - what the numbers and checksums of records cost: their share of the time in which the
 * records of many trials are written and read, in processor time, each round in the same run.
 *
 *   path      starts and ends of trials become records, reach the file, and are loaded again
 *   checksum  the same records are sealed and checked, and nothing else
 *
 * The share of the whole run of a million trials is smaller: see bench/throughput.sh.
 */
#include "bench/measure.h"
#include "journal/journal.h"
#include "journal/seal.h"

#include <math.h>
#include <unistd.h>

enum { ROUNDS = 15, LIMIT = 5 /* percent */ };

static char dir[64];

static void must(bool holds, const char *what, const struct err *e)
{
    if (holds)
        return;
    fprintf(stderr, "%s: %s\n", what, e->message);
    exit(1);
}

static const char *path_of(const char *name)
{
    static char path[96];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    return path;
}

/* Writes and reads the records of this many trials; returns the text of the journal. */
static struct str measure_path(const struct study *study, size_t trials, double *seconds)
{
    struct journal_writer *writer;
    struct journal journal;
    struct err e = {0};
    struct random random;
    struct str text = {0};
    double point[4], before = processor_seconds();
    random_seed(&random, 1, 0);
    must(journal_create(&writer, dir, study, &e) == 0, "journal_create", &e);
    for (uint64_t id = 1; id <= trials; id++) {
        double time = 0.01 * (double)id;
        for (size_t i = 0; i < 4; i++)
            point[i] = random_unit(&random);
        struct outcome result = {.state = OUTCOME_DONE,
                                 .score = random_unit(&random),
                                 .started = time,
                                 .ended = time + 0.005,
                                 .exit_code = -1};
        journal_start(writer, id, time, 1, 1, &study->space, point);
        journal_end(writer, id, time + 0.005, 1, &result, false);
    }
    must(journal_close(writer, (double)trials, END_DONE, &e) == 0, "journal_close", &e);
    must(journal_load(&journal, dir, &e) == 0 && journal.count == trials, "journal_load", &e);
    *seconds = processor_seconds() - before;
    journal_free(&journal);
    must(str_read_file(&text, path_of("journal"), (size_t)1 << 40, &e) == 0, "the journal", &e);
    unlink(path_of("journal"));
    unlink(path_of("lock"));
    return text;
}

/* The length of each record without its seal. */
static size_t *find_bodies(const struct str *text, size_t *count)
{
    size_t *bodies = NULL, capacity = 0;
    const char *end = text->text + text->length, *newline;
    *count = 0;
    for (const char *at = text->text; at < end; at = newline + 1) {
        newline = memchr(at, '\n', (size_t)(end - at));
        const char *seal = memmem(at, (size_t)(newline - at), ",\"seq\":", 7);
        bodies = memory_grow(bodies, &capacity, *count + 1, sizeof *bodies);
        bodies[(*count)++] = (size_t)(seal - at);
    }
    return bodies;
}

/* Copies all records; seals and checks each of them if `seals`. */
static double go_through(const struct str *text, const size_t *bodies, size_t count, bool seals)
{
    const uint64_t key = 0x123456789abcdef;
    struct seal_count own = {0}, expected = {0};
    struct str record = {0};
    const char *at = text->text;
    double before = processor_seconds();
    for (size_t i = 0; i < count; i++) {
        uint64_t number;
        str_clear(&record);
        str_add_bytes(&record, at, bodies[i]);
        at += bodies[i];
        if (!seals)
            continue;
        seal_set(&own, i + 1);
        seal_add(&record, 0, &own, key);
        seal_set(&expected, i + 1);
        if (seal_check((struct slice){record.text, record.length}, key, &expected, &number) == 0)
            abort();
    }
    double seconds = processor_seconds() - before;
    str_free(&record);
    return seconds;
}

/* The seconds that sealing and checking the records takes. */
static double measure_checksums(const struct str *text)
{
    size_t count;
    size_t *bodies = find_bodies(text, &count);
    double seconds = go_through(text, bodies, count, true) - go_through(text, bodies, count, false);
    free(bodies);
    return seconds;
}

int main(void)
{
    static const char definition[] =
        "model: {function: noop}\n"
        "space: {a: {float: [0, 1]}, b: {float: [0, 1]}, c: {float: [0, 1]}, d: {float: [0, 1]}}\n";
    size_t trials = bench_size(200000, 2000);
    struct study study;
    struct err_list mistakes = {0};
    double shares[ROUNDS], paths[ROUNDS];
    snprintf(dir, sizeof dir, "/tmp/wick-bench-XXXXXX");
    if (!mkdtemp(dir) ||
        study_parse(&study, definition, strlen(definition), "study.yaml", "/", &mistakes))
        return 1;
    for (size_t i = 0; i < ROUNDS; i++) {
        double path, checksums;
        struct str text = measure_path(&study, trials, &path);
        checksums = measure_checksums(&text);
        shares[i] = 100 * checksums / path;
        paths[i] = 1e9 * path / (double)(2 * trials);
        str_free(&text);
    }
    qsort(shares, ROUNDS, sizeof *shares, by_size);
    qsort(paths, ROUNDS, sizeof *paths, by_size);
    printf("a record is written and read in %.0f ns of processor time\n", paths[ROUNDS / 2]);
    printf("checksums take %.1f %% of the time in which records are written and read (median of %d "
           "rounds, %.1f to %.1f; at most %d wanted): %s\n",
           shares[ROUNDS / 2], ROUNDS, shares[0], shares[ROUNDS - 1], LIMIT,
           shares[ROUNDS / 2] <= LIMIT ? "good" : "MISSED");
    rmdir(dir);
    study_free(&study);
    return 0;
}
