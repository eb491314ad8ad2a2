/* environment.c - the environment variables of a trial. */
#include "trial/environment.h"

#include "trial/runner.h"

void environment_add(struct str *s, unsigned *count, const char *name, const char *value)
{
    str_printf(s, "%s=%s", name, value);
    str_add_char(s, 0);
    (*count)++;
}

static bool is_there(const struct str *s, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = s->text; at < s->text + s->length; at += strlen(at) + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return true;
    return false;
}

void environment_add_threads(struct str *s, unsigned *count, unsigned cores,
                             const struct study_model *model)
{
    static const char *const names[] = {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS",
                                        "MKL_NUM_THREADS"};
    char number[16];
    snprintf(number, sizeof number, "%u", cores);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!(model ? study_variable_value(model, names[i]) : getenv(names[i])))
            environment_add(s, count, names[i], number);
}

static void add_users(const struct study_variable *variables, size_t variable_count, struct str *s,
                      unsigned *count)
{
    for (size_t i = 0; i < variable_count; i++)
        if (strncmp(variables[i].name, "WICK_", 5) != 0 && !is_there(s, variables[i].name))
            environment_add(s, count, variables[i].name, variables[i].value);
}

static void add_gpus(const struct machine_slot *slot, struct str *s, unsigned *count)
{
    struct machine_variable variables[MACHINE_VARIABLES];
    size_t all = machine_slot_variables(slot, variables);
    for (size_t i = 0; i < all; i++)
        environment_add(s, count, variables[i].name, variables[i].value);
}

void environment_of_trial(const struct trial_runner *r, const char *params, const char *result,
                          struct str *s, unsigned *count)
{
    const struct study *study = r->study;
    struct str path = {0};
    char number[32];
    snprintf(number, sizeof number, "%llu", (unsigned long long)r->id);
    environment_add(s, count, "WICK_TRIAL", number);
    snprintf(number, sizeof number, "%u", r->try);
    environment_add(s, count, "WICK_TRY", number);
    snprintf(number, sizeof number, "%u", r->slot->worker);
    environment_add(s, count, "WICK_WORKER", number);
    snprintf(number, sizeof number, "%llu", (unsigned long long)model_seed(study, r->id));
    environment_add(s, count, "WICK_SEED", number);
    environment_add(s, count, "WICK_STUDY", study->name);
    environment_add(s, count, "WICK_PARAMS", params);
    environment_add(s, count, "WICK_RESULT", result);
    environment_add(s, count, "WICK_LINE", str_text(&r->address));
    snprintf(number, sizeof number, "%llu", (unsigned long long)r->secret);
    environment_add(s, count, "WICK_SECRET", number);
    environment_add(s, count, "WICK_FOLDER", r->folder);
    environment_add(s, count, "WICK_RUN", r->run);
    environment_add(s, count, "WICK_SCORE", study_score_name(&study->model));
    study_trial_path(&path, r->dir, STUDY_CHECKPOINTS, r->id);
    environment_add(s, count, "WICK_CHECKPOINT", path.text);
    if (study->upf_ids)
        environment_add(s, count, "RUNID", study->upf_ids[r->id - 1]);
    if (r->slot->devices[0] && !ranks_by_mpi(r)) /* they are those of one rank */
        add_gpus(r->slot, s, count);
    environment_add_threads(s, count, r->slot->cores, &study->model);
    languages_add(r, s, count);
    ranks_add_environment(r, s, count);
    if (!study_variable_value(&study->model, "PYTHONUNBUFFERED"))
        environment_add(s, count, "PYTHONUNBUFFERED",
                        "1"); /* else the output of a killed script is lost */
    /* Ours win. Of two values, a program uses the first and a language host the last. */
    if (r->slot->container)
        add_users(study->container.environment, study->container.environment_count, s, count);
    add_users(study->model.environment, study->model.environment_count, s, count);
    str_free(&path);
}
