/* scheduler.c - the scheduler: whether it is there and answers, which job this is, which site. */
#include "doctor/look.h"

#include "launch/launch.h"

#include <math.h>

/* Commands that change nothing: one prints the version, the other needs the scheduler's server. */
static const struct inquiry {
    const char *version[4], *ask[5];
    const char *noun; /* what the lines of its answer are; NULL: they are not counted */
} inquiries[] = {
    [SCHEDULER_SLURM] = {{"sinfo", "--version"},
                         {"sinfo", "--noheader", "--format=%R"},
                         "partition"},
    [SCHEDULER_PBS] = {{"qstat", "--version"}, {"qstat", "-B"}, NULL},
    [SCHEDULER_TORQUE] = {{"qstat", "--version"}, {"qstat", "-B"}, NULL},
    [SCHEDULER_LSF] = {{"lsid", "-V"}, {"bqueues"}, NULL},
    [SCHEDULER_SGE] = {{"qstat", "-help"}, {"qstat", "-g", "c"}, NULL},
    [SCHEDULER_COBALT] = {{"cqstat", "--version"}, {"qstat", "-Q"}, NULL},
    [SCHEDULER_FLUX] = {{"flux", "--version"}, {"flux", "resource", "list"}, NULL},
};

/* The commands of a scheduler; NULL: it cannot be asked. */
static const struct inquiry *inquiry_of(const char *name)
{
    for (size_t i = 0; i < sizeof inquiries / sizeof *inquiries; i++)
        if (strcmp(study_schedulers()[i], name) == 0)
            return &inquiries[i];
    return NULL;
}

/* Turns lines into a list: "a, b, c". */
static const char *list_of(struct look *look, const char *text, size_t *count)
{
    struct str list = {0};
    *count = 0;
    for (const char *at = text; *at;) {
        size_t length = strcspn(at, "\n");
        if (length > 0 && list.length + length < 200)
            str_printf(&list, "%s%.*s", list.length ? ", " : "", (int)length, at);
        *count += length > 0;
        at += length + (at[length] == '\n');
    }
    const char *kept = look_say(look, "%s", str_text(&list));
    str_free(&list);
    return kept;
}

static bool has_line(const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, word, length) == 0 && (at[length] == '\n' || at[length] == 0))
            return true;
    }
    return false;
}

/* A queue that does not exist is the most frequent mistake in `job:`. */
static void look_queue(struct look *look, const char *queue, const char *text, const char *list)
{
    bool found = !strchr(queue, ',') && has_line(text, queue);
    if (strchr(queue, ',')) /* of several queues, Slurm takes the first that has room */
        return;
    look_tell_needed(look, "queue", true, found ? DOCTOR_GOOD : DOCTOR_BAD,
                     found ? look_say(look, "%s exists", queue)
                           : look_say(look, "there is no partition %s", queue),
                     found ? NULL
                           : look_say(look, "set `job: {queue: ...}` to one of these: %s", list));
}

static void look_answers(struct look *look, const struct inquiry *inquiry, const char *queue)
{
    const char *title = launch_title(study_schedulers()[inquiry - inquiries]);
    struct look_answer version, answer;
    bool needed = look->needs.scheduler;
    look_ask(look, inquiry->version, 0, &version);
    look_ask(look, inquiry->ask, 0, &answer);
    const char *line = version.good ? version.line : title;
    size_t count = 0;
    const char *list = list_of(look, str_text(&answer.text), &count);
    if (!answer.good)
        look_tell_needed(
            look, title, needed, needed ? DOCTOR_BAD : DOCTOR_WARNING,
            look_say(look, "%s does not respond: %s", line, answer.why),
            answer.status == COMMAND_LATE
                ? "its server is busy or down: try again later, or ask the site"
                : "its programs are installed, but not configured or without a server: "
                  "try a login node, or ask the site");
    else if (inquiry->noun)
        look_tell_needed(look, title, needed, DOCTOR_GOOD,
                         look_say(look, "%s answers: %s (%s)", line,
                                  look_count(look, (double)count, inquiry->noun), list),
                         NULL);
    else
        look_tell_needed(look, title, needed, DOCTOR_GOOD, look_say(look, "%s answers", line),
                         NULL);
    if (answer.good && inquiry->noun && queue)
        look_queue(look, queue, str_text(&answer.text), list);
    look_answer_free(&version);
    look_answer_free(&answer);
}

static void look_job(struct look *look)
{
    struct launch_here here = launch_here();
    char name[LAUNCH_ID + 64];
    if (!here.scheduler)
        return;
    launch_here_name(name, sizeof name);
    double left = here.end > 0 ? here.end - clock_wall() : INFINITY;
    const char *text = look_say(
        look, "%s%s%s%s", name,
        here.nodes > 0 ? look_say(look, " on %s", look_count(look, (double)here.nodes, "node"))
                       : "",
        isinf(left) ? "" : ", ends in ", isinf(left) ? "" : look_duration(look, fmax(left, 0)));
    if (left < 120)
        look_tell(look, "this job", DOCTOR_WARNING, text,
                  "no trial will start this close to the end: give the job more time");
    else
        look_tell(look, "this job", DOCTOR_GOOD, text, NULL);
}

/* Fills *plan; false if the site file has mistakes, which are reported. */
static bool look_site(struct look *look, struct launch_plan *plan)
{
    static const struct study none = {.name = "doctor"};
    const struct study *study = look->question->study ? look->question->study : &none;
    struct err_list mistakes = {0};
    struct err e = {0};
    bool good = launch_plan(plan, study, &mistakes, &e) == 0;
    if (good && plan->site.name)
        look_tell(look, "site", DOCTOR_GOOD,
                  look_say(look, "%s, %s", plan->site.name, plan->site.path), NULL);
    else if (good)
        look_tell(look, "site", DOCTOR_NONE, "no site file matches this machine", NULL);
    else if (mistakes.count > 0)
        look_tell(look, "site", DOCTOR_BAD,
                  look_say(look, "%s, line %d: %s", mistakes.items[0].file, mistakes.items[0].line,
                           mistakes.items[0].message),
                  "correct the file, or remove it from the folder of sites");
    else
        look_tell_needed(look, "site", look->needs.scheduler,
                         look->needs.scheduler ? DOCTOR_BAD : DOCTOR_WARNING,
                         look_say(look, "%s", e.message), "run `wick check` for the details");
    err_list_free(&mistakes);
    return good;
}

void look_scheduler(struct look *look)
{
    struct launch_plan plan = {0};
    bool planned = look_site(look, &plan);
    const char *name = planned ? plan.scheduler : launch_scheduler_found();
    const struct inquiry *inquiry = inquiry_of(name);
    if (inquiry)
        look_answers(look, inquiry, planned ? plan.job.queue : NULL);
    else
        look_tell_needed(look, "scheduler", look->needs.scheduler, DOCTOR_NONE,
                         "none: no sbatch, qsub, bsub or flux on PATH",
                         look->needs.scheduler
                             ? "submit it from a login node of the cluster, load the scheduler's "
                               "module, or run it here with `wick run`"
                             : NULL);
    if (planned && inquiry && !launch_here().scheduler)
        look->job_gpus = plan.job.gpus_per_node;
    look_job(look);
    launch_plan_free(&plan);
}
