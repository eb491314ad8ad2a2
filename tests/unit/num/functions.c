/* The built-in models: published values, minima, and tables that agree with each other. */
#include "num/num.h"
#include "tap.h"

static double score(const char *name, size_t count, const double *numbers)
{
    struct function_input in[16] = {0};
    for (size_t i = 0; i < count; i++)
        in[i].number = numbers[i];
    return function_find(name)->score(in, count);
}

static void test_published_values(void)
{
    static const struct {
        const char *name;
        size_t count;
        double at[6];
        double expected;
    } cases[] = {
        {"branin", 2, {-3.14159265358979323846, 12.275}, 0.39788735772973816},
        {"branin", 2, {3.14159265358979323846, 2.275}, 0.39788735772973816},
        {"branin", 2, {9.42477796076937971539, 2.475}, 0.39788735772973816},
        {"branin", 2, {0, 0}, 55.60211264227026},
        {"hartmann6", 6, {0.20169, 0.150011, 0.476874, 0.275332, 0.311652, 0.6573}, -3.32237},
        {"ackley", 5, {0, 0, 0, 0, 0}, 0},
        {"ackley", 1, {0}, 0},
        {"ackley", 2, {1, 1}, 3.6253849384403627},
        {"rastrigin", 5, {0, 0, 0, 0, 0}, 0},
        {"rastrigin", 3, {1, 1, 1}, 3},
        {"rastrigin", 1, {0.5}, 20.25},
        {"rosenbrock", 4, {1, 1, 1, 1}, 0},
        {"rosenbrock", 2, {0, 0}, 1},
        {"rosenbrock", 2, {-1, 2}, 104},
        {"noop", 3, {1, 2, 3}, 0},
        {"sleep", 1, {0.125}, 0.125},
    };
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++)
        is_near(score(cases[c].name, cases[c].count, cases[c].at), cases[c].expected, 1e-6,
                cases[c].name);
}

static void test_not_active(void)
{
    struct function_input in[3] = {{1, NULL}, {NAN, NULL}, {2, "2"}};
    double zeroed[3] = {1, 0, 2};
    static const char *const names[] = {"ackley", "rastrigin", "rosenbrock"};
    for (size_t i = 0; i < 3; i++)
        ok(function_find(names[i])->score(in, 3) == score(names[i], 3, zeroed),
           "%s: what is not active counts as 0", names[i]);
}

/* Descends from a point in ever smaller steps along each input; returns the score at the end. */
static double descend(const struct function *function, double *at, size_t count, double step)
{
    double best = score(function->name, count, at);
    for (int halvings = 0; halvings < 30; halvings++, step /= 2)
        for (bool moved = true; moved;) {
            moved = false;
            for (size_t i = 0; i < 2 * count; i++) {
                double before = at[i / 2];
                at[i / 2] += i % 2 ? step : -step;
                double now = score(function->name, count, at);
                if (now < best) {
                    best = now;
                    moved = true;
                } else {
                    at[i / 2] = before;
                }
            }
        }
    return best;
}

static void test_optima(void)
{
    double hartmann[6] = {0.2, 0.15, 0.47, 0.27, 0.31, 0.65};
    const struct function *function = function_find("hartmann6");
    is_near(descend(function, hartmann, 6, 0.01), function->optimum, 1e-12,
            "hartmann6: descending ends at the optimum that it names");
    double branin[2] = {3, 2};
    function = function_find("branin");
    is_near(descend(function, branin, 2, 0.1), function->optimum, 1e-12,
            "branin: descending ends at the optimum that it names");
}

struct network {
    double rate, batch, layers, units, dropout;
    const char *activation, *optimizer;
    double momentum;
};

static double network_loss(const struct network *n)
{
    struct function_input in[8] = {
        {n->rate, NULL},    {n->batch, NULL},   {n->layers, NULL}, {n->units, NULL},
        {n->dropout, NULL}, {0, n->activation}, {0, n->optimizer}, {n->momentum, NULL},
    };
    return function_find("network")->score(in, 8);
}

