/*
 * json.c - questions about a text in JSON, and texts that become JSON.
 *
 * A path leads through objects by their names and through lists by the places of their members,
 * from 0: "runs,3,loss". The empty path is the whole text.
 */
#include "leaf/json_inside.h"

/* A question: what the path of the second input leads to in the text of the first one. */
struct query {
    const struct leaf_call *call;
    const char *function; /* for messages */
    struct slice value;   /* found so far */
    struct err *e;
};

static const char *kind_name(struct slice value)
{
    switch (leaf_json_kind(value)) {
    case JSON_STRING: return "string";
    case JSON_ARRAY: return "array";
    case JSON_OBJECT: return "object";
    case JSON_TRUE:
    case JSON_FALSE: return "boolean";
    case JSON_NUMBER: return leaf_json_is_whole(value) ? "int" : "float";
    default: return "null";
    }
}

/* ---- paths ---- */

static const char *path_text(const struct query *query)
{
    return leaf_excerpt(query->call->inputs[1].text, query->call->arena);
}

static int no_member(const struct query *query, const struct json_object *object, struct slice name)
{
    const char **words = arena_new(query->call->arena, object->count + 1, sizeof *words);
    for (size_t i = 0; i < object->count; i++)
        words[i] = object->items[i].name.text;
    const char *wanted = leaf_excerpt(name, query->call->arena);
    const char *nearest = str_nearest(wanted, words);
    if (nearest)
        return err_set(query->e, ERR_USER, "%s: path '%s': there is no '%s': did you mean '%s'?",
                       query->function, path_text(query), wanted, nearest);
    return err_set(query->e, ERR_USER, "%s: path '%s': there is no '%s' in the object",
                   query->function, path_text(query), wanted);
}

static int enter_object(struct query *query, struct slice name)
{
    struct json_object object;
    int result = ERR_USER;
    leaf_json_object(query->value, &object, query->call->arena);
    for (size_t i = 0; i < object.count && result != 0; i++)
        if (slice_equal(object.items[i].name, name)) {
            query->value = object.items[i].value;
            result = 0;
        }
    if (result != 0)
        no_member(query, &object, name);
    leaf_json_object_free(&object);
    return result;
}

static int enter_array(struct query *query, struct slice name)
{
    struct json j;
    int64_t place, count = 0;
    if (!leaf_read_whole(name, 10, &place))
        return err_set(query->e, ERR_USER,
                       "%s: path '%s': '%s' leads into a list, whose members have numbers from 0",
                       query->function, path_text(query), leaf_excerpt(name, query->call->arena));
    json_open(&j, query->value.text, query->value.length);
    json_enter(&j, '[');
    for (; json_item(&j); count++) {
        struct slice member = json_raw(&j);
        if (count == place) {
            query->value = member;
            return 0;
        }
    }
    return err_set(query->e, ERR_USER, "%s: path '%s': there is no member %lld in a list of %lld",
                   query->function, path_text(query), (long long)place, (long long)count);
}

/* Takes the text before the next comma off the path; *more tells whether there was a comma. */
static struct slice take_name(struct slice *path, bool *more)
{
    const char *comma = path->length > 0 ? memchr(path->text, ',', path->length) : NULL;
    struct slice name = {path->text, comma ? (size_t)(comma - path->text) : path->length};
    *more = comma != NULL;
    if (comma)
        *path = (struct slice){comma + 1, path->length - name.length - 1};
    return name;
}

static int follow(struct query *query)
{
    struct slice path = query->call->inputs[1].text;
    bool more = path.length > 0;
    while (more) {
        struct slice name = take_name(&path, &more);
        enum json_kind kind = leaf_json_kind(query->value);
        int failed;
        if (kind == JSON_OBJECT)
            failed = enter_object(query, name);
        else if (kind == JSON_ARRAY)
            failed = enter_array(query, name);
        else
            failed = err_set(query->e, ERR_USER,
                             "%s: path '%s': there is no '%s', because what is before it is of "
                             "type %s",
                             query->function, path_text(query),
                             leaf_excerpt(name, query->call->arena), kind_name(query->value));
        if (failed)
            return failed;
    }
    return 0;
}

