/*
 * layers.c - finds the layers of an image.
 *
 * An OCI layout: index.json names a manifest (perhaps through further indexes, one per platform),
 * which names the configuration and the layers; all are blobs/ALGORITHM/HEX. What `docker save` and
 * `podman save` write has a manifest.json that names files. An image may be hostile: a name is
 * accepted only if the file lies in the folder.
 */
#include "container/inside.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

enum { JSON_LIMIT = 8 << 20, LAYER_LIMIT = 1000, INDEX_DEPTH = 4 };

static bool has(const char *folder, const char *name)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", folder, name);
    bool is_there = access(path.text, F_OK) == 0;
    str_free(&path);
    return is_there;
}

bool layered_is_oci(const char *folder)
{
    return has(folder, "index.json") && has(folder, "blobs");
}

bool layered_is_saved(const char *folder)
{
    return has(folder, "manifest.json");
}

static int broken(struct err *e, const char *what)
{
    return err_set(e, ERR_USER, "the image is not valid: %s", what);
}

/* The path of a regular file of the layout (a pipe would block us); links must stay inside. */
static const char *file_inside(const struct layered_image *image, const char *name)
{
    char folder[PATH_MAX], path[PATH_MAX];
    char *joined = arena_printf(image->arena, "%s/%s", image->folder, name);
    struct stat info;
    size_t length;
    if (!realpath(image->folder, folder) || !realpath(joined, path) || stat(path, &info) != 0 ||
        !S_ISREG(info.st_mode))
        return NULL;
    length = strlen(folder);
    if (strncmp(path, folder, length) != 0 || path[length] != '/')
        return NULL;
    return arena_copy(image->arena, path, strlen(path));
}

/* The path of a blob by its digest, sha256:...; NULL if it is not a digest or not there. */
static const char *blob(const struct layered_image *image, const char *digest)
{
    size_t algorithm = strspn(digest, "abcdefghijklmnopqrstuvwxyz0123456789");
    const char *hex = digest + algorithm + 1;
    if (algorithm == 0 || digest[algorithm] != ':' || hex[0] == 0 ||
        hex[strspn(hex, "0123456789abcdef")])
        return NULL;
    char *name = arena_printf(image->arena, "blobs/%.*s/%s", (int)algorithm, digest, hex);
    return file_inside(image, name);
}

static int add_layer(struct layered_image *image, const char *path, struct err *e)
{
    if (!path)
        return broken(e, "a layer is missing");
    if (image->count == LAYER_LIMIT)
        return broken(e, "it has more than 1000 layers");
    if (!image->layers)
        image->layers = arena_new(image->arena, LAYER_LIMIT, sizeof *image->layers);
    image->layers[image->count++] = path;
    return 0;
}

/* ---- the configuration ---- */

static void read_variables(struct json *j, struct str *lines)
{
    struct str text = {0};
    json_enter(j, '[');
    while (json_item(j)) {
        json_string(j, &text);
        if (text.length > 0 && !strchr(text.text, '\n') && strchr(text.text, '='))
            str_printf(lines, "%s\n", text.text);
    }
    str_free(&text);
}

static void read_inner_config(struct json *j, struct str *lines)
{
    struct slice key;
    if (json_peek(j) != JSON_OBJECT) {
        json_skip(j);
        return;
    }
    json_enter(j, '{');
    while (json_key(j, &key))
        if (slice_is(key, "Env") && json_peek(j) == JSON_ARRAY)
            read_variables(j, lines);
        else
            json_skip(j);
}

static int read_config(struct layered_image *image, const char *path, struct err *e)
{
    struct str text = {0};
    struct json j;
    struct slice key;
    if (!path || str_read_file(&text, path, JSON_LIMIT, e)) {
        str_free(&text);
        return broken(e, "its configuration is missing");
    }
    json_open(&j, text.text, text.length);
    json_enter(&j, '{');
    while (json_key(&j, &key))
        if (slice_is(key, "config"))
            read_inner_config(&j, &image->environment);
        else
            json_skip(&j);
    const char *wrong = json_close(&j);
    str_free(&text);
    return wrong ? broken(e, wrong) : 0;
}

/* ---- descriptors ---- */

struct descriptor {
    char digest[160];
    bool is_ours; /* its platform is that of this machine, or is not given */
};

/* The architecture of this machine as images spell it. */
static const char *architecture(struct utsname *machine)
{
    static const char *const names[][2] = {{"x86_64", "amd64"}, {"aarch64", "arm64"}};
    uname(machine);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(machine->machine, names[i][0]) == 0)
            return names[i][1];
    return machine->machine;
}

static bool read_platform(struct json *j)
{
    struct slice key;
    struct utsname machine;
    struct str text = {0};
    bool ours = true;
    json_enter(j, '{');
    while (json_key(j, &key)) {
        if (slice_is(key, "architecture") && json_peek(j) == JSON_STRING) {
            json_string(j, &text);
            ours = strcmp(str_text(&text), architecture(&machine)) == 0;
        } else {
            json_skip(j);
        }
    }
    str_free(&text);
    return ours;
}

