/* page.c - fills the gaps of a page with styles, scripts, data and texts. */
#include "report/page.h"
#include "report_page.h"

/* A page and its scripts, in the order in which they run. */
static const struct {
    const unsigned char *text;
    const unsigned char *scripts[16]; /* ended by NULL */
} pages[] = {
    [PAGE_STUDY] = {page_html,
                    {data_js, chart_js, drawing_js, parts_js, statistics_js, scores_js, front_js,
                     importance_js, curves_js, gantt_js, workers_js, failures_js, table_js,
                     page_js}},
    [PAGE_COMPARISON] = {compare_html,
                         {data_js, chart_js, drawing_js, parts_js, gantt_js, compare_js}},
};

/* Writes the text that replaces <!--word-->. */
static int put_place(struct out *out, enum page_kind kind, const struct page_filler *filler,
                     struct slice word, struct err *e)
{
    struct str *s = &out->text;
    if (slice_is(word, "title"))
        filler->title(filler->self, s);
    else if (slice_is(word, "summary"))
        filler->summary(filler->self, s);
    else if (slice_is(word, "style"))
        str_add(s, (const char *)page_css);
    else if (slice_is(word, "data"))
        return filler->data(filler->self, e);
    else if (!slice_is(word, "script"))
        BUG("a page has a place for %.*s", (int)word.length, word.text);
    else
        for (const unsigned char *const *script = pages[kind].scripts; *script; script++)
            str_add(s, (const char *)*script);
    return 0;
}

int page_put(struct out *out, enum page_kind kind, const struct page_filler *filler, struct err *e)
{
    const char *at = (const char *)pages[kind].text, *place;
    int failed = 0;
    while (!failed && (place = strstr(at, "<!--"))) {
        const char *end = strstr(place, "-->");
        str_add_bytes(&out->text, at, (size_t)(place - at));
        struct slice word = {place + 4, (size_t)(end - place - 4)};
        failed = put_place(out, kind, filler, word, e);
        at = end + 3;
    }
    str_add(&out->text, at);
    return failed;
}
