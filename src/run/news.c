/* news.c - results on their way to the observer. */
#include "run/news.h"

static const void *copy(struct arena *arena, const void *items, size_t size)
{
    return memcpy(arena_new(arena, 1, size), items, size);
}

struct announcement *news_add(struct news *news)
{
    news->items = memory_grow(news->items, &news->capacity, news->count + 1, sizeof *news->items);
    struct announcement *item = &news->items[news->count++];
    item->arena = (struct arena){0};
    return item;
}

void news_keep(struct announcement *item, size_t width, size_t objectives, const struct str *log)
{
    struct run_trial *trial = &item->trial;
    if (trial->point)
        trial->point = copy(&item->arena, trial->point, width * sizeof *trial->point);
    if (trial->scores)
        trial->scores = copy(&item->arena, trial->scores, objectives * sizeof *trial->scores);
    if (trial->metric_count > 0)
        trial->metrics =
            copy(&item->arena, trial->metrics, trial->metric_count * sizeof *trial->metrics);
    if (!trial->reason[0]) {
        trial->reason = "";
        return;
    }
    struct slice line = slice_last_line((struct slice){log->text, log->length});
    size_t length = line.length < RUN_LAST_LINE ? line.length : RUN_LAST_LINE;
    trial->reason = arena_copy(&item->arena, trial->reason, strlen(trial->reason));
    trial->last_line = arena_copy(&item->arena, line.text, length);
}

void news_publish(struct news *news, uint64_t record,
                  void (*show)(void *self, const struct announcement *announcement), void *self)
{
    for (; !news_is_empty(news) && news->items[news->next].record <= record; news->next++) {
        show(self, &news->items[news->next]);
        arena_free(&news->items[news->next].arena);
    }
    if (2 * news->next > news->count) { /* the queue has moved on: reuse its memory */
        news->count -= news->next;
        memmove(news->items, news->items + news->next, news->count * sizeof *news->items);
        news->next = 0;
    }
}

bool news_is_empty(const struct news *news)
{
    return news->next == news->count;
}

void news_free(struct news *news)
{
    for (; !news_is_empty(news); news->next++)
        arena_free(&news->items[news->next].arena);
    free(news->items);
}
