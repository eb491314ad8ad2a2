/* stopper.c - the key `stop` of the section `search`: the early stopper. */
#include "study/read.h"

static const char example[] = "stop: {asha: {reduction: 4}}";

static const struct synonym stoppers[] = {
    {"sha", "asha"},
    {"halving", "asha"},
    {"successive_halving", "asha"},
    {"bohb", "hyperband"},
    {"asynchyperband", "hyperband"},
    {"percentile", "median"},
    {"vizier", "median"},
    {"early_stopping", "patience"},
    {"earlystopping", "patience"},
    {"plateau", "patience"},
    {"ashascheduler", "asha"},
    {"asynchyperbandscheduler", "asha"},
    {"successivehalvingpruner", "asha"},
    {"hyperbandpruner", "hyperband"},
    {"hyperbandscheduler", "hyperband"},
    {"medianpruner", "median"},
    {"medianstoppingrule", "median"},
    {"percentilepruner", "median"},
    {"patientpruner", "patience"},
    {0},
};

static const struct synonym option_names[] = {
    {"eta", "reduction"},
    {"factor", "reduction"},
    {"reduction_factor", "reduction"},
    {"min_steps", "from"},
    {"grace", "from"},
    {"grace_period", "from"},
    {"min_resource", "from"},
    {"warmup", "from"},
    {"n_warmup_steps", "from"},
    {"max_steps", "to"},
    {"max_resource", "to"},
    {"max_t", "to"},
    {"max_iter", "to"},
    {"patience", "steps"},
    {"min_delta", "by"},
    {"n_startup_trials", "after"},
    {"min_trials", "after"},
    {0},
};

/* The name of a stopper, or NULL and a mistake; "" for `none`. */
static const char *read_name(struct reader *reader, const char *text, struct place place)
{
    const char *here = find_synonym(stoppers, text);
    if (strcmp(text, "none") == 0)
        return "";
    for (const char *const *name = stop_names(); *name; name++)
        if (strcmp(*name, text) == 0)
            return *name;
    if (here)
        mistake(reader->mistakes, place, "unknown stopper '%s': the closest one here is %s",
                shown(text).text, here);
    else
        unknown_word(reader, place, "stopper", text, stop_names());
    return NULL;
}

/* ---- options ---- */

static const struct option *find_option(const char *stopper, const char *name)
{
    const struct option *option = stop_options(stopper);
    while (option->name && strcmp(option->name, name) != 0)
        option++;
    return option->name ? option : NULL;
}

static void unknown_option(struct reader *reader, const char *stopper, const struct node *item)
{
    const char *names[STOP_OPTIONS + 1] = {0};
    const char *here = find_synonym(option_names, item->key);
    for (size_t i = 0; stop_options(stopper)[i].name; i++)
        names[i] = stop_options(stopper)[i].name;
    if (here && find_option(stopper, here))
        mistake(reader->mistakes, item->key_place, "%s has no option '%s': use '%s'", stopper,
                shown(item->key).text, here);
    else
        mistake(reader->mistakes, item->key_place, "%s has no option '%s': %s", stopper,
                shown(item->key).text, advice(reader, item->key, names).text);
}

static void read_stop_option(struct reader *reader, const char *stopper, const struct node *item)
{
    const struct option *option = find_option(stopper, item->key);
    if (option)
        read_option_number(reader, item, option,
                           &reader->study->stop.options[option - stop_options(stopper)]);
    else
        unknown_option(reader, stopper, item);
}

/* ---- the key ---- */

/* stop: {reduction: 4} has an option of a stopper, but not its name. */
static bool lacks_name(struct reader *reader, const struct node *item)
{
    const char *here = find_synonym(option_names, item->key);
    bool is_option = false;
    if (is_one_of(item->key, stop_names()))
        return false;
    for (const char *const *name = stop_names(); *name; name++)
        is_option |= find_option(*name, item->key) || (here && find_option(*name, here));
    if (is_option)
        mistake(reader->mistakes, item->key_place,
                "'%s' is an option of a stopper, whose name is missing: write it as in %s",
                shown(item->key).text, example);
    return is_option;
}

static void read_named(struct reader *reader, const struct node *item)
{
    const char *name = read_name(reader, item->key, item->key_place);
    bool empty = item->kind == NODE_SCALAR ? item->text[0] == 0 : item->count == 0;
    if (!name || !name[0])
        return;
    reader->study->stop.name = name;
    if (!empty && read_map_of(reader, item, example))
        for (const struct node *option = item->first; option; option = option->next)
            read_stop_option(reader, name, option);
}

static void read_map(struct reader *reader, const struct node *map)
{
    if (lacks_name(reader, map->first))
        return;
    if (map->count == 1)
        read_named(reader, map->first);
    else
        mistake(reader->mistakes, map->place,
                "'stop' takes one stopper, but there are %zu here: write it as in %s", map->count,
                example);
}

void read_stop(struct reader *reader, const struct node *value)
{
    const char *text;
    reader->stop = value;
    if (value->kind == NODE_MAP && value->count > 0) {
        read_map(reader, value);
    } else if (value->kind != NODE_SCALAR) {
        mistake(reader->mistakes, value->place,
                "'stop' must be the name of a stopper or a mapping, not %s: write it as in stop: "
                "asha, or in %s",
                value->kind == NODE_MAP ? "an empty one" : node_kind_name(value), example);
    } else if (read_text(reader, value, &text)) {
        const char *name = read_name(reader, text, value->place);
        reader->study->stop.name = name && name[0] ? name : NULL;
    }
}

/* A program may report steps; for a built-in function, it is known whether it does. */
static void check_steps(struct reader *reader)
{
    const struct function *function = reader->study->model.function;
    if (function && !function->steps)
        mistake(reader->mistakes, reader->stop->key_place,
                "the function '%s' has no steps to stop at: leave 'stop' out, or use the function "
                "curves",
                function->name);
}

void check_stop(struct reader *reader)
{
    struct study *study = reader->study;
    struct err e = {0};
    if (!study->stop.name || reader->mistakes->count > 0)
        return;
    if (strcmp(study->search.algorithm, "pbt") == 0)
        mistake(reader->mistakes, reader->stop->key_place,
                "'stop' does not go with pbt, which decides itself which trials continue: leave it "
                "out");
    if (study->search.reproducible)
        mistake(reader->mistakes, reader->stop->key_place,
                "'stop' does not go with 'reproducible': where a trial is stopped depends on the "
                "timing of the others; leave one of them out");
    else if (study_objectives(study) > 1)
        mistake(reader->mistakes, reader->stop->key_place,
                "'stop' needs a single score, but this study has %zu: leave it out",
                study_objectives(study));
    else if (stop_check(&study->stop, &e) != 0)
        mistake(reader->mistakes, reader->stop->place, "%s", e.message);
    else
        check_steps(reader);
}
