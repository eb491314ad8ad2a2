/* gp_kernel.c - covariances of a Gaussian process. */
#include "num/gp_inside.h"

#include <math.h>

/* Fills `out` with squared distances, in units of the lengths. */
static void distances(const struct gp *gp, struct gp_row row, size_t from, double *restrict out)
{
    size_t count = gp->count - from;
    memset(out, 0, count * sizeof *out);
    for (size_t d = 0; d < gp->numbers; d++) {
        const double *restrict z = gp->z + d * gp->capacity + from;
        double here = row.z[d * row.stride];
        for (size_t j = 0; j < count; j++)
            out[j] += (z[j] - here) * (z[j] - here);
    }
}

/* Fills `out` with the sums of the weights of all categories in which the rows differ. */
static void mismatches(const struct gp *gp, struct gp_row row, size_t from, double *restrict out)
{
    size_t count = gp->count - from;
    memset(out, 0, count * sizeof *out);
    for (size_t c = 0; c < gp->codes; c++) {
        const uint32_t *restrict code = gp->code + c * gp->capacity + from;
        uint32_t here = row.code[c * row.stride];
        double weight = gp->weights[c];
        for (size_t j = 0; j < count; j++)
            out[j] += code[j] != here ? weight : 0;
    }
}

void gp_parts(const struct gp *gp, struct gp_row row, size_t from, double *m, double *e,
              double *slope)
{
    size_t count = gp->count - from;
    distances(gp, row, from, m);
    for (size_t j = 0; j < count; j++) {
        double r = sqrt(5 * m[j]), fall = exp(-r);
        m[j] = (1 + r + r * r / 3) * fall;
        slope[j] = 5.0 / 3 * (1 + r) * fall;
    }
    mismatches(gp, row, from, e);
    for (size_t j = 0; j < count; j++)
        e[j] = gp->codes ? exp(-e[j]) : 1;
    for (size_t j = 0; j < count; j++)
        slope[j] *= gp->amplitude * ((1 - gp->mix) * e[j] + gp->mix / 2);
}

void gp_covariances(const struct gp *gp, struct gp_row row, size_t from, double *out)
{
    size_t count = gp->count - from;
    distances(gp, row, from, out);
    for (size_t j = 0; j < count; j++) {
        double r = sqrt(5 * out[j]);
        out[j] = gp->amplitude * (1 + r + r * r / 3) * exp(-r);
    }
    if (gp->codes == 0)
        return;
    double *e = memory_new(count, sizeof *e);
    mismatches(gp, row, from, e);
    for (size_t j = 0; j < count; j++)
        e[j] = exp(-e[j]);
    for (size_t j = 0; j < count; j++)
        out[j] = (1 - gp->mix) * out[j] * e[j] + gp->mix / 2 * (out[j] + gp->amplitude * e[j]);
    free(e);
}
