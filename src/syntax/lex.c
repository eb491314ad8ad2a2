/*
 * lex.c - text becomes tokens, in one pass over the bytes.
 *
 * Texts end in a zero byte, so looking one byte ahead is always allowed; a zero byte before the
 * end is a mistake like any other control character.
 */
#include "syntax/lex.h"

#include <math.h>

struct lexer {
    struct sources *sources;
    struct slice text;
    const char *at, *end;
    uint32_t first; /* position of the start of the text */
    struct tokens *tokens;
    struct err_list *mistakes;
    bool raw;
    /* The first "..." that spans several lines: the likely culprit if a later one is not closed. */
    const char *suspect;
    size_t mistakes_before_suspect;
};

/* ---- characters ---- */

enum class { BAD, SPACE, LETTER, DIGIT, SIGN, QUOTE };

static const unsigned char classes[256] = {
    [' '] = SPACE,  ['\t'] = SPACE, ['\n'] = SPACE, ['\r'] = SPACE, ['\f'] = SPACE, ['_'] = LETTER,
    ['a'] = LETTER, ['b'] = LETTER, ['c'] = LETTER, ['d'] = LETTER, ['e'] = LETTER, ['f'] = LETTER,
    ['g'] = LETTER, ['h'] = LETTER, ['i'] = LETTER, ['j'] = LETTER, ['k'] = LETTER, ['l'] = LETTER,
    ['m'] = LETTER, ['n'] = LETTER, ['o'] = LETTER, ['p'] = LETTER, ['q'] = LETTER, ['r'] = LETTER,
    ['s'] = LETTER, ['t'] = LETTER, ['u'] = LETTER, ['v'] = LETTER, ['w'] = LETTER, ['x'] = LETTER,
    ['y'] = LETTER, ['z'] = LETTER, ['A'] = LETTER, ['B'] = LETTER, ['C'] = LETTER, ['D'] = LETTER,
    ['E'] = LETTER, ['F'] = LETTER, ['G'] = LETTER, ['H'] = LETTER, ['I'] = LETTER, ['J'] = LETTER,
    ['K'] = LETTER, ['L'] = LETTER, ['M'] = LETTER, ['N'] = LETTER, ['O'] = LETTER, ['P'] = LETTER,
    ['Q'] = LETTER, ['R'] = LETTER, ['S'] = LETTER, ['T'] = LETTER, ['U'] = LETTER, ['V'] = LETTER,
    ['W'] = LETTER, ['X'] = LETTER, ['Y'] = LETTER, ['Z'] = LETTER, ['0'] = DIGIT,  ['1'] = DIGIT,
    ['2'] = DIGIT,  ['3'] = DIGIT,  ['4'] = DIGIT,  ['5'] = DIGIT,  ['6'] = DIGIT,  ['7'] = DIGIT,
    ['8'] = DIGIT,  ['9'] = DIGIT,  ['+'] = SIGN,   ['-'] = SIGN,   ['*'] = SIGN,   ['/'] = SIGN,
    ['%'] = SIGN,   ['='] = SIGN,   ['!'] = SIGN,   ['&'] = SIGN,   ['|'] = SIGN,   ['<'] = SIGN,
    ['>'] = SIGN,   ['('] = SIGN,   [')'] = SIGN,   ['{'] = SIGN,   ['}'] = SIGN,   ['['] = SIGN,
    [']'] = SIGN,   [','] = SIGN,   [';'] = SIGN,   [':'] = SIGN,   ['.'] = SIGN,   ['@'] = SIGN,
    ['"'] = QUOTE,
};

static enum class class_of(char c) { return (enum class)classes[(unsigned char)c]; }

static bool is_digit(char c)
{
    return class_of(c) == DIGIT;
}

static bool in_name(char c)
{
    return class_of(c) == LETTER || class_of(c) == DIGIT;
}

static bool is_ascii(char c)
{
    return ((unsigned char)c & 0x80) == 0;
}

