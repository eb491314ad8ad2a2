/* html.h - what the page's tests look at. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H

#include "base/base.h"

/* Appends JSON so that it can stand in a script element: < only occurs in strings, escaped. */
void html_put_safe(struct str *out, const char *json, size_t length);
/* Appends text for HTML, in an element or a quoted attribute. */
void html_put_text(struct str *out, const char *text);
/* The last lines of a log, as many as a page shows. */
struct slice html_log_end(const char *log, size_t length);

#endif
