/* Places: which file, line and column a position stands for, and how mistakes show them. */
#include "syntax/source.h"

#include "tap.h"

#include <limits.h>

static void is_place(const struct sources *sources, uint32_t at, const char *file, int line,
                     int column, const char *source)
{
    struct source_place place = source_place(sources, at);
    if (!ok(strcmp(place.file, file) == 0 && place.line == line && place.column == column &&
                slice_is(place.source, source),
            "position %u is %s:%d:%d", at, file, line, column))
        printf("# got %s:%d:%d %.*s\n", place.file, place.line, place.column,
               (int)place.source.length, place.source.text);
}

static void test_plain(void)
{
    struct sources sources = {0};
    ok(source_add_plain(&sources, "a", slice_of("one\r\ntw\xc3\xb6 x\n")) == 0, "a first text");
    ok(source_add_plain(&sources, "b", slice_of("")) == 1, "an empty one");
    ok(source_add_plain(&sources, "c", slice_of("\xef\xbb\xbfxyz")) == 2, "one with a mark");
    uint32_t a = sources.texts[0].first, b = sources.texts[1].first, c = sources.texts[2].first;
    is_place(&sources, a, "a", 1, 1, "one");
    is_place(&sources, a + 2, "a", 1, 3, "one");
    is_place(&sources, a + 5, "a", 2, 1, "tw\xc3\xb6 x");
    is_place(&sources, a + 10, "a", 2, 5, "tw\xc3\xb6 x");
    is_place(&sources, a + 12, "a", 3, 1, "");
    is_place(&sources, b, "b", 1, 1, "");
    is_place(&sources, c, "c", 1, 1, "xyz");
    is_place(&sources, c + 3, "c", 1, 4, "xyz");
    is_place(&sources, 0, "", 0, 0, "");
    is_place(&sources, sources.end, "", 0, 0, "");
    is_place(&sources, UINT32_MAX, "", 0, 0, "");
    ok(slice_is(source_slice(&sources, a + 5, 3), "tw\xc3"), "bytes of a text");
    ok(slice_is(source_slice(&sources, c + 1, 99), "yz"), "no more than there are");
    ok(source_slice(&sources, 0, 5).length == 0, "none without a text");
    source_free(&sources);
}

static void test_segments(void)
{
    struct sources sources = {0};
    source_add_plain(&sources, "first", slice_of("text"));
    uint32_t a = source_add_file(&sources, "a", slice_of("one\ntwo\nthree\nfour\n"));
    uint32_t b = source_add_file(&sources, "b", slice_of("uno\n"));
    uint32_t far = source_add_file(&sources, "far", (struct slice){"", 0});
    const struct source_segment segments[] = {
        {.at = 0, .file = a, .line = 1, .column = 1},
        {.at = 4, .file = b, .line = 1, .column = 3},
        {.at = 8, .file = a, .line = 3, .column = 2, .fixed = true},
        {.at = 12, .file = a, .line = 3, .column = 4},
        {.at = 16, .file = far, .line = INT_MAX, .column = INT_MAX},
    };
    size_t text = source_add_text(&sources, slice_of("one\no\nunmade\n ee\nfour\n"), segments, 5);
    uint32_t at = sources.texts[text].first;
    is_place(&sources, at + 1, "a", 1, 2, "one");
    is_place(&sources, at + 4, "b", 1, 3, "uno");
    is_place(&sources, at + 6, "b", 2, 1, "");
    is_place(&sources, at + 8, "a", 3, 2, "three");
    is_place(&sources, at + 11, "a", 3, 2, "three");
    is_place(&sources, at + 12, "a", 3, 4, "three");
    is_place(&sources, at + 13, "a", 4, 1, "four");
    is_place(&sources, at + 20, "far", INT_MAX, 4, "");
    struct str s = {0};
    source_add_place(&s, &sources, at + 8);
    is_text(s.text, "a:3", "a place in a message");
    str_free(&s);
    size_t bare = source_add_text(&sources, slice_of("x"), NULL, 0);
    is_place(&sources, sources.texts[bare].first, "", 0, 0, "");
    source_free(&sources);
}

static void test_mistakes(void)
{
    struct sources sources = {0};
    struct err_list list = {0};
    source_add_plain(&sources, "a",
                     slice_of("good\n\tb\xc3\xa4"
                              "d\tbad\n"));
    uint32_t at = sources.texts[0].first;
    source_mistake(&sources, &list, at + 11, "%d is wrong", 5);
    const struct err *e = &list.items[0];
    is_text(e->message, "5 is wrong", "the message of a mistake");
    is_text(e->source,
            " b\xc3\xa4"
            "d bad",
            "its line, without tabs");
    ok(e->code == ERR_USER && e->line == 2 && e->column == 6 && e->caret == 6, "its place");
    source_mistake(&sources, &list, 0, "nowhere");
    ok(list.items[1].line == 0 && !list.items[1].file[0], "a mistake without a place");
    for (int i = 0; i < 200; i++)
        source_mistake(&sources, &list, at, "again");
    ok(list.count == 202, "all are counted");
    err_list_free(&list);
    source_free(&sources);
}

static void test_long_line(void)
{
    struct sources sources = {0};
    struct err_list list = {0};
    struct str text = {0};
    for (int i = 0; i < 1000; i++)
        str_add(&text, "\xc3\xa4");
    str_add(&text, "X");
    source_add_plain(&sources, "a", (struct slice){text.text, text.length});
    source_mistake(&sources, &list, sources.texts[0].first + 2000, "here");
    const struct err *e = &list.items[0];
    ok(e->column == 1001 && e->caret == 79, "the caret counts from the start of what is shown");
    ok(strncmp(e->source, "...", 3) == 0 && strlen(e->source) == 154, "the line is cut");
    err_list_free(&list);
    str_free(&text);
    source_free(&sources);
}

static void test_room(void)
{
    struct sources sources = {0};
    ok(source_has_room(&sources, SOURCE_LIMIT - 1), "room for a large text");
    ok(!source_has_room(&sources, SOURCE_LIMIT), "but not for any");
    ok(!source_has_room(&sources, SIZE_MAX), "and not for all of memory");
    source_add_plain(&sources, "a", slice_of("abc"));
    ok(!source_has_room(&sources, SOURCE_LIMIT - 5), "less room when there is a text");
    source_free(&sources);
}

int main(void)
{
    test_plain();
    test_segments();
    test_mistakes();
    test_long_line();
    test_room();
    return tap_end();
}
