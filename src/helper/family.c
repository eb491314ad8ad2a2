/* family.c - from which program each process of the machine descends. */
#include "helper/family.h"

static void add(void *self, pid_t pid, const struct process *process)
{
    struct family *f = self;
    f->all = memory_grow(f->all, &f->capacity, f->count + 1, sizeof *f->all);
    f->all[f->count++] = (struct relative){.pid = pid, .process = *process};
}

static int by_pid(const void *a, const void *b)
{
    const struct relative *x = a, *y = b;
    return (x->pid > y->pid) - (x->pid < y->pid);
}

static struct relative *parent_of(const struct family *f, const struct relative *child)
{
    struct relative key = {.pid = child->process.parent};
    return bsearch(&key, f->all, f->count, sizeof key, by_pid);
}

/*
 * Goes up to a process whose root is known, and notes it for all on the way, so that a long chain
 * is walked only once. The processes were not read in one moment: a number that was used again may
 * have made a circle.
 */
static void find_root(struct family *f, struct relative *from, family_finder *find, void *self)
{
    struct relative *at = from;
    void *root = NULL;
    for (size_t steps = 0; at && steps <= f->count; steps++, at = parent_of(f, at)) {
        root = at->known ? at->root : find(self, at->pid);
        if (!root && !at->known)
            root = find(self, at->process.session);
        if (root || at->known)
            break;
    }
    for (struct relative *next = from; next && !next->known; next = parent_of(f, next)) {
        next->root = root;
        next->known = true;
        if (next == at)
            break;
    }
}

void family_read(struct family *f, family_finder *find, void *self)
{
    f->count = 0;
    processes_visit(add, f);
    if (f->count > 0)
        qsort(f->all, f->count, sizeof *f->all, by_pid);
    for (size_t i = 0; i < f->count; i++)
        find_root(f, &f->all[i], find, self);
}

void family_free(struct family *f)
{
    free(f->all);
}
