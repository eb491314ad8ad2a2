/* doctor.c - the table of sections, and what the study needs from them. */
#include "doctor/look.h"

static const struct section {
    const char *name;
    void (*look)(struct look *look);
    bool everywhere; /* worth examining on each node of a job */
} sections[] = {
    {"Wick", look_wick, true},       {"study", look_study, true},
    {"machine", look_machine, true}, {"scheduler", look_scheduler, false},
    {"MPI", look_mpi, true},         {"containers", look_containers, true},
    {"folder", look_folder, true},   {"GPUs", look_gpus, true},
    {"Python", look_python, false},  {"R", look_r, false},
};

static bool has_job(const struct study_job *job)
{
    return job->site || job->scheduler || job->nodes > 0 || job->time > 0 || job->queue ||
           job->account || job->chain > 0;
}

/* The interpreter of the trials, if it is known to be of this language. */
static const char *trial_interpreter(const struct study *study, enum study_language language)
{
    static const char *const names[] = {[LANGUAGE_PYTHON] = "python", [LANGUAGE_R] = "Rscript"};
    if (study->model.code.language == language)
        return study_interpreter(&study->model.code);
    const char *word = study->model.command ? study->model.command[0] : "";
    const char *slash = strrchr(word, '/'), *name = slash ? slash + 1 : word;
    return strncmp(name, names[language], strlen(names[language])) == 0 ? word : NULL;
}

/* The interpreter that this machine needs: what steers a search never runs in an image. */
static const char *interpreter_of(const struct study *study, enum study_language language,
                                  bool has_image)
{
    const char *trials = has_image ? NULL : trial_interpreter(study, language);
    if (!trials && study->steer.code.language == language)
        return study_interpreter(&study->steer.code);
    return trials;
}

static struct look_needs needs_of(const struct study *study)
{
    struct look_needs needs = {0};
    if (!study)
        return needs;
    const char *runtime = study->container.runtime;
    needs.image = study->container.image && !(runtime && strcmp(runtime, "none") == 0);
    needs.scheduler = has_job(&study->job) &&
                      !(study->job.scheduler && strcmp(study->job.scheduler, "local") == 0);
    needs.mpi = study->job.nodes > 1 || study->model.launch == LAUNCH_MPI;
    needs.gpus = study->model.gpus > 0;
    needs.python = interpreter_of(study, LANGUAGE_PYTHON, needs.image);
    needs.r = interpreter_of(study, LANGUAGE_R, needs.image);
    if (needs.image)
        needs.inside = trial_interpreter(study, LANGUAGE_PYTHON);
    return needs;
}

void doctor_look(struct doctor_report *report, const struct doctor_question *question,
                 void (*found)(void *self, const struct doctor_finding *finding), void *self)
{
    struct look look = {.report = report, .question = question, .found = found, .self = self};
    look.needs = needs_of(question->study);
    for (size_t i = 0; i < sizeof sections / sizeof *sections; i++) {
        look.section = sections[i].name;
        if (sections[i].everywhere || !question->other)
            sections[i].look(&look);
    }
}

void doctor_free(struct doctor_report *report)
{
    free(report->findings);
    arena_free(&report->arena);
    *report = (struct doctor_report){0};
}

const char *doctor_verdict_name(enum doctor_verdict verdict)
{
    static const char *const names[] = {
        [DOCTOR_GOOD] = "good",
        [DOCTOR_NONE] = "none",
        [DOCTOR_WARNING] = "warning",
        [DOCTOR_BAD] = "bad",
    };
    return names[verdict];
}
