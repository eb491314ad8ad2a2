/* effects.c - importance as text: what to do with a parameter, what to doubt, JSON. */
#include "report/report.h"

#include <math.h>

/* ---- sentences ---- */

static void add_value(const struct parameter *parameter, double value, struct str *s)
{
    if (parameter->kind == PARAMETER_FLOAT && parameter->step == 0)
        str_printf(s, "%.2g", value);
    else
        space_put_text(parameter, value, s);
}

/* Appends the choices that are as good as the best one, as far as can be told; three at most. */
static void add_choices(const struct parameter *parameter, const struct report_effect *effect,
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

void report_add_direction(const struct report_importance *importance,
                          const struct report_effect *effect, struct str *s)
{
    const struct parameter *parameter =
        &importance->journal->study.space.parameters[effect->parameter];
    if (!effect->curve)
        return;
    switch (effect->direction) {
    case REPORT_FLAT: str_add(s, "hardly matters"); return;
    case REPORT_UNCLEAR: str_add(s, "no clear effect"); return;
    case REPORT_SMALLER: str_add(s, "smaller is better"); return;
    case REPORT_LARGER: str_add(s, "larger is better"); return;
    case REPORT_NEAR: break;
    }
    if (parameter->kind == PARAMETER_CHOICE) {
        add_choices(parameter, effect, importance->maximize, s);
        return;
    }
    str_add(s, "best near ");
    add_value(parameter, effect->best, s);
}

bool report_explains_nothing(const struct report_importance *importance)
{
    return !(importance->explained >= 0.05); /* NaN is when all scores are the same */
}

void report_add_doubts(const struct report_importance *importance, struct str *s)
{
    enum { LITTLE = 30 }; /* percent */
    double explained = 100 * fmax(importance->explained, 0);
    if (isnan(importance->explained)) {
        str_add(s, "All scores are the same: nothing matters, as far as can be told.");
        return;
    }
    if (report_explains_nothing(importance))
        str_add(s, "The parameters explain nothing that can be seen in these trials.");
    else if (explained < LITTLE)
        str_printf(s,
                   "The forest explains only %.0f %% of the differences between scores: what it "
                   "says is hardly more than a guess.",
                   explained);
    if (importance->trials < importance->wanted)
        str_printf(s, "%s%zu trials are few for %zu parameter%s: %zu would tell more.",
                   s->length > 0 ? " " : "", importance->trials, importance->effect_count,
                   importance->effect_count == 1 ? "" : "s", importance->wanted);
}

/* ---- JSON ---- */

static void put_number(struct str *s, const char *key, double number)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", number);
    str_printf(s, ",\"%s\":%s", key, isfinite(number) ? text : "null");
}

static void put_name(struct str *s, const struct report_importance *importance, size_t parameter)
{
    const char *name = importance->journal->study.space.parameters[parameter].name;
    json_put_string(s, name, strlen(name));
}

static void put_places(struct str *s, const struct parameter *parameter,
                       const struct report_effect *effect)
{
    str_add(s, ",\"curve\":[");
    for (size_t i = 0; i < effect->curve_count; i++) {
        str_add(s, i ? ",{\"value\":" : "{\"value\":");
        space_put_value(parameter, effect->curve[i].value, s);
        put_number(s, "mean", effect->curve[i].mean);
        put_number(s, "spread", effect->curve[i].spread);
        str_add_char(s, '}');
    }
    str_add_char(s, ']');
}

static void put_effect(struct str *s, const struct report_importance *importance,
                       const struct report_effect *effect, bool curves)
{
    const struct parameter *parameter =
        &importance->journal->study.space.parameters[effect->parameter];
    struct str direction = {0};
    str_add(s, "{\"parameter\":");
    put_name(s, importance, effect->parameter);
    put_number(s, "share", effect->share);
    put_number(s, "spread", effect->spread);
    if (effect->curve) {
        report_add_direction(importance, effect, &direction);
        str_add(s, ",\"direction\":");
        json_put_string(s, direction.text, direction.length);
        str_add(s, ",\"best\":");
        space_put_value(parameter, effect->best, s);
    }
    if (effect->curve && curves)
        put_places(s, parameter, effect);
    str_add_char(s, '}');
    str_free(&direction);
}

static void put_pairs(struct str *s, const struct report_importance *importance)
{
    str_add(s, "],\"pairs\":[");
    for (size_t i = 0; i < importance->pair_count; i++) {
        const struct report_pair *pair = &importance->pairs[i];
        str_add(s, i ? ",{\"parameters\":[" : "{\"parameters\":[");
        put_name(s, importance, pair->first);
        str_add_char(s, ',');
        put_name(s, importance, pair->second);
        str_add_char(s, ']');
        put_number(s, "share", pair->share);
        put_number(s, "spread", pair->spread);
        str_printf(s, ",\"clear\":%s}", pair->clear ? "true" : "false");
    }
    str_add_char(s, ']');
}

static void put_numbers(struct str *s, const char *key, const double *numbers, size_t count)
{
    str_printf(s, ",\"%s\":[", key);
    for (size_t i = 0; i < count; i++)
        str_printf(s, "%s%.6g", i ? "," : "", numbers[i]);
    str_add_char(s, ']');
}

static void put_surface(struct str *s, const struct report_importance *importance)
{
    const struct report_surface *surface = &importance->surface;
    str_add(s, ",\"surface\":{\"first\":");
    put_name(s, importance, surface->first);
    str_add(s, ",\"second\":");
    put_name(s, importance, surface->second);
    put_numbers(s, "firsts", surface->firsts, surface->first_count);
    put_numbers(s, "seconds", surface->seconds, surface->second_count);
    put_numbers(s, "means", surface->means, surface->first_count * surface->second_count);
    str_add_char(s, '}');
}

void report_add_importance_json(const struct report_importance *importance, bool curves,
                                struct str *s)
{
    struct str doubts = {0};
    report_add_doubts(importance, &doubts);
    const char *objective =
        study_objective_name(&importance->journal->study, importance->objective);
    str_add(s, "{\"objective\":");
    json_put_string(s, objective, strlen(objective));
    str_printf(s, ",\"trials\":%zu,\"wanted\":%zu", importance->trials, importance->wanted);
    put_number(s, "explained", importance->explained);
    put_number(s, "limit", importance->limit);
    put_number(s, "limited", (double)importance->limited);
    put_number(s, "rest", importance->rest);
    str_add(s, ",\"doubts\":");
    json_put_string(s, str_text(&doubts), doubts.length);
    str_add(s, ",\"parameters\":[");
    for (size_t i = 0; i < importance->effect_count; i++) {
        str_add(s, i ? "," : "");
        put_effect(s, importance, &importance->effects[i], curves);
    }
    put_pairs(s, importance);
    if (curves && importance->surface.first_count > 0)
        put_surface(s, importance);
    str_add_char(s, '}');
    str_free(&doubts);
}
