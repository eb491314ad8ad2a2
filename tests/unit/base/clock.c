/* clock - times as text, and clocks that advance. */
#include "base/base.h"
#include "tap.h"

int main(void)
{
    static const struct {
        double wall;
        const char *text;
    } cases[] = {
        {0, "1970-01-01T00:00:00Z"},
        {951782400, "2000-02-29T00:00:00Z"},
        {1769860800.75, "2026-01-31T12:00:00Z"},
        {4102444799, "2099-12-31T23:59:59Z"},
        {253402300799, "9999-12-31T23:59:59Z"},
        {253402300800, "1970-01-01T00:00:00Z"},
        {1e300, "1970-01-01T00:00:00Z"},
        {-5, "1970-01-01T00:00:00Z"},
        {NAN, ""},
    };
    char text[32];
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_text(clock_format(cases[i].wall, text), cases[i].text, "a time as text");
    double before = clock_now();
    ok(clock_now() >= before, "the clock does not go back");
    ok(clock_wall() > 1767225600, "the wall clock is past 2026");
    return tap_end();
}
