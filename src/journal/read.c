/*
 * read.c - loads a journal.
 *
 * The file is mapped and walked once, record by record. For each trial, only what every command
 * needs stays in memory (72 bytes), including the offsets of its records. Parameters, metrics and
 * logs are read from the records on demand.
 */
#include "journal/journal.h"

#include "journal/lock.h"
#include "journal/pareto.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum record_kind {
    RECORD_OTHER,
    RECORD_HEADER,
    RECORD_OPEN,
    RECORD_START,
    RECORD_MOVE,
    RECORD_STEP,
    RECORD_LOST,
    RECORD_END,
    RECORD_CLOSE,
    RECORD_EARLIER,
    RECORD_NODES,
    RECORD_TEAM,
};

/* The fields of all kinds of records; those that are missing stay as read_record() sets them. */
struct record {
    enum record_kind kind;
    double subject; /* the first value: version, id or time */
    double time, took, score, cpu, workers, trials, limit;
    double worker, try, pid, created, violation, queued, n, from;
    bool again, paused, has_params;
    struct slice state, why, host, study, folder, definition; /* as written, with quotes */
    struct slice scores, placement, value;                    /* as written */
};

/* A literal as a slice. */
#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

enum field_kind { FIELD_NUMBER, FIELD_TEXT, FIELD_BOOL, FIELD_PRESENT };

/* The field of struct record for each key, in the order in which records have them. */
static const struct {
    struct slice key;
    enum field_kind kind;
    size_t field;
} fields[] = {
    {TEXT("time"), FIELD_NUMBER, offsetof(struct record, time)},
    {TEXT("took"), FIELD_NUMBER, offsetof(struct record, took)},
    {TEXT("worker"), FIELD_NUMBER, offsetof(struct record, worker)},
    {TEXT("queued"), FIELD_NUMBER, offsetof(struct record, queued)},
    {TEXT("from"), FIELD_NUMBER, offsetof(struct record, from)},
    {TEXT("params"), FIELD_PRESENT, offsetof(struct record, has_params)},
    {TEXT("state"), FIELD_TEXT, offsetof(struct record, state)},
    {TEXT("score"), FIELD_NUMBER, offsetof(struct record, score)},
    {TEXT("scores"), FIELD_TEXT, offsetof(struct record, scores)},
    {TEXT("violation"), FIELD_NUMBER, offsetof(struct record, violation)},
    {TEXT("cpu"), FIELD_NUMBER, offsetof(struct record, cpu)},
    {TEXT("again"), FIELD_BOOL, offsetof(struct record, again)},
    {TEXT("paused"), FIELD_BOOL, offsetof(struct record, paused)},
    {TEXT("try"), FIELD_NUMBER, offsetof(struct record, try)},
    {TEXT("n"), FIELD_NUMBER, offsetof(struct record, n)},
    {TEXT("value"), FIELD_TEXT, offsetof(struct record, value)},
    {TEXT("seats"), FIELD_TEXT, offsetof(struct record, placement)},
    {TEXT("why"), FIELD_TEXT, offsetof(struct record, why)},
    {TEXT("host"), FIELD_TEXT, offsetof(struct record, host)},
    {TEXT("pid"), FIELD_NUMBER, offsetof(struct record, pid)},
    {TEXT("workers"), FIELD_NUMBER, offsetof(struct record, workers)},
    {TEXT("trials"), FIELD_NUMBER, offsetof(struct record, trials)},
    {TEXT("limit"), FIELD_NUMBER, offsetof(struct record, limit)},
    {TEXT("study"), FIELD_TEXT, offsetof(struct record, study)},
    {TEXT("created"), FIELD_NUMBER, offsetof(struct record, created)},
    {TEXT("folder"), FIELD_TEXT, offsetof(struct record, folder)},
    {TEXT("definition"), FIELD_TEXT, offsetof(struct record, definition)},
};

static const struct {
    struct slice key;
    enum record_kind kind;
} kinds[] = {
    {TEXT("start"), RECORD_START}, {TEXT("end"), RECORD_END},         {TEXT("step"), RECORD_STEP},
    {TEXT("move"), RECORD_MOVE},   {TEXT("open"), RECORD_OPEN},       {TEXT("close"), RECORD_CLOSE},
    {TEXT("lost"), RECORD_LOST},   {TEXT("earlier"), RECORD_EARLIER}, {TEXT("wick"), RECORD_HEADER},
    {TEXT("nodes"), RECORD_NODES}, {TEXT("group"), RECORD_TEAM},
};

