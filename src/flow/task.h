/*
 * task.h - a task of the dataflow runtime, while a worker runs it (private to this room).
 *
 * A task is a piece of a script that became runnable: an instruction whose inputs are known, part
 * of a loop, or the script itself. Running it issues instructions, one after the other and function
 * by function; whatever must wait becomes a task of its own. So a task never waits itself, except
 * for one program, evaluation or sleep at its very start.
 *
 *   task.c      opening a task, running it, ending it
 *   slot.c      what a slot holds; making what is used before it is set
 *   resolve.c   is an input known? If not, what is it that must be waited for?
 *   defer.c     an instruction, or a part of a loop, becomes a task
 *   assign.c    a slot is set to a value
 *   issue.c     one instruction; issue_array.c: those about arrays; loop.c: foreach
 *   call.c      functions of the library; errand.c: programs and other languages
 *   pack.c      values as bytes
 *
 * Ownership. A task owns the references that its bytes had, those of the answers to what it waited
 * for, and one to each datum that it makes; also a writer of each container that it makes or was
 * given to fill. It gives them all back when it ends. Slots own nothing. What is put into another
 * task, or stored in a datum, gets references of its own.
 *
 * Memory. Values live in the arena of the task.
 */
#ifndef FLOW_TASK_H
#define FLOW_TASK_H

#include "balance/balance.h"
#include "base/base.h"
#include "code/code.h"
#include "flow/datum.h"
#include "flow/pack.h"
#include "leaf/leaf.h"

/* ---- slots: slot.c ---- */

/* The kind of a slot that nothing has been put into; the other kinds are those of values. */
enum { SLOT_UNSET = 0xff };

/* The slots of one call of a function, or of one iteration. */
struct frame {
    uint32_t function; /* in code->functions */
    int priority;
    struct leaf_value slots[];
};

/* A file that is not there yet, or may not be: a struct of these fields, named by texts. */
enum { FILE_MAPPED, FILE_PATH, FILE_READY, FILE_FIELDS };

struct task;

/* True once something was put into a slot. */
bool slot_is_set(const struct leaf_value *slot);
/* The slot of a frame; what is used before it is set is made as its shape says. */
struct leaf_value *slot_make(struct task *t, struct frame *frame, uint32_t slot);
/* The same, but a single cell for a value that will come as a whole. */
struct leaf_value *slot_make_cell(struct task *t, struct frame *frame, uint32_t slot);
/* A new cell; the task owns it. `label` is as slot_label() says. */
struct leaf_value slot_new_cell(struct task *t, uint32_t label);
/* Names a slot in messages about its datum. */
uint32_t slot_label(const struct task *t, const struct frame *frame, uint32_t slot);
/* True for a file that is not there yet. */
bool slot_is_file(const struct leaf_value *value);
/* A field of a struct, or of such a file. */
const struct leaf_value *slot_field(const struct leaf_value *value, size_t index);
/* A file to be made; `mapped`: somebody says at which path. */
struct leaf_value slot_new_file(struct task *t, bool mapped, struct leaf_value path,
                                struct leaf_value ready);
/* Calls visit() for each container that a value lets its owner fill. */
void slot_each_container(const struct leaf_value *value,
                         void (*visit)(struct task *t, const struct leaf_value *reference),
                         struct task *t);

/* ---- the task: task.c ---- */

/* A block that is being issued, or a loop that is being run. */
struct issuing {
    struct frame *frame;
    bool owns_frame;
    uint32_t next, end;                  /* instructions of the function */
    const struct code_instruction *loop; /* CODE_FOREACH, CODE_RANGE; NULL: no loop */
    struct frame *iteration;             /* of a loop: the frame of its body */
    uint64_t at, last;                   /* of a loop: the next iteration, and the end */
};

/* What a task owns of a datum. */
struct owned {
    uint64_t id;
    int32_t references, writers;
};

/* A value that the task knows: it set a cell, or waited for it. */
struct known {
    uint64_t id; /* 0: the place is free */
    struct leaf_value value;
    bool is_answer; /* it waited for it */
};

/* The answer to a question about one member. */
struct element {
    uint64_t id;
    struct slice key;        /* packed; "" for a snapshot */
    struct leaf_value value; /* SLOT_UNSET: the array closed without it */
};

struct flow_worker;

struct task {
    struct flow_worker *worker;
    const struct code *code;
    struct balance_client *client;
    struct arena arena;
    struct issuing *stack; /* the innermost last */
    size_t depth, capacity;
    struct owned *owned;
    size_t owned_count, owned_capacity;
    struct known *known; /* a hash table by id */
    size_t known_count, known_capacity;
    struct element *elements;
    size_t element_count, element_capacity;
    const struct code_instruction *own;     /* the one that the task was made for; NULL: none */
    const struct code_instruction *current; /* the one that is being issued */
    uint64_t produced;                      /* bytes of texts that it has made */
    uint32_t label;                         /* of the operand that is being resolved */
    bool placed;     /* its instruction runs here, whatever place the call names */
    unsigned budget; /* number of calls that it may still run itself */
    bool failed;
    bool outside; /* something runs outside; the task ends when that does */
};

