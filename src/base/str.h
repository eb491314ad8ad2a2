/*
 * str.h - slices of text that somebody else owns, and a buffer that grows.
 *
 * struct str: `text` is always ended by a zero byte once anything was appended, and `length`
 * does not count it. Start with {0}; str_free() gives the memory back and makes it {0} again.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct slice {
    const char *text; /* not ended by zero */
    size_t length;
};

/* A slice of a whole string. */
struct slice slice_of(const char *text);
bool slice_is(struct slice slice, const char *text);
/* The last line that is not blank, without white space at its end; a \r ends a line, too. */
struct slice slice_last_line(struct slice text);

struct str {
    char *text;
    size_t length, capacity;
};

void str_add(struct str *s, const char *text);
void str_add_bytes(struct str *s, const void *bytes, size_t length);
void str_add_char(struct str *s, char c);
void str_printf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Empties it and keeps the memory. */
void str_clear(struct str *s);
/* Removes the first `length` bytes. */
void str_drop(struct str *s, size_t length);
void str_free(struct str *s);
/* The text, "" when nothing was appended yet. */
const char *str_text(const struct str *s);

/* Appends a whole file, at most `limit` bytes of it (more is ERR_USER: it is too large). */
int str_read_file(struct str *s, const char *path, size_t limit, struct err *e);

/*
 * Replaces the file at path by these bytes at once: readers see the old or the new one. A link, a
 * pipe or a device (/dev/stdout) stays what it is, and the bytes are written into it.
 */
int str_write_file(const char *path, const void *bytes, size_t length, struct err *e);

/*
 * The word of `words` (ended by NULL) that is nearest to what the user wrote, for "did you mean",
 * or NULL when none is near.
 */
const char *str_nearest(const char *word, const char *const *words);

/* Appends the shortest decimal text that reads back as exactly this number ("nan", "inf" too). */
void str_add_number(struct str *s, double number);

/* Reads a whole text as a decimal number; false when it is not one. Takes nan and inf. */
bool str_number(const char *text, double *number);

/* Appends seconds as a person says them: "0.52 s", "3 min 20 s", "2 h 5 min", "3 days 1 h". */
void str_add_duration(struct str *s, double seconds);

#endif