enum { FIELDS = sizeof fields / sizeof *fields, KINDS = sizeof kinds / sizeof *kinds };

static enum record_kind find_kind(struct slice key)
{
    for (size_t i = 0; i < KINDS; i++)
        if (slice_equal(key, kinds[i].key))
            return kinds[i].kind;
    return RECORD_OTHER;
}

/*
 * Index of the field with this key, or FIELDS. Keys mostly come in the order of the table, so the
 * search starts at the last one found.
 */
static size_t find_field(struct slice key, size_t start)
{
    for (size_t i = start; i < FIELDS; i++)
        if (slice_equal(key, fields[i].key))
            return i;
    for (size_t i = 0; i < start; i++)
        if (slice_equal(key, fields[i].key))
            return i;
    return FIELDS;
}

static void read_field(struct json *j, size_t index, struct record *record)
{
    char *field = (char *)record + fields[index].field;
    switch (fields[index].kind) {
    case FIELD_NUMBER: *(double *)field = json_number(j); break;
    case FIELD_TEXT: *(struct slice *)field = json_raw(j); break;
    case FIELD_BOOL: *(bool *)field = json_bool(j); break;
    case FIELD_PRESENT:
        json_skip(j);
        *(bool *)field = true;
        break;
    }
}

static void read_fields(struct json *j, struct record *record)
{
    struct slice key;
    size_t last = 0;
    while (json_key(j, &key)) {
        size_t next = find_field(key, last);
        if (next == FIELDS) {
            json_skip(j); /* a key for journal_result(), or of a later version */
            continue;
        }
        read_field(j, next, record);
        last = next;
    }
}

/* Reads one record; returns NULL, or what is wrong with it. */
static const char *read_record(const char *text, size_t length, struct record *record)
{
    struct json j;
    struct slice key;
    *record = (struct record){.score = NAN, .kind = RECORD_OTHER};
    json_open(&j, text, length);
    json_enter(&j, '{');
    if (json_key(&j, &key)) {
        record->kind = find_kind(key);
        if (record->kind != RECORD_OTHER)
            record->subject = json_number(&j);
        else
            json_skip(&j);
        read_fields(&j, record);
    }
    return json_close(&j);
}

static void unquote(struct slice quoted, struct str *out)
{
    struct json j;
    json_open(&j, quoted.text, quoted.length);
    json_string(&j, out);
}

/* A number that counts something; 0 if it cannot be a count. */
static uint64_t count_of(double number)
{
    return number > 0 && number < 1e15 ? (uint64_t)number : 0;
}

/* ---- what the records mean ---- */

struct journal_loader {
    struct journal *journal; /* during a call */
    size_t capacity, progress_capacity, completion_capacity, score_capacity, earlier_capacity,
        placement_capacity, lost_capacity;
    size_t number;   /* records read so far */
    uint64_t offset; /* offset of the current record */
    double opened;   /* time of the last "open" */
    double spent;    /* seconds of the runs before it */
    bool restarted;  /* a trial that had ended has started again */
    dev_t device;    /* identifies the file */
    ino_t inode;
};

/* The trial that a record is about, or NULL. */
static struct journal_trial *trial_of(struct journal_loader *l, double id)
{
    return id >= 1 && id <= (double)l->journal->count ? &l->journal->trials[(size_t)id - 1] : NULL;
}

static void set_place(struct journal_trial *trial, const struct record *record)
{
    trial->started = record->time;
    trial->worker = (uint32_t)fmin(fmax(record->worker, 0), UINT32_MAX);
}

static const char *load_move(struct journal_loader *l, const struct record *record)
{
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial || trial->state != OUTCOME_RUNNING)
        return "it moves a trial that is not running";
    set_place(trial, record);
    return NULL;
}

/* ---- several objectives ---- */

static double *scores_of(const struct journal_loader *l, size_t index)
{
    return l->journal->scores + index * study_objectives(&l->journal->study);
}

static void forget_scores(const struct journal_loader *l, size_t index)
{
    size_t objectives = study_objectives(&l->journal->study);
    for (size_t i = 0; i < objectives && l->journal->scores; i++)
        scores_of(l, index)[i] = NAN;
}