static void read_descriptor(struct json *j, struct descriptor *descriptor)
{
    struct slice key;
    struct str text = {0};
    *descriptor = (struct descriptor){.is_ours = true};
    json_enter(j, '{');
    while (json_key(j, &key)) {
        if (slice_is(key, "digest") && json_peek(j) == JSON_STRING) {
            json_string(j, &text);
            snprintf(descriptor->digest, sizeof descriptor->digest, "%s", str_text(&text));
        } else if (slice_is(key, "platform") && json_peek(j) == JSON_OBJECT) {
            descriptor->is_ours = read_platform(j);
        } else {
            json_skip(j);
        }
    }
    str_free(&text);
}

/* Chooses the first descriptor for this machine, else the first one. */
static void read_manifests(struct json *j, struct descriptor *chosen)
{
    struct descriptor descriptor;
    json_enter(j, '[');
    while (json_item(j)) {
        read_descriptor(j, &descriptor);
        if (!chosen->digest[0] || (!chosen->is_ours && descriptor.is_ours))
            *chosen = descriptor;
    }
}

/* ---- an OCI layout ---- */

/* The content of a manifest or an index; an index has `next`, the manifest to use. */
struct manifest {
    struct descriptor next, config;
    bool has_layers;
};

static int read_layers(struct layered_image *image, struct json *j, struct err *e)
{
    struct descriptor layer;
    int failed = 0;
    json_enter(j, '[');
    while (json_item(j)) {
        read_descriptor(j, &layer);
        failed = failed ? failed : add_layer(image, blob(image, layer.digest), e);
    }
    return failed;
}

static int read_manifest(struct layered_image *image, const char *path, struct manifest *manifest,
                         struct err *e)
{
    struct str text = {0};
    struct slice key;
    struct json j;
    int failed = 0;
    if (str_read_file(&text, path, JSON_LIMIT, e)) {
        str_free(&text);
        return e->code;
    }
    json_open(&j, text.text, text.length);
    json_enter(&j, '{');
    while (json_key(&j, &key)) {
        if (slice_is(key, "manifests") && json_peek(&j) == JSON_ARRAY) {
            read_manifests(&j, &manifest->next);
        } else if (slice_is(key, "config") && json_peek(&j) == JSON_OBJECT) {
            read_descriptor(&j, &manifest->config);
        } else if (slice_is(key, "layers") && json_peek(&j) == JSON_ARRAY) {
            manifest->has_layers = true;
            failed = failed ? failed : read_layers(image, &j, e);
        } else {
            json_skip(&j);
        }
    }
    const char *wrong = json_close(&j);
    str_free(&text);
    return !failed && wrong ? broken(e, wrong) : failed;
}

static int read_oci(struct layered_image *image, struct err *e)
{
    const char *path = file_inside(image, "index.json");
    for (int depth = 0; depth < INDEX_DEPTH && path; depth++) {
        struct manifest manifest = {0};
        if (read_manifest(image, path, &manifest, e))
            return e->code;
        if (manifest.has_layers)
            return read_config(image, blob(image, manifest.config.digest), e);
        path = blob(image, manifest.next.digest);
    }
    return broken(e, "its index names no manifest that exists");
}

/* ---- an image of `docker save` ---- */

static int read_saved_layers(struct layered_image *image, struct json *j, struct err *e)
{
    struct str name = {0};
    int failed = 0;
    json_enter(j, '[');
    while (json_item(j)) {
        json_string(j, &name);
        failed = failed ? failed : add_layer(image, file_inside(image, str_text(&name)), e);
    }
    str_free(&name);
    return failed;
}

static int read_saved_image(struct layered_image *image, struct json *j, struct err *e)
{
    struct slice key;
    struct str name = {0};
    int failed = 0;
    json_enter(j, '{');
    while (json_key(j, &key)) {
        if (slice_is(key, "Config") && json_peek(j) == JSON_STRING)
            json_string(j, &name);
        else if (slice_is(key, "Layers") && json_peek(j) == JSON_ARRAY)
            failed = failed ? failed : read_saved_layers(image, j, e);
        else
            json_skip(j);
    }
    if (!failed && name.length > 0)
        failed = read_config(image, file_inside(image, name.text), e);
    str_free(&name);
    return failed;
}

/* If the file has several images, the first one is used. */
static int read_saved(struct layered_image *image, struct err *e)
{
    struct str text = {0};
    struct json j;
    const char *path = file_inside(image, "manifest.json");
    int failed = path ? str_read_file(&text, path, JSON_LIMIT, e) : broken(e, "manifest.json");
    if (!failed) {
        json_open(&j, text.text, text.length);
        json_enter(&j, '[');
        for (size_t i = 0; json_item(&j); i++)
            if (i == 0 && json_peek(&j) == JSON_OBJECT)
                failed = read_saved_image(image, &j, e);
            else
                json_skip(&j);
        const char *wrong = json_close(&j);
        if (!failed && wrong)
            failed = broken(e, wrong);
    }
    str_free(&text);
    return failed;
}

int layered_read(struct layered_image *image, struct err *e)
{
    int failed = layered_is_oci(image->folder) ? read_oci(image, e) : read_saved(image, e);
    if (!failed && image->count == 0)
        failed = broken(e, "it has no layers");
    return failed;
}

void layered_free(struct layered_image *image)
{
    str_free(&image->environment);
}
