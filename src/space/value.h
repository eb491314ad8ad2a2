/* value.h - inside the room: values of one parameter, by their numbers and by their texts. */
#ifndef SPACE_VALUE_H
#define SPACE_VALUE_H

#include "space/space.h"

/* Makes the parameter's `key`, `json` of its values and value_index; the texts are the arena's. */
void value_json_make(struct parameter *parameter, struct arena *arena);

/* True when the number is in the range and on the steps; *value is the exact one that is meant. */
bool value_fits(const struct parameter *parameter, double number, double *value);

#endif
