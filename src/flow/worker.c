/* worker.c - a rank that runs tasks: the actor, printing, failing. */
#include "flow/worker.h"

#include <errno.h>
#include <stdio.h>
#include <unistd.h>

enum { PUTS = 64 }; /* operations are sent after so many tasks at the latest */

uint64_t worker_next_id(struct flow_worker *w)
{
    return (uint64_t)comm_rank(w->comm) << 40 | ++w->next_id;
}

void worker_flush_some(struct flow_worker *w)
{
    if (++w->unflushed < PUTS)
        return;
    w->unflushed = 0;
    balance_data_flush(w->client);
}

int worker_target(struct flow_worker *w, const struct destination *destination)
{
    if (!destination->whole_node)
        return destination->worker;
    int rank = balance_worker_rank(&w->rules, comm_size(w->comm), destination->worker);
    return comm_node(w->comm, rank);
}

/* Each line starts with the number of the worker. */
static void label_lines(struct str *out, int worker, const char *text, size_t length)
{
    bool start = true;
    for (size_t i = 0; i < length; i++) {
        if (start)
            str_printf(out, "[%d] ", worker);
        str_add_char(out, text[i]);
        start = text[i] == '\n';
    }
}

static void send_output(struct flow_worker *w, int type, const char *text, size_t length)
{
    struct str labelled = {0};
    if (w->options->labels_lines) {
        label_lines(&labelled, w->world.rank, text, length);
        text = str_text(&labelled);
        length = labelled.length;
    }
    comm_send(w->comm, 0, type, text, length);
    str_free(&labelled);
}

void worker_print(void *self, const char *text, size_t length)
{
    send_output(self, FLOW_PRINT, text, length);
}

void worker_print_error(struct flow_worker *w, const char *text, size_t length)
{
    send_output(w, FLOW_PRINT_ERROR, text, length);
}

void worker_keep_temporary(struct flow_worker *w, struct slice path)
{
    char *copy = memory_new(path.length + 1, 1);
    memcpy(copy, path.text, path.length);
    w->temporary = memory_grow(w->temporary, &w->temporary_capacity, w->temporary_count + 1,
                               sizeof *w->temporary);
    w->temporary[w->temporary_count++] = copy;
}

/* Unless SWIFT_TMP_AUTODELETE is 0, for somebody who wants to look at them. */
static void remove_temporary(struct flow_worker *w)
{
    const char *wanted = getenv("SWIFT_TMP_AUTODELETE");
    for (size_t i = 0; i < w->temporary_count; i++) {
        if (!wanted || strcmp(wanted, "0") != 0)
            unlink(w->temporary[i]);
        free(w->temporary[i]);
    }
    free(w->temporary);
}

void task_fail(struct task *t, const char *format, ...)
{
    struct flow_worker *w = t->worker;
    struct str text = {0};
    va_list arguments;
    va_start(arguments, format);
    if (t->failed) {
        va_end(arguments);
        return;
    }
    t->failed = true;
    labels_show_place(&text, t->code, t->current->place + 1);
    str_add(&text, ": ");
    str_vprintf(&text, format, arguments);
    va_end(arguments);
    comm_send(w->comm, 0, FLOW_FAIL, text.text, text.length);
    str_free(&text);
}

/* ---- tasks ---- */

/* A copy of the bytes, which are gone when the task goes on after something outside has ended. */
static struct slice keep(struct task *t, const void *bytes, size_t length)
{
    return (struct slice){arena_copy(&t->arena, bytes, length), length};
}

static struct leaf_value member_value(struct task *t, const struct balance_member *member)
{
    size_t at = 0;
    if (member->row) {
        uint64_t id = balance_data_id(&member->value, 0);
        return datum_reference(id, BALANCE_ARRAY);
    }
    return unpack_value(keep(t, member->value.bytes, member->value.length), &at, &t->arena);
}

static void own_ids(struct task *t, const struct balance_value *value)
{
    for (size_t i = 0; i < value->id_count; i++)
        task_own(t, balance_data_id(value, i), 1, 0);
}

/* ---- answers ---- */

