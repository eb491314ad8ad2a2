/* polling.c - how often a command looks at a running study. */
#include "cli/cli.h"

#include <math.h>

void cli_wait(double start, double interval)
{
    enum { SHARE = 10 }; /* reading takes at most a tenth of the time */
    double seconds = fmax(interval, SHARE * (clock_now() - start));
    struct timespec time = {.tv_sec = (time_t)seconds};
    time.tv_nsec = (long)((seconds - floor(seconds)) * 1e9);
    nanosleep(&time, NULL);
}

const struct cli_option cli_interval_options[] = {
    {.name = "interval", .value = "T", .help = "refresh interval (default: 1s)"},
    {0},
};

int cli_interval(const struct cli_arguments *arguments, double *interval, struct err *e)
{
    if (cli_seconds(arguments, "interval", interval, e))
        return e->code;
    if (*interval < 0.1 || *interval > 86400)
        return err_set(e, ERR_USER, "'--interval %s': use a time from 0.1s to 1d",
                       cli_value(arguments, "interval"));
    return 0;
}
