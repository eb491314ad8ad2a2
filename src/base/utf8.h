/* utf8.h - characters of UTF-8: recognizing and counting them. */
#ifndef BASE_UTF8_H
#define BASE_UTF8_H

#include <stddef.h>

/* Length of the UTF-8 character at p; 0 if there is none. */
size_t utf8_length(const char *p, size_t left);
/* Offset of the first byte that is not UTF-8 text, or `length`; a zero byte is not text. */
size_t utf8_check(const char *text, size_t length);
/* The number of characters in these bytes. */
int utf8_count(const char *text, size_t length);

#endif
