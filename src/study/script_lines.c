/*
 * script_lines.c - lines for the script of a job: for the shell, and for the scheduler.
 *
 * Each of them is exactly one line, since some schedulers look for directives in all lines of a
 * script: text of several lines is split, and each line is checked.
 */
#include "study/read.h"

enum { LINES = 1000, LINE_BYTES = 10000, DIRECTIVE_BYTES = 1000 };

/* Lines while they are read. */
struct lines {
    struct reader *reader;
    /* False, after a mistake, if the line is wrong. */
    bool (*check)(struct reader *reader, struct place place, const char *line);
    const char **lines;
    size_t count;
};

/* Length of a character that some program treats as a control character or line end, or 0. */
static size_t control_length(const char *p)
{
    const unsigned char *c = (const unsigned char *)p;
    if (c[0] < ' ' || c[0] == 0x7f)
        return 1;
    if (c[0] == 0xc2 && c[1] >= 0x80 && c[1] < 0xa0)
        return 2;
    return c[0] == 0xe2 && c[1] == 0x80 && (c[2] == 0xa8 || c[2] == 0xa9) ? 3 : 0;
}

size_t line_length(const char *text)
{
    const char *p = text;
    while (*p && control_length(p) == 0)
        p++;
    return (size_t)(p - text);
}

/* Where the option starts in "#SBATCH --exclusive"; NULL if it is not a line for a scheduler. */
static const char *scheduler_option(const char *line)
{
    static const char *const marks[] = {"#SBATCH", "#PBS",   "#BSUB",   "#$ -",
                                        "#COBALT", "#FLUX:", "# flux:", "#flux:"};
    for (size_t i = 0; i < sizeof marks / sizeof *marks; i++) {
        if (strncmp(line, marks[i], strlen(marks[i])) != 0)
            continue;
        const char *option = strstr(line, " -");
        return option ? option + 1 : "--exclusive";
    }
    return NULL;
}

/* ---- collecting lines ---- */

static size_t count_lines(const struct node *value)
{
    size_t count = 0;
    if (value->kind == NODE_LIST)
        for (const struct node *item = value->first; item; item = item->next)
            count += count_lines(item);
    for (const char *p = value->text; value->kind == NODE_SCALAR && p; p = strchr(p, '\n')) {
        count++;
        p += *p == '\n';
    }
    return count;
}

/* Takes the lines of a text, without empty ones and trailing blanks. */
static void take_lines(struct lines *lines, const struct node *item)
{
    for (const char *p = item->text, *next; *p; p = next) {
        size_t length = strcspn(p, "\n");
        next = p + length + (p[length] == '\n');
        while (length > 0 && strchr(" \t", p[length - 1]))
            length--;
        if (length == 0)
            continue;
        const char *line = arena_copy(&lines->reader->study->arena, p, length);
        if (lines->check(lines->reader, item->place, line))
            lines->lines[lines->count++] = line;
    }
}

/* NULL if there are none. */
static const char *const *read_lines(struct lines *lines, const struct node *value,
                                     const char *example)
{
    struct reader *reader = lines->reader;
    size_t most = count_lines(value);
    if (value->kind == NODE_MAP || most > LINES) {
        mistake(reader->mistakes, value->place, "'%s' must be a list of at most %d lines, as in %s",
                value->key, LINES, example);
        return NULL;
    }
    lines->lines = arena_new(&reader->study->arena, most + 1, sizeof *lines->lines);
    const char *text;
    if (value->kind == NODE_SCALAR && read_text(reader, value, &text))
        take_lines(lines, value);
    for (const struct node *item = value->first; item; item = item->next) {
        if (read_text(reader, item, &text))
            take_lines(lines, item);
    }
    return lines->count > 0 ? lines->lines : NULL;
}

/* ---- lines of a shell ---- */

/* A line for the shell may contain tabs. */
static bool has_control(const char *line)
{
    for (const char *p = line; *p; p++)
        if (*p != '\t' && control_length(p) > 0)
            return true;
    return false;
}

static bool check_shell(struct reader *reader, struct place place, const char *line)
{
    const char *option = scheduler_option(line + strspn(line, " \t"));
    if (option)
        mistake(
            reader->mistakes, place,
            "'%s' is for the scheduler, but these lines are for a shell: write directives: ['%s']",
            shown(line).text, shown(option).text);
    else if (has_control(line) || strlen(line) > LINE_BYTES)
        mistake(reader->mistakes, place,
                "a shell line must have at most %d bytes and no control characters", LINE_BYTES);
    else
        return true;
    return false;
}

const char *const *read_prologue(struct reader *reader, const struct node *value)
{
    struct lines lines = {.reader = reader, .check = check_shell};
    return read_lines(&lines, value, "prologue: [source venv/bin/activate]");
}

/* ---- lines of a scheduler ---- */

static bool check_directive(struct reader *reader, struct place place, const char *line)
{
    const char *option = scheduler_option(line);
    if (option)
        mistake(reader->mistakes, place,
                "a directive is only the option, since Wick adds what comes before it: write '%s'",
                shown(option).text);
    else if (line[0] != '-')
        mistake(reader->mistakes, place,
                "a directive must be an option of the scheduler, as in --exclusive, but '%s' does "
                "not start with -",
                shown(line).text);
    else if (line[line_length(line)] || strlen(line) > DIRECTIVE_BYTES)
        mistake(reader->mistakes, place,
                "a directive must have at most %d bytes and no control characters",
                DIRECTIVE_BYTES);
    else
        return true;
    return false;
}

const char *const *read_directives(struct reader *reader, const struct node *value)
{
    struct lines lines = {.reader = reader, .check = check_directive};
    return read_lines(&lines, value, "directives: [--exclusive]");
}

bool read_line(struct reader *reader, const struct node *value, const char **line)
{
    if (!read_text(reader, value, line))
        return false;
    if ((*line)[line_length(*line)] == 0)
        return true;
    mistake(reader->mistakes, value->place, "'%s' must be a single line without control characters",
            value->key);
    return false;
}
