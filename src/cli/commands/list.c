/* list.c - wick list: list the trials. */
#include "cli/cli.h"

#include <math.h>

/* ---- which trials, in which order ---- */

/* The states that a word of --state selects; "failed" selects every kind of failure. */
static const struct {
    const char *word;
    enum outcome_state first, last;
} state_words[] = {
    {"running", OUTCOME_RUNNING, OUTCOME_RUNNING},
    {"done", OUTCOME_DONE, OUTCOME_DONE},
    {"failed", OUTCOME_FAILED, OUTCOME_NAN},
    {"timeout", OUTCOME_TIMEOUT, OUTCOME_TIMEOUT},
    {"out-of-memory", OUTCOME_OUT_OF_MEMORY, OUTCOME_OUT_OF_MEMORY},
    {"no-score", OUTCOME_NO_SCORE, OUTCOME_NO_SCORE},
    {"nan", OUTCOME_NAN, OUTCOME_NAN},
    {"stopped", OUTCOME_STOPPED, OUTCOME_STOPPED},
    {"interrupted", OUTCOME_INTERRUPTED, OUTCOME_INTERRUPTED},
};

static void choose_states(struct cli_arguments *arguments, bool states[OUTCOME_INTERRUPTED + 1])
{
    const char *const *words = cli_values(arguments, "state");
    for (size_t i = 0; i <= OUTCOME_INTERRUPTED; i++)
        states[i] = !words[0];
    for (; *words; words++)
        for (size_t i = 0; i < sizeof state_words / sizeof *state_words; i++)
            if (strcmp(*words, state_words[i].word) == 0)
                for (enum outcome_state s = state_words[i].first; s <= state_words[i].last; s++)
                    states[s] = true;
}

/* The key that trials are sorted by: one of these words, a parameter, or a metric. */
static const char *const sort_words[] = {"trial", "score", "duration", "ended", NULL};

static const char *const *sort_names(void)
{
    return sort_words;
}

enum sort { SORT_TRIAL, SORT_SCORE, SORT_DURATION, SORT_ENDED, SORT_PARAMETER, SORT_METRIC };

struct order {
    enum sort by;
    size_t objective;
    size_t parameter;
    const char *metric;
};

/* The metrics of all trials in a journal. */
static int find_metrics(const struct journal *journal, struct cli_metrics *metrics, struct err *e)
{
    struct outcome result = {0};
    for (size_t i = 0; i < journal->count && !e->code; i++)
        if (!journal_result(journal, i, &result, e))
            cli_metrics_note(metrics, &journal->study, &result);
    outcome_free(&result);
    return e->code;
}

static int unknown_order(const char *word, const struct study *study,
                         const struct cli_metrics *metrics, struct err *e)
{
    size_t count = 0, most = 4 + SEARCH_OBJECTIVES + study->space.count + metrics->count;
    const char **words = memory_new(most + 1, sizeof *words);
    for (; sort_words[count]; count++)
        words[count] = sort_words[count];
    for (size_t i = 0; i < study_objectives(study); i++)
        words[count++] = study_objective_name(study, i);
    for (size_t i = 0; i < study->space.count; i++)
        words[count++] = study->space.parameters[i].name;
    for (size_t i = 0; i < metrics->count; i++)
        words[count++] = metrics->names[i];
    const char *nearest = str_nearest(word, words);
    free(words);
    if (nearest)
        return err_set(e, ERR_USER, "'--sort %s': did you mean '%s'?", word, nearest);
    return err_set(e, ERR_USER,
                   "'--sort %s': use trial, score, duration, ended, a parameter or a metric", word);
}

static int read_order(const char *word, const struct journal *journal, struct order *order,
                      struct err *e)
{
    const struct study *study = &journal->study;
    const struct parameter *found;
    struct cli_metrics metrics = {0};
    for (size_t i = 0; sort_words[i]; i++)
        if (!word || strcmp(word, sort_words[i]) == 0) {
            order->by = (enum sort)i;
            return 0;
        }
    if (study_is_objective(study, word)) {
        order->by = SORT_SCORE;
        while (strcmp(word, study_objective_name(study, order->objective)) != 0)
            order->objective++;
    } else if ((found = space_find(&study->space, word))) {
        order->by = SORT_PARAMETER;
        order->parameter = (size_t)(found - study->space.parameters);
    } else if (!find_metrics(journal, &metrics, e)) {
        order->by = SORT_METRIC;
        order->metric = word;
        for (size_t i = 0; i < metrics.count; i++)
            if (strcmp(metrics.names[i], word) == 0)
                return 0;
        unknown_order(word, study, &metrics, e);
    }
    return e->code;
}

