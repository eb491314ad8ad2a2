/* units.c - numbers, times and sizes as people write them. */
#include "study/study.h"

#include "study/read.h"

#include <math.h>
#include <strings.h>

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

/* A unit of time, by any of its names. The next one in the table is the next smaller one. */
static const struct time_unit {
    double seconds;
    const char *names[7]; /* ended by NULL */
} time_units[] = {
    {604800, {"w", "week", "weeks"}},
    {86400, {"d", "day", "days"}},
    {3600, {"h", "hr", "hrs", "hour", "hours"}},
    {60, {"m", "min", "mins", "minute", "minutes"}},
    {1, {"s", "sec", "secs", "second", "seconds"}},
};
enum { TIME_UNITS = sizeof time_units / sizeof *time_units };

/* The index of the unit that *at starts with, which is skipped; TIME_UNITS if it is none. */
static size_t take_unit(const char **at)
{
    const char *end = *at;
    while ((*end | 32) >= 'a' && (*end | 32) <= 'z')
        end++;
    size_t length = (size_t)(end - *at);
    for (size_t i = 0; i < TIME_UNITS; i++)
        for (const char *const *name = time_units[i].names; *name; name++)
            if (strlen(*name) == length && strncasecmp(*name, *at, length) == 0) {
                *at = end;
                return i;
            }
    return TIME_UNITS;
}

static const char *skip_spaces(const char *text)
{
    return text + strspn(text, " ");
}

/*
 * Numbers with units, from the largest unit to the smallest: 1h30m. A number without a unit is in
 * seconds, or in the next smaller unit if something comes before it: 1h30.
 */
bool study_seconds(const char *text, double *seconds)
{
    size_t next = 0; /* the largest unit that may come now */
    if (clock_seconds(text, seconds))
        return true;
    *seconds = 0;
    do {
        const char *end = decimal_end(text);
        if (!end)
            return false;
        double number = strtod(text, NULL);
        text = skip_spaces(end);
        size_t unit = *text ? take_unit(&text) : next > 0 ? next : TIME_UNITS - 1;
        if (unit < next || unit >= TIME_UNITS)
            return false;
        *seconds += number * time_units[unit].seconds;
        next = unit + 1;
        text = skip_spaces(text);
    } while (*text);
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

bool study_halt(const char *text, uint64_t *halt)
{
    enum { MOST_DIGITS = 9 };
    size_t digits = strspn(text, "0123456789");
    bool off = strcmp(text, "off") == 0;
    if (!off && (text[0] < '1' || text[0] > '9' || text[digits] || digits > MOST_DIGITS))
        return false;
    *halt = off ? 0 : strtoull(text, NULL, 10);
    return true;
}
