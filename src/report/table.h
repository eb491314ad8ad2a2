/* table.h - parts of tables that are written as text. */
#ifndef REPORT_TABLE_H
#define REPORT_TABLE_H

#include "base/base.h"

enum { TABLE_METRICS = 1000 }; /* columns of metrics in a CSV; further ones are left out */

/* Appends a field of a CSV, in quotes where RFC 4180 wants them. */
void table_put_field(struct str *s, const char *text, size_t length);
/* Ends a record of a CSV. */
void table_end_record(struct str *s);

#endif
