/* Tokens: what every kind of text becomes, and the place and words of every mistake. */
#include "syntax/lex.h"

#include "tap.h"

/* What came of a text. */
struct result {
    struct sources sources;
    struct tokens tokens;
    struct err_list mistakes;
};

static void run(struct result *result, const char *text, size_t length, bool raw)
{
    *result = (struct result){0};
    size_t which = source_add_plain(&result->sources, "a.swift", (struct slice){text, length});
    lex(&result->sources, which, raw, &result->tokens, &result->mistakes);
}

static void end(struct result *result)
{
    free(result->tokens.items);
    err_list_free(&result->mistakes);
    source_free(&result->sources);
}

/* The tokens as text: names and signs as they are, int:5, float:2.5, string:abc. */
static void show(struct str *out, const struct result *result)
{
    for (size_t i = 0; i < result->tokens.count; i++) {
        const struct token *token = &result->tokens.items[i];
        struct slice text = source_slice(&result->sources, token->at, token->length);
        str_add(out, i > 0 ? " " : "");
        if (token->kind == TOKEN_INT)
            str_printf(out, "int:%lld", (long long)token->whole);
        else if (token->kind == TOKEN_FLOAT)
            str_printf(out, "float:%.17g", token->number);
        else if (token->kind == TOKEN_STRING)
            str_printf(out, "string:%.*s", (int)token->text.length, token->text.text);
        else if (token->kind == TOKEN_NAME)
            str_printf(out, "%.*s", (int)token->text.length, token->text.text);
        else if (token->kind == TOKEN_END)
            str_add(out, "end");
        else
            str_printf(out, "%.*s", (int)text.length, text.text);
    }
}

static const struct {
    const char *text, *tokens;
} good[] = {
    {"", "end"},
    {" \t\r\n\f", "end"},
    {"int x = 5;", "int x = int:5 ; end"},
    {"_a1 B", "_a1 B end"},
    {"017", "int:17 end"},
    {"9223372036854775807", "int:9223372036854775807 end"},
    {"-9", "- int:9 end"},
    {"0x7fffffffffffffff 0xFf 0x0", "int:9223372036854775807 int:255 int:0 end"},
    {"0o777777777777777777777 0o17", "int:9223372036854775807 int:15 end"},
    {"1.5 0.25 00.5", "float:1.5 float:0.25 float:0.5 end"},
    {"1e3 1E3 2.5e-1 1e-3", "float:1000 float:1000 float:0.25 float:0.001 end"},
    {"1e-999", "float:0 end"},
    {"inf NaN", "float:inf float:nan end"},
    {"infx nan INF", "infx nan INF end"},
    {"[1:5]", "[ int:1 : int:5 ] end"},
    {"a=>b", "a = > b end"},
    {"a = > b", "a = > b end"},
    {"f<\"x\">= g", "f < string:x >= g end"},
    {"a%/b%%c%d**e*f", "a %/ b %% c % d ** e * f end"},
    {"x+=1", "x += int:1 end"},
    {"x<incr>:=1", "x < incr > := int:1 end"},
    {"!a&&b||c==d!=e", "! a && b || c == d != e end"},
    {"a<=b>=c<d>e", "a <= b >= c < d > e end"},
    {"(a){b}[c],d;e:f.g@h", "( a ) { b } [ c ] , d ; e : f . g @ h end"},
    {"int...x|y", "int ... x | y end"},
    {"a..b", "a . . b end"},
    {"a--b", "a - - b end"},
    {"a---- b", "a - - - - b end"},
    {"// a\nb// c", "b end"},
    {"/* a */b/* /* \n*/c/**/", "b c end"},
    {"a/b", "a / b end"},
    {"\"\"", "string: end"},
    {"\"a b\"", "string:a b end"},
    {"\"h\xc3\xa9\xe2\x86\x92\"", "string:h\xc3\xa9\xe2\x86\x92 end"},
    {"\"// a /* b */\"", "string:// a /* b */ end"},
    {"\"a\nb\"", "string:a\nb end"},
    {"\"\\\\\\\"\\?\\a\\b\\f\\n\\r\\t\\v\"", "string:\\\"?\a\b\f\n\r\t\v end"},
    {"\"\\101\\60\\7.\\1011\"", "string:A0\a.A1 end"},
    {"\"\\x41\\x4a1\\xA.\"", "string:AJ1\n. end"},
    {"\"\\xe9\\351\\777\"", "string:\xc3\xa9\xc3\xa9\xc7\xbf end"},
    {"\"\"\"\na \"b\" \\t \n\"\"\"c", "string:\na \"b\" \t \n c end"},
    {"\"\"\"\n\\\\\"\"\"", "string:\n\\ end"},
    {"\"\"\"\r\nab\"\"\"", "string:\r\nab end"},
    {"----\na -- b\n----;", "string:\na -- b\n ; end"},
    {"x = ----\n----", "x = string:\n end"},
    {"app builtin if else switch case default foreach in for iterate until wait deep",
     "app builtin if else switch case default foreach in for iterate until wait deep end"},
    {"true false global const type typedef import pragma stdin stdout stderr",
     "true false global const type typedef import pragma stdin stdout stderr end"},
};

