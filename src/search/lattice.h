/*
 * lattice.h - private to this room: the points of a finite space, numbered.
 *
 * Every parameter has levels; a float without a step is given some. Without conditions, the index
 * of a point is a mixed-radix number whose digits are levels, the last parameter fastest. With
 * conditions, a parameter hangs below its parent and has a digit only at the levels of the parent
 * that make it active. So no index is wasted on values that do not count, and any point can be
 * computed from its index without going through those before it.
 *
 * A parameter with several parents hangs below the one that comes last in the order. Where another
 * of its parents switches it off, all but one of the indexes are gaps: they have no point.
 */
#ifndef SEARCH_LATTICE_H
#define SEARCH_LATTICE_H

#include "space/space.h"

#define LATTICE_ENDLESS UINT64_MAX /* more than can be counted */
#define LATTICE_NONE    UINT64_MAX /* no index */

struct lattice {
    const struct space *space;
    struct axis *axes;   /* one per parameter */
    uint64_t *places;    /* scratch, one per parameter */
    uint64_t total;      /* indexes are 0 .. total-1; LATTICE_ENDLESS: do not ask for points */
    bool gaps;           /* some indexes may have no point */
    struct arena memory; /* of axes and places */
};

/*
 * Numbers the points of a space; lattice_close() it. `levels` is the number of points, both ends
 * included, on a float that has neither a step nor `levels` of its own; 0: it is endless.
 * LATTICE_ENDLESS: every float without a step is endless.
 */
void lattice_open(struct lattice *lattice, const struct space *space, uint64_t levels);
/* Frees what lattice_open() has made. */
void lattice_close(struct lattice *lattice);

/* The number of levels of a parameter, with `levels` as above. */
uint64_t lattice_levels(const struct parameter *parameter, uint64_t levels);

/* Fills in the point of an index; false if it is a gap or forbidden. */
bool lattice_point(struct lattice *lattice, uint64_t index, double *point);
/* True when all of its indexes can be visited in about a second. */
bool lattice_is_small(const struct lattice *lattice);
/*
 * How many points it has. If there are gaps, the points of a small lattice are counted, up to
 * `most`; for a larger one this is an upper bound.
 */
uint64_t lattice_count(struct lattice *lattice, uint64_t most);
/* The index of a point, or LATTICE_NONE when the point is not on the lattice. */
uint64_t lattice_index(struct lattice *lattice, const double *point);

#endif
