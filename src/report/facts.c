/* facts.c - facts about a study as a whole. */
#include "report/facts.h"

#include "model/model.h"
#include "standing/standing.h"

#include <math.h>

const char *facts_state(const struct journal *journal)
{
    if (journal->running)
        return standing_state_name(STANDING_RUNNING);
    return journal->why[0] ? journal->why : standing_state_name(STANDING_CRASHED);
}

const char *facts_folder(const struct journal *journal, struct arena *arena)
{
    char *path = realpath(journal->dir, NULL);
    const char *copy = path ? arena_copy(arena, path, strlen(path)) : journal->dir;
    free(path);
    return copy;
}

/* The model as the study has it, with the {name}s of a command. */
static const char *model_text(const struct study *study, struct arena *arena)
{
    struct str s = {0};
    model_kind(&study->model)->put_text(&study->model, &s);
    const char *text = arena_copy(arena, str_text(&s), s.length);
    str_free(&s);
    return text;
}

/* Several objectives are separated by commas. */
static const char *score_names(const struct study *study, struct arena *arena)
{
    const char *names = study_objective_name(study, 0);
    for (size_t i = 1; i < study_objectives(study); i++)
        names = arena_printf(arena, "%s,%s", names, study_objective_name(study, i));
    return names;
}

static const char *directions(const struct study *study, struct arena *arena)
{
    const char *all = study_direction(study, 0);
    for (size_t i = 1; i < study_objectives(study); i++)
        all = arena_printf(arena, "%s,%s", all, study_direction(study, i));
    return all;
}

static struct fact number(const char *key, double value)
{
    return (struct fact){key, NULL, value};
}

/* A seed of 64 bits may not fit into a double: then it is stored as text. */
static struct fact seed_fact(uint64_t seed, struct arena *arena)
{
    if (seed <= UINT64_C(1) << 53)
        return (struct fact){"seed", NULL, (double)seed};
    return (struct fact){"seed", arena_printf(arena, "%llu", (unsigned long long)seed), NAN};
}

static struct fact text(const char *key, const char *value)
{
    return (struct fact){key, value, NAN};
}

size_t facts_collect(const struct journal *journal, struct fact facts[FACTS_MOST],
                     struct arena *arena)
{
    const struct study *study = &journal->study;
    const struct search_settings *search = &study->search;
    struct journal_counts counts;
    size_t n = 0;
    journal_count(journal, &counts);
    int64_t best = journal_best(journal);
    char created[32];
    clock_format(journal->created, created);
    facts[n++] = text("name", journal->study.name);
    facts[n++] = text("folder", facts_folder(journal, arena));
    facts[n++] = text("state", facts_state(journal));
    facts[n++] = text("created", arena_copy(arena, created, strlen(created)));
    facts[n++] = text(study->model.function ? "function" : "command", model_text(study, arena));
    facts[n++] = text("score", score_names(study, arena));
    facts[n++] = text("direction", directions(study, arena));
    facts[n++] = text("algorithm", search->algorithm);
    facts[n++] = seed_fact(search->seed, arena);
    facts[n++] = number("budget", journal->budget ? (double)journal->budget : NAN);
    facts[n++] = number("trials", (double)journal->count);
    facts[n++] = number("done", (double)counts.states[OUTCOME_DONE]);
    facts[n++] = number("failed", (double)counts.failed);
    facts[n++] = number("stopped", (double)counts.states[OUTCOME_STOPPED]);
    facts[n++] = number("running", (double)counts.states[OUTCOME_RUNNING]);
    facts[n++] = number("best_trial", best >= 0 ? (double)(best + 1) : NAN);
    facts[n++] = number("best_score", best >= 0 ? journal->trials[best].score : NAN);
    if (journal->scores)
        facts[n++] = number("front", (double)journal->front_count);
    facts[n++] = number("wall_time", round(journal->spent * 1e6) / 1e6);
    facts[n++] = number("node_hours", round(journal_node_hours(journal) * 1e6) / 1e6);
    facts[n++] = number("workers", (double)journal->workers);
    facts[n++] = text("definition", study_shown_text(study, arena));
    return n;
}

void facts_put_value(const struct fact *fact, struct str *s)
{
    if (fact->text)
        json_add_text(s, fact->text);
    else
        json_add_number(s, fact->number);
}
