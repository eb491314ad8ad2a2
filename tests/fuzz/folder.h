/* folder.h - a folder in memory for the files of a fuzzer; it is removed when the fuzzer ends. */
#ifndef FUZZ_FOLDER_H
#define FUZZ_FOLDER_H

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>

static char fuzz_folder[] = "/dev/shm/wick-fuzz-XXXXXX"; /* made by fuzz_folder_open() */

static int fuzz_remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

static void fuzz_folder_remove(void)
{
    nftw(fuzz_folder, fuzz_remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void fuzz_folder_open(void)
{
    if (!mkdtemp(fuzz_folder) || atexit(fuzz_folder_remove) != 0)
        abort();
}

#endif
