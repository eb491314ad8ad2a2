/* The preprocessor: what it makes of a text, the places of that, and every mistake and limit. */
#include "syntax/preprocess.h"

#include "tap.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* What came of a text. */
struct result {
    struct sources sources;
    struct preprocessed made;
    struct syntax_report report;
    int code;
    uint32_t first; /* position of what was made */
};

static void run_named(struct result *result, const char *name, const char *text,
                      const struct syntax_options *options)
{
    *result = (struct result){0};
    result->code =
        preprocess(&result->sources, name, slice_of(text), options, &result->made, &result->report);
    struct slice made = {str_text(&result->made.text), result->made.text.length};
    size_t index =
        source_add_text(&result->sources, made, result->made.segments, result->made.count);
    result->first = result->sources.texts[index].first;
}

static void run(struct result *result, const char *text)
{
    run_named(result, "a.swift", text, &(struct syntax_options){0});
}

static void end(struct result *result)
{
    preprocessed_free(&result->made);
    source_free(&result->sources);
    err_list_free(&result->report.mistakes);
    err_list_free(&result->report.warnings);
}

static void show_list(const struct err_list *list)
{
    for (size_t i = 0; i < list->count && i < 5; i++)
        printf("# %s:%d:%d: %s\n", list->items[i].file, list->items[i].line, list->items[i].column,
               list->items[i].message);
}

/* Checks a text that has no mistake. */
static void becomes(const char *text, const char *expected, size_t warnings, const char *name)
{
    struct result result;
    run(&result, text);
    is_text(str_text(&result.made.text), expected, name);
    if (!ok(result.code == 0 && result.report.mistakes.count == 0, "without a mistake"))
        show_list(&result.report.mistakes);
    if (!ok(result.report.warnings.count == warnings, "%zu warnings", warnings))
        show_list(&result.report.warnings);
    end(&result);
}