/* Room for the scores of a new trial. */
static void add_scores(struct journal_loader *l)
{
    struct journal *journal = l->journal;
    size_t objectives = study_objectives(&journal->study);
    if (objectives > 1)
        journal->scores = memory_grow(journal->scores, &l->score_capacity, journal->count,
                                      objectives * sizeof *journal->scores);
}

static const char *read_scores(const struct journal_loader *l, size_t index, struct slice list)
{
    size_t objectives = study_objectives(&l->journal->study), count = 0;
    struct json j;
    json_open(&j, list.text, list.length);
    json_enter(&j, '[');
    while (json_item(&j) && count < objectives)
        scores_of(l, index)[count++] = json_number(&j);
    for (size_t i = 0; i < count; i++)
        if (!isfinite(scores_of(l, index)[i]))
            return "a score is not a number";
    return count == objectives ? json_close(&j) : "it does not have one score per objective";
}

/* Makes room for the progress of a trial, and of those before it. */
static struct journal_progress *progress_of(struct journal_loader *l,
                                            const struct journal_trial *trial)
{
    struct journal *journal = l->journal;
    size_t index = (size_t)(trial - journal->trials);
    if (index >= journal->progress_count) {
        journal->progress = memory_grow(journal->progress, &l->progress_capacity, index + 1,
                                        sizeof *journal->progress);
        memset(journal->progress + journal->progress_count, 0,
               (index + 1 - journal->progress_count) * sizeof *journal->progress);
        journal->progress_count = index + 1;
    }
    return &journal->progress[index];
}

static const char *load_step(struct journal_loader *l, const struct record *record)
{
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial)
        return "its trial has not started";
    struct journal_progress *progress = progress_of(l, trial);
    enum journal_place place =
        journal_curve_add(&progress->curve, trial->tries, count_of(record->n));
    if (place == JOURNAL_ANEW)
        trial->steps = 1;
    else if (place == JOURNAL_NEXT && trial->steps < UINT32_MAX)
        trial->steps++;
    if (record->value.length > 0)
        progress->step = l->offset;
    return NULL;
}

static const char *load_team(struct journal_loader *l, const struct record *record)
{
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial)
        return "its trial has not started";
    progress_of(l, trial)->team = l->offset;
    return NULL;
}

static const char *load_start(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    if (record->has_params) {
        if (record->subject != (double)journal->count + 1)
            return "its trial number is out of order";
        journal->trials =
            memory_grow(journal->trials, &l->capacity, journal->count + 1, sizeof *journal->trials);
        journal->trials[journal->count++] =
            (struct journal_trial){.params = l->offset,
                                   .queued = record->queued > 0,
                                   .origin = (uint32_t)fmin(fmax(record->from, 0), UINT32_MAX)};
        add_scores(l);
        if (count_of(record->queued) > journal->queued)
            journal->queued = count_of(record->queued);
    }
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial)
        return "its trial has not started";
    /*
     * It had ended and starts again, because it was paused, or by wick resume --retry-failed: its
     * earlier end no longer counts.
     */
    if (outcome_state_ended(trial->state)) {
        trial->failures = 0;
        l->restarted = true;
    }
    trial->state = OUTCOME_RUNNING;
    trial->score = trial->ended = NAN;
    trial->violation = 0;
    trial->paused = false;
    size_t index = (size_t)(trial - journal->trials);
    if (index < journal->progress_count)
        journal->progress[index].step = journal->progress[index].team = 0;
    forget_scores(l, index);
    set_place(trial, record);
    if (trial->tries < UINT8_MAX)
        trial->tries++;
    return NULL;
}

