/*
 * scan.c - finds the records in the text of a journal, whatever has happened to it.
 *
 * A record is what is sealed, wherever it stands. Usually that is a line; but if a newline is
 * damaged, a line holds two records, and if a block of zeros is in the file, it holds the end of
 * one and the start of another. A block that was copied to another place repeats records. So whole
 * records are known by their seals, and sorted by their numbers. Records of version 1 have neither:
 * every line that can be parsed is taken for the next one.
 */
#include "journal/scan.h"

#include "journal/flaw.h"

enum { STARTS = 16 }; /* starts of a record that are tried before the end of one */

/* ---- one record after the other ---- */

/* Loads a record, which is at `place` in the file; one that cannot be right becomes newlines. */
static void load(struct journal_loader *l, struct slice text, uint64_t place, uint64_t number,
                 const struct record *record)
{
    struct journal *journal = l->journal;
    l->offset = (uint64_t)(text.text - journal->text);
    journal->records = number;
    seal_set(&l->next, number + 1);
    const char *wrong = load_record(l, record);
    if (wrong) {
        flaw_add_record(l, l->line, place, text.length, wrong);
        journal->damage.more = true;
        memset(l->buffer + l->offset, '\n', text.length);
    } else if (record->kind == RECORD_OTHER) {
        flaw_unknown(journal, record_kind_name(text));
    }
}

/*
 * Records of version 1 have no numbers, but trials have: if the start of one was removed, that is a
 * loss, and not the end of all that follows.
 */
static void note_jump(struct journal_loader *l, uint64_t place, const struct record *record)
{
    uint64_t count = l->journal->count, missing = load_missing(l, record);
    if (missing > l->may_miss)
        flaw_add_jump(l, place, count + 1, count + missing);
}

/* A record of version 1, as far as one can see. */
static bool read_unsealed(const struct journal_loader *l, struct slice line, struct record *record)
{
    uint64_t key;
    return !l->sealed && !seal_key(line, &key) && !record_read(line, 0, record);
}

/* Loads a line if it is the next record. */
static bool load_line(struct journal_loader *l, struct slice line)
{
    struct record record;
    uint64_t number = l->next.number;
    size_t body = seal_check(line, l->journal->key, &l->next, &number);
    bool is_next = body > 0 ? number == l->next.number && !record_read(line, body, &record)
                            : read_unsealed(l, line, &record);
    uint64_t place = (uint64_t)(line.text - l->journal->text);
    l->sealed |= body > 0;
    if (is_next && body == 0)
        note_jump(l, place, &record);
    if (is_next)
        load(l, line, place, number, &record);
    return is_next;
}

bool scan_lines(struct journal_loader *l)
{
    struct journal *journal = l->journal;
    const char *newline, *end = journal->text + journal->file_size;
    const char *at = journal->text + journal->size;
    bool good = true;
    while (good && at < end && (newline = memchr(at, '\n', (size_t)(end - at)))) {
        l->line++;
        good = load_line(l, (struct slice){at, (size_t)(newline - at)});
        at = good ? newline + 1 : at;
    }
    l->line -= !good;
    journal->size = (size_t)(at - journal->text);
    return good;
}

bool scan_is_torn(const struct journal *journal)
{
    struct slice rest = {journal->text + journal->size, journal->file_size - journal->size};
    if (rest.length == 0)
        return true;
    for (size_t i = 0; i < rest.length; i++)
        if ((unsigned char)rest.text[i] < ' ')
            return false;
    return rest.text[0] == '{' && !seal_find(rest.text, rest.text + rest.length);
}

/* ---- wherever they stand ---- */

/* A whole record in the text. */
struct found {
    size_t place;                /* its offset in the file */
    size_t offset, length, body; /* offset: in the text; body: without its seal, 0: it has none */
    uint64_t number, line;
};

struct salvage {
    struct journal_loader *l;
    const char *text; /* of the whole file */
    struct found *found;
    size_t count, capacity;
};

static void add_found(struct salvage *s, struct slice text, size_t body, uint64_t number)
{
    s->found = memory_grow(s->found, &s->capacity, s->count + 1, sizeof *s->found);
    s->found[s->count++] = (struct found){.place = (size_t)(text.text - s->text),
                                          .length = text.length,
                                          .body = body,
                                          .number = number,
                                          .line = s->l->line};
}

