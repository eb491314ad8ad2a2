/*
 * json.h - a pull reader of JSON.
 *
 * The reader walks a text that stays in memory and allocates nothing: a journal of a million trials
 * is read in a second, which no library that builds a tree can do. It is strict (RFC 8259), except
 * that it accepts NaN and Infinity, which Python writes. An error is sticky: after it, every call
 * reports the end, and the caller checks once at the end.
 *
 *     struct json j;
 *     struct slice key;
 *     json_open(&j, text, length);
 *     json_enter(&j, '{');
 *     while (json_key(&j, &key)) {
 *         if (slice_is(key, "score"))
 *             score = json_number(&j);
 *         else
 *             json_skip(&j);
 *     }
 *     if (json_close(&j)) ... what was wrong, and where ...
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/str.h"

enum json_kind {
    JSON_NOTHING, /* end of the text, or an error */
    JSON_NULL,
    JSON_TRUE,
    JSON_FALSE,
    JSON_NUMBER,
    JSON_STRING,
    JSON_ARRAY,
    JSON_OBJECT,
};

struct json {
    const char *start, *at, *end;
    const char *error; /* NULL, or a constant text */
    bool first;        /* the next key or item needs no comma */
};

/* Starts reading a text, which must outlive the reader. */
void json_open(struct json *j, const char *text, size_t length);

/* The kind of the next value, without taking it. */
enum json_kind json_peek(struct json *j);

/* Takes '{' or '['. */
void json_enter(struct json *j, char bracket);
/* Takes the next key of an object, still escaped; false at the closing brace, which is taken. */
bool json_key(struct json *j, struct slice *key);
/* Undoes the escapes of a key that json_key() has taken; it replaces the content of `out`. */
void json_unescape(struct slice key, struct str *out);
/* True if another item of an array follows; false at the closing bracket, which is taken. */
bool json_item(struct json *j);

/* Takes a number. */
double json_number(struct json *j);
/* Takes a string; unescaped, it replaces the content of `out`. */
void json_string(struct json *j, struct str *out);
/* Takes any value, as it is written. */
struct slice json_raw(struct json *j);
/* Takes any value and ignores it. */
void json_skip(struct json *j);
/* Takes true or false. */
bool json_bool(struct json *j);

/* NULL if the text was valid and only white space is left; else what is wrong. */
const char *json_close(struct json *j);

/*
 * ERR_USER for an unknown key: "unknown key 'scroe' in 'tell': did you mean 'score'?". `where` is
 * put after the key and may be ""; `words` are the known keys, ended by NULL.
 */
int json_unknown_key(struct slice key, const char *where, const char *const *words, struct err *e);

#endif
