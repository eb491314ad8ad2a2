/* Types: which are the same, what is assignable to what, what literals become, how they are named.
 */
#include "swift/type.h"

#include "tap.h"

static struct arena arena;
static struct types *types;
static const struct type *meters, *yards, *grid, *pair;

/* The types of the tables, by short names. */
static const struct type *simple(char letter)
{
    switch (letter) {
    case 'i': return type_simple(types, TYPE_INT);
    case 'f': return type_simple(types, TYPE_FLOAT);
    case 's': return type_simple(types, TYPE_STRING);
    case 'b': return type_simple(types, TYPE_BOOLEAN);
    case 'n': return type_simple(types, TYPE_NUMBER);
    case 'e': return type_simple(types, TYPE_EMPTY);
    case 'u': return type_simple(types, TYPE_UPDATEABLE);
    case 'w': return type_simple(types, TYPE_WRONG);
    case 'm': return meters;
    case 'y': return yards;
    case 'g': return grid;
    default: return pair;
    }
}

/* "Asi": array with string keys of ints; "Bi": bag of ints; "|if": int or float; else one letter.
 */
static const struct type *read(const char **text)
{
    char letter = *(*text)++;
    if (letter != 'A' && letter != 'B' && letter != '|')
        return simple(letter);
    const struct type *first = read(text);
    if (letter == 'B')
        return type_bag(types, first);
    const struct type *both[] = {first, read(text)};
    return letter == 'A' ? type_array(types, both[0], both[1]) : type_union(types, both, 2);
}

static const struct type *type_of(const char *text)
{
    return read(&text);
}

static void make_types(void)
{
    types = types_create(&arena);
    meters = type_subtype(types, slice_of("meters"), simple('f'), 1);
    yards = type_subtype(types, slice_of("yards"), simple('f'), 2);
    grid = type_subtype(types, slice_of("grid"), type_of("AsAii"), 3);
    pair = type_struct(types, slice_of("pair"), 4);
}

static void same_types_are_the_same_pointer(void)
{
    ok(type_of("AsAif") == type_of("AsAif"), "the same array");
    ok(type_of("Aif") != type_of("Aii") && type_of("Aif") != type_of("Asf"), "different arrays");
    ok(type_of("Bi") == type_of("Bi") && type_of("Bi") != type_of("Bf"), "bags");
    ok(type_of("|if") == type_of("|if") && type_of("|if") != type_of("|fi"), "unions");
    const struct type *both[] = {simple('i'), simple('f')};
    ok(type_tuple(types, both, 2) == type_tuple(types, both, 2), "tuples");
    ok(type_tuple(types, both, 2) != type_of("|if"), "a tuple is no union");
    ok(type_tuple(types, both, 2) != type_tuple(types, both, 1), "tuples of different lengths");
    const struct type *deep[TYPE_DEPTH];
    bool same = true;
    for (int round = 0; round < 2; round++) {
        const struct type *type = simple('i');
        for (size_t i = 0; i < TYPE_DEPTH; i++) {
            type = type_array(types, simple('i'), type);
            same &= round == 0 || deep[i] == type;
            deep[i] = type;
        }
    }
    ok(same && deep[TYPE_DEPTH - 1]->depth == TYPE_DEPTH, "many types");
}

static const struct {
    const char *from, *to;
    bool fits;
} fits[] = {
    {"i", "i", true},         {"i", "f", false},     {"f", "i", false},
    {"n", "i", true},         {"n", "f", true},      {"n", "s", false},
    {"n", "m", false},        {"m", "f", true},      {"f", "m", false},
    {"m", "y", false},        {"m", "m", true},      {"u", "f", true},
    {"f", "u", false},        {"Aii", "Aii", true},  {"Aii", "Aif", false},
    {"Aim", "Aif", false},    {"Asi", "Aii", false}, {"Ain", "Aif", true},
    {"Anf", "Aff", true},     {"Aee", "Asf", true},  {"Aee", "i", false},
    {"AiAee", "AiAis", true}, {"g", "AsAii", true},  {"AsAii", "g", false},
    {"Bi", "Bi", true},       {"Bi", "Bf", false},   {"Bi", "Aii", false},
    {"n", "|sf", true},       {"b", "|sf", false},   {"|sf", "|sf", true},
    {"m", "|sf", true},       {"w", "s", true},      {"s", "w", true},
    {"p", "p", true},         {"p", "i", false},     {"Ain", "|AifAii", true},
};

static const struct {
    const char *a, *b, *joined; /* NULL: nothing fits both */
} joins[] = {
    {"i", "i", "i"},
    {"n", "f", "f"},
    {"f", "n", "f"},
    {"n", "i", "i"},
    {"n", "n", "n"},
    {"i", "f", NULL},
    {"s", "i", NULL},
    {"m", "f", "f"},
    {"f", "m", "f"},
    {"m", "y", "f"},
    {"m", "m", "m"},
    {"u", "f", "f"},
    {"Aee", "Ain", "Ain"},
    {"Ain", "Aif", "Aif"},
    {"Aii", "Aif", NULL},
    {"AnAee", "AfAin", "AfAin"},
    {"AnAif", "AfAin", "AfAif"},
    {"Aie", "Bi", NULL},
};

static const struct {
    const char *type, *name, *settled;
} names[] = {
    {"i", "int", "int"},
    {"n", "int", "int"},
    {"m", "meters", "meters"},
    {"Aif", "float[]", "float[]"},
    {"AsAif", "float[string][]", "float[string][]"},
    {"AiBs", "bag<string>[]", "bag<string>[]"},
    {"BAsi", "bag<int[string]>", "bag<int[string]>"},
    {"|if", "int|float", "int|float"},
    {"Aee", "[]", "int[]"},
    {"Ann", "int[]", "int[]"},
    {"p", "pair", "pair"},
    {"u", "updateable_float", "float"},
};

static void check_tables(void)
{
    for (size_t i = 0; i < sizeof fits / sizeof *fits; i++)
        ok(type_fits(type_of(fits[i].from), type_of(fits[i].to)) == fits[i].fits, "%s %s %s",
           fits[i].from, fits[i].fits ? "fits" : "does not fit", fits[i].to);
    for (size_t i = 0; i < sizeof joins / sizeof *joins; i++) {
        const struct type *joined = type_join(types, type_of(joins[i].a), type_of(joins[i].b));
        ok(joined == (joins[i].joined ? type_of(joins[i].joined) : NULL), "%s and %s join as %s",
           joins[i].a, joins[i].b, joins[i].joined ? joins[i].joined : "nothing");
    }
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const struct type *type = type_of(names[i].type), *settled = type_settle(types, type);
        is_text(type_text(types, type), names[i].name, names[i].type);
        is_text(type_text(types, settled), names[i].settled, names[i].type);
        ok(!settled->open, "%s is settled", names[i].type);
    }
}

int main(void)
{
    make_types();
    same_types_are_the_same_pointer();
    check_tables();
    ok(type_base(meters) == simple('f') && type_is(grid, TYPE_ARRAY), "the base of a subtype");
    ok(type_value(types, simple('u')) == simple('f'), "an updateable_float is used as a float");
    arena_free(&arena);
    return tap_end();
}
