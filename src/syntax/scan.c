/*
 * scan.c - text becomes pieces, the tokens of the preprocessor.
 *
 * A string over several lines is one piece, so that nothing in it is taken for a directive, a
 * comment or a macro: """ and ---- before a newline, and even "..." as long as no directive comes
 * before its end. C knows none of them, so with its own preprocessor they would only work if
 * nothing in them looked like C.
 */
#include "syntax/preprocess_private.h"

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* Whatever is not ASCII counts as a letter: it takes no part in anything. */
static bool in_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' ||
           ((unsigned char)c & 0x80) != 0;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v';
}

static bool is_sign(char c)
{
    return c != 0 && strchr("#%*+:&|=!<>/-(){}[],;.@^~?", c);
}

/* Skips blanks and comments. */
static void skip_gap(struct reader *reader, struct piece *piece)
{
    const char *at = reader->at, *end = reader->end;
    for (;;) {
        while (is_blank(*at))
            at++;
        if (at[0] != '/' || (at[1] != '/' && at[1] != '*'))
            break;
        bool to_newline = at[1] == '/';
        const char *close = to_newline ? memchr(at, '\n', (size_t)(end - at))
                                       : memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
        if (!close && !to_newline)
            reader->open_comment = at;
        at = !close ? end : to_newline ? close : close + 2;
        piece->plain = false;
    }
    piece->space = at > reader->at;
    reader->at = at;
}

static size_t sign_length(const char *at)
{
    static const char pairs[][3] = {"##", "%/", "%%", "**", "+=", ":=", "&&",
                                    "||", "==", "!=", ">=", "<=", "<<", ">>"};
    if (strncmp(at, "...", 3) == 0)
        return 3;
    for (size_t i = 0; is_sign(at[1]) && i < sizeof pairs / sizeof *pairs; i++)
        if (at[0] == pairs[i][0] && at[1] == pairs[i][1])
            return 2;
    return 1;
}

static const char *number_end(const char *at)
{
    bool hexadecimal = at[0] == '0' && (at[1] == 'x' || at[1] == 'X');
    while (in_name(*at) || *at == '.') {
        bool exponent = (*at == 'e' || *at == 'E') && !hexadecimal;
        at += exponent && (at[1] == '-' || at[1] == '+') ? 2 : 1;
    }
    return at;
}

/* The quote that ends a text in this line, or the end of the line. */
static const char *quote_end(const struct reader *reader, const char *at, char quote)
{
    while (at < reader->end && *at != quote && *at != '\n')
        at += *at == '\\' && at + 1 < reader->end && at[1] != '\n' ? 2 : 1;
    return at;
}

/* """ or ---- at the end of a line, up to its partner; NULL if there is none. */
static const char *lines_end(const struct reader *reader, const char *at, const char *mark)
{
    size_t length = strlen(mark);
    if (reader->one_line || strncmp(at, mark, length) != 0)
        return NULL;
    const char *from = at + length;
    if (from[*from == '\r'] != '\n')
        return NULL;
    const char *close = memmem(from, (size_t)(reader->end - from), mark, length);
    return close ? close + length : NULL;
}

/* The end of a "..." whose first line ends at `at`; NULL if a directive comes first. */
static const char *string_end(const struct reader *reader, const char *at)
{
    while (at < reader->end && *at == '\n') {
        if (reader->one_line || directive_at(at + 1))
            return NULL;
        at = quote_end(reader, at + 1, '"');
    }
    return at < reader->end ? at + 1 : NULL;
}

static enum piece_kind scan_string(struct reader *reader)
{
    const char *start = reader->at, *lines = lines_end(reader, start, "\"\"\"");
    if (lines) {
        reader->at = lines;
        return PIECE_STRING;
    }
    reader->at = quote_end(reader, start + 1, '"');
    if (*reader->at == '"') {
        reader->at++;
        return PIECE_STRING;
    }
    reader->open_quote = start;
    const char *end = string_end(reader, reader->at);
    if (end)
        reader->at = end;
    return end ? PIECE_STRING : PIECE_OTHER;
}

