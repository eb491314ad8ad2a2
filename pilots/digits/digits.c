/*
 * digits - a model to tune: a small neural network learns to read digits as if written by hand.
 *
 *     digits --learning_rate 0.003 --layers 2 --units 64 --optimizer adam
 *
 * It draws its own data (--data_seed), trains a multi-layer perceptron through OpenBLAS on one core
 * and prints one line per epoch; the last line is the loss on the validation data after the last
 * epoch. When the loss is no longer a number it stops and says nan. A wrong flag ends it with
 * exit code 2. The same flags give the same numbers.
 */
#include <cblas.h>
#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __SSE__
#include <xmmintrin.h>
#endif

enum { SIDE = 12, PIXELS = SIDE * SIDE, CLASSES = 10, LAYERS_MOST = 5 };

/* --- settings -------------------------------------------------------------------------------- */

enum activation { RELU, TANH, SIGMOID };
enum optimizer { SGD, ADAM, RMSPROP };

enum setting {
    LEARNING_RATE,
    BATCH_SIZE,
    LAYERS,
    UNITS,
    DROPOUT,
    ACTIVATION,
    OPTIMIZER,
    MOMENTUM,
    WEIGHT_DECAY,
    EPOCHS,
    SAMPLES,
    SEED,
    DATA_SEED,
    SETTINGS
};

static struct {
    const char *name;
    double value, low, high;
    bool whole;
    const char *words[4]; /* the value is the index of a word */
} settings[SETTINGS] = {
    [LEARNING_RATE] = {"learning_rate", 0.003, 1e-9, 1000, false, {0}},
    [BATCH_SIZE] = {"batch_size", 32, 1, 4096, true, {0}},
    [LAYERS] = {"layers", 2, 1, LAYERS_MOST, true, {0}},
    [UNITS] = {"units", 64, 1, 2048, true, {0}},
    [DROPOUT] = {"dropout", 0, 0, 0.95, false, {0}},
    [ACTIVATION] = {"activation", RELU, 0, 0, false, {"relu", "tanh", "sigmoid"}},
    [OPTIMIZER] = {"optimizer", ADAM, 0, 0, false, {"sgd", "adam", "rmsprop"}},
    [MOMENTUM] = {"momentum", 0.9, 0, 0.9999, false, {0}},
    [WEIGHT_DECAY] = {"weight_decay", 0, 0, 10, false, {0}},
    [EPOCHS] = {"epochs", 10, 1, 100000, true, {0}},
    [SAMPLES] = {"samples", 6000, 100, 1000000, true, {0}},
    [SEED] = {"seed", 1, 0, 1e15, true, {0}},
    [DATA_SEED] = {"data_seed", 1, 0, 1e15, true, {0}},
};

static double value_of(enum setting setting)
{
    return settings[setting].value;
}

static int whole_of(enum setting setting)
{
    return (int)settings[setting].value;
}

/* Prints which values a flag takes. */
static void describe(FILE *out, int setting)
{
    if (!settings[setting].words[0])
        fprintf(out, "a %s from %g to %g\n", settings[setting].whole ? "whole number" : "number",
                settings[setting].low, settings[setting].high);
    for (int k = 0; settings[setting].words[k]; k++)
        fprintf(out, "%s%s", settings[setting].words[k],
                settings[setting].words[k + 1] ? " or " : "\n");
}

static void usage(FILE *out)
{
    fputs("usage: digits [--flag value]...\n", out);
    for (int i = 0; i < SETTINGS; i++) {
        fprintf(out, "  --%-14s", settings[i].name);
        describe(out, i);
    }
}

static bool read_value(int setting, const char *text)
{
    for (int k = 0; settings[setting].words[k]; k++) {
        if (strcmp(text, settings[setting].words[k]) == 0) {
            settings[setting].value = k;
            return true;
        }
    }
    if (settings[setting].words[0])
        return false;
    char *end;
    double value = strtod(text, &end);
    settings[setting].value = value;
    return end != text && *end == 0 && value >= settings[setting].low &&
           value <= settings[setting].high && (!settings[setting].whole || value == floor(value));
}

