/*
 * installed.h - where the files are that Wick brings along: its plug-ins, and what programs in
 * other languages need.
 */
#ifndef BASE_INSTALLED_H
#define BASE_INSTALLED_H

#include "base/str.h"

#include <limits.h>
#include <stdbool.h>

/*
 * Finds lib/wick/NAME: near the program, near the library when a program that lies elsewhere uses
 * it, and where Wick is installed. The folders that were looked in are appended to `sought`, which
 * may be NULL.
 */
bool installed_find(const char *name, char path[PATH_MAX], struct str *sought);

#endif
