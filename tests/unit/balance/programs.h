/*
 * programs.h - plays random dataflow programs on the simulator, and compares what the tasks learn,
 * and what the owner hears, with the model.
 */
#ifndef TESTS_PROGRAMS_H
#define TESTS_PROGRAMS_H

#include "balance/model.h"

/* ---- what a task learns ---- */

static inline void gain(struct actor *a, struct job *job, int variable)
{
    struct right *right = right_to(job, variable);
    if (right)
        right->references++;
    else
        balance_data_count(a->client, id_of(a->program, variable), -1, 0);
}

static inline void learn_row(struct actor *a, struct job *job, const struct content *content,
                             const struct balance_member *member)
{
    struct program *p = a->program;
    uint64_t id = member->value.id_count == 1 ? balance_data_id(&member->value, 0) : 0;
    struct variable *row = &p->variables[content->row];
    if (!member->row || id == 0 || (row->id != 0 && row->id != id)) {
        wrong(p, "not the row %d", content->row);
        return;
    }
    row->id = id;
    p->rows_read++;
    gain(a, job, content->row);
}

/* A value must be what was written. */
static inline void learn_value(struct actor *a, struct job *job, int variable,
                               const struct content *content, const struct balance_member *member)
{
    struct program *p = a->program;
    unsigned char bytes[64];
    p->values_read++;
    if (content->row >= 0) {
        learn_row(a, job, content, member);
        return;
    }
    fill(bytes, variable, content);
    if (member->row || member->value.length != (size_t)content->length ||
        memcmp(member->value.bytes, bytes, member->value.length) != 0 ||
        member->value.id_count != (size_t)content->id_count) {
        wrong(p, "not the value of %d, key %d", variable, content->key);
        return;
    }
    for (int i = 0; i < content->id_count; i++) {
        if (balance_data_id(&member->value, (size_t)i) != id_of(p, content->ids[i]))
            wrong(p, "not what the value of %d refers to", variable);
        gain(a, job, content->ids[i]);
    }
}

static inline void learn_members(struct actor *a, struct job *job, int variable,
                                 struct balance_answer *answer)
{
    struct program *p = a->program;
    struct variable *v = &p->variables[variable];
    struct balance_member member;
    bool seen[256] = {false};
    if (answer->count != (size_t)v->count)
        wrong(p, "%zu members of %d, not %d", answer->count, variable, v->count);
    while (balance_data_member(answer, &member)) {
        int key = key_number(member.key);
        if (v->kind == BALANCE_BAG)
            key = *(const unsigned char *)member.value.bytes;
        const struct content *content = find_key(v, key);
        if (!content || seen[key])
            wrong(p, "key %d of %d comes twice, or never came", key, variable);
        else
            learn_value(a, job, variable, content, &member);
        seen[key] = true;
    }
}

static inline void learn_member(struct actor *a, struct job *job, const struct balance_wait *wait,
                                const struct awaited *awaited, struct balance_answer *answer)
{
    struct program *p = a->program;
    struct variable *v = &p->variables[awaited->variable];
    const struct content *content = find_key(v, awaited->key);
    struct balance_member member;
    if (answer->present && !content)
        wrong(p, "%d has a member that nobody wrote", awaited->variable);
    if (!answer->present && wait->want == BALANCE_WANT_MEMBER && (content || !is_closed(p, v)))
        wrong(p, "key %d of %d is there, or may still come", awaited->key, awaited->variable);
    if (!answer->present && awaited->written)
        wrong(p, "key %d of %d was written before", awaited->key, awaited->variable);
    p->absent += !answer->present;
    if (content && balance_data_member(answer, &member))
        learn_value(a, job, awaited->variable, content, &member);
}

static inline void learn_number(struct actor *a, const struct balance_wait *wait,
                                const struct awaited *awaited, struct balance_answer *answer)
{
    struct program *p = a->program;
    const struct variable *v = &p->variables[awaited->variable];
    struct balance_member member;
    double number;
    if (!balance_data_member(answer, &member))
        return;
    memcpy(&number, member.value.bytes, sizeof number);
    if (number > v->sum || number < awaited->known)
        wrong(p, "%d is %g, not from %g to %g", awaited->variable, number, awaited->known, v->sum);
    if (wait->want == BALANCE_WANT_VALUE && number != v->sum)
        wrong(p, "%d is %g in the end, not %g", awaited->variable, number, v->sum);
}