static void read_settings(int count, char **arguments)
{
    for (int i = 1; i < count; i += 2) {
        int setting = 0;
        if (strcmp(arguments[i], "--help") == 0) {
            usage(stdout);
            exit(0);
        }
        while (setting < SETTINGS && (strncmp(arguments[i], "--", 2) != 0 ||
                                      strcmp(arguments[i] + 2, settings[setting].name) != 0))
            setting++;
        if (setting == SETTINGS) {
            fprintf(stderr, "digits: unknown flag %s\n", arguments[i]);
            usage(stderr);
            exit(2);
        }
        if (i + 1 == count || !read_value(setting, arguments[i + 1])) {
            fprintf(stderr, "digits: %s %s%s; it takes ", arguments[i],
                    i + 1 < count ? "cannot be " : "has no value",
                    i + 1 < count ? arguments[i + 1] : "");
            describe(stderr, setting);
            exit(2);
        }
    }
}

/* --- small things ---------------------------------------------------------------------------- */

static float *new_floats(size_t count)
{
    float *floats = calloc(count, sizeof *floats);
    if (!floats) {
        fputs("digits: the machine has no memory left\n", stderr);
        exit(1);
    }
    return floats;
}

/* splitmix64 */
static uint64_t random_bits(uint64_t *state)
{
    uint64_t z = (*state += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static float uniform(uint64_t *state, float low, float high)
{
    return low + (high - low) * (float)(random_bits(state) >> 40) * 0x1p-24f;
}

static float normal(uint64_t *state)
{
    float radius = sqrtf(-2 * logf(1 - uniform(state, 0, 1)));
    return radius * cosf(6.2831853f * uniform(state, 0, 1));
}

/* --- the data -------------------------------------------------------------------------------- */

/* Points of the strokes on a grid of 10 x 10, each as x and y; '/' lifts the pen. */
static const char *const strokes[CLASSES] = {
    "40 21 13 16 28 49 68 76 73 61 40",      "32 50 59",         "12 20 40 61 63 46 19 69",
    "11 30 60 72 64 44 / 44 65 77 69 39 18", "69 60 16 86",      "70 20 24 54 75 77 59 29 18",
    "60 33 16 18 39 59 77 75 54 24 16",      "10 70 49 / 25 65", "45 22 30 50 62 45 17 29 59 77 45",
    "73 55 35 13 11 30 50 71 73 49",
};

struct data {
    int count;
    float *images; /* count x PIXELS, about 0 for paper and 1 for ink */
    unsigned char *labels;
};

struct segment {
    float x, y, dx, dy;
};

/* The strokes of a digit as one writer would draw them: shifted, turned, slanted, with a wobble. */
static int write_strokes(int digit, uint64_t *random, struct segment *segments)
{
    float turn = 0.12f * normal(random), slant = 0.15f * normal(random);
    float width = uniform(random, 0.6f, 1.0f), height = uniform(random, 0.75f, 1.05f);
    float left = SIDE / 2.0f + 0.5f * normal(random), top = SIDE / 2.0f + 0.5f * normal(random);
    float last_x = 0, last_y = 0;
    int count = 0;
    bool pen_down = false;
    for (const char *p = strokes[digit]; *p; p++) {
        if (*p == '/')
            pen_down = false;
        if (*p == '/' || *p == ' ')
            continue;
        float x = ((float)(*p++ - '0') - 4.5f) * width + 0.2f * normal(random);
        float y = ((float)(*p - '0') - 4.5f) * height + 0.2f * normal(random);
        x += slant * y;
        float turned_x = left + x * cosf(turn) - y * sinf(turn);
        float turned_y = top + x * sinf(turn) + y * cosf(turn);
        if (pen_down)
            segments[count++] =
                (struct segment){last_x, last_y, turned_x - last_x, turned_y - last_y};
        last_x = turned_x;
        last_y = turned_y;
        pen_down = true;
    }
    return count;
}

static float distance_to(const struct segment *s, float x, float y)
{
    float square = s->dx * s->dx + s->dy * s->dy + 1e-6f;
    float along = ((x - s->x) * s->dx + (y - s->y) * s->dy) / square;
    along = fminf(1, fmaxf(0, along));
    return hypotf(x - s->x - along * s->dx, y - s->y - along * s->dy);
}

static void draw(int digit, uint64_t *random, float *image)
{
    struct segment segments[16];
    int count = write_strokes(digit, random, segments);
    float thickness = uniform(random, 0.3f, 0.9f), ink = uniform(random, 0.7f, 1.0f);
    for (int i = 0; i < PIXELS; i++) {
        float x = (float)(i % SIDE) + 0.5f, y = (float)(i / SIDE) + 0.5f, nearest = SIDE;
        for (int k = 0; k < count; k++)
            nearest = fminf(nearest, distance_to(&segments[k], x, y));
        float dark = fminf(1, fmaxf(0, 1 - (nearest - thickness) / 0.8f));
        image[i] = ink * dark + 0.1f * normal(random);
    }
}

static struct data make_data(int count, uint64_t *random)
{
    struct data data = {count, new_floats((size_t)count * PIXELS), NULL};
    data.labels = (unsigned char *)new_floats((size_t)count);
    for (int i = 0; i < count; i++) {
        int digit = i % CLASSES;
        draw(digit, random, data.images + (size_t)i * PIXELS);
        /* One label of a hundred is wrong, as in any data that people label. */
        bool wrong = uniform(random, 0, 1) < 0.01f;
        data.labels[i] = (unsigned char)(wrong ? random_bits(random) % CLASSES : (uint64_t)digit);
    }
    return data;
}

/* --- the network ----------------------------------------------------------------------------- */

struct layer {
    int inputs, outputs;
    int count;             /* number of parameters: inputs x outputs weights, then outputs biases */
    float *parameters;     /* start of the layer's memory; and for each parameter: */
    float *gradient;       /* gradient of the loss of a batch */
    float *first, *second; /* running means of the gradient and of its square */
    float *values;         /* values of the outputs, batch x outputs, and for each: */
    float *slopes;         /* derivative of the activation, with dropout */
    float *deltas;         /* derivative of the loss */
};

struct network {
    struct layer layers[LAYERS_MOST + 1];
    int count;
    int step; /* number of updates so far */
    uint64_t random;
};

static void create_layer(struct layer *layer, int inputs, int outputs, uint64_t *random)
{
    size_t count = (size_t)(inputs + 1) * (size_t)outputs;
    size_t batch = (size_t)value_of(BATCH_SIZE) * (size_t)outputs;
    float *memory = new_floats(4 * count + 3 * batch);
    *layer = (struct layer){.inputs = inputs,
                            .outputs = outputs,
                            .count = (int)count,
                            .parameters = memory,
                            .gradient = memory + count,
                            .first = memory + 2 * count,
                            .second = memory + 3 * count,
                            .values = memory + 4 * count,
                            .slopes = memory + 4 * count + batch,
                            .deltas = memory + 4 * count + 2 * batch};
    /* He et al. 2015 for relu, Glorot and Bengio 2010 for the others. */
    float scale = value_of(ACTIVATION) == RELU ? sqrtf(2.0f / (float)inputs)
                                               : sqrtf(2.0f / (float)(inputs + outputs));
    for (int i = 0; i < inputs * outputs; i++)
        layer->parameters[i] = scale * normal(random);
}

static void create_network(struct network *network, uint64_t seed)
{
    *network = (struct network){.count = whole_of(LAYERS) + 1, .random = seed};
    int inputs = PIXELS;
    for (int i = 0; i < network->count; i++) {
        int outputs = i + 1 < network->count ? whole_of(UNITS) : CLASSES;
        create_layer(&network->layers[i], inputs, outputs, &network->random);
        inputs = outputs;
    }
}

/* Applies the activation and, when training, dropout; keeps the slopes for the backward pass. */
static void activate(struct layer *layer, int batch, bool training, uint64_t *random)
{
    float dropout = training ? (float)value_of(DROPOUT) : 0, keep = 1 / (1 - dropout);
    int activation = whole_of(ACTIVATION);
    for (int i = 0; i < batch * layer->outputs; i++) {
        float z = layer->values[i], value, slope;
        if (activation == RELU) {
            value = z > 0 || isnan(z) ? z : 0;
            slope = z > 0;
        } else if (activation == TANH) {
            value = tanhf(z);
            slope = 1 - value * value;
        } else {
            value = 1 / (1 + expf(-z));
            slope = value * (1 - value);
        }
        float mask = dropout > 0 && uniform(random, 0, 1) < dropout ? 0 : keep;
        layer->values[i] = value * mask;
        layer->slopes[i] = slope * mask;
    }
}

static void forward(struct network *network, const float *images, int batch, bool training)
{
    const float *from = images;
    for (int i = 0; i < network->count; i++) {
        struct layer *layer = &network->layers[i];
        int inputs = layer->inputs, outputs = layer->outputs;
        for (int k = 0; k < batch; k++)
            memcpy(layer->values + k * outputs, layer->parameters + inputs * outputs,
                   (size_t)outputs * sizeof(float));
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, batch, outputs, inputs, 1, from,
                    inputs, layer->parameters, outputs, 1, layer->values, outputs);
        if (i + 1 < network->count)
            activate(layer, batch, training, &network->random);
        from = layer->values;
    }
}

/*
 * Softmax and cross entropy of the last layer: returns the sum of the losses, fills the deltas and
 * adds the number of correctly read digits to *right.
 */
static double judge(struct layer *last, const unsigned char *labels, int batch, int *right)
{
    double loss = 0;
    for (int k = 0; k < batch; k++) {
        const float *scores = last->values + k * CLASSES;
        float *deltas = last->deltas + k * CLASSES, sum = 0;
        int best = 0;
        for (int c = 1; c < CLASSES; c++)
            best = scores[c] > scores[best] ? c : best;
        for (int c = 0; c < CLASSES; c++)
            sum += deltas[c] = expf(scores[c] - scores[best]);
        for (int c = 0; c < CLASSES; c++)
            deltas[c] = (deltas[c] / sum - (c == labels[k] ? 1.0f : 0.0f)) / (float)batch;
        loss += logf(sum) + scores[best] - scores[labels[k]];
        *right += best == labels[k];
    }
    return loss;
}

static void backward(struct network *network, const float *images, int batch)
{
    for (int i = network->count - 1; i >= 0; i--) {
        struct layer *layer = &network->layers[i], *below = layer - 1;
        int inputs = layer->inputs, outputs = layer->outputs;
        const float *from = i > 0 ? below->values : images;
        cblas_sgemm(CblasRowMajor, CblasTrans, CblasNoTrans, inputs, outputs, batch, 1, from,
                    inputs, layer->deltas, outputs, 0, layer->gradient, outputs);
        float *bias = layer->gradient + inputs * outputs;
        memset(bias, 0, (size_t)outputs * sizeof(float));
        for (int k = 0; k < batch * outputs; k++)
            bias[k % outputs] += layer->deltas[k];
        if (i == 0)
            break;
        cblas_sgemm(CblasRowMajor, CblasNoTrans, CblasTrans, batch, inputs, outputs, 1,
                    layer->deltas, outputs, layer->parameters, outputs, 0, below->deltas, inputs);
        for (int k = 0; k < batch * inputs; k++)
            below->deltas[k] *= below->slopes[k];
    }
}

static void update(struct network *network)
{
    float rate = (float)value_of(LEARNING_RATE), decay = (float)value_of(WEIGHT_DECAY);
    float momentum = (float)value_of(MOMENTUM);
    int optimizer = whole_of(OPTIMIZER);
    network->step++;
    /* Adam's correction of means that began at 0 (Kingma and Ba 2015). */
    float first_share = 1 - powf(0.9f, (float)network->step);
    float second_share = 1 - powf(0.999f, (float)network->step);
    for (int i = 0; i < network->count; i++) {
        struct layer *layer = &network->layers[i];
        float *first = layer->first, *second = layer->second;
        for (int k = 0; k < layer->count; k++) {
            float g = layer->gradient[k] + decay * layer->parameters[k], change;
            if (optimizer == SGD) {
                change = first[k] = momentum * first[k] + g;
            } else if (optimizer == ADAM) {
                first[k] = 0.9f * first[k] + 0.1f * g;
                second[k] = 0.999f * second[k] + 0.001f * g * g;
                change = first[k] / first_share / (sqrtf(second[k] / second_share) + 1e-8f);
            } else {
                second[k] = 0.9f * second[k] + 0.1f * g * g;
                change = g / (sqrtf(second[k]) + 1e-8f);
            }
            layer->parameters[k] -= rate * change;
        }
    }
}

/* --- training -------------------------------------------------------------------------------- */

static void shuffle(struct data *data, uint64_t *random)
{
    float image[PIXELS];
    for (int i = data->count - 1; i > 0; i--) {
        int other = (int)(random_bits(random) % (uint64_t)(i + 1));
        float *a = data->images + (size_t)i * PIXELS, *b = data->images + (size_t)other * PIXELS;
        memcpy(image, a, sizeof image);
        memmove(a, b, sizeof image);
        memcpy(b, image, sizeof image);
        unsigned char label = data->labels[i];
        data->labels[i] = data->labels[other];
        data->labels[other] = label;
    }
}

/* One pass over the data, with or without learning; returns the mean loss. */
static double pass(struct network *network, struct data *data, bool training, int *right)
{
    double loss = 0;
    for (int at = 0; at < data->count;) {
        int left = data->count - at, batch = whole_of(BATCH_SIZE);
        batch = batch < left ? batch : left;
        const float *images = data->images + (size_t)at * PIXELS;
        forward(network, images, batch, training);
        loss += judge(&network->layers[network->count - 1], data->labels + at, batch, right);
        if (training) {
            backward(network, images, batch);
            update(network);
        }
        at += batch;
    }
    return loss / data->count;
}

static double train(struct network *network, struct data *training, struct data *validation)
{
    double loss = NAN;
    int epochs = whole_of(EPOCHS);
    for (int epoch = 1; epoch <= epochs; epoch++) {
        int right = 0, unused = 0;
        shuffle(training, &network->random);
        double training_loss = pass(network, training, true, &unused);
        loss = pass(network, validation, false, &right);
        printf("epoch %d/%d  train_loss: %.4f  val_loss: %.4f  val_accuracy: %.4f\n", epoch, epochs,
               training_loss, loss, (double)right / validation->count);
        fflush(stdout);
        if (!isfinite(training_loss) || !isfinite(loss))
            return NAN;
    }
    return loss;
}

int main(int count, char **arguments)
{
    read_settings(count, arguments);
    openblas_set_num_threads(1);
#ifdef __SSE__
    /* Numbers below 1e-38 become 0: arithmetic on them is twenty times slower and gains nothing. */
    _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
    uint64_t random = (uint64_t)value_of(DATA_SEED);
    int samples = whole_of(SAMPLES), apart = samples / 5;
    struct data all = make_data(samples, &random);
    struct data validation = {apart, all.images, all.labels};
    struct data training = {samples - apart, all.images + apart * PIXELS, all.labels + apart};
    struct network network;
    create_network(&network, (uint64_t)value_of(SEED));
    printf("val_loss: %.6f\n", train(&network, &training, &validation));
    for (int i = 0; i < network.count; i++)
        free(network.layers[i].parameters);
    free(all.images);
    free(all.labels);
    return 0;
}
