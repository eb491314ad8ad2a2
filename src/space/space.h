/*
 * space - the parameters of a study, and points among them.
 *
 * A point is an array of `count` doubles, one a parameter, in the order of the study file:
 *   float, int       the number itself
 *   choice, ordered  the index of the value
 *   constant         0
 *   not active       NaN (its `when` does not hold)
 * So points are copied, compared and sent as plain bytes, and only this room turns them into text.
 *
 * Invariants: names are unique; every `when` names a parameter that comes earlier in `order`;
 * low <= high; a logarithmic range is above 0; `fallback`, where given, lies in its range.
 * study builds a space and checks all that; space_finish() completes it.
 */
#ifndef SPACE_SPACE_H
#define SPACE_SPACE_H

#include "base/base.h"

enum parameter_kind {
    PARAMETER_FLOAT,
    PARAMETER_INT,
    PARAMETER_CHOICE,  /* values without order */
    PARAMETER_ORDERED, /* values with order */
    PARAMETER_CONSTANT,
};

enum value_kind {
    VALUE_STRING,
    VALUE_NUMBER,
    VALUE_BOOL,
    VALUE_NULL,
    VALUE_JSON /* list, object */
};

/* A value that the user wrote: passed on as it stands. */
struct value {
    enum value_kind kind;
    const char *text; /* as on a command line; for VALUE_JSON the JSON text */
    double number;    /* of VALUE_NUMBER */
    const char *json; /* made by space_finish() */
};

/* One clause of `when` or `forbid`: the parameter has one of these values (coded as in a point). */
struct clause {
    size_t parameter;
    const double *values;
    size_t count;
};

struct parameter {
    const char *name;
    enum parameter_kind kind;
    bool log;             /* float, int: the scale is logarithmic */
    double low, high;     /* float, int */
    double step;          /* float, int: 0, or values are low + k * step */
    uint64_t levels;      /* float without step: points of a grid on it, 0: as the search says */
    struct value *values; /* choice, ordered; constant has one */
    size_t value_count;
    struct clause *when; /* active when all of them hold */
    size_t when_count;
    double fallback;        /* the default, coded; NaN: none is given */
    struct map value_index; /* JSON of a value to its index; made by space_finish() */
};

/* A combination that must not be tried: all of its clauses hold. */
struct forbidden {
    struct clause *clauses;
    size_t count;
};

struct space {
    struct parameter *parameters;
    size_t count;
    size_t *order; /* parents before children; made by space_finish() */
    struct forbidden *forbidden;
    size_t forbidden_count;
};

/*
 * Completes a space whose parameters are filled in. On a circle of `when` it returns ERR_USER and
 * sets *circle to a parameter on it. Memory is the arena's; space_free() frees the rest. It may be
 * called again when conditions were added: reading them needs the values' index.
 */
int space_finish(struct space *space, struct arena *arena, size_t *circle);
void space_free(struct space *space);

/* The parameter of this name, or NULL. */
const struct parameter *space_find(const struct space *space, const char *name);

/* Number of levels of a parameter: INFINITY for a float without step. */
double space_levels(const struct parameter *parameter);

/* The value of a parameter at u in [0, 1): each level, or each stretch, is equally likely. */
double space_at(const struct parameter *parameter, double u);
/* The inverse, for what is active: the middle of the level, or the place of a float. */
double space_unit(const struct parameter *parameter, double value);

/* Fills a point from one number in [0, 1) a parameter; what is not active becomes NaN. */
void space_point(const struct space *space, const double *units, double *point);
/* Sets the parameters to NaN whose `when` does not hold (in order: children follow). */
void space_deactivate(const struct space *space, double *point);
/* False when a forbidden combination holds. */
bool space_allowed(const struct space *space, const double *point);
/* True when both are the same point. */
bool space_same(const struct space *space, const double *a, const double *b);

/*
 * Fills the default point: the given defaults, else the middle of the range or the first value.
 * False when no parameter gives a default (then the point is not worth a trial) or it is forbidden.
 */
bool space_default(const struct space *space, double *point);

/* Appends the value as a program is given it: 0.001, adam, true. */
void space_put_text(const struct parameter *parameter, double value, struct str *s);
/* Appends the value as JSON: 0.001, "adam", true. */
void space_put_value(const struct parameter *parameter, double value, struct str *s);
/* Appends a point as a JSON object of what is active. */
void space_put_json(const struct space *space, const double *point, struct str *s);

/* Reads a text as a value of the parameter, coded; false when it is not one of its values. */
bool space_read_text(const struct parameter *parameter, const char *text, double *value);
/* Reads a JSON object; a missing parameter becomes NaN. ERR_USER names what does not fit. */
int space_read_json(const struct space *space, struct json *json, double *point, struct err *e);

#endif
