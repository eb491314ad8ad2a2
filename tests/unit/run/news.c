/* news.c - results wait for the disk, keep what they point to, and arrive in order. */
#include "run/news.h"
#include "tap.h"

struct seen {
    struct str ids;
    bool is_whole;
};

static void show(void *self, const struct announcement *item)
{
    struct seen *seen = self;
    const struct run_trial *trial = &item->trial;
    str_printf(&seen->ids, " %llu", (unsigned long long)trial->id);
    seen->is_whole &= trial->point[1] == (double)trial->id && trial->scores[0] == 0.5 &&
                      trial->metric_count == 1 && trial->metrics[0].value == 7 &&
                      strcmp(trial->reason, "it failed") == 0 &&
                      strcmp(trial->last_line, "no such file") == 0;
}

/* Everything that it points to is freed afterwards. */
static void add(struct news *news, uint64_t id)
{
    double point[2] = {0, (double)id}, scores[1] = {0.5};
    struct outcome_metric metric = {.name = "m", .value = 7};
    char reason[] = "it failed";
    struct str log = {0};
    str_add(&log, "hello\nno such file\n");
    struct announcement *item = news_add(news);
    item->record = 10 * id;
    item->trial = (struct run_trial){.id = id,
                                     .point = point,
                                     .scores = scores,
                                     .metrics = &metric,
                                     .metric_count = 1,
                                     .reason = reason};
    news_keep(item, 2, 1, &log);
    reason[0] = '\0';
    point[1] = scores[0] = metric.value = 0;
    str_free(&log);
}

int main(void)
{
    struct news news = {0};
    struct seen seen = {.is_whole = true};
    ok(news_is_empty(&news), "at first there are none");
    for (uint64_t id = 1; id <= 5; id++)
        add(&news, id);
    news_publish(&news, 9, show, &seen);
    is_text(str_text(&seen.ids), "", "none is shown before its record is on disk");
    news_publish(&news, 30, show, &seen);
    is_text(str_text(&seen.ids), " 1 2 3", "those up to a record are shown in their order");
    add(&news, 6);
    news_publish(&news, 40, show, &seen);
    is_text(str_text(&seen.ids), " 1 2 3 4", "the rest waits, and more may come");
    ok(!news_is_empty(&news), "some are left");
    news_publish(&news, UINT64_MAX, show, &seen);
    is_text(str_text(&seen.ids), " 1 2 3 4 5 6", "in the end all are shown, each once");
    ok(seen.is_whole, "with copies of all that they point to");
    ok(news_is_empty(&news), "and none is left");
    add(&news, 7);
    news_free(&news); /* one that was never shown is freed, too */
    str_free(&seen.ids);
    return tap_end();
}
