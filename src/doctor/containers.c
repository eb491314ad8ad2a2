/* containers.c - examines whether users can create containers here, and which runtimes work. */
#include "doctor/look.h"

#include "container/container.h"
#include "doctor/image.h"

#include <errno.h>
#include <fcntl.h>
#include <pwd.h>
#include <sched.h>
#include <sys/mount.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- what the kernel allows ---- */

enum { MADE = 128 }; /* added to errno: the namespace was created, but cannot be used */

/*
 * Runs in a child, which exits with errno. If AppArmor restricts namespaces, one can be created,
 * but its root has no rights: so this also tries what runtimes do first.
 */
_Noreturn static void try_namespace(void)
{
    if (unshare(CLONE_NEWUSER | CLONE_NEWNS) != 0)
        _exit(errno);
    if (mount("none", "/", NULL, MS_REC | MS_PRIVATE, NULL) != 0)
        _exit(MADE + (errno & 127));
    _exit(0);
}

static int namespace_error(void)
{
    int status = 0;
    pid_t pid = fork();
    if (pid == 0)
        try_namespace();
    if (pid < 0 || waitpid(pid, &status, 0) != pid || !WIFEXITED(status))
        return EAGAIN;
    return WEXITSTATUS(status);
}

static bool is_setting(struct look *look, const char *path, const char *value)
{
    return strcmp(look_file(look, path), value) == 0;
}

static const char *namespace_advice(struct look *look, int error)
{
    if (is_setting(look, "/proc/sys/user/max_user_namespaces", "0"))
        return "as root: sysctl user.max_user_namespaces=15000; otherwise only proot and a setuid "
               "apptainer work";
    if (is_setting(look, "/proc/sys/kernel/unprivileged_userns_clone", "0"))
        return "as root: sysctl kernel.unprivileged_userns_clone=1; otherwise only proot and a "
               "setuid apptainer work";
    if (is_setting(look, "/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1"))
        return "as root: sysctl kernel.apparmor_restrict_unprivileged_userns=0, or add an "
               "AppArmor profile for the runtime; otherwise only proot works";
    if (error == ENOSPC)
        return "too many are in use: as root, raise sysctl user.max_user_namespaces";
    return "the surrounding container or a system policy forbids it (Docker: --security-opt "
           "seccomp=unconfined); proot works without them";
}

static void look_namespaces(struct look *look)
{
    int error = namespace_error();
    if (error == 0)
        look_tell(look, "namespaces", DOCTOR_GOOD,
                  geteuid() == 0 ? "allowed for root; may differ for ordinary users"
                                 : "ordinary users can create them",
                  NULL);
    else
        look_tell(look, "namespaces", DOCTOR_WARNING,
                  look_say(look, "%s: %s",
                           error >= MADE ? "nothing is permitted inside them" : "cannot be created",
                           strerror(error >= MADE ? error - MADE : error)),
                  namespace_advice(look, error));
}

static void look_fuse(struct look *look)
{
    bool there = access("/dev/fuse", F_OK) == 0, ours = access("/dev/fuse", R_OK | W_OK) == 0;
    if (there && ours)
        look_tell(look, "/dev/fuse", DOCTOR_GOOD, "SIF and squashfs images can be mounted", NULL);
    else
        look_tell(look, "/dev/fuse", DOCTOR_NONE,
                  look_say(look,
                           "%s: SIF and squashfs images must be unpacked first, which Wick "
                           "does where possible",
                           there ? "not accessible" : "missing"),
                  NULL);
}

/* True if the user has a range of ids in a file whose lines are "NAME:FIRST:COUNT". */
static bool has_range(const char *path)
{
    const struct passwd *user = getpwuid(geteuid());
    char line[512], number[16];
    bool found = false;
    FILE *file = fopen(path, "re");
    snprintf(number, sizeof number, "%u", (unsigned)geteuid());
    while (file && !found && fgets(line, sizeof line, file)) {
        line[strcspn(line, ":\n")] = 0;
        found = strcmp(line, number) == 0 || (user && strcmp(line, user->pw_name) == 0);
    }
    if (file)
        fclose(file);
    return found;
}

static void look_ranges(struct look *look)
{
    bool both = has_range("/etc/subuid") && has_range("/etc/subgid");
    if (geteuid() == 0)
        return;
    look_tell(look, "/etc/subuid", both ? DOCTOR_GOOD : DOCTOR_NONE,
              both ? "has a range for this user" : "has no range for this user, which podman needs",
              both ? NULL
                   : "for podman, as root: usermod --add-subuids 100000-165535 "
                     "--add-subgids 100000-165535 USER");
}

/* ---- runtimes ---- */

/* The option that prints the version, if it is not --version. */
static const char *version_word(const char *runtime)
{
    return strcmp(runtime, "udocker") == 0 ? "version" : "--version";
}

