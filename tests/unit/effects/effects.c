/* What matters in a study: importance of parameters, and the text about it. */
#include "effects/effects.h"
#include "effects/dimensions.h"
#include "journal_fixture.h"

static void open_made(struct fixture *f, const char *definition,
                      double (*trial)(struct random *random, struct str *params), size_t trials)
{
    struct str lines = {0}, params = {0};
    struct random random;
    random_seed(&random, 11, 0);
    for (size_t i = 1; i <= trials; i++) {
        str_clear(&params);
        double score = trial(&random, &params);
        str_printf(&lines, "{\"start\":%zu,\"time\":%zu,\"worker\":1,\"params\":{%s}}\n", i, i,
                   params.text);
        str_printf(&lines, "{\"end\":%zu,\"time\":%zu,\"took\":1,\"worker\":1,", i, i + 1);
        if (isnan(score))
            str_add(&lines, "\"state\":\"failed\",\"exit\":1}\n");
        else
            str_printf(&lines, "\"state\":\"done\",\"score\":%.17g}\n", score);
    }
    fixture_open(f, definition, str_text(&lines));
    str_free(&lines);
    str_free(&params);
}

/* The text about the parameter at this position; it lives until the next call. */
static const char *direction(const struct effects *importance, size_t place)
{
    static struct str text;
    str_clear(&text);
    effects_add_direction(importance, &importance->effects[place], &text);
    return str_text(&text);
}

static const char *name_of(const struct effects *importance, size_t place)
{
    return importance->journal->study.space.parameters[importance->effects[place].parameter].name;
}

static double share_of(const struct effects *importance, const char *name)
{
    for (size_t i = 0; i < importance->effect_count; i++)
        if (strcmp(name_of(importance, i), name) == 0)
            return importance->effects[i].share;
    return NAN;
}

static void measure(struct effects *importance, const struct fixture *f, double best)
{
    struct err e = {0};
    struct effects_settings settings = {.best = best};
    if (effects_measure(importance, &f->journal, &settings, &e))
        BUG("%s", e.message);
}

/* ---- scales and directions ---- */

static double on_scales(struct random *random, struct str *params)
{
    double rate = pow(10, -5 + 4 * random_unit(random));
    double layers = (double)random_below(random, 5) + 1, dropout = random_unit(random) / 2;
    static const char *const names[] = {"sgd", "adam", "rms"};
    size_t name = random_below(random, 3);
    str_printf(params, "\"rate\":%.17g,\"layers\":%g,\"dropout\":%.17g,\"name\":\"%s\",\"fixed\":3",
               rate, layers, dropout, names[name]);
    if (random_unit(random) < 0.05)
        return NAN;
    return pow(log10(rate) + 3, 2) - 0.4 * layers + (name == 1 ? 0 : 1);
}

static const char scales[] = "model: {command: a, score: loss}\n"
                             "space:\n"
                             "  rate: {log: [1e-5, 1e-1]}\n"
                             "  layers: {int: [1, 5]}\n"
                             "  dropout: {float: [0, 0.5]}\n"
                             "  name: {choice: [sgd, adam, rms]}\n"
                             "  fixed: 3\n";

