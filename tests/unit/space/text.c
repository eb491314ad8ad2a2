/* Values and points as text and as JSON, and back. */
#include "space/space.h"

#include "tap.h"

static struct value mixed[] = {
    {.kind = VALUE_STRING, .text = "adam"},
    {.kind = VALUE_STRING, .text = "say \"hi\"\n"},
    {.kind = VALUE_NUMBER, .text = "0.10", .number = 0.1},
    {.kind = VALUE_NUMBER, .text = ".5", .number = 0.5},
    {.kind = VALUE_BOOL, .text = "True"},
    {.kind = VALUE_NULL, .text = "null"},
    {.kind = VALUE_JSON, .text = "[1, 2]"},
    {.kind = VALUE_STRING, .text = "7"},
    {.kind = VALUE_NUMBER, .text = "7", .number = 7},
    {.kind = VALUE_STRING, .text = "\xc3\xa4"},
};
enum { MIXED = sizeof mixed / sizeof *mixed };
static struct value one[] = {{.kind = VALUE_STRING, .text = "cifar10"}};

static struct parameter parameters[] = {
    {.name = "lr", .kind = PARAMETER_FLOAT, .log = true, .low = 1e-5, .high = 0.1},
    {.name = "layers", .kind = PARAMETER_INT, .low = 1, .high = 9, .step = 2},
    {.name = "value", .kind = PARAMETER_CHOICE, .values = mixed, .value_count = MIXED},
    {.name = "data.set", .kind = PARAMETER_CONSTANT, .values = one, .value_count = 1},
    {.name = "dropout", .kind = PARAMETER_FLOAT, .low = 0, .high = 1, .step = 0.1},
};
#define ODD "a whole number from 1 to 9 in steps of 2"
#define MIX "one of adam, say \"hi\"\n, 0.10, .5, True, null, [1, 2], 7, 7, \xc3\xa4"
enum { LR, LAYERS, VALUE, DATA, DROPOUT, COUNT };
static struct space space = {.parameters = parameters, .count = COUNT};

static void values_as_text_and_json(void)
{
    static const struct {
        size_t parameter;
        double value;
        const char *text, *json;
    } cases[] = {
        {LR, 1e-5, "1e-05", "1e-05"},
        {LR, 0.001, "0.001", "0.001"},
        {LAYERS, 3, "3", "3"},
        {DROPOUT, 0.3, "0.3", "0.3"},
        {DATA, 0, "cifar10", "\"cifar10\""},
        {VALUE, 0, "adam", "\"adam\""},
        {VALUE, 1, "say \"hi\"\n", "\"say \\\"hi\\\"\\n\""},
        {VALUE, 2, "0.10", "0.10"},
        {VALUE, 3, ".5", "0.5"},
        {VALUE, 4, "True", "true"},
        {VALUE, 5, "null", "null"},
        {VALUE, 6, "[1, 2]", "[1, 2]"},
        {VALUE, 8, "7", "7"},
        {VALUE, 9, "\xc3\xa4", "\"\xc3\xa4\""},
    };
    struct str s = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const struct parameter *p = &parameters[cases[i].parameter];
        double value = -1;
        str_clear(&s);
        space_put_text(p, cases[i].value, &s);
        is_text(s.text, cases[i].text, "a value as a program is given it");
        ok(space_read_text(p, s.text, &value) && value == cases[i].value, "%s reads back", s.text);
        str_clear(&s);
        space_put_value(p, cases[i].value, &s);
        is_text(s.text, cases[i].json, "a value as JSON");
    }
    str_free(&s);
}

