/* own_folders.c - folders are made and opened, and no link in their place is followed. */
#include "study/study.h"
#include "tap.h"

#include <errno.h>
#include <sys/stat.h>
#include <unistd.h>

static void refused(const char *path, const char *message)
{
    struct err e = {0};
    ok(study_make_folder(path, &e) == -1 && e.code == ERR_SYSTEM, "%s is not opened", path);
    is_text(e.message, message, "and the user told why");
    e = (struct err){0};
    ok(study_check_folder(path, &e) == ERR_SYSTEM, "nor taken for one");
}

int main(void)
{
    char place[] = "/tmp/wick-folder-XXXXXX";
    struct err e = {0};
    struct stat info;
    if (!mkdtemp(place) || chdir(place) != 0)
        return 1;
    ok(study_check_folder("new", &e) == 0, "nothing is there");
    int fd = study_make_folder("new", &e);
    ok(fd >= 0 && fstat(fd, &info) == 0 && S_ISDIR(info.st_mode), "a folder is made and opened");
    close(fd);
    fd = study_make_folder("new", &e);
    ok(fd >= 0 && study_check_folder("new", &e) == 0, "and opened again");
    close(fd);
    ok(symlink("new", "link") == 0 && symlink("none", "lost") == 0, "links");
    refused("link", "link is a link, but Wick needs a folder of its own there: move it away");
    refused("lost", "lost is a link, but Wick needs a folder of its own there: move it away");
    ok(access("none", F_OK) != 0, "and nothing made where a link leads");
    ok(mkfifo("pipe", 0600) == 0, "a pipe");
    refused("pipe", "pipe is not a folder, but Wick needs a folder of its own there: move it away");
    ok(study_make_folder("no/parent", &e) == -1 && e.code == ERR_SYSTEM,
       "a folder without a parent");
    is_text(e.message, "cannot make the folder no/parent: No such file or directory",
            "is an error");
    unlink("link");
    unlink("lost");
    unlink("pipe");
    rmdir("new");
    rmdir(place);
    return tap_end();
}
