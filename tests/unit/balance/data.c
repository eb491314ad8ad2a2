/*
 * data.c - values that are assigned once, and the tasks that wait for them.
 *
 *   unit-balance-data             all tests
 *   unit-balance-data KIND        many random programs of this kind
 *   unit-balance-data KIND SEED   one of them again
 */
#include "balance/messages.h"
#include "balance/programs.h"
#include "tap.h"

/* ---- random programs ---- */

struct kind {
    const char *name;
    int many;
    void (*write)(struct plan *plan);
};

static int pick(const struct plan *plan, uint64_t what, int limit)
{
    struct random random;
    random_seed(&random, plan->seed, what);
    return (int)random_below(&random, (uint64_t)limit);
}

static void write_calm(struct plan *plan)
{
    static const double latencies[] = {1e-6, 1e-3, 1};
    plan->servers = 1 + pick(plan, 1, 4);
    plan->ranks = 2 * plan->servers + pick(plan, 2, 5);
    plan->latency = latencies[pick(plan, 3, 3)];
    plan->seconds = pick(plan, 4, 2) ? 1e-3 : 3;
    plan->roots = 1 + pick(plan, 5, 3);
    plan->tasks = 20 + pick(plan, 6, TASKS - 20);
    plan->waits = pick(plan, 7, 4) == 0;
}

static void write_forgetful(struct plan *plan)
{
    write_calm(plan);
    plan->forgetful = true;
}

static void write_faulty(struct plan *plan)
{
    write_calm(plan);
    plan->faulty = true;
}

/* Messages take much longer than tasks, so that whatever can be overtaken will be. */
static void write_hasty(struct plan *plan)
{
    plan->servers = 3 + pick(plan, 1, 3);
    plan->ranks = 2 * plan->servers;
    plan->latency = 1;
    plan->roots = 3;
    plan->tasks = 60;
    plan->hasty = true;
    plan->faulty = pick(plan, 2, 3) == 0;
}

/* Workers die: what was theirs is never written, but nothing that is known is wrong. */
static void write_deaths(struct plan *plan)
{
    write_calm(plan);
    plan->ranks = RANKS;
    for (int rank = RANKS - 1; plan->fate_count <= (size_t)pick(plan, 8, MORTALS); rank--) {
        struct balance_rules rules = {.servers = plan->servers};
        double from = 1e-3 * (double)pick(plan, 100 + (uint64_t)rank, 1000) *
                      (plan->latency * 20 + plan->seconds);
        if (!balance_serves(&rules, plan->ranks, rank))
            plan->fates[plan->fate_count++] = (struct comm_fate){rank, from, INFINITY};
    }
}

/* All ends in the middle, and everything is freed. */
static void write_broken(struct plan *plan)
{
    if (pick(plan, 9, 2))
        write_calm(plan);
    else
        write_hasty(plan);
    plan->until = 1e-3 * (1 + pick(plan, 10, 1000)) * (20 * plan->latency + plan->seconds);
}

static const struct kind kinds[] = {
    {"calm", 3000, write_calm},     {"forgetful", 3000, write_forgetful},
    {"faulty", 3000, write_faulty}, {"hasty", 50000, write_hasty},
    {"deaths", 2000, write_deaths}, {"broken", 5000, write_broken},
};

static struct program program;

static bool play_one(const struct kind *kind, uint64_t seed)
{
    struct plan plan = {.seed = seed};
    kind->write(&plan);
    play(&program, &plan);
    if (program.wrong[0])
        printf("# %s %llu: %s\n", kind->name, (unsigned long long)seed, program.wrong);
    return !program.wrong[0];
}

