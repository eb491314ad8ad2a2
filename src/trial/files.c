/*
 * files.c - the files of a running trial, in the study's folder: its parameters, its result, the
 * output that it has printed so far.
 */
#include "trial/runner.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

enum { RESULT_LIMIT = 1 << 20 }; /* bytes of a result file */

/* DIR/tmp/ID.NAME. The ranks of a trial share the folder, and only rank 0's files count. */
char *files_path(const struct trial_runner *r, const char *name, struct str *path)
{
    study_trial_path(path, r->dir, STUDY_TMP, r->id);
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

bool files_write(struct trial_runner *r, const char *params, size_t length)
{
    struct str path = {0};
    struct err e = {0};
    int number = 0;
    /* There may be one of an earlier try, or one that another trial put there. */
    unlink(files_path(r, "result.json", &path));
    if (r->study->model.wants_params_file) {
        unlink(files_path(r, "params.json", &path));
        if (str_write_file(path.text, params, length, &e))
            number = errno;
    }
    if (r->study->model.wants_dir && !number) {
        mkdir(study_path(&path, r->dir, STUDY_TRIALS), 0777);
        if (mkdir(study_trial_path(&path, r->dir, STUDY_TRIALS, r->id), 0777) != 0 &&
            errno != EEXIST)
            number = errno;
    }
    if (number)
        verdict_not_started(r, number, "write the files of the trial");
    str_free(&path);
    return number == 0;
}

/* Numbers of the result file are metrics; the one with the score's name is the score. */
static const char *read_metrics(struct trial_runner *r, const struct str *text)
{
    const char *score = study_score_name(&r->study->model);
    bool named = false; /* the score itself was found, not just a key "score" */
    struct json j;
    struct slice key;
    json_open(&j, text->text, text->length);
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        if (json_peek(&j) != JSON_NUMBER) {
            json_skip(&j);
            continue;
        }
        double value = json_number(&j);
        outcome_set_metric(r->outcome.metrics, &r->outcome.metric_count, key.text, key.length,
                           value);
        if (slice_is(key, score) || (slice_is(key, "score") && !named)) {
            named = slice_is(key, score);
            r->outcome.score = value;
            r->output.has_score = true;
        }
    }
    return json_close(&j);
}

const char *files_read_result(struct trial_runner *r)
{
    struct str path = {0}, text = {0};
    struct err e = {0};
    const char *wrong = NULL;
    struct stat info;
    if (lstat(files_path(r, "result.json", &path), &info) == 0) {
        if (!S_ISREG(info.st_mode)) /* a pipe could make us wait forever */
            wrong = "it is not an ordinary file";
        else if (str_read_file(&text, path.text, RESULT_LIMIT, &e))
            wrong = "it cannot be read, or is larger than 1 MiB";
        else
            wrong = read_metrics(r, &text);
    }
    str_free(&path);
    str_free(&text);
    return wrong;
}

void files_remove(struct trial_runner *r)
{
    struct str path = {0};
    unlink(files_path(r, "result.json", &path));
    if (r->study->model.wants_params_file)
        unlink(files_path(r, "params.json", &path));
    str_free(&path);
}

void files_show_output(struct trial_runner *r)
{
    struct str path = {0}, log = {0};
    struct err ignored = {0};
    if (outcome_log_bytes(&r->output.log) == r->shown_bytes)
        return;
    r->shown_bytes = outcome_log_bytes(&r->output.log);
    outcome_log_copy(&r->output.log, &log);
    (void)!str_write_file(files_path(r, "log", &path), str_text(&log), log.length, &ignored);
    str_free(&path);
    str_free(&log);
}

void files_hide_output(struct trial_runner *r)
{
    struct str path = {0};
    if (r->shown_bytes > 0)
        unlink(files_path(r, "log", &path));
    r->shown_bytes = 0;
    str_free(&path);
}
