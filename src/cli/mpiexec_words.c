/*
 * mpiexec_words.c - the command line that starts the ranks of a job.
 *
 * A job of N nodes with W workers each has N x W ranks for them and one more, the driver, which
 * needs no core of its own. Ranks are placed one by one, so that the first node gets the driver in
 * addition to its workers, and none is bound to cores, because Wick assigns them itself.
 */
#include "cli/ranks.h"

#include "container/container.h"

#include <sys/mman.h>
#include <unistd.h>

/* The smallest number of ranks that includes this many workers besides servers. */
static uint64_t job_size(const struct balance_rules *rules, uint64_t workers)
{
    int size = (int)workers + 1;
    while (balance_workers(rules, size) < (int)workers)
        size++;
    return (uint64_t)size;
}

struct mpiexec_layout mpiexec_layout_of(const struct mpiexec_plan *plan)
{
    struct mpiexec_layout layout = {.nodes = plan->nodes > 0 ? plan->nodes : 1,
                                    .ranks = job_size(&plan->rules, plan->workers)};
    layout.per_node = (plan->workers + layout.nodes - 1) / layout.nodes;
    return layout;
}

const char *mpiexec_program(const struct mpiexec_plan *plan)
{
    const char *program = getenv("WICK_MPIEXEC");
    if (plan->launcher && plan->launcher[0])
        return plan->launcher[0];
    return program && *program ? program : "mpiexec";
}

bool mpiexec_is_srun(const struct mpiexec_plan *plan)
{
    const char *program = mpiexec_program(plan), *slash = strrchr(program, '/');
    return strcmp(slash ? slash + 1 : program, "srun") == 0;
}

/* ---- words ---- */

static void add_word(struct mpiexec_words *words, const char *word)
{
    words->items =
        memory_grow(words->items, &words->capacity, words->count + 2, sizeof *words->items);
    words->items[words->count++] = word;
    words->items[words->count] = NULL;
}

static const char *number_word(struct mpiexec_words *words, uint64_t number)
{
    return arena_printf(&words->arena, "%llu", (unsigned long long)number);
}

static enum container_mpi_family family_of(const char *program)
{
    struct container_mpi mpi;
    container_mpi_host(program, &mpi);
    return mpi.family;
}

/* The file with the names of the nodes, for an MPI that does not know them; -1: none. */
static void add_hosts(struct mpiexec_words *words, enum container_mpi_family family, int hosts)
{
    if (hosts < 0)
        return;
    add_word(words, family == MPI_OPEN ? "--hostfile" : "-f");
    add_word(words, arena_printf(&words->arena, "/proc/self/fd/%d", hosts));
}

/*
 * Open MPI counts cores and binds ranks to them, unless it is told not to. It also ends a job when
 * one rank dies, while Wick continues.
 */
static void add_mpiexec(struct mpiexec_words *words, const struct mpiexec_plan *plan,
                        const struct mpiexec_layout *layout, int hosts)
{
    static const char *const open_mpi[] = {"--oversubscribe", "--bind-to", "none",
                                           "--enable-recovery"};
    const char *program = mpiexec_program(plan);
    enum container_mpi_family family = family_of(program);
    bool is_open = family == MPI_OPEN; /* its options differ */
    add_word(words, program);
    add_hosts(words, family, hosts);
    for (size_t i = 0; is_open && i < sizeof open_mpi / sizeof *open_mpi; i++)
        add_word(words, open_mpi[i]);
    if (layout->nodes > 1) {
        add_word(words, is_open ? "--map-by" : "-ppn");
        add_word(words, is_open ? "node" : number_word(words, layout->per_node));
    }
    add_word(words, "-n");
    add_word(words, number_word(words, layout->ranks));
}

/* ---- a launcher of the user ---- */

/* Appends a word with its placeholders replaced; true if there were any. */
static bool add_filled(struct mpiexec_words *words, const char *word,
                       const struct mpiexec_layout *layout)
{
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {{"{ranks}", layout->ranks},
                   {"{nodes}", layout->nodes},
                   {"{per_node}", (layout->ranks + layout->nodes - 1) / layout->nodes}};
    struct str text = {0};
    bool any = false;
    for (const char *at = word; *at;) {
        size_t i = 0;
        while (i < 3 && strncmp(at, numbers[i].name, strlen(numbers[i].name)) != 0)
            i++;
        if (i == 3) {
            str_add_char(&text, *at++);
            continue;
        }
        str_printf(&text, "%llu", (unsigned long long)numbers[i].value);
        at += strlen(numbers[i].name);
        any = true;
    }
    add_word(words, arena_copy(&words->arena, str_text(&text), text.length));
    str_free(&text);
    return any;
}

