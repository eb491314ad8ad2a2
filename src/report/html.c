/* html.c - the page of a study: its title, its summary, and the escaping of texts. */
#include "report/html.h"
#include "report/page.h"

void html_put_safe(struct str *out, const char *json, size_t length)
{
    const char *end = json + length, *less;
    while ((less = memchr(json, '<', (size_t)(end - json)))) {
        str_add_bytes(out, json, (size_t)(less - json));
        str_add(out, "\\u003c");
        json = less + 1;
    }
    str_add_bytes(out, json, (size_t)(end - json));
}

void html_put_text(struct str *out, const char *text)
{
    for (; *text; text++) {
        switch (*text) {
        case '<': str_add(out, "&lt;"); break;
        case '>': str_add(out, "&gt;"); break;
        case '&': str_add(out, "&amp;"); break;
        case '"': str_add(out, "&quot;"); break;
        default: str_add_char(out, *text);
        }
    }
}

/* ---- the page ---- */

struct filler {
    const struct journal *journal;
    struct out *out;
};

static void put_title(void *self, struct str *s)
{
    const struct journal *journal = ((const struct filler *)self)->journal;
    html_put_text(s, journal->study.name);
}

static void put_summary(void *self, struct str *s)
{
    const struct journal *journal = ((const struct filler *)self)->journal;
    struct journal_counts counts;
    journal_count(journal, &counts);
    int64_t best = journal_best(journal);
    size_t done = counts.states[OUTCOME_DONE];
    str_printf(s, "%zu %s done", done, done == 1 ? "trial was" : "trials were");
    if (counts.states[OUTCOME_STOPPED] > 0)
        str_printf(s, ", %zu stopped", counts.states[OUTCOME_STOPPED]);
    str_printf(s, " and %zu failed.", counts.failed);
    if (journal->scores)
        str_printf(s, " On the Pareto front: %zu.", journal->front_count);
    if (best < 0 || journal->scores)
        return;
    str_printf(s, " The best is trial %lld with the score ", (long long)best + 1);
    str_add_number(s, journal->trials[best].score);
    str_add_char(s, '.');
}

static int put_data(void *self, struct err *e)
{
    const struct filler *filler = self;
    return html_put_data(filler->out, filler->journal, e);
}

int report_html(const struct journal *journal, const char *path, struct err *e)
{
    struct out out;
    struct str own = {0};
    struct filler filler = {journal, &out};
    struct report_target target = {.path = path, .is_own = !path};
    if (!path)
        target.path = study_path(&own, journal->dir, STUDY_REPORT);
    int failed = out_open(&out, target, out_mode(&journal->study), e);
    if (!failed) {
        failed = page_put(&out, PAGE_STUDY,
                          &(struct page_filler){&filler, put_title, put_summary, put_data}, e);
        failed = out_close(&out, failed, e);
    }
    str_free(&own);
    return failed;
}