/* The CR of an editor that ends lines with CR and LF is no more than a newline. */
static void add_bytes(struct salvage *s, const char *from, const char *to)
{
    bool is_return = to - from == 1 && from[0] == '\r';
    if (from < to && !is_return)
        flaw_add_bytes(s->l, (uint64_t)(from - s->text), (struct slice){from, (size_t)(to - from)});
}

/* The sealed record that ends at `end` and starts at `from` or behind it; empty: there is none. */
static struct slice find_before(const struct journal_loader *l, const char *from, const char *end,
                                size_t *body, uint64_t *number)
{
    int tried = 0;
    for (const char *at = end - SEAL_SUM; at >= from && tried < STARTS; at--) {
        struct slice text = {at, (size_t)(end - at)};
        if (at[0] != '{' || at[1] != '"' || record_kind_name(text).length == 0)
            continue;
        *body = seal_check(text, l->journal->key, &l->next, number);
        if (*body > 0)
            return text;
        tried++;
    }
    return (struct slice){0};
}

/*
 * Finds the whole records among these bytes; the rest is damaged. A record ends at the first seal
 * behind its start, so none starts before `low`, the last seal that was seen.
 */
static void find_sealed(struct salvage *s, const char *from, const char *end)
{
    const char *seal = from, *low = from;
    while ((seal = seal_find(seal, end))) {
        size_t body;
        uint64_t number;
        const char *stop = seal + SEAL_SUM;
        struct slice text = find_before(s->l, low, stop, &body, &number);
        low = seal = stop;
        if (text.length == 0)
            continue;
        add_bytes(s, from, text.text);
        add_found(s, text, body, number);
        s->l->sealed = true;
        from = stop;
    }
    add_bytes(s, from, end);
}

static void find_in_line(struct salvage *s, struct slice line)
{
    struct record record;
    s->l->line++;
    if (read_unsealed(s->l, line, &record))
        add_found(s, line, 0, s->count > 0 ? s->found[s->count - 1].number + 1 : s->l->next.number);
    else
        find_sealed(s, line.text, line.text + line.length);
}

/* The last line of a journal that is being written may not be complete. */
static void find_all(struct salvage *s)
{
    const struct journal *journal = s->l->journal;
    const char *at = journal->text + journal->size, *end = journal->text + journal->file_size;
    while (at < end) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        if (!newline && journal->running)
            break;
        const char *stop = newline ? newline : end;
        find_in_line(s, (struct slice){at, (size_t)(stop - at)});
        at = stop + 1;
    }
}

static int compare_found(const void *a, const void *b)
{
    const struct found *x = a, *y = b;
    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->place < y->place ? -1 : x->place > y->place;
}

/* Sorts what was found, and drops what is there twice, or was loaded already. */
static void sort_found(struct salvage *s)
{
    size_t kept = 0, last = 0; /* last: the largest place so far */
    if (s->count > 0)
        qsort(s->found, s->count, sizeof *s->found, compare_found);
    for (size_t i = 0; i < s->count; i++) {
        struct found found = s->found[i];
        bool is_copy = found.number < s->l->next.number ||
                       (kept > 0 && found.number == s->found[kept - 1].number);
        if (is_copy || found.place < last)
            flaw_add_record(s->l, found.line, found.place, found.length,
                            is_copy ? "it is a copy" : "it is in the wrong place");
        if (is_copy)
            continue;
        last = found.place > last ? found.place : last;
        s->found[kept++] = found;
    }
    s->count = kept;
}

static void find_gaps(const struct salvage *s)
{
    size_t known = s->l->journal->damage.kept;
    uint64_t expected = s->l->next.number;
    for (size_t i = 0; i < s->count; i++) {
        const struct found *found = &s->found[i];
        if (found->number > expected)
            flaw_add_gap(s->l, known, found->line, found->place, expected,
                         found->number - expected);
        expected = found->number + 1;
    }
}

