/* steps.c - the steps that a worker sends to the driver. */
#include "tap.h"
#include "worker/worker.h"

int main(void)
{
    struct outcome_metric few[] = {{"accuracy", 0.5}, {"loss", -1e300}}, many[OUTCOME_METRICS];
    memset(many, 0, sizeof many);
    for (size_t i = 0; i < OUTCOME_METRICS; i++)
        many[i].value = (double)i;
    const struct worker_step sent[] = {
        {1, 1, 0.25, {1, 2.5, NULL, 0, false}},
        {UINT64_MAX, 7, 1e9, {UINT64_MAX, NAN, few, 2, true}},
        {3, 2, 0, {9, -INFINITY, many, OUTCOME_METRICS, false}},
        {4, 1, 1, {1, 0, NULL, 0, false}},
    };
    struct str bytes = {0};
    struct worker_step got;
    struct outcome_metric metrics[OUTCOME_METRICS];
    size_t at = 0, count = 0;
    for (size_t i = 0; i < 4; i++)
        worker_put_step(&bytes, &sent[i]);
    const unsigned char *text = (const unsigned char *)bytes.text;
    for (; count < 4 && worker_next_step(text, bytes.length, &at, &got, metrics); count++) {
        const struct worker_step *one = &sent[count];
        bool same = got.id == one->id && got.try == one->try && got.time == one->time &&
                    got.step.step == one->step.step && got.step.unscored == one->step.unscored &&
                    got.step.metric_count == one->step.metric_count;
        same &=
            got.step.value == one->step.value || (isnan(got.step.value) && isnan(one->step.value));
        for (size_t i = 0; i < got.step.metric_count; i++)
            same &= strcmp(metrics[i].name, one->step.metrics[i].name) == 0 &&
                    metrics[i].value == one->step.metrics[i].value;
        ok(same, "step %d comes as it was sent", (int)count + 1);
    }
    ok(count == 4 && at == bytes.length, "all of a note are there");
    at = 0;
    ok(!worker_next_step(text, 0, &at, &got, metrics), "a note without steps has none");
    str_free(&bytes);
    return tap_end();
}