static void play_all(const struct kind *kind)
{
    unsigned failures = 0, seeds = (unsigned)tap_seeds(kind->many);
    size_t tasks = 0, values = 0, rows = 0, absent = 0, stuck = 0, faults = 0;
    for (uint64_t seed = 1; seed <= seeds && failures < 3; seed++) {
        failures += !play_one(kind, seed);
        tasks += (size_t)program.job_count;
        values += program.values_read;
        rows += program.rows_read;
        absent += program.absent;
        stuck += program.stuck;
        for (int i = 0; i < FAULTS; i++)
            faults += program.faults[i];
    }
    ok(failures == 0, "%s: all is as in the model, in each of %u programs", kind->name, seeds);
    printf("# %zu tasks, %zu values, %zu rows, %zu absent members, %zu stuck tasks, %zu faults\n",
           tasks, values, rows, absent, stuck, faults);
    ok(values > seeds && absent > seeds / 4 && rows > seeds / 16, "%s: much has been read",
       kind->name);
}

/* ---- scenes: one server, one worker, and a task that does something ---- */

struct scene {
    void (*act)(struct scene *scene);  /* the first task */
    void (*then)(struct scene *scene); /* all tasks after that, unless it is NULL */
    const struct balance_assignment *task;
    struct comm *comms[2];
    struct balance_client *client;
    struct balance_server *server;
    struct str log; /* faults, tasks that are stuck, and what the scene notes */
    size_t batches; /* messages of the worker with operations on data */
    size_t held, bytes;
    bool withdraws;
};

static void note_keys(struct scene *s, const struct slice *keys, size_t count)
{
    for (size_t i = 0; i < count; i++)
        str_printf(&s->log, " %.*s", (int)keys[i].length, keys[i].text);
}

static void scene_fault(void *self, const struct balance_fault *fault)
{
    static const char *const names[] = {"twice", "closed", "kind", "unknown", "too large"};
    struct scene *s = self;
    str_printf(&s->log, "%s %u", names[fault->reason], fault->label);
    note_keys(s, fault->keys, fault->key_count);
    str_add(&s->log, "; ");
}

static void scene_stuck(void *self, const struct balance_stuck *tasks, size_t count, uint64_t total)
{
    struct scene *s = self;
    str_printf(&s->log, "%zu of %llu: ", count, (unsigned long long)total);
    for (size_t i = 0; i < count && i < 3; i++) {
        str_printf(&s->log, "task %u", tasks[i].label);
        for (size_t k = 0; k < tasks[i].wait_count; k++) {
            const struct balance_stuck_wait *wait = &tasks[i].waits[k];
            str_printf(&s->log, " %s %u", wait->want == BALANCE_WANT_MEMBER ? "member" : "all",
                       wait->label);
            note_keys(s, &wait->key, wait->key.length > 0);
        }
        str_add(&s->log, "; ");
    }
}

static void scene_finished(void *self, size_t left)
{
    struct scene *s = self;
    (void)left;
    comm_stop(s->comms[0]);
}

static void scene_serve(void *self, struct comm *comm)
{
    static const struct balance_rules rules = {.servers = 1};
    struct scene *s = self;
    struct balance_owner owner = {
        .self = s, .data_failed = scene_fault, .stuck = scene_stuck, .finished = scene_finished};
    struct balance_task task = {.id = 0};
    s->comms[0] = comm;
    s->server = balance_create(comm, &rules, &owner);
    balance_put(s->server, &task);
    balance_finish(s->server);
}

static void scene_hear(void *self, const struct comm_message *message)
{
    struct scene *s = self;
    s->batches += message->type == MESSAGE_DATA;
    balance_message(s->server, message);
    size_t bytes, held = balance_data_held(s->server, &bytes);
    if (held > s->held) {
        s->held = held;
        s->bytes = bytes;
    }
    if (s->withdraws && s->batches > 0) {
        s->withdraws = false;
        balance_withdraw(s->server);
    }
}

static void scene_task(void *self, const struct balance_assignment *task)
{
    struct scene *s = self;
    void (*act)(struct scene *) = task->id == 0 ? s->act : s->then;
    s->task = task;
    if (act)
        act(s);
    balance_done(s->client, "", 0);
}

static void scene_home(void *self)
{
    struct scene *s = self;
    balance_leave(s->client);
    comm_stop(s->comms[1]);
}

static void scene_join(void *self, struct comm *comm)
{
    static const struct balance_rules rules = {.servers = 1};
    struct scene *s = self;
    struct balance_worker worker = {
        .self = s, .types = 1, .task = scene_task, .finish = scene_home};
    s->comms[1] = comm;
    s->client = balance_join(comm, &rules, &worker);
}

