/*
 * steer.c - nothing that a steering program says can make Wick crash.
 *
 * Functions of this file replace the driver, the program and comm: a trial ends when the next piece
 * of the input comes. So the steering runs alone, and the same bytes always do the same.
 */
#include "steer/protocol.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static const char definition[] = "model: {function: noop}\n"
                                 "space:\n"
                                 "  x: {float: [0, 1]}\n"
                                 "  n: {int: [1, 9]}\n"
                                 "  c: {choice: [a, 'b;c', '[1, 2]']}\n"
                                 "  d: {float: [0, 2], when: {c: a}}\n"
                                 "  k: 7\n"
                                 "forbid:\n"
                                 "- {n: 9, c: a}\n";
enum { WIDTH = 5 };

/* ---- in place of the driver ---- */

enum { MOST_RUNNING = 64 };

static struct driver {
    struct search *search;
    const struct space *space;
    struct steer *steer;
    struct steer_trial trials[MOST_RUNNING]; /* id 0: free */
    double points[MOST_RUNNING][WIDTH];
    size_t running;
    bool failed;
} driver;

static struct steer_state state(void *self)
{
    (void)self;
    uint64_t left = driver.failed ? 0 : UINT64_MAX;
    return (struct steer_state){!driver.failed, driver.failed, driver.running > 0, left, "done"};
}

static unsigned put(void *self)
{
    (void)self;
    size_t slot = 0;
    while (slot < MOST_RUNNING && driver.trials[slot].id)
        slot++;
    if (driver.failed || slot == MOST_RUNNING ||
        search_ask(driver.search, driver.points[slot]) != SEARCH_POINT)
        return 0;
    if (!space_allowed(driver.space, driver.points[slot]))
        abort();
    driver.trials[slot] = (struct steer_trial){search_asked(driver.search),
                                               steer_assigned(driver.steer), driver.points[slot]};
    driver.running++;
    return 1;
}

static void changed(void *self)
{
    (void)self;
    if (driver.running == 0 && search_offered(driver.search) == 0 &&
        (driver.steer->closed || driver.failed))
        steer_finish(driver.steer);
}

static bool runs(void *self, uint64_t id)
{
    (void)self;
    for (size_t i = 0; i < MOST_RUNNING; i++)
        if (driver.trials[i].id == id)
            return true;
    return false;
}

static void adopt(void *self, uint64_t id, uint64_t suggestion)
{
    (void)self;
    for (size_t i = 0; i < MOST_RUNNING; i++)
        if (driver.trials[i].id == id)
            driver.trials[i].suggestion = suggestion;
}

static void failed(void *self, const char *name, const char *what, const char *output)
{
    (void)self, (void)name, (void)output;
    if (!what[0] || driver.failed)
        abort();
    driver.failed = true;
}

static void end_trial(void)
{
    size_t slot = 0;
    while (slot < MOST_RUNNING && !driver.trials[slot].id)
        slot++;
    if (slot == MOST_RUNNING)
        return;
    struct steer_trial trial = driver.trials[slot];
    struct outcome result = {.state = trial.id % 3 ? OUTCOME_DONE : OUTCOME_FAILED,
                             .score = (double)trial.id};
    steer_told(driver.steer, &trial, &result);
    driver.trials[slot].id = 0;
    driver.running--;
    changed(NULL);
    steer_wanted(driver.steer, 1);
}

/* ---- in place of the program ---- */

static bool is_hung_up;

struct program *program_start(struct comm *comm, struct helper *helper, unsigned channel,
                              const struct program_plan *plan,
                              const struct program_observer *observer)
{
    (void)comm, (void)helper, (void)channel, (void)plan, (void)observer;
    return NULL;
}

void program_free(struct program *program)
{
    (void)program;
}

/* What a program receives is JSON, whatever it has said. */
void program_tell(struct program *program, const void *bytes, size_t length)
{
    const char *text = bytes;
    (void)program;
    if (is_hung_up)
        abort();
    if (length == 0 || text[0] != '{')
        return;
    struct json j;
    json_open(&j, text, length);
    json_skip(&j);
    if (json_close(&j))
        abort();
}

size_t program_backlog(const struct program *program)
{
    (void)program;
    return 0;
}

void program_hang_up(struct program *program)
{
    (void)program;
    is_hung_up = true;
}

void program_stop(struct program *program)
{
    (void)program;
    is_hung_up = true;
}

uint64_t program_log(const struct program *program, struct str *log)
{
    (void)program, (void)log;
    return 0;
}

/* ---- in place of comm ---- */

uint64_t comm_after(struct comm *comm, double seconds, comm_handler *handler, void *argument)
{
    (void)comm, (void)seconds, (void)handler, (void)argument;
    return 1;
}

void comm_cancel(struct comm *comm, uint64_t timer)
{
    (void)comm, (void)timer;
}

/* ---- the fuzzer ---- */

/* A trial ends between pieces. With queues, a piece is a message or, after a '#', raw bytes. */
static void say(struct steer *s, const char *text, size_t length)
{
    bool is_queue = s->protocol == &queues_protocol, is_raw = length > 0 && text[0] == '#';
    char header[32];
    if (driver.failed)
        return;
    if (is_queue && !is_raw) {
        snprintf(header, sizeof header, "%012zu", length);
        str_add(&s->input, header);
    }
    str_add_bytes(&s->input, text + is_raw, length - is_raw);
    s->protocol->said(s);
    end_trial();
}

static void talk(struct steer *s, const char *text, size_t size)
{
    steer_wanted(s, 2);
    for (size_t at = 0; at < size;) {
        const char *zero = memchr(text + at, 0, size - at);
        size_t length = zero ? (size_t)(zero - text) - at : size - at;
        say(s, text + at, length);
        at += length + 1;
    }
    while (driver.running > 0)
        end_trial();
}

/* The first byte chooses the protocol. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static struct study study;
    static struct err_list mistakes;
    static char name[] = "program";
    if (!study.space.count &&
        study_parse(&study, definition, strlen(definition), "study.yaml", "/tmp", &mistakes))
        abort();
    if (size == 0)
        return 0;
    const struct search_settings settings = {.algorithm = "outside"};
    struct steer *steer = memory_new(1, sizeof *steer);
    driver = (struct driver){
        .search = search_create(&settings, &study.space), .space = &study.space, .steer = steer};
    *steer = (struct steer){.setup = {.study = &study,
                                      .dir = "study",
                                      .search = driver.search,
                                      .owner = {NULL, state, put, changed, runs, adopt, failed}},
                            .study = &study,
                            .protocol = data[0] == 'q' ? &queues_protocol : &json_lines_protocol,
                            .name = memory_copy(name),
                            .running = true};
    is_hung_up = false;
    steer->protocol->started(steer);
    talk(steer, (const char *)data + 1, size - 1);
    steer_free(steer);
    search_free(driver.search);
    return 0;
}
