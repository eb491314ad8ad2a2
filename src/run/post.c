/* post.c - what the ranks other than 0 do. */
#include "run/post.h"

#include "run/run.h"

#include <unistd.h>

/* ---- a server ---- */

static void server_finished(void *self, size_t left)
{
    struct post_server *post = self;
    (void)left;
    comm_stop(post->comm);
}

/* The first server is gone: so is the study. */
static void first_lost(void *self, int rank)
{
    struct post_server *post = self;
    (void)rank;
    post->orphaned = true;
    comm_stop(post->comm);
}

static void server_start(void *self, struct comm *comm)
{
    struct post_server *post = self;
    struct balance_owner owner = {
        .self = post, .server_lost = first_lost, .finished = server_finished};
    post->comm = comm;
    post->server = balance_create(comm, &post->rules, &owner);
}

static void server_message(void *self, const struct comm_message *message)
{
    struct post_server *post = self;
    balance_message(post->server, message);
}

struct comm_actor post_server_actor(struct post_server *post)
{
    return (struct comm_actor){post, server_start, server_message};
}

void post_server_free(struct post_server *post)
{
    if (post->server)
        balance_free(post->server);
}

/* ---- the study on its way ---- */

/* Followed by name, folder, study's folder and text, each ended by a zero byte. */
struct study_head {
    struct balance_rules rules;
};

void post_tell(struct comm *comm, const struct study *study, const char *dir,
               const struct balance_rules *rules)
{
    const char *texts[] = {study->name, study->model.folder, dir, study->text};
    struct study_head head = {*rules};
    struct str message = {0};
    str_add_bytes(&message, &head, sizeof head);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        str_add_bytes(&message, texts[i], strlen(texts[i]) + 1);
    for (int rank = 1; rank < comm_size(comm); rank++)
        comm_send(comm, rank, POST_STUDY, message.text, message.length);
    str_free(&message);
}

void run_dismiss(struct comm *comm)
{
    for (int rank = 1; rank < comm_size(comm); rank++)
        comm_send(comm, rank, POST_DISMISS, NULL, 0);
}

/* ---- a rank of an MPI job ---- */

struct post {
    struct comm *comm;
    struct helper *helper;
    struct str early;        /* messages that came before the study: struct comm_message, bytes */
    struct comm_actor actor; /* of the post; .message is NULL before it has one */

    char *dir;
    struct study study;
    struct balance_rules rules;
    struct machine_slot slot;
    struct container *container; /* of the trials; NULL: none */
    struct worker *worker;
    struct post_server server;
    struct balance_client *idle; /* of a rank that cannot work */
};

/* Which of the workers with exactly the same processors this is, and how many they are. */
static void find_share(const struct post *post, unsigned *index, unsigned *count)
{
    int size = comm_size(post->comm), here = comm_rank(post->comm);
    uint64_t processors = comm_processors(post->comm, here);
    *index = *count = 0;
    for (int rank = 0; rank < size; rank++) {
        if (balance_serves(&post->rules, size, rank) ||
            comm_processors(post->comm, rank) != processors)
            continue;
        *index += rank < here;
        ++*count;
    }
}

static int find_slot(struct post *post, struct err *e)
{
    unsigned index, count;
    find_share(post, &index, &count);
    struct machine_slot *slots = memory_new(count, sizeof *slots);
    int failed = machine_slots(&post->study, count, slots, e);
    if (!failed) {
        post->slot = slots[index];
        post->slot.channel = 1;
        post->slot.worker = (unsigned)balance_worker_number(&post->rules, comm_size(post->comm),
                                                            comm_rank(post->comm));
    }
    free(slots);
    return failed;
}

static int read_study(struct post *post, const struct comm_message *message, struct err *e)
{
    struct err_list mistakes = {0};
    const char *name = (const char *)message->bytes + sizeof(struct study_head);
    const char *folder = name + strlen(name) + 1, *dir = folder + strlen(folder) + 1;
    const char *text = dir + strlen(dir) + 1;
    post->dir = memory_copy(dir);
    if (study_restore(&post->study, text, strlen(text), folder, &mistakes))
        *e = mistakes.items[0];
    else
        post->study.name = arena_copy(&post->study.arena, name, strlen(name));
    err_list_free(&mistakes);
    return e->code;
}

