/* gpus.c - which GPUs a machine has, according to its devices and to the variables of a job. */
#include "machine/machine.h"
#include "tap.h"

#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/wick-gpus-XXXXXX";

/* Creates a file of the pretended machine, with the folders that lead to it. */
static void make(const char *path, const char *text)
{
    char whole[256];
    snprintf(whole, sizeof whole, "%s%s", root, path);
    for (char *slash = strchr(whole + strlen(root) + 1, '/'); slash;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        mkdir(whole, 0700);
        *slash = '/';
    }
    FILE *file = fopen(whole, "w");
    fputs(text, file);
    fclose(file);
}

static void render_device(int number, const char *address, const char *vendor)
{
    char path[256], target[256];
    snprintf(path, sizeof path, "/sys/devices/%s/vendor", address);
    make(path, vendor);
    snprintf(path, sizeof path, "/sys/class/drm/renderD%d/name", number);
    make(path, "");
    snprintf(path, sizeof path, "%s/sys/class/drm/renderD%d/device", root, number);
    snprintf(target, sizeof target, "../../../devices/%s", address);
    ok(symlink(target, path) == 0, "a device");
}

static void forget_variables(void)
{
    static const char *const names[] = {"CUDA_VISIBLE_DEVICES", "ROCR_VISIBLE_DEVICES",
                                        "HIP_VISIBLE_DEVICES", "GPU_DEVICE_ORDINAL",
                                        "ZE_AFFINITY_MASK"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        unsetenv(names[i]);
}

/* "AMD 0 1 (ROCR_VISIBLE_DEVICES)" */
static void finds(const char *expected, const char *name)
{
    struct machine_gpus gpus;
    struct str text = {0};
    machine_gpus(&gpus, root);
    str_add(&text, gpus.count ? gpus.maker : "none");
    for (unsigned i = 0; i < gpus.count; i++)
        str_printf(&text, " %s", gpus.names[i]);
    if (gpus.count && gpus.variable)
        str_printf(&text, " (%s)", gpus.variable);
    is_text(text.text, expected, name);
    str_free(&text);
}

static void the_variables_alone(void)
{
    finds("none", "nothing");
    setenv("ZE_AFFINITY_MASK", "0.0,0.1", 1);
    finds("Intel 0.0 0.1 (ZE_AFFINITY_MASK)", "tiles of Intel");
    setenv("HIP_VISIBLE_DEVICES", "2", 1);
    finds("AMD 2 (HIP_VISIBLE_DEVICES)", "AMD");
    setenv("ROCR_VISIBLE_DEVICES", "GPU-4b2c1a9f8d3e6f7a,1", 1);
    finds("AMD GPU-4b2c1a9f8d3e6f7a 1 (ROCR_VISIBLE_DEVICES)", "with names");
    setenv("CUDA_VISIBLE_DEVICES", "NoDevFiles", 1);
    finds("AMD GPU-4b2c1a9f8d3e6f7a 1 (ROCR_VISIBLE_DEVICES)", "Slurm without GPUs of NVIDIA");
    setenv("CUDA_VISIBLE_DEVICES", "3,-1,4", 1);
    finds("NVIDIA 3 (CUDA_VISIBLE_DEVICES)", "-1 ends a list");
    setenv("CUDA_VISIBLE_DEVICES", "GPU-8dee5e14-0d22-4a17-a3a2-8f0e0f2d6a35", 1);
    finds("NVIDIA GPU-8dee5e14-0d22-4a17-a3a2-8f0e0f2d6a35 (CUDA_VISIBLE_DEVICES)",
          "a whole name of NVIDIA");
    forget_variables();
}

static void the_devices(void)
{
    render_device(128, "0000:00:02.0", "0x8086\n");
    finds("none", "the graphics of a processor");
    render_device(129, "0000:3a:00.0", "0x8086\n");
    render_device(130, "0000:9a:00.0", "0x8086\n");
    finds("Intel 0 1", "two of Intel");
    setenv("ZE_AFFINITY_MASK", "1", 1);
    finds("Intel 1 (ZE_AFFINITY_MASK)", "one of them");
    make("/dev/kfd", "");
    finds("Intel 1 (ZE_AFFINITY_MASK)", "a driver of AMD without devices");
    make("/sys/class/kfd/kfd/topology/nodes/0/properties", "cpu_cores_count 64\nsimd_count 0\n");
    make("/sys/class/kfd/kfd/topology/nodes/1/properties", "cpu_cores_count 0\nsimd_count 440\n");
    make("/sys/class/kfd/kfd/topology/nodes/2/properties", ""); /* that of another job */
    make("/sys/class/kfd/kfd/topology/nodes/3/properties", "cpu_cores_count 0\nsimd_count 440\n");
    finds("AMD 0 1", "two of AMD");
    setenv("CUDA_VISIBLE_DEVICES", "1", 1);
    finds("AMD 1 (CUDA_VISIBLE_DEVICES)", "which HIP takes from the variable of NVIDIA");
    setenv("ROCR_VISIBLE_DEVICES", "0", 1);
    finds("AMD 0 (ROCR_VISIBLE_DEVICES)", "unless there is its own");
    make("/dev/nvidia1", "");
    finds("NVIDIA 1 (CUDA_VISIBLE_DEVICES)", "NVIDIA comes first");
    forget_variables();
    finds("NVIDIA 1", "with its numbers");
    setenv("CUDA_VISIBLE_DEVICES", "", 1);
    finds("none", "an empty list");
    forget_variables();
}

static void a_slot_shows_its_own(void)
{
    static const struct {
        const char *maker, *devices, *variables;
    } cases[] = {
        {"NVIDIA", "2,3", "CUDA_VISIBLE_DEVICES=2,3 "},
        {"AMD", "4,6,7",
         "ROCR_VISIBLE_DEVICES=4,6,7 HIP_VISIBLE_DEVICES=0,1,2 GPU_DEVICE_ORDINAL=0,1,2 "},
        {"AMD", "5", "ROCR_VISIBLE_DEVICES=5 HIP_VISIBLE_DEVICES=0 GPU_DEVICE_ORDINAL=0 "},
        {"Intel", "0.1", "ZE_AFFINITY_MASK=0.1 "},
        {"NVIDIA", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct machine_slot slot = {.maker = cases[i].maker};
        struct machine_variable variables[MACHINE_VARIABLES];
        struct str text = {0};
        snprintf(slot.devices, sizeof slot.devices, "%s", cases[i].devices);
        size_t count = machine_slot_variables(&slot, variables);
        for (size_t k = 0; k < count; k++)
            str_printf(&text, "%s=%s ", variables[k].name, variables[k].value);
        is_text(str_text(&text), cases[i].variables, cases[i].maker);
        str_free(&text);
    }
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

int main(void)
{
    ok(mkdtemp(root) != NULL, "a folder");
    forget_variables();
    the_variables_alone();
    the_devices();
    a_slot_shows_its_own();
    ok(nftw(root, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, "nothing is left behind");
    return tap_end();
}
