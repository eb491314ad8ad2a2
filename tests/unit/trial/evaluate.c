/* evaluate.c - code is evaluated in a process that keeps its state and may die. */
#include "tap.h"
#include "trial/trial.h"

#include <unistd.h>

struct question {
    const char *code, *expression;
    enum evaluator_state state;
    const char *part; /* expected part of the answer */
};

static const struct question python[] = {
    {"x = 6", "x * 7", EVALUATOR_GOOD, "42"},
    {"", "x", EVALUATOR_GOOD, "6"},
    {"def f(n):\n    return 'ü' * n\n", " f(2) ", EVALUATOR_GOOD, "üü"},
    {"y = 1", "", EVALUATOR_GOOD, ""},
    {"1 / 0", "1", EVALUATOR_ERROR, "ZeroDivisionError"},
    {"x = = 1", "1", EVALUATOR_ERROR, "SyntaxError"},
    {"import sys; sys.exit(3)", "1", EVALUATOR_ERROR, "SystemExit"},
    {"", "x + y", EVALUATOR_GOOD, "7"},
    {"import sys", "'json' in sys.modules", EVALUATOR_GOOD, "True"},
    {"", "len('a' * 3000000)", EVALUATOR_GOOD, "3000000"},
    {"", "'a' * 3000000", EVALUATOR_GOOD, "aaa"},
    {"import os; os._exit(1)", "1", EVALUATOR_LOST, "has ended"},
    {"", "x", EVALUATOR_ERROR, "NameError"},
    {"x = 2", "x", EVALUATOR_GOOD, "2"},
    {0},
};

static const struct question r[] = {
    {"x <- 6", "x * 7", EVALUATOR_GOOD, "42"},
    {"", "x", EVALUATOR_GOOD, "6"},
    {"f <- function(n) strrep('ü', n)", "f(2)", EVALUATOR_GOOD, "üü"},
    {"stop('not so')", "1", EVALUATOR_ERROR, "not so"},
    {"x <- <- 1", "1", EVALUATOR_ERROR, "unexpected"},
    {"", "x", EVALUATOR_GOOD, "6"},
    {"quit()", "1", EVALUATOR_LOST, "has ended"},
    {"", "x", EVALUATOR_ERROR, "not found"},
    {0},
};

static const struct question nowhere[] = {
    {"", "1", EVALUATOR_ERROR, "cannot start /no/such/program"},
    {0},
};

struct test {
    struct comm *comm;
    struct helper *helper;
    struct machine_slot slot;
    struct study_code code;
    const struct question *at;
    struct evaluator *evaluator;
};

static void done(void *self, enum evaluator_state state, const char *text, size_t length)
{
    struct test *t = self;
    const char *what = t->at->code[0] ? t->at->code : t->at->expression;
    char *answer = memory_new(length + 1, 1);
    memcpy(answer, text, length);
    ok(state == t->at->state && strstr(answer, t->at->part), "%.*s", (int)strcspn(what, "\n"),
       what);
    free(answer);
    t->at++;
    if (t->at->part) {
        evaluator_evaluate(t->evaluator, t->at->code, t->at->expression);
        return;
    }
    evaluator_close(t->evaluator);
    comm_stop(t->comm);
}

static void start(void *self, struct comm *comm)
{
    struct test *t = self;
    t->comm = comm;
    t->evaluator = evaluator_open(comm, t->helper, &t->slot, &t->code, "/", 2,
                                  &(struct evaluator_handler){t, done});
    evaluator_evaluate(t->evaluator, t->at->code, t->at->expression);
}

static void message(void *self, const struct comm_message *ignored)
{
    (void)self;
    (void)ignored;
}

static void answers(enum study_language language, const char *interpreter,
                    const char *const *preload, const struct question *questions)
{
    struct study study = {0};
    struct err e = {0};
    struct test t = {.code = {.language = language, .interpreter = interpreter, .preload = preload},
                     .at = questions};
    ok(helper_start(&t.helper, 1, &e) == 0 && machine_slots(&study, 1, &t.slot, &e) == 0,
       "a helper for %s", interpreter);
    t.slot.channel = 1;
    ok(comm_threads(1, &(struct comm_actor){&t, start, message}, &e) == 0, "all is answered");
    helper_stop(t.helper);
}

int main(void)
{
    answers(LANGUAGE_PYTHON, "/no/such/program", NULL, nowhere);
    if (access("/usr/bin/python3", X_OK) == 0)
        answers(LANGUAGE_PYTHON, "/usr/bin/python3", (const char *const[]){"json", NULL}, python);
    else
        printf("# skipped: there is no /usr/bin/python3\n");
    if (!installed_find("wick-r.so", (char[PATH_MAX]){0}, NULL))
        printf("# skipped: wick-r.so is not built\n");
    else if (access("/usr/bin/Rscript", X_OK) == 0)
        answers(LANGUAGE_R, "/usr/bin/Rscript", NULL, r);
    else
        printf("# skipped: there is no /usr/bin/Rscript\n");
    return tap_end();
}
