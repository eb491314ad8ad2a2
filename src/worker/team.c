/*
 * team.c - one worker's part in a trial of several ranks; see team.h.
 *
 *   TEAM_NONE ── team_begin() ──▶ TEAM_WAITING ── MEET ──▶ TEAM_RUNNING
 *                                        │                        │
 *                            END, or interrupted          its process has ended
 *                                        │                        │
 *                                        ▼                        ▼
 *                                     done()            the first: TEAM_ENDED_HERE until
 *                                                       all have, then done();
 *                                                       others: ENDED to it, and done()
 *
 * With `launch: mpi` the first starts mpiexec, and the others stay in TEAM_WAITING until the end.
 */
#include "worker/team.h"

#include "model/model.h"

#include <math.h>

enum team_state { TEAM_NONE, TEAM_WAITING, TEAM_RUNNING, TEAM_ENDED_HERE };

/* The head of each message; `call` and `word` are for questions and answers. */
struct team_head {
    uint64_t id;
    uint32_t try, index;
    uint64_t call;
    uint32_t word;    /* enum trial_word, of TEAM_ANSWER */
    uint32_t ordered; /* of TEAM_ENDED: the rank was told to end */
};

/* What the first knows about a rank. */
struct rank {
    bool ended;
    bool asks; /* its process asked whether to stop */
};

/* What the ranks used together; peak memory is that of the largest. */
struct use {
    double processor, energy;
    uint64_t read, written, peak_memory;
};

struct team {
    struct team_setup setup;
    enum team_state state;
    struct trial_task task;
    unsigned count, index;
    const int32_t *workers; /* ranks of comm, by index */
    int32_t alone;          /* the same, of a trial of one rank */
    struct str hosts;
    struct meeting_place place; /* where the ranks meet; it follows the head of TEAM_MEET */
    bool ordered;               /* to end, by the first */
    bool interrupted;           /* by balance */

    /* of the first */
    struct rank *ranks;
    unsigned open;           /* that have not ended */
    struct meeting *meeting; /* NULL: none */
    bool closing;            /* all are to end */
    bool stopping;           /* an early stopper said so */
    bool leaving, left;      /* the machine is taken away; a rank was told so */
    uint64_t last_no,
        stop_from; /* the last call answered with no; the first answered with yes, 0: none */
    bool failed;
    unsigned failed_rank;
    struct outcome failure, own;
    struct use use;
    uint64_t timer; /* 0: none */
};

struct team *team_create(const struct team_setup *setup)
{
    struct team *g = memory_new(1, sizeof *g);
    g->setup = *setup;
    return g;
}

/* Forgets the trial. */
static void clear(struct team *g)
{
    meeting_close(g->meeting);
    if (g->timer)
        comm_cancel(g->setup.comm, g->timer);
    outcome_free(&g->failure);
    outcome_free(&g->own);
    str_free(&g->hosts);
    free(g->ranks);
    *g = (struct team){.setup = g->setup};
}

void team_free(struct team *g)
{
    g->timer = 0; /* comm may be gone */
    meeting_drop(g->meeting);
    g->meeting = NULL;
    clear(g);
    free(g);
}

bool team_runs(const struct team *g)
{
    return g->state != TEAM_NONE;
}

bool team_speaks(const struct team *g)
{
    return g->state == TEAM_NONE || g->index == 0;
}

static bool by_mpi(const struct team *g)
{
    return g->setup.study->model.launch == LAUNCH_MPI;
}

static int node_of(const struct team *g, unsigned index)
{
    return comm_node(g->setup.comm, g->workers[index]);
}

static void tell(struct team *g, unsigned index, int type, struct team_head head, const void *bytes,
                 size_t length)
{
    struct str message = {0};
    head.id = g->task.id;
    head.try = g->task.try;
    head.index = g->index;
    str_add_bytes(&message, &head, sizeof head);
    str_add_bytes(&message, bytes, length);
    comm_send(g->setup.comm, g->workers[index], type, message.text, message.length);
    str_free(&message);
}