static void scene_work(void *self, const struct comm_message *message)
{
    struct scene *s = self;
    balance_client_message(s->client, message);
}

/* Plays a scene. Notes if data are left in the end. */
static void scene_play(struct scene *s)
{
    struct comm_actor actors[] = {{s, scene_serve, scene_hear}, {s, scene_join, scene_work}};
    struct comm_world world = {.seed = 1, .latency = 1e-3, .limit = 1e6};
    struct err e = {0};
    double seconds;
    if (comm_simulate(2, actors, &world, &seconds, &e))
        str_add(&s->log, e.message);
    size_t bytes, held = balance_data_held(s->server, &bytes);
    if (held > 0 || bytes > 0)
        str_printf(&s->log, "%zu left", held);
    balance_free(s->server);
    balance_client_free(s->client);
}

/* Plays a scene and compares what is noted. */
static void scene_is(void (*act)(struct scene *), void (*then)(struct scene *),
                     const char *expected, const char *name)
{
    struct scene s = {.act = act, .then = then};
    scene_play(&s);
    is_text(str_text(&s.log), expected, name);
    str_free(&s.log);
}

static const struct balance_value nothing, letter = {.bytes = "x", .length = 1};

static void scene_put(struct scene *s, uint32_t label, const struct balance_wait *waits,
                      size_t count)
{
    struct balance_task task = {.id = label, .bytes = "own", .length = 3, .label = label};
    balance_data_put(s->client, &task, waits, count, NULL, 0);
}

static void scene_drop(struct scene *s, uint64_t id, int writers)
{
    balance_data_count(s->client, id, -1, -writers);
}

/* Notes all answers of a task: members as key=value, rows as key:. */
static void note_answers(struct scene *s)
{
    struct balance_answers answers;
    struct balance_answer answer;
    struct balance_member member;
    balance_data_answers(&answers, s->task->bytes, s->task->length);
    str_printf(&s->log, "%.*s", (int)answers.length, (const char *)answers.bytes);
    while (balance_data_answer(&answers, &answer)) {
        str_printf(&s->log, " %s%zu(", answer.present ? "" : "no ", answer.count);
        while (balance_data_member(&answer, &member)) {
            str_printf(&s->log, "%.*s%s%.*s ", (int)member.key.length, member.key.text,
                       member.row ? ":" : "=", (int)member.value.length,
                       (const char *)member.value.bytes);
            for (size_t i = 0; i < member.value.id_count; i++)
                balance_data_count(s->client, balance_data_id(&member.value, i), -1, 0);
        }
        str_add(&s->log, ")");
    }
    str_add(&s->log, "; ");
}

/* ---- what tasks read ---- */

static struct slice key(const char *text)
{
    return slice_of(text);
}

static void ask_for_everything(struct scene *s)
{
    struct balance_client *c = s->client;
    uint64_t cell = balance_data_new(c, BALANCE_CELL, 1);
    uint64_t array = balance_data_new(c, BALANCE_ARRAY, 2);
    uint64_t bag = balance_data_new(c, BALANCE_BAG, 3);
    struct slice path[] = {key("r"), key("s"), key("t")}, other = key("q");
    struct balance_wait waits[] = {
        {.id = cell, .want = BALANCE_WANT_VALUE},
        {.id = cell, .want = BALANCE_WANT_VALUE, .brief = true},
        {.id = array, .want = BALANCE_WANT_MEMBERS},
        {.id = array, .want = BALANCE_WANT_MEMBERS, .brief = true},
        {.id = array, .want = BALANCE_WANT_MEMBER, .key = other},
        {.id = array, .want = BALANCE_WANT_MEMBER, .key = key("r")},
        {.id = array, .want = BALANCE_WANT_MEMBER, .key = key("never")},
        {.id = array, .want = BALANCE_WANT_EXISTS, .key = other},
        {.id = bag, .want = BALANCE_WANT_MEMBERS},
    };
    balance_data_flush(c);
    scene_put(s, 4, waits, sizeof waits / sizeof *waits);
    balance_data_set(c, cell, &letter);
    balance_data_insert(c, array, &other, 1, &letter);
    balance_data_insert(c, array, path, 3, &letter);
    balance_data_append(c, bag, NULL, 0, &letter);
    balance_data_append(c, bag, NULL, 0, &nothing);
    scene_drop(s, cell, 0);
    scene_drop(s, array, 1);
    scene_drop(s, bag, 1);
}

