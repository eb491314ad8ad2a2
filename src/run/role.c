/* role.c - what the ranks other than 0 do. */
#include "run/role.h"

#include "model/model.h"
#include "run/run.h"

#include <time.h>
#include <unistd.h>

/* ---- a server ---- */

static void server_finished(void *self, size_t left)
{
    struct role_server *role = self;
    (void)left;
    comm_stop(role->comm);
}

/* The first server is gone: so is the study. */
static void first_lost(void *self, int rank)
{
    struct role_server *role = self;
    (void)rank;
    role->orphaned = true;
    comm_stop(role->comm);
}

static void server_start(void *self, struct comm *comm)
{
    struct role_server *role = self;
    struct balance_owner owner = {
        .self = role, .server_lost = first_lost, .finished = server_finished};
    role->comm = comm;
    role->server = balance_create(comm, &role->rules, &owner);
}

static void server_message(void *self, const struct comm_message *message)
{
    struct role_server *role = self;
    balance_message(role->server, message);
}

struct comm_actor role_server_actor(struct role_server *role)
{
    return (struct comm_actor){role, server_start, server_message};
}

void role_server_free(struct role_server *role)
{
    if (role->server)
        balance_free(role->server);
}

/* ---- the study on its way ---- */

/*
 * Followed by name, folder, study folder, start of the journal and text, each ended by a zero byte.
 */
struct study_head {
    struct balance_rules rules;
    unsigned per_node; /* most workers of a node; 0: no limit */
};

enum { MARK = 1024 };

/*
 * The start of the first record of the journal, which has the time when the study was created: no
 * other study folder has the same. "" if there is none.
 */
static void read_mark(const char *dir, char mark[MARK])
{
    struct str path = {0};
    FILE *file = fopen(study_path(&path, dir, STUDY_JOURNAL), "re");
    if (!file || !fgets(mark, MARK, file))
        mark[0] = 0;
    if (file)
        fclose(file);
    str_free(&path);
}

void role_tell(struct comm *comm, const struct study *study, const char *dir,
               const struct balance_rules *rules, unsigned per_node)
{
    char mark[MARK];
    read_mark(dir, mark);
    const char *texts[] = {study->name, study->model.folder, dir, mark, study->text};
    struct study_head head = {*rules, per_node};
    struct str message = {0};
    str_add_bytes(&message, &head, sizeof head);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        str_add_bytes(&message, texts[i], strlen(texts[i]) + 1);
    for (int rank = 1; rank < comm_size(comm); rank++)
        comm_send(comm, rank, ROLE_STUDY, message.text, message.length);
    str_free(&message);
}

void run_dismiss(struct comm *comm)
{
    for (int rank = 1; rank < comm_size(comm); rank++)
        comm_send(comm, rank, ROLE_DISMISS, NULL, 0);
}

/* ---- ranks that are too many ---- */

bool *role_resting(const struct comm *comm, const struct balance_rules *rules, unsigned per_node,
                   unsigned *count)
{
    int size = comm_size(comm);
    bool *rests = memory_new((size_t)size, sizeof *rests);
    unsigned *workers = memory_new((size_t)comm_nodes(comm), sizeof *workers); /* by node */
    *count = 0;
    for (int rank = 0; rank < size && per_node > 0; rank++) {
        if (balance_serves(rules, size, rank))
            continue;
        rests[rank] = ++workers[comm_node(comm, rank)] > per_node;
        *count += rests[rank];
    }
    free(workers);
    return rests;
}

/* ---- a rank of an MPI job ---- */

struct role {
    struct comm *comm;
    struct helper *helper;
    struct str early;        /* messages that came before the study: struct comm_message, bytes */
    struct comm_actor actor; /* of its role; .message is NULL before it has one */

    char *dir, *mark; /* the study folder, and what identifies it: see read_mark() */
    struct study study;
    struct balance_rules rules;
    bool *rests; /* by rank: it has no part in the study */
    struct machine_slot slot;
    struct container *container; /* of the trials; NULL: none */
    struct worker *worker;
    struct role_server server;
    struct balance_client *idle; /* when this rank does not work */
};

/* Which of the workers with exactly the same processors this is, and how many they are. */
static void find_share(const struct role *role, unsigned *index, unsigned *count)
{
    int size = comm_size(role->comm), here = comm_rank(role->comm);
    uint64_t processors = comm_processors(role->comm, here);
    *index = *count = 0;
    for (int rank = 0; rank < size; rank++) {
        if (balance_serves(&role->rules, size, rank) || role->rests[rank] ||
            comm_processors(role->comm, rank) != processors)
            continue;
        *index += rank < here;
        ++*count;
    }
}

static int find_slot(struct role *role, struct err *e)
{
    unsigned index, count;
    find_share(role, &index, &count);
    struct machine_slot *slots = memory_new(count, sizeof *slots);
    int failed = machine_slots(&role->study, count, slots, e);
    if (!failed) {
        role->slot = slots[index];
        role->slot.channel = 1;
        role->slot.worker = (unsigned)balance_worker_number(&role->rules, comm_size(role->comm),
                                                            comm_rank(role->comm));
    }
    free(slots);
    return failed;
}

static int read_study(struct role *role, const struct comm_message *message, struct err *e)
{
    struct err_list mistakes = {0};
    const char *name = (const char *)message->bytes + sizeof(struct study_head);
    const char *folder = name + strlen(name) + 1, *dir = folder + strlen(folder) + 1;
    const char *mark = dir + strlen(dir) + 1, *text = mark + strlen(mark) + 1;
    role->dir = memory_copy(dir);
    role->mark = memory_copy(mark);
    if (study_restore(&role->study, text, strlen(text), folder, &mistakes))
        *e = mistakes.items[0];
    else
        role->study.name = arena_copy(&role->study.arena, name, strlen(name));
    err_list_free(&mistakes);
    return e->code;
}

