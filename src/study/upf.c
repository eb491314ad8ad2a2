/*
 * upf.c - an unrolled parameter file: one JSON object per line, each of them a trial.
 *
 * Every key is a choice among its distinct values in the file, so a trial is a point like any
 * other. A key that is missing in a line is inactive there.
 */
#include "study/read.h"

#include <math.h>

enum { LINES = 1000000, CELLS = 64 << 20, ID_BYTES = 100 };

/* A key of the file and its values so far. */
struct column {
    const char *name;
    struct value *values;
    size_t count, capacity;
    struct map index; /* JSON of a value to its index */
    size_t last_line; /* the last line that had this key, from 1 */
};

/* A key and its value in one line. */
struct cell {
    uint32_t column, value;
};

struct upf {
    struct reader *reader;
    struct arena *arena;
    const struct source *source;
    struct column *columns;
    size_t column_count, column_capacity;
    struct cell *cells; /* cells of all lines, in their order */
    size_t cell_count, cell_capacity;
    size_t *ends; /* where each line ends in `cells` */
    size_t end_capacity;
    const char **ids; /* id of each line */
    size_t line_count, id_capacity;
    struct map id_index;
    struct str text; /* scratch */
};

static void upf_mistake(struct upf *upf, const char *at, const char *message)
{
    struct place place = place_of_byte(upf->source, (size_t)(at - upf->source->text));
    mistake(upf->reader->mistakes, place, "%s", message);
}

/* ---- values ---- */

static enum value_kind value_kind_of(enum json_kind kind)
{
    switch (kind) {
    case JSON_STRING: return VALUE_STRING;
    case JSON_NULL: return VALUE_NULL;
    case JSON_TRUE:
    case JSON_FALSE: return VALUE_BOOL;
    case JSON_NUMBER: return VALUE_NUMBER;
    default: return VALUE_JSON;
    }
}

/* Adds a value to the column; the index keeps `key`. */
static size_t add_value(struct upf *upf, struct column *column, enum json_kind kind,
                        struct slice key)
{
    struct value value = {.kind = value_kind_of(kind)};
    struct json json;
    json_open(&json, key.text, key.length);
    if (kind == JSON_STRING) {
        json_string(&json, &upf->text);
        value.text = arena_copy(upf->arena, str_text(&upf->text), upf->text.length);
    } else {
        value.text = arena_copy(upf->arena, key.text, key.length);
    }
    if (kind == JSON_NUMBER)
        value.number = json_number(&json);
    column->values =
        memory_grow(column->values, &column->capacity, column->count + 1, sizeof value);
    column->values[column->count] = value;
    map_add(&column->index, key, (uint32_t)column->count);
    return column->count++;
}

/* Takes a value from the reader; returns its index in the column, -1 if it is wrong. */
static int64_t take_value(struct upf *upf, struct json *json, struct column *column)
{
    enum json_kind kind = json_peek(json);
    const char *from = json->at;
    struct slice key = json_raw(json);
    if (json->error)
        return -1;
    /* The same string may be escaped in several ways. */
    if (kind == JSON_STRING && memchr(key.text, '\\', key.length)) {
        struct json again;
        struct str canonical = {0};
        json_open(&again, key.text, key.length);
        json_string(&again, &upf->text);
        if (again.error || (upf->text.length && strlen(upf->text.text) != upf->text.length)) {
            upf_mistake(upf, from,
                        again.error ? again.error : "a value cannot contain a zero byte");
            return -1;
        }
        json_put_string(&canonical, str_text(&upf->text), upf->text.length);
        key.length = canonical.length;
        key.text = arena_copy(upf->arena, canonical.text, canonical.length);
        str_free(&canonical);
    }
    int64_t found = map_find(&column->index, key);
    return found != MAP_NONE ? found : (int64_t)add_value(upf, column, kind, key);
}

/* ---- keys ---- */

