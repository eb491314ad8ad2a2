/*
 * code - the intermediate form of a dataflow script: what the compiler makes and the runtime runs.
 *
 * A function has slots. An instruction reads slots and sets slots; each slot is set once. There is
 * no order: the instructions of a block are issued one after the other, and one whose inputs are
 * not known yet becomes a task of its own that waits for them, with copies of the slots that it
 * uses. So an operand says how much of its slot must be known (enum code_mode), and a block of an
 * `if`, loop or `wait` lists the slots of its surroundings that it uses.
 *
 * What a slot holds at run time: nothing yet; a value; or the id of a datum in the store of
 * balance, where the value will be. Its shape says what is made if it is used before it is set.
 *
 *   code.c   building and freeing
 *   write.c  as bytes, for the other ranks
 *   read.c   and back: bytes that were damaged or made up are refused, never believed
 *   show.c   as text, for people
 */
#ifndef CODE_CODE_H
#define CODE_CODE_H

#include "base/base.h"

enum code_mode {
    CODE_REFER,  /* it is passed on, known or not */
    CODE_KNOWN,  /* a simple value; of a struct or file, which parts it has, but not their values */
    CODE_CLOSED, /* an array or bag with all its members, which need not be known */
    CODE_DEEP,   /* all of it */
    CODE_PATH,   /* a file to be written: its path, if it was mapped to one */
    CODE_SET,    /* set by this instruction */
    CODE_FILL,   /* set, or filled piece by piece: made by its shape before */
    CODE_MODES
};

enum code_shape_kind {
    CODE_CELL, /* one value */
    CODE_ARRAY,
    CODE_BAG,
    CODE_UPDATEABLE,
    CODE_STRUCT,
    CODE_FILE,
    CODE_SHAPE_KINDS
};

/* What a slot is made of; the shapes of a struct's fields follow each other from `first` on. */
struct code_shape {
    enum code_shape_kind kind;
    uint32_t first, count; /* CODE_STRUCT: in fields */
};

enum code_operation {
    CODE_CONSTANT, /* SET = constant `index` */
    CODE_LEAF,     /* function of the library `index`: SET..., then inputs, then the place where it
                      runs and its priority if the flags say so */
    CODE_CALL,     /* function `index`: FILL..., then REFER... */
    CODE_COPY,     /* SET = REFER */
    CODE_BUILD,    /* SET = struct of REFER... */
    CODE_FIELD,    /* SET = field `index` of KNOWN */
    CODE_PART,     /* the same for a struct that is filled: field `index` of KNOWN is FILL */
    CODE_MAP,      /* SET = a file to be made at the path REFER */
    CODE_PATHNAME, /* SET = the path of the file KNOWN */
    CODE_LOOKUP,   /* SET = member KNOWN of the array REFER */
    CODE_ARRAY_OF, /* SET = array of the members: KNOWN key, value, key, value, ... */
    CODE_INSERT,   /* FILL array, value, keys KNOWN... */
    CODE_APPEND,   /* FILL bag (or array of bags...), value, keys KNOWN... */
    CODE_EXISTS,   /* SET = whether the array REFER has the member KNOWN now */
    CODE_SNAPSHOT, /* SET = the updateable REFER as it is now */
    CODE_UPDATE,   /* FILL updateable, KNOWN; index: enum code_update */
    CODE_IF,       /* KNOWN; blocks */
    CODE_SWITCH,   /* KNOWN; case `index` and on */
    CODE_FOREACH,  /* CLOSED, then the slots of value and key; block */
    CODE_RANGE,    /* KNOWN first, last, step, then the slots of value and key; block */
    CODE_WAIT,     /* inputs; block */
    CODE_PROGRAM,  /* an app function: outputs PATH or SET, then DEEP words; `index` in programs */
    CODE_OPERATIONS
};

enum code_update { CODE_INCREMENT, CODE_MINIMUM, CODE_SCALE, CODE_START };

enum {
    CODE_NONE = UINT32_MAX, /* no block, slot, index */
    CODE_HAS_PLACE = 1,     /* LEAF, PROGRAM: the last operand, or the one before the priority */
    CODE_HAS_PRIORITY = 2,  /* LEAF, PROGRAM, CALL: the last operand */
    CODE_IN_FLOATS = 4,     /* RANGE */
};

