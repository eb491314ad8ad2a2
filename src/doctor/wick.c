/* wick.c - Wick itself: whether its files are installed. And the programs of the study. */
#include "doctor/look.h"

#include <unistd.h>

/* Files under lib/wick, for all languages and MPIs. */
static const char *const files[] = {
    "python/wick.py", "python/wick_host.py", "python/wick_steer.py", "r/wick.R", "r/host.R",
    "r/steer.R",      "wick-r.so",           "c/wick_trial.h",
};

static void look_files(struct look *look)
{
    struct str missing = {0}, sought = {0};
    char path[PATH_MAX];
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        str_clear(&sought);
        if (!installed_find(files[i], path, &sought))
            str_printf(&missing, "%s%s", missing.length ? ", " : "", files[i]);
    }
    if (missing.length > 0)
        look_tell(look, "files", DOCTOR_BAD,
                  look_say(look, "%s: not in %s", missing.text, sought.text),
                  "reinstall Wick completely: `cmake --install build`, or its package");
    else if (installed_find(".", path, NULL))
        look_tell(look, "files", DOCTOR_GOOD,
                  look_say(look, "the libraries for C, Python and R are in %s", path), NULL);
    str_free(&missing);
    str_free(&sought);
}

void look_wick(struct look *look)
{
    char path[PATH_MAX], file[PATH_MAX], first[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", path, sizeof path - 1);
    path[length > 0 ? length : 0] = 0;
    const char *version = look_say(look, "%s, %s", look->question->version, path);
    bool other = command_find("wick", file) && realpath(file, first) && strcmp(first, path) != 0;
    if (other)
        look_tell(look, "version", DOCTOR_WARNING,
                  look_say(look, "%s; `wick` on PATH is a different one, %s", version, first),
                  look_say(look, "put the folder of the one that you want first on PATH: otherwise "
                                 "trials and jobs may call the other one"));
    else
        look_tell(look, "version", DOCTOR_GOOD, version, NULL);
    look_files(look);
}

/* ---- the study's programs ---- */

static bool is_there(const struct study_model *model, const char *program, char path[PATH_MAX])
{
    if (program[0] == '/' || !strchr(program, '/'))
        return command_find(program, path);
    struct str file = {0};
    str_printf(&file, "%s/%s", model->folder, program);
    bool found = command_find(file.text, path);
    str_free(&file);
    return found;
}

static void look_program(struct look *look, const char *subject, const char *program)
{
    const struct study_model *model = &look->question->study->model;
    char path[PATH_MAX];
    if (look->needs.image)
        return; /* it is a program of the image */
    if (is_there(model, program, path))
        look_tell_needed(look, subject, true, DOCTOR_GOOD, look_say(look, "%s", path), NULL);
    else
        look_tell_needed(
            look, subject, true, DOCTOR_BAD,
            look_say(look, "no program %s%s", program, strchr(program, '/') ? "" : " on PATH"),
            "install it, load its module (for jobs: `job: {modules: [...]}`), or "
            "write its full path in the study");
}

static void look_code(struct look *look, const struct study_code *code)
{
    struct str path = {0};
    if (!code->file)
        return;
    str_printf(&path, "%s%s%s", code->file[0] == '/' ? "" : look->question->study->model.folder,
               code->file[0] == '/' ? "" : "/", code->file);
    bool found = access(path.text, R_OK) == 0;
    look_tell_needed(look, "code", true, found ? DOCTOR_GOOD : DOCTOR_BAD,
                     look_say(look, "%s%s", path.text, found ? "" : " cannot be read"),
                     found ? NULL
                           : "correct its name in the study, or set `folder` to where it "
                             "is");
    str_free(&path);
}

/* The reader of the study has already found what is missing, and where it is named. */
static void tell_missing(struct look *look, const struct err_list *missing)
{
    for (size_t i = 0; i < missing->count && i < ERR_LIST_LIMIT; i++) {
        const struct err *e = &missing->items[i];
        look_tell_needed(look, "missing", true, DOCTOR_BAD,
                         look_say(look, "%s, line %d: %s", e->file, e->line, e->message),
                         "install it, load its module (for jobs: `job: {modules: [...]}`), or "
                         "correct the study");
    }
}

void look_study(struct look *look)
{
    const struct study *study = look->question->study;
    if (!study)
        return;
    if (look->question->missing) {
        tell_missing(look, look->question->missing);
        return;
    }
    if (study->model.command && !look->needs.image) /* else it is in the image */
        look_program(look, "program", study->model.command[0]);
    if (study->steer.command)
        look_program(look, "search", study->steer.command[0]);
    look_code(look, &study->model.code);
    look_code(look, &study->steer.code);
}
