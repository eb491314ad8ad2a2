/* keeper.c - removes checkpoints that nobody needs, in a thread of its own. */
#include "run/keeper.h"

#include "study/study.h"
#include "trial/trial.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <sys/stat.h>
#include <unistd.h>

struct keeper {
    int folder; /* DIR/checkpoints */
    pthread_t thread;

    pthread_mutex_t mutex; /* guards everything below */
    pthread_cond_t wake;
    uint64_t *ids; /* trials whose checkpoints are to be removed, from `next` on */
    size_t count, capacity, next;
    bool leftovers; /* look for what earlier runs left */
    bool stopping;
};

/* "12" becomes ".gone.12", and then nothing. */
static void remove_one(const struct keeper *k, uint64_t id)
{
    char name[32], gone[40];
    snprintf(name, sizeof name, "%llu", (unsigned long long)id);
    snprintf(gone, sizeof gone, ".gone.%s", name);
    if (renameat(k->folder, name, k->folder, gone) == 0)
        trial_checkpoint_remove(k->folder, gone);
}

/* The folder as it is now, from its start; NULL when it cannot be read. */
static DIR *list(const struct keeper *k)
{
    int fd = openat(k->folder, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *folder = fd >= 0 ? fdopendir(fd) : NULL;
    if (fd >= 0 && !folder)
        close(fd);
    return folder;
}

static bool is_stopping(struct keeper *k)
{
    pthread_mutex_lock(&k->mutex);
    bool stopping = k->stopping;
    pthread_mutex_unlock(&k->mutex);
    return stopping;
}

static void remove_gone(struct keeper *k)
{
    DIR *folder = list(k);
    for (struct dirent *entry; folder && (entry = readdir(folder)) && !is_stopping(k);)
        if (strncmp(entry->d_name, ".gone.", 6) == 0)
            trial_checkpoint_remove(k->folder, entry->d_name);
    if (folder)
        closedir(folder);
}

static void *keeper_thread(void *argument)
{
    struct keeper *k = argument;
    pthread_mutex_lock(&k->mutex);
    for (;;) {
        while (!k->leftovers && k->next == k->count && !k->stopping)
            pthread_cond_wait(&k->wake, &k->mutex);
        bool leftovers = k->leftovers;
        if (!leftovers && k->next == k->count)
            break;
        uint64_t id = leftovers ? 0 : k->ids[k->next++];
        k->leftovers = false;
        pthread_mutex_unlock(&k->mutex);
        if (leftovers)
            remove_gone(k);
        else
            remove_one(k, id);
        pthread_mutex_lock(&k->mutex);
        if (k->next == k->count)
            k->next = k->count = 0;
    }
    pthread_mutex_unlock(&k->mutex);
    return NULL;
}

/* ---- what is there when a run starts ---- */

/* The trial whose folder has this name; 0: it is not an id as Wick writes them. */
static uint64_t trial_of(const char *name)
{
    char again[32], *end;
    errno = 0;
    unsigned long long id = strtoull(name, &end, 10);
    snprintf(again, sizeof again, "%llu", id);
    return errno == 0 && *end == 0 && strcmp(again, name) == 0 ? id : 0;
}

/*
 * Before any trial starts: a trial that the journal does not know may get other parameters now, and
 * must not find what an earlier run left. So all that is not needed is renamed at once.
 */
static void put_aside(const struct keeper *k, DIR *folder, bool (*needed)(void *self, uint64_t id),
                      void *self)
{
    for (struct dirent *entry; (entry = readdir(folder));) {
        char gone[sizeof entry->d_name + 8];
        uint64_t id = trial_of(entry->d_name);
        bool half = strncmp(entry->d_name, ".copy.", 6) == 0;
        if (!half && (id == 0 || needed(self, id)))
            continue;
        snprintf(gone, sizeof gone, ".gone.%s", entry->d_name);
        if (renameat(k->folder, entry->d_name, k->folder, gone) != 0)
            trial_checkpoint_remove(k->folder, entry->d_name);
    }
}

static bool is_empty(DIR *folder)
{
    for (struct dirent *entry; (entry = readdir(folder));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            return false;
    return true;
}

static int look(const struct keeper *k, const char *path, bool is_new,
                bool (*needed)(void *self, uint64_t id), void *self, struct err *e)
{
    DIR *folder = list(k);
    if (!folder)
        return err_system(e, "cannot read %s", path);
    if (!is_new)
        put_aside(k, folder, needed, self);
    else if (!is_empty(folder))
        err_set(e, ERR_USER,
                "%s already exists and is not empty: move it away, or choose another folder with "
                "--dir",
                path);
    closedir(folder);
    return e->code;
}

static void keeper_free(struct keeper *k)
{
    pthread_mutex_destroy(&k->mutex);
    pthread_cond_destroy(&k->wake);
    if (k->folder >= 0)
        close(k->folder);
    free(k->ids);
    free(k);
}

static int start_thread(struct keeper *k, struct err *e)
{
    k->leftovers = true;
    errno = pthread_create(&k->thread, NULL, keeper_thread, k);
    return errno ? err_thread(e, "cannot start a thread") : 0;
}

int keeper_start(struct keeper **keeper, const char *dir, bool is_new,
                 bool (*needed)(void *self, uint64_t id), void *self, struct err *e)
{
    struct keeper *k = memory_new(1, sizeof *k);
    struct str path = {0};
    study_path(&path, dir, STUDY_CHECKPOINTS);
    pthread_mutex_init(&k->mutex, NULL);
    pthread_cond_init(&k->wake, NULL);
    k->folder = study_make_folder(path.text, e);
    int failed = e->code;
    if (!failed)
        failed = look(k, path.text, is_new, needed, self, e);
    if (!failed)
        failed = start_thread(k, e);
    str_free(&path);
    if (failed)
        keeper_free(k);
    else
        *keeper = k;
    return failed;
}

void keeper_remove(struct keeper *k, uint64_t id)
{
    pthread_mutex_lock(&k->mutex);
    k->ids = memory_grow(k->ids, &k->capacity, k->count + 1, sizeof *k->ids);
    k->ids[k->count++] = id;
    pthread_cond_signal(&k->wake);
    pthread_mutex_unlock(&k->mutex);
}

void keeper_stop(struct keeper *k, bool finish)
{
    if (!k)
        return;
    pthread_mutex_lock(&k->mutex);
    k->stopping = true;
    if (!finish)
        k->count = k->next;
    pthread_cond_signal(&k->wake);
    pthread_mutex_unlock(&k->mutex);
    pthread_join(k->thread, NULL);
    keeper_free(k);
}
