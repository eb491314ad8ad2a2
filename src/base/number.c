/*
 * number.c - decimal digits to doubles and back.
 *
 * A double is m * 2^e with m < 2^53, and 10^d is 5^d * 2^d. For d <= 27, 5^d fits in 64 bits, so
 * m * 5^d fits in 128 and all arithmetic here is on integers and exact.
 */
#include "base/base.h"

#include <math.h>

enum { DECIMALS_MOST = 27 };

/* Up to these, whole numbers and powers of ten are exact as doubles. */
static const uint64_t EXACT_WHOLE = UINT64_C(1) << 53;
enum { EXACT_TEN = 22 };

static const uint64_t fives[DECIMALS_MOST + 1] = {1,
                                                  5,
                                                  25,
                                                  125,
                                                  625,
                                                  3125,
                                                  15625,
                                                  78125,
                                                  390625,
                                                  1953125,
                                                  9765625,
                                                  48828125,
                                                  244140625,
                                                  1220703125,
                                                  6103515625,
                                                  30517578125,
                                                  152587890625,
                                                  762939453125,
                                                  3814697265625,
                                                  19073486328125,
                                                  95367431640625,
                                                  476837158203125,
                                                  2384185791015625,
                                                  11920928955078125,
                                                  59604644775390625,
                                                  298023223876953125,
                                                  1490116119384765625,
                                                  7450580596923828125};

static const char pairs[] = "00010203040506070809101112131415161718192021222324"
                            "25262728293031323334353637383940414243444546474849"
                            "50515253545556575859606162636465666768697071727374"
                            "75767778798081828384858687888990919293949596979899";

typedef unsigned __int128 wide;

/* mantissa * 2^exponent, with 2^52 <= mantissa < 2^53. */
struct binary {
    uint64_t mantissa;
    int exponent;
};

static const uint64_t hidden_bit = UINT64_C(1) << 52;

static struct binary binary_of(double number)
{
    uint64_t bits;
    memcpy(&bits, &number, sizeof bits);
    return (struct binary){(bits & (hidden_bit - 1)) | hidden_bit, (int)(bits >> 52) - 1075};
}

/* Rounds x * 10^decimals to a whole number; true if that many decimals read back as x. */
static bool round_to(struct binary x, int decimals, uint64_t *digits)
{
    wide scaled = (wide)x.mantissa * fives[decimals];
    int shift = -x.exponent - decimals; /* x * 10^decimals is scaled / 2^shift */
    if (shift <= 0) {
        *digits = (uint64_t)(scaled << -shift);
        return true;
    }
    wide one = (wide)1 << shift, rest = scaled & (one - 1);
    uint64_t whole = (uint64_t)(scaled >> shift);
    bool up = rest > one / 2 || (rest == one / 2 && whole % 2 == 1);
    *digits = whole + up;
    /*
     * A number closer to x than half of the gap to its neighbour reads back as x. In the units of
     * `rest`, the gap is 5^decimals; below a power of two it is half as wide.
     */
    wide error = up ? one - rest : rest;
    return error * (!up && x.mantissa == hidden_bit ? 4 : 2) < fives[decimals];
}

/* floor(log10(x)) */
static int magnitude_of(struct binary x)
{
    int binary_magnitude = x.exponent + 52;
    /* 1233 / 4096 is just below log10(2), so this is right or 1 too low. */
    int magnitude = (binary_magnitude * 1233) >> 12;
    int decimals = 16 - magnitude, shift = -x.exponent - decimals;
    if (decimals > DECIMALS_MOST || shift <= 0)
        return magnitude;
    uint64_t digits = (uint64_t)((wide)x.mantissa * fives[decimals] >> shift);
    return magnitude + (digits >= UINT64_C(100000000000000000));
}

/* digits * 10^-decimals */
struct decimal {
    uint64_t digits;
    int decimals;
};

/* The fewest digits that read back as this number; false if it is not in 1e-11 ... 1e15. */
static bool shortest(double number, struct decimal *decimal)
{
    if (!(number >= 1e-11 && number < 1e15))
        return false;
    struct binary x = binary_of(number);
    int magnitude = magnitude_of(x);
    /* A number of up to 15 digits shows as such, followed by zeros; 17 digits are always enough. */
    for (int count = 15; count <= 17; count++) {
        int decimals = count - 1 - magnitude;
        uint64_t digits;
        if (decimals > DECIMALS_MOST)
            return false;
        if (round_to(x, decimals, &digits)) {
            for (; digits % 10 == 0; digits /= 10)
                decimals--;
            *decimal = (struct decimal){digits, decimals};
            return true;
        }
    }
    return false;
}

enum { DIGITS = 20 }; /* of the largest whole number */

