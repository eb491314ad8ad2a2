/*
 * deaths.c - ranks are killed or stopped at random moments while the balancer is at work.
 *
 *   mpi-deaths KIND SEED   as a rank: plays it; alone: prints what will happen, and who survives
 *
 * The owner puts tasks until all victims are known to be lost, puts the tasks again that were lost
 * with them, and then has all remaining workers run tasks together. tests/mpi/deaths.sh plays
 * rounds.
 */
#include "balance/balance.h"
#include "tap.h"

#include <math.h>
#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

/* Long, because a worker that is only slow must not be given up, however busy the machine is. */
static const double LOST_AFTER = 6, TASK_SECONDS = 0.02;
enum { RANKS = 8, TASKS = 1 << 17, LAST_TASKS = 20 };

/* ---- which ranks are hit, how and when: the same on every rank ---- */

struct blow {
    bool falls;
    double after, pause; /* seconds; a pause of INFINITY is death */
};

struct plan {
    const char *kind;
    struct balance_rules rules;
    bool ends_job; /* a server dies */
    struct blow blows[RANKS];
    int lost;     /* number of lost workers */
    double until; /* seconds after which the stopped ones will have woken up and ended */
};

static void strike(struct plan *p, int rank, double after, double pause)
{
    p->blows[rank] = (struct blow){true, after, pause};
    p->lost += !balance_serves(&p->rules, RANKS, rank);
    p->until = isinf(pause) ? 0 : after + pause + LOST_AFTER / 2;
}

static int any_worker(const struct plan *p, struct random *random)
{
    uint64_t workers = (uint64_t)balance_workers(&p->rules, RANKS);
    return balance_worker_rank(&p->rules, RANKS, 1 + (int)random_below(random, workers));
}

static struct plan make_plan(const char *kind, uint64_t seed)
{
    struct plan p = {.kind = kind};
    struct random random;
    random_seed(&random, seed, 1);
    p.rules.lost_after = LOST_AFTER;
    p.rules.servers = 1 + (int)random_below(&random, 3);
    double after = 0.6 * random_unit(&random);
    int last = balance_workers(&p.rules, RANKS);
    if (strcmp(kind, "one") == 0) {
        strike(&p, any_worker(&p, &random), after, INFINITY);
    } else if (strcmp(kind, "several") == 0) {
        while (p.lost < 3) {
            int rank = any_worker(&p, &random);
            if (!p.blows[rank].falls)
                strike(&p, rank, 0.6 * random_unit(&random), INFINITY);
        }
    } else if (strcmp(kind, "block") == 0) {
        for (int worker = last; worker > last / 2; worker--)
            strike(&p, balance_worker_rank(&p.rules, RANKS, worker), after, INFINITY);
    } else if (strcmp(kind, "stopped") == 0) {
        strike(&p, any_worker(&p, &random), after, LOST_AFTER * (1.3 + random_unit(&random)));
    } else if (strcmp(kind, "first") == 0) {
        p.ends_job = true;
        strike(&p, 0, after, INFINITY);
    } else if (strcmp(kind, "server") == 0) {
        p.ends_job = true;
        p.rules.servers = 3;
        strike(&p, seed % 2 ? 2 : 5, after, INFINITY);
    } else {
        BUG("there is no kind '%s'", kind);
    }
    return p;
}

static void say_plan(const struct plan *p, const char *seed)
{
    int survivors = 0;
    printf("%s %s: %d servers;", p->kind, seed, balance_servers(&p->rules, RANKS));
    for (int rank = 0; rank < RANKS; rank++) {
        const struct blow *blow = &p->blows[rank];
        survivors += !blow->falls;
        if (blow->falls)
            printf(" rank %d %s after %.3f s,", rank, isinf(blow->pause) ? "killed" : "stopped",
                   blow->after);
    }
    printf(" %d must survive\n", survivors);
}

/* ---- the blow: a separate process, so that it can strike at any moment ---- */

static void pause_for(double seconds)
{
    struct timespec time = {(time_t)seconds, (long)(fmod(seconds, 1) * 1e9)};
    nanosleep(&time, NULL);
}

/* Forks a process that strikes this one once it writes to the descriptor; -1: there is none. */
static int hire(const struct blow *blow)
{
    int line[2];
    pid_t parent = getpid();
    char byte;
    if (!blow->falls || pipe(line) != 0)
        return -1;
    if (fork() > 0) {
        close(line[0]);
        return line[1];
    }
    close(line[1]);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (read(line[0], &byte, 1) == 1 && getppid() == parent) {
        pause_for(blow->after);
        kill(parent, isinf(blow->pause) ? SIGKILL : SIGSTOP);
        pause_for(isinf(blow->pause) ? 0 : blow->pause);
        kill(parent, SIGCONT);
    }
    _exit(0);
}

/* ---- a rank ---- */

struct payload {
    uint64_t id;
    double seconds;
};

/* The result of a task: which rank ran it. */
struct result {
    uint64_t id;
    uint32_t count;
    int32_t ranks[RANKS];
};

