/*
 * seal.h - what makes damage visible: the number and the checksum at the end of each record
 * (private to this room).
 *
 *   {"start":5,...,"seq":17,"sum":"9f86d081884c7d65"}
 *
 * Records are numbered from 1, the head. The sum is the XXH3 of the record up to ,"sum" in 64 bits,
 * combined with the key of the journal, a random number from its head. So a record that is whole
 * but belongs to another journal, as a file system may leave it in a block after a crash, does not
 * count either. The head itself has the key 0.
 */
#ifndef JOURNAL_SEAL_H
#define JOURNAL_SEAL_H

#include "base/base.h"

/*
 * The number of a record, also as text, since the records of a study are written and read one after
 * the other: the next number mostly differs in one digit. Start with {0}.
 */
struct seal_count {
    uint64_t number;
    uint64_t digits;
    char text[24]; /* starts with the digits */
};

/* Sets the number; going on to the next one is cheapest. */
void seal_set(struct seal_count *count, uint64_t number);

/* Ends the record that starts at `from`: adds its seal and the closing brace. */
void seal_add(struct str *s, size_t from, const struct seal_count *count, uint64_t key);

/*
 * The length of a record without its seal and closing brace, and its number, which is probably the
 * expected one; 0: it has no seal, or the seal does not match.
 */
size_t seal_check(struct slice record, uint64_t key, const struct seal_count *expected,
                  uint64_t *number);

/* True if the text ends as a sealed record does, whatever its sum; the key that would make it
 * match. */
bool seal_key(struct slice record, uint64_t *key);

/* The length of the end of a record from ,"sum" on. */
enum { SEAL_SUM = 26 };

/*
 * The first seal in a text, from ,"sum" on, whatever its sum; NULL: there is none. A parameter
 * named "sum" is not one.
 */
const char *seal_find(const char *from, const char *end);

/* The checksum of a text. */
uint64_t seal_sum(struct slice text);

/* A new key: random, and not 0. -1 and errno if the system has no random numbers. */
int seal_new_key(uint64_t *key);

/* A key or a checksum as text, and back; false if the text is not one. */
void seal_put_key(struct str *s, uint64_t key);
bool seal_read_key(struct slice text, uint64_t *key);

#endif