static const char *load_end(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    struct journal_trial *trial = trial_of(l, record->subject);
    if (!trial)
        return "its trial has not started";
    if (trial->state != OUTCOME_RUNNING)
        return "its trial has ended already";
    struct slice name = record->state;
    if (name.length < 2)
        return "it has no state";
    enum outcome_state state = outcome_state_find((struct slice){name.text + 1, name.length - 2});
    if (state == OUTCOME_RUNNING)
        return "its state is unknown";
    trial->end = l->offset;
    trial->ended = record->time;
    trial->started = record->time - record->took;
    trial->processor = (float)record->cpu;
    if (outcome_state_failed(state) && trial->failures < UINT8_MAX)
        trial->failures++;
    if (record->again) { /* it is going to run again, whatever happened */
        trial->state = OUTCOME_INTERRUPTED;
        return NULL;
    }
    size_t index = (size_t)(trial - journal->trials);
    const char *wrong = NULL;
    if (journal->scores && state == OUTCOME_DONE)
        wrong = read_scores(l, index, record->scores);
    if (wrong)
        return wrong;
    trial->state = (uint8_t)state;
    trial->paused = record->paused;
    if (record->paused) {
        struct journal_progress *progress = progress_of(l, trial);
        progress->paused_at = progress->curve.last;
    }
    trial->score = record->score;
    trial->violation = fmax(record->violation, 0);
    journal->completions = memory_grow(journal->completions, &l->completion_capacity,
                                       journal->completion_count + 1, sizeof(uint32_t));
    journal->completions[journal->completion_count++] = (uint32_t)index;
    return NULL;
}

static const char *load_earlier(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    if (!record->has_params)
        return "it has no parameters";
    journal->earlier = memory_grow(journal->earlier, &l->earlier_capacity,
                                   journal->earlier_count + 1, sizeof *journal->earlier);
    journal->earlier[journal->earlier_count++] = l->offset;
    return NULL;
}

/* ---- where the workers are ---- */

static struct journal_placement *add_placement(struct journal_loader *l)
{
    struct journal *journal = l->journal;
    journal->placements = memory_grow(journal->placements, &l->placement_capacity,
                                      journal->placement_count + 1, sizeof *journal->placements);
    struct journal_placement *placement = &journal->placements[journal->placement_count++];
    *placement = (struct journal_placement){.since = l->opened, .step = 1};
    return placement;
}

static uint32_t read_worker(struct json *j)
{
    return (uint32_t)fmin(fmax(json_number(j), 0), UINT32_MAX);
}

/* ["n1",1,64] or ["n1",1,63,2] */
static void read_placement(struct json *j, struct journal_placement *placement)
{
    struct str name = {0};
    json_enter(j, '[');
    for (size_t i = 0; json_item(j); i++) {
        if (i == 0)
            json_string(j, &name);
        else if (i == 1)
            placement->first = read_worker(j);
        else if (i == 2)
            placement->last = read_worker(j);
        else if (i == 3)
            placement->step = read_worker(j);
        else
            json_skip(j);
    }
    placement->step += placement->step == 0;
    snprintf(placement->node, sizeof placement->node, "%s", str_text(&name));
    str_free(&name);
}

/* Replaces the single placement that "open" made. */
static const char *load_nodes(struct journal_loader *l, const struct record *record)
{
    struct json j;
    while (l->journal->placement_count > 0 &&
           l->journal->placements[l->journal->placement_count - 1].since == l->opened)
        l->journal->placement_count--;
    json_open(&j, record->placement.text, record->placement.length);
    json_enter(&j, '[');
    while (json_item(&j))
        read_placement(&j, add_placement(l));
    return json_close(&j);
}

static void load_lost(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    journal->lost_workers = memory_grow(journal->lost_workers, &l->lost_capacity, journal->lost + 1,
                                        sizeof *journal->lost_workers);
    journal->lost_workers[journal->lost++] = (uint32_t)count_of(record->subject);
}

static const char *load_open(struct journal_loader *l, const struct record *record)
{
    struct journal *journal = l->journal;
    struct str host = {0};
    if (record->host.length > 0)
        unquote(record->host, &host);
    l->spent += journal->last_time - l->opened;
    l->opened = record->subject;
    journal->last_time = fmax(journal->last_time, record->subject);
    journal->workers = count_of(record->workers);
    journal->lost = 0;
    journal->budget = count_of(record->trials);
    journal->limit = record->limit;
    journal->end = END_NONE;
    journal->why[0] = 0;
    snprintf(journal->host, sizeof journal->host, "%s", str_text(&host));
    snprintf(journal->owner, sizeof journal->owner, "process %.0f on %s", record->pid,
             journal->host);
    struct journal_placement *placement = add_placement(l);
    placement->first = 1;
    placement->last = (uint32_t)fmin((double)journal->workers, UINT32_MAX);
    memcpy(placement->node, journal->host, sizeof placement->node);
    str_free(&host);
    return NULL;
}

