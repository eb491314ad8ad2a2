/* check_name.c - declaring and finding names, and messages about unknown ones. */
#include "swift/check_private.h"
#include "syntax/syntax.h"

/* ---- declaring ---- */

struct variable *check_add_variable(struct check *c, uint32_t at, struct slice name,
                                    enum variable_kind kind, const struct type *type)
{
    struct checked *checked = c->checked;
    struct variable *variable = arena_new(c->arena, 1, sizeof *variable);
    *variable = (struct variable){.name = name,
                                  .at = at,
                                  .kind = kind,
                                  .type = type,
                                  .function = c->function,
                                  .block = c->block,
                                  .scope = c->scope,
                                  .index = checked->variable_count,
                                  .builtin = c->module && c->module->builtin};
    checked->variables = memory_grow(checked->variables, &checked->variable_capacity,
                                     checked->variable_count + 1, sizeof(struct variable *));
    checked->variables[checked->variable_count++] = variable;
    scope_add(c->scope, name,
              (struct meaning){.kind = MEANING_VARIABLE, .variable = variable, .at = at});
    return variable;
}

/* Reports what is wrong with declaring a name that means something else already. */
static void check_hidden(struct check *c, uint32_t at, const struct meaning *before)
{
    const struct variable *variable = before->variable;
    if (before->kind == MEANING_VARIABLE && variable->at > 0) {
        const char *name = check_text(c, variable->name);
        if (variable->function == c->function)
            check_wrong(c, at, "variable %s has already been declared%s", name,
                        check_place(c, "", variable->at));
        else
            check_warn(c, at, "variable %s hides the one of the top level%s", name,
                       check_place(c, "declared", variable->at));
    } else if (c->scope == c->top && before->kind == MEANING_FUNCTION &&
               !before->function->builtin) {
        check_wrong(c, at, "this name is already that of a function%s: choose another one",
                    check_place(c, "defined", before->at));
    } else if (c->scope == c->top && before->kind == MEANING_TYPE && before->at > 0) {
        check_wrong(c, at, "this name is already that of a type%s: choose another one",
                    check_place(c, "defined", before->at));
    }
}

struct variable *check_declare(struct check *c, uint32_t at, struct slice name,
                               enum variable_kind kind, const struct type *type)
{
    struct meaning before = scope_find(c->scope, name);
    check_hidden(c, at, &before);
    return check_add_variable(c, at, name, kind, type);
}

bool check_taken(struct check *c, uint32_t at, struct slice name)
{
    static const char *const kinds[] = {[MEANING_VARIABLE] = "a global constant",
                                        [MEANING_FUNCTION] = "a function",
                                        [MEANING_TYPE] = "a type"};
    struct meaning before = scope_find_here(c->outermost, name);
    if (before.kind == MEANING_NONE)
        return false;
    if (before.kind == MEANING_FUNCTION && before.function->builtin)
        check_wrong(c, at, "%s is already a function of the library: choose another name",
                    check_text(c, name));
    else
        check_wrong(c, at, "%s is already %s%s: choose another name", check_text(c, name),
                    kinds[before.kind], check_place(c, "defined", before.at));
    return true;
}

struct variable *check_variable(const struct check *c, struct slice name)
{
    struct meaning meaning = scope_find(c->scope, name);
    return meaning.kind == MEANING_VARIABLE ? meaning.variable : NULL;
}

/* ---- the library's modules ---- */

static const char *const modules[] = {
    "assert", "blob", "files",  "io", "json",   "julia", "jvm",    "launch", "location",   "math",
    "matrix", "mpe",  "python", "R",  "random", "stats", "string", "sys",    "reductions", "unix"};
enum { MODULES = sizeof modules / sizeof *modules };

/* True if the token at `i`, outside of all brackets, is the name in a definition. */
static bool is_definition(const struct tokens *tokens, size_t i)
{
    enum token_kind before = i > 0 ? tokens->items[i - 1].kind : TOKEN_SEMICOLON,
                    after = tokens->items[i + 1].kind;
    if (after == TOKEN_OPEN)
        return before != TOKEN_AT && before != TOKEN_ASSIGN;
    return before == TOKEN_NAME || before == TOKEN_TYPE || before == TOKEN_TYPEDEF;
}