static void test_good(void)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct result result;
        struct str shown = {0};
        run(&result, good[i].text, strlen(good[i].text), false);
        show(&shown, &result);
        is_text(str_text(&shown), good[i].tokens, good[i].text[0] ? good[i].text : "an empty text");
        ok(result.mistakes.count == 0, "without a mistake");
        if (result.mistakes.count > 0)
            printf("# %s\n", result.mistakes.items[0].message);
        str_free(&shown);
        end(&result);
    }
}

static const struct {
    const char *text;
    int line, column;
    const char *message;
} bad[] = {
    {"x = 9223372036854775808;", 1, 5,
     "invalid decimal literal 9223372036854775808: the largest int is 9223372036854775807"},
    {"0x8000000000000000", 1, 1,
     "invalid hexadecimal literal 0x8000000000000000: the largest int is 0x7fffffffffffffff"},
    {"0o1000000000000000000000", 1, 1,
     "invalid octal literal 0o1000000000000000000000: the largest int is 0o777777777777777777777"},
    {"0x123G", 1, 1,
     "invalid hexadecimal literal 0x123G: hexadecimal digits are 0 to 9 and a to f"},
    {"0x", 1, 1, "invalid hexadecimal literal 0x: hexadecimal digits are 0 to 9 and a to f"},
    {"0o9", 1, 1, "invalid octal literal 0o9: octal digits are 0 to 7"},
    {"0o18;", 1, 1, "invalid octal literal 0o18: octal digits are 0 to 7"},
    {"0X1", 1, 1, "malformed number 0X1: hexadecimal numbers start with 0x, octal ones with 0o"},
    {"1e999", 1, 1,
     "1e999 is out of range: the largest float is about 1.8e308; write inf for infinity"},
    {"a = .5;", 1, 5, "malformed number .5: digits are missing before the point, as in 0.5"},
    {"5.", 1, 1, "malformed number 5.: digits are missing after the point, as in 5.0"},
    {"[1..5]", 1, 2, "malformed number 1..5: digits are missing after the point, as in 5.0"},
    {"5.e3", 1, 1, "malformed number 5.e3: digits are missing after the point, as in 5.0"},
    {"1e+3", 1, 1, "malformed number 1e+3: an exponent takes no plus sign, as in 1e3"},
    {"1e", 1, 1, "malformed number 1e: the exponent has no digits"},
    {"1.5e-", 1, 1, "malformed number 1.5e-: the exponent has no digits"},
    {"1_000", 1, 1, "malformed number 1_000: digits cannot be grouped with _"},
    {"1.2.3", 1, 1, "malformed number 1.2.3: a number has only one point"},
    {"10L", 1, 1, "malformed number 10L: unexpected letter after the digits"},
    {"1.5f", 1, 1, "malformed number 1.5f: unexpected letter after the digits"},
    {"\"a\\q\"", 1, 3, "unknown escape code \\q: write \\\\ for a backslash"},
    {"\"a\\\xc3\xa9\"", 1, 3, "unknown escape code \\\xc3\xa9: write \\\\ for a backslash"},
    {"\"a\\8\"", 1, 3, "unknown escape code \\8: write \\\\ for a backslash"},
    {"\"a\\xg\"", 1, 3, "\\x must be followed by one or two hexadecimal digits, as in \\x41"},
    {"\"a\\\nb\"", 1, 3,
     "a line of a string cannot end with a backslash: write \\\\ for a backslash"},
    {"\"\"\"\na\\\"\"\"", 2, 2,
     "a string cannot end with a single backslash: write \\\\ for a backslash"},
    {"x = \"abc;\n", 1, 5, "this string is never closed: the closing quote is missing"},
    {"x = \"abc\\", 1, 5, "this string is never closed: the closing quote is missing"},
    {"a = \"b;\nc = \"$ ^ d\";\n", 2, 11,
     "this string is never closed: is the closing quote of the string at a.swift:1 missing?"},
    {"\"\"\"\nabc\"\"", 1, 1, "this string is never closed: the closing \"\"\" is missing"},
    {"x = ----\nabc", 1, 5, "this string is never closed: the closing ---- is missing"},
    {"x = \"\"\"abc\"\"\";", 1, 5,
     "\"\"\" opens a string of several lines: write \"...\" for a string on one line"},
    {"\"\"\" \nabc\n\"\"\"", 1, 1, "a newline must follow the opening \"\"\""},
    {"a /* b", 1, 3, "this comment is never closed: */ is missing"},
    {"\"a\xe9\"", 1, 3, "invalid byte 0xe9 in a string: save the file as UTF-8"},
    {"a & b", 1, 3, "'&' is not an operator: did you mean '&&'?"},
    {"x = 'a b $';", 1, 5, "unexpected character ''': strings are written in double quotes"},
    {"a; # b", 1, 4, "unexpected character '#': comments start with //"},
    {"a ^ b", 1, 3, "unexpected character '^': the power operator is **"},
    {"a ` b", 1, 3, "unexpected character '`': there is no such operator"},
    {"x = \xe2\x80\x9c;", 1, 5,
     "unexpected character '\xe2\x80\x9c': strings are written in \"straight\" quotes"},
    {"a \xe2\x82\xac b", 1, 3,
     "unexpected character '\xe2\x82\xac': only ASCII characters are allowed outside strings"},
    {"int gr\xc3\xb6\xc3\x9f"
     "e = 1;",
     1, 5, "names may contain only ASCII letters, digits and _"},
    {"a \x01\x02 b", 1, 3, "unexpected byte 0x01: a script is text"},
    {"\xc3\xa9\xc3\xa9", 1, 1,
     "unexpected character '\xc3\xa9': only ASCII characters are allowed outside strings"},
};

