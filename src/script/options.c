/* options.c - the options that a script takes, according to its text. */
#include "script/script.h"

#include <ctype.h>
#include <sys/stat.h>

enum { TEXT_LIMIT = 1 << 20, OPTIONS = 1000 };

static bool is_part_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static bool contains_any(const struct script *script, const char *const *parts)
{
    for (; *parts; parts++)
        if (strstr(script->text.text, *parts))
            return true;
    return false;
}

bool script_mentions(const struct script *script, const char *name)
{
    const char *text = script->text.text, *found = text;
    size_t length = strlen(name);
    for (; (found = strstr(found, name)); found += length)
        if ((found == text || !is_part_of_name(found[-1])) && !is_part_of_name(found[length]))
            return true;
    return false;
}

bool script_reads_params(const struct script *script)
{
    static const char *const ways[] = {"WICK", "wick", NULL};
    return contains_any(script, ways);
}

/* ---- reading it ---- */

/* Collects every "--name" in quotes; false if one is composed while the script runs. */
static bool collect_options(struct script *script)
{
    size_t count = 0;
    script->options = arena_new(&script->arena, OPTIONS + 1, sizeof *script->options);
    const char *at = script->text.text;
    while (count < OPTIONS && (at = strstr(at, "--"))) {
        bool is_quoted = at > script->text.text && (at[-1] == '"' || at[-1] == '\'');
        at += 2;
        if (!is_quoted || *at == '-')
            continue;
        size_t length = 0;
        while (is_part_of_name(at[length]) || at[length] == '-' || at[length] == '.')
            length++;
        if (length == 0 || strchr("{%+", at[length]))
            return false;
        script->options[count++] = arena_copy(&script->arena, at, length);
        at += length;
    }
    return count > 0 && count < OPTIONS;
}

/* The variable that the first parser is assigned to; empty if there is none. */
static struct slice parser_name(const char *text, const char *made)
{
    while (made > text && (is_part_of_name(made[-1]) || made[-1] == '.'))
        made--;
    while (made > text && made[-1] == ' ')
        made--;
    if (made == text || made[-1] != '=')
        return (struct slice){made, 0};
    made--;
    while (made > text && made[-1] == ' ')
        made--;
    const char *end = made;
    while (made > text && is_part_of_name(made[-1]))
        made--;
    return (struct slice){made, (size_t)(end - made)};
}

/* True if the parser is given to other code, which can add options to it. */
static bool gives_parser_away(const struct script *script)
{
    const char *text = script->text.text, *made = strstr(text, "ArgumentParser(");
    if (!made)
        return false;
    struct slice name = parser_name(text, made);
    if (name.length == 0)
        return true;
    const char *end = text + script->text.length, *at = text + 1;
    for (; (at = memmem(at, (size_t)(end - at), name.text, name.length)); at++)
        if (strchr("(,= ", at[-1]) && strchr("),", at[name.length]))
            return true;
    return false;
}

/* True if it keeps options that it does not know, which may go anywhere. */
static bool keeps_unknown(const struct script *script)
{
    static const char *const known[] = {"parse_known_args", NULL};
    static const char *const dropped[] = {"parse_known_args()[0]", ", _ = ", ", _unknown = ", NULL};
    return contains_any(script, known) && !contains_any(script, dropped);
}

/* True if it declares its options one by one, and no other way to read them is in sight. */
static bool is_closed(const struct script *script)
{
    static const char *const declares[] = {"add_argument(", "click.option(", "make_option(", NULL};
    static const char *const open[] = {
        "sys.argv",     "commandArgs",      "parents=",      "kwargs",         "import *",
        "setattr(",     "ArgumentParser):", "HfArg",         "Lightning",      "hydra",
        "jsonargparse", "omegaconf",        "OmegaConf",     "ignore_unknown", "subparsers",
        "source(",      "fromfile_prefix",  "argparse_args", "exec(",          NULL};
    return contains_any(script, declares) && !contains_any(script, open) &&
           !script_reads_params(script) && !keeps_unknown(script) && !gives_parser_away(script);
}

bool script_read(struct script *script, const char *path)
{
    struct err e = {0};
    struct stat info;
    *script = (struct script){0};
    if (stat(path, &info) != 0 || !S_ISREG(info.st_mode)) /* a pipe would make us wait */
        return false;
    if (str_read_file(&script->text, path, TEXT_LIMIT, &e) || script->text.length == 0 ||
        strlen(script->text.text) != script->text.length) {
        script_free(script);
        return false;
    }
    script->is_closed = collect_options(script) && is_closed(script);
    return true;
}

void script_free(struct script *script)
{
    str_free(&script->text);
    arena_free(&script->arena);
    *script = (struct script){0};
}

/* ---- a parameter as an option ---- */

/* True for names that differ only in their dashes: learning-rate and learning_rate. */
static bool is_other_spelling(const char *a, const char *b)
{
    for (; *a && *b; a++, b++)
        if (*a != *b && !(strchr("-_", *a) && strchr("-_", *b)))
            return false;
    return *a == *b;
}

bool script_takes(const struct script *script, const char *name, const char **meant)
{
    *meant = NULL;
    if (!script->is_closed)
        return true;
    for (const char **option = script->options; *option; option++) {
        if (strncmp(*option, name, strlen(name)) == 0)
            return true; /* argparse takes an unambiguous start of an option */
        if (is_other_spelling(*option, name))
            *meant = *option;
    }
    if (*meant)
        return false;
    *meant = str_nearest(name, script->options);
    return script_mentions(script, name);
}
