/* study_notes.c - notes about what is valid in a study, but probably not meant. */
#include "cli/cli.h"
#include "machine/machine.h"

#include <math.h>
#include <unistd.h>

/* --set dropout=0..1 is a whole number, although most users mean a float. */
void cli_note_whole(struct cli_arguments *arguments)
{
    for (const char *const *set = cli_values(arguments, "set"); *set; set++) {
        const char *equals = strchr(*set, '=');
        if (equals && strcmp(equals, "=0..1") == 0)
            cli_note("%.*s is a whole number, 0 or 1; write 0..1.0 for a float",
                     (int)(equals - *set), *set);
    }
}

static bool is_script(const char *word)
{
    static const char *const endings[] = {".py", ".sh", ".R", ".jl", ".pl"};
    const char *ending = strrchr(word, '.');
    if (!ending || ending == word || word[0] == '-' || strpbrk(word, " {\n"))
        return false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        if (strcmp(ending, endings[i]) == 0)
            return true;
    return false;
}

/* Notes a script that is missing where the trials run. The first word is checked with the study. */
static void note_scripts(const struct study_model *model)
{
    for (const char *const *word = model->command; word && word[0] && word[1]; word++) {
        const char *name = word[1];
        struct str path = {0};
        if (!is_script(name))
            continue;
        str_printf(&path, "%s%s%s", name[0] == '/' ? "" : model->folder, name[0] == '/' ? "" : "/",
                   name);
        if (access(path.text, F_OK) != 0)
            cli_note("%s does not exist in %s, where the trials run", name, model->folder);
        str_free(&path);
    }
}

static unsigned cores_here(const struct study *study)
{
    struct study without_devices = *study;
    struct machine_slot slot;
    struct err e = {0};
    without_devices.model.gpus = 0;
    return machine_slots(&without_devices, 1, &slot, &e) ? 0 : slot.cores;
}

static void note_cores(const struct study *study)
{
    uint64_t each = study->model.cores, cores = cores_here(study);
    if (each > cores)
        cli_note("a trial needs %llu cores, but this machine has only %llu",
                 (unsigned long long)each, (unsigned long long)cores);
    else if (each > 0 && study->workers > cores / each)
        cli_note("%llu trials at a time with %llu cores each need more than the %llu cores of this "
                 "machine: they will share them",
                 (unsigned long long)study->workers, (unsigned long long)each,
                 (unsigned long long)cores);
}

/* A number without a unit means seconds here, but minutes to Slurm. */
static void note_time(const struct study_job *job)
{
    static const double SHORT = 300; /* seconds: hardly anyone queues for less */
    if (job->time_is_bare && job->time < SHORT)
        cli_note(
            "'job.time' is %g seconds: write %gm if you mean minutes, or %gs to silence this note",
            job->time, job->time, job->time);
}

/* Without `gpus`, every trial sees all GPUs of its node, and most programs use the first. */
static void note_gpus(const struct study *study, const struct study_job *job)
{
    unsigned long long gpus = job->gpus_per_node, workers = job->workers_per_node;
    if (gpus < 2 || workers == 1 || study->workers == 1 || study->model.gpus > 0)
        return;
    double each = 1;
    if (workers > 0)
        each = (double)gpus / (double)workers;
    if (each > 1) /* fractions only where GPUs have to be shared */
        each = floor(each);
    cli_note("each trial sees all %llu GPUs of its node: add `gpus: %g` to 'model' (or --gpus %g) "
             "to give each trial its own",
             gpus, each, each);
}

void cli_job_notes(const struct study *study, const struct study_job *job)
{
    note_time(job);
    note_gpus(study, job);
}

void cli_study_notes(struct cli_arguments *arguments, const struct study *study)
{
    if (cli_takes(arguments, "mpi") && cli_value(arguments, "mpi"))
        return; /* rank 0 of the job prints them */
    if (cli_takes(arguments, "set"))
        cli_note_whole(arguments);
    note_scripts(&study->model);
    note_cores(study);
}
