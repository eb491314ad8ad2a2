/* pattern.c - regular expressions of the user. */
#include "leaf/pattern.h"

#include <limits.h>

enum { PATTERN_BYTES = 1000, PATTERN_NODES = 100000 };

/*
 * The C library expands repeats: a{100} becomes a hundred nodes, and a group with + two of it. This
 * estimates the result as if all of these were nested. A back reference such as \1 needs no memory,
 * but endless time.
 */
static bool is_too_large(const char *pattern)
{
    double size = (double)strlen(pattern);
    for (const char *at = pattern; *at; at++) {
        bool group = at > pattern && at[-1] == ')';
        double count = *at == '+' && group        ? 2
                       : *at == '{' || *at == ',' ? strtod(at + 1, NULL)
                                                  : 1;
        size *= count > 1 ? count : 1;
        if (*at != '\\' || !at[1])
            continue;
        if (*++at >= '1' && *at <= '9')
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

bool leaf_pattern_matches(const regex_t *regex, struct slice text)
{
    if (text.length > INT_MAX) /* the C library counts in int */
        return false;
    regmatch_t range = {0, (regoff_t)text.length};
    return regexec(regex, text.length > 0 ? text.text : "", 0, &range, REG_STARTEND) == 0;
}

size_t leaf_pattern_find(const regex_t *regex, struct slice text)
{
    if (text.length > INT_MAX)
        return text.length;
    regmatch_t match = {0, (regoff_t)text.length};
    bool found = regexec(regex, text.length > 0 ? text.text : "", 1, &match, REG_STARTEND) == 0;
    return found ? (size_t)match.rm_so : text.length;
}