static int check_folder(const struct post *post, struct err *e)
{
    if (post->study.model.function || access(post->dir, W_OK) == 0)
        return 0;
    return err_system(e,
                      "node %s cannot write to the study's folder %s, which must lie on a file "
                      "system that all nodes share",
                      comm_node_name(post->comm, comm_node(post->comm, comm_rank(post->comm))),
                      post->dir);
}

/* Rank 0 has made it ready before it sent the study. */
static int find_container(struct post *post, struct err *e)
{
    if (!container_wanted(&post->study))
        return 0;
    if (container_open(&post->container, &post->study, post->dir, e) ||
        container_adopt(post->container, e))
        return e->code;
    post->slot.container = post->container;
    return 0;
}

static void start_worker(struct post *post)
{
    struct worker_setup setup = {&post->study, post->dir, &post->slot, post->helper, post->rules};
    post->worker = worker_create(&setup);
    post->actor = worker_actor(post->worker);
}

/* ---- a rank that cannot work: it tells rank 0 why, takes no task, and waits to be sent home ----
 */

static void idle_finish(void *self)
{
    struct post *post = self;
    balance_leave(post->idle);
    comm_stop(post->comm);
}

static void idle_start(void *self, struct comm *comm)
{
    struct post *post = self;
    struct balance_worker handlers = {.self = post, .finish = idle_finish, .orphaned = idle_finish};
    post->idle = balance_join(comm, &post->rules, &handlers);
}

static void idle_message(void *self, const struct comm_message *message)
{
    struct post *post = self;
    balance_client_message(post->idle, message);
}

static void start_idle(struct post *post, const struct err *e)
{
    comm_send(post->comm, 0, POST_FAILED, e, sizeof *e);
    post->actor = (struct comm_actor){post, idle_start, idle_message};
}

/* ---- the actor ---- */

/* Takes up its post, and what came before it knew of it. */
static void take_post(struct post *post, const struct comm_message *message)
{
    struct err e = {0};
    struct study_head head;
    memcpy(&head, message->bytes, sizeof head);
    post->rules = head.rules;
    if (balance_serves(&post->rules, comm_size(post->comm), comm_rank(post->comm))) {
        post->server.rules = post->rules;
        post->actor = post_server_actor(&post->server);
    } else if (read_study(post, message, &e) || check_folder(post, &e) || find_slot(post, &e) ||
               find_container(post, &e)) {
        start_idle(post, &e);
    } else {
        start_worker(post);
    }
    post->actor.start(post->actor.self, post->comm);
}

static void keep_early(struct post *post, const struct comm_message *message)
{
    str_add_bytes(&post->early, message, sizeof *message);
    str_add_bytes(&post->early, message->bytes, message->length);
}

static void deliver_early(struct post *post)
{
    for (size_t at = 0; at < post->early.length;) {
        struct comm_message message;
        memcpy(&message, post->early.text + at, sizeof message);
        at += sizeof message;
        message.bytes = (const unsigned char *)post->early.text + at;
        at += message.length;
        post->actor.message(post->actor.self, &message);
    }
    str_free(&post->early);
}

static void post_start(void *self, struct comm *comm)
{
    struct post *post = self;
    post->comm = comm;
}

static void post_message(void *self, const struct comm_message *message)
{
    struct post *post = self;
    if (message->type == POST_DISMISS) {
        comm_stop(post->comm);
    } else if (message->type == POST_STUDY) {
        take_post(post, message);
        deliver_early(post);
    } else if (!post->actor.message) {
        keep_early(post, message);
    } else {
        post->actor.message(post->actor.self, message);
    }
}

bool run_rank(struct comm *comm, struct helper *helper)
{
    struct post post = {.helper = helper};
    struct comm_actor actor = {&post, post_start, post_message};
    comm_mpi_run(comm, &actor);
    bool orphaned = post.server.orphaned || (post.worker && worker_orphaned(post.worker));
    if (post.worker)
        worker_free(post.worker);
    if (post.idle)
        balance_client_free(post.idle);
    container_close(post.container);
    post_server_free(&post.server);
    if (post.dir)
        study_free(&post.study);
    free(post.dir);
    str_free(&post.early);
    return !orphaned;
}
