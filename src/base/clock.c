/* clock.c - the system's clocks. */
#include "base/base.h"

static double read_clock(clockid_t clock)
{
    struct timespec t;
    clock_gettime(clock, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

double clock_now(void)
{
    return read_clock(CLOCK_MONOTONIC);
}

double clock_wall(void)
{
    return read_clock(CLOCK_REALTIME);
}

char *clock_format(double wall, char text[32])
{
    /* A time from a journal that somebody edited may be anything; 253402300799 ends year 9999. */
    time_t seconds = wall >= 0 && wall <= 253402300799 ? (time_t)wall : 0;
    struct tm parts;
    gmtime_r(&seconds, &parts);
    strftime(text, 32, "%Y-%m-%dT%H:%M:%SZ", &parts);
    if (isnan(wall))
        text[0] = 0;
    return text;
}