static const struct {
    const char *text, *made, *name;
} texts[] = {
    {"", "", "an empty text"},
    {"int x = 1;\n\ty;\r\n", "int x = 1;\n\ty;\r\n", "what has no directive stays as it is"},
    {"a // b\nc /* d */ e/**/f\n/* g\n h */ i", "a\nc e f\ni", "comments go"},
    {"s = \"a // b /* c */\";\n", "s = \"a // b /* c */\";\n", "but not from strings"},
    {"#define A 1\nA AA \"A\" A.A\n", "1 AA \"A\" 1 . 1\n", "a macro"},
    {"#define A\nx A y A\n", "x y\n", "of nothing"},
    {"#define A B\n#define B A + C\n#define C B\nA B\n", "A + B B + B\n",
     "no macro expands within itself"},
    {"#define A 1\n#undef A\n#undef B\nA\n", "A\n", "an undefined one"},
    {"#define P +\nP=P+-P\n", "+ =++-+\n", "what is made does not run into its neighbours"},
    {"#define E 1e\nE-3 E+3\n", "1e -3 1e +3\n", "nor do numbers"},
    {"#define S \"x\"\n\"\"S\n", "\"\" \"x\"\n", "nor strings"},
    {"#define F(x, y) x-y\nF(1,2) F ( (1,2) , 3 )\nF(,)F\n", "1-2 (1,2)-3\n-F\n",
     "one with parameters"},
    {"#define F(x) [x]\nF(1\n  2 // c\n  3) a\nF\n(4) b\nF\nc\n", "[1 2 3] a\n[4] b\nF\nc\n",
     "arguments over several lines"},
    {"#define F(x) x\nF(F(F(a) b) c)\n", "a b c\n", "within its own arguments"},
    {"#define F(x) x G\n#define G(y) F(y)\nF(1)(2)(3)\n", "1 2 G(3)\n", "what follows takes part"},
    {"#define F() f\nF() F( ) F\n", "f f F\n", "without parameters"},
    {"#define F(x) x F\nF(1)(2)\n", "1 F(2)\n", "its name in its body is not expanded"},
    {"#define F(x) #x\nF(a  +\n b) F( \"q\\\\\" ) F('\"') F() F(\\)\n",
     "\"a + b\" \"\\\"q\\\\\\\\\\\"\" \"'\\\"'\" \"\" \"\"\n", "# makes a string"},
    {"#define F(x, y) x##y x ## 1 #x\nF(a, b) F(, b) F(a,)\n", "ab a1 \"a\" b 1 \"\" a a1 \"a\"\n",
     "## joins"},
    {"#define F(x, y) x ## y\n#define AB c\nF(A, B) F(+, =) F(1, e3)\n", "c += 1e3\n",
     "what ## makes is expanded"},
    {"#define A 1\n#define F(x) x #x x##x\nF(A)\n", "1 \"A\" AA\n",
     "arguments of # and ## are not expanded"},
    {"#define F(...) <__VA_ARGS__>\nF() F(1) F(1, (2,3))\n", "<> <1> <1, (2,3)>\n",
     "any number of arguments"},
    {"#define F(x, ...) x:__VA_ARGS__\nF(1) F(1,) F(1,2,3)\n", "1: 1: 1:2,3\n", "and some more"},
    {"#define F(x, ...) f(x, ## __VA_ARGS__)\nF(1) F(1, 2)\n", "f(1) f(1, 2)\n",
     "the comma before none goes"},
    {"#define F(x...) f(x)\nF() F(1,2)\n", "f() f(1,2)\n", "a name for the rest"},
    {"#define F (x)\nF\n", "(x)\n", "a blank before the bracket: no parameters"},
    {"#define X # y ##z\nX\n", "# yz\n", "## in a macro without parameters"},
    {"__LINE__\n__LINE__ \"__LINE__\" __FILE__ __COUNTER__ __COUNTER__\n",
     "1\n2 \"__LINE__\" \"a.swift\" 0 1\n", "what is built in"},
    {"#define L __LINE__\n\nL\n", "\n3\n", "__LINE__ is that of the invocation"},
    {"#line 10\n__LINE__\n#line 5 \"b\\\\c\"\n__LINE__ __FILE__\n# 7 \"d\" 2\n__LINE__ __FILE__\n",
     "10\n5 \"b\\\\\\\\c\"\n7 \"d\"\n", "#line"},
    {"#line 5 \"\"\n__LINE__ __FILE__\n", "5 \"a.swift\"\n", "with an empty name"},
    {"#define N 20\n#line N\n__LINE__\n", "20\n", "with a macro"},
    {"a\\\nb c \\\r\n d \"e\\\nf\"\n", "ab c d \"ef\"\n", "a backslash joins lines"},
    {"#define A 1 \\\n 2\nA\n", "1 2\n", "also those of a directive"},
    {"#define A /* b\n c */ 1\nA\n", "1\n", "a comment in a directive may be long"},
    {"/* a */ # /* b */ define A 1 // c\nA\n", "1\n", "or anywhere else in it"},
    {"#\n#pragma x \"y\n", "", "what is ignored"},
    {"#!/usr/bin/env don't\na\n", "a\n", "the first line of a script that is run"},
    {"s = \"\"\"\n#if A // \"b\n\"\"\";\n", "s = \"\"\"\n#if A // \"b\n\"\"\";\n",
     "a string over several lines"},
    {"#define A 1\ns = ----\n A 'b\n# c\n----; A\n", "s = ----\n A 'b\n# c\n----; 1\n",
     "and another"},
    {"#define F(x) x\nF(\"\"\"\na\n\"\"\")\n", "\"\"\"\na\n\"\"\"\n", "as an argument"},
    {"a---- b\n", "a---- b\n", "four minus signs"},
    {"it's // b\n'a' 'b // c'\n", "it's\n'a' 'b // c'\n", "single quotes"},
    {"h\xc3\xa9\xe2\x86\x92 \"\xc3\xa9\"\n", "h\xc3\xa9\xe2\x86\x92 \"\xc3\xa9\"\n",
     "characters beyond ASCII"},
    {"#if 0\na\n#elif 1\nb\n#elif 1/0\nc\n#else\nd\n#endif\n", "b\n", "the second branch"},
    {"#ifdef A\na\n#elifndef A\nb\n#endif\n#ifndef A\nc\n#elifdef B\n#endif\n", "b\nc\n",
     "by definition"},
    {"#if 0\n#if 1\n#else\n#endif\n#foo\n\"don't /* \n */\n#elif 0\n#else\na\n#endif\nb\n",
     "a\nb\n", "what is skipped may be anything"},
    {"#if 0\n\"\"\"\n#endif\n\"\"\"\n#endif\na\n", "a\n", "but strings count"},
    {"#if 1\n#if 0\n#endif\na\n#else\nb\n#endif\n", "a\n", "within each other"},
    {"#define F(x) x\nF(1\n#ifdef F\n2\n#else\n3\n#endif\n4)\n", "1 2 4\n",
     "directives among arguments"},
    {"#define A 1\n#define A 1\n#define F(x) x + 1\n#define F(x) x + 1\nA F(2)\n", "1 2 + 1\n",
     "the same definition again"},
};

