/*
 * preprocess_private.h - what the files of the preprocessor share.
 *
 *   scan.c        text becomes pieces, which are the tokens of the preprocessor
 *   macro.c       definitions, and what they expand to
 *   condition.c   the expressions of #if
 *   directive.c   what the lines that start with # do
 *   preprocess.c  files, places, what is written, and the whole
 *
 * A piece comes from a file or from an expansion. Expansions are lists on a stack: the next piece
 * is that of the topmost list that has one left, else that of the file. While the list of a macro
 * is on the stack, its name is not expanded; a name that is read meanwhile is painted, and never
 * expanded later either. So every expansion ends, as C demands.
 *
 * Every piece that an expansion makes is paid for (preprocess_spend()), the number and size of
 * included files are limited, and so is the nesting of arguments, so no input takes long.
 */
#ifndef SYNTAX_PREPROCESS_PRIVATE_H
#define SYNTAX_PREPROCESS_PRIVATE_H

#include "syntax/preprocess.h"

/* ---- pieces (scan.c) ---- */

enum piece_kind {
    PIECE_END, /* of a file, a directive or a list */
    PIECE_NEWLINE,
    PIECE_NAME,
    PIECE_NUMBER, /* whatever starts with a digit, as in C */
    PIECE_STRING,
    PIECE_CHARACTER, /* 'a', which only #if understands */
    PIECE_SIGN,
    PIECE_OTHER,
    PIECE_PARAMETER, /* in the body of a macro */
    PIECE_NOTHING,   /* an empty argument next to ## */
};

struct piece {
    enum piece_kind kind;
    bool space;     /* white space comes before it */
    bool plain;     /* and that has no comments */
    bool first;     /* it is the first of its line */
    bool painted;   /* a name that must not be expanded any more */
    bool quoted;    /* PIECE_PARAMETER: # comes before it */
    bool glued;     /* ## follows it */
    uint32_t index; /* PIECE_PARAMETER: which */
    struct slice text;
    const char *gap; /* start of the white space before it in the file; NULL: not from a file */
};

struct pieces {
    struct piece *items;
    size_t count, capacity;
};

/* The rest of a text that ends in a zero byte; splice() has joined its lines. */
struct reader {
    const char *at, *end;
    bool inside;   /* a piece of this line has been read */
    bool one_line; /* a directive: PIECE_END is the end of its line */
    /* Set by a quote without its partner in the line, and by a comment without end. */
    const char *open_quote, *open_comment;
};

/* Reads the next piece. */
void scan(struct reader *reader, struct piece *piece);
/* True if a piece is this sign. */
bool piece_is(const struct piece *piece, const char *sign);
/* Where messages about a piece point: its place in its file; NULL: an expansion made it. */
const char *piece_place(const struct piece *piece);
/* Appends a piece. */
void pieces_add(struct pieces *pieces, const struct piece *piece);
/* True if a text that ends in `last` and one that starts with `next` need a blank in between. */
bool pieces_merge(char last, char next);

/* A text without its backslashes before a newline, and where they were. */
struct spliced {
    struct slice text;
    const uint32_t *splices; /* offsets in the text */
    size_t count;
};
/* Joins lines; the result lives in the arena, or is the text itself. */
struct spliced splice(struct slice text, struct arena *arena);

/* ---- the preprocessor (preprocess.c) ---- */

/* A place in a file, as #line says. */
struct spot {
    uint32_t file;
    int line, column;
};

/* A file that was read; #include may name it again. */
struct included {
    uint32_t file;
    struct spliced spliced;
    bool once; /* #pragma once */
};

/* A file that is being read. */
struct input {
    size_t included; /* index in the preprocessor's list */
    struct spliced spliced;
    struct reader reader;
    size_t conditions; /* how many were open before it */
    /* The last place that was asked for. They are mostly asked for in their order, so it is cheap.
     */
    const char *counted;
    int line, column;
    size_t splice;
    /* #line */
    uint32_t shown_file;
    int64_t line_shift;
};

/* An #if that is open. */
struct condition {
    const char *at, *name; /* its place, and "#if", "#ifdef" */
    bool taken;            /* one of its branches counted */
    bool last;             /* #else was read */
};

enum macro_kind { MACRO_OBJECT, MACRO_FUNCTION, MACRO_FILE, MACRO_LINE, MACRO_COUNTER };

