/* await.c - a job waits for a lock that nobody needs any more. */
#include "cli/drive.h"
#include "launch/launch.h"

#include <unistd.h>

enum {
    PATIENCE = 180
}; /* seconds: a network file system keeps the locks of a dead node for two
      minutes at most, as they are set up */

/* True when the holder is an earlier job, or an earlier start of this one. */
static bool is_over(const struct journal_holder *holder, const struct launch_here *here)
{
    struct launch_report report;
    if (!holder->id[0])
        return false;
    if (strcmp(holder->id, here->id) == 0)
        return true;
    launch_ask(holder->scheduler, holder->id, &report);
    return report.state == LAUNCH_ENDED || report.state == LAUNCH_ENDING;
}

void drive_await(const char *dir)
{
    struct launch_here here = launch_here();
    struct journal_holder holder;
    if (!here.scheduler || !journal_is_held(dir, &holder) || !is_over(&holder, &here))
        return;
    cli_note("%s has ended, and its lock on %s is still there: waiting for the file system to drop "
             "it",
             holder.name, dir);
    for (int i = 0; i < PATIENCE && journal_is_held(dir, &holder); i++)
        sleep(1);
}
