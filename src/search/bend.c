/* bend.c - puts targets on a scale on which a model sees the differences that matter. */
#include "search/bend.h"

#include "num/num.h"

#include <math.h>

enum { JUDGED = 64 }; /* at most this many of the better half are compared, in pairs */

static const double sharpest = 0.02, softest = 0.5; /* all three in best-to-median gaps */
static const double farthest = 5;

/* ---- noise ---- */

struct ranked {
    double target;
    size_t row;
};

static int compare_ranked(const void *a, const void *b)
{
    const struct ranked *one = a, *other = b;
    if (one->target != other->target)
        return one->target < other->target ? -1 : 1;
    return one->row < other->row ? -1 : one->row > other->row;
}

/* The squared distance between two rows. */
static double distance(const struct bend_rows *rows, size_t a, size_t b)
{
    const double *one = rows->values + a * rows->columns;
    const double *other = rows->values + b * rows->columns;
    double sum = 0;
    for (size_t i = 0; i < rows->columns; i++) {
        double gap = one[i] - other[i];
        if (isnan(gap))
            sum += isnan(one[i]) != isnan(other[i]);
        else
            sum += rows->categories[i] > 0 ? gap != 0 : gap * gap;
    }
    return sum;
}

/* The distance of a row to its nearest neighbour, and the gap between their targets. */
struct pair {
    double distance, gap;
};

static int compare_gaps(const void *a, const void *b)
{
    const struct pair *one = a, *other = b;
    return (one->gap > other->gap) - (one->gap < other->gap);
}

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *one = a, *other = b;
    if (one->distance != other->distance)
        return one->distance < other->distance ? -1 : 1;
    return compare_gaps(a, b);
}

static void find_pairs(const struct ranked *ranked, size_t count, const struct bend_rows *rows,
                       struct pair *pairs)
{
    for (size_t i = 0; i < count; i++)
        pairs[i] = (struct pair){INFINITY, 0};
    for (size_t i = 0; i < count; i++)
        for (size_t j = 0; j < i; j++) {
            struct pair pair = {distance(rows, ranked[i].row, ranked[j].row),
                                ranked[i].target / 2 - ranked[j].target / 2};
            if (pair.distance < pairs[i].distance)
                pairs[i] = pair;
            if (pair.distance < pairs[j].distance)
                pairs[j] = pair;
        }
}

/* The median gap of the nearest quarter of the pairs. */
static double near_gap(struct pair *pairs, size_t count)
{
    size_t nearest = (count + 3) / 4;
    qsort(pairs, count, sizeof *pairs, compare_pairs);
    qsort(pairs, nearest, sizeof *pairs, compare_gaps);
    return pairs[nearest / 2].gap;
}

double bend_noise(const double *targets, size_t count, const struct bend_rows *rows)
{
    struct ranked *ranked = memory_new(count, sizeof *ranked);
    struct pair pairs[JUDGED];
    for (size_t i = 0; i < count; i++)
        ranked[i] = (struct ranked){targets[i], i};
    qsort(ranked, count, sizeof *ranked, compare_ranked);
    size_t judged = (count + 1) / 2 < JUDGED ? (count + 1) / 2 : JUDGED;
    find_pairs(ranked, judged, rows, pairs);
    double spread = 0, noise = 0;
    if (judged > 1) {
        spread = ranked[judged * 3 / 4].target / 2 - ranked[judged / 4].target / 2;
        noise = near_gap(pairs, judged);
    }
    free(ranked);
    /* Two random targets differ by about 0.6 of the spread. If all is noise, neighbours do too. */
    double share = spread > 0 ? noise / (0.6 * spread) : 0;
    return noise * fmin(fmax((share - 0.5) / 0.4, 0), 1);
}

/* ---- the scale ---- */

double bend_targets(double *targets, size_t count, const struct bend_rows *rows)
{
    if (count == 0)
        return softest;
    double *sorted = memory_new(count, sizeof *sorted);
    memcpy(sorted, targets, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, num_compare);
    /* Halves, since the difference between two large numbers may overflow. */
    double low = sorted[0] / 2, unit = sorted[count / 2] / 2 - low;
    if (!(unit > 0)) /* at least half of the targets equal the best */
        unit = sorted[count - 1] / 2 - low;
    free(sorted);
    double soft = unit > 0 ? bend_noise(targets, count, rows) / unit : 0;
    soft = fmin(fmax(soft, sharpest), softest);
    for (size_t i = 0; i < count; i++) {
        double far = unit > 0 ? fmin((targets[i] / 2 - low) / unit, farthest) : 0;
        targets[i] = log(far + soft);
    }
    return soft;
}
