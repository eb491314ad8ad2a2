/* text.c - effects as text: advice on a parameter, doubts, JSON. */
#include "effects/effects.h"

#include <math.h>

/* ---- sentences ---- */

static void add_value(const struct parameter *parameter, double value, struct str *s)
{
    if (parameter->kind == PARAMETER_FLOAT && parameter->step == 0)
        str_printf(s, "%.2g", value);
    else
        space_put_text(parameter, value, s);
}

/* Appends the choices that seem as good as the best one; three at most. */
static void add_choices(const struct parameter *parameter, const struct effect *effect,
                        bool maximize, struct str *s)
{
    double low = INFINITY, high = -INFINITY;
    for (size_t i = 0; i < effect->curve_count; i++) {
        low = fmin(low, effect->curve[i].mean);
        high = fmax(high, effect->curve[i].mean);
    }
    size_t shown = 0;
    str_add(s, "best: ");
    space_put_text(parameter, effect->best, s);
    for (size_t i = 0; i < effect->curve_count && shown < 2; i++) {
        double worse = maximize ? high - effect->curve[i].mean : effect->curve[i].mean - low;
        if (effect->curve[i].value == effect->best || worse > 0.1 * (high - low))
            continue;
        str_add(s, ", ");
        space_put_text(parameter, effect->curve[i].value, s);
        shown++;
    }
}

void effects_add_direction(const struct effects *importance, const struct effect *effect,
                           struct str *s)
{
    const struct parameter *parameter =
        &importance->journal->study.space.parameters[effect->parameter];
    if (!effect->curve)
        return;
    switch (effect->direction) {
    case EFFECT_FLAT: str_add(s, "hardly matters"); return;
    case EFFECT_UNCLEAR: str_add(s, "no clear effect"); return;
    case EFFECT_SMALLER: str_add(s, "smaller is better"); return;
    case EFFECT_LARGER: str_add(s, "larger is better"); return;
    case EFFECT_NEAR: break;
    }
    if (parameter->kind == PARAMETER_CHOICE) {
        add_choices(parameter, effect, importance->maximize, s);
        return;
    }
    str_add(s, "best near ");
    add_value(parameter, effect->best, s);
}

bool effects_explain_nothing(const struct effects *importance)
{
    return !(importance->explained >= 0.05); /* NaN if all scores are the same */
}

void effects_add_doubts(const struct effects *importance, struct str *s)
{
    enum { LITTLE = 30 }; /* percent */
    double explained = 100 * fmax(importance->explained, 0);
    if (isnan(importance->explained)) {
        str_add(s, "All scores are the same: no parameter seems to matter.");
        return;
    }
    if (effects_explain_nothing(importance))
        str_add(s, "In these trials, the parameters do not explain the scores.");
    else if (explained < LITTLE)
        str_printf(s,
                   "The forest explains only %.0f %% of the differences between scores: its "
                   "answers are hardly more than a guess.",
                   explained);
    if (importance->trials < importance->wanted)
        str_printf(s, "%s%zu trials are few for %zu parameter%s: %zu would give a clearer answer.",
                   s->length > 0 ? " " : "", importance->trials, importance->effect_count,
                   importance->effect_count == 1 ? "" : "s", importance->wanted);
}

/* ---- JSON ---- */

/* Six digits are enough for an estimate. */
static void add_number(struct str *s, double number)
{
    if (isfinite(number))
        json_add_printf(s, "%.6g", number);
    else
        json_add_null(s);
}

static void set_number(struct str *s, const char *key, double number)
{
    json_add_key(s, key);
    add_number(s, number);
}

static void set_numbers(struct str *s, const char *key, const double *numbers, size_t count)
{
    json_set_array(s, key);
    for (size_t i = 0; i < count; i++)
        add_number(s, numbers[i]);
    json_end_array(s);
}

static const char *name_of(const struct effects *importance, size_t parameter)
{
    return importance->journal->study.space.parameters[parameter].name;
}

static void set_curve(struct str *s, const struct parameter *parameter, const struct effect *effect)
{
    json_set_array(s, "curve");
    for (size_t i = 0; i < effect->curve_count; i++) {
        json_add_object(s);
        json_add_key(s, "value");
        space_put_value(parameter, effect->curve[i].value, s);
        set_number(s, "mean", effect->curve[i].mean);
        set_number(s, "spread", effect->curve[i].spread);
        json_end_object(s);
    }
    json_end_array(s);
}

static void add_effect(struct str *s, const struct effects *importance, const struct effect *effect,
                       bool curves)
{
    const struct parameter *parameter =
        &importance->journal->study.space.parameters[effect->parameter];
    struct str direction = {0};
    json_add_object(s);
    json_set_text(s, "parameter", name_of(importance, effect->parameter));
    set_number(s, "share", effect->share);
    set_number(s, "spread", effect->spread);
    if (effect->curve) {
        effects_add_direction(importance, effect, &direction);
        json_set_string(s, "direction", direction.text, direction.length);
        json_add_key(s, "best");
        space_put_value(parameter, effect->best, s);
    }
    if (effect->curve && curves)
        set_curve(s, parameter, effect);
    json_end_object(s);
    str_free(&direction);
}

static void set_pairs(struct str *s, const struct effects *importance)
{
    json_set_array(s, "pairs");
    for (size_t i = 0; i < importance->pair_count; i++) {
        const struct effect_pair *pair = &importance->pairs[i];
        json_add_object(s);
        json_set_array(s, "parameters");
        json_add_text(s, name_of(importance, pair->first));
        json_add_text(s, name_of(importance, pair->second));
        json_end_array(s);
        set_number(s, "share", pair->share);
        set_number(s, "spread", pair->spread);
        json_set_bool(s, "clear", pair->clear);
        json_end_object(s);
    }
    json_end_array(s);
}

static void set_surface(struct str *s, const struct effects *importance)
{
    const struct effect_surface *surface = &importance->surface;
    json_set_object(s, "surface");
    json_set_text(s, "first", name_of(importance, surface->first));
    json_set_text(s, "second", name_of(importance, surface->second));
    set_numbers(s, "firsts", surface->firsts, surface->first_count);
    set_numbers(s, "seconds", surface->seconds, surface->second_count);
    set_numbers(s, "means", surface->means, surface->first_count * surface->second_count);
    json_end_object(s);
}

void effects_add_json(const struct effects *importance, bool curves, struct str *s)
{
    struct str doubts = {0};
    effects_add_doubts(importance, &doubts);
    json_add_object(s);
    json_set_text(s, "objective",
                  study_objective_name(&importance->journal->study, importance->objective));
    json_set_whole(s, "trials", importance->trials);
    json_set_whole(s, "wanted", importance->wanted);
    set_number(s, "explained", importance->explained);
    set_number(s, "limit", importance->limit);
    set_number(s, "limited", (double)importance->limited);
    set_number(s, "rest", importance->rest);
    json_set_text(s, "doubts", str_text(&doubts));
    json_set_array(s, "parameters");
    for (size_t i = 0; i < importance->effect_count; i++)
        add_effect(s, importance, &importance->effects[i], curves);
    json_end_array(s);
    set_pairs(s, importance);
    if (curves && importance->surface.first_count > 0)
        set_surface(s, importance);
    json_end_object(s);
    str_free(&doubts);
}
