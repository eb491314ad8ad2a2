/*
 * macro.c - macros: their definitions, and what they expand to.
 *
 * Expansion follows the C standard: arguments are expanded by themselves, except next to # and ##,
 * and put into the body; then # and ## are applied; then the result is read again together with the
 * text after the macro.
 */
#include "syntax/preprocess_private.h"

enum { PARAMETERS_LIMIT = 127, DEPTH_LIMIT = 200, NO_PARAMETER = 128 };

/* ---- definitions ---- */

struct macro *macro_find(const struct preprocessor *p, struct slice name)
{
    int64_t at = map_find(&p->names, name);
    return at == MAP_NONE ? NULL : p->macros[at];
}

/* Sets what a name means; NULL: nothing. */
static void set_macro(struct preprocessor *p, struct slice name, struct macro *macro)
{
    int64_t at = map_find(&p->names, name);
    if (at != MAP_NONE) {
        p->macros[at] = macro;
        return;
    }
    p->macros = memory_grow(p->macros, &p->macro_capacity, p->macro_count + 1, sizeof *p->macros);
    p->macros[p->macro_count] = macro;
    map_add(&p->names, name, (uint32_t)p->macro_count++);
}

static struct macro *new_macro(struct preprocessor *p, enum macro_kind kind, struct slice name)
{
    struct macro *macro = arena_new(&p->arena, 1, sizeof *macro);
    *macro = (struct macro){.kind = kind, .name = name};
    return macro;
}

void macro_define_builtins(struct preprocessor *p)
{
    static const struct {
        const char *name;
        enum macro_kind kind;
    } builtins[] = {
        {"__FILE__", MACRO_FILE}, {"__LINE__", MACRO_LINE}, {"__COUNTER__", MACRO_COUNTER}};
    for (size_t i = 0; i < sizeof builtins / sizeof *builtins; i++) {
        struct slice name = slice_of(builtins[i].name);
        set_macro(p, name, new_macro(p, builtins[i].kind, name));
    }
}

static bool is_builtin(const struct macro *macro)
{
    return macro && macro->kind != MACRO_OBJECT && macro->kind != MACRO_FUNCTION;
}

/* Checks that a name can be defined or undefined; false after a mistake. */
static bool check_name(struct preprocessor *p, const struct piece *name)
{
    const char *at = piece_place(name);
    int length = name->text.length < 40 ? (int)name->text.length : 40;
    if (name->kind == PIECE_END)
        preprocess_mistake(p, at, "the name of the macro is missing");
    else if (name->kind != PIECE_NAME)
        preprocess_mistake(p, at,
                           "'%.*s' is not a valid macro name: names start with a letter or _",
                           length, name->text.text);
    else if (slice_is(name->text, "defined") || slice_is(name->text, "__VA_ARGS__") ||
             is_builtin(macro_find(p, name->text)))
        preprocess_mistake(p, at, "'%.*s' is reserved: choose another name", length,
                           name->text.text);
    else
        return true;
    return false;
}

static size_t find_parameter(const struct macro *macro, const struct piece *piece)
{
    for (size_t i = 0; piece->kind == PIECE_NAME && i < macro->parameter_count; i++)
        if (slice_equal(macro->parameters[i], piece->text))
            return i;
    return NO_PARAMETER;
}

/* Adds a parameter; `piece` is a name or an ellipsis. */
static bool add_parameter(struct preprocessor *p, struct macro *macro, const struct piece *piece)
{
    const char *at = piece_place(piece);
    if (find_parameter(macro, piece) != NO_PARAMETER) {
        preprocess_mistake(p, at, "duplicate parameter '%.*s'", (int)piece->text.length,
                           piece->text.text);
        return false;
    }
    if (macro->parameter_count == PARAMETERS_LIMIT) {
        preprocess_mistake(p, at, "a macro has at most %d parameters", PARAMETERS_LIMIT);
        return false;
    }
    macro->variadic = piece->kind == PIECE_SIGN;
    macro->parameters[macro->parameter_count++] =
        macro->variadic ? slice_of("__VA_ARGS__") : piece->text;
    return true;
}