static inline void learn(struct actor *a, struct job *job, int which, struct balance_answer *answer)
{
    struct program *p = a->program;
    const struct balance_wait *wait = &job->waits[which];
    const struct awaited *awaited = &job->awaited[which];
    const struct variable *v = &p->variables[awaited->variable];
    struct balance_member member;
    if (wait->brief && answer->left > 0)
        wrong(p, "a brief answer has members");
    bool final = wait->want == BALANCE_WANT_VALUE || wait->want == BALANCE_WANT_MEMBERS;
    if (final && (!is_closed(p, v) || !answer->present))
        wrong(p, "%d is not closed", awaited->variable);
    if (wait->want == BALANCE_WANT_MEMBERS)
        learn_members(a, job, awaited->variable, answer);
    else if (v->kind == BALANCE_ARRAY)
        learn_member(a, job, wait, awaited, answer);
    else if (v->kind == BALANCE_UPDATEABLE)
        learn_number(a, wait, awaited, answer);
    else if (balance_data_member(answer, &member))
        learn_value(a, job, awaited->variable, &v->members[0], &member);
    struct right *right = final ? right_to(job, awaited->variable) : NULL;
    if (right)
        right->closed = true;
}

/* Reads the bytes of a task; returns its number. */
static inline int learn_all(struct actor *a, const struct balance_assignment *assignment)
{
    struct program *p = a->program;
    struct balance_answers answers;
    struct balance_answer answer;
    int number = (int)assignment->id;
    struct job *job = &p->jobs[number];
    a->job = number;
    if (job->plain)
        return number;
    balance_data_answers(&answers, assignment->bytes, assignment->length);
    if (answers.length < sizeof number || memcmp(answers.bytes, &number, sizeof number) != 0 ||
        answers.count != (size_t)job->wait_count)
        wrong(p, "task %d has not its own bytes, or not its answers", number);
    for (int i = 0; balance_data_answer(&answers, &answer); i++)
        learn(a, job, i, &answer);
    return number;
}

/* ---- the workers ---- */

static inline void give_up(struct actor *a, struct right *right)
{
    struct program *p = a->program;
    if (p->plan->forgetful && chance(p, 15))
        return;
    p->variables[right->variable].writers -= right->writers;
    if (right->references > 0 || right->writers > 0)
        count(a, right, -right->references, -right->writers);
    *right = (struct right){.variable = right->variable};
}

/* Setting a cell may take references, so these go last. */
static inline void end_job(struct actor *a)
{
    struct program *p = a->program;
    struct job *job = &p->jobs[a->job];
    for (int i = 0; i < job->right_count; i++)
        if (job->rights[i].must_set && !(p->plan->forgetful && chance(p, 15)))
            set_cell(a, job, &job->rights[i]);
    for (int i = 0; i < job->right_count; i++)
        if (!job->rights[i].must_set)
            give_up(a, &job->rights[i]);
    a->job = -1;
    balance_done(a->client, "", 0);
    if (p->plan->waits)
        balance_ready(a->client);
}

static inline void step(void *self)
{
    struct actor *a = self;
    struct program *p = a->program;
    struct job *job = &p->jobs[a->job];
    for (int i = draw(p, 8); i > 0; i--) {
        int dice = draw(p, 10);
        struct right *right = any_right(p, job);
        if (dice < 2)
            make_variable(a, job);
        else if (dice < 5)
            put_child(a, job);
        else if (right && right->references > 0 && dice < 8)
            use(a, job, right);
        else if (right && right->references > 0 && dice == 8 && p->plan->faulty)
            misuse(a, right);
        else if (right && right->references > 0) {
            count(a, right, 1, 0);
            right->references++;
        }
    }
    if (a->steps-- == 0) {
        end_job(a);
        return;
    }
    if (chance(p, 70))
        balance_data_flush(a->client);
    comm_after(a->comm, p->plan->seconds * random_unit(&p->random), step, a);
}

