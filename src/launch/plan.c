/* plan.c - plans a study's job: what the study says, else the site, else the defaults. */
#include "launch/schedulers.h"

#include <ctype.h>
#include <math.h>

/* ---- defaults ---- */

static uint64_t rounded_up(double number)
{
    return number > 0 && number < 1e15 ? (uint64_t)ceil(number) : 0;
}

/* The number that the study sets, else one worker per share of GPUs; 0: neither is given. */
static uint64_t usual_workers(const struct study *study, const struct study_job *job)
{
    double each = study->model.gpus > 0 ? study->model.gpus : 1;
    if (study->workers > 0)
        return rounded_up((double)study->workers / (double)job->nodes);
    double fit = floor((double)job->gpus_per_node / each);
    return fit >= 1 ? rounded_up(fit) : study->model.gpus > 0 || job->gpus_per_node > 0;
}

/*
 * A node usually has room for more than one worker, but how many is not known here. If whole nodes
 * can be requested, the job itself counts them: asking the scheduler now would take time, and the
 * nodes of a queue may differ.
 */
static void complete(const struct study *study, struct launch_plan *plan,
                     const struct scheduler *row)
{
    static const double NOTICE = 120;
    struct study_job *job = &plan->job;
    if (job->nodes == 0)
        job->nodes = 1;
    if (job->workers_per_node == 0)
        job->workers_per_node = usual_workers(study, job);
    plan->whole_nodes = job->workers_per_node == 0 && row->cores && job->exclusive != EXCLUSIVE_NO;
    if (job->workers_per_node == 0 && !plan->whole_nodes)
        job->workers_per_node = 1;
    if (job->cores == 0)
        job->cores = study->model.cores > 0 ? study->model.cores : 1;
    if (job->memory == 0)
        job->memory = study->model.memory;
    if (job->gpus_per_node == 0)
        job->gpus_per_node = rounded_up((double)job->workers_per_node * study->model.gpus);
    if (job->notice <= 0)
        job->notice = job->time > 0 ? fmin(NOTICE, ceil(job->time / 10)) : NOTICE;
    if (job->chain == 0)
        job->chain = 1;
}

/* ---- checks ---- */

static int choose_scheduler(struct launch_plan *plan, struct err *e)
{
    const char *said = plan->job.scheduler;
    plan->scheduler = said ? said : launch_scheduler_found();
    if (scheduler_find(plan->scheduler))
        return 0;
    const char *nearest = str_nearest(said, study_schedulers());
    if (nearest)
        return err_set(e, ERR_USER, "unknown scheduler '%.100s': did you mean '%s'?", said,
                       nearest);
    struct str names = {0};
    for (size_t i = 0; i < SCHEDULERS; i++)
        str_printf(&names, "%s%s",
                   i == 0               ? ""
                   : i + 1 < SCHEDULERS ? ", "
                                        : " or ",
                   study_schedulers()[i]);
    err_set(e, ERR_USER, "unknown scheduler '%.100s': use %s", said, names.text);
    str_free(&names);
    return ERR_USER;
}

/*
 * The reader of studies checks this as well. It is repeated here because a newline would become a
 * directive of its own.
 */
static int check_text(const char *key, const char *text, const char *wrong, struct err *e)
{
    for (const char *c = text; c && *c; c++)
        if (iscntrl((unsigned char)*c) || strchr(wrong, *c))
            return err_set(e, ERR_USER,
                           "'job.%s' contains a character that is not allowed in a directive", key);
    return 0;
}

static int check_texts(const struct launch_plan *plan, struct err *e)
{
    static const char QUOTES[] = " '\"`\\$";
    const struct study_job *job = &plan->job;
    if (check_text("queue", job->queue, QUOTES, e) ||
        check_text("account", job->account, QUOTES, e) || check_text("qos", job->qos, QUOTES, e) ||
        check_text("constraint", job->constraint, QUOTES, e) ||
        check_text("gpu_type", job->gpu_type, QUOTES, e) ||
        check_text("reservation", job->reservation, QUOTES, e) ||
        check_text("mail", job->mail, QUOTES, e) || check_text("gpus", plan->site.gpus, "", e))
        return e->code;
    for (size_t i = 0; job->directives && job->directives[i]; i++)
        if (check_text("directives", job->directives[i], "", e))
            return e->code;
    return 0;
}

/* Checks the keys that a scheduler may lack. */
static int check_keys(const struct launch_plan *plan, const struct scheduler *row, struct err *e)
{
    const struct study_job *job = &plan->job;
    const struct {
        const char *key;
        bool said;
    } keys[] = {{"queue", job->queue},
                {"account", job->account},
                {"qos", job->qos},
                {"constraint", job->constraint},
                {"gpu_type", job->gpu_type && job->gpus_per_node > 0 && !plan->site.gpus},
                {"reservation", job->reservation},
                {"mail", job->mail},
                {"exclusive", job->exclusive == EXCLUSIVE_YES},
                {"directives", job->directives && job->directives[0]}};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        for (size_t k = 0; keys[i].said && row->lacks[k]; k++)
            if (strcmp(keys[i].key, row->lacks[k]) == 0)
                return err_set(e, ERR_USER, "%s has no equivalent of 'job.%s': leave it out%s",
                               row->title, keys[i].key,
                               row->prefix ? ", or use 'directives' to say what your site expects"
                                           : "");
    if (!row->prefix && job->nodes > 1)
        return err_set(e, ERR_USER,
                       "'job.nodes' is %llu, but there is no scheduler here: a local job runs on "
                       "this machine only",
                       (unsigned long long)job->nodes);
    return 0;
}

