/*
 * crash.c - whatever becomes of the bytes of a journal, no trial is changed without a word.
 *
 * A writer makes a journal, and every sync is noted with the size of the file. Then, in thousands
 * of cases, each with a seed:
 *
 *   power cuts   What was synced is there. Of what was written later, each block of 512 bytes
 *                reached the disk or did not, in any order: it has zeros, or what another journal
 *                left there. The file has its size, or any smaller one.
 *   damage       Anywhere: bytes are changed, overwritten by zeros, noise, or a piece of this or of
 *                another journal; removed, inserted, swapped; the end is cut off.
 *
 * After each, the journal is read, mended, read again and continued. It must hold that every trial
 * is as it was, or was at an earlier time; or is known to be lost; that a trial which is not as it
 * was is so because of damage that was noticed, unless the end of the file is cut off; and that a
 * trial whose end was synced before a power cut is as it was.
 */
#include "journal/journal.h"
#include "tap.h"

#include <errno.h>
#include <pthread.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

enum { TRIALS = 40, PARAMETERS = 3, BLOCK = 512, CASES = 1250 /* of both kinds, at SEEDS=100 */ };

static char folder[64];
static const char STUDY[] = "name: crash\n"
                            "model: {function: noop}\n"
                            "space:\n"
                            "  x: {float: [0, 1]}\n"
                            "  kind: {choice: [a, b]}\n"
                            "  y: {int: [1, 9], when: {kind: a}}\n";

/* ---- syncs are noted ---- */

enum { SYNCS = 4096 };
static struct {
    pthread_mutex_t mutex;
    size_t sizes[SYNCS], count;
    bool notes;
    int failing; /* this many syncs fail */
} syncs = {.mutex = PTHREAD_MUTEX_INITIALIZER};

int fdatasync(int fd);

/* In place of the one of the C library. */
int fdatasync(int fd)
{
    struct stat info;
    pthread_mutex_lock(&syncs.mutex);
    bool fails = syncs.failing > 0;
    syncs.failing -= fails;
    if (!fails && syncs.notes && syncs.count < SYNCS && fstat(fd, &info) == 0)
        syncs.sizes[syncs.count++] = (size_t)info.st_size;
    pthread_mutex_unlock(&syncs.mutex);
    errno = EIO;
    return fails ? -1 : 0;
}

/* ---- a journal, and what is true ---- */

static char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

/* All trials as the journal has them after each of its records. */
struct truth {
    struct str text, copy;       /* of the journal and of study.yaml */
    size_t sizes[SYNCS], synced; /* of the file after each sync */
    double points[TRIALS][PARAMETERS];
    double scores[TRIALS]; /* of a trial that is done */
    bool lost[TRIALS];
    size_t ended[TRIALS]; /* where its last record ends; 0: it has not ended */
    size_t count;
};

static struct study study;

static void read_file(const char *name, struct str *s)
{
    struct err e = {0};
    str_clear(s);
    if (str_read_file(s, path_of(name), 1 << 24, &e))
        BUG("%s", e.message);
}

static void write_file(const char *name, const struct str *s)
{
    struct err e = {0};
    if (str_write_file(path_of(name), str_text(s), s->length, &e))
        BUG("%s", e.message);
}