static void test_texts(void)
{
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        becomes(texts[i].text, texts[i].made, 0, texts[i].name);
    becomes("\"a\\\\\nb\"\n", "\"a\\\\\nb\"\n", 1, "two backslashes do not join lines");
}

static const struct {
    const char *condition;
    bool holds;
} conditions[] = {
    {"1", true},
    {"0", false},
    {"-1", true},
    {"X", false},
    {"true && !false", true},
    {"THREE == 3", true},
    {"PLUS(1, 2) == THREE", true},
    {"defined THREE && defined(THREE) && !defined X && !defined(PLUS_)", true},
    {"defined PLUS", true},
    {"DEFINED", true},
    {"1 + 2 * 3 == 7 && (1 + 2) * 3 == 9", true},
    {"7 / 2 == 3 && -7 / 2 == -3 && -7 % 2 == -1", true},
    {"10 - 3 - 2 == 5", true},
    {"1 << 4 == 16 && -16 >> 2 == -4", true},
    {"1 << 64 == 0 && -1 >> 70 == -1 && 1 << -1 == 0 && 8 >> -1 == 16", true},
    {"(6 & 3) == 2 && (6 | 3) == 7 && (6 ^ 3) == 5 && ~0 == -1", true},
    {"1 < 2 && 2 <= 2 && 3 > 2 && 3 >= 3 && 1 != 2", true},
    {"1 || 1 / 0", true},
    {"0 && 1 % 0", false},
    {"1 ? 2 : 1 / 0", true},
    {"0 ? 1 / 0 : 0 ? 1 : 0", false},
    {"0x10 == 16 && 010 == 8 && 0b11 == 3 && 0o17 == 15 && 10uL == 10 && 3LLu", true},
    {"-1 > 0u", true},
    {"18446744073709551615 == -1", true},
    {"9223372036854775808 > 0", true},
    {"(0 ? 1u : -1) > 0", true},
    {"'a' == 97 && '\\n' == 10 && '\\0' == 0 && '\\x41' == 65 && '\\377' == -1", true},
    {"'ab' == 'a' * 256 + 'b' && '\\'' == 39 && '\\\\' == 92", true},
    {"- - 1 == + 1 && !!5 == 1", true},
    {"THREE /* c */ == 3 // d", true},
    {"__LINE__ == 5 && __COUNTER__ == 0", true},
};

static void test_conditions(void)
{
    for (size_t i = 0; i < sizeof conditions / sizeof *conditions; i++) {
        struct str text = {0};
        str_printf(&text,
                   "#define THREE 3\n#define PLUS(a, b) (a + b)\n#define DEFINED "
                   "defined(THREE)\n\n#if %s\nyes\n#else\nno\n#endif\n",
                   conditions[i].condition);
        becomes(text.text, conditions[i].holds ? "\nyes\n" : "\nno\n", 0, conditions[i].condition);
        str_free(&text);
    }
}

