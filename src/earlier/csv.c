/* csv.c - the rows of a CSV file. */
#include "earlier/csv.h"

void csv_open(struct csv *csv, struct str *text)
{
    static const char mark[] = "\xef\xbb\xbf"; /* the mark of UTF-8 that some programs write */
    *csv = (struct csv){.text = *text, .next_line = 1, .separator = ','};
    *text = (struct str){0};
    const char *first = str_text(&csv->text);
    size_t length = strcspn(first, "\r\n");
    if (strncmp(first, mark, 3) == 0)
        csv->at = 3;
    if (!memchr(first, ',', length) && memchr(first, ';', length))
        csv->separator = ';';
    else if (!memchr(first, ',', length) && memchr(first, '\t', length))
        csv->separator = '\t';
}

void csv_close(struct csv *csv)
{
    str_free(&csv->text);
    free(csv->fields);
}

static void add_field(struct csv *csv, char *field)
{
    csv->fields = memory_grow(csv->fields, &csv->capacity, csv->count + 1, sizeof *csv->fields);
    csv->fields[csv->count++] = field;
}

/* Unquotes in place from `at` on; returns the end of the text, NULL when the quote is never closed.
 */
static char *unquote(struct csv *csv, char *at, char **end)
{
    char *to = at;
    for (char *from = at + 1; *from; from++) {
        if (*from == '"' && from[1] != '"') {
            *end = from + 1;
            return to;
        }
        from += *from == '"';
        csv->next_line += *from == '\n';
        *to++ = *from;
    }
    return NULL;
}

/* Reads one field; sets csv->at to what follows, and *last when it ends the row. */
static bool read_field(struct csv *csv, bool *last)
{
    char stops[] = {csv->separator, '\n', 0};
    char *field = csv->text.text + csv->at, *end = field, *text_end;
    if (*field == '"') {
        text_end = unquote(csv, field, &end);
        if (!text_end)
            return false;
        end += strcspn(end, stops);
    } else {
        text_end = end += strcspn(end, stops);
        while (text_end > field && (text_end[-1] == '\r' || text_end[-1] == ' '))
            text_end--;
        while (field < text_end && *field == ' ')
            field++;
    }
    *last = *end != csv->separator;
    csv->next_line += *end == '\n';
    csv->at = (size_t)(end - csv->text.text) + (*end != 0);
    *text_end = 0;
    /* `wick export` puts a quote before a text that a spreadsheet would take for a formula. */
    size_t quotes = strspn(field, "'");
    if (quotes > 0 && field[quotes] && strchr("=+-@\t\r", field[quotes]))
        field++;
    add_field(csv, field);
    return true;
}

bool csv_row(struct csv *csv, struct err *e)
{
    do {
        bool last = false;
        if (csv->at >= csv->text.length)
            return false;
        csv->count = 0;
        csv->line = csv->next_line;
        while (!last)
            if (!read_field(csv, &last)) {
                err_set(e, ERR_USER, "a quote in this line is never closed");
                return false;
            }
    } while (csv->count == 1 && csv->fields[0][0] == 0);
    return true;
}
