/* mount.c - how a file system is mounted: what /proc/self/mountinfo says. */
#include "base/mount.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

/*
 * The line of a device is "ID PARENT MAJOR:MINOR ROOT PLACE OPTIONS ... - TYPE SOURCE OPTIONS". The
 * last one counts, since it is mounted over the others.
 */
bool mount_find(const char *path, struct mount *mount)
{
    char line[8192], options[512], more[512], type[64];
    struct stat info;
    unsigned major, minor;
    bool found = false;
    *mount = (struct mount){.type = ""};
    if (stat(path, &info) != 0)
        return false;
    FILE *file = fopen("/proc/self/mountinfo", "re");
    while (file && fgets(line, sizeof line, file)) {
        const char *rest = strstr(line, " - ");
        if (!rest || sscanf(line, "%*u %*u %u:%u %*s %*s %511s", &major, &minor, options) != 3 ||
            makedev(major, minor) != info.st_dev ||
            sscanf(rest, " - %63s %*s %511s", type, more) != 2)
            continue;
        snprintf(mount->type, sizeof mount->type, "%s", type);
        snprintf(mount->options, sizeof mount->options, ",%s,%s,", options, more);
        found = true;
    }
    if (file)
        fclose(file);
    return found;
}

bool mount_has(const struct mount *mount, const char *option)
{
    size_t length = strlen(option);
    for (const char *at = mount->options; (at = strstr(at, option)); at += length)
        if (at > mount->options && at[-1] == ',' && at[length] == ',')
            return true;
    return false;
}

bool mount_locks_are_local(const struct mount *mount)
{
    return mount_has(mount, "localflock") || mount_has(mount, "nolock") ||
           mount_has(mount, "local_lock=all") || mount_has(mount, "local_lock=posix");
}