static const struct {
    const char *text;
    int line, column;
    const char *message;
} mistakes[] = {
    {"a\n  #foo b\n", 2, 3, "unknown directive '#foo': comments start with //"},
    {"#definee A\n", 1, 1, "unknown directive '#definee': did you mean '#define'?"},
    {"# This is the end\n", 1, 1, "unknown directive '#This': comments start with //"},
    {"#include\n", 1, 1, "a file name must follow #include, as in #include \"a.swift\""},
    {"#include <a\n", 1, 1, "a file name must follow #include, as in #include \"a.swift\""},
    {"#include \"\"\n", 1, 1, "a file name must follow #include, as in #include \"a.swift\""},
    {"#include X\n", 1, 1, "a file name must follow #include, as in #include \"a.swift\""},
    {"#include \"no/such.file\"\n", 1, 10,
     "cannot find no/such.file next to this file, in the folders of -I or in the current folder"},
    {"#include <io.swift>\n", 1, 10,
     "cannot find io.swift in the folders of -I or in the current folder: modules of the standard "
     "library are imported, as in import io;"},
    {"#error do // not\n", 1, 1, "#error do"},
    {"#if 1\n#else\n#error  can't do  it\n#endif\n#error\n", 5, 1, "#error"},
    {"#define\n", 1, 8, "the name of the macro is missing"},
    {"#define 1a 2\n", 1, 9, "'1a' is not a valid macro name: names start with a letter or _"},
    {"#define defined 2\n", 1, 9, "'defined' is reserved: choose another name"},
    {"#undef __LINE__\n", 1, 8, "'__LINE__' is reserved: choose another name"},
    {"#define F(x\n", 1, 12, "expected ) after the parameters"},
    {"#define F(x y)\n", 1, 13, "expected ) after the parameters"},
    {"#define F(x,)\n", 1, 13, "expected a parameter: a name, or ... as the last one"},
    {"#define F(..., x)\n", 1, 14, "expected ) after the parameters"},
    {"#define F(x, x)\n", 1, 14, "duplicate parameter 'x'"},
    {"#define F(x) #y\n", 1, 15, "# must be followed by a parameter of the macro"},
    {"#define F(x) #\n", 1, 15, "# must be followed by a parameter of the macro"},
    {"#define A ## b\n", 1, 11, "## joins two tokens: it cannot come first"},
    {"#define A b ##\n", 1, 15, "## joins two tokens: it cannot come last"},
    {"#define F(x) x\n f F(1, [2, 3]) g\n", 2, 4,
     "macro 'F' takes 1 argument, but 3 are given: put an argument that contains a comma in "
     "parentheses"},
    {"#define F(x, y) x\nF(1)\n", 2, 1, "macro 'F' takes 2 arguments, but 1 is given"},
    {"#define F(x, y, ...) x\nF(1)\n", 2, 1,
     "macro 'F' takes at least 2 arguments, but 1 is given"},
    {"#define F() x\nF(1)\n", 2, 1, "macro 'F' takes no arguments, but 1 is given"},
    {"#define F(x) x\na F(1, (2)\nb\n", 2, 3,
     "the arguments of macro 'F' are never closed: ) is missing"},
    {"#define F(x, y) x ## y\nF(+, -)\n", 2, 1, "## makes '+-', which is not a single token"},
    {"#if 1\n", 1, 1, "#if is never closed: #endif is missing"},
    {"#ifdef A\n#if\n#else\n", 1, 1, "#ifdef is never closed: #endif is missing"},
    {"#else\n", 1, 1, "#else without #if"},
    {"#elif 1\n", 1, 1, "#elif without #if"},
    {"#endif\n", 1, 1, "#endif without #if"},
    {"#if 1\n#else\n#else\n#endif\n", 3, 1, "#else after #else"},
    {"#if 1\n#else\n#elif 1\n#endif\n", 3, 1, "#elif after #else"},
    {"#ifdef\n#endif\n", 1, 1, "#ifdef must be followed by a macro name"},
    {"#if\n#endif\n", 1, 1, "a condition is missing, as in #if LIMIT > 3"},
    {"#if 1 +\n#endif\n", 1, 1, "a number or name is missing at the end"},
    {"#if * 2\n#endif\n", 1, 5, "a number or name is missing before '*'"},
    {"#if 1 2\n#endif\n", 1, 7, "an operator is missing before '2', such as && or =="},
    {"#if (1\n#endif\n", 1, 1, ") is missing"},
    {"#if 1 ? 2\n#endif\n", 1, 1, "':' is missing, as in a ? b : c"},
    {"#if 1 / (1 - 1)\n#endif\n", 1, 15, "division by zero"},
    {"#if 5 % 0\n#endif\n", 1, 9, "division by zero"},
    {"#define Z 0\n a\n#if 5 % Z\n#endif\n", 3, 9, "division by zero"},
    {"#if 1.5 > 1\n#endif\n", 1, 5, "malformed number 1.5: #if takes whole numbers only"},
    {"#if 0x\n#endif\n", 1, 5, "malformed number 0x: #if takes whole numbers only"},
    {"#if 09\n#endif\n", 1, 5, "malformed number 09: #if takes whole numbers only"},
    {"#if 1uu\n#endif\n", 1, 5, "malformed number 1uu: #if takes whole numbers only"},
    {"#if 18446744073709551616\n#endif\n", 1, 5, "this number does not fit in 64 bits"},
    {"#if ''\n#endif\n", 1, 5, "this character constant is empty"},
    {"#if X == \"a\"\n#endif\n", 1, 10, "strings are not allowed in #if"},
    {"#if HAS(x)\n#endif\n", 1, 5, "'HAS' is not defined as a macro with parameters"},
    {"#if defined\n#endif\n", 1, 1, "'defined' must be followed by a macro name"},
    {"#if defined(A\n#endif\n", 1, 1, ") is missing after the name"},
    {"#line\n", 1, 1,
     "#line takes a number up to 2147483647 and optionally a file, as in #line 5 \"a.swift\""},
    {"#line 99999999999\n", 1, 1,
     "#line takes a number up to 2147483647 and optionally a file, as in #line 5 \"a.swift\""},
    {"#line 5 b\n", 1, 1,
     "#line takes a number up to 2147483647 and optionally a file, as in #line 5 \"a.swift\""},
    {"a /* b\n", 1, 3, "this comment is never closed: */ is missing"},
    {"#if 0\n/* b\n#endif\n", 2, 1, "this comment is never closed: */ is missing"},
    {"#define A 1 /* b\n", 1, 13, "this comment is never closed: */ is missing"},
};

