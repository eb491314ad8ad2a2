/* flaw.c - what is damaged in the file of a journal, and what is missing because of that. */
#include "journal/flaw.h"

#include <math.h>

enum {
    KEPT = 100000,      /* flaws that are kept; the others are only counted */
    SMALLEST_START = 16 /* bytes: no start of a trial is shorter */
};

/* ---- collecting ---- */

static struct journal_flaw *last_flaw(struct journal_damage *damage)
{
    bool is_kept = damage->kept > 0 && damage->kept == damage->count;
    return is_kept ? &damage->flaws[damage->kept - 1] : NULL;
}

static void add(struct journal_loader *l, const struct journal_flaw *flaw)
{
    struct journal_damage *damage = &l->journal->damage;
    damage->count++;
    if (damage->kept == KEPT)
        return;
    damage->flaws =
        memory_grow(damage->flaws, &damage->capacity, damage->kept + 1, sizeof *damage->flaws);
    damage->flaws[damage->kept++] = *flaw;
}

void flaw_add_head(struct journal_loader *l)
{
    struct journal_flaw flaw = {.kind = FLAW_HEAD, .line = 1};
    bool is_empty = l->journal->file_size == 0;
    if (is_empty)
        snprintf(flaw.what, sizeof flaw.what, "the file is empty");
    l->journal->damage.more |= is_empty;
    l->journal->damage.missing += l->journal->damage.head != JOURNAL_HEAD_COPIED;
    add(l, &flaw);
}

void flaw_add_newline(struct journal_loader *l, uint64_t line)
{
    add(l, &(struct journal_flaw){.kind = FLAW_NEWLINE, .line = line, .offset = l->journal->size});
}

/* True if this place follows directly on damage, with a newline between. */
static bool is_behind(const struct journal_flaw *flaw, uint64_t offset)
{
    bool has_bytes = flaw->kind == FLAW_BYTES || flaw->kind == FLAW_HEAD;
    return has_bytes && flaw->offset <= offset && flaw->offset + flaw->length + 1 >= offset;
}

static bool all_zero(struct slice bytes)
{
    size_t i = 0;
    while (i < bytes.length && bytes.text[i] == 0)
        i++;
    return i == bytes.length;
}

/* Says what damaged bytes seem to have been. */
static void describe(struct slice bytes, char *what, size_t size)
{
    struct slice kind = record_kind_name(bytes);
    const char *colon = kind.text + kind.length;
    what[0] = 0;
    if (all_zero(bytes)) {
        snprintf(what, size, "zeros");
    } else if (record_kind_known(kind) && bytes.length > kind.length + 4 && colon[1] == ':') {
        int digits = 0;
        while (digits < 9 && colon + 2 + digits < bytes.text + bytes.length &&
               colon[2 + digits] >= '0' && colon[2 + digits] <= '9')
            digits++;
        snprintf(what, size, "it starts as {\"%.*s\":%.*s", (int)kind.length, kind.text, digits,
                 colon + 2);
    }
}

void flaw_add_bytes(struct journal_loader *l, uint64_t offset, struct slice bytes)
{
    struct journal_damage *damage = &l->journal->damage;
    struct journal_flaw *last = last_flaw(damage);
    struct journal_flaw flaw = {
        .kind = FLAW_BYTES, .line = l->line, .offset = offset, .length = bytes.length};
    damage->bytes += bytes.length;
    if (!l->sealed) { /* records without numbers: nobody knows how many there were */
        l->may_miss += bytes.length / SMALLEST_START;
        damage->more = true;
    }
    if (last && is_behind(last, offset)) {
        last->length = offset + bytes.length - last->offset;
        return;
    }
    describe(bytes, flaw.what, sizeof flaw.what);
    add(l, &flaw);
}

void flaw_end(struct journal_loader *l)
{
    struct journal_flaw *last = last_flaw(&l->journal->damage);
    bool has_bytes = last && (last->kind == FLAW_BYTES || last->kind == FLAW_HEAD);
    if (has_bytes && last->length > 0 && last->offset + last->length + 1 >= l->journal->file_size)
        last->at_end = l->journal->damage.more = true;
}

void flaw_add_record(struct journal_loader *l, uint64_t line, uint64_t offset, uint64_t length,
                     const char *why)
{
    struct journal_flaw flaw = {
        .kind = FLAW_RECORD, .line = line, .offset = offset, .length = length};
    snprintf(flaw.what, sizeof flaw.what, "%s", why);
    l->journal->damage.bytes += length;
    add(l, &flaw);
}

static int compare_flaws(const void *a, const void *b)
{
    const struct journal_flaw *x = a, *y = b;
    return x->offset < y->offset ? -1 : x->offset > y->offset;
}

void flaw_sort(struct journal *journal)
{
    struct journal_damage *damage = &journal->damage;
    if (damage->kept > 0)
        qsort(damage->flaws, damage->kept, sizeof *damage->flaws, compare_flaws);
}

