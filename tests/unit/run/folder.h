/* folder.h - a folder for the studies of a test, and studies from their text. */
#ifndef TESTS_RUN_FOLDER_H
#define TESTS_RUN_FOLDER_H

#include "run/run.h"
#include "tap.h"

#include <ftw.h>
#include <unistd.h>

static char folder[64]; /* made by folder_open() */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

/* Removes a folder with all that is in it. */
static void folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

/* False when it cannot be made. */
static bool folder_open(void)
{
    return tap_folder(folder, sizeof folder);
}

/* A mistake is shown, and the test fails by what follows. */
static void parse_text(struct study *study, const char *text)
{
    struct err_list mistakes = {0};
    if (study_parse(study, text, strlen(text), "study.yaml", folder, &mistakes))
        printf("# %s\n", mistakes.items[0].message);
    err_list_free(&mistakes);
}

#endif