static void add_module(struct check *c, uint32_t number, const char *text)
{
    struct tokens tokens = {0};
    struct err_list mistakes = {0};
    int depth = 0;
    size_t index = source_add_plain(c->library, modules[number], slice_of(text));
    lex(c->library, index, false, &tokens, &mistakes);
    for (size_t i = 0; i + 1 < tokens.count; i++) {
        const struct token *token = &tokens.items[i];
        depth += token->kind == TOKEN_OPEN || token->kind == TOKEN_OPEN_BRACE ||
                 token->kind == TOKEN_OPEN_BRACKET;
        depth -= token->kind == TOKEN_CLOSE || token->kind == TOKEN_CLOSE_BRACE ||
                 token->kind == TOKEN_CLOSE_BRACKET;
        if (depth == 0 && token->kind == TOKEN_NAME && is_definition(&tokens, i) &&
            map_find(&c->module_of, token->text) == MAP_NONE)
            map_add(&c->module_of, token->text, number);
    }
    free(tokens.items);
    err_list_free(&mistakes);
}

/* The module of the library that defines a name; NULL: none. */
static const char *module_with(struct check *c, struct slice name)
{
    if (!c->library) {
        c->library = arena_new(c->arena, 1, sizeof *c->library);
        for (uint32_t i = 0; i < MODULES; i++) {
            const char *text = module_library(slice_of(modules[i]));
            if (text)
                add_module(c, i, text);
        }
    }
    int64_t found = map_find(&c->module_of, name);
    return found == MAP_NONE ? NULL : modules[found];
}

void check_names_free(struct check *c)
{
    if (c->library)
        source_free(c->library);
    map_free(&c->module_of);
}

/* ---- unknown names ---- */

/* ": did you mean 'x'?" and the like, or "". */
static const char *hint(struct check *c, struct slice name, enum meaning_kind kind)
{
    if (c->report->mistakes.count > ERR_LIST_LIMIT)
        return ""; /* nobody will see it */
    const char *module = module_with(c, name);
    if (module)
        return arena_printf(c->arena, ": write `import %s;` to use it", module);
    const char *nearest = scope_nearest(c->scope, name, kind);
    return nearest ? arena_printf(c->arena, ": did you mean '%s'?", nearest) : "";
}

void check_unknown_variable(struct check *c, uint32_t at, struct slice name)
{
    struct meaning meaning = scope_find(c->scope, name);
    const char *text = check_text(c, name);
    if (meaning.kind == MEANING_FUNCTION)
        check_wrong(c, at, "%s is a function, not a variable: call it, as in %s()", text, text);
    else if (meaning.kind == MEANING_TYPE)
        check_wrong(c, at, "%s is a type, not a variable", text);
    else
        check_wrong(c, at, "variable %s is not declared%s", text, hint(c, name, MEANING_VARIABLE));
    struct variable *variable = arena_new(c->arena, 1, sizeof *variable);
    *variable = (struct variable){
        .name = name, .type = check_simple(c, TYPE_WRONG), .function = c->function};
    scope_add(c->base, name, (struct meaning){.kind = MEANING_VARIABLE, .variable = variable});
}

/* From now on the name counts as a type that fits everything, so it is reported once. */
static void forgive(struct check *c, struct slice name)
{
    const struct type *wrong = check_simple(c, TYPE_WRONG);
    if (scope_find_here(c->outermost, name).kind == MEANING_NONE)
        scope_add(c->outermost, name, (struct meaning){.kind = MEANING_TYPE, .type = wrong});
}

void check_unknown_function(struct check *c, uint32_t at, struct slice name)
{
    const struct variable *variable = check_variable(c, name);
    if (variable)
        check_wrong(c, at, "%s is a variable, not a function%s", check_text(c, name),
                    check_place(c, "declared", variable->at));
    else
        check_wrong(c, at, "function %s is not defined%s", check_text(c, name),
                    hint(c, name, MEANING_FUNCTION));
    forgive(c, name);
}

/* What other languages call a type. */
static const char *translated(struct slice name)
{
    static const char *const words[][2] = {
        {"double", "float"}, {"bool", "boolean"}, {"long", "int"}, {"str", "string"}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (slice_is(name, words[i][0]))
            return words[i][1];
    return NULL;
}

void check_unknown_type(struct check *c, uint32_t at, struct slice name)
{
    const char *text = check_text(c, name), *other = translated(name);
    enum meaning_kind kind = scope_find_here(c->outermost, name).kind;
    if (kind == MEANING_FUNCTION)
        check_wrong(c, at, "%s is a function, not a type", text);
    else if (kind == MEANING_VARIABLE)
        check_wrong(c, at, "%s is a global constant, not a type", text);
    else if (other)
        check_wrong(c, at, "type %s is not defined: did you mean '%s'?", text, other);
    else
        check_wrong(c, at, "type %s is not defined%s", text, hint(c, name, MEANING_TYPE));
    forgive(c, name);
}