static inline void run_task(void *self, const struct balance_assignment *assignment)
{
    struct actor *a = self;
    struct program *p = a->program;
    if (a->job >= 0)
        wrong(p, "a worker has two tasks");
    if (p->jobs[learn_all(a, assignment)].runs++ > 0)
        wrong(p, "task %d runs twice", a->job);
    a->steps = p->plan->hasty ? 0 : draw(p, 3);
    step(a);
}

static inline void never(void *self)
{
    struct actor *a = self;
    wrong(a->program, "a task is interrupted");
}

static inline void go_home(void *self)
{
    struct actor *a = self;
    balance_leave(a->client);
    comm_stop(a->comm);
}

static inline void worker_start(void *self, struct comm *comm)
{
    struct actor *a = self;
    struct balance_worker worker = {.self = a,
                                    .types = 1,
                                    .waits = a->program->plan->waits,
                                    .task = run_task,
                                    .interrupt = never,
                                    .finish = go_home,
                                    .orphaned = go_home};
    a->comm = comm;
    a->client = balance_join(comm, &a->program->rules, &worker);
    if (a->program->plan->waits)
        balance_ready(a->client);
}

static inline void worker_message(void *self, const struct comm_message *message)
{
    struct actor *a = self;
    balance_client_message(a->client, message);
}

/* ---- the servers ---- */

static inline void hear_fault(void *self, const struct balance_fault *fault)
{
    struct actor *a = self;
    struct program *p = a->program;
    p->faults[fault->reason]++;
    if (p->faults[fault->reason] > p->expected[fault->reason])
        wrong(p, "fault %d of variable %d", fault->reason, (int)fault->label - 1);
    if (fault->reason != BALANCE_FAULT_UNKNOWN && (fault->label == 0 || fault->label > VARIABLES))
        wrong(p, "a fault of no variable");
}

/* True if a task that never ran waits for this. */
static inline bool still_waits(const struct program *p, const struct job *job,
                               const struct balance_stuck_wait *wait)
{
    for (int i = 0; i < job->wait_count; i++) {
        const struct variable *v = &p->variables[job->awaited[i].variable];
        char text[40];
        if (v->id == wait->id && job->waits[i].want == wait->want && !is_closed(p, v) &&
            (wait->want != BALANCE_WANT_MEMBER ||
             slice_equal(wait->key, key_text(job->awaited[i].key, text))))
            return wait->label == (uint32_t)v->root + 1;
    }
    return false;
}

/* How many of a task's waits cannot have been answered. */
static inline size_t open_waits(struct program *p, const struct job *job)
{
    size_t count_open = 0;
    for (int i = 0; i < job->wait_count; i++) {
        struct variable *v = &p->variables[job->awaited[i].variable];
        enum balance_want want = job->waits[i].want;
        if (want == BALANCE_WANT_EXISTS || want == BALANCE_WANT_SNAPSHOT || is_closed(p, v))
            continue;
        count_open += want != BALANCE_WANT_MEMBER || !find_key(v, job->awaited[i].key);
    }
    return count_open;
}

/* What dead workers have written may have been lost: then more waits than in the model. */
static inline void check_stuck(struct program *p, const struct balance_stuck *task)
{
    struct job *job = &p->jobs[task->label - 1];
    if (job->runs > 0 || job->reported)
        wrong(p, "task %u does not wait, or was reported before", task->label - 1);
    job->reported = true;
    if (p->plan->fate_count > 0)
        return;
    if (task->wait_count != open_waits(p, job) || task->wait_count == 0)
        wrong(p, "task %u: %zu waits, not %zu", task->label - 1, task->wait_count,
              open_waits(p, job));
    for (size_t i = 0; i < task->wait_count; i++)
        if (!still_waits(p, job, &task->waits[i]))
            wrong(p, "task %u does not wait for this", task->label - 1);
}

static inline void hear_stuck(void *self, const struct balance_stuck *tasks, size_t task_count,
                              uint64_t total)
{
    struct actor *a = self;
    if (a->program->finished)
        wrong(a->program, "the report comes after the end");
    a->program->stuck = total;
    for (size_t i = 0; i < task_count; i++)
        check_stuck(a->program, &tasks[i]);
}