static struct leaf_value answer_container(struct task *t, struct balance_answer *answer)
{
    struct leaf_value array;
    struct balance_member member;
    struct err e = {0};
    size_t count = answer->count, i = 0;
    bool bag = false;
    struct leaf_member *members = leaf_array_start(&array, count, &t->arena);
    for (; balance_data_member(answer, &member); i++) {
        size_t at = 0;
        own_ids(t, &member.value);
        bag = member.key.length == 0;
        members[i].key =
            bag ? leaf_whole((int64_t)i)
                : unpack_value(keep(t, member.key.text, member.key.length), &at, &t->arena);
        members[i].value = member_value(t, &member);
    }
    if (leaf_array_end(&array, &e))
        BUG("an array came with a key twice");
    if (bag)
        array.kind = LEAF_BAG;
    return array;
}

static struct leaf_value answer_value(struct task *t, struct balance_answer *answer, bool number)
{
    struct balance_member member;
    struct leaf_value value = {.kind = (enum leaf_kind)SLOT_UNSET};
    if (!answer->present)
        return value;
    if (!balance_data_member(answer, &member)) { /* all that is known is that it is there */
        value.kind = LEAF_VOID;
        return value;
    }
    own_ids(t, &member.value);
    if (!number)
        return member_value(t, &member);
    double x;
    memcpy(&x, member.value.bytes, sizeof x);
    return leaf_number(x);
}

/* The waits of a task stand in front of its closure, so that its answers can be told apart. */
static void add_answer(struct flow_worker *w, struct slice waits, size_t *at,
                       struct balance_answer *answer)
{
    struct task *t = &w->task;
    struct leaf_value datum = {.kind = LEAF_REFERENCE, .whole = (int64_t)unpack_number(waits, at)};
    uint64_t id = datum_id(&datum), want = unpack_number(waits, at),
             length = unpack_number(waits, at);
    bool number = datum_kind(&datum) == BALANCE_UPDATEABLE;
    struct slice key = {waits.text + *at, (size_t)length};
    *at += (size_t)length;
    struct leaf_value value = want == BALANCE_WANT_MEMBERS ? answer_container(t, answer)
                                                           : answer_value(t, answer, number);
    if (want == BALANCE_WANT_MEMBERS || want == BALANCE_WANT_VALUE) {
        task_know(t, id, &value, true);
        return;
    }
    t->elements =
        memory_grow(t->elements, &t->element_capacity, t->element_count + 1, sizeof *t->elements);
    t->elements[t->element_count++] = (struct element){id, key, value};
}

static void run_task(struct flow_worker *w, struct slice bytes, struct balance_answers *answers)
{
    struct task *t = &w->task;
    struct balance_answer answer;
    struct slice own = keep(t, bytes.text, bytes.length);
    size_t at = 0;
    for (uint64_t count = unpack_number(own, &at); count > 0; count--) {
        if (!balance_data_answer(answers, &answer))
            BUG("a task has fewer answers than waits");
        add_answer(w, own, &at, &answer);
    }
    for (uint64_t count = unpack_number(own, &at); count > 0; count--)
        task_own(t, unpack_number(own, &at), 1, 0);
    for (uint64_t count = unpack_number(own, &at); count > 0; count--) {
        uint64_t id = unpack_number(own, &at);
        struct leaf_value link = unpack_value(own, &at, &t->arena);
        task_know(t, id, &link, true);
    }
    task_run(t, (struct slice){own.text + at, own.length - at});
}

static void finish_task(struct flow_worker *w)
{
    bool failed = w->task.failed;
    task_end(&w->task);
    w->task = (struct task){0};
    if (!failed) /* a failed task is never done: the run ends */
        balance_done(w->client, NULL, 0);
}

static void start_task(void *self, const struct balance_assignment *assignment)
{
    struct flow_worker *w = self;
    struct balance_answers answers;
    w->task = (struct task){.worker = w, .code = w->options->code, .client = w->client};
    if (assignment->type == FLOW_SCRIPT) {
        task_run_script(&w->task);
    } else {
        balance_data_answers(&answers, assignment->bytes, assignment->length);
        run_task(w, (struct slice){(const char *)answers.bytes, answers.length}, &answers);
    }
    if (!w->task.outside)
        finish_task(w);
}

void worker_go_on(struct flow_worker *w)
{
    task_continue(&w->task);
    if (w->task.outside)
        return;
    finish_task(w);
}

/* ---- the actor ---- */

/* What runs outside ends while comm is still there. */
static void stop(void *self)
{
    struct flow_worker *w = self;
    outside_free(w->outside);
    w->outside = NULL;
    comm_stop(w->comm);
}

static void leave(void *self)
{
    struct flow_worker *w = self;
    balance_leave(w->client);
    stop(w);
}

