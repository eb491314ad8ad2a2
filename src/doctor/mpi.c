/*
 * mpi.c - MPI: the plug-ins of Wick, mpiexec, and whether the ranks that it starts reach each
 * other. The last test tells the most: versions that should match but do not, the launcher of
 * another MPI and a missing PMI all lead to ranks that are alone.
 */
#include "doctor/look.h"

#include "comm/comm.h"

#include <unistd.h>

enum { START = 20 }; /* seconds that two ranks may take to start */

struct mpi {
    bool loads[8]; /* by family: its plug-in is installed and loads */
    const char *versions[8];
    const char *mpiexec; /* the program; NULL: there is none */
    const char *family;  /* family of mpiexec; NULL: unknown */
    const char *version; /* version of mpiexec */
    bool has_pmix;       /* srun can start ranks of Open MPI */
};

static const char *family_title(const char *family)
{
    return strcmp(family, "openmpi") == 0 ? "Open MPI" : "MPICH";
}

/* ---- plug-ins ---- */

/* The version, such as "4.1.4", in what MPI or mpiexec says about itself; "" if there is none. */
static const char *version_in(struct look *look, const char *text)
{
    static const char digits[] = "0123456789";
    const char *at = text + strcspn(text, digits);
    size_t length = strspn(at, "0123456789.");
    while (*at && !memchr(at, '.', length)) {
        at += length;
        at += strcspn(at, digits);
        length = strspn(at, "0123456789.");
    }
    return look_say(look, "%.*s", (int)length, at);
}

static void look_plugin(struct look *look, struct mpi *mpi, size_t index, const char *family)
{
    struct str version = {0};
    struct err e = {0};
    char path[PATH_MAX];
    const char *subject = look_say(look, "plug-in %s", family);
    if (comm_mpi_probe(family, path, &version, &e) == 0) {
        mpi->loads[index] = true;
        mpi->versions[index] = version_in(look, str_text(&version));
        look_tell(look, subject, DOCTOR_GOOD,
                  look_say(look, "loads %s %s", family_title(family), mpi->versions[index]), NULL);
    } else if (path[0]) {
        look_tell(look, subject, DOCTOR_WARNING, look_say(look, "%s", e.message),
                  look_say(look,
                           "load the module of the %s that Wick was built with, or rebuild "
                           "Wick with the one of this machine",
                           family_title(family)));
    } else {
        look_tell(look, subject, DOCTOR_NONE,
                  look_say(look, "Wick was built without %s", family_title(family)), NULL);
    }
    str_free(&version);
}

/* The index of a family whose plug-in loads; -1: it does not load. */
static int loaded(const struct mpi *mpi, const char *family)
{
    const char *const *families = comm_mpi_families();
    for (int i = 0; families[i]; i++)
        if (family && strcmp(families[i], family) == 0 && mpi->loads[i])
            return i;
    return -1;
}

static bool any_loads(const struct mpi *mpi)
{
    const char *const *families = comm_mpi_families();
    for (size_t i = 0; families[i]; i++)
        if (mpi->loads[i])
            return true;
    return false;
}

/* ---- mpiexec ---- */

/* The MPI that a launcher belongs to, by its own words. */
static const struct maker {
    const char *sign, *title, *family;
} makers[] = {
    {"Open MPI", "Open MPI", "openmpi"}, {"OpenRTE", "Open MPI", "openmpi"},
    {"PRRTE", "Open MPI", "openmpi"},    {"Intel(R) MPI", "Intel MPI", "mpich"},
    {"MVAPICH", "MVAPICH", "mpich"},     {"HYDRA", "MPICH", "mpich"},
};

