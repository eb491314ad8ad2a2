/*
 * container.c - the section `container`: the image that trials run in.
 *
 * Paths become absolute here, and in the text that the journal keeps, since a study may be resumed
 * from any folder. Names such as docker://NAME stay as they are: the runtime fetches the image.
 */
#include "study/read.h"

#include <unistd.h>

enum { BINDS = 1000 };

const char *const *study_runtimes(void)
{
    static const char *const words[RUNTIMES + 3] = {
        "auto",
        [1 + RUNTIME_APPTAINER] = "apptainer",
        [1 + RUNTIME_SINGULARITY] = "singularity",
        [1 + RUNTIME_CHARLIECLOUD] = "charliecloud",
        [1 + RUNTIME_BUBBLEWRAP] = "bubblewrap",
        [1 + RUNTIME_PODMAN] = "podman",
        [1 + RUNTIME_PROOT] = "proot",
        [1 + RUNTIME_UDOCKER] = "udocker",
        [1 + RUNTIMES] = "none",
    };
    return words;
}

const char *study_runtime_name(enum study_runtime runtime)
{
    return study_runtimes()[1 + runtime];
}

/* ---- paths ---- */

/* True, after adding a mistake, for text that only a shell understands or no runtime accepts. */
static bool is_no_path(struct reader *reader, const struct node *value, const char *text)
{
    if (text[0] == '~')
        mistake(reader->mistakes, value->place,
                "'~' means your home folder only to a shell: write the path out, as in "
                "/home/you/%s",
                shown(text + strspn(text, "~/")).text);
    else if (text[line_length(text)])
        mistake(reader->mistakes, value->place, "a path must not have control characters");
    else
        return false;
    return true;
}

static const char *absolute_path(struct reader *reader, const struct node *value, const char *text)
{
    if (text[0] == '/')
        return text;
    reader->has_moved = true;
    text += strncmp(text, "./", 2) == 0 ? 2 : 0;
    const char *base = path_base(reader, value);
    return arena_printf(&reader->study->arena, "%s/%s", strcmp(base, "/") == 0 ? "" : base, text);
}

/* ---- the image ---- */

/* Length of "docker://" and the like; 0: it is a path. */
static size_t scheme_length(const char *image)
{
    size_t length = strspn(image, "abcdefghijklmnopqrstuvwxyz0123456789+.-");
    return length > 0 && strncmp(image + length, "://", 3) == 0 ? length + 3 : 0;
}

static void read_image_name(struct reader *reader, const struct node *value, const char *name)
{
    if (strncmp(name, "file://", 7) == 0)
        mistake(reader->mistakes, value->place, "write the path of the image alone: '%s'",
                shown(name + 7).text);
    else if (!name[scheme_length(name)] || name[strcspn(name, " '\"\\")] || name[line_length(name)])
        mistake(reader->mistakes, value->place,
                "'%s' cannot be the name of an image: write it as in docker://python:3.12",
                shown(name).text);
    reader->study->container.image = name;
}

static void read_image(struct reader *reader, const struct node *value)
{
    struct arena *arena = &reader->study->arena;
    const char *text;
    if (!read_text(reader, value, &text))
        return;
    if (scheme_length(text)) {
        read_image_name(reader, value, text);
        return;
    }
    if (strncmp(text, "docker:", 7) == 0) {
        const char *name = text + 7 + strspn(text + 7, "/");
        read_image_name(reader, value, arena_printf(arena, "docker://%s", name));
        return;
    }
    reader->study->container.image = text;
    if (is_no_path(reader, value, text))
        return;
    reader->study->container.image = absolute_path(reader, value, text);
}

/* A missing image should be found before a hundred nodes start. */
static void check_image(struct reader *reader, const struct node *value)
{
    const char *image = reader->study->container.image;
    bool is_path = image && image[0] == '/';
    if (!is_path || !is_checked(reader, value) || access(image, F_OK) == 0)
        return;
    bool is_relative = value->text[0] != '/';
    mistake(reader->mistakes, value->place,
            "there is no image '%s'%s%s: name a file or a folder, or write docker://NAME for an "
            "image to be fetched",
            shown(value->text).text, is_relative ? " in " : "",
            is_relative ? shown(path_base(reader, value)).text : "");
}

/* ---- binds ---- */

