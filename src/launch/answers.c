/* answers.c - parses the output of the schedulers' programs, which may be any bytes. */
#include "launch/schedulers.h"

#include <ctype.h>

bool answer_is_id(const char *id)
{
    if (!isalnum((unsigned char)id[0]) || strlen(id) >= LAUNCH_ID)
        return false;
    for (const char *c = id; *c; c++)
        if (!isalnum((unsigned char)*c) && !strchr("._-[]@", *c))
            return false;
    return true;
}

void answer_line(const struct program_answer *answer, char *text, size_t size)
{
    const char *said = str_text(&answer->errors);
    if (said[strspn(said, " \t\r\n")] == 0)
        said = str_text(&answer->out);
    said += strspn(said, " \t\r\n");
    snprintf(text, size, "%.*s", (int)strcspn(said, "\r\n"), said);
}

bool answer_is_unknown(const struct scheduler *row, const struct program_answer *answer)
{
    for (size_t i = 0; row->unknown[i]; i++)
        if (strstr(str_text(&answer->errors), row->unknown[i]) ||
            strstr(str_text(&answer->out), row->unknown[i]))
            return true;
    return false;
}

/* ---- the program that submits ---- */

/* The job ID at the start of a text, up to `end` or to a character that ends an ID. */
static bool take_id(const struct scheduler *row, const char *at, const char *end,
                    char id[LAUNCH_ID])
{
    while (at < end && isspace((unsigned char)*at))
        at++;
    size_t length = 0;
    while (at + length < end && !isspace((unsigned char)at[length]) &&
           !(row->id_end && strchr(row->id_end, at[length])))
        length++;
    if (length >= LAUNCH_ID)
        return false;
    snprintf(id, LAUNCH_ID, "%.*s", (int)length, at);
    return answer_is_id(id);
}

/* True for a line of one word with a digit in it. At some sites, programs print more lines. */
static bool is_number(struct slice line)
{
    bool has_digit = false;
    for (size_t i = 0; i < line.length; i++) {
        if (isspace((unsigned char)line.text[i]))
            return false;
        has_digit = has_digit || isdigit((unsigned char)line.text[i]);
    }
    return has_digit;
}

bool answer_id(const struct scheduler *row, const struct str *out, char id[LAUNCH_ID])
{
    struct slice rest = {str_text(out), out->length}, line;
    if (row->id_before) {
        const char *at = strstr(rest.text, row->id_before);
        return at && take_id(row, at + strlen(row->id_before), rest.text + rest.length, id);
    }
    do {
        line = slice_last_line(rest);
        if (is_number(line) && take_id(row, line.text, line.text + line.length, id))
            return true;
        rest.length = (size_t)(line.text - rest.text);
    } while (rest.length > 0);
    return false;
}

/* ---- the program that lists jobs ---- */

static void set_word(struct launch_report *report, struct slice word, struct slice detail)
{
    while (word.length > 0 && isspace((unsigned char)*word.text)) {
        word.text++;
        word.length--;
    }
    while (word.length > 0 && isspace((unsigned char)word.text[word.length - 1]))
        word.length--;
    snprintf(report->word, sizeof report->word, "%.*s", (int)word.length, word.text);
    if (slice_is(detail, "-")) /* LSF writes "-" for nothing */
        detail.length = 0;
    snprintf(report->detail, sizeof report->detail, "%.*s", (int)detail.length, detail.text);
}

static void read_fields(const char *text, struct launch_report *report)
{
    text += strspn(text, " \t\r\n");
    struct slice word = {text, strcspn(text, "|\r\n")}, detail = {"", 0};
    if (text[word.length] == '|')
        detail = (struct slice){text + word.length + 1, strcspn(text + word.length + 1, "|\r\n")};
    set_word(report, word, detail);
}

/* The value of "name = value", up to the end of its line. */
static struct slice attribute(const char *text, const char *name)
{
    struct str key = {0};
    struct slice value = {"", 0};
    str_printf(&key, " %s = ", name);
    const char *at = strstr(text, key.text);
    if (at) {
        at += key.length;
        value = (struct slice){at, strcspn(at, "\r\n")};
    }
    str_free(&key);
    return value;
}

static void read_attributes(const char *text, struct launch_report *report)
{
    struct slice detail = attribute(text, "exec_host");
    if (detail.length == 0)
        detail = attribute(text, "comment");
    set_word(report, attribute(text, "job_state"), detail);
}

static struct slice next_word(const char **at)
{
    *at += strspn(*at, " \t");
    struct slice word = {*at, strcspn(*at, " \t\r\n")};
    *at += word.length;
    return word;
}

static void read_columns(const char *text, const char *id, unsigned column,
                         struct launch_report *report)
{
    for (const char *line = text; *line;) {
        const char *at = line;
        if (slice_is(next_word(&at), id)) {
            struct slice word = {"", 0};
            for (unsigned i = 0; i < column; i++)
                word = next_word(&at);
            set_word(report, word, (struct slice){"", 0});
            return;
        }
        line += strcspn(line, "\n");
        line += *line == '\n';
    }
}

static enum launch_state state_of(const struct scheduler *row, const char *word)
{
    for (const struct scheduler_word *state = row->states; state->word; state++)
        if (strncmp(word, state->word, strlen(state->word)) == 0)
            return state->state;
    return LAUNCH_ENDED;
}

void answer_read(const struct scheduler *row, const char *id, const char *text,
                 struct launch_report *report)
{
    if (row->how == ANSWER_FIELDS)
        read_fields(text, report);
    else if (row->how == ANSWER_ATTRIBUTES)
        read_attributes(text, report);
    else
        read_columns(text, id, row->column, report);
    report->state = state_of(row, report->word);
}