static void test_mistakes(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct result result;
        run(&result, mistakes[i].text);
        const struct err_list *list = &result.report.mistakes;
        ok(result.code == ERR_USER && list->count >= 1, "%s: a mistake", mistakes[i].text);
        const struct err *e = list->count > 0 ? &list->items[list->count - 1] : &(struct err){0};
        is_text(e->message, mistakes[i].message, "its message");
        ok(e->line == mistakes[i].line && e->column == mistakes[i].column,
           "its place, which is %d:%d", e->line, e->column);
        end(&result);
    }
}

static const struct {
    const char *text, *made;
    int line, column;
    const char *message;
} warnings[] = {
    {"#warning  take care\na\n", "a\n", 1, 1, "#warning take care"},
    {"#define A 1\n#define A 2\nA\n", "2\n", 2, 9,
     "macro 'A' is redefined: the earlier definition is at a.swift:1"},
    {"#define F(x) x\n#define F(y) y\n", "", 2, 9,
     "macro 'F' is redefined: the earlier definition is at a.swift:1"},
    {"#if 1\n#endif A\n", "", 2, 8, "extra text after #endif is ignored"},
    {"#ifdef A B\n#else A\n#endif\n", "", 1, 10, "extra text after #ifdef is ignored"},
    {"#if 9223372036854775807 + 1 < 0\na\n#endif\n", "a\n", 1, 27,
     "this result does not fit in 64 bits: it wraps around"},
    {"#if (-9223372036854775807 - 1) / -1 < 0\na\n#endif\n", "a\n", 1, 35,
     "this result does not fit in 64 bits: it wraps around"},
    {"#define A 1\ns = \"a // A\n A\" A;\n", "s = \"a // A\n A\" 1;\n", 2, 5,
     "this string is not closed on its line: write \\n for a newline, or use \"\"\" for a string "
     "of several lines"},
    {"#define A 1\ns = \"a A;\n#undef A\nA\n", "s = \"a A;\nA\n", 2, 5,
     "this string is not closed on its line: write \\n for a newline, or use \"\"\" for a string "
     "of several lines"},
    {"#define A \"b\nA\n", "\"b\n", 1, 11,
     "this string is not closed on its line: write \\n for a newline, or use \"\"\" for a string "
     "of several lines"},
};

static void test_warnings(void)
{
    for (size_t i = 0; i < sizeof warnings / sizeof *warnings; i++) {
        struct result result;
        run(&result, warnings[i].text);
        const struct err_list *list = &result.report.warnings;
        is_text(str_text(&result.made.text), warnings[i].made, warnings[i].text);
        ok(result.code == 0 && list->count >= 1, "a warning");
        const struct err *e = list->count > 0 ? &list->items[0] : &(struct err){0};
        is_text(e->message, warnings[i].message, "its message");
        ok(e->line == warnings[i].line && e->column == warnings[i].column,
           "its place, which is %d:%d", e->line, e->column);
        end(&result);
    }
}

/* ---- places ---- */