/* Most runtimes separate the names of binds by : and , */
static bool check_bind_path(struct reader *reader, const struct node *item, const char *path)
{
    if (is_no_path(reader, item, path))
        return false;
    if (path[0] == '/' && !strpbrk(path, ":,"))
        return true;
    mistake(reader->mistakes, item->place,
            "'%s' cannot be a folder of 'binds': write them as in binds: [/data, "
            "/scratch:/inside:ro], without : or , in a name",
            shown(path).text);
    return false;
}

static bool take_source(struct reader *reader, const struct node *item, const char *text,
                        struct study_bind *bind)
{
    if (text[0] == 0)
        return check_bind_path(reader, item, text);
    if (is_no_path(reader, item, text))
        return false;
    bind->source = absolute_path(reader, item, text);
    /* An absolute path may exist only on the nodes of a cluster. */
    if (text[0] == '/' || !is_checked(reader, item) || access(bind->source, F_OK) == 0)
        return check_bind_path(reader, item, bind->source);
    mistake(reader->mistakes, item->place, "there is no file or folder '%s' in %s",
            shown(text).text, shown(path_base(reader, item)).text);
    return false;
}

/* `rest` is what follows the source: nothing, /inside, /inside:ro, or ro alone. */
static bool take_bind(struct reader *reader, const struct node *item, const char *source,
                      const char *rest, struct study_bind *bind)
{
    size_t length = strcspn(rest, ":");
    bool is_mode = strcmp(rest, "ro") == 0 || strcmp(rest, "rw") == 0;
    const char *mode = is_mode ? rest : rest[length] ? rest + length + 1 : "rw";
    const char *target = is_mode ? "" : arena_copy(&reader->study->arena, rest, length);
    bind->read_only = strcmp(mode, "ro") == 0;
    if (!bind->read_only && strcmp(mode, "rw") != 0) {
        mistake(reader->mistakes, item->place,
                "a bind must end in ':ro' (read-only) or ':rw', not in ':%s'", shown(mode).text);
        return false;
    }
    if (!take_source(reader, item, source, bind))
        return false;
    bind->target = target[0] ? target : bind->source;
    return !target[0] || check_bind_path(reader, item, target);
}

static void read_binds(struct reader *reader, const struct node *value)
{
    struct study_container *container = &reader->study->container;
    struct arena *arena = &reader->study->arena;
    bool is_single = value->kind == NODE_SCALAR && value->text[0];
    if ((value->kind == NODE_SCALAR && !is_single) || value->count > BINDS) {
        mistake(reader->mistakes, value->place,
                "'binds' must be a list of at most %d folders, as in binds: [/data, "
                "/scratch:/inside:ro]",
                BINDS);
        return;
    }
    struct study_bind *binds = arena_new(arena, value->count + 1, sizeof *binds);
    for (const struct node *item = is_single ? value : value->first; item;
         item = is_single ? NULL : item->next) {
        const char *text, *source = item->key, *rest = "";
        bool is_pair = value->kind == NODE_MAP;
        bool is_alone = is_pair && item->kind == NODE_SCALAR && node_value_kind(item) == VALUE_NULL;
        if (!is_alone && !read_text(reader, item, &text))
            continue;
        if (is_pair) {
            rest = is_alone ? "" : text;
        } else {
            size_t length = strcspn(text, ":");
            source = arena_copy(arena, text, length);
            rest = text + length + (text[length] == ':');
        }
        if (take_bind(reader, item, source, rest, &binds[container->bind_count]))
            container->bind_count++;
    }
    container->binds = binds;
}

/* ---- other keys ---- */

void read_runtime_word(struct reader *reader, const struct node *value, const char **runtime)
{
    static const struct synonym names[] = {
        {"docker", "podman"},      {"buildah", "podman"},      {"bwrap", "bubblewrap"},
        {"sylabs", "singularity"}, {"ch-run", "charliecloud"}, {"off", "none"},
        {"host", "none"},          {"native", "none"},         {0},
    };
    const char *here = value->kind == NODE_SCALAR ? find_synonym(names, value->text) : NULL;
    size_t index;
    if (here)
        mistake(reader->mistakes, value->place, "unknown runtime '%s': the closest one here is %s",
                shown(value->text).text, here);
    else if (read_word(reader, value, study_runtimes(), &index))
        *runtime = study_runtimes()[index];
}

static void read_runtime(struct reader *reader, const struct node *value)
{
    read_runtime_word(reader, value, &reader->study->container.runtime);
}

static void read_env(struct reader *reader, const struct node *value)
{
    struct study_container *container = &reader->study->container;
    read_variables(reader, value, "env: {OMP_NUM_THREADS: 4}", &container->environment,
                   &container->environment_count);
}