/* A site that has its own directive for GPUs must say there where their type goes. */
static int check_gpu_type(const struct launch_plan *plan, struct err *e)
{
    const struct study_job *job = &plan->job;
    const char *gpus = plan->site.gpus, *place = gpus ? strstr(gpus, "{type}") : NULL;
    if (!gpus || job->gpus_per_node == 0)
        return 0;
    if (job->gpu_type && !place)
        return err_set(
            e, ERR_USER,
            "'job.gpu_type' is '%s', but 'gpus' in the site file %s has no {type}, which "
            "says where it goes: leave it out, or add {type} there",
            job->gpu_type, plan->site.path);
    if (!job->gpu_type && place && memchr(gpus, '<', (size_t)(place - gpus)) == NULL)
        return err_set(e, ERR_USER,
                       "the site %s asks for GPUs of a type: set 'gpu_type' in 'job' (or "
                       "--gpu-type)",
                       plan->site.name);
    return 0;
}

/* Refuses resources that the scheduler does not accept next to the directive for nodes. */
static int check_parts(const struct study_job *job, const struct scheduler *row, struct err *e)
{
    struct directive_option options[DIRECTIVE_OPTIONS];
    for (size_t i = 0; row->parts && job->directives && job->directives[i]; i++) {
        size_t count = directive_options(row, job->directives[i], options);
        for (size_t k = 0; k < count; k++) {
            const struct scheduler_part *part = row->parts;
            while (part->option && strcmp(part->option, options[k].text) != 0)
                part++;
            if (!part->option)
                continue;
            struct str key = {0};
            if (part->key)
                str_printf(&key, "use '%s' in 'job', or ", part->key);
            err_set(e, ERR_USER,
                    "%s does not accept '%s' together with '%s', which Wick writes: %sgive a "
                    "complete '%s=...' directive, which replaces Wick's",
                    row->title, part->option, row->chunk, str_text(&key), row->chunk);
            str_free(&key);
            return e->code;
        }
    }
    return 0;
}

/* The directive of the user that sets the time limit, if the scheduler does not tell it to jobs. */
static const char *find_time_directive(const struct study_job *job, const struct scheduler *row)
{
    const char *last = NULL;
    for (size_t i = 0; !row->end && job->directives && job->directives[i]; i++)
        if (directive_is_about(row, job->directives[i], "{hms}") ||
            directive_is_about(row, job->directives[i], "{minutes}") ||
            directive_is_about(row, job->directives[i], "{seconds}"))
            last = job->directives[i];
    return last;
}

/* The reader has checked the study by itself; here the site and the options count as well. */
static int check_gpus(const struct study *study, const struct study_job *job, struct err *e)
{
    double each = study->model.gpus, needed = (double)job->workers_per_node * each;
    if (needed > (double)job->gpus_per_node + 1e-9)
        return err_set(e, ERR_USER,
                       "%llu worker%s with %g GPU%s each need %g GPUs per node, but "
                       "'job.gpus_per_node' is %llu",
                       (unsigned long long)job->workers_per_node,
                       job->workers_per_node == 1 ? "" : "s", each, each == 1 ? "" : "s", needed,
                       (unsigned long long)job->gpus_per_node);
    return 0;
}

/* Each rank of a trial has a worker of its own. */
static int check_ranks(const struct study *study, const struct study_job *job, struct err *e)
{
    unsigned long long most = study_most_ranks(study), workers = job->nodes * job->workers_per_node;
    if (job->workers_per_node == 0 || most <= workers) /* 0: as many as fit */
        return 0;
    return err_set(e, ERR_USER,
                   "a trial of %llu ranks needs %llu workers, but the job has %llu (%llu node%s "
                   "with %llu each): raise 'workers_per_node' or 'nodes' in 'job', or lower "
                   "'ranks'",
                   most, most, workers, (unsigned long long)job->nodes, job->nodes == 1 ? "" : "s",
                   (unsigned long long)job->workers_per_node);
}

/* Keeps letters, digits, - and _ of the study's name. PBS and SGE want a letter first. */
static void name_job(struct launch_plan *plan, const char *name, size_t longest)
{
    size_t length = 0, most = sizeof plan->name - 1;
    if (longest > 0 && longest < most)
        most = longest;
    if (!isalpha((unsigned char)name[0]))
        length = (size_t)snprintf(plan->name, sizeof plan->name, "wick-");
    for (const char *c = name; *c && length < most; c++)
        if (isalnum((unsigned char)*c) || *c == '-' || *c == '_')
            plan->name[length++] = *c;
    plan->name[length] = 0;
}

int launch_plan(struct launch_plan *plan, const struct study *study, struct err_list *mistakes,
                struct err *e)
{
    *plan = (struct launch_plan){.job = study->job, .home = study->home};
    if (site_find(&plan->site, study->job.site, mistakes, e))
        return e->code;
    if (plan->site.name)
        study_job_complete(&plan->job, &plan->site, &plan->arena);
    if (choose_scheduler(plan, e))
        return e->code;
    const struct scheduler *row = scheduler_find(plan->scheduler);
    complete(study, plan, row);
    name_job(plan, study->name, row->longest_name);
    if (check_texts(plan, e) || check_keys(plan, row, e) || check_parts(&plan->job, row, e) ||
        check_gpu_type(plan, e) || check_gpus(study, &plan->job, e))
        return e->code;
    plan->time_directive = find_time_directive(&plan->job, row);
    return check_ranks(study, &plan->job, e);
}

void launch_plan_free(struct launch_plan *plan)
{
    study_site_free(&plan->site);
    arena_free(&plan->arena);
}