static void tell_mpiexec(struct look *look, struct mpi *mpi, const char *path, const char *title)
{
    int index = loaded(mpi, mpi->family);
    bool needed = look->needs.mpi;
    const char *text = look_say(look, "%s %s, %s", title, mpi->version, path);
    if (index < 0)
        look_tell_needed(look, "mpiexec", needed, needed ? DOCTOR_BAD : DOCTOR_WARNING,
                         look_say(look, "%s: Wick has no working plug-in for it", text),
                         strcmp(mpi->family, "openmpi") == 0
                             ? "build Wick with the compiler wrapper of this Open MPI on PATH "
                               "(Debian: libopenmpi-dev), or load an MPICH module"
                             : "build Wick with the compiler wrapper of this MPICH on PATH "
                               "(Debian: libmpich-dev), or load an Open MPI module");
    else if (strcmp(title, "Open MPI") == 0 && *mpi->versions[index] &&
             strtol(mpi->version, NULL, 10) != strtol(mpi->versions[index], NULL, 10))
        look_tell_needed(
            look, "mpiexec", needed, DOCTOR_WARNING,
            look_say(look, "%s, but the plug-in loads version %s", text, mpi->versions[index]),
            "load a single Open MPI module, so that PATH and LD_LIBRARY_PATH agree");
    else
        look_tell_needed(look, "mpiexec", needed, DOCTOR_GOOD, text, NULL);
}

static void no_mpiexec(struct look *look, const struct mpi *mpi, const char *name)
{
    char path[PATH_MAX];
    bool srun = command_find("srun", path);
    look_tell_needed(
        look, "mpiexec", look->needs.mpi && !srun, DOCTOR_NONE,
        look_say(look, "no %s on PATH%s", name, srun ? "; srun can start the ranks" : ""),
        look->needs.mpi && !srun
            ? any_loads(mpi) ? "load the site's MPI module, install openmpi-bin or mpich, or set "
                               "WICK_MPIEXEC"
                             : "studies on several nodes need MPI: load its module and build Wick "
                               "with it"
            : NULL);
}

static void look_mpiexec(struct look *look, struct mpi *mpi)
{
    const char *named = getenv("WICK_MPIEXEC");
    const char *name = named && *named ? named : "mpiexec";
    const char *const argv[] = {name, "--version", NULL};
    struct look_answer answer;
    char path[PATH_MAX];
    if (!command_find(name, path)) {
        no_mpiexec(look, mpi, name);
        return;
    }
    look_ask(look, argv, 0, &answer);
    const struct maker *maker = NULL;
    for (size_t i = 0; i < sizeof makers / sizeof *makers && !maker; i++)
        if (strstr(str_text(&answer.text), makers[i].sign))
            maker = &makers[i];
    if (!answer.good && !maker) {
        look_tell_needed(look, "mpiexec", look->needs.mpi,
                         look->needs.mpi ? DOCTOR_BAD : DOCTOR_WARNING,
                         look_say(look, "%s does not work: %s", path, answer.why),
                         "load the site's MPI module, or name another mpiexec in WICK_MPIEXEC");
    } else {
        mpi->mpiexec = name;
        mpi->family = maker ? maker->family : "mpich";
        mpi->version = version_in(look, str_text(&answer.text));
        tell_mpiexec(look, mpi, look_say(look, "%s", path), maker ? maker->title : answer.line);
    }
    look_answer_free(&answer);
}

/* ---- two ranks ---- */

int doctor_rank(struct str *text, struct err *e)
{
    struct comm *comm;
    if (comm_mpi_open(&comm, e))
        return e->code;
    str_printf(text, "rank %d of %d: %s", comm_rank(comm), comm_size(comm), comm_mpi_version(comm));
    comm_mpi_close(comm);
    return 0;
}

static bool refuses_root(const struct look_answer *answer)
{
    return strstr(str_text(&answer->text), "run-as-root") != NULL;
}

