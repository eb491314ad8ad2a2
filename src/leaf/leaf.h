/*
 * leaf - the library of the dataflow language: functions in C on values that are known.
 *
 * One file per module of the library; each ends in a const table of its functions (modules.h). A
 * function gets its inputs complete (an array with all its members) and makes its outputs in the
 * arena of the call. It never waits; what must wait for a process or a clock (sleep, system, app
 * functions, other languages) is the business of the runtime.
 *
 *   values.c      making and searching arrays and structs
 *   text.c        how values look as text, and back
 *   format.c      printf() and the operator %
 *   characters.c  text is counted in characters, not bytes
 *   pattern.c     regular expressions
 *   letters.c     upper and lower case
 *   find.c        the function of a name
 *   operators.c   + - * / and their like
 *   and a file per module: builtins.c, string.c, math.c, ...
 *
 * Strings are UTF-8, but nothing here relies on it: bytes that are not, come through unchanged.
 */
#ifndef LEAF_LEAF_H
#define LEAF_LEAF_H

#include "base/base.h"

enum leaf_kind {
    LEAF_VOID,
    LEAF_INT,
    LEAF_FLOAT,
    LEAF_BOOLEAN, /* whole: 0 or 1 */
    LEAF_STRING,
    LEAF_BLOB,
    LEAF_FILE, /* text: its path */
    LEAF_URL,
    LEAF_ARRAY,
    LEAF_BAG,       /* keys count from 0 */
    LEAF_STRUCT,    /* the fields by their numbers, in the order of the definition */
    LEAF_REFERENCE, /* whole: a member that is kept elsewhere, of a file or struct */
};

/* A value. What it points to belongs to an arena, or to whoever made it, and does not change. */
struct leaf_value {
    enum leaf_kind kind;
    union {
        int64_t whole;
        double number;
        struct slice text; /* string, blob, file, url; its text is UTF-8, a blob any bytes */
        const struct leaf_members *members;
    };
};

struct leaf_member {
    struct leaf_value key, value;
};

/* Sorted by key, each key once: numbers by size, texts by their bytes. */
struct leaf_members {
    size_t count;
    struct leaf_member items[];
};

/* What functions may know about the run. */
struct leaf_world {
    const char *const *arguments; /* of the script, as given, ended by NULL */
    const char *program;          /* argp(0) */
    int workers, servers;
    const int *nodes;         /* of each worker */
    const char *const *hosts; /* the name of each node */
    int node_count;
    int rank;           /* of the worker that runs the function, from 0 */
    bool print_newline; /* printf() ends its line: TURBINE_PRINTF_NL is not 0 */
    void *self;
    void (*print)(void *self, const char *text, size_t length); /* to stdout, in one piece */
};

/*
 * A call. Outputs are void values at first; one that is a file has the path to write to. A function
 * that knows of a file elsewhere (input) puts its path there instead, and the runtime copies the
 * file if the variable is mapped. What outputs point to is in the arena, in the inputs, or
 * constant.
 *
 * Inputs contain no references, unless the parameter is of any type (size, contains, repr).
 */
struct leaf_call {
    const struct leaf_value *inputs; /* defaults included; then those of `...` */
    size_t input_count;
    struct leaf_value *outputs; /* to be filled */
    size_t output_count;
    struct arena *arena; /* for what the outputs point to */
    const struct leaf_world *world;
    struct random *random;
};

enum leaf_manner {
    LEAF_AT_ONCE, /* quick: where its inputs become known */
    LEAF_TASK,    /* may take long: a task for a worker */
};

struct leaf_function {
    const char *name;
    enum leaf_manner manner;
    /* Returns 0 or ERR_USER with a message that does not name the script's place. */
    int (*run)(const struct leaf_call *call, struct err *e);
};

/*
 * The function of this name; NULL if there is none. Operators are functions, too:
 *
 *   int_plus int_minus int_times int_divide int_remainder negate_int power_int
 *   float_plus float_minus float_times float_divide negate_float power_float
 *   less_int at_most_int more_int at_least_int, and the same with float
 *   equal_int equal_float equal_string equal_boolean, and the same with unequal
 *   and or not concatenate path_join format
 */
const struct leaf_function *leaf_find(const char *name);

/* ---- values.c ---- */

/* Simple values. */
struct leaf_value leaf_whole(int64_t whole);
/* A float. */
struct leaf_value leaf_number(double number);
/* A boolean. */
struct leaf_value leaf_truth(bool truth);
/* A string whose bytes are not copied. */
struct leaf_value leaf_text(struct slice text);
/* A string with the text of a buffer, which is freed. */
struct leaf_value leaf_take(struct str *s, struct arena *arena);
/* Compares two keys of the same kind: negative, 0 or positive. */
int leaf_compare(const struct leaf_value *a, const struct leaf_value *b);
/* The member with this key; NULL if there is none. */
const struct leaf_value *leaf_member(const struct leaf_value *array, const struct leaf_value *key);
/* An array with room for `count` members; fill them, in any order, then leaf_array_end(). */
struct leaf_member *leaf_array_start(struct leaf_value *array, size_t count, struct arena *arena);
/* Sorts the members. ERR_USER if two have the same key. */
int leaf_array_end(struct leaf_value *array, struct err *e);
/* Keeps only the first `count` members, where there are fewer than was thought. */
void leaf_array_cut(struct leaf_value *array, size_t count);
/*
 * An array, bag or struct whose keys are 0, 1, ...; they are set already, only the values are to be
 * filled, and it needs no leaf_array_end().
 */
struct leaf_member *leaf_list_start(struct leaf_value *list, enum leaf_kind kind, size_t count,
                                    struct arena *arena);
/* Copies a value with all that it points to. */
struct leaf_value leaf_copy(const struct leaf_value *value, struct arena *arena);

/* ---- text.c ---- */

/* Appends a value as text: as trace(), "+" and %s show it. */
void leaf_show(struct str *s, const struct leaf_value *value);
/* Appends a float: the shortest text that reads back as the same number; 3.0, not 3. */
void leaf_show_number(struct str *s, double number);
/* The text without white space at both ends. */
struct slice leaf_trim(struct slice text);
/*
 * Reads a whole number, as string2int() does; false if it is something else or too large. Base 0:
 * decimal, or what 0x, 0o or 0b say.
 */
bool leaf_read_whole(struct slice text, int base, int64_t *whole);
/* Reads a number, as string2float() does. */
bool leaf_read_float(struct slice text, double *number);
/* A text for a message: cut where it is long, and ended by a zero byte. */
const char *leaf_excerpt(struct slice text, struct arena *arena);

/* ---- format.c ---- */

/* Appends what a format makes of values. ERR_USER if they do not match. */
int leaf_format(struct str *s, struct slice format, const struct leaf_value *values, size_t count,
                struct err *e);

/* ---- characters.c ---- */

/* The number of characters of a text. */
size_t leaf_characters(struct slice text);
/* The byte at which the character of this number starts; the length if there are fewer. */
size_t leaf_character_offset(struct slice text, size_t number);
/* The character at this byte, which is before the end; *at moves behind it. UINT32_MAX: not UTF-8.
 */
uint32_t leaf_character(struct slice text, size_t *at);
/* Appends a character; false if there is none of this number. */
bool leaf_add_character(struct str *s, int64_t character);

#endif
