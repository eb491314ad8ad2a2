/*
 * functions.c - models that are evaluated inside Wick.
 *
 * The classic ones are as in S. Surjanovic and D. Bingham, "Virtual Library of Simulation
 * Experiments", with their usual constants and ranges.
 */
#include "num/num.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

/* The value of an input, for functions of any number of inputs: an inactive one counts as 0. */
static double number_of(const struct function_input *in)
{
    return isnan(in->number) ? 0 : in->number;
}

static double branin(const struct function_input *in, size_t count)
{
    (void)count;
    double x = in[0].number, y = in[1].number;
    double bend = y - 5.1 / (4 * pi * pi) * x * x + 5 / pi * x - 6;
    return bend * bend + 10 * (1 - 1 / (8 * pi)) * cos(x) + 10;
}

static double hartmann6(const struct function_input *in, size_t count)
{
    static const double height[4] = {1, 1.2, 3, 3.2};
    static const double narrow[4][6] = {{10, 3, 17, 3.5, 1.7, 8},
                                        {0.05, 10, 17, 0.1, 8, 14},
                                        {3, 3.5, 1.7, 10, 17, 8},
                                        {17, 8, 0.05, 10, 0.1, 14}};
    static const double centre[4][6] = {{0.1312, 0.1696, 0.5569, 0.0124, 0.8283, 0.5886},
                                        {0.2329, 0.4135, 0.8307, 0.3736, 0.1004, 0.9991},
                                        {0.2348, 0.1451, 0.3522, 0.2883, 0.3047, 0.6650},
                                        {0.4047, 0.8828, 0.8732, 0.5743, 0.1091, 0.0381}};
    double sum = 0;
    for (size_t i = 0; i < 4; i++) {
        double distance = 0;
        for (size_t j = 0; j < count; j++)
            distance += narrow[i][j] * pow(in[j].number - centre[i][j], 2);
        sum += height[i] * exp(-distance);
    }
    return -sum;
}

static double ackley(const struct function_input *in, size_t count)
{
    double squares = 0, waves = 0, n = (double)count;
    for (size_t i = 0; i < count; i++) {
        double x = number_of(&in[i]);
        squares += x * x;
        waves += cos(2 * pi * x);
    }
    return 20 * (1 - exp(-0.2 * sqrt(squares / n))) + exp(1) - exp(waves / n);
}

static double rastrigin(const struct function_input *in, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i < count; i++) {
        double x = number_of(&in[i]);
        sum += x * x + 10 * (1 - cos(2 * pi * x));
    }
    return sum;
}

static double rosenbrock(const struct function_input *in, size_t count)
{
    double sum = 0;
    for (size_t i = 0; i + 1 < count; i++) {
        double x = number_of(&in[i]), y = number_of(&in[i + 1]);
        sum += 100 * pow(y - x * x, 2) + pow(1 - x, 2);
    }
    return sum;
}

/* ---- network: the loss of an imaginary classifier with ten classes ---- */

/* The inputs, in the order of the space. */
enum { RATE, BATCH, LAYERS, UNITS, DROPOUT, ACTIVATION, OPTIMIZER, MOMENTUM, NETWORK_INPUTS };

static bool is_word(const struct function_input *in, const char *word)
{
    return in->text && strcmp(in->text, word) == 0;
}

/* Saturating activations lose gradient with depth. NaN: there is no such activation. */
static double activation_loss(const struct function_input *in)
{
    const struct function_input *activation = &in[ACTIVATION];
    if (is_word(activation, "gelu"))
        return 0;
    if (is_word(activation, "relu"))
        return 0.01;
    if (is_word(activation, "tanh"))
        return 0.02 + 0.01 * in[LAYERS].number;
    return NAN;
}

/*
 * A rate that is too small costs in proportion; one that is too large costs exponentially. The best
 * rate grows with the square root of the batch and falls with depth. SGD needs steps a hundred
 * times as large as those of Adam, and with momentum a step counts 1 / (1 - momentum) times.
 */
