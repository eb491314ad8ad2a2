/* list.c - wick list: the trials as a table. */
#include "cli/cli.h"

#include <math.h>

/* ---- which trials, in which order ---- */

/* The states that a word of --state means; "failed" is every kind of failure. */
static const struct {
    const char *word;
    enum trial_state first, last;
} state_words[] = {
    {"running", TRIAL_RUNNING, TRIAL_RUNNING},
    {"done", TRIAL_DONE, TRIAL_DONE},
    {"failed", TRIAL_FAILED, TRIAL_NAN},
    {"timeout", TRIAL_TIMEOUT, TRIAL_TIMEOUT},
    {"out-of-memory", TRIAL_OUT_OF_MEMORY, TRIAL_OUT_OF_MEMORY},
    {"no-score", TRIAL_NO_SCORE, TRIAL_NO_SCORE},
    {"nan", TRIAL_NAN, TRIAL_NAN},
    {"stopped", TRIAL_STOPPED, TRIAL_STOPPED},
    {"interrupted", TRIAL_INTERRUPTED, TRIAL_INTERRUPTED},
};

static void choose_states(struct cli_arguments *arguments, bool states[TRIAL_INTERRUPTED + 1])
{
    const char *const *words = cli_values(arguments, "state");
    for (size_t i = 0; i <= TRIAL_INTERRUPTED; i++)
        states[i] = !words[0];
    for (; *words; words++)
        for (size_t i = 0; i < sizeof state_words / sizeof *state_words; i++)
            if (strcmp(*words, state_words[i].word) == 0)
                for (enum trial_state s = state_words[i].first; s <= state_words[i].last; s++)
                    states[s] = true;
}

/* What the trials are sorted by: one of these words, or a parameter. */
static const char *const sort_words[] = {"trial", "score", "duration", "ended", NULL};
enum sort { SORT_TRIAL, SORT_SCORE, SORT_DURATION, SORT_ENDED, SORT_PARAMETER };

static int read_sort(const char *word, const struct space *space, enum sort *sort,
                     size_t *parameter, struct err *e)
{
    for (size_t i = 0; sort_words[i]; i++)
        if (!word || strcmp(word, sort_words[i]) == 0) {
            *sort = (enum sort)i;
            return 0;
        }
    const struct parameter *found = space_find(space, word);
    if (!found)
        return err_set(e, ERR_USER,
                       "'--sort %s': it is trial, score, duration, ended or a parameter", word);
    *sort = SORT_PARAMETER;
    *parameter = (size_t)(found - space->parameters);
    return 0;
}

