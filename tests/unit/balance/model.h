/*
 * model.h - random dataflow programs, and a model of their data; programs.h plays them.
 *
 * A program is a tree of tasks. A task has rights: references to variables, shares in writing them,
 * and the duty to set cells. It makes variables, puts values into them, and puts other tasks, to
 * which it hands some of its rights. All that it does is entered in the model at once; the servers
 * hear of it later. So whatever a task learns of a variable must be in the model already, and what
 * is closed must be complete.
 *
 * No program deadlocks unless it is to: variables have levels, a value refers to variables of lower
 * levels than its own, and a task waits only for variables of lower levels than those that it will
 * still write. So what has the lowest level of all that is missing will be written.
 */
#ifndef TESTS_MODEL_H
#define TESTS_MODEL_H

#include "balance/balance.h"

#include <math.h>

enum {
    VARIABLES = 600,
    TASKS = 300,
    RIGHTS = 40, /* of a task */
    MEMBERS = 24,
    WAITS = 6,
    RANKS = 12,
    IDS = 3, /* in a value */
    FAULTS = BALANCE_FAULT_TOO_LARGE + 1,
    ROWS = 4, /* keys of rows are below */
    KEYS = 40,
    MORTALS = 3
};

/* What to play. */
struct plan {
    uint64_t seed;
    int ranks, servers;
    double latency, seconds; /* a step of a task takes up to so long; some take no time */
    int roots, tasks;
    bool forgetful;                  /* some duties are never fulfilled */
    bool faulty;                     /* some operations are impossible */
    bool waits;                      /* workers ask for each task */
    bool hasty;                      /* tasks are short, give everything away, and run anywhere */
    struct comm_fate fates[MORTALS]; /* of workers that die */
    size_t fate_count;
    double until; /* all ends at this moment, whatever is under way; 0: it does not */
};

enum shape { FLAT, OF_ARRAYS, OF_BAGS };

/* The value of a cell, or under a key. */
struct content {
    int key, row; /* row: the variable that it is; -1: it is a value */
    int length;
    int ids[IDS], id_count; /* variables */
    int by;                 /* the task that wrote it */
};

struct variable {
    uint64_t id; /* 0: a row whose id nobody has seen */
    enum balance_kind kind;
    enum shape shape;
    int level, root; /* root: the array that it is a row of, or itself */
    int writers;     /* of a root: shares that were not given up */
    int count;       /* a cell that is set has one member */
    struct content members[MEMBERS];
    double sum;
};

/* What a task may do with a variable. */
struct right {
    int variable, references, writers;
    bool must_set;
    bool closed;  /* this task knows that it is */
    double known; /* of an updateable: what this task knows to have been added */
};

/* What a task waits for, and what the one that put it knew of that. */
struct awaited {
    int variable, key;
    bool written;
    double known;
};

struct job {
    struct right rights[RIGHTS];
    int right_count;
    struct balance_wait waits[WAITS];
    struct awaited awaited[WAITS];
    int wait_count;
    bool plain; /* it was put without waits and answers */
    unsigned runs;
    bool reported; /* as one that waits in vain */
};

struct actor {
    struct program *program;
    struct comm *comm;
    struct balance_client *client;
    struct balance_server *server;
    int job, steps;
};

struct program {
    const struct plan *plan;
    struct balance_rules rules;
    struct random random;
    struct variable variables[VARIABLES];
    int variable_count;
    struct job jobs[TASKS];
    int job_count;
    struct actor actors[RANKS];
    unsigned faults[FAULTS], expected[FAULTS];
    uint64_t stuck;
    bool finished;
    double seconds;
    char wrong[200];                       /* "": nothing */
    size_t values_read, rows_read, absent; /* how much was tested */
};

__attribute__((format(printf, 2, 3))) static inline void wrong(struct program *p,
                                                               const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    if (!p->wrong[0])
        vsnprintf(p->wrong, sizeof p->wrong, format, arguments);
    va_end(arguments);
}

static inline int draw(struct program *p, int limit)
{
    return limit > 0 ? (int)random_below(&p->random, (uint64_t)limit) : 0;
}

static inline bool chance(struct program *p, int percent)
{
    return draw(p, 100) < percent;
}

/* ---- the model ---- */

static inline int variable_of(struct program *p, uint64_t id)
{
    for (int i = 0; i < p->variable_count; i++)
        if (p->variables[i].id == id)
            return i;
    wrong(p, "nobody has made datum %llx", (unsigned long long)id);
    return 0;
}

static inline uint64_t id_of(const struct program *p, int variable)
{
    return p->variables[variable].id;
}

