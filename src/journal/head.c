/* head.c - the first record of a journal, and the copy of it in DIR/study.yaml. */
#include "journal/head.h"

#include "journal/scan.h"
#include "journal/seal.h"

#include <errno.h>
#include <libgen.h>
#include <math.h>
#include <sys/stat.h>

static const char COPY[] =
    "# The head of the journal, from which `wick repair` can recover it:\n# ";
enum { COPY_LIMIT = 4 * STUDY_FILE_LIMIT }; /* the head has the study file once more, escaped */

static void put_digits(struct str *s, const char *key, uint64_t bits)
{
    json_add_key(s, key);
    str_add_char(s, '"');
    seal_put_key(s, bits);
    str_add_char(s, '"');
}

void head_put(struct str *s, const struct head *head, const struct study *study, bool whole)
{
    size_t from = s->length;
    struct seal_count first = {0};
    seal_set(&first, 1);
    str_add_char(s, '{');
    json_set_whole(s, "wick", head->key ? JOURNAL_VERSION : JOURNAL_UNSEALED);
    json_set_text(s, "study", study->name);
    json_add_key(s, "created");
    str_add_decimal(s, (uint64_t)round(head->created * 1e6), 6);
    put_digits(s, "key", head->key);
    json_set_text(s, "folder", study->model.folder);
    if (strcmp(study->home, study->model.folder) != 0)
        json_set_text(s, "home", study->home);
    if (whole)
        json_set_text(s, "definition", study->text);
    else
        put_digits(s, "text", seal_sum((struct slice){study->text, strlen(study->text)}));
    if (study->file)
        json_set_text(s, "file", study->file);
    if (study->file && strcmp(study->file_text, study->text) != 0)
        json_set_text(s, "says", study->file_text);
    seal_add(s, from, &first, 0);
    str_add_char(s, '\n');
}

int head_load(struct journal *journal, size_t *length, struct err *e)
{
    size_t body;
    struct record record;
    *length = scan_head(journal, &body);
    if (*length == 0)
        return 0;
    const char *wrong = record_read((struct slice){journal->text, *length}, body, &record);
    if (wrong)
        return err_set(e, ERR_USER, "the head of %s/journal is not valid: %s", journal->dir, wrong);
    int failed = load_head(journal, &record, NULL, e);
    journal->loader->sealed = journal->key != 0;
    return failed;
}

/* ---- the copy in DIR/study.yaml ---- */

int head_write_copy(const char *dir, const struct head *head, const struct study *study,
                    struct err *e)
{
    struct str path = {0}, text = {0};
    static const char special[] = " '\"\\$`\t\n"; /* would need quotes */
    study_path(&path, dir, STUDY_COPY);
    if (!strpbrk(path.text, special) && !strpbrk(study->model.folder, special))
        str_printf(&text,
                   "# A copy of the study; the journal has its own. To run it again:\n"
                   "#     wick run %s --folder %s\n",
                   path.text, study->model.folder);
    str_add(&text, COPY);
    head_put(&text, head, study, false);
    str_printf(&text, "%s\n", study->text);
    int failed = study_has_secrets(study) ? str_write_private(path.text, text.text, text.length, e)
                                          : str_write_file(path.text, text.text, text.length, e);
    str_free(&path);
    str_free(&text);
    return failed;
}

/* Finds the copy in the text of the file; false if there is none that is whole. */
static bool find_copy(const struct str *text, struct record *record, const char **definition)
{
    uint64_t number;
    const char *comment = strstr(str_text(text), COPY);
    const char *at = comment ? comment + strlen(COPY) : NULL;
    const char *newline = at ? strchr(at, '\n') : NULL;
    if (!newline)
        return false;
    struct slice line = {at, (size_t)(newline - at)};
    size_t body = seal_check(line, 0, &(struct seal_count){0}, &number);
    *definition = newline + 1;
    return body > 0 && !record_read(line, body, record);
}

