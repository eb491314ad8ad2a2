/* numbers.c - scores, sizes, counts and rates as a person reads them. */
#include "cli/cli.h"

#include <math.h>

void cli_add_score(struct str *s, double score)
{
    if (isnan(score))
        str_add_char(s, '-');
    else
        str_printf(s, "%.6g", score);
}

void cli_add_parameter(struct str *s, const struct parameter *parameter, double value)
{
    if (isnan(value)) {
        str_add_char(s, '-');
    } else if (parameter->kind == PARAMETER_FLOAT) {
        str_printf(s, fabs(value) >= 1000 && fabs(value) < 1e7 ? "%.0f" : "%.4g", value);
    } else {
        struct str text = {0};
        space_put_text(parameter, value, &text);
        cli_add_safe(s, str_text(&text), text.length);
        str_free(&text);
    }
}

void cli_add_bytes(struct str *s, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    if (bytes < 1024) {
        str_printf(s, "%llu bytes", (unsigned long long)bytes);
        return;
    }
    double amount = (double)bytes / 1024;
    size_t unit = 0;
    while (amount >= 1023.5 && unit + 1 < sizeof units / sizeof *units) {
        amount /= 1024;
        unit++;
    }
    str_printf(s, amount < 99.5 ? "%.3g %s" : "%.0f %s", amount, units[unit]);
}

void cli_add_bar(struct str *s, double share, size_t width)
{
    bool blocks = cli_utf8();
    share = share >= 0 && share <= 1 ? share : share > 1;
    size_t full = (size_t)(share * (double)width);
    for (size_t i = 0; i < width; i++)
        str_add(s, i < full ? (blocks ? "█" : "#") : (blocks ? "░" : "."));
}

void cli_add_label(struct str *s, const char *label, int width)
{
    str_printf(s, "%s%-*s%s", cli_colour(stdout, CLI_DIM), width, label,
               cli_colour(stdout, CLI_PLAIN));
}

void cli_set_text(struct str *s, const char *key, const char *text)
{
    json_set_text(s, key, text[0] ? text : NULL);
}

void cli_add_count(struct str *s, uint64_t count, const char *noun)
{
    str_printf(s, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

void cli_add_rate(struct str *s, double rate)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"a second", 1}, {"a minute", 60}, {"an hour", 3600}};
    size_t unit = 0;
    while (unit < 2 && rate * units[unit].seconds < 1)
        unit++;
    rate *= units[unit].seconds;
    char text[32];
    snprintf(text, sizeof text, rate < 99.5 ? "%.3g" : "%.0f", rate);
    str_printf(s, "%s trial%s %s", text, strcmp(text, "1") == 0 ? "" : "s", units[unit].name);
}
