/*
 * str.h - slices of text that somebody else owns, and a buffer that grows.
 *
 * struct str: once anything was appended, `text` ends in a zero byte, which `length` does not
 * count. Start with {0}; str_free() frees the memory and resets it to {0}.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct err;

/* Text that somebody else owns. */
struct slice {
    const char *text; /* not ended by a zero byte */
    size_t length;
};

/* A slice of a whole string. */
struct slice slice_of(const char *text);
/* The last line that is not blank, without trailing white space; \r also ends a line. */
struct slice slice_last_line(struct slice text);

/* A growing buffer. */
struct str {
    char *text;
    size_t length, capacity;
};

/* Makes room for `length` more bytes and a zero byte. */
void str_reserve(struct str *s, size_t length);

/*
 * Reading and writing a journal consists mostly of these calls, so they are inlined, where the
 * length of a literal is known. They are not inlined for clang's analyzer, which would walk through
 * their bodies at every call and take five times as long.
 */
#ifdef __clang_analyzer__
#define STR_INLINE
#else
#define STR_INLINE static inline
#endif

/* True if both have the same bytes. */
STR_INLINE bool slice_equal(struct slice a, struct slice b);
/* True if the slice is this text. */
STR_INLINE bool slice_is(struct slice slice, const char *text);
/* Appends `length` bytes, whatever they are. */
STR_INLINE void str_add_bytes(struct str *s, const void *bytes, size_t length);
/* Appends a text. */
STR_INLINE void str_add(struct str *s, const char *text);
/* Appends a byte. */
STR_INLINE void str_add_char(struct str *s, char c);

#ifndef __clang_analyzer__
static inline bool slice_equal(struct slice a, struct slice b)
{
    return a.length == b.length && (a.length == 0 || memcmp(a.text, b.text, a.length) == 0);
}

static inline bool slice_is(struct slice slice, const char *text)
{
    return slice_equal(slice, (struct slice){text, strlen(text)});
}

static inline void str_add_bytes(struct str *s, const void *bytes, size_t length)
{
    if (s->capacity - s->length <= length)
        str_reserve(s, length);
    if (length > 0)
        memcpy(s->text + s->length, bytes, length);
    s->length += length;
    s->text[s->length] = 0;
}

static inline void str_add(struct str *s, const char *text)
{
    str_add_bytes(s, text, strlen(text));
}

static inline void str_add_char(struct str *s, char c)
{
    str_add_bytes(s, &c, 1);
}
#endif

/* Appends what printf() would print. */
void str_printf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same with a va_list. */
void str_vprintf(struct str *s, const char *format, va_list arguments);
/* Empties the buffer but keeps its memory. */
void str_clear(struct str *s);
/* Removes the first `length` bytes. */
void str_drop(struct str *s, size_t length);
/* Frees the memory. */
void str_free(struct str *s);
/* The text; "" if nothing was appended yet. */
const char *str_text(const struct str *s);

/*
 * Appends a whole file; a pipe is read to its end. ERR_USER if it is larger than `limit` bytes,
 * else errno says why not.
 */
int str_read_file(struct str *s, const char *path, size_t limit, struct err *e);
/* The same for files of a study folder, where a pipe or a device could make us wait for ever. */
int str_read_regular(struct str *s, const char *path, size_t limit, struct err *e);
/* Opens a regular file, and waits for nothing; -1 and errno, which is EINVAL for anything else. */
int str_open_regular(const char *path, int flags);
/* The error after str_open_regular(): "cannot read PATH: it is not a regular file; move it away".
 */
int str_not_regular(const char *doing, const char *path, struct err *e);

/*
 * Creates a file next to `path`, to be renamed to it once it is whole, and fills its name, which
 * nobody can guess; nothing that exists is opened. The mode counts from the start: what others open
 * before it is changed stays open to them. Returns its descriptor, or -1 and errno.
 */
int str_create_beside(struct str *name, const char *path, unsigned mode);

/*
 * Replaces the file at path atomically: readers see the old or the new one. A link is replaced as
 * well: what it names stays as it is.
 */
int str_write_file(const char *path, const void *bytes, size_t length, struct err *e);

/* The same for a file that only its owner may read. */
int str_write_private(const char *path, const void *bytes, size_t length, struct err *e);

/*
 * The same, and removing a file and making a folder, in a folder that a program may replace by a
 * link at any time: that link is not followed, so nothing is changed elsewhere. The path has a
 * slash. The last two return 0, or -1 and errno.
 */
int str_write_inside(const char *path, const void *bytes, size_t length, struct err *e);
int str_remove_inside(const char *path);
int str_make_inside(const char *path);

/*
 * The word of `words` (ended by NULL) that is closest to what the user wrote, for "did you mean";
 * NULL if none is close.
 */
const char *str_nearest(const char *word, const char *const *words);

/* Appends the shortest decimal text that reads back as exactly this number, or nan or inf. */
void str_add_number(struct str *s, double number);
/* Appends a whole number. */
void str_add_whole(struct str *s, uint64_t number);
/* Appends digits * 10^-decimals, with at most 15 digits, as str_add_number() would, but faster. */
void str_add_decimal(struct str *s, uint64_t digits, int decimals);

/* Reads the whole text as a decimal number, nan or inf; false if it is something else. */
bool str_number(const char *text, double *number);

/* Appends a duration for people: "0.52 s", "3 min 20 s", "2 h 5 min", "3 days 1 h". */
void str_add_duration(struct str *s, double seconds);

#endif
