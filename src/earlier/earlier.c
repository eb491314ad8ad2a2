/*
 * earlier.c - what a new study learns from earlier ones: their results, and the points to try
 * first.
 *
 * A source is a study folder or a CSV file. Both become rows of texts, by the names of the
 * parameters, and a row becomes a point of the new space when all of its values fit.
 */
#include "earlier/earlier.h"

#include "earlier/csv.h"
#include "inbox/inbox.h"

#include <math.h>
#include <sys/stat.h>

enum { CSV_LIMIT = 1 << 30 };

/* Why a row is left out. */
enum drop { DROP_NO_SCORE, DROP_OUTSIDE, DROP_MISSING, DROP_FORBIDDEN, DROP_BROKEN, DROPS };

/* Results of one source that fit the space. */
struct harvest {
    const struct study *study;
    const char *path;
    bool fills;   /* missing values are filled in: the points are to be tried, not learned from */
    size_t width; /* numbers of a point */
    size_t objectives;
    double *points, *scores;
    size_t count, point_capacity, score_capacity;
    size_t rows, dropped[DROPS];
    struct str examples[DROPS]; /* the first row of each kind */
    struct str damage;          /* of the journal of a study */
    const char **texts;         /* values of the row, by parameter; NULL: it has none */
    double row_scores[SEARCH_OBJECTIVES];
};

struct earlier {
    size_t width, objectives;
    double *points, *scores; /* to learn from */
    size_t count, point_capacity, score_capacity;
    double *first; /* points to try first */
    size_t first_count;
    struct str *notes;
    size_t note_count, note_capacity;
};

/* ---- a row becomes a point ---- */

/* The value of a parameter that a row does not have; NaN: it must have one. */
static double missing_value(const struct harvest *h, const struct parameter *parameter)
{
    if (parameter->kind == PARAMETER_CONSTANT)
        return 0;
    return h->fills ? space_fallback(parameter) : parameter->fallback;
}

/* Fills a point with what the texts say, or any value; marks what does not fit or is missing. */
static void read_texts(const struct harvest *h, double *point, bool *misfits, bool *missing)
{
    const struct space *space = &h->study->space;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        point[i] = missing_value(h, parameter);
        misfits[i] = h->texts[i] && !space_read_text(parameter, h->texts[i], &point[i]);
        missing[i] = !h->texts[i] && isnan(point[i]);
        if (misfits[i] || missing[i])
            point[i] = 0;
    }
    space_deactivate(space, point);
}

/*
 * Turns the row into a point. Only active parameters count: others may have any value, or none.
 * Returns DROPS when all is well; otherwise *wrong is the parameter that is not.
 */
static enum drop read_point(const struct harvest *h, double *point, size_t *wrong)
{
    const struct space *space = &h->study->space;
    enum drop result = DROPS;
    bool *misfits = memory_new(space->count, sizeof *misfits);
    bool *missing = memory_new(space->count, sizeof *missing);
    read_texts(h, point, misfits, missing);
    for (size_t i = 0; i < space->count && result == DROPS; i++) {
        *wrong = i;
        if (misfits[i] && !isnan(point[i]))
            result = DROP_OUTSIDE;
        else if (missing[i] && !isnan(point[i]))
            result = DROP_MISSING;
    }
    free(misfits);
    free(missing);
    return result == DROPS && !space_allowed(space, point) ? DROP_FORBIDDEN : result;
}

static void drop(struct harvest *h, enum drop why, size_t wrong, const char *place, size_t number)
{
    const struct space *space = &h->study->space;
    struct str *example = &h->examples[why];
    if (h->dropped[why]++ > 0)
        return;
    if (why == DROP_OUTSIDE)
        str_printf(example, "%s = %.40s in %s %zu", space->parameters[wrong].name, h->texts[wrong],
                   place, number);
    else if (why == DROP_MISSING)
        str_printf(example, "%s in %s %zu", space->parameters[wrong].name, place, number);
    else
        str_printf(example, "%s %zu", place, number);
}

/* Adds the row in h->texts and h->row_scores, or drops it. `place` and `number` say which. */
static void add_row(struct harvest *h, const char *place, size_t number)
{
    size_t wrong = 0;
    enum drop why = DROPS;
    h->rows++;
    for (size_t i = 0; i < h->objectives; i++)
        if (!isfinite(h->row_scores[i]))
            why = DROP_NO_SCORE;
    h->points =
        memory_grow(h->points, &h->point_capacity, (h->count + 1) * h->width, sizeof *h->points);
    h->scores = memory_grow(h->scores, &h->score_capacity, (h->count + 1) * h->objectives,
                            sizeof *h->scores);
    if (why == DROPS)
        why = read_point(h, h->points + h->count * h->width, &wrong);
    if (why != DROPS)
        drop(h, why, wrong, place, number);
    else
        memcpy(h->scores + h->count++ * h->objectives, h->row_scores,
               h->objectives * sizeof *h->scores);
}

