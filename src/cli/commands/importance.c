/* importance.c - wick importance: show which parameters matter, and how. */
#include "cli/cli.h"
#include "effects/effects.h"

#include <math.h>

enum { PAIRS_SHOWN = 5, BAR = 20 };

/* ---- the table ---- */

struct row {
    const char *name, *advice;
    double share, spread;
    double full; /* filled share of the bar */
    enum cli_colour colour;
};

static void add_row(struct text_table *table, const struct row *row)
{
    struct str text = {0};
    text_table_cell(table, CLI_BOLD, row->name);
    str_printf(&text, row->share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * row->share);
    text_table_cell(table, CLI_PLAIN, text.text);
    str_clear(&text);
    str_printf(&text, "%s %.1f", cli_utf8() ? "±" : "+-", 100 * row->spread);
    text_table_cell(table, CLI_DIM, text.text);
    str_clear(&text);
    cli_add_bar(&text, row->full > 0 ? row->share / row->full : 0, BAR);
    text_table_cell(table, row->colour, text.text);
    text_table_cell(table, CLI_PLAIN, row->advice);
    str_free(&text);
}

/* The largest share in a row. */
static double largest(const struct effects *importance)
{
    double alone = importance->effect_count > 0 ? importance->effects[0].share : 0;
    double together = importance->pair_count > 0 ? importance->pairs[0].share : 0;
    return fmax(alone, together);
}

static void add_effect(struct text_table *table, const struct effects *importance,
                       const struct effect *effect)
{
    const char *text = importance->journal->study.space.parameters[effect->parameter].name;
    struct str name = {0}, direction = {0}, advice = {0};
    cli_add_safe(&name, text, strlen(text));
    effects_add_direction(importance, effect, &direction);
    cli_add_safe(&advice, str_text(&direction), direction.length);
    add_row(table, &(struct row){str_text(&name), str_text(&advice), effect->share, effect->spread,
                                 largest(importance), CLI_BLUE});
    str_free(&name);
    str_free(&direction);
    str_free(&advice);
}

static void add_pair(struct text_table *table, const struct effects *importance,
                     const struct effect_pair *pair)
{
    const struct parameter *parameters = importance->journal->study.space.parameters;
    const char *first = parameters[pair->first].name, *second = parameters[pair->second].name;
    struct str name = {0};
    cli_add_safe(&name, first, strlen(first));
    str_add(&name, cli_utf8() ? " × " : " x ");
    cli_add_safe(&name, second, strlen(second));
    add_row(table, &(struct row){name.text, "only together", pair->share, pair->spread,
                                 largest(importance), CLI_YELLOW});
    str_free(&name);
}

/* The first `count` parameters and the pairs that matter, largest share first. */
static void add_rows(struct text_table *table, const struct effects *importance, size_t count)
{
    size_t effect = 0, pair = 0, pairs = 0;
    while (effect < count || pair < importance->pair_count) {
        const struct effect_pair *next =
            pair < importance->pair_count ? &importance->pairs[pair] : NULL;
        if (next && (!next->clear || pairs == PAIRS_SHOWN)) {
            pair++;
        } else if (!next || (effect < count && importance->effects[effect].share >= next->share)) {
            add_effect(table, importance, &importance->effects[effect++]);
        } else {
            add_pair(table, importance, next);
            pair++;
            pairs++;
        }
    }
}

static void print_table(const struct effects *importance, size_t most)
{
    size_t count = importance->effect_count < most ? importance->effect_count : most;
    struct text_table table = {.out = stdout};
    text_table_column(&table, "parameter", CLI_LEFT);
    text_table_column(&table, "share", CLI_RIGHT);
    for (size_t i = 0; i < 3; i++)
        text_table_column(&table, "", CLI_LEFT);
    add_rows(&table, importance, count);
    text_table_end(&table);
    if (count < importance->effect_count)
        printf("(%zu more explain at most %.2g %% each: use --count to see them)\n",
               importance->effect_count - count, 100 * importance->effects[count].share);
}

/* ---- what it stands on ---- */

static void print_head(const struct effects *importance)
{
    struct str score = {0}, trials = {0};
    const char *name = study_objective_name(&importance->journal->study, importance->objective);
    cli_add_safe(&score, name, strlen(name));
    cli_add_count(&trials, importance->trials, "trial");
    printf("What explains %s, from %s", str_text(&score), trials.text);
    if (!isnan(importance->explained))
        printf(" (R%s %.2f on trials that the forest had not seen)", cli_utf8() ? "²" : "2",
               importance->explained);
    printf("\n\n");
    str_free(&score);
    str_free(&trials);
}