static void test_scales(void)
{
    struct fixture f;
    struct effects importance;
    open_made(&f, scales, on_scales, 1000);
    measure(&importance, &f, 0);
    ok(importance.trials > 900 && importance.trials < 1000, "failed trials are left out");
    ok(importance.effect_count == 4, "constants are left out");
    ok(importance.explained > 0.8 && importance.explained < 1, "it explains most of the scores");
    is_text(name_of(&importance, 0), "rate", "the rate matters most");
    /* Variances: 64/45 (of a square on -2 .. 2), 0.32 and 2/9. */
    ok(fabs(share_of(&importance, "rate") - 0.72) < 0.05, "by its share on the log scale: %.2f",
       share_of(&importance, "rate"));
    ok(fabs(share_of(&importance, "layers") - 0.16) < 0.05, "levels are equally likely: %.2f",
       share_of(&importance, "layers"));
    ok(fabs(share_of(&importance, "name") - 0.11) < 0.05, "so are categories: %.2f",
       share_of(&importance, "name"));
    ok(share_of(&importance, "dropout") < 0.01, "what does nothing has no share");
    ok(strncmp(direction(&importance, 0), "best near ", 10) == 0 &&
           fabs(log10(importance.effects[0].best) + 3) < 0.3,
       "the rate: %s", direction(&importance, 0));
    is_text(direction(&importance, 1), "larger is better", "of layers more is better");
    is_text(direction(&importance, 2), "best: adam", "the best choice");
    is_text(direction(&importance, 3), "hardly matters", "dropout hardly matters");
    ok(importance.effects[2].curve_count == 3 && importance.effects[1].curve_count == 5,
       "curves have all values where these are few");
    struct str doubts = {0};
    effects_add_doubts(&importance, &doubts);
    is_text(str_text(&doubts), "", "nothing is to be doubted");
    effects_free(&importance);
    fixture_close(&f);
}

static void test_maximize(void)
{
    struct fixture f;
    struct effects importance;
    char definition[sizeof scales + 32];
    snprintf(definition, sizeof definition, "model: {command: a, direction: maximize}\n%s",
             strchr(scales, '\n') + 1);
    open_made(&f, definition, on_scales, 300);
    measure(&importance, &f, 0);
    is_text(direction(&importance, 1), "smaller is better", "what is best follows the direction");
    effects_free(&importance);
    fixture_close(&f);
}

/* ---- conditions ---- */

static double conditional(struct random *random, struct str *params)
{
    bool is_sgd = random_below(random, 2) == 0;
    double momentum = random_unit(random), nesterov = random_unit(random);
    if (is_sgd)
        str_printf(params, "\"name\":\"sgd\",\"momentum\":%.17g,\"nesterov\":%.17g", momentum,
                   nesterov);
    else
        str_add(params, "\"name\":\"adam\"");
    return is_sgd ? 2 + momentum : 0;
}

static void test_conditions(void)
{
    struct fixture f;
    struct effects importance;
    open_made(&f,
              "model: {command: a}\n"
              "space:\n"
              "  name: {choice: [sgd, adam]}\n"
              "  momentum: {float: [0, 1], when: {name: sgd}}\n"
              "  nesterov: {float: [0, 1], when: {name: sgd}}\n",
              conditional, 500);
    measure(&importance, &f, 0);
    ok(share_of(&importance, "nesterov") < 0.01,
       "a child that does nothing does not get the importance of its parent");
    ok(share_of(&importance, "name") > 0.9, "which keeps it: %.3f", share_of(&importance, "name"));
    const struct effect *momentum = &importance.effects[1];
    ok(momentum->curve_count > 10 && fabs(momentum->curve[0].mean - 2) < 0.1 &&
           fabs(momentum->curve[momentum->curve_count - 1].mean - 3) < 0.1,
       "the curve of a child is where it is active");
    effects_free(&importance);
    fixture_close(&f);
}

/* ---- scales ---- */

/* An integer on a log scale owns half a unit on each side: 1 has as much as 2, 3 and 4 together. */
static void test_log_levels(void)
{
    struct parameter parameter = {
        .name = "n", .kind = PARAMETER_INT, .log = true, .low = 1, .high = 4};
    struct space space = {.parameters = &parameter, .count = 1};
    struct dimensions dimensions;
    struct arena arena = {0};
    double *values, *coded, row, point = 2;
    struct random random;
    random_seed(&random, 1, 1);
    dimensions_init(&dimensions, &space);
    const struct importance_column *column = dimensions.columns;
    ok(dimensions.count == 1 && column->levels == 4, "a few whole numbers are levels");
    is_near(column->weights[0], 0.5, 1e-12, "on a log scale the first has the most");
    is_near(column->weights[1], log(2.5 / 1.5) / log(9), 1e-12, "the second less");
    ok(dimensions_grid(&dimensions, 0, &values, &coded, &arena) == 4 && coded[3] == 4,
       "a curve has all of them");
    dimensions_row(&dimensions, &point, &random, &row);
    ok(row == values[1], "a row has the place of its level");
    dimensions_free(&dimensions);
    arena_free(&arena);
}

