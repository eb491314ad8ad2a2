/*
 * banned.h - functions that have no place in Wick; the compiler includes this file first.
 *
 * Each of them writes without a bound, keeps hidden state, or starts a shell. The headers that
 * declare them are included before the names are poisoned, so that only our own use is an error.
 */
#ifndef BASE_BANNED_H
#define BASE_BANNED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma GCC poison strcpy strcat strncpy strncat sprintf vsprintf gets
#pragma GCC poison strtok atoi atol atof rand srand tmpnam mktemp
#pragma GCC poison system popen asctime ctime gmtime localtime

#endif
