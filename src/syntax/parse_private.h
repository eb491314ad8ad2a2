/*
 * parse_private.h - what the files of the parser share.
 *
 *   parse.c             tokens, mistakes and recovery; the items of a text
 *   parse_expression.c  expressions and calls
 *   parse_statement.c   statements
 *   parse_definition.c  types and functions
 *
 * A function that reads something starts at its first token and ends behind its last one. After a
 * mistake, which it has reported, it returns NULL or false. If `lost` is set as well, it is
 * unknown what the current token belongs to: the reader of the statement or header around it finds
 * a place to go on, and clears it.
 *
 * Everything that is read by recursion is counted: `nesting` bounds the stack of the parser, and
 * the depths of expressions and statements that of the later stages, which walk through the tree.
 */
#ifndef SYNTAX_PARSE_PRIVATE_H
#define SYNTAX_PARSE_PRIVATE_H

#include "syntax/parse.h"

enum {
    NESTING_LIMIT = 200, /* brackets, blocks and signs around a token */
    DEPTH_LIMIT = 1000,  /* of a tree; a row of operators, of => or of else if is as deep as long */
};

struct parser {
    const struct sources *sources;
    const struct token *tokens; /* the last one is TOKEN_END */
    size_t count;
    size_t at;           /* number of the current token */
    uint32_t *partners;  /* of an opening bracket: the number of the one that closes it; 0: none */
    struct arena *arena; /* for the tree */
    struct syntax_report *report;
    size_t before;   /* mistakes in the report that are not of this text */
    int nesting;     /* at most NESTING_LIMIT */
    int depth;       /* of statements, at most DEPTH_LIMIT */
    bool lost;       /* see above */
    int blocks;      /* around the current token; 0 at the top level */
    bool unbalanced; /* a brace is missing or one too many, and that has been reported */
    bool deep;       /* nested too deeply: that has been reported */
};

/* ---- tokens ---- */

/* A token by its number; behind the end, the last one. */
static inline const struct token *parse_token(const struct parser *p, size_t number)
{
    return &p->tokens[number < p->count ? number : p->count - 1];
}

/* The kind of a token by its number. */
static inline enum token_kind parse_kind(const struct parser *p, size_t number)
{
    return parse_token(p, number)->kind;
}

/* True if the current token has this kind. */
static inline bool parse_is(const struct parser *p, enum token_kind kind)
{
    return parse_kind(p, p->at) == kind;
}

/* Takes the current token if it has this kind. */
static inline bool parse_take(struct parser *p, enum token_kind kind)
{
    bool same = parse_is(p, kind);
    p->at += same && kind != TOKEN_END;
    return same;
}

/* True at the two tokens of =>. */
static inline bool parse_is_arrow(const struct parser *p)
{
    return parse_is(p, TOKEN_ASSIGN) && parse_kind(p, p->at + 1) == TOKEN_MORE;
}

/* Position of the current token. */
static inline uint32_t parse_here(const struct parser *p)
{
    return parse_token(p, p->at)->at;
}

/* Position behind the previous token: the place of what is missing. */
uint32_t parse_behind(const struct parser *p);
/* True if the current token is the first of its line. */
bool parse_starts_line(const struct parser *p);
/* True for a word that can only be the first of a statement. */
bool parse_starts_statement(enum token_kind kind);
/* True if a statement or block may start with such a token. */
bool parse_may_start(enum token_kind kind);

/* ---- mistakes ---- */

/* Reports a mistake, and that the parser is lost. */
void parse_mistake(struct parser *p, uint32_t at, const char *format, ...) ERR_FORMAT(3, 4);
/* The same for what a missing brace, or one too many, may have caused; only the first is reported.
 */
void parse_unbalanced(struct parser *p, uint32_t at, const char *format, ...) ERR_FORMAT(3, 4);
/* Reports the current token: "a name is expected here, not '3'". */
void parse_unexpected(struct parser *p, const char *expected);
/* Takes a token, or reports that it is missing; `where` says it: "after the condition". */
bool parse_expect(struct parser *p, enum token_kind kind, const char *where);
/*
 * The same for a bracket that closes a list: anything else than a comma before it is reported, with
 * what may be meant. `what` is an item of the list: "argument".
 */
