/* mend.c - a damaged journal is kept even where a file cannot have a second name. */
#include "journal/journal.h"
#include "tap.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[64];
static const char STUDY[] = "name: mend\n"
                            "model: {function: noop}\n"
                            "space:\n"
                            "  x: {float: [0, 1]}\n";
static int link_error;

/* In place of the one of the C library. */
int link(const char *from, const char *to)
{
    (void)from;
    (void)to;
    errno = link_error;
    return -1;
}

static char *path_of(const char *name)
{
    static char path[128];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void read_file(const char *name, struct str *s)
{
    struct err e = {0};
    str_clear(s);
    if (str_read_file(s, path_of(name), 1 << 20, &e))
        BUG("%s", e.message);
}

static void forget_files(void)
{
    static const char *const names[] = {"journal", "lock", "journal.damaged", "journal.damaged.2"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unlink(path_of(names[i]));
}

static void write_journal(const struct study *study)
{
    struct journal_writer *w;
    struct err e = {0};
    forget_files();
    if (journal_create(&w, folder, study, &e))
        BUG("%s", e.message);
    journal_opened(w, 0, 1, 1, 0);
    journal_start(w, 1, 1, 1, 1, &study->space, (double[]){0.5});
    if (journal_close(w, 2, END_DONE, &e))
        BUG("%s", e.message);
}

/* Damages the last record, and fills `damaged` with the file. */
static void damage(struct str *damaged)
{
    struct err e = {0};
    read_file("journal", damaged);
    damaged->text[damaged->length - 50] ^= 1;
    if (str_write_file(path_of("journal"), damaged->text, damaged->length, &e) ||
        chmod(path_of("journal"), 0640) != 0)
        BUG("%s", e.message);
}

static bool mend(struct err *e)
{
    struct journal journal;
    struct journal_writer *w;
    if (journal_load(&journal, folder, e))
        BUG("%s", e->message);
    bool good = !journal_open(&w, &journal, e);
    if (good)
        good = !journal_close(w, 3, END_NONE, e);
    journal_free(&journal);
    return good;
}

static bool is_kept(const char *name, const struct str *damaged)
{
    struct str kept = {0};
    struct stat info;
    read_file(name, &kept);
    bool same = kept.length == damaged->length &&
                memcmp(kept.text, damaged->text, kept.length) == 0 &&
                stat(path_of(name), &info) == 0 && (info.st_mode & 0777) == 0640;
    str_free(&kept);
    return same;
}

static void copies(const struct study *study, int number, const char *name)
{
    struct str damaged = {0}, again = {0};
    struct err e = {0};
    write_journal(study);
    damage(&damaged);
    link_error = number;
    ok(mend(&e) && is_kept("journal.damaged", &damaged), "%s: the damaged file is copied", name);
    damage(&again);
    ok(mend(&e) && is_kept("journal.damaged", &damaged) && is_kept("journal.damaged.2", &again),
       "%s: a second one gets another name", name);
    str_free(&damaged);
    str_free(&again);
}

static void refuses(const struct study *study)
{
    struct str damaged = {0}, now = {0};
    struct err e = {0};
    write_journal(study);
    damage(&damaged);
    link_error = EACCES;
    ok(!mend(&e) && access(path_of("journal.damaged"), F_OK) != 0, "another error is one");
    read_file("journal", &now);
    is_text(str_text(&now), str_text(&damaged), "which leaves the journal as it was");
    str_free(&damaged);
    str_free(&now);
}

int main(void)
{
    struct study study;
    struct err_list mistakes = {0};
    if (!tap_folder(folder, sizeof folder))
        return 1;
    if (study_parse(&study, STUDY, strlen(STUDY), "study.yaml", folder, &mistakes))
        BUG("%s", mistakes.items[0].message);
    copies(&study, EPERM, "EPERM");
    copies(&study, EOPNOTSUPP, "EOPNOTSUPP");
    copies(&study, ENOSYS, "ENOSYS");
    copies(&study, EMLINK, "EMLINK");
    refuses(&study);
    forget_files();
    study_free(&study);
    rmdir(folder);
    return tap_end();
}