/* Trials that break a constraint are sorted with those that have no score. */
static double score_key(const struct journal *journal, size_t index, size_t objective)
{
    double score = journal_scores(journal, index)[objective];
    if (!journal_is_valid(&journal->trials[index]))
        return NAN;
    return journal->study.search.maximize[objective] ? -score : score;
}

/* The smallest key comes first (the best score, the longest duration), NaN last. */
static double sort_key(const struct journal *journal, size_t index, const struct order *order,
                       double *point, struct err *e)
{
    const struct journal_trial *trial = &journal->trials[index];
    struct outcome result = {0};
    double key = (double)index;
    switch (order->by) {
    case SORT_TRIAL: break;
    case SORT_SCORE: return score_key(journal, index, order->objective);
    case SORT_DURATION: return trial->started - trial->ended;
    case SORT_ENDED: return trial->ended;
    case SORT_PARAMETER:
        if (!journal_point(journal, index, point, e))
            key = point[order->parameter];
        break;
    case SORT_METRIC:
        if (!journal_result(journal, index, &result, e))
            key = cli_metric(&result, order->metric);
        outcome_free(&result);
        break;
    }
    return key;
}

struct row {
    double key;
    uint32_t index;
};

static int compare_rows(const void *a, const void *b)
{
    const struct row *x = a, *y = b;
    if (isnan(x->key) != isnan(y->key))
        return isnan(x->key) ? 1 : -1;
    if (x->key != y->key && !isnan(x->key))
        return x->key < y->key ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void reverse(struct row *rows, size_t count)
{
    for (size_t i = 0; i < count / 2; i++) {
        struct row swap = rows[i];
        rows[i] = rows[count - 1 - i];
        rows[count - 1 - i] = swap;
    }
}

/*
 * Fills `rows`, which has room for all trials, with the selected trials in order, *count of them.
 */
static int choose_rows(struct cli_arguments *arguments, const struct journal *journal,
                       struct row *rows, size_t *count, struct err *e)
{
    bool states[OUTCOME_INTERRUPTED + 1];
    struct order order = {0};
    uint64_t limit = UINT64_MAX;
    choose_states(arguments, states);
    if (read_order(cli_value(arguments, "sort"), journal, &order, e) ||
        cli_whole(arguments, "limit", 1, UINT32_MAX, &limit, e))
        return e->code;
    double *point = memory_new(journal->study.space.count, sizeof *point);
    *count = 0;
    for (uint32_t i = 0; i < journal->count && !e->code; i++) {
        if (!states[journal->trials[i].state])
            continue;
        rows[(*count)++] = (struct row){sort_key(journal, i, &order, point, e), i};
    }
    free(point);
    qsort(rows, *count, sizeof *rows, compare_rows);
    if (cli_flag(arguments, "reverse"))
        reverse(rows, *count);
    *count = *count < limit ? *count : limit;
    return e->code;
}

/* ---- printing ---- */

/* The position of the column of reasons: last, or first if there are only failures. */
enum reasons { REASONS_NONE, REASONS_LAST, REASONS_FIRST };

static enum reasons place_reasons(const struct journal *journal, const struct row *rows,
                                  size_t count)
{
    size_t given = 0, broken = 0, scored = 0;
    for (size_t i = 0; i < count; i++) {
        const struct journal_trial *trial = &journal->trials[rows[i].index];
        given += trial->state != OUTCOME_DONE && trial->state != OUTCOME_RUNNING;
        broken += trial->state == OUTCOME_DONE && !journal_is_valid(trial);
        scored += journal_scored(trial);
    }
    if (given == 0 && broken == 0)
        return REASONS_NONE;
    return given < count || scored > 0 ? REASONS_LAST : REASONS_FIRST;
}

/* What the table shows besides the parameters. */
struct listing {
    enum reasons reasons;
    bool is_long; /* with when and where each trial ran */
    struct cli_metrics metrics;
    double *point; /* scratch */
};

/*
 * The metrics of the first rows: looking at all rows of a large study for their names takes long.
 */
static int choose_metrics(const struct journal *journal, const struct row *rows, size_t count,
                          struct cli_metrics *metrics, struct err *e)
{
    enum { LOOK = 1000 };
    struct outcome result = {0};
    for (size_t i = 0; i < count && i < LOOK && !e->code; i++)
        if (!journal_result(journal, rows[i].index, &result, e))
            cli_metrics_note(metrics, &journal->study, &result);
    outcome_free(&result);
    return e->code;
}

static void add_columns(struct text_table *table, const struct study *study,
                        const struct listing *listing)
{
    static const char *const places[] = {"started_at", "ended_at", "node", "job"};
    const struct space *space = &study->space;
    text_table_column(table, "trial", CLI_RIGHT);
    if (study->upf_ids)
        text_table_column(table, "id", CLI_LEFT);
    text_table_column(table, "state", CLI_LEFT);
    if (listing->reasons == REASONS_FIRST)
        text_table_column(table, "reason", CLI_LEFT);
    else
        text_table_scores(table, study);
    if (listing->reasons != REASONS_FIRST && study_objectives(study) > 1)
        text_table_column(table, "front", CLI_LEFT);
    text_table_column(table, "time", CLI_RIGHT);
    for (size_t i = 0; listing->is_long && i < sizeof places / sizeof *places; i++)
        text_table_column(table, places[i], CLI_LEFT);
    for (size_t i = 0; i < space->count; i++)
        if (space->parameters[i].kind != PARAMETER_CONSTANT)
            text_table_parameter(table, &space->parameters[i]);
    if (listing->reasons == REASONS_LAST)
        text_table_column(table, "reason", CLI_LEFT);
    text_table_metrics(table, &listing->metrics);
}

static void add_reason(struct text_table *table, const struct study *study,
                       const struct listing *listing, const struct outcome *result)
{
    struct str text = {0};
    bool is_state = strcmp(result->reason, outcome_state_name(result->state)) == 0;
    if (result->state != OUTCOME_DONE && result->state != OUTCOME_RUNNING && !is_state)
        cli_add_reason(&text, result);
    cli_add_broken(&text, study, listing->point, result);
    text_table_cell(table, CLI_PLAIN, str_text(&text));
    str_free(&text);
}

/* Number, state, scores and duration of a trial. */
static void add_facts(struct text_table *table, const struct journal *journal, size_t index,
                      const struct listing *listing, const struct outcome *result)
{
    const struct journal_trial *trial = &journal->trials[index];
    struct str text = {0};
    str_printf(&text, "%zu", index + 1);
    text_table_cell(table, CLI_PLAIN, text.text);
    if (journal->study.upf_ids)
        text_table_id(table, &journal->study, index);
    text_table_cell(table, cli_state_colour(trial->state), outcome_state_name(trial->state));
    if (listing->reasons == REASONS_FIRST)
        add_reason(table, &journal->study, listing, result);
    else
        text_table_score_cells(table, journal, index);
    if (listing->reasons != REASONS_FIRST && study_objectives(&journal->study) > 1)
        text_table_cell(table, CLI_GREEN, trial->on_front ? "*" : "");
    double took = cli_took(journal, index);
    str_clear(&text);
    if (isnan(took))
        str_add_char(&text, '-');
    else
        str_add_duration(&text, took);
    str_add(&text, isnan(trial->ended) && !isnan(took) ? "+" : "");
    text_table_cell(table, CLI_PLAIN, text.text);
    str_free(&text);
}

static void add_place_cell(struct text_table *table, const char *name)
{
    struct str text = {0};
    cli_add_safe(&text, name, strlen(name));
    text_table_cell(table, CLI_PLAIN, text.length > 0 ? text.text : "-");
    str_free(&text);
}

/* When a trial ran, and where. */
static void add_place(struct text_table *table, const struct journal *journal, size_t index)
{
    const struct journal_trial *trial = &journal->trials[index];
    char at[32];
    bool ended = trial->state != OUTCOME_RUNNING;
    text_table_cell(table, CLI_PLAIN, clock_format(journal->created + trial->started, at));
    text_table_cell(table, CLI_PLAIN,
                    ended ? clock_format(journal->created + trial->ended, at) : "-");
    add_place_cell(table, journal_node(journal, index));
    add_place_cell(table, journal_job(journal, index));
}

static int add_row(struct text_table *table, const struct journal *journal, size_t index,
                   const struct listing *listing, struct err *e)
{
    const struct space *space = &journal->study.space;
    struct outcome result = {0};
    struct str text = {0};
    const struct journal_trial *trial = &journal->trials[index];
    bool has_reason = trial->state != OUTCOME_DONE || !journal_is_valid(trial);
    bool more = listing->metrics.count > 0 || has_reason;
    if (!journal_point(journal, index, listing->point, e) &&
        (!more || !journal_result(journal, index, &result, e))) {
        add_facts(table, journal, index, listing, &result);
        if (listing->is_long)
            add_place(table, journal, index);
        for (size_t i = 0; i < space->count; i++) {
            if (space->parameters[i].kind == PARAMETER_CONSTANT)
                continue;
            str_clear(&text);
            cli_add_parameter(&text, &space->parameters[i], listing->point[i]);
            text_table_cell(table, CLI_PLAIN, text.text);
        }
        if (listing->reasons == REASONS_LAST)
            add_reason(table, &journal->study, listing, &result);
        text_table_metric_cells(table, &listing->metrics, &result);
    }
    outcome_free(&result);
    str_free(&text);
    return e->code;
}

static int print_table(const struct journal *journal, const struct row *rows, size_t count,
                       bool is_long, struct err *e)
{
    struct text_table table = {.out = stdout};
    struct listing listing = {.reasons = place_reasons(journal, rows, count), .is_long = is_long};
    if (choose_metrics(journal, rows, count, &listing.metrics, e))
        return e->code;
    listing.point = memory_new(journal->study.space.count, sizeof *listing.point);
    add_columns(&table, &journal->study, &listing);
    for (size_t i = 0; i < count && !e->code && !ferror(stdout); i++)
        add_row(&table, journal, rows[i].index, &listing, e);
    text_table_end(&table);
    free(listing.point);
    return e->code;
}

static int print_json(const struct journal *journal, const struct row *rows, size_t count,
                      struct err *e)
{
    struct str line = {0};
    for (size_t i = 0; i < count && !ferror(stdout); i++) {
        str_clear(&line);
        if (cli_add_trial_json(&line, journal, rows[i].index, false, e))
            break;
        puts(line.text);
    }
    str_free(&line);
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    size_t count = 0;
    if (cli_load_journal(arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    struct row *rows = memory_new(journal.count, sizeof *rows);
    if (!choose_rows(arguments, &journal, rows, &count, &e)) {
        if (cli_flag(arguments, "json"))
            print_json(&journal, rows, count, &e);
        else
            print_table(&journal, rows, count, cli_flag(arguments, "long"), &e);
    }
    free(rows);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "state",
     .many = true,
     .value = "S",
     .help = "only trials in this state: running, done, failed (of any kind),\n"
             "timeout, out-of-memory, no-score, nan, stopped, interrupted",
     .words = (const char *const[]){"running", "done", "failed", "timeout", "out-of-memory",
                                    "no-score", "nan", "stopped", "interrupted", NULL}},
    {.name = "sort",
     .value = "BY",
     .help = "trial (the default), score (the best first), duration (the\n"
             "longest first), ended, or the name of a parameter or metric",
     .suggest = sort_names},
    {.name = "reverse", .letter = 'r', .help = "reverse the order"},
    {.name = "limit", .value = "N", .help = "show at most N trials"},
    {.name = "long",
     .letter = 'l',
     .help = "also show when each trial started and ended (UTC), and its\n"
             "node and job"},
    {.name = "json", .help = "print one JSON object per line"},
    {0},
};

const struct cli_command cli_command_list = {
    .name = "list",
    .summary = "list the trials",
    .example = "wick list digits.wick --sort score --limit 20\n"
               "wick list --state failed",
    .synopsis = "[DIR] [--state S] [--sort BY] [--reverse] [--limit N] [--long] [--json]",
    .details = "DIR is a study folder; the default is the newest one in the current folder.",
    .options = {options},
    .most = 1,
    .run = run,
};
