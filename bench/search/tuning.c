/*
 * tuning.c - formulas that behave like models when they are tuned: rates on a log scale that
 * interact with sizes, parameters that exist for one choice only, scores on a grid because a
 * validation set is finite, trials that diverge or need too much memory, noise.
 *
 * Each is a smallest loss plus terms that are 0 or more and all 0 at one point, so the optimum is
 * known; far from it, the loss is that of guessing.
 */
#include "bench/search/problem.h"

#include <math.h>

static double square(double x)
{
    return x * x;
}

/* 0 at off = 0; above it grows exponentially, below it in proportion. */
static double bowl(double off)
{
    return exp(off) - 1 - off;
}

/* The part above zero. */
static double above(double x)
{
    return x > 0 ? x : 0;
}

/* From the best loss towards that of guessing, which no excess can exceed. */
static double loss(double best, double guess, double excess)
{
    return best + (guess - best) * (1 - exp(-excess));
}

/* The network that is built into Wick. */
static double network(const double *x, size_t count)
{
    static const char *const activations[] = {"relu", "tanh", "gelu"};
    static const char *const optimizers[] = {"sgd", "adam"};
    struct function_input in[8] = {{0}};
    for (size_t i = 0; i < count; i++)
        in[i].number = x[i];
    in[1].number = 16 * exp2(x[1]);
    in[5].text = activations[(size_t)x[5]];
    in[6].text = optimizers[(size_t)x[6]];
    return function_find("network")->score(in, count);
}

/*
 * A support vector machine: the kernels have their own parameters, and the cost and width of a
 * kernel compensate each other along a valley.
 */
static double svm(const double *x, size_t count)
{
    enum { LINEAR, POLY, RBF };
    (void)count;
    double cost = log10(x[1]), gamma = log10(x[2]), degree = x[3], shift = x[4];
    double excess = x[5] == 0 ? 0.02 : 0;
    if (x[0] == LINEAR)
        return loss(0.04, 0.5, excess + 0.25 + 0.1 * bowl(0.8 * (cost + 0.5)));
    if (x[0] == POLY) {
        excess += 0.08 + 0.05 * square(degree - 3) + 0.3 * square(shift - 0.6);
        return loss(0.04, 0.5, excess + 0.4 * bowl(1.5 * (gamma + 1.5 + cost / degree)));
    }
    if (x[0] == RBF)
        return loss(0.04, 0.5,
                    excess + 0.2 * bowl(2 * (gamma + 1.7)) +
                        0.3 * square(cost - 1.1 + 0.8 * (gamma + 1.7)));
    excess += 0.15 + 0.5 * square(gamma + 2.5) + 0.2 * square(cost - 1);
    return loss(0.04, 0.5, excess + 0.5 * square(shift));
}

/* Boosted trees: rate and number of trees compensate each other; depth must be limited. */
static double boosting(const double *x, size_t count)
{
    (void)count;
    double rate = log10(x[0]), work = rate + log10(x[1]) - 1.3, deep = x[2] - 6;
    double weight = log10(x[5]) - 0.5 - 0.15 * deep, penalty = log10(x[6]) - 0.12 * deep;
    double excess = 0.25 * bowl(-2.5 * work / 2) + 0.15 * square(above(work));
    excess += 0.3 * square(above(rate + 1.4)) + 0.012 * square(deep);
    excess += 0.6 * square(x[3] - 0.8 + 0.03 * deep) + 0.25 * square(x[4] - 0.65);
    excess += 0.04 * square(weight) + 0.03 * square(penalty) + (x[7] == 0 ? 0.01 : 0);
    return loss(0.11, 0.69, excess);
}

/*
 * Four optimizers that have their own parameters, and what all have in common.
 * 0 optimizer, 1..3 sgd, 4..6 adam, 7..8 rmsprop, 9..10 lamb, 11 batch, 12 decay, 13 schedule,
 * 14 the schedule's factor.
 */
