/* Layers become a root file system, whatever they contain, and nothing escapes from it. */
#include "container/inside.h"
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

static char place[] = "/tmp/wick-unpack-XXXXXX";

/* Runs a small script that only makes what a test needs. */
static void make(const char *script)
{
    struct str said = {0};
    char *argv[] = {"sh", "-ec", (char *)script, NULL};
    if (container_run_program(argv, NULL, 600, &said) != 0)
        ok(false, "what the test needs is made: %s", str_text(&said));
    str_free(&said);
}

static bool is_there(const char *name)
{
    struct str path = {0};
    struct stat info;
    str_printf(&path, "%s/%s", place, name);
    bool found = lstat(path.text, &info) == 0;
    str_free(&path);
    return found;
}

static char *path_of(struct arena *arena, const char *name)
{
    return arena_printf(arena, "%s/%s", place, name);
}

static void merging(struct arena *arena)
{
    struct err e = {0};
    make("mkdir -p root/usr/bin root/etc root/opt/old root/gone/below; ln -s usr/bin root/bin\n"
         "echo 1 >root/etc/a; echo 1 >root/etc/b; echo 1 >root/opt/old/file; ln -s /etc root/out\n"
         "mkdir -p root/closed; echo 1 >root/closed/x; chmod 555 root/closed\n"
         "mkdir -p layer/etc layer/bin layer/opt layer/out layer/closed\n"
         "echo 2 >layer/etc/a; : >layer/etc/.wh.b; : >layer/opt/.wh..wh..opq; : >layer/.wh.gone\n"
         "echo 2 >layer/opt/new; echo 2 >layer/bin/tool; echo 2 >layer/out/passwd\n"
         "echo 2 >layer/closed/y; : >layer/etc/.wh...; : >layer/.wh..");
    ok(merge_layer(path_of(arena, "root"), path_of(arena, "layer"), &e) == 0, "a layer: %s",
       e.message);
    ok(is_there("root/etc/a") && !is_there("root/etc/b"), "what is taken away is gone");
    ok(!is_there("root/opt/old") && is_there("root/opt/new"), "an opaque folder hides what was");
    ok(!is_there("root/gone"), "a whole folder goes");
    ok(is_there("root/usr/bin/tool"), "a folder over a link to one goes where the link leads");
    ok(is_there("root/out/passwd"), "but not outside: the link is replaced");
    ok(is_there("root/closed/x") && is_there("root/closed/y"), "a folder that is closed is opened");
    ok(!is_there("layer"), "and the layer is gone");
    ok(!is_there("root/etc/.wh..."), "marks are no files");
}

static void points(struct arena *arena)
{
    char *root = path_of(arena, "root");
    make("ln -s /tmp root/leads-out");
    ok(merge_make(root, "/a/b/c", true) && is_there("root/a/b/c"), "a folder in the image");
    ok(merge_make(root, "/a/file", false) && is_there("root/a/file"), "and a file");
    ok(!merge_make(root, "/leads-out/wick-should-not-be", true), "not through a link");
    ok(access("/tmp/wick-should-not-be", F_OK) != 0, "and nothing is made there");
}

/* Writes an OCI layout whose only layer is layer.tar, with another blob name if one is given. */
static void layout(const char *manifest)
{
    struct str script = {0};
    str_printf(&script,
               "rm -rf oci; mkdir -p oci/blobs/sha256; cp layer.tar oci/blobs/sha256/abc\n"
               "echo '{\"config\":{\"Env\":[\"A=1\"]}}' >oci/blobs/sha256/cf\n"
               "echo '%s' >oci/blobs/sha256/de\n"
               "echo '{\"manifests\":[{\"digest\":\"sha256:de\"}]}' >oci/index.json",
               manifest);
    make(script.text);
    str_free(&script);
}

static void layouts(struct arena *arena)
{
    static const struct {
        const char *name, *manifest, *wrong;
    } cases[] = {
        {"a good layout",
         "{\"config\":{\"digest\":\"sha256:cf\"},\"layers\":[{\"digest\":\"sha256:abc\"}]}", NULL},
        {"a blob that is not there",
         "{\"config\":{\"digest\":\"sha256:cf\"},\"layers\":[{\"digest\":\"sha256:abd\"}]}",
         "a layer is missing"},
        {"a name that leads out",
         "{\"config\":{\"digest\":\"sha256:cf\"},\"layers\":[{\"digest\":\"sha256:../../x\"}]}",
         "a layer is missing"},
        {"no layers", "{\"config\":{\"digest\":\"sha256:cf\"},\"layers\":[]}", "it has no layers"},
        {"no JSON", "{\"config\":", "not valid"},
    };
    make("mkdir -p tree/usr; echo 1 >tree/usr/file; tar -cf layer.tar -C tree .");
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct err e = {0};
        layout(cases[i].manifest);
        make("rm -rf image image.new");
        int failed = unpack_image(path_of(arena, "oci"), IMAGE_OCI, path_of(arena, "image"), &e);
        ok(cases[i].wrong ? failed == ERR_USER && strstr(e.message, cases[i].wrong) : !failed,
           "%s: %s", cases[i].name, e.message);
        ok(is_there("image/root/usr/file") == !cases[i].wrong && !is_there("image.new"),
           "%s: all or nothing", cases[i].name);
    }
}

