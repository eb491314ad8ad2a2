/* Densities over a mixed space. */
#include "search/parzen.h"

#include "spaces.h"
#include "tap.h"

static void build_axes(struct fixture *f)
{
    add_range(f, "number", PARAMETER_FLOAT, 1e-4, 1)->log = true;
    add_range(f, "few", PARAMETER_INT, 1, 9)->log = true;
    add_range(f, "steps", PARAMETER_FLOAT, 0, 1)->step = 0.25;
    add_values(f, "ordered", PARAMETER_ORDERED, 4);
    add_values(f, "choice", PARAMETER_CHOICE, 3);
    add_values(f, "constant", PARAMETER_CONSTANT, 1);
    add_range(f, "many", PARAMETER_INT, 0, 999);
}

struct setup {
    struct fixture f;
    struct axes axes;
    struct kernels kernels;
    struct density density;
};

static void setup_open(struct setup *setup, void (*build)(struct fixture *f), double width)
{
    double widths[MOST];
    fixture_open(&setup->f, build);
    axes_open(&setup->axes, &setup->f.space);
    kernels_open(&setup->kernels, &setup->axes);
    density_open(&setup->density, &setup->kernels);
    for (size_t i = 0; i < MOST; i++)
        widths[i] = width;
    kernels_set(&setup->kernels, widths);
}

static void setup_close(struct setup *setup)
{
    density_close(&setup->density);
    kernels_close(&setup->kernels);
    axes_close(&setup->axes);
    fixture_close(&setup->f);
}

static void test_codes(void)
{
    struct setup setup;
    setup_open(&setup, build_axes, 0.1);
    size_t wrong = 0;
    for (uint64_t k = 0; k < 500; k++) {
        struct random random;
        double units[MOST], point[MOST], codes[MOST];
        random_seed(&random, 7, k);
        for (size_t i = 0; i < setup.f.space.count; i++)
            units[i] = random_unit(&random);
        space_point(&setup.f.space, units, point);
        axes_code(&setup.axes, point, codes);
        for (size_t i = 0; i < setup.f.space.count; i++) {
            double value = axis_value(&setup.axes.axis[i], codes[i]);
            wrong += fabs(value - point[i]) > 1e-9 * fabs(point[i]);
        }
    }
    ok(wrong == 0, "a code has its value again");
    ok(setup.axes.varying == 6, "a constant does not vary");
    setup_close(&setup);
}

/* The integral over one axis, with the others inactive. */
static double integral(const struct density *density, size_t i)
{
    enum { PARTS = 2000 };
    const struct axis *axis = &density->kernels->axes->axis[i];
    size_t parts = axis->kind == AXIS_NUMBER ? PARTS : axis->levels;
    double codes[MOST], sum = 0;
    for (size_t k = 0; k < MOST; k++)
        codes[k] = NAN;
    for (size_t k = 0; k < parts; k++) {
        codes[i] = axis->kind == AXIS_NUMBER ? ((double)k + 0.5) / PARTS : (double)k;
        sum += exp(density_log(density, codes)) / (axis->kind == AXIS_NUMBER ? PARTS : 1);
    }
    return sum;
}

static void test_sums_to_one(void)
{
    static const double widths[] = {0.02, 0.1, 0.3};
    static const double points[3][MOST] = {
        {0, 0, 0, 0, 0, 0, 0}, {0.99, 8, 4, 3, 2, 0, 0.5}, {NAN, NAN, NAN, NAN, NAN, 0, NAN}};
    for (size_t w = 0; w < 3; w++) {
        struct setup setup;
        setup_open(&setup, build_axes, widths[w]);
        density_reset(&setup.density, 3);
        for (size_t k = 0; k < 3; k++)
            density_add(&setup.density, points[k], 1.0 / 3);
        double worst = 0;
        for (size_t i = 0; i < setup.f.space.count; i++)
            if (setup.axes.axis[i].kind != AXIS_CONSTANT)
                worst = fmax(worst, fabs(integral(&setup.density, i) - 1));
        ok(worst < 1e-3, "kernels of width %g sum to 1 on every axis", widths[w]);
        setup_close(&setup);
    }
}

