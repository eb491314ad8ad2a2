/*
 * err.h - errors as values.
 *
 * A function that can fail returns 0 or a negative code and takes `struct err *e` last. The
 * struct has a fixed size and no pointers, so it crosses ranks as bytes. Only cli prints it.
 */
#ifndef BASE_ERR_H
#define BASE_ERR_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

enum err_code {
    ERR_SYSTEM = -1, /* the system failed: disk full, no such program, no permission */
    ERR_USER = -2,   /* a mistake of the user; the exit code is 2 */
};

/* An error. Start with {0}. */
struct err {
    int code;          /* 0: no error */
    int line, column;  /* place in `file`, from 1; 0: no place */
    char file[256];    /* the user's file, or "" */
    char source[256];  /* the line of the file with the mistake, shortened if it is long; or "" */
    int caret;         /* the character of `source` to mark, from 1; 0: that of `column` */
    char message[768]; /* what is wrong and what would be right, without a final newline */
};

#define ERR_FORMAT(a, b) __attribute__((format(printf, a, b)))

/* Sets code and message; returns code. */
int err_set(struct err *e, int code, const char *format, ...) ERR_FORMAT(3, 4);

/* Like err_set() with code ERR_SYSTEM; ": " and the text of errno follow the message. */
int err_system(struct err *e, const char *format, ...) ERR_FORMAT(2, 3);

/* Like err_system() after a thread could not be started: its errno does not say which limit it was.
 */
int err_thread(struct err *e, const char *format, ...) ERR_FORMAT(2, 3);

/*
 * True for an errno that says nothing about a file, such as whether it exists: the disk, the
 * network or the machine has failed, or has no room.
 */
bool err_is_outage(int number);

/* Puts "context: " before the message of an error; returns its code. */
int err_wrap(struct err *e, const char *format, ...) ERR_FORMAT(2, 3);

/* Several mistakes, from a reader that continues after the first. Owns its items. */
struct err_list {
    struct err *items;
    size_t count, capacity;
};

enum { ERR_LIST_LIMIT = 100 }; /* mistakes beyond this are counted but not kept */

/*
 * Adds an error with code ERR_USER, else zeroed, to the list; beyond the limit it is a scratch one.
 * The pointer is valid until the next call.
 */
struct err *err_list_add(struct err_list *list);
/* Frees the items. */
void err_list_free(struct err_list *list);

/* Ends the program: an invariant of Wick itself does not hold. */
#define BUG(...) err_bug(__FILE__, __LINE__, __VA_ARGS__)
/* What BUG() calls: names the place in the source, and ends the program. */
_Noreturn void err_bug(const char *file, int line, const char *format, ...) ERR_FORMAT(3, 4);

#endif