/* ---- where the ranks meet ---- */

static void choose_meeting(struct team *g)
{
    bool is_one_node = true;
    for (unsigned i = 1; i < g->count; i++)
        is_one_node = is_one_node && node_of(g, i) == node_of(g, 0);
    g->meeting = meeting_open(g->setup.comm, comm_node_name(g->setup.comm, node_of(g, 0)),
                              is_one_node, !by_mpi(g) && g->count > 1, &g->place);
}

/* The nodes of the ranks for mpiexec: n1:2,n2:2. Ranks of a node follow each other. */
static void list_hosts(struct team *g)
{
    for (unsigned i = 0, here; i < g->count; i += here) {
        for (here = 1; i + here < g->count && node_of(g, i + here) == node_of(g, i);)
            here++;
        str_printf(&g->hosts, "%s%s:%u", i ? "," : "", comm_node_name(g->setup.comm, node_of(g, i)),
                   here);
    }
}

/* This rank's place on its node, and among the ranks of other nodes with the same place. */
static void count_ranks(const struct team *g, struct trial_team *place)
{
    unsigned local = 0;
    *place = (struct trial_team){.ranks = g->count, .rank = g->index};
    for (unsigned i = 0; i < g->count; i++) {
        bool here = node_of(g, i) == node_of(g, g->index);
        place->local_rank += here && i < g->index;
        place->local_ranks += here;
    }
    for (unsigned i = 0; i < g->count; i++) {
        local = i > 0 && node_of(g, i) == node_of(g, i - 1) ? local + 1 : 0;
        place->cross_rank += local == place->local_rank && i < g->index;
        place->cross_ranks += local == place->local_rank;
    }
}

/* ---- the end ---- */

static void add_use(struct use *use, const struct outcome *result)
{
    use->processor += result->processor;
    use->energy += result->energy;
    use->read += result->read;
    use->written += result->written;
    if (result->peak_memory > use->peak_memory)
        use->peak_memory = result->peak_memory;
}

static void put_use(const struct use *use, struct outcome *result)
{
    result->processor = use->processor;
    result->energy = use->energy;
    result->read = use->read;
    result->written = use->written;
    result->peak_memory = use->peak_memory;
}

/* This worker is free; *g is cleared before it is told, since the next task may start at once. */
static void leave(struct team *g, struct outcome *result)
{
    void (*done)(void *, const struct outcome *) = g->setup.done;
    void *self = g->setup.self;
    struct outcome told = {0};
    if (result) {
        told = *result;
        result->log = (struct str){0};
    }
    bool first = g->index == 0;
    clear(g);
    done(self, first ? &told : NULL);
    outcome_free(&told);
}

/* The output of the failed rank comes last: its last line is what a user sees first. */
static void join_logs(struct team *g, struct str *log)
{
    struct str joined = {0};
    if (g->failed_rank > 0 && g->own.log.length > 0) {
        str_add(&joined, "[rank 0]\n");
        str_add_bytes(&joined, g->own.log.text, g->own.log.length);
        str_printf(&joined, "%s[rank %u]\n", joined.text[joined.length - 1] == '\n' ? "" : "\n",
                   g->failed_rank);
    }
    str_add_bytes(&joined, str_text(&g->failure.log), g->failure.log.length);
    str_free(log);
    *log = joined;
}

static void take_failure(struct team *g, struct outcome *result)
{
    struct outcome *failure = &g->failure;
    if (g->count == 1 || failure->state == OUTCOME_NO_SCORE || failure->state == OUTCOME_NAN)
        return; /* it is rank 0's own; and only that one gives a score */
    result->state = failure->state;
    result->score = NAN;
    result->exit_code = failure->exit_code;
    result->signal = failure->signal;
    snprintf(result->reason, sizeof result->reason, "rank %u on node %s: %.150s", g->failed_rank,
             comm_node_name(g->setup.comm, node_of(g, g->failed_rank)), failure->reason);
    join_logs(g, &result->log);
    if (g->failed_rank > 0)
        result->log_dropped += failure->log_dropped;
}