/* The digit's value in a base up to 16; 16 if it is none. */
static int digit_value(char c)
{
    if (is_digit(c))
        return c - '0';
    char lower = (char)(c | 0x20);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : 16;
}

/* ---- tokens ---- */

static uint32_t position(const struct lexer *l, const char *at)
{
    return l->first + (uint32_t)(at - l->text.text);
}

/* Adds the token from `start` to where the lexer is. */
static struct token *add(struct lexer *l, enum token_kind kind, const char *start)
{
    struct tokens *tokens = l->tokens;
    tokens->items =
        memory_grow(tokens->items, &tokens->capacity, tokens->count + 1, sizeof *tokens->items);
    struct token *token = &tokens->items[tokens->count++];
    *token =
        (struct token){.kind = kind, .at = position(l, start), .length = (uint32_t)(l->at - start)};
    return token;
}

static void wrong(struct lexer *l, const char *at, const char *format, ...) ERR_FORMAT(3, 4);

static void wrong(struct lexer *l, const char *at, const char *format, ...)
{
    struct source_place place = {.file = ""};
    if (l->mistakes->count < ERR_LIST_LIMIT)
        place = source_place(l->sources, position(l, at));
    va_list arguments;
    va_start(arguments, format);
    source_mistake_at(l->mistakes, &place, format, arguments);
    va_end(arguments);
}

/* ---- names ---- */

/* A place of its own for every reserved word; two in one place do not compile. */
#define WORD_PLACE(second, last, length) ((3 * (second) + 4 * (last) + 9 * (length)) & 63)

static const struct {
    const char *text;
    enum token_kind kind;
} words[64] = {
    [WORD_PLACE('p', 'p', 3)] = {"app", TOKEN_APP},
    [WORD_PLACE('u', 'n', 7)] = {"builtin", TOKEN_BUILTIN},
    [WORD_PLACE('f', 'f', 2)] = {"if", TOKEN_IF},
    [WORD_PLACE('w', 'h', 6)] = {"switch", TOKEN_SWITCH},
    [WORD_PLACE('a', 'e', 4)] = {"case", TOKEN_CASE},
    [WORD_PLACE('e', 't', 7)] = {"default", TOKEN_DEFAULT},
    [WORD_PLACE('l', 'e', 4)] = {"else", TOKEN_ELSE},
    [WORD_PLACE('o', 'h', 7)] = {"foreach", TOKEN_FOREACH},
    [WORD_PLACE('n', 'n', 2)] = {"in", TOKEN_IN},
    [WORD_PLACE('o', 'r', 3)] = {"for", TOKEN_FOR},
    [WORD_PLACE('t', 'e', 7)] = {"iterate", TOKEN_ITERATE},
    [WORD_PLACE('n', 'l', 5)] = {"until", TOKEN_UNTIL},
    [WORD_PLACE('a', 't', 4)] = {"wait", TOKEN_WAIT},
    [WORD_PLACE('e', 'p', 4)] = {"deep", TOKEN_DEEP},
    [WORD_PLACE('r', 'e', 4)] = {"true", TOKEN_TRUE},
    [WORD_PLACE('a', 'e', 5)] = {"false", TOKEN_FALSE},
    [WORD_PLACE('l', 'l', 6)] = {"global", TOKEN_GLOBAL},
    [WORD_PLACE('o', 't', 5)] = {"const", TOKEN_CONST},
    [WORD_PLACE('y', 'e', 4)] = {"type", TOKEN_TYPE},
    [WORD_PLACE('y', 'f', 7)] = {"typedef", TOKEN_TYPEDEF},
    [WORD_PLACE('m', 't', 6)] = {"import", TOKEN_IMPORT},
    [WORD_PLACE('r', 'a', 6)] = {"pragma", TOKEN_PRAGMA},
    [WORD_PLACE('t', 'n', 5)] = {"stdin", TOKEN_STDIN},
    [WORD_PLACE('t', 't', 6)] = {"stdout", TOKEN_STDOUT},
    [WORD_PLACE('t', 'r', 6)] = {"stderr", TOKEN_STDERR},
    [WORD_PLACE('a', 'N', 3)] = {"NaN", TOKEN_FLOAT},
    [WORD_PLACE('n', 'f', 3)] = {"inf", TOKEN_FLOAT},
};

