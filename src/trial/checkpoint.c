/*
 * checkpoint.c - the folders that trials go on from.
 *
 * DIR/checkpoints/ID belongs to the program: Wick writes no file in it. A trial with an origin
 * starts from a copy of the origin's folder, made before its program starts. The copy has another
 * name until it is complete, so that a crash never leaves half of one; a trial that already has a
 * folder, from an earlier try, keeps it.
 *
 * Copying may take minutes, during which the worker must give signs of life: a thread does it, and
 * an event tells the worker's loop when it is done. (The helper must never block, and a process
 * would have no advantage over a thread.) Files are never shared by hard links: programs overwrite
 * their checkpoints in place.
 */
#include "trial/folder_tree.h"
#include "trial/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

struct checkpoint_copy {
    pthread_t thread;
    char *dir;                     /* the folder of all checkpoints */
    char from[32], as[64], to[32]; /* names in it: the origin's, while it is copied, the trial's */
    int event;                     /* becomes readable at the end */
    atomic_bool cancelled;
    int number; /* errno; 0: it is copied. It belongs to the thread until that ends */
};

bool checkpoint_exists(const struct trial_runner *r, uint64_t id)
{
    struct str path = {0};
    struct stat info;
    study_trial_path(&path, r->dir, STUDY_CHECKPOINTS, id);
    bool there = lstat(path.text, &info) == 0 && S_ISDIR(info.st_mode);
    str_free(&path);
    return there;
}

/* Another rank of the trial may have been faster: its copy is as good. */
static int copy(struct checkpoint_copy *c)
{
    int folder = open(c->dir, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    if (folder < 0)
        return errno;
    folder_tree_remove(folder, c->as);
    int number = folder_tree_copy(folder, c->from, folder, c->as, &c->cancelled);
    if (!number && renameat(folder, c->as, folder, c->to) != 0)
        number = errno == EEXIST || errno == ENOTEMPTY ? -1 : errno;
    if (number)
        folder_tree_remove(folder, c->as);
    close(folder);
    return number < 0 ? 0 : number;
}

static void *copy_thread(void *argument)
{
    struct checkpoint_copy *c = argument;
    uint64_t one = 1;
    c->number = copy(c);
    (void)!write(c->event, &one, sizeof one);
    return NULL;
}

static void copy_free(struct trial_runner *r)
{
    if (r->copy->event >= 0) {
        comm_unwatch(r->comm, r->copy->event);
        close(r->copy->event);
    }
    free(r->copy->dir);
    free(r->copy);
    r->copy = NULL;
}

/* The copy is complete or has failed: the program starts, or the trial ends. */
static void copied(void *argument)
{
    struct trial_runner *r = argument;
    uint64_t one;
    if (read(r->copy->event, &one, sizeof one) != sizeof one)
        return; /* meant for an earlier descriptor with this number: joining would block */
    pthread_join(r->copy->thread, NULL);
    int number = r->copy->number;
    copy_free(r);
    if (r->ending == ENDING_NOT && !number) {
        request_start(r);
        return;
    }
    char what[64];
    snprintf(what, sizeof what, "copy the checkpoint of trial %llu", (unsigned long long)r->origin);
    if (r->ending == ENDING_NOT) {
        verdict_cannot(r, number, what);
    } else {
        bool stopped = r->ending == ENDING_STOP;
        r->outcome.state = stopped ? OUTCOME_STOPPED : OUTCOME_INTERRUPTED;
        snprintf(r->outcome.reason, sizeof r->outcome.reason, stopped ? "stopped" : "interrupted");
    }
    runner_finish(r);
}

static struct checkpoint_copy *copy_create(const struct trial_runner *r)
{
    struct checkpoint_copy *c = memory_new(1, sizeof *c);
    struct str dir = {0};
    study_path(&dir, r->dir, STUDY_CHECKPOINTS);
    c->dir = dir.text;
    unsigned long long id = r->id;
    snprintf(c->from, sizeof c->from, "%llu", (unsigned long long)r->origin);
    snprintf(c->as, sizeof c->as, ".copy.%llu.%u", id, r->slot->worker);
    snprintf(c->to, sizeof c->to, "%llu", id);
    return c;
}

bool checkpoint_begin(struct trial_runner *r)
{
    if (r->origin == 0 || checkpoint_exists(r, r->id) || !checkpoint_exists(r, r->origin))
        return false;
    r->copy = copy_create(r);
    r->copy->event = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    int number = r->copy->event < 0 ? errno : 0;
    if (!number)
        comm_watch(r->comm, r->copy->event, copied, r);
    if (!number)
        number = pthread_create(&r->copy->thread, NULL, copy_thread, r->copy);
    if (!number)
        return true;
    copy_free(r);
    verdict_cannot(r, number, "copy a checkpoint");
    runner_finish(r);
    return true;
}

void checkpoint_cancel(struct trial_runner *r, enum ending ending)
{
    if (r->ending == ENDING_NOT)
        r->ending = ending;
    atomic_store(&r->copy->cancelled, true);
}

void checkpoint_forget(struct trial_runner *r)
{
    if (!r->copy)
        return;
    atomic_store(&r->copy->cancelled, true);
    pthread_join(r->copy->thread, NULL);
    copy_free(r);
}

int trial_checkpoint_remove(int folder, const char *name)
{
    return folder_tree_remove(folder, name);
}
