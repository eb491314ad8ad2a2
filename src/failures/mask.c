/* mask.c - texts without their values. */
#include "failures/failures.h"

#include <ctype.h>

enum { HEX_WORD = 8 }; /* the shortest word of hexadecimal digits that is a number */

static bool is_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool is_digit(char c)
{
    return isdigit((unsigned char)c);
}

/* The length of a word with all that belongs to it if it is a path. */
static size_t path_length(struct slice text)
{
    static const char others[] = "/._-+~@%=";
    size_t length = 0, slashes = 0;
    for (; length < text.length; length++) {
        char c = text.text[length];
        if (!is_word(c) && !(c && strchr(others, c)))
            break;
        slashes += c == '/';
    }
    return slashes > 0 ? length : 0;
}

/* "12", "-3.5e-07", "0x7f", "64x128", "12GB" */
static size_t number_length(struct slice text)
{
    size_t length = text.text[0] == '-' || text.text[0] == '+';
    if (length >= text.length || !is_digit(text.text[length]))
        return 0;
    for (; length < text.length; length++) {
        char c = text.text[length], before = length > 0 ? text.text[length - 1] : 0;
        bool is_exponent = (c == '-' || c == '+') && (before == 'e' || before == 'E') &&
                           length + 1 < text.length && is_digit(text.text[length + 1]);
        if (!is_word(c) && c != '.' && !is_exponent)
            break;
    }
    return length;
}

/* An address or a checksum. */
static bool is_hexadecimal(struct slice word)
{
    size_t digits = 0;
    for (size_t i = 0; i < word.length; i++) {
        if (!isxdigit((unsigned char)word.text[i]))
            return false;
        digits += is_digit(word.text[i]);
    }
    return word.length >= HEX_WORD && digits > 0;
}

/* A word that starts with a letter: only its digits are values. */
static void add_word(struct str *s, struct slice word)
{
    if (is_hexadecimal(word)) {
        str_add_char(s, '#');
        return;
    }
    for (size_t i = 0; i < word.length; i++)
        if (!is_digit(word.text[i]))
            str_add_char(s, word.text[i]);
        else if (i == 0 || !is_digit(word.text[i - 1]))
            str_add_char(s, '#');
}

void failures_mask(struct str *s, struct slice text)
{
    while (text.length > 0) {
        size_t length = path_length(text), word = 0;
        if (length > 0) {
            str_add_char(s, '/');
        } else if ((length = number_length(text)) > 0) {
            str_add_char(s, '#');
        } else {
            while (word < text.length && is_word(text.text[word]))
                word++;
            length = word > 0 ? word : 1;
            add_word(s, (struct slice){text.text, length});
        }
        text = (struct slice){text.text + length, text.length - length};
    }
}
