/* csv.h - private to the room: the fields and records of a CSV. */
#ifndef REPORT_CSV_H
#define REPORT_CSV_H

#include "base/base.h"

/*
 * Appends a field of a CSV, in quotes where RFC 4180 wants them. A text that starts as a formula
 * does (= + - @) and is no number gets a single quote in front, so that spreadsheets show it.
 */
void csv_put_field(struct str *s, const char *text, size_t length);
/* Ends a record of a CSV. */
void csv_end_record(struct str *s);

#endif
