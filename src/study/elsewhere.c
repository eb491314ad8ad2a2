/* elsewhere.c - words of other tools, and what to write here instead. */
#include "study/read.h"

#include <ctype.h>
#include <strings.h>

/* A word of another tool, in lower case with underscores. */
struct foreign {
    const char *word;
    const char *key;    /* what to write in a study file; # stands for the user's own value */
    const char *option; /* on a command line; NULL: the same cannot be said there */
};

/* Keys of a study. */
static const struct foreign keys[] = {
    {"n_trials", "search: {trials: #}", "--trials N"},
    {"num_trials", "search: {trials: #}", "--trials N"},
    {"max_trials", "search: {trials: #}", "--trials N"},
    {"max_evals", "search: {trials: #}", "--trials N"},
    {"max_evaluations", "search: {trials: #}", "--trials N"},
    {"num_samples", "search: {trials: #}", "--trials N"},
    {"n_calls", "search: {trials: #}", "--trials N"},
    {"n_iter", "search: {trials: #}", "--trials N"},
    {"run_cap", "search: {trials: #}", "--trials N"},
    {"walltime", "search: {time: 2h} for the study, job: {time: 2h} for a job",
     "--time 2h for the study, --job-time 2h for a job"},
    {"wall_time", "search: {time: 2h} for the study, job: {time: 2h} for a job",
     "--time 2h for the study, --job-time 2h for a job"},
    {"max_time", "search: {time: #}", "--time T"},
    {"time_budget_s", "search: {time: #}", "--time T"},
    {"n_jobs", "search: {workers: #}", "--workers N"},
    {"num_workers", "search: {workers: #}", "--workers N"},
    {"n_workers", "search: {workers: #}", "--workers N"},
    {"max_concurrent", "search: {workers: #}", "--workers N"},
    {"max_concurrent_trials", "search: {workers: #}", "--workers N"},
    {"sampler", "search: {algorithm: tpe}", "--algorithm tpe"},
    {"method", "search: {algorithm: tpe}", "--algorithm tpe"},
    {"search_alg", "search: {algorithm: tpe}", "--algorithm tpe"},
    {"optimizer", "search: {algorithm: tpe} for the search, or a parameter under 'space'",
     "--algorithm tpe for the search, or --set optimizer=sgd,adam for a parameter"},
    {"pruner", "search: {stop: median}, or asha, hyperband", "--stop median, or asha, hyperband"},
    {"early_stopping", "search: {stop: asha}", "--stop asha"},
    {"early_terminate", "search: {stop: hyperband}", "--stop hyperband"},
    {"random_state", "search: {seed: #}", "--seed N"},
    {"random_seed", "search: {seed: #}", "--seed N"},
    {"metric", "model: {score: #}", "--score NAME"},
    {"metric_name", "model: {score: #}", "--score NAME"},
    {"objective", "model: {score: #}", "--score NAME"},
    {"objectives", "model: {score: [val_loss, latency]}", "--score val_loss,latency"},
    {"mode", "model: {direction: #}", "--direction minimize or --direction maximize"},
    {"goal", "model: {direction: #}", "--direction minimize or --direction maximize"},
    {"maximize", "model: {direction: maximize}", "--direction maximize"},
    {"maximise", "model: {direction: maximize}", "--direction maximize"},
    {"minimize", "model: {direction: minimize}", "--direction minimize"},
    {"minimise", "model: {direction: minimize}", "--direction minimize"},
    {"directions", "model: {direction: [minimize, maximize]}", NULL},
    {"program", "model: {command: python3 train.py}", "-- python3 train.py"},
    {"script", "model: {command: python3 train.py}", "-- python3 train.py"},
    {"entrypoint", "model: {command: python3 train.py}", "-- python3 train.py"},
    {"parameters", "space: {lr: {log: [1e-5, 1e-1]}}", "--set lr=log:1e-5..1e-1"},
    {"params", "space: {lr: {log: [1e-5, 1e-1]}}", "--set lr=log:1e-5..1e-1"},
    {"hyperparameters", "space: {lr: {log: [1e-5, 1e-1]}}", "--set lr=log:1e-5..1e-1"},
    {"search_space", "space: {lr: {log: [1e-5, 1e-1]}}", "--set lr=log:1e-5..1e-1"},
    {"param_space", "space: {lr: {log: [1e-5, 1e-1]}}", "--set lr=log:1e-5..1e-1"},
    {"study_name", "name: #", "--name NAME"},
    {0},
};