/* Checks a text; its value is then without white space around it. */
static int check(const char *function, struct slice text, struct slice *value, struct err *e)
{
    struct json j;
    json_open(&j, text.text, text.length);
    *value = json_raw(&j);
    const char *error = json_close(&j);
    return error ? err_set(e, ERR_USER, "%s: the text is not JSON: at byte %zu: %s", function,
                           (size_t)(j.at - j.start) + 1, error)
                 : 0;
}

/* Finds what the inputs ask for. */
static int find(const struct leaf_call *call, const char *function, struct slice *value,
                struct err *e)
{
    struct query query = {.call = call, .function = function, .e = e};
    int failed = check(function, call->inputs[0].text, &query.value, e);
    if (!failed)
        failed = follow(&query);
    *value = query.value;
    return failed;
}

static int wrong_kind(const struct leaf_call *call, const char *function, struct slice value,
                      const char *wanted, struct err *e)
{
    return err_set(e, ERR_USER, "%s: path '%s' leads to a value of type %s: it should be %s",
                   function, leaf_excerpt(call->inputs[1].text, call->arena), kind_name(value),
                   wanted);
}

/* ---- questions ---- */

static int run_json_type(const struct leaf_call *call, struct err *e)
{
    struct slice value;
    if (find(call, "json_type", &value, e) != 0)
        return ERR_USER;
    if (leaf_json_kind(value) == JSON_TRUE || leaf_json_kind(value) == JSON_FALSE)
        return wrong_kind(call, "json_type", value, "string, int, float, array, object or null", e);
    return leaf_give(call, leaf_text(slice_of(kind_name(value))));
}

/* A string is without quotes, and a single null looks like in JSON. */
static int run_json_get(const struct leaf_call *call, struct err *e)
{
    struct slice value;
    struct str text = {0};
    struct json j;
    if (find(call, "json_get", &value, e) != 0)
        return ERR_USER;
    json_open(&j, value.text, value.length);
    if (leaf_json_kind(value) == JSON_STRING)
        json_string(&j, &text);
    else
        leaf_json_show(&text, value, leaf_json_kind(value) == JSON_NULL ? JSON_DUMPED : JSON_SHOWN);
    return leaf_give(call, leaf_take(&text, call->arena));
}

/* The whole part of a number; false if it does not fit. */
static bool whole_part(double number, int64_t *whole)
{
    static const double limit = 9223372036854775808.0; /* 2^63 */
    if (!(number >= -limit && number < limit))
        return false;
    *whole = (int64_t)number;
    return true;
}

/* A float without a fraction is an int as well: many programs write 3.0 for 3. */
static bool read_int(struct slice value, int64_t *whole)
{
    struct json j;
    if (leaf_json_kind(value) != JSON_NUMBER)
        return false;
    if (leaf_json_is_whole(value))
        return leaf_read_whole(value, 10, whole);
    json_open(&j, value.text, value.length);
    double number = json_number(&j);
    return whole_part(number, whole) && (double)*whole == number;
}

static int run_json_get_int(const struct leaf_call *call, struct err *e)
{
    struct slice value;
    int64_t whole;
    if (find(call, "json_get_int", &value, e) != 0)
        return ERR_USER;
    if (!read_int(value, &whole))
        return wrong_kind(call, "json_get_int", value, "an int of at most 64 bits", e);
    return leaf_give(call, leaf_whole(whole));
}

static int run_json_get_float(const struct leaf_call *call, struct err *e)
{
    struct slice value;
    struct json j;
    if (find(call, "json_get_float", &value, e) != 0)
        return ERR_USER;
    if (leaf_json_kind(value) != JSON_NUMBER)
        return wrong_kind(call, "json_get_float", value, "a number", e);
    json_open(&j, value.text, value.length);
    return leaf_give(call, leaf_number(json_number(&j)));
}

static int run_json_get_boolean(const struct leaf_call *call, struct err *e)
{
    struct slice value;
    if (find(call, "json_get_boolean", &value, e) != 0)
        return ERR_USER;
    enum json_kind kind = leaf_json_kind(value);
    if (kind != JSON_TRUE && kind != JSON_FALSE)
        return wrong_kind(call, "json_get_boolean", value, "true or false", e);
    return leaf_give(call, leaf_truth(kind == JSON_TRUE));
}

