/* describe_job.h - what the sections `job` and `container` of a study mean, as text. */
#ifndef TESTS_STUDY_DESCRIBE_JOB_H
#define TESTS_STUDY_DESCRIBE_JOB_H

#include "study/study.h"

static void describe_words(const char *name, const char *const *words, struct str *s)
{
    for (size_t i = 0; words && words[i]; i++)
        str_printf(s, "%s<%s>%s", i ? "" : name, words[i], words[i + 1] ? "" : "\n");
}

static void describe_text(const char *name, const char *text, struct str *s)
{
    if (text)
        str_printf(s, " %s=%s", name, text);
}

static void describe_count(const char *name, double count, struct str *s)
{
    if (count > 0)
        str_printf(s, " %s=%.17g", name, count);
}

static void describe_variables(const struct study_variable *variables, size_t count, struct str *s)
{
    for (size_t i = 0; i < count; i++)
        str_printf(s, "variable %s=<%s>\n", variables[i].name, variables[i].value);
}

/* "job site=theta nodes=4" and its lists, a line each. */
static void describe_job(const struct study_job *job, struct str *s)
{
    str_add(s, "job");
    describe_text("site", job->site, s);
    describe_text("scheduler", job->scheduler, s);
    describe_count("nodes", (double)job->nodes, s);
    describe_count("workers_per_node", (double)job->workers_per_node, s);
    describe_count("cores", (double)job->cores, s);
    describe_count("memory", (double)job->memory, s);
    describe_count("gpus_per_node", (double)job->gpus_per_node, s);
    describe_count("time", job->time, s);
    describe_count("notice", job->notice, s);
    describe_text("queue", job->queue, s);
    describe_text("account", job->account, s);
    describe_text("qos", job->qos, s);
    describe_text("constraint", job->constraint, s);
    describe_text("gpu_type", job->gpu_type, s);
    describe_text("reservation", job->reservation, s);
    describe_text("mail", job->mail, s);
    describe_count("mail_on", job->mail_on, s);
    describe_count("exclusive", job->exclusive, s);
    describe_count("chain", (double)job->chain, s);
    str_add_char(s, '\n');
    describe_words("modules ", job->modules, s);
    describe_words("prologue ", job->prologue, s);
    describe_words("directives ", job->directives, s);
    describe_words("launcher ", job->launcher, s);
    describe_variables(job->environment, job->environment_count, s);
}

/* "container /a.sif runtime=auto gpu", its binds as source>target, and its lists. */
static void describe_container(const struct study_container *container, struct str *s)
{
    str_add(s, "container");
    describe_text("image", container->image, s);
    describe_text("runtime", container->runtime, s);
    describe_text("workdir", container->workdir, s);
    str_printf(s, "%s%s%s\n", container->clean ? " clean" : "", container->gpu ? " gpu" : "",
               container->offline ? " offline" : "");
    for (size_t i = 0; i < container->bind_count; i++)
        str_printf(s, "bind %s>%s%s\n", container->binds[i].source, container->binds[i].target,
                   container->binds[i].read_only ? " ro" : "");
    describe_words("options ", container->options, s);
    describe_variables(container->environment, container->environment_count, s);
}

/* Nothing where a study has neither. */
static void describe_jobs(const struct study *study, struct str *s)
{
    struct str job = {0}, container = {0};
    describe_job(&study->job, &job);
    describe_container(&study->container, &container);
    str_add(s, strcmp(job.text, "job\n") == 0 ? "" : job.text);
    str_add(s, strcmp(container.text, "container\n") == 0 ? "" : container.text);
    str_free(&job);
    str_free(&container);
}

#endif
