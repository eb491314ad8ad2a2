/*
 * characters.c - text is counted in characters, not bytes.
 *
 * A character is a byte and the continuation bytes (10xxxxxx) behind it. In UTF-8 that is exactly a
 * code point; in other bytes it is something that can be counted and cut just as well.
 */
#include "leaf/leaf.h"

static bool starts_character(char byte)
{
    return ((unsigned char)byte & 0xc0) != 0x80;
}

/* How many of 8 bytes start a character. */
static size_t starts_in_word(const char *text)
{
    const uint64_t ones = UINT64_C(0x0101010101010101);
    uint64_t word;
    memcpy(&word, text, sizeof word);
    uint64_t continues = (word >> 7) & ~(word >> 6) & ones;
    return 8 - (size_t)((continues * ones) >> 56);
}

size_t leaf_characters(struct slice text)
{
    if (text.length == 0)
        return 0;
    size_t count = 1, at = 1; /* the first byte starts a character, whatever it is */
    for (; at + 8 <= text.length; at += 8)
        count += starts_in_word(text.text + at);
    for (; at < text.length; at++)
        count += starts_character(text.text[at]);
    return count;
}

size_t leaf_character_offset(struct slice text, size_t number)
{
    size_t at = 1, left = number;
    if (number == 0)
        return 0;
    for (; at + 8 <= text.length; at += 8) {
        size_t starts = starts_in_word(text.text + at);
        if (starts >= left)
            break;
        left -= starts;
    }
    for (; at < text.length; at++)
        if (starts_character(text.text[at]) && --left == 0)
            return at;
    return text.length;
}

uint32_t leaf_character(struct slice text, size_t *at)
{
    const unsigned char *bytes = (const unsigned char *)text.text + *at;
    size_t start = *at, length = utf8_length(text.text + start, text.length - start);
    do
        ++*at;
    while (*at < text.length && !starts_character(text.text[*at]));
    if (length != *at - start)
        return UINT32_MAX;
    static const unsigned char lead[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t character = bytes[0] & lead[length];
    for (size_t i = 1; i < length; i++)
        character = character << 6 | (bytes[i] & 0x3f);
    return character;
}

bool leaf_add_character(struct str *s, int64_t character)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    bool surrogate = character >= 0xd800 && character <= 0xdfff;
    if (character < 0 || character > 0x10ffff || surrogate)
        return false;
    uint32_t rest = (uint32_t)character;
    size_t length = rest < 0x80 ? 1 : rest < 0x800 ? 2 : rest < 0x10000 ? 3 : 4;
    unsigned char bytes[4];
    for (size_t i = length; i-- > 1; rest >>= 6)
        bytes[i] = (unsigned char)(0x80 | (rest & 0x3f));
    bytes[0] = (unsigned char)(lead[length] | rest);
    str_add_bytes(s, bytes, length);
    return true;
}