enum phase { WORKING, DRAINING, LAST, FINISHING };
enum ending { RUNNING, FINISHED, ORPHANED, SERVER_LOST };

struct player {
    const struct plan *plan;
    struct comm *comm;
    struct balance_server *server;
    struct balance_client *client;
    int blow; /* descriptor by which to ask for it */
    enum ending ending;
    struct result current; /* on a worker; ID 0: none */
    uint64_t timer;
    /* on the owner: */
    enum phase phase;
    double began;
    struct random random;
    uint64_t put;                              /* number of IDs so far */
    size_t open, lost_tasks, refused, strange; /* strange: what must not happen */
    bool done[TASKS], lost[RANKS];             /* by id; by worker */
    int workers_lost, victims_lost;
};

static void end(struct player *p, enum ending ending)
{
    p->ending = ending;
    comm_stop(p->comm);
}

/* ---- the owner ---- */

static void strange(struct player *p, const char *what, uint64_t which)
{
    p->strange++;
    printf("# %s (%llu)\n", what, (unsigned long long)which);
}

static void put(struct player *p, uint64_t id)
{
    uint64_t left = (uint64_t)(balance_workers(&p->plan->rules, RANKS) - p->workers_lost);
    if (left == 0) {
        strange(p, "nobody is left to work", id);
        return;
    }
    struct payload payload = {id, TASK_SECONDS * random_unit(&p->random)};
    struct balance_task task = {.id = id, .bytes = &payload, .length = sizeof payload};
    task.priority = (int)random_below(&p->random, 3);
    if (p->phase >= LAST)
        task.workers = (unsigned)left;
    else if (random_below(&p->random, 3) == 0)
        task.workers = 1 + (unsigned)random_below(&p->random, left);
    p->open++;
    balance_put(p->server, &task);
}

static void wanted(void *self, size_t count)
{
    struct player *p = self;
    for (; p->phase == WORKING && count > 0 && p->put + LAST_TASKS + 1 < TASKS; count--)
        put(p, ++p->put);
}

static void given(void *self, uint64_t id, int worker)
{
    struct player *p = self;
    if (p->done[id])
        strange(p, "given after its end", id);
    if (p->lost[worker])
        strange(p, "given to a lost worker", id);
}

static void took_result(struct player *p, uint64_t id, const unsigned char *bytes, size_t length)
{
    struct result result = {0};
    memcpy(&result, bytes, length < sizeof result ? length : sizeof result);
    if (length != sizeof result || result.id != id)
        strange(p, "not its result", id);
    if (p->done[id])
        strange(p, "done twice", id);
    p->done[id] = true;
    for (uint32_t i = 0; p->phase >= LAST && i < result.count; i++)
        if (p->lost[balance_worker_number(&p->plan->rules, RANKS, result.ranks[i])])
            strange(p, "run by the dead", id);
}

static void ended(void *self, uint64_t id, int worker, enum balance_outcome outcome,
                  const unsigned char *bytes, size_t length)
{
    struct player *p = self;
    (void)worker;
    p->open--;
    if (outcome == BALANCE_DONE)
        took_result(p, id, bytes, length);
    else if (outcome == BALANCE_BACK)
        strange(p, "came back", id);
    else
        put(p, id);
    p->lost_tasks += outcome == BALANCE_LOST;
    p->refused += outcome == BALANCE_REFUSED;
}

static void worker_lost(void *self, int worker)
{
    struct player *p = self;
    if (p->lost[worker])
        strange(p, "a worker was lost twice", (uint64_t)worker);
    p->lost[worker] = true;
    p->workers_lost++;
    if (p->plan->blows[balance_worker_rank(&p->plan->rules, RANKS, worker)].falls)
        p->victims_lost++;
    else
        printf("# worker %d was given up, though it only was slow\n", worker);
}

static void server_lost(void *self, int rank)
{
    (void)rank;
    end(self, SERVER_LOST);
}

static void finished(void *self, size_t left)
{
    if (left > 0)
        strange(self, "tasks were left", left);
    end(self, FINISHED);
}

/* After all blows: running tasks end, the remaining workers work together, and all go home. */
static void advance(struct player *p)
{
    bool over = p->victims_lost == p->plan->lost && comm_now(p->comm) - p->began > p->plan->until;
    if (p->phase == WORKING && over && !p->plan->ends_job)
        p->phase = DRAINING;
    if (p->phase == DRAINING && p->open == 0) {
        p->phase = LAST;
        for (int i = 0; i < LAST_TASKS; i++)
            put(p, ++p->put);
    }
    if (p->phase == LAST && p->open == 0) {
        p->phase = FINISHING;
        balance_finish(p->server);
    }
}