static enum token_kind word_kind(struct slice text)
{
    if (text.length < 2 || text.length > 7)
        return TOKEN_NAME;
    size_t at = (size_t)WORD_PLACE(text.text[1], text.text[text.length - 1], (int)text.length);
    return words[at].text && slice_is(text, words[at].text) ? words[at].kind : TOKEN_NAME;
}

/* Skips letters, including those beyond ASCII, which people expect to be allowed. */
static void skip_word(struct lexer *l)
{
    while (l->at < l->end && (in_name(*l->at) || !is_ascii(*l->at)))
        l->at++;
}

static void lex_name(struct lexer *l)
{
    const char *start = l->at;
    do
        l->at++;
    while (in_name(*l->at));
    if (!is_ascii(*l->at)) {
        skip_word(l);
        wrong(l, start, "names may contain only ASCII letters, digits and _");
    }
    struct slice text = {start, (size_t)(l->at - start)};
    struct token *token = add(l, word_kind(text), start);
    if (token->kind == TOKEN_NAME)
        token->text = text;
    if (token->kind == TOKEN_FLOAT)
        token->number = *start == 'i' ? (double)INFINITY : (double)NAN;
}

/* ---- numbers ---- */

enum { NUMBER_BYTES = 1000, SHOWN_BYTES = 40 };

/* How many bytes of a text a message shows: the text may be long. */
static int shown(const char *start, const char *end)
{
    return end - start < SHOWN_BYTES ? (int)(end - start) : SHOWN_BYTES;
}

/* Skips everything that looks like a part of this number. */
static void skip_number(struct lexer *l)
{
    while (in_name(*l->at) || (*l->at == '.' && is_digit(l->at[1])))
        l->at++;
}

static void wrong_number(struct lexer *l, const char *start, const char *rule)
{
    skip_number(l);
    wrong(l, start, "malformed number %.*s: %s", shown(start, l->at), start, rule);
    add(l, TOKEN_INT, start);
}

/* The value of digits, some of which may be missing. */
static void lex_whole(struct lexer *l, const char *start, const char *digits, int base)
{
    static const struct {
        int base;
        const char *name, *digits, *most;
    } bases[] = {{10, "decimal", "0 to 9", "9223372036854775807"},
                 {16, "hexadecimal", "0 to 9 and a to f", "0x7fffffffffffffff"},
                 {8, "octal", "0 to 7", "0o777777777777777777777"}};
    size_t which = base == 10 ? 0 : base == 16 ? 1 : 2;
    int64_t value = 0;
    bool overflow = false;
    for (l->at = digits; digit_value(*l->at) < base; l->at++)
        overflow = overflow || __builtin_mul_overflow(value, base, &value) ||
                   __builtin_add_overflow(value, digit_value(*l->at), &value);
    if (l->at == digits || in_name(*l->at)) {
        skip_number(l);
        wrong(l, start, "invalid %s literal %.*s: %s digits are %s", bases[which].name,
              shown(start, l->at), start, bases[which].name, bases[which].digits);
    } else if (overflow) {
        wrong(l, start, "invalid %s literal %.*s: the largest int is %s", bases[which].name,
              shown(start, l->at), start, bases[which].most);
    }
    add(l, TOKEN_INT, start)->whole = overflow ? 0 : value;
}

static void lex_float(struct lexer *l, const char *start)
{
    double number = 0;
    if (l->at - start > NUMBER_BYTES)
        wrong(l, start, "this number is longer than %d characters", NUMBER_BYTES);
    else
        number = strtod(start, NULL);
    if (isinf(number))
        wrong(l, start,
              "%.*s is out of range: the largest float is about 1.8e308; write inf for infinity",
              shown(start, l->at), start);
    add(l, TOKEN_FLOAT, start)->number = number;
}

