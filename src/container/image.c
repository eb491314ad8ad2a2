/* image.c - recognizes the kind of an image by its content. */
#include "container/inside.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

const char *container_image_name(enum container_image kind)
{
    static const char *const names[] = {
        [IMAGE_FOLDER] = "a folder",   [IMAGE_SIF] = "a SIF",     [IMAGE_SQUASH] = "a SquashFS",
        [IMAGE_OCI] = "an OCI layout", [IMAGE_TAR] = "a tarball", [IMAGE_NAME] = "a name",
    };
    return names[kind];
}

/* The bytes of a file at an offset. Compressed files count as tarballs. */
static const struct magic {
    enum container_image kind;
    size_t offset, length;
    const char *bytes;
} magics[] = {
    {IMAGE_SIF, 32, 9, "SIF_MAGIC"},
    {IMAGE_SQUASH, 0, 4, "hsqs"},
    {IMAGE_TAR, 257, 5, "ustar"},
    {IMAGE_TAR, 0, 2, "\x1f\x8b"},
    {IMAGE_TAR, 0, 4, "\x28\xb5\x2f\xfd"},
    {IMAGE_TAR, 0, 3, "BZh"},
    {IMAGE_TAR, 0, 6,
     "\xfd"
     "7zXZ"},
};

static int file_kind(const char *image, enum container_image *kind, struct err *e)
{
    char bytes[512] = "";
    int fd = open(image, O_RDONLY | O_CLOEXEC);
    ssize_t length = fd >= 0 ? read(fd, bytes, sizeof bytes) : -1;
    if (fd >= 0)
        close(fd);
    if (length < 0)
        return err_set(e, ERR_USER, "cannot read the image %s: %s", image, strerror(errno));
    for (size_t i = 0; i < sizeof magics / sizeof *magics; i++)
        if (magics[i].offset + magics[i].length <= (size_t)length &&
            memcmp(bytes + magics[i].offset, magics[i].bytes, magics[i].length) == 0) {
            *kind = magics[i].kind;
            return 0;
        }
    return err_set(e, ERR_USER,
                   "%s is not an image: it must be a SIF, a SquashFS, a tarball (compressed or "
                   "not), an OCI layout or a folder with a root file system",
                   image);
}

static bool has(const char *folder, const char *name)
{
    struct str path = {0};
    struct stat info;
    str_printf(&path, "%s/%s", folder, name);
    bool is_there = lstat(path.text, &info) == 0;
    str_free(&path);
    return is_there;
}

static int folder_kind(const char *image, enum container_image *kind, struct err *e)
{
    static const char *const usual[] = {"bin", "usr", "lib", "nix", "app"};
    if (layered_is_oci(image)) {
        *kind = IMAGE_OCI;
        return 0;
    }
    *kind = IMAGE_FOLDER;
    for (size_t i = 0; i < sizeof usual / sizeof *usual; i++)
        if (has(image, usual[i]))
            return 0;
    return err_set(e, ERR_USER,
                   "the folder %s is not an image: it is neither a root file system (it has no bin "
                   "and no usr) nor an OCI layout (it has no index.json)",
                   image);
}

int container_image_kind(const char *image, enum container_image *kind, struct err *e)
{
    struct stat info;
    if (strstr(image, "://")) {
        *kind = IMAGE_NAME;
        return 0;
    }
    if (stat(image, &info) != 0)
        return err_set(e, ERR_USER,
                       "there is no image %s (%s). For an image in a registry write docker://NAME",
                       image, strerror(errno));
    if (S_ISDIR(info.st_mode))
        return folder_kind(image, kind, e);
    if (S_ISREG(info.st_mode))
        return file_kind(image, kind, e);
    return err_set(e, ERR_USER, "%s is neither a file nor a folder, so it cannot be an image",
                   image);
}
