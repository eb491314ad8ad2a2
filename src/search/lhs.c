/*
 * lhs.c - Latin hypercubes (McKay, Beckman, Conover 1979).
 *
 * The range of each parameter is divided into as many strata as there are trials, and each stratum
 * is used once. Each parameter has its own permutation, whose value k is the stratum of suggestion
 * k, so nothing is stored. A budget that grows later starts a new hypercube.
 */
#include "num/num.h"
#include "search/algorithm.h"

static int check_lhs(const struct search_settings *settings, const struct space *space,
                     struct err *e)
{
    (void)space;
    if (settings->trials > 0)
        return 0;
    return err_set(e, ERR_USER,
                   "the algorithm lhs must know the number of trials: set `trials`, or use sobol");
}

static enum search_answer ask_lhs(struct search *search, uint64_t k, double *point)
{
    /* The default point takes one of the trials. */
    uint64_t strata = search->settings->trials - (search->first != NULL);
    if (strata == 0)
        strata = 1;
    struct random place, seeds;
    random_seed(&place, search->settings->seed, k);
    /* Far from the streams of the suggestions; UINT64_MAX is the shift of Sobol points. */
    random_seed(&seeds, search->settings->seed, UINT64_MAX - 1 - k / strata);
    for (size_t i = 0; i < search->space->count; i++) {
        uint64_t stratum = num_permute(k % strata, strata, random_bits(&seeds));
        double unit = ((double)stratum + random_unit(&place)) / (double)strata;
        search->units[i] = unit < 1 ? unit : 1 - 0x1p-53; /* the sum above may round up */
    }
    return algorithm_place(search, &place, point);
}

const struct algorithm lhs_algorithm = {
    .about = "a Latin hypercube: every stretch of every range once",
    .check = check_lhs,
    .ask = ask_lhs,
};