static void load_close(struct journal_loader *l, const struct record *record)
{
    struct str why = {0};
    if (record->why.length > 0)
        unquote(record->why, &why);
    l->journal->end = journal_end_read(str_text(&why));
    l->journal->last_time = fmax(l->journal->last_time, record->subject);
    snprintf(l->journal->why, sizeof l->journal->why, "%s", str_text(&why));
    str_free(&why);
}

static const char *load_record(struct journal_loader *l, const struct record *record)
{
    l->journal->last_time = fmax(l->journal->last_time, record->time);
    switch (record->kind) {
    case RECORD_START: return load_start(l, record);
    case RECORD_MOVE: return load_move(l, record);
    case RECORD_STEP: return load_step(l, record);
    case RECORD_TEAM: return load_team(l, record);
    case RECORD_NODES: return load_nodes(l, record);
    case RECORD_LOST: load_lost(l, record); return NULL;
    case RECORD_END: return load_end(l, record);
    case RECORD_OPEN: return load_open(l, record);
    case RECORD_CLOSE: load_close(l, record); return NULL;
    case RECORD_EARLIER: return load_earlier(l, record);
    case RECORD_HEADER: return "a second header";
    case RECORD_OTHER: return NULL; /* from a later version: ignored */
    }
    return NULL;
}

static int load_header(struct journal *journal, const struct record *record, struct err *e)
{
    if (record->kind != RECORD_HEADER)
        return err_set(e, ERR_USER, "%s/journal is not a Wick journal", journal->dir);
    if (record->subject != JOURNAL_VERSION)
        return err_set(e, ERR_USER,
                       "%s/journal has version %.0f, but this wick reads version %d: use the wick "
                       "that wrote it",
                       journal->dir, record->subject, JOURNAL_VERSION);
    struct str name = {0}, folder = {0}, definition = {0};
    struct err_list mistakes = {0};
    if (record->study.length && record->folder.length && record->definition.length) {
        unquote(record->study, &name);
        unquote(record->folder, &folder);
        unquote(record->definition, &definition);
    }
    journal->created = record->created;
    int failed = study_restore(&journal->study, str_text(&definition), definition.length,
                               str_text(&folder), &mistakes);
    if (failed) {
        *e = mistakes.items[0];
        err_wrap(e, "the study in %s/journal", journal->dir);
    }
    if (!failed) /* a study named after its file does not say so in its text */
        journal->study.name = arena_copy(&journal->study.arena, str_text(&name), name.length);
    journal->budget = failed ? 0 : journal->study.search.trials;
    journal->limit = failed ? 0 : journal->study.time;
    err_list_free(&mistakes);
    str_free(&name);
    str_free(&folder);
    str_free(&definition);
    return failed;
}

/* Only the last end of a trial counts, and none while it is running. */
static void forget_old_ends(struct journal *journal)
{
    bool *seen = memory_new(journal->count, sizeof *seen);
    size_t kept = journal->completion_count;
    for (size_t k = journal->completion_count; k-- > 0;) {
        uint32_t index = journal->completions[k];
        if (!seen[index] && outcome_state_ended(journal->trials[index].state))
            journal->completions[--kept] = index;
        seen[index] = true;
    }
    journal->completion_count -= kept;
    memmove(journal->completions, journal->completions + kept,
            journal->completion_count * sizeof *journal->completions);
    free(seen);
}

/* Drops the front found so far, before more records are read. */
static void forget_front(struct journal *journal)
{
    for (size_t i = 0; i < journal->front_count; i++)
        journal->trials[journal->front[i]].on_front = false;
    free(journal->front);
    journal->front = NULL;
    journal->front_count = 0;
}

/* Updates what depends on all records together. */
static void conclude(struct journal *journal, bool changed)
{
    struct journal_loader *l = journal->loader;
    if (l->restarted && journal->completions)
        forget_old_ends(journal);
    if (journal->scores && (changed || l->restarted)) {
        forget_front(journal);
        pareto_find(journal);
    }
    l->restarted = false;
    journal->spent = l->spent + journal->last_time - l->opened;
}

/*
 * Walks the records from journal->size on. Whatever follows the last newline is a torn record and
 * does not count.
 */
