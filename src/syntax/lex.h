/* lex.h - text becomes tokens (private to this room). */
#ifndef SYNTAX_LEX_H
#define SYNTAX_LEX_H

#include "syntax/source.h"

enum token_kind {
    TOKEN_END, /* of the text */
    TOKEN_NAME,
    TOKEN_INT,
    TOKEN_FLOAT,
    TOKEN_STRING,
    /* reserved words */
    TOKEN_APP,
    TOKEN_BUILTIN,
    TOKEN_IF,
    TOKEN_SWITCH,
    TOKEN_CASE,
    TOKEN_DEFAULT,
    TOKEN_ELSE,
    TOKEN_FOREACH,
    TOKEN_IN,
    TOKEN_FOR,
    TOKEN_ITERATE,
    TOKEN_UNTIL,
    TOKEN_WAIT,
    TOKEN_DEEP,
    TOKEN_TRUE,
    TOKEN_FALSE,
    TOKEN_GLOBAL,
    TOKEN_CONST,
    TOKEN_TYPE,
    TOKEN_TYPEDEF,
    TOKEN_IMPORT,
    TOKEN_PRAGMA,
    TOKEN_STDIN,
    TOKEN_STDOUT,
    TOKEN_STDERR,
    /* signs, the longest first where one starts another */
    TOKEN_ELLIPSIS,      /* ... */
    TOKEN_INT_DIVIDE,    /* %/ */
    TOKEN_INT_REMAINDER, /* %% */
    TOKEN_POWER,         /* ** */
    TOKEN_APPEND,        /* += */
    TOKEN_UPDATE,        /* := */
    TOKEN_AND,           /* && */
    TOKEN_OR,            /* || */
    TOKEN_EQUAL,         /* == */
    TOKEN_UNEQUAL,       /* != */
    TOKEN_AT_LEAST,      /* >= */
    TOKEN_AT_MOST,       /* <= */
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_DIVIDE,
    TOKEN_PERCENT,
    TOKEN_ASSIGN, /* = */
    TOKEN_NOT,
    TOKEN_MORE, /* > */
    TOKEN_LESS, /* < */
    TOKEN_OPEN, /* ( */
    TOKEN_CLOSE,
    TOKEN_OPEN_BRACE,
    TOKEN_CLOSE_BRACE,
    TOKEN_OPEN_BRACKET,
    TOKEN_CLOSE_BRACKET,
    TOKEN_COMMA,
    TOKEN_SEMICOLON,
    TOKEN_COLON,
    TOKEN_POINT,
    TOKEN_AT,
    TOKEN_BAR, /* | */
};

struct token {
    enum token_kind kind;
    uint32_t at, length; /* position, and bytes in the text */
    int64_t whole;       /* TOKEN_INT */
    double number;       /* TOKEN_FLOAT */
    struct slice text;   /* TOKEN_NAME; the value of a TOKEN_STRING: UTF-8, zero bytes included */
};

/* The tokens of a text; the last one is TOKEN_END. Their texts live in the arena of the sources. */
struct tokens {
    struct token *items;
    size_t count, capacity;
};

/*
 * Lexes a text. A mistake is added to the list, and lexing continues after it, so that several
 * mistakes are found at once. `raw`: a line whose first character is # is a comment. Free items.
 */
void lex(struct sources *sources, size_t text, bool raw, struct tokens *tokens,
         struct err_list *mistakes);

/* How messages call a kind of token: "';'", "a name", "'foreach'". */
const char *token_kind_name(enum token_kind kind);
/* Appends how messages call this token: its text, quoted, shortened if it is long. */
void token_describe(struct str *s, const struct sources *sources, const struct token *token);

#endif