/* What to do if ranks do not start, judging by what they or their launcher printed. */
static const char *start_advice(const struct look_answer *answer)
{
    const char *text = str_text(&answer->text);
    if (refuses_root(answer))
        return "use an ordinary user account or, in a container, set "
               "OMPI_ALLOW_RUN_AS_ROOT=1 and OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1";
    if (strstr(text, "only this process"))
        return "mpiexec and the plug-in belong to different MPIs: load a single MPI module, or "
               "name "
               "the right mpiexec in WICK_MPIEXEC";
    if (strstr(text, "ssh") || strstr(text, "rsh"))
        return "mpiexec tries to log in to a node: allow it without a password, or start it inside "
               "a job";
    if (answer->status == COMMAND_LATE)
        return "check for a firewall between the nodes and for host names that do not resolve; try "
               "by hand: mpiexec -n 2 hostname";
    return "try by hand: mpiexec -n 2 hostname";
}

/*
 * If this process is a rank itself, mpiexec is not tried: in a step of a job there are no free
 * resources for it, and it would wait.
 */
static bool look_own_start(struct look *look)
{
    struct comm_launch launched = comm_launched();
    if (launched.start == COMM_MPI)
        look_tell(look, "this process", DOCTOR_GOOD,
                  look_say(look, "rank %d of %d, started with %s", launched.rank, launched.size,
                           family_title(launched.mpi)),
                  NULL);
    else if (launched.start == COMM_COPIES)
        look_tell_needed(look, "this process", true, DOCTOR_BAD,
                         look_say(look,
                                  "one of %d copies that srun started without MPI: `wick run` "
                                  "would refuse to start",
                                  launched.size),
                         "use srun --mpi=pmix for Open MPI, srun --mpi=pmi2 for MPICH");
    else if (getenv("SLURM_STEP_ID"))
        look_tell(look, "two ranks", DOCTOR_NONE,
                  "not tested: inside a job step (srun), nothing is left for mpiexec", NULL);
    else
        return false;
    return true;
}

