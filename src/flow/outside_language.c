/*
 * outside_language.c - Python and R, in evaluating processes.
 *
 * Such a process is a language host (docs/language-hosts.md) that runs code and answers with the
 * text of an expression. For Python this expression is a call of languages/python/wick_flow.py,
 * which gets the user's code and expression as string literals; R runs the user's code itself, and
 * the expression checks that the user's has a string. Either way the answer is a text whose first
 * character says what the rest is:
 *
 *   V  the value
 *   E  an exception: its class and text, a zero byte, the traceback
 *   F  why there is no value
 *
 * python() has a process of its own, which never runs code but forks for each call: so a call has a
 * fresh state without waiting for an interpreter to start.
 */
#include "flow/outside_parts.h"

#include <errno.h>
#include <unistd.h>

/* How each language is evaluated. */
static const struct language {
    const char *call; /* the name of the function in the user's program */
    enum study_language code;
    const char *function; /* of wick_flow.py; NULL: it is R */
    const char
        *files[3]; /* in lib/wick, for its host: a script, and its argument; NULL at the end */
} languages[] = {
    [OUTSIDE_PYTHON] = {"python()", LANGUAGE_PYTHON, "fresh", {"python/wick_host.py"}},
    [OUTSIDE_PYTHON_PERSIST] = {"python_persist()",
                                LANGUAGE_PYTHON,
                                "persistent",
                                {"python/wick_host.py"}},
    [OUTSIDE_R] = {"R()", LANGUAGE_R, NULL, {"r/host.R", "wick-r.so"}},
};

static const char *const python_preload[] = {"wick_flow", NULL};

/* ---- questions ---- */

/* A literal that Python and R read alike. */
static void add_literal(struct str *text, const char *string)
{
    str_add_char(text, '"');
    for (const char *at = string; *at; at++) {
        if (*at == '\n')
            str_add(text, "\\n");
        else if (*at == '\r')
            str_add(text, "\\r");
        else if (*at == '"' || *at == '\\')
            str_add_bytes(text, (char[]){'\\', *at}, 2);
        else
            str_add_char(text, *at);
    }
    str_add_char(text, '"');
}

static void add_python(struct str *text, const char *function, const char *code,
                       const char *expression)
{
    str_printf(text, "__import__('wick_flow').%s(", function);
    add_literal(text, code);
    str_add_char(text, ',');
    add_literal(text, expression);
    str_add_char(text, ')');
}

static void add_r(struct str *text, const char *expression)
{
    str_add(text, "(function(value)\n"
                  "    if (!is.character(value) || length(value) != 1 || is.na(value))\n"
                  "        paste0('Fexpression did not return a string! it is of type ',\n"
                  "               class(value)[1], ' and length ', length(value),\n"
                  "               ' (convert it, as in toString(x))')\n");
    str_printf(text,
               "    else if (nchar(value, 'bytes') >= %d)\n"
               "        'Fthe string is longer than %d MiB: write it to a file'\n"
               "    else paste0('V', value)\n"
               ")(eval(parse(text = ",
               EVALUATOR_LIMIT, EVALUATOR_LIMIT >> 20);
    add_literal(text, expression);
    str_add(text, ", keep.source = FALSE), globalenv()))");
}

void outside_language_prepare(struct outside *o, const char *code, const char *expression)
{
    const struct language *language = &languages[o->language];
    if (!expression[strspn(expression, " \t\r\n")])
        expression = "\"\"";
    if (language->function) {
        add_python(&o->expression, language->function, code, expression);
    } else {
        str_add(&o->code, code);
        add_r(&o->expression, expression);
    }
}

/* ---- answers ---- */

static void finish(struct outside *o, enum outside_state state, struct slice text,
                   struct slice traceback)
{
    outside_finish(o, &(struct outside_end){.state = state, .text = text, .traceback = traceback});
}

static void fail(struct outside *o, const char *format, ...) ERR_FORMAT(2, 3);

static void fail(struct outside *o, const char *format, ...)
{
    struct str text = {0};
    va_list arguments;
    str_printf(&text, "%s: ", languages[o->language].call);
    va_start(arguments, format);
    str_vprintf(&text, format, arguments);
    va_end(arguments);
    finish(o, OUTSIDE_FAILED, (struct slice){text.text, text.length}, (struct slice){0});
    str_free(&text);
}

static void raised(struct outside *o, struct slice text)
{
    const char *zero = memchr(text.text, 0, text.length);
    struct slice traceback = {0};
    if (zero) {
        traceback = (struct slice){zero + 1, (size_t)(text.text + text.length - zero - 1)};
        text.length = (size_t)(zero - text.text);
    }
    finish(o, OUTSIDE_EXCEPTION, text, traceback);
}

/* The host itself reports an error: R code has failed, or the helper could not start the host. */
static void take_error(struct outside *o, struct slice text)
{
    enum outside_language language = o->language;
    bool not_started = text.length > 7 && memcmp(text.text, "cannot ", 7) == 0;
    if (not_started)
        outside_language_stop(o, language);
    if (not_started || languages[language].function)
        fail(o, "%s", text.text);
    else
        raised(o, text);
}