/* Skips the exponent after its e; returns what is wrong with it, or NULL. */
static const char *skip_exponent(struct lexer *l)
{
    bool plus = *l->at == '+';
    if (plus || *l->at == '-')
        l->at++;
    if (!is_digit(*l->at))
        return "the exponent has no digits";
    while (is_digit(*l->at))
        l->at++;
    return plus ? "an exponent takes no plus sign, as in 1e3" : NULL;
}

static void lex_number(struct lexer *l)
{
    const char *start = l->at, *rule = NULL;
    if (start[0] == '0' && (start[1] == 'x' || start[1] == 'o')) {
        lex_whole(l, start, start + 2, start[1] == 'x' ? 16 : 8);
        return;
    }
    while (is_digit(*l->at))
        l->at++;
    bool whole = *l->at != '.' && *l->at != 'e' && *l->at != 'E';
    if (*l->at == '.' && is_digit(*++l->at))
        while (is_digit(*l->at))
            l->at++;
    else if (!whole && l->at[-1] == '.')
        rule = "digits are missing after the point, as in 5.0";
    if (!rule && (*l->at == 'e' || *l->at == 'E')) {
        l->at++;
        rule = skip_exponent(l);
    }
    if (!rule && *l->at == '_')
        rule = "digits cannot be grouped with _";
    if (!rule && *l->at == '.' && is_digit(l->at[1]))
        rule = "a number has only one point";
    if (!rule && in_name(*l->at))
        rule = start[0] == '0' && l->at == start + 1
                   ? "hexadecimal numbers start with 0x, octal ones with 0o"
                   : "unexpected letter after the digits";
    if (rule)
        wrong_number(l, start, rule);
    else if (whole)
        lex_whole(l, start, start, 10);
    else
        lex_float(l, start);
}

/* ---- strings ---- */

/* Writes a character as UTF-8; returns its length. Escapes go up to \777, which is below 0x800. */
static size_t put_character(char *out, int code)
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    out[0] = (char)(0xc0 | code >> 6);
    out[1] = (char)(0x80 | (code & 0x3f));
    return 2;
}

/* Reads up to `most` digits; -1 if there is none. */
static int read_code(const char **at, const char *end, int base, int most)
{
    const char *start = *at;
    int code = 0;
    while (*at < end && *at - start < most && digit_value(**at) < base)
        code = code * base + digit_value(*(*at)++);
    return *at > start ? code : -1;
}

static void wrong_escape(struct lexer *l, const char *at, const char *end)
{
    if (at + 1 == end) {
        wrong(l, at, "a string cannot end with a single backslash: write \\\\ for a backslash");
    } else if (at[1] == '\n' || at[1] == '\r') {
        wrong(l, at, "a line of a string cannot end with a backslash: write \\\\ for a backslash");
    } else if (at[1] == 'x') {
        wrong(l, at, "\\x must be followed by one or two hexadecimal digits, as in \\x41");
    } else {
        size_t length = utf8_length(at + 1, (size_t)(end - at - 1));
        bool shows = length > 0 && (unsigned char)at[1] >= ' ';
        wrong(l, at, "unknown escape code %.*s: write \\\\ for a backslash",
              shows ? (int)length + 1 : 1, at);
    }
}

/* Reads an escape and moves *at past it; returns the character, or -1 after a mistake. */
static int read_escape(struct lexer *l, const char **at, const char *end)
{
    static const char names[] = "abfnrtv\\\"?", values[] = "\a\b\f\n\r\t\v\\\"?";
    const char *start = *at, *name;
    int code = -1;
    *at += *at + 1 < end ? 2 : 1;
    char c = start[1];
    if (*at - start == 2 && c != 0 && (name = strchr(names, c))) {
        code = (unsigned char)values[name - names];
    } else if (*at - start == 2 && c == 'x') {
        code = read_code(at, end, 16, 2);
    } else if (*at - start == 2 && digit_value(c) < 8) {
        *at = start + 1;
        code = read_code(at, end, 8, 3);
    }
    if (code < 0)
        wrong_escape(l, start, end);
    return code;
}

