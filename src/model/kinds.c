/* kinds.c - the kinds of model, and what sets them apart. */
#include "model/model.h"

#include <math.h>

/* ---- a built-in function ---- */

static void put_function(const struct study_model *model, struct str *s)
{
    str_add(s, model->function->name);
}

static void put_function_call(const struct study *study, const double *point, struct str *s)
{
    const char *separator = "";
    str_printf(s, "%s(", study->model.function->name);
    for (size_t i = 0; i < study->space.count; i++) {
        if (isnan(point[i]))
            continue;
        str_printf(s, "%s%s=", separator, study->space.parameters[i].name);
        space_put_text(&study->space.parameters[i], point[i], s);
        separator = ", ";
    }
    str_add_char(s, ')');
}

static void put_function_reason(const struct study_model *model, struct str *s)
{
    str_printf(s, "its model is the function '%s'", model->function->name);
}

static const char *no_program(const struct study_model *model)
{
    (void)model;
    return NULL;
}

/* ---- a function in a language host ---- */

static void put_code(const struct study_model *model, struct str *s)
{
    str_printf(s, "%s:%s", model->code.file, model->code.function);
}

static void put_code_call(const struct study *study, const double *point, struct str *s)
{
    put_code(&study->model, s);
    str_add_char(s, ' ');
    space_put_json(&study->space, point, s);
}

static const char *interpreter(const struct study_model *model)
{
    return study_interpreter(&model->code);
}

/* ---- a command ---- */

static void put_words(const struct study_model *model, struct str *s)
{
    for (size_t i = 0; model->command[i]; i++)
        str_printf(s, "%s%s", i ? " " : "", model->command[i]);
}

static const char *first_word(const struct study_model *model)
{
    return model->command[0];
}

/* ---- the caller of wick asktell evaluates the trials, whatever else the model has ---- */

static void put_asktell(const struct study_model *model, struct str *s)
{
    if (model->code.function)
        put_code(model, s);
    else if (model->command)
        put_words(model, s);
}

static void put_asktell_call(const struct study *study, const double *point, struct str *s)
{
    if (study->model.code.function)
        put_code_call(study, point, s);
    else
        space_put_json(&study->space, point, s);
}

static void put_asktell_reason(const struct study_model *model, struct str *s)
{
    (void)model;
    str_add(s, "it was run by wick asktell");
}

enum { FUNCTION, ASKTELL, CALL, WARM, COMMAND };

static const struct model_kind kinds[] = {
    [FUNCTION] = {.put_text = put_function,
                  .put_call = put_function_call,
                  .put_no_command = put_function_reason,
                  .program = no_program},
    [ASKTELL] = {.put_text = put_asktell,
                 .put_call = put_asktell_call,
                 .put_no_command = put_asktell_reason,
                 .program = no_program},
    [CALL] = {.starts_programs = true,
              .in_host = true,
              .is_called = true,
              .put_text = put_code,
              .program = interpreter},
    [WARM] = {.starts_programs = true,
              .in_host = true,
              .put_text = put_words,
              .program = interpreter},
    [COMMAND] = {.starts_programs = true, .put_text = put_words, .program = first_word},
};

const struct model_kind *model_kind(const struct study_model *model)
{
    if (model->function)
        return &kinds[FUNCTION];
    if (model->asktell || (!model->command && !model->code.function))
        return &kinds[ASKTELL];
    if (model->code.function)
        return &kinds[CALL];
    return &kinds[model->code.language ? WARM : COMMAND];
}
