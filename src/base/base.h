/*
 * base - what every other room builds on.
 *
 *   err.h     errors as values, with the place in the user's file
 *   memory.h  allocation that does not fail, arenas
 *   str.h     slices of text and a growing buffer
 *   utf8.h    characters of UTF-8
 *   map.h     a hash table from text to a number
 *   number.h  decimal digits to doubles and back
 *   json.h    a pull reader of JSON
 *   json_write.h  a writer of JSON
 *   option.h  options of algorithms and stoppers: one row each with range, default and help
 *   random.h  seeded random numbers
 *   clock.h   the only way to the system's clocks
 *   command.h  other programs: run them and read their output
 *   installed.h  where the files that come with Wick are
 *   mount.h   how a file system is mounted, and how far its locks reach
 *
 * Nothing here knows of studies or trials. Out of memory ends the program, in memory.c alone.
 */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include "base/clock.h"
#include "base/command.h"
#include "base/err.h"
#include "base/installed.h"
#include "base/json.h"
#include "base/json_write.h"
#include "base/map.h"
#include "base/memory.h"
#include "base/mount.h"
#include "base/number.h"
#include "base/option.h"
#include "base/random.h"
#include "base/str.h"
#include "base/utf8.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#endif
