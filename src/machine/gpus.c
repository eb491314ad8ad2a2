/*
 * gpus.c - the GPUs of this machine, and the variables by which a trial sees only its own.
 *
 * The makers' drivers say which devices there are, and a scheduler lists those of a job in a
 * variable. Some schedulers set the variables of all makers to the same list, so the devices decide
 * whose variable counts. If none are found, as in some containers, the variables alone decide.
 */
#include "machine/machine.h"

#include <unistd.h>

static void add_name(struct machine_gpus *gpus, const char *name, size_t length)
{
    if (gpus->count < MACHINE_GPUS && length > 0)
        snprintf(gpus->names[gpus->count++], sizeof *gpus->names, "%.*s", (int)length, name);
}

/* Adds the device that has the next number. */
static void add_next(struct machine_gpus *gpus)
{
    char number[16];
    int length = snprintf(number, sizeof number, "%u", gpus->count);
    add_name(gpus, number, (size_t)length);
}

/* ---- the devices ---- */

static bool exists(const char *root, const char *path)
{
    struct str whole = {0};
    str_printf(&whole, "%s%s", root, path);
    bool found = access(whole.text, F_OK) == 0;
    str_free(&whole);
    return found;
}

/* The content of a small file; "" if it cannot be read. */
static const char *content(struct str *text, const char *root, const char *path)
{
    struct str whole = {0};
    struct err ignored = {0};
    str_clear(text);
    str_printf(&whole, "%s%s", root, path);
    str_read_file(text, whole.text, 1 << 16, &ignored);
    str_free(&whole);
    return str_text(text);
}

static void look_nvidia(struct machine_gpus *gpus, const char *root)
{
    for (unsigned i = 0; i < MACHINE_GPUS; i++) {
        char path[32], number[16];
        snprintf(path, sizeof path, "/dev/nvidia%u", i);
        int length = snprintf(number, sizeof number, "%u", i);
        if (exists(root, path))
            add_name(gpus, number, (size_t)length);
    }
}

/*
 * The nodes of the driver's topology are processors and GPUs; only GPUs have SIMD units. A job
 * cannot read the nodes of GPUs that belong to others.
 */
static void look_amd(struct machine_gpus *gpus, const char *root)
{
    struct str text = {0};
    for (unsigned i = 0; i < 4 * MACHINE_GPUS && exists(root, "/dev/kfd"); i++) {
        char path[80];
        snprintf(path, sizeof path, "/sys/class/kfd/kfd/topology/nodes/%u/properties", i);
        const char *units = strstr(content(&text, root, path), "simd_count ");
        if (units && strtoul(units + strlen("simd_count "), NULL, 10) > 0)
            add_next(gpus);
    }
    str_free(&text);
}

/* The graphics unit of a processor is always at this address, and no GPU for trials. */
static bool is_integrated(const char *root, const char *device)
{
    static const char address[] = "0000:00:02.0";
    char path[PATH_MAX], target[PATH_MAX];
    snprintf(path, sizeof path, "%s%s", root, device);
    ssize_t length = readlink(path, target, sizeof target - 1);
    target[length > 0 ? length : 0] = 0;
    const char *slash = strrchr(target, '/');
    return strcmp(slash ? slash + 1 : target, address) == 0;
}

static void look_intel(struct machine_gpus *gpus, const char *root)
{
    struct str text = {0};
    for (unsigned i = 128; i < 128 + MACHINE_GPUS; i++) {
        char device[64], vendor[80];
        snprintf(device, sizeof device, "/sys/class/drm/renderD%u/device", i);
        snprintf(vendor, sizeof vendor, "%s/vendor", device);
        if (strncmp(content(&text, root, vendor), "0x8086", 6) == 0 && !is_integrated(root, device))
            add_next(gpus);
    }
    str_free(&text);
}

/* ---- the makers ---- */

struct maker {
    const char *name;
    void (*look)(struct machine_gpus *gpus, const char *root);
    const char *lists[5];    /* variables that may list the devices; the first that is set counts */
    const char *variable;    /* shows a trial its devices */
    const char *ordinals[3]; /* variables that number the devices shown by `variable`, from 0 */
};

static const struct maker makers[] = {
    {.name = "NVIDIA",
     .look = look_nvidia,
     .lists = {"CUDA_VISIBLE_DEVICES"},
     .variable = "CUDA_VISIBLE_DEVICES"},
    /* HIP also honours CUDA_VISIBLE_DEVICES, unless its own variable is set. */
    {.name = "AMD",
     .look = look_amd,
     .lists = {"ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
               "CUDA_VISIBLE_DEVICES"},
     .variable = "ROCR_VISIBLE_DEVICES",
     .ordinals = {"HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL"}},
    {.name = "Intel",
     .look = look_intel,
     .lists = {"ZE_AFFINITY_MASK"},
     .variable = "ZE_AFFINITY_MASK"},
};
enum { MAKERS = sizeof makers / sizeof *makers };

/* Reads "0,1" or names; Slurm lists "NoDevFiles" if there are none, and -1 ends a list. */
static void read_list(struct machine_gpus *gpus, const char *list)
{
    gpus->count = 0;
    while (*list && *list != '-' && strncmp(list, "NoDevFiles", 10) != 0) {
        size_t length = strcspn(list, ",");
        add_name(gpus, list, length);
        list += length + (list[length] == ',');
    }
}

/* Reads the first of a maker's variables that is set; false if there is none. */
static bool read_variables(struct machine_gpus *gpus, const struct maker *maker)
{
    for (size_t i = 0; maker->lists[i]; i++) {
        const char *list = getenv(maker->lists[i]);
        if (!list)
            continue;
        gpus->variable = maker->lists[i];
        read_list(gpus, list);
        return true;
    }
    return false;
}

void machine_gpus(struct machine_gpus *gpus, const char *root)
{
    *gpus = (struct machine_gpus){0};
    for (size_t i = 0; i < MAKERS && gpus->count == 0; i++) {
        gpus->maker = makers[i].name;
        makers[i].look(gpus, root);
        if (gpus->count > 0) {
            read_variables(gpus, &makers[i]);
            return;
        }
    }
    for (size_t i = 0; i < MAKERS; i++) {
        gpus->maker = makers[i].name;
        if (read_variables(gpus, &makers[i]) && gpus->count > 0)
            return;
    }
}

size_t machine_slot_variables(const struct machine_slot *slot,
                              struct machine_variable variables[MACHINE_VARIABLES])
{
    const struct maker *maker = makers;
    size_t count = 0, used = 0;
    if (!slot->devices[0])
        return 0;
    while (maker < makers + MAKERS - 1 && strcmp(maker->name, slot->maker) != 0)
        maker++;
    variables[count].name = maker->variable;
    snprintf(variables[count++].value, MACHINE_DEVICES, "%s", slot->devices);
    for (size_t i = 0; maker->ordinals[i]; i++) {
        char *value = variables[count].value;
        unsigned number = 0;
        variables[count++].name = maker->ordinals[i];
        used = (size_t)snprintf(value, MACHINE_DEVICES, "0");
        for (const char *at = strchr(slot->devices, ','); at && used < MACHINE_DEVICES;
             at = strchr(at + 1, ','))
            used += (size_t)snprintf(value + used, MACHINE_DEVICES - used, ",%u", ++number);
    }
    return count;
}
