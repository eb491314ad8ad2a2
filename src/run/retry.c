/* retry.c - trials to run again. */
#include "run/retry.h"

void retry_add(struct retry *retry, uint64_t id)
{
    if (retry->next == retry->count)
        retry->next = retry->count = 0;
    retry->ids = memory_grow(retry->ids, &retry->capacity, retry->count + 1, sizeof *retry->ids);
    retry->ids[retry->count++] = id;
}

uint64_t retry_first(const struct retry *retry)
{
    return retry->next < retry->count ? retry->ids[retry->next] : 0;
}

void retry_drop(struct retry *retry)
{
    retry->next++;
}

void retry_free(struct retry *retry)
{
    free(retry->ids);
}