static int load_records(struct journal *journal, struct err *e)
{
    struct journal_loader *l = journal->loader;
    size_t ends = journal->completion_count;
    const char *text = journal->text ? journal->text : "", *newline;
    const char *at = text + journal->size, *end = text + journal->file_size;
    l->journal = journal;
    while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
        struct record record;
        l->offset = (uint64_t)(at - text);
        const char *wrong = read_record(at, (size_t)(newline - at), &record);
        l->number++;
        if (l->number == 1 && !wrong) {
            if (load_header(journal, &record, e))
                return e->code;
        } else if (!wrong) {
            wrong = load_record(l, &record);
        }
        if (wrong)
            return err_set(e, ERR_USER,
                           "%s/journal, line %zu is damaged (%s): keep a copy, then remove that "
                           "line and all after it",
                           journal->dir, l->number, wrong);
        at = newline + 1;
    }
    if (l->number == 0)
        return err_set(e, ERR_USER, "%s/journal is empty: run the study again", journal->dir);
    journal->size = (size_t)(at - text);
    conclude(journal, journal->completion_count > ends);
    return 0;
}

static int open_file(const struct journal *journal, int *fd, struct stat *info, struct err *e)
{
    struct str path = {0};
    int result = 0;
    *fd = open(study_path(&path, journal->dir, STUDY_JOURNAL), O_RDONLY | O_CLOEXEC);
    if (*fd < 0 && (errno == ENOENT || errno == ENOTDIR)) {
        bool folder = stat(journal->dir, info) == 0;
        result = err_set(e, ERR_USER,
                         folder ? "%s is not a study folder: it has no journal"
                                : "there is no folder %s",
                         journal->dir);
    } else if (*fd < 0 || fstat(*fd, info) != 0) {
        result = err_system(e, "cannot read %s", path.text);
    } else if (!S_ISREG(info->st_mode)) {
        result = err_set(e, ERR_USER, "%s is not a file", path.text);
    }
    if (*fd >= 0 && result)
        close(*fd);
    str_free(&path);
    return result;
}

/* Maps the file as it is now, replacing the earlier mapping. */
static int map_file(struct journal *journal, int fd, size_t size, struct err *e)
{
    void *text = size > 0 ? mmap(NULL, size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;
    if (text == MAP_FAILED)
        return err_system(e, "cannot read %s/journal", journal->dir);
    if (journal->text)
        munmap((void *)journal->text, journal->file_size);
    journal->text = text;
    journal->file_size = size;
    return 0;
}

int journal_load(struct journal *journal, const char *dir, struct err *e)
{
    struct stat info = {0};
    int fd;
    struct journal_loader *loader = memory_new(1, sizeof *loader);
    *journal = (struct journal){.dir = memory_copy(dir), .loader = loader};
    journal->running = lock_taken(dir);
    int failed = open_file(journal, &fd, &info, e);
    if (!failed) {
        loader->device = info.st_dev;
        loader->inode = info.st_ino;
        failed = map_file(journal, fd, (size_t)info.st_size, e);
        close(fd);
    }
    if (!failed)
        failed = load_records(journal, e);
    if (failed)
        journal_free(journal);
    return failed;
}

static int reload(struct journal *journal, struct err *e)
{
    struct journal fresh;
    int failed = journal_load(&fresh, journal->dir, e);
    journal_free(journal);
    *journal = fresh;
    return failed;
}

int journal_follow(struct journal *journal, struct err *e)
{
    struct stat info = {0};
    int fd;
    journal->running = lock_taken(journal->dir);
    if (open_file(journal, &fd, &info, e))
        return e->code;
    size_t size = (size_t)info.st_size;
    bool other = info.st_dev != journal->loader->device || info.st_ino != journal->loader->inode;
    if (other || size < journal->size) {
        close(fd);
        return reload(journal, e);
    }
    bool grown = size != journal->file_size;
    int failed = grown ? map_file(journal, fd, size, e) : 0;
    close(fd);
    return grown && !failed ? load_records(journal, e) : failed;
}

void journal_free(struct journal *journal)
{
    if (journal->text)
        munmap((void *)journal->text, journal->file_size);
    study_free(&journal->study);
    free(journal->trials);
    free(journal->progress);
    free(journal->scores);
    free(journal->front);
    free(journal->completions);
    free(journal->earlier);
    free(journal->placements);
    free(journal->lost_workers);
    free(journal->loader);
    free(journal->dir);
    *journal = (struct journal){0};
}