/* The column of a key, created if it is new; the search starts after the last one found. */
static struct column *find_column(struct upf *upf, struct slice key, size_t start)
{
    for (size_t i = 0; i < upf->column_count; i++) {
        size_t at = (start + i) % upf->column_count;
        if (slice_is(key, upf->columns[at].name))
            return &upf->columns[at];
    }
    const char *name = arena_copy(upf->arena, key.text, key.length);
    if (!is_name(name, ".-") || key.length > READ_NAME) {
        upf_mistake(upf, key.text,
                    "this key cannot be the name of a parameter: use letters, digits, _ . and -, "
                    "at most 64, with a letter or _ first");
        return NULL;
    }
    if (upf->column_count == READ_PARAMETERS) {
        upf_mistake(upf, key.text, "the file has more than 1000 different keys");
        return NULL;
    }
    upf->columns = memory_grow(upf->columns, &upf->column_capacity, upf->column_count + 1,
                               sizeof *upf->columns);
    upf->columns[upf->column_count] = (struct column){.name = name};
    return &upf->columns[upf->column_count++];
}

static void take_id(struct upf *upf, struct json *json)
{
    enum json_kind kind = json_peek(json);
    const char *from = json->at;
    struct slice raw = json_raw(json);
    if (json->error)
        return;
    if (kind == JSON_STRING) {
        struct json again;
        json_open(&again, raw.text, raw.length);
        json_string(&again, &upf->text);
    } else {
        str_clear(&upf->text);
        str_add_bytes(&upf->text, raw.text, raw.length);
    }
    const char *id = str_text(&upf->text);
    bool good = (kind == JSON_STRING || kind == JSON_NUMBER) && upf->text.length > 0 &&
                upf->text.length <= ID_BYTES && strlen(id) == upf->text.length && id[0] != '.' &&
                !strchr(id, '/');
    for (const char *p = id; *p; p++)
        good = good && (unsigned char)*p >= ' ';
    if (!good)
        upf_mistake(upf, from,
                    "'id' must be text or a number of at most 100 bytes that has no '/' and does "
                    "not start with '.'");
    else
        upf->ids[upf->line_count] = arena_copy(upf->arena, id, upf->text.length);
}

/* ---- lines ---- */

static void add_cell(struct upf *upf, const struct column *column, int64_t value)
{
    upf->cells =
        memory_grow(upf->cells, &upf->cell_capacity, upf->cell_count + 1, sizeof *upf->cells);
    upf->cells[upf->cell_count++] =
        (struct cell){(uint32_t)(column - upf->columns), (uint32_t)value};
}

static void take_pair(struct upf *upf, struct json *json, struct slice key, size_t *next)
{
    if (slice_is(key, "id")) {
        if (upf->ids[upf->line_count])
            upf_mistake(upf, key.text, "the key 'id' appears twice");
        take_id(upf, json);
        return;
    }
    struct column *column = find_column(upf, key, *next);
    if (!column) {
        json_skip(json);
        return;
    }
    *next = (size_t)(column - upf->columns) + 1;
    if (column->last_line == upf->line_count + 1)
        upf_mistake(upf, key.text, "this key appears twice in the line");
    column->last_line = upf->line_count + 1;
    int64_t value = take_value(upf, json, column);
    if (value >= 0)
        add_cell(upf, column, value);
}

/* The default id is the number of the trial, from 0. */
static void end_line(struct upf *upf, const char *line)
{
    size_t at = upf->line_count;
    if (!upf->ids[at])
        upf->ids[at] = arena_printf(upf->arena, "%zu", at);
    int64_t first = map_find(&upf->id_index, slice_of(upf->ids[at]));
    if (first != MAP_NONE) {
        struct place place = place_of_byte(upf->source, (size_t)(line - upf->source->text));
        mistake(upf->reader->mistakes, place, "the id '%s' is already used by trial %lld",
                upf->ids[at], (long long)first + 1);
    } else {
        map_add(&upf->id_index, slice_of(upf->ids[at]), (uint32_t)at);
    }
    upf->ends[at] = upf->cell_count;
    upf->line_count++;
}

static void take_line(struct upf *upf, const char *line, size_t length)
{
    struct json json;
    struct slice key;
    size_t next = 0, count = upf->line_count + 1;
    upf->ends = memory_grow(upf->ends, &upf->end_capacity, count, sizeof *upf->ends);
    upf->ids = memory_grow(upf->ids, &upf->id_capacity, count, sizeof *upf->ids);
    upf->ids[upf->line_count] = NULL;
    json_open(&json, line, length);
    json_enter(&json, '{');
    while (json_key(&json, &key))
        take_pair(upf, &json, key, &next);
    if (json_close(&json))
        upf_mistake(upf, json.at, json.error);
    end_line(upf, line);
}