static void say_interrupted(struct outcome *result)
{
    result->state = OUTCOME_INTERRUPTED;
    result->score = NAN;
    snprintf(result->reason, sizeof result->reason, "interrupted");
}

/* On the first: all have ended, or nobody waits for anybody. */
static void conclude(struct team *g)
{
    struct outcome *result = &g->own;
    if (g->interrupted || (g->left && !g->stopping))
        say_interrupted(result);
    else if (g->stopping && (g->failed || result->state != OUTCOME_DONE))
        result->state = OUTCOME_STOPPED; /* the driver knows its last value */
    else if (g->failed && !by_mpi(g))    /* mpiexec speaks for all its ranks */
        take_failure(g, result);
    put_use(&g->use, result);
    result->ended = comm_now(g->setup.comm);
    leave(g, result);
}

/* Ends every rank that still runs; workers that have not started yet are told at their HELLO. */
static void close_ranks(struct team *g, int type)
{
    g->closing = true;
    for (unsigned i = 1; i < g->count; i++)
        if (!g->ranks[i].ended)
            tell(g, i, type, (struct team_head){0}, NULL, 0);
    if (g->state == TEAM_RUNNING && type == TEAM_END)
        trial_interrupt(g->setup.runner);
    else if (g->state == TEAM_RUNNING)
        trial_stop(g->setup.runner);
}

/* Those that ask are told then, and have a time limit of their own. */
static void end_silent(void *argument)
{
    struct team *g = argument;
    g->timer = 0;
    g->closing = true;
    for (unsigned i = 1; i < g->count; i++)
        if (!g->ranks[i].ended && !g->ranks[i].asks)
            tell(g, i, TEAM_END, (struct team_head){0}, NULL, 0);
    if (g->state == TEAM_RUNNING && !g->ranks[0].asks)
        trial_interrupt(g->setup.runner);
}

/*
 * A rank that was told to stop has ended. Ranks that never ask may learn of it from that one, or
 * ask for the first time: they have the grace period for it.
 */
static void await_silent(struct team *g)
{
    if (!g->timer && !g->closing)
        g->timer = comm_after(g->setup.comm, g->setup.study->model.grace, end_silent, g);
}

/* Only rank 0 has to give a score. */
static bool has_failed(unsigned index, const struct outcome *result, bool ordered)
{
    if (result->state == OUTCOME_INTERRUPTED)
        return !ordered;
    if (index > 0 && result->exit_code == 0 &&
        (result->state == OUTCOME_NO_SCORE || result->state == OUTCOME_NAN))
        return false;
    return outcome_state_failed(result->state);
}

/* The first failure counts: those of others are often its consequence. */
static void note_failure(struct team *g, unsigned index, const struct outcome *result)
{
    if (g->failed && g->failure.ended <= result->ended)
        return;
    struct str log = g->failure.log;
    str_clear(&log);
    str_add_bytes(&log, str_text(&result->log), result->log.length);
    g->failure = *result;
    g->failure.log = log;
    g->failed_rank = index;
    g->failed = true;
}

/* On the first: how a rank ended. */
static void note_end(struct team *g, unsigned index, const struct outcome *result, bool ordered)
{
    if (g->ranks[index].ended)
        return;
    g->ranks[index].ended = true;
    g->open--;
    add_use(&g->use, result);
    bool failed = has_failed(index, result, ordered || g->left);
    if (failed)
        note_failure(g, index, result);
    bool over = failed || (index == 0 && by_mpi(g));
    if ((g->stopping || g->left) && g->open > 0)
        await_silent(g);
    else if (g->open > 0 && over && !g->closing)
        close_ranks(g, TEAM_END);
    if (g->state == TEAM_NONE) /* that ended the last rank at once */
        return;
    if (g->open == 0 || (g->interrupted && index == 0))
        conclude(g);
}

