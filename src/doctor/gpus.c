/* gpus.c - the GPUs that the drivers report, and how many of them Wick assigns. */
#include "doctor/look.h"

#include "machine/machine.h"

#include <unistd.h>

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

static void look_amd(struct look *look)
{
    static const char *const programs[] = {"rocm-smi", "amd-smi"};
    char path[PATH_MAX];
    bool device = access("/dev/kfd", F_OK) == 0, found = false;
    for (size_t i = 0; i < 2 && !found; i++)
        found = command_find(programs[i], path);
    if (device || found)
        look_tell(look, "AMD", device ? DOCTOR_GOOD : DOCTOR_NONE,
                  look_say(look, "%s, %s", device ? "found /dev/kfd" : "no /dev/kfd",
                           found ? path : "no rocm-smi"),
                  NULL);
}

void look_gpus(struct look *look)
{
    struct machine_gpus gpus;
    unsigned nvidia = look_nvidia(look);
    look_amd(look);
    machine_gpus(&gpus, "");
    const char *said =
        gpus.variable ? look_say(look, " (%s=%s)", gpus.variable, getenv(gpus.variable)) : "";
    bool is_more =
        gpus.variable && strcmp(gpus.maker, "NVIDIA") == 0 && nvidia > 0 && gpus.count > nvidia;
    if (gpus.count > 0)
        look_tell_needed(
            look, "for trials", look->needs.gpus, is_more ? DOCTOR_WARNING : DOCTOR_GOOD,
            look_say(look, "%s%s",
                     look_count(look, gpus.count, look_say(look, "%s GPU", gpus.maker)), said),
            is_more ? "the variable lists more GPUs than there are: correct it" : NULL);
    else if (look->needs.gpus && look->job_gpus > 0)
        look_tell(look, "for trials", DOCTOR_NONE,
                  look_say(look, "none here%s, but the job asks for %s per node", said,
                           look_count(look, (double)look->job_gpus, "GPU")),
                  NULL);
    else
        look_tell_needed(look, "for trials", look->needs.gpus, DOCTOR_NONE,
                         look_say(look, "none%s", said),
                         look->needs.gpus ? "run it on a node with GPUs (`job: {gpus_per_node: "
                                            "1}`), or remove `gpus` from the study"
                                          : NULL);
}
