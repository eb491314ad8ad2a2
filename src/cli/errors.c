/* errors.c - errors and notes as the user sees them, and the exit code. */
#include "cli/cli.h"

#include <errno.h>
#include <stdarg.h>

/* Appends a source line as it is shown; returns the screen column of the caret. */
static size_t show_source(struct str *shown, const struct err *e)
{
    size_t length = strlen(e->source), at = 0, caret = 0;
    int meant = e->caret > 0 ? e->caret : e->column;
    for (int column = 1; at < length; column++) {
        size_t bytes = cli_character(e->source + at, length - at);
        if (column == meant)
            caret = cli_text_width(str_text(shown), shown->length);
        if (e->source[at] == '\t' || e->source[at] == '\n')
            str_add(shown, "    ");
        else
            cli_add_safe(shown, e->source + at, bytes);
        at += bytes;
        if (at >= length && meant > column)
            caret = cli_text_width(shown->text, shown->length);
    }
    return caret;
}

static void print_source(const struct err *e)
{
    struct str shown = {0}, cut = {0};
    char number[16] = "   "; /* a word of the command line has no line number */
    int digits = e->file[0] ? snprintf(number, sizeof number, "%3d", e->line) : 3;
    size_t caret = show_source(&shown, e), start = 0, skipped = 0;
    size_t width = cli_width(stderr), margin = (size_t)digits + 3;
    size_t room = width == SIZE_MAX ? width : width > margin + 20 ? width - margin : 20;
    if (caret + 3 >= room) /* the dots of a cut must not hide the place */
        start = cli_text_fit(str_text(&shown), shown.length, caret - room / 2, &skipped);
    cli_add_cut(&cut, str_text(&shown) + start, room);
    const char *dim = cli_colour(stderr, CLI_DIM), *green = cli_colour(stderr, CLI_GREEN),
               *plain = cli_colour(stderr, CLI_PLAIN);
    fprintf(stderr, "%s%s |%s %s\n", dim, number, plain, str_text(&cut));
    if (e->column > 0)
        fprintf(stderr, "%s%*s |%s %*s%s^%s\n", dim, digits, "", plain, (int)(caret - skipped), "",
                green, plain);
    str_free(&shown);
    str_free(&cut);
}

static void print_located(const struct err *e, const char *label, enum cli_colour colour)
{
    struct str text = {0};
    fflush(stdout);
    if (e->file[0]) {
        cli_add_safe(&text, e->file, strlen(e->file));
        if (e->line > 0)
            str_printf(&text, ":%d", e->line);
        if (e->line > 0 && e->column > 0)
            str_printf(&text, ":%d", e->column);
        str_add(&text, ": ");
    }
    cli_add_safe(&text, e->message, strlen(e->message));
    fprintf(stderr, "%s%s:%s %s\n", cli_colour(stderr, colour), label,
            cli_colour(stderr, CLI_PLAIN), text.text);
    if (e->source[0] && e->line > 0)
        print_source(e);
    str_free(&text);
}

void cli_print_err(const struct err *e)
{
    print_located(e, "wick", CLI_RED);
}

void cli_print_notes(const struct err_list *notes)
{
    for (size_t i = 0; i < notes->count && i < ERR_LIST_LIMIT; i++)
        print_located(&notes->items[i], "note", CLI_YELLOW);
}

void cli_print_warnings(const struct err_list *warnings)
{
    for (size_t i = 0; i < warnings->count && i < ERR_LIST_LIMIT; i++)
        print_located(&warnings->items[i], "warning", CLI_YELLOW);
}

void cli_print_errs(const struct err_list *mistakes)
{
    size_t kept = mistakes->count < ERR_LIST_LIMIT ? mistakes->count : ERR_LIST_LIMIT;
    const char *file = "";
    for (size_t i = 0; i < kept; i++) {
        cli_print_err(&mistakes->items[i]);
        if (!file[0])
            file = mistakes->items[i].file;
    }
    if (mistakes->count > kept)
        fprintf(stderr, "wick: %zu more not shown\n", mistakes->count - kept);
    if (mistakes->count > 1)
        fprintf(stderr, "%zu mistakes%s%s\n", mistakes->count, file[0] ? " in " : "", file);
}

static int exit_code(int code)
{
    return code == ERR_USER ? 2 : 1;
}

int cli_fail(const struct err *e)
{
    cli_print_err(e);
    return exit_code(e->code);
}

int cli_code_of(const struct err_list *mistakes)
{
    int code = 1;
    for (size_t i = 0; i < mistakes->count && i < ERR_LIST_LIMIT; i++)
        if (exit_code(mistakes->items[i].code) > code)
            code = exit_code(mistakes->items[i].code);
    return code;
}

int cli_fail_all(struct err_list *mistakes)
{
    int code = cli_code_of(mistakes);
    cli_print_errs(mistakes);
    err_list_free(mistakes);
    return code;
}

void cli_note(const char *format, ...)
{
    char text[1024];
    struct str safe = {0};
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    cli_add_safe(&safe, text, strlen(text));
    fflush(stdout);
    fprintf(stderr, "%snote:%s %s\n", cli_colour(stderr, CLI_YELLOW), cli_colour(stderr, CLI_PLAIN),
            str_text(&safe));
    str_free(&safe);
}

int cli_finish(int code)
{
    errno = 0;
    bool failed = fflush(stdout) != 0;
    int number = errno;
    if (!failed && !ferror(stdout))
        return code;
    /* A reader that has seen enough, as in `wick list | head`, is not an error. */
    if (number != EPIPE)
        fprintf(stderr, "wick: cannot write the output: %s\n",
                number ? strerror(number) : "write error");
    return code ? code : 1;
}
