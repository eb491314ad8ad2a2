/*
 * parzen.h - inside the room: densities over a space as sums of kernels, one a known point.
 *
 * A point is coded as one number an axis: the place in [0, 1] of a number, the index of a level
 * where there are few, NaN where the parameter is not active. A kernel is a product over the axes:
 * a truncated normal on a number, its integral over each level's stretch on levels, and on a choice
 * a value that is more likely than the others (J. Aitchison and C. Aitken, 1976). Where its point
 * is not active a kernel knows nothing and all values are equally likely. A kernel of nothing but
 * NaN is therefore the prior.
 *
 * All kernels of a density have the same width on an axis. So what depends on levels is a table,
 * and the logarithm of a kernel is a sum of table entries and squares, without branches.
 */
#ifndef SEARCH_PARZEN_H
#define SEARCH_PARZEN_H

#include "space/space.h"

enum { PARZEN_LEVELS = 48 }; /* of an axis with a table; numbers with more count as continuous */

enum axis_kind { AXIS_CONSTANT, AXIS_NUMBER, AXIS_LEVELS, AXIS_CHOICE };

struct axis {
    enum axis_kind kind;
    const struct parameter *parameter;
    size_t levels;     /* of AXIS_LEVELS and AXIS_CHOICE */
    double resolution; /* the part of [0, 1] that a level has; 0: none */
    double *edges;     /* of AXIS_LEVELS: where the stretches begin and end in [0, 1] */
};

struct axes {
    const struct space *space;
    struct axis *axis; /* one a parameter */
    size_t count;
    size_t varying; /* of these: not constant */
};

void axes_open(struct axes *axes, const struct space *space);
void axes_close(struct axes *axes);
/* The place in [0, 1] of a code: the middle of a level. */
double axis_place(const struct axis *axis, double code);
/* The value of a code. */
double axis_value(const struct axis *axis, double code);
void axes_code(const struct axes *axes, const double *point, double *codes);

struct density {
    const struct axes *axes;
    size_t count, capacity; /* of kernels */
    double *log_weights;
    /* An axis after another, `capacity` numbers each. */
    double *places;  /* of the point; on levels and choices the index, or `levels` for none */
    double *sharps;  /* numbers: 1 / width, or 0 where the point is not active */
    double *bases;   /* numbers: the logarithm of the kernel at its middle */
    double *widths;  /* an axis; of a choice the probability that the value differs */
    double **tables; /* an axis: row x of levels + 1 numbers has the kernels' logarithms at x */
    double *sums;    /* scratch, one a kernel */
};

void density_open(struct density *density, const struct axes *axes);
void density_close(struct density *density);
/* Forgets all kernels; those that follow have these widths, one an axis. */
void density_reset(struct density *density, const double *widths, size_t capacity);
void density_add(struct density *density, const double *codes, double weight);
/* The logarithm of the sum of all kernels at a point, times their weights. */
double density_log(const struct density *density, const double *codes);
/* The same of one kernel alone. */
double density_log_one(const struct density *density, size_t kernel, const double *codes);
/* Draws one axis of a kernel. */
double density_draw(const struct density *density, size_t kernel, size_t axis,
                    struct random *random);

#endif