static inline bool is_closed(const struct program *p, const struct variable *v)
{
    return v->kind == BALANCE_CELL ? v->count == 1 : p->variables[v->root].writers == 0;
}

static inline struct content *find_key(struct variable *v, int key)
{
    for (int i = 0; i < v->count; i++)
        if (v->members[i].key == key)
            return &v->members[i];
    return NULL;
}

/* Keys of several lengths: some fit into a small place, some do not. */
static inline struct slice key_text(int key, char text[40])
{
    int length = snprintf(text, 40, key % 3 == 0 ? "%d" : "the longer name of key %d", key);
    return (struct slice){text, (size_t)length};
}

static inline int key_number(struct slice key)
{
    int number = 0;
    for (size_t i = 0; i < key.length; i++)
        if (key.text[i] >= '0' && key.text[i] <= '9')
            number = 10 * number + key.text[i] - '0';
    return number;
}

/* The bytes of a value. In a bag they say which it is. */
static inline void fill(unsigned char bytes[64], int variable, const struct content *content)
{
    for (int i = 0; i < content->length; i++)
        bytes[i] = (unsigned char)(variable * 31 + content->key * 7 + i);
    if (content->length > 0)
        bytes[0] = (unsigned char)content->key;
}

static inline struct right *right_to(struct job *job, int variable)
{
    for (int i = 0; i < job->right_count; i++)
        if (job->rights[i].variable == variable)
            return &job->rights[i];
    if (job->right_count == RIGHTS)
        return NULL;
    job->rights[job->right_count] = (struct right){.variable = variable};
    return &job->rights[job->right_count++];
}

static inline struct right *any_right(struct program *p, struct job *job)
{
    return job->right_count ? &job->rights[draw(p, job->right_count)] : NULL;
}

/* ---- what a task does ---- */

static inline void count(struct actor *a, const struct right *right, int references, int writers)
{
    balance_data_count(a->client, id_of(a->program, right->variable), references, writers);
}

static inline void make_variable(struct actor *a, struct job *job)
{
    struct program *p = a->program;
    if (p->variable_count > VARIABLES / 2 || job->right_count == RIGHTS)
        return;
    int index = p->variable_count++;
    struct variable *v = &p->variables[index];
    *v = (struct variable){.kind = (enum balance_kind)draw(p, 4), .level = index, .root = index};
    v->shape = v->kind == BALANCE_ARRAY ? (enum shape)draw(p, 3) : FLAT;
    v->writers = v->kind != BALANCE_CELL;
    v->id = balance_data_new(a->client, v->kind, (uint32_t)index + 1);
    struct right *right = right_to(job, index);
    right->references = 1;
    right->writers = v->writers;
    right->must_set = v->kind == BALANCE_CELL;
}

/* A value for a variable: refers to variables of lower levels, and has a reference to each. */
static inline void compose(struct actor *a, struct job *job, int variable, int key,
                           struct content *content)
{
    struct program *p = a->program;
    const struct variable *v = &p->variables[variable];
    *content = (struct content){.key = key, .row = -1, .by = a->job, .length = draw(p, 20)};
    if (chance(p, 30))
        content->length += 40;
    content->length += v->kind == BALANCE_BAG;
    for (int i = draw(p, IDS + 1); i > 0; i--) {
        struct right *right = any_right(p, job);
        if (!right || p->variables[right->variable].level >= v->level || right->references == 0)
            continue;
        if (right->references > 1)
            right->references--;
        else
            count(a, right, 1, 0);
        content->ids[content->id_count++] = right->variable;
    }
}

/* Writes the content of a variable, by one of these. */
static inline void write_content(struct actor *a, int variable, const struct content *content,
                                 uint64_t id, const struct slice *keys, size_t depth)
{
    struct program *p = a->program;
    unsigned char bytes[64];
    uint64_t ids[IDS];
    fill(bytes, variable, content);
    for (int i = 0; i < content->id_count; i++)
        ids[i] = id_of(p, content->ids[i]);
    struct balance_value value = {bytes, (size_t)content->length, ids, (size_t)content->id_count};
    if (p->variables[variable].kind == BALANCE_CELL)
        balance_data_set(a->client, id, &value);
    else if (p->variables[variable].kind == BALANCE_BAG)
        balance_data_append(a->client, id, keys, depth, &value);
    else
        balance_data_insert(a->client, id, keys, depth, &value);
}