static enum piece_kind scan_character(struct reader *reader)
{
    const char *end = quote_end(reader, reader->at + 1, '\'');
    bool closed = *end == '\'';
    reader->at = closed ? end + 1 : reader->at + 1;
    return closed ? PIECE_CHARACTER : PIECE_OTHER;
}

static enum piece_kind scan_sign(struct reader *reader)
{
    const char *lines = lines_end(reader, reader->at, "----");
    reader->at = lines ? lines : reader->at + sign_length(reader->at);
    return lines ? PIECE_STRING : PIECE_SIGN;
}

static enum piece_kind scan_piece(struct reader *reader)
{
    const char *at = reader->at;
    if (is_digit(*at) || (*at == '.' && is_digit(at[1]))) {
        reader->at = number_end(at);
        return PIECE_NUMBER;
    }
    if (in_name(*at)) {
        while (in_name(*reader->at))
            reader->at++;
        return PIECE_NAME;
    }
    if (*at == '"')
        return scan_string(reader);
    if (*at == '\'')
        return scan_character(reader);
    if (is_sign(*at))
        return scan_sign(reader);
    reader->at++;
    return PIECE_OTHER;
}

void scan(struct reader *reader, struct piece *piece)
{
    *piece = (struct piece){.plain = true, .gap = reader->at};
    skip_gap(reader, piece);
    const char *start = reader->at;
    piece->first = !reader->inside;
    if (start >= reader->end || (reader->one_line && *start == '\n')) {
        piece->kind = PIECE_END;
    } else if (*start == '\n') {
        piece->kind = PIECE_NEWLINE;
        reader->at++;
        reader->inside = false;
    } else {
        piece->kind = scan_piece(reader);
        reader->inside = true;
    }
    piece->text = (struct slice){start, (size_t)(reader->at - start)};
}

bool piece_is(const struct piece *piece, const char *sign)
{
    return piece->kind == PIECE_SIGN && slice_is(piece->text, sign);
}

const char *piece_place(const struct piece *piece)
{
    return piece->gap ? piece->text.text : NULL;
}

void pieces_add(struct pieces *pieces, const struct piece *piece)
{
    pieces->items =
        memory_grow(pieces->items, &pieces->capacity, pieces->count + 1, sizeof *pieces->items);
    pieces->items[pieces->count++] = *piece;
}

bool pieces_merge(char last, char next)
{
    const char both[] = {last, next, 0};
    if (in_name(last) && in_name(next))
        return true;
    if ((last == '.' && is_digit(next)) || (is_digit(last) && next == '.'))
        return true;
    if ((last == 'e' || last == 'E') && (next == '-' || next == '+'))
        return true;
    if (last == next && strchr(".-\"", last)) /* ..., ---- and """ are longer */
        return last != 0;
    return sign_length(both) == 2 || (last == '/' && (next == '/' || next == '*'));
}

struct spliced splice(struct slice text, struct arena *arena)
{
    const char *at = text.text, *end = at + text.length, *backslash = at;
    struct spliced out = {.text = text};
    char *copy = NULL;
    uint32_t *splices = NULL;
    size_t length = 0, capacity = 0;
    while ((backslash = memchr(backslash, '\\', (size_t)(end - backslash)))) {
        size_t newline = backslash[1] == '\n'                           ? 2
                         : backslash[1] == '\r' && backslash[2] == '\n' ? 3
                                                                        : 0;
        if (newline == 0) {
            backslash += backslash[1] == '\\' ? 2 : 1; /* of two, neither joins the lines */
            continue;
        }
        if (!copy)
            copy = arena_new(arena, text.length + 1, 1);
        memcpy(copy + length, at, (size_t)(backslash - at));
        length += (size_t)(backslash - at);
        splices = memory_grow(splices, &capacity, out.count + 1, sizeof *splices);
        splices[out.count++] = (uint32_t)length;
        at = backslash += newline;
    }
    if (!copy)
        return out;
    memcpy(copy + length, at, (size_t)(end - at));
    out.text = (struct slice){copy, length + (size_t)(end - at)};
    out.splices =
        memcpy(arena_new(arena, out.count, sizeof *splices), splices, out.count * sizeof *splices);
    free(splices);
    return out;
}