/* This worker has no process (any more): it tells the first, and is free. */
static void end_here(struct team *g, const struct outcome *result)
{
    struct str packed = {0};
    outcome_pack(result, &packed);
    tell(g, 0, TEAM_ENDED, (struct team_head){.ordered = g->ordered || g->interrupted}, packed.text,
         packed.length);
    str_free(&packed);
    leave(g, NULL);
}

void team_rank_ended(struct team *g, const struct outcome *result)
{
    if (g->index > 0) {
        end_here(g, result);
        return;
    }
    struct str log = {0};
    str_add_bytes(&log, str_text(&result->log), result->log.length);
    g->state = TEAM_ENDED_HERE;
    g->own = *result;
    g->own.log = log;
    note_end(g, 0, result, g->closing || g->interrupted);
}

static void end_waiting(struct team *g)
{
    struct outcome nothing = outcome_not_started(comm_now(g->setup.comm));
    end_here(g, &nothing);
}

void team_interrupt(struct team *g)
{
    g->interrupted = true;
    if (g->state == TEAM_RUNNING)
        trial_interrupt(g->setup.runner);
    else if (g->index > 0)
        end_waiting(g);
    else
        conclude(g);
}

/* ---- the start ---- */

static void start_process(struct team *g)
{
    struct trial_team *place = &g->task.team;
    count_ranks(g, place);
    place->place = g->place;
    place->node = comm_node_name(g->setup.comm, node_of(g, g->index));
    place->hosts = g->hosts.text;
    g->state = TEAM_RUNNING;
    trial_run(g->setup.runner, &g->task);
}

static void tell_meeting(struct team *g, unsigned index)
{
    tell(g, index, TEAM_MEET, (struct team_head){0}, &g->place, sizeof g->place);
}

static void begin_first(struct team *g)
{
    g->ranks = memory_new(g->count, sizeof *g->ranks);
    g->open = g->count;
    if (model_kind(&g->setup.study->model)->starts_programs)
        choose_meeting(g);
    if (by_mpi(g))
        list_hosts(g);
    for (unsigned i = 1; i < g->count; i++)
        tell_meeting(g, i);
    start_process(g);
}

bool team_wanted(const struct team *g, const struct balance_assignment *assignment)
{
    return assignment->workers > 1 || g->setup.study->model.ranks_parameter || by_mpi(g);
}

void team_begin(struct team *g, const struct balance_assignment *assignment,
                const struct trial_task *task)
{
    g->task = *task;
    g->count = assignment->workers;
    g->index = assignment->index;
    g->alone = comm_rank(g->setup.comm);
    g->workers = assignment->ranks ? assignment->ranks : &g->alone;
    g->state = TEAM_WAITING;
    if (g->index == 0)
        begin_first(g);
    else
        tell(g, 0, TEAM_HELLO, (struct team_head){0}, NULL, 0);
}

static void meet(struct team *g, const unsigned char *bytes, size_t length)
{
    if (g->state != TEAM_WAITING || by_mpi(g))
        return;
    if (length != sizeof g->place)
        BUG("a meeting of %zu bytes", length);
    memcpy(&g->place, bytes, length);
    start_process(g);
}

/* ---- stopping early ---- */

/*
 * All ranks get the same answer to the same call: yes from the first call that nobody has been
 * answered no. Questions that are not counted (0) get what is known now.
 */
static enum trial_word answer(struct team *g, unsigned index, uint64_t call)
{
    g->ranks[index].asks = true;
    bool ends = (g->stopping || g->leaving) && (call == 0 || call >= g->stop_from);
    if (!ends && call > g->last_no)
        g->last_no = call;
    if (!ends)
        return TRIAL_GO_ON;
    g->left |= !g->stopping;
    return g->stopping ? TRIAL_ENOUGH : TRIAL_LEAVE;
}

