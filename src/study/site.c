/* site.c - a site file: the keys of `job`, as defaults for all studies, and a few more. */
#include "study/read.h"

#include <unistd.h>

enum { SITE_FILE_LIMIT = 1 << 20, SITE_KEYS = 100, HOSTS = 1000, PATTERN_BYTES = 255 };

/* ---- the keys that only a site has ---- */

static void read_description(struct reader *reader, const struct node *value)
{
    read_line(reader, value, &reader->site->description);
}

static bool is_pattern(const char *text)
{
    for (const char *p = text; *p; p++)
        if (*p <= ' ' || *p >= 0x7f || strchr("'\"/", *p))
            return false;
    return strlen(text) <= PATTERN_BYTES;
}

static void read_hosts_of_site(struct reader *reader, const struct node *value)
{
    const char *const *patterns = read_plain_words(reader, value);
    if (!patterns)
        mistake(reader->mistakes, value->place,
                "'hosts' must be names of login nodes, as in hosts: ['login*.example.org']");
    for (size_t i = 0; patterns && patterns[i]; i++)
        if (!is_pattern(patterns[i]))
            mistake(reader->mistakes, value->place,
                    "'%s' cannot be the name of a login node: write it as in hosts: "
                    "['login*.example.org']",
                    shown(patterns[i]).text);
    reader->site->hosts = patterns;
}

static void read_gpus(struct reader *reader, const struct node *value)
{
    const char *line;
    if (!read_line(reader, value, &line))
        return;
    const char *const *lines = read_directives(reader, value);
    if (lines && !strstr(line, "{gpus}"))
        mistake(reader->mistakes, value->place,
                "'gpus' must be the directive that asks for GPUs, with {gpus} for their number, as "
                "in gpus: '--gres=gpu:{gpus}'");
    reader->site->gpus = lines ? lines[0] : NULL;
}

static void read_runtime(struct reader *reader, const struct node *value)
{
    read_runtime_word(reader, value, &reader->site->runtime);
}

static const struct field site_fields[] = {
    {"description", read_description, NULL},
    {"hosts", read_hosts_of_site, NULL},
    {"gpus", read_gpus, NULL},
    {"runtime", read_runtime, NULL},
    {"site", NULL, "a site has the name of its file"},
    {"name", NULL, "a site has the name of its file"},
    {"job", NULL, "in a site file, the keys of 'job' are at the top level"},
    {"container", NULL, "a site file only names the container runtime, as in runtime: apptainer"},
};
enum { SITE_FIELDS = sizeof site_fields / sizeof *site_fields };

static bool is_of_site(const char *key)
{
    for (size_t i = 0; i < SITE_FIELDS; i++)
        if (strcmp(site_fields[i].name, key) == 0)
            return true;
    return false;
}

/* ---- the file ---- */

static void read_site(struct reader *reader, const struct node *root)
{
    struct field fields[SITE_KEYS] = {0};
    size_t count = SITE_FIELDS;
    if (root->kind != NODE_MAP) {
        mistake(reader->mistakes, root->place,
                "a site file must be a mapping with keys such as scheduler, queue and modules, but "
                "this is %s",
                node_kind_name(root));
        return;
    }
    memcpy(fields, site_fields, sizeof site_fields);
    for (const struct field *field = job_fields; field->name && count < SITE_KEYS - 1; field++)
        if (!is_of_site(field->name))
            fields[count++] = *field;
    read_fields(reader, root, fields);
    check_job(reader, root);
}

/* The last part of the path without its ending. */
static const char *site_name(struct arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
    const char *dot = strrchr(base, '.');
    return arena_copy(arena, base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
}

int study_site_load(struct study_site *site, const char *path, struct err_list *mistakes)
{
    struct study study = {0}; /* holds the job while it is read */
    struct reader reader = {.study = &study, .mistakes = mistakes, .site = site};
    size_t before = mistakes->count;
    *site = (struct study_site){0};
    const struct source *source = read_source(&reader, path, SITE_FILE_LIMIT);
    const struct node *root = source ? node_read_yaml(&study.arena, source, mistakes) : NULL;
    if (root)
        read_site(&reader, root);
    mistakes_sort(mistakes);
    site->name = site_name(&study.arena, path);
    site->path = source ? source->file : NULL;
    site->job = study.job;
    site->arena = study.arena;
    return mistakes->count > before ? ERR_USER : 0;
}

void study_site_free(struct study_site *site)
{
    arena_free(&site->arena);
    *site = (struct study_site){0};
}

/* ---- completing a job ---- */

static const char *const *join(struct arena *arena, const char *const *first,
                               const char *const *second)
{
    size_t count = 0;
    for (const char *const *p = first; p && *p; p++)
        count++;
    for (const char *const *p = second; p && *p; p++)
        count++;
    const char **joined = arena_new(arena, count + 1, sizeof *joined);
    count = 0;
    for (const char *const *p = first; p && *p; p++)
        joined[count++] = *p;
    for (const char *const *p = second; p && *p; p++)
        joined[count++] = *p;
    return count > 0 ? joined : NULL;
}

/* The variables of the study come last, so that they override those of the site. */
static void join_environment(struct study_job *job, const struct study_job *site,
                             struct arena *arena)
{
    size_t count = job->environment_count + site->environment_count;
    struct study_variable *joined = arena_new(arena, count, sizeof *joined);
    for (size_t i = 0; i < site->environment_count; i++)
        joined[i] = site->environment[i];
    for (size_t i = 0; i < job->environment_count; i++)
        joined[site->environment_count + i] = job->environment[i];
    job->environment = joined;
    job->environment_count = count;
}

static void fill_text(const char **text, const char *otherwise)
{
    *text = *text ? *text : otherwise;
}

static void fill_count(uint64_t *count, uint64_t otherwise)
{
    *count = *count ? *count : otherwise;
}

void study_job_complete(struct study_job *job, const struct study_site *site, struct arena *arena)
{
    const struct study_job *usual = &site->job;
    fill_text(&job->scheduler, usual->scheduler);
    fill_text(&job->queue, usual->queue);
    fill_text(&job->account, usual->account);
    fill_text(&job->qos, usual->qos);
    fill_text(&job->constraint, usual->constraint);
    fill_text(&job->gpu_type, usual->gpu_type);
    fill_text(&job->reservation, usual->reservation);
    if (!job->mail) {
        job->mail = usual->mail;
        job->mail_on = usual->mail_on;
    }
    if (job->exclusive == EXCLUSIVE_UNSAID)
        job->exclusive = usual->exclusive;
    fill_count(&job->nodes, usual->nodes);
    fill_count(&job->workers_per_node, usual->workers_per_node);
    fill_count(&job->cores, usual->cores);
    fill_count(&job->memory, usual->memory);
    fill_count(&job->gpus_per_node, usual->gpus_per_node);
    fill_count(&job->chain, usual->chain);
    job->time = job->time > 0 ? job->time : usual->time;
    job->notice = job->notice > 0 ? job->notice : usual->notice;
    job->launcher = job->launcher ? job->launcher : usual->launcher;
    job->modules = join(arena, usual->modules, job->modules);
    job->prologue = join(arena, usual->prologue, job->prologue);
    job->directives = join(arena, usual->directives, job->directives);
    join_environment(job, usual, arena);
}
