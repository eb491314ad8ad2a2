/* study_notes.c - notes about what is valid in a study, but probably not meant. */
#include "cli/cli.h"
#include "machine/machine.h"

#include <math.h>

/* A log range is one of floats, although 16 .. 1024 is rather a number of units. */
static void note_logs(const struct space *space)
{
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        if (parameter->kind == PARAMETER_FLOAT && parameter->log && parameter->written_whole)
            cli_note("%s is a float, such as %.1f; write {int: [%g, %g], log: true} "
                     "(log:int:%g..%g) for whole numbers, or %g.0 for floats",
                     parameter->name, floor(sqrt(parameter->low * parameter->high)) + 0.5,
                     parameter->low, parameter->high, parameter->low, parameter->high,
                     parameter->low);
    }
}

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
    cli_print_notes(&study->notes);
    if (cli_takes(arguments, "set"))
        cli_note_whole(arguments);
    note_logs(&study->space);
    note_cores(study);
}