/* The smallest key comes first: the best score, the longest duration. NaN comes last. */
static double sort_key(const struct journal *journal, size_t index, enum sort sort)
{
    const struct journal_trial *trial = &journal->trials[index];
    switch (sort) {
    case SORT_SCORE: return journal->study.model.maximize ? -trial->score : trial->score;
    case SORT_DURATION: return trial->started - trial->ended;
    case SORT_ENDED: return trial->ended;
    default: return (double)index;
    }
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

/* Fills rows (room for all trials) with those that are wanted, in order; *count is how many. */
static int choose_rows(struct cli_arguments *arguments, const struct journal *journal,
                       struct row *rows, size_t *count, struct err *e)
{
    bool states[TRIAL_INTERRUPTED + 1];
    enum sort sort = SORT_TRIAL;
    size_t parameter = 0;
    uint64_t limit = UINT64_MAX;
    choose_states(arguments, states);
    if (read_sort(cli_value(arguments, "sort"), &journal->study.space, &sort, &parameter, e) ||
        cli_whole(arguments, "limit", 1, UINT32_MAX, &limit, e))
        return e->code;
    double *point = memory_new(journal->study.space.count, sizeof *point);
    *count = 0;
    for (uint32_t i = 0; i < journal->count && !e->code; i++) {
        if (!states[journal->trials[i].state])
            continue;
        rows[*count] = (struct row){sort_key(journal, i, sort), i};
        if (sort == SORT_PARAMETER && !journal_point(journal, i, point, e))
            rows[*count].key = point[parameter];
        (*count)++;
    }
    free(point);
    qsort(rows, *count, sizeof *rows, compare_rows);
    if (cli_flag(arguments, "reverse"))
        reverse(rows, *count);
    *count = *count < limit ? *count : limit;
    return e->code;
}

/* ---- printing ---- */

/* Where the column of reasons stands: at the end, or first when there are only failures. */
enum reasons { REASONS_NONE, REASONS_LAST, REASONS_FIRST };

static enum reasons place_reasons(const struct journal *journal, const struct row *rows,
                                  size_t count)
{
    size_t given = 0;
    for (size_t i = 0; i < count; i++) {
        enum trial_state state = journal->trials[rows[i].index].state;
        given += state != TRIAL_DONE && state != TRIAL_RUNNING;
    }
    return given == 0 ? REASONS_NONE : given < count ? REASONS_LAST : REASONS_FIRST;
}

static void add_columns(struct cli_table *table, const struct space *space, enum reasons reasons)
{
    cli_table_column(table, "trial", CLI_RIGHT);
    cli_table_column(table, "state", CLI_LEFT);
    if (reasons == REASONS_FIRST)
        cli_table_column(table, "reason", CLI_LEFT);
    else
        cli_table_column(table, "score", CLI_RIGHT);
    cli_table_column(table, "time", CLI_RIGHT);
    for (size_t i = 0; i < space->count; i++)
        if (space->parameters[i].kind != PARAMETER_CONSTANT)
            cli_table_parameter(table, &space->parameters[i]);
    if (reasons == REASONS_LAST)
        cli_table_column(table, "reason", CLI_LEFT);
}

static int add_reason(struct cli_table *table, const struct journal *journal, size_t index,
                      struct err *e)
{
    struct trial_result result = {0};
    struct str text = {0};
    if (journal->trials[index].state != TRIAL_DONE && !journal_result(journal, index, &result, e))
        cli_add_reason(&text, &result);
    cli_table_cell(table, CLI_PLAIN, str_text(&text));
    trial_result_free(&result);
    str_free(&text);
    return e->code;
}

static int add_row(struct cli_table *table, const struct journal *journal, size_t index,
                   double *point, enum reasons reasons, struct err *e)
{
    const struct journal_trial *trial = &journal->trials[index];
    const struct space *space = &journal->study.space;
    struct str text = {0};
    str_printf(&text, "%zu", index + 1);
    cli_table_cell(table, CLI_PLAIN, text.text);
    cli_table_cell(table, cli_state_colour(trial->state), trial_state_name(trial->state));
    str_clear(&text);
    cli_add_score(&text, trial->score);
    if (reasons == REASONS_FIRST)
        add_reason(table, journal, index, e);
    else
        cli_table_cell(table, CLI_BOLD, text.text);
    str_clear(&text);
    if (isnan(trial->ended))
        str_add(&text, "-");
    else
        str_add_duration(&text, trial->ended - trial->started);
    cli_table_cell(table, CLI_PLAIN, text.text);
    if (!e->code)
        journal_point(journal, index, point, e);
    for (size_t i = 0; i < space->count && !e->code; i++) {
        if (space->parameters[i].kind == PARAMETER_CONSTANT)
            continue;
        str_clear(&text);
        cli_add_parameter(&text, &space->parameters[i], point[i]);
        cli_table_cell(table, CLI_PLAIN, text.text);
    }
    if (reasons == REASONS_LAST && !e->code)
        add_reason(table, journal, index, e);
    str_free(&text);
    return e->code;
}

static int print_table(const struct journal *journal, const struct row *rows, size_t count,
                       struct err *e)
{
    struct cli_table table = {.out = stdout};
    double *point = memory_new(journal->study.space.count, sizeof *point);
    enum reasons reasons = place_reasons(journal, rows, count);
    add_columns(&table, &journal->study.space, reasons);
    for (size_t i = 0; i < count && !e->code && !ferror(stdout); i++)
        add_row(&table, journal, rows[i].index, point, reasons, e);
    cli_table_end(&table);
    free(point);
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
            print_table(&journal, rows, count, &e);
    }
    free(rows);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

const struct cli_command cli_command_list = {
    .name = "list",
    .summary = "the trials as a table",
    .example = "wick list digits.wick --sort score --limit 20\n"
               "wick list --state failed",
    .synopsis = "[DIR] [--state S] [--sort BY] [--reverse] [--limit N] [--json]",
    .details = "DIR is the folder of a study; the only study of the current folder needs no DIR.",
    .options =
        (const struct cli_option[]){
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
                     "longest first), ended, or the name of a parameter"},
            {.name = "reverse", .letter = 'r', .help = "the other way round"},
            {.name = "limit", .value = "N", .help = "at most N trials"},
            {.name = "json", .help = "a JSON object a line"},
            {0},
        },
    .most = 1,
    .run = run,
};
