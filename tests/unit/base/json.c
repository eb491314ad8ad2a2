/* json - valid and invalid text, strings, numbers, depth, torn text, and the writer's output. */
#include "base/base.h"
#include "tap.h"

/* A text on one line, for the name of a check. */
static const char *shown(const char *text)
{
    static char line[80];
    size_t i = 0;
    for (; text[i] && i + 1 < sizeof line; i++)
        line[i] = text[i] >= ' ' && text[i] < 0x7f ? text[i] : '?';
    line[i] = 0;
    return line;
}

static const char *read_any(const char *text, size_t length)
{
    struct json j;
    json_open(&j, text, length);
    json_skip(&j);
    return json_close(&j);
}

static void good_texts_are_taken(void)
{
    static const char *const texts[] = {
        "null",
        "true",
        " false ",
        "0",
        "-0",
        "-1.5e+3",
        "1E5",
        "\"\"",
        "[]",
        "{}",
        "[ ]",
        "{ }",
        "[1,2,[3,[]],{}]",
        "{\"a\":1,\"b\":{\"c\":[true,false,null]}}",
        "\t{ \"a\" :\r\n1 , \"b\" : [ 1 , 2 ] }\n",
        "\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"",
        "\"\x7f\"",
        "NaN",
        "Infinity",
        "-Infinity",
        "[NaN,-Infinity]",
        "{\"\":0,\"a\":1,\"a\":2}",
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        const char *error = read_any(texts[i], strlen(texts[i]));
        ok(!error, "good: %s%s%s", shown(texts[i]), error ? ": " : "", error ? error : "");
    }
}

