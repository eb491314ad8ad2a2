/* mount - how a file system is mounted, and how far its locks reach. */
#include "base/base.h"
#include "tap.h"

static bool is_local(const char *options)
{
    struct mount mount = {.type = "nfs"};
    snprintf(mount.options, sizeof mount.options, ",%s,", options);
    return mount_locks_are_local(&mount);
}

int main(void)
{
    struct mount mount;
    ok(mount_find("/proc/self", &mount), "a file system is found by a path in it");
    is_text(mount.type, "proc", "its type");
    ok(mount_has(&mount, "rw"), "an option");
    ok(!mount_has(&mount, "r") && !mount_has(&mount, "w"), "a part of one is none");
    ok(!mount_find("/nowhere/at/all", &mount) && !mount.type[0], "a path that is not there");
    ok(!is_local("rw,vers=4.2,local_lock=none,addr=10.0.0.1"), "NFS as it is usually mounted");
    ok(is_local("rw,vers=3,nolock,proto=tcp"), "NFS without locks of the server");
    ok(is_local("rw,vers=3,local_lock=all,addr=10.0.0.1"), "and in other words");
    ok(is_local("rw,vers=3,local_lock=posix"), "for the kind of locks that we use");
    ok(!is_local("rw,vers=3,local_lock=flock"), "for another kind");
    ok(is_local("rw,lazystatfs,localflock"), "Lustre with locks of the node");
    ok(!is_local("rw,flock,lazystatfs"), "Lustre with locks");
    return tap_end();
}