/* The text of the head and all that was loaded so far, followed by what was found. */
static void replace_text(struct salvage *s)
{
    struct journal_loader *l = s->l;
    struct str text = {0};
    str_add_bytes(&text, l->buffer, l->journal->size);
    if (text.length == 0 || text.text[text.length - 1] != '\n') /* no record has the offset 0 */
        str_add_char(&text, '\n');
    for (size_t i = 0; i < s->count; i++) {
        struct found *found = &s->found[i];
        size_t offset = text.length;
        str_add_bytes(&text, s->text + found->place, found->length);
        str_add_char(&text, '\n');
        found->offset = offset;
    }
    free(l->buffer);
    l->buffer = text.text;
    l->buffer_capacity = text.capacity;
    l->journal->text = text.text;
    l->journal->size = text.length;
    l->rebuilt = true;
}

void scan_salvage(struct journal_loader *l)
{
    struct journal *journal = l->journal;
    struct salvage s = {.l = l, .text = journal->text};
    uint64_t line = l->line + 1, bytes = journal->damage.bytes; /* bytes may join an older flaw */
    size_t before = journal->damage.count;
    find_all(&s);
    uint64_t lines = l->line;
    flaw_end(l);
    sort_found(&s);
    flaw_sort(journal);
    find_gaps(&s);
    if (journal->damage.count == before && journal->damage.bytes == bytes)
        flaw_add_newline(l, line);
    replace_text(&s);
    for (size_t i = 0; i < s.count; i++) {
        struct record record;
        struct slice text = {journal->text + s.found[i].offset, s.found[i].length};
        l->line = s.found[i].line;
        if (record_read(text, s.found[i].body, &record))
            continue;
        if (s.found[i].body == 0)
            note_jump(l, s.found[i].place, &record);
        load(l, text, s.found[i].place, s.found[i].number, &record);
    }
    l->line = lines;
    flaw_sort(journal);
    free(s.found);
}

/* ---- the head ---- */

/* The head may share its line with other records, if its newline is damaged. */
static size_t find_sealed_head(struct slice text, size_t *body)
{
    uint64_t number;
    const char *seal = seal_find(text.text, text.text + text.length);
    if (!seal)
        return 0;
    struct slice head = {text.text, (size_t)(seal - text.text) + SEAL_SUM};
    *body = seal_check(head, 0, &(struct seal_count){0}, &number);
    return *body > 0 && number == 1 ? head.length : 0;
}

size_t scan_head(const struct journal *journal, size_t *body)
{
    struct record record;
    size_t size = journal->loader->rebuilt ? journal->size : journal->file_size;
    const char *newline = memchr(journal->text, '\n', size);
    *body = 0;
    struct slice line = {journal->text, newline ? (size_t)(newline - journal->text) : size};
    size_t sealed = find_sealed_head(line, body);
    if (sealed > 0)
        return sealed;
    uint64_t key; /* what ends as a sealed head does is one, even if it says another version */
    bool plain = newline && !seal_key(line, &key) && !record_read(line, 0, &record) &&
                 record.kind == RECORD_HEADER;
    return plain && record.subject != JOURNAL_VERSION ? line.length : 0;
}

uint64_t scan_key(const struct journal *journal)
{
    const char *at = journal->text, *end = at + journal->file_size, *newline;
    enum { RECENT = 8 };
    uint64_t best = 0, key, recent[RECENT] = {0};
    size_t votes = 0, next = 0;
    for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1) {
        if (!seal_key((struct slice){at, (size_t)(newline - at)}, &key))
            continue;
        bool is_known = false; /* a damaged record seems to have a key that no other one has */
        for (size_t i = 0; i < RECENT; i++)
            is_known |= key == recent[i];
        recent[next++ % RECENT] = key;
        if (!is_known)
            continue;
        if (votes == 0)
            best = key;
        votes = key == best ? votes + 1 : votes - 1; /* a majority vote in one pass */
    }
    return best;
}

size_t scan_count(const struct journal *journal, uint64_t wanted)
{
    const char *at = journal->text, *end = at + journal->file_size, *newline;
    size_t count = 0;
    uint64_t key;
    for (; at < end && (newline = memchr(at, '\n', (size_t)(end - at))); at = newline + 1)
        count += seal_key((struct slice){at, (size_t)(newline - at)}, &key) && key == wanted;
    return count;
}