/* The place of a text within what was made. */
static void stands(const struct result *result, const char *text, const char *file, int line,
                   int column)
{
    const char *made = str_text(&result->made.text), *at = strstr(made, text);
    if (!ok(at != NULL, "%s was made", text))
        return;
    struct source_place place =
        source_place(&result->sources, result->first + (uint32_t)(at - made));
    ok(strcmp(place.file, file) == 0 && place.line == line && place.column == column,
       "%s stands at %s:%d:%d, which is %s:%d:%d", text, file, line, column, place.file, place.line,
       place.column);
}

static void test_places(void)
{
    struct result result;
    run(&result,
        "#define N 42\n#define F(x) < x plus >\none \xc3\xa4 two /* \xc3\xa4 */ three // c\n\n  "
        "four N five\nsix F(\n   seven) eight\n/* c\n c */ nine\nten \\\n eleven twe\\\nlve "
        "thirteen\n#if 0\n#endif\nfourteen \"\"\"\nfifteen\\\nsixteen\n\"\"\" seventeen\n");
    stands(&result, "one", "a.swift", 3, 1);
    stands(&result, "two", "a.swift", 3, 7);
    stands(&result, "three", "a.swift", 3, 19);
    stands(&result, "four", "a.swift", 5, 3);
    stands(&result, "42", "a.swift", 5, 8);
    stands(&result, "five", "a.swift", 5, 10);
    stands(&result, "<", "a.swift", 6, 5);
    stands(&result, "seven plus", "a.swift", 6, 5);
    stands(&result, "plus", "a.swift", 6, 5);
    stands(&result, "eight", "a.swift", 7, 11);
    stands(&result, "nine", "a.swift", 9, 7);
    stands(&result, "ten", "a.swift", 10, 1);
    stands(&result, "eleven", "a.swift", 11, 2);
    stands(&result, "twelve", "a.swift", 11, 9);
    stands(&result, "lve", "a.swift", 12, 1);
    stands(&result, "thirteen", "a.swift", 12, 5);
    stands(&result, "fourteen", "a.swift", 15, 1);
    stands(&result, "fifteen", "a.swift", 16, 1);
    stands(&result, "sixteen", "a.swift", 17, 1);
    stands(&result, "seventeen", "a.swift", 18, 5);
    end(&result);
    run(&result, "a\n#line 100\nb N\nc\n#line 7 \"other\"\nd\n#line 2147483647\ne\nf\n#foo\n");
    stands(&result, "a", "a.swift", 1, 1);
    stands(&result, "b", "a.swift", 100, 1);
    stands(&result, "c", "a.swift", 101, 1);
    stands(&result, "d", "other", 7, 1);
    stands(&result, "f", "other", INT32_MAX, 1);
    is_text(result.report.mistakes.items[0].file, "other", "#line counts for mistakes");
    is_text(result.report.mistakes.items[0].source, "", "whose line is not known");
    end(&result);
    run(&result, "\xef\xbb\xbf#define A b\nA");
    stands(&result, "b", "a.swift", 2, 1);
    end(&result);
}

/* ---- files ---- */

static char folder[64];

static const char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void put(const char *name, const char *text)
{
    struct err e = {0};
    if (str_write_file(path_of(name), text, strlen(text), &e))
        printf("Bail out! %s\n", e.message);
}

