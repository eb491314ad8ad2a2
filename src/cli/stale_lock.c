/* stale_lock.c - a job waits for the lock of a job that has ended. */
#include "cli/drive.h"
#include "launch/launch.h"

#include <errno.h>
#include <signal.h>
#include <unistd.h>

enum {
    PATIENCE = 180
}; /* seconds: as usually configured, a network file system keeps the locks of a dead node for at
      most two minutes */

/*
 * Two runs may share an allocation, as from salloc: then neither is an earlier start of the other.
 */
static bool lives_here(const struct journal_holder *holder)
{
    char host[128] = "";
    gethostname(host, sizeof host - 1);
    return holder->pid > 0 && strcmp(host, holder->host) == 0 &&
           (kill(holder->pid, 0) == 0 || errno == EPERM);
}

/* True if the holder appears to be an ended job, or an earlier start of this one. */
static bool is_over(const char *dir, const struct journal_holder *holder)
{
    if (!holder->id[0])
        return false;
    if (launch_is_here(holder->id, holder->task))
        return !lives_here(holder);
    return launch_ask_earlier(dir, holder->scheduler, holder->id) != LAUNCH_RUNNING;
}

bool drive_await_lock(const char *dir)
{
    struct journal_holder holder;
    if (!launch_here().scheduler || !journal_is_held(dir, &holder) || !is_over(dir, &holder))
        return true;
    cli_note("%s appears to have ended, but its lock on %s is still held: waiting for the file "
             "system to release it",
             holder.name, dir);
    for (int i = 0; i < PATIENCE && journal_is_held(dir, &holder); i++)
        sleep(1);
    return !journal_is_held(dir, &holder);
}
