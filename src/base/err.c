/* err.c - errors as values. */
#include "base/base.h"

#include <errno.h>

static int set(struct err *e, int code, const char *format, va_list arguments)
{
    char text[sizeof e->message]; /* an argument may be e->message itself */
    vsnprintf(text, sizeof text, format, arguments);
    memcpy(e->message, text, strlen(text) + 1);
    e->code = code;
    return code;
}

int err_set(struct err *e, int code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    set(e, code, format, arguments);
    va_end(arguments);
    return code;
}

int err_system(struct err *e, const char *format, ...)
{
    int number = errno;
    va_list arguments;
    va_start(arguments, format);
    set(e, ERR_SYSTEM, format, arguments);
    va_end(arguments);
    size_t used = strlen(e->message);
    snprintf(e->message + used, sizeof e->message - used, ": %s%s", strerror(number),
             number == EFBIG ? " (ulimit -f limits the size of files)" : "");
    return ERR_SYSTEM;
}

int err_thread(struct err *e, const char *format, ...)
{
    int number = errno;
    va_list arguments;
    va_start(arguments, format);
    set(e, ERR_SYSTEM, format, arguments);
    va_end(arguments);
    size_t used = strlen(e->message);
    bool is_limit = number == EAGAIN || number == ENOMEM;
    snprintf(e->message + used, sizeof e->message - used, ": %s",
             is_limit ? "there is not enough memory, or there are too many processes and threads "
                        "(ulimit -v and -u limit them)"
                      : strerror(number));
    return ERR_SYSTEM;
}

bool err_is_outage(int number)
{
    return number == EIO || number == ENOMEM || number == ESTALE || number == EMFILE ||
           number == ENFILE;
}

int err_wrap(struct err *e, const char *format, ...)
{
    char inner[sizeof e->message];
    memcpy(inner, e->message, sizeof inner);
    va_list arguments;
    va_start(arguments, format);
    set(e, e->code, format, arguments);
    va_end(arguments);
    size_t used = strlen(e->message);
    snprintf(e->message + used, sizeof e->message - used, ": %s", inner);
    return e->code;
}

struct err *err_list_add(struct err_list *list)
{
    /* The slot after the last one is scratch space for everything beyond the limit. */
    size_t at = list->count < ERR_LIST_LIMIT ? list->count : ERR_LIST_LIMIT;
    list->items = memory_grow(list->items, &list->capacity, at + 1, sizeof *list->items);
    list->count++;
    list->items[at] = (struct err){.code = ERR_USER};
    return &list->items[at];
}

void err_list_free(struct err_list *list)
{
    free(list->items);
    *list = (struct err_list){0};
}

void err_bug(const char *file, int line, const char *format, ...)
{
    fprintf(stderr, "wick: a bug at %s:%d: ", file, line);
    va_list arguments;
    va_start(arguments, format);
    vfprintf(stderr, format, arguments);
    va_end(arguments);
    fputs("\nPlease report it, with the command that you ran.\n", stderr);
    abort();
}