/* ---- a study ---- */

/* Matches the scores of the old study with those of the new one: by name, or each has only one. */
static int match_scores(const struct harvest *h, const struct study *old, size_t *matches,
                        struct err *e)
{
    for (size_t i = 0; i < h->objectives; i++) {
        const char *name = study_objective_name(h->study, i);
        size_t count = study_objectives(old), at = 0;
        while (at < count && strcmp(study_objective_name(old, at), name) != 0)
            at++;
        if (count == 1 && h->objectives == 1)
            at = 0;
        if (at == count)
            return err_set(e, ERR_USER, "%s has no score '%s'", h->path, name);
        bool was = old->search.maximize[at], is = h->study->search.maximize[i];
        if (was != is)
            return err_set(e, ERR_USER, "%s %s its score, but this study %s it", h->path,
                           was ? "maximizes" : "minimizes", is ? "maximizes" : "minimizes");
        matches[i] = at;
    }
    return 0;
}

static int harvest_trial(struct harvest *h, const struct journal *journal, size_t index,
                         const size_t *matches, struct str *texts, double *point, struct err *e)
{
    const struct space *space = &h->study->space, *old = &journal->study.space;
    if (journal_point(journal, index, point, e))
        return e->code;
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = space_find(old, space->parameters[i].name);
        h->texts[i] = NULL;
        str_clear(&texts[i]);
        if (!parameter || isnan(point[parameter - old->parameters]))
            continue;
        space_put_text(parameter, point[parameter - old->parameters], &texts[i]);
        h->texts[i] = texts[i].text;
    }
    for (size_t i = 0; i < h->objectives; i++)
        h->row_scores[i] = journal_scores(journal, index)[matches[i]];
    if (journal->trials[index].violation > 0) {
        h->rows++;
        drop(h, DROP_BROKEN, 0, "trial", index + 1);
        return 0;
    }
    add_row(h, "trial", index + 1);
    return 0;
}

static int harvest_study(struct harvest *h, struct err *e)
{
    struct journal journal;
    if (journal_load(&journal, h->path, e))
        return e->code;
    if (!journal_is_whole(&journal))
        journal_put_damage(&journal, &h->damage);
    size_t count = h->study->space.count;
    struct str *texts = memory_new(count, sizeof *texts);
    double *point = memory_new(journal.study.space.count, sizeof *point);
    size_t matches[SEARCH_OBJECTIVES] = {0};
    match_scores(h, &journal.study, matches, e);
    for (size_t i = 0; i < journal.count && !e->code; i++)
        if (outcome_state_ended(journal.trials[i].state))
            harvest_trial(h, &journal, i, matches, texts, point, e);
    for (size_t i = 0; i < count; i++)
        str_free(&texts[i]);
    free(texts);
    free(point);
    journal_free(&journal);
    return e->code;
}

/* ---- a CSV file ---- */

static size_t find_column(const struct csv *csv, const char *name)
{
    size_t i = 0;
    while (i < csv->count && strcmp(csv->fields[i], name) != 0)
        i++;
    return i;
}

/* Which column holds what; a number beyond the last column: none does. */
struct columns {
    size_t count;
    size_t *parameters;
    size_t scores[SEARCH_OBJECTIVES];
};

/* The score has the name of the study, of `wick export`, or of a CANDLE restart file. */
static int find_columns(const struct harvest *h, const struct csv *csv, struct columns *columns,
                        struct err *e)
{
    const struct space *space = &h->study->space;
    const char *name = study_score_name(&h->study->model);
    size_t known = 0;
    columns->count = csv->count;
    for (size_t i = 0; i < space->count; i++) {
        columns->parameters[i] = find_column(csv, space->parameters[i].name);
        known += columns->parameters[i] < csv->count;
    }
    for (size_t i = 0; i < h->objectives; i++)
        columns->scores[i] = find_column(csv, study_objective_name(h->study, i));
    if (columns->scores[0] == csv->count)
        columns->scores[0] = find_column(csv, "score");
    if (columns->scores[0] == csv->count)
        columns->scores[0] = find_column(csv, "y");
    if (columns->scores[0] == csv->count)
        return err_set(e, ERR_USER, "no column has the score: it must be called '%s'%s or 'y'",
                       name, strcmp(name, "score") == 0 ? "" : ", 'score'");
    for (size_t i = 1; i < h->objectives; i++)
        if (columns->scores[i] == csv->count)
            return err_set(e, ERR_USER, "no column has the score '%s'",
                           study_objective_name(h->study, i));
    if (known == 0)
        return err_set(e, ERR_USER, "no column has the name of a parameter, such as '%s'",
                       space->parameters[0].name);
    return 0;
}

