/* page.h - what a page is made of: a text of src/report/page with its places filled. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/out.h"

enum page_kind { PAGE_STUDY, PAGE_COMPARISON };

struct page_filler {
    void *self;
    void (*title)(void *self, struct str *s);
    void (*summary)(void *self, struct str *s); /* for those who have no JavaScript */
    int (*data)(void *self, struct err *e);     /* writes JSON, safe for a script element */
};

int page_put(struct out *out, enum page_kind kind, const struct page_filler *filler, struct err *e);

#endif
