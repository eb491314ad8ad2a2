/*
 * errand.c - what a task runs outside of Wick: app functions, system(), sleep(), Python and R.
 *
 * The task stays open until it has ended; then the instruction sets its outputs.
 */
#include "flow/worker.h"

/* What runs outside. Everything lives in the arena of the task. */
struct errand {
    struct frame *frame;
    const struct code_instruction *in;
    void (*ended)(struct task *t, const struct outside_end *end); /* sets the outputs */
    struct outside_command program;
    bool errors_are_values; /* Python and R: an exception is a result */
};

enum { CAPTURE = 64 << 20 }; /* bytes of what system() returns */

static struct errand *new_errand(struct task *t, struct frame *frame,
                                 const struct code_instruction *in)
{
    struct errand *errand = arena_new(&t->arena, 1, sizeof *errand);
    errand->frame = frame;
    errand->in = in;
    t->worker->errand = errand;
    t->outside = true;
    return errand;
}

static const char *text_of(struct task *t, struct slice text)
{
    return arena_copy(&t->arena, text.text, text.length);
}

static struct leaf_value kept_text(struct task *t, struct slice text)
{
    return leaf_text((struct slice){text_of(t, text), text.length});
}

static void set_outputs(struct task *t, const struct leaf_value *outputs)
{
    const struct errand *errand = t->worker->errand;
    call_set_outputs(t, errand->frame, errand->in, outputs);
}

/* ---- app functions ---- */

struct words {
    const char **items;
    size_t count, capacity;
};

static void words_add(struct words *words, const char *word)
{
    words->items = memory_grow(words->items, &words->capacity, words->count + 1, sizeof(char *));
    words->items[words->count++] = word;
}

/* The words, ended by NULL, in the arena of the task. */
static const char *const *words_end(struct task *t, struct words *words)
{
    words_add(words, NULL);
    const char **copy = arena_new(&t->arena, words->count, sizeof *copy);
    memcpy(copy, words->items, words->count * sizeof *copy);
    free(words->items);
    return copy;
}

/* Arrays become as many words as they have members. */
static void words_add_value(struct task *t, struct words *words, const struct leaf_value *value)
{
    struct str text = {0};
    if (value->kind == LEAF_ARRAY || value->kind == LEAF_BAG) {
        for (size_t i = 0; i < value->members->count; i++)
            words_add_value(t, words, &value->members->items[i].value);
        return;
    }
    leaf_show(&text, value);
    if (memchr(str_text(&text), 0, text.length))
        task_fail(t, "an argument of a program cannot contain a zero byte");
    words_add(words, arena_copy(&t->arena, str_text(&text), text.length));
    str_free(&text);
}

static void program_ended(struct task *t, const struct outside_end *end)
{
    struct errand *errand = t->worker->errand;
    struct str text = {0};
    struct leaf_value *outputs = arena_new(&t->arena, errand->in->count + 1, sizeof *outputs);
    if (end->state == OUTSIDE_GOOD) {
        set_outputs(t, outputs); /* void or files */
        return;
    }
    outside_describe(&errand->program, &text);
    task_fail(t, "the command failed (%.*s): %s", (int)end->text.length, end->text.text,
              str_text(&text));
    str_free(&text);
}

/* An output that is named on the command line is its path, which was chosen before. */
static struct leaf_value word_value(const struct frame *frame, uint32_t slot,
                                    const struct code_operand *operands,
                                    const struct leaf_value *outputs, size_t output_count)
{
    for (size_t i = 0; i < output_count; i++)
        if (operands[i].slot == slot && operands[i].mode == CODE_PATH)
            return outputs[i];
    return frame->slots[slot];
}

static const char *redirection(struct task *t, bool has, const struct leaf_value *values,
                               size_t *next)
{
    return has ? text_of(t, values[(*next)++].text) : NULL;
}

void issue_program(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    const struct code_program *program = &t->code->programs[in->index];
    const struct code_operand *operands = operands_of(t, frame, in);
    size_t outputs_count = program->outputs, next = program->words;
    if (call_is_put_off(t, frame, in, true))
        return;
    struct leaf_value *outputs = arena_new(&t->arena, outputs_count + 1, sizeof *outputs),
                      *values = arena_new(&t->arena, in->count + 1, sizeof *values);
    if (!call_output_paths(t, frame, in, outputs_count, outputs))
        return;
    for (size_t i = outputs_count; i < in->count; i++)
        values[i - outputs_count] =
            word_value(frame, operands[i].slot, operands, outputs, outputs_count);
    struct words words = {0};
    for (size_t i = 0; i < program->words; i++)
        words_add_value(t, &words, &values[i]);
    struct errand *errand = new_errand(t, frame, in);
    errand->program.words = words_end(t, &words);
    errand->program.variables = t->worker->variable_list;
    errand->program.in = redirection(t, program->has_stdin, values, &next);
    errand->program.out = redirection(t, program->has_stdout, values, &next);
    errand->program.err = redirection(t, program->has_stderr, values, &next);
    errand->ended = program_ended;
    if (t->failed)
        t->outside = false;
    else
        outside_run(t->worker->outside, &errand->program);
}

/* ---- functions ---- */

static void ended_void(struct task *t, const struct outside_end *end)
{
    struct leaf_value nothing = {.kind = LEAF_VOID};
    if (end->state == OUTSIDE_GOOD)
        set_outputs(t, &nothing);
    else
        task_fail(t, "%.*s", (int)end->text.length, end->text.text);
}

