/* compile.c - the pipeline: from a script's text to the intermediate form. */
#include "swift/check.h"
#include "swift/lower.h"
#include "syntax/syntax.h"

#include <string.h>

/* Everything that a compile makes. */
struct compile {
    struct sources sources;
    struct script script;
    struct checked checked;
    struct arena arena;
};

static void compile_free(struct compile *c)
{
    free(c->script.modules);
    free(c->checked.functions);
    free(c->checked.variables);
    source_free(&c->sources);
    arena_free(&c->arena);
}

static bool has_mistakes(const struct syntax_report *report)
{
    return report->mistakes.count > 0;
}

/* All stages in their order; `code` is NULL if the script is only to be checked. */
static int compile(struct compile *c, const char *name, struct slice text,
                   const struct syntax_options *options, struct code *code,
                   struct syntax_report *report)
{
    int result = module_load(&c->script, &c->sources, name, text, options, &c->arena, report);
    if (result)
        return result;
    check(&c->checked, &c->script, &c->sources, options, &c->arena, report);
    if (has_mistakes(report))
        return ERR_USER;
    usage_check(&c->checked, &c->sources, report);
    if (has_mistakes(report))
        return ERR_USER;
    if (code)
        lower(code, &c->checked, &c->sources);
    return 0;
}

int swift_compile(const char *name, struct slice text, const struct syntax_options *options,
                  struct code *code, struct syntax_report *report)
{
    struct compile c = {0};
    int result = compile(&c, name, text, options, code, report);
    compile_free(&c);
    return result;
}

int swift_check(const char *name, struct slice text, const struct syntax_options *options,
                struct syntax_report *report)
{
    return swift_compile(name, text, options, NULL, report);
}
