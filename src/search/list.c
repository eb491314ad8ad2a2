/* list.c - only the points that the user listed, in their order. */
#include "search/algorithm.h"

static int check_list(const struct search_settings *settings, const struct space *space,
                      struct err *e)
{
    (void)space;
    if (settings->list_count > 0)
        return 0;
    return err_set(e, ERR_USER, "the list has no points: give at least one");
}

static enum search_answer ask_list(struct search *search, uint64_t k, double *point)
{
    if (k >= search->settings->list_count)
        return SEARCH_END;
    size_t count = search->space->count;
    memcpy(point, search->settings->list + k * count, count * sizeof *point);
    return SEARCH_POINT;
}

static double total_list(const struct search *search)
{
    return (double)search->settings->list_count;
}

const struct algorithm list_algorithm = {
    .about = "the points of a parameter file",
    .only_listed = true,
    .check = check_list,
    .ask = ask_list,
    .total = total_list,
};
