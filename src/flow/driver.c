/* driver.c - rank 0: serves, prints, and says what went wrong. */
#include "flow/driver.h"

#include "flow/worker.h"

#include <stdio.h>
#include <unistd.h>

struct flow_driver {
    const struct flow_options *options;
    struct comm *comm;
    struct balance_rules rules;
    struct balance_server *server;
    uint32_t *labels;
    double started;
    enum flow_end end;
    bool over;
};

static const double LOOKS = 0.1; /* seconds between two looks at the limits */

static void complain(struct flow_driver *d, const char *text)
{
    d->options->complain(d->options->self, text);
}

/* Everybody ends at once; what is on its way is dropped. */
static void give_up(struct flow_driver *d, enum flow_end end)
{
    if (d->over)
        return;
    d->over = true;
    d->end = end;
    for (int rank = 1; rank < comm_size(d->comm); rank++)
        comm_send(d->comm, rank, FLOW_ABORT, NULL, 0);
    comm_stop(d->comm);
}

/* ---- what balance tells ---- */

static const char *reason_text(enum balance_fault_reason reason)
{
    switch (reason) {
    case BALANCE_FAULT_TWICE: return "is assigned twice";
    case BALANCE_FAULT_CLOSED: return "is assigned after all who could assign it had ended";
    case BALANCE_FAULT_TOO_LARGE: return "is too large";
    default: return "was lost: this is a mistake of Wick itself";
    }
}

static void add_key(struct str *s, struct slice bytes)
{
    struct arena arena = {0};
    size_t at = 0;
    if (bytes.length == 0)
        return;
    struct leaf_value key = unpack_value(bytes, &at, &arena);
    const char *quote = key.kind == LEAF_STRING ? "\"" : "";
    str_printf(s, "[%s", quote);
    leaf_show(s, &key);
    str_printf(s, "%s]", quote);
    arena_free(&arena);
}

/* x[3] (script.swift:12) */
static void add_datum(struct str *s, struct flow_driver *d, uint32_t label,
                      const struct slice *keys, size_t key_count)
{
    struct str name = {0};
    labels_show_slot(&name, d->options->code, d->labels, label);
    size_t length = name.length > 0 ? strcspn(name.text, " ") : 0;
    str_add_bytes(s, str_text(&name), length);
    for (size_t i = 0; i < key_count; i++)
        add_key(s, keys[i]);
    str_add(s, str_text(&name) + length);
    str_free(&name);
}

static void data_failed(void *self, const struct balance_fault *fault)
{
    struct flow_driver *d = self;
    struct str text = {0};
    if (d->over)
        return;
    add_datum(&text, d, fault->label, fault->keys, fault->key_count);
    str_printf(&text, " %s", reason_text(fault->reason));
    complain(d, str_text(&text));
    str_free(&text);
    give_up(d, FLOW_FAILED);
}

/* What waits only for values without a name waits for another statement, which is shown. */
static bool waits_for_variable(const struct flow_driver *d, const struct balance_stuck *task)
{
    for (size_t i = 0; i < task->wait_count; i++)
        if (labels_has_name(d->options->code, d->labels, task->waits[i].label))
            return true;
    return false;
}

static void show_stuck(struct flow_driver *d, const struct balance_stuck *task)
{
    struct str text = {0};
    str_add(&text, "  ");
    labels_show_place(&text, d->options->code, task->label);
    str_add(&text, " waits for ");
    for (size_t k = 0; k < task->wait_count; k++) {
        const struct balance_stuck_wait *wait = &task->waits[k];
        str_add(&text, k > 0 ? ", " : "");
        add_datum(&text, d, wait->label, &wait->key, wait->key.length > 0);
    }
    complain(d, str_text(&text));
    str_free(&text);
}

static void stuck(void *self, const struct balance_stuck *tasks, size_t count, uint64_t total)
{
    enum { SHOWN = 20 };
    struct flow_driver *d = self;
    struct str text = {0};
    size_t named = 0, shown = 0;
    d->end = FLOW_STUCK;
    for (size_t i = 0; i < count; i++)
        named += waits_for_variable(d, &tasks[i]);
    if (named > 0)
        total -= count - named;
    if (total == 1)
        str_add(&text, "1 statement waits for a value that nothing assigns:");
    else
        str_printf(&text, "%llu statements wait for values that nothing assigns:",
                   (unsigned long long)total);
    complain(d, str_text(&text));
    str_free(&text);
    for (size_t i = 0; i < count && shown < SHOWN; i++) {
        if (named > 0 && !waits_for_variable(d, &tasks[i]))
            continue;
        show_stuck(d, &tasks[i]);
        shown++;
    }
}

