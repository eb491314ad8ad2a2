/* edits.c - a study that has started takes over what its user has changed since. */
#include "cli/edits.h"
#include "run/run.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

const struct cli_option edits_options[] = {
    {.name = "timeout", .value = "T", .help = "new time limit of a trial"},
    {.name = "memory", .value = "SIZE", .help = "new memory limit of a trial: 512M, 2G"},
    {.name = "grace", .value = "T", .help = "new time a trial gets to end before it is killed"},
    {.name = "retries", .value = "N", .help = "from now on, retry a failed trial up to N times"},
    {.name = "env",
     .many = true,
     .value = "NAME=VALUE",
     .help = "set an environment variable for the trials"},
    {.name = "target", .value = "SCORE", .help = "new score to stop at"},
    {.name = "stop",
     .value = "NAME",
     .help = "new rule to stop trials early: asha, median, ..., none",
     .suggest = stop_names},
    {.name = "halt",
     .value = "N",
     .help =
         "stop if N trials fail alike and none succeeds\n(default: as in the study; off: never)"},
    {.name = "keep",
     .value = "WHICH",
     .help = "from now on, keep the output of these trials:\nfailed, all or none",
     .suggest = cli_keep_words},
    {0},
};

const struct cli_option edits_ignore_options[] = {
    {.name = "ignore-edits",
     .help = "continue the study as it was recorded, whatever its\nstudy file says now"},
    {0},
};

/* ---- as messages show it ---- */

/* The path of the study file as one would type it here. */
static const char *file_name(const struct journal *journal)
{
    const char *file = journal->study.file;
    char *here = getcwd(NULL, 0);
    size_t length = here ? strlen(here) : 0;
    bool below = here && strncmp(file, here, length) == 0 && file[length] == '/';
    free(here);
    return below ? file + length + 1 : file;
}

/*
 * A value without the quotes that it has in YAML. What node_put() writes as \u000a is a line break
 * or another character that cannot be shown: a blank.
 */
static void add_value(struct str *text, const char *value)
{
    enum { WIDTH = 60, ESCAPE = 6 };
    struct str plain = {0};
    for (const char *at = value ? value : "not set"; *at; at++) {
        bool hidden = strncmp(at, "\\u", 2) == 0 && strlen(at) >= ESCAPE;
        if (*at == '"')
            continue;
        if (hidden)
            at += ESCAPE - 1;
        else if (*at == '\\' && at[1])
            at++;
        str_add_char(&plain, hidden ? ' ' : *at);
    }
    cli_add_cut(text, str_text(&plain), WIDTH);
    str_free(&plain);
}

/* "model.timeout: 30m -> 1h" */
static void add_change(struct str *text, const struct study_change *change)
{
    struct arena arena = {0};
    str_printf(text, "%s: ", change->key);
    add_value(text, study_shown_value(change->key, change->old, &arena));
    str_add(text, " -> ");
    add_value(text, study_shown_value(change->key, change->now, &arena));
    arena_free(&arena);
}

void edits_print(const struct edits *edits, const struct journal *journal)
{
    for (size_t k = 0; k < edits->count; k++) {
        const struct study_changes *changes = &edits->changes[k];
        for (size_t i = 0; i < changes->count; i++) {
            struct str text = {0};
            add_change(&text, &changes->items[i]);
            if (changes->file_text)
                cli_note("%s: %s, taken over", file_name(journal), text.text);
            else
                cli_note("%s", text.text);
            str_free(&text);
        }
    }
}

/* ---- edits that are not taken over ---- */

/* A new study can learn from this one if it has results, with the same score. */
static bool can_learn(const struct study_changes *changes, const struct journal *journal)
{
    for (size_t i = 0; i < changes->count; i++)
        if (strcmp(changes->items[i].key, "model.score") == 0 ||
            strcmp(changes->items[i].key, "model.direction") == 0)
            return false;
    return journal->completion_count > 0;
}

/* "wick run study.yaml --learn study.wick" */
static void add_way_out(struct str *text, const char *command, const struct study_changes *changes,
                        const struct journal *journal)
{
    bool submits = strcmp(command, "submit") == 0;
    str_printf(text, "wick %s %s", submits ? "submit" : "run", file_name(journal));
    if (can_learn(changes, journal))
        str_printf(text, " --learn %s", journal->dir);
}

static int refuse(const char *command, const struct study_changes *changes,
                  const struct journal *journal)
{
    struct err e = {0};
    struct str text = {0};
    err_set(&e, ERR_USER,
            "%s has edits that %s cannot take over, because its trials would no longer be "
            "comparable:",
            file_name(journal), journal->dir);
    int code = cli_fail(&e);
    for (size_t i = 0; i < changes->count; i++) {
        if (changes->items[i].takeable)
            continue;
        str_add(&text, "  ");
        add_change(&text, &changes->items[i]);
        str_add_char(&text, '\n');
    }
    bool had_options = strcmp(journal->study.file_text, journal->study.text) != 0;
    str_printf(&text, "A new study%s%s:  ",
               can_learn(changes, journal) ? " that learns from its results" : "",
               had_options ? " (add the options of the first run)" : "");
    add_way_out(&text, command, changes, journal);
    str_printf(&text, "\nThis study as it was recorded:  wick %s %s --ignore-edits\n", command,
               journal->dir);
    fputs(text.text, stderr);
    str_free(&text);
    return code;
}