static void ignore(void *self)
{
    (void)self;
}

static void dropped(void *self, uint64_t id, struct str *result)
{
    (void)self;
    (void)id;
    (void)result;
}

/* What functions may know about the run. */
static void describe_world(struct flow_worker *w)
{
    struct leaf_world *world = &w->world;
    int size = comm_size(w->comm), workers = balance_workers(&w->rules, size);
    int *nodes = memory_new((size_t)workers + 1, sizeof *nodes);
    const char **hosts = memory_new((size_t)comm_nodes(w->comm) + 1, sizeof *hosts);
    for (int i = 0; i < workers; i++)
        nodes[i] = comm_node(w->comm, balance_worker_rank(&w->rules, size, i + 1));
    for (int i = 0; i < comm_nodes(w->comm); i++)
        hosts[i] = comm_node_name(w->comm, i);
    const char *newline = getenv("TURBINE_PRINTF_NL");
    *world =
        (struct leaf_world){.arguments = w->options->arguments,
                            .program = w->options->program,
                            .workers = workers,
                            .servers = balance_servers(&w->rules, size),
                            .nodes = nodes,
                            .hosts = hosts,
                            .node_count = comm_nodes(w->comm),
                            .rank = balance_worker_number(&w->rules, size, comm_rank(w->comm)) - 1,
                            .print_newline = !newline || strcmp(newline, "0") != 0,
                            .self = w,
                            .print = worker_print};
}

/* Programs find out which worker runs them. */
static void name_variables(struct flow_worker *w)
{
    const struct leaf_world *world = &w->world;
    int leader = world->rank, offset = 0;
    for (int i = world->rank; i >= 0; i--) {
        if (world->nodes[i] != world->nodes[world->rank])
            continue;
        leader = i;
        offset += i != world->rank;
    }
    const struct {
        const char *name;
        int value;
    } numbers[] = {{"ADLB_RANK_SELF", world->rank},
                   {"ADLB_RANK_OFFSET", offset},
                   {"ADLB_RANK_LEADER", leader}};
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        snprintf(w->variables[i], sizeof w->variables[i], "%s=%d", numbers[i].name,
                 numbers[i].value);
        w->variable_list[i] = w->variables[i];
    }
}

static void start(void *self, struct comm *comm)
{
    struct flow_worker *w = self;
    struct balance_worker worker = {.self = w,
                                    .types = ~(uint64_t)0,
                                    .task = start_task,
                                    .interrupt = ignore,
                                    .dropped = dropped,
                                    .finish = leave,
                                    .orphaned = stop};
    w->comm = comm;
    describe_world(w);
    name_variables(w);
    const char *seed = getenv("TURBINE_SRAND");
    random_seed(&w->random, seed ? strtoull(seed, NULL, 10) : 0, (uint64_t)w->world.rank);
    worker_open_outside(w);
    w->client = balance_join(comm, &w->rules, &worker);
}

static void message(void *self, const struct comm_message *m)
{
    struct flow_worker *w = self;
    if (!w->outside)
        return; /* it has stopped */
    if (m->type == FLOW_ABORT)
        stop(w);
    else
        balance_client_message(w->client, m);
}

struct flow_worker *flow_worker_create(const struct flow_options *options, struct helper *helper,
                                       const struct machine_slot *slot)
{
    struct flow_worker *w = memory_new(1, sizeof *w);
    const struct code *code = options->code;
    w->options = options;
    w->helper = helper;
    w->slot = slot;
    w->rules = (struct balance_rules){.servers = 1, .batch = FLOW_BATCH};
    w->labels = labels_make(code);
    w->leaves = memory_new(code->leaf_count + 1, sizeof(void *));
    for (size_t i = 0; i < code->leaf_count; i++)
        w->leaves[i] = leaf_find(code->texts[code->leaves[i].name].text);
    return w;
}

void flow_worker_free(struct flow_worker *w)
{
    task_end(&w->task);
    remove_temporary(w);
    if (w->outside)
        outside_free(w->outside);
    if (w->client)
        balance_client_free(w->client);
    free((void *)w->world.nodes);
    free((void *)w->world.hosts);
    free(w->leaves);
    free(w->labels);
    free(w);
}

struct comm_actor flow_worker_actor(struct flow_worker *w)
{
    return (struct comm_actor){.self = w, .start = start, .message = message};
}
