/* image.c - tries a runtime without an image; compares the MPI of an image with the host's. */
#include "doctor/image.h"

#include "container/container.h"

/* ---- runtimes on the host's own files ---- */

static enum image_result run_true(struct look *look, const char *const *argv, double *seconds,
                                  struct err *e)
{
    struct look_answer answer;
    double start = clock_now();
    look_ask_with(look, argv, 2 * LOOK_ANSWER, look_user(look), &answer);
    *seconds = clock_now() - start;
    if (!answer.good)
        err_set(e, ERR_SYSTEM, "%s", answer.why);
    look_answer_free(&answer);
    return e->code ? IMAGE_FAILED : IMAGE_WORKS;
}

enum image_result image_try_host(struct look *look, const char *runtime, const char *path,
                                 double *seconds, struct err *e)
{
    const char *const bubblewrap[] = {path, "--ro-bind", "/", "/", "--dev", "/dev", "true", NULL};
    const char *const proot[] = {path, "-r", "/", "true", NULL};
    struct container_question machine = {
        .runtime = runtime, .image = "/", .limit = 2 * LOOK_ANSWER};
    if (strcmp(runtime, "bubblewrap") == 0)
        return run_true(look, bubblewrap, seconds, e);
    if (strcmp(runtime, "proot") == 0)
        return run_true(look, proot, seconds, e);
    if (strcmp(runtime, "charliecloud") == 0) /* it does not accept "/" itself */
        return container_try(&machine, seconds, e) ? IMAGE_FAILED : IMAGE_WORKS;
    return IMAGE_UNTRIED; /* podman would create folders in the home folder, others need an image */
}

/* ---- MPI ---- */

void image_look_mpi(struct look *look, const char *image)
{
    const struct study *study = look->question->study;
    const char *named = getenv("WICK_MPIEXEC");
    struct container_mpi host = {0}, inside = {0};
    bool needed = study && study->model.launch == LAUNCH_MPI;
    container_mpi_image(image, &inside);
    if (!inside.name[0]) {
        look_tell_needed(look, "MPI in it", needed, DOCTOR_NONE, "none found",
                         needed ? "trials that are started with mpiexec need an image with MPI"
                                : NULL);
        return;
    }
    container_mpi_host(named && *named ? named : "mpiexec", &host);
    const char *text =
        look_say(look, "%s; the host has %s", inside.name, host.name[0] ? host.name : "none");
    if (host.name[0] && container_mpi_match(&host, &inside))
        look_tell_needed(look, "MPI in it", needed, DOCTOR_GOOD, text, NULL);
    else
        look_tell_needed(look, "MPI in it", needed, needed ? DOCTOR_BAD : DOCTOR_GOOD,
                         look_say(look, "%s: one cannot start ranks of the other%s", text,
                                  needed ? "" : ", which matters only for `launch: mpi`"),
                         needed ? look_say(look, "use an image with %s, or load the module for %s",
                                           host.name[0] ? host.name : "the MPI of the host",
                                           inside.name)
                                : NULL);
}
