/* language.c - the command line of a language host: the interpreter, our script, what it is for. */
#include "trial/language.h"

static const struct language {
    const char *script;  /* in lib/wick */
    const char *library; /* in lib/wick, loaded by the script; NULL: none */
} languages[] = {
    [LANGUAGE_PYTHON] = {"python/wick_host.py", NULL},
    [LANGUAGE_R] = {"r/host.R", "wick-r.so"},
};

static void add(struct str *words, unsigned *count, const char *word)
{
    str_add_bytes(words, word, strlen(word) + 1);
    (*count)++;
}

/* The interpreter's options are between it and the script. */
size_t language_script(const struct study_model *model)
{
    size_t index = 0;
    while (model->command[index] && model->command[index] != model->code.file)
        index++;
    return index;
}

bool language_host(const struct study_code *code, const char *const *options, size_t option_count,
                   const char *kind, struct str *words, unsigned *count)
{
    const struct language *language = &languages[code->language];
    char script[PATH_MAX], library[PATH_MAX];
    if (!installed_find(language->script, script, NULL) ||
        (language->library && !installed_find(language->library, library, NULL)))
        return false;
    add(words, count, study_interpreter(code));
    for (size_t i = 0; i < option_count; i++)
        add(words, count, options[i]);
    add(words, count, script);
    if (language->library)
        add(words, count, library);
    add(words, count, kind);
    add(words, count, code->file ? code->file : "-");
    add(words, count, code->function ? code->function : "-");
    add(words, count, code->preload || !code->file ? "list" : "auto");
    for (size_t i = 0; code->preload && code->preload[i]; i++)
        add(words, count, code->preload[i]);
    return true;
}

bool language_model_host(const struct study_model *model, struct str *words, unsigned *count)
{
    const struct study_code *code = &model->code;
    size_t script = model_kind(model)->is_called ? 0 : language_script(model);
    return language_host(code, script > 1 ? model->command + 1 : NULL, script > 1 ? script - 1 : 0,
                         model_kind(model)->is_called ? "call" : "script", words, count);
}
