/*
 * Any bytes as the description of an image: nothing may crash or hang, and no layer is a file
 * outside the image. The first byte chooses: 'm' what mpiexec says about its version, 's' the
 * manifest of a saved image, otherwise an OCI layout. Zero bytes separate its files: the index, the
 * manifest sha256:a, the configuration sha256:c.
 */
#include "container/inside.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static char folder[] = "/dev/shm/wick-fuzz-XXXXXX";

static void remove_folder(void)
{
    struct err e = {0};
    merge_remove(folder, &e);
}

static void write_at(int at, const char *name, const uint8_t *data, size_t size)
{
    int fd = openat(at, name, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, data, size) != (ssize_t)size)
        abort();
    close(fd);
}

/* An existing layer, next to what leads out of the image. */
static int make_folder(void)
{
    static int fd;
    if (fd > 0)
        return fd;
    if (!mkdtemp(folder))
        abort();
    atexit(remove_folder);
    fd = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    mkdirat(fd, "blobs", 0700);
    mkdirat(fd, "blobs/sha256", 0700);
    write_at(fd, "blobs/sha256/b", NULL, 0);
    if (symlinkat("/etc/passwd", fd, "blobs/sha256/e") || mkfifoat(fd, "blobs/sha256/f", 0600))
        abort();
    return fd;
}

static void read_layout(const uint8_t *data, size_t size, bool saved)
{
    static const char *const oci[] = {"index.json", "blobs/sha256/a", "blobs/sha256/c"};
    static const char *const docker[] = {"manifest.json", "c"};
    struct arena arena = {0};
    struct layered_image image = {.arena = &arena, .folder = folder};
    struct err e = {0};
    int fd = make_folder();
    size_t files = saved ? 2 : 3;
    unlinkat(fd, saved ? "index.json" : "manifest.json", 0);
    for (size_t i = 0; i < files; i++) {
        const uint8_t *end = i + 1 < files ? memchr(data, 0, size) : NULL;
        size_t length = end ? (size_t)(end - data) : size;
        write_at(fd, saved ? docker[i] : oci[i], data, length);
        data += length + (end != NULL);
        size -= length + (end != NULL);
    }
    if (layered_read(&image, &e) == 0 && image.count == 0)
        abort();
    for (size_t i = 0; i < image.count; i++)
        if (strncmp(image.layers[i], folder, strlen(folder)) != 0)
            abort();
    layered_free(&image);
    arena_free(&arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct container_mpi mpi;
    if (size == 0)
        return 0;
    if (data[0] == 'm') {
        char *text = memory_new(size, 1);
        memcpy(text, data + 1, size - 1);
        container_mpi_read(text, &mpi);
        free(text);
    } else {
        read_layout(data + 1, size - 1, data[0] == 's');
    }
    return 0;
}