static void serve(void *self, struct comm *comm)
{
    struct player *p = self;
    bool first = comm_rank(comm) == 0;
    struct balance_owner owner = {.self = p,
                                  .wanted = wanted,
                                  .given = given,
                                  .ended = ended,
                                  .worker_lost = worker_lost,
                                  .server_lost = server_lost,
                                  .finished = finished};
    struct balance_owner other = {.self = p, .server_lost = server_lost, .finished = finished};
    p->comm = comm;
    p->began = comm_now(comm);
    p->server = balance_create(comm, &p->plan->rules, first ? &owner : &other);
    (void)!write(p->blow, "", p->blow >= 0);
}

static void serve_message(void *self, const struct comm_message *m)
{
    struct player *p = self;
    balance_message(p->server, m);
    if (comm_rank(p->comm) == 0)
        advance(p);
}

/* ---- the workers ---- */

static void hand_in(void *self)
{
    struct player *p = self;
    struct result result = p->current;
    p->current.id = p->timer = 0;
    balance_done(p->client, &result, sizeof result);
}

static void task(void *self, const struct balance_assignment *a)
{
    struct player *p = self;
    struct payload payload;
    memcpy(&payload, a->bytes, sizeof payload);
    if (p->current.id || payload.id != a->id)
        strange(p, "two tasks at once, or another's", a->id);
    p->current = (struct result){.id = a->id, .count = a->workers};
    p->current.ranks[0] = comm_rank(p->comm);
    if (a->workers > 1)
        memcpy(p->current.ranks, a->ranks, a->workers * sizeof *a->ranks);
    p->timer = comm_after(p->comm, payload.seconds, hand_in, p);
}

static void interrupt(void *self)
{
    struct player *p = self;
    comm_cancel(p->comm, p->timer);
    p->current.id = 0; /* such a result must never reach the owner */
    hand_in(p);
}

static void dropped(void *self, uint64_t id, struct str *result)
{
    (void)result;
    strange(self, "a task was dropped", id);
}

static void go_home(void *self)
{
    struct player *p = self;
    balance_leave(p->client);
    end(p, FINISHED);
}

static void orphaned(void *self)
{
    struct player *p = self;
    comm_cancel(p->comm, p->timer);
    balance_leave(p->client);
    end(p, ORPHANED);
}

static void work(void *self, struct comm *comm)
{
    struct player *p = self;
    struct balance_worker worker = {.self = p,
                                    .types = 1,
                                    .task = task,
                                    .interrupt = interrupt,
                                    .dropped = dropped,
                                    .finish = go_home,
                                    .orphaned = orphaned};
    p->comm = comm;
    p->client = balance_join(comm, &p->plan->rules, &worker);
    (void)!write(p->blow, "", p->blow >= 0);
}

static void work_message(void *self, const struct comm_message *m)
{
    struct player *p = self;
    balance_client_message(p->client, m);
}

/* ---- the round ---- */

/* A slow worker may be mistaken for dead, and must then end as a stopped one does. */
static void judge(const struct player *p, int rank)
{
    static const char *const endings[] = {"running", "finished", "orphaned", "without a server"};
    bool serves = balance_serves(&p->plan->rules, RANKS, rank);
    bool must_be_orphan = p->plan->ends_job || p->plan->blows[rank].falls;
    bool as_it_must = serves && p->plan->ends_job ? p->ending == SERVER_LOST
                      : serves                    ? p->ending == FINISHED
                      : must_be_orphan            ? p->ending == ORPHANED
                                                  : p->ending != RUNNING;
    ok(as_it_must && p->strange == 0, "rank %d has ended, %s", rank, endings[p->ending]);
    if (rank != 0 || p->plan->ends_job)
        return;
    size_t done = 0;
    for (size_t id = 1; id <= p->put; id++)
        done += p->done[id];
    ok(done == p->put && p->victims_lost == p->plan->lost,
       "%zu tasks are done; %d workers, %zu tasks were lost, %zu refused", done, p->workers_lost,
       p->lost_tasks, p->refused);
}

int main(int argc, char **argv)
{
    static struct player p;
    struct comm *comm;
    struct err e = {0};
    if (argc != 3)
        BUG("mpi-deaths KIND SEED");
    struct plan plan = make_plan(argv[1], strtoull(argv[2], NULL, 10));
    struct comm_launch launch = comm_launched();
    if (launch.start == COMM_ALONE) {
        say_plan(&plan, argv[2]);
        return 0;
    }
    p.plan = &plan;
    p.blow = hire(&plan.blows[launch.rank]);
    random_seed(&p.random, strtoull(argv[2], NULL, 10), 2);
    if (launch.size != RANKS || comm_mpi_open(&comm, &e) != 0)
        BUG("%d ranks are needed, and MPI: %s", RANKS, e.message);
    bool serves = balance_serves(&plan.rules, RANKS, launch.rank);
    comm_mpi_run(comm, serves ? &(struct comm_actor){&p, serve, serve_message}
                              : &(struct comm_actor){&p, work, work_message});
    if (serves)
        balance_free(p.server);
    else
        balance_client_free(p.client);
    comm_mpi_close(comm);
    judge(&p, launch.rank);
    return tap_end();
}
