/* value.h - private to the room: the values of a parameter, as numbers and as text. */
#ifndef SPACE_VALUE_H
#define SPACE_VALUE_H

#include "space/space.h"

/* Makes `key` and value_index of a parameter and `json` of its values, in the arena. */
void value_json_make(struct parameter *parameter, struct arena *arena);

/* True if the number is in the range and on a step; *value is then the exact value. */
bool value_fits(const struct parameter *parameter, double number, double *value);

#endif
