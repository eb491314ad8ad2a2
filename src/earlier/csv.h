/*
 * csv.h - the rows of a CSV file (private to this room).
 *
 * As in RFC 4180, and as spreadsheets write it: quoted fields may hold anything, lines end with or
 * without \r, and the separator is the one in the first line: a comma, a semicolon or a tab.
 */
#ifndef EARLIER_CSV_H
#define EARLIER_CSV_H

#include "base/base.h"

struct csv {
    struct str text; /* the file; fields are unquoted in place */
    size_t at;
    size_t line; /* of the row that was read last, from 1 */
    size_t next_line;
    char separator;
    char **fields; /* of the row that was read last, ended by zero bytes */
    size_t count, capacity;
};

/* Reads from the text of a file, which it owns from now on; `text` is empty afterwards. */
void csv_open(struct csv *csv, struct str *text);
/* Frees the text and the fields. */
void csv_close(struct csv *csv);
/* Reads the next row that is not blank; false at the end, or with ERR_USER for an open quote. */
bool csv_row(struct csv *csv, struct err *e);

#endif
