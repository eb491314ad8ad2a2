/* energy.c - counters of the processor packages. */
#include "machine/machine.h"

#include <math.h>
#include <unistd.h>

static bool read_number(const char *path, double *number)
{
    struct str text = {0};
    struct err ignored = {0};
    bool good = str_read_file(&text, path, 4096, &ignored) == 0 && text.length > 0;
    if (good) {
        text.text[strcspn(text.text, "\n")] = 0;
        good = str_number(text.text, number);
    }
    str_free(&text);
    return good;
}

static bool is_package(const char *folder)
{
    struct str path = {0}, text = {0};
    struct err ignored = {0};
    str_printf(&path, "%s/name", folder);
    bool good = str_read_file(&text, path.text, 4096, &ignored) == 0 &&
                strncmp(str_text(&text), "package", 7) == 0;
    str_free(&path);
    str_free(&text);
    return good;
}

/* Adds the package in this folder, if its counter can be read. */
static void add_package(struct machine_energy *energy, const char *folder)
{
    struct str *path = &energy->paths[energy->count];
    double range = 0, now = 0;
    str_printf(path, "%s/max_energy_range_uj", folder);
    bool good = is_package(folder) && read_number(path->text, &range);
    str_clear(path);
    str_printf(path, "%s/energy_uj", folder);
    if (good && read_number(path->text, &now))
        energy->range[energy->count++] = range * 1e-6;
    else
        str_free(path);
}

void machine_energy_open(struct machine_energy *energy, const char *root)
{
    *energy = (struct machine_energy){0};
    snprintf(energy->stat, sizeof energy->stat, "%s/proc/stat", root);
    for (int i = 0; i < MACHINE_PACKAGES; i++) {
        struct str folder = {0};
        str_printf(&folder, "%s/sys/class/powercap/intel-rapl:%d", root, i);
        if (access(folder.text, F_OK) == 0)
            add_package(energy, folder.text);
        str_free(&folder);
    }
}

void machine_energy_close(struct machine_energy *energy)
{
    for (size_t i = 0; i < energy->count; i++)
        str_free(&energy->paths[i]);
    energy->count = 0;
}

/* Processor seconds that the whole machine has worked; NaN when they are not known. */
static double machine_busy(const struct machine_energy *energy)
{
    struct str text = {0};
    struct err ignored = {0};
    unsigned long long user, nice, kernel, idle, waiting, hard, soft;
    double busy = NAN;
    if (str_read_file(&text, energy->stat, 4 << 20, &ignored) == 0 &&
        sscanf(str_text(&text), "cpu %llu %llu %llu %llu %llu %llu %llu", &user, &nice, &kernel,
               &idle, &waiting, &hard, &soft) == 7)
        busy = (double)(user + nice + kernel + hard + soft) / (double)sysconf(_SC_CLK_TCK);
    str_free(&text);
    return busy;
}

/* Updates `last`, and returns the joules since the last time. */
static double look(struct machine_energy *energy)
{
    double sum = 0;
    for (size_t i = 0; i < energy->count; i++) {
        double now;
        if (!read_number(energy->paths[i].text, &now))
            continue;
        now *= 1e-6;
        double used = now - energy->last[i];
        sum += used < 0 ? used + energy->range[i] : used;
        energy->last[i] = now;
    }
    return sum;
}

void machine_energy_begin(struct machine_energy *energy)
{
    if (energy->count == 0)
        return;
    look(energy);
    energy->joules = 0;
    energy->busy = machine_busy(energy);
}

void machine_energy_look(struct machine_energy *energy)
{
    energy->joules += look(energy);
}

double machine_energy_end(struct machine_energy *energy, double processor)
{
    if (energy->count == 0)
        return 0;
    machine_energy_look(energy);
    /* The machine's time is counted in hundredths: a short trial may seem to have used more. */
    double busy = fmax(machine_busy(energy) - energy->busy, processor);
    return busy > 0 ? energy->joules * (processor / busy) : 0;
}
