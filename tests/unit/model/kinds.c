/* kinds.c - each kind of model: what it starts, and how a user sees it. */
#include "model/model.h"
#include "tap.h"

static void check(const char *what, const struct study_model *model, const char *text,
                  const char *program, bool starts_programs, bool in_host, bool is_called)
{
    const struct model_kind *kind = model_kind(model);
    struct str s = {0};
    kind->put_text(model, &s);
    is_text(str_text(&s), text, what);
    const char *started = kind->program(model);
    ok((!started && !program) || (started && program && strcmp(started, program) == 0),
       "%s: its program", what);
    ok(kind->starts_programs == starts_programs && kind->in_host == in_host &&
           kind->is_called == is_called,
       "%s: how it is run", what);
    ok(kind->starts_programs == !kind->put_call && kind->starts_programs == !kind->put_no_command,
       "%s: what is called, where there is no command", what);
    str_free(&s);
}

int main(void)
{
    static const char *const words[] = {"Rscript", "fit.R", "--lr", "{lr}", NULL};
    struct study_model command = {.command = words};
    struct study_model warm = {
        .command = words,
        .code = {.language = LANGUAGE_R, .interpreter = "/opt/Rscript", .file = words[1]}};
    struct study_model call = {
        .code = {.language = LANGUAGE_PYTHON, .file = "train.py", .function = "train"}};
    struct study_model function = {.function = function_find(function_names()[0])};
    struct study_model asktell = {.asktell = true};
    struct str reason = {0};
    check("a command", &command, "Rscript fit.R --lr {lr}", "Rscript", true, false, false);
    check("a warm command", &warm, "Rscript fit.R --lr {lr}", "/opt/Rscript", true, true, false);
    check("a Python function", &call, "train.py:train", "python3", true, true, true);
    check("a built-in function", &function, function_names()[0], NULL, false, false, false);
    check("asktell", &asktell, "", NULL, false, false, false);
    model_kind(&asktell)->put_no_command(&asktell, &reason);
    is_text(reason.text, "it was run by wick asktell", "why it has no command");
    str_free(&reason);
    return tap_end();
}