static void forget_files(void)
{
    static const char *const names[] = {"journal", "lock", "study.yaml", "journal.damaged",
                                        "journal.damaged.2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
}

static void write_trial(struct journal_writer *w, struct random *random, unsigned id, double time)
{
    double point[PARAMETERS] = {random_unit(random), (double)random_below(random, 2), NAN};
    struct outcome lost = {.state = OUTCOME_INTERRUPTED, .score = NAN, .exit_code = -1};
    struct outcome done = {.state = OUTCOME_DONE,
                           .score = random_unit(random),
                           .metric_count = random_below(random, 3),
                           .metrics = {{"accuracy", 0.5}, {"loss", 0.25}}};
    struct outcome failed = {
        .state = OUTCOME_FAILED, .score = NAN, .exit_code = 3, .reason = "exit code 3"};
    if (point[1] == 0)
        point[2] = 1 + (double)random_below(random, 9);
    journal_start(w, id, time, 1, 1, &study.space, point);
    for (uint64_t step = 1; step <= random_below(random, 4); step++)
        journal_step(w, id, time, 1, &(struct outcome_step){.step = step, .value = 1});
    if (random_below(random, 5) == 0) {
        journal_end(w, id, time, 1, &lost, true);
        journal_start(w, id, time, 2, 2, &study.space, NULL);
    }
    if (random_below(random, 10) > 0)
        journal_end(w, id, time + 0.1, 1, random_below(random, 6) ? &done : &failed, false);
}

/* The journal waits for the disk now and then, so that syncs lie between its records. */
static void write_journal(uint64_t seed)
{
    struct journal_writer *w;
    struct err e = {0};
    struct random random;
    random_seed(&random, seed, 0);
    forget_files();
    if (journal_create(&w, folder, &study, &e) || journal_write_copy(w, &study, &e))
        BUG("%s", e.message);
    journal_opened(w, 0, 2, TRIALS, 0);
    for (unsigned i = 1; i <= TRIALS; i++) {
        write_trial(w, &random, i, i);
        if (random_below(&random, 6) == 0)
            while (journal_synced(w) < journal_appended(w))
                usleep(1000);
    }
    if (journal_close(w, TRIALS + 1, random_below(&random, 2) ? END_DONE : END_NONE, &e))
        BUG("%s", e.message);
}

/* Learns what the journal in the folder says. */
static void learn(struct truth *truth)
{
    struct journal journal;
    struct err e = {0};
    read_file("journal", &truth->text);
    read_file("study.yaml", &truth->copy);
    if (journal_load(&journal, folder, &e) || !journal_is_whole(&journal))
        BUG("the journal is not whole");
    truth->count = journal.count < TRIALS ? journal.count : TRIALS;
    for (size_t i = 0; i < truth->count; i++) {
        if (journal_point(&journal, i, truth->points[i], &e))
            BUG("%s", e.message);
        const struct journal_trial *trial = &journal.trials[i];
        bool ended = outcome_state_ended(trial->state);
        const char *end = memchr(journal.text + trial->end, '\n', journal.size - trial->end);
        truth->scores[i] = trial->score;
        truth->lost[i] = journal_is_lost(trial);
        truth->ended[i] = ended ? (size_t)(end + 1 - journal.text) : 0;
    }
    journal_free(&journal);
}

static void make_truth(struct truth *truth, uint64_t seed)
{
    syncs.count = 0;
    syncs.notes = true;
    write_journal(seed);
    syncs.notes = false;
    truth->synced = syncs.count;
    memcpy(truth->sizes, syncs.sizes, sizeof truth->sizes);
    learn(truth);
}

/* ---- what may become of the bytes ---- */

static void fill(struct str *s, size_t from, size_t length, struct random *random, int how,
                 const struct truth *other)
{
    for (size_t i = from; i < from + length && i < s->length; i++) {
        if (how == 0)
            s->text[i] = 0;
        else if (how == 1)
            s->text[i] = (char)random_below(random, 256);
        else
            s->text[i] = other->text.text[i % other->text.length];
    }
}

/* Returns how many bytes at the start were synced. */
static size_t cut_power(const struct truth *truth, const struct truth *other, struct random *random,
                        struct str *s)
{
    size_t synced = truth->sizes[random_below(random, truth->synced)];
    size_t end = synced + random_below(random, truth->text.length - synced + 1);
    str_clear(s);
    str_add_bytes(s, truth->text.text, end);
    for (size_t at = synced - synced % BLOCK; at < end; at += BLOCK) {
        size_t from = at < synced ? synced : at;
        size_t stop = at + BLOCK < end ? at + BLOCK : end;
        uint64_t fate = random_below(random, 4);
        if (fate > 0)
            fill(s, from, stop - from, random, fate == 1 ? 2 : 0, other);
    }
    return synced;
}

static void replace(struct str *s, size_t at, size_t length, const char *with, size_t with_length)
{
    struct str whole = {0};
    str_add_bytes(&whole, s->text, at);
    str_add_bytes(&whole, with, with_length);
    str_add_bytes(&whole, s->text + at + length, s->length - at - length);
    str_free(s);
    *s = whole;
}

static size_t next_line(const struct str *s, size_t at)
{
    const char *newline = at < s->length ? memchr(s->text + at, '\n', s->length - at) : NULL;
    return newline ? (size_t)(newline + 1 - s->text) : s->length;
}

/* Returns true if the end was cut off. */
static bool damage(const struct truth *other, struct random *random, struct str *s)
{
    size_t at = random_below(random, s->length), left = s->length - at;
    size_t length =
        random_below(random, 3) ? 1 + random_below(random, 3) : random_below(random, 2000);
    length = length < left ? length : left;
    uint64_t kind = random_below(random, 9);
    size_t line = next_line(s, at), after = next_line(s, line);
    switch (kind) {
    case 0: s->text[at] = (char)(s->text[at] ^ (1 << random_below(random, 8))); break;
    case 1: s->text[at] = "0123456789\n\"{},:e"[random_below(random, 17)]; break;
    case 2: fill(s, at, length, random, 0, other); break;
    case 3: fill(s, at, length, random, 1, other); break;
    case 4: fill(s, at, length, random, 2, other); break;
    case 5: replace(s, at, length, "", 0); break;
    case 6:
        replace(s, at, 0, s->text + random_below(random, s->length - length + 1), length);
        break;
    case 7: replace(s, line, after - line, "", 0); break; /* a line is removed */
    case 8:
        s->length = at;
        s->text[at] = 0;
        break;
    }
    return kind == 8 || ((kind == 5 || kind == 7) && at + length + 2000 >= s->length);
}

/* ---- what must hold ---- */

static size_t cases, salvaged, lost, changed, unnoticed, missing, refused;

static void complain(uint64_t seed, const char *kind, size_t trial, const char *what)
{
    printf("# %s, seed %llu, trial %zu: %s\n", kind, (unsigned long long)seed, trial + 1, what);
}

/* Compares a trial with the truth; false if it is not as it was. */
static bool is_as_it_was(const struct truth *truth, const struct journal *journal, size_t i,
                         bool *wrong)
{
    double point[PARAMETERS];
    struct err e = {0};
    const struct journal_trial *trial = &journal->trials[i];
    bool ended = outcome_state_ended(trial->state);
    if (journal_point(journal, i, point, &e) || i >= truth->count) {
        *wrong = true;
        return false;
    }
    for (size_t k = 0; k < PARAMETERS && !journal_is_lost(trial); k++)
        *wrong |=
            !(point[k] == truth->points[i][k] || (isnan(point[k]) && isnan(truth->points[i][k])));
    if (ended)
        *wrong |= truth->ended[i] == 0 || !(trial->score == truth->scores[i] ||
                                            (isnan(trial->score) && isnan(truth->scores[i])));
    return ended == (truth->ended[i] > 0) && journal_is_lost(trial) == truth->lost[i];
}

/* `synced`: trials that had ended by then are as they were; `cut`: the end may be missing. */
static void compare(const struct truth *truth, const struct journal *journal, size_t synced,
                    bool cut, uint64_t seed, const char *kind)
{
    bool noticed = !journal_is_whole(journal);
    for (size_t i = 0; i < truth->count; i++) {
        bool wrong = false;
        bool same = i < journal->count && is_as_it_was(truth, journal, i, &wrong);
        if (wrong) {
            changed++;
            complain(seed, kind, i, "it has changed");
        } else if (!same && truth->ended[i] > 0 && truth->ended[i] <= synced) {
            missing++;
            complain(seed, kind, i, "its end was synced, and is gone");
        } else if (!same && !noticed && !cut) {
            unnoticed++;
            complain(seed, kind, i, "it is missing without a word");
        }
        salvaged += same;
        lost += !same;
    }
}

/* Mends the journal and continues it. */
static bool goes_on(const struct truth *truth, size_t synced, bool cut, uint64_t seed,
                    const char *kind)
{
    struct journal journal;
    struct journal_writer *w;
    struct err e = {0};
    if (journal_load(&journal, folder, &e) || journal_open(&w, &journal, &e)) {
        refused += strstr(e.message, "belongs to another run") != NULL;
        printf("# %s, seed %llu: %s\n", kind, (unsigned long long)seed, e.message);
        return false;
    }
    bool was_whole = journal_is_whole(&journal);
    uint64_t mended = journal.damage.mended;
    compare(truth, &journal, synced, cut, seed, kind);
    size_t count = journal.count, ended = journal.completion_count;
    journal_opened(w, 100, 2, TRIALS + 1, 0);
    journal_free(&journal);
    double point[PARAMETERS] = {0.5, 1, NAN};
    journal_start(w, count + 1, 101, 1, 1, &study.space, point);
    if (journal_close(w, 102, END_DONE, &e) || journal_load(&journal, folder, &e))
        return false;
    bool good = journal_is_whole(&journal) && journal.end == END_DONE &&
                journal.count == count + 1 && journal.completion_count == ended &&
                (journal.damage.mended > mended) == !was_whole;
    if (!good)
        complain(seed, kind, journal.count, "it was not mended");
    journal_free(&journal);
    return good;
}

static bool damage_some(const struct truth *truth, const struct truth *other, struct random *random,
                        struct str *s)
{
    bool cut = false;
    str_clear(s);
    str_add_bytes(s, truth->text.text, truth->text.length);
    for (uint64_t i = 0; i <= random_below(random, 3) && s->length > 0; i++)
        cut |= damage(other, random, s);
    return cut;
}

/*
 * True if nothing but a piece of the other journal is left, with its head: study.yaml is then that
 * of another run, and nobody can tell which of them is in the wrong place.
 */
static bool is_another(const struct truth *truth, const struct truth *other, const struct str *s)
{
    const char *line = strchr(other->text.text, '\n') + 1;
    size_t head = (size_t)(line - other->text.text);
    if (s->length < head || memcmp(s->text, other->text.text, head) != 0)
        return false;
    for (line = strchr(truth->text.text, '\n') + 1; *line; line = strchr(line, '\n') + 1)
        if (memmem(s->text, s->length, line, strcspn(line, "\n")))
            return false;
    return true;
}

/* Each case is followed by further damage: a mended journal must notice that as well. */
static size_t try_case(const struct truth *truth, const struct truth *other, uint64_t seed,
                       bool power)
{
    static struct truth mended;
    struct random random;
    struct str s = {0};
    size_t synced = 0, stuck;
    bool cut = true;
    random_seed(&random, seed, power);
    forget_files();
    write_file("study.yaml", &truth->copy);
    if (power)
        synced = cut_power(truth, other, &random, &s);
    else
        cut = damage_some(truth, other, &random, &s);
    write_file("journal", &s);
    bool another = is_another(truth, other, &s);
    if (another || !goes_on(truth, synced, cut, seed, power ? "power cut" : "damage")) {
        str_free(&s);
        return !another;
    }
    learn(&mended);
    cut = damage_some(&mended, other, &random, &s);
    write_file("journal", &s);
    stuck = !is_another(&mended, other, &s) &&
            !goes_on(&mended, 0, cut, seed, power ? "damage after a power cut" : "damage again");
    str_free(&s);
    str_free(&mended.text);
    str_free(&mended.copy);
    cases += 2;
    return stuck;
}

static void try_all(void)
{
    static struct truth truth, other;
    size_t stuck = 0;
    int count = tap_seeds(CASES);
    make_truth(&other, 1000000);
    for (int seed = 0; seed < count; seed++) {
        if (seed % 50 == 0)
            make_truth(&truth, (uint64_t)seed);
        stuck += try_case(&truth, &other, (uint64_t)seed, true);
        stuck += try_case(&truth, &other, (uint64_t)seed, false);
    }
    printf("# %zu cases: %zu trials as they were, %zu lost or not ended\n", cases, salvaged, lost);
    ok(changed == 0, "no trial has changed");
    ok(unnoticed == 0, "none is missing without a word");
    ok(missing == 0, "none whose end was synced is missing after a power cut");
    ok(stuck == refused, "all journals are mended and continue");
    ok(refused * 100 < cases, "but those of which only records of another one are left");
    ok(salvaged > lost, "most trials are as they were");
    str_free(&truth.text);
    str_free(&truth.copy);
    str_free(&other.text);
    str_free(&other.copy);
}

/* ---- syncs that fail ---- */

/* What was not synced is written again; if that fails too, it is cut off. */
static void failing_syncs(int failing, bool recovers)
{
    struct journal_writer *w;
    struct journal journal;
    struct err e = {0};
    double point[PARAMETERS] = {0.5, 1, NAN};
    forget_files();
    if (journal_create(&w, folder, &study, &e))
        BUG("%s", e.message);
    journal_start(w, 1, 1, 1, 1, &study.space, point);
    while (journal_synced(w) < 1)
        usleep(1000);
    pthread_mutex_lock(&syncs.mutex);
    syncs.failing = failing;
    pthread_mutex_unlock(&syncs.mutex);
    journal_end(w, 1, 2, 1, &(struct outcome){.state = OUTCOME_DONE, .score = 0.5}, false);
    int code = journal_close(w, 3, END_DONE, &e);
    syncs.failing = 0;
    if (journal_load(&journal, folder, &e))
        BUG("%s", e.message);
    ok((code == 0) == recovers, "after %d failing syncs the journal %s", failing,
       recovers ? "goes on" : "says so");
    ok(journal_is_whole(&journal) &&
           journal.trials[0].state == (recovers ? OUTCOME_DONE : OUTCOME_RUNNING),
       "what it did not sync %s", recovers ? "was written again" : "does not count");
    journal_free(&journal);
}

int main(void)
{
    struct err_list mistakes = {0};
    if (!tap_folder(folder, sizeof folder))
        return 1;
    if (study_parse(&study, STUDY, strlen(STUDY), "study.yaml", folder, &mistakes))
        BUG("%s", mistakes.items[0].message);
    failing_syncs(1, true);
    failing_syncs(2, true);
    failing_syncs(99, false);
    try_all();
    forget_files();
    study_free(&study);
    rmdir(folder);
    return tap_end();
}
