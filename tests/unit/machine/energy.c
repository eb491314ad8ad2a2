/* energy.c - counters that wrap, and machines without counters. */
#include "machine/machine.h"
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

static char root[] = "/tmp/wick-energy-XXXXXX";

static void make(const char *folder)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, folder);
    mkdir(path, 0700);
}

static void set(const char *file, const char *text)
{
    char path[512];
    struct err e = {0};
    snprintf(path, sizeof path, "%s/%s", root, file);
    ok(str_write_file(path, text, strlen(text), &e) == 0, "%s is %.20s", file, text);
}

static void drop(const char *name)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s", root, name);
    remove(path);
}

#define RAPL "sys/class/powercap/intel-rapl:"

int main(void)
{
    struct machine_energy energy;
    double ticks = (double)sysconf(_SC_CLK_TCK);
    char stat[128];
    if (!mkdtemp(root))
        return 1;
    machine_energy_open(&energy, root);
    machine_energy_begin(&energy);
    ok(energy.count == 0 && machine_energy_end(&energy, 5) == 0, "a machine that tells nothing");
    machine_energy_close(&energy);

    static const char *const folders[] = {"proc",   "sys",    "sys/class", "sys/class/powercap",
                                          RAPL "0", RAPL "1", RAPL "2"};
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        make(folders[i]);
    set(RAPL "0/name", "package-0\n");
    set(RAPL "0/max_energy_range_uj", "1000000000\n");
    set(RAPL "0/energy_uj", "999000000\n");
    set(RAPL "1/name", "psys\n"); /* counts the others a second time */
    set(RAPL "1/max_energy_range_uj", "1000000000\n");
    set(RAPL "1/energy_uj", "5\n");
    set(RAPL "2/name", "package-1\n");
    set(RAPL "2/max_energy_range_uj", "1000000000\n");
    set(RAPL "2/energy_uj", "0\n");
    snprintf(stat, sizeof stat, "cpu  %.0f 0 0 12345 77 0 0 0 0 0\ncpu0 1\n", 100 * ticks);
    set("proc/stat", stat);
    machine_energy_open(&energy, root);
    ok(energy.count == 2, "packages are found, and nothing else");
    machine_energy_begin(&energy);
    set(RAPL "0/energy_uj", "1000000\n"); /* 2 J: it wrapped */
    machine_energy_look(&energy);
    set(RAPL "0/energy_uj", "4000000\n"); /* and 3 J */
    set(RAPL "2/energy_uj", "5000000\n"); /* and 5 J */
    snprintf(stat, sizeof stat, "cpu  %.0f %.0f 0 99999 99 0 0 0 0 0\n", 104 * ticks, 4 * ticks);
    set("proc/stat", stat);
    is_near(machine_energy_end(&energy, 2), 2.5, 1e-9,
            "2 of 8 processor seconds have a quarter of 10 J");
    machine_energy_begin(&energy);
    set(RAPL "2/energy_uj", "6000000\n");
    is_near(machine_energy_end(&energy, 1), 1, 1e-9, "a share is never more than all");
    machine_energy_begin(&energy);
    ok(machine_energy_end(&energy, 0) == 0, "no time at all");
    machine_energy_close(&energy);

    static const char *const files[] = {"name", "max_energy_range_uj", "energy_uj"};
    for (int i = 0; i < 3; i++)
        for (size_t k = 0; k < 3; k++) {
            char name[128];
            snprintf(name, sizeof name, RAPL "%d/%s", i, files[k]);
            drop(name);
        }
    drop("proc/stat");
    for (size_t i = sizeof folders / sizeof *folders; i-- > 0;)
        drop(folders[i]);
    rmdir(root);
    return tap_end();
}