static void texts_that_are_values(void)
{
    static const struct {
        size_t parameter;
        const char *text;
        double value; /* NaN: not a value */
    } cases[] = {
        {LR, "0.001", 0.001},     {LR, "1e-3", 0.001},   {LR, "0.2", NAN},
        {LR, "0", NAN},           {LR, "nan", NAN},      {LR, "", NAN},
        {LR, "abc", NAN},         {LAYERS, "5", 5},      {LAYERS, "5.0", 5},
        {LAYERS, "4", NAN},       {LAYERS, "9", 9},      {LAYERS, "11", NAN},
        {VALUE, "0.1", 2},        {VALUE, "0.5", 3},     {VALUE, "true", 4},
        {VALUE, "TRUE", 4},       {VALUE, "false", NAN}, {VALUE, "Adam", NAN},
        {VALUE, "\"adam\"", NAN}, {DROPOUT, "0.7", 0.7}, {DROPOUT, "0.75", NAN},
        {DATA, "cifar10", 0},     {DATA, "mnist", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double value = NAN;
        bool good = space_read_text(&parameters[cases[i].parameter], cases[i].text, &value);
        ok(good == !isnan(cases[i].value) && (!good || value == cases[i].value), "'%s' for %s: %s",
           cases[i].text, parameters[cases[i].parameter].name, good ? "a value" : "none");
    }
}

static void points_as_json(void)
{
    static const struct {
        double point[COUNT];
        const char *json;
    } cases[] = {
        {{1e-4, 3, 0, 0, 0.1},
         "{\"lr\":0.0001,\"layers\":3,\"value\":\"adam\",\"data.set\":\"cifar10\",\"dropout\":0."
         "1}"},
        {{NAN, NAN, 6, NAN, NAN}, "{\"value\":[1, 2]}"},
        {{NAN, NAN, 7, NAN, NAN}, "{\"value\":\"7\"}"},
        {{NAN, NAN, 8, NAN, 1}, "{\"value\":7,\"dropout\":1}"},
        {{NAN, NAN, NAN, NAN, NAN}, "{}"},
    };
    struct str s = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double point[COUNT];
        struct json json;
        struct err e = {0};
        str_clear(&s);
        space_put_json(&space, cases[i].point, &s);
        is_text(s.text, cases[i].json, "a point as JSON");
        json_open(&json, s.text, s.length);
        ok(space_read_json(&space, &json, point, &e) == 0 &&
               space_same(&space, point, cases[i].point),
           "it reads back: %s", s.text);
    }
    str_free(&s);
}

static void json_of_other_programs(void)
{
    static const struct {
        const char *json;
        size_t parameter;
        double value;
        const char *message; /* NULL: it is valid */
    } cases[] = {
        {"{ \"dropout\" : 0.30 , \"lr\" : 1E-3 }", DROPOUT, 0.3, NULL},
        {"{\"value\": \"\\u00e4\"}", VALUE, 9, NULL},
        {"{\"value\": 0.5}", VALUE, 3, NULL},
        {"{\"value\": 5e-1}", VALUE, 3, NULL},
        {"{\"value\": 7.0}", VALUE, 8, NULL},
        {"{\"lr\": null}", LR, NAN, NULL},
        {"{\"value\": null}", VALUE, 5, NULL},
        {"{\"layer\": 3}", 0, 0, "unknown parameter 'layer': did you mean 'layers'?"},
        {"{\"zzzzzz\": 3}", 0, 0, "unknown parameter 'zzzzzz'"},
        {"{\"layers\": 4}", 0, 0, "parameter 'layers' cannot be 4: it is " ODD},
        {"{\"layers\": \"3\"}", 0, 0, "parameter 'layers' cannot be \"3\": it is " ODD},
        {"{\"lr\": NaN}", 0, 0, "parameter 'lr' cannot be NaN: it is a number from 1e-05 to 0.1"},
        {"{\"value\": \"Adam\"}", 0, 0, "parameter 'value' cannot be \"Adam\": it is " MIX},
        {"{\"value\": false}", 0, 0, "parameter 'value' cannot be false: it is " MIX},
        {"{\"value\": {\"a\": 1}}", 0, 0, "parameter 'value' cannot be {\"a\": 1}: it is " MIX},
        {"[1]", 0, 0, "the parameters are not a JSON object: an object {...} is expected"},
        {"{\"lr\": 0.1", 0, 0, "the parameters are not a JSON object: ',' or '}' is expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double point[COUNT];
        struct json json;
        struct err e = {0};
        json_open(&json, cases[i].json, strlen(cases[i].json));
        int code = space_read_json(&space, &json, point, &e);
        is_text(e.message, cases[i].message ? cases[i].message : "", cases[i].json);
        if (code == 0)
            is_near(point[cases[i].parameter], cases[i].value, 0, "its value");
    }
}

int main(void)
{
    struct arena arena = {0};
    size_t circle;
    ok(space_finish(&space, &arena, &circle) == 0, "the space is complete");
    values_as_text_and_json();
    texts_that_are_values();
    points_as_json();
    json_of_other_programs();
    space_free(&space);
    arena_free(&arena);
    return tap_end();
}