/* The value of a string: what is written, with its escapes replaced. */
static struct slice unescape(struct lexer *l, const char *at, const char *end)
{
    char *out = arena_new(&l->sources->arena, (size_t)(end - at) + 1, 1);
    size_t length = 0;
    while (at < end) {
        const char *backslash = memchr(at, '\\', (size_t)(end - at));
        const char *stop = backslash ? backslash : end;
        memcpy(out + length, at, (size_t)(stop - at));
        length += (size_t)(stop - at);
        at = stop;
        int code = backslash ? read_escape(l, &at, end) : -1;
        if (code >= 0)
            length += put_character(out + length, code);
    }
    return (struct slice){out, length};
}

/* Adds the string with this text between its quotes, and continues at `next`. */
static void add_string(struct lexer *l, const char *start, const char *from, const char *to,
                       const char *next)
{
    struct slice value = {from, (size_t)(to - from)};
    size_t text = utf8_check(from, value.length);
    if (text < value.length)
        wrong(l, from + text, "invalid byte 0x%02x in a string: save the file as UTF-8",
              (unsigned char)from[text]);
    if (memchr(from, '\\', value.length))
        value = unescape(l, from, to);
    l->at = next;
    add(l, TOKEN_STRING, start)->text = value;
}

/* The line break at this place, with a carriage return before it: its length, or 0. */
static size_t newline_at(const char *at)
{
    return at[0] == '\n' ? 1 : at[0] == '\r' && at[1] == '\n' ? 2 : 0;
}

/* """ or ----, a newline, text, and the same mark again. */
static void lex_lines(struct lexer *l, const char *mark, size_t length)
{
    const char *start = l->at, *from = start + length;
    const char *close = memmem(from, (size_t)(l->end - from), mark, length);
    if (close) {
        add_string(l, start, from, close, close + length);
    } else {
        wrong(l, start, "this string is never closed: the closing %s is missing", mark);
        l->at = l->end;
    }
}

/* """ that no newline follows. */
static void wrong_lines(struct lexer *l)
{
    const char *start = l->at, *from = start + 3;
    const char *newline = memchr(from, '\n', (size_t)(l->end - from));
    const char *stop = newline ? newline : l->end;
    const char *close = memmem(from, (size_t)(stop - from), "\"\"\"", 3);
    wrong(l, start,
          close ? "\"\"\" opens a string of several lines: write \"...\" for a string on one line"
                : "a newline must follow the opening \"\"\"");
    if (!close)
        close = memmem(from, (size_t)(l->end - from), "\"\"\"", 3);
    l->at = close ? close + 3 : l->end;
    add(l, TOKEN_STRING, start)->text = (struct slice){"", 0};
}

/*
 * A missing quote makes code of every string that follows and strings of the code, up to a last
 * quote without a partner. The mistakes found since the first string that spans lines are likely to
 * be consequences, so they are dropped.
 */
static void wrong_quote(struct lexer *l)
{
    if (l->suspect) {
        struct str place = {0};
        if (l->mistakes->count > l->mistakes_before_suspect)
            l->mistakes->count = l->mistakes_before_suspect;
        source_add_place(&place, l->sources, position(l, l->suspect));
        wrong(l, l->at,
              "this string is never closed: is the closing quote of the string at %s missing?",
              place.text);
        str_free(&place);
    } else {
        wrong(l, l->at, "this string is never closed: the closing quote is missing");
    }
    l->at = l->end;
}

static void lex_string(struct lexer *l)
{
    const char *start = l->at, *at = start + 1;
    if (at[0] == '"' && at[1] == '"') {
        if (newline_at(at + 2))
            lex_lines(l, "\"\"\"", 3);
        else
            wrong_lines(l);
        return;
    }
    bool several_lines = false;
    while (at < l->end && *at != '"') {
        several_lines = several_lines || *at == '\n';
        at += *at == '\\' ? 2 : 1;
    }
    if (at >= l->end) {
        wrong_quote(l);
        return;
    }
    if (several_lines && !l->suspect) {
        l->suspect = start;
        l->mistakes_before_suspect = l->mistakes->count;
    }
    add_string(l, start, start + 1, at, at + 1);
}