static double optimizers(const double *x, size_t count)
{
    enum { SGD, ADAM, RMSPROP };
    (void)count;
    double batch = x[11] - 2, excess = 0; /* batch: powers of two from 64 on */
    if (x[0] == SGD) {
        double reach = log10(x[1]) - log10(1 - x[2]) + 0.3;
        excess += 0.03 + 0.4 * bowl(1.3 * (reach - 0.15 * batch)) + 0.3 * square(x[2] - 0.9);
        excess += x[3] == 0 ? 0.02 : 0;
    } else if (x[0] == ADAM) {
        excess += 0.5 * bowl(1.4 * (log10(x[4]) + 2.8 - 0.12 * batch));
        excess += 0.8 * square(x[5] - 0.88) + 0.03 * square(log10(x[6]) + 2.7);
    } else if (x[0] == RMSPROP) {
        excess += 0.06 + 0.6 * bowl(1.5 * (log10(x[7]) + 3.3)) + 0.5 * square(x[8] - 0.95);
    } else {
        excess += 0.02 + 0.5 * bowl(1.2 * (log10(x[9]) + 2 - 0.25 * batch));
        excess += 0.5 * square(x[10] - 0.1) + 0.02 * square(batch - 2);
    }
    excess += 0.01 * square(batch) + 0.03 * square(log10(x[12]) + (x[0] == ADAM ? 2.4 : 3.5));
    if (x[13] == 0)
        excess += 0.06;
    else if (x[13] == 2)
        excess += 0.02 + 0.1 * square(log10(x[14]) + 0.6);
    return loss(0.2, 2.3, excess);
}

/* A net of 1 to 5 layers: it is best if they get narrower; a deeper one needs a smaller rate. */
static double layers(const double *x, size_t count)
{
    (void)count;
    double depth = x[0], widths = 0;
    for (size_t i = 1; i <= (size_t)depth; i++) {
        double best = 9 - (double)i - 0.5 * fabs(depth - 3);
        widths += square(log2(x[i]) - best) / depth;
    }
    double excess = 0.04 * square(depth - 3) + 0.05 * widths;
    excess += 0.3 * bowl(1.5 * (log10(x[6]) + 2.5 + 0.2 * (depth - 3)));
    excess += 0.8 * square(x[7] - 0.25) + (x[8] == 1 ? 0 : 0.02 + 0.01 * depth);
    return loss(0.3, 2.3, excess);
}

/*
 * The best net is the largest that fits into memory, with steps that are nearly too large: around
 * the optimum, every other trial fails. Only clipping makes large steps possible.
 */
static double diverging(const double *x, size_t count)
{
    (void)count;
    double width = log2(x[0]), batch = log2(x[1]), rate = log10(x[2]), momentum = x[3];
    double step = rate - log10(1 - momentum) + 0.15 * (width - 11) - 0.1 * (batch - 8);
    bool clipped = x[4] == 1;
    if (width + batch > 19 || step > (clipped ? 0 : -1))
        return NAN;
    double excess = 0.03 * square(11 - width) + 0.02 * square(8 - batch);
    excess += 0.25 * square(above(-0.3 - step)) + 0.5 * square(above(step + 0.3));
    excess += 0.3 * square(momentum - 0.9);
    excess += clipped ? 0.05 * square(log10(x[5]) - 0.3) : 0.05;
    return loss(0.15, 1.5, excess);
}

/* Four regularisers on a log scale in a narrow valley that is aligned with none of them. */
static double valley(const double *x, size_t count)
{
    double u[4] = {0};
    static const double best[] = {-3.2, -0.7, -4.1, 0.4}, weights[] = {1, 0.3, 0.03, 0.01};
    for (size_t i = 0; i < count; i++)
        u[i] = (log10(x[i]) - best[i]) / 2;
    double turned[4] = {u[0] + u[1] + u[2] + u[3], u[0] + u[1] - u[2] - u[3],
                        u[0] - u[1] + u[2] - u[3], u[0] - u[1] - u[2] + u[3]};
    double excess = 0;
    for (size_t i = 0; i < count; i++)
        excess += weights[i] * square(turned[i]) / 4;
    return loss(0.08, 0.9, excess);
}

