/*
 * number.h - doubles to decimal digits and back, exactly and fast.
 *
 * A study of a million trials writes and reads tens of millions of numbers, most of them with 16 or
 * 17 digits: with printf and strtod, they would take most of the time spent on a journal.
 */
#ifndef BASE_NUMBER_H
#define BASE_NUMBER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Longer than any number: digits are copied in pieces of a fixed size. */
enum { NUMBER_LENGTH = 48 };

/*
 * Writes the shortest decimal text that reads back as exactly this number, without a zero byte at
 * its end; returns its length. Whole numbers below 1e18 are written out, others as %g does it; -0
 * is written as 0.
 */
size_t number_put(char text[NUMBER_LENGTH], double number);
/* Writes a whole number in the same way. */
size_t number_put_whole(char text[NUMBER_LENGTH], uint64_t number);
/* Writes digits * 10^-decimals, with at most 15 digits, as number_put() would, but faster. */
size_t number_put_decimal(char text[NUMBER_LENGTH], uint64_t digits, int decimals);

/*
 * Sets the double nearest to digits * 10^-decimals, ties to even. False, and nothing is set, unless
 * `decimals` is from 0 to 27.
 */
bool number_from_decimal(uint64_t digits, int decimals, double *number);

#endif
