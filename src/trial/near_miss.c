/* near_miss.c - a line that was meant to be the score, in the output of a trial without one. */
#include "trial/output.h"

#include <ctype.h>

enum { SHOWN = 60 }; /* bytes of the line that a message shows */

static bool is_joint(char c)
{
    return c == '_' || c == '-' || c == ' ';
}

/* The end of a name at `at`, in any case, and with any of blanks, dashes and underscores; or NULL.
 */
static const char *loose_name(const char *at, const char *name)
{
    for (; *name; at++, name++) {
        bool joint = is_joint(*name) && is_joint(*at);
        if (!joint && tolower((unsigned char)*at) != tolower((unsigned char)*name))
            return NULL;
    }
    return isalnum((unsigned char)*at) || *at == '_' ? NULL : at;
}

/* True if there is a number in what follows a name, within a few words. */
static bool has_number(const char *text)
{
    enum { NEAR = 24 };
    size_t at = strcspn(text, "0123456789");
    return text[at] && at < NEAR;
}

/* Where the name of the score is, with a number behind it; NULL if it is nowhere. */
static const char *find_loosely(const char *line, const char *name)
{
    for (const char *at = line; *at; at++) {
        bool starts = at == line || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
        const char *end = starts ? loose_name(at, name) : NULL;
        if (end && has_number(end))
            return at;
    }
    return NULL;
}

/* What was wrong with a line that names the score: what follows the name is no plain number. */
static const char *advice_for(const char *at, const char *name)
{
    size_t length = strlen(name);
    const char *p = at + length;
    bool exact = strncmp(at, name, length) == 0;
    p += strspn(p, "\"' \t");
    bool separated = *p == ':' || *p == '=';
    p += strcspn(p, "0123456789");
    p += strspn(p, "0123456789");
    if (!exact || !separated)
        return "print it as";
    if (strchr(at, '('))
        return "print the number alone, as .item() or float() give it:";
    if (*p == ',' && isdigit((unsigned char)p[1]))
        return "print the number with a decimal point:";
    return "print the number alone:";
}

static bool look_at(const struct study_model *model, struct slice found, struct near_miss *miss)
{
    char line[OUTPUT_LINE + 1];
    const char *name = study_score_name(model), *at = line;
    double ignored;
    size_t length = found.length < OUTPUT_LINE ? found.length : OUTPUT_LINE;
    memcpy(line, found.text, length);
    output_clean(line, &length);
    if (output_find_score(model, line, &ignored))
        miss->advice = NULL;
    else if (!model->regex && (at = find_loosely(line, name)))
        miss->advice = advice_for(at, name);
    else
        return false;
    length = strlen(at);
    while (length > 0 && isspace((unsigned char)at[length - 1]))
        length--;
    bool cut = length > SHOWN;
    for (length = cut ? SHOWN : length; cut && ((unsigned char)at[length] & 0xc0) == 0x80;)
        length--;
    snprintf(miss->line, sizeof miss->line, "%.*s%s", (int)length, at, cut ? "..." : "");
    return true;
}

bool output_near_miss(const struct study_model *model, struct slice log, struct near_miss *miss)
{
    while (log.length > 0) {
        struct slice line = slice_last_line(log);
        if (line.length > 0 && look_at(model, line, miss))
            return true;
        log.length = (size_t)(line.text - log.text);
    }
    return false;
}
