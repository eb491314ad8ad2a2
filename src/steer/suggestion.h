/*
 * suggestion.h - what a program writes, as points of the space (private to this room).
 *
 * notation.c turns the texts of EMEWS modules into JSON, suggestion.c turns JSON into points.
 */
#ifndef STEER_SUGGESTION_H
#define STEER_SUGGESTION_H

#include "space/space.h"

enum { SUGGESTION_SHOWN = 100 }; /* bytes of a wrong suggestion that a message shows */

/* Reads a suggestion, a JSON object, as a point of the space. ERR_USER says what is wrong. */
int suggestion_read(const struct space *space, struct slice text, double *point, struct err *e);
/*
 * The same for a list of values, or one value, in the order of the space. Constants may be left
 * out.
 */
int suggestion_read_row(const struct space *space, struct slice text, double *point, struct err *e);
/* True when the list has as many values as a suggestion, and one of them is the parameter's. */
bool suggestion_resembles(const struct space *space, struct slice row);
/* How many values a row has at least: constants do not count. */
size_t suggestion_width(const struct space *space);

/*
 * Appends a round of suggestions as JSON: objects, lists and values with ; between them. False when
 * it cannot be read. `by_spaces`: values without commas have spaces between them.
 */
bool notation_read(struct slice text, bool by_spaces, struct str *json);
/* True when it starts like JSON or a text of Python, not like a row of values. */
bool notation_has_brackets(struct slice text);

#endif