static void start_sleep(struct task *t, const struct leaf_value *inputs)
{
    t->worker->errand->ended = ended_void;
    outside_sleep(t->worker->outside, inputs[0].number > 0 ? inputs[0].number : 0);
}

/* Whatever it writes to its standard error counts as a failure. */
static void ended_system(struct task *t, const struct outside_end *end)
{
    bool good = end->state == OUTSIDE_GOOD && !end->wrote_errors;
    int code = end->state == OUTSIDE_EXIT     ? end->exit_code
               : end->state == OUTSIDE_SIGNAL ? 128 + end->signal
               : end->state == OUTSIDE_FAILED ? 127
                                              : !good;
    struct leaf_value outputs[2] = {good ? kept_text(t, end->text) : leaf_text(slice_of("")),
                                    leaf_whole(code)};
    set_outputs(t, outputs);
}

static void run_words(struct task *t, struct words *words)
{
    struct errand *errand = t->worker->errand;
    const char *const *copy = words_end(t, words);
    errand->program = (struct outside_command){
        .words = copy, .variables = t->worker->variable_list, .capture = CAPTURE};
    errand->ended = ended_system;
    if (t->failed)
        t->outside = false;
    else if (copy[0])
        outside_run(t->worker->outside, &errand->program);
    else
        task_fail(t, "system(): the command is empty");
}

static void start_system(struct task *t, const struct leaf_value *inputs)
{
    struct words words = {0};
    words_add_value(t, &words, &inputs[0]);
    run_words(t, &words);
}

static void start_system1(struct task *t, const struct leaf_value *inputs)
{
    static const char blanks[] = " \t\r\n\f\v";
    struct words words = {0};
    char *text = arena_copy(&t->arena, inputs[0].text.text, inputs[0].text.length);
    for (text += strspn(text, blanks); *text; text += strspn(text, blanks)) {
        words_add(&words, text);
        text += strcspn(text, blanks);
        if (*text)
            *text++ = 0;
    }
    run_words(t, &words);
}

/* ---- Python and R ---- */

static void ended_language(struct task *t, const struct outside_end *end)
{
    struct leaf_value output = leaf_text(slice_of("__EXCEPTION__"));
    bool exception = end->state == OUTSIDE_EXCEPTION;
    struct slice text = exception && end->traceback.length > 0 ? end->traceback : end->text;
    if (end->state == OUTSIDE_GOOD) {
        output = kept_text(t, end->text);
    } else if (exception && t->worker->errand->errors_are_values) {
        worker_print(t->worker, end->text.text, end->text.length);
        worker_print(t->worker, "\n", 1);
    } else {
        task_fail(t, "%.*s", (int)text.length, text.text);
        return;
    }
    set_outputs(t, &output);
}

static void evaluate(struct task *t, enum outside_language language,
                     const struct leaf_value *inputs)
{
    struct errand *errand = t->worker->errand;
    errand->ended = ended_language;
    errand->errors_are_values = !inputs[2].whole;
    outside_evaluate(t->worker->outside, language, text_of(t, inputs[0].text),
                     text_of(t, inputs[1].text));
}

static void start_python(struct task *t, const struct leaf_value *inputs)
{
    evaluate(t, OUTSIDE_PYTHON, inputs);
}

static void start_python_persist(struct task *t, const struct leaf_value *inputs)
{
    evaluate(t, OUTSIDE_PYTHON_PERSIST, inputs);
}

static void start_r(struct task *t, const struct leaf_value *inputs)
{
    evaluate(t, OUTSIDE_R, inputs);
}

static const struct errand_function functions[] = {
    {"sleep", start_sleep},
    {"system", start_system},
    {"system1", start_system1},
    {"python", start_python},
    {"python_persist", start_python_persist},
    {"R", start_r},
};

const struct errand_function *errand_find(const char *name)
{
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (strcmp(functions[i].name, name) == 0)
            return &functions[i];
    return NULL;
}

void errand_start(struct task *t, struct frame *frame, const struct code_instruction *in,
                  const struct errand_function *function, const struct leaf_value *inputs)
{
    new_errand(t, frame, in);
    function->start(t, inputs);
}

/* ---- what outside tells ---- */

static void output(void *self, enum outside_stream stream, const char *text, size_t length)
{
    if (stream == OUTSIDE_ERR)
        worker_print_error(self, text, length);
    else
        worker_print(self, text, length);
}

static void log_line(void *self, const char *line)
{
    struct flow_worker *w = self;
    comm_send(w->comm, 0, FLOW_LOG, line, strlen(line));
}

static void done(void *self, const struct outside_end *end)
{
    struct flow_worker *w = self;
    struct task *t = &w->task;
    if (end->state == OUTSIDE_STOPPED)
        return; /* the run ends */
    w->errand->ended(t, end);
    w->errand = NULL;
    worker_go_on(w);
    balance_data_flush(w->client);
}

void worker_open_outside(struct flow_worker *w)
{
    struct outside_handler handler = {.self = w, .output = output, .log = log_line, .done = done};
    struct err e = {0};
    w->settings.backoff = 0.1;
    w->settings.seed = (uint64_t)w->world.rank;
    outside_settings_read(&w->settings, &e);          /* flow_check() has reported what is wrong */
    w->settings.retries += w->settings.other_retries; /* all of them happen on this worker */
    w->outside = outside_create(w->comm, w->helper, w->slot, &w->settings, &handler);
}
