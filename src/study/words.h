/*
 * words.h - private to the room: a word of the command line as a source.
 *
 * Each word ("--set lr=1..5") is its own source, so that a mistake is shown in its word. Bytes are
 * counted from the start of its value, which follows the option.
 */
#ifndef STUDY_WORDS_H
#define STUDY_WORDS_H

#include "study/read.h"

struct word {
    struct reader *reader;
    const struct source *source;
    size_t offset; /* offset of the value in the source */
};

/* ---- words.c ---- */

/* The value from byte `from` on. */
const char *word_text(const struct word *word, size_t from);
struct place word_place(const struct word *word, size_t from);
/* Bytes from..to as a scalar. */
struct node *word_scalar(const struct word *word, size_t from, size_t to);
/* The parts between commas, without the spaces around them, as a list. */
struct node *word_list(const struct word *word, size_t from);

/* ---- set.c ---- */

/*
 * Reads what follows "name=": a range, a list or a constant. If it is none of them, adds a mistake
 * and marks the node as wrong.
 */
struct node *set_parameter(const struct word *word, size_t from);

#endif
