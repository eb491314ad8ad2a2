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
    struct team *t = memory_new(1, sizeof *t);
    t->setup = *setup;
    return t;
}

/* Forgets the trial. */
static void clear(struct team *t)
{
    meeting_close(t->meeting);
    if (t->timer)
        comm_cancel(t->setup.comm, t->timer);
    outcome_free(&t->failure);
    outcome_free(&t->own);
    str_free(&t->hosts);
    free(t->ranks);
    *t = (struct team){.setup = t->setup};
}

void team_free(struct team *t)
{
    t->timer = 0; /* comm may be gone */
    meeting_drop(t->meeting);
    t->meeting = NULL;
    clear(t);
    free(t);
}

bool team_runs(const struct team *t)
{
    return t->state != TEAM_NONE;
}

bool team_speaks(const struct team *t)
{
    return t->state == TEAM_NONE || t->index == 0;
}

static bool by_mpi(const struct team *t)
{
    return t->setup.study->model.launch == LAUNCH_MPI;
}

static int node_of(const struct team *t, unsigned index)
{
    return comm_node(t->setup.comm, t->workers[index]);
}

static void tell(struct team *t, unsigned index, int type, struct team_head head, const void *bytes,
                 size_t length)
{
    struct str message = {0};
    head.id = t->task.id;
    head.try = t->task.try;
    head.index = t->index;
    str_add_bytes(&message, &head, sizeof head);
    str_add_bytes(&message, bytes, length);
    comm_send(t->setup.comm, t->workers[index], type, message.text, message.length);
    str_free(&message);
}

/* ---- where the ranks meet ---- */

static void choose_meeting(struct team *t)
{
    bool with_store = !by_mpi(t) && t->count > 1 && !t->setup.study->model.without_horovod;
    int *nodes = memory_new(t->count, sizeof *nodes);
    for (unsigned i = 0; i < t->count; i++)
        nodes[i] = node_of(t, i);
    t->meeting = meeting_open(t->setup.comm, nodes, t->count, with_store, &t->place);
    free(nodes);
}

/* The nodes of the ranks for mpiexec: n1:2,n2:2. Ranks of a node follow each other. */
static void list_hosts(struct team *t)
{
    for (unsigned i = 0, here; i < t->count; i += here) {
        for (here = 1; i + here < t->count && node_of(t, i + here) == node_of(t, i);)
            here++;
        str_printf(&t->hosts, "%s%s:%u", i ? "," : "", comm_node_name(t->setup.comm, node_of(t, i)),
                   here);
    }
}

/* This rank's place on its node, and among the ranks of other nodes with the same place. */
static void count_ranks(const struct team *t, struct trial_team *place)
{
    unsigned local = 0;
    *place = (struct trial_team){.ranks = t->count, .rank = t->index};
    for (unsigned i = 0; i < t->count; i++) {
        bool here = node_of(t, i) == node_of(t, t->index);
        place->local_rank += here && i < t->index;
        place->local_ranks += here;
    }
    for (unsigned i = 0; i < t->count; i++) {
        local = i > 0 && node_of(t, i) == node_of(t, i - 1) ? local + 1 : 0;
        place->cross_rank += local == place->local_rank && i < t->index;
        place->cross_ranks += local == place->local_rank;
    }
}

/* ---- the end ---- */

static void add_use(struct use *use, const struct outcome *outcome)
{
    use->processor += outcome->processor;
    use->energy += outcome->energy;
    use->read += outcome->read;
    use->written += outcome->written;
    if (outcome->peak_memory > use->peak_memory)
        use->peak_memory = outcome->peak_memory;
}

static void put_use(const struct use *use, struct outcome *outcome)
{
    outcome->processor = use->processor;
    outcome->energy = use->energy;
    outcome->read = use->read;
    outcome->written = use->written;
    outcome->peak_memory = use->peak_memory;
}

/* This worker is free; *t is cleared before it is told, since the next task may start at once. */
static void leave(struct team *t, struct outcome *outcome)
{
    void (*done)(void *, const struct outcome *) = t->setup.done;
    void *self = t->setup.self;
    struct outcome final = {0};
    if (outcome) {
        final = *outcome;
        outcome->log = (struct str){0};
    }
    bool first = t->index == 0;
    clear(t);
    done(self, first ? &final : NULL);
    outcome_free(&final);
}

