/*
 * mpi.c - finds the MPI of the machine and of an image.
 *
 * A program in an image that the machine's mpiexec starts must speak its protocol: for Open MPI the
 * major versions must agree; MPICH, Intel MPI and MVAPICH share one protocol.
 */
#include "container/inside.h"

#include <ctype.h>
#include <glob.h>

static const double VERSION_SECONDS = 30;

/* The version after `mark`, such as 4.1.4. */
static bool version_after(const char *text, const char *mark, char version[16])
{
    const char *at = strstr(text, mark);
    if (!at)
        return false;
    at += strlen(mark);
    while (*at && !isdigit((unsigned char)*at) && *at != '\n')
        at++;
    snprintf(version, 16, "%.*s", (int)strspn(at, "0123456789."), at);
    return version[0] != 0;
}

void container_mpi_read(const char *text, struct container_mpi *mpi)
{
    static const struct {
        const char *mark, *name;
        enum container_mpi_family family;
    } known[] = {{"(OpenRTE)", "Open MPI", MPI_OPEN},
                 {"(Open MPI)", "Open MPI", MPI_OPEN},
                 {"Intel(R) MPI Library", "Intel MPI", MPI_MPICH},
                 {"HYDRA build details", "MPICH", MPI_MPICH},
                 {"MVAPICH", "MVAPICH", MPI_MPICH}};
    char version[16] = "";
    *mpi = (struct container_mpi){0};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *at = strstr(text, known[i].mark);
        if (!at)
            continue;
        if (known[i].family == MPI_OPEN)
            version_after(at, known[i].mark, version);
        else
            version_after(at, "Version", version);
        mpi->family = known[i].family;
        mpi->major = (unsigned)strtoul(version, NULL, 10);
        snprintf(mpi->name, sizeof mpi->name, "%s %s", known[i].name, version);
        return;
    }
}

void container_mpi_host(const char *launcher, struct container_mpi *mpi)
{
    struct str said = {0};
    char *argv[] = {(char *)launcher, "--version", NULL};
    *mpi = (struct container_mpi){0};
    if (container_run_program(argv, NULL, VERSION_SECONDS, &said) == 0)
        container_mpi_read(str_text(&said), mpi);
    str_free(&said);
}

/* ---- in an image ---- */

static bool has_library(const char *root, const char *name)
{
    static const char *const places[] = {
        "/usr/lib",       "/usr/lib64",       "/usr/lib/*-linux-gnu", "/usr/lib/*-linux-gnu/*/lib",
        "/usr/local/lib", "/usr/local/lib64", "/usr/local/*/lib",     "/usr/lib64/*/lib",
        "/opt/*/lib",     "/opt/*/*/lib",     "/lib/*-linux-gnu"};
    bool found = false;
    for (size_t i = 0; i < sizeof places / sizeof *places && !found; i++) {
        struct str pattern = {0};
        glob_t matches = {0};
        str_printf(&pattern, "%s%s/%s", root, places[i], name);
        found = glob(pattern.text, GLOB_NOSORT, NULL, &matches) == 0;
        globfree(&matches);
        str_free(&pattern);
    }
    return found;
}

/* The number of libopen-pal determines the version; that of libmpi does not. */
void container_mpi_image(const char *root, struct container_mpi *mpi)
{
    static const struct {
        const char *library;
        unsigned major;
    } open[] = {{"libopen-pal.so.80*", 5},
                {"libopen-pal.so.40*", 4},
                {"libopen-pal.so.20*", 2},
                {"libopen-pal.so.13*", 1}};
    static const char *const mpich[] = {"libmpich.so.*", "libmpi.so.12*", "libmpicxx.so.12*"};
    *mpi = (struct container_mpi){0};
    for (size_t i = 0; i < sizeof open / sizeof *open; i++)
        if (has_library(root, open[i].library)) {
            *mpi = (struct container_mpi){.family = MPI_OPEN, .major = open[i].major};
            snprintf(mpi->name, sizeof mpi->name, "Open MPI %u", open[i].major);
            return;
        }
    for (size_t i = 0; i < sizeof mpich / sizeof *mpich; i++)
        if (has_library(root, mpich[i])) {
            *mpi = (struct container_mpi){.family = MPI_MPICH};
            snprintf(mpi->name, sizeof mpi->name, "MPICH");
            return;
        }
}

bool container_mpi_match(const struct container_mpi *host, const struct container_mpi *image)
{
    if (host->family != image->family)
        return false;
    return host->family != MPI_OPEN || host->major == image->major;
}

/* Asks mpiexec in the image. */
static void ask_inside(const struct container *c, struct container_mpi *mpi)
{
    struct str said = {0};
    char *argv[] = {"mpiexec", "--version", NULL};
    *mpi = (struct container_mpi){0};
    if (container_run_inside(c, argv, VERSION_SECONDS, &said) == 0)
        container_mpi_read(str_text(&said), mpi);
    str_free(&said);
}

int container_check_mpi(const struct container *c, struct err *e)
{
    const struct study_model *model = &c->study->model;
    struct container_mpi host, image;
    if (model->launch != LAUNCH_MPI || study_most_ranks(c->study) < 2)
        return 0;
    const char *launcher = model->launcher ? model->launcher[0] : "mpiexec";
    container_mpi_host(launcher, &host);
    if (host.family == MPI_NONE)
        return 0; /* another launcher, such as srun, may support several */
    ask_inside(c, &image);
    if (image.family == MPI_NONE && c->is_folder)
        container_mpi_image(c->root, &image);
    if (container_mpi_match(&host, &image))
        return 0;
    return err_set(e, ERR_USER,
                   "launch: mpi starts the ranks with this machine's %s, but the image has %s%s: "
                   "they would not find each other. Use an image with %s, or launch: processes, "
                   "which needs no MPI on the host",
                   host.name, image.name[0] ? image.name : "no MPI",
                   image.name[0] ? "" : " that could be found", host.name);
}
