/* retention.c - which checkpoints are kept. */
#include "run/retention.h"

#include "model/model.h"

static bool is_origin(const struct retention *r, uint64_t id)
{
    for (size_t i = 0; i < r->live->capacity; i++)
        if (r->live->slots[i].id && r->live->slots[i].origin == id)
            return true;
    return false;
}

/* For a trial that has ended and is not paused. */
static bool is_needed(const struct retention *r, uint64_t id)
{
    if (r->study->checkpoints == CHECKPOINTS_ALL)
        return true;
    return (r->study->checkpoints == CHECKPOINTS_BEST && best_has(r->best, id)) ||
           live_look(r->live, id) || search_needs(r->search, id - 1) || is_origin(r, id);
}

/* For what an earlier run left. */
static bool was_needed(void *self, uint64_t id)
{
    struct retention *r = self;
    if (id > r->journal->count)
        return false;
    const struct journal_trial *trial = &r->journal->trials[id - 1];
    r->was_cut |= !outcome_state_ended(trial->state);
    if (!trial->paused && !outcome_state_failed(trial->state) && !is_needed(r, id))
        return false;
    if (trial->state == OUTCOME_DONE || (trial->state == OUTCOME_STOPPED && !trial->paused))
        retention_ended(r, id); /* it may become useless later */
    return true;
}

int retention_begin(struct retention *r, const char *dir, struct err *e)
{
    if (!model_kind(&r->study->model)->starts_programs)
        return 0; /* only programs have checkpoints */
    return keeper_start(&r->keeper, dir, !r->journal, was_needed, r, e);
}

void retention_ended(struct retention *r, uint64_t id)
{
    r->ended = memory_grow(r->ended, &r->capacity, r->count + 1, sizeof *r->ended);
    r->ended[r->count++] = id;
}

void retention_settle(struct retention *r)
{
    size_t kept = 0;
    if (!r->keeper || r->study->checkpoints == CHECKPOINTS_ALL)
        return;
    for (size_t i = 0; i < r->count; i++) {
        uint64_t id = r->ended[i];
        if (is_needed(r, id))
            r->ended[kept++] = id;
        else
            keeper_remove(r->keeper, id);
    }
    r->count = kept;
}

void retention_end(struct retention *r, bool finish)
{
    keeper_stop(r->keeper, finish);
    free(r->ended);
}