static const char *version_of(struct look *look, const char *runtime, const char *path)
{
    const char *const argv[] = {path, version_word(runtime), NULL};
    struct look_answer answer;
    look_ask_with(look, argv, 0, look_user(look), &answer);
    const char *text = answer.good ? str_text(&answer.text) : "";
    const char *at = text + strcspn(text, "0123456789");
    const char *version = look_say(look, "%.*s", (int)strcspn(at, " ,\n"), at);
    look_answer_free(&answer);
    return *version ? version : "unknown version";
}

static const char *try_advice(const struct look *look)
{
    return look->question->image || look->needs.image
               ? "see docs/containers.md for what this runtime needs, or choose another one"
               : "it cannot create containers here: see namespaces above, or use another runtime";
}

static bool is_named(const struct look *look, const char *runtime)
{
    const struct study *study = look->question->study;
    return study && study->container.runtime && look->needs.image &&
           strcmp(study->container.runtime, runtime) == 0;
}

/* Runs `true` in the image as the study would; an image of its own is tried without the study. */
static enum image_result try_image(const struct look *look, const char *runtime, const char *image,
                                   double *seconds, struct err *e)
{
    struct container_question question = {.runtime = runtime,
                                          .image = image,
                                          .study = look->needs.image ? look->question->study : NULL,
                                          .limit = CONTAINER_TRY};
    return container_try(&question, seconds, e) ? IMAGE_FAILED : IMAGE_WORKS;
}

/* Runs `true` in the image, or, without one, in a root made of the host's own files. */
static bool look_runtime(struct look *look, const char *runtime, const char *image)
{
    char path[PATH_MAX];
    struct err e = {0};
    double seconds = 0;
    bool named = is_named(look, runtime);
    if (!container_find(runtime, path)) {
        look_tell_needed(look, runtime, named, DOCTOR_NONE, "not installed",
                         !named          ? NULL
                         : look->runtime ? "install it, load its module, or write `runtime: auto`"
                                         : "install it, or load its module");
        return false;
    }
    const char *version = look_say(look, "%s, %s", version_of(look, runtime, path), path);
    enum image_result result = image ? try_image(look, runtime, image, &seconds, &e)
                                     : image_try_host(look, runtime, path, &seconds, &e);
    if (result == IMAGE_UNTRIED)
        look_tell(look, runtime, DOCTOR_GOOD,
                  look_say(look, "%s; test it with --image IMAGE", version), NULL);
    else if (result == IMAGE_WORKS)
        look_tell_needed(
            look, runtime, named, DOCTOR_GOOD,
            look_say(look, "%s; `true` took %s", version, look_duration(look, seconds)), NULL);
    else
        look_tell_needed(look, runtime, named, named ? DOCTOR_BAD : DOCTOR_WARNING,
                         look_say(look, "%s: %s", version, e.message), try_advice(look));
    return result == IMAGE_WORKS;
}

static const char *image_of(const struct look *look)
{
    if (look->question->image)
        return look->question->image;
    return look->needs.image ? look->question->study->container.image : NULL;
}

/* Finds the image to try; NULL if there is none, or only a study unpacks it. */
static const char *look_image(struct look *look, bool *folder)
{
    const char *image = image_of(look);
    enum container_image kind;
    struct err e = {0};
    if (!image)
        return NULL;
    if (container_image_kind(image, &kind, &e)) {
        look_tell_needed(look, "image", true, DOCTOR_BAD, look_say(look, "%s", e.message),
                         "correct its name, or create the image first");
        return NULL;
    }
    look_tell_needed(look, "image", true, DOCTOR_GOOD,
                     look_say(look, "%s: %s", image, container_image_name(kind)), NULL);
    *folder = kind == IMAGE_FOLDER;
    return kind == IMAGE_OCI || kind == IMAGE_TAR ? NULL : image;
}

void look_containers(struct look *look)
{
    char path[PATH_MAX];
    look_namespaces(look);
    look_fuse(look);
    if (container_find("podman", path))
        look_ranges(look);
    bool folder = false;
    const char *image = look_image(look, &folder);
    look->image = image;
    for (int named = 0; named < 2; named++) /* the one that the study names comes last */
        for (enum study_runtime i = 0; i < RUNTIMES; i++) {
            const char *runtime = study_runtime_name(i);
            if (is_named(look, runtime) == (named == 1) && look_runtime(look, runtime, image) &&
                image && (!look->runtime || named))
                look->runtime = runtime;
        }
    if (image && !look->runtime)
        look_tell_needed(look, "all", true, DOCTOR_BAD, "no runtime works with this image",
                         "install apptainer, charliecloud or bubblewrap, or load their module; "
                         "most of them can use a folder as an image");
    if (image && folder)
        image_look_mpi(look, image);
}
