/*
 * narrow.h - private to this room: a part of a space that is a space itself.
 *
 * Some parameters are halved: a range keeps one half of its scale, a list of values one half of the
 * values, both with some overlap; all else stays. Points of the part and of the whole are coded
 * alike, except that the index of a value counts from the first value that is left.
 */
#ifndef SEARCH_NARROW_H
#define SEARCH_NARROW_H

#include "space/space.h"

struct narrow {
    const struct space *whole;
    struct space space; /* the part; it has no defaults */
    double *first;      /* by parameter: the first value that is left; of ranges 0 */
    struct arena arena;
};

/*
 * Halves the parameters `cuts`, each of which has at least two levels: takes the upper half if
 * `upper` says so, otherwise the lower one. Each half reaches into the other by `overlap` of its
 * length. The whole must outlive the part; narrow_close() it.
 */
void narrow_open(struct narrow *narrow, const struct space *whole, const size_t *cuts,
                 const bool *upper, size_t count, double overlap);
/* Frees what narrow_open() has made. */
void narrow_close(struct narrow *narrow);

/* True when a point of the whole lies in the part; parameters that are not active do not count. */
bool narrow_has(const struct narrow *narrow, const double *point);
/* Converts a point of the whole to one of the part; a value outside becomes the nearest inside. */
void narrow_point(const struct narrow *narrow, const double *point, double *inner);
/* Converts a point of the part to one of the whole. */
void narrow_back(const struct narrow *narrow, const double *inner, double *point);

#endif
