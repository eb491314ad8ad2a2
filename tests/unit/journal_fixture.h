/* journal_fixture.h - a journal of a few records, as a study's folder would have it. */
#ifndef TESTS_JOURNAL_FIXTURE_H
#define TESTS_JOURNAL_FIXTURE_H

#include "journal/journal.h"
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

struct fixture {
    char dir[64];
    struct journal journal;
};

/* Writes the header, with this definition, and the lines; loads them. Trials run in /tmp. */
__attribute__((unused)) static void fixture_open(struct fixture *f, const char *definition,
                                                 const char *lines)
{
    struct str text = {0}, path = {0};
    struct err e = {0};
    snprintf(f->dir, sizeof f->dir, "/tmp/wick-journal-XXXXXX");
    if (!mkdtemp(f->dir) || chdir("/") != 0)
        BUG("no folder for the test");
    str_add(&text, "{\"wick\":1,\"study\":\"a & b\",\"created\":1794700800,\"folder\":\"/tmp\","
                   "\"definition\":");
    json_put_string(&text, definition, strlen(definition));
    str_printf(&text, "}\n%s", lines);
    str_printf(&path, "%s/journal", f->dir);
    if (str_write_file(path.text, text.text, text.length, &e) ||
        journal_load(&f->journal, f->dir, &e))
        BUG("the journal of the test does not load: %s", e.message);
    str_free(&text);
    str_free(&path);
}

/* The content of a file in the fixture's folder; the file goes away. */
__attribute__((unused)) static char *fixture_take(struct fixture *f, const char *name)
{
    struct str path = {0}, text = {0};
    struct err e = {0};
    str_printf(&path, "%s/%s", f->dir, name);
    if (str_read_file(&text, path.text, 64 << 20, &e))
        BUG("%s", e.message);
    unlink(path.text);
    str_free(&path);
    return text.text;
}

/* A path in the fixture's folder; free() it. */
__attribute__((unused)) static char *fixture_path(struct fixture *f, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", f->dir, name);
    return path.text;
}

__attribute__((unused)) static void fixture_close(struct fixture *f)
{
    char *path = fixture_path(f, "journal");
    journal_free(&f->journal);
    unlink(path);
    free(path);
    if (rmdir(f->dir) != 0)
        BUG("%s is not empty: something was left behind", f->dir);
}

#endif
