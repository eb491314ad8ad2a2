/* call.c - functions of the library. */
#include "flow/files.h"
#include "flow/worker.h"

/* ---- where it runs ---- */

/* Behind the inputs stand the place and the priority, if the call names them. */
static size_t annotation_count(const struct code_instruction *in)
{
    return (in->flags & CODE_HAS_PLACE ? 1 : 0) + (in->flags & CODE_HAS_PRIORITY ? 1 : 0);
}

static const struct leaf_value *annotation(const struct task *t, const struct frame *frame,
                                           const struct code_instruction *in, size_t from_end)
{
    return &frame->slots[operands_of(t, frame, in)[in->count - from_end].slot];
}

/* A location is a struct of rank, strictness and accuracy: HARD is 0, and so is RANK. */
static bool find_destination(struct task *t, struct frame *frame, const struct code_instruction *in,
                             struct destination *destination)
{
    size_t place = in->flags & CODE_HAS_PRIORITY ? 2 : 1;
    if (!(in->flags & CODE_HAS_PLACE))
        return true;
    const struct leaf_value *location = annotation(t, frame, in, place);
    int64_t rank = slot_field(location, 0)->whole;
    int workers = t->worker->world.workers;
    if (rank < 0 || rank >= workers) {
        task_fail(t, "there is no worker of rank %lld: the ranks of this run are 0 to %d",
                  (long long)rank, workers - 1);
        return false;
    }
    *destination = (struct destination){.bound = true,
                                        .soft = slot_field(location, 1)->whole != 0,
                                        .whole_node = slot_field(location, 2)->whole != 0,
                                        .worker = (int)rank + 1};
    return true;
}

bool call_is_put_off(struct task *t, struct frame *frame, const struct code_instruction *in,
                     bool worker)
{
    struct destination destination = {0};
    bool placed = in->flags & (CODE_HAS_PLACE | CODE_HAS_PRIORITY), own = task_is_own(t, in);
    if (own ? t->placed || !placed : !worker && !placed)
        return false;
    if (!find_destination(t, frame, in, &destination))
        return true;
    int priority = frame->priority;
    if (in->flags & CODE_HAS_PRIORITY)
        frame->priority = (int)annotation(t, frame, in, 1)->whole;
    defer_placed(t, frame, in, &destination);
    frame->priority = priority;
    return true;
}

/* ---- outputs ---- */

size_t call_output_count(const struct task *t, const struct frame *frame,
                         const struct code_instruction *in)
{
    const struct code_operand *operands = operands_of(t, frame, in);
    size_t count = 0;
    while (count < in->count &&
           (operands[count].mode == CODE_SET || operands[count].mode == CODE_PATH))
        count++;
    return count;
}

/* A file that nobody has mapped gets a path of its own. */
static bool choose_path(struct task *t, const struct leaf_value *file, struct leaf_value *path)
{
    struct str text = {0};
    struct err e = {0};
    if (files_temporary(&text, &e)) {
        task_fail(t, "%s", e.message);
        str_free(&text);
        return false;
    }
    *path = leaf_text((struct slice){arena_copy(&t->arena, text.text, text.length), text.length});
    worker_keep_temporary(t->worker, path->text);
    str_free(&text);
    assign_value(t, slot_field(file, FILE_PATH), *path);
    return true;
}

bool call_output_paths(struct task *t, struct frame *frame, const struct code_instruction *in,
                       size_t output_count, struct leaf_value *outputs)
{
    struct wait_list none = {0};
    for (size_t i = 0; i < output_count; i++) {
        const struct code_operand *operand = &operands_of(t, frame, in)[i];
        if (operand->mode != CODE_PATH)
            continue;
        const struct leaf_value *file = slot_make(t, frame, operand->slot);
        struct leaf_value path = *slot_field(file, FILE_PATH);
        if (slot_field(file, FILE_MAPPED)->whole)
            resolve(t, &path, CODE_KNOWN, &none);
        else if (!choose_path(t, file, &path))
            return false;
        outputs[i] = (struct leaf_value){.kind = LEAF_FILE, .text = path.text};
    }
    return true;
}

void call_set_outputs(struct task *t, struct frame *frame, const struct code_instruction *in,
                      const struct leaf_value *outputs)
{
    size_t count = call_output_count(t, frame, in);
    struct leaf_value nothing = {.kind = LEAF_VOID};
    for (size_t i = 0; i < count; i++) {
        const struct code_operand *operand = &operands_of(t, frame, in)[i];
        if (operand->mode == CODE_PATH)
            assign_value(t, slot_field(&frame->slots[operand->slot], FILE_READY), nothing);
        else
            assign(t, frame, operand->slot, outputs[i]);
    }
}

/* ---- the call ---- */

/* The driver looks at the memory now and then; a text that grows and grows may be faster. */
static bool fits(struct task *t, const struct leaf_value *outputs, size_t count)
{
    uint64_t most = t->worker->options->memory;
    for (size_t i = 0; i < count; i++)
        if (outputs[i].kind == LEAF_STRING || outputs[i].kind == LEAF_BLOB)
            t->produced += outputs[i].text.length;
    if (most == 0 || t->produced <= most)
        return true;
    task_fail(t, "this needs more memory than the script may use (--memory)");
    return false;
}

static void run_leaf(struct task *t, struct frame *frame, const struct code_instruction *in,
                     const struct leaf_function *function, const struct leaf_value *inputs,
                     size_t input_count)
{
    size_t count = call_output_count(t, frame, in);
    struct leaf_value *outputs = arena_new(&t->arena, count + 1, sizeof *outputs);
    struct leaf_call call = {.inputs = inputs,
                             .input_count = input_count,
                             .outputs = outputs,
                             .output_count = count,
                             .arena = &t->arena,
                             .world = &t->worker->world,
                             .random = &t->worker->random};
    struct err e = {0};
    if (!call_output_paths(t, frame, in, count, outputs))
        return;
    if (function->run(&call, &e)) {
        task_fail(t, "%s", e.message);
        return;
    }
    if (!fits(t, outputs, count))
        return;
    if (strcmp(function->name, "mktemp_string") == 0)
        worker_keep_temporary(t->worker, outputs[0].text);
    call_set_outputs(t, frame, in, outputs);
}

void issue_leaf(struct task *t, struct frame *frame, const struct code_instruction *in)
{
    const struct code_leaf *leaf = &t->code->leaves[in->index];
    const struct leaf_function *function = t->worker->leaves[in->index];
    const char *name = t->code->texts[leaf->name].text;
    const struct errand_function *errand = function ? NULL : errand_find(name);
    bool worker = leaf->worker || !function || function->manner == LEAF_TASK;
    if (call_is_put_off(t, frame, in, worker))
        return;
    size_t first = call_output_count(t, frame, in),
           count = in->count - first - annotation_count(in);
    struct leaf_value *inputs = arena_new(&t->arena, count + 1, sizeof *inputs);
    for (size_t i = 0; i < count; i++)
        inputs[i] = frame->slots[operands_of(t, frame, in)[first + i].slot];
    if (function)
        run_leaf(t, frame, in, function, inputs, count);
    else if (errand)
        errand_start(t, frame, in, errand, inputs);
    else
        task_fail(t, "%s() is not available in this version of Wick", name);
}