/* Reads the parameters after the opening parenthesis; false after a mistake. */
static bool read_parameters(struct preprocessor *p, struct reader *reader, struct macro *macro)
{
    struct slice parameters[PARAMETERS_LIMIT] = {{0}};
    struct piece piece;
    macro->parameters = parameters;
    scan(reader, &piece);
    bool good = true, more = !piece_is(&piece, ")");
    while (good && more) {
        bool is_parameter = piece.kind == PIECE_NAME || piece_is(&piece, "...");
        good = is_parameter && add_parameter(p, macro, &piece);
        if (!is_parameter)
            preprocess_mistake(p, piece_place(&piece),
                               "expected a parameter: a name, or ... as the last one");
        scan(reader, &piece);
        if (good && !macro->variadic && piece_is(&piece, "...")) { /* GNU's NAME... */
            macro->variadic = true;
            scan(reader, &piece);
        }
        more = !macro->variadic && piece_is(&piece, ",");
        if (good && !more && !piece_is(&piece, ")")) {
            preprocess_mistake(p, piece_place(&piece), "expected ) after the parameters");
            good = false;
        }
        if (good && more)
            scan(reader, &piece);
    }
    macro->parameters = arena_new(&p->arena, macro->parameter_count, sizeof *parameters);
    memcpy(macro->parameters, parameters, macro->parameter_count * sizeof *parameters);
    return good;
}

/* Adds a piece to the body, where # and ## become marks of their neighbours; false after a mistake.
 */
static bool add_to_body(struct preprocessor *p, struct macro *macro, struct piece *piece)
{
    struct pieces *body = &macro->body;
    struct piece *last = body->count > 0 ? &body->items[body->count - 1] : NULL;
    size_t parameter = find_parameter(macro, piece);
    bool is_quote = macro->kind == MACRO_FUNCTION && last && piece_is(last, "#") && !last->glued;
    const char *at = piece_place(piece);
    if (is_quote && parameter == NO_PARAMETER) {
        preprocess_mistake(p, at, "# must be followed by a parameter of the macro");
        return false;
    }
    if (piece_is(piece, "##")) {
        if (!last)
            preprocess_mistake(p, at, "## joins two tokens: it cannot come first");
        else
            last->glued = true;
        return last != NULL;
    }
    if (parameter != NO_PARAMETER) {
        piece->kind = PIECE_PARAMETER;
        piece->index = (uint32_t)parameter;
    }
    piece->gap = NULL;
    if (!is_quote) {
        pieces_add(body, piece);
        return true;
    }
    piece->quoted = true;
    piece->space = last->space;
    *last = *piece;
    return true;
}

/* Reads the body; false after a mistake. */
static bool read_body(struct preprocessor *p, struct reader *reader, struct macro *macro)
{
    struct piece piece;
    bool good = true;
    for (scan(reader, &piece); good && piece.kind != PIECE_END; scan(reader, &piece))
        good = add_to_body(p, macro, &piece);
    const struct piece *last =
        good && macro->body.count > 0 ? &macro->body.items[macro->body.count - 1] : NULL;
    if (last && (last->glued || (macro->kind == MACRO_FUNCTION && piece_is(last, "#")))) {
        preprocess_mistake(p, piece_place(&piece),
                           last->glued ? "## joins two tokens: it cannot come last"
                                       : "# must be followed by a parameter of the macro");
        good = false;
    }
    return good;
}

/* True if two definitions have the same pieces, with white space at the same places. */
static bool same_definition(const struct macro *a, const struct macro *b)
{
    bool same = a->kind == b->kind && a->variadic == b->variadic &&
                a->parameter_count == b->parameter_count && a->body.count == b->body.count;
    for (size_t i = 0; same && i < a->parameter_count; i++)
        same = slice_equal(a->parameters[i], b->parameters[i]);
    for (size_t i = 0; same && i < a->body.count; i++) {
        const struct piece *x = &a->body.items[i], *y = &b->body.items[i];
        same = x->kind == y->kind && slice_equal(x->text, y->text) && x->quoted == y->quoted &&
               x->glued == y->glued && (i == 0 || x->space == y->space);
    }
    return same;
}

/* Moves the body to the arena: it may be in use after the macro was undefined. */
static void keep_body(struct preprocessor *p, struct macro *macro)
{
    struct piece *items = arena_new(&p->arena, macro->body.count, sizeof *items);
    if (macro->body.count > 0)
        memcpy(items, macro->body.items, macro->body.count * sizeof *items);
    free(macro->body.items);
    macro->body.items = items;
}