bool parse_expect_close(struct parser *p, enum token_kind kind, const char *what);
/* Takes a comma in a list that ends with this kind of token, which may not stand behind it. */
bool parse_comma(struct parser *p, enum token_kind close);
/* Takes the semicolon at the end of `what`: "statement"; a missing one is reported. */
void parse_end(struct parser *p, const char *what);
/* Takes a name, or reports what is there instead of it. */
bool parse_name(struct parser *p, const char *expected, struct slice *name, uint32_t *at);
/* Enters something nested; false, and reported, if that is too deep. Leave it by p->nesting--. */
bool parse_enter(struct parser *p);
/* The same for the depth of statements: leave it by p->depth--. */
bool parse_descend(struct parser *p);
/* Goes on behind the statement that started at this token. */
void parse_recover(struct parser *p, size_t start);
/* After a mistake inside of a bracket: goes on behind the one that closes it, if any; false. */
bool parse_skip(struct parser *p, size_t open);
/*
 * Ends the header of a body. If the parser is lost, it looks for the brace that opens the body;
 * `start` is the first token of the header, a bracket if it has one. False if it stays lost.
 */
bool parse_find_body(struct parser *p, size_t start);

/* Reads what only the top level may have, and reports it; false if there is a statement here. */
bool parse_misplaced(struct parser *p);

/*
 * Room for one more item in an array of the tree that has `count` of them: returns the array, or a
 * larger copy. New room is zeroed.
 */
void *parse_grow(struct parser *p, void *items, size_t count, size_t size);

/* ---- parse_expression.c ---- */

/* Reads an expression. */
struct expression *parse_expression(struct parser *p);
/* Reads an expression without comparisons, which ends before >. */
struct expression *parse_mapping(struct parser *p);
/* Reads a call, at its name or annotations. */
struct expression *parse_call(struct parser *p);
/* Reads a literal, an array, a dictionary, a range, a name or an expression in brackets. */
struct expression *parse_word(struct parser *p);
/* Reads a variable, an element or a field, as the target of an assignment. */
struct expression *parse_target(struct parser *p);
/* Reads the rest of a range without brackets, at its first colon. */
struct expression *parse_bare_range(struct parser *p, struct expression *start);
/* Makes an expression without items from a token. */
struct expression *parse_leaf(struct parser *p, enum expression_kind kind, size_t token);

/* ---- parse_statement.c ---- */

/* Reads a statement with its semicolon; an empty one is not one. */
struct statement *parse_statement(struct parser *p);
/* Reads { statements } at the opening brace. */
struct block *parse_block(struct parser *p);

/* ---- parse_definition.c ---- */

/* Reads a type; with `brackets`, these may follow, as in bag<int[]>. */
const struct tree_type *parse_type(struct parser *p, bool brackets);
/* Reads the brackets behind a name. */
bool parse_dimensions(struct parser *p, struct tree_dimension **dimensions, size_t *count);
/* Reads a type as it stands before a name, and reports brackets that should stand behind it. */
const struct tree_type *parse_type_of_name(struct parser *p);
/* True if a function is defined here; else it is a statement. */
bool parse_starts_function(const struct parser *p);
/* For what is taken for a function, but has no types: the statement that may be meant, or NULL. */
const char *parse_misspelt(const struct parser *p);
/* The number of the token behind annotations such as @pure and @dispatch=WORKER. */
size_t parse_behind_annotations(const struct parser *p, size_t number);
/* Reads these annotations. */
bool parse_annotations(struct parser *p, struct annotations *annotations);
/* Reads the definition of a function. */
struct script_function *parse_function(struct parser *p);
/* Reads type ... or typedef ... */
bool parse_type_definition(struct parser *p, struct item *item);
/* Reads global const ... */
bool parse_constant(struct parser *p, struct item *item);
/* Reads name, brackets, mapping and value of a declaration. */
bool parse_declarator(struct parser *p, struct declarator *declarator);

#endif
