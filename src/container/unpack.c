/*
 * unpack.c - unpacks an image into a folder, once for each study.
 *
 *   DIR/image.new    while it is being made; what a killed run left there is removed
 *   DIR/image        complete: it gets this name last
 *     root           the root file system
 *     environment    the variables that the image sets, one per line
 *     source         the file it was made from, and its state then
 *
 * `tar` reads the archives: it knows all compressions, rejects names with "..", and creates links
 * that lead outside only after everything else. Owners are not kept and devices are not created,
 * because we are not root; nor are the bits that would let others act as this user.
 */
#include "container/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

static const double UNPACK_SECONDS = 4 * 3600.0, DIGEST_SECONDS = 3600;

struct unpack {
    const char *image;
    struct arena arena;
    const char *made, *root, *layer, *saved; /* DIR/image.new and what is in it */
};

/* Identifies the state of an image. An unpacked copy counts only as long as this is the same. */
static char *fingerprint(struct arena *arena, const char *image, enum container_image kind)
{
    struct stat info = {0};
    const char *path = kind == IMAGE_OCI ? arena_printf(arena, "%s/index.json", image) : image;
    (void)!stat(path, &info);
    return arena_printf(arena, "%s\n%lld %lld.%09ld\n", image, (long long)info.st_size,
                        (long long)info.st_mtim.tv_sec, info.st_mtim.tv_nsec);
}

static bool is_current(const char *place, const char *expected)
{
    struct str path = {0}, text = {0};
    struct err ignored = {0};
    str_printf(&path, "%s/source", place);
    bool current = access(path.text, F_OK) == 0 &&
                   !str_read_file(&text, path.text, 1 << 20, &ignored) &&
                   strcmp(str_text(&text), expected) == 0;
    str_free(&path);
    str_free(&text);
    return current;
}

/* ---- tar ---- */

static int tar_failed(const char *file, int code, const struct str *said, struct err *e)
{
    /* The last line of tar only says that there were errors before. */
    struct slice text = {str_text(said), said->length}, line = slice_last_line(text);
    while (line.length > 0 && memmem(line.text, line.length, "exiting now", 11)) {
        text.length = (size_t)(line.text - text.text);
        line = slice_last_line(text);
    }
    if (code < 0)
        return err_set(e, ERR_USER, "cannot unpack the image: %.*s", (int)line.length, line.text);
    const char *hint = strstr(str_text(said), "No space left")
                           ? "; free some space, or put the study folder elsewhere with --dir"
                       : strstr(str_text(said), "Cannot exec")
                           ? "; install that program, or unpack the image yourself and name the "
                             "folder"
                           : "";
    return err_set(e, ERR_USER, "cannot unpack the image: tar says about %s: %.*s%s", file,
                   (int)line.length, line.text, hint);
}

static int extract(const char *file, const char *into, struct err *e)
{
    char *argv[] = {"tar",
                    "--extract",
                    "--no-same-owner",
                    "--no-same-permissions",
                    "--delay-directory-restore",
                    "--no-wildcards-match-slash",
                    "--anchored",
                    "--exclude=dev/*",
                    "--exclude=./dev/*",
                    "--exclude=/dev/*",
                    "--directory",
                    (char *)into,
                    "--file",
                    (char *)file,
                    NULL};
    struct str said = {0};
    if (mkdir(into, 0777) != 0 && errno != EEXIST)
        return err_system(e, "cannot make %s", into);
    int code = container_run_program(argv, NULL, UNPACK_SECONDS, &said);
    if (code != 0)
        tar_failed(file, code, &said, e);
    str_free(&said);
    return e->code;
}

/* ---- layers ---- */

/* A blob is named by its digest. If the program that computes it is missing, it is not checked. */
static int check_digest(const char *path, struct err *e)
{
    const char *name = strrchr(path, '/') + 1;
    struct str said = {0};
    if (strlen(name) != 64 || !strstr(path, "/blobs/sha256/"))
        return 0;
    char *argv[] = {"sha256sum", (char *)path, NULL};
    int code = container_run_program(argv, NULL, DIGEST_SECONDS, &said);
    if (code == 0 && strncmp(str_text(&said), name, 64) != 0)
        err_set(e, ERR_USER, "the image is damaged: the contents of %s do not match its digest",
                path);
    str_free(&said);
    return e->code;
}

