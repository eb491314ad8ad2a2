/*
 * err.h - errors as values.
 *
 * A function that can fail returns 0 or a negative code and takes `struct err *e` last. The
 * struct has a fixed size and no pointers, so it crosses ranks as bytes. Only cli prints it.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stddef.h>

enum err_code {
    ERR_SYSTEM = -1, /* the machine refused: disk full, no such program, no permission */
    ERR_USER = -2,   /* the user's mistake; the program's exit code is 2 */
};

struct err {
    int code;          /* 0: nothing happened */
    int line, column;  /* place in `file`, from 1; 0: no place */
    char file[256];    /* the user's file, or "" */
    char source[256];  /* the line of the file that is wrong, a part of it when long, or "" */
    int caret;         /* the character of `source` that is meant, from 1; 0: that of `column` */
    char message[768]; /* what is wrong and what would be right, without a final newline */
};

#define ERR_FORMAT(a, b) __attribute__((format(printf, a, b)))

/* Sets code and message; returns code. */
int err_set(struct err *e, int code, const char *format, ...) ERR_FORMAT(3, 4);

/* Like err_set() with code ERR_SYSTEM; ": " and the text of errno follow the message. */
int err_system(struct err *e, const char *format, ...) ERR_FORMAT(2, 3);

/* Puts "context: " before the message of an error that is set; returns its code. */
int err_wrap(struct err *e, const char *format, ...) ERR_FORMAT(2, 3);

/* Several mistakes at once, for a reader that goes on after the first. Owns its items. */
struct err_list {
    struct err *items;
    size_t count, capacity;
};

enum { ERR_LIST_LIMIT = 100 }; /* mistakes beyond this are counted in `count`, not kept */

/*
 * A new error at the end of the list (a scratch one beyond the limit): code ERR_USER, the rest
 * zeroed. It stays where it is until the next call.
 */
struct err *err_list_add(struct err_list *list);
/* Frees its errors; it is empty then. */
void err_list_free(struct err_list *list);

/* Ends the program: an invariant of Wick itself is broken. */
#define BUG(...) err_bug(__FILE__, __LINE__, __VA_ARGS__)
/* What BUG() calls: names the place in the source, and ends the program. */
_Noreturn void err_bug(const char *file, int line, const char *format, ...) ERR_FORMAT(3, 4);

#endif
