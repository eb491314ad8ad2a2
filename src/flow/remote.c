/* remote.c - ranks of an MPI job: rank 0 sends the script to all others. */
#include "flow/driver.h"
#include "flow/worker.h"

#include <sched.h>

static void pack_text(struct str *out, const char *text)
{
    pack_number(out, strlen(text) + 1);
    str_add_bytes(out, text, strlen(text) + 1);
}

static const char *unpack_text(struct slice bytes, size_t *at)
{
    uint64_t length = unpack_number(bytes, at);
    const char *text = bytes.text + *at;
    if (length > bytes.length - *at)
        BUG("the message with the script is cut off");
    *at += (size_t)length;
    return text;
}

/* Before any other message, so the script is what a rank hears first. */
static void send_script(struct comm *comm, const struct flow_options *options)
{
    struct str message = {0}, code = {0};
    uint64_t count = 0;
    while (options->arguments[count])
        count++;
    pack_number(&message, options->labels_lines);
    pack_text(&message, options->program);
    pack_number(&message, count);
    for (uint64_t i = 0; i < count; i++)
        pack_text(&message, options->arguments[i]);
    code_write(&code, options->code);
    pack_number(&message, code.length);
    str_add_bytes(&message, code.text, code.length);
    for (int rank = 1; rank < comm_size(comm); rank++)
        comm_send(comm, rank, FLOW_CODE, message.text, message.length);
    str_free(&code);
    str_free(&message);
}

void flow_dismiss(struct comm *comm)
{
    for (int rank = 1; rank < comm_size(comm); rank++)
        comm_send(comm, rank, FLOW_ABORT, NULL, 0);
}

/* ---- a rank other than 0 ---- */

struct follower {
    struct comm *comm;
    struct helper *helper;
    struct machine_slot slot;
    struct flow_options options;
    struct code code;
    struct str message; /* that brought the script */
    const char **arguments;
    struct flow_worker *worker; /* NULL: the script has not come yet */
};

static void receive_script(struct follower *f, const struct comm_message *m)
{
    struct err e = {0};
    size_t at = 0;
    str_add_bytes(&f->message, m->bytes, m->length);
    struct slice bytes = {f->message.text, f->message.length};
    f->options.labels_lines = unpack_number(bytes, &at) != 0;
    f->options.program = unpack_text(bytes, &at);
    uint64_t count = unpack_number(bytes, &at);
    f->arguments = memory_new((size_t)count + 1, sizeof *f->arguments);
    for (uint64_t i = 0; i < count; i++)
        f->arguments[i] = unpack_text(bytes, &at);
    f->options.arguments = f->arguments;
    uint64_t length = unpack_number(bytes, &at);
    if (code_read(&f->code, bytes.text + at, (size_t)length, &e))
        BUG("%s", e.message);
    f->options.code = &f->code;
}

static void begin_work(struct follower *f)
{
    f->slot =
        (struct machine_slot){.worker = (unsigned)comm_rank(f->comm), .channel = 1, .cores = 1};
    sched_getaffinity(0, sizeof f->slot.pinned, &f->slot.pinned);
    f->worker = flow_worker_create(&f->options, f->helper, &f->slot);
    struct comm_actor actor = flow_worker_actor(f->worker);
    actor.start(actor.self, f->comm);
}

static void start(void *self, struct comm *comm)
{
    struct follower *f = self;
    f->comm = comm;
}

static void message(void *self, const struct comm_message *m)
{
    struct follower *f = self;
    if (f->worker) {
        struct comm_actor actor = flow_worker_actor(f->worker);
        actor.message(actor.self, m);
    } else if (m->type == FLOW_CODE) {
        receive_script(f, m);
        begin_work(f);
    } else if (m->type == FLOW_ABORT) {
        comm_stop(f->comm);
    }
}

bool flow_follow(struct comm *comm, struct helper *helper)
{
    struct follower f = {.helper = helper};
    struct comm_actor actor = {.self = &f, .start = start, .message = message};
    comm_mpi_run(comm, &actor);
    if (f.worker)
        flow_worker_free(f.worker);
    free(f.arguments);
    str_free(&f.message);
    code_free(&f.code);
    return true;
}

enum flow_end flow_run_mpi(const struct flow_options *options, struct comm *comm)
{
    struct flow_driver *driver = flow_driver_create(options);
    struct comm_actor actor = flow_driver_actor(driver);
    send_script(comm, options);
    comm_mpi_run(comm, &actor);
    enum flow_end end = flow_driver_end(driver);
    flow_driver_free(driver);
    return end;
}