/* In a job: the names of the keys are enough, since the output of a job is a log. */
static void note_refused(const struct study_changes *changes, const struct journal *journal)
{
    struct str keys = {0}, way = {0};
    for (size_t i = 0; i < changes->count; i++)
        if (!changes->items[i].takeable)
            str_printf(&keys, "%s%s", keys.length ? ", " : "", changes->items[i].key);
    add_way_out(&way, "run", changes, journal);
    cli_note("%s has edits that need a new study (%s): this one continues as it was recorded, and "
             "`%s` starts a new one",
             file_name(journal), keys.text, way.text);
    str_free(&keys);
    str_free(&way);
}

static bool has_refused(const struct study_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++)
        if (!changes->items[i].takeable)
            return true;
    return false;
}

/* Mistakes in the edited file. */
static int report_mistakes(struct edits *edits, const char *command,
                           const struct err_list *mistakes, const struct journal *journal)
{
    cli_print_errs(mistakes);
    edits->ignored = true;
    if (edits->in_job)
        cli_note("the study continues as it was recorded, without the edits of %s",
                 file_name(journal));
    else
        fprintf(stderr, "This study as it was recorded:  wick %s %s --ignore-edits\n", command,
                journal->dir);
    return edits->in_job ? 0 : cli_code_of(mistakes);
}

/* ---- taking over ---- */

/*
 * Makes the changes in the study that is in memory. An edit to what an option has said is no change
 * of the study, but must be remembered: it would look new once another option says otherwise.
 */
static int change(struct edits *edits, struct journal *journal)
{
    struct err e = {0};
    const struct study_changes *changes = &edits->changes[edits->count];
    if (changes->count == 0 && !changes->file_text)
        return 0;
    if (journal_change(journal, changes, &e))
        return cli_fail(&e);
    edits->count++;
    return 0;
}

/* A study may have been moved without its file. */
static bool can_read(const struct journal *journal)
{
    const char *file = journal->study.file;
    struct stat info;
    if (!file || (stat(file, &info) == 0 && !S_ISREG(info.st_mode)))
        return false;
    errno = 0;
    if (access(file, R_OK) == 0)
        return true;
    if (errno != ENOENT && errno != ENOTDIR)
        cli_note("cannot read %s: the study continues as it was recorded", file_name(journal));
    return false;
}

static int take_file(struct edits *edits, const char *command, struct journal *journal)
{
    struct study_changes *changes = &edits->changes[edits->count];
    struct err_list mistakes = {0};
    int code = 0;
    if (!can_read(journal))
        return 0;
    if (study_compare_file(&journal->study, file_name(journal), changes, &mistakes)) {
        code = report_mistakes(edits, command, &mistakes, journal);
    } else if (!has_refused(changes)) {
        code = change(edits, journal);
    } else if (edits->in_job) {
        note_refused(changes, journal);
        edits->ignored = true;
    } else {
        code = refuse(command, changes, journal);
    }
    if (edits->count == 0)
        study_changes_free(changes);
    err_list_free(&mistakes);
    return code;
}

static int take_words(struct edits *edits, struct cli_arguments *arguments, struct journal *journal)
{
    struct study_words all, words;
    struct err_list mistakes = {0};
    cli_words(arguments, &all);
    words = (struct study_words){.timeout = all.timeout,
                                 .memory = all.memory,
                                 .grace = all.grace,
                                 .retries = all.retries,
                                 .env = all.env,
                                 .target = all.target,
                                 .halt = all.halt,
                                 .stop = all.stop,
                                 .keep = all.keep};
    if (study_compare_words(&journal->study, &words, &edits->changes[edits->count], &mistakes))
        return cli_fail_all(&mistakes);
    return change(edits, journal);
}

int edits_take(struct edits *edits, struct cli_arguments *arguments, struct journal *journal)
{
    bool looks = !cli_takes(arguments, "ignore-edits") || !cli_flag(arguments, "ignore-edits");
    int code = looks ? take_file(edits, arguments->command->name, journal) : 0;
    return code ? code : take_words(edits, arguments, journal);
}

int edits_record(const struct edits *edits, const struct journal *journal, bool quiet,
                 struct err *e)
{
    if (run_change(journal, edits->changes, edits->count, e))
        return e->code;
    if (!quiet)
        edits_print(edits, journal);
    return 0;
}

void edits_free(struct edits *edits)
{
    for (size_t i = 0; i < 2; i++)
        study_changes_free(&edits->changes[i]);
}