static void look_start(struct look *look, const struct mpi *mpi)
{
    char program[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    program[length > 0 ? length : 0] = 0;
    bool open = strcmp(mpi->family, "openmpi") == 0, needed = look->needs.mpi;
    const char *const with_options[] = {mpi->mpiexec, "--oversubscribe", "-n", "2",
                                        program,      "doctor",          NULL};
    const char *const without[] = {mpi->mpiexec, "-n", "2", program, "doctor", NULL};
    struct look_answer answer;
    double start = clock_now();
    look_ask_with(look, open ? with_options : without, START, DOCTOR_RANK_VARIABLE "=1", &answer);
    double took = clock_now() - start;
    const char *text = str_text(&answer.text);
    if (answer.good && strstr(text, "rank 0 of 2: ") && strstr(text, "rank 1 of 2: "))
        look_tell_needed(look, "two ranks", needed, DOCTOR_GOOD,
                         look_say(look, "started and connected in %s", look_duration(look, took)),
                         NULL);
    else
        look_tell_needed(look, "two ranks", needed, needed ? DOCTOR_BAD : DOCTOR_WARNING,
                         refuses_root(&answer) ? "Open MPI refuses to start ranks as root"
                                               : look_say(look, "failed to start: %s",
                                                          answer.why ? answer.why : answer.line),
                         start_advice(&answer));
    look_answer_free(&answer);
}

/* ---- PMI ---- */

/* True if the text contains the word, and not as part of another one. */
static bool has_word(const char *text, const char *word)
{
    static const char *const around = " \t\n,:";
    size_t length = strlen(word);
    for (const char *at = text; (at = strstr(at, word)); at += length)
        if ((at == text || strchr(around, at[-1])) && (!at[length] || strchr(around, at[length])))
            return true;
    return false;
}

/* Open MPI needs the PMIx of srun; MPICH and its relatives use PMI 2. */
static void look_srun(struct look *look, struct mpi *mpi)
{
    static const char *const argv[] = {"srun", "--mpi=list", NULL};
    static const char *const known[] = {"pmix", "pmi2", "cray_shasta"};
    struct look_answer answer;
    struct str types = {0};
    char path[PATH_MAX];
    if (!command_find("srun", path))
        return;
    look_ask(look, argv, 0, &answer);
    const char *text = str_text(&answer.text);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (has_word(text, known[i]))
            str_printf(&types, "%s%s", types.length ? ", " : "", known[i]);
    bool pmix = has_word(text, "pmix"), pmi2 = has_word(text, "pmi2");
    mpi->has_pmix = answer.good && pmix;
    if (!answer.good) /* the section on the scheduler has reported it */
        look_tell(look, "srun", DOCTOR_NONE, look_say(look, "cannot be queried: %s", answer.why),
                  NULL);
    else if (loaded(mpi, "openmpi") >= 0 ? pmix : pmi2)
        look_tell(look, "srun", DOCTOR_GOOD, look_say(look, "starts ranks with %s", types.text),
                  NULL);
    else
        look_tell(look, "srun", DOCTOR_WARNING,
                  look_say(look, "supports %s, but the MPI of Wick needs %s",
                           types.length ? types.text : "no PMI",
                           loaded(mpi, "openmpi") >= 0 ? "pmix" : "pmi2"),
                  "ranks started by srun could not connect: leave `launcher` out of `job`, so that "
                  "mpiexec "
                  "starts them");
    str_free(&types);
    look_answer_free(&answer);
}

/* Without its component for Slurm, mpiexec does not know the nodes of a job. */
static void look_ompi_info(struct look *look, const struct mpi *mpi)
{
    static const char *const argv[] = {"ompi_info", "--parsable", NULL};
    static const char *const signs[] = {"mca:plm:slurm", "mca:ras:slurm", "prte:slurm"};
    struct look_answer answer;
    char path[PATH_MAX];
    if (!mpi->family || strcmp(mpi->family, "openmpi") != 0 || !command_find("srun", path) ||
        !command_find("ompi_info", path))
        return;
    look_ask(look, argv, 0, &answer);
    const char *text = str_text(&answer.text);
    bool slurm = false, later = strtol(mpi->version, NULL, 10) >= 5; /* PRRTE always has it */
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++)
        slurm |= strstr(text, signs[i]) != NULL;
    bool pmix = strstr(text, "mca:pmix:") != NULL || later;
    if (!answer.good)
        look_tell(look, "Open MPI", DOCTOR_WARNING, answer.why,
                  "ompi_info of the same Open MPI should be on PATH: load its complete module");
    else if (slurm || later)
        look_tell(look, "Open MPI", DOCTOR_GOOD,
                  pmix ? "supports Slurm and PMIx" : "supports Slurm, but not PMIx", NULL);
    else
        look_tell(look, "Open MPI", DOCTOR_WARNING,
                  "built without Slurm support: mpiexec sees only the first node of a job",
                  mpi->has_pmix
                      ? "start the ranks with srun (`job: {launcher: srun --mpi=pmix}`), or load "
                        "another Open MPI module"
                      : "load another Open MPI module; srun without PMIx cannot start them either");
    look_answer_free(&answer);
}

void look_mpi(struct look *look)
{
    struct mpi mpi = {0};
    const char *const *families = comm_mpi_families();
    for (size_t i = 0; families[i]; i++)
        look_plugin(look, &mpi, i, families[i]);
    if (!any_loads(&mpi))
        look_tell_needed(look, "several nodes", look->needs.mpi, DOCTOR_NONE,
                         "not possible: no plug-in can be loaded",
                         look->needs.mpi ? "install libopenmpi-dev or libmpich-dev (or load the "
                                           "MPI module), and rebuild Wick"
                                         : NULL);
    look_mpiexec(look, &mpi);
    if (!look->question->other && !look_own_start(look) && mpi.family &&
        loaded(&mpi, mpi.family) >= 0)
        look_start(look, &mpi);
    look_srun(look, &mpi);
    look_ompi_info(look, &mpi);
}
