/* pattern.c - regular expressions of the user. */
#include "leaf/pattern.h"

#include <limits.h>

enum { PATTERN_BYTES = 1000, PATTERN_NODES = 5000 };

/* By how much a repeat can make the pattern larger; 1 for what is no repeat. */
static double growth(const char *pattern, const char *at)
{
    if (*at == '+' && at > pattern && strchr(")+*?}", at[-1]))
        return 2;
    double count = *at == '{' || *at == ',' ? strtod(at + 1, NULL) : 1;
    return count > 1 ? count : 1;
}

/*
 * The C library expands repeats: a{100} becomes a hundred nodes, and a group with + two of it. This
 * estimates the result as if all repeats were nested. A back reference such as \1 needs no memory,
 * but endless time.
 */
static bool is_too_large(const char *pattern)
{
    double size = (double)strlen(pattern);
    for (const char *at = pattern; *at; at++) {
        size *= growth(pattern, at);
        bool escape = *at == '\\' && at[1];
        at += escape;
        if (escape && *at >= '1' && *at <= '9')
            return true;
    }
    return strlen(pattern) > PATTERN_BYTES || size > PATTERN_NODES;
}

/* Writes \d and \D in the way of POSIX. */
static void translate(struct str *out, struct slice pattern)
{
    for (size_t i = 0; i < pattern.length; i++) {
        bool escape = pattern.text[i] == '\\' && i + 1 < pattern.length;
        char next = escape ? pattern.text[i + 1] : 0;
        if (next == 'd' || next == 'D')
            str_add(out, next == 'd' ? "[0-9]" : "[^0-9]");
        else
            str_add_bytes(out, pattern.text + i, escape ? 2 : 1);
        i += escape;
    }
}

int leaf_pattern_open(regex_t *regex, const char *name, struct slice pattern, struct arena *arena,
                      struct err *e)
{
    char reason[128];
    const char *shown = leaf_excerpt(pattern, arena);
    struct str text = {0};
    translate(&text, pattern);
    bool too_large = is_too_large(str_text(&text));
    int code = too_large ? 0 : regcomp(regex, str_text(&text), REG_EXTENDED);
    str_free(&text);
    if (too_large)
        return err_set(e, ERR_USER,
                       "%s: the regular expression '%s' is too large: at most %d bytes, few "
                       "repeats and no back reference are allowed",
                       name, shown, PATTERN_BYTES);
    if (code == 0)
        return 0;
    regerror(code, regex, reason, sizeof reason);
    return err_set(e, ERR_USER, "%s: '%s' is not a regular expression: %s", name, shown, reason);
}

/*
 * Searches a text, which the C library wants to end in a zero byte: REG_STARTEND would do without,
 * but sanitizers do not know it. False if there is no match.
 */
static bool search(const regex_t *regex, struct slice text, regmatch_t *match)
{
    char buffer[256];
    if (text.length > INT_MAX) /* the C library counts in int */
        return false;
    char *copy = text.length < sizeof buffer ? buffer : memory_new(text.length + 1, 1);
    if (text.length > 0)
        memcpy(copy, text.text, text.length);
    copy[text.length] = 0;
    bool found = regexec(regex, copy, 1, match, 0) == 0;
    if (copy != buffer)
        free(copy);
    return found;
}

bool leaf_pattern_matches(const regex_t *regex, struct slice text)
{
    regmatch_t ignored;
    return search(regex, text, &ignored);
}

size_t leaf_pattern_find(const regex_t *regex, struct slice text)
{
    regmatch_t match;
    return search(regex, text, &match) ? (size_t)match.rm_so : text.length;
}