/*
 * True if the folder is the one in which rank 0 has opened the journal. A network file system may
 * show a new file late, so this waits a while before it says no.
 */
static bool is_same_folder(const struct role *role)
{
    static const double PATIENCE = 2; /* seconds; longer, and rank 0 may give this rank up */
    char mark[MARK];
    double start = clock_now();
    for (;;) {
        read_mark(role->dir, mark);
        if (strcmp(mark, role->mark) == 0)
            return true;
        if (clock_now() > start + PATIENCE)
            return false;
        nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    }
}

static const char *node_of(const struct role *role, int rank)
{
    return comm_node_name(role->comm, comm_node(role->comm, rank));
}

static int check_folder(const struct role *role, struct err *e)
{
    const char *node = node_of(role, comm_rank(role->comm));
    if (!model_kind(&role->study.model)->starts_programs)
        return 0;
    if (access(role->dir, W_OK) != 0)
        return err_system(e,
                          "node %s cannot write to the study folder %s, which must be on a file "
                          "system that all nodes share",
                          node, role->dir);
    if (!is_same_folder(role))
        return err_set(e, ERR_USER,
                       "the folder %s is another one on node %s than on node %s: the study folder "
                       "must be on a file system that all nodes share",
                       role->dir, node, node_of(role, 0));
    return 0;
}

/* Rank 0 has made it ready before it sent the study. */
static int find_container(struct role *role, struct err *e)
{
    if (!container_wanted(&role->study))
        return 0;
    if (container_open(&role->container, &role->study, role->dir, e) ||
        container_adopt(role->container, e))
        return e->code;
    role->slot.container = role->container;
    return 0;
}

static void start_worker(struct role *role)
{
    struct worker_setup setup = {&role->study, role->dir, &role->slot, role->helper, role->rules};
    if (model_kind(&role->study.model)->starts_programs)
        helper_end_leftovers(role->dir);
    role->worker = worker_create(&setup);
    role->actor = worker_actor(role->worker);
}

/* ---- a rank that does not work: it waits without a task for the end ---- */

static void idle_finish(void *self)
{
    struct role *role = self;
    balance_leave(role->idle);
    comm_stop(role->comm);
}

static void idle_start(void *self, struct comm *comm)
{
    struct role *role = self;
    struct balance_worker handlers = {.self = role, .finish = idle_finish, .orphaned = idle_finish};
    role->idle = balance_join(comm, &role->rules, &handlers);
}

static void idle_message(void *self, const struct comm_message *message)
{
    struct role *role = self;
    balance_client_message(role->idle, message);
}

/* If it cannot work, it tells rank 0 why; `e` is 0 if it is one too many. */
static void start_idle(struct role *role, const struct err *e)
{
    if (e->code)
        comm_send(role->comm, 0, ROLE_FAILED, e, sizeof *e);
    role->actor = (struct comm_actor){role, idle_start, idle_message};
}

/* ---- the actor ---- */

/* Becomes what the study needs: a server, a worker, or a rank that does not work. */
static void assume_role(struct role *role, const struct comm_message *message)
{
    struct err e = {0};
    struct study_head head;
    int here = comm_rank(role->comm);
    unsigned ignored;
    memcpy(&head, message->bytes, sizeof head);
    role->rules = head.rules;
    role->rests = role_resting(role->comm, &role->rules, head.per_node, &ignored);
    if (balance_serves(&role->rules, comm_size(role->comm), here)) {
        role->server.rules = role->rules;
        role->actor = role_server_actor(&role->server);
    } else if (role->rests[here] || read_study(role, message, &e) || check_folder(role, &e) ||
               find_slot(role, &e) || find_container(role, &e)) {
        start_idle(role, &e);
    } else {
        start_worker(role);
    }
    role->actor.start(role->actor.self, role->comm);
}

static void keep_early(struct role *role, const struct comm_message *message)
{
    str_add_bytes(&role->early, message, sizeof *message);
    str_add_bytes(&role->early, message->bytes, message->length);
}

static void deliver_early(struct role *role)
{
    for (size_t at = 0; at < role->early.length;) {
        struct comm_message message;
        memcpy(&message, role->early.text + at, sizeof message);
        at += sizeof message;
        message.bytes = (const unsigned char *)role->early.text + at;
        at += message.length;
        role->actor.message(role->actor.self, &message);
    }
    str_free(&role->early);
}

static void role_start(void *self, struct comm *comm)
{
    struct role *role = self;
    role->comm = comm;
}

static void role_message(void *self, const struct comm_message *message)
{
    struct role *role = self;
    if (message->type == ROLE_DISMISS) {
        comm_stop(role->comm);
    } else if (message->type == ROLE_STUDY) {
        assume_role(role, message);
        deliver_early(role);
    } else if (!role->actor.message) {
        keep_early(role, message);
    } else {
        role->actor.message(role->actor.self, message);
    }
}

bool run_rank(struct comm *comm, struct helper *helper)
{
    struct role role = {.helper = helper};
    struct comm_actor actor = {&role, role_start, role_message};
    comm_mpi_run(comm, &actor);
    bool orphaned = role.server.orphaned || (role.worker && worker_orphaned(role.worker));
    if (role.worker)
        worker_free(role.worker);
    if (role.idle)
        balance_client_free(role.idle);
    container_close(role.container);
    role_server_free(&role.server);
    if (role.dir)
        study_free(&role.study);
    free(role.dir);
    free(role.mark);
    free(role.rests);
    str_free(&role.early);
    return !orphaned;
}
