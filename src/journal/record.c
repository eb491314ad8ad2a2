/* record.c - reads one record of a journal; journal.h lists them all. */
#include "journal/record.h"

#include <math.h>

/* A literal as a slice. */
#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }

enum field_kind { FIELD_NUMBER, FIELD_TEXT, FIELD_BOOL, FIELD_PRESENT };

/* The field of struct record for each key, in the order in which records have them. */
static const struct {
    struct slice key;
    enum field_kind kind;
    size_t field;
} fields[] = {
    {TEXT("time"), FIELD_NUMBER, offsetof(struct record, time)},
    {TEXT("took"), FIELD_NUMBER, offsetof(struct record, took)},
    {TEXT("worker"), FIELD_NUMBER, offsetof(struct record, worker)},
    {TEXT("queued"), FIELD_NUMBER, offsetof(struct record, queued)},
    {TEXT("from"), FIELD_NUMBER, offsetof(struct record, from)},
    {TEXT("params"), FIELD_PRESENT, offsetof(struct record, has_params)},
    {TEXT("state"), FIELD_TEXT, offsetof(struct record, state)},
    {TEXT("score"), FIELD_NUMBER, offsetof(struct record, score)},
    {TEXT("scores"), FIELD_TEXT, offsetof(struct record, scores)},
    {TEXT("violation"), FIELD_NUMBER, offsetof(struct record, violation)},
    {TEXT("cpu"), FIELD_NUMBER, offsetof(struct record, cpu)},
    {TEXT("again"), FIELD_BOOL, offsetof(struct record, again)},
    {TEXT("paused"), FIELD_BOOL, offsetof(struct record, paused)},
    {TEXT("try"), FIELD_NUMBER, offsetof(struct record, try)},
    {TEXT("n"), FIELD_NUMBER, offsetof(struct record, n)},
    {TEXT("value"), FIELD_TEXT, offsetof(struct record, value)},
    {TEXT("seats"), FIELD_TEXT, offsetof(struct record, placement)},
    {TEXT("why"), FIELD_TEXT, offsetof(struct record, why)},
    {TEXT("host"), FIELD_TEXT, offsetof(struct record, host)},
    {TEXT("job"), FIELD_TEXT, offsetof(struct record, job)},
    {TEXT("pid"), FIELD_NUMBER, offsetof(struct record, pid)},
    {TEXT("workers"), FIELD_NUMBER, offsetof(struct record, workers)},
    {TEXT("trials"), FIELD_NUMBER, offsetof(struct record, trials)},
    {TEXT("limit"), FIELD_NUMBER, offsetof(struct record, limit)},
    {TEXT("study"), FIELD_TEXT, offsetof(struct record, study)},
    {TEXT("created"), FIELD_NUMBER, offsetof(struct record, created)},
    {TEXT("folder"), FIELD_TEXT, offsetof(struct record, folder)},
    {TEXT("home"), FIELD_TEXT, offsetof(struct record, home)},
    {TEXT("definition"), FIELD_TEXT, offsetof(struct record, definition)},
    {TEXT("quick"), FIELD_BOOL, offsetof(struct record, quick)},
    {TEXT("cost"), FIELD_NUMBER, offsetof(struct record, cost)},
    {TEXT("file"), FIELD_TEXT, offsetof(struct record, file)},
    {TEXT("keys"), FIELD_TEXT, offsetof(struct record, keys)},
    {TEXT("says"), FIELD_TEXT, offsetof(struct record, says)},
    {TEXT("key"), FIELD_TEXT, offsetof(struct record, key)},
    {TEXT("text"), FIELD_TEXT, offsetof(struct record, text)},
    {TEXT("records"), FIELD_NUMBER, offsetof(struct record, lost)},
    {TEXT("more"), FIELD_BOOL, offsetof(struct record, more)},
};

static const struct {
    struct slice key;
    enum record_kind kind;
} kinds[] = {
    {TEXT("start"), RECORD_START},   {TEXT("end"), RECORD_END},
    {TEXT("step"), RECORD_STEP},     {TEXT("move"), RECORD_MOVE},
    {TEXT("open"), RECORD_OPEN},     {TEXT("close"), RECORD_CLOSE},
    {TEXT("lost"), RECORD_LOST},     {TEXT("earlier"), RECORD_EARLIER},
    {TEXT("wick"), RECORD_HEADER},   {TEXT("nodes"), RECORD_NODES},
    {TEXT("group"), RECORD_TEAM},    {TEXT("pace"), RECORD_PACE},
    {TEXT("change"), RECORD_CHANGE}, {TEXT("repair"), RECORD_REPAIR},
};

enum { FIELDS = sizeof fields / sizeof *fields, KINDS = sizeof kinds / sizeof *kinds };

static enum record_kind find_kind(struct slice key)
{
    for (size_t i = 0; i < KINDS; i++)
        if (slice_equal(key, kinds[i].key))
            return kinds[i].kind;
    return RECORD_OTHER;
}

/*
 * Index of the field with this key, or FIELDS. Keys mostly come in the order of the table, so the
 * search starts at the last one found.
 */
static size_t find_field(struct slice key, size_t start)
{
    for (size_t i = start; i < FIELDS; i++)
        if (slice_equal(key, fields[i].key))
            return i;
    for (size_t i = 0; i < start; i++)
        if (slice_equal(key, fields[i].key))
            return i;
    return FIELDS;
}

static void read_field(struct json *j, size_t index, struct record *record)
{
    char *field = (char *)record + fields[index].field;
    switch (fields[index].kind) {
    case FIELD_NUMBER: *(double *)field = json_number(j); break;
    case FIELD_TEXT: *(struct slice *)field = json_raw(j); break;
    case FIELD_BOOL: *(bool *)field = json_bool(j); break;
    case FIELD_PRESENT:
        json_skip(j);
        *(bool *)field = true;
        break;
    }
}

/* Reads the fields up to the seal, if there is one. */
static void read_fields(struct json *j, const char *seal, struct record *record)
{
    struct slice key;
    size_t last = 0;
    while ((!seal || j->at < seal) && json_key(j, &key)) {
        size_t next = find_field(key, last);
        if (next == FIELDS) {
            json_skip(j); /* a key for journal_result(), or of a later version */
            continue;
        }
        if (fields[next].kind == FIELD_PRESENT && seal) {
            record->has_params = true; /* they come last, and the seal vouches for them */
            break;
        }
        read_field(j, next, record);
        last = next;
    }
}

const char *record_read(struct slice text, size_t body, struct record *record)
{
    struct json j;
    struct slice key;
    *record = (struct record){.score = NAN, .kind = RECORD_OTHER};
    json_open(&j, text.text, text.length);
    json_enter(&j, '{');
    if (json_key(&j, &key)) {
        record->kind = find_kind(key);
        if (record->kind != RECORD_OTHER)
            record->subject = json_number(&j);
        else
            json_skip(&j);
        read_fields(&j, body > 0 ? text.text + body : NULL, record);
    }
    return body > 0 ? j.error : json_close(&j);
}

struct slice record_kind_name(struct slice text)
{
    size_t length = 0;
    if (text.length < 3 || memcmp(text.text, "{\"", 2) != 0)
        return (struct slice){"", 0};
    const char *name = text.text + 2;
    while (length + 2 < text.length && name[length] >= 'a' && name[length] <= 'z')
        length++;
    return (struct slice){name, length};
}

bool record_kind_known(struct slice name)
{
    return find_kind(name) != RECORD_OTHER;
}