static double rate_loss(const struct function_input *in)
{
    double reach = log10(in[RATE].number), other;
    if (is_word(&in[OPTIMIZER], "sgd")) {
        reach -= log10(1 - in[MOMENTUM].number) + 2;
        other = 0.4 * pow(in[MOMENTUM].number - 0.9, 2);
    } else {
        other = is_word(&in[OPTIMIZER], "adam") ? 0.012 : NAN;
    }
    double best = -3 + 0.5 * log10(in[BATCH].number / 64) - 0.15 * (in[LAYERS].number - 3);
    double off = 1.2 * (reach - best);
    return 0.25 * (exp(off) - 1 - off) + other;
}

/*
 * All terms are 0 or more. All are 0 at learning_rate 0.01, batch_size 64, layers 3, units 256,
 * dropout 0.2, activation gelu, optimizer sgd, momentum 0.9, where the loss has its minimum, 0.05.
 * Its maximum is that of guessing, log(10).
 */
static double network(const struct function_input *in, size_t count)
{
    (void)count;
    double depth = in[LAYERS].number - 3;
    double capacity = log2(in[UNITS].number / 256) + 0.7 * depth; /* < 0: too small, it underfits */
    double best_dropout = 0.2 + 0.05 * capacity;
    double excess = rate_loss(in) + activation_loss(in);
    excess += (capacity < 0 ? 0.04 : 0.02) * capacity * capacity + 0.015 * depth * depth;
    excess += 1.5 * pow(in[DROPOUT].number - best_dropout, 2);
    excess += 0.01 * pow(log2(in[BATCH].number / 64), 2);
    return 0.05 + excess / (1 + excess / (log(10) - 0.05));
}

/* ---- two scores ---- */

/*
 * E. Zitzler, K. Deb and L. Thiele, "Comparison of Multiobjective Evolutionary Algorithms" (2000),
 * test problem 1: the front is f2 = 1 - sqrt(f1), where all inputs but the first are 0.
 */
static double zdt1(const struct function_input *in, size_t count)
{
    (void)count;
    return number_of(&in[0]);
}

static void zdt1_others(const struct function_input *in, size_t count, double *scores)
{
    double sum = 0;
    for (size_t i = 1; i < count; i++)
        sum += number_of(&in[i]);
    double far = 1 + 9 * sum / ((double)count - 1);
    scores[0] = far * (1 - sqrt(number_of(&in[0]) / far));
}

/* The number of weights of the imaginary network, in thousands: 64 inputs, ten classes. */
static void network_size(const struct function_input *in, size_t count, double *scores)
{
    (void)count;
    double units = in[UNITS].number, between = in[LAYERS].number - 1;
    scores[0] = (64 * units + between * units * units + 10 * units) / 1000;
}

/* ---- curves: an imaginary training, one value per epoch ---- */

/* The inputs, in the order of the space. */
enum { CURVES_RATE, CURVES_DECAY, CURVES_UNITS, CURVES_OPTIMIZER, CURVES_EPOCHS, CURVES_INPUTS };

/* The final loss. A large rate does not settle in the minimum. */
static double curves_floor(const struct function_input *in)
{
    double rate = log10(in[CURVES_RATE].number), other;
    if (is_word(&in[CURVES_OPTIMIZER], "sgd"))
        other = 0;
    else
        other = is_word(&in[CURVES_OPTIMIZER], "adam") ? 0.03 : NAN;
    double decay = log10(in[CURVES_DECAY].number) + 3, units = log2(in[CURVES_UNITS].number / 128);
    double restless = 0.06 * pow(fmax(0, rate + 3.5), 2);
    return 0.1 + other + restless + 0.02 * decay * decay + 0.02 * units * units;
}