/* An empty field, or NA, is a missing value. */
static const char *field_at(const struct csv *csv, size_t column)
{
    const char *field = column < csv->count ? csv->fields[column] : "";
    return field[0] && strcmp(field, "NA") != 0 ? field : NULL;
}

static void harvest_row(struct harvest *h, const struct csv *csv, const struct columns *columns)
{
    for (size_t i = 0; i < h->width; i++)
        h->texts[i] = field_at(csv, columns->parameters[i]);
    for (size_t i = 0; i < h->objectives; i++) {
        const char *text = field_at(csv, columns->scores[i]);
        if (!text || !str_number(text, &h->row_scores[i]))
            h->row_scores[i] = NAN;
    }
    add_row(h, "line", csv->line);
}

static int harvest_rows(struct harvest *h, struct csv *csv, struct columns *columns, struct err *e)
{
    if (!csv_row(csv, e))
        return e->code ? e->code : err_set(e, ERR_USER, "the file is empty");
    if (find_columns(h, csv, columns, e))
        return e->code;
    while (csv_row(csv, e)) {
        if (csv->count != columns->count)
            return err_set(e, ERR_USER, "this line has %zu fields, but the first has %zu",
                           csv->count, columns->count);
        harvest_row(h, csv, columns);
    }
    return e->code;
}

static int harvest_csv(struct harvest *h, struct err *e)
{
    struct str text = {0};
    struct csv csv;
    if (str_read_file(&text, h->path, CSV_LIMIT, e))
        return e->code;
    bool is_text = !memchr(str_text(&text), 0, text.length);
    csv_open(&csv, &text);
    struct columns columns = {.parameters = memory_new(h->width, sizeof *columns.parameters)};
    if (!is_text)
        err_set(e, ERR_USER, "this is neither a study folder nor a CSV file");
    else
        harvest_rows(h, &csv, &columns, e);
    if (e->code) {
        snprintf(e->file, sizeof e->file, "%s", h->path);
        e->line = is_text ? (int)(csv.line ? csv.line : 1) : 0;
    }
    free(columns.parameters);
    csv_close(&csv);
    return e->code;
}

/* ---- a source ---- */

static void harvest_open(struct harvest *h, const struct study *study, const char *path, bool fills)
{
    *h = (struct harvest){.study = study,
                          .path = path,
                          .fills = fills,
                          .width = study->space.count,
                          .objectives = study_objectives(study)};
    h->texts = memory_new(h->width, sizeof *h->texts);
}

static void harvest_close(struct harvest *h)
{
    for (size_t i = 0; i < DROPS; i++)
        str_free(&h->examples[i]);
    str_free(&h->damage);
    free(h->points);
    free(h->scores);
    free(h->texts);
}

static int harvest(struct harvest *h, struct err *e)
{
    struct stat info;
    if (stat(h->path, &info) != 0)
        return err_system(e, "cannot read %s", h->path);
    return S_ISDIR(info.st_mode) ? harvest_study(h, e) : harvest_csv(h, e);
}

/* "; left out: 3 outside the space (lr = 0.5 in trial 7), 2 without a score (trial 9)" */
static void add_dropped(const struct harvest *h, struct str *s)
{
    static const char *const reasons[DROPS] = {
        [DROP_NO_SCORE] = "without a score",
        [DROP_OUTSIDE] = "outside the space",
        [DROP_MISSING] = "without a value that has no default",
        [DROP_FORBIDDEN] = "forbidden",
        [DROP_BROKEN] = "that broke constraints",
    };
    const char *separator = "; left out: ";
    if (h->damage.length > 0)
        str_printf(s, "; its journal has %s", h->damage.text);
    for (size_t i = 0; i < DROPS; i++) {
        if (h->dropped[i] == 0)
            continue;
        str_printf(s, "%s%zu %s (%s)", separator, h->dropped[i], reasons[i],
                   str_text(&h->examples[i]));
        separator = ", ";
    }
}

static struct str *add_note(struct earlier *earlier)
{
    earlier->notes = memory_grow(earlier->notes, &earlier->note_capacity, earlier->note_count + 1,
                                 sizeof *earlier->notes);
    struct str *note = &earlier->notes[earlier->note_count++];
    *note = (struct str){0};
    return note;
}

/* ---- what the new study gets ---- */

