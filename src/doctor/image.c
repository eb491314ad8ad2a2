/* image.c - trying a runtime without an image, and the MPI of an image. */
#include "doctor/image.h"

#include "container/container.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a root of the host's own files, for runtimes that do not take "/" itself ---- */

static const char *const folders[] = {"dev",  "etc", "home", "mnt", "proc", "run",
                                      "root", "srv", "sys",  "tmp", "var"};
static const char *const files[] = {"etc/passwd", "etc/group", "etc/hosts", "etc/resolv.conf"};
static const char *const programs[] = {"usr", "bin", "sbin", "lib", "lib32", "lib64"};

/* Links of the host (bin -> usr/bin) are made again; its folders are to be bound. */
static void make_programs(int root, struct str *binds)
{
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++) {
        char target[256], path[16];
        struct stat info;
        snprintf(path, sizeof path, "/%s", programs[i]);
        if (lstat(path, &info) != 0)
            continue;
        ssize_t length = readlink(path, target, sizeof target - 1);
        if (length > 0) {
            target[length] = 0;
            (void)!symlinkat(target, root, programs[i]);
        } else if (mkdirat(root, programs[i], 0755) == 0) {
            str_add_bytes(binds, path, strlen(path) + 1);
        }
    }
}

static int make_root(char path[], struct str *binds)
{
    int root = mkdtemp(path) ? open(path, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    if (root < 0)
        return -1;
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        mkdirat(root, folders[i], 0755);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        int fd = openat(root, files[i], O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
        if (fd >= 0)
            close(fd);
    }
    make_programs(root, binds);
    return root;
}

static void remove_root(int root, const char *path)
{
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        unlinkat(root, files[i], 0);
    for (size_t i = 0; i < sizeof folders / sizeof *folders; i++)
        unlinkat(root, folders[i], AT_REMOVEDIR);
    for (size_t i = 0; i < sizeof programs / sizeof *programs; i++)
        if (unlinkat(root, programs[i], 0) != 0)
            unlinkat(root, programs[i], AT_REMOVEDIR);
    close(root);
    rmdir(path);
}

/* ---- runtimes on it ---- */

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

static enum image_result try_charliecloud(struct look *look, const char *path, double *seconds,
                                          struct err *e)
{
    enum { WORDS = 2 * sizeof programs / sizeof *programs + 8 };
    char root[] = "/tmp/wick-doctor-XXXXXX";
    const char *argv[WORDS] = {path};
    struct str binds = {0};
    size_t count = 1;
    int fd = make_root(root, &binds);
    if (fd < 0) {
        err_system(e, "cannot make a folder in /tmp");
        return IMAGE_FAILED;
    }
    for (size_t at = 0; at < binds.length; at += strlen(binds.text + at) + 1) {
        argv[count++] = "--bind";
        argv[count++] = look_say(look, "%s:%s", binds.text + at, binds.text + at);
    }
    argv[count++] = root;
    argv[count++] = "--";
    argv[count++] = "true";
    enum image_result result = run_true(look, argv, seconds, e);
    remove_root(fd, root);
    str_free(&binds);
    return result;
}

enum image_result image_try_host(struct look *look, const char *runtime, const char *path,
                                 double *seconds, struct err *e)
{
    const char *const bubblewrap[] = {path, "--ro-bind", "/", "/", "--dev", "/dev", "true", NULL};
    const char *const proot[] = {path, "-r", "/", "true", NULL};
    if (strcmp(runtime, "bubblewrap") == 0)
        return run_true(look, bubblewrap, seconds, e);
    if (strcmp(runtime, "proot") == 0)
        return run_true(look, proot, seconds, e);
    if (strcmp(runtime, "charliecloud") == 0)
        return try_charliecloud(look, path, seconds, e);
    return IMAGE_UNTRIED; /* podman would make folders at home for that, others need an image */
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
        look_tell_needed(look, "MPI in it", needed, DOCTOR_NONE, "none was found",
                         needed ? "trials that are started by mpiexec need an image with MPI"
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
                         look_say(look, "%s: the one cannot start ranks of the other%s", text,
                                  needed ? "" : ", which matters for `launch: mpi` only"),
                         needed ? look_say(look, "use an image with %s, or load the module of %s",
                                           host.name[0] ? host.name : "the MPI of the host",
                                           inside.name)
                                : NULL);
}
