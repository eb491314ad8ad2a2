/* ranks.c - how many ranks a trial has, given by the model or by its point. */
#include "told.h"

static bool parse(struct study *study, const char *text)
{
    struct err_list mistakes = {0};
    int failed = study_parse(study, text, strlen(text), "study.yaml", "/", &mistakes);
    for (size_t i = 0; i < mistakes.count; i++)
        printf("# %s\n", mistakes.items[i].message);
    err_list_free(&mistakes);
    return !failed;
}

static void has_ranks(const char *name, const char *text, double value, unsigned ranks,
                      uint64_t most)
{
    struct study study;
    if (!ok(parse(&study, text), "%s: it is read", name))
        return;
    ok(study_ranks(&study, &value) == ranks && study_most_ranks(&study) == most,
       "%s: %u ranks of at most %u", name, study_ranks(&study, &value),
       (unsigned)study_most_ranks(&study));
    study_free(&study);
}

/* The mistake, as LINE:COLUMN: MESSAGE; each text has one. */
static const struct {
    const char *name, *text, *expected;
} mistakes_of[] = {
    {"no rank", "model: {command: 'true', ranks: 0}\nspace: {x: {int: [1, 5]}}\n",
     "1:33: 'ranks' must be a whole number from 1 to 100000, not '0'"},
    {"a function", "model: {function: branin, ranks: 2}\n",
     "1:27: the function 'branin' is evaluated directly: only programs can have several ranks"},
    {"too many",
     "model: {command: 'true', ranks: 3}\nspace: {x: {int: [1, 5]}}\nsearch: {workers: 2}\n",
     "1:26: a trial of 3 ranks needs that many workers, but 'workers' is 2: raise it, or lower "
     "'ranks'"},
    {"a float", "model: {command: 'true'}\nspace: {ranks: {float: [1, 4]}}\n",
     "2:9: the parameter 'ranks' says how many processes a trial has: use whole numbers from 1, as "
     "in ranks: {choice: [1, 2, 4]}; give it another name if it means something else"},
    {"names", "model: {command: 'true'}\nspace: {ranks: {choice: [one, two]}}\n",
     "2:9: the parameter 'ranks' says how many processes a trial has: use whole numbers from 1, as "
     "in ranks: {choice: [1, 2, 4]}; give it another name if it means something else"},
    {"both", "model: {command: 'true', ranks: 2}\nspace: {ranks: {int: [1, 4]}}\n",
     "2:9: 'ranks' is both a parameter and a key of 'model': leave one of them out"},
    {"a launch", "model: {command: 'true', launch: mpd}\nspace: {x: {int: [1, 5]}}\n",
     "1:34: 'launch' cannot be 'mpd': did you mean 'mpi'?"},
    {"a launcher", "model: {command: 'true', launcher: mpirun}\nspace: {x: {int: [1, 5]}}\n",
     "1:26: 'launcher' needs 'launch: mpi': add it, or leave 'launcher' out"},
    {"a launcher that is not there",
     "model: {command: 'true', launch: mpi, launcher: no-such-mpi -x}\nspace: {x: {int: [1, 5]}}\n",
     "1:49: the program 'no-such-mpi' is not on PATH"},
    {"no launcher",
     "model: {command: 'true', launch: mpi, launcher: ' '}\nspace: {x: {int: [1, 5]}}\n",
     "1:49: 'launcher' must be the program that starts MPI ranks, with its options, as in "
     "launcher: "
     "mpiexec --oversubscribe"},
    {"a function by MPI", "model: {function: branin, launch: mpi}\n",
     "1:27: 'launch: mpi' starts a program with mpiexec: it needs 'command'"},
};

static void each_mistake_is_told(void)
{
    for (size_t i = 0; i < sizeof mistakes_of / sizeof *mistakes_of; i++)
        tells(mistakes_of[i].name, mistakes_of[i].text, strlen(mistakes_of[i].text),
              mistakes_of[i].expected);
}

int main(void)
{
    each_mistake_is_told();
    has_ranks("no word of it", "model: {command: 'true'}\nspace: {x: {int: [1, 5]}}\n", 3, 1, 1);
    has_ranks("a key", "model: {command: 'true', ranks: 4}\nspace: {x: {int: [1, 5]}}\n", 3, 4, 4);
    has_ranks("an int", "model: {command: 'true'}\nspace: {ranks: {int: [2, 8]}}\n", 5, 5, 8);
    has_ranks("a choice", "model: {command: 'true'}\nspace: {ranks: {choice: [4, 1, 2]}}\n", 0, 4,
              4);
    has_ranks("in order", "model: {command: 'true'}\nspace: {ranks: {ordered: [1, 2, 16]}}\n", 2,
              16, 16);
    has_ranks("a constant", "model: {command: 'true'}\nspace: {ranks: 3}\nsearch: {trials: 1}\n", 0,
              3, 3);
    has_ranks("both, the same",
              "model: {command: 'true', ranks: 3}\nspace: {ranks: 3}\nsearch: {trials: 1}\n", 0, 3,
              3);
    has_ranks("not active", "model: {command: 'true'}\nspace: {ranks: {int: [2, 8]}}\n", NAN, 1, 8);

    struct study study;
    ok(parse(&study, "model: {command: 'true', ranks: 2, launch: mpi, launcher: env  --a b}\n"
                     "space: {x: {int: [1, 5]}}\n"),
       "a launcher");
    ok(study.model.launch == LAUNCH_MPI && strcmp(study.model.launcher[0], "env") == 0 &&
           strcmp(study.model.launcher[1], "--a") == 0 &&
           strcmp(study.model.launcher[2], "b") == 0 && !study.model.launcher[3],
       "is cut into words");
    study_free(&study);
    ok(parse(&study, "model: {command: 'true', ranks: 2, launch: mpi, launcher: [env, a b]}\n"
                     "space: {x: {int: [1, 5]}}\n"),
       "a list");
    ok(strcmp(study.model.launcher[0], "env") == 0 && strcmp(study.model.launcher[1], "a b") == 0 &&
           !study.model.launcher[2],
       "has them as they are");
    study_free(&study);
    return tap_end();
}
