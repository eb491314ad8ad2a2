/*
 * csv.h - the rows of a CSV file (private to this room).
 *
 * As RFC 4180 has it, and what spreadsheets make of it: fields in quotes may hold anything, lines
 * end with or without \r, the separator is what the first line has: a comma, a semicolon or a tab.
 */
#ifndef EARLIER_CSV_H
#define EARLIER_CSV_H

#include "base/base.h"

struct csv {
    struct str text; /* the file; fields are made in it */
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
/* Reads the next row that is not blank; false at the end. A quote that is never closed: ERR_USER.
 */
bool csv_row(struct csv *csv, struct err *e);

#endif
