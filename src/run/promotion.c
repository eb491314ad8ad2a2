/* promotion.c - trials that were stopped at a rung and go on when the stopper wants it. */
#include "run/promotion.h"

void promotion_init(struct promotion *promotion, struct stop *stop, size_t width)
{
    promotion->stop = stop;
    paused_init(&promotion->paused, width);
}

void promotion_free(struct promotion *promotion)
{
    paused_free(&promotion->paused);
}

bool promotion_pause(struct promotion *promotion, const struct live_trial *trial,
                     const double *point)
{
    if (!promotion->stop || !stop_pause(promotion->stop, trial->id))
        return false;
    struct live_trial kept = *trial;
    kept.recorded = kept.given = false;
    kept.counted = true;
    kept.worker = 0;
    kept.stop_step = 0;
    kept.step = trial->last_step;
    kept.try++;
    paused_add(&promotion->paused, &kept, point);
    return true;
}

void promotion_replay(struct promotion *promotion, const struct journal *journal, size_t index,
                      const double *point)
{
    const struct journal_trial *trial = &journal->trials[index];
    struct live_trial kept = {.id = index + 1,
                              .try = trial->tries + 1u,
                              .failures = trial->failures,
                              .origin = trial->origin,
                              .step = journal_progress(journal, index)->paused_at,
                              .counted = true};
    paused_add(&promotion->paused, &kept, point);
}

uint64_t promotion_due(const struct promotion *promotion)
{
    return promotion->stop ? stop_due(promotion->stop) : 0;
}

const double *promotion_point(const struct promotion *promotion, uint64_t id)
{
    return paused_point(&promotion->paused, id);
}

struct live_trial *promotion_promote(struct promotion *promotion, uint64_t id, struct live *live)
{
    stop_promote(promotion->stop);
    struct live_trial *trial = live_add(live, id, 1, paused_point(&promotion->paused, id));
    *trial = paused_remove(&promotion->paused, id);
    return trial;
}
