/* database.h - private to the room: a study as an SQLite database. */
#ifndef REPORT_DATABASE_H
#define REPORT_DATABASE_H

#include "report/report.h"

#include <sqlite3.h>

/* Creates the tables of report_sqlite() in an open, empty database. */
int database_create(sqlite3 *db, const struct journal *journal, struct err *e);
/* Fills them, in one transaction. */
int database_fill(sqlite3 *db, const struct journal *journal, struct err *e);

/* Sets an error with the message of the database. */
int database_error(sqlite3 *db, const char *doing, struct err *e);

#endif