/* ---- scores at their edges ---- */

static double with_far_ones(struct random *random, struct str *params)
{
    double x = random_unit(random), y = random_unit(random);
    str_printf(params, "\"x\":%.17g,\"y\":%.17g", x, y);
    return random_unit(random) < 0.02 ? 1e300 : x < 0.5 ? y : 10 + x;
}

static double all_same(struct random *random, struct str *params)
{
    with_far_ones(random, params);
    return 5;
}

static double tiny(struct random *random, struct str *params)
{
    double x = random_unit(random);
    str_printf(params, "\"x\":%.17g,\"y\":%.17g", x, random_unit(random));
    return 1e-300 * x;
}

static const char plain[] =
    "model: {command: a}\nspace: {x: {float: [0, 1]}, y: {float: [0, 1]}}\n";

static void test_far_scores(void)
{
    struct fixture f;
    struct effects importance;
    open_made(&f, plain, with_far_ones, 600);
    measure(&importance, &f, 0);
    ok(importance.limited > 0 && importance.limit < 12, "scores that are far out are limited");
    double over_all = share_of(&importance, "y");
    ok(share_of(&importance, "x") > 0.9, "over all x matters: %.3f", share_of(&importance, "x"));
    effects_free(&importance);
    measure(&importance, &f, 0.3);
    ok(share_of(&importance, "y") > 0.2 && over_all < 0.05, "near the best y does, too: %.3f, %.3f",
       share_of(&importance, "y"), over_all);
    effects_free(&importance);
    fixture_close(&f);
    open_made(&f, plain, tiny, 100);
    measure(&importance, &f, 0);
    ok(importance.explained > 0.8 && share_of(&importance, "x") > 0.9,
       "the smallest scores are as good as others");
    effects_free(&importance);
    fixture_close(&f);
}

static void test_nothing_to_tell(void)
{
    struct fixture f;
    struct effects importance;
    struct err e = {0};
    struct str doubts = {0};
    open_made(&f, plain, all_same, 20);
    measure(&importance, &f, 0);
    ok(isnan(importance.explained) && importance.effects[0].share == 0,
       "of equal scores nothing is explained");
    effects_add_doubts(&importance, &doubts);
    ok(strstr(str_text(&doubts), "All scores are the same") != NULL, "and that is said");
    str_free(&doubts);
    effects_free(&importance);
    fixture_close(&f);
    open_made(&f, plain, tiny, 9);
    ok(effects_measure(&importance, &f.journal, &(struct effects_settings){0}, &e) == ERR_USER,
       "too few trials are refused");
    is_text(e.message, "9 trials have a score: at least 10 are needed to tell what matters",
            "with how many are needed");
    fixture_close(&f);
}

static void test_json(void)
{
    struct fixture f;
    struct effects importance;
    struct str text = {0};
    struct json j;
    open_made(&f, scales, on_scales, 60);
    measure(&importance, &f, 0);
    effects_add_json(&importance, true, &text);
    json_open(&j, text.text, text.length);
    json_skip(&j);
    ok(!json_close(&j), "it is JSON");
    ok(strstr(text.text, "{\"value\":\"adam\",\"mean\":") != NULL, "with curves");
    str_free(&text);
    effects_free(&importance);
    fixture_close(&f);
}

int main(void)
{
    test_scales();
    test_maximize();
    test_conditions();
    test_log_levels();
    test_far_scores();
    test_nothing_to_tell();
    test_json();
    return tap_end();
}