/* The output of the failed rank comes last: its last line is what a user sees first. */
static void join_logs(struct team *t, struct str *log)
{
    struct str joined = {0};
    if (t->failed_rank > 0 && t->own.log.length > 0) {
        str_add(&joined, "[rank 0]\n");
        str_add_bytes(&joined, t->own.log.text, t->own.log.length);
        str_printf(&joined, "%s[rank %u]\n", joined.text[joined.length - 1] == '\n' ? "" : "\n",
                   t->failed_rank);
    }
    str_add_bytes(&joined, str_text(&t->failure.log), t->failure.log.length);
    str_free(log);
    *log = joined;
}

static void adopt_failure(struct team *t, struct outcome *outcome)
{
    struct outcome *failure = &t->failure;
    if (t->count == 1 || failure->state == OUTCOME_NO_SCORE || failure->state == OUTCOME_NAN)
        return; /* the outcome of rank 0 says it already: only that one gives a score */
    outcome->state = failure->state;
    outcome->score = NAN;
    outcome->exit_code = failure->exit_code;
    outcome->signal = failure->signal;
    outcome->no_room = failure->no_room;
    snprintf(outcome->reason, sizeof outcome->reason, "rank %u on node %s: %.150s", t->failed_rank,
             comm_node_name(t->setup.comm, node_of(t, t->failed_rank)), failure->reason);
    join_logs(t, &outcome->log);
    if (t->failed_rank > 0)
        outcome->log_dropped += failure->log_dropped;
}

static void say_interrupted(struct outcome *outcome)
{
    outcome->state = OUTCOME_INTERRUPTED;
    outcome->no_room = false;
    outcome->score = NAN;
    snprintf(outcome->reason, sizeof outcome->reason, "interrupted");
}

/* On the first: all have ended, or nobody waits for anybody. */
static void conclude(struct team *t)
{
    struct outcome *outcome = &t->own;
    if (t->interrupted || (t->left && !t->stopping))
        say_interrupted(outcome);
    else if (t->stopping && (t->failed || outcome->state != OUTCOME_DONE))
        outcome->state = OUTCOME_STOPPED; /* the driver knows its last value */
    else if (t->failed && !by_mpi(t))     /* mpiexec speaks for all its ranks */
        adopt_failure(t, outcome);
    put_use(&t->use, outcome);
    outcome->ended = comm_now(t->setup.comm);
    leave(t, outcome);
}

/* Ends every rank that still runs; workers that have not started yet are told at their HELLO. */
static void close_ranks(struct team *t, int type)
{
    t->closing = true;
    for (unsigned i = 1; i < t->count; i++)
        if (!t->ranks[i].ended)
            tell(t, i, type, (struct team_head){0}, NULL, 0);
    if (t->state == TEAM_RUNNING && type == TEAM_END)
        trial_interrupt(t->setup.runner);
    else if (t->state == TEAM_RUNNING)
        trial_stop(t->setup.runner);
}

/* Those that ask are told then, and have a time limit of their own. */
static void end_silent(void *argument)
{
    struct team *t = argument;
    t->timer = 0;
    t->closing = true;
    for (unsigned i = 1; i < t->count; i++)
        if (!t->ranks[i].ended && !t->ranks[i].asks)
            tell(t, i, TEAM_END, (struct team_head){0}, NULL, 0);
    if (t->state == TEAM_RUNNING && !t->ranks[0].asks)
        trial_interrupt(t->setup.runner);
}

/*
 * A rank that was told to stop has ended. Ranks that never ask may learn of it from that one, or
 * ask for the first time: they have the grace period for it.
 */
static void await_silent(struct team *t)
{
    if (!t->timer && !t->closing)
        t->timer = comm_after(t->setup.comm, t->setup.study->model.grace, end_silent, t);
}

/* Only rank 0 has to give a score. */
static bool has_failed(unsigned index, const struct outcome *outcome, bool ordered)
{
    if (outcome->state == OUTCOME_INTERRUPTED)
        return !ordered;
    if (index > 0 && outcome->exit_code == 0 &&
        (outcome->state == OUTCOME_NO_SCORE || outcome->state == OUTCOME_NAN))
        return false;
    return outcome_state_failed(outcome->state);
}