/* ---- comments and signs ---- */

static void skip_line(struct lexer *l)
{
    const char *newline = memchr(l->at, '\n', (size_t)(l->end - l->at));
    l->at = newline ? newline : l->end;
}

static void skip_comment(struct lexer *l)
{
    const char *from = l->at + 2, *close = memmem(from, (size_t)(l->end - from), "*/", 2);
    if (!close)
        wrong(l, l->at, "this comment is never closed: */ is missing");
    l->at = close ? close + 2 : l->end;
}

/* Signs of one character, and the pairs that start with it; `alone` is TOKEN_END if it has no
 * meaning. */
static const struct {
    enum token_kind alone;
    char second[2];
    enum token_kind pair[2];
} signs[128] = {
    ['+'] = {TOKEN_PLUS, {'='}, {TOKEN_APPEND}},
    ['-'] = {TOKEN_MINUS, {0}, {0}},
    ['*'] = {TOKEN_TIMES, {'*'}, {TOKEN_POWER}},
    ['/'] = {TOKEN_DIVIDE, {0}, {0}},
    ['%'] = {TOKEN_PERCENT, {'/', '%'}, {TOKEN_INT_DIVIDE, TOKEN_INT_REMAINDER}},
    ['='] = {TOKEN_ASSIGN, {'='}, {TOKEN_EQUAL}},
    ['!'] = {TOKEN_NOT, {'='}, {TOKEN_UNEQUAL}},
    ['&'] = {TOKEN_END, {'&'}, {TOKEN_AND}},
    ['|'] = {TOKEN_BAR, {'|'}, {TOKEN_OR}},
    ['<'] = {TOKEN_LESS, {'='}, {TOKEN_AT_MOST}},
    ['>'] = {TOKEN_MORE, {'='}, {TOKEN_AT_LEAST}},
    ['('] = {TOKEN_OPEN, {0}, {0}},
    [')'] = {TOKEN_CLOSE, {0}, {0}},
    ['{'] = {TOKEN_OPEN_BRACE, {0}, {0}},
    ['}'] = {TOKEN_CLOSE_BRACE, {0}, {0}},
    ['['] = {TOKEN_OPEN_BRACKET, {0}, {0}},
    [']'] = {TOKEN_CLOSE_BRACKET, {0}, {0}},
    [','] = {TOKEN_COMMA, {0}, {0}},
    [';'] = {TOKEN_SEMICOLON, {0}, {0}},
    [':'] = {TOKEN_COLON, {'='}, {TOKEN_UPDATE}},
    ['.'] = {TOKEN_POINT, {0}, {0}},
    ['@'] = {TOKEN_AT, {0}, {0}},
};

static void lex_point(struct lexer *l)
{
    const char *start = l->at++;
    if (start[1] == '.' && start[2] == '.') {
        l->at += 2;
        add(l, TOKEN_ELLIPSIS, start);
    } else if (is_digit(start[1])) {
        wrong_number(l, start, "digits are missing before the point, as in 0.5");
    } else {
        add(l, TOKEN_POINT, start);
    }
}

static void lex_pair(struct lexer *l)
{
    const char *start = l->at++;
    size_t first = (unsigned char)start[0];
    for (size_t i = 0; i < 2; i++)
        if (signs[first].second[i] && signs[first].second[i] == start[1]) {
            l->at++;
            add(l, signs[first].pair[i], start);
            return;
        }
    if (signs[first].alone == TOKEN_END)
        wrong(l, start, "'&' is not an operator: did you mean '&&'?");
    else
        add(l, signs[first].alone, start);
}

static void lex_sign(struct lexer *l)
{
    const char *at = l->at;
    if (at[0] == '/' && at[1] == '/')
        skip_line(l);
    else if (at[0] == '/' && at[1] == '*')
        skip_comment(l);
    else if (at[0] == '.')
        lex_point(l);
    else if (strncmp(at, "----", 4) == 0 && newline_at(at + 4))
        lex_lines(l, "----", 4);
    else
        lex_pair(l);
}

