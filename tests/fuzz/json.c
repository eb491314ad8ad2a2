/*
 * json - any bytes as JSON: reading stays within them, and what was read, written and read again is
 * the same.
 */
#include "base/base.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size);

static void same_again(const struct str *text)
{
    struct str written = {0}, again = {0}, twice = {0};
    struct json j;
    json_put_string(&written, text->text, text->length);
    json_open(&j, written.text, written.length);
    json_string(&j, &again);
    if (json_close(&j))
        BUG("what was written cannot be read: %s", written.text);
    /* `again` is UTF-8, so from now on nothing changes. */
    json_put_string(&twice, again.text, again.length);
    if (twice.length != written.length || memcmp(twice.text, written.text, twice.length) != 0)
        BUG("a string changed: %s", written.text);
    str_free(&written);
    str_free(&again);
    str_free(&twice);
}

static void check_number(double number)
{
    struct str text = {0};
    struct json j;
    str_add_number(&text, number);
    json_open(&j, text.text, text.length);
    double again = json_number(&j);
    if (number - number == 0 && (json_close(&j) || again != number))
        BUG("a number changed: %s", text.text);
    str_free(&text);
}

static void walk(struct json *j, int depth)
{
    struct str text = {0};
    struct slice key;
    switch (depth > 50 ? JSON_NOTHING : json_peek(j)) {
    case JSON_OBJECT:
        json_enter(j, '{');
        while (json_key(j, &key))
            walk(j, depth + 1);
        break;
    case JSON_ARRAY:
        json_enter(j, '[');
        while (json_item(j))
            walk(j, depth + 1);
        break;
    case JSON_STRING:
        json_string(j, &text);
        same_again(&text);
        break;
    case JSON_NUMBER: check_number(json_number(j)); break;
    default: json_skip(j); break;
    }
    str_free(&text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct json walked, skipped;
    json_open(&walked, (const char *)bytes, size);
    json_open(&skipped, (const char *)bytes, size);
    walk(&walked, 0);
    json_skip(&skipped);
    if (!json_close(&walked) != !json_close(&skipped))
        BUG("walking and skipping do not agree");
    return 0;
}