/* Kinds of parameter, and keys of one. The first three are ours, too, but not as calls. */
static const struct foreign kinds[] = {
    {"float", "float: [0, 1]", "0..1.0"},
    {"int", "int: [1, 5]", "1..5"},
    {"choice", "choice: [a, b, c]", "a,b,c"},
    {"loguniform", "log: [1e-5, 1e-1]", "log:1e-5..1e-1"},
    {"log_uniform", "log: [1e-5, 1e-1]", "log:1e-5..1e-1"},
    {"log_uniform_values", "log: [1e-5, 1e-1]", "log:1e-5..1e-1"},
    {"log_float", "log: [1e-5, 1e-1]", "log:1e-5..1e-1"},
    {"reciprocal", "log: [1e-5, 1e-1]", "log:1e-5..1e-1"},
    {"uniform", "float: [0, 1]", "0..1.0"},
    {"real", "float: [0, 1]", "0..1.0"},
    {"double", "float: [0, 1]", "0..1.0"},
    {"discrete_uniform", "float: [0, 1], step: 0.1", "0..1:step=0.1"},
    {"quniform", "float: [0, 1], step: 0.1", "0..1:step=0.1"},
    {"q_uniform", "float: [0, 1], step: 0.1", "0..1:step=0.1"},
    {"qloguniform", "int: [1, 1024], log: true", "log:int:1..1024"},
    {"q_log_uniform", "int: [1, 1024], log: true", "log:int:1..1024"},
    {"lograndint", "int: [1, 1024], log: true", "log:int:1..1024"},
    {"log_int", "int: [1, 1024], log: true", "log:int:1..1024"},
    {"randint", "int: [1, 5]", "1..5"},
    {"int_uniform", "int: [1, 5]", "1..5"},
    {"uniformint", "int: [1, 5]", "1..5"},
    {"integer", "int: [1, 5]", "1..5"},
    {"categorical", "choice: [a, b, c]", "a,b,c"},
    {"values", "choice: [a, b, c]", "a,b,c"},
    {"choices", "choice: [a, b, c]", "a,b,c"},
    {"options", "choice: [a, b, c]", "a,b,c"},
    {"grid_search", "choice: [a, b, c]", "a,b,c"},
    {"ordinal", "ordered: [small, large]", "ordered:small,large"},
    {"bool", "choice: [true, false], or flag: [true, false] for --name alone",
     "true,false, or flag:true,false for --name alone"},
    {"boolean", "choice: [true, false], or flag: [true, false] for --name alone",
     "true,false, or flag:true,false for --name alone"},
    {"store_true", "flag: [true, false]", "flag:true,false"},
    {"normal", "a range instead of a distribution, float: [0, 1]",
     "a range instead of a distribution, 0..1.0"},
    {"lognormal", "a range instead of a distribution, log: [1e-5, 1e-1]",
     "a range instead of a distribution, log:1e-5..1e-1"},
    {"type", "the kind as the key of the range, float: [0, 1] or choice: [a, b, c]", NULL},
    {"distribution", "the kind as the key of the range, float: [0, 1] or choice: [a, b, c]", NULL},
    {"range", "float: [0, 1] or int: [1, 5]", NULL},
    {"bounds", "float: [0, 1] or int: [1, 5]", NULL},
    {"min", "float: [0, 1] or int: [1, 5]", NULL},
    {"max", "float: [0, 1] or int: [1, 5]", NULL},
    {"low", "float: [0, 1] or int: [1, 5]", NULL},
    {"high", "float: [0, 1] or int: [1, 5]", NULL},
    {"lower", "float: [0, 1] or int: [1, 5]", NULL},
    {"upper", "float: [0, 1] or int: [1, 5]", NULL},
    {"value", "a constant without a key, as in epochs: 10", NULL},
    {"log_scale", "log: true", NULL},
    {"scale", "log: true", NULL},
    {"q", "step: 0.1", NULL},
    {0},
};

/* Finds a word in any case, with dashes or underscores. */
static const struct foreign *find(const struct foreign *table, const char *word)
{
    for (; table->word; table++) {
        size_t at = 0;
        while (word[at] && tolower((unsigned char)(word[at] == '-' ? '_' : word[at])) ==
                               (unsigned char)table->word[at])
            at++;
        if (!word[at] && !table->word[at])
            return table;
    }
    return NULL;
}

const char *study_option_elsewhere(const char *word)
{
    const struct foreign *found = find(keys, word);
    return found ? found->option : NULL;
}

/* The value that a key of ours has instead: min and max are directions in other tools. */
static const char *value_here(const struct foreign *found, const struct node *item)
{
    static const struct synonym directions[] = {{"min", "minimize"},
                                                {"minimise", "minimize"},
                                                {"max", "maximize"},
                                                {"maximise", "maximize"},
                                                {0}};
    bool is_plain = item->kind == NODE_SCALAR && item->text[0] && strlen(item->text) <= 40;
    bool is_direction = is_plain && strstr(found->key, "direction");
    const char *here = is_direction ? find_synonym(directions, item->text) : NULL;
    return here ? here : is_plain ? item->text : "...";
}

bool key_elsewhere(const struct node *item, struct shown *here)
{
    const struct foreign *found = find(keys, item->key);
    if (!found)
        return false;
    int before = (int)strcspn(found->key, "#");
    bool carries = found->key[before];
    snprintf(here->text, sizeof here->text, "%.*s%s%s", before, found->key,
             carries ? value_here(found, item) : "", carries ? found->key + before + 1 : "");
    return true;
}

const char *kind_elsewhere(const char *word, bool is_option)
{
    const struct foreign *found = find(kinds, word);
    return found ? is_option ? found->option : found->key : NULL;
}

const char *call_elsewhere(const char *text, bool is_option)
{
    char name[32];
    size_t length = strcspn(text, "("), from = length;
    while (from > 0 && (isalnum((unsigned char)text[from - 1]) || text[from - 1] == '_'))
        from--;
    if (strncmp(text + from, "suggest_", 8) == 0)
        from += 8;
    if (!text[length] || length - from >= sizeof name)
        return NULL;
    snprintf(name, sizeof name, "%.*s", (int)(length - from), text + from);
    return kind_elsewhere(name, is_option);
}
