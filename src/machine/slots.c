/* slots.c - share the cores and the GPUs of this machine among the workers. */
#include "machine/machine.h"

#include <math.h>
#include <unistd.h>

/* The cores that this process may use, in order. */
static unsigned cores_here(unsigned *cores)
{
    cpu_set_t allowed;
    unsigned count = 0;
    if (sched_getaffinity(0, sizeof allowed, &allowed) == 0)
        for (unsigned core = 0; core < MACHINE_CORES && core < CPU_SETSIZE; core++)
            if (CPU_ISSET(core, &allowed))
                cores[count++] = core;
    if (count == 0) /* the machine has more cores than cpu_set_t */
        for (long core = 0; core < sysconf(_SC_NPROCESSORS_ONLN) && count < MACHINE_CORES; core++)
            cores[count++] = (unsigned)core;
    return count ? count : 1;
}

/*
 * How many of `count` cores are ours. A batch job may have fewer than the machine shows, where the
 * scheduler does not bind its processes: then their number is known, but not which they are.
 */
static unsigned cores_allocated(unsigned count)
{
    const char *text = getenv("SLURM_CPUS_ON_NODE");
    double allocated;
    if (!text || !str_number(text, &allocated) || allocated < 1 || allocated >= count)
        return count;
    return (unsigned)allocated;
}

static int no_devices(const struct study *study, struct err *e)
{
    return err_set(e, ERR_USER,
                   "the study asks for %g GPU%s per trial, but this machine has none (no device of "
                   "NVIDIA, AMD or Intel, and none in CUDA_VISIBLE_DEVICES, ROCR_VISIBLE_DEVICES "
                   "or ZE_AFFINITY_MASK): remove `gpus`, or run it on a machine with GPUs",
                   study->model.gpus, study->model.gpus == 1 ? "" : "s");
}

int machine_workers(const struct study *study, unsigned *workers, struct err *e)
{
    unsigned cores[MACHINE_CORES] = {0};
    unsigned count = cores_allocated(cores_here(cores));
    uint64_t each = study->model.cores ? study->model.cores : 1;
    *workers = count > each ? (unsigned)(count / each) : 1;
    if (study->model.gpus > 0) {
        struct machine_gpus gpus;
        machine_gpus(&gpus, "");
        if (gpus.count == 0)
            return no_devices(study, e);
        *workers = (unsigned)fmax(1, floor(gpus.count / study->model.gpus + 1e-9));
    }
    return 0;
}

/* Gives a slot these GPUs: 64 numbers fit, or more names than a machine has GPUs. */
static void give_gpus(struct machine_slot *slot, const struct machine_gpus *gpus, unsigned first,
                      unsigned last)
{
    size_t used = 0;
    slot->maker = gpus->maker;
    for (unsigned i = first; i < last && i < gpus->count && used < sizeof slot->devices; i++)
        used += (size_t)snprintf(slot->devices + used, sizeof slot->devices - used, "%s%s",
                                 used ? "," : "", gpus->names[i]);
}

/* Worker w (from 0) gets GPUs w*gpus .. (w+1)*gpus-1; a share of one GPU below 1. */
static int deal_gpus(const struct study *study, unsigned workers, struct machine_slot *slots,
                     struct err *e)
{
    struct machine_gpus gpus;
    double each = study->model.gpus;
    machine_gpus(&gpus, "");
    if (gpus.count == 0)
        return no_devices(study, e);
    if (workers * each > gpus.count + 1e-9)
        return err_set(e, ERR_USER,
                       "%u workers with %g GPU%s per trial need %g, but this machine has %u: use "
                       "--workers %g",
                       workers, each, each == 1 ? "" : "s", ceil(workers * each), gpus.count,
                       fmax(1, floor(gpus.count / each + 1e-9)));
    for (unsigned w = 0; w < workers; w++)
        give_gpus(&slots[w], &gpus, (unsigned)floor(w * each + 1e-9),
                  (unsigned)ceil((w + 1) * each - 1e-9));
    return 0;
}

int machine_slots(const struct study *study, unsigned workers, struct machine_slot *slots,
                  struct err *e)
{
    unsigned cores[MACHINE_CORES] = {0};
    unsigned all = cores_here(cores), count = cores_allocated(all);
    for (unsigned w = 0; w < workers; w++) {
        /* The remaining cores go to the first workers: of 5 cores, two workers get 3 and 2. */
        unsigned share = count / workers, extra = count % workers;
        unsigned first = w * share + (w < extra ? w : extra);
        share += w < extra;
        slots[w] = (struct machine_slot){
            .worker = w + 1, .channel = w + 1, .cores = workers <= count ? share : 1};
        if (workers > count ||
            count < all) { /* too few to share, or it is not known which they are */
            first = 0;
            share = all;
        }
        CPU_ZERO(&slots[w].pinned);
        for (unsigned c = first; c < first + share; c++)
            CPU_SET(cores[c], &slots[w].pinned);
    }
    return study->model.gpus > 0 ? deal_gpus(study, workers, slots, e) : 0;
}
