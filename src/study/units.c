/* units.c - numbers, times and sizes as people write them. */
#include "study/study.h"

#include "study/read.h"

#include <math.h>

struct slice slice_trim(struct slice text)
{
    while (text.length > 0 && *text.text == ' ')
        text = (struct slice){text.text + 1, text.length - 1};
    while (text.length > 0 && text.text[text.length - 1] == ' ')
        text.length--;
    return text;
}

bool number_pair(struct slice text, const char *separator, struct slice *low, struct slice *high)
{
    enum { MOST = 200 }; /* two numbers of less than 64 bytes and a few spaces */
    size_t length = strlen(separator);
    if (text.length > MOST)
        return false;
    for (size_t at = 1; at + length < text.length; at++) {
        const char *rest = text.text + at + length;
        if (memcmp(text.text + at, separator, length) != 0)
            continue;
        *low = slice_trim((struct slice){text.text, at});
        *high = slice_trim((struct slice){rest, text.length - at - length});
        if (is_decimal(*low) && is_decimal(*high))
            return true;
    }
    return false;
}

/* Reads "hh:mm:ss". */
static bool clock_seconds(const char *text, double *seconds)
{
    double parts[3];
    for (int i = 0; i < 3; i++) {
        const char *end = text + strspn(text, "0123456789");
        size_t length = (size_t)(end - text);
        if (length == 0 || length > (i == 0 ? 6 : 2) || *end != (i < 2 ? ':' : 0))
            return false;
        parts[i] = strtod(text, NULL);
        text = end + 1;
    }
    *seconds = (parts[0] * 60 + parts[1]) * 60 + parts[2];
    return parts[1] < 60 && parts[2] < 60;
}

bool study_seconds(const char *text, double *seconds)
{
    static const char units[] = "smhd";
    static const double lengths[] = {1, 60, 3600, 86400};
    if (clock_seconds(text, seconds))
        return true;
    const char *end = decimal_end(text);
    if (!end)
        return false;
    *seconds = strtod(text, NULL);
    while (*end == ' ')
        end++;
    const char *unit = *end ? strchr(units, *end) : units;
    if (!unit || (*end && end[1]))
        return false;
    *seconds *= lengths[unit - units];
    return *seconds <= 1e9;
}

bool study_bytes(const char *text, uint64_t *bytes)
{
    static const char units[] = "KMGT";
    const char *end = decimal_end(text);
    if (!end)
        return false;
    double number = strtod(text, NULL);
    while (*end == ' ')
        end++;
    const char *unit = *end ? strchr(units, *end >= 'a' ? *end - 'a' + 'A' : *end) : NULL;
    if (unit) {
        number *= pow(1024, (double)(unit - units + 1));
        end += end[1] == 'i' && end[2] == 'B' ? 2 : 1;
    }
    if (*end == 'B' && end[-1] != 'B')
        end++;
    if (*end || number > 1e18)
        return false;
    *bytes = (uint64_t)number;
    return true;
}
