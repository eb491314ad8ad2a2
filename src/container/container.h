/*
 * container - programs inside an image, by whichever runtime the machine has.
 *
 * A runtime is a row of a table (runtimes.c): the program, the images it takes, and how binds,
 * variables and the working folder are told to it. Wick itself stays outside, so that its MPI need
 * not be that of the image. A command in a container is a longer command: everything else about
 * trials (limits, signals, their end) stays as it is.
 */
#ifndef CONTAINER_CONTAINER_H
#define CONTAINER_CONTAINER_H

#include "base/base.h"
#include "study/study.h"

/* ---- runtimes ---- */

/* Their names, best first, ended by NULL; "auto" and "none" are not among them. */
const char *const *container_runtimes(void);
/* The program of a runtime on PATH; false: it is not there. */
bool container_find(const char *runtime, char path[PATH_MAX]);
/* True when a language host can live in it: its processes stay children of whoever started them. */
bool container_keeps_hosts(const char *runtime);

/* ---- images ---- */

enum container_image {
    IMAGE_FOLDER, /* a root file system */
    IMAGE_SIF,
    IMAGE_SQUASH,
    IMAGE_OCI, /* an OCI layout: a folder with index.json and blobs */
    IMAGE_TAR, /* of a root file system, or as `docker save` and `podman save` write it */
    IMAGE_NAME /* docker://NAME: the runtime gets it */
};

/* ERR_USER when there is nothing of this name, or nothing that is an image. */
int container_image_kind(const char *image, enum container_image *kind, struct err *e);

/* ---- a study's container ---- */

struct container;

/*
 * Chooses the runtime (of those that take the image, the first that is there and works), and makes
 * the image ready where it must be unpacked: in DIR/image, once, by the process that `prepares`;
 * others find it there. ERR_USER tells what is missing and what to do.
 */
int container_open(struct container **container, const struct study *study, const char *dir,
                   bool prepares, struct err *e);
void container_close(struct container *container);
/* The runtime that was chosen. */
const char *container_runtime(const struct container *container);

/* What a command needs to see inside, beside what the study says. */
struct container_call {
    const char *folder;           /* where it begins: is seen inside under the same name */
    const char *const *binds;     /* further folders, the same; ended by NULL */
    const char *const *variables; /* NAME=value, ended by NULL: those that Wick sets */
};

/* The words that run argv inside, ended by NULL, in the arena. */
char **container_command(const struct container *container, const struct container_call *call,
                         char *const *argv, struct arena *arena);

/* Runs `true` (or /bin/true) in the image, for `wick doctor` and `wick check`; how long it took. */
int container_try(const char *runtime, const char *image, double *seconds, struct err *e);

#endif
