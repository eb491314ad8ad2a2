/* The module `string`. */
#include "call.h"

static const struct call_case cases[] = {
    {"strlen(\"\")", "0"},
    {"strlen(\"h\xc3\xa9\xe2\x86\x92\")", "3"},
    {"substring(\"workflow\", 4, 4)", "flow"},
    {"substring(\"workflow\", 6, 99)", "ow"},
    {"substring(\"workflow\", 8, 1)", ""},
    {"substring(\"workflow\", 99, 1)", ""},
    {"substring(\"workflow\", 2, 0)", ""},
    {"substring(\"workflow\", 2, -3)", ""},
    {"substring(\"hello\", -1, 2)", "h"},
    {"substring(\"hello\", -5, 2)", ""},
    {"substring(\"hello\", -5, 9223372036854775807)", "hello"},
    {"substring(\"hello\", 9223372036854775807, 9223372036854775807)", ""},
    {"substring(\"hello\", 1, 9223372036854775807)", "ello"},
    {"substring(\"h\xc3\xa9\xe2\x86\x92x\", 1, 2)", "\xc3\xa9\xe2\x86\x92"},
    {"find(\"mississippi\", \"ss\", 0, -1)", "2"},
    {"find(\"mississippi\", \"ss\", 3, -1)", "5"},
    {"find(\"mississippi\", \"ss\", -7, -1)", "2"},
    {"find(\"mississippi\", \"ss\", 0, 3)", "-1"},
    {"find(\"mississippi\", \"ss\", 0, 4)", "2"},
    {"find(\"mississippi\", \"ss\", 0, 99)", "2"},
    {"find(\"mississippi\", \"ss\", 0, -2)", "-1"},
    {"find(\"mississippi\", \"ss\", 99, -1)", "-1"},
    {"find(\"mississippi\", \"ss\", 5, 2)", "-1"},
    {"find(\"mississippi\", \"xx\", 0, -1)", "-1"},
    {"find(\"mississippi\", \"\", 0, -1)", "-1"},
    {"find(\"\", \"a\", 0, -1)", "-1"},
    {"find(\"\xc3\xa9\xc3\xa9x\", \"x\", 1, 3)", "2"},
    {"string_count(\"mississippi\", \"ss\", 0, -1)", "2"},
    {"string_count(\"aaaa\", \"aa\", 0, -1)", "2"},
    {"string_count(\"aaaaa\", \"aa\", 1, 4)", "1"},
    {"string_count(\"aaaa\", \"\", 0, -1)", "0"},
    {"isint(\"-42\")", "1"},
    {"isint(\" 7 \")", "1"},
    {"isint(\"4.2\")", "0"},
    {"isint(\"\")", "0"},
    {"isint(\"a1\")", "0"},
    {"isint(\"0x1F\")", "1"},
    {"isint(\"9223372036854775808\")", "0"},
    {"replace(\"mississippi\", \"ss\", \"SS\", 0)", "miSSissippi"},
    {"replace(\"mississippi\", \"ss\", \"SS\", 3)", "missiSSippi"},
    {"replace(\"mississippi\", \"x\", \"SS\", 0)", "mississippi"},
    {"replace(\"mississippi\", \"\", \"SS\", 0)", "mississippi"},
    {"replace(\"abc\", \"abc\", \"\", 0)", ""},
    {"replace(\"\xc3\xa9-\xc3\xa9-\", \"-\", \"+\", 2)", "\xc3\xa9-\xc3\xa9+"},
    {"replaceAll(\"mississippi\", \"i\", \"!\")", "m!ss!ss!pp!"},
    {"replaceAll(\"banana\", \"a\", \"X\", 1, 4)", "bXnXna"},
    {"replaceAll(\"banana\", \"an\", \"X\", 1, 4)", "bXana"},
    {"replaceAll(\"banana\", \"a\", \"X\", 2)", "banXnX"},
    {"replaceAll(\"aaa\", \"a\", \"aa\")", "aaaaaa"},
    {"trim(\"  alpha beta \")", "alpha beta"},
    {"trim(\"   \")", ""},
    {"join([\"x\", \"y\", \"z\"], \"/\")", "x/y/z"},
    {"join({5: \"b\", -3: \"a\", 9: \"c\"}, \" \")", "a b c"},
    {"join([], \"-\")", ""},
    {"join_args(\"-\", \"v\", 3, 0.5)", "v-3-0.5"},
    {"join_args(\"-\")", ""},
    {"string_from_floats([1.0, 2.5])", "1.0,2.5"},
    {"toUpper(\"MiXed 1\")", "MIXED 1"},
    {"toLower(\"MiXed 1\")", "mixed 1"},
    {"toUpper(\"stra\xc3\x9f"
     "e \xc3\xa4\xc3\xbf\xc5\x82\xc4\xb1\")",
     "STRA\xc3\x9f"
     "E \xc3\x84\xc5\xb8\xc5\x81I"},
    {"toLower(\"\xc3\x84\xc5\xb8\xc5\x81\xc3\x97\xc4\xb0\")", "\xc3\xa4\xc3\xbf\xc5\x82\xc3\x97i"},
    {"toUpper(\"\xce\xb1\xcf\x89\xcf\x82\xce\xac\")", "\xce\x91\xce\xa9\xce\xa3\xce\x86"},
    {"toLower(\"\xce\x91\xce\xa9\xce\x8f\")", "\xce\xb1\xcf\x89\xcf\x8e"},
    {"toUpper(\"\xd0\xb6\xd1\x8f\xd1\x91\")", "\xd0\x96\xd0\xaf\xd0\x81"},
    {"toLower(\"\xd0\x96\xd0\xaf\xd0\x81\")", "\xd0\xb6\xd1\x8f\xd1\x91"},
    {"toUpper(\"\xe2\x86\x92\xff\")", "\xe2\x86\x92\xff"},
    /* arrays are shown as keys and members */
    {"split(\"alpha,beta;gamma\", \",;\")", "0 alpha 1 beta 2 gamma"},
    {"split(\"a  b\", \" \")", "0 a 1  2 b"},
    {"split(\",a,\", \",\")", "0  1 a 2 "},
    {"split(\"\", \",\")", ""},
    {"split(\",\", \",\")", "0  1 "},
    {"split(\"h\xc3\xa9x\", \"\")", "0 h 1 \xc3\xa9 2 x"},
    {"split(\"\", \"\")", ""},
    {"split(\"a\xe2\x86\x92"
     "b,c\", \"\xe2\x86\x92,\xc3\xa9\")",
     "0 a 1 b 2 c"},
    {"pick_regexp(\"^a.*[0-9]$\", {3: \"a1\", 5: \"b1\", 7: \"xa1\", 9: \"abc2\"})", "3 a1 9 abc2"},
    {"pick_regexp(\"\\d+\", [\"a\", \"b7\"])", "1 b7"},
    {"pick_regexp(\"a|b\", [])", ""},
    {"pick_regexp(\"\", [\"\", \"a\"])", "0  1 a"},
    {"pick_regexp(\"(\", [\"a\"])",
     "error: pick_regexp: '(' is not a regular expression: Unmatched ( or \\("},
    {"pick_regexp(\"(a{999}){999}\", [\"a\"])",
     "error: pick_regexp: the regular expression '(a{999}){999}' is too large: at most 1000 bytes, "
     "few repeats and no back reference are allowed"},
    {"pick_regexp(\"a+++++++++++++++++\", [\"a\"])",
     "error: pick_regexp: the regular expression 'a+++++++++++++++++' is too large: at most 1000 "
     "bytes, few repeats and no back reference are allowed"},
    {"pick_regexp(\"(a*)\\1\", [\"a\"])",
     "error: pick_regexp: the regular expression '(a*)\\1' is too large: at most 1000 bytes, few "
     "repeats and no back reference are allowed"},
};

