/*
 * read.c - load a journal.
 *
 * The file is mapped and walked once, a line at a time; of a trial only what every command needs is
 * kept (72 bytes), and where its lines stand. Parameters, metrics and logs are read from
 * there when somebody asks.
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

enum line_kind {
    LINE_OTHER,
    LINE_HEADER,
    LINE_OPEN,
    LINE_START,
    LINE_MOVE,
    LINE_STEP,
    LINE_LOST,
    LINE_END,
    LINE_CLOSE,
    LINE_EARLIER,
    LINE_NODES,
    LINE_GROUP,
};

/* The fields of all kinds of lines; what a line does not have stays as read_line() sets it. */
struct line {
    enum line_kind kind;
    double subject; /* the first value: version, id or time */
    double time, took, score, cpu, workers, trials, limit;
    double worker, try, pid, created, violation, queued, n, from;
    bool again, paused, has_params;
    struct slice state, why, host, study, folder, definition; /* as they stand, in quotes */
    struct slice scores, seats, value;                        /* as they stand */
};

/* A literal as a slice. */
#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

enum field_kind { FIELD_NUMBER, FIELD_TEXT, FIELD_BOOL, FIELD_PRESENT };

/* Which field of struct line a key is, in the order in which lines have them. */
static const struct {
    struct slice key;
    enum field_kind kind;
    size_t field;
} fields[] = {
    {TEXT("time"), FIELD_NUMBER, offsetof(struct line, time)},
    {TEXT("took"), FIELD_NUMBER, offsetof(struct line, took)},
    {TEXT("worker"), FIELD_NUMBER, offsetof(struct line, worker)},
    {TEXT("queued"), FIELD_NUMBER, offsetof(struct line, queued)},
    {TEXT("from"), FIELD_NUMBER, offsetof(struct line, from)},
    {TEXT("params"), FIELD_PRESENT, offsetof(struct line, has_params)},
    {TEXT("state"), FIELD_TEXT, offsetof(struct line, state)},
    {TEXT("score"), FIELD_NUMBER, offsetof(struct line, score)},
    {TEXT("scores"), FIELD_TEXT, offsetof(struct line, scores)},
    {TEXT("violation"), FIELD_NUMBER, offsetof(struct line, violation)},
    {TEXT("cpu"), FIELD_NUMBER, offsetof(struct line, cpu)},
    {TEXT("again"), FIELD_BOOL, offsetof(struct line, again)},
    {TEXT("paused"), FIELD_BOOL, offsetof(struct line, paused)},
    {TEXT("try"), FIELD_NUMBER, offsetof(struct line, try)},
    {TEXT("n"), FIELD_NUMBER, offsetof(struct line, n)},
    {TEXT("value"), FIELD_TEXT, offsetof(struct line, value)},
    {TEXT("seats"), FIELD_TEXT, offsetof(struct line, seats)},
    {TEXT("why"), FIELD_TEXT, offsetof(struct line, why)},
    {TEXT("host"), FIELD_TEXT, offsetof(struct line, host)},
    {TEXT("pid"), FIELD_NUMBER, offsetof(struct line, pid)},
    {TEXT("workers"), FIELD_NUMBER, offsetof(struct line, workers)},
    {TEXT("trials"), FIELD_NUMBER, offsetof(struct line, trials)},
    {TEXT("limit"), FIELD_NUMBER, offsetof(struct line, limit)},
    {TEXT("study"), FIELD_TEXT, offsetof(struct line, study)},
    {TEXT("created"), FIELD_NUMBER, offsetof(struct line, created)},
    {TEXT("folder"), FIELD_TEXT, offsetof(struct line, folder)},
    {TEXT("definition"), FIELD_TEXT, offsetof(struct line, definition)},
};

static const struct {
    struct slice key;
    enum line_kind kind;
} kinds[] = {
    {TEXT("start"), LINE_START}, {TEXT("end"), LINE_END},         {TEXT("step"), LINE_STEP},
    {TEXT("move"), LINE_MOVE},   {TEXT("open"), LINE_OPEN},       {TEXT("close"), LINE_CLOSE},
    {TEXT("lost"), LINE_LOST},   {TEXT("earlier"), LINE_EARLIER}, {TEXT("wick"), LINE_HEADER},
    {TEXT("nodes"), LINE_NODES}, {TEXT("group"), LINE_GROUP},
};

enum { FIELDS = sizeof fields / sizeof *fields, KINDS = sizeof kinds / sizeof *kinds };