static void test_files(void)
{
    struct result result;
    char side[80];
    mkdir(path_of("sub"), 0700);
    mkdir(path_of("side"), 0700);
    put("one.swift", "uno ONE // c\n#define ONE 1\n  uno_two");
    put("sub/two.swift", "#include \"three.swift\"\nsub_two\n");
    put("sub/three.swift", "sub_three\n#ifdef ONE\nwith_one\n#endif\n");
    put("side/three.swift", "side_three\n#error no\n");
    put("side/four.swift", "#pragma once\nside_four\n");
    put("open.swift", "#if 1\n");
    put("bracket.swift", "F(1\n");
    snprintf(side, sizeof side, "%s/side", folder);
    const char *folders[] = {"/no/such", side, NULL};
    struct syntax_options options = {.folders = folders};
    char main_path[128];
    snprintf(main_path, sizeof main_path, "%s/main.swift", folder);

    run_named(&result, main_path,
              "#include \"one.swift\"\nmain ONE\n#include \"sub/two.swift\"\n#define FILE "
              "<four.swift>\n#include FILE\n#include \"four.swift\"\nend\n",
              &options);
    is_text(str_text(&result.made.text),
            "uno ONE\n  uno_two\nmain 1\nsub_three\nwith_one\nsub_two\nside_four\nend\n",
            "files are included");
    show_list(&result.report.mistakes);
    stands(&result, "main", main_path, 2, 1);
    stands(&result, "end", main_path, 7, 1);
    stands(&result, "uno_two", path_of("one.swift"), 3, 3);
    stands(&result, "with_one", path_of("sub/three.swift"), 3, 1);
    stands(&result, "sub_two", path_of("sub/two.swift"), 2, 1);
    stands(&result, "side_four", path_of("side/four.swift"), 2, 1);
    end(&result);

    run_named(&result, main_path, "#include <three.swift>\n", &options);
    is_text(result.report.mistakes.items[0].file, path_of("side/three.swift"),
            "<> does not look next to the file");
    end(&result);

    run_named(&result, main_path, "#include \"open.swift\"\n#endif\n", &options);
    ok(result.report.mistakes.count == 2, "a condition ends in its file");
    end(&result);

    run_named(&result, main_path, "#define F(x) x\n#include \"bracket.swift\"\n) a\n", &options);
    ok(result.report.mistakes.count == 1, "arguments end in their file");
    is_text(result.report.mistakes.items[0].file, path_of("bracket.swift"),
            "which the mistake names");
    end(&result);

    run_named(&result, main_path, "#define F(x) x\nF(\n#include \"one.swift\"\n)\n", &options);
    is_text(result.report.mistakes.items[0].message,
            "#include is not allowed in the arguments of a macro", "nothing among arguments");
    end(&result);

    run_named(&result, main_path, "#include \"sub\"\n", &options);
    ok(result.report.mistakes.count == 1, "a folder is no file");
    end(&result);
    mkfifo(path_of("pipe"), 0600);
    run_named(&result, main_path, "#include \"pipe\"\n", &options);
    ok(result.code == ERR_SYSTEM && result.report.mistakes.count == 1, "a pipe is not waited for");
    end(&result);
}

static void test_endless_files(void)
{
    struct result result;
    struct syntax_options options = {0};
    put("self.swift", "#include \"self.swift\"\n#include \"self.swift\"\n");
    run_named(&result, path_of("main"), "#include \"self.swift\"\n", &options);
    struct str expected = {0};
    str_printf(&expected, "%s includes itself endlessly: put #pragma once at its start",
               path_of("self.swift"));
    ok(result.report.mistakes.count == 1, "a file that includes itself is one mistake");
    is_text(result.report.mistakes.items[0].message, expected.text, "and says so");
    str_free(&expected);
    end(&result);

    put("guarded.swift", "#ifndef GUARD\n#define GUARD\n#include \"guarded.swift\"\ng\n#endif\n");
    run_named(&result, path_of("main"), "#include \"guarded.swift\"\n", &options);
    is_text(str_text(&result.made.text), "g\n", "unless a macro guards it");
    end(&result);

    for (int i = 0; i < 30; i++) {
        char name[20], text[80];
        snprintf(name, sizeof name, "%d.swift", i);
        snprintf(text, sizeof text, "#include \"%d.swift\"\n#include \"%d.swift\"\n", i + 1, i + 1);
        put(name, i < 29 ? text : "");
    }
    run_named(&result, path_of("main"), "#include \"0.swift\"\n", &options);
    is_text(result.report.mistakes.items[0].message, "more than 10000 files are included",
            "files cannot multiply without end");
    ok(result.report.mistakes.count == 1, "which is one mistake");
    end(&result);
}

/* ---- limits ---- */

/* A text that has one mistake, with this message. */
static void fails(const char *text, const char *message, const char *name)
{
    struct result result;
    run(&result, text);
    if (!ok(result.report.mistakes.count == 1, "%s: one mistake", name))
        show_list(&result.report.mistakes);
    is_text(result.report.mistakes.count > 0 ? result.report.mistakes.items[0].message : "",
            message, name);
    end(&result);
}

static void repeat(struct str *s, int count, const char *text)
{
    for (int i = 0; i < count; i++)
        str_add(s, text);
}

