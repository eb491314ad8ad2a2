/* damage.c - what a user is told about a damaged journal. */
#include "cli/cli.h"

enum { FLAWS = 20, NAMED = 50 }; /* what is shown at most, without --all */

const struct cli_option cli_damage_options[] = {
    {.name = "all", .help = "of a damaged journal, show all places and trials"},
    {0},
};

/* Where more than the journal is in doubt: the study itself. */
static void note_head(const struct journal *journal)
{
    if (journal->damage.head == JOURNAL_HEAD_EDITED)
        cli_note("the head of %s/journal is damaged, and %s/study.yaml was edited since it was "
                 "written: the study is what the file says now",
                 journal->dir, journal->dir);
    else if (journal->damage.head == JOURNAL_HEAD_GUESSED)
        cli_note("the head of %s/journal is damaged, and %s/study.yaml has only the study: the "
                 "name '%s', the date, and the folder %s of the trials are guessed",
                 journal->dir, journal->dir, journal->study.name, journal->study.model.folder);
}

void cli_note_damage(const struct journal *journal)
{
    struct str text = {0};
    const struct journal_damage *damage = &journal->damage;
    if (!journal_is_whole(journal)) {
        journal_put_damage(journal, &text);
        cli_note("%s/journal has %s; what is whole was read: `wick check %s` says more",
                 journal->dir, text.text, journal->dir);
    }
    note_head(journal);
    if (damage->unknown > 0)
        cli_note(
            "%llu of the records in %s/journal are of kinds that this wick does not know, such "
            "as '%s': they are left out",
            (unsigned long long)damage->unknown, journal->dir, damage->unknown_kind);
    str_free(&text);
}

static void add_damaged_trials(struct str *s, const struct journal *journal, bool all)
{
    size_t most = all ? journal->count : NAMED;
    uint32_t *ids = memory_new(most + 1, sizeof *ids);
    size_t count = journal_damaged_trials(journal, ids, most);
    if (count > 0)
        str_add(s, count == 1 ? "This trial runs again:" : "These trials run again:");
    for (size_t i = 0; i < count && i < most; i++)
        str_printf(s, "%s %u", i ? "," : "", ids[i]);
    if (count > most)
        str_printf(s, " and %zu more", count - most);
    if (count > 0)
        str_add_char(s, '\n');
    free(ids);
}

/* What follows the last record. */
static void add_rest(struct str *s, const struct journal *journal)
{
    size_t rest = journal->file_size - journal->size;
    if (rest > 0 && !journal->running && journal_is_whole(journal))
        str_printf(
            s,
            "The last %zu bytes are the start of a record that a killed run left: it does not "
            "count\n",
            rest);
}

void cli_add_damage(struct str *s, const struct journal *journal, bool all)
{
    const struct journal_damage *damage = &journal->damage;
    str_printf(s, "%s/journal: ", journal->dir);
    if (journal_is_whole(journal))
        str_printf(s, "%llu records, all whole", (unsigned long long)journal->records);
    else
        journal_put_damage(journal, s);
    str_add_char(s, '\n');
    if (damage->mended > 0 && damage->mended_records == 0)
        str_add(s, damage->mended_more
                       ? "It has been mended; nobody knows how many records were lost before that\n"
                       : "It has been mended; nothing was lost\n");
    else if (damage->mended > 0)
        str_printf(s, "It has been mended; lost before that: at least %llu record%s\n",
                   (unsigned long long)damage->mended_records,
                   damage->mended_records == 1 ? "" : "s");
    if (damage->unknown > 0)
        str_printf(s, "%llu records are of kinds that this wick does not know, such as '%s'\n",
                   (unsigned long long)damage->unknown, damage->unknown_kind);
    add_rest(s, journal);
    journal_put_flaws(journal, all ? SIZE_MAX : FLAWS, s);
    if (!all && damage->kept > FLAWS)
        str_printf(s, "`wick check %s --all` shows all of them\n", journal->dir);
    if (!journal_is_whole(journal))
        add_damaged_trials(s, journal, all);
}

/* Loads the journal again, which has been mended. */
static int reload(struct journal *journal, struct err *e)
{
    char *dir = memory_copy(journal->dir);
    journal_free(journal);
    int failed = journal_load(journal, dir, e);
    free(dir);
    return failed;
}

int cli_mend(struct journal *journal, struct err *e)
{
    struct journal_writer *writer;
    if (journal_is_whole(journal))
        return 0;
    if (!journal_open(&writer, journal, e)) {
        cli_note("%s/journal is mended; the damaged file is kept as %s/%s", journal->dir,
                 journal->dir, journal_kept(writer));
        journal_close(writer, journal_began(writer), END_NONE, e);
    }
    if (!e->code)
        return reload(journal, e);
    journal_free(journal);
    return e->code;
}
