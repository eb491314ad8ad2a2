/* sockets.c - the trial sockets, in a folder of their own. */
#include "helper/sockets.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

enum {
    BACKLOG = 128,      /* connections that wait to be accepted */
    DESERTED_AFTER = 60 /* seconds that a folder without a listener is left alone */
};

static const char FOLDER_NAME[] = "wick-line-";

/* What connecting to the first socket of a folder says: 0, or an errno. */
static int call(const char *folder)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if ((size_t)snprintf(address.sun_path, sizeof address.sun_path, "%s/1", folder) >=
        sizeof address.sun_path)
        return ENAMETOOLONG;
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    int number = errno;
    if (fd < 0)
        return number;
    number = connect(fd, (struct sockaddr *)&address, sizeof address) == 0 ? 0 : errno;
    close(fd);
    return number;
}

static bool nobody_listens(const char *folder)
{
    int number = call(folder);
    return number == ECONNREFUSED || number == ENOENT;
}

/* True when nobody listens in a folder any more. A young one may not listen yet. */
static bool is_deserted(const char *folder)
{
    struct stat info;
    return lstat(folder, &info) == 0 && S_ISDIR(info.st_mode) && info.st_uid == geteuid() &&
           time(NULL) - info.st_mtime >= DESERTED_AFTER && nobody_listens(folder);
}

bool sockets_are_deserted(const char *folder)
{
    const char *name = strrchr(folder, '/');
    if (!name || strncmp(name + 1, FOLDER_NAME, sizeof FOLDER_NAME - 1) != 0)
        return false;
    return nobody_listens(folder);
}

void sockets_remove_folder(const char *folder)
{
    int fd = open(folder, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    DIR *files = fd >= 0 ? fdopendir(fd) : NULL;
    for (struct dirent *file; files && (file = readdir(files));)
        unlinkat(fd, file->d_name, 0);
    if (files)
        closedir(files);
    else if (fd >= 0)
        close(fd);
    rmdir(folder);
}

/* Removes what runs left behind whose helper was killed as well, as at the end of a batch job. */
static void remove_deserted(const char *place)
{
    struct str path = {0};
    DIR *folders = opendir(place);
    for (struct dirent *folder; folders && (folder = readdir(folders));) {
        if (strncmp(folder->d_name, FOLDER_NAME, sizeof FOLDER_NAME - 1) != 0)
            continue;
        str_clear(&path);
        str_printf(&path, "%s/%s", place, folder->d_name);
        if (is_deserted(path.text))
            sockets_remove_folder(path.text);
    }
    if (folders)
        closedir(folders);
    str_free(&path);
}

enum { OUTSIDE = 65534 }; /* in a container, the owner of what belongs to the machine's root */

/*
 * True when others could rename what we make there, and put something else in its place: those who
 * may write there, unless the sticky bit forbids it, and the owner of the place always.
 */
static bool is_open_to_others(const char *place)
{
    struct stat info;
    if (stat(place, &info) != 0)
        return false;
    bool is_others = info.st_uid != 0 && info.st_uid != geteuid() && info.st_uid != OUTSIDE;
    return is_others || ((info.st_mode & (S_IWGRP | S_IWOTH)) && !(info.st_mode & S_ISVTX));
}

/* A folder that only this user may enter, with a name short enough for sockets in it. */
int sockets_make_folder(struct str *folder, struct err *e)
{
    const char *own = getenv("TMPDIR");
    const char *const places[] = {"/tmp", own ? own : "/var/tmp"};
    const char *open_place = NULL;
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        if (is_open_to_others(places[i])) {
            open_place = places[i];
            continue;
        }
        str_clear(folder);
        str_printf(folder, "%s/%sXXXXXX", places[i], FOLDER_NAME);
        bool fits =
            folder->length + sizeof "/4294967295" <= sizeof((struct sockaddr_un *)0)->sun_path;
        if (fits && mkdtemp(folder->text)) {
            remove_deserted(places[i]);
            return 0;
        }
    }
    if (open_place)
        return err_set(e, ERR_USER,
                       "cannot make a folder for sockets: other users may rename your files in "
                       "%s: run chmod +t %s, or set TMPDIR to a folder of your own",
                       open_place, open_place);
    return err_system(e, "cannot make a folder for sockets in /tmp or in $TMPDIR");
}

void sockets_address(const char *folder, unsigned channel, struct str *path)
{
    str_printf(path, "%s/%u", folder, channel);
}

static int listen_at(const char *path, int *fd)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    *fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd >= 0 && bind(*fd, (const struct sockaddr *)&address, sizeof address) == 0 &&
        listen(*fd, BACKLOG) == 0)
        return 0;
    if (*fd >= 0)
        close(*fd);
    return -1;
}

int sockets_make(const char *folder, int *sockets, unsigned count, struct err *e)
{
    struct str path = {0};
    int failed = 0;
    for (unsigned i = 0; i < count && !failed; i++) {
        str_clear(&path);
        sockets_address(folder, i + 1, &path);
        if (listen_at(path.text, &sockets[i]) != 0) {
            failed = err_system(e, "cannot listen at %s", path.text);
            while (i > 0)
                close(sockets[--i]);
        }
    }
    str_free(&path);
    return failed;
}