static enum line_kind find_kind(struct slice key)
{
    for (size_t i = 0; i < KINDS; i++)
        if (slice_equal(key, kinds[i].key))
            return kinds[i].kind;
    return LINE_OTHER;
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

static void read_field(struct json *j, size_t index, struct line *line)
{
    char *field = (char *)line + fields[index].field;
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

static void read_fields(struct json *j, struct line *line)
{
    struct slice key;
    size_t last = 0;
    while (json_key(j, &key)) {
        size_t next = find_field(key, last);
        if (next == FIELDS) {
            json_skip(j); /* for journal_result(), or from a later version */
            continue;
        }
        read_field(j, next, line);
        last = next;
    }
}

/* Reads one line; NULL when it is good. */
static const char *read_line(const char *text, size_t length, struct line *line)
{
    struct json j;
    struct slice key;
    *line = (struct line){.score = NAN, .kind = LINE_OTHER};
    json_open(&j, text, length);
    json_enter(&j, '{');
    if (json_key(&j, &key)) {
        line->kind = find_kind(key);
        if (line->kind != LINE_OTHER)
            line->subject = json_number(&j);
        else
            json_skip(&j);
        read_fields(&j, line);
    }
    return json_close(&j);
}

static void unquote(struct slice quoted, struct str *out)
{
    struct json j;
    json_open(&j, quoted.text, quoted.length);
    json_string(&j, out);
}

/* A number that counts something; what no count can be is 0. */
static uint64_t count_of(double number)
{
    return number > 0 && number < 1e15 ? (uint64_t)number : 0;
}

/* ---- the meaning of the lines ---- */

struct journal_loader {
    struct journal *journal; /* during a call */
    size_t capacity, progress_capacity, completion_capacity, score_capacity, earlier_capacity,
        seat_capacity, lost_capacity;
    size_t number;   /* of lines that were read */
    uint64_t offset; /* of the line */
    double opened;   /* time of the last "open" */
    double spent;    /* seconds of the runs before it */
    bool restarted;  /* a trial that had ended has started again */
    dev_t device;    /* which file it is */
    ino_t inode;
};

/* The trial that a line speaks of, or NULL. */
static struct journal_trial *trial_of(struct journal_loader *l, double id)
{
    return id >= 1 && id <= (double)l->journal->count ? &l->journal->trials[(size_t)id - 1] : NULL;
}

static void set_place(struct journal_trial *trial, const struct line *line)
{
    trial->started = line->time;
    trial->worker = (uint32_t)fmin(fmax(line->worker, 0), UINT32_MAX);
}

static const char *load_move(struct journal_loader *l, const struct line *line)
{
    struct journal_trial *trial = trial_of(l, line->subject);
    if (!trial || trial->state != OUTCOME_RUNNING)
        return "it moves a trial that does not run";
    set_place(trial, line);
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
    return count == objectives ? json_close(&j) : "it has not a score for each objective";
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

static const char *load_step(struct journal_loader *l, const struct line *line)
{
    struct journal_trial *trial = trial_of(l, line->subject);
    if (!trial)
        return "it speaks of a trial that has not started";
    struct journal_progress *progress = progress_of(l, trial);
    enum journal_place place = journal_curve_add(&progress->curve, trial->tries, count_of(line->n));
    if (place == JOURNAL_ANEW)
        trial->steps = 1;
    else if (place == JOURNAL_NEXT && trial->steps < UINT32_MAX)
        trial->steps++;
    if (line->value.length > 0)
        progress->step = l->offset;
    return NULL;
}

static const char *load_group(struct journal_loader *l, const struct line *line)
{
    struct journal_trial *trial = trial_of(l, line->subject);
    if (!trial)
        return "it speaks of a trial that has not started";
    progress_of(l, trial)->group = l->offset;
    return NULL;
}

static const char *load_start(struct journal_loader *l, const struct line *line)
{
    struct journal *journal = l->journal;
    if (line->has_params) {
        if (line->subject != (double)journal->count + 1)
            return "its trial does not follow the one before";
        journal->trials =
            memory_grow(journal->trials, &l->capacity, journal->count + 1, sizeof *journal->trials);
        journal->trials[journal->count++] =
            (struct journal_trial){.params = l->offset,
                                   .queued = line->queued > 0,
                                   .origin = (uint32_t)fmin(fmax(line->from, 0), UINT32_MAX)};
        add_scores(l);
        if (count_of(line->queued) > journal->queued)
            journal->queued = count_of(line->queued);
    }
    struct journal_trial *trial = trial_of(l, line->subject);
    if (!trial)
        return "it speaks of a trial that has not started";
    /*
     * Having ended, it starts once more, because it was paused, or by wick resume --retry-failed:
     * its end does not count.
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
        journal->progress[index].step = journal->progress[index].group = 0;
    forget_scores(l, index);
    set_place(trial, line);
    if (trial->tries < UINT8_MAX)
        trial->tries++;
    return NULL;
}

static const char *load_end(struct journal_loader *l, const struct line *line)
{
    struct journal *journal = l->journal;
    struct journal_trial *trial = trial_of(l, line->subject);
    if (!trial)
        return "it speaks of a trial that has not started";
    if (trial->state != OUTCOME_RUNNING)
        return "its trial has ended already";
    struct slice name = line->state;
    if (name.length < 2)
        return "it has no state";
    enum outcome_state state = outcome_state_find((struct slice){name.text + 1, name.length - 2});
    if (state == OUTCOME_RUNNING)
        return "its state is not known";
    trial->end = l->offset;
    trial->ended = line->time;
    trial->started = line->time - line->took;
    trial->processor = (float)line->cpu;
    if (outcome_state_failed(state) && trial->failures < UINT8_MAX)
        trial->failures++;
    if (line->again) { /* whatever it was, it waits to run again */
        trial->state = OUTCOME_INTERRUPTED;
        return NULL;
    }
    size_t index = (size_t)(trial - journal->trials);
    const char *wrong = NULL;
    if (journal->scores && state == OUTCOME_DONE)
        wrong = read_scores(l, index, line->scores);
    if (wrong)
        return wrong;
    trial->state = (uint8_t)state;
    trial->paused = line->paused;
    if (line->paused) {
        struct journal_progress *progress = progress_of(l, trial);
        progress->paused_at = progress->curve.last;
    }
    trial->score = line->score;
    trial->violation = fmax(line->violation, 0);
    journal->completions = memory_grow(journal->completions, &l->completion_capacity,
                                       journal->completion_count + 1, sizeof(uint32_t));
    journal->completions[journal->completion_count++] = (uint32_t)index;
    return NULL;
}

static const char *load_earlier(struct journal_loader *l, const struct line *line)
{
    struct journal *journal = l->journal;
    if (!line->has_params)
        return "it has no parameters";
    journal->earlier = memory_grow(journal->earlier, &l->earlier_capacity,
                                   journal->earlier_count + 1, sizeof *journal->earlier);
    journal->earlier[journal->earlier_count++] = l->offset;
    return NULL;
}

/* ---- where the workers are ---- */

static struct journal_seats *add_seats(struct journal_loader *l)
{
    struct journal *journal = l->journal;
    journal->seats = memory_grow(journal->seats, &l->seat_capacity, journal->seat_count + 1,
                                 sizeof *journal->seats);
    struct journal_seats *seats = &journal->seats[journal->seat_count++];
    *seats = (struct journal_seats){.since = l->opened, .step = 1};
    return seats;
}

static uint32_t read_worker(struct json *j)
{
    return (uint32_t)fmin(fmax(json_number(j), 0), UINT32_MAX);
}

/* ["n1",1,64] or ["n1",1,63,2] */
static void read_seats(struct json *j, struct journal_seats *seats)
{
    struct str name = {0};
    json_enter(j, '[');
    for (size_t i = 0; json_item(j); i++) {
        if (i == 0)
            json_string(j, &name);
        else if (i == 1)
            seats->first = read_worker(j);
        else if (i == 2)
            seats->last = read_worker(j);
        else if (i == 3)
            seats->step = read_worker(j);
        else
            json_skip(j);
    }
    seats->step += seats->step == 0;
    snprintf(seats->node, sizeof seats->node, "%s", str_text(&name));
    str_free(&name);
}

/* They replace the one place that "open" has named. */
static const char *load_nodes(struct journal_loader *l, const struct line *line)
{
    struct json j;
    while (l->journal->seat_count > 0 &&
           l->journal->seats[l->journal->seat_count - 1].since == l->opened)
        l->journal->seat_count--;
    json_open(&j, line->seats.text, line->seats.length);
    json_enter(&j, '[');
    while (json_item(&j))
        read_seats(&j, add_seats(l));
    return json_close(&j);
}

static void load_lost(struct journal_loader *l, const struct line *line)
{
    struct journal *journal = l->journal;
    journal->lost_workers = memory_grow(journal->lost_workers, &l->lost_capacity, journal->lost + 1,
                                        sizeof *journal->lost_workers);
    journal->lost_workers[journal->lost++] = (uint32_t)count_of(line->subject);
}

static const char *load_open(struct journal_loader *l, const struct line *line)
{
    struct journal *journal = l->journal;
    struct str host = {0};
    if (line->host.length > 0)
        unquote(line->host, &host);
    l->spent += journal->last_time - l->opened;
    l->opened = line->subject;
    journal->last_time = fmax(journal->last_time, line->subject);
    journal->workers = count_of(line->workers);
    journal->lost = 0;
    journal->budget = count_of(line->trials);
    journal->limit = line->limit;
    journal->end = END_NONE;
    journal->why[0] = 0;
    snprintf(journal->host, sizeof journal->host, "%s", str_text(&host));
    snprintf(journal->owner, sizeof journal->owner, "process %.0f on %s", line->pid, journal->host);
    struct journal_seats *seats = add_seats(l);
    seats->first = 1;
    seats->last = (uint32_t)fmin((double)journal->workers, UINT32_MAX);
    memcpy(seats->node, journal->host, sizeof seats->node);
    str_free(&host);
    return NULL;
}

static void load_close(struct journal_loader *l, const struct line *line)
{
    struct str why = {0};
    if (line->why.length > 0)
        unquote(line->why, &why);
    l->journal->end = journal_end_read(str_text(&why));
    l->journal->last_time = fmax(l->journal->last_time, line->subject);
    snprintf(l->journal->why, sizeof l->journal->why, "%s", str_text(&why));
    str_free(&why);
}

static const char *load_line(struct journal_loader *l, const struct line *line)
{
    l->journal->last_time = fmax(l->journal->last_time, line->time);
    switch (line->kind) {
    case LINE_START: return load_start(l, line);
    case LINE_MOVE: return load_move(l, line);
    case LINE_STEP: return load_step(l, line);
    case LINE_GROUP: return load_group(l, line);
    case LINE_NODES: return load_nodes(l, line);
    case LINE_LOST: load_lost(l, line); return NULL;
    case LINE_END: return load_end(l, line);
    case LINE_OPEN: return load_open(l, line);
    case LINE_CLOSE: load_close(l, line); return NULL;
    case LINE_EARLIER: return load_earlier(l, line);
    case LINE_HEADER: return "a second header";
    case LINE_OTHER: return NULL; /* from a later version: not ours to judge */
    }
    return NULL;
}

static int load_header(struct journal *journal, const struct line *line, struct err *e)
{
    if (line->kind != LINE_HEADER)
        return err_set(e, ERR_USER, "%s/journal is not a journal of Wick", journal->dir);
    if (line->subject != JOURNAL_VERSION)
        return err_set(e, ERR_USER,
                       "%s/journal has version %.0f, and this wick reads version %d: use the wick "
                       "that wrote it",
                       journal->dir, line->subject, JOURNAL_VERSION);
    struct str name = {0}, folder = {0}, definition = {0};
    struct err_list mistakes = {0};
    if (line->study.length && line->folder.length && line->definition.length) {
        unquote(line->study, &name);
        unquote(line->folder, &folder);
        unquote(line->definition, &definition);
    }
    journal->created = line->created;
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

/* Of a trial that ended more than once only the last end counts, and none while it runs. */
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

/* The front of before, when it is read on. */
static void forget_front(struct journal *journal)
{
    for (size_t i = 0; i < journal->front_count; i++)
        journal->trials[journal->front[i]].on_front = false;
    free(journal->front);
    journal->front = NULL;
    journal->front_count = 0;
}

/* What follows from all lines. */
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
 * Walks the lines from journal->size on; whatever follows the last newline is a torn line and does
 * not count.
 */
static int load_lines(struct journal *journal, struct err *e)
{
    struct journal_loader *l = journal->loader;
    size_t ends = journal->completion_count;
    const char *text = journal->text ? journal->text : "", *newline;
    const char *at = text + journal->size, *end = text + journal->file_size;
    l->journal = journal;
    while (at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
        struct line line;
        l->offset = (uint64_t)(at - text);
        const char *wrong = read_line(at, (size_t)(newline - at), &line);
        l->number++;
        if (l->number == 1 && !wrong) {
            if (load_header(journal, &line, e))
                return e->code;
        } else if (!wrong) {
            wrong = load_line(l, &line);
        }
        if (wrong)
            return err_set(e, ERR_USER,
                           "%s/journal, line %zu is damaged (%s): keep a copy, then cut the file "
                           "before that line",
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
                         folder ? "%s is not a study's folder: it has no journal"
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

/* Maps the file as it is now, in place of what was mapped. */
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
        failed = load_lines(journal, e);
    if (failed)
        journal_free(journal);
    return failed;
}

static int load_anew(struct journal *journal, struct err *e)
{
    struct journal anew;
    int failed = journal_load(&anew, journal->dir, e);
    journal_free(journal);
    *journal = anew;
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
        return load_anew(journal, e);
    }
    bool grown = size != journal->file_size;
    int failed = grown ? map_file(journal, fd, size, e) : 0;
    close(fd);
    return grown && !failed ? load_lines(journal, e) : failed;
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
    free(journal->seats);
    free(journal->lost_workers);
    free(journal->loader);
    free(journal->dir);
    *journal = (struct journal){0};
}
