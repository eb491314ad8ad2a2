/* seal.c - the number and the checksum at the end of each record. */
#include "journal/seal.h"

#include <endian.h>
#include <sys/random.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum {
    NAME = 7,   /* length of ,"seq": */
    START = 8,  /* length of ,"sum":" */
    DIGITS = 16 /* of the sum */
};

static const char SEAL_START[] = ",\"sum\":\"";
static const char NUMBER[] = ",\"seq\":";

/* The hexadecimal digits of 32 bits, all at once: each byte of a word is spread and converted. */
static uint64_t digits_of(uint32_t bits)
{
    const uint64_t EACH = UINT64_C(0x0101010101010101);
    uint64_t word = (bits & 0xffff) | (uint64_t)(bits >> 16) << 32;
    word = (word & UINT64_C(0x000000ff000000ff)) | (word & UINT64_C(0x0000ff000000ff00)) << 8;
    word = (word & UINT64_C(0x000f000f000f000f)) | (word & UINT64_C(0x00f000f000f000f0)) << 4;
    uint64_t is_letter = (word + 6 * EACH) >> 4 & EACH;
    word += '0' * EACH + is_letter * ('a' - '0' - 10);
    return htobe64(word);
}

static void put_digits(char *to, uint64_t bits)
{
    uint64_t words[2] = {digits_of((uint32_t)(bits >> 32)), digits_of((uint32_t)bits)};
    memcpy(to, words, DIGITS);
}

static uint64_t sum_of(const char *text, size_t length, uint64_t key)
{
    return XXH3_64bits(text, length) ^ key;
}

/* Adds 1 to the digits; false if there is one digit more then. */
static bool add_one(struct seal_count *count)
{
    size_t at = count->digits;
    while (at > 0 && count->text[at - 1] == '9')
        count->text[--at] = '0';
    if (at > 0)
        count->text[at - 1]++;
    return at > 0;
}

void seal_set(struct seal_count *count, uint64_t number)
{
    bool is_next = number == count->number + 1;
    count->number = number;
    if (!is_next || !add_one(count))
        count->digits =
            (uint64_t)snprintf(count->text, sizeof count->text, "%llu", (unsigned long long)number);
}

void seal_add(struct str *s, size_t from, const struct seal_count *count, uint64_t key)
{
    enum { MOST = NAME + sizeof count->text + SEAL_SUM };
    if (s->capacity - s->length <= MOST)
        str_reserve(s, MOST);
    char *at = s->text + s->length;
    memcpy(at, NUMBER, NAME);
    memcpy(at + NAME, count->text, sizeof count->text);
    at += NAME + count->digits;
    uint64_t sum = sum_of(s->text + from, (size_t)(at - s->text) - from, key);
    memcpy(at, SEAL_START, START);
    put_digits(at + START, sum);
    memcpy(at + START + DIGITS, "\"}", 3);
    s->length = (size_t)(at + SEAL_SUM - s->text);
}

/* The length up to ,"sum" of what ends like a sealed record; 0 if it does not. */
static size_t length_before(struct slice record)
{
    size_t length = record.length - SEAL_SUM;
    if (record.length <= SEAL_SUM || memcmp(record.text + length, SEAL_START, START) != 0 ||
        memcmp(record.text + record.length - 2, "\"}", 2) != 0)
        return 0;
    return length;
}

/* Reads ,"seq":17 at the end of a text; returns the length of what is before it, or 0. */
static size_t read_number(const char *text, size_t length, uint64_t *number)
{
    uint64_t value = 0, place = 1;
    size_t at = length;
    for (; at > 0 && length - at < 18 && text[at - 1] >= '0' && text[at - 1] <= '9'; place *= 10)
        value += place * (uint64_t)(text[--at] - '0');
    *number = value;
    if (at == length || at <= NAME || memcmp(text + at - NAME, NUMBER, NAME) != 0)
        return 0;
    return at - NAME;
}

/* The same if it is the expected number. */
static size_t expect_number(const char *text, size_t length, const struct seal_count *expected)
{
    size_t at = length - expected->digits;
    if (length <= NAME + expected->digits || memcmp(text + at - NAME, NUMBER, NAME) != 0)
        return 0;
    for (size_t i = expected->digits; i > 0; i--)
        if (text[at + i - 1] != expected->text[i - 1])
            return 0;
    return at - NAME;
}

size_t seal_check(struct slice record, uint64_t key, const struct seal_count *expected,
                  uint64_t *number)
{
    char digits[DIGITS];
    size_t length = length_before(record);
    if (length == 0)
        return 0;
    put_digits(digits, sum_of(record.text, length, key));
    if (memcmp(record.text + length + START, digits, DIGITS) != 0)
        return 0;
    size_t body = expect_number(record.text, length, expected);
    *number = expected->number;
    return body > 0 ? body : read_number(record.text, length, number);
}

/* Reads the digits of a sum or a key. */
static bool read_digits(const char *text, uint64_t *bits)
{
    *bits = 0;
    for (int i = 0; i < DIGITS; i++) {
        char c = text[i];
        if (!((c >= '0' && c <= '9') || (c >= 'a' && c <= 'f')))
            return false;
        *bits = *bits << 4 | (uint64_t)(c <= '9' ? c - '0' : c - 'a' + 10);
    }
    return true;
}

/* True if the text ends as a sealed record does; the sum that it has there. */
static bool read_seal(struct slice record, uint64_t *sum)
{
    uint64_t number;
    size_t length = length_before(record);
    return length > 0 && read_digits(record.text + length + START, sum) &&
           read_number(record.text, length, &number) > 0;
}

bool seal_key(struct slice record, uint64_t *key)
{
    uint64_t sum;
    if (!read_seal(record, &sum))
        return false;
    *key = sum_of(record.text, record.length - SEAL_SUM, sum);
    return true;
}

const char *seal_find(const char *from, const char *end)
{
    uint64_t sum;
    const char *at = from;
    while ((at = memmem(at, (size_t)(end - at), SEAL_START, START)) && end - at >= SEAL_SUM) {
        if (read_seal((struct slice){from, (size_t)(at - from) + SEAL_SUM}, &sum))
            return at;
        at++;
    }
    return NULL;
}

uint64_t seal_sum(struct slice text)
{
    return sum_of(text.text, text.length, 0);
}

int seal_new_key(uint64_t *key)
{
    do
        if (getrandom(key, sizeof *key, 0) != (ssize_t)sizeof *key)
            return -1;
    while (*key == 0);
    return 0;
}

void seal_put_key(struct str *s, uint64_t key)
{
    char digits[DIGITS];
    put_digits(digits, key);
    str_add_bytes(s, digits, DIGITS);
}

bool seal_read_key(struct slice text, uint64_t *key)
{
    return text.length == DIGITS && read_digits(text.text, key);
}
