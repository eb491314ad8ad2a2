/*
 * script.c - the script of a job: directives from the templates of the table, then lines for bash.
 *
 * Some schedulers look for directives in every line of a script. So any text of the user becomes a
 * single line: values are in $'...', where a newline is \n, and the comments of a prologue are left
 * out.
 */
#include "launch/schedulers.h"

#include <ctype.h>
#include <math.h>
#include <unistd.h>

/* ---- the words of the templates ---- */

enum { VALUES = 32 };

struct values {
    struct {
        const char *word, *text; /* text is NULL: not given */
    } items[VALUES];
    size_t count;
    struct arena arena;
};

static void add_text(struct values *values, const char *word, const char *text)
{
    if (values->count == VALUES)
        BUG("too many words");
    values->items[values->count].word = word;
    values->items[values->count++].text = text;
}

/* Adds a number; 0 means that it is not given. */
static void add_number(struct values *values, const char *word, uint64_t number)
{
    const char *text = NULL;
    if (number > 0)
        text = arena_printf(&values->arena, "%llu", (unsigned long long)number);
    add_text(values, word, text);
}

static void add_time(struct values *values, const char *word, double time)
{
    const char *text = NULL;
    if (time > 0) {
        unsigned long long seconds = (unsigned long long)ceil(time);
        text = arena_printf(&values->arena, "%02llu:%02llu:%02llu", seconds / 3600,
                            seconds / 60 % 60, seconds % 60);
    }
    add_text(values, word, text);
}

static uint64_t quotient(double number, double unit)
{
    return (uint64_t)ceil(number / unit);
}

static void fill_values(struct values *values, const struct launch_plan *plan)
{
    static const double MIB = 1 << 20;
    const struct study_job *job = &plan->job;
    uint64_t node_cores = job->workers_per_node * job->cores;
    double node_memory = (double)job->memory * (double)job->workers_per_node;
    *values = (struct values){0};
    add_text(values, "name", plan->name);
    add_number(values, "nodes", job->nodes);
    add_number(values, "workers", job->workers_per_node);
    add_number(values, "cores", job->cores);
    add_text(values, "whole", plan->whole_nodes ? "" : NULL);
    add_number(values, "node_cores", node_cores);
    add_number(values, "slots", node_cores * job->nodes);
    add_number(values, "node_memory", quotient(node_memory, MIB));
    add_number(values, "core_memory", quotient((double)job->memory / (double)job->cores, MIB));
    /* If the site has its own directive for GPUs, the usual one is left out. */
    add_number(values, "gpus", plan->site.gpus ? 0 : job->gpus_per_node);
    add_time(values, "hms", job->time);
    add_time(values, "soft_hms", job->time > job->notice ? job->time - job->notice : 0);
    add_number(values, "seconds", quotient(job->time, 1));
    add_number(values, "minutes", quotient(job->time, 60));
    add_number(values, "notice", quotient(job->notice, 1));
    add_number(values, "notice_minutes", quotient(job->notice, 60));
    add_text(values, "environment", job->nodes > 1 ? "mpi" : "smp");
    add_text(values, "queue", job->queue);
    add_text(values, "account", job->account);
    add_text(values, "qos", job->qos);
    add_text(values, "constraint", job->constraint);
}

/* ---- templates ---- */

/* Takes the {word} at *at, and moves *at past it; false if there is no known word. */
static bool take_word(const struct values *values, const char **at, const char **text)
{
    size_t length = strcspn(*at + 1, "{}");
    for (size_t i = 0; i < values->count; i++) {
        const char *word = values->items[i].word;
        if (strlen(word) == length && strncmp(*at + 1, word, length) == 0 &&
            (*at)[length + 1] == '}') {
            *text = values->items[i].text;
            *at += length + 2;
            return true;
        }
    }
    return false;
}

/* Appends a template up to `end`; false, and nothing is appended, if a word has no value. */
static bool expand(const struct values *values, const char *at, const char *end, struct str *out)
{
    struct str line = {0};
    bool said = true;
    while (at < end && said) {
        const char *text = NULL, *close = *at == '<' ? strchr(at, '>') : NULL;
        if (close) {
            expand(values, at + 1, close, &line);
            at = close + 1;
        } else if (*at == '{' && take_word(values, &at, &text)) {
            said = text != NULL;
            str_add(&line, said ? text : "");
        } else {
            str_add_char(&line, *at++);
        }
    }
    if (said)
        str_add_bytes(out, str_text(&line), line.length);
    str_free(&line);
    return said;
}

/* ---- directives ---- */

/* The length of what identifies a directive: the part before its value, or its first word. */
static size_t subject_length(const char *directive)
{
    size_t length = strcspn(directive, "=[");
    return directive[length] ? length : strcspn(directive, " ");
}

/* True if the user has a directive on the same subject, which replaces ours. */
static bool is_replaced(const struct study_job *job, const char *directive)
{
    size_t length = subject_length(directive);
    for (size_t i = 0; job->directives && job->directives[i]; i++)
        if (subject_length(job->directives[i]) == length &&
            strncmp(job->directives[i], directive, length) == 0)
            return true;
    return false;
}