static void test_bad(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct result result;
        run(&result, bad[i].text, strlen(bad[i].text), false);
        ok(result.mistakes.count == 1, "%s: one mistake", bad[i].text);
        if (result.mistakes.count > 0) {
            const struct err *e = &result.mistakes.items[0];
            is_text(e->message, bad[i].message, "its message");
            ok(e->line == bad[i].line && e->column == bad[i].column, "its place, which is %d:%d",
               e->line, e->column);
            ok(e->code == ERR_USER && strcmp(e->file, "a.swift") == 0, "its code and file");
        }
        ok(result.tokens.items[result.tokens.count - 1].kind == TOKEN_END, "the end is there");
        end(&result);
    }
}

static void test_several_mistakes(void)
{
    struct result result;
    const char *text = "a = .5;\nb = 0o9;\nc = \"\\q\\z\";\n";
    run(&result, text, strlen(text), false);
    ok(result.mistakes.count == 4, "lexing goes on behind a mistake");
    ok(result.mistakes.items[3].line == 3 && result.mistakes.items[3].column == 8,
       "the last mistake has its place");
    end(&result);
}

static void test_raw(void)
{
    struct result result;
    struct str shown = {0};
    const char *text = "# one\na\n#two\n \"#3\"\n# end";
    run(&result, text, strlen(text), true);
    show(&shown, &result);
    is_text(str_text(&shown), "a string:#3 end",
            "without a preprocessor, lines with # are comments");
    ok(result.mistakes.count == 0, "and no mistake");
    str_free(&shown);
    end(&result);
}

static void test_zero_bytes(void)
{
    struct result result;
    run(&result, "a\0b", 3, false);
    ok(result.tokens.count == 3 && result.mistakes.count == 1, "a zero byte is a mistake");
    end(&result);
    run(&result, "\"a\0b\"", 5, false);
    ok(result.mistakes.count == 1, "in a string as well");
    end(&result);
    run(&result, "\"a\\0b\"", 6, false);
    ok(result.mistakes.count == 0 && result.tokens.items[0].text.length == 3 &&
           memcmp(result.tokens.items[0].text.text, "a\0b", 3) == 0,
       "\\0 is a character");
    end(&result);
}

static void test_long_number(void)
{
    struct result result;
    char text[2001];
    memset(text, '1', sizeof text - 1);
    text[1] = '.';
    text[sizeof text - 1] = 0;
    run(&result, text, strlen(text), false);
    ok(result.mistakes.count == 1, "a number cannot be endless");
    end(&result);
    text[1] = '1';
    run(&result, text, strlen(text), false);
    is_text(result.mistakes.items[0].message,
            "invalid decimal literal 1111111111111111111111111111111111111111: the largest int is "
            "9223372036854775807",
            "what is long is not shown completely");
    end(&result);
}

static void test_describe(void)
{
    static const struct {
        const char *text, *description;
    } cases[] = {
        {"abc", "'abc'"},
        {"foreach", "'foreach'"},
        {">=", "'>='"},
        {"\"a b\"", "\"a b\""},
        {"\"a\nb\"", "\"a..."},
        {"\"0123456789012345678901234567890123456789\"",
         "\"012345678901234567890123456789012345678..."},
        {"", "the end of the file"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct result result;
        struct str description = {0};
        run(&result, cases[i].text, strlen(cases[i].text), false);
        token_describe(&description, &result.sources, &result.tokens.items[0]);
        is_text(str_text(&description), cases[i].description, "a token in a message");
        str_free(&description);
        end(&result);
    }
    for (int kind = TOKEN_END; kind <= TOKEN_BAR; kind++)
        ok(token_kind_name((enum token_kind)kind) != NULL, "a kind has a name");
    is_text(token_kind_name(TOKEN_FOREACH), "'foreach'", "the name of a reserved word");
}

int main(void)
{
    test_good();
    test_bad();
    test_several_mistakes();
    test_raw();
    test_zero_bytes();
    test_long_number();
    test_describe();
    return tap_end();
}
