/* Arrays: sorting, searching, copying; and the characters of texts. */
#include "leaf/leaf.h"

#include "tap.h"

static struct leaf_value text(const char *text)
{
    return leaf_text(slice_of(text));
}

static void test_search(struct arena *arena)
{
    enum { COUNT = 1000 };
    struct leaf_value array;
    struct err e = {0};
    struct leaf_member *items = leaf_array_start(&array, COUNT, arena);
    for (int i = 0; i < COUNT; i++)
        items[i] = (struct leaf_member){leaf_whole(i * 7919 % COUNT * 3 - 500), leaf_whole(i)};
    ok(leaf_array_end(&array, &e) == 0, "members in any order are sorted");
    int found = 0, missing = 0;
    for (int i = 0; i < COUNT; i++) {
        struct leaf_value key = leaf_whole(i * 7919 % COUNT * 3 - 500),
                          other = leaf_whole(key.whole + 1);
        const struct leaf_value *value = leaf_member(&array, &key);
        found += value && value->whole == i;
        missing += !leaf_member(&array, &other);
    }
    ok(found == COUNT, "each member is found by its key");
    ok(missing == COUNT, "and no other");
    struct leaf_value least = leaf_whole(INT64_MIN), most = leaf_whole(INT64_MAX);
    ok(!leaf_member(&array, &least) && !leaf_member(&array, &most),
       "the ends of all ints are missing");
    leaf_list_start(&array, LEAF_ARRAY, 0, arena);
    ok(!leaf_member(&array, &least), "an empty array has no members");
}

static void test_duplicates(struct arena *arena)
{
    struct leaf_value array;
    struct err e = {0};
    struct leaf_member *items = leaf_array_start(&array, 3, arena);
    items[0].key = text("b");
    items[1].key = text("a");
    items[2].key = text("b");
    ok(leaf_array_end(&array, &e) == ERR_USER, "a key that comes twice is a mistake");
    is_text(e.message, "two members have the key b", "that names it");
}

static void test_order(void)
{
    const struct leaf_value ascending[][2] = {
        {leaf_whole(-1), leaf_whole(0)},
        {leaf_whole(INT64_MIN), leaf_whole(INT64_MAX)},
        {leaf_number(-0.5), leaf_number(0)},
        {leaf_number(INFINITY), leaf_number(NAN)},
        {text(""), text("a")},
        {text("a"), text("ab")},
        {text("Z"), text("a")},
        {text("z"), text("\xc3\xa4")},
        {leaf_truth(false), leaf_truth(true)},
    };
    for (size_t i = 0; i < sizeof ascending / sizeof *ascending; i++) {
        const struct leaf_value *a = &ascending[i][0], *b = &ascending[i][1];
        ok(leaf_compare(a, b) < 0 && leaf_compare(b, a) > 0, "pair %zu is in order", i);
        ok(leaf_compare(a, a) == 0 && leaf_compare(b, b) == 0, "and each equals itself");
    }
}

static void test_copy(struct arena *arena)
{
    struct arena own = {0};
    struct leaf_value array, row;
    struct leaf_member *items = leaf_list_start(&row, LEAF_STRUCT, 2, &own);
    items[0].value = leaf_text((struct slice){arena_copy(&own, "inner", 5), 5});
    items[1].value = (struct leaf_value){.kind = LEAF_REFERENCE, .whole = 12};
    items = leaf_array_start(&array, 1, &own);
    items[0] = (struct leaf_member){leaf_text((struct slice){arena_copy(&own, "key", 3), 3}), row};
    struct leaf_value copy = leaf_copy(&array, arena);
    arena_free(&own);
    struct str s = {0};
    leaf_show(&s, &copy);
    is_text(s.text, "key {0 inner 1 12}", "a copy needs nothing of the original");
    str_free(&s);
}

static const struct {
    const char *text;
    size_t count;
    size_t offsets[4]; /* of the characters 0 to 3 */
} characters[] = {
    {"", 0, {0, 0, 0, 0}},
    {"abc", 3, {0, 1, 2, 3}},
    {"h\xc3\xa9\xe2\x86\x92", 3, {0, 1, 3, 6}},
    {"\xf0\x9f\x98\x80x", 2, {0, 4, 5, 5}},
    {"\x80\x80", 1, {0, 2, 2, 2}}, /* not UTF-8: one character */
    {"\xff\xfe"
     "a",
     3,
     {0, 1, 2, 3}},
};

static void test_characters(void)
{
    for (size_t i = 0; i < sizeof characters / sizeof *characters; i++) {
        struct slice slice = slice_of(characters[i].text);
        size_t count = leaf_characters(slice), at = 0, steps = 0;
        ok(count == characters[i].count, "text %zu has %zu characters", i, count);
        bool right = true;
        for (size_t j = 0; j < 4; j++)
            right &= leaf_character_offset(slice, j) == characters[i].offsets[j];
        ok(right, "each at its place");
        for (; at < slice.length; steps++)
            leaf_character(slice, &at);
        ok(steps == count, "and as many steps lead through it");
    }
}

static void test_long_text(void)
{
    struct str s = {0};
    for (int i = 0; i < 1000; i++)
        str_add(&s, i % 3 == 0 ? "\xe2\x86\x92" : "x");
    struct slice slice = {s.text, s.length};
    size_t at = 0, wrong = 0;
    for (size_t i = 0; i < 1000; i++) {
        wrong += leaf_character_offset(slice, i) != at;
        uint32_t character = leaf_character(slice, &at);
        wrong += character != (i % 3 == 0 ? 0x2192 : 'x');
    }
    ok(leaf_characters(slice) == 1000 && wrong == 0, "every character of a long text is found");
    str_free(&s);
}

static void test_add_character(void)
{
    struct str s = {0};
    ok(leaf_add_character(&s, 'a') && leaf_add_character(&s, 0xe9) &&
           leaf_add_character(&s, 0x2192) && leaf_add_character(&s, 0x1f600),
       "characters of any length are written");
    is_text(s.text, "a\xc3\xa9\xe2\x86\x92\xf0\x9f\x98\x80", "as UTF-8");
    ok(!leaf_add_character(&s, -1) && !leaf_add_character(&s, 0xd800) &&
           !leaf_add_character(&s, 0x110000),
       "what is no character is not");
    str_free(&s);
}

int main(void)
{
    struct arena arena = {0};
    test_search(&arena);
    test_duplicates(&arena);
    test_order();
    test_copy(&arena);
    test_characters();
    test_long_text();
    test_add_character();
    arena_free(&arena);
    return tap_end();
}