struct code_operand {
    uint32_t slot;
    uint8_t mode; /* enum code_mode */
};

struct code_instruction {
    uint8_t operation, flags;
    uint32_t place; /* in places */
    uint32_t index;
    uint32_t first, count; /* operands of the function */
    uint32_t blocks[2];    /* of the function; CODE_NONE */
};

/* Instructions that are issued together. */
struct code_block {
    uint32_t first, count;           /* instructions of the function */
    uint32_t uses_first, uses_count; /* operands: the slots of its surroundings, REFER or FILL */
};

struct code_slot {
    uint32_t name; /* text; CODE_NONE: it has none */
    uint32_t place;
    uint32_t shape;
};

struct code_case {
    int64_t label;
    bool otherwise;
    uint32_t block;
};

/* Slots: the outputs, the inputs, then all others. */
struct code_function {
    uint32_t name, place; /* text */
    uint32_t output_count, input_count;
    struct code_slot *slots;
    size_t slot_count, slot_capacity;
    struct code_instruction *instructions;
    size_t instruction_count, instruction_capacity;
    struct code_operand *operands;
    size_t operand_count, operand_capacity;
    struct code_block *blocks; /* block 0 is the body */
    size_t block_count, block_capacity;
    struct code_case *cases;
    size_t case_count, case_capacity;
};

/* How an app function uses its operands. */
struct code_program {
    uint32_t outputs;                       /* the first operands */
    uint32_t words;                         /* the next ones */
    bool has_stdin, has_stdout, has_stderr; /* then these, in this order */
};

enum code_constant_kind { CODE_INT, CODE_FLOAT, CODE_STRING, CODE_BOOLEAN };

struct code_constant {
    enum code_constant_kind kind;
    int64_t whole;
    double number;
    uint32_t text;
};

/* A function of the library, by its name; the runtime knows what it does. */
struct code_leaf {
    uint32_t name; /* text: of the function in C */
    bool worker;   /* always a task of its own */
};

struct code_place {
    uint32_t file; /* text */
    uint32_t line;
};

/* A compiled script. Start with {0}. */
struct code {
    struct slice *texts; /* in the arena */
    size_t text_count, text_capacity;
    struct map text_map;
    struct code_constant *constants;
    size_t constant_count, constant_capacity;
    struct code_leaf *leaves;
    size_t leaf_count, leaf_capacity;
    struct code_program *programs;
    size_t program_count, program_capacity;
    struct code_shape *shapes;
    size_t shape_count, shape_capacity;
    uint32_t *fields; /* shapes of the fields of structs */
    size_t field_count, field_capacity;
    struct code_place *places;
    size_t place_count, place_capacity;
    struct code_function *functions; /* function 0 is the script itself */
    size_t function_count, function_capacity;
    struct arena arena;
};

/* Frees everything. */
void code_free(struct code *code);

/* ---- building ---- */

/* The number of a text, which is copied if it is new. */
uint32_t code_text(struct code *code, struct slice text);
/* The number of a place. */
uint32_t code_place_of(struct code *code, struct slice file, int line);
/* Adds a constant; the same one is added once. */
uint32_t code_constant_add(struct code *code, struct code_constant constant);
/* Adds a function of the library; the same one is added once. */
uint32_t code_leaf_add(struct code *code, const char *name, bool worker);
/* Adds a shape; a simple one is added once. */
uint32_t code_shape_add(struct code *code, enum code_shape_kind kind, const uint32_t *fields,
                        size_t count);
/* Adds an empty function; the pointer is valid until the next one is added. */
struct code_function *code_function_add(struct code *code, struct slice name, uint32_t place);
/* Adds a slot to a function. */
uint32_t code_slot_add(struct code_function *function, uint32_t name, uint32_t place,
                       uint32_t shape);

/* ---- bytes and text ---- */

/* Appends it as bytes. */
void code_write(struct str *out, const struct code *code);
/*
 * Reads such bytes. ERR_SYSTEM if they are not what code_write() made: everything that an index
 * refers to exists, so that the runtime need not look.
 */
int code_read(struct code *code, const void *bytes, size_t length, struct err *e);
/* Appends it as text. */
void code_show(struct str *out, const struct code *code);

#endif