static void bad_texts_are_refused(void)
{
    static const struct {
        const char *text, *error;
    } cases[] = {
        {"", "a value is expected"},
        {"   ", "a value is expected"},
        {"nul", "a value is expected"},
        {"nan", "a value is expected"},
        {"tru", "true or false is expected"},
        {"True", "a value is expected"},
        {"+1", "a value is expected"},
        {".5", "a value is expected"},
        {"-", "a value is expected"},
        {"1.", "a value is expected"},
        {"01", "a value is expected"},
        {"-01", "a value is expected"},
        {"1e", "malformed number"},
        {"1e+", "malformed number"},
        {"1.5e-", "malformed number"},
        {"0x10", "more text follows the value"},
        {"1 2", "more text follows the value"},
        {"{}}", "more text follows the value"},
        {"[] []", "more text follows the value"},
        {"truefalse", "more text follows the value"},
        {"[1,]", "a value is expected"},
        {"[,1]", "a value is expected"},
        {"[1 2]", "',' or ']' is expected"},
        {"[1", "',' or ']' is expected"},
        {"[", "a list is not closed"},
        {"[1,", "a list is not closed"},
        {"{", "a string in quotes is expected"},
        {"{1:2}", "a string in quotes is expected"},
        {"{a:2}", "a string in quotes is expected"},
        {"{\"a\"}", "':' is expected"},
        {"{\"a\" 1}", "':' is expected"},
        {"{\"a\":}", "a value is expected"},
        {"{\"a\":1,}", "a string in quotes is expected"},
        {"{\"a\":1 \"b\":2}", "',' or '}' is expected"},
        {"{\"a\":1]", "',' or '}' is expected"},
        {"[1}", "',' or ']' is expected"},
        {"\"abc", "a string is not closed"},
        {"\"abc\\\"", "a string is not closed"},
        {"\"a\nb\"", "a string contains a control character"},
        {"\"\\x41\"", "unknown escape in a string"},
        {"\"\\u12\"", "unknown escape in a string"},
        {"\"\\u12g4\"", "unknown escape in a string"},
        {"\"\\", "unknown escape in a string"},
        {"'a'", "a value is expected"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[100];
        snprintf(name, sizeof name, "bad: %s", shown(cases[i].text));
        const char *error = read_any(cases[i].text, strlen(cases[i].text));
        is_text(error ? error : "(no error)", cases[i].error, name);
    }
    ok(read_any("1\0", 2) != NULL, "a zero byte is not white space");
    ok(read_any("\"a\0b\"", 5) != NULL, "a zero byte does not stand in a string");
}

/* Each prefix of a valid object is an error, and reading it stays within its bytes (see ASan). */
static void torn_texts_are_refused(void)
{
    const char *whole =
        "{\"id\":12,\"p\":{\"a\\u00e9\":1.5e-3,\"b\":[\"x\\n\",true,null]},\"n\":-0.25}";
    size_t length = strlen(whole);
    int taken = 0;
    for (size_t cut = 0; cut < length; cut++) {
        char *torn = memory_new(cut, 1);
        memcpy(torn, whole, cut);
        taken += read_any(torn, cut) == NULL;
        free(torn);
    }
    ok(taken == 0, "no begin of a text is taken for the whole");
    ok(read_any(whole, length) == NULL, "the whole is taken");
}

static void depth_has_a_limit(void)
{
    struct str text = {0};
    for (int depth = 1; depth <= 100000; depth = depth == 64 ? 100 : depth == 1 ? 64 : depth * 10) {
        str_clear(&text);
        for (int i = 0; i < depth; i++)
            str_add_char(&text, '[');
        for (int i = 0; i < depth; i++)
            str_add_char(&text, ']');
        const char *error = read_any(text.text, text.length);
        if (depth <= 64)
            ok(!error, "%d lists in each other are taken", depth);
        else
            is_text(error ? error : "(no error)", "objects and lists are nested too deeply",
                    "more are refused");
    }
    str_free(&text);
}

static void strings_are_unescaped(void)
{
    static const struct {
        const char *text, *expected;
    } cases[] = {
        {"\"\"", ""},
        {"\"plain\"", "plain"},
        {"\"\\\"\\\\\\/\\b\\f\\n\\r\\t\"", "\"\\/\b\f\n\r\t"},
        {"\"\\u0041\\u00e9\\u20AC\"", "A\xc3\xa9\xe2\x82\xac"},
        {"\"\\ud83d\\ude00!\"", "\xf0\x9f\x98\x80!"},
        {"\"\\ud83d\"", "\xef\xbf\xbd"},
        {"\"\\ud83dx\"", "\xef\xbf\xbdx"},
        {"\"\\ud83d\\u0041\"", "\xef\xbf\xbd"
                               "A"},
        {"\"\\ude00\\ud83d\"", "\xef\xbf\xbd\xef\xbf\xbd"},
        {"\"\xc3\xa9\"", "\xc3\xa9"},
    };
    struct str out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json j;
        json_open(&j, cases[i].text, strlen(cases[i].text));
        json_string(&j, &out);
        ok(json_close(&j) == NULL, "good string: %s", shown(cases[i].text));
        is_text(out.text, cases[i].expected, "  is unescaped");
    }
    struct json j;
    json_open(&j, "\"a\\u0000b\"", 10);
    json_string(&j, &out);
    ok(!json_close(&j) && out.length == 3 && memcmp(out.text, "a\0b", 4) == 0,
       "\\u0000 is a zero byte that the length counts");
    str_free(&out);
}

static void a_caller_walks_an_object(void)
{
    const char *text = "{\"id\":7, \"skip\":{\"deep\":[1,{\"x\":2}]}, \"list\":[1,2.5,-3], "
                       "\"name\":\"a\\tb\", \"yes\":true, \"raw\": [1, \"]\"] }";
    struct json j;
    struct slice key, raw = {0};
    struct str name = {0};
    double id = 0, sum = 0;
    bool yes = false;
    json_open(&j, text, strlen(text));
    ok(json_peek(&j) == JSON_OBJECT, "peek sees an object");
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        if (slice_is(key, "id"))
            id = json_number(&j);
        else if (slice_is(key, "name"))
            json_string(&j, &name);
        else if (slice_is(key, "yes"))
            yes = json_bool(&j);
        else if (slice_is(key, "raw"))
            raw = json_raw(&j);
        else if (slice_is(key, "list"))
            for (json_enter(&j, '['); json_item(&j);)
                sum += json_number(&j);
        else
            json_skip(&j);
    }
    ok(json_close(&j) == NULL, "the object ends well");
    ok(id == 7 && sum == 0.5 && yes, "numbers, lists and truth are read");
    is_text(name.text, "a\tb", "a string is read");
    ok(slice_is(raw, "[1, \"]\"]"), "a raw value is what stands there");
    str_free(&name);
}

