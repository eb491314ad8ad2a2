/* compare.c - a page about several studies; data.c describes its data. */
#include "report/html.h"
#include "report/page.h"

struct comparison {
    const struct journal *journals;
    size_t count;
    struct out *out;
};

static void put_title(void *self, struct str *s)
{
    const struct comparison *c = self;
    for (size_t i = 0; i < c->count; i++) {
        str_add(s, i == 0 ? "" : i + 1 < c->count ? ", " : " and ");
        html_put_text(s, c->journals[i].study.name);
    }
}

static void put_summary(void *self, struct str *s)
{
    const struct comparison *c = self;
    for (size_t i = 0; i < c->count; i++) {
        const struct journal *journal = &c->journals[i];
        int64_t best = journal_best(journal);
        html_put_text(s, journal->study.name);
        str_printf(s, ": %zu trials", journal->count);
        if (best >= 0) {
            str_add(s, ", the best with the score ");
            str_add_number(s, journal->trials[best].score);
        }
        str_add(s, ". ");
    }
}

static int put_data(void *self, struct err *e)
{
    const struct comparison *c = self;
    int failed = 0;
    json_add_object(&c->out->text);
    json_set_array(&c->out->text, "studies");
    for (size_t i = 0; i < c->count && !failed; i++) {
        str_add(&c->out->text, i ? "," : ""); /* the text so far may have been flushed */
        failed = html_put_compared(c->out, &c->journals[i], REPORT_COMPARED / c->count, e);
    }
    json_end_array(&c->out->text);
    json_end_object(&c->out->text);
    return failed;
}

int report_compare(const struct journal *journals, size_t count, const char *path, struct err *e)
{
    struct out out;
    struct comparison c = {journals, count, &out};
    unsigned mode = 0666;
    for (size_t i = 0; i < count; i++)
        mode &= out_mode(&journals[i].study);
    int failed = out_open(&out, (struct report_target){.path = path}, mode, e);
    if (failed)
        return failed;
    failed = page_put(&out, PAGE_COMPARISON,
                      &(struct page_filler){&c, put_title, put_summary, put_data}, e);
    return out_close(&out, failed, e);
}
