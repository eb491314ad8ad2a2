/* utf8.c - characters of UTF-8: recognizing and counting them. */
#include "base/base.h"

size_t utf8_length(const char *p, size_t left)
{
    const unsigned char *c = (const unsigned char *)p;
    size_t length = c[0] < 0x80 ? 1 : c[0] >= 0xf0 ? 4 : c[0] >= 0xe0 ? 3 : 2;
    if (length > left || c[0] > 0xf4 || (c[0] >= 0x80 && c[0] < 0xc2))
        return 0;
    for (size_t i = 1; i < length; i++)
        if ((c[i] & 0xc0) != 0x80)
            return 0;
    bool overlong = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
    bool outside = (c[0] == 0xed && c[1] > 0x9f) || (c[0] == 0xf4 && c[1] > 0x8f);
    return overlong || outside ? 0 : length;
}

size_t utf8_check(const char *text, size_t length)
{
    size_t at = 0;
    while (at < length && text[at] != 0) {
        size_t step = utf8_length(text + at, length - at);
        if (step == 0)
            break;
        at += step;
    }
    return at;
}

int utf8_count(const char *text, size_t length)
{
    int count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xc0) != 0x80;
    return count;
}