void team_asked(struct team *g, uint64_t call)
{
    if (g->index == 0)
        trial_answer(g->setup.runner, call, answer(g, 0, call));
    else
        tell(g, 0, TEAM_ASK, (struct team_head){.call = call}, NULL, 0);
}

/*
 * Where some ranks ask, these end by themselves after a common step, and the others are ended when
 * the first of them has; where none asks, all are ended at once.
 */
void team_stop(struct team *g)
{
    bool any = false;
    if (g->stopping || g->closing)
        return;
    g->stopping = true;
    if (g->stop_from == 0)
        g->stop_from = g->last_no + 1;
    for (unsigned i = 0; i < g->count; i++)
        any = any || (g->ranks[i].asks && !g->ranks[i].ended);
    if (!any) {
        close_ranks(g, TEAM_STOP);
        return;
    }
    for (unsigned i = 1; i < g->count; i++)
        if (g->ranks[i].asks && !g->ranks[i].ended)
            tell(g, i, TEAM_STOP, (struct team_head){0}, NULL, 0);
    if (g->ranks[0].asks && g->state == TEAM_RUNNING)
        trial_stop(g->setup.runner);
}

void team_leave(struct team *g)
{
    if (g->stopping || g->closing || g->leaving || g->index > 0)
        return;
    g->leaving = true;
    g->stop_from = g->last_no + 1;
}

/* ---- messages ---- */

static void on_first(struct team *g, int type, const struct team_head *head,
                     const unsigned char *bytes, size_t length)
{
    struct outcome result = {0};
    switch (type) {
    case TEAM_HELLO:
        if (g->closing)
            tell(g, head->index, TEAM_END, (struct team_head){0}, NULL, 0);
        else
            tell_meeting(g, head->index);
        break;
    case TEAM_ASK:
        tell(g, head->index, TEAM_ANSWER,
             (struct team_head){.call = head->call, .word = answer(g, head->index, head->call)},
             NULL, 0);
        break;
    case TEAM_ENDED:
        outcome_unpack(&result, bytes, length);
        note_end(g, head->index, &result, head->ordered);
        outcome_free(&result);
        break;
    default: BUG("the first of a team got a message of type %d", type);
    }
}

static void on_other(struct team *g, int type, const struct team_head *head,
                     const unsigned char *bytes, size_t length)
{
    bool running = g->state == TEAM_RUNNING;
    switch (type) {
    case TEAM_MEET: meet(g, bytes, length); break;
    case TEAM_ANSWER:
        if (running)
            trial_answer(g->setup.runner, head->call, (enum trial_word)head->word);
        break;
    case TEAM_END:
        g->ordered = true;
        if (running)
            trial_interrupt(g->setup.runner);
        else
            end_waiting(g);
        break;
    case TEAM_STOP:
        g->ordered = true;
        if (running)
            trial_stop(g->setup.runner);
        else
            end_waiting(g);
        break;
    default: BUG("a member of a team got a message of type %d", type);
    }
}

bool team_message(struct team *g, const struct comm_message *message)
{
    struct team_head head;
    if (message->type < TEAM_HELLO || message->type > TEAM_ENDED)
        return false;
    if (message->length < sizeof head)
        BUG("a message of a team that is cut off");
    memcpy(&head, message->bytes, sizeof head);
    if (g->state == TEAM_NONE || head.id != g->task.id || head.try != g->task.try)
        return true; /* its task has not arrived yet, or is over */
    const unsigned char *bytes = message->bytes + sizeof head;
    size_t length = message->length - sizeof head;
    if (g->index == 0)
        on_first(g, message->type, &head, bytes, length);
    else
        on_other(g, message->type, &head, bytes, length);
    return true;
}