static void add_directives(const struct launch_plan *plan, const struct scheduler *row,
                           struct str *script)
{
    struct values values;
    struct str line = {0};
    const struct study_job *job = &plan->job;
    fill_values(&values, plan);
    for (size_t i = 0; row->directives[i]; i++) {
        const char *template = row->directives[i];
        str_clear(&line);
        if (expand(&values, template, template + strlen(template), &line) &&
            !is_replaced(job, line.text))
            str_printf(script, "%s%s\n", row->prefix, line.text);
    }
    if (plan->site.gpus && job->gpus_per_node > 0) {
        values.count = 0;
        add_number(&values, "gpus", job->gpus_per_node);
        str_add(script, row->prefix);
        expand(&values, plan->site.gpus, plan->site.gpus + strlen(plan->site.gpus), script);
        str_add_char(script, '\n');
    }
    for (size_t i = 0; job->directives && job->directives[i]; i++)
        str_printf(script, "%s%s\n", row->prefix, job->directives[i]);
    str_free(&line);
    arena_free(&values.arena);
}

/* ---- lines for bash ---- */

/*
 * Appends a word such that bash reads it unchanged. Bytes beyond ASCII are escaped as well: Flux
 * takes some of these characters for the end of a line.
 */
static void add_quoted(struct str *script, const char *text)
{
    static const char PLAIN[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_./:=@%+,-";
    if (*text && text[strspn(text, PLAIN)] == 0) {
        str_add(script, text);
        return;
    }
    str_add(script, "$'");
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '\\')
            str_printf(script, "\\%c", *c);
        else if (*c >= ' ' && *c <= '~')
            str_add_char(script, *c);
        else
            str_printf(script, "\\%03o", (unsigned char)*c);
    }
    str_add_char(script, '\'');
}

/* A shell that is not a login shell may not have `module` yet. */
static void add_modules(const struct study_job *job, struct str *script)
{
    if (!job->modules || !job->modules[0])
        return;
    str_add(script, "type module >/dev/null 2>&1 || . /etc/profile\n");
    for (size_t i = 0; job->modules[i]; i++) {
        str_add(script, "module load ");
        add_quoted(script, job->modules[i]);
        str_add(script, " || exit 1\n");
    }
}

static void add_environment(const struct study_job *job, struct str *script)
{
    for (size_t i = 0; i < job->environment_count; i++) {
        str_printf(script, "export %s=", job->environment[i].name);
        add_quoted(script, job->environment[i].value);
        str_add_char(script, '\n');
    }
}

static void add_prologue(const char *text, struct str *script)
{
    while (*text) {
        size_t length = strcspn(text, "\r\n");
        if (text[strspn(text, " \t")] != '#' && strspn(text, " \t") < length) {
            str_add_bytes(script, text, length);
            str_add_char(script, '\n');
        }
        text += length;
        text += strspn(text, "\r\n");
    }
}

/* The last line: this program becomes the job. */
static void add_program(const struct launch_plan *plan, struct str *script)
{
    const struct study_job *job = &plan->job;
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    str_add(script, "exec ");
    add_quoted(script, length > 0 ? program : "wick");
    bool counted = job->workers_per_node > 0;
    str_printf(script, " job . --nodes %llu --%s %llu --notice %.0f",
               (unsigned long long)job->nodes, counted ? "workers" : "cores",
               (unsigned long long)(counted ? job->workers_per_node : job->cores),
               ceil(job->notice));
    if (plan->trials > 0)
        str_printf(script, " --trials %llu", (unsigned long long)plan->trials);
    if (plan->time > 0)
        str_printf(script, " --time %.0f", ceil(plan->time));
    if (job->launcher && job->launcher[0])
        str_add(script, " --");
    for (size_t i = 0; job->launcher && job->launcher[i]; i++) {
        str_add_char(script, ' ');
        add_quoted(script, job->launcher[i]);
    }
    str_add_char(script, '\n');
}

void launch_script(const struct launch_plan *plan, struct str *script)
{
    const struct scheduler *row = scheduler_find(plan->scheduler);
    const struct study_job *job = &plan->job;
    str_add(script, "#!/bin/bash\n");
    if (row->prefix)
        add_directives(plan, row, script);
    for (size_t i = 0; row->begin[i]; i++)
        str_printf(script, "%s\n", row->begin[i]);
    str_printf(script, "export WICK_SCHEDULER=%s\n", scheduler_name(row));
    if (job->time > 0)
        str_printf(script, "export WICK_JOB_END=$(($(date +%%s) + %.0f))\n", ceil(job->time));
    if (plan->site.runtime)
        str_printf(script, "export WICK_RUNTIME=%s\n", plan->site.runtime);
    add_modules(job, script);
    add_environment(job, script);
    if (job->prologue && job->prologue[0]) {
        str_add(script, "wick_folder=$PWD\n");
        for (size_t i = 0; job->prologue[i]; i++)
            add_prologue(job->prologue[i], script);
        str_add(script,
                "cd -- \"$wick_folder\" || exit 1\n"); /* the prologue may have changed it */
    }
    add_program(plan, script);
}
