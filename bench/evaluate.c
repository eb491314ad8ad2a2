/*
 * evaluate - how many expressions per second one worker can have evaluated by a process that keeps
 * its state, in Python and in R: code and expression are sent as text, and the value comes back as
 * text.
 */
#include "bench/measure.h"
#include "trial/trial.h"

#include <unistd.h>

enum { WANTED = 10000 };

struct bench {
    struct comm *comm;
    struct helper *helper;
    struct machine_slot slot;
    struct study_code code;
    const char *statement;
    struct evaluator *evaluator;
    double begun, ended;
    int count, total;
    bool failed;
};

static void done(void *self, enum evaluator_state state, const char *text, size_t length)
{
    struct bench *b = self;
    char expected[32];
    snprintf(expected, sizeof expected, "%d", b->count + 1);
    if (state != EVALUATOR_GOOD || length != strlen(expected) ||
        memcmp(text, expected, length) != 0) {
        fprintf(stderr, "evaluation failed: %.*s\n", (int)length, text);
        b->failed = true;
    }
    if (b->count == 0)
        b->begun = comm_now(b->comm); /* it is started by now */
    if (b->count++ < b->total && !b->failed) {
        evaluator_evaluate(b->evaluator, b->statement, "n");
        return;
    }
    b->ended = comm_now(b->comm);
    evaluator_close(b->evaluator);
    comm_stop(b->comm);
}

static void start(void *self, struct comm *comm)
{
    struct bench *b = self;
    b->comm = comm;
    b->evaluator = evaluator_open(comm, b->helper, &b->slot, &b->code, "/", 2,
                                  &(struct evaluator_handler){b, done});
    evaluator_evaluate(b->evaluator, b->code.language == LANGUAGE_R ? "n <- 1" : "n = 1", "n");
}

static void message(void *self, const struct comm_message *ignored)
{
    (void)self;
    (void)ignored;
}

static bool measure(const char *name, enum study_language language, const char *interpreter,
                    const char *statement)
{
    struct study study = {0};
    struct err e = {0};
    struct bench b = {.code = {.language = language, .interpreter = interpreter},
                      .statement = statement,
                      .total = (int)bench_size(20000, 500)};
    if (access(interpreter, X_OK) != 0) {
        printf("# skipped: %s is not installed: %s\n", interpreter, name);
        return true;
    }
    if (helper_start(&b.helper, 1, &e) || machine_slots(&study, 1, &b.slot, &e))
        return false;
    b.slot.channel = 1;
    bool good = comm_threads(1, &(struct comm_actor){&b, start, message}, &e) == 0 && !b.failed;
    helper_stop(b.helper);
    double rate = good ? b.total / (b.ended - b.begun) : 0;
    printf("%s: %.0f expressions a second on one worker (at least %d wanted): %s\n", name, rate,
           WANTED, rate >= WANTED ? "good" : "MISSED");
    return good;
}

int main(void)
{
    bool good = measure("Python", LANGUAGE_PYTHON, "/usr/bin/python3", "n = n + 1");
    good = measure("R", LANGUAGE_R, "/usr/bin/Rscript", "n <- n + 1") && good;
    return good ? 0 : 1;
}
