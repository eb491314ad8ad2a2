/* slots.c - how the cores of a machine are shared among workers. */
#include "machine/machine.h"
#include "tap.h"

static unsigned cores_of(const struct machine_slot *slot)
{
    return (unsigned)CPU_COUNT(&slot->pinned);
}

int main(void)
{
    struct study study = {0};
    struct err e = {0};
    cpu_set_t mine;
    unsetenv("SLURM_CPUS_ON_NODE");
    sched_getaffinity(0, sizeof mine, &mine);
    unsigned all = (unsigned)CPU_COUNT(&mine), workers = 0, sum = 0;
    struct machine_slot *slots = memory_new(all + 1, sizeof *slots);
    ok(machine_workers(&study, &workers, &e) == 0 && workers == all, "a worker for each core");
    ok(machine_slots(&study, all, slots, &e) == 0, "the cores are dealt out");
    for (unsigned w = 0; w < all; w++)
        sum += cores_of(&slots[w]);
    ok(sum == all && slots[0].cores == 1 && slots[all - 1].worker == all,
       "each worker has its own");
    ok(machine_slots(&study, 1, slots, &e) == 0 && slots[0].cores == all &&
           cores_of(&slots[0]) == all,
       "one worker has all");
    ok(machine_slots(&study, all + 1, slots, &e) == 0 && slots[all].cores == 1 &&
           cores_of(&slots[all]) == all,
       "more workers than cores share all of them");
    if (all > 1) {
        setenv("SLURM_CPUS_ON_NODE", "1", 1);
        ok(machine_workers(&study, &workers, &e) == 0 && workers == 1,
           "a job that has one core of the node has one worker");
        ok(machine_slots(&study, 1, slots, &e) == 0 && slots[0].cores == 1 &&
               cores_of(&slots[0]) == all,
           "it counts on one core, and is not pinned: nobody knows which one it is");
    } else {
        printf("# skipped: this machine has one core, a job cannot have fewer\n");
    }
    setenv("SLURM_CPUS_ON_NODE", "nonsense", 1);
    ok(machine_workers(&study, &workers, &e) == 0 && workers == all, "nonsense does not count");
    free(slots);
    return tap_end();
}
