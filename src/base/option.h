/*
 * option.h - an option of a search algorithm or an early stopper.
 *
 * Everything about an option is in one row of a constant table: its name, its allowed values, its
 * default and its help. All code that reads, checks, shows or uses the option refers to that row. A
 * table is ended by a row without a name.
 *
 * The value of an option is a number; if the option has words, the index of the word. An option
 * that is not given is NaN.
 */
#ifndef BASE_OPTION_H
#define BASE_OPTION_H

#include <math.h>
#include <stdbool.h>

struct option {
    const char *name;
    const char *about;        /* one line for the user */
    const char *const *words; /* the allowed words, ended by NULL; NULL: it is a number */
    double low, high;         /* the smallest and the largest number */
    double fallback;          /* the default; NaN: there is none, as `about` explains */
    bool whole;               /* only whole numbers are allowed */
};

/* Rows of a table; the default comes before the help. */
#define OPTION_NUMBER(name_, low_, high_, fallback_, about_)                                       \
    {                                                                                              \
        .name = (name_), .about = (about_), .low = (low_), .high = (high_),                        \
        .fallback = (fallback_)                                                                    \
    }
#define OPTION_WHOLE(name_, low_, high_, fallback_, about_)                                        \
    {                                                                                              \
        .name = (name_), .about = (about_), .low = (low_), .high = (high_),                        \
        .fallback = (fallback_), .whole = true                                                     \
    }
#define OPTION_WORD(name_, words_, fallback_, about_)                                              \
    {                                                                                              \
        .name = (name_), .about = (about_), .words = (words_), .fallback = (fallback_)             \
    }

/* True if a number is in the option's range, and whole if it must be. */
static inline bool option_accepts(const struct option *option, double number)
{
    return number >= option->low && number <= option->high &&
           (!option->whole || number == floor(number));
}

/* The value that counts: the given one, else the default. */
static inline double option_value(const struct option *option, double given)
{
    return isnan(given) ? option->fallback : given;
}

#endif
