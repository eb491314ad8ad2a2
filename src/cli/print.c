/* print.c - errors, safe text, numbers and colours. */
#include "cli/cli.h"
#include "comm/comm.h"

#include <errno.h>
#include <math.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* ---- the terminal ---- */

bool cli_terminal(FILE *out)
{
    const char *term = getenv("TERM");
    if (comm_launched().start == COMM_MPI) /* what looks like a terminal is a pipe of mpiexec */
        return false;
    return isatty(fileno(out)) && term && strcmp(term, "dumb") != 0;
}

const char *cli_colour(FILE *out, enum cli_colour colour)
{
    static const char *const codes[] = {
        [CLI_PLAIN] = "\033[0m", [CLI_BOLD] = "\033[1m",   [CLI_DIM] = "\033[2m",
        [CLI_RED] = "\033[31m",  [CLI_GREEN] = "\033[32m", [CLI_YELLOW] = "\033[33m",
        [CLI_BLUE] = "\033[34m",
    };
    const char *unwanted = getenv("NO_COLOR");
    return cli_terminal(out) && !(unwanted && unwanted[0]) ? codes[colour] : "";
}

enum cli_colour cli_state_colour(enum outcome_state state)
{
    switch (state) {
    case OUTCOME_RUNNING: return CLI_BLUE;
    case OUTCOME_DONE: return CLI_GREEN;
    case OUTCOME_STOPPED:
    case OUTCOME_INTERRUPTED: return CLI_YELLOW;
    default: return CLI_RED;
    }
}

size_t cli_width(FILE *out)
{
    double columns;
    const char *wanted = getenv("COLUMNS");
    if (!isatty(fileno(out)))
        return SIZE_MAX;
    if (wanted && str_number(wanted, &columns) && columns >= 20 && columns <= 10000)
        return (size_t)columns;
    struct winsize size;
    if (ioctl(fileno(out), TIOCGWINSZ, &size) == 0 && size.ws_col >= 20)
        return size.ws_col;
    return SIZE_MAX;
}

bool cli_utf8(void)
{
    static const char *const names[] = {"LC_ALL", "LC_CTYPE", "LANG"};
    for (size_t i = 0; i < 3; i++) {
        const char *value = getenv(names[i]);
        if (value && value[0])
            return strcasestr(value, "utf-8") || strcasestr(value, "utf8");
    }
    return false;
}

/* ---- text that others wrote ---- */

/*
 * Reads one character of UTF-8 and returns its length in bytes, 0 when it is not one. By hand,
 * because the library's functions depend on the locale, and a program's output does not.
 */
static size_t read_character(const char *text, size_t length, uint32_t *character)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    unsigned char first = (unsigned char)text[0];
    size_t bytes = first < 0x80 ? 1 : first >> 5 == 6 ? 2 : first >> 4 == 14 ? 3 : 4;
    if (bytes == 4 && first >> 3 != 30)
        return 0;
    if (bytes > length)
        return 0;
    *character = bytes == 1 ? first : first & (0x7fu >> bytes);
    for (size_t i = 1; i < bytes; i++) {
        unsigned char next = (unsigned char)text[i];
        if (next >> 6 != 2)
            return 0;
        *character = *character << 6 | (next & 0x3fu);
    }
    bool surrogate = *character >= 0xd800 && *character < 0xe000;
    return *character < least[bytes] || *character > 0x10ffff || surrogate ? 0 : bytes;
}

static bool is_control(uint32_t character)
{
    /* The last three groups change the direction of the text around them. */
    return character < 0x20 || (character >= 0x7f && character < 0xa0) ||
           (character >= 0x200e && character <= 0x200f) ||
           (character >= 0x2028 && character <= 0x202e) ||
           (character >= 0x2066 && character <= 0x2069);
}

void cli_add_safe(struct str *s, const char *text, size_t length)
{
    while (length > 0) {
        uint32_t character;
        size_t bytes = read_character(text, length, &character);
        bool shown = bytes > 0 && (!is_control(character) || *text == '\n' || *text == '\t');
        if (shown) {
            str_add_bytes(s, text, bytes);
        } else {
            bytes = bytes ? bytes : 1;
            for (size_t i = 0; i < bytes; i++)
                str_printf(s, "\\x%02x", (unsigned char)text[i]);
        }
        text += bytes;
        length -= bytes;
    }
}

