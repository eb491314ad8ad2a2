/*
 * tree.h - a script as a tree (private to this room).
 *
 * The parser makes it; the fields under "checked" are filled by check*.c and are zero before. All
 * of it lives in one arena. `at` is the position that a message about the node points to.
 */
#ifndef SYNTAX_TREE_H
#define SYNTAX_TREE_H

#include "base/base.h"

struct type;     /* type.h */
struct variable; /* scope.h */

/* ---- types as they are written ---- */

/* One pair of brackets: a[], a[string]. */
struct tree_dimension {
    uint32_t at;
    const struct tree_type *key; /* NULL: [] */
};

/* int, bag<int[]>, int[string][]; of a declaration, the brackets stand behind the name. */
struct tree_type {
    uint32_t at;
    struct slice name;
    const struct tree_type *parameter; /* of bag<...>; NULL: none */
    struct tree_dimension *dimensions;
    size_t dimension_count;
};

/* ---- expressions ---- */

enum expression_kind {
    EXPRESSION_INT,
    EXPRESSION_FLOAT,
    EXPRESSION_STRING,
    EXPRESSION_BOOLEAN, /* whole: 0 or 1 */
    EXPRESSION_NAME,
    EXPRESSION_CALL,   /* items: the positional arguments */
    EXPRESSION_UNARY,  /* item 0 */
    EXPRESSION_BINARY, /* items 0 and 1; `at` is the operator's */
    EXPRESSION_INDEX,  /* item 0 [ item 1 ]; `at` is that of the bracket */
    EXPRESSION_FIELD,  /* item 0 . text; `at` is that of the text */
    EXPRESSION_TUPLE,  /* two or more items in parentheses */
    EXPRESSION_ARRAY,  /* [ items ] */
    EXPRESSION_RANGE,  /* [ item 0 : item 1 : item 2 ], the step may be missing */
    EXPRESSION_DICT,   /* { item 0 : item 1, item 2 : item 3, ... } */
};

enum operation {
    OPERATION_NEGATE,
    OPERATION_NOT,
    OPERATION_POWER,
    OPERATION_TIMES,
    OPERATION_DIVIDE,
    OPERATION_INT_DIVIDE,
    OPERATION_INT_REMAINDER,
    OPERATION_FORMAT, /* % */
    OPERATION_PLUS,
    OPERATION_MINUS,
    OPERATION_LESS,
    OPERATION_AT_MOST,
    OPERATION_MORE,
    OPERATION_AT_LEAST,
    OPERATION_EQUAL,
    OPERATION_UNEQUAL,
    OPERATION_AND,
    OPERATION_OR,
};

struct expression {
    enum expression_kind kind;
    uint32_t at;
    enum operation operation;
    int64_t whole;
    double number;
    struct slice text; /* a string's value; the name of a variable, function or field */
    struct expression **items;
    size_t count;
    struct call *call; /* EXPRESSION_CALL */
    int depth;         /* 1, or one more than that of its deepest part; the parser limits it */
    /* checked */
    const struct type *type;
    struct variable *variable; /* EXPRESSION_NAME */
};

/* @name, @name=value; behind @ of a definition the value is a name or a whole number. */
struct annotation {
    uint32_t at;
    struct slice name;
    struct expression *value; /* NULL: none */
};

struct annotations {
    struct annotation *items;
    size_t count;
};

/* name = value among the arguments of a call. */
struct keyword {
    uint32_t at;
    struct slice name;
    struct expression *value;
};

/* What a call has beside its name and positional arguments. */
struct call {
    struct keyword *keywords;
    size_t keyword_count;
    struct annotations annotations;
    bool old; /* @f(x) */
    /* checked */
    struct script_function *function; /* NULL: it constructs `constructs` */
    const struct type *constructs;
    struct expression **arguments; /* one for each input, defaults included; then those of `...` */
    size_t argument_count;
};

/* ---- statements ---- */

enum statement_kind {
    STATEMENT_DECLARE,
    STATEMENT_ASSIGN, /* targets = values; their counts differ if a call or tuple gives several */
    STATEMENT_APPEND, /* target 0 += value 0 */
    STATEMENT_CALL,   /* value 0 */
    STATEMENT_NAME,   /* value 0: a variable, at the left of a chain */
    STATEMENT_BLOCK,  /* block 0 */
    STATEMENT_IF, /* value 0; blocks 0 and 1 (NULL: no else); of `else if`, a block with an if */
    STATEMENT_SWITCH, /* value 0, cases */
    STATEMENT_FOREACH,
    STATEMENT_FOR,
    STATEMENT_ITERATE,
    STATEMENT_WAIT,   /* values, block 0, deep */
    STATEMENT_UPDATE, /* target 0 <text> := value 0 */
    STATEMENT_CHAIN,  /* left => right; `at` is that of the arrow */
};

struct block {
    uint32_t at, end; /* positions of its braces */
    struct statement **statements;
    size_t count;
};