static void change_a_number(struct scene *s)
{
    struct balance_client *c = s->client;
    uint64_t id = balance_data_new(c, BALANCE_UPDATEABLE, 1);
    struct balance_wait waits[] = {{.id = id, .want = BALANCE_WANT_SNAPSHOT},
                                   {.id = id, .want = BALANCE_WANT_VALUE}};
    balance_data_update(c, id, BALANCE_UPDATE_SET, 10);
    balance_data_update(c, id, BALANCE_UPDATE_ADD, 2);
    scene_put(s, 2, waits, 2);
    balance_data_update(c, id, BALANCE_UPDATE_SCALE, 3);
    balance_data_update(c, id, BALANCE_UPDATE_MIN, 40);
    balance_data_update(c, id, BALANCE_UPDATE_MIN, 35.5);
    scene_drop(s, id, 1);
}

static void note_numbers(struct scene *s)
{
    struct balance_answers answers;
    struct balance_answer answer;
    struct balance_member member;
    balance_data_answers(&answers, s->task->bytes, s->task->length);
    while (balance_data_answer(&answers, &answer)) {
        double number = NAN;
        if (balance_data_member(&answer, &member) && member.value.length == sizeof number)
            memcpy(&number, member.value.bytes, sizeof number);
        str_printf(&s->log, "%g; ", number);
    }
}

static const size_t sizes[] = {0, 1, 15, 16, 17, 100, 3000000};
enum { SIZES = sizeof sizes / sizeof *sizes };

static void send_many_sizes(struct scene *s)
{
    char *bytes = memory_new(sizes[SIZES - 1], 1);
    struct balance_wait waits[SIZES];
    uint64_t target = balance_data_new(s->client, BALANCE_CELL, 1);
    uint64_t ids[] = {target, target};
    for (size_t i = 0; i < sizes[SIZES - 1]; i++)
        bytes[i] = (char)(i * 7);
    for (size_t i = 0; i < SIZES; i++) {
        uint64_t id = balance_data_new(s->client, BALANCE_CELL, 1);
        struct balance_value value = {bytes, sizes[i], ids, i % 3};
        balance_data_count(s->client, target, (int)(i % 3), 0);
        balance_data_set(s->client, id, &value);
        waits[i] = (struct balance_wait){.id = id, .want = BALANCE_WANT_VALUE};
        scene_drop(s, id, 0);
    }
    scene_drop(s, target, 0);
    scene_put(s, 2, waits, SIZES);
    free(bytes);
}

static void check_many_sizes(struct scene *s)
{
    struct balance_answers answers;
    struct balance_answer answer;
    struct balance_member member;
    balance_data_answers(&answers, s->task->bytes, s->task->length);
    for (size_t i = 0; balance_data_answer(&answers, &answer); i++) {
        if (!balance_data_member(&answer, &member) || member.value.length != sizes[i] ||
            member.value.id_count != i % 3)
            str_printf(&s->log, "size %zu; ", sizes[i]);
        for (size_t k = 0; k < member.value.length; k++)
            if (((const char *)member.value.bytes)[k] != (char)(k * 7))
                str_add(&s->log, "!");
        for (size_t k = 0; k < member.value.id_count; k++)
            balance_data_count(s->client, balance_data_id(&member.value, k), -1, 0);
    }
}

static void tasks_read_what_they_asked_for(void)
{
    scene_is(ask_for_everything, note_answers,
             "own 1(=x ) 1() 2(q=x r: ) 2() 1(=x ) 1(: ) no 0() no 0() 2(=x = ); ",
             "a task gets all that it waited for");
    scene_is(change_a_number, note_numbers, "12; 35.5; ",
             "a snapshot shows a number as it is, its value as it is in the end");
    scene_is(send_many_sizes, check_many_sizes, "", "values of all sizes arrive");
}