/* Each letter of a language with both cases leads to the other one and back. */
static void test_case_pairs(void)
{
    static const struct {
        int64_t first, last;
        int letters; /* with two cases */
    } ranges[] = {{'A', 'z', 52},
                  {0xc0, 0xff, 61},
                  {0x100, 0x17e, 125},
                  {0x391, 0x3c9, 55},
                  {0x400, 0x45f, 96}};
    struct arena arena = {0};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++) {
        int letters = 0;
        for (int64_t letter = ranges[i].first; letter <= ranges[i].last; letter++) {
            struct str s = {0}, upper = {0}, lower = {0};
            leaf_add_character(&s, letter);
            char name[64];
            snprintf(name, sizeof name, "toUpper(\"%s\")", s.text);
            call_run(name, &upper);
            snprintf(name, sizeof name, "toLower(\"%s\")", s.text);
            call_run(name, &lower);
            bool is_upper = strcmp(upper.text, s.text) == 0;
            letters += strcmp(upper.text, lower.text) != 0 &&
                       (is_upper || strcmp(lower.text, s.text) == 0);
            str_free(&s);
            str_free(&upper);
            str_free(&lower);
        }
        if (!ok(letters == ranges[i].letters, "letters from U+%04llx on",
                (long long)ranges[i].first))
            printf("# %d of %d\n", letters, ranges[i].letters);
    }
    arena_free(&arena);
}

static struct leaf_value text_of(const struct str *s)
{
    return leaf_text((struct slice){s->text, s->length});
}

/* Runs a function of two or three texts that are long. */
static struct leaf_value run_long(const char *name, const struct leaf_value *inputs, size_t count,
                                  struct arena *arena)
{
    struct err e = {0};
    struct leaf_value output = {0};
    struct leaf_call call = {.inputs = inputs,
                             .input_count = count,
                             .outputs = &output,
                             .output_count = 1,
                             .arena = arena};
    ok(leaf_find(name)->run(&call, &e) == 0, "%s of a long text", name);
    return output;
}

static void test_long_texts(void)
{
    enum { WORDS = 200000 };
    struct arena arena = {0};
    struct str s = {0};
    for (int i = 0; i < WORDS; i++)
        str_add(&s, i % 2 ? "\xc3\xa9 " : "ab ");
    const struct leaf_value split[] = {text_of(&s), leaf_text(slice_of(" "))};
    struct leaf_value words = run_long("split", split, 2, &arena);
    ok(words.members->count == WORDS + 1, "all words are there");
    const struct leaf_value join[] = {words, leaf_text(slice_of(" "))};
    ok(slice_equal(run_long("join", join, 2, &arena).text, split[0].text), "and join to the text");
    const struct leaf_value replace[] = {text_of(&s), leaf_text(slice_of("ab")),
                                         leaf_text(slice_of("c"))};
    ok(run_long("replaceAll", replace, 3, &arena).text.length == s.length - WORDS / 2,
       "and shrink when they are replaced");
    const struct leaf_value count[] = {text_of(&s), leaf_text(slice_of("\xc3\xa9")), leaf_whole(0),
                                       leaf_whole(-1)};
    ok(run_long("string_count", count, 4, &arena).whole == WORDS / 2, "and are counted");
    arena_free(&arena);
    str_free(&s);
}

int main(void)
{
    CALL_CHECK(cases);
    test_case_pairs();
    test_long_texts();
    return tap_end();
}