void macro_define(struct preprocessor *p, struct reader *reader)
{
    struct piece name;
    scan(reader, &name);
    if (!check_name(p, &name))
        return;
    struct macro *macro = new_macro(p, MACRO_OBJECT, name.text);
    macro->at = preprocess_spot(p, name.text.text);
    bool good = true;
    if (*reader->at == '(') { /* with no blank before it */
        struct piece open;
        scan(reader, &open);
        macro->kind = MACRO_FUNCTION;
        good = read_parameters(p, reader, macro);
    }
    good = good && read_body(p, reader, macro);
    keep_body(p, macro);
    const struct macro *old = macro_find(p, name.text);
    if (good && old && !same_definition(old, macro)) {
        struct source_place first = source_place_in(p->sources, old->at.file, old->at.line, 1);
        preprocess_warning(p, name.text.text,
                           "macro '%.*s' is redefined: the earlier definition is at %s:%d",
                           (int)name.text.length, name.text.text, first.file, first.line);
    }
    if (good)
        set_macro(p, name.text, macro);
}

void macro_undefine(struct preprocessor *p, const struct piece *name)
{
    if (check_name(p, name) && macro_find(p, name->text))
        set_macro(p, name->text, NULL);
}

/* ---- the stack of expansions ---- */

/* Puts a list on the stack, which becomes its owner. */
static void push(struct preprocessor *p, struct pieces *pieces, struct macro *macro)
{
    p->expansions = memory_grow(p->expansions, &p->expansion_capacity, p->expansion_count + 1,
                                sizeof *p->expansions);
    p->expansions[p->expansion_count++] = (struct expansion){.pieces = *pieces, .macro = macro};
    *pieces = (struct pieces){0};
    if (macro)
        macro->busy = true;
}

static void pop(struct preprocessor *p)
{
    struct expansion *top = &p->expansions[--p->expansion_count];
    if (top->macro)
        top->macro->busy = false;
    free(top->pieces.items);
}

void macro_next(struct preprocessor *p, struct piece *piece)
{
    while (!p->stopped && p->expansion_count > p->floor) {
        struct expansion *top = &p->expansions[p->expansion_count - 1];
        if (top->next < top->pieces.count) {
            *piece = top->pieces.items[top->next++];
            if (piece->kind == PIECE_NAME && !piece->painted) {
                const struct macro *macro = macro_find(p, piece->text);
                piece->painted = macro && macro->busy;
            }
            return;
        }
        pop(p);
    }
    if (p->depth > 0 || p->stopped)
        *piece = (struct piece){.kind = PIECE_END};
    else
        preprocess_next(p, piece);
}

/* True if an opening parenthesis comes next, perhaps on another line. */
static bool arguments_follow(struct preprocessor *p)
{
    for (size_t i = p->expansion_count; i > p->floor; i--) {
        const struct expansion *it = &p->expansions[i - 1];
        if (it->next < it->pieces.count)
            return piece_is(&it->pieces.items[it->next], "(");
    }
    if (p->depth > 0)
        return false;
    struct reader ahead = preprocess_input(p)->reader;
    struct piece piece;
    do
        scan(&ahead, &piece);
    while (piece.kind == PIECE_NEWLINE);
    return piece_is(&piece, "(");
}

/* Appends what a list expands to by itself; with keeps_defined, `defined NAME` stays as it is. */
static void expand_all(struct preprocessor *p, const struct piece *items, size_t count,
                       bool keeps_defined, struct pieces *out)
{
    struct pieces list = {0};
    bool is_kept = false;
    for (size_t i = 0; i < count; i++)
        pieces_add(&list, &items[i]);
    size_t floor = p->floor;
    p->floor = p->expansion_count;
    push(p, &list, NULL);
    if (++p->depth > DEPTH_LIMIT && !p->stopped) {
        preprocess_mistake(p, NULL, "macro arguments are nested more than %d deep", DEPTH_LIMIT);
        p->stopped = true;
    }
    for (;;) {
        struct piece piece;
        macro_next(p, &piece);
        if (piece.kind == PIECE_END)
            break;
        if (piece.kind == PIECE_NAME && !is_kept && macro_expand(p, &piece))
            continue;
        is_kept = (keeps_defined && piece.kind == PIECE_NAME && slice_is(piece.text, "defined")) ||
                  (is_kept && piece_is(&piece, "("));
        preprocess_spend(p, 0);
        pieces_add(out, &piece);
    }
    while (p->expansion_count > p->floor)
        pop(p);
    p->depth--;
    p->floor = floor;
}