/* The first failure counts: those of others are often its consequence. */
static void note_failure(struct team *t, unsigned index, const struct outcome *outcome)
{
    if (t->failed && t->failure.ended <= outcome->ended)
        return;
    struct str log = t->failure.log;
    str_clear(&log);
    str_add_bytes(&log, str_text(&outcome->log), outcome->log.length);
    t->failure = *outcome;
    t->failure.log = log;
    t->failed_rank = index;
    t->failed = true;
}

/* On the first: how a rank ended. */
static void note_end(struct team *t, unsigned index, const struct outcome *outcome, bool ordered)
{
    if (t->ranks[index].ended)
        return;
    t->ranks[index].ended = true;
    t->open--;
    add_use(&t->use, outcome);
    bool failed = has_failed(index, outcome, ordered || t->left);
    if (failed)
        note_failure(t, index, outcome);
    bool over = failed || (index == 0 && by_mpi(t));
    if ((t->stopping || t->left) && t->open > 0)
        await_silent(t);
    else if (t->open > 0 && over && !t->closing)
        close_ranks(t, TEAM_END);
    if (t->state == TEAM_NONE) /* that ended the last rank at once */
        return;
    if (t->open == 0 || (t->interrupted && index == 0))
        conclude(t);
}

/* This worker has no process (any more): it tells the first, and is free. */
static void end_here(struct team *t, const struct outcome *outcome)
{
    struct str packed = {0};
    outcome_pack(outcome, &packed);
    tell(t, 0, TEAM_ENDED, (struct team_head){.ordered = t->ordered || t->interrupted}, packed.text,
         packed.length);
    str_free(&packed);
    leave(t, NULL);
}

void team_rank_ended(struct team *t, const struct outcome *outcome)
{
    if (t->index > 0) {
        end_here(t, outcome);
        return;
    }
    struct str log = {0};
    str_add_bytes(&log, str_text(&outcome->log), outcome->log.length);
    t->state = TEAM_ENDED_HERE;
    t->own = *outcome;
    t->own.log = log;
    note_end(t, 0, outcome, t->closing || t->interrupted);
}

static void end_waiting(struct team *t)
{
    struct outcome nothing = outcome_not_started(comm_now(t->setup.comm));
    end_here(t, &nothing);
}

void team_interrupt(struct team *t)
{
    t->interrupted = true;
    if (t->state == TEAM_RUNNING)
        trial_interrupt(t->setup.runner);
    else if (t->index > 0)
        end_waiting(t);
    else
        conclude(t);
}

/* ---- the start ---- */

static void start_process(struct team *t)
{
    struct trial_team *place = &t->task.team;
    count_ranks(t, place);
    place->place = t->place;
    place->node = comm_node_name(t->setup.comm, node_of(t, t->index));
    place->hosts = t->hosts.text;
    t->state = TEAM_RUNNING;
    trial_run(t->setup.runner, &t->task);
}

static void tell_meeting(struct team *t, unsigned index)
{
    tell(t, index, TEAM_MEET, (struct team_head){0}, &t->place, sizeof t->place);
}

static void begin_first(struct team *t)
{
    t->ranks = memory_new(t->count, sizeof *t->ranks);
    t->open = t->count;
    if (model_kind(&t->setup.study->model)->starts_programs)
        choose_meeting(t);
    if (by_mpi(t))
        list_hosts(t);
    for (unsigned i = 1; i < t->count; i++)
        tell_meeting(t, i);
    start_process(t);
}

bool team_wanted(const struct team *t, const struct balance_assignment *assignment)
{
    return assignment->workers > 1 || t->setup.study->model.ranks_parameter || by_mpi(t);
}

void team_begin(struct team *t, const struct balance_assignment *assignment,
                const struct trial_task *task)
{
    t->task = *task;
    t->count = assignment->workers;
    t->index = assignment->index;
    t->alone = comm_rank(t->setup.comm);
    t->workers = assignment->ranks ? assignment->ranks : &t->alone;
    t->state = TEAM_WAITING;
    if (t->index == 0)
        begin_first(t);
    else
        tell(t, 0, TEAM_HELLO, (struct team_head){0}, NULL, 0);
}

static void meet(struct team *t, const unsigned char *bytes, size_t length)
{
    if (t->state != TEAM_WAITING || by_mpi(t))
        return;
    if (length != sizeof t->place)
        BUG("a meeting of %zu bytes", length);
    memcpy(&t->place, bytes, length);
    start_process(t);
}