/*
 * A choice of preparation and of model, each with parameters of its own, judged on 500 samples.
 * 0 scaling, 1 components, 2 model, 3..4 tree, 5..6 neighbours, 7..9 forest, 10..11 logistic
 */
static double pipeline(const double *x, size_t count)
{
    enum { NONE, SCALE, PCA };
    enum { TREE, NEIGHBOURS, FOREST };
    (void)count;
    double excess = 0, parts = x[0] == PCA ? log2(x[1]) - 4.6 : 0;
    if (x[2] == TREE) {
        excess += 0.25 + 0.015 * square(x[3] - 7) + 0.05 * square(log2(x[4]) - 3);
        excess += x[0] == PCA ? 0.15 : 0;
    } else if (x[2] == NEIGHBOURS) {
        excess += 0.07 + 0.06 * square(log2(x[5]) - 2.6) + (x[6] == 0 ? 0.04 : 0);
        excess += x[0] == NONE ? 0.5 : x[0] == SCALE ? 0.12 : 0.1 * square(parts);
    } else if (x[2] == FOREST) {
        excess += 0.2 * exp(-x[7] / 60) + 0.9 * square(x[8] - 0.3) + 0.03 * square(x[9] - 2);
        excess += x[0] == PCA ? 0.1 + 0.05 * square(parts) : 0;
    } else {
        excess += 0.15 + 0.08 * square(log10(x[10]) + 0.5) + (x[11] == 0 ? 0.03 : 0);
        excess += x[0] == NONE ? 0.2 : x[0] == PCA ? 0.1 * square(parts - 1) : 0;
    }
    return rint(500 * loss(0.05, 0.6, excess)) / 500;
}

#define NETWORK_SPACE                                                                              \
    "learning_rate: {log: [1e-5, 1e-1]}\n"                                                         \
    "batch_size: {ordered: [16, 32, 64, 128, 256]}\n"                                              \
    "layers: {int: [1, 6]}\n"                                                                      \
    "units: {int: [16, 1024], log: true}\n"                                                        \
    "dropout: {float: [0, 0.6]}\n"                                                                 \
    "activation: {choice: [relu, tanh, gelu]}\n"                                                   \
    "optimizer: {choice: [sgd, adam]}\n"                                                           \
    "momentum: {float: [0.5, 0.99], when: {optimizer: sgd}}\n"

#define BOOSTING_SPACE                                                                             \
    "rate: {log: [1e-3, 0.5]}\n"                                                                   \
    "trees: {int: [10, 2000], log: true}\n"                                                        \
    "depth: {int: [1, 12]}\n"                                                                      \
    "rows: {float: [0.3, 1]}\n"                                                                    \
    "columns: {float: [0.3, 1]}\n"                                                                 \
    "weight: {log: [0.1, 100]}\n"                                                                  \
    "penalty: {log: [1e-3, 100]}\n"                                                                \
    "growth: {choice: [leaf, depth]}\n"