static size_t character_width(uint32_t character)
{
    static const struct {
        uint32_t first, last;
        size_t width;
    } ranges[] = {
        {0x300, 0x36f, 0},     {0x1100, 0x115f, 2},   {0x200b, 0x200f, 0},   {0x2e80, 0xa4cf, 2},
        {0xac00, 0xd7a3, 2},   {0xf900, 0xfaff, 2},   {0xfe00, 0xfe0f, 0},   {0xfe30, 0xfe6f, 2},
        {0xff00, 0xff60, 2},   {0xffe0, 0xffe6, 2},   {0x1f300, 0x1f64f, 2}, {0x1f680, 0x1f6ff, 2},
        {0x1f900, 0x1f9ff, 2}, {0x20000, 0x3fffd, 2},
    };
    if (character < ranges[0].first) /* nearly always */
        return 1;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (character >= ranges[i].first && character <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

/* The bytes of the longest beginning that fits into `most` columns; *width is what it takes. */
static size_t fit(const char *text, size_t length, size_t most, size_t *width)
{
    size_t at = 0;
    *width = 0;
    while (at < length) {
        uint32_t character;
        size_t bytes = read_character(text + at, length - at, &character);
        size_t columns = bytes ? character_width(character) : 1;
        if (*width + columns > most)
            break;
        *width += columns;
        at += bytes ? bytes : 1;
    }
    return at;
}

size_t cli_text_width(const char *text, size_t length)
{
    size_t width;
    fit(text, length, SIZE_MAX, &width);
    return width;
}

void cli_add_cut(struct str *s, const char *text, size_t width)
{
    size_t used, length = strlen(text);
    if (cli_text_width(text, length) <= width) {
        str_add(s, text);
        return;
    }
    str_add_bytes(s, text, fit(text, length, width > 3 ? width - 3 : 0, &used));
    str_add(s, width > 3 ? "..." : "");
}

/* ---- errors ---- */

/* A source line as it is shown; returns the column of the screen where the caret stands. */
static size_t show_source(struct str *shown, const struct err *e)
{
    size_t length = strlen(e->source), at = 0, caret = 0;
    int meant = e->caret > 0 ? e->caret : e->column;
    for (int column = 1; at < length; column++) {
        uint32_t character;
        size_t bytes = read_character(e->source + at, length - at, &character);
        if (column == meant)
            caret = cli_text_width(str_text(shown), shown->length);
        bytes = bytes ? bytes : 1;
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
    char number[16] = "   "; /* a word of the command line has none */
    int digits = e->file[0] ? snprintf(number, sizeof number, "%3d", e->line) : 3;
    size_t caret = show_source(&shown, e), start = 0, skipped = 0;
    size_t width = cli_width(stderr), margin = (size_t)digits + 3;
    size_t room = width == SIZE_MAX ? width : width > margin + 20 ? width - margin : 20;
    if (caret + 3 >= room) /* the dots of a cut must not cover the place */
        start = fit(str_text(&shown), shown.length, caret - room / 2, &skipped);
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

void cli_print_err(const struct err *e)
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
    fprintf(stderr, "%swick:%s %s\n", cli_colour(stderr, CLI_RED), cli_colour(stderr, CLI_PLAIN),
            text.text);
    if (e->source[0] && e->line > 0)
        print_source(e);
    str_free(&text);
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
        fprintf(stderr, "wick: %zu more are not shown\n", mistakes->count - kept);
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

int cli_fail_all(struct err_list *mistakes)
{
    int code = 1;
    cli_print_errs(mistakes);
    for (size_t i = 0; i < mistakes->count && i < ERR_LIST_LIMIT; i++)
        if (exit_code(mistakes->items[i].code) > code)
            code = exit_code(mistakes->items[i].code);
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
    /* A reader that has seen enough, as in `wick list | head`, is no error to report. */
    if (number != EPIPE)
        fprintf(stderr, "wick: cannot write the output: %s\n",
                number ? strerror(number) : "the device refused it");
    return code ? code : 1;
}

/* ---- numbers ---- */

void cli_add_score(struct str *s, double score)
{
    if (isnan(score))
        str_add_char(s, '-');
    else
        str_printf(s, "%.6g", score);
}

void cli_add_parameter(struct str *s, const struct parameter *parameter, double value)
{
    if (isnan(value)) {
        str_add_char(s, '-');
    } else if (parameter->kind == PARAMETER_FLOAT) {
        str_printf(s, fabs(value) >= 1000 && fabs(value) < 1e7 ? "%.0f" : "%.4g", value);
    } else {
        struct str text = {0};
        space_put_text(parameter, value, &text);
        cli_add_safe(s, str_text(&text), text.length);
        str_free(&text);
    }
}

void cli_add_bytes(struct str *s, uint64_t bytes)
{
    static const char *const units[] = {"KiB", "MiB", "GiB", "TiB", "PiB"};
    if (bytes < 1024) {
        str_printf(s, "%llu bytes", (unsigned long long)bytes);
        return;
    }
    double amount = (double)bytes / 1024;
    size_t unit = 0;
    while (amount >= 1023.5 && unit + 1 < sizeof units / sizeof *units) {
        amount /= 1024;
        unit++;
    }
    str_printf(s, amount < 99.5 ? "%.3g %s" : "%.0f %s", amount, units[unit]);
}

void cli_add_bar(struct str *s, double share, size_t width)
{
    bool blocks = cli_utf8();
    share = share >= 0 && share <= 1 ? share : share > 1;
    size_t full = (size_t)(share * (double)width);
    for (size_t i = 0; i < width; i++)
        str_add(s, i < full ? (blocks ? "█" : "#") : (blocks ? "░" : "."));
}

void cli_add_label(struct str *s, const char *label, int width)
{
    str_printf(s, "%s%-*s%s", cli_colour(stdout, CLI_DIM), width, label,
               cli_colour(stdout, CLI_PLAIN));
}

void cli_set_text(struct str *s, const char *key, const char *text)
{
    json_set_text(s, key, text[0] ? text : NULL);
}

void cli_add_count(struct str *s, uint64_t count, const char *noun)
{
    str_printf(s, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

void cli_add_rate(struct str *s, double rate)
{
    static const struct {
        const char *name;
        double seconds;
    } units[] = {{"a second", 1}, {"a minute", 60}, {"an hour", 3600}};
    size_t unit = 0;
    while (unit < 2 && rate * units[unit].seconds < 1)
        unit++;
    rate *= units[unit].seconds;
    char text[32];
    snprintf(text, sizeof text, rate < 99.5 ? "%.3g" : "%.0f", rate);
    str_printf(s, "%s trial%s %s", text, strcmp(text, "1") == 0 ? "" : "s", units[unit].name);
}