void macro_expand_line(struct preprocessor *p, struct reader *reader, bool keeps_defined,
                       struct pieces *out)
{
    struct pieces line = {0};
    struct piece piece;
    for (scan(reader, &piece); piece.kind != PIECE_END; scan(reader, &piece))
        pieces_add(&line, &piece);
    expand_all(p, line.items, line.count, keeps_defined, out);
    free(line.items);
}

/* ---- arguments ---- */

/* The arguments of an invocation: one list, and where each of them starts in it. */
struct arguments {
    struct pieces all;
    size_t *starts; /* one more than there are arguments */
    size_t count, capacity;
    bool no_rest; /* none is given for `...`, not even an empty one */
    struct pieces *expanded;
    bool *is_expanded;
};

static void start_argument(struct arguments *arguments)
{
    arguments->starts = memory_grow(arguments->starts, &arguments->capacity, arguments->count + 1,
                                    sizeof *arguments->starts);
    arguments->starts[arguments->count++] = arguments->all.count;
}

static void free_arguments(struct arguments *arguments)
{
    for (size_t i = 0; arguments->expanded && i < arguments->count; i++)
        free(arguments->expanded[i].items);
    free(arguments->all.items);
    free(arguments->starts);
    free(arguments->expanded);
    free(arguments->is_expanded);
}

/* Reads the arguments up to the closing parenthesis; false if there is none. */
static bool read_arguments(struct preprocessor *p, const struct macro *macro,
                           struct arguments *arguments)
{
    struct piece piece;
    do /* the opening parenthesis, which is there */
        macro_next(p, &piece);
    while (piece.kind == PIECE_NEWLINE);
    start_argument(arguments);
    bool newline = false;
    for (size_t depth = 0;;) {
        macro_next(p, &piece);
        bool is_rest = macro->variadic && arguments->count == macro->parameter_count;
        if (piece.kind == PIECE_END)
            return false;
        if (piece.kind == PIECE_NEWLINE) {
            newline = true;
            continue;
        }
        if (depth == 0 && piece_is(&piece, ")"))
            break;
        depth += piece_is(&piece, "(");
        depth -= piece_is(&piece, ")");
        if (depth == 0 && piece_is(&piece, ",") && !is_rest) {
            start_argument(arguments);
            newline = false;
            continue;
        }
        piece.space = piece.space || newline;
        piece.gap = NULL;
        newline = false;
        preprocess_spend(p, 0);
        pieces_add(&arguments->all, &piece);
    }
    start_argument(arguments); /* the end of the last one */
    arguments->count--;
    return true;
}

/* Checks the number of arguments; adds an empty one if none is given for `...`. */
static bool check_arguments(struct preprocessor *p, const struct macro *macro, const char *at,
                            struct arguments *arguments)
{
    size_t given = arguments->count, wanted = macro->parameter_count;
    bool nothing = given == 1 && arguments->all.count == 0;
    arguments->no_rest = macro->variadic && ((nothing && wanted == 1) || given + 1 == wanted);
    if (wanted == 0 && nothing)
        given = arguments->count = 0;
    if (macro->variadic && given + 1 == wanted) {
        arguments->count++;
        start_argument(arguments);
        arguments->count--;
        return true;
    }
    if (given == wanted)
        return true;
    char takes[40] = "no arguments";
    size_t least = wanted - macro->variadic;
    if (wanted > 0)
        snprintf(takes, sizeof takes, "%s%zu argument%s", macro->variadic ? "at least " : "", least,
                 least == 1 ? "" : "s");
    preprocess_mistake(p, at, "macro '%.*s' takes %s, but %zu %s given%s", (int)macro->name.length,
                       macro->name.text, takes, given, given == 1 ? "is" : "are",
                       given > wanted && wanted > 0
                           ? ": put an argument that contains a comma in parentheses"
                           : "");
    return false;
}

static const struct piece *argument(const struct arguments *arguments, size_t index, size_t *count)
{
    *count = arguments->starts[index + 1] - arguments->starts[index];
    return *count > 0 ? arguments->all.items + arguments->starts[index] : NULL;
}

/* ---- # and ## ---- */

