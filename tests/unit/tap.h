/*
 * tap.h - the smallest test harness: each check prints a line of TAP, and the program's exit code
 * says whether all of them held.
 *
 *     int main(void)
 *     {
 *         ok(2 + 2 == 4, "two and two");
 *         is_text("a", "a", "texts");
 *         return tap_end();
 *     }
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int tap_count, tap_failed;

__attribute__((format(printf, 2, 3), unused)) static bool ok(bool holds, const char *format, ...)
{
    va_list arguments;
    printf("%s %d - ", holds ? "ok" : "not ok", ++tap_count);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    tap_failed += !holds;
    return holds;
}

__attribute__((unused)) static bool is_text(const char *got, const char *expected, const char *name)
{
    bool same = strcmp(got, expected) == 0;
    ok(same, "%s", name);
    if (!same)
        printf("# got:      %s\n# expected: %s\n", got, expected);
    return same;
}

/* Numbers within a relative (or, near 0, absolute) tolerance; NaN equals NaN. */
__attribute__((unused)) static bool is_near(double got, double expected, double tolerance,
                                            const char *name)
{
    double scale = fmax(1, fabs(expected));
    bool near = (isnan(got) && isnan(expected)) || got == expected ||
                fabs(got - expected) <= tolerance * scale;
    ok(near, "%s", name);
    if (!near)
        printf("# got %.17g, expected %.17g\n", got, expected);
    return near;
}

__attribute__((unused)) static int tap_end(void)
{
    printf("1..%d\n", tap_count);
    if (tap_failed)
        printf("# %d of %d failed\n", tap_failed, tap_count);
    return tap_failed != 0;
}

#endif