static int run_json_array_size(const struct leaf_call *call, struct err *e)
{
    struct slice value;
    struct json j;
    int64_t count = 0;
    if (find(call, "json_array_size", &value, e) != 0)
        return ERR_USER;
    if (leaf_json_kind(value) != JSON_ARRAY)
        return wrong_kind(call, "json_array_size", value, "an array", e);
    json_open(&j, value.text, value.length);
    json_enter(&j, '[');
    for (; json_item(&j); count++)
        json_skip(&j);
    return leaf_give(call, leaf_whole(count));
}

static int run_json_object_names(const struct leaf_call *call, struct err *e)
{
    struct slice value;
    struct json_object object;
    struct str text = {0};
    if (find(call, "json_object_names", &value, e) != 0)
        return ERR_USER;
    if (leaf_json_kind(value) != JSON_OBJECT)
        return wrong_kind(call, "json_object_names", value, "an object", e);
    leaf_json_object(value, &object, call->arena);
    for (size_t i = 0; i < object.count; i++) {
        str_add(&text, i > 0 ? "," : "");
        str_add_bytes(&text, object.items[i].name.text, object.items[i].name.length);
    }
    leaf_json_object_free(&object);
    return leaf_give(call, leaf_take(&text, call->arena));
}

/* ---- texts ---- */

/* An object with the members of both: written one after the other, the later ones replace. */
static int run_json_join(const struct leaf_call *call, struct err *e)
{
    struct str both = {0}, text = {0};
    for (size_t i = 0; i < 2; i++) {
        struct slice value;
        if (check("json_join", call->inputs[i].text, &value, e) != 0) {
            str_free(&both);
            return ERR_USER;
        }
        if (leaf_json_kind(value) != JSON_OBJECT) {
            str_free(&both);
            return err_set(e, ERR_USER,
                           "json_join: text %zu should be an object, but is of type %s", i + 1,
                           kind_name(value));
        }
        struct slice inside = leaf_trim((struct slice){value.text + 1, value.length - 2});
        str_add(&both, i == 0 ? "{" : inside.length > 0 && both.length > 1 ? "," : "");
        str_add_bytes(&both, inside.text, inside.length);
    }
    str_add_char(&both, '}');
    leaf_json_show(&text, (struct slice){both.text, both.length}, JSON_DUMPED);
    str_free(&both);
    return leaf_give(call, leaf_take(&text, call->arena));
}

static int give_between(const struct leaf_call *call, const char *before, const char *after)
{
    struct str text = {0};
    str_add(&text, before);
    leaf_show(&text, &call->inputs[0]);
    str_add(&text, after);
    return leaf_give(call, leaf_take(&text, call->arena));
}

static int run_json_arrayify(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_between(call, "[", "]");
}

static int run_json_objectify(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return give_between(call, "{", "}");
}

/* ---- encoders ---- */

/* What an encoder makes. */
enum {
    MAKE_OBJECT = 1,   /* the first input has the names; else an array */
    MAKE_CONTENTS = 2, /* without brackets */
    MAKE_TYPED = 4,    /* the next input is an array of types */
    MAKE_FORMATTED = 8 /* the next input is a text of types */
};

enum type {
    TYPE_INT,
    TYPE_FLOAT,
    TYPE_STRING,
    TYPE_BOOLEAN,
    TYPE_JSON,
    TYPE_ARRAY,
    TYPE_OBJECT,
    TYPE_NULL
};

static const struct {
    const char *name, *letter; /* the letter of a format */
} types[] = {
    [TYPE_INT] = {"int", NULL},       [TYPE_FLOAT] = {"float", NULL},
    [TYPE_STRING] = {"string", NULL}, [TYPE_BOOLEAN] = {"boolean", "%B"},
    [TYPE_JSON] = {"json", "%J"},     [TYPE_ARRAY] = {"array", "%A"},
    [TYPE_OBJECT] = {"object", "%O"}, [TYPE_NULL] = {"null", "%N"},
};

enum { TYPES = sizeof types / sizeof *types };

/* One encoding. */
struct encoder {
    const struct leaf_call *call;
    const char *function;
    const struct leaf_value *values;
    size_t count;
    struct str out;
    struct err *e;
};