static int unpack_layers(const struct unpack *u, struct layered_image *image, struct err *e)
{
    int failed = 0;
    if (mkdir(u->root, 0777) != 0)
        return err_system(e, "cannot make %s", u->root);
    for (size_t i = 0; i < image->count && !failed; i++) {
        failed = check_digest(image->layers[i], e);
        if (!failed)
            failed = extract(image->layers[i], u->layer, e);
        if (!failed)
            failed = merge_layer(u->root, u->layer, e);
    }
    return failed;
}

static int unpack_layout(struct unpack *u, const char *folder, struct err *e)
{
    struct layered_image image = {.arena = &u->arena, .folder = folder};
    int failed = layered_read(&image, e);
    if (!failed)
        failed = unpack_layers(u, &image, e);
    if (!failed && image.environment.length > 0)
        failed = str_write_file(arena_printf(&u->arena, "%s/environment", u->made),
                                image.environment.text, image.environment.length, e);
    layered_free(&image);
    return failed;
}

/* A tarball contains a root file system, or an image in layers. */
static int unpack_tar(struct unpack *u, struct err *e)
{
    if (extract(u->image, u->saved, e))
        return e->code;
    if (!layered_is_oci(u->saved) && !layered_is_saved(u->saved)) {
        if (rename(u->saved, u->root) != 0)
            return err_system(e, "cannot rename %s", u->saved);
        return 0;
    }
    return unpack_layout(u, u->saved, e) || merge_remove(u->saved, e) ? e->code : 0;
}

/* ---- the whole image ---- */

static int make(struct unpack *u, enum container_image kind, const char *source, struct err *e)
{
    int failed = merge_remove(u->made, e);
    if (!failed && mkdir(u->made, 0777) != 0)
        failed = err_system(e, "cannot make %s", u->made);
    if (!failed)
        failed = kind == IMAGE_TAR ? unpack_tar(u, e) : unpack_layout(u, u->image, e);
    if (!failed) {
        enum container_image found;
        failed = container_image_kind(u->root, &found, e);
        if (failed)
            err_set(e, ERR_USER, "%s is not an image: it does not contain a root file system",
                    u->image);
    }
    if (!failed)
        failed = str_write_file(arena_printf(&u->arena, "%s/source", u->made), source,
                                strlen(source), e);
    return failed;
}

static int put_in_place(struct unpack *u, const char *place, struct err *e)
{
    const char *old = arena_printf(&u->arena, "%s.old", place);
    if (merge_remove(old, e))
        return e->code;
    if (rename(place, old) != 0 && errno != ENOENT)
        return err_system(e, "cannot rename %s", place);
    if (rename(u->made, place) != 0)
        return err_system(e, "cannot rename %s", u->made);
    return merge_remove(old, e);
}

/*
 * If locks do not work, the lock of the journal already keeps others away. Only this user may open
 * the file: others could hold the lock for ever.
 */
static int lock(const struct unpack *u, const char *place)
{
    int fd = open(arena_printf((struct arena *)&u->arena, "%s.lock", place),
                  O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (fd >= 0)
        (void)!flock(fd, LOCK_EX);
    return fd;
}

int unpack_image(const char *image, enum container_image kind, const char *place, struct err *e)
{
    struct unpack u = {.image = image};
    u.made = arena_printf(&u.arena, "%s.new", place);
    u.root = arena_printf(&u.arena, "%s/root", u.made);
    u.layer = arena_printf(&u.arena, "%s/layer", u.made);
    u.saved = arena_printf(&u.arena, "%s/saved", u.made);
    const char *source = fingerprint(&u.arena, image, kind);
    int locked = lock(&u, place), failed = 0;
    if (!is_current(place, source)) {
        failed = make(&u, kind, source, e) || put_in_place(&u, place, e) ? e->code : 0;
        struct err ignored = {0};
        if (failed)
            merge_remove(u.made, &ignored);
    }
    if (locked >= 0)
        close(locked);
    arena_free(&u.arena);
    return failed;
}
