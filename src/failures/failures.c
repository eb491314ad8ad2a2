/* failures.c - kinds of failures, and how many there are of each. */
#include "failures/failures.h"

#include <math.h>

enum { LINE = 200 }; /* bytes of a line that are compared */

static void add_mask(struct str *s, const struct failure *failure)
{
    struct slice line = failure->last_line;
    if (line.length > LINE)
        line.length = LINE;
    str_printf(s, "%s: ", outcome_state_name(failure->state));
    failures_mask(s, slice_of(failure->reason));
    if (failure->state != OUTCOME_FAILED || line.length == 0)
        return;
    str_add(s, ": ");
    failures_mask(s, line);
}

struct failures_kind *failures_find(struct failures *failures, const struct failure *failure)
{
    struct str mask = {0};
    size_t i = 0;
    add_mask(&mask, failure);
    while (i < failures->kind_count && strcmp(failures->kinds[i].mask, mask.text) != 0)
        i++;
    if (i == failures->kind_count && i < FAILURES_KINDS)
        failures->kinds[failures->kind_count++] =
            (struct failures_kind){.mask = memory_copy(mask.text), .trial = failure->trial};
    str_free(&mask);
    return i < failures->kind_count ? &failures->kinds[i] : NULL;
}

struct failures_kind *failures_add(struct failures *failures, const struct failure *failure)
{
    struct failures_kind *kind = failures_find(failures, failure);
    if (!kind)
        return NULL;
    kind->count++;
    kind->longest = fmax(kind->longest, failure->took);
    return kind;
}

const struct failures_kind *failures_most(const struct failures *failures)
{
    const struct failures_kind *most = NULL;
    for (size_t i = 0; i < failures->kind_count; i++)
        if (!most || failures->kinds[i].count > most->count)
            most = &failures->kinds[i];
    return most;
}

static int compare(const void *a, const void *b)
{
    const struct failures_kind *x = a, *y = b;
    if (x->count != y->count)
        return x->count > y->count ? -1 : 1;
    return (x->trial > y->trial) - (x->trial < y->trial);
}

void failures_sort(struct failures *failures)
{
    qsort(failures->kinds, failures->kind_count, sizeof *failures->kinds, compare);
}

void failures_free(struct failures *failures)
{
    for (size_t i = 0; i < failures->kind_count; i++) {
        free(failures->kinds[i].mask);
        free(failures->kinds[i].text);
    }
    failures->kind_count = 0;
}
