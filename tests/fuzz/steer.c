/*
 * steer.c - nothing that a program says can make Wick crash when it steers a search.
 *
 * The driver, the program and comm are replaced by functions of this file: a trial ends when the
 * next piece of the input comes. So the steering runs alone, and the same bytes always do the same.
 */
#include "run/steer.h"

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

static size_t running;

static struct live_trial *running_trial(struct driver *d)
{
    for (size_t i = 0; i < d->live.capacity; i++)
        if (d->live.slots[i].id)
            return &d->live.slots[i];
    return NULL;
}

unsigned driver_put_next(struct driver *d)
{
    double point[WIDTH];
    if (d->progress.phase != RUN_GOING || search_ask(d->search, point) != SEARCH_POINT)
        return 0;
    if (!space_allowed(&d->study->space, point))
        abort();
    steer_taken(d->steer, live_add(&d->live, search_asked(d->search), 1, point));
    running++;
    return 1;
}

void driver_stop(struct driver *d, enum journal_end end, bool hard)
{
    (void)hard;
    d->progress.phase = RUN_DRAINING;
    d->progress.end = end;
}

void driver_finish_if_over(struct driver *d)
{
    if (running == 0 && search_offered(d->search) == 0 &&
        (d->steer->closed || d->progress.phase != RUN_GOING))
        steer_finish(d->steer);
}

static void end_trial(struct driver *d)
{
    struct live_trial *trial = running_trial(d);
    if (!trial)
        return;
    struct outcome result = {.state = trial->id % 3 ? OUTCOME_DONE : OUTCOME_FAILED,
                             .score = (double)trial->id};
    steer_told(d->steer, trial, &result);
    running--;
    live_remove(&d->live, trial->id);
    driver_finish_if_over(d);
    steer_wanted(d->steer, 1);
}

size_t balance_open(const struct balance_server *server)
{
    (void)server;
    return running;
}

/* ---- in place of the program ---- */

static bool is_hung_up;

struct program *program_start(struct comm *comm, struct spawner *spawner, unsigned line,
                              const struct program_plan *plan,
                              const struct program_observer *observer)
{
    (void)comm, (void)spawner, (void)line, (void)plan, (void)observer;
    return NULL;
}

void program_free(struct program *program)
{
    (void)program;
}

/* What a program is told is JSON, whatever it has said. */
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

/* Between pieces a trial ends. Of the queues, a piece is a message or, after a '#', raw bytes. */
static void say(struct steer *s, const char *text, size_t length)
{
    bool is_queue = s->protocol == &queues_protocol, is_raw = length > 0 && text[0] == '#';
    char header[32];
    if (s->driver->failure.code != 0)
        return;
    if (is_queue && !is_raw) {
        snprintf(header, sizeof header, "%012zu", length);
        str_add(&s->input, header);
    }
    str_add_bytes(&s->input, text + is_raw, length - is_raw);
    s->protocol->said(s);
    end_trial(s->driver);
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
    while (running > 0)
        end_trial(s->driver);
}

/* The first byte says which protocol is spoken. */
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
    const struct run_options options = {.dir = "study"};
    const struct run_observer observer = {0};
    struct driver driver = {.study = &study, .options = &options, .observer = &observer};
    struct steer *steer = memory_new(1, sizeof *steer);
    driver.steer = steer;
    driver.search = search_create(&settings, &study.space);
    live_init(&driver.live, WIDTH);
    *steer = (struct steer){.driver = &driver,
                            .protocol = data[0] == 'q' ? &queues_protocol : &lines_protocol,
                            .name = memory_copy(name),
                            .running = true};
    running = 0;
    is_hung_up = false;
    steer->protocol->begun(steer);
    talk(steer, (const char *)data + 1, size - 1);
    steer_free(steer);
    live_free(&driver.live);
    search_free(driver.search);
    return 0;
}