struct macro {
    enum macro_kind kind;
    struct slice name;
    struct slice *parameters;
    size_t parameter_count;
    bool variadic; /* the last parameter takes all arguments that are left */
    bool busy;     /* its list is on the stack */
    struct pieces body;
    struct spot at;
};

/* A list on the stack of expansions, which it owns. */
struct expansion {
    struct pieces pieces;
    size_t next;
    struct macro *macro; /* NULL: an argument */
};

struct preprocessor {
    struct sources *sources;
    const struct syntax_options *options;
    struct preprocessed *out;
    struct syntax_report *report;
    struct arena arena;
    int result;
    bool stopped; /* a limit was reached */

    struct map paths; /* of included files */
    struct included *included;
    size_t included_count, included_capacity;
    struct input *inputs; /* the last one is read */
    size_t input_count, input_capacity;
    size_t inclusions, bytes; /* all in all */
    struct condition *conditions;
    size_t condition_count, condition_capacity;

    struct map names;
    struct macro **macros; /* NULL: not defined any more */
    size_t macro_count, macro_capacity;
    uint32_t counter; /* __COUNTER__ */

    struct expansion *expansions;
    size_t expansion_count, expansion_capacity;
    size_t floor;    /* expansions below it are not read */
    int depth;       /* of arguments within arguments, where only lists are read */
    bool collecting; /* arguments: they end in the file where they began */
    size_t spent;
    struct spot invocation; /* the place of what an expansion makes */

    const char *written;   /* the file was copied up to here; NULL: the last piece was not */
    bool made;             /* the last segment is that of an expansion */
    struct spot made_spot; /* and this is its place */
};

/* The file that is being read. */
struct input *preprocess_input(struct preprocessor *p);
/* The place of a byte of that file. */
struct spot preprocess_spot(struct preprocessor *p, const char *at);
/*
 * Adds a mistake at a byte of the file that is being read. NULL, or a byte of another text, means
 * the place of the invocation.
 */
void preprocess_mistake(struct preprocessor *p, const char *at, const char *format, ...)
    ERR_FORMAT(3, 4);
/* The same for a warning. */
void preprocess_warning(struct preprocessor *p, const char *at, const char *format, ...)
    ERR_FORMAT(3, 4);
/* Accounts for a piece that an expansion makes, of so many bytes; too many stop everything. */
void preprocess_spend(struct preprocessor *p, size_t bytes);
/* Reports a comment or a string that is not closed, once. */
void preprocess_check(struct preprocessor *p, struct reader *reader);
/* Reads the next piece of the file, or of the one that included it, and runs directives. */
void preprocess_next(struct preprocessor *p, struct piece *piece);
/* Continues with an included file, up to its end. */
void preprocess_enter(struct preprocessor *p, size_t included);
/* Adds a file of the sources to the included ones; returns its index. */
size_t preprocess_add_included(struct preprocessor *p, uint32_t file);

/* ---- macros (macro.c) ---- */

/* The macro of a name; NULL if it has none. */
struct macro *macro_find(const struct preprocessor *p, struct slice name);
/* Defines the macros that are built in. */
void macro_define_builtins(struct preprocessor *p);
/* Reads a definition: what follows #define. */
void macro_define(struct preprocessor *p, struct reader *reader);
/* Removes the macro of a name, if it has one. */
void macro_undefine(struct preprocessor *p, const struct piece *name);
/* Reads the next piece, of an expansion or the file. Names are not expanded. */
void macro_next(struct preprocessor *p, struct piece *piece);
/* Starts the expansion of a name; false if it is not a macro or must not be expanded. */
bool macro_expand(struct preprocessor *p, const struct piece *piece);
/* Appends what the rest of a directive expands to; #if keeps `defined NAME` as it is. */
void macro_expand_line(struct preprocessor *p, struct reader *reader, bool keeps_defined,
                       struct pieces *out);
/* Frees the macros and the stack. */
void macro_free(struct preprocessor *p);

/* ---- conditions (condition.c) ---- */

/* The truth of what follows #if; false after a mistake. `at` is the place of the directive. */
bool condition_holds(struct preprocessor *p, struct reader *reader, const char *at);

/* ---- directives (directive.c) ---- */

/* Runs the directive whose # was read, up to the end of its line. */
void directive_run(struct preprocessor *p, const struct piece *hash);
/* True if a line starts with a known directive. */
bool directive_at(const char *line);
/* Reports the conditions that are open at the end of the file that is being read. */
void directive_close(struct preprocessor *p);

#endif
