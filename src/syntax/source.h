/*
 * source.h - the texts of a script, and the places in them (private to this room).
 *
 * All texts that are lexed lie one after the other in one space of positions, so a position alone
 * names a place. What the preprocessor makes is such a text, too; its segments say from which
 * file, line and column each part of it comes.
 *
 * Position 0 belongs to no text: it is the place of what the user has not written.
 */
#ifndef SYNTAX_SOURCE_H
#define SYNTAX_SOURCE_H

#include "base/base.h"

/* From this position on, text comes from this place. */
struct source_segment {
    uint32_t at;   /* within the space of positions */
    uint32_t file; /* number of the file */
    int line, column;
    bool fixed;  /* all of the segment stands for this one place: it was made by a macro */
    bool inside; /* it starts inside a token, after a backslash and a newline */
};

/* A file whose lines can be shown. */
struct source_file {
    const char *name;
    struct slice text; /* ended by a zero byte, without a byte order mark; empty: not known */
};

/* A text to be lexed. */
struct source_text {
    uint32_t first;    /* position of its first byte; its end has a position, too */
    struct slice text; /* ended by a zero byte */
};

/* Start with {0}. */
struct sources {
    struct source_file *files;
    size_t file_count, file_capacity;
    struct source_text *texts;
    size_t text_count, text_capacity;
    struct source_segment *segments; /* in the order of their positions */
    size_t segment_count, segment_capacity;
    uint32_t end; /* position after the last text */
    struct arena arena;
};

enum { SOURCE_LIMIT = 64 << 20 }; /* bytes of all texts together */

/* Adds a file whose text is copied; returns its number. */
uint32_t source_add_file(struct sources *sources, const char *name, struct slice text);
/*
 * Adds a text to be lexed, whose bytes are copied, and returns its index; the caller has checked
 * source_has_room(). `segments` give their positions relative to the start of the text.
 */
size_t source_add_text(struct sources *sources, struct slice text,
                       const struct source_segment *segments, size_t count);
/* The same for a file that was not preprocessed: it is both. */
size_t source_add_plain(struct sources *sources, const char *name, struct slice text);
/* True if a text of so many bytes still fits. */
bool source_has_room(const struct sources *sources, size_t length);
/* Frees everything. */
void source_free(struct sources *sources);

/* The bytes from a position on, as they were lexed; fewer at the end of the text. */
struct slice source_slice(const struct sources *sources, uint32_t at, uint32_t length);

/* A place for people. */
struct source_place {
    const char *file;    /* "" for position 0 */
    int line, column;    /* from 1; the column counts characters, not bytes */
    struct slice source; /* the line */
};
/* The place of a position. */
struct source_place source_place(const struct sources *sources, uint32_t at);
/* The place with this line and column of a file. */
struct source_place source_place_in(const struct sources *sources, uint32_t file, int line,
                                    int column);
/* Appends "FILE:LINE" of a position, for messages that name a second place. */
void source_add_place(struct str *s, const struct sources *sources, uint32_t at);

/* Adds a mistake, or a warning, at a position: what is wrong, then what would be right. */
void source_mistake(const struct sources *sources, struct err_list *list, uint32_t at,
                    const char *format, ...) ERR_FORMAT(4, 5);
/* The same at a place that has no position, as the preprocessor needs it. */
void source_mistake_at(struct err_list *list, const struct source_place *place, const char *format,
                       va_list arguments) ERR_FORMAT(3, 0);

#endif