static void read_inherit(struct reader *reader, const struct node *value)
{
    bool inherit;
    if (read_bool(reader, value, &inherit))
        reader->study->container.clean = !inherit;
}

static void read_gpu(struct reader *reader, const struct node *value)
{
    read_bool(reader, value, &reader->study->container.gpu);
}

static void read_network(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"host", "none", NULL};
    size_t index;
    if (read_word(reader, value, words, &index))
        reader->study->container.offline = index == 1;
}

static void read_workdir(struct reader *reader, const struct node *value)
{
    const char **workdir = &reader->study->container.workdir;
    if (!read_text(reader, value, workdir) || is_no_path(reader, value, *workdir))
        return;
    if ((*workdir)[0] != '/')
        mistake(reader->mistakes, value->place,
                "'workdir' must be an absolute path inside the image, as in workdir: /workspace");
}

static void read_options(struct reader *reader, const struct node *value)
{
    reader->study->container.options = read_plain_words(reader, value);
    if (!reader->study->container.options)
        mistake(reader->mistakes, value->place,
                "'options' must be words for the runtime, as in options: [--fakeroot]");
}

/* ---- the section ---- */

const struct field container_fields[] = {
    {"image", read_image, NULL},
    {"runtime", read_runtime, NULL},
    {"binds", read_binds, NULL},
    {"env", read_env, NULL},
    {"inherit", read_inherit, NULL},
    {"gpu", read_gpu, NULL},
    {"network", read_network, NULL},
    {"workdir", read_workdir, NULL},
    {"options", read_options, NULL},
    {"bind", NULL, "use 'binds'"},
    {"mounts", NULL, "use 'binds'"},
    {"volumes", NULL, "use 'binds'"},
    {"environment", NULL, "use 'env'"},
    {"engine", NULL, "use 'runtime'"},
    {"gpus", NULL, "use gpu: true; 'gpus' of 'model' says how many a trial has"},
    {"nv", NULL, "use gpu: true"},
    {"pwd", NULL, "use 'workdir'"},
    {"folder", NULL, "use 'workdir'"},
    {"args", NULL, "use 'options'"},
    {"flags", NULL, "use 'options'"},
    {0},
};

/* Checks what conflicts with the rest of the study. */
static void check_container(struct reader *reader)
{
    const struct node *section = reader->container;
    const struct node *image = section->kind == NODE_MAP ? node_find(section, "image") : section;
    if (reader->function)
        mistake(reader->mistakes, section->key_place,
                "Wick evaluates functions itself: only programs run in a container");
    if (image)
        check_image(reader, image);
    else if (!is_explained(section, container_fields, "image"))
        mistake(reader->mistakes, section->key_place,
                "'container' needs an image, as in container: {image: image.sif}");
}

void read_container(struct reader *reader)
{
    const struct node *section = reader->container;
    struct study_container *container = &reader->study->container;
    if (!section)
        return;
    container->runtime = "auto";
    if (section->kind == NODE_SCALAR)
        read_image(reader, section);
    else
        read_fields(reader, section, container_fields);
    if (strcmp(container->runtime, "none") == 0)
        container->image = NULL; /* it is kept for other machines */
    else
        check_container(reader);
}

/* ---- the text that is kept ---- */

static struct node *bind_nodes(struct arena *arena, const struct study_container *container)
{
    struct place nowhere = {0};
    struct node *list = node_new(arena, NODE_LIST, nowhere);
    for (size_t i = 0; i < container->bind_count; i++) {
        const struct study_bind *bind = &container->binds[i];
        const char *text = arena_printf(arena, "%s:%s%s", bind->source, bind->target,
                                        bind->read_only ? ":ro" : "");
        node_add(list, NULL, nowhere, node_scalar(arena, text, false, nowhere));
    }
    return list;
}

void put_container_paths(struct reader *reader, struct node *root)
{
    struct arena *arena = &reader->study->arena;
    const struct study_container *container = &reader->study->container;
    struct place nowhere = {0};
    struct node *section = node_find(root, "container");
    if (section->kind == NODE_SCALAR) {
        section = node_new(arena, NODE_MAP, nowhere);
        node_set(root, "container", nowhere, section);
    }
    if (container->image)
        node_set(section, "image", nowhere, node_scalar(arena, container->image, false, nowhere));
    if (container->bind_count > 0)
        node_set(section, "binds", nowhere, bind_nodes(arena, container));
}
