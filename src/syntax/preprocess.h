/* preprocess.h - #include, #define, #if: one text becomes another (private to this room). */
#ifndef SYNTAX_PREPROCESS_H
#define SYNTAX_PREPROCESS_H

#include "syntax/options.h"
#include "syntax/source.h"

/* A text that was made, and where its parts come from. Free both. */
struct preprocessed {
    struct str text;
    struct source_segment *segments; /* positions relative to the start of the text */
    size_t count, capacity;
};

/*
 * Preprocesses a script. Files that it includes are added to the sources. Mistakes and warnings
 * (#warning) go to the report.
 */
int preprocess(struct sources *sources, const char *name, struct slice text,
               const struct syntax_options *options, struct preprocessed *out,
               struct syntax_report *report);
/* Appends the result alone, with lines "# LINE FILE" where the place jumps. */
int syntax_preprocess(const char *name, struct slice text, const struct syntax_options *options,
                      struct str *out, struct syntax_report *report);
/* Frees what preprocess() made. */
void preprocessed_free(struct preprocessed *out);

#endif