/*
 * A power law of the epochs, from the loss of guessing to the floor. Small rates are slow but reach
 * a lower loss, so the curves cross. A ripple hides small differences.
 */
static double curves_at(const struct function_input *in, size_t count, uint64_t step)
{
    (void)count;
    double rate = log10(in[CURVES_RATE].number), guessing = log(10);
    double slowness = is_word(&in[CURVES_OPTIMIZER], "adam") ? 1 : 2;
    double epochs = slowness * pow(10, -0.9 * (rate + 1.5));
    double lowest = curves_floor(in), end = lowest > guessing ? guessing : lowest;
    double value = end + (guessing - end) * pow(1 + (double)step / epochs, -1.5);
    return value * (1 + 0.02 * sin(1.3 * (double)step + 40 * rate));
}

static uint64_t curves_steps(const struct function_input *in, size_t count)
{
    enum { MOST = 100000 };
    (void)count;
    return (uint64_t)fmin(fmax(in[CURVES_EPOCHS].number, 1), MOST);
}

static double curves(const struct function_input *in, size_t count)
{
    return curves_at(in, count, curves_steps(in, count));
}

static double curves_duration(const struct function_input *in, size_t count)
{
    (void)count;
    return 0.01 * sqrt(in[CURVES_UNITS].number / 128);
}

/* ---- for measuring Wick itself ---- */

static double noop(const struct function_input *in, size_t count)
{
    (void)in;
    (void)count;
    return 0;
}

static double sleep_score(const struct function_input *in, size_t count)
{
    (void)count;
    return in[0].number;
}

static double sleep_duration(const struct function_input *in, size_t count)
{
    (void)count;
    return fmax(0, in[0].number);
}

/* ---- the table ---- */

/* The space of `network` and `network_size`. */
#define NETWORK_SPACE                                                                              \
    "learning_rate: {log: [1e-5, 1e-1]}\n"                                                         \
    "batch_size: {ordered: [16, 32, 64, 128, 256]}\n"                                              \
    "layers: {int: [1, 6]}\n"                                                                      \
    "units: {int: [16, 1024], log: true}\n"                                                        \
    "dropout: {float: [0, 0.6]}\n"                                                                 \
    "activation: {choice: [relu, tanh, gelu]}\n"                                                   \
    "optimizer: {choice: [sgd, adam]}\n"                                                           \
    "momentum: {float: [0.5, 0.99], when: {optimizer: sgd}}\n"

static const char *const network_names[] = {
    "learning_rate", "batch_size", "layers",   "units", "dropout",
    "activation",    "optimizer",  "momentum", NULL,
};

static const char *const x_names[] = {"x1", "x2", "x3", "x4", "x5", NULL};

/* The space of x1, x2, ..., all with the same range. */
#define FLOATS_4(range)                                                                            \
    "x1: {float: " range "}\n"                                                                     \
    "x2: {float: " range "}\n"                                                                     \
    "x3: {float: " range "}\n"                                                                     \
    "x4: {float: " range "}\n"
#define FLOATS_5(range) FLOATS_4(range) "x5: {float: " range "}\n"
#define FLOATS_6(range) FLOATS_5(range) "x6: {float: " range "}\n"

/* What both functions of the imaginary network have in common. */
#define NETWORK                                                                                    \
    .space = NETWORK_SPACE, .inputs = NETWORK_INPUTS, .least = NETWORK_INPUTS,                     \
    .names = network_names, .optimum = 0.05, .score = network

