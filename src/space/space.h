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
    const char *key; /* "name": with its quotes and colon, for JSON; made by space_finish() */
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
    struct expression **constraints; /* that must hold; none of them is measured */
    size_t constraint_count;
};

/*
 * Completes a space whose parameters are filled in. On a circle of `when` it returns ERR_USER and
 * sets *circle to a parameter on it. Memory is the arena's; space_free() frees the rest. It may be
 * called again when conditions were added: reading them needs the values' index.
 */
int space_finish(struct space *space, struct arena *arena, size_t *circle);
/* Frees what space_finish() took from the heap. */
void space_free(struct space *space);

/* The parameter of this name, or NULL. */
const struct parameter *space_find(const struct space *space, const char *name);

/* Number of levels of a parameter: INFINITY for a float without step. */
double space_levels(const struct parameter *parameter);

/* The value of a parameter at u in [0, 1): each level, or each stretch, is equally likely. */
double space_at(const struct parameter *parameter, double u);
/* The value where none is given: the default, else the middle of the range or the first value. */
double space_fallback(const struct parameter *parameter);
/* The inverse, for what is active: the middle of the level, or the place of a float. */
double space_unit(const struct parameter *parameter, double value);

/* Fills a point from one number in [0, 1) a parameter; what is not active becomes NaN. */
void space_point(const struct space *space, const double *units, double *point);
/* Sets the parameters to NaN whose `when` does not hold (in order: children follow). */
void space_deactivate(const struct space *space, double *point);
/* False when a forbidden combination holds, or a constraint does not. */
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

/* Appends what the parameter may be, for a message: a whole number from 1 to 9; one of sgd, adam.
 */
void space_put_range(const struct parameter *parameter, struct str *s);

/* Reads a text as a value of the parameter, coded; false when it is not one of its values. */
bool space_read_text(const struct parameter *parameter, const char *text, double *value);
/* ERR_USER for a value that a parameter cannot have. */
int space_wrong_value(const struct parameter *parameter, struct slice given, struct err *e);
/* ERR_USER for a name that no parameter has; `hint` goes behind it. */
int space_unknown(const struct space *space, struct slice name, const char *hint, struct err *e);
/* Reads a JSON object; a missing parameter becomes NaN. ERR_USER names what does not fit. */
int space_read_json(const struct space *space, struct json *json, double *point, struct err *e);

/* ---- constraints ---- */

enum { EXPRESSION_BYTES = 1000 }; /* the longest text of one */

/* A condition such as layers * width <= 4096, over parameters and what a trial measured. */
struct expression;

/*
 * Compiles a text. It may name the parameters of the space, whose values are complete, and the
 * metrics (ended by NULL, or NULL). Parameters and arena must outlive it. On a mistake it returns
 * NULL, with ERR_USER, a message, and in *offset the byte of the text that is meant.
 */
struct expression *expression_compile(const struct space *space, const char *const *metrics,
                                      const char *text, struct arena *arena, size_t *offset,
                                      struct err *e);

/* As the user wrote it. */
const char *expression_text(const struct expression *expression);
/* True when it names a metric, so that only a trial can tell whether it holds. */
bool expression_is_measured(const struct expression *expression);
/* True when it names metric number `metric` of those that it was compiled with. */
bool expression_names_metric(const struct expression *expression, size_t metric);
/* How many steps it takes to evaluate. */
size_t expression_length(const struct expression *expression);

/*
 * By how much it is broken: 0 when it holds, or when it names a parameter that is not active. The
 * amount is how much the two sides of a comparison differ, as a share of the larger one; of a text
 * it is 1. `and` adds what both sides are broken by, `or` counts the side that is broken less. What
 * cannot be computed, such as log(-1), breaks a comparison by 1. `metrics` has a number for each of
 * the metrics; it may be NULL for what is not measured.
 */
double expression_broken(const struct expression *expression, const double *point,
                         const double *metrics);

#endif