/* Appends a piece as # writes it: quotes and backslashes of strings are escaped. */
static void quote_piece(struct str *out, const struct piece *piece)
{
    bool escape = piece->kind == PIECE_STRING || piece->kind == PIECE_CHARACTER ||
                  piece->text.text[0] == '"'; /* without its partner */
    for (size_t i = 0; i < piece->text.length; i++) {
        char c = piece->text.text[i];
        if (escape && (c == '"' || c == '\\'))
            str_add_char(out, '\\');
        if (c == '\n')
            str_add(out, "\\n");
        else
            str_add_char(out, c);
    }
}

/* Appends the argument as a string. */
static void add_quoted(struct preprocessor *p, const struct piece *items, size_t count, bool space,
                       struct pieces *out)
{
    struct str text = {0};
    str_add_char(&text, '"');
    for (size_t i = 0; i < count; i++) {
        if (i > 0 && items[i].space)
            str_add_char(&text, ' ');
        quote_piece(&text, &items[i]);
    }
    size_t backslashes = 0; /* an odd one would escape the quote at the end */
    while (text.text[text.length - 1 - backslashes] == '\\')
        backslashes++;
    text.length -= backslashes % 2;
    str_add_char(&text, '"');
    preprocess_spend(p, text.length);
    struct piece piece = {
        .kind = PIECE_STRING,
        .space = space,
        .text = {arena_copy(&p->arena, text.text, text.length), text.length},
    };
    pieces_add(out, &piece);
    str_free(&text);
}

/* Joins two pieces into one. */
static struct piece glue(struct preprocessor *p, const struct piece *left,
                         const struct piece *right)
{
    struct piece both = left->kind == PIECE_NOTHING ? *right : *left;
    both.space = left->space;
    if (left->kind != PIECE_NOTHING && right->kind != PIECE_NOTHING) {
        size_t length = left->text.length + right->text.length;
        preprocess_spend(p, length);
        if (p->stopped)
            return both;
        char *text = arena_new(&p->arena, length + 1, 1);
        memcpy(text, left->text.text, left->text.length);
        memcpy(text + left->text.length, right->text.text, right->text.length);
        struct reader reader = {.at = text, .end = text + length, .one_line = true};
        scan(&reader, &both);
        both.space = left->space;
        both.gap = NULL;
        if (both.text.length < length)
            preprocess_mistake(p, NULL, "## makes '%.60s', which is not a single token", text);
    }
    both.glued = right->glued;
    return both;
}

/* Applies every ## of a list, and removes the placeholders of empty arguments. */
static void glue_all(struct preprocessor *p, struct pieces *list)
{
    size_t count = 0;
    for (size_t i = 0; i < list->count; i++) {
        struct piece piece = list->items[i];
        while (piece.glued && i + 1 < list->count && !p->stopped)
            piece = glue(p, &piece, &list->items[++i]);
        piece.glued = false;
        if (piece.kind != PIECE_NOTHING)
            list->items[count++] = piece;
    }
    list->count = count;
}

/* ---- expansion ---- */

/* Appends pieces of an argument; the first has the white space of the parameter. */
static void add_argument(struct preprocessor *p, const struct piece *items, size_t count,
                         const struct piece *parameter, struct pieces *out)
{
    struct piece nothing = {.kind = PIECE_NOTHING};
    if (count == 0) {
        items = &nothing;
        count = 1;
    }
    for (size_t i = 0; i < count; i++) {
        struct piece piece = items[i];
        piece.space = i == 0 ? parameter->space : piece.space;
        piece.glued = i + 1 == count && parameter->glued;
        preprocess_spend(p, piece.text.length);
        pieces_add(out, &piece);
    }
}

static void add_expanded(struct preprocessor *p, struct arguments *arguments,
                         const struct piece *parameter, struct pieces *out)
{
    struct pieces *expanded = &arguments->expanded[parameter->index];
    if (!arguments->is_expanded[parameter->index]) {
        size_t count;
        const struct piece *items = argument(arguments, parameter->index, &count);
        expand_all(p, items, count, false, expanded);
        arguments->is_expanded[parameter->index] = true;
    }
    add_argument(p, expanded->items, expanded->count, parameter, out);
}

/* Appends the body of a macro without parameters. */
static void copy_body(struct preprocessor *p, const struct macro *macro, struct pieces *out)
{
    for (size_t i = 0; i < macro->body.count && !p->stopped; i++) {
        preprocess_spend(p, macro->body.items[i].text.length);
        pieces_add(out, &macro->body.items[i]);
    }
}