const struct formula tuning_formulas[] = {
    {.name = "network", .space = NETWORK_SPACE, .optimum = 0.05, .score = network},
    {
        .name = "network-noisy",
        .space = NETWORK_SPACE,
        .optimum = 0.05,
        .noise = 0.05,
        .score = network,
    },
    {
        .name = "svm",
        .space = "kernel: {choice: [linear, poly, rbf, sigmoid]}\n"
                 "cost: {log: [1e-3, 1e3]}\n"
                 "gamma: {log: [1e-5, 10], when: {kernel: [poly, rbf, sigmoid]}}\n"
                 "degree: {int: [2, 5], when: {kernel: poly}}\n"
                 "shift: {float: [0, 1], when: {kernel: [poly, sigmoid]}}\n"
                 "weights: {choice: [equal, balanced]}\n",
        .optimum = 0.04,
        .score = svm,
    },
    {.name = "boosting", .space = BOOSTING_SPACE, .optimum = 0.11, .score = boosting},
    {
        .name = "boosting-noisy",
        .space = BOOSTING_SPACE,
        .optimum = 0.11,
        .noise = 0.01,
        .score = boosting,
    },
    {
        .name = "optimizers",
        .space = "optimizer: {choice: [sgd, adam, rmsprop, lamb]}\n"
                 "sgd_rate: {log: [1e-5, 1], when: {optimizer: sgd}}\n"
                 "momentum: {float: [0, 0.99], when: {optimizer: sgd}}\n"
                 "nesterov: {choice: [false, true], when: {optimizer: sgd}}\n"
                 "adam_rate: {log: [1e-6, 0.1], when: {optimizer: adam}}\n"
                 "beta1: {float: [0.5, 0.99], when: {optimizer: adam}}\n"
                 "beta2_gap: {log: [1e-4, 0.1], when: {optimizer: adam}}\n"
                 "rms_rate: {log: [1e-6, 0.1], when: {optimizer: rmsprop}}\n"
                 "rho: {float: [0.5, 0.999], when: {optimizer: rmsprop}}\n"
                 "lamb_rate: {log: [1e-5, 0.1], when: {optimizer: lamb}}\n"
                 "warmup: {float: [0, 0.3], when: {optimizer: lamb}}\n"
                 "batch: {ordered: [16, 32, 64, 128, 256, 512]}\n"
                 "decay: {log: [1e-6, 0.1]}\n"
                 "schedule: {choice: [constant, cosine, steps]}\n"
                 "factor: {log: [0.05, 0.9], when: {schedule: steps}}\n",
        .optimum = 0.2,
        .score = optimizers,
    },
    {
        .name = "layers",
        .space = "layers: {int: [1, 5]}\n"
                 "width1: {int: [8, 1024], log: true}\n"
                 "width2: {int: [8, 1024], log: true, when: {layers: [2, 3, 4, 5]}}\n"
                 "width3: {int: [8, 1024], log: true, when: {layers: [3, 4, 5]}}\n"
                 "width4: {int: [8, 1024], log: true, when: {layers: [4, 5]}}\n"
                 "width5: {int: [8, 1024], log: true, when: {layers: 5}}\n"
                 "rate: {log: [1e-5, 1]}\n"
                 "dropout: {float: [0, 0.8]}\n"
                 "activation: {choice: [tanh, relu, sigmoid]}\n",
        .optimum = 0.3,
        .score = layers,
    },
    {
        .name = "diverging",
        .space = "width: {int: [16, 8192], log: true}\n"
                 "batch: {int: [8, 2048], log: true}\n"
                 "rate: {log: [1e-5, 1]}\n"
                 "momentum: {float: [0, 0.99]}\n"
                 "clip: {choice: [false, true]}\n"
                 "clip_at: {log: [0.01, 100], when: {clip: true}}\n",
        .optimum = 0.15,
        .score = diverging,
    },
    {
        .name = "valley",
        .space = "a: {log: [1e-6, 100]}\n"
                 "b: {log: [1e-6, 100]}\n"
                 "c: {log: [1e-6, 100]}\n"
                 "d: {log: [1e-6, 100]}\n",
        .optimum = 0.08,
        .score = valley,
    },
    {
        .name = "pipeline",
        .space = "scaling: {choice: [none, scale, pca]}\n"
                 "components: {int: [2, 100], log: true, when: {scaling: pca}}\n"
                 "model: {choice: [tree, neighbours, forest, logistic]}\n"
                 "depth: {int: [1, 30], when: {model: tree}}\n"
                 "leaf: {int: [1, 100], log: true, when: {model: tree}}\n"
                 "neighbours: {int: [1, 100], log: true, when: {model: neighbours}}\n"
                 "distance: {choice: [equal, weighted], when: {model: neighbours}}\n"
                 "trees: {int: [5, 300], when: {model: forest}}\n"
                 "features: {float: [0.05, 1], when: {model: forest}}\n"
                 "leaf_size: {int: [1, 20], when: {model: forest}}\n"
                 "cost: {log: [1e-4, 1e4], when: {model: logistic}}\n"
                 "balance: {choice: [false, true], when: {model: logistic}}\n",
        .optimum = 0.05,
        .score = pipeline,
    },
    {0},
};