/* Length of a line without its comment, which starts with # outside a string. */
static size_t without_comment(const char *line, size_t length)
{
    bool in_string = false;
    if (!memchr(line, '#', length))
        return length;
    for (size_t i = 0; i < length; i++) {
        if (line[i] == '"')
            in_string = !in_string;
        else if (line[i] == '\\' && in_string)
            i++;
        else if (line[i] == '#' && !in_string)
            return i;
    }
    return length;
}

static void take_lines(struct upf *upf)
{
    const char *p = upf->source->text, *end = p + upf->source->length;
    if (upf->source->length >= 3 && memcmp(p, "\xef\xbb\xbf", 3) == 0)
        p += 3;
    while (p < end && upf->reader->mistakes->count < ERR_LIST_LIMIT) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        size_t length = without_comment(p, (size_t)((newline ? newline : end) - p));
        size_t blank = 0;
        while (blank < length && strchr(" \t\r", p[blank]))
            blank++;
        if (blank < length && upf->line_count == LINES) {
            upf_mistake(upf, p, "the file has more than 1000000 trials");
            return;
        }
        if (blank < length)
            take_line(upf, p + blank, length - blank);
        p = newline ? newline + 1 : end;
    }
}

/* ---- the space and its points ---- */

static void make_space(struct upf *upf)
{
    struct space *space = &upf->reader->study->space;
    if (!upf->columns)
        return;
    space->count = upf->column_count;
    space->parameters = arena_new(upf->arena, space->count, sizeof *space->parameters);
    for (size_t i = 0; i < space->count; i++) {
        const struct column *column = &upf->columns[i];
        struct value *values = arena_new(upf->arena, column->count, sizeof *values);
        if (column->count > 0)
            memcpy(values, column->values, column->count * sizeof *values);
        space->parameters[i] = (struct parameter){.name = column->name,
                                                  .kind = PARAMETER_CHOICE,
                                                  .values = values,
                                                  .value_count = column->count,
                                                  .fallback = NAN};
    }
}

static void make_points(struct upf *upf)
{
    struct study *study = upf->reader->study;
    size_t columns = upf->column_count, at = 0;
    double *points = arena_new(upf->arena, upf->line_count * columns, sizeof *points);
    for (size_t i = 0; i < upf->line_count * columns; i++)
        points[i] = NAN;
    for (size_t i = 0; i < upf->line_count; i++)
        for (; at < upf->ends[i]; at++)
            points[i * columns + upf->cells[at].column] = upf->cells[at].value;
    const char **ids = arena_new(upf->arena, upf->line_count + 1, sizeof *ids);
    memcpy(ids, upf->ids, upf->line_count * sizeof *ids);
    study->upf_ids = ids;
    study->search.list = points;
    study->search.list_count = upf->line_count;
}

static void upf_free(struct upf *upf)
{
    for (size_t i = 0; i < upf->column_count; i++) {
        map_free(&upf->columns[i].index);
        free(upf->columns[i].values);
    }
    free(upf->columns);
    free(upf->cells);
    free(upf->ends);
    free(upf->ids);
    map_free(&upf->id_index);
    str_free(&upf->text);
}

/* What is wrong with the file as a whole, or NULL. */
static const char *whole_mistake(const struct upf *upf)
{
    if (upf->line_count == 0)
        return "the file has no trials: it needs one JSON object per line";
    if (upf->column_count == 0)
        return "no line of the file has a hyperparameter";
    if (upf->line_count * upf->column_count > CELLS)
        return "the file has too many trials with too many keys";
    return NULL;
}

void read_upf(struct reader *reader)
{
    struct upf upf = {.reader = reader, .arena = &reader->study->arena, .source = reader->upf};
    size_t good = utf8_check(reader->upf->text, reader->upf->length);
    size_t before = reader->mistakes->count;
    if (reader->space)
        mistake(reader->mistakes, reader->space->first->key_place,
                "the parameter file says what to try: --set does not apply");
    if (good < reader->upf->length)
        upf_mistake(&upf, reader->upf->text + good, "this is not UTF-8 text");
    else
        take_lines(&upf);
    if (reader->mistakes->count == before) {
        const char *wrong = whole_mistake(&upf);
        if (wrong)
            mistake(reader->mistakes, (struct place){reader->upf, 0, 0}, "%s", wrong);
        else
            make_points(&upf);
    }
    make_space(&upf);
    upf_free(&upf);
}
