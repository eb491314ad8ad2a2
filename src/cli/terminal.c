/* terminal.c - what the terminal can do, and text that fits it and cannot control it. */
#include "cli/cli.h"
#include "comm/comm.h"

#include <sys/ioctl.h>
#include <unistd.h>

/* ---- the terminal ---- */

bool cli_terminal(FILE *out)
{
    const char *term = getenv("TERM");
    if (comm_launched().start == COMM_MPI) /* what looks like a terminal is mpiexec's pipe */
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
 * Reads one UTF-8 character and returns its length in bytes, 0 if it is not valid. The functions of
 * the C library depend on the locale; the output of a program does not.
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
    /* The last three ranges change the direction of the surrounding text. */
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
    if (character < ranges[0].first) /* almost always */
        return 1;
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (character >= ranges[i].first && character <= ranges[i].last)
            return ranges[i].width;
    return 1;
}

size_t cli_character(const char *text, size_t length)
{
    uint32_t character;
    size_t bytes = read_character(text, length, &character);
    return bytes ? bytes : 1;
}

size_t cli_text_fit(const char *text, size_t length, size_t most, size_t *width)
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
    cli_text_fit(text, length, SIZE_MAX, &width);
    return width;
}

void cli_add_cut(struct str *s, const char *text, size_t width)
{
    size_t used, length = strlen(text);
    if (cli_text_width(text, length) <= width) {
        str_add(s, text);
        return;
    }
    str_add_bytes(s, text, cli_text_fit(text, length, width > 3 ? width - 3 : 0, &used));
    str_add(s, width > 3 ? "..." : "");
}
