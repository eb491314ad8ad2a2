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
 * All kernels have the same width on an axis, those of densities that are compared too. So what
 * depends on levels is a table, and the logarithm of a kernel is a sum of table entries and
 * squares.
 */
#ifndef SEARCH_PARZEN_H
#define SEARCH_PARZEN_H

#include "space/space.h"

enum { PARZEN_LEVELS = 32 }; /* of an axis with a table; numbers with more count as continuous */

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

/* What the kernels of some densities have in common. */
struct kernels {
    const struct axes *axes;
    double *widths;  /* an axis; of a choice the probability that the value differs */
    double **tables; /* an axis: row x of levels + 1 numbers has the kernels' logarithms at x */
};

void kernels_open(struct kernels *kernels, const struct axes *axes);
void kernels_close(struct kernels *kernels);
/* Densities that were filled before are not valid any more. */
void kernels_set(struct kernels *kernels, const double *widths);

/* A weighted sum of kernels. */
struct density {
    const struct kernels *kernels;
    size_t count, capacity;
    double *log_weights;
    /* An axis after another, `capacity` numbers each. */
    double *places; /* of the point; on levels and choices the index, or `levels` for none */
    double *sharps; /* numbers: 1 / width, or 0 where the point is not active */
    double *bases;  /* numbers: the logarithm of the kernel at its middle */
    double *sums;   /* scratch, one a kernel */
};

void density_open(struct density *density, const struct kernels *kernels);
void density_close(struct density *density);
/* Forgets all kernels and makes room for so many. */
void density_reset(struct density *density, size_t capacity);
void density_add(struct density *density, const double *codes, double weight);
/* The logarithm of the sum at a point. */
double density_log(const struct density *density, const double *codes);
/* Draws a kernel by its weight. */
size_t density_draw_kernel(const struct density *density, struct random *random);
/* Draws the code of an axis from a kernel. */
double density_draw(const struct density *density, size_t kernel, size_t axis,
                    struct random *random);

#endif