static const char *shown(const struct encoder *encoder, struct slice text)
{
    return leaf_excerpt(text, encoder->call->arena);
}

/* A text in quotes. Nothing in it is escaped, so it may be the inside of a JSON string. */
static void put_quoted(struct str *out, struct slice text)
{
    str_add_char(out, '"');
    str_add_bytes(out, text.text, text.length);
    str_add_char(out, '"');
}

/* A value as its own type says. */
static void put_value(struct str *out, const struct leaf_value *value)
{
    if (value->kind == LEAF_STRING)
        put_quoted(out, value->text);
    else
        leaf_show(out, value);
}

static int not_a(const struct encoder *encoder, const struct leaf_value *value, const char *type)
{
    struct str text = {0};
    leaf_show(&text, value);
    err_set(encoder->e, ERR_USER, "%s: '%s' is not %s", encoder->function,
            shown(encoder, (struct slice){text.text, text.length}), type);
    str_free(&text);
    return ERR_USER;
}

static bool number_of(const struct leaf_value *value, double *number)
{
    if (value->kind == LEAF_STRING)
        return leaf_read_float(value->text, number);
    *number = value->kind == LEAF_FLOAT ? value->number : (double)value->whole;
    return true;
}

/* The whole part of a number. */
static bool whole_of(const struct leaf_value *value, int64_t *whole)
{
    double number;
    if (value->kind == LEAF_STRING && leaf_read_whole(value->text, 10, whole))
        return true;
    if (value->kind == LEAF_INT || value->kind == LEAF_BOOLEAN) {
        *whole = value->whole;
        return true;
    }
    return number_of(value, &number) && whole_part(number, whole);
}

static bool truth_of(const struct leaf_value *value, bool *truth)
{
    double number;
    bool is_text = value->kind == LEAF_STRING;
    if (is_text && (slice_is(value->text, "true") || slice_is(value->text, "false"))) {
        *truth = slice_is(value->text, "true");
        return true;
    }
    if (!number_of(value, &number))
        return false;
    *truth = number != 0;
    return true;
}

/* Puts the text of a value between two others. */
static void put_between(struct str *out, const char *before, const struct leaf_value *value,
                        const char *after)
{
    str_add(out, before);
    leaf_show(out, value);
    str_add(out, after);
}

static int put_typed(struct encoder *encoder, enum type type, const struct leaf_value *value)
{
    struct str *out = &encoder->out;
    double number;
    int64_t whole;
    bool truth;
    switch (type) {
    case TYPE_INT:
        if (!whole_of(value, &whole))
            return not_a(encoder, value, "a number that can become an int");
        str_printf(out, "%lld", (long long)whole);
        break;
    case TYPE_FLOAT:
        if (!number_of(value, &number))
            return not_a(encoder, value, "a number");
        leaf_show_number(out, number);
        break;
    case TYPE_BOOLEAN:
        if (!truth_of(value, &truth))
            return not_a(encoder, value, "true, false or a number");
        str_add(out, truth ? "true" : "false");
        break;
    case TYPE_STRING: put_between(out, "\"", value, "\""); break;
    case TYPE_JSON: leaf_show(out, value); break;
    case TYPE_ARRAY: put_between(out, "[ ", value, " ]"); break;
    case TYPE_OBJECT: put_between(out, "{ ", value, " }"); break;
    case TYPE_NULL: str_add(out, "null"); break;
    }
    return 0;
}

/* A zero byte is in no set. */
static bool is_one_of(char byte, const char *set)
{
    return byte != 0 && strchr(set, byte);
}

/* True for a single conversion of printf(), such as %03i or %.2f. */
static bool is_conversion(struct slice text)
{
    size_t last = text.length - 1;
    if (text.length < 2 || text.text[0] != '%' || !is_one_of(text.text[last], "diuxXobfeEgGs"))
        return false;
    for (size_t i = 1; i < last; i++)
        if (!is_one_of(text.text[i], "-+ #.0123456789"))
            return false;
    return true;
}