static void worker_lost(void *self, int worker)
{
    struct flow_driver *d = self;
    struct str text = {0};
    str_printf(&text, "worker %d has died", worker - 1);
    complain(d, str_text(&text));
    str_free(&text);
    give_up(d, FLOW_FAILED);
}

static void finished(void *self, size_t left)
{
    struct flow_driver *d = self;
    if (left > 0 && !d->over) {
        complain(d, "tasks were left that no worker could take");
        d->end = FLOW_FAILED;
    }
    d->over = true;
    comm_stop(d->comm);
}

/* ---- limits ---- */

/* Bytes that this process has in memory; 0 if that is not known. */
static uint64_t memory_used(void)
{
    unsigned long long pages = 0;
    FILE *file = fopen("/proc/self/statm", "re");
    if (!file)
        return 0;
    if (fscanf(file, "%*u %llu", &pages) != 1)
        pages = 0;
    fclose(file);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

static void exceed(struct flow_driver *d, const char *what)
{
    complain(d, what);
    give_up(d, FLOW_FAILED);
}

/* A script that calls itself without end needs ever more memory. */
static void look(void *self)
{
    struct flow_driver *d = self;
    const struct flow_options *options = d->options;
    if (d->over)
        return;
    if (options->time > 0 && comm_now(d->comm) - d->started > options->time)
        exceed(d, "the time limit is over (--time)");
    else if (options->memory > 0 && memory_used() > options->memory)
        exceed(d, "the script needs more memory than it may use (--memory): does a function call "
                  "itself without end?");
    else
        comm_after(d->comm, LOOKS, look, d);
}

/* ---- the actor ---- */

static void put_script(struct flow_driver *d)
{
    struct balance_task task = {.id = 1, .bytes = "", .type = FLOW_SCRIPT};
    balance_put(d->server, &task);
    balance_finish(d->server);
}

static void start(void *self, struct comm *comm)
{
    struct flow_driver *d = self;
    struct balance_owner owner = {.self = d,
                                  .worker_lost = worker_lost,
                                  .data_failed = data_failed,
                                  .stuck = stuck,
                                  .finished = finished};
    d->comm = comm;
    d->started = comm_now(comm);
    if (d->options->time > 0 || d->options->memory > 0)
        comm_after(comm, LOOKS, look, d);
    d->server = balance_create(comm, &d->rules, &owner);
    put_script(d);
}

static void message(void *self, const struct comm_message *m)
{
    struct flow_driver *d = self;
    const struct flow_options *options = d->options;
    if (d->over)
        return;
    if (m->type == FLOW_PRINT) {
        options->print(options->self, (const char *)m->bytes, m->length);
    } else if (m->type == FLOW_PRINT_ERROR) {
        options->print_error(options->self, (const char *)m->bytes, m->length);
    } else if (m->type == FLOW_LOG || m->type == FLOW_FAIL) {
        struct str text = {0};
        str_add_bytes(&text, m->bytes, m->length);
        complain(d, str_text(&text));
        str_free(&text);
        if (m->type == FLOW_FAIL)
            give_up(d, FLOW_FAILED);
    } else {
        balance_message(d->server, m);
    }
}

struct flow_driver *flow_driver_create(const struct flow_options *options)
{
    struct flow_driver *d = memory_new(1, sizeof *d);
    d->options = options;
    d->rules = (struct balance_rules){.servers = 1, .batch = FLOW_BATCH};
    d->labels = labels_make(options->code);
    return d;
}

void flow_driver_free(struct flow_driver *d)
{
    if (d->server)
        balance_free(d->server);
    free(d->labels);
    free(d);
}

struct comm_actor flow_driver_actor(struct flow_driver *d)
{
    return (struct comm_actor){.self = d, .start = start, .message = message};
}

enum flow_end flow_driver_end(const struct flow_driver *d)
{
    return d->end;
}