static const struct function functions[] = {
    {
        .name = "branin",
        .about = "two numbers, three equal minima; the first thing to try",
        .space = "x1: {float: [-5, 10]}\n"
                 "x2: {float: [0, 15]}\n",
        .inputs = 2,
        .least = 2,
        .names = (const char *const[]){"x1", "x2", NULL},
        .optimum = 0.39788735772973816,
        .score = branin,
    },
    {
        .name = "hartmann6",
        .about = "six numbers, six minima of different depth",
        .space = FLOATS_6("[0, 1]"),
        .inputs = 6,
        .least = 6,
        .names = (const char *const[]){"x1", "x2", "x3", "x4", "x5", "x6", NULL},
        .optimum = -3.3223680114155147,
        .score = hartmann6,
    },
    {
        .name = "ackley",
        .about = "any number of inputs (default 5), a needle in a wavy plain",
        .space = FLOATS_5("[-32.768, 32.768]"),
        .least = 1,
        .names = x_names,
        .optimum = 0,
        .score = ackley,
    },
    {
        .name = "rastrigin",
        .about = "any number of inputs (default 5), a bowl with very many local minima",
        .space = FLOATS_5("[-5.12, 5.12]"),
        .least = 1,
        .names = x_names,
        .optimum = 0,
        .score = rastrigin,
    },
    {
        .name = "rosenbrock",
        .about = "two or more inputs (default 4), a long bent valley",
        .space = FLOATS_4("[-5, 10]"),
        .least = 2,
        .names = (const char *const[]){"x1", "x2", "x3", "x4", NULL},
        .optimum = 0,
        .score = rosenbrock,
    },
    {
        .name = "network",
        .about = "the loss of an imaginary neural network: numbers, choices and a condition",
        NETWORK,
    },
    {
        .name = "zdt1",
        .about = "two or more inputs (default 5), two conflicting scores: f1 and f2",
        .space = FLOATS_5("[0, 1]"),
        .least = 2,
        .names = x_names,
        .optimum = 0,
        .score = zdt1,
        .scores = (const char *const[]){"f1", "f2", NULL},
        .others = zdt1_others,
    },
    {
        .name = "network_size",
        .about = "the same network with two scores: its loss, and its size in thousands of weights",
        NETWORK,
        .scores = (const char *const[]){"loss", "size", NULL},
        .others = network_size,
    },
    {
        .name = "curves",
        .about = "an imaginary training that reports each of its 81 epochs: for early stopping",
        .space = "learning_rate: {log: [1e-4, 1]}\n"
                 "decay: {log: [1e-6, 1e-1]}\n"
                 "units: {int: [16, 512], log: true}\n"
                 "optimizer: {choice: [sgd, adam]}\n"
                 "epochs: 81\n",
        .inputs = CURVES_INPUTS,
        .least = CURVES_INPUTS,
        .names =
            (const char *const[]){"learning_rate", "decay", "units", "optimizer", "epochs", NULL},
        .optimum = NAN,
        .score = curves,
        .duration = curves_duration,
        .steps = curves_steps,
        .curve = curves_at,
    },
    {
        .name = "noop",
        .about = "any inputs, does nothing: measures the cost of Wick itself",
        .space = "a: {float: [0, 1]}\n"
                 "b: {float: [0, 1]}\n"
                 "c: {float: [0, 1]}\n"
                 "d: {float: [0, 1]}\n",
        .names = (const char *const[]){"a", "b", "c", "d", NULL},
        .optimum = 0,
        .score = noop,
    },
    {
        .name = "sleep",
        .about = "sleeps for as many seconds as its input says",
        .space = "seconds: {float: [0.05, 0.2]}\n",
        .inputs = 1,
        .least = 1,
        .names = (const char *const[]){"seconds", NULL},
        .optimum = 0.05,
        .score = sleep_score,
        .duration = sleep_duration,
    },
};

enum { FUNCTION_COUNT = sizeof functions / sizeof *functions };

const char *const *function_names(void)
{
    static const char *const names[FUNCTION_COUNT + 1] = {
        "branin", "hartmann6", "ackley",       "rastrigin", "rosenbrock", "network",
        "curves", "zdt1",      "network_size", "noop",      "sleep",
    };
    return names;
}

const struct function *function_find(const char *name)
{
    for (size_t i = 0; i < FUNCTION_COUNT; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}