/* ---- stopping early ---- */

/*
 * All ranks get the same answer to the same call: yes from the first call that nobody has been
 * answered no. Questions that are not counted (0) get what is known now.
 */
static enum trial_word answer(struct team *t, unsigned index, uint64_t call)
{
    t->ranks[index].asks = true;
    bool ends = (t->stopping || t->leaving) && (call == 0 || call >= t->stop_from);
    if (!ends && call > t->last_no)
        t->last_no = call;
    if (!ends)
        return TRIAL_GO_ON;
    t->left |= !t->stopping;
    return t->stopping ? TRIAL_ENOUGH : TRIAL_LEAVE;
}

void team_asked(struct team *t, uint64_t call)
{
    if (t->index == 0)
        trial_answer(t->setup.runner, call, answer(t, 0, call));
    else
        tell(t, 0, TEAM_ASK, (struct team_head){.call = call}, NULL, 0);
}

/*
 * Where some ranks ask, these end by themselves after a common step, and the others are ended when
 * the first of them has; where none asks, all are ended at once.
 */
void team_stop(struct team *t)
{
    bool any = false;
    if (t->stopping || t->closing)
        return;
    t->stopping = true;
    if (t->stop_from == 0)
        t->stop_from = t->last_no + 1;
    for (unsigned i = 0; i < t->count; i++)
        any = any || (t->ranks[i].asks && !t->ranks[i].ended);
    if (!any) {
        close_ranks(t, TEAM_STOP);
        return;
    }
    for (unsigned i = 1; i < t->count; i++)
        if (t->ranks[i].asks && !t->ranks[i].ended)
            tell(t, i, TEAM_STOP, (struct team_head){0}, NULL, 0);
    if (t->ranks[0].asks && t->state == TEAM_RUNNING)
        trial_stop(t->setup.runner);
}

void team_leave(struct team *t)
{
    if (t->stopping || t->closing || t->leaving || t->index > 0)
        return;
    t->leaving = true;
    t->stop_from = t->last_no + 1;
}

/* ---- messages ---- */

static void on_first(struct team *t, int type, const struct team_head *head,
                     const unsigned char *bytes, size_t length)
{
    struct outcome outcome = {0};
    switch (type) {
    case TEAM_HELLO:
        if (t->closing)
            tell(t, head->index, TEAM_END, (struct team_head){0}, NULL, 0);
        else
            tell_meeting(t, head->index);
        break;
    case TEAM_ASK:
        tell(t, head->index, TEAM_ANSWER,
             (struct team_head){.call = head->call, .word = answer(t, head->index, head->call)},
             NULL, 0);
        break;
    case TEAM_ENDED:
        outcome_unpack(&outcome, bytes, length);
        note_end(t, head->index, &outcome, head->ordered);
        outcome_free(&outcome);
        break;
    default: BUG("the first of a team got a message of type %d", type);
    }
}

static void on_other(struct team *t, int type, const struct team_head *head,
                     const unsigned char *bytes, size_t length)
{
    bool running = t->state == TEAM_RUNNING;
    switch (type) {
    case TEAM_MEET: meet(t, bytes, length); break;
    case TEAM_ANSWER:
        if (running)
            trial_answer(t->setup.runner, head->call, (enum trial_word)head->word);
        break;
    case TEAM_END:
        t->ordered = true;
        if (running)
            trial_interrupt(t->setup.runner);
        else
            end_waiting(t);
        break;
    case TEAM_STOP:
        t->ordered = true;
        if (running)
            trial_stop(t->setup.runner);
        else
            end_waiting(t);
        break;
    default: BUG("a member of a team got a message of type %d", type);
    }
}

bool team_message(struct team *t, const struct comm_message *message)
{
    struct team_head head;
    if (message->type < TEAM_HELLO || message->type > TEAM_ENDED)
        return false;
    if (message->length < sizeof head)
        BUG("a message of a team that is cut off");
    memcpy(&head, message->bytes, sizeof head);
    if (t->state == TEAM_NONE || head.id != t->task.id || head.try != t->task.try)
        return true; /* its task has not arrived yet, or is over */
    const unsigned char *bytes = message->bytes + sizeof head;
    size_t length = message->length - sizeof head;
    if (t->index == 0)
        on_first(t, message->type, &head, bytes, length);
    else
        on_other(t, message->type, &head, bytes, length);
    return true;
}