/* A second value is refused, and what it refers to is let go. */
static inline void set_cell(struct actor *a, struct job *job, struct right *right)
{
    struct program *p = a->program;
    struct variable *v = &p->variables[right->variable];
    struct content other;
    compose(a, job, right->variable, 0, &v->members[0]);
    write_content(a, right->variable, &v->members[0], v->id, NULL, 0);
    v->count = 1;
    right->must_set = false;
    if (!p->plan->faulty || chance(p, 80))
        return;
    compose(a, job, right->variable, 0, &other);
    write_content(a, right->variable, &other, v->id, NULL, 0);
    p->expected[BALANCE_FAULT_TWICE]++;
}

/* The row with this key, from now on in the model; -1: there is no room. */
static inline int row_with(struct program *p, int variable, int key)
{
    struct variable *v = &p->variables[variable];
    struct content *member = find_key(v, key);
    if (member)
        return member->row;
    if (p->variable_count == VARIABLES)
        return -1;
    int index = p->variable_count++;
    p->variables[index] =
        (struct variable){.kind = v->shape == OF_BAGS ? BALANCE_BAG : BALANCE_ARRAY,
                          .level = v->level,
                          .root = variable};
    v->members[v->count++] = (struct content){.key = key, .row = index};
    return index;
}

/* Puts a value into an array, a bag or one of its rows; the second one for a key is refused. */
static inline void put_member(struct actor *a, struct job *job, const struct right *right)
{
    struct program *p = a->program;
    struct variable *root = &p->variables[right->variable];
    char texts[2][40];
    struct slice keys[2];
    size_t depth = 0;
    int target = right->variable, row = draw(p, ROWS);
    if (root->shape != FLAT) {
        target = row_with(p, target, row);
        keys[depth++] = key_text(row, texts[0]);
    }
    if (target < 0 || p->variables[target].count == MEMBERS)
        return;
    struct variable *v = &p->variables[target];
    int key = v->kind == BALANCE_BAG ? v->count : draw(p, KEYS);
    const struct content *before = find_key(v, key);
    if (before && (!p->plan->faulty || before->by != a->job))
        return;
    struct content content;
    compose(a, job, target, key, &content);
    if (v->kind == BALANCE_ARRAY)
        keys[depth++] = key_text(key, texts[1]);
    write_content(a, target, &content, root->id, keys, depth);
    if (before)
        p->expected[BALANCE_FAULT_TWICE]++;
    else
        v->members[v->count++] = content;
}

static inline void update(struct actor *a, struct right *right)
{
    double number = draw(a->program, 10);
    balance_data_update(a->client, id_of(a->program, right->variable), BALANCE_UPDATE_ADD, number);
    a->program->variables[right->variable].sum += number;
    right->known += number;
}

static inline void use(struct actor *a, struct job *job, struct right *right)
{
    struct program *p = a->program;
    const struct variable *v = &p->variables[right->variable];
    if (right->must_set)
        set_cell(a, job, right);
    else if (right->writers > 0 && v->kind == BALANCE_UPDATEABLE)
        update(a, right);
    else if (right->writers > 0)
        put_member(a, job, right);
}

/* Does something impossible. */
static inline void misuse(struct actor *a, const struct right *right)
{
    struct program *p = a->program;
    const struct variable *v = &p->variables[right->variable];
    struct balance_value value = {.bytes = "x", .length = 1};
    struct slice key = {"bad", 3};
    uint64_t nobody = (uint64_t)draw(p, p->plan->ranks) << 40 |
                      (0xffffffffff - p->expected[BALANCE_FAULT_UNKNOWN]);
    if (chance(p, 20)) {
        balance_data_count(a->client, nobody, chance(p, 50) ? 1 : -1, 0);
        p->expected[BALANCE_FAULT_UNKNOWN]++;
    } else if (v->kind != BALANCE_UPDATEABLE && chance(p, 50)) {
        balance_data_update(a->client, v->id, BALANCE_UPDATE_MIN, 1);
        p->expected[BALANCE_FAULT_KIND]++;
    } else if (v->kind != BALANCE_ARRAY && chance(p, 50)) {
        balance_data_insert(a->client, v->id, &key, 1, &value);
        p->expected[BALANCE_FAULT_KIND]++;
    } else if (right->closed && v->kind == BALANCE_ARRAY) {
        balance_data_insert(a->client, v->id, &key, 1, &value);
        p->expected[BALANCE_FAULT_CLOSED]++;
    } else if (right->closed && v->kind == BALANCE_BAG) {
        balance_data_append(a->client, v->id, NULL, 0, &value);
        p->expected[BALANCE_FAULT_CLOSED]++;
    } else if (right->closed && v->kind == BALANCE_UPDATEABLE) {
        balance_data_update(a->client, v->id, BALANCE_UPDATE_ADD, 1);
        p->expected[BALANCE_FAULT_CLOSED]++;
    }
}

/* ---- tasks that are put ---- */