static inline void all_left(void *self, size_t left)
{
    struct actor *a = self;
    if (left > 0)
        wrong(a->program, "%zu tasks are left", left);
    if (comm_rank(a->comm) == 0)
        a->program->finished = true;
    comm_stop(a->comm);
}

static inline void server_gone(void *self, int rank)
{
    struct actor *a = self;
    (void)rank;
    comm_stop(a->comm);
}

static inline void server_start(void *self, struct comm *comm)
{
    struct actor *a = self;
    struct program *p = a->program;
    struct balance_owner owner = {.self = a,
                                  .data_failed = hear_fault,
                                  .stuck = hear_stuck,
                                  .server_lost = server_gone,
                                  .finished = all_left};
    a->comm = comm;
    a->server = balance_create(comm, &p->rules, &owner);
    if (comm_rank(comm) != 0)
        return;
    for (int i = 0; i < p->plan->roots; i++) {
        struct balance_task task = {.id = (uint64_t)p->job_count};
        p->jobs[p->job_count++].plain = true;
        balance_put(a->server, &task);
    }
    balance_finish(a->server);
}

static inline void server_message(void *self, const struct comm_message *message)
{
    struct actor *a = self;
    balance_message(a->server, message);
}

/* ---- the play ---- */

static inline void judge(struct program *p)
{
    uint64_t never_ran = 0;
    for (int i = 0; i < p->job_count; i++) {
        never_ran += p->jobs[i].runs == 0;
        if (p->jobs[i].runs == 0 && !p->jobs[i].reported)
            wrong(p, "task %d neither ran nor was reported", i);
    }
    if (never_ran != p->stuck)
        wrong(p, "%d tasks are stuck, not %d", (int)p->stuck, (int)never_ran);
    if (p->stuck > 0 && !p->plan->forgetful)
        wrong(p, "%d tasks are stuck, of which no duty was forgotten", (int)p->stuck);
    for (int i = 0; i < FAULTS; i++)
        if (p->faults[i] != p->expected[i])
            wrong(p, "%u faults of type %d, not %u", p->faults[i], i, p->expected[i]);
}

/* Nothing may be left unless something was forgotten. */
static inline void dismiss(struct program *p, struct actor *a)
{
    size_t bytes = 0;
    size_t held = a->server ? balance_data_held(a->server, &bytes) : 0;
    bool all = !p->plan->forgetful && p->plan->fate_count == 0 && p->plan->until == 0;
    if ((held > 0 || bytes > 0) && all)
        wrong(p, "%zu data and %zu bytes are left", held, bytes);
    if (a->server)
        balance_free(a->server);
    if (a->client)
        balance_client_free(a->client);
}

/* Plays it; what went wrong is in p->wrong. The caller frees nothing. */
static inline void play(struct program *p, const struct plan *plan)
{
    struct comm_actor actors[RANKS];
    struct comm_world world = {.seed = plan->seed,
                               .latency = plan->latency,
                               .limit = plan->until > 0 ? plan->until : 1e7,
                               .fates = plan->fates,
                               .fate_count = plan->fate_count};
    struct err e = {0};
    memset(p, 0, sizeof *p);
    p->plan = plan;
    p->rules = (struct balance_rules){
        .servers = plan->servers, .lost_after = plan->fate_count ? 20 * (plan->latency + 0.01) : 0};
    random_seed(&p->random, plan->seed, 5);
    for (int rank = 0; rank < plan->ranks; rank++) {
        bool serves = balance_serves(&p->rules, plan->ranks, rank);
        p->actors[rank] = (struct actor){.program = p, .job = -1};
        actors[rank] = (struct comm_actor){&p->actors[rank], serves ? server_start : worker_start,
                                           serves ? server_message : worker_message};
    }
    bool failed = comm_simulate(plan->ranks, actors, &world, &p->seconds, &e) != 0;
    if (failed && plan->until == 0)
        wrong(p, "%.190s", e.message);
    else if (!failed && plan->fate_count == 0)
        judge(p);
    for (int rank = 0; rank < plan->ranks; rank++)
        dismiss(p, &p->actors[rank]);
}

#endif
