/*
 * space - the parameters of a study, and points among them.
 *
 * A point is an array of `count` doubles, one per parameter, in the order of the study file:
 *   float, int       the number itself
 *   choice, ordered  the index of the value
 *   constant         0
 *   not active       NaN (its `when` does not hold)
 * So points can be copied, compared and sent as plain bytes; only this room turns them into text.
 *
 * Invariants: names are unique; every `when` names a parameter that comes earlier in `order`;
 * low <= high; a logarithmic range is above 0; `fallback`, if given, lies in its range. Room study
 * builds a space and checks all of that; space_finish() completes it.
 */
#ifndef SPACE_SPACE_H
#define SPACE_SPACE_H

#include "base/base.h"

/* What values a parameter has. */
enum parameter_kind {
    PARAMETER_FLOAT,
    PARAMETER_INT,
    PARAMETER_CHOICE,  /* values without an order */
    PARAMETER_ORDERED, /* values with an order */
    PARAMETER_CONSTANT,
};

/* What a value of the user is; quotes make it a string. */
enum value_kind {
    VALUE_STRING,
    VALUE_NUMBER,
    VALUE_BOOL,
    VALUE_NULL,
    VALUE_JSON /* list, object */
};

/* A value as the user wrote it, which is how it is passed on. */
struct value {
    enum value_kind kind;
    const char *text; /* as on a command line; for VALUE_JSON, the JSON text */
    double number;    /* the number of VALUE_NUMBER */
    const char *json; /* made by space_finish() */
};

/* One clause of `when` or `forbid`: the parameter has one of these values (coded as in a point). */
struct clause {
    size_t parameter;
    const double *values;
    size_t count;
};

/* A hyperparameter. */
struct parameter {
    const char *name;
    const char *key; /* "name": with its quotes and colon, for JSON; made by space_finish() */
    enum parameter_kind kind;
    bool log;           /* float, int: the scale is logarithmic */
    bool written_whole; /* float: the user wrote both bounds as whole numbers, 1 and not 1.0 */
    bool bare; /* a flag, which is a choice of true and false: --name for true, nothing for false */
    double low, high;     /* float, int */
    double step;          /* float, int: 0, or values are low + k * step */
    uint64_t levels;      /* float without step: number of grid points; 0: as the search says */
    struct value *values; /* choice, ordered; a constant has one */
    size_t value_count;
    struct clause *when; /* it is active if all of them hold */
    size_t when_count;
    double fallback;        /* the default, coded as in a point; NaN: none */
    struct map value_index; /* JSON of a value to its index; made by space_finish() */
};

/* A combination that must not be tried: all of its clauses hold. */
struct forbidden {
    struct clause *clauses;
    size_t count;
};

/* All parameters of a study. */
struct space {
    struct parameter *parameters;
    size_t count;
    size_t *order; /* parents before children; made by space_finish() */
    struct forbidden *forbidden;
    size_t forbidden_count;
    struct expression **constraints; /* conditions on parameters alone, which must hold */
    size_t constraint_count;
};

/*
 * Completes a space whose parameters are filled in. If the `when` conditions are circular, returns
 * ERR_USER and sets *circle to one of the parameters. Memory is taken from the arena; space_free()
 * frees the rest. May be called again after conditions were added: reading them needs value_index.
 */
int space_finish(struct space *space, struct arena *arena, size_t *circle);
/* Frees what does not belong to the arena. */
void space_free(struct space *space);

/* The parameter of this name, or NULL. */
const struct parameter *space_find(const struct space *space, const char *name);

/* The number of levels of a parameter; INFINITY for a float without a step. */
double space_levels(const struct parameter *parameter);

/* The value at u in [0, 1), such that a uniform u makes all levels equally likely. */
double space_at(const struct parameter *parameter, double u);
/* The default of a parameter; if none is given, the middle of the range or the first value. */
double space_fallback(const struct parameter *parameter);
/* The inverse of space_at() for an active parameter: the middle of its level. */
double space_unit(const struct parameter *parameter, double value);

/* Fills a point from one number in [0, 1) per parameter; inactive ones become NaN. */
void space_point(const struct space *space, const double *units, double *point);
/* Sets parameters whose `when` does not hold to NaN, and with them those that depend on them. */
void space_deactivate(const struct space *space, double *point);
/* False if the point is a forbidden combination or violates a constraint. */
bool space_allowed(const struct space *space, const double *point);
/* True if both are the same point. */
bool space_same(const struct space *space, const double *a, const double *b);

/*
 * Fills the point of all defaults, as from space_fallback(). False if no parameter has a default of
 * its own (then the point is not worth a trial), or if the point is not allowed.
 */
bool space_default(const struct space *space, double *point);

/* Appends a value as a program gets it: 0.001, adam, true. */
void space_put_text(const struct parameter *parameter, double value, struct str *s);
/* Adds a value as JSON: 0.001, "adam", true. */
void space_put_value(const struct parameter *parameter, double value, struct str *s);
/* Adds a point as a JSON object of its active parameters. */
void space_put_json(const struct space *space, const double *point, struct str *s);

/* Appends the values of a parameter for a message: a whole number from 1 to 9; one of sgd, adam. */
void space_put_range(const struct parameter *parameter, struct str *s);

/* Reads text as a value of the parameter, coded; false if it is not one of its values. */
bool space_read_text(const struct parameter *parameter, const char *text, double *value);
/* ERR_USER for a value that a parameter cannot have. */
int space_wrong_value(const struct parameter *parameter, struct slice given, struct err *e);
/* ERR_USER for a name that no parameter has; `hint` is appended to the name. */
int space_unknown(const struct space *space, struct slice name, const char *hint, struct err *e);
/* Reads a point from a JSON object; what is missing becomes NaN. ERR_USER names what is wrong. */
int space_read_json(const struct space *space, struct json *json, double *point, struct err *e);

/* ---- constraints ---- */

enum { EXPRESSION_BYTES = 1000 }; /* the length limit of one constraint */

/* A condition such as layers * width <= 4096, on parameters and on the metrics of a trial. */
struct expression;

/*
 * Compiles a condition. It may name the parameters of the space, whose values must be complete, and
 * the metrics (ended by NULL, or NULL). Parameters and arena must outlive it. On a mistake, returns
 * NULL, sets the error, and *offset to the byte of the text that is wrong.
 */
struct expression *expression_compile(const struct space *space, const char *const *metrics,
                                      const char *text, struct arena *arena, size_t *offset,
                                      struct err *e);

/* The condition as the user wrote it. */
const char *expression_text(const struct expression *expression);
/* True if it names a metric, so that only a trial shows whether it holds. */
bool expression_is_measured(const struct expression *expression);
/* True if it names metric number `metric` of those it was compiled with. */
bool expression_names_metric(const struct expression *expression, size_t metric);
/* The number of instructions, which is its cost. */
size_t expression_length(const struct expression *expression);

/*
 * By how much the condition is violated: 0 if it holds, or if it names an inactive parameter. The
 * violation of a comparison is the difference of its sides as a share of the larger one; for text,
 * and for what cannot be computed, such as log(-1), it is 1. `and` adds the violations of both
 * sides, `or` takes the smaller one. `metrics` has one number per metric; it may be NULL if none is
 * named.
 */
double expression_broken(const struct expression *expression, const double *point,
                         const double *metrics);

#endif
