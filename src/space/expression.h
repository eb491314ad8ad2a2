/*
 * expression.h - inside the room: the program that an expression becomes.
 *
 * It is a list of instructions for a stack of numbers. A comparison leaves the amount by which it
 * is broken, 0 when it holds; `and` adds such amounts and `or` takes the smaller one, so that what
 * is left at the end is the amount of the whole. There is no `not`: the compiler turns what stands
 * below it round (not (a < b and c) is a >= b or not c).
 */
#ifndef SPACE_EXPRESSION_H
#define SPACE_EXPRESSION_H

#include "space/space.h"

enum {
    EXPRESSION_DEPTH = 32, /* brackets, signs and powers inside of each other */
    EXPRESSION_STACK = 64  /* numbers at once; more than any depth needs that is allowed */
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
    /* take two numbers, leave an amount */
    LESS,
    LESS_OR_EQUAL,
    GREATER,
    GREATER_OR_EQUAL,
    EQUAL,
    NOT_EQUAL,
    /* take none, leave an amount: is the choice `index` the value of code `number`? */
    IS,
    IS_NOT,
    /* take two amounts, leave one */
    BOTH,
    EITHER,
};

struct instruction {
    enum operation operation;
    uint32_t index; /* of a parameter or a metric */
    double number;
};

struct expression {
    const char *text;
    const struct parameter *parameters; /* of its space */
    struct instruction *code;
    size_t count;
    bool measured; /* it names a metric */
};

#endif
