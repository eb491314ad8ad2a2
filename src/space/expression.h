/*
 * expression.h - private to the room: the program that an expression becomes.
 *
 * It is a list of instructions for a stack of numbers. A comparison leaves its violation, 0 if it
 * holds; `and` adds violations and `or` takes the smaller one, so the violation of the whole is
 * left at the end. There is no `not`: the compiler negates its operand (not (a < b and c) becomes a
 * >= b or not c).
 */
#ifndef SPACE_EXPRESSION_H
#define SPACE_EXPRESSION_H

#include "space/space.h"

enum {
    EXPRESSION_DEPTH = 32, /* nested brackets, signs and powers */
    EXPRESSION_STACK = 64  /* numbers on the stack; enough for that depth */
};

enum operation {
    /* put a number on the stack */
    PUSH_NUMBER,
    PUSH_PARAMETER, /* a float or an int */
    PUSH_VALUE,     /* a choice of numbers, or a constant: the number that it stands for */
    PUSH_METRIC,
    /* take one number, leave one */
    NEGATE,
    LOG,
    LOG2,
    LOG10,
    EXP,
    SQRT,
    ABS,
    FLOOR,
    CEIL,
    /* take two, leave one */
    ADD,
    SUBTRACT,
    MULTIPLY,
    DIVIDE,
    POWER,
    MIN,
    MAX,
    /* take two numbers, leave a violation */
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    EQUAL,
    NOT_EQUAL,
    /* take none, leave a violation: does choice `index` have the value coded as `number`? */
    IS,
    IS_NOT,
    /* take two violations, leave one */
    BOTH,
    EITHER,
};

struct instruction {
    enum operation operation;
    uint32_t index; /* index of a parameter or a metric */
    double number;
};

struct expression {
    const char *text;
    const struct parameter *parameters; /* parameters of its space */
    struct instruction *code;
    size_t count;
    bool measured; /* it names a metric */
};

#endif
