/* change.c - the study of a journal: texts about it, and its changes. */
#include "journal/journal.h"
#include "journal/records.h"

const char *records_text(struct arena *arena, struct slice quoted)
{
    struct json j;
    struct str text = {0};
    if (quoted.length == 0)
        return NULL;
    json_open(&j, quoted.text, quoted.length);
    json_string(&j, &text);
    const char *copy = arena_copy(arena, str_text(&text), text.length);
    str_free(&text);
    return copy;
}

/* The last "open" has the budget of the study, until a later change. */
static void change_budget(struct journal *journal, const struct study_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        if (strcmp(changes->items[i].key, "search.trials") == 0)
            journal->budget = journal->study.search.trials;
        else if (strcmp(changes->items[i].key, "search.time") == 0)
            journal->limit = journal->study.time;
    }
}

int journal_change(struct journal *journal, const struct study_changes *changes, struct err *e)
{
    struct study changed;
    struct err_list mistakes = {0};
    if (study_change(&changed, &journal->study, changes, &mistakes)) {
        *e = mistakes.items[0];
        err_list_free(&mistakes);
        return e->code;
    }
    /* Whoever follows the journal may still point into the study before. */
    journal->replaced = memory_grow(journal->replaced, &journal->replaced_capacity,
                                    journal->replaced_count + 1, sizeof *journal->replaced);
    journal->replaced[journal->replaced_count++] = journal->study;
    journal->study = changed;
    change_budget(journal, changes);
    return 0;
}

void records_free_earlier(struct journal *journal)
{
    for (size_t i = 0; i < journal->replaced_count; i++)
        study_free(&journal->replaced[i]);
    free(journal->replaced);
}

/* A string, or NULL for null. */
static const char *read_value(struct json *j, struct str *text)
{
    if (json_peek(j) == JSON_NULL) {
        json_skip(j);
        return NULL;
    }
    json_string(j, text);
    return str_text(text);
}

/* [KEY,OLD,NOW] */
static void read_change(struct json *j, struct study_changes *changes)
{
    struct str texts[3] = {0};
    const char *values[3] = {0};
    json_enter(j, '[');
    for (size_t i = 0; json_item(j); i++) {
        if (i < 3)
            values[i] = read_value(j, &texts[i]);
        else
            json_skip(j);
    }
    if (values[0])
        study_changes_add(changes, values[0], values[1], values[2]);
    for (size_t i = 0; i < 3; i++)
        str_free(&texts[i]);
}

const char *records_load_change(struct journal *journal, struct slice keys, struct slice says)
{
    struct json j;
    struct err e = {0};
    struct study_changes changes = {0};
    if (utf8_check(keys.text, keys.length) < keys.length) /* a tree holds only UTF-8 */
        return "a key of the study that is not UTF-8";
    json_open(&j, keys.text, keys.length);
    json_enter(&j, '[');
    while (json_item(&j))
        read_change(&j, &changes);
    const char *wrong = json_close(&j);
    changes.file_text = records_text(&changes.arena, says);
    if (!wrong && journal_change(journal, &changes, &e))
        wrong = "the study would not be valid with its change";
    study_changes_free(&changes);
    return wrong;
}
