/*
 * parzen.h - private to this room: densities over a space as sums of kernels, one per known point.
 *
 * A point is coded as one number per axis: the place of a number in [0, 1], the index of a level if
 * there are few, NaN if the parameter is not active. A kernel is a product over the axes: a
 * truncated normal for a number, its integral over the stretch of each level for levels, and for a
 * choice a value that is more likely than the others (J. Aitchison and C. Aitken, 1976). On an axis
 * where its point is not active, a kernel knows nothing and all values are equally likely. So a
 * kernel of NaN alone is the prior.
 *
 * All kernels have the same width on an axis, also those of different densities that are compared.
 * So what depends on levels is a table, and the logarithm of a kernel is a sum of table entries and
 * squares.
 */
#ifndef SEARCH_PARZEN_H
#define SEARCH_PARZEN_H

#include "space/space.h"

enum { PARZEN_LEVELS = 32 }; /* most levels of a table; numbers with more count as continuous */

enum axis_kind { AXIS_CONSTANT, AXIS_NUMBER, AXIS_LEVELS, AXIS_CHOICE };

struct axis {
    enum axis_kind kind;
    const struct parameter *parameter;
    size_t levels;     /* of AXIS_LEVELS and AXIS_CHOICE */
    double resolution; /* the length of a level in [0, 1]; 0: there are none */
    double *edges;     /* of AXIS_LEVELS: where the stretches start and end in [0, 1] */
};

struct axes {
    const struct space *space;
    struct axis *axis; /* one per parameter */
    size_t count;
    size_t varying; /* how many of these are not constant */
};

/* Makes an axis of each parameter; axes_close() them. The space must outlive them. */
void axes_open(struct axes *axes, const struct space *space);
/* Frees what axes_open() has made. */
void axes_close(struct axes *axes);
/* The place in [0, 1] of a code: the middle of a level. */
double axis_place(const struct axis *axis, double code);
/* The value of a code. */
double axis_value(const struct axis *axis, double code);
/* Codes a point, one number per axis. */
void axes_code(const struct axes *axes, const double *point, double *codes);

/* What the kernels of some densities have in common. */
struct kernels {
    const struct axes *axes;
    double *widths;  /* by axis; for a choice, the probability that the value differs */
    double **tables; /* by axis: row x of levels + 1 numbers has the kernels' logarithms at x */
};

/* Makes room for widths and tables; kernels_close() it. */
void kernels_open(struct kernels *kernels, const struct axes *axes);
/* Frees what kernels_open() has made. */
void kernels_close(struct kernels *kernels);
/* Sets the widths. Densities that were filled before become invalid. */
void kernels_set(struct kernels *kernels, const double *widths);

/* A weighted sum of kernels. */
struct density {
    const struct kernels *kernels;
    size_t count, capacity;
    double *log_weights;
    /* One axis after another, `capacity` numbers each. */
    double *places; /* of the point; on levels and choices the index, or `levels` for none */
    double *sharps; /* numbers: 1 / width, or 0 where the point is not active */
    double *bases;  /* numbers: the logarithm of the kernel at its middle */
    double *sums;   /* scratch, one per kernel */
};

/* Starts an empty density; density_close() it. The kernels must outlive it. */
void density_open(struct density *density, const struct kernels *kernels);
/* Frees what the density holds. */
void density_close(struct density *density);
/* Removes all kernels and makes room for `capacity` of them. */
void density_reset(struct density *density, size_t capacity);
/* Adds a kernel at a coded point. */
void density_add(struct density *density, const double *codes, double weight);
/* The logarithm of the sum at a point. */
double density_log(const struct density *density, const double *codes);
/* Draws a kernel by its weight. */
size_t density_draw_kernel(const struct density *density, struct random *random);
/* Draws the code of an axis from a kernel. */
double density_draw(const struct density *density, size_t kernel, size_t axis,
                    struct random *random);

#endif