/* The lowest level of what a task will write. */
static inline int lowest_duty(const struct program *p, const struct job *job)
{
    int lowest = VARIABLES;
    for (int i = 0; i < job->right_count; i++) {
        const struct right *right = &job->rights[i];
        int level = p->variables[right->variable].level;
        if ((right->writers > 0 || right->must_set) && level < lowest)
            lowest = level;
    }
    return lowest;
}

static inline enum balance_want draw_want(struct program *p, const struct variable *v)
{
    switch (v->kind) {
    case BALANCE_CELL: return BALANCE_WANT_VALUE;
    case BALANCE_BAG: return BALANCE_WANT_MEMBERS;
    case BALANCE_UPDATEABLE: return chance(p, 50) ? BALANCE_WANT_VALUE : BALANCE_WANT_SNAPSHOT;
    default:
        return chance(p, 40)   ? BALANCE_WANT_MEMBER
               : chance(p, 40) ? BALANCE_WANT_EXISTS
                               : BALANCE_WANT_MEMBERS;
    }
}

static inline void add_wait(struct actor *a, struct job *job, const struct right *right, int lowest,
                            char text[40])
{
    struct program *p = a->program;
    struct variable *v = &p->variables[right->variable];
    enum balance_want want = draw_want(p, v);
    bool at_once = want == BALANCE_WANT_EXISTS || want == BALANCE_WANT_SNAPSHOT;
    if (right->references == 0 || (!at_once && v->level >= lowest) || job->wait_count == WAITS)
        return;
    int key = v->shape == FLAT ? draw(p, KEYS) : draw(p, ROWS);
    const struct content *content = find_key(v, key);
    bool written = content && content->row < 0 && content->by == a->job;
    job->awaited[job->wait_count] = (struct awaited){right->variable, key, written, right->known};
    job->waits[job->wait_count++] = (struct balance_wait){
        .id = v->id, .want = want, .brief = chance(p, 20), .key = key_text(key, text)};
}

/* Hands a right over, as a whole or in part. */
static inline void pass_right(struct actor *a, struct right *from, struct job *to)
{
    struct program *p = a->program;
    struct right *right = right_to(to, from->variable);
    *right = *from;
    right->closed = false;
    if (chance(p, p->plan->hasty ? 70 : 30)) {
        from->references = from->writers = 0;
        from->must_set = false;
        return;
    }
    right->references = 1;
    count(a, from, 1, 0);
    right->must_set = from->must_set && chance(p, 50);
    from->must_set = from->must_set && !right->must_set;
    right->writers = from->writers > 0 && chance(p, 60);
    if (right->writers) {
        count(a, from, 0, 1);
        p->variables[from->variable].writers++;
    }
}

static inline void put_task(struct actor *a, const struct job *job, int number)
{
    struct program *p = a->program;
    uint64_t ids[RIGHTS * 2];
    size_t count_ids = 0;
    unsigned char bytes[64];
    size_t length = sizeof number + (size_t)draw(p, 9);
    memset(bytes, 7, sizeof bytes);
    memcpy(bytes, &number, sizeof number);
    for (int i = 0; i < job->right_count; i++)
        for (int k = job->rights[i].references; k > 0 && count_ids < RIGHTS * 2; k--)
            ids[count_ids++] = id_of(p, job->rights[i].variable);
    struct balance_task task = {.id = (uint64_t)number,
                                .bytes = bytes,
                                .length = length,
                                .priority = draw(p, 3),
                                .label = (uint32_t)number + 1};
    if (chance(p, p->plan->hasty ? 90 : 50)) {
        task.where = BALANCE_WORKER;
        task.target = 1 + draw(p, balance_workers(&p->rules, p->plan->ranks));
        task.prefer = !p->plan->hasty && chance(p, 50);
    }
    balance_data_put(a->client, &task, job->waits, (size_t)job->wait_count, ids, count_ids);
}

static inline void put_child(struct actor *a, struct job *job)
{
    struct program *p = a->program;
    char texts[WAITS][40];
    int share = draw(p, 100), number = p->job_count;
    if (number >= p->plan->tasks)
        return;
    struct job *child = &p->jobs[p->job_count++];
    struct right before[RIGHTS];
    int rights = job->right_count;
    memcpy(before, job->rights, sizeof before);
    for (int i = 0; i < rights; i++)
        if (job->rights[i].references > 0 && chance(p, share))
            pass_right(a, &job->rights[i], child);
    int lowest = lowest_duty(p, child);
    for (int i = draw(p, WAITS); i > 0 && rights > 0; i--)
        add_wait(a, child, &before[draw(p, rights)], lowest, texts[child->wait_count]);
    put_task(a, child, number);
}

#endif
