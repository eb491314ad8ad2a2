/*
 * container - run programs inside an image, with whichever runtime the machine has.
 *
 * A runtime is a row of a table (runtimes.c): its program, the images it can run, and how binds,
 * variables and the working folder are passed to it. Wick itself stays outside, so its MPI need not
 * be that of the image. A command in a container is just a longer command: everything else about
 * trials (limits, signals, how they end) stays the same.
 *
 * With every runtime, a program sees the same inside: the image, read-only if the runtime can do
 * that; the machine's /dev, /proc, /sys and /tmp; the home folder, the folder where trials run, the
 * study folder and Wick's own files under their usual names; and what the study binds. The user
 * inside is the user outside.
 */
#ifndef CONTAINER_CONTAINER_H
#define CONTAINER_CONTAINER_H

#include "base/base.h"
#include "study/study.h"

/* ---- runtimes ---- */

/* Finds the program of a runtime on PATH; false if it is missing or there is no such runtime. */
bool container_find(const char *runtime, char path[PATH_MAX]);
/* True if a language host can run in it: its processes remain children of their parent outside. */
bool container_keeps_hosts(const char *runtime);

/* ---- images ---- */

enum container_image {
    IMAGE_FOLDER, /* a root file system */
    IMAGE_SIF,
    IMAGE_SQUASH,
    IMAGE_OCI, /* an OCI layout: a folder with index.json and blobs */
    IMAGE_TAR, /* a root file system, or an image written by `docker save` or `podman save` */
    IMAGE_NAME /* docker://NAME: the runtime fetches it */
};

/* Finds out what kind of image this is. ERR_USER if it does not exist or is not an image. */
int container_image_kind(const char *image, enum container_image *kind, struct err *e);
/* The kind in words: "a folder", "a SIF", ... */
const char *container_image_name(enum container_image kind);

/* ---- a study's container ---- */

struct container;

/* True if the study's trials run in a container. */
bool container_wanted(const struct study *study);

/*
 * Checks everything that can be wrong before anything is created: image, binds, runtimes. The study
 * and `dir`, its folder, must outlive the container; container_close() it. ERR_USER says what is
 * missing and what to do.
 */
int container_open(struct container **container, const struct study *study, const char *dir,
                   struct err *e);

/*
 * Prepares the container in DIR/image: unpacks the image if necessary, creates the targets of binds
 * in it, and chooses the runtime: the first that can run the image, is installed and works. Only
 * the process that holds the lock of the study does this, once.
 */
int container_prepare(struct container *container, struct err *e);
/* Uses what container_prepare() has prepared: for every other node and rank. */
int container_adopt(struct container *container, struct err *e);
/* Frees the container; NULL is fine. What is in DIR/image stays. */
void container_close(struct container *container);

/* The name of the runtime that was chosen. */
const char *container_runtime(const struct container *container);
/*
 * True if a process of the runtime waits for the program and would be killed by a signal that the
 * program might survive.
 */
bool container_has_monitor(const struct container *container);

/*
 * The command line that runs argv inside, ended by NULL, in the arena. `variables` are those of the
 * command, NAME=value, each ended by zero: some runtimes need each of them on the command line.
 */
char **container_command(const struct container *container, char *const *argv,
                         const struct str *variables, struct arena *arena);

/*
 * The value that a variable has inside if Wick does not set it: from the study or from the image;
 * NULL: none, or not known.
 */
const char *container_variable(const struct container *container, const char *name);
/*
 * Turns the variables of a command into those of the runtime that starts it: adds what the runtime
 * itself needs, and a NAME without a value for each variable that must not be visible inside.
 */
void container_environment(const struct container *container, struct str *variables,
                           unsigned *count);

/* A question to an image, for `wick doctor`. */
struct container_question {
    const char *runtime;       /* its name */
    const char *image;         /* "/" is the machine itself */
    const struct study *study; /* the study whose container this is; NULL: none */
    char *const *argv;         /* what to run inside, ended by NULL */
    double limit;              /* seconds */
};

/*
 * Runs a program in an image, and appends what it printed to `said`. Nothing is created in the
 * image, so binds for which it has no target are left out. ERR_USER if the program did not end with
 * code 0; the message is its last line, or says why the runtime cannot be used.
 */
int container_ask(const struct container_question *question, struct str *said, double *seconds,
                  struct err *e);
/* The same for `true`, which the image need not have: tells whether the runtime works with it. */
int container_try(const struct container_question *question, double *seconds, struct err *e);
enum { CONTAINER_TRY = 120 }; /* seconds within which any image should start */

/* ---- read-only binds ---- */

/* `wick read-only PLACE SOURCE ... -- PROGRAM ...`: how Wick starts some runtimes. */
#define CONTAINER_READ_ONLY "read-only"
/*
 * Binds each SOURCE read-only as PLACE/0, PLACE/1, ..., visible to this process only, and becomes
 * PROGRAM. The words end with NULL. Returns only if that fails.
 */
int container_read_only(char **words, struct err *e);

/* ---- MPI ---- */

enum container_mpi_family { MPI_NONE, MPI_OPEN, MPI_MPICH };

/* An MPI, known from its mpiexec or its library. Intel MPI and MVAPICH count as MPICH. */
struct container_mpi {
    enum container_mpi_family family;
    unsigned major;
    char name[64]; /* for people: "Open MPI 4.1.4"; "": none was found */
};

/* Recognizes an MPI by the output of `mpiexec --version` or a similar command. */
void container_mpi_read(const char *text, struct container_mpi *mpi);
/* Finds the MPI of the host by asking its launcher. */
void container_mpi_host(const char *launcher, struct container_mpi *mpi);
/* Finds the MPI of an image that is a folder by its libraries. */
void container_mpi_image(const char *root, struct container_mpi *mpi);
/* True if the host's MPI can start programs that use the image's. */
bool container_mpi_match(const struct container_mpi *host, const struct container_mpi *image);
/* For a study with `launch: mpi`: ERR_USER if the image's MPI does not match the host's. */
int container_check_mpi(const struct container *container, struct err *e);

#endif