/* Printed instead of shares that would be meaningless. */
static void print_nothing(const struct effects *importance)
{
    struct str text = {0};
    effects_add_doubts(importance, &text);
    puts(str_text(&text));
    str_free(&text);
}

/* With several scores, each note names its score, since it is not next to the table. */
static void print_notes(const struct effects *importance)
{
    const struct study *study = &importance->journal->study;
    struct str text = {0}, about = {0};
    if (study_objectives(study) > 1)
        str_printf(&about, "%s: ", study_objective_name(study, importance->objective));
    effects_add_doubts(importance, &text);
    if (text.length > 0)
        cli_note("%s%s", str_text(&about), text.text);
    if (importance->limited > 0) {
        str_clear(&text);
        cli_add_score(&text, importance->limit);
        cli_note("%s%zu worse score%s count as %s", str_text(&about), importance->limited,
                 importance->limited == 1 ? "" : "s", text.text);
    }
    str_free(&text);
    str_free(&about);
}

/* ---- the command ---- */

/* The scores to show, one or all, as [*first, *end). */
static int read_objective(const struct cli_arguments *arguments, const struct study *study,
                          size_t *first, size_t *end, struct err *e)
{
    const char *name = cli_value(arguments, "objective"), *names[SEARCH_OBJECTIVES + 1] = {0};
    *first = 0;
    *end = study_objectives(study);
    for (size_t i = 0; i < *end && name; i++) {
        names[i] = study_objective_name(study, i);
        if (strcmp(name, names[i]) == 0) {
            *first = i;
            *end = i + 1;
            return 0;
        }
    }
    if (!name)
        return 0;
    const char *nearest = str_nearest(name, names);
    return err_set(e, ERR_USER, "'--objective %s': the study has no such score; it has '%s'", name,
                   nearest ? nearest : names[0]);
}

static void print(const struct cli_arguments *arguments, const struct effects *importance,
                  size_t most)
{
    if (cli_flag(arguments, "json")) {
        struct str line = {0};
        effects_add_json(importance, true, &line);
        puts(line.text);
        str_free(&line);
        return;
    }
    print_head(importance);
    if (effects_explain_nothing(importance)) {
        print_nothing(importance);
        return;
    }
    print_table(importance, most);
    print_notes(importance);
}

static int print_all(const struct cli_arguments *arguments, const struct journal *journal,
                     struct err *e)
{
    struct effects importance;
    struct effects_settings settings;
    uint64_t most = 20, best = 0;
    size_t first, end;
    if (cli_whole(arguments, "count", 1, 100000, &most, e) ||
        cli_whole(arguments, "best", 1, 100, &best, e) ||
        read_objective(arguments, &journal->study, &first, &end, e))
        return e->code;
    for (size_t i = first; i < end; i++) {
        settings = (struct effects_settings){i, (double)best / 100};
        if (effects_measure(&importance, journal, &settings, e))
            return e->code;
        if (i > first && !cli_flag(arguments, "json"))
            putchar('\n');
        print(arguments, &importance, most);
        effects_free(&importance);
    }
    return 0;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct journal journal;
    if (cli_load_journal(arguments->operands[0], &journal, &e))
        return cli_fail(&e);
    print_all(arguments, &journal, &e);
    journal_free(&journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "best",
     .value = "PERCENT",
     .help = "count only differences among the best PERCENT of trials"},
    {.name = "count",
     .letter = 'k',
     .value = "N",
     .help = "show the N most important (default: 20)"},
    {.name = "objective", .value = "NAME", .help = "show only this one of several scores"},
    {.name = "json", .help = "print everything, one JSON object per score"},
    {0},
};

const struct cli_command cli_command_importance = {
    .name = "importance",
    .summary = "show which parameters matter, and how",
    .example = "wick importance digits.wick\n"
               "wick importance --best 20",
    .synopsis = "[DIR] [--best PERCENT] [--objective NAME] [-k N] [--json]",
    .details =
        "A random forest learns the scores. The share of a parameter is the part of the\n"
        "differences between scores, over the whole space, that it explains on its own; a row\n"
        "with two parameters is what only both together explain. With --best, only differences\n"
        "between good trials count, as other parameters may matter elsewhere.",
    .options = {options},
    .most = 1,
    .run = run,
};
