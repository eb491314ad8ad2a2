/* page.h - private to the room: a page is a text of src/report/page with its gaps filled. */
#ifndef REPORT_PAGE_H
#define REPORT_PAGE_H

#include "report/out.h"

enum page_kind { PAGE_STUDY, PAGE_COMPARISON };

/* What fills the gaps. */
struct page_filler {
    void *self;
    void (*title)(void *self, struct str *s);
    void (*summary)(void *self, struct str *s); /* for readers without JavaScript */
    int (*data)(void *self, struct err *e);     /* writes JSON, safe for a script element */
};

/* Writes a page. */
int page_put(struct out *out, enum page_kind kind, const struct page_filler *filler, struct err *e);

#endif