/* The last of the first `known` flaws that starts at or before this place, or NULL. */
static struct journal_flaw *find_flaw(const struct journal_damage *damage, size_t known,
                                      uint64_t offset)
{
    size_t low = 0, high = known; /* it is below high */
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (damage->flaws[middle].offset <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low > 0 ? &damage->flaws[low - 1] : NULL;
}

void flaw_add_gap(struct journal_loader *l, size_t known, uint64_t line, uint64_t offset,
                  uint64_t first, uint64_t missing)
{
    struct journal_damage *damage = &l->journal->damage;
    struct journal_flaw *flaw = find_flaw(damage, known, offset);
    damage->missing += missing;
    l->may_miss += missing;
    if (flaw && is_behind(flaw, offset) && flaw->missing == 0) {
        flaw->first = first;
        flaw->missing = missing;
    } else if (damage->kept < KEPT) { /* else it is behind a flaw that was only counted */
        add(l, &(struct journal_flaw){.kind = FLAW_GAP,
                                      .line = line,
                                      .offset = offset,
                                      .first = first,
                                      .missing = missing});
    }
}

void flaw_add_jump(struct journal_loader *l, uint64_t offset, uint64_t first, uint64_t last)
{
    struct journal_damage *damage = &l->journal->damage;
    struct journal_flaw flaw = {.kind = FLAW_GAP, .line = l->line, .offset = offset};
    uint64_t missing = last - first + 1;
    if (missing > l->journal->file_size / SMALLEST_START) /* it is the number that is wrong */
        return;
    damage->missing += missing - l->may_miss;
    damage->more = true;
    l->may_miss = missing;
    if (missing == 1)
        snprintf(flaw.what, sizeof flaw.what, "the start of trial %llu", (unsigned long long)first);
    else
        snprintf(flaw.what, sizeof flaw.what, "the starts of trials %llu to %llu",
                 (unsigned long long)first, (unsigned long long)last);
    add(l, &flaw);
}

void flaw_unknown(struct journal *journal, struct slice kind)
{
    struct journal_damage *damage = &journal->damage;
    if (damage->unknown++ == 0)
        snprintf(damage->unknown_kind, sizeof damage->unknown_kind, "%.*s",
                 (int)fmin((double)kind.length, 31), kind.text);
}

/* ---- what the door says of it ---- */

bool journal_is_lost(const struct journal_trial *trial)
{
    return trial->params == 0;
}

bool journal_is_whole(const struct journal *journal)
{
    return journal->damage.count == 0;
}

void journal_put_damage(const struct journal *journal, struct str *s)
{
    const struct journal_damage *damage = &journal->damage;
    str_printf(s, "%zu damaged place%s", damage->count, damage->count == 1 ? "" : "s");
    if (damage->missing > 0)
        str_printf(s, ", and %llu record%s missing", (unsigned long long)damage->missing,
                   damage->missing == 1 ? " is" : "s are");
}

static void put_head(enum journal_head head, struct str *s)
{
    str_add(s, "the head is damaged");
    if (head == JOURNAL_HEAD_EDITED)
        str_add(s, "; study.yaml had what it said, but was edited since");
    else if (head == JOURNAL_HEAD_GUESSED)
        str_add(s, "; study.yaml has only the study: its name, date and folder are guessed");
    else
        str_add(s, ", but study.yaml has what it said");
}

static void put_flaw(const struct journal_flaw *flaw, enum journal_head head, struct str *s)
{
    str_printf(s, "line %llu, byte %llu: ", (unsigned long long)flaw->line,
               (unsigned long long)flaw->offset);
    switch (flaw->kind) {
    case FLAW_HEAD: put_head(head, s); break;
    case FLAW_BYTES:
        str_printf(s, "%llu damaged %s", (unsigned long long)flaw->length,
                   flaw->length == 1 ? "byte" : "bytes");
        break;
    case FLAW_GAP: str_add(s, "something is missing before this place"); break;
    case FLAW_RECORD: str_add(s, "a record that cannot be right"); break;
    case FLAW_NEWLINE: str_add(s, "newlines are missing, or too many"); break;
    }
    if (flaw->what[0])
        str_printf(s, " (%s)", flaw->what);
    if (flaw->missing == 1)
        str_printf(s, ", record %llu is missing", (unsigned long long)flaw->first);
    else if (flaw->missing > 1)
        str_printf(s, ", records %llu to %llu are missing", (unsigned long long)flaw->first,
                   (unsigned long long)(flaw->first + flaw->missing - 1));
    else if (flaw->at_end && flaw->kind == FLAW_HEAD)
        str_printf(s, "; no record is whole in the %llu bytes of the file",
                   (unsigned long long)flaw->length);
    else if (flaw->at_end)
        str_add(s, " at the end of the file: whatever was recorded there is lost");
    str_add_char(s, '\n');
}

void journal_put_flaws(const struct journal *journal, size_t most, struct str *s)
{
    const struct journal_damage *damage = &journal->damage;
    for (size_t i = 0; i < damage->kept && i < most; i++)
        put_flaw(&damage->flaws[i], damage->head, s);
    size_t shown = damage->kept < most ? damage->kept : most;
    if (damage->count > shown)
        str_printf(s, "... and %zu more\n", damage->count - shown);
}

/* The last damage is behind the start of this trial, which has not ended. */
static bool may_have_ended(const struct journal *journal, const struct journal_trial *trial)
{
    const struct journal_damage *damage = &journal->damage;
    return damage->kept > 0 && !outcome_state_ended(trial->state) &&
           trial->params < damage->flaws[damage->kept - 1].offset;
}

size_t journal_damaged_trials(const struct journal *journal, uint32_t *ids, size_t most)
{
    size_t count = 0;
    for (size_t i = 0; i < journal->count; i++) {
        const struct journal_trial *trial = &journal->trials[i];
        if (!journal_is_lost(trial) && !may_have_ended(journal, trial))
            continue;
        if (count < most)
            ids[count] = (uint32_t)i + 1;
        count++;
    }
    return count;
}