struct declarator {
    uint32_t at;
    struct slice name;
    struct tree_dimension *dimensions;
    size_t dimension_count;
    struct expression *mapping; /* <expression>; NULL: none */
    struct expression *value;   /* NULL: none */
    /* checked */
    struct variable *variable;
};

struct switch_case {
    uint32_t at;
    bool otherwise; /* default: */
    int64_t label;
    struct block *block;
};

/* A variable of `for`. */
struct loop_variable {
    uint32_t at;
    struct slice name;
    const struct tree_type *type; /* NULL: declared outside of the loop */
    struct tree_dimension *dimensions;
    size_t dimension_count;
    struct expression *initial;
    uint32_t update_at; /* 0: it has no update */
    struct expression *update;
    /* checked */
    struct variable *variable; /* inside of the body */
    struct variable *outer;    /* the one that gets the final value; NULL: none */
};

/* An update of `for` whose variable was not initialised; kept for the message. */
struct loop_update {
    uint32_t at;
    struct slice name;
};

struct statement {
    enum statement_kind kind;
    uint32_t at;
    struct expression **targets; /* names, elements and fields */
    size_t target_count;
    struct expression **values;
    size_t value_count;
    struct block *blocks[2];
    const struct tree_type *type; /* DECLARE */
    struct declarator *declarators;
    size_t declarator_count;
    struct switch_case *cases;
    size_t case_count;
    struct slice name, index; /* FOREACH: value and key ("": none); ITERATE: name */
    uint32_t name_at, index_at;
    struct slice text;                    /* UPDATE: incr, min, scale */
    struct expression *condition;         /* FOR, ITERATE */
    struct loop_variable *loop_variables; /* FOR */
    size_t loop_variable_count;
    struct loop_update *stray_updates; /* FOR */
    size_t stray_update_count;
    struct annotations annotations; /* FOREACH, FOR */
    struct statement *left, *right; /* CHAIN */
    bool deep;                      /* WAIT */
    /* checked */
    struct variable *variable, *index_variable; /* FOREACH, ITERATE */
};

/* ---- definitions ---- */

struct parameter_type {
    const struct tree_type **types; /* more than one: a union */
    size_t count;
};

struct tree_parameter {
    uint32_t at;
    struct slice name;
    struct parameter_type type;
    struct tree_dimension *dimensions;
    size_t dimension_count;
    bool many;                  /* ... */
    struct expression *initial; /* its default; NULL: none */
    /* checked */
    const struct type *checked; /* with dimensions; of `many`, the type of one */
    struct variable *variable;  /* of a composite or app function */
};

enum function_kind { FUNCTION_COMPOSITE, FUNCTION_APP, FUNCTION_LEAF };

enum { REDIRECT_STDIN, REDIRECT_STDOUT, REDIRECT_STDERR, REDIRECTIONS };

struct script_function {
    uint32_t at; /* of its name */
    struct slice name;
    enum function_kind kind;
    struct annotations annotations;
    struct slice *type_variables;
    size_t type_variable_count;
    struct tree_parameter *outputs, *inputs;
    size_t output_count, input_count;
    struct block *body;        /* COMPOSITE */
    struct expression **words; /* APP; @name is a NAME */
    size_t word_count;
    struct expression *redirections[REDIRECTIONS]; /* NULL: none */
    struct slice package, version, procedure;      /* LEAF; procedure "" : none */
    struct expression *template;                   /* LEAF: its string; NULL: none */
    /* checked */
    struct script_function *overload; /* the next function of the same name */
    bool builtin;                     /* it stands in a module of the standard library */
};

enum item_kind {
    ITEM_FUNCTION,
    ITEM_STRUCT,   /* type NAME { fields } */
    ITEM_SUBTYPE,  /* type NAME type; */
    ITEM_ALIAS,    /* typedef NAME type; */
    ITEM_CONSTANT, /* global const type name = value; */
    ITEM_IMPORT,
    ITEM_PRAGMA,
    ITEM_STATEMENT,
};

struct tree_field {
    uint32_t at;
    struct slice name;
    const struct tree_type *type;
    struct tree_dimension *dimensions;
    size_t dimension_count;
};

struct item {
    enum item_kind kind;
    uint32_t at;
    struct slice name; /* of a type or pragma; of a module, with points: "pkg.sub.name" */
    bool quoted;       /* IMPORT: "name" */
    struct script_function *function;
    struct tree_field *fields; /* STRUCT */
    size_t field_count;
    const struct tree_type *type;  /* SUBTYPE (NULL: of file), ALIAS, CONSTANT */
    struct declarator *declarator; /* CONSTANT */
    struct expression **arguments; /* PRAGMA */
    size_t argument_count;
    struct statement *statement;
};

/* One text: the script, or a module. */
struct module {
    struct slice name; /* as imported; "" for the script */
    bool builtin;      /* of the standard library */
    struct item *items;
    size_t item_count;
};

/* All of a script: its modules, each behind those that it imports, and itself last. */
struct script {
    struct module **modules;
    size_t module_count, module_capacity;
};

#endif