static void learn(struct earlier *earlier, const struct harvest *h)
{
    size_t points = earlier->count * h->width, scores = earlier->count * h->objectives;
    earlier->count += h->count;
    earlier->points = memory_grow(earlier->points, &earlier->point_capacity,
                                  earlier->count * h->width, sizeof *earlier->points);
    earlier->scores = memory_grow(earlier->scores, &earlier->score_capacity,
                                  earlier->count * h->objectives, sizeof *earlier->scores);
    if (h->count > 0) {
        memcpy(earlier->points + points, h->points, h->count * h->width * sizeof *h->points);
        memcpy(earlier->scores + scores, h->scores, h->count * h->objectives * sizeof *h->scores);
    }
    struct str *note = add_note(earlier);
    bool learns = search_learns(h->study->search.algorithm);
    str_printf(note, "%s%zu of the %zu results of %s", learns ? "learned from " : "", h->count,
               h->rows, h->path);
    if (!learns)
        str_printf(note, " fit, but a %s search does not learn from them",
                   h->study->search.algorithm);
    add_dropped(h, note);
}

struct ranked {
    double score; /* smaller is better */
    size_t index;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *x = a, *y = b;
    if (x->score != y->score)
        return x->score < y->score ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static bool is_queued(const struct earlier *earlier, const struct space *space, const double *point)
{
    for (size_t i = 0; i < earlier->first_count; i++)
        if (space_same(space, earlier->first + i * space->count, point))
            return true;
    return false;
}

static void choose_best(struct earlier *earlier, const struct harvest *h, size_t wanted)
{
    struct ranked *ranked = memory_new(h->count, sizeof *ranked);
    for (size_t i = 0; i < h->count; i++) {
        double score = h->scores[i * h->objectives];
        ranked[i] = (struct ranked){h->study->model.maximize ? -score : score, i};
    }
    qsort(ranked, h->count, sizeof *ranked, compare_ranked);
    earlier->first = memory_new(wanted * h->width, sizeof *earlier->first);
    for (size_t i = 0; i < h->count && earlier->first_count < wanted; i++) {
        const double *point = h->points + ranked[i].index * h->width;
        if (!is_queued(earlier, &h->study->space, point))
            memcpy(earlier->first + earlier->first_count++ * h->width, point,
                   h->width * sizeof *point);
    }
    free(ranked);
    struct str *note = add_note(earlier);
    str_printf(note, "tries the %zu best points of %s first", earlier->first_count, h->path);
    add_dropped(h, note);
}

int earlier_read(struct earlier **earlier, const struct study *study, struct err *e)
{
    struct earlier *all = memory_new(1, sizeof *all);
    struct harvest h;
    all->width = study->space.count;
    all->objectives = study_objectives(study);
    for (size_t i = 0; study->learn && study->learn[i] && !e->code; i++) {
        harvest_open(&h, study, study->learn[i], false);
        if (!harvest(&h, e))
            learn(all, &h);
        harvest_close(&h);
    }
    if (study->start_of && !e->code) {
        harvest_open(&h, study, study->start_of, true);
        if (!harvest(&h, e))
            choose_best(all, &h, study->start_best);
        harvest_close(&h);
    }
    *earlier = e->code ? NULL : all;
    if (e->code)
        earlier_free(all);
    return e->code;
}

const char *earlier_note(const struct earlier *earlier, size_t index)
{
    return index < earlier->note_count ? earlier->notes[index].text : NULL;
}

void earlier_free(struct earlier *earlier)
{
    if (!earlier)
        return;
    for (size_t i = 0; i < earlier->note_count; i++)
        str_free(&earlier->notes[i]);
    free(earlier->notes);
    free(earlier->points);
    free(earlier->scores);
    free(earlier->first);
    free(earlier);
}

/* ---- in the new study ---- */

static void teach(struct search *search, const double *point, const double *scores, size_t count)
{
    struct search_result result = {.good = true};
    memcpy(result.scores, scores, count * sizeof *scores);
    search_learn(search, point, &result);
}

int earlier_begin(const struct earlier *earlier, const struct journal *before,
                  const struct space *space, struct search *search, struct journal_writer *journal,
                  const char *dir, struct err *e)
{
    if (!earlier)
        return 0;
    for (size_t i = before ? before->earlier_count : 0; i < earlier->count; i++) {
        const double *point = earlier->points + i * earlier->width;
        const double *scores = earlier->scores + i * earlier->objectives;
        if (search)
            teach(search, point, scores, earlier->objectives);
        journal_learned(journal, i + 1, space, point, scores, earlier->objectives);
    }
    if (before && inbox_queue_left(dir, space, 0, NULL) > 0)
        return 0;
    return inbox_queue_append(dir, space, earlier->first, earlier->first_count, e);
}

int earlier_replay(const struct journal *journal, struct search *search, struct err *e)
{
    size_t objectives = study_objectives(&journal->study);
    double *point = memory_new(journal->study.space.count, sizeof *point);
    for (size_t i = 0; i < journal->earlier_count && !e->code; i++) {
        double scores[SEARCH_OBJECTIVES];
        if (!journal_earlier(journal, i, point, scores, objectives, e))
            teach(search, point, scores, objectives);
    }
    free(point);
    return e->code;
}