/* ---- what is no part of the language ---- */

/* Characters that people write, and what they mean. */
static const struct {
    const char *bytes, *advice;
} known[] = {
    {"'", "strings are written in double quotes"},
    {"#", "comments start with //"},
    {"^", "the power operator is **"},
    {"~", "'not' is !"},
    {"?", "there is no ?: operator, use if"},
    {"\\", "a backslash is only allowed in strings"},
    {"$", "names are written without $"},
    {"\xc2\xa0", "this is a no-break space: write a space"},
    {"\xe2\x80\x8b", "this is an invisible space: remove it"},
    {"\xef\xbb\xbf", "this is an invisible byte order mark: remove it"},
    {"\xe2\x80\x9c", "strings are written in \"straight\" quotes"},
    {"\xe2\x80\x9d", "strings are written in \"straight\" quotes"},
    {"\xe2\x80\x9e", "strings are written in \"straight\" quotes"},
    {"\xe2\x80\x98", "strings are written in \"straight\" quotes"},
    {"\xe2\x80\x99", "strings are written in \"straight\" quotes"},
    {"\xe2\x80\x93", "this is a dash: write -"},
    {"\xe2\x80\x94", "this is a dash: write -"},
    {"\xe2\x88\x92", "this is a mathematical minus: write -"},
    {"\xe2\x89\xa4", "write <="},
    {"\xe2\x89\xa5", "write >="},
    {"\xe2\x89\xa0", "write !="},
};

static const char *advice_at(const char *at)
{
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(at, known[i].bytes, strlen(known[i].bytes)) == 0)
            return known[i].advice;
    return is_ascii(*at) ? "there is no such operator"
                         : "only ASCII characters are allowed outside strings";
}

static void lex_bad(struct lexer *l)
{
    const char *start = l->at;
    size_t length = utf8_length(start, (size_t)(l->end - start));
    if (length == 0 || (unsigned char)*start < ' ' || *start == 0x7f) {
        wrong(l, start, "unexpected byte 0x%02x: a script is text", (unsigned char)*start);
        while (l->at < l->end && class_of(*l->at) == BAD)
            l->at++;
        return;
    }
    wrong(l, start, "unexpected character '%.*s': %s", (int)length, start, advice_at(start));
    l->at += length;
    if (!is_ascii(*start)) {
        skip_word(l);
    } else if (*start == '\'') { /* the text in these quotes is no code either */
        size_t rest = strcspn(l->at, "'\n");
        if (l->at[rest] == '\'')
            l->at += rest + 1;
    }
}

/* ---- the whole text ---- */

/* A line that starts with # is a comment where there was no preprocessor. */
static bool at_directive(const struct lexer *l)
{
    return l->raw && *l->at == '#' && (l->at == l->text.text || l->at[-1] == '\n');
}

void lex(struct sources *sources, size_t text, bool raw, struct tokens *tokens,
         struct err_list *mistakes)
{
    struct lexer l = {.sources = sources,
                      .text = sources->texts[text].text,
                      .first = sources->texts[text].first,
                      .tokens = tokens,
                      .mistakes = mistakes,
                      .raw = raw};
    l.at = l.text.text;
    l.end = l.at + l.text.length;
    while (l.at < l.end) {
        switch (class_of(*l.at)) {
        case SPACE: l.at++; break;
        case LETTER: lex_name(&l); break;
        case DIGIT: lex_number(&l); break;
        case SIGN: lex_sign(&l); break;
        case QUOTE: lex_string(&l); break;
        case BAD:
            if (at_directive(&l))
                skip_line(&l);
            else
                lex_bad(&l);
            break;
        }
    }
    add(&l, TOKEN_END, l.end);
}

/* ---- for messages ---- */

