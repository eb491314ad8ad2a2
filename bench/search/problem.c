/*
 * problem.c - opens the problems.
 *
 * Tables of real trainings are in the folder that WICK_HPO_TABLES names, or in ../shared/hpo-tables
 * next to the sources: NAME.json has the space, NAME.tab one score per line for each point of the
 * grid, with the last parameter varying fastest. Without them, the benchmark runs with the formulas
 * only.
 */
#include "bench/search/problem.h"

#include <math.h>
#include <unistd.h>

static const char *const table_names[] = {"fcnet_protein", "nas_cifar100", NULL};

enum { FILE_LIMIT = 64 << 20, PROBLEMS = 64, MOST_PARAMETERS = 64 };

bool name_is_wanted(const char *name, const char *wanted)
{
    size_t length = strlen(name);
    for (const char *at = wanted; at; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, name, length) == 0 && (at[length] == ',' || at[length] == '\0'))
            return true;
    return !wanted;
}

/* ---- the space ---- */

/* Reads the parameters, one per line, as those of a study. */
static void parse_space(struct problem *problem, const char *lines)
{
    struct str text = {0};
    struct err_list mistakes = {0};
    str_add(&text, "model: {function: noop}\nspace:\n");
    while (*lines) {
        size_t length = (size_t)(strchr(lines, '\n') - lines) + 1;
        str_printf(&text, "  %.*s", (int)length, lines);
        lines += length;
    }
    if (study_parse(&problem->study, text.text, text.length, problem->name, "/", &mistakes))
        BUG("the space of %s: %s", problem->name, mistakes.items[0].message);
    str_free(&text);
    err_list_free(&mistakes);
    for (size_t i = 0; i < problem->study.space.count; i++)
        problem->conditional |= problem->study.space.parameters[i].when_count > 0;
}

static void write_floats(const struct formula *formula, struct str *lines)
{
    for (size_t i = 0; i < formula->floats; i++)
        str_printf(lines, "x%zu: {float: [%.9g, %.9g]}\n", i + 1, formula->low, formula->high);
}

/* ---- scores ---- */

double problem_score(const struct problem *problem, const double *point)
{
    const struct space *space = &problem->study.space;
    if (problem->formula)
        return problem->formula->score(point, space->count);
    size_t cell = 0;
    for (size_t i = 0; i < space->count; i++)
        cell = cell * space->parameters[i].value_count + (size_t)point[i];
    return problem->cells[cell];
}

/* The smallest score of all points of a space of choices. */
static double least_of_all(const struct problem *problem)
{
    const struct space *space = &problem->study.space;
    double *point = memory_new(space->count, sizeof *point), least = INFINITY;
    for (size_t i = 0; i < space->count;) {
        least = fmin(least, problem_score(problem, point));
        for (i = 0; i < space->count; i++) {
            if (++point[i] < (double)space->parameters[i].value_count)
                break;
            point[i] = 0;
        }
    }
    free(point);
    return least;
}

/* The score at a random point. */
static double random_score(const struct problem *problem, struct random *random)
{
    const struct space *space = &problem->study.space;
    double units[MOST_PARAMETERS], point[MOST_PARAMETERS];
    for (size_t i = 0; i < space->count; i++)
        units[i] = random_unit(random);
    space_point(space, units, point);
    return problem_score(problem, point);
}

static int compare_numbers(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* The regret that random search leaves after 25 points: the median of many tries. */
static double scale_of(const struct problem *problem)
{
    enum { TRIES = 1001, POINTS = 25 };
    double regrets[TRIES];
    struct random random;
    for (uint64_t i = 0; i < TRIES; i++) {
        double best = INFINITY;
        random_seed(&random, 1, i);
        for (int j = 0; j < POINTS; j++)
            best = fmin(best, random_score(problem, &random));
        regrets[i] = best - problem->optimum;
    }
    qsort(regrets, TRIES, sizeof *regrets, compare_numbers);
    return regrets[TRIES / 2];
}

/* A hash of the scores at random points. */
static uint64_t fingerprint(const struct problem *problem)
{
    uint64_t hash = (uint64_t)(problem->noise * 1e6);
    struct random random;
    random_seed(&random, 2, 0);
    for (int i = 0; i < 64; i++) {
        double score = random_score(problem, &random);
        uint64_t bits = isfinite(score) ? (uint64_t)(int64_t)round(score * 1e6) : 1;
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15) + (hash >> 29);
    }
    return hash & UINT64_C(0xffffffffffff);
}

