/* inside.h - what the files of this room share (private to it). */
#ifndef CONTAINER_INSIDE_H
#define CONTAINER_INSIDE_H

#include "container/container.h"

/* The words of a command, in an arena. */
struct words {
    struct arena *arena;
    const struct str *variables; /* variables of the command: NAME=value, each ended by zero */
    char **all;                  /* free() it */
    size_t count, capacity;
};

/* Adds a word. */
void words_add(struct words *words, const char *format, ...) ERR_FORMAT(2, 3);
/* Returns the words, ended by NULL, in the arena, and frees the rest. */
char **words_take(struct words *words);

/* Binds that some runtimes provide themselves. */
enum bind_role { BIND_ANY, BIND_TMP, BIND_HOME, BIND_ETC };

/* A folder or file of the machine that is visible inside. */
struct bind {
    const char *source, *target;
    bool read_only;
    enum bind_role role;
    bool is_file; /* set when the binds are settled */
};

/* How a command's environment gets to the program. */
enum passes {
    PASSES_ALL,    /* all variables are passed unchanged */
    PASSES_MOST,   /* the same, except PATH and the like, which other variables carry */
    PASSES_NAMED,  /* only variables named on the command line, with values from the environment */
    PASSES_VALUES, /* only variables given on the command line with their values */
};

struct runtime {
    const char *program;
    unsigned images; /* bits of enum container_image: the kinds it can run as they are */
    unsigned brings; /* bits of enum bind_role: what it binds by itself */
    enum passes passes;
    bool keeps_hosts;       /* see container_keeps_hosts() */
    bool has_monitor;       /* see container_has_monitor() */
    bool is_offline;        /* it can disable the network */
    bool has_gpus;          /* it can make the GPUs of the machine visible */
    bool has_read_only;     /* it has read-only binds of its own; see readonly.c */
    bool needs_points;      /* the target of a bind must exist in the image */
    const char *separators; /* characters that must not be in a path that is bound */
    void (*add)(const struct container *container, struct words *words);
};

/* The row of the runtime with this name, or NULL. */
const struct runtime *runtime_of(const char *name);
/* The row of a runtime. */
const struct runtime *runtime_at(enum study_runtime runtime);
/* The name of a runtime. */
const char *runtime_name(const struct runtime *runtime);
/* True if the runtime can run this kind of image, unpacked if necessary. */
bool runtime_takes(const struct runtime *runtime, enum container_image kind);

struct binds {
    struct bind *all;
    size_t count, capacity;
};

struct container {
    struct arena arena;
    const struct study *study;
    const struct study_container *wish;
    const char *dir;   /* the study folder */
    const char *place; /* DIR/image */
    enum container_image kind;
    const char *root;              /* what the runtime gets as the image */
    bool is_folder;                /* `root` is a folder */
    const struct runtime *runtime; /* NULL: not chosen yet */
    char program[PATH_MAX];        /* path of the runtime's program */
    struct binds wanted;           /* all binds, for any runtime */
    struct binds binds;            /* the binds that this runtime must be told about */
    struct binds read_only;        /* those that Wick makes read-only for it: see readonly.c */
    const char *self;              /* the path of Wick itself; NULL: not found */
    const char *tools;             /* its folder; NULL: not found */
    char **own;    /* variables of the image itself, NAME=value, ended by NULL; or NULL */
    char **hidden; /* names of our variables that are not visible inside, ended by NULL */
    char **passed; /* names of those that are passed, ended by NULL */
    char user[64];
};

/* ---- container.c ---- */

/* A container of which nothing is checked yet; container_close() it. */
struct container *container_new(const struct study *study, const char *dir);
/* Why a runtime cannot be used at all, "is not installed"; NULL: it can be tried. */
const char *container_refusal(struct container *container, const struct runtime *runtime);
/* Sets what the runtime gets as the image, and reads the variables of the image. */
void container_use_root(struct container *container);
/* Runs a program inside, as container_run_program() does. */
int container_run_inside(const struct container *container, char *const *argv, double limit,
                         struct str *said);
/* True if what `true` printed inside says that the runtime works, but the image has no `true`. */
bool container_lacks_true(const struct str *said);

/* ---- programs.c: running other programs ---- */