static void test_network(void)
{
    static const char *const activations[] = {"relu", "tanh", "gelu"};
    double optimum = function_find("network")->optimum, lowest = INFINITY, highest = 0;
    struct network best = {0.01, 64, 3, 256, 0.2, "gelu", "sgd", 0.9};
    is_near(network_loss(&best), optimum, 1e-12, "network: its optimum is where it says");
    struct random r;
    random_seed(&r, 1, 0);
    for (int i = 0; i < 100000; i++) {
        bool sgd = random_below(&r, 2) == 0;
        struct network n = {
            .rate = pow(10, -5 + 4 * random_unit(&r)),
            .batch = (double)(16 << random_below(&r, 5)),
            .layers = 1 + (double)random_below(&r, 6),
            .units = floor(16 * pow(64, random_unit(&r))),
            .dropout = 0.6 * random_unit(&r),
            .activation = activations[random_below(&r, 3)],
            .optimizer = sgd ? "sgd" : "adam",
            .momentum = sgd ? 0.5 + 0.49 * random_unit(&r) : NAN,
        };
        double loss = network_loss(&n);
        lowest = fmin(lowest, loss);
        highest = fmax(highest, loss);
    }
    printf("# network: 100000 random points score from %.4f to %.4f\n", lowest, highest);
    ok(lowest > optimum && highest < log(10), "network: between its optimum and guessing");
    best.optimizer = "lamb";
    ok(isnan(network_loss(&best)), "network: an optimizer that it does not know has no score");
}

static void test_two_scores(void)
{
    struct function_input in[3] = {{0.25, NULL}, {0, NULL}, {0, NULL}};
    const struct function *function = function_find("zdt1");
    double second;
    function->others(in, 3, &second);
    is_near(function->score(in, 3), 0.25, 1e-15, "zdt1: the first score is the first input");
    is_near(second, 0.5, 1e-15, "zdt1: on the front the second is 1 - sqrt(f1)");
    in[2].number = 1;
    function->others(in, 3, &second);
    ok(second > 0.5, "zdt1: beside it, it is larger");
    struct function_input network[8] = {{0}};
    network[2].number = 3;
    network[3].number = 100;
    function_find("network_size")->others(network, 8, &second);
    is_near(second, 27.4, 1e-12, "network_size: 64 * 100 + 2 * 100 * 100 + 100 * 10 weights");
}

static double curve(double rate, const char *optimizer, uint64_t step)
{
    struct function_input in[5] = {
        {rate, NULL}, {1e-3, NULL}, {128, NULL}, {0, optimizer}, {81, NULL}};
    return function_find("curves")->curve(in, 5, step);
}

static void test_curves(void)
{
    const struct function *function = function_find("curves");
    struct function_input in[5] = {{0.01, NULL}, {1e-3, NULL}, {128, NULL}, {0, "sgd"}, {81, NULL}};
    ok(function->steps(in, 5) == 81, "curves: as many steps as it has epochs");
    is_near(function->score(in, 5), curve(0.01, "sgd", 81), 0,
            "curves: the score is the last step");
    is_near(function->duration(in, 5), 0.01, 1e-12, "curves: a step of 128 units takes 10 ms");
    ok(curve(0.3, "sgd", 3) < curve(0.003, "sgd", 3) &&
           curve(0.3, "sgd", 81) > curve(0.003, "sgd", 81),
       "curves: a large rate is ahead at first, and falls behind");
    bool falls = true;
    for (uint64_t step = 10; step <= 80; step += 10)
        falls &= curve(0.003, "sgd", step) < curve(0.003, "sgd", step - 9);
    ok(falls, "curves: ten epochs are better than one, anywhere");
    ok(isnan(curve(0.01, "lamb", 1)), "curves: an optimizer that it does not know has no value");
    in[4].number = 0;
    ok(function->steps(in, 5) == 1, "curves: one step at least");
    in[4].number = 1e12;
    ok(function->steps(in, 5) == 100000, "curves: 100,000 at most");
}

static void test_tables(void)
{
    const char *const *names = function_names();
    is_text(names[0], "branin", "branin is the first of the names");
    ok(function_find("nothing") == NULL, "an unknown name finds nothing");
    for (; *names; names++) {
        const struct function *function = function_find(*names);
        ok(function != NULL, "%s can be found", *names);
        if (!function)
            continue;
        size_t count = 0;
        const char *at = function->space;
        bool fits = true;
        for (; function->names[count]; count++) {
            size_t length = strlen(function->names[count]);
            fits &= strncmp(at, function->names[count], length) == 0 && at[length] == ':';
            at = strchr(at, '\n') + 1;
        }
        ok(!function->steps == !function->curve, "%s: steps have a curve", *names);
        ok(fits && *at == 0, "%s: its names are those of its space", *names);
        ok(function->inputs == 0 ? count >= function->least
                                 : count == function->inputs && count == function->least,
           "%s: its own space has as many inputs as it takes", *names);
    }
    struct function_input in = {0.125, NULL};
    is_near(function_find("sleep")->duration(&in, 1), 0.125, 0, "sleep: lasts as long as it says");
    in.number = -1;
    is_near(function_find("sleep")->duration(&in, 1), 0, 0, "sleep: never less than no time");
}

int main(void)
{
    test_published_values();
    test_not_active();
    test_optima();
    test_network();
    test_two_scores();
    test_curves();
    test_tables();
    return tap_end();
}
