/* The writer of JSON. */
#include "base/base.h"

#include "tap.h"

#include <math.h>

static void strings_are_written(void)
{
    static const struct {
        const char *text, *expected, *name;
    } cases[] = {
        {"", "\"\"", "nothing"},
        {"plain text", "\"plain text\"", "plain text"},
        {"\"\\/", "\"\\\"\\\\/\"", "quote and backslash"},
        {"\b\f\n\r\t", "\"\\b\\f\\n\\r\\t\"", "named control characters"},
        {"\x01\x1f\x7f", "\"\\u0001\\u001f\x7f\"", "other control characters"},
        {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80", "\"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\"",
         "UTF-8"},
        {"a\xff"
         "b",
         "\"a\xef\xbf\xbd"
         "b\"",
         "a byte that is never UTF-8"},
        {"\xc3", "\"\xef\xbf\xbd\"", "a torn sequence"},
        {"\xe2\x82", "\"\xef\xbf\xbd\xef\xbf\xbd\"", "a longer torn sequence"},
        {"\xc0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\"", "an overlong zero"},
        {"\xe0\x80\xaf", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "an overlong slash"},
        {"\xed\xa0\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"", "half of a surrogate pair"},
        {"\xf4\x90\x80\x80", "\"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\"",
         "beyond Unicode"},
        {"\x80", "\"\xef\xbf\xbd\"", "a byte from inside of a sequence"},
    };
    struct str out = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        str_clear(&out);
        json_put_string(&out, cases[i].text, strlen(cases[i].text));
        is_text(out.text, cases[i].expected, cases[i].name);
    }
    str_clear(&out);
    json_put_string(&out, "a\0b", 3);
    is_text(out.text, "\"a\\u0000b\"", "a zero byte");
    str_free(&out);
}

/* Random bytes become a valid string; UTF-8 comes back unchanged. */
static void strings_come_back(void)
{
    struct random r;
    struct str text = {0}, written = {0}, again = {0}, twice = {0};
    long bad = 0, changed = 0;
    random_seed(&r, 2, 0);
    for (int i = 0; i < 20000; i++) {
        str_clear(&text);
        str_clear(&written);
        str_clear(&twice);
        for (uint64_t left = random_below(&r, 12); left > 0; left--)
            str_add_char(&text, (char)random_below(&r, 256));
        json_put_string(&written, text.text, text.length);
        struct json j;
        json_open(&j, written.text, written.length);
        json_string(&j, &again);
        bad += json_close(&j) != NULL;
        /* `again` is UTF-8 now, so a second round trip changes nothing. */
        json_put_string(&twice, again.text, again.length);
        changed +=
            twice.length != written.length || memcmp(twice.text, written.text, twice.length) != 0;
    }
    ok(bad == 0, "any bytes become a string that can be read");
    ok(changed == 0, "what is UTF-8 comes back unchanged");
    str_free(&text);
    str_free(&written);
    str_free(&again);
    str_free(&twice);
}

static void numbers_are_written(void)
{
    struct str out = {0};
    json_put_number(&out, 0.1);
    str_add_char(&out, ' ');
    json_put_number(&out, NAN);
    str_add_char(&out, ' ');
    json_put_number(&out, -INFINITY);
    is_text(out.text, "0.1 null null", "NaN and infinities are written as null");
    str_free(&out);
}

static void commas_come_by_themselves(void)
{
    struct str s = {0};
    json_add_object(&s);
    json_set_text(&s, "text", "a\"b");
    json_set_text(&s, "none", NULL);
    json_set_string(&s, "part", "abcdef", 3);
    json_set_number(&s, "number", 0.25);
    json_set_number(&s, "nan", NAN);
    json_set_whole(&s, "whole", UINT64_MAX);
    json_set_bool(&s, "yes", true);
    json_set_bool(&s, "no", false);
    json_set_null(&s, "null");
    json_set_raw(&s, "raw", "[1, 2]");
    json_set_printf(&s, "short", "%.3f", 2.0 / 3);
    json_set_numbers(&s, "numbers", (double[]){1, 2.5, INFINITY}, 3);
    json_set_numbers(&s, "nothing", NULL, 0);
    json_end_object(&s);
    is_text(s.text,
            "{\"text\":\"a\\\"b\",\"none\":null,\"part\":\"abc\",\"number\":0.25,\"nan\":null,"
            "\"whole\":18446744073709551615,\"yes\":true,\"no\":false,\"null\":null,"
            "\"raw\":[1, 2],\"short\":0.667,\"numbers\":[1,2.5,null],\"nothing\":[]}",
            "members of an object");
    str_clear(&s);
    json_add_array(&s);
    json_add_text(&s, "{");
    json_add_string(&s, "[x", 1);
    json_add_text(&s, NULL);
    json_add_number(&s, -1.5);
    json_add_whole(&s, 0);
    json_add_bool(&s, false);
    json_add_bool(&s, true);
    json_add_null(&s);
    json_add_raw(&s, "{}");
    json_add_printf(&s, "%d", 7);
    json_add_numbers(&s, (double[]){3}, 1);
    json_end_array(&s);
    is_text(s.text, "[\"{\",\"[\",null,-1.5,0,false,true,null,{},7,[3]]", "items of an array");
    str_free(&s);
}

static void values_nest(void)
{
    struct str s = {0};
    json_add_object(&s);
    json_set_object(&s, "empty");
    json_end_object(&s);
    json_set_array(&s, "list");
    for (int i = 0; i < 2; i++) {
        json_add_object(&s);
        json_add_name(&s, "a \"name\"");
        json_add_whole(&s, 1);
        json_add_key(&s, "inner");
        json_add_array(&s);
        json_end_array(&s);
        json_end_object(&s);
    }
    json_end_array(&s);
    json_add_raw(&s, "\"prepared\":");
    json_add_object(&s);
    json_add_raw(&s, "\"key\":");
    json_add_number(&s, 1);
    json_add_raw(&s, "\"next\":");
    json_add_number(&s, 2);
    json_end_object(&s);
    json_end_object(&s);
    is_text(s.text,
            "{\"empty\":{},\"list\":[{\"a \\\"name\\\"\":1,\"inner\":[]},"
            "{\"a \\\"name\\\"\":1,\"inner\":[]}],\"prepared\":{\"key\":1,\"next\":2}}",
            "objects and arrays, and keys of all kinds");
    str_free(&s);
}

static void other_text_stands_before(void)
{
    struct str s = {0};
    for (int i = 0; i < 2; i++) {
        json_add_object(&s);
        json_set_whole(&s, "line", 1);
        json_end_object(&s);
        str_add_char(&s, '\n');
    }
    str_add(&s, "<script>");
    json_add_array(&s);
    str_add_char(&s, '\n');
    json_add_whole(&s, 1);
    str_add(&s, ",\n");
    json_add_whole(&s, 2);
    str_add_char(&s, '\n');
    json_end_array(&s);
    is_text(s.text, "{\"line\":1}\n{\"line\":1}\n<script>[\n1,\n2\n]",
            "lines, HTML and commas by hand stay as they are");
    str_free(&s);
}

int main(void)
{
    strings_are_written();
    strings_come_back();
    numbers_are_written();
    commas_come_by_themselves();
    values_nest();
    other_text_stands_before();
    return tap_end();
}
