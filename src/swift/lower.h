/*
 * lower.h - the checked tree becomes the intermediate form (private to this room).
 *
 *   lower.c             functions, and the script itself as function 0
 *   lower_free.c        which variables a function or loop takes from its surroundings
 *   lower_statement.c   statements become instructions and blocks
 *   lower_loop.c        for and iterate become functions that call themselves
 *   lower_expression.c  expressions become slots
 *   lower_build.c       instructions, blocks and slots of the function that is being made
 *
 * A function of the intermediate form knows only its own slots, so the variables of the top level
 * that a function uses become inputs of it, and so do those around the body of a loop.
 */
#ifndef SWIFT_LOWER_H
#define SWIFT_LOWER_H

#include "code/code.h"
#include "swift/check.h"

/* Lowers a script without mistakes. */
void lower(struct code *code, const struct checked *checked, const struct sources *sources);

/* ---- what follows is shared by the files of this stage ---- */

/* Variables in the order in which they were found. */
struct variable_set {
    struct variable **items;
    size_t count, capacity;
};

/* Instructions of a block that is not complete. */
struct open_block {
    struct code_instruction *instructions;
    size_t count, capacity;
    uint32_t first_slot; /* slots from here on are the block's own */
    struct open_block *outer;
};

/* A function that is being made. */
struct open_function {
    uint32_t index; /* in code->functions */
    struct open_block *block;
    uint32_t *slots; /* of each variable by its index; CODE_NONE: none yet */
    struct open_function *outer;
};

struct lowering {
    struct code *code;
    const struct checked *checked;
    const struct sources *sources;
    struct open_function *function;
    struct variable_set *globals; /* of each function: what it uses of the top level */
    uint32_t *indexes;            /* of each function: in code->functions */
    uint32_t *placed;             /* of each app function that is called with a location: likewise,
                                     with the location as its last input; 0: none yet */
    struct map numbers;           /* of functions, by the bytes of their positions */
    uint32_t place;               /* of the statement that is being lowered */
    uint32_t shape_cell;
    struct arena arena;
};

/* ---- lower_build.c ---- */

/* The function that is being made; the pointer is valid until the next function is added. */
struct code_function *lower_function(struct lowering *l);
/* Starts a function; variables have no slots in it yet. */
void lower_open(struct lowering *l, struct open_function *function, uint32_t index);
/* Ends it: what it issues becomes its block 0. */
void lower_close(struct lowering *l);
/* Starts a block. */
void lower_block_open(struct lowering *l, struct open_block *block);
/* Ends it; returns its number. */
uint32_t lower_block_close(struct lowering *l);
/* A slot for a value that has no name. */
uint32_t lower_temporary(struct lowering *l);
/* The same with the shape of a type: for what is filled, or used before it is set. */
uint32_t lower_shaped(struct lowering *l, const struct type *type);
/* The slot of a variable, which is made if it has none. */
uint32_t lower_slot(struct lowering *l, const struct variable *variable);
/* The shape of a type. */
uint32_t lower_shape(struct lowering *l, const struct type *type);
/* Adds an instruction without operands and blocks; fill it before the next one is added. */
struct code_instruction *lower_add(struct lowering *l, enum code_operation operation,
                                   uint32_t index);
/* Adds an operand to the instruction that was added last. */
void lower_operand(struct lowering *l, struct code_instruction *instruction, uint32_t slot,
                   enum code_mode mode);
/* Remembers where the following instructions come from. */
void lower_place(struct lowering *l, uint32_t at);

/* ---- lower_free.c ---- */

/* Adds a variable that is not there yet. */
void variable_set_add(struct variable_set *set, struct variable *variable);
/* True if it is there. */
bool variable_set_has(const struct variable_set *set, const struct variable *variable);

/* What a part of the tree uses: variables that it names, split by whether it may set them. */
struct uses {
    struct lowering *lowering;
    struct variable_set read, written;
};
/* Adds what a statement uses. */
void uses_of_statement(struct uses *uses, const struct statement *statement);
/* Adds what an expression uses. */
void uses_of_expression(struct uses *uses, const struct expression *expression);
/* Frees the sets. */
void uses_free(struct uses *uses);
/* Finds for every function what it uses of the top level, directly or through what it calls. */
void lower_globals(struct lowering *l);
/* The number of a function among checked->functions. */
size_t lower_number(const struct lowering *l, const struct script_function *function);

/* ---- lower_expression.c ---- */

/* The slot of an expression's value: `target`, or where it already is if that is CODE_NONE. */
uint32_t lower_expression(struct lowering *l, const struct expression *e, uint32_t target);
/* Lowers a call whose outputs go to these slots; CODE_NONE: to temporaries, which are filled in. */
void lower_call(struct lowering *l, const struct expression *e, uint32_t *outputs);
/* The variant of an app function that runs at a location. */
uint32_t lower_placed(struct lowering *l, size_t number);
/* How many outputs a call has. */
size_t lower_output_count(const struct expression *e);
/* How much of a value of this type must be known before it becomes a member of an array. */
enum code_mode lower_member_mode(const struct type *type);
/* Sets a slot to what another one is. */
void lower_copy(struct lowering *l, uint32_t target, uint32_t source);

/* ---- lower_statement.c, lower_loop.c ---- */

/* Lowers all statements of a block into the one that is open. */
void lower_statements(struct lowering *l, const struct block *block);
/* Lowers a block of the tree as a block of its own; CODE_NONE for NULL. */
uint32_t lower_block(struct lowering *l, const struct block *block);
/* Lowers a `for`. */
void lower_for(struct lowering *l, const struct statement *s);
/* Lowers an `iterate`. */
void lower_iterate(struct lowering *l, const struct statement *s);

#endif