/*
 * Runs a program and waits for it, at most `seconds`. Appends what it printed on both streams to
 * `said`. Returns its exit code, or 128 plus the number of the signal that ended it; -1 if it could
 * not be started or did not end in time, and then `said` ends with the reason.
 */
int container_run_program(char *const *argv, char *const *environment, double seconds,
                          struct str *said);

/* ---- unpack.c, merge.c, layers.c: unpacking images ---- */

/*
 * Unpacks an image that is a tarball or an OCI layout into place/root, and its variables into
 * place/environment. An existing `place` is complete, and is kept if it was made from this image.
 */
int unpack_image(const char *image, enum container_image kind, const char *place, struct err *e);

/* The layers of an image, in order, and its variables; paths are in the arena. */
struct layered_image {
    struct arena *arena;
    const char *folder; /* the folder with the blobs */
    const char **layers;
    size_t count;
    struct str environment; /* lines NAME=value */
};

/* True for an OCI layout. */
bool layered_is_oci(const char *folder);
/* True for an image saved by docker or podman. */
bool layered_is_saved(const char *folder);
/* Reads the layers and variables of the image in .folder. ERR_USER if it is not valid. */
int layered_read(struct layered_image *image, struct err *e);
/* Frees the environment; paths belong to the arena. */
void layered_free(struct layered_image *image);

/* Moves a layer that is unpacked in its own folder over what is there, and removes the folder. */
int merge_layer(const char *root, const char *layer, struct err *e);
/* Removes a folder with all its contents; links are not followed. */
int merge_remove(const char *path, struct err *e);
/* Creates a folder or an empty file in an image, never outside through a link; false on failure. */
bool merge_make(const char *root, const char *path, bool is_folder);

/* ---- environment.c ---- */

/* Decides which of our variables are visible inside. */
void environment_prepare(struct container *container);
/* Reads the variables of the image, from DIR/image/environment or from the image itself. */
void environment_read_own(struct container *container);
/* True for variables whose value for the runtime differs from that for the program: PATH, LD_... */
bool environment_is_delicate(const char *name);
/* The value of a variable in NAME=value strings; NULL: it is not set. */
const char *environment_find(const struct str *variables, const char *name);
/* Our own environment with these variables set; a NAME without a value is removed. */
char **environment_merge(struct arena *arena, const struct str *variables);

/* ---- binds.c ---- */

/* Collects all that must be visible inside. ERR_USER if a bind of the study is not possible. */
int binds_collect(struct container *container, struct err *e);
/*
 * Selects those that the chosen runtime must be told about. ERR_USER if it cannot bind one of them;
 * the message starts with the verb: "cannot bind ...".
 */
int binds_settle(struct container *container, struct err *e);
/* Creates the targets of the binds in the image, if the runtime needs that. */
int binds_make_points(const struct container *container, struct err *e);
/* True if this path exists in an image that is a folder. */
bool binds_has(const struct container *container, const char *path);
/* True if a path lies inside one that is bound under its own name. */
bool binds_cover(const struct container *container, const char *path);
/* True if `path` is `folder` or lies in it. */
bool binds_is_in(const char *path, const char *folder);
/* Adds a bind. */
void binds_add(struct binds *binds, const struct bind *bind);
/* Frees the lists of binds. */
void binds_free(struct container *container);

/* ---- readonly.c ---- */

/* True if Wick must make this bind read-only before the runtime starts. */
bool readonly_needed(const struct runtime *runtime, const struct bind *bind);
/* Where such a bind is found by the runtime: PLACE/INDEX. */
const char *readonly_place(struct container *container, size_t index);
/* Creates PLACE, an empty folder in DIR/image. */
int readonly_make_place(const struct container *container, struct err *e);
/* Removes it. */
void readonly_remove_place(const struct container *container);
/* Adds the words that start the runtime with such binds, if there are any. */
void readonly_add(const struct container *container, struct words *words);

/* ---- machine.c: the machine itself, as an image ---- */

/* Turns an empty folder into the root of such an image; false on failure. */
bool machine_root(const char *place);
/* Adds the binds that put the machine's folders into it. */
void machine_binds(struct container *container);
/* Removes it, unless a runtime has left something bound there. */
void machine_remove(const char *place);

#endif
