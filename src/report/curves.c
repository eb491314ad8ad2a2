/*
 * curves.c - the values that some trials reported, by step.
 *
 * The steps of a study are read in one pass, and not at all if no trial reported any.
 */
#include "report/curves.h"
#include "report/columns.h"

#include <math.h>

struct curve {
    uint32_t index;
    struct journal_curve curve; /* which steps are in it */
    uint32_t place;             /* place of the next step */
    struct str steps, values;
};

struct curves {
    struct curve items[CURVES_TRIALS];
    size_t count;
    int16_t *of; /* the item of a trial; -1: none */
};

static void choose(struct curves *curves, const struct journal *journal, size_t index)
{
    if (curves->of[index] >= 0 || journal->trials[index].steps == 0 ||
        curves->count == CURVES_TRIALS)
        return;
    curves->of[index] = (int16_t)curves->count;
    curves->items[curves->count++] = (struct curve){.index = (uint32_t)index};
}

static void choose_all(struct curves *curves, const struct journal *journal,
                       const unsigned char *keep)
{
    enum { BEST = 10 };
    uint32_t best[BEST];
    size_t told = 0, seen = 0, room = CURVES_TRIALS - BEST;
    curves->of = memory_new(journal->count, sizeof *curves->of);
    for (size_t i = 0; i < journal->count; i++) {
        curves->of[i] = -1;
        told += keep[i] && journal->trials[i].steps > 0;
    }
    size_t top = told ? journal_top(journal, BEST, best) : 0;
    for (size_t i = 0; i < top; i++)
        choose(curves, journal, best[i]);
    for (size_t i = 0; i < journal->count && told; i++) {
        if (!keep[i] || journal->trials[i].steps == 0)
            continue;
        bool even = told <= room || (seen + 1) * room / told != seen * room / told;
        seen++;
        if (even)
            choose(curves, journal, i);
    }
}

/* The first steps differ most: all of them are drawn, and fewer and fewer of the later ones. */
static bool is_drawn(uint32_t place, uint32_t count)
{
    if (count <= CURVES_POINTS || place < CURVES_POINTS / 4 || place + 1 >= count)
        return true;
    double scale = CURVES_POINTS / log(count);
    return floor(log(place + 1.0) * scale) != floor(log(place) * scale);
}

static void add_step(struct curve *curve, const struct journal_step *step, uint32_t count)
{
    enum journal_place place = journal_curve_add(&curve->curve, step->try, step->step);
    if (place == JOURNAL_REPEATED)
        return;
    if (place == JOURNAL_ANEW) {
        curve->place = 0;
        str_clear(&curve->steps);
        str_clear(&curve->values);
    }
    if (is_drawn(curve->place++, count)) {
        columns_add_number(&curve->steps, (double)step->step);
        columns_add_number(&curve->values, step->value);
    }
}

void curves_put(const struct journal *journal, const unsigned char *keep, struct str *s)
{
    struct curves *curves = memory_new(1, sizeof *curves);
    struct journal_walk walk = journal_walk(journal, JOURNAL_ALL);
    struct journal_step step;
    choose_all(curves, journal, keep);
    while (curves->count > 0 && journal_next_step(&walk, &step))
        if (!step.ended && !step.started && curves->of[step.index] >= 0)
            add_step(&curves->items[curves->of[step.index]], &step,
                     journal->trials[step.index].steps);
    json_set_array(s, "curves");
    for (size_t i = 0; i < curves->count; i++) {
        struct curve *curve = &curves->items[i];
        json_add_object(s);
        json_set_whole(s, "trial", curve->index + 1);
        json_set_printf(s, "steps", "[%s]", str_text(&curve->steps));
        json_set_printf(s, "values", "[%s]", str_text(&curve->values));
        json_end_object(s);
        str_free(&curve->steps);
        str_free(&curve->values);
    }
    json_end_array(s);
    free(curves->of);
    free(curves);
}