static void tarballs(struct arena *arena)
{
    struct err e = {0};
    char *image = path_of(arena, "image");
    make("rm -rf image; mkdir -p hostile/usr; echo evil >evil; ln -s /tmp hostile/usr/link\n"
         "tar -cf hostile.tar -C hostile . ; tar -rPf hostile.tar --transform "
         "'s|.*|../../wick-escaped|' evil; tar -rPf hostile.tar --transform "
         "'s|.*|/tmp/wick-absolute|' evil\n"
         "tar -tPf hostile.tar >names; grep -q '^[.][.]/[.][.]/wick-escaped$' names\n"
         "grep -q '^/tmp/wick-absolute$' names");
    int failed = unpack_image(path_of(arena, "hostile.tar"), IMAGE_TAR, image, &e);
    ok(access("/tmp/wick-absolute", F_OK) != 0 && !is_there("../wick-escaped") &&
           !is_there("wick-escaped"),
       "no entry leaves the folder (%s)", failed ? e.message : "taken");
    make("tar -czf good.tar -C tree .");
    e = (struct err){0};
    ok(!unpack_image(path_of(arena, "good.tar"), IMAGE_TAR, image, &e), "a tarball: %s", e.message);
    make("echo mark >image/mark");
    ok(!unpack_image(path_of(arena, "good.tar"), IMAGE_TAR, image, &e) && is_there("image/mark"),
       "is unpacked once");
    make("echo 2 >tree/usr/second; tar -czf good.tar -C tree .; touch -d 2001-01-01 good.tar");
    ok(!unpack_image(path_of(arena, "good.tar"), IMAGE_TAR, image, &e) && !is_there("image/mark") &&
           is_there("image/root/usr/second"),
       "and again when it is another");
    make("mkdir -p image.new/root; echo half >image.new/root/half; rm -rf image");
    ok(!unpack_image(path_of(arena, "good.tar"), IMAGE_TAR, image, &e) &&
           !is_there("image/root/half"),
       "what a killed run left is not taken for whole");
}

static void kinds(struct arena *arena)
{
    enum container_image kind;
    struct err e = {0};
    make("printf 'hsqsxxxx' >squash; printf '%032dSIF_MAGIC' 0 >sif; echo text >text; rm -rf none; "
         "mkdir none");
    ok(!container_image_kind(path_of(arena, "squash"), &kind, &e) && kind == IMAGE_SQUASH,
       "a SquashFS");
    ok(!container_image_kind(path_of(arena, "sif"), &kind, &e) && kind == IMAGE_SIF, "a SIF");
    ok(!container_image_kind(path_of(arena, "good.tar"), &kind, &e) && kind == IMAGE_TAR,
       "a tarball");
    ok(!container_image_kind(path_of(arena, "oci"), &kind, &e) && kind == IMAGE_OCI, "a layout");
    ok(!container_image_kind(path_of(arena, "root"), &kind, &e) && kind == IMAGE_FOLDER,
       "a folder");
    ok(!container_image_kind("docker://a", &kind, &e) && kind == IMAGE_NAME, "a name");
    ok(container_image_kind(path_of(arena, "text"), &kind, &e) == ERR_USER, "a text is none");
    ok(container_image_kind(path_of(arena, "none"), &kind, &e) == ERR_USER,
       "nor is an empty folder");
}

static void mpis(void)
{
    struct container_mpi open4, open5, mpich, intel;
    container_mpi_read("mpiexec (OpenRTE) 4.1.4\n\nReport bugs", &open4);
    is_text(open4.name, "Open MPI 4.1.4", "Open MPI 4");
    container_mpi_read("mpirun (Open MPI) 5.0.3\n", &open5);
    container_mpi_read("HYDRA build details:\n    Version:                   4.0.2\n", &mpich);
    is_text(mpich.name, "MPICH 4.0.2", "MPICH");
    container_mpi_read("Intel(R) MPI Library for Linux* OS, Version 2021.8 Build 2022\n", &intel);
    ok(!container_mpi_match(&open4, &open5) && !container_mpi_match(&open4, &mpich) &&
           container_mpi_match(&mpich, &intel),
       "which of them match");
}

/* Runtimes that are installed on this machine: not every machine lets each of them work. */
static void tries(struct arena *arena)
{
    int tried = 0;
    for (enum study_runtime i = 0; i < RUNTIMES; i++) {
        const char *name = study_runtime_name(i);
        char path[PATH_MAX];
        double seconds = -1;
        struct err e = {0};
        if (!container_find(name, path))
            continue;
        int failed = container_try(
            &(struct container_question){.runtime = name, .image = "/", .limit = CONTAINER_TRY},
            &seconds, &e);
        printf("# %s: %s\n", name, failed ? e.message : "works");
        ok(failed ? failed == ERR_USER && strstr(e.message, name) : seconds > 0, "%s is tried",
           name);
        e = (struct err){0};
        ok(container_try(&(struct container_question){.runtime = name,
                                                      .image = path_of(arena, "none"),
                                                      .limit = CONTAINER_TRY},
                         &seconds, &e) == ERR_USER,
           "%s has nothing to run in an empty folder: %s", name, e.message);
        tried++;
    }
    if (tried == 0)
        printf("# skipped: no runtime for containers is installed\n");
    struct err e = {0};
    double seconds;
    ok(container_try(
           &(struct container_question){.runtime = "udocker", .image = "/", .limit = CONTAINER_TRY},
           &seconds, &e) == ERR_USER,
       "one that takes no folder");
}

int main(void)
{
    struct arena arena = {0};
    struct err ignored = {0};
    char path[PATH_MAX];
    if (!command_find("tar", path))
        return tap_skip("tar is not installed");
    if (!mkdtemp(place) || chdir(place) != 0)
        return 1;
    merging(&arena);
    points(&arena);
    layouts(&arena);
    tarballs(&arena);
    kinds(&arena);
    mpis();
    tries(&arena);
    merge_remove(place, &ignored);
    arena_free(&arena);
    return tap_end();
}
