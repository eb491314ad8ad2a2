/*
 * files.c - the files of a running trial: its parameters, its result, the output that it has
 * printed so far.
 *
 * The study's folder is often on a file system that all nodes share, where every file that is made,
 * renamed or removed, and even the search for one that does not exist, is a request to one server.
 * So there are no more of these per trial than needed: a trial that uses no file costs one look for
 * its result, and its output is copied only when somebody asks for it.
 */
#include "trial/runner.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RESULT_LIMIT = 1 << 20 }; /* bytes of a result file */

/* The ranks of a trial may share the folder, and only rank 0's files count. */
char *files_path(const struct trial_runner *r, const char *name, struct str *path)
{
    study_trial_path(path, r->dir, STUDY_TMP, r->id);
    if (r->model->in_host) {
        str_clear(path);
        str_printf(path, "%s.%llu.", r->address.text, (unsigned long long)r->id);
    }
    if (r->team.rank > 0)
        str_printf(path, "%u.", r->team.rank);
    str_add(path, name);
    return path->text;
}

static const char *copy_path(const struct str *path, struct arena *arena)
{
    return arena_copy(arena, path->text, path->length);
}

struct model_paths files_paths(const struct trial_runner *r, struct arena *arena)
{
    struct str path = {0};
    struct model_paths paths;
    files_path(r, "params.json", &path);
    paths.params = copy_path(&path, arena);
    files_path(r, "result.json", &path);
    paths.result = copy_path(&path, arena);
    study_trial_path(&path, r->dir, STUDY_TRIALS, r->id);
    paths.dir = copy_path(&path, arena);
    study_trial_path(&path, r->dir, STUDY_CHECKPOINTS, r->id);
    paths.checkpoint = copy_path(&path, arena);
    str_free(&path);
    return paths;
}

/* DIR/trials/ID; returns 0 or an errno. */
static int make_folder(const struct trial_runner *r)
{
    struct str path = {0}, parent = {0};
    study_trial_path(&path, r->dir, STUDY_TRIALS, r->id);
    bool made = str_make_inside(path.text) == 0 || errno == EEXIST;
    if (!made && errno == ENOENT) {
        mkdir(study_path(&parent, r->dir, STUDY_TRIALS), 0777);
        made = str_make_inside(path.text) == 0 || errno == EEXIST;
    }
    int number = made ? 0 : errno;
    str_free(&path);
    str_free(&parent);
    return number;
}

bool files_write(struct trial_runner *r, const char *params, size_t length)
{
    struct str path = {0};
    struct err e = {0};
    int number = 0;
    r->may_have_result = true;
    if (r->try > 1) /* its worker may have died before it could remove it */
        str_remove_inside(files_path(r, "result.json", &path));
    if (r->study->model.wants_params_file &&
        str_write_inside(files_path(r, "params.json", &path), params, length, &e))
        number = errno;
    if (r->study->model.wants_dir && !number)
        number = make_folder(r);
    if (number)
        verdict_cannot(r, number, "write the files of the trial");
    str_free(&path);
    return number == 0;
}

/* Numbers of the result file are metrics; the one with the score's name is the score. */
static const char *read_metrics(struct trial_runner *r, const struct str *text)
{
    const char *score = study_score_name(&r->study->model);
    bool named = false; /* the score itself was found, not just a key "score" */
    struct str name = {0};
    struct json j;
    struct slice key;
    json_open(&j, text->text, text->length);
    json_enter(&j, '{');
    bool is_text = false; /* the score is there, but not as a number */
    while (json_key(&j, &key)) {
        json_unescape(key, &name);
        bool is_score = strcmp(name.text, score) == 0;
        if (json_peek(&j) != JSON_NUMBER) {
            is_text |= is_score;
            json_skip(&j);
            continue;
        }
        double value = json_number(&j);
        reported_set(r, r->outcome.metrics, &r->outcome.metric_count, slice_of(name.text), value);
        if (is_score || (strcmp(name.text, "score") == 0 && !named)) {
            named = is_score;
            r->outcome.score = value;
            r->output.has_score = true;
        }
    }
    str_free(&name);
    const char *wrong = json_close(&j);
    return wrong ? wrong : is_text ? "the score in it is not a number" : NULL;
}

const char *files_read_result(struct trial_runner *r, int *number)
{
    struct str path = {0}, text = {0};
    struct err e = {0};
    const char *wrong = NULL;
    struct stat info;
    bool found = lstat(files_path(r, "result.json", &path), &info) == 0;
    *number = !found && err_is_outage(errno) ? errno : 0;
    r->may_have_result = found || *number != 0;
    if (found) {
        if (!S_ISREG(info.st_mode)) /* a pipe could make us wait forever */
            wrong = "it is not an ordinary file";
        else if (str_read_file(&text, path.text, RESULT_LIMIT, &e) == ERR_SYSTEM)
            *number = errno;
        else if (e.code)
            wrong = "it is larger than 1 MiB";
        else
            wrong = read_metrics(r, &text);
    }
    str_free(&path);
    str_free(&text);
    return wrong;
}

static const char *copy_of_output(const struct trial_runner *r, struct str *path)
{
    study_trial_path(path, r->dir, STUDY_TMP, r->id);
    str_add(path, "log");
    return path->text;
}

void files_remove(struct trial_runner *r)
{
    struct str path = {0};
    if (r->may_have_result)
        str_remove_inside(files_path(r, "result.json", &path));
    if (r->study->model.wants_params_file)
        str_remove_inside(files_path(r, "params.json", &path));
    if (r->shown)
        str_remove_inside(copy_of_output(r, &path));
    r->may_have_result = r->shown = false;
    str_free(&path);
}

void files_show_output(struct trial_runner *r)
{
    struct str path = {0}, log = {0};
    struct err ignored = {0};
    outcome_log_copy(&r->output.log, &log);
    (void)!str_write_inside(copy_of_output(r, &path), str_text(&log), log.length, &ignored);
    r->shown = true;
    str_free(&path);
    str_free(&log);
}
