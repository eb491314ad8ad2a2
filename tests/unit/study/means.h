/* means.h - what the sections `job` and `container` of a text mean, now and from the journal. */
#ifndef TESTS_STUDY_MEANS_H
#define TESTS_STUDY_MEANS_H

#include "describe_job.h"
#include "tap.h"

/* Reads a text twice, once from what a journal keeps for trials of another folder. */
static void means(const char *name, const char *text, const char *expected)
{
    struct study study, again;
    struct err_list mistakes = {0};
    struct str first = {0}, second = {0};
    int result = study_parse(&study, text, strlen(text), "study.yaml", "/", &mistakes);
    ok(result == 0, "%s: it is read", name);
    if (result != 0) {
        printf("# %s\n", mistakes.items[0].message);
        err_list_free(&mistakes);
        return;
    }
    describe_jobs(&study, &first);
    is_text(str_text(&first), expected, name);
    ok(study_restore(&again, study.text, strlen(study.text), "/elsewhere", &mistakes) == 0,
       "%s: it is restored", name);
    describe_jobs(&again, &second);
    is_text(str_text(&second), str_text(&first), "as it was");
    study_free(&study);
    study_free(&again);
    str_free(&first);
    str_free(&second);
    err_list_free(&mistakes);
}

#endif
