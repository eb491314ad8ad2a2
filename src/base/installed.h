/*
 * installed.h - where the files of Wick are: its plug-ins, and what programs in other languages
 * need.
 */
#ifndef BASE_INSTALLED_H
#define BASE_INSTALLED_H

#include "base/str.h"

#include <limits.h>
#include <stdbool.h>

/*
 * Finds lib/wick/NAME: near the program, near the library if another program uses it, and where
 * Wick is installed. Appends the folders that were searched to `sought`, which may be NULL.
 */
bool installed_find(const char *name, char path[PATH_MAX], struct str *sought);

#endif