/*
 * srun would give the driver the share of a task, taken from the workers of its node, and bind each
 * worker to less than its cores. These options come before those of the user, which override them.
 */
static void add_srun(struct mpiexec_words *words, const struct mpiexec_layout *layout)
{
    add_word(words, "--overcommit");
    add_word(words, "--cpu-bind=none");
    add_word(words, "--distribution=cyclic");
    add_word(words, arena_printf(&words->arena, "--nodes=%llu", (unsigned long long)layout->nodes));
}

static bool is_mpiexec(const struct mpiexec_plan *plan)
{
    const char *program = plan->launcher[0], *slash = strrchr(program, '/');
    const char *name = slash ? slash + 1 : program;
    return strncmp(name, "mpiexec", 7) == 0 || strncmp(name, "mpirun", 6) == 0;
}

/* Open MPI counts the driver as well, and refuses to start more ranks than a job has slots. */
static void add_oversubscribe(struct mpiexec_words *words, const struct mpiexec_plan *plan)
{
    for (size_t i = 1; plan->launcher[i]; i++)
        if (strcasestr(plan->launcher[i], "oversubscribe"))
            return;
    if (family_of(plan->launcher[0]) == MPI_OPEN)
        add_word(words, "--oversubscribe");
}

static void add_launcher(struct mpiexec_words *words, const struct mpiexec_plan *plan,
                         const struct mpiexec_layout *layout, int hosts)
{
    bool filled = add_filled(words, plan->launcher[0], layout);
    if (mpiexec_is_srun(plan))
        add_srun(words, layout);
    if (is_mpiexec(plan))
        add_oversubscribe(words, plan);
    if (hosts >= 0)
        add_hosts(words, family_of(plan->launcher[0]), hosts);
    for (size_t i = 1; plan->launcher[i]; i++)
        filled |= add_filled(words, plan->launcher[i], layout);
    if (filled)
        return;
    add_word(words, "-n");
    add_word(words, number_word(words, layout->ranks));
}

/* ---- all together ---- */

int mpiexec_words_fill(struct mpiexec_words *words, const struct mpiexec_plan *plan, int hosts,
                       struct err *e)
{
    char here[4096];
    struct mpiexec_layout layout = mpiexec_layout_of(plan);
    ssize_t length = readlink("/proc/self/exe", here, sizeof here - 1);
    if (length < 0)
        return err_system(e, "cannot find the wick program itself");
    if (plan->launcher && plan->launcher[0] && (plan->launcher[1] || !is_mpiexec(plan)))
        add_launcher(words, plan, &layout, hosts);
    else
        add_mpiexec(words, plan, &layout, hosts);
    add_word(words, arena_copy(&words->arena, here, (size_t)length));
    for (size_t i = 0; plan->command[i]; i++)
        add_word(words, plan->command[i]);
    return 0;
}

void mpiexec_words_free(struct mpiexec_words *words)
{
    free(words->items);
    arena_free(&words->arena);
}

/* In memory, so that nothing is left behind; mpiexec inherits the descriptor. */
int mpiexec_hosts(const struct mpiexec_plan *plan, const char *const *names)
{
    struct mpiexec_layout layout = mpiexec_layout_of(plan);
    enum container_mpi_family family = family_of(mpiexec_program(plan));
    if (family == MPI_NONE)
        return -1;
    struct str text = {0};
    for (size_t i = 0; names[i]; i++)
        str_printf(&text, family == MPI_OPEN ? "%s slots=%llu\n" : "%s:%llu\n", names[i],
                   (unsigned long long)layout.per_node + (i == 0));
    int fd = memfd_create("wick-hosts", 0);
    if (fd >= 0 && write(fd, str_text(&text), text.length) != (ssize_t)text.length) {
        close(fd);
        fd = -1;
    }
    str_free(&text);
    return fd;
}