static int load_copy(struct journal *journal, const struct record *record, const char *text,
                     struct err *e)
{
    struct str definition = {0};
    str_add(&definition, text);
    if (definition.length > 0)
        definition.text[--definition.length] = 0; /* the newline that ends the copy */
    uint64_t sum, now = seal_sum((struct slice){str_text(&definition), definition.length});
    bool is_edited = load_key(record->text, &sum) && sum != now;
    journal->damage.head = is_edited ? JOURNAL_HEAD_EDITED : JOURNAL_HEAD_COPIED;
    int failed = load_head(journal, record, &definition, e);
    str_free(&definition);
    return failed;
}

uint64_t head_copied_key(const struct journal *journal)
{
    struct str path = {0}, text = {0};
    struct err ignored = {0};
    struct record record;
    const char *definition;
    uint64_t key = 0;
    study_path(&path, journal->dir, STUDY_COPY);
    if (!str_read_regular(&text, path.text, COPY_LIMIT, &ignored) &&
        find_copy(&text, &record, &definition))
        load_key(record.key, &key);
    str_free(&path);
    str_free(&text);
    return key;
}

/* Loads a study file that says nothing of a journal: its name and place are those of the folder. */
static int load_bare(struct journal *journal, const struct str *text, double created, struct err *e)
{
    struct str line = {0};
    struct record record;
    char *dir = realpath(journal->dir, NULL);
    char *copy = memory_copy(dir ? dir : journal->dir), *name = basename(copy);
    char *suffix = strrchr(name, '.');
    if (suffix && strcmp(suffix, ".wick") == 0)
        *suffix = 0;
    uint64_t key = scan_key(journal);
    json_add_object(&line);
    json_set_whole(&line, "wick", key ? JOURNAL_VERSION : JOURNAL_UNSEALED);
    json_set_text(&line, "study", name);
    json_set_number(&line, "created", created);
    json_set_text(&line, "folder", dir ? dirname(dir) : ".");
    json_end_object(&line);
    record_read((struct slice){line.text, line.length}, 0, &record);
    int failed = load_head(journal, &record, text, e);
    journal->key = key;
    journal->damage.head = JOURNAL_HEAD_GUESSED;
    free(dir);
    free(copy);
    str_free(&line);
    return failed;
}

/* True if the copy is that of another journal: no record has its key, and several share another. */
static bool is_foreign(const struct journal *journal, const struct record *copy)
{
    uint64_t key, own = scan_key(journal);
    if (!load_key(copy->key, &key) || key == 0 || own == 0 || own == key)
        return false;
    return scan_count(journal, key) == 0 && scan_count(journal, own) > 1;
}

static int refuse_foreign(const struct journal *journal, const char *path, struct err *e)
{
    return err_set(e, ERR_USER,
                   "the head of %s/journal is damaged, and %s belongs to another run of the study: "
                   "replace it by the right one, or by the study file",
                   journal->dir, path);
}

int head_recover(struct journal *journal, struct err *e)
{
    struct str path = {0}, text = {0};
    struct record record;
    struct stat info;
    const char *definition;
    study_path(&path, journal->dir, STUDY_COPY);
    bool found = stat(path.text, &info) == 0, there = found && S_ISREG(info.st_mode);
    if (!found && err_is_outage(errno))
        err_system(e, "cannot look for %s", path.text);
    else if (!there && journal->file_size == 0)
        err_set(e, ERR_USER, "%s/journal is empty: start the study again with `wick run`",
                journal->dir);
    else if (!there)
        err_set(e, ERR_USER,
                "%s/journal is not a Wick journal, or its head is damaged: to recover it, copy the "
                "study file to %s",
                journal->dir, path.text);
    else
        (void)!str_read_regular(&text, path.text, COPY_LIMIT, e);
    bool has_copy = !e->code && find_copy(&text, &record, &definition);
    if (has_copy && is_foreign(journal, &record))
        (void)!refuse_foreign(journal, path.text, e);
    else if (has_copy)
        (void)!load_copy(journal, &record, definition, e);
    else if (!e->code)
        (void)!load_bare(journal, &text, (double)info.st_mtim.tv_sec, e);
    if (journal->key == 0) /* the copy may be older than the mending of a journal of version 1 */
        journal->key = scan_key(journal);
    journal->loader->sealed = journal->key != 0;
    str_free(&path);
    str_free(&text);
    return e->code;
}
