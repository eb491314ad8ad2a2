/* gpus.c - the GPUs that the drivers report, and how many of them Wick assigns. */
#include "doctor/look.h"

#include "machine/machine.h"

#include <unistd.h>

/* The number of devices that Wick assigns to trials that ask for GPUs. */
static unsigned gpus_of_wick(void)
{
    struct study one_each = {.model = {.gpus = 1}};
    struct err e = {0};
    unsigned workers = 0;
    return machine_workers(&one_each, &workers, &e) ? 0 : workers;
}

static unsigned lines_of(const char *text)
{
    unsigned count = 0;
    for (const char *at = text; *at; at++)
        count += *at == '\n';
    return count;
}

/* Reports what nvidia-smi knows; returns the number of devices. */
static unsigned look_nvidia(struct look *look)
{
    const char *const argv[] = {"nvidia-smi", "--query-gpu=name,memory.total,driver_version",
                                "--format=csv,noheader", NULL};
    char path[PATH_MAX];
    struct look_answer answer;
    bool device = access("/dev/nvidia0", F_OK) == 0;
    unsigned count = 0;
    if (!command_find("nvidia-smi", path)) {
        if (device)
            look_tell(look, "NVIDIA", DOCTOR_WARNING,
                      "found the device /dev/nvidia0, but no nvidia-smi",
                      "install the driver's tools for details; trials do not need them");
        return 0;
    }
    look_ask(look, argv, 2 * LOOK_ANSWER, &answer);
    if (answer.good) {
        count = lines_of(str_text(&answer.text));
        look_tell(look, "NVIDIA", count ? DOCTOR_GOOD : DOCTOR_NONE,
                  count ? look_say(look, "%u x %s", count, answer.line) : "nvidia-smi lists none",
                  NULL);
    } else {
        look_tell_needed(
            look, "NVIDIA", look->needs.gpus, device ? DOCTOR_BAD : DOCTOR_NONE, answer.why,
            device ? "the driver does not respond: restart the node, or ask the site" : NULL);
    }
    look_answer_free(&answer);
    return count;
}

static bool look_amd(struct look *look)
{
    static const char *const programs[] = {"rocm-smi", "amd-smi"};
    char path[PATH_MAX];
    bool device = access("/dev/kfd", F_OK) == 0, found = false;
    for (size_t i = 0; i < 2 && !found; i++)
        found = command_find(programs[i], path);
    if (!device && !found)
        return false;
    look_tell(look, "AMD", device ? DOCTOR_GOOD : DOCTOR_NONE,
              look_say(look, "%s, %s", device ? "found /dev/kfd" : "no /dev/kfd",
                       found ? path : "no rocm-smi"),
              NULL);
    return device;
}

void look_gpus(struct look *look)
{
    const char *visible = getenv("CUDA_VISIBLE_DEVICES");
    unsigned nvidia = look_nvidia(look), count = gpus_of_wick();
    bool amd = look_amd(look);
    const char *said = visible ? look_say(look, " (CUDA_VISIBLE_DEVICES=%s)", visible) : "";
    if (count > 0)
        look_tell_needed(look, "for trials", look->needs.gpus,
                         visible && nvidia > 0 && count > nvidia ? DOCTOR_WARNING : DOCTOR_GOOD,
                         look_say(look, "%s%s", look_count(look, count, "GPU"), said),
                         visible && nvidia > 0 && count > nvidia
                             ? "the variable lists more GPUs than there are: correct it"
                             : NULL);
    else if (amd && !visible)
        look_tell_needed(
            look, "for trials", look->needs.gpus, DOCTOR_WARNING,
            "none: Wick counts /dev/nvidia0, ... and the devices in CUDA_VISIBLE_DEVICES",
            "set CUDA_VISIBLE_DEVICES=0,1,..., which ROCm also uses");
    else
        look_tell_needed(look, "for trials", look->needs.gpus, DOCTOR_NONE,
                         look_say(look, "none%s", said),
                         look->needs.gpus ? "run it on a node with GPUs (`job: {gpus_per_node: "
                                            "1}`), or remove `gpus` from the study"
                                          : NULL);
}