/* The digits of a whole number. Copying DIGITS bytes takes less time than copying as many as
 * needed. */
struct digits {
    char text[2 * DIGITS]; /* they end in the middle */
    size_t count;
};

static const char *write_digits(struct digits *digits, uint64_t number)
{
    char *at = digits->text + DIGITS;
    for (; number >= 100; number /= 100) /* two at a time: half of the divisions */
        memcpy(at -= 2, pairs + 2 * (number % 100), 2);
    if (number >= 10)
        memcpy(at -= 2, pairs + 2 * number, 2);
    else
        *--at = (char)('0' + number);
    digits->count = (size_t)(digits->text + DIGITS - at);
    return at;
}

size_t number_put_whole(char text[NUMBER_LENGTH], uint64_t number)
{
    struct digits digits;
    memcpy(text, write_digits(&digits, number), DIGITS);
    return digits.count;
}

/* Writes a decimal that is not whole, as %g does: 12.5, 0.00015, 1.5e-05. */
static size_t put_decimal(char text[NUMBER_LENGTH], struct decimal decimal)
{
    struct digits digits;
    const char *at = write_digits(&digits, decimal.digits);
    size_t count = digits.count;
    int point = (int)count - decimal.decimals; /* digits before the point */
    if (point > 0) {
        memcpy(text, at, DIGITS);
        memcpy(text + point + 1, at + point, DIGITS);
        text[point] = '.';
        return count + 1;
    }
    if (point > -4) {
        static const char zeros[] = {'0', '.', '0', '0', '0'};
        memcpy(text, zeros, sizeof zeros);
        memcpy(text + 2 - point, at, DIGITS);
        return count + (size_t)(2 - point);
    }
    text[0] = at[0];
    text[1] = '.';
    memcpy(text + 2, at + 1, DIGITS);
    count += count > 1; /* the point */
    text[count] = 'e';
    text[count + 1] = '-';
    text[count + 2] = (char)('0' + (1 - point) / 10);
    text[count + 3] = (char)('0' + (1 - point) % 10);
    return count + 4;
}

size_t number_put_decimal(char text[NUMBER_LENGTH], uint64_t digits, int decimals)
{
    for (; decimals > 0 && digits % 10 == 0; digits /= 10)
        decimals--;
    if (decimals == 0)
        return number_put_whole(text, digits);
    return put_decimal(text, (struct decimal){digits, decimals});
}

static size_t put_any(char *text, double number)
{
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, NUMBER_LENGTH - 1, "%.*g", digits, number);
        if (strtod(text, NULL) == number)
            break;
    }
    return strlen(text);
}

size_t number_put(char text[NUMBER_LENGTH], double number)
{
    struct decimal decimal;
    double size = fabs(number);
    size_t sign = number < 0;
    if (sign)
        text[0] = '-';
    if (size < 1e18 && size == floor(size))
        return sign + number_put_whole(text + sign, (uint64_t)size);
    if (shortest(size, &decimal))
        return sign + put_decimal(text + sign, decimal);
    return sign + put_any(text + sign, size); /* inf and nan, too */
}

static int bit_length(wide x)
{
    uint64_t high = (uint64_t)(x >> 64);
    return high ? 128 - __builtin_clzll(high) : 64 - __builtin_clzll((uint64_t)x);
}

bool number_from_decimal(uint64_t digits, int decimals, double *number)
{
    if (decimals < 0 || decimals > DECIMALS_MOST)
        return false;
    *number = (double)digits;
    if (digits == 0 || decimals == 0)
        return true;
    if (digits <= EXACT_WHOLE && decimals <= EXACT_TEN) {
        /* Both are exact as doubles, so one division rounds correctly, and is fast. */
        *number /= (double)fives[decimals] * (double)(UINT64_C(1) << decimals);
        return true;
    }
    /* The dividend has its top bit set, so the quotient has 64 bits or more: enough to round. */
    int shift = 64 + __builtin_clzll(digits);
    wide dividend = (wide)digits << shift, divisor = fives[decimals];
    wide quotient = dividend / divisor;
    bool inexact = quotient * divisor != dividend;
    int surplus = bit_length(quotient) - 53;
    wide one = (wide)1 << surplus, rest = quotient & (one - 1);
    uint64_t mantissa = (uint64_t)(quotient >> surplus);
    bool above = rest > one / 2 || (rest == one / 2 && inexact);
    bool tie = rest == one / 2 && !inexact;
    mantissa += above || (tie && mantissa % 2 == 1);
    /* 2^n as a double: multiplying by it is exact. */
    uint64_t bits = (uint64_t)(surplus - shift - decimals + 1023) << 52;
    double scale;
    memcpy(&scale, &bits, sizeof scale);
    *number = (double)mantissa * scale;
    return true;
}
