/* preprocess.h - #include, #define, #if: one text becomes another (private to this room). */
#ifndef SWIFT_PREPROCESS_H
#define SWIFT_PREPROCESS_H

#include "swift/source.h"
#include "swift/swift.h"

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
               const struct swift_options *options, struct preprocessed *out,
               struct swift_report *report);
/* Frees what preprocess() made. */
void preprocessed_free(struct preprocessed *out);

#endif