/* A number is cut to its whole part for %i, and a text of %s gets quotes. */
static int put_formatted(struct encoder *encoder, struct slice format,
                         const struct leaf_value *value)
{
    char letter = format.text[format.length - 1];
    struct leaf_value copy = *value;
    int64_t whole;
    if (is_one_of(letter, "diuxXob")) {
        if (!whole_of(value, &whole))
            return not_a(encoder, value, "a number that can become an int");
        copy = leaf_whole(whole);
    }
    str_add(&encoder->out, letter == 's' ? "\"" : "");
    int failed = leaf_format(&encoder->out, format, &copy, 1, encoder->e);
    str_add(&encoder->out, letter == 's' ? "\"" : "");
    return failed ? err_wrap(encoder->e, "%s", encoder->function) : 0;
}

static int put_as(struct encoder *encoder, struct slice type, const struct leaf_value *value)
{
    const char *words[TYPES + 1] = {NULL};
    for (size_t i = 0; i < TYPES; i++) {
        words[i] = types[i].name;
        if (slice_is(type, types[i].name) || (types[i].letter && slice_is(type, types[i].letter)))
            return put_typed(encoder, (enum type)i, value);
    }
    if (is_conversion(type))
        return put_formatted(encoder, type, value);
    const char *nearest = str_nearest(shown(encoder, type), words);
    if (nearest)
        return err_set(encoder->e, ERR_USER, "%s: unknown type '%s': did you mean '%s'?",
                       encoder->function, shown(encoder, type), nearest);
    return err_set(encoder->e, ERR_USER,
                   "%s: unknown type '%s': use int, float, string, boolean, json, array, object, "
                   "null, or a format such as %%i, %%.2f, %%s, %%B, %%J, %%A, %%O, %%N",
                   encoder->function, shown(encoder, type));
}

/* ---- names and types of an encoding ---- */

/* Texts that belong to the values, one to each. */
struct texts {
    struct slice *items;
    size_t count;
};

static struct texts texts_of(const struct leaf_value *array, struct arena *arena)
{
    const struct leaf_members *members = array->members;
    struct texts texts = {arena_new(arena, members->count, sizeof *texts.items), members->count};
    for (size_t i = 0; i < members->count; i++)
        texts.items[i] = members->items[i].value.text;
    return texts;
}

/* The words of a text. */
static struct texts words_of(struct slice text, struct arena *arena)
{
    struct texts texts = {arena_new(arena, text.length / 2 + 1, sizeof *texts.items), 0};
    for (size_t at = 0; at < text.length;) {
        size_t start = at;
        while (at < text.length && !is_one_of(text.text[at], " \t\n"))
            at++;
        if (at > start)
            texts.items[texts.count++] = (struct slice){text.text + start, at - start};
        else
            at++;
    }
    return texts;
}

static int check_count(const struct encoder *encoder, const struct texts *texts, const char *what)
{
    if (texts->count == encoder->count)
        return 0;
    return err_set(encoder->e, ERR_USER, "%s: there are %zu values, but %zu %s", encoder->function,
                   encoder->count, texts->count, what);
}

/* Takes the inputs before the values: the names of an object, and types. */
static int take_texts(struct encoder *encoder, unsigned make, struct texts *names,
                      struct texts *wanted)
{
    struct arena *arena = encoder->call->arena;
    if (make & MAKE_OBJECT)
        *names = texts_of(encoder->values++, arena);
    if (make & MAKE_TYPED)
        *wanted = texts_of(encoder->values++, arena);
    if (make & MAKE_FORMATTED)
        *wanted = words_of((encoder->values++)->text, arena);
    encoder->count -= (size_t)(encoder->values - encoder->call->inputs);
    if (make & MAKE_OBJECT && check_count(encoder, names, "names") != 0)
        return ERR_USER;
    return make & (MAKE_TYPED | MAKE_FORMATTED) ? check_count(encoder, wanted, "types") : 0;
}

