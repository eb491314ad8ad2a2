/* html.h - private to the room: what pages of one and of several studies share. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "report/out.h"

/* Appends JSON such that it can be in a script element: < occurs only in strings, escaped. */
void html_put_safe(struct str *out, const char *json, size_t length);
/* Appends text for HTML, in an element or a quoted attribute. */
void html_put_text(struct str *out, const char *text);
/* The last lines of a log, as many as a page shows. */
struct slice html_log_end(const char *log, size_t length);

/* Appends the data of a study for a page of its own; data.c describes it. */
int html_put_data(struct out *out, const struct journal *journal, struct err *e);
/* Appends the data of a study for a page of several, with at most `most` of its trials. */
int html_put_compared(struct out *out, const struct journal *journal, size_t most, struct err *e);

#endif
