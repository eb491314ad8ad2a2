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
 *
 * A test that checked nothing has failed, unless it said by tap_skip() why it could not.
 */
#ifndef TESTS_TAP_H
#define TESTS_TAP_H

#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
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

/*
 * The number of seeds to try where `many` are worth trying: SEEDS percent of them, but at least
 * one. SEEDS is an environment variable, 20 if it is not set; `make verify` sets it higher.
 */
__attribute__((unused)) static int tap_seeds(int many)
{
    const char *percent = getenv("SEEDS");
    long count = many * (percent ? strtol(percent, NULL, 10) : 20) / 100;
    return count > 0 ? (int)count : 1;
}

/*
 * Makes a folder and writes its path; returns false if it cannot be made. The folder is in memory
 * if possible: the tested code may sync its files often, and a disk is slow at that.
 */
__attribute__((unused)) static bool tap_folder(char *path, size_t size)
{
    static const char *const places[] = {"/dev/shm", "/tmp"};
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        snprintf(path, size, "%s/wick-unit-XXXXXX", places[i]);
        if (mkdtemp(path))
            return true;
    }
    return false;
}

/* Returns the exit code of a test that cannot run here: `return tap_skip("there is no tar");` */
__attribute__((unused)) static int tap_skip(const char *reason)
{
    printf("1..0 # skipped: %s\n", reason);
    return 77;
}

__attribute__((unused)) static int tap_end(void)
{
    printf("1..%d\n", tap_count);
    if (tap_failed)
        printf("# %d of %d failed\n", tap_failed, tap_count);
    if (!tap_count)
        printf("# nothing was checked\n");
    return tap_failed != 0 || tap_count == 0;
}

#endif
