/*
 * container - programs inside an image, by whichever runtime the machine has.
 *
 * A runtime is a row of a table (runtimes.c): the program, the images it takes, and how binds,
 * variables and the working folder are told to it. Wick itself stays outside, so that its MPI need
 * not be that of the image. A command in a container is a longer command: everything else about
 * trials (limits, signals, their end) stays as it is.
 *
 * What is seen inside is the same with every runtime: the image, read-only where the runtime can do
 * that; /dev, /proc, /sys and /tmp of the machine; the home folder, the folder where trials run,
 * the study's folder and Wick's own files under their own names; and what the study binds. The user
 * inside is the user outside.
 */
#ifndef CONTAINER_CONTAINER_H
#define CONTAINER_CONTAINER_H

#include "base/base.h"
#include "study/study.h"

/* ---- runtimes ---- */

/* The program of a runtime on PATH; false: it is not there, or there is no such runtime. */
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
/* "a folder", "a SIF", ... */
const char *container_image_name(enum container_image kind);

/* ---- a study's container ---- */

struct container;

/* True when the study has one. */
bool container_wanted(const struct study *study);

/*
 * Looks at all that can be wrong before anything is made: image, binds, runtimes. The study and
 * `dir`, its folder, must outlive it. ERR_USER tells what is missing and what to do.
 */
int container_open(struct container **container, const struct study *study, const char *dir,
                   struct err *e);

/*
 * Makes it ready in DIR/image: the image is unpacked where that must be, the folders that are bound
 * are made in it, and the runtime is chosen: of those that take the image, the first that is there
 * and works. Whoever holds the study does that, once; the others adopt what was made.
 */
int container_prepare(struct container *container, struct err *e);
int container_adopt(struct container *container, struct err *e);
/* NULL is fine. */
void container_close(struct container *container);

/* The runtime that was chosen. */
const char *container_runtime(const struct container *container);
/*
 * True when a process of the runtime waits for the program and would die of a signal that the
 * program might survive.
 */
bool container_has_monitor(const struct container *container);

/*
 * The words that run argv inside, ended by NULL, in the arena. The variables are those of the
 * command, NAME=value, each ended by zero: some runtimes must be told of each.
 */
char **container_command(const struct container *container, char *const *argv,
                         const struct str *variables, struct arena *arena);

/*
 * The value that a variable has inside when Wick does not set it: of the study or of the image;
 * NULL: none, or it is not known.
 */
const char *container_variable(const struct container *container, const char *name);
/*
 * Makes of the variables of a command those of the runtime that starts it: what it needs itself is
 * added, and what must not be seen inside, as a NAME alone, which is to be taken away.
 */
void container_environment(const struct container *container, struct str *variables,
                           unsigned *count);

/*
 * Runs `true` in the image, for `wick doctor`; "/" is the machine itself. It has so many seconds;
 * how long it took.
 */
int container_try(const char *runtime, const char *image, double limit, double *seconds,
                  struct err *e);
enum { CONTAINER_TRY = 120 }; /* seconds that any image should start in */

/* ---- MPI ---- */

enum container_mpi_family { MPI_NONE, MPI_OPEN, MPI_MPICH };

/* An MPI, by what its mpiexec says or the name of its library. Intel's and MVAPICH are MPICH's. */
struct container_mpi {
    enum container_mpi_family family;
    unsigned major;
    char name[64]; /* for people: "Open MPI 4.1.4"; "": none was found */
};

/* What `mpiexec --version` (or the like) says. */
void container_mpi_read(const char *text, struct container_mpi *mpi);
/* The MPI of the host, by its launcher; and that of an image that is a folder, by its libraries. */
void container_mpi_host(const char *launcher, struct container_mpi *mpi);
void container_mpi_image(const char *root, struct container_mpi *mpi);
/* True when programs of the one can be started by the other. */
bool container_mpi_match(const struct container_mpi *host, const struct container_mpi *image);
/* Of a study with `launch: mpi`: ERR_USER when the image's MPI is not that of the host. */
int container_check_mpi(const struct container *container, struct err *e);

#endif