static void finish(struct problem *problem)
{
    if (isnan(problem->optimum))
        problem->optimum = least_of_all(problem);
    problem->scale = scale_of(problem);
    problem->fingerprint = fingerprint(problem);
}

static void open_formula(struct problem *problem, const struct formula *formula)
{
    struct str lines = {0};
    if (formula->space)
        str_add(&lines, formula->space);
    else
        write_floats(formula, &lines);
    *problem = (struct problem){
        .name = formula->name,
        .formula = formula,
        .optimum = formula->optimum,
        .noise = formula->noise,
    };
    parse_space(problem, lines.text);
    str_free(&lines);
    finish(problem);
}

/* ---- tables ---- */

/* One parameter of a table's JSON as a line of a space. */
static void read_parameter(struct json *json, struct str *lines)
{
    struct slice key, choices = {0};
    struct str name = {0}, type = {0};
    json_enter(json, '{');
    while (json_key(json, &key)) {
        if (slice_is(key, "name"))
            json_string(json, &name);
        else if (slice_is(key, "type"))
            json_string(json, &type);
        else
            choices = json_raw(json);
    }
    const char *form = strcmp(str_text(&type), "ordinal") == 0 ? "ordered" : "choice";
    str_printf(lines, "%s: {%s: ", str_text(&name), form);
    for (size_t i = 0; i < choices.length; i++)
        if (choices.text[i] != '\n')
            str_add_char(lines, choices.text[i]);
    str_add(lines, "}\n");
    str_free(&name);
    str_free(&type);
}

static void read_parameters(const struct str *text, const char *name, struct str *lines)
{
    struct json json;
    struct slice key;
    json_open(&json, text->text, text->length);
    json_enter(&json, '{');
    while (json_key(&json, &key)) {
        if (!slice_is(key, "params")) {
            json_skip(&json);
            continue;
        }
        json_enter(&json, '[');
        while (json_item(&json))
            read_parameter(&json, lines);
    }
    if (json_close(&json))
        BUG("the table of %s: %s", name, json.error);
}

static void read_cells(struct problem *problem, const struct str *text)
{
    size_t capacity = 0, count = 0, wanted = 1;
    const struct space *space = &problem->study.space;
    for (size_t i = 0; i < space->count; i++)
        wanted *= space->parameters[i].value_count;
    char *end = text->text;
    for (const char *at = text->text;; at = end) {
        double cell = strtod(at, &end);
        if (end == at)
            break;
        problem->cells = memory_grow(problem->cells, &capacity, count + 1, sizeof cell);
        problem->cells[count++] = cell;
    }
    if (count != wanted)
        BUG("the table of %s has %zu cells instead of %zu", problem->name, count, wanted);
}

static bool open_table(struct problem *problem, const char *name)
{
    const char *folder = getenv("WICK_HPO_TABLES");
    struct str path = {0}, space = {0}, cells = {0}, lines = {0};
    struct err e = {0};
    str_printf(&path, "%s/%s.json", folder ? folder : BENCH_FOLDER "/../../shared/hpo-tables",
               name);
    bool there = str_read_file(&space, path.text, FILE_LIMIT, &e) == 0;
    path.length -= strlen("json");
    str_add(&path, "tab");
    there = there && str_read_file(&cells, path.text, FILE_LIMIT, &e) == 0;
    if (there) {
        *problem = (struct problem){.name = name, .optimum = NAN};
        read_parameters(&space, name, &lines);
        parse_space(problem, lines.text);
        read_cells(problem, &cells);
        finish(problem);
    } else {
        printf("%s is skipped: WICK_HPO_TABLES names no folder that has the table\n", name);
    }
    str_free(&path);
    str_free(&space);
    str_free(&cells);
    str_free(&lines);
    return there;
}

/* ---- all of them ---- */

struct problem *problems_open(const char *wanted, size_t *count)
{
    static const struct formula *const lists[] = {classic_formulas, tuning_formulas};
    struct problem *problems = memory_new(PROBLEMS, sizeof *problems);
    *count = 0;
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        for (const struct formula *formula = lists[i]; formula->name; formula++)
            if (name_is_wanted(formula->name, wanted))
                open_formula(&problems[(*count)++], formula);
    for (size_t i = 0; table_names[i]; i++)
        if (name_is_wanted(table_names[i], wanted) && open_table(&problems[*count], table_names[i]))
            (*count)++;
    return problems;
}

void problems_close(struct problem *problems, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        study_free(&problems[i].study);
        free(problems[i].cells);
    }
    free(problems);
}
