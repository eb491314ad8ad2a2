/* Times and sizes as a person writes them. */
#include "study/study.h"

#include "tap.h"

static void times(void)
{
    static const struct {
        const char *text;
        double seconds; /* NaN: not a time */
    } cases[] = {
        {"90", 90},
        {"30s", 30},
        {"15m", 900},
        {"2h", 7200},
        {"1d", 86400},
        {"1.5h", 5400},
        {"0.5", 0.5},
        {"0", 0},
        {"2 h", 7200},
        {"01:30:00", 5400},
        {"100:00:01", 360001},
        {"0:0:5", 5},
        {"", NAN},
        {"h", NAN},
        {"-5", NAN},
        {"5x", NAN},
        {"5mm", NAN},
        {"1:30", NAN},
        {"1:60:00", NAN},
        {"1:00:60", NAN},
        {"1:2:3:4", NAN},
        {"1e5", NAN},
        {"inf", NAN},
        {"nan", NAN},
        {"5 ", 5},
        {" 5", NAN},
        {"100000d", NAN},
        {"0x10", NAN},
        {"1h30m", 5400},
        {"1h30", 5400},
        {"26h30m", 95400},
        {"1d 2h 3m 4s", 93784},
        {"2d12", 216000},
        {"30 minutes", 1800},
        {"1 hour", 3600},
        {"1 Hour 30 Min", 5400},
        {"5 mins", 300},
        {"2 weeks", 1209600},
        {"1h30s", 3630},
        {"30s30", NAN},
        {"30m1h", NAN},
        {"1h1h", NAN},
        {"1h and 30m", NAN},
        {"30 minuten", NAN},
        {"1h-30m", NAN},
        {".5h", 1800},
        {"5.", 5},
        {".", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        double seconds = -1;
        bool good = study_seconds(cases[i].text, &seconds);
        ok(good == !isnan(cases[i].seconds) && (!good || seconds == cases[i].seconds),
           "'%s' is %g seconds", cases[i].text, cases[i].seconds);
    }
}

static void sizes(void)
{
    static const struct {
        const char *text;
        double bytes; /* NaN: not a size */
    } cases[] = {
        {"4096", 4096},
        {"512M", 512.0 * 1048576},
        {"2G", 2147483648.0},
        {"1.5 GiB", 1610612736.0},
        {"1k", 1024},
        {"1KB", 1024},
        {"1T", 1099511627776.0},
        {"5B", 5},
        {"1.5 B", 1},
        {"0", 0},
        {"", NAN},
        {"G", NAN},
        {"-1G", NAN},
        {"1GiBB", NAN},
        {"1Gi", NAN},
        {"1GG", NAN},
        {"1e9", NAN},
        {"99999999999T", NAN},
        {"1 bananas", NAN},
        {"1 B B", NAN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint64_t bytes = 1;
        bool good = study_bytes(cases[i].text, &bytes);
        ok(good == !isnan(cases[i].bytes) && (!good || (double)bytes == cases[i].bytes),
           "'%s' is %.0f bytes", cases[i].text, cases[i].bytes);
    }
}

int main(void)
{
    times();
    sizes();
    return tap_end();
}
