/* told.h - which mistakes are told of a study's text. */
#ifndef TESTS_STUDY_TOLD_H
#define TESTS_STUDY_TOLD_H

#include "study/study.h"
#include "tap.h"

/* All mistakes of a text, as line:column: message, one a line; each has the file and the code. */
static void tells(const char *name, const char *text, size_t length, const char *expected)
{
    struct study study;
    struct err_list mistakes = {0};
    struct str told = {0};
    int result = study_parse(&study, text, length, "study.yaml", "/", &mistakes);
    for (size_t k = 0; k < mistakes.count; k++) {
        const struct err *e = &mistakes.items[k];
        str_printf(&told, "%s%d:%d: %s", k ? "\n" : "", e->line, e->column, e->message);
        if (strcmp(e->file, "study.yaml") != 0 || e->code != ERR_USER)
            ok(false, "%s: the mistake has the file and the code", name);
    }
    is_text(str_text(&told), expected, name);
    if (result == 0)
        study_free(&study);
    str_free(&told);
    err_list_free(&mistakes);
}

#endif