static const char *const kind_names[] = {
    [TOKEN_END] = "the end of the file",
    [TOKEN_NAME] = "a name",
    [TOKEN_INT] = "a whole number",
    [TOKEN_FLOAT] = "a number",
    [TOKEN_STRING] = "a string",
    [TOKEN_APP] = "'app'",
    [TOKEN_BUILTIN] = "'builtin'",
    [TOKEN_IF] = "'if'",
    [TOKEN_SWITCH] = "'switch'",
    [TOKEN_CASE] = "'case'",
    [TOKEN_DEFAULT] = "'default'",
    [TOKEN_ELSE] = "'else'",
    [TOKEN_FOREACH] = "'foreach'",
    [TOKEN_IN] = "'in'",
    [TOKEN_FOR] = "'for'",
    [TOKEN_ITERATE] = "'iterate'",
    [TOKEN_UNTIL] = "'until'",
    [TOKEN_WAIT] = "'wait'",
    [TOKEN_DEEP] = "'deep'",
    [TOKEN_TRUE] = "'true'",
    [TOKEN_FALSE] = "'false'",
    [TOKEN_GLOBAL] = "'global'",
    [TOKEN_CONST] = "'const'",
    [TOKEN_TYPE] = "'type'",
    [TOKEN_TYPEDEF] = "'typedef'",
    [TOKEN_IMPORT] = "'import'",
    [TOKEN_PRAGMA] = "'pragma'",
    [TOKEN_STDIN] = "'stdin'",
    [TOKEN_STDOUT] = "'stdout'",
    [TOKEN_STDERR] = "'stderr'",
    [TOKEN_ELLIPSIS] = "'...'",
    [TOKEN_INT_DIVIDE] = "'%/'",
    [TOKEN_INT_REMAINDER] = "'%%'",
    [TOKEN_POWER] = "'**'",
    [TOKEN_APPEND] = "'+='",
    [TOKEN_UPDATE] = "':='",
    [TOKEN_AND] = "'&&'",
    [TOKEN_OR] = "'||'",
    [TOKEN_EQUAL] = "'=='",
    [TOKEN_UNEQUAL] = "'!='",
    [TOKEN_AT_LEAST] = "'>='",
    [TOKEN_AT_MOST] = "'<='",
    [TOKEN_PLUS] = "'+'",
    [TOKEN_MINUS] = "'-'",
    [TOKEN_TIMES] = "'*'",
    [TOKEN_DIVIDE] = "'/'",
    [TOKEN_PERCENT] = "'%'",
    [TOKEN_ASSIGN] = "'='",
    [TOKEN_NOT] = "'!'",
    [TOKEN_MORE] = "'>'",
    [TOKEN_LESS] = "'<'",
    [TOKEN_OPEN] = "'('",
    [TOKEN_CLOSE] = "')'",
    [TOKEN_OPEN_BRACE] = "'{'",
    [TOKEN_CLOSE_BRACE] = "'}'",
    [TOKEN_OPEN_BRACKET] = "'['",
    [TOKEN_CLOSE_BRACKET] = "']'",
    [TOKEN_COMMA] = "','",
    [TOKEN_SEMICOLON] = "';'",
    [TOKEN_COLON] = "':'",
    [TOKEN_POINT] = "'.'",
    [TOKEN_AT] = "'@'",
    [TOKEN_BAR] = "'|'",
};

const char *token_kind_name(enum token_kind kind)
{
    return kind_names[kind];
}

void token_describe(struct str *s, const struct sources *sources, const struct token *token)
{
    struct slice text = source_slice(sources, token->at, token->length);
    const char *quote = token->kind == TOKEN_STRING ? "" : "'";
    if (token->kind == TOKEN_END || text.length == 0) {
        str_add(s, token_kind_name(TOKEN_END));
        return;
    }
    size_t length = 0, step;
    while (length < text.length && length < SHOWN_BYTES &&
           (unsigned char)text.text[length] >= ' ') {
        step = utf8_length(text.text + length, text.length - length);
        length += step > 0 ? step : 1;
    }
    str_add(s, quote);
    str_add_bytes(s, text.text, length);
    str_add(s, length < text.length ? "..." : "");
    str_add(s, quote);
}