static void test_limits(void)
{
    const char *much = "macro expansion produces more than 16 MiB of text: do macros expand to "
                       "many copies of one another?";
    struct str text = {0};
    str_add(&text, "#define A0 x x\n");
    for (int i = 1; i < 60; i++)
        str_printf(&text, "#define A%d A%d A%d\n", i, i - 1, i - 1);
    str_add(&text, "A59\n");
    fails(text.text, much, "macros that double");

    str_clear(&text);
    str_add(&text, "#define G(x) x##x\n#define F(x) G(x)\n");
    repeat(&text, 60, "F(");
    str_add(&text, "x");
    repeat(&text, 60, ")");
    fails(text.text, much, "names that double");

    str_clear(&text);
    str_add(&text, "#define F(x) x\n");
    repeat(&text, 1000, "F(");
    repeat(&text, 1000, ")");
    fails(text.text, "macro arguments are nested more than 200 deep", "deep arguments");

    str_clear(&text);
    str_add(&text, "#if ");
    repeat(&text, 100000, "(");
    str_add(&text, "\n#endif\n");
    fails(text.text, "this condition is nested more than 200 deep", "deep brackets");

    str_clear(&text);
    str_add(&text, "#if ");
    repeat(&text, 100000, "1?");
    str_add(&text, "\n#endif\n");
    fails(text.text, "this condition is nested more than 200 deep", "deep choices");

    str_clear(&text);
    str_add(&text, "#define F(a0");
    for (int i = 1; i < 128; i++)
        str_printf(&text, ",a%d", i);
    str_add(&text, ") x\n");
    fails(text.text, "a macro has at most 127 parameters", "many parameters");

    str_clear(&text);
    repeat(&text, 5000000, "1234567");
    fails(text.text, "the script and the files that it includes are larger than 32 MiB together",
          "a long text");
    str_free(&text);
}

/* ---- the command line ---- */

static void test_defines(void)
{
    const char *defines[] = {"A", "B=2 + 3", "C=", "F(x)=<x>", "D=a\n#foo", NULL};
    struct syntax_options options = {.defines = defines};
    struct result result;
    run_named(&result, "-E", "A B [C] F(1) D __FILE__", &options);
    is_text(str_text(&result.made.text), "1 2 + 3 [] <1> a #foo \"-E\"", "-D");
    ok(result.code == 0, "without a mistake");
    end(&result);
    defines[0] = "1=2";
    run_named(&result, "-E", "", &options);
    ok(result.code == ERR_USER && strcmp(result.report.mistakes.items[0].file, "-D") == 0,
       "a mistake in it names -D");
    end(&result);
}

static void prints(const char *text, bool raw, const char *expected, const char *name)
{
    struct syntax_options options = {.raw = raw};
    struct syntax_report report = {0};
    struct str out = {0};
    syntax_preprocess("a\"b", slice_of(text), &options, &out, &report);
    is_text(str_text(&out), expected, name);
    str_free(&out);
    err_list_free(&report.mistakes);
    err_list_free(&report.warnings);
}

static void test_printing(void)
{
    prints("", false, "", "nothing");
    prints("a\nb", false, "# 1 \"a\\\"b\"\na\nb\n", "what is printed has markers");
    prints("#if 0\n#endif\na\n#if 0\n\n#endif\nb\n", false, "# 3 \"a\\\"b\"\na\n\n\n\nb\n",
           "newlines stand for a few lines");
    prints("a\n#if 0\n\n\n\n\n\n\n\n\n\n#endif\nb\n", false,
           "# 1 \"a\\\"b\"\na\n# 13 \"a\\\"b\"\nb\n", "a marker for many");
    prints("#define F(x) x\nF(a\nb) c\nd\n", false, "# 2 \"a\\\"b\"\na b\n c\nd\n",
           "also within a line");
    prints("\"\"\"\na\\\nb\"\"\" c\nd\n", false, "# 1 \"a\\\"b\"\n\"\"\"\nab\"\"\"\n c\nd\n",
           "but not within a string");
    prints("#if 0\n", true, "#if 0\n", "without the preprocessor, nothing happens");
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind, (void)where;
    return remove(path);
}

int main(void)
{
    test_texts();
    test_conditions();
    test_mistakes();
    test_warnings();
    test_places();
    test_limits();
    test_defines();
    test_printing();
    if (!tap_folder(folder, sizeof folder))
        return tap_skip("there is no folder for files");
    test_files();
    test_endless_files();
    nftw(folder, remove_one, 8, FTW_DEPTH | FTW_PHYS);
    return tap_end();
}