static void peek_tells_kinds(void)
{
    static const struct {
        const char *text;
        enum json_kind kind;
    } cases[] = {{"", JSON_NOTHING},       {" null", JSON_NULL}, {"true", JSON_TRUE},
                 {"false", JSON_FALSE},    {"-1", JSON_NUMBER},  {"NaN", JSON_NUMBER},
                 {"\n\"a\"", JSON_STRING}, {"[", JSON_ARRAY},    {"{", JSON_OBJECT}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct json j;
        json_open(&j, cases[i].text, strlen(cases[i].text));
        ok(json_peek(&j) == cases[i].kind, "peek tells the kind of '%s'", shown(cases[i].text));
    }
}

static void an_error_is_sticky(void)
{
    struct json j;
    struct slice key;
    struct str out = {0};
    const char *text = "{\"a\": x, \"b\": 1}";
    json_open(&j, text, strlen(text));
    json_enter(&j, '{');
    ok(json_key(&j, &key) && isnan(json_number(&j)), "a wrong number is NaN");
    ok(!json_key(&j, &key) && !json_item(&j), "after an error there are no keys and no items");
    ok(json_peek(&j) == JSON_NOTHING, "after an error nothing comes");
    json_string(&j, &out);
    is_text(str_text(&out), "", "after an error a string is empty");
    ok(json_raw(&j).length == 0, "after an error a raw value is empty");
    is_text(json_close(&j), "a value is expected", "the first error is the one that is told");
    ok(j.at - j.start == 6, "its place is told");
    json_open(&j, "[1]", 3);
    json_enter(&j, '{');
    is_text(json_close(&j), "an object {...} is expected", "a list is not an object");
    json_open(&j, "1", 1);
    json_bool(&j);
    is_text(json_close(&j), "true or false is expected", "a number is not a truth");
    str_free(&out);
}

static void numbers_are_those_of_strtod(void)
{
    struct random r;
    struct str text = {0};
    long wrong = 0;
    random_seed(&r, 1, 0);
    for (int i = 0; i < 100000; i++) {
        str_clear(&text);
        if (random_below(&r, 2))
            str_add_char(&text, '-');
        if (random_below(&r, 2))
            str_add_char(&text, '0');
        else
            str_printf(&text, "%llu", 1 + (unsigned long long)random_below(&r, 100000));
        uint64_t decimals = random_below(&r, 25);
        if (decimals > 0)
            str_add_char(&text, '.');
        for (uint64_t k = 0; k < decimals; k++)
            str_add_char(&text, (char)('0' + (int)random_below(&r, 10)));
        if (random_below(&r, 3) == 0)
            str_printf(&text, "e%d", (int)random_below(&r, 700) - 350);
        struct json j;
        json_open(&j, text.text, text.length);
        double expected = strtod(text.text, NULL);
        double got = json_number(&j);
        if (json_close(&j) || memcmp(&got, &expected, sizeof got) != 0)
            wrong += ok(false, "%s is read as %.17g", text.text, got) ? 0 : 1;
    }
    ok(wrong == 0, "100000 random numbers are read as strtod reads them");
    str_clear(&text);
    for (int i = 0; i < 500; i++)
        str_add_char(&text, '9');
    ok(read_any(text.text, text.length) != NULL, "a number of 500 digits is refused");
    str_free(&text);
}

int main(void)
{
    good_texts_are_taken();
    bad_texts_are_refused();
    torn_texts_are_refused();
    depth_has_a_limit();
    strings_are_unescaped();
    a_caller_walks_an_object();
    peek_tells_kinds();
    an_error_is_sticky();
    numbers_are_those_of_strtod();
    return tap_end();
}
