/*
 * json_write.h - a writer of JSON: each function appends to a text.
 *
 * json_add_*() adds a value: an item of an array, or the value of a key. json_set_*() adds a member
 * to an object: a key and its value. The writer takes care of the commas. It decides by the last
 * byte of the text, so it has no state of its own, pieces that are already JSON may come in
 * between, and the text may start with something else (earlier lines of JSON, HTML) that does not
 * end in a letter, a digit, a quote or a closing bracket.
 *
 *     json_add_object(&s);
 *     json_set_text(&s, "state", "done");
 *     json_set_array(&s, "scores");
 *     for (...)
 *         json_add_number(&s, scores[i]);
 *     json_end_array(&s);
 *     json_end_object(&s);                   {"state":"done","scores":[0.5,3]}
 *
 * Keys are literals of Wick and are not escaped; json_add_name() adds a key of the user. Writing
 * the journal consists mostly of these calls, so they are inlined where the length of a literal is
 * known.
 */
#ifndef BASE_JSON_WRITE_H
#define BASE_JSON_WRITE_H

#include "base/str.h"

/* ---- without a comma ---- */

/* Appends a string in quotes; bytes that are not UTF-8 become U+FFFD. */
void json_put_string(struct str *s, const char *text, size_t length);
/* Appends a number; NaN and infinities become null. */
void json_put_number(struct str *s, double number);

/* ---- keys ---- */

/* For each byte: true if a value can end in it, so that a comma comes next. */
extern const bool json_ends_value[256];

/* Appends the comma before a value or a key, where one is due. */
static inline void json_comma(struct str *s)
{
    if (s->length > 0 && json_ends_value[(unsigned char)s->text[s->length - 1]])
        str_add_char(s, ',');
}

/* Adds a key; its value comes next. */
static inline void json_add_key(struct str *s, const char *key)
{
    size_t length = strlen(key);
    if (s->capacity - s->length <= length + 4)
        str_reserve(s, length + 4);
    char *at = s->text + s->length;
    if (s->length > 0 && json_ends_value[(unsigned char)at[-1]])
        *at++ = ',';
    *at++ = '"';
    at = __builtin_mempcpy(at, key, length);
    memcpy(at, "\":", 3);
    s->length = (size_t)(at + 2 - s->text);
}

/* Adds a key that is not Wick's own, and may need to be escaped. */
void json_add_name(struct str *s, const char *name);

/* ---- values ---- */

/* Opens an object as a value; members follow until json_end_object(). */
void json_add_object(struct str *s);
/* Closes the object that was opened last. */
void json_end_object(struct str *s);
/* Opens an array as a value; items follow until json_end_array(). */
void json_add_array(struct str *s);
/* Closes the array that was opened last. */
void json_end_array(struct str *s);

/* Adds a string of `length` bytes. */
void json_add_string(struct str *s, const char *text, size_t length);
/* Adds a string that is ended by a zero byte; NULL is null. */
void json_add_text(struct str *s, const char *text);
/* Adds a number; NaN and infinities are null. */
void json_add_number(struct str *s, double number);
/* Adds a whole number. */
void json_add_whole(struct str *s, uint64_t number);
/* Adds true or false. */
void json_add_bool(struct str *s, bool value);
/* Adds null. */
void json_add_null(struct str *s);
/* Adds what is JSON already: a value, or a key that was prepared with its colon. */
void json_add_raw(struct str *s, const char *json);
/* Adds a number, or any other text that is valid JSON, in a format of the caller's. */
void json_add_printf(struct str *s, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Adds an array of numbers. */
void json_add_numbers(struct str *s, const double *numbers, size_t count);

/* ---- members: a key and a value as above ---- */

/* Opens an object as a member. */
static inline void json_set_object(struct str *s, const char *key)
{
    json_add_key(s, key);
    str_add_char(s, '{');
}

/* Opens an array as a member. */
static inline void json_set_array(struct str *s, const char *key)
{
    json_add_key(s, key);
    str_add_char(s, '[');
}

/* Sets a string of `length` bytes. */
static inline void json_set_string(struct str *s, const char *key, const char *text, size_t length)
{
    json_add_key(s, key);
    json_put_string(s, text, length);
}

/* Sets a string that is ended by a zero byte; NULL is null. */
static inline void json_set_text(struct str *s, const char *key, const char *text)
{
    json_add_key(s, key);
    json_add_text(s, text);
}

/* Sets a number; NaN and infinities are null. */
static inline void json_set_number(struct str *s, const char *key, double number)
{
    json_add_key(s, key);
    json_put_number(s, number);
}

/* Sets a whole number. */
static inline void json_set_whole(struct str *s, const char *key, uint64_t number)
{
    json_add_key(s, key);
    str_add_whole(s, number);
}

/* Sets true or false. */
static inline void json_set_bool(struct str *s, const char *key, bool value)
{
    json_add_key(s, key);
    str_add(s, value ? "true" : "false");
}

/* Sets null. */
static inline void json_set_null(struct str *s, const char *key)
{
    json_add_key(s, key);
    str_add(s, "null");
}

/* Sets what is JSON already. */
static inline void json_set_raw(struct str *s, const char *key, const char *json)
{
    json_add_key(s, key);
    str_add(s, json);
}

/* Sets an array of numbers. */
static inline void json_set_numbers(struct str *s, const char *key, const double *numbers,
                                    size_t count)
{
    json_add_key(s, key);
    json_add_numbers(s, numbers, count);
}

/* Sets a number, or any other text that is valid JSON, in a format of the caller's. */
void json_set_printf(struct str *s, const char *key, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

#endif
