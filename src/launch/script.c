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

enum { VALUES = 40 };

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

/* Changes a text that was added. */
static void set_text(struct values *values, const char *word, const char *text)
{
    for (size_t i = 0; i < values->count; i++)
        if (strcmp(values->items[i].word, word) == 0)
            values->items[i].text = text;
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

/* The events that cause mail: as words, BEGIN,END,FAIL, and as letters, bea. */
static void add_mail(struct values *values, const struct study_job *job)
{
    static const char *const words[] = {"BEGIN", "END", "FAIL"}, letters[] = "bea";
    unsigned on = job->mail ? job->mail_on : 0;
    if (job->mail && on == 0)
        on = MAIL_END | MAIL_FAIL;
    struct str word = {0}, letter = {0};
    for (unsigned i = 0; i < 3; i++) {
        if (!(on & 1U << i))
            continue;
        str_printf(&word, "%s%s", word.length ? "," : "", words[i]);
        str_add_char(&letter, letters[i]);
    }
    add_text(values, "mail", job->mail);
    add_text(values, "mail_words", on ? arena_printf(&values->arena, "%s", word.text) : NULL);
    add_text(values, "mail_letters", on ? arena_printf(&values->arena, "%s", letter.text) : NULL);
    add_text(values, "mail_begin", on & MAIL_BEGIN ? "" : NULL);
    add_text(values, "mail_end", on & (MAIL_END | MAIL_FAIL) ? "" : NULL);
    str_free(&word);
    str_free(&letter);
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
    add_number(values, "gpus", job->gpus_per_node);
    add_text(values, "gpu_type", job->gpu_type);
    add_text(values, "type", job->gpu_type); /* its name in a site file */
    add_text(values, "site_gpus", NULL);
    add_text(values, "exclusive", job->exclusive == EXCLUSIVE_YES ? "" : NULL);
    add_text(values, "reservation", job->reservation);
    add_mail(values, job);
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

/* The directives while they are collected; ours, then the site's, then the study's. */
struct lines {
    const char **all;
    size_t count;
    struct values values;
};

static void add_line(struct lines *lines, const char *template)
{
    struct str line = {0};
    if (expand(&lines->values, template, template + strlen(template), &line))
        lines->all[lines->count++] = arena_copy(&lines->values.arena, line.text, line.length);
    str_free(&line);
}

/*
 * The directive for GPUs that the site has in place of the usual one, or NULL. If one directive
 * describes a whole node, the GPUs of the site become a part of that.
 */
static const char *site_gpus(struct values *values, const struct launch_plan *plan,
                             const struct scheduler *row)
{
    const char *template = plan->site.gpus;
    struct str line = {0};
    if (!template || plan->job.gpus_per_node == 0)
        return NULL;
    expand(values, template, template + strlen(template), &line);
    const char *text = arena_copy(&values->arena, str_text(&line), line.length);
    bool is_part = row->chunk && strncmp(text, "-l ", 3) == 0;
    str_free(&line);
    set_text(values, "gpus", NULL);
    set_text(values, "site_gpus", is_part ? text + 3 : NULL);
    return is_part ? NULL : text;
}

/* A directive of the user, where {nodes} and the like become numbers. */
static void add_users_line(struct lines *lines, const char *directive)
{
    struct str line = {0};
    for (const char *at = directive, *text; *at;) {
        const char *word = at;
        if (*at == '{' && take_word(&lines->values, &at, &text))
            str_add_bytes(&line, text ? text : word, text ? strlen(text) : (size_t)(at - word));
        else
            str_add_char(&line, *at++);
    }
    lines->all[lines->count++] = arena_copy(&lines->values.arena, line.text, line.length);
    str_free(&line);
}

static void add_directives(const struct launch_plan *plan, const struct scheduler *row,
                           struct str *script)
{
    struct lines lines = {0};
    const char *const *users = plan->job.directives;
    size_t count = 1; /* the site's directive for GPUs */
    for (size_t i = 0; row->directives[i].template; i++)
        count++;
    for (size_t i = 0; users && users[i]; i++)
        count++;
    fill_values(&lines.values, plan);
    lines.all = arena_new(&lines.values.arena, count, sizeof *lines.all);
    const char *gpus = site_gpus(&lines.values, plan, row);
    for (size_t i = 0; row->directives[i].template; i++)
        add_line(&lines, row->directives[i].template);
    if (gpus)
        lines.all[lines.count++] = gpus;
    for (size_t i = 0; users && users[i]; i++)
        add_users_line(&lines, users[i]);
    lines.count = directives_last(row, lines.all, lines.count);
    lines.count = directives_join(row, lines.all, lines.count, &lines.values.arena);
    for (size_t i = 0; i < lines.count; i++)
        str_printf(script, "%s%s\n", row->prefix, lines.all[i]);
    arena_free(&lines.values.arena);
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

/*
 * What runs before Wick, so that a failure ends the job and is known to Wick. A trap rather than
 * `set -e`: scripts such as venv/bin/activate and functions such as `module` keep their usual
 * meaning, and only the exit code of the line that calls them counts. A failed line and `exit CODE`
 * lead to wick_failed; its arguments are the exit code, the number of the line and its command.
 */
static const char guard[] =
    "wick_failed() {\n"
    "[ \"$1\" != 0 ] && [[ \" ${FUNCNAME[*]} \" != *' source '* ]] || return 0\n"
    "cd -- \"$wick_folder\"\n"
    "wick_line=$(sed -n \"${2:-0}p\" -- \"${BASH_SOURCE[0]}\" 2>/dev/null)\n"
    "WICK_JOB_FAILED=\"$1 ${wick_line:-${3-}}\" wick_job\n"
    "}\n"
    "wick_folder=$PWD\n"
    "trap 'wick_failed $? $LINENO \"$BASH_COMMAND\"' ERR\n"
    "trap 'wick_failed $?' EXIT\n";

/* A shell that is not a login shell may not have `module` yet. */
static void add_modules(const struct study_job *job, struct str *script)
{
    if (!job->modules || !job->modules[0])
        return;
    str_add(script, "type module >/dev/null 2>&1 || . /etc/profile || true\n");
    for (size_t i = 0; job->modules[i]; i++) {
        str_add(script, "module load ");
        add_quoted(script, job->modules[i]);
        str_add_char(script, '\n');
    }
}

/* A hidden value is taken from the shell, which complains if it is not set. */
static void add_environment(const struct launch_plan *plan, struct str *script)
{
    for (size_t i = 0; i < plan->job.environment_count; i++) {
        const struct study_variable *variable = &plan->job.environment[i];
        str_printf(script, "export %s=", variable->name);
        if (plan->hides_secrets && study_is_secret(variable->value))
            str_printf(script, "\"${%s:?}\"", variable->name);
        else
            add_quoted(script, variable->value);
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

/* This program becomes the job. */
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
    if (plan->retry_failed)
        str_add(script, " --retry-failed");
    if (job->launcher && job->launcher[0])
        str_add(script, " --");
    for (size_t i = 0; job->launcher && job->launcher[i]; i++) {
        str_add_char(script, ' ');
        add_quoted(script, job->launcher[i]);
    }
    str_add_char(script, '\n');
}

/* Modules, variables and the prologue. */
static void add_preparation(const struct launch_plan *plan, struct str *script)
{
    const struct study_job *job = &plan->job;
    str_add(script, "wick_job() {\n");
    add_program(plan, script);
    str_printf(script, "}\n%s", guard);
    str_add(script, "cd -- ");
    add_quoted(script, plan->home);
    str_add_char(script, '\n');
    add_modules(job, script);
    add_environment(plan, script);
    for (size_t i = 0; job->prologue && job->prologue[i]; i++)
        add_prologue(job->prologue[i], script);
    str_add(script, "trap - ERR EXIT\n"
                    "cd -- \"$wick_folder\" || exit 1\n"
                    "wick_job\n");
}

void launch_script(const struct launch_plan *plan, struct str *script)
{
    const struct scheduler *row = scheduler_find(plan->scheduler);
    const struct study_job *job = &plan->job;
    bool prepares = (job->modules && job->modules[0]) || (job->prologue && job->prologue[0]);
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
    if (prepares) {
        add_preparation(plan, script);
    } else {
        add_environment(plan, script);
        add_program(plan, script);
    }
}