/* The answer to the question of this job; a zero byte follows it. */
static void take_answer(struct outside *o, enum evaluator_state state, struct slice text)
{
    char kind = text.length > 0 ? text.text[0] : 0;
    struct slice rest = {text.text + 1, text.length - 1};
    outside_pipe_drain(&o->hosts[o->language].printed);
    if (state == EVALUATOR_LOST)
        fail(o, "%s", text.text);
    else if (state == EVALUATOR_ERROR)
        take_error(o, text);
    else if (kind == 'V')
        finish(o, OUTSIDE_GOOD, rest, (struct slice){0});
    else if (kind == 'E')
        raised(o, rest);
    else
        fail(o, "%s", kind == 'F' ? rest.text : "its host gave no answer");
}

static void evaluated(void *self, enum evaluator_state state, const char *text, size_t length)
{
    struct str copy = {0}; /* with a zero byte at its end */
    str_add_bytes(&copy, text, length);
    take_answer(self, state, (struct slice){copy.text, length});
    str_free(&copy);
}

/* ---- evaluation ---- */

/* The command of a host, as trial/language.c builds it for the evaluator; NULL at its end. */
static const char *const *host_words(const struct outside_host *host,
                                     const struct language *language, struct arena *arena)
{
    static const char *const others[] = {"evaluate", "-", "-", "list"};
    const char **words = arena_new(arena, 16, sizeof *words);
    char path[PATH_MAX];
    size_t count = 0;
    words[count++] = study_interpreter(&host->code);
    for (size_t i = 0; language->files[i]; i++)
        if (installed_find(language->files[i], path, NULL))
            words[count++] = arena_copy(arena, path, strlen(path));
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        words[count++] = others[i];
    for (size_t i = 0; host->code.preload && host->code.preload[i]; i++)
        words[count++] = host->code.preload[i];
    return words;
}

/* Makes everything ready for the process of a host; false when the job has failed. */
static bool prepare_host(struct outside *o)
{
    const struct language *language = &languages[o->language];
    struct outside_host *host = &o->hosts[o->language];
    bool is_r = language->code == LANGUAGE_R;
    char path[PATH_MAX];
    for (size_t i = 0; language->files[i]; i++)
        if (!installed_find(language->files[i], path, NULL)) {
            fail(o, "%s is not installed with Wick", language->files[i]);
            return false;
        }
    host->code = (struct study_code){.language = language->code,
                                     .interpreter = is_r ? o->settings.r : o->settings.python,
                                     .preload = is_r ? NULL : python_preload};
    str_clear(&host->printed.text);
    host->print = outside_pipe_open(&host->printed);
    if (host->print < 0)
        fail(o, "cannot make a pipe: %s", strerror(errno));
    return host->print >= 0;
}

static void evaluate_directly(struct outside *o)
{
    struct str answer = {0};
    struct arena arena = {0};
    const struct outside_host *host = &o->hosts[o->language];
    const char *const *words = host->pid ? NULL : host_words(host, &languages[o->language], &arena);
    enum evaluator_state state = outside_direct_evaluate(o, words, &answer);
    arena_free(&arena);
    take_answer(o, state, (struct slice){str_text(&answer), answer.length});
    str_free(&answer);
}

/* The job may end, and all be freed, before evaluator_evaluate() returns. */
static void evaluate_in_events(struct outside *o)
{
    struct outside_host *host = &o->hosts[o->language];
    const struct evaluator_handler handler = {o, evaluated};
    struct str code = o->code, expression = o->expression;
    o->code = o->expression = (struct str){0};
    if (!host->evaluator)
        host->evaluator =
            evaluator_open(o->comm, o->helper, o->slot, &host->code, ".", host->print, &handler);
    evaluator_evaluate(host->evaluator, str_text(&code), str_text(&expression));
    str_free(&code);
    str_free(&expression);
}

void outside_language_begin(void *outside)
{
    struct outside *o = outside;
    size_t length = o->code.length + o->expression.length;
    o->timer = 0;
    if (length > EVALUATOR_LIMIT)
        fail(o,
             "the code and the expression have %zu bytes, and at most %d MiB are possible: "
             "read large data from a file",
             length, EVALUATOR_LIMIT >> 20);
    else if (o->hosts[o->language].print < 0 && !prepare_host(o))
        return;
    else if (o->is_direct)
        evaluate_directly(o);
    else
        evaluate_in_events(o);
}

void outside_language_stop(struct outside *o, enum outside_language language)
{
    struct outside_host *host = &o->hosts[language];
    if (host->evaluator)
        evaluator_close(host->evaluator);
    host->evaluator = NULL;
    outside_direct_end(host);
    outside_pipe_close(&host->printed);
    if (host->print >= 0)
        close(host->print);
    host->print = -1;
}

void outside_language_free(struct outside *o)
{
    for (unsigned i = 0; i < OUTSIDE_LANGUAGES; i++) {
        outside_language_stop(o, (enum outside_language)i);
        str_free(&o->hosts[i].printed.text);
    }
    str_free(&o->code);
    str_free(&o->expression);
}