/* Appends the body with the arguments in place of the parameters. */
static void fill_body(struct preprocessor *p, const struct macro *macro,
                      struct arguments *arguments, struct pieces *out)
{
    bool glued = false; /* ## comes before this piece */
    for (size_t i = 0; i < macro->body.count && !p->stopped; i++) {
        const struct piece *piece = &macro->body.items[i];
        bool is_parameter = piece->kind == PIECE_PARAMETER;
        bool is_rest =
            is_parameter && macro->variadic && piece->index + 1 == macro->parameter_count;
        size_t count = 0;
        const struct piece *items = is_parameter ? argument(arguments, piece->index, &count) : NULL;
        if (!is_parameter) {
            preprocess_spend(p, piece->text.length);
            pieces_add(out, piece);
        } else if (piece->quoted) {
            add_quoted(p, items, count, piece->space, out);
            out->items[out->count - 1].glued = piece->glued;
        } else if (glued && is_rest && piece_is(&out->items[out->count - 1], ",")) {
            /* GNU's , ## __VA_ARGS__: the comma is dropped if no argument is left */
            out->items[out->count - 1].glued = false;
            if (arguments->no_rest)
                out->count--;
            else
                add_argument(p, items, count, piece, out);
        } else if (glued || piece->glued) {
            add_argument(p, items, count, piece, out);
        } else {
            add_expanded(p, arguments, piece, out);
        }
        glued = piece->glued;
    }
}

/* Reads the arguments of a macro and fills its body; false after a mistake. */
static bool apply(struct preprocessor *p, const struct macro *macro, const char *at,
                  struct pieces *out)
{
    struct arguments arguments = {0};
    bool was_collecting = p->collecting;
    p->collecting = true;
    bool closed = read_arguments(p, macro, &arguments);
    p->collecting = was_collecting;
    if (!closed && !p->stopped)
        preprocess_mistake(p, at, "the arguments of macro '%.*s' are never closed: ) is missing",
                           (int)macro->name.length, macro->name.text);
    bool good = closed && check_arguments(p, macro, at, &arguments);
    if (good) {
        arguments.expanded = memory_new(arguments.count, sizeof *arguments.expanded);
        arguments.is_expanded = memory_new(arguments.count, sizeof *arguments.is_expanded);
        fill_body(p, macro, &arguments, out);
    }
    free_arguments(&arguments);
    return good;
}

/* The value of a macro that is built in. */
static void add_builtin(struct preprocessor *p, const struct macro *macro, struct pieces *out)
{
    struct str text = {0};
    struct piece piece = {.kind = PIECE_NUMBER};
    if (macro->kind == MACRO_LINE) {
        str_printf(&text, "%d", p->invocation.line);
    } else if (macro->kind == MACRO_COUNTER) {
        str_printf(&text, "%u", (unsigned)p->counter++);
    } else {
        struct slice name = slice_of(p->sources->files[p->invocation.file].name);
        piece.kind = PIECE_STRING;
        str_add_char(&text, '"');
        quote_piece(&text, &(struct piece){.kind = PIECE_STRING, .text = name});
        str_add_char(&text, '"');
    }
    piece.text = (struct slice){arena_copy(&p->arena, text.text, text.length), text.length};
    preprocess_spend(p, text.length);
    pieces_add(out, &piece);
    str_free(&text);
}

bool macro_expand(struct preprocessor *p, const struct piece *piece)
{
    struct macro *macro = piece->painted ? NULL : macro_find(p, piece->text);
    if (!macro || (macro->kind == MACRO_FUNCTION && !arguments_follow(p)))
        return false;
    struct pieces list = {0};
    const char *at = piece_place(piece);
    if (at)
        p->invocation = preprocess_spot(p, at);
    if (is_builtin(macro))
        add_builtin(p, macro, &list);
    else if (macro->kind == MACRO_FUNCTION)
        apply(p, macro, at, &list);
    else
        copy_body(p, macro, &list);
    glue_all(p, &list);
    if (list.count > 0)
        list.items[0].space = piece->space;
    push(p, &list, macro);
    return true;
}

void macro_free(struct preprocessor *p)
{
    while (p->expansion_count > 0)
        pop(p);
    free(p->expansions);
    free(p->macros);
    map_free(&p->names);
}