static int encode(const struct leaf_call *call, const char *function, unsigned make, struct err *e)
{
    struct encoder encoder = {call, function, call->inputs, call->input_count, {0}, e};
    struct texts names = {0}, wanted = {0};
    const char *brackets = make & MAKE_CONTENTS ? "" : make & MAKE_OBJECT ? "{}" : "[]";
    int failed = take_texts(&encoder, make, &names, &wanted);
    if (failed)
        return failed;
    str_add_bytes(&encoder.out, brackets, brackets[0] != 0);
    for (size_t i = 0; i < encoder.count && !failed; i++) {
        str_add(&encoder.out, i > 0 ? ", " : "");
        if (make & MAKE_OBJECT) {
            put_quoted(&encoder.out, names.items[i]);
            str_add_char(&encoder.out, ':');
        }
        if (make & (MAKE_TYPED | MAKE_FORMATTED))
            failed = put_as(&encoder, wanted.items[i], &encoder.values[i]);
        else
            put_value(&encoder.out, &encoder.values[i]);
    }
    str_add(&encoder.out, brackets[0] ? brackets + 1 : "");
    struct leaf_value text = leaf_take(&encoder.out, call->arena);
    return failed ? failed : leaf_give(call, text);
}

#define ENCODER(name, make)                                                                        \
    static int run_##name(const struct leaf_call *call, struct err *e)                             \
    {                                                                                              \
        return encode(call, #name, make, e);                                                       \
    }

ENCODER(json_encode_array, 0)
ENCODER(json_encode_array_contents, MAKE_CONTENTS)
ENCODER(json_encode_array_retype, MAKE_TYPED)
ENCODER(json_encode_array_contents_retype, MAKE_TYPED | MAKE_CONTENTS)
ENCODER(json_encode_array_format, MAKE_FORMATTED)
ENCODER(json_encode_array_contents_format, MAKE_FORMATTED | MAKE_CONTENTS)
ENCODER(json_encode_object, MAKE_OBJECT)
ENCODER(json_encode_object_contents, MAKE_OBJECT | MAKE_CONTENTS)
ENCODER(json_encode_object_retype, MAKE_OBJECT | MAKE_TYPED)
ENCODER(json_encode_object_contents_retype, MAKE_OBJECT | MAKE_TYPED | MAKE_CONTENTS)
ENCODER(json_encode_object_format, MAKE_OBJECT | MAKE_FORMATTED)
ENCODER(json_encode_object_contents_format, MAKE_OBJECT | MAKE_FORMATTED | MAKE_CONTENTS)

const struct leaf_function leaf_json[] = {
    {"json_type", LEAF_AT_ONCE, run_json_type},
    {"json_get", LEAF_AT_ONCE, run_json_get},
    {"json_get_int", LEAF_AT_ONCE, run_json_get_int},
    {"json_get_float", LEAF_AT_ONCE, run_json_get_float},
    {"json_get_boolean", LEAF_AT_ONCE, run_json_get_boolean},
    {"json_array_size", LEAF_AT_ONCE, run_json_array_size},
    {"json_object_names", LEAF_AT_ONCE, run_json_object_names},
    {"json_join", LEAF_AT_ONCE, run_json_join},
    {"json_arrayify", LEAF_AT_ONCE, run_json_arrayify},
    {"json_objectify", LEAF_AT_ONCE, run_json_objectify},
    {"json_encode_array", LEAF_AT_ONCE, run_json_encode_array},
    {"json_encode_array_contents", LEAF_AT_ONCE, run_json_encode_array_contents},
    {"json_encode_array_retype", LEAF_AT_ONCE, run_json_encode_array_retype},
    {"json_encode_array_contents_retype", LEAF_AT_ONCE, run_json_encode_array_contents_retype},
    {"json_encode_array_format", LEAF_AT_ONCE, run_json_encode_array_format},
    {"json_encode_array_contents_format", LEAF_AT_ONCE, run_json_encode_array_contents_format},
    {"json_encode_object", LEAF_AT_ONCE, run_json_encode_object},
    {"json_encode_object_contents", LEAF_AT_ONCE, run_json_encode_object_contents},
    {"json_encode_object_retype", LEAF_AT_ONCE, run_json_encode_object_retype},
    {"json_encode_object_contents_retype", LEAF_AT_ONCE, run_json_encode_object_contents_retype},
    {"json_encode_object_format", LEAF_AT_ONCE, run_json_encode_object_format},
    {"json_encode_object_contents_format", LEAF_AT_ONCE, run_json_encode_object_contents_format},
    {0},
};