/* ---- faults ---- */

static void fail_in_arrays(struct scene *s)
{
    struct balance_client *c = s->client;
    uint64_t array = balance_data_new(c, BALANCE_ARRAY, 7);
    struct slice ab[] = {key("a"), key("b"), key("c")}, x[] = {key("x"), key("y")};
    balance_data_insert(c, array, ab, 2, &letter);
    balance_data_insert(c, array, ab, 2, &letter);   /* twice a b */
    balance_data_insert(c, array, ab, 1, &letter);   /* twice a: it is a row */
    balance_data_insert(c, array, ab, 3, &letter);   /* twice a b: it is a value */
    balance_data_append(c, array, ab, 1, &letter);   /* kind a */
    balance_data_append(c, array, NULL, 0, &letter); /* kind */
    balance_data_append(c, array, x, 2, &letter);
    balance_data_insert(c, array, (struct slice[]){x[0], x[1], key("z")}, 3, &letter); /* kind */
    balance_data_count(c, array, 0, -1);
    balance_data_flush(c);
    balance_data_count(c, array, 0, 1);            /* closed; increases come first */
    balance_data_insert(c, array, ab, 2, &letter); /* closed a b */
    scene_drop(s, array, 0);
}

static void fail_with_cells(struct scene *s)
{
    struct balance_client *c = s->client;
    uint64_t cell = balance_data_new(c, BALANCE_CELL, 8);
    uint64_t other = balance_data_new(c, BALANCE_CELL, 9);
    struct balance_value refers = {.ids = &other, .id_count = 1};
    struct slice a = key("a");
    balance_data_set(c, cell, &letter);
    balance_data_set(c, cell, &refers);                  /* twice; what it refers to is let go */
    balance_data_insert(c, cell, &a, 1, &letter);        /* kind */
    balance_data_update(c, cell, BALANCE_UPDATE_ADD, 1); /* kind */
    balance_data_flush(c);
    balance_data_count(c, cell, 0, 1); /* kind */
    balance_data_flush(c);
    scene_drop(s, cell, 0);
    balance_data_flush(c);
    balance_data_set(c, cell, &letter); /* unknown */
    balance_data_count(c, cell, -1, 0); /* unknown */
    balance_data_count(c, other, 0, 0); /* nothing */
}

static void fail_with_waits(struct scene *s)
{
    uint64_t cell = balance_data_new(s->client, BALANCE_CELL, 5);
    struct balance_wait waits[] = {{.id = cell, .want = BALANCE_WANT_MEMBERS},
                                   {.id = 77, .want = BALANCE_WANT_VALUE}};
    scene_put(s, 6, &waits[0], 1);
    scene_put(s, 7, &waits[1], 1);
    scene_drop(s, cell, 0);
}

static void faults_are_reported(void)
{
    scene_is(fail_in_arrays, NULL,
             "twice 7 a b; twice 7 a; twice 7 a b; kind 7 a; kind 7; kind 7 x y; closed 7; "
             "closed 7 a b; ",
             "what is impossible with an array is reported with its label and keys");
    scene_is(fail_with_cells, NULL, "twice 8; kind 8 a; kind 8; kind 8; unknown 0; unknown 0; ",
             "what is impossible with a cell is reported, and lets go what it refers to");
    scene_is(fail_with_waits, NULL, "kind 5; unknown 0; 2 of 2: task 6; task 7; ",
             "a task that waits for what cannot be is stuck");
}

/* ---- tasks that are stuck ---- */

