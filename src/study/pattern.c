/* pattern.c - the regular expression that finds a score. */
#include "study/read.h"

enum { BYTES = 1000, NODES = 5000 };

/* ---- how large a pattern gets ---- */

/*
 * The C library expands repeats: a{100} becomes a hundred a's, and a+ becomes aa*. So a short
 * pattern such as (a{100}){100} or a++++++++++++++++++++++++++++ can take all memory. Its size is
 * estimated first, and a pattern that would get too large is refused.
 */

/* Skips [...], which may start with ] and contain [:alpha:]. */
static void skip_bracket(const char **at)
{
    const char *p = *at + 1;
    p += *p == '^';
    p += *p == ']';
    while (*p && *p != ']') {
        bool class = *p == '[' && p[1] && strchr(":.=", p[1]);
        const char *end = class ? strstr(p + 2, (const char[]){p[1], ']', 0}) : NULL;
        p = end ? end + 2 : p + 1;
    }
    *at = p + (*p != 0);
}

static double sequence_size(const char **at);

static double atom_size(const char **at)
{
    double size = 1;
    if (**at == '(') {
        ++*at;
        size += sequence_size(at);
        *at += **at == ')';
    } else if (**at == '[') {
        skip_bracket(at);
    } else {
        *at += **at == '\\' && (*at)[1] ? 2 : 1;
    }
    return size;
}

/* The larger number of {2,5}, which is skipped. */
static double repeat_count(const char **at)
{
    double most = 1;
    while (**at && **at != '}') {
        char *end;
        double count = (double)strtoul(*at, &end, 10);
        most = end > *at && count > most ? count : most;
        *at = end > *at ? end : *at + 1;
    }
    *at += **at == '}';
    return most;
}

static double sequence_size(const char **at)
{
    double total = 0;
    while (**at && **at != ')') {
        double size = atom_size(at);
        while (**at && strchr("+*?{", **at)) {
            char repeat = *(*at)++;
            size *= repeat == '+' ? 2 : repeat == '{' ? repeat_count(at) : 1;
        }
        total += size;
    }
    return total;
}

static bool is_too_large(const char *pattern)
{
    double size = 0;
    if (strlen(pattern) > BYTES)
        return true;
    while (*pattern) {
        size += sequence_size(&pattern);
        pattern += *pattern == ')';
    }
    return size > NODES;
}

/* ---- the key ---- */

void read_pattern(struct reader *reader, const struct node *value)
{
    struct study_model *model = &reader->study->model;
    const char *pattern;
    if (!read_text(reader, value, &pattern))
        return;
    if (is_too_large(pattern)) {
        mistake(reader->mistakes, value->place,
                "the pattern is too large: use at most %d bytes and fewer repeats", BYTES);
        return;
    }
    regex_t *regex = arena_new(&reader->study->arena, 1, sizeof *regex);
    int code = regcomp(regex, pattern, REG_EXTENDED);
    if (code != 0) {
        char text[200];
        regerror(code, regex, text, sizeof text);
        mistake(reader->mistakes, value->place, "the pattern is not a regular expression: %s",
                text);
        return;
    }
    model->regex = regex; /* study_free() frees it from here on */
    model->pattern = pattern;
    if (regex->re_nsub != 1)
        mistake(reader->mistakes, value->place,
                "the pattern needs exactly one group, but it has %zu: put the number in "
                "parentheses, as in 'loss: ([0-9.]+)'",
                regex->re_nsub);
}
