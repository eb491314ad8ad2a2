/* inside.h - what the files of this room share (private to it). */
#ifndef CONTAINER_INSIDE_H
#define CONTAINER_INSIDE_H

#include "container/container.h"

/* Words of a command, in an arena. */
struct words {
    struct arena *arena;
    const struct str *variables; /* of the command: NAME=value, each ended by zero */
    char **all;                  /* free() it */
    size_t count, capacity;
};

void words_add(struct words *words, const char *format, ...) ERR_FORMAT(2, 3);
/* The words, ended by NULL, in the arena; the rest is given back. */
char **words_take(struct words *words);

/* What some runtimes bring along by themselves. */
enum bind_role { BIND_ANY, BIND_TMP, BIND_HOME, BIND_ETC };

/* A folder or file of the machine that is seen inside. */
struct bind {
    const char *source, *target;
    bool read_only;
    enum bind_role role;
};

/* How a command's environment gets to the program. */
enum passes {
    PASSES_ALL,    /* it is the program's own */
    PASSES_MOST,   /* so, but for PATH and the like, which are told by other variables */
    PASSES_NAMED,  /* what is named on the command line; the value is in the environment */
    PASSES_VALUES, /* what is on the command line with its value */
};

struct runtime {
    const char *program;
    unsigned images; /* bits of enum container_image that it takes as they are */
    unsigned brings; /* bits of enum bind_role */
    enum passes passes;
    bool keeps_hosts;       /* see container_keeps_hosts() */
    bool has_monitor;       /* see container_has_monitor() */
    bool is_offline;        /* it can do without the network */
    bool needs_points;      /* what is bound must be there in the image already */
    const char *separators; /* cannot be in a path that is bound */
    void (*add)(const struct container *container, struct words *words);
};

/* The row of a runtime that is named so, or NULL. */
const struct runtime *runtime_of(const char *name);
/* The row of a runtime. */
const struct runtime *runtime_at(enum study_runtime runtime);
/* What a runtime is called. */
const char *runtime_name(const struct runtime *runtime);
bool runtime_takes(const struct runtime *runtime, enum container_image kind);

struct binds {
    struct bind *all;
    size_t count, capacity;
};

struct container {
    struct arena arena;
    const struct study *study;
    const struct study_container *wish;
    const char *dir;   /* the study's folder */
    const char *place; /* DIR/image */
    enum container_image kind;
    const char *root;              /* what the runtime is given as the image */
    bool is_folder;                /* that is a folder */
    const struct runtime *runtime; /* NULL: not chosen yet */
    char program[PATH_MAX];        /* of it */
    struct binds wanted;           /* all, for any runtime */
    struct binds binds;            /* that this runtime must be told of */
    const char *tools;             /* the folder of the program; NULL: not found */
    char **own;    /* variables of the image itself, NAME=value, ended by NULL; or NULL */
    char **hidden; /* names of our variables that are not seen inside, ended by NULL */
    char **passed; /* of those that are */
    char user[64];
};

/* ---- programs.c: others that we run ---- */

/*
 * Runs a program and waits for it, at most so many seconds. What it printed is appended to `said`,
 * both of its streams. Returns its exit code, 128 and more for a signal; -1 when it could not be
 * started or did not end, and then `said` ends with the reason.
 */
int container_run_program(char *const *argv, char *const *environment, double seconds,
                          struct str *said);

/* ---- unpack.c, merge.c, layers.c: images that are unpacked ---- */

/*
 * Unpacks an image that is a tarball or a layout into place/root, and its variables into
 * place/environment. A `place` that is there is whole, and is left alone when it is of this image.
 */
int unpack_image(const char *image, enum container_image kind, const char *place, struct err *e);

/* The layers of an image, in order, and its variables; paths, in the arena. */
struct layered_image {
    struct arena *arena;
    const char *folder; /* with the blobs */
    const char **layers;
    size_t count;
    struct str environment; /* lines NAME=value */
};

bool layered_is_oci(const char *folder);
bool layered_is_saved(const char *folder); /* by docker or podman */
int layered_read(struct layered_image *image, struct err *e);
void layered_free(struct layered_image *image);

/* Puts a layer, which is unpacked in a folder of its own, over what is there, and removes it. */
int merge_layer(const char *root, const char *layer, struct err *e);
/* Removes a folder with all that is in it; links are not followed. */
int merge_remove(const char *path, struct err *e);
/* Makes a folder in an image, or an empty file, without leaving it by a link; false: it cannot. */
bool merge_make(const char *root, const char *path, bool is_folder);

/* ---- environment.c ---- */

/* Which of our variables are seen inside. */
void environment_prepare(struct container *container);
/* Reads those of the image, from DIR/image/environment or what is in the image. */
void environment_read_own(struct container *container);
/* True for what the runtime itself needs, and the program must find otherwise: PATH, LD_... */
bool environment_is_delicate(const char *name);
/* The value of a variable in NAME=value strings; NULL: it is not there. */
const char *environment_find(const struct str *variables, const char *name);
/* Our own environment with the variables set, and without those that are names alone. */
char **environment_merge(struct arena *arena, const struct str *variables);

/* ---- binds.c ---- */

/* All that is to be seen inside. */
int binds_collect(struct container *container, struct err *e);
/* Of these, what the chosen runtime must be told of. */
int binds_settle(struct container *container, struct err *e);
/* Makes the folders for them in the image, where the runtime wants that. */
int binds_make_points(const struct container *container, struct err *e);
/* True when there is something by this path in an image that is a folder. */
bool binds_has(const struct container *container, const char *path);
/* True when a path lies in one that is bound under its own name. */
bool binds_cover(const struct container *container, const char *path);
void binds_add(struct binds *binds, const struct bind *bind);
void binds_free(struct container *container);

/* ---- machine.c: the machine itself, as an image ---- */

/* Fills an empty folder; what is bound in it, then. */
bool machine_root(const char *place);
void machine_binds(struct container *container);
/* Removes it again, unless a runtime has left something bound there. */
void machine_remove(const char *place);

#endif