static void get_stuck(struct scene *s)
{
    struct balance_client *c = s->client;
    uint64_t cell = balance_data_new(c, BALANCE_CELL, 1);
    uint64_t set = balance_data_new(c, BALANCE_CELL, 2);
    uint64_t array = balance_data_new(c, BALANCE_ARRAY, 3);
    struct slice keys[] = {key("row"), key("k")};
    struct balance_wait waits[] = {
        {.id = cell, .want = BALANCE_WANT_VALUE},
        {.id = set, .want = BALANCE_WANT_VALUE},
        {.id = array, .want = BALANCE_WANT_MEMBER, .key = key("k")},
        {.id = array, .want = BALANCE_WANT_MEMBER, .key = key("row")},
        {.id = array, .want = BALANCE_WANT_MEMBERS},
    };
    balance_data_set(c, set, &letter);
    balance_data_insert(c, array, keys, 2, &letter);
    scene_put(s, 10, waits, 2);
    scene_put(s, 11, &waits[1], 4);
    scene_put(s, 12, &waits[1], 1);
}

static void get_stuck_often(struct scene *s)
{
    uint64_t cell = balance_data_new(s->client, BALANCE_CELL, 1);
    struct balance_wait wait = {.id = cell, .want = BALANCE_WANT_VALUE};
    for (uint32_t i = 0; i < 3 * BALANCE_STUCK_LIMIT; i++)
        scene_put(s, 5, &wait, 1);
}

static void stuck_tasks_are_reported(void)
{
    scene_is(get_stuck, NULL, "2 of 2: task 10 all 1; task 11 member 3 k all 3; 4 left",
             "tasks that wait in vain are reported, with what they wait for");
    scene_is(get_stuck_often, NULL,
             "1000 of 3000: task 5 all 1; task 5 all 1; task 5 all 1; 1 left",
             "a report has a limit");
    struct scene s = {.act = get_stuck, .withdraws = true};
    scene_play(&s);
    is_text(str_text(&s.log), "4 left", "what is withdrawn is not reported");
    str_free(&s.log);
}

/* ---- what it costs ---- */

static void count_in_vain(struct scene *s)
{
    uint64_t id = balance_data_new(s->client, BALANCE_ARRAY, 1);
    balance_data_flush(s->client); /* one message */
    for (int i = 0; i < 100; i++) {
        balance_data_count(s->client, id, 1, 2);
        balance_data_count(s->client, id, -1, -1);
        balance_data_count(s->client, id, 0, -1);
        balance_data_flush(s->client);
    }
    scene_drop(s, id, 1);
}

enum { CELLS = 100000 };

static void make_cells(struct scene *s)
{
    for (int i = 0; i < CELLS; i++) {
        uint64_t id = balance_data_new(s->client, BALANCE_CELL, 1);
        struct balance_value value = {.bytes = &id, .length = sizeof id};
        balance_data_set(s->client, id, &value);
    }
}

/* A chain of data, each of which keeps the next, goes at once. */
static void make_chain(struct scene *s)
{
    uint64_t last = balance_data_new(s->client, BALANCE_CELL, 1);
    for (int i = 0; i < CELLS; i++) {
        uint64_t id = balance_data_new(s->client, BALANCE_CELL, 1);
        struct balance_value value = {.ids = &last, .id_count = 1};
        balance_data_set(s->client, id, &value);
        last = id;
    }
    balance_data_flush(s->client);
    scene_drop(s, last, 0);
}

static void it_costs_little(void)
{
    struct scene vain = {.act = count_in_vain}, cells = {.act = make_cells};
    scene_play(&vain);
    ok(vain.batches == 2 && vain.log.length == 0, "counts that cancel out are not sent: %zu are",
       vain.batches);
    scene_play(&cells);
    size_t each = cells.bytes / cells.held;
    ok(cells.held == CELLS && each < 150, "a cell takes %zu bytes", each);
    str_free(&vain.log);
    str_free(&cells.log);
    scene_is(make_chain, NULL, "", "a long chain of data is freed");
}

int main(int argc, char **argv)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        if (argc == 3 && strcmp(argv[1], kinds[i].name) == 0)
            return play_one(&kinds[i], strtoull(argv[2], NULL, 10)) ? 0 : 1;
        if (argc == 1 || (argc == 2 && strcmp(argv[1], kinds[i].name) == 0))
            play_all(&kinds[i]);
    }
    if (argc == 1) {
        tasks_read_what_they_asked_for();
        faults_are_reported();
        stuck_tasks_are_reported();
        it_costs_little();
    }
    return tap_end();
}