/* True for the instruction that the task was made for, the first time. */
bool task_is_own(struct task *t, const struct code_instruction *in);
/* Runs a task until it ends, or until something runs outside. */
void task_run(struct task *t, struct slice bytes);
/* Runs the script itself. */
void task_run_script(struct task *t);
/* Goes on when what ran outside has ended. */
void task_continue(struct task *t);
/* Ends a task: gives back what it owns, frees what it has. */
void task_end(struct task *t);
/* Says that the script has failed at the current instruction; the run ends. */
void task_fail(struct task *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Takes note of what the task owns, in addition. */
void task_own(struct task *t, uint64_t id, int references, int writers);
/* Remembers the value of a datum; `is_answer`: the task waited for it. */
void task_know(struct task *t, uint64_t id, const struct leaf_value *value, bool is_answer);
/* The value of a datum, if this task knows it; NULL otherwise. */
const struct leaf_value *task_known(const struct task *t, uint64_t id);
/* The answer about a member; NULL if the task has not asked. */
const struct leaf_value *task_element(const struct task *t, uint64_t id, struct slice key);
/* Starts a block of a frame; it is issued before what follows it. */
void task_push(struct task *t, struct frame *frame, uint32_t block, bool owns_frame);
/* A frame for a call of a function, with unset slots. */
struct frame *task_frame(struct task *t, uint32_t function, int priority);
/* The next entry of the stack, to be filled. */
struct issuing *task_stack_add(struct task *t);

/* ---- resolve.c ---- */

/* What must be waited for. The ids are references (datum.h); keys live in the arena of the task. */
struct wait_list {
    struct balance_wait *items;
    size_t count, capacity;
};

/* Adds a wait. */
void wait_add(struct wait_list *waits, struct balance_wait wait);
/*
 * True if enough of a value is known, which then replaces it; else what is missing is added to the
 * waits.
 */
bool resolve(struct task *t, struct leaf_value *value, enum code_mode mode,
             struct wait_list *waits);
/* A key as bytes, in the arena of the task. */
struct slice resolve_key(struct task *t, const struct leaf_value *key);

/* ---- defer.c ---- */

/* Where and how urgently a task is to run; zeros: anywhere. */
struct destination {
    bool bound, soft, whole_node;
    int worker; /* its number, from 1 */
};

/* Makes the instruction a task that runs when the waits are over; frees the waits. */
void defer(struct task *t, struct frame *frame, const struct code_instruction *in,
           struct wait_list *waits);
/* The same for one whose inputs are known and that runs wherever the task gets. */
void defer_placed(struct task *t, struct frame *frame, const struct code_instruction *in,
                  const struct destination *destination);
/* Makes iterations from..last of a loop a task. */
void defer_part(struct task *t, struct frame *frame, const struct code_instruction *in,
                uint64_t from, uint64_t last);
/* Makes an assignment a task that runs when the waits are over; frees the waits. */
void defer_assign(struct task *t, const struct leaf_value *target, const struct leaf_value *source,
                  struct wait_list *waits);

/* Closures as they travel. */
enum closure_kind { CLOSURE_INSTRUCTION, CLOSURE_PLACED, CLOSURE_PART, CLOSURE_ASSIGN };

/* ---- assign.c ---- */

/* Sets a slot. */
void assign(struct task *t, struct frame *frame, uint32_t slot, struct leaf_value value);
/* Sets what a slot holds: a datum, a struct or file of data. */
void assign_value(struct task *t, const struct leaf_value *target, struct leaf_value value);
/* Adds a value to an array or bag. */
void assign_member(struct task *t, const struct leaf_value *container, const struct slice *keys,
                   size_t key_count, const struct leaf_value *value, bool append);

/* ---- issue.c, issue_array.c, loop.c, call.c, errand.c ---- */

/* Issues one instruction. */
void issue(struct task *t, struct frame *frame, const struct code_instruction *in);
/* CODE_LOOKUP, CODE_ARRAY_OF, CODE_INSERT, CODE_APPEND, CODE_EXISTS. */
void issue_array(struct task *t, struct frame *frame, const struct code_instruction *in);
/* CODE_FOREACH, CODE_RANGE. */
void issue_loop(struct task *t, struct frame *frame, const struct code_instruction *in);
/* Runs iterations from..last of a loop whose inputs are known. */
void loop_start(struct task *t, struct frame *frame, const struct code_instruction *in,
                uint64_t from, uint64_t last);
/* Starts the next iteration of the loop on top of the stack; false if there is none. */
bool loop_next(struct task *t);
/* How a function outside of Wick is called: sleep, python, system, ... */
struct errand_function {
    const char *name;
    void (*start)(struct task *t, const struct leaf_value *inputs);
};
/* The function of this name; NULL if there is none. */
const struct errand_function *errand_find(const char *name);
/* Starts such a function, whose outputs the instruction sets when it has ended. */
void errand_start(struct task *t, struct frame *frame, const struct code_instruction *in,
                  const struct errand_function *function, const struct leaf_value *inputs);
/* The outputs of an instruction that ran, in their order. */
void call_set_outputs(struct task *t, struct frame *frame, const struct code_instruction *in,
                      const struct leaf_value *outputs);
/* The paths of the files that it is to write; false after a failure. */
bool call_output_paths(struct task *t, struct frame *frame, const struct code_instruction *in,
                       size_t output_count, struct leaf_value *outputs);
/* How many of its operands are outputs. */
size_t call_output_count(const struct task *t, const struct frame *frame,
                         const struct code_instruction *in);
/* Puts the instruction off if it is to be a task of its own, or to run elsewhere. */
bool call_is_put_off(struct task *t, struct frame *frame, const struct code_instruction *in,
                     bool worker);
/* CODE_LEAF. */
void issue_leaf(struct task *t, struct frame *frame, const struct code_instruction *in);
/* CODE_PROGRAM. */
void issue_program(struct task *t, struct frame *frame, const struct code_instruction *in);
/* The operands of an instruction. */
const struct code_operand *operands_of(const struct task *t, const struct frame *frame,
                                       const struct code_instruction *in);
/* Resolves all operands with input modes; true if all are known. */
bool resolve_inputs(struct task *t, struct frame *frame, const struct code_instruction *in,
                    struct wait_list *waits);

#endif