static void test_known_values(void)
{
    struct setup setup;
    double middle[MOST] = {0.5, 4, 2, 1, 0, 0, 0.5}, other[MOST], nothing[MOST];
    setup_open(&setup, build_axes, 0.1);
    density_reset(&setup.density, 2);
    density_add(&setup.density, middle, 1);
    for (size_t i = 0; i < MOST; i++)
        other[i] = nothing[i] = NAN;
    other[0] = 0.5;
    is_near(density_log(&setup.density, other), log(3.9894228040143274 / 0.99999942669685624),
            1e-12, "a truncated normal at its middle");
    other[0] = 0.6;
    is_near(density_log(&setup.density, other), log(3.9894228040143274 / 0.99999942669685624) - 0.5,
            1e-12, "and one width away");
    other[0] = NAN;
    other[4] = 0;
    is_near(density_log(&setup.density, other), log(0.9), 1e-12, "the value of a choice");
    other[4] = 1;
    is_near(density_log(&setup.density, other), log(0.05), 1e-12, "and another");
    density_reset(&setup.density, 1);
    density_add(&setup.density, nothing, 1);
    is_near(density_log(&setup.density, middle),
            log(1 / 3.0) + log(0.25) + log(0.2) + log(log(5.5 / 4.5) / log(9.5 / 0.5)), 1e-12,
            "who knows nothing takes all values as equally likely");
    setup_close(&setup);
}

/* Values are drawn as often as the density says. */
static void test_draws(void)
{
    enum { DRAWS = 20000 };
    struct setup setup;
    double point[MOST] = {0.05, 1, 2, 3, 0, 0, 0.9}, codes[MOST], worst = 0;
    setup_open(&setup, build_axes, 0.2);
    density_reset(&setup.density, 1);
    density_add(&setup.density, point, 1);
    struct random random;
    random_seed(&random, 3, 3);
    for (size_t i = 1; i <= 4; i++) {
        double counts[16] = {0};
        for (size_t k = 0; k < DRAWS; k++)
            counts[(size_t)density_draw(&setup.density, 0, i, &random)]++;
        for (size_t k = 0; k < MOST; k++)
            codes[k] = NAN;
        for (size_t v = 0; v < setup.axes.axis[i].levels; v++) {
            codes[i] = (double)v;
            worst = fmax(worst, fabs(counts[v] / DRAWS - exp(density_log(&setup.density, codes))));
        }
    }
    ok(worst < 0.02, "levels and choices are drawn as often as they are likely");
    double sum = 0;
    bool inside = true;
    for (size_t k = 0; k < DRAWS; k++) {
        double place = density_draw(&setup.density, 0, 0, &random);
        inside = inside && place >= 0 && place < 1;
        sum += place;
    }
    /* The mean of a normal distribution around 0.05 with deviation 0.2, cut at 0 and 1. */
    ok(inside && fabs(sum / DRAWS - 0.1792) < 0.01, "numbers come from the truncated normal");
    setup_close(&setup);
}

static void build_large(struct fixture *f)
{
    add_values(f, "choice", PARAMETER_CHOICE, 1000);
}

static void test_large_choice(void)
{
    struct setup setup;
    double known = 7, none = NAN, code = 7;
    setup_open(&setup, build_large, 0.2);
    density_reset(&setup.density, 2);
    density_add(&setup.density, &known, 0.5);
    density_add(&setup.density, &none, 0.5);
    is_near(exp(density_log(&setup.density, &code)), 0.5 * 0.8 + 0.5 / 1000, 1e-12,
            "a choice of a thousand values has no table");
    is_near(integral(&setup.density, 0), 1, 1e-9, "and sums to 1");
    setup_close(&setup);
}

int main(void)
{
    test_codes();
    test_sums_to_one();
    test_known_values();
    test_draws();
    test_large_choice();
    return tap_end();
}
