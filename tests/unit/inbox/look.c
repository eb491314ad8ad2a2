/* look.c - requests to see the output of running trials. */
#include "inbox/inbox.h"
#include "tap.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/wick-unit-XXXXXX";

static const char *in_folder(const char *name)
{
    static char path[64];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void write_text(const char *name, const char *text)
{
    struct err e = {0};
    ok(str_write_file(in_folder(name), text, strlen(text), &e) == 0, "%s is written", name);
}

static void test_requests(void)
{
    uint64_t ids[INBOX_LOOKS];
    struct inbox_look look;
    struct err e = {0};
    ok(inbox_look_take(folder, ids) == 0, "nobody looks");
    for (uint64_t id = 7; id <= 9; id++)
        ok(inbox_look_request(folder, id, &look, &e) == 0, "a viewer asks");
    ok(inbox_look_request(folder, 8, &look, &e) == 0, "another one wants the same");
    ok(inbox_look_take(folder, ids) == 3 && ids[0] == 7 && ids[1] == 8 && ids[2] == 9,
       "each trial is taken once");
    ok(inbox_look_take(folder, ids) == 0, "and not again");
    write_text("look", "no number\n0\n-\n\n12\n1");
    ok(inbox_look_take(folder, ids) == 1 && ids[0] == 12, "what is no whole number is left out");
    for (uint64_t id = 1; id <= 2 * INBOX_LOOKS; id++)
        inbox_look_request(folder, id, &look, &e);
    ok(inbox_look_take(folder, ids) == INBOX_LOOKS, "only so many are taken at a time");
    mkdir(in_folder("look"), 0700);
    ok(inbox_look_take(folder, ids) == 0, "a folder is no request");
    ok(inbox_look_request(folder, 1, &look, &e) != 0, "and takes none");
    rmdir(in_folder("look"));
}

static void test_answers(void)
{
    struct inbox_look first, second;
    struct err e = {0};
    ok(inbox_look_request(folder, 7, &first, &e) == 0, "a viewer asks before there is an answer");
    ok(!inbox_look_answered(folder, 7, &first), "and waits");
    mkdir(in_folder("tmp"), 0700);
    write_text("tmp/8.log", "another trial's");
    ok(!inbox_look_answered(folder, 7, &first), "for its own trial");
    write_text("tmp/7.log", "");
    ok(inbox_look_answered(folder, 7, &first), "an empty output is an answer");
    ok(inbox_look_request(folder, 7, &second, &e) == 0, "a later viewer");
    ok(!inbox_look_answered(folder, 7, &second), "does not take the old answer for its own");
    write_text("tmp/7.log", "");
    ok(inbox_look_answered(folder, 7, &second), "but a new one, even if it is the same");
    unlink(in_folder("tmp/7.log"));
    unlink(in_folder("tmp/8.log"));
    rmdir(in_folder("tmp"));
    unlink(in_folder("look"));
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    test_requests();
    test_answers();
    rmdir(folder);
    return tap_end();
}
