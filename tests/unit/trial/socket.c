/*
 * socket.c - the trial socket between a program and its worker: all valid messages, and invalid
 * ones.
 *
 * The worker's end runs on its own rank; the program's ends are ordinary blocking sockets of the
 * main thread. An answer to a question shows that everything before it was heard.
 */
#include "trial/socket.h"
#include "tap.h"

#include <errno.h>
#include <pthread.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { TRIAL = 7, TRY = 2, SECRET = 1234, LARGE = 8 << 20, LIMIT = 12 << 20 };

static const struct socket_limits limits = {
    .connections = SOCKET_CONNECTIONS, .bytes = LIMIT, .patience = 0.4, .step_rate = 40000};

/* The worker's end, and what it heard. */
struct ear {
    struct comm *comm;
    struct trial_socket *trial_socket;
    int socket;
    int orders[2], receipts[2]; /* pipes: a letter is an order, and comes back when done */
    pthread_mutex_t lock;
    struct str heard;  /* one line per message */
    size_t steps;      /* number of steps heard */
    uint64_t waiting;  /* question of the open wait; 0: none */
    uint64_t known;    /* version that this wait knows */
    struct str value;  /* value of the only key */
    uint64_t versions; /* number of its versions */
    bool stop;         /* the answer to all questions */
    bool is_silent;    /* steps are counted but not recorded */
    bool is_late;      /* puts are not answered at once */
    uint64_t late[8];  /* those that wait for it */
    size_t late_count;
    char folder[64];
    char path[80];
};

static struct ear ear = {.lock = PTHREAD_MUTEX_INITIALIZER};

__attribute__((format(printf, 1, 2))) static void hear(const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    pthread_mutex_lock(&ear.lock);
    str_add(&ear.heard, text);
    pthread_mutex_unlock(&ear.lock);
}

static void hear_metrics(const struct outcome_metric *metrics, size_t count)
{
    for (size_t i = 0; i < count; i++)
        hear(" %s=%g", metrics[i].name, metrics[i].value);
    hear("\n");
}

static void step(void *self, uint64_t number, const struct outcome_metric *metrics, size_t count)
{
    (void)self;
    ear.steps++;
    if (ear.is_silent)
        return;
    hear("step %llu", (unsigned long long)number);
    hear_metrics(metrics, count);
}

static void result(void *self, const struct outcome_metric *metrics, size_t count)
{
    (void)self;
    hear("result");
    hear_metrics(metrics, count);
}

static void asked(void *self, uint64_t call)
{
    (void)self;
    socket_answer(ear.trial_socket, call, ear.stop);
}

static void answer_value(uint64_t number)
{
    struct trial_reply reply = {
        .version = ear.versions, .bytes = ear.value.text, .length = ear.value.length};
    socket_reply(ear.trial_socket, number, &reply);
}

static void put(uint64_t number, const struct trial_question *q)
{
    str_clear(&ear.value);
    str_add_bytes(&ear.value, q->bytes, q->length);
    struct trial_reply reply = {.version = ++ear.versions};
    socket_reply(ear.trial_socket, number, &reply);
    if (ear.waiting && ear.versions > ear.known) {
        answer_value(ear.waiting);
        ear.waiting = 0;
    }
}

static void wait_for(uint64_t number, uint64_t known)
{
    ear.waiting = number;
    ear.known = known;
}

static void question(void *self, uint64_t number, const struct trial_question *q)
{
    static const char *const names[] = {"put", "get", "wait", "delete", "list"};
    static const struct slice keys[] = {{"a", 1}, {"b\"", 2}};
    (void)self;
    hear("%s %.*s %zu %llu\n", names[q->operation], (int)q->key.length, q->key.text, q->length,
         (unsigned long long)q->known);
    if (q->key.length == 0)
        socket_reply(ear.trial_socket, number,
                     &(struct trial_reply){.error = "a \"key\" has no bytes"});
    else if (q->operation == TRIAL_PUT && ear.is_late)
        ear.late[ear.late_count++] = number;
    else if (q->operation == TRIAL_PUT)
        put(number, q);
    else if (q->operation == TRIAL_WAIT && q->known >= ear.versions)
        wait_for(number, q->known);
    else if (q->operation == TRIAL_LIST)
        socket_reply(ear.trial_socket, number, &(struct trial_reply){.keys = keys, .key_count = 2});
    else if (q->operation == TRIAL_DELETE)
        socket_reply(ear.trial_socket, number, &(struct trial_reply){.version = 0});
    else
        answer_value(number);
}

static void forget(void *self, uint64_t number)
{
    (void)self;
    hear(number == ear.waiting ? "forget the wait\n" : "forget\n");
    if (number == ear.waiting)
        ear.waiting = 0;
}

static void complain(void *self, const char *text)
{
    (void)self;
    hear("complain: %s\n", text);
}

static void answer_late(void)
{
    for (size_t i = 0; i < ear.late_count; i++)
        socket_reply(ear.trial_socket, ear.late[i], &(struct trial_reply){.version = 1});
    ear.late_count = 0;
    ear.is_late = !ear.is_late;
}

static void take_order(void *self)
{
    char order;
    (void)self;
    if (read(ear.orders[0], &order, 1) != 1)
        return;
    switch (order) {
    case 'b': socket_begin(ear.trial_socket, TRIAL, TRY, SECRET); break;
    case 'e': socket_end(ear.trial_socket); break;
    case 's': ear.stop = true; break;
    case 'l': answer_late(); break;
    case 'q': ear.is_silent = !ear.is_silent; break;
    case 'h': /* deaf until the next order */
        (void)!write(ear.receipts[1], &order, 1);
        take_order(self);
        return;
    default:
        socket_free(ear.trial_socket);
        comm_unwatch(ear.comm, ear.orders[0]);
        comm_stop(ear.comm);
    }
    (void)!write(ear.receipts[1], &order, 1);
}

static bool is_wanted(void *self, const char *name)
{
    (void)self;
    return strcmp(name, "wanted") == 0;
}

static void start(void *self, struct comm *comm)
{
    struct socket_listener listener = {NULL,     step,   result,   asked,
                                       question, forget, complain, is_wanted};
    (void)self;
    ear.comm = comm;
    ear.trial_socket = socket_create(comm, ear.socket, &limits, &listener);
    comm_watch(comm, ear.orders[0], take_order, NULL);
}

static void no_message(void *self, const struct comm_message *m)
{
    (void)self;
    (void)m;
}

static void *run_ear(void *argument)
{
    struct comm_actor actor = {NULL, start, no_message};
    struct err e = {0};
    comm_threads(1, &actor, &e);
    return argument;
}

static void order(char letter)
{
    char back;
    if (write(ear.orders[1], &letter, 1) != 1 || read(ear.receipts[0], &back, 1) != 1)
        ok(false, "the worker's end takes orders");
}

/* ---- the program's end ---- */

static struct sockaddr_un address(void)
{
    struct sockaddr_un place = {.sun_family = AF_UNIX};
    snprintf(place.sun_path, sizeof place.sun_path, "%s", ear.path);
    return place;
}

static int call(void)
{
    struct sockaddr_un place = address();
    struct timeval patience = {60, 0};
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (struct sockaddr *)&place, sizeof place) != 0)
        ok(false, "a program connects: %s", strerror(errno));
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    return fd;
}

static void say_bytes(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(fd, bytes, length, MSG_NOSIGNAL);
        if (sent <= 0)
            return;
        bytes += sent;
        length -= (size_t)sent;
    }
}

static void say(int fd, const char *text)
{
    say_bytes(fd, text, strlen(text));
}

/* A line without its newline, or "" at the end of input. */
static const char *answer(int fd)
{
    static char text[4096];
    size_t length = 0;
    while (length < sizeof text - 1 && recv(fd, text + length, 1, 0) == 1 && text[length] != '\n')
        length++;
    text[length] = 0;
    return text;
}

static int greet(void)
{
    int fd = call();
    say(fd, "{\"hello\": 7, \"try\": 2, \"secret\": 1234}\n");
    return fd;
}

/* Waits until everything said on this connection has been heard, and takes what was heard. */
static const char *heard(int fd)
{
    static char text[16384];
    if (fd >= 0) {
        say(fd, "{\"stop\": 0}\n");
        answer(fd);
    }
    pthread_mutex_lock(&ear.lock);
    snprintf(text, sizeof text, "%s", str_text(&ear.heard));
    str_clear(&ear.heard);
    pthread_mutex_unlock(&ear.lock);
    return text;
}

/* ---- valid messages ---- */

static void steps_and_results(void)
{
    int fd = greet();
    say(fd, "{\"step\": 3, \"metrics\": {\"val_loss\": 0.41, \"lr\": 1e-3}}\n");
    is_text(heard(fd), "step 3 val_loss=0.41 lr=0.001\n", "a step with its metrics");
    say(fd, "{\"metrics\":{\"a\":\"nan\",\"b\":\"inf\",\"c\":\"-inf\",\"d\":null},\"step\":0}\r\n");
    is_text(heard(fd), "step 0 a=nan b=inf c=-inf d=nan\n",
            "what is no number, in another order, with a carriage return");
    say(fd, "{\"step\": 9007199254740992}\n{\"result\": {\"gr\\u00f6\\u00dfe\": 2}}\n");
    is_text(heard(fd), "step 9007199254740992\nresult größe=2\n", "two at once, escapes");
    say(fd, "{\"stop\": 5}\n");
    is_text(answer(fd), "{\"stop\":false}", "a question whether to stop");
    const char *slow = "{\"step\":1,\"metrics\":{\"x\":5}}\n";
    for (; *slow; slow++)
        say_bytes(fd, slow, 1);
    is_text(heard(fd), "step 1 x=5\n", "a message that comes byte by byte");
    close(fd);
    fd = greet();
    say(fd, "{\"step\": 4}");
    shutdown(fd, SHUT_WR);
    is_text(answer(fd), "", "who sends no more, and waits for nothing, is hung up");
    is_text(heard(-1), "step 4\n", "a last message needs no newline");
    close(fd);
}

static void values(void)
{
    static const char with_bytes[] = "{\"put\": \"k\", \"bytes\": 6}\na\nb\0c}{\"list\": \"\"}\n";
    char bytes[16] = "";
    int fd = greet(), other = greet();
    say(fd, "{\"get\": \"k\"}\n");
    is_text(answer(fd), "{\"version\":0}", "a key without a value");
    say_bytes(fd, with_bytes, sizeof with_bytes - 1);
    is_text(answer(fd), "{\"version\":1}", "a put");
    is_text(answer(fd), "{\"error\":\"a \\\"key\\\" has no bytes\"}", "an error of the space");
    say(fd, "{\"get\": \"k\"}\n{\"list\": \"x\"}\n");
    is_text(answer(fd), "{\"version\":1,\"bytes\":6}", "a get");
    ok(recv(fd, bytes, 6, MSG_WAITALL) == 6 && memcmp(bytes, "a\nb\0c}", 6) == 0, "its bytes");
    is_text(answer(fd), "{\"keys\":[\"a\",\"b\\\"\"]}", "a list, behind it");
    say(fd, "{\"delete\": \"k\"}\n");
    is_text(answer(fd), "{\"version\":0}", "a delete");
    heard(fd);
    say(other, "{\"wait\": \"k\", \"known\": 1}\n{\"step\": 2}\n");
    say(fd, "{\"put\": \"k\", \"bytes\": 0}\n");
    is_text(answer(fd), "{\"version\":2}", "an empty value");
    is_text(answer(other), "{\"version\":2,\"bytes\":0}", "who waited gets it");
    ok(strstr(heard(other), "step 2\n") != NULL, "what stood behind the wait is heard then");
    close(fd);
    close(other);
    heard(-1);
}

/* ---- invalid messages ---- */

static void bad_messages(void)
{
    static const struct {
        const char *said, *why;
    } cases[] = {
        {"hello", "it is not JSON"},
        {"", "it is not JSON"},
        {"[1]", "an object {...} is expected"},
        {"{\"step\": 1", "it is not JSON"},
        {"{\"step\": 1} {}", "it is not JSON"},
        {"{}", "it has none of hello, step, stop"},
        {"{\"step\": -1}", "\\\"step\\\" must be a whole number"},
        {"{\"step\": 1.5}", "\\\"step\\\" must be a whole number"},
        {"{\"step\": \"1\"}", "\\\"step\\\" must be a whole number"},
        {"{\"step\": 1e17}", "\\\"step\\\" must be a whole number"},
        {"{\"step\": 1, \"metric\": {}}", "did you mean \\\"metrics\\\"?"},
        {"{\"step\": 1, \"epoch_of_the_run\": 1}", "unknown key \\\"epoch_of_the_run\\\""},
        {"{\"step\": 1, \"metrics\": [1]}", "\\\"metrics\\\" must be an object of metrics"},
        {"{\"step\": 1, \"metrics\": {\"a\": \"0.5\"}}", "the metric 'a' must be a number"},
        {"{\"step\": 1, \"metrics\": {\"a\": true}}", "the metric 'a' must be a number"},
        {"{\"step\": 1, \"metrics\": {\"a\": {}}}", "the metric 'a' must be a number"},
        {"{\"step\": 1, \"metrics\": {\"\": 1}}", "the name of a metric has 1 to 47 bytes"},
        {"{\"step\": 1, \"metrics\": {\"a\": zero}}", "it is not JSON"},
        {"{\"step\": 1, \"stop\": 1}", "it is both a \\\"step\\\" and a \\\"stop\\\""},
        {"{\"step\": 1, \"bytes\": 1}", "a \\\"step\\\" takes no \\\"bytes\\\""},
        {"{\"put\": \"k\", \"bytes\": 1, \"try\": 2}",
         "it has both a \\\"bytes\\\" and a \\\"try\\\""},
        {"{\"put\": \"k\"}", "a \\\"put\\\" needs a \\\"bytes\\\""},
        {"{\"put\": \"k\", \"bytes\": 2000000000}", "larger than 1 GiB"},
        {"{\"get\": 5}", "\\\"get\\\" must be a string"},
        {"{\"result\": 0.5}", "\\\"result\\\" must be an object of metrics"},
        {"{\"stop\": null}", "\\\"stop\\\" must be a whole number"},
        {"{\"hello\": 7}", "a \\\"hello\\\" needs a \\\"try\\\""},
        {"{\"hello\": 7, \"try\": 2}", "needs a \\\"secret\\\", the value of WICK_SECRET"},
        {"{\"hello\": 7, \"try\": 2, \"secret\": -1}", "\\\"secret\\\" must be a whole number"},
        {"{\"hello\": 7, \"secret\": 1, \"secret\": 2}", "it has two of \\\"secret\\\""},
        {"{\"stop\": 0, \"secret\": 1234}", "a \\\"stop\\\" takes no \\\"secret\\\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        int fd = greet();
        say(fd, cases[i].said);
        say(fd, "\n{\"step\": 1}\n");
        char text[4096];
        snprintf(text, sizeof text, "%s", answer(fd));
        ok(strncmp(text, "{\"error\":\"", 10) == 0 && strstr(text, cases[i].why) &&
               answer(fd)[0] == 0,
           "%s: %s", cases[i].said, text);
        const char *all = heard(-1);
        ok(strncmp(all, "complain: ", 10) == 0 && !strstr(all, "step 1\n"),
           "the user is told, and nothing more is heard");
        close(fd);
    }
}

static void wrong_greetings(void)
{
    static const char *const greetings[] = {
        "{\"hello\": 8, \"try\": 2, \"secret\": 1234}\n",
        "{\"hello\": 7, \"try\": 1, \"secret\": 1234}\n",
        "{\"hello\": 7, \"try\": 2, \"secret\": 1235}\n",
    };
    int fd;
    for (size_t i = 0; i < sizeof greetings / sizeof *greetings; i++) {
        fd = call();
        say(fd, greetings[i]);
        say(fd, "{\"stop\": 1}\n");
        is_text(answer(fd), "", "a trial that does not run here, or lacks its secret, is hung up");
        close(fd);
    }
    is_text(heard(-1), "", "nobody hears of it");
    fd = call();
    say(fd, "{\"step\": 1}\n");
    ok(strstr(answer(fd), "the first message") != NULL, "who does not greet is told so");
    close(fd);
    ok(strncmp(heard(-1), "complain: the first message", 27) == 0, "and so is the user");
    fd = call();
    say(fd, "{\"step\": 1}\n");
    ok(strstr(answer(fd), "the first message") != NULL, "the next one is told, too");
    close(fd);
    is_text(heard(-1), "", "and the user only once");
}

static void too_many_metrics(void)
{
    enum { MOST_METRICS = 1000, MORE = 500 };
    struct str text = {0};
    for (int more = 0; more <= MORE; more += MORE) {
        int fd = greet();
        str_clear(&text);
        str_add(&text, "{\"step\": 1, \"metrics\": {\"m0\": 0");
        for (int i = 1; i < MOST_METRICS + more; i++)
            str_printf(&text, ",\"m%d\": %d", i, i);
        str_add(&text, more ? ",\"wanted\": 1,\"wanted\": 2}}\n" : "}}\n");
        say_bytes(fd, text.text, text.length);
        const char *said = heard(fd);
        if (more == 0)
            ok(strstr(said, " m999=999\n") != NULL, "1000 metrics");
        else
            ok(strstr(said, " m998=998 wanted=2\n") != NULL, "of more, those that are wanted");
        close(fd);
    }
    heard(-1);
    str_free(&text);
}

static void long_messages(void)
{
    struct str text = {0};
    int fd = greet();
    for (int i = 0; i < (1 << 20) - 11; i++)
        str_add_char(&text, ' ');
    str_add(&text, "{\"step\": 1}\n");
    say_bytes(fd, text.text, text.length);
    is_text(heard(fd), "step 1\n", "a message of 1 MiB");
    str_drop(&text, text.length - 13);
    str_clear(&text);
    for (int i = 0; i < 2 << 20; i++)
        str_add_char(&text, '[');
    say_bytes(fd, text.text, text.length);
    ok(strstr(answer(fd), "longer than 1 MiB") != NULL, "more is refused");
    close(fd);
    heard(-1);
    str_free(&text);
}

/* ---- programs that misbehave ---- */

static void a_slow_reader(void)
{
    struct str bytes = {0};
    int slow = greet(), fd = greet();
    for (int i = 0; i < LARGE; i++)
        str_add_char(&bytes, (char)(i % 251));
    say(slow, "{\"put\": \"large\", \"bytes\": 8388608}\n");
    say_bytes(slow, bytes.text, bytes.length);
    ok(strncmp(answer(slow), "{\"version\":", 11) == 0, "a large value is put");
    say(slow, "{\"get\": \"large\"}\n{\"step\": 8}\n");
    say(fd, "{\"stop\": 1}\n");
    is_text(answer(fd), "{\"stop\":false}", "who does not read keeps nobody else waiting");
    ok(strstr(answer(slow), "\"bytes\":8388608}") != NULL, "its answer is there when it reads");
    char *back = memory_new(LARGE, 1);
    size_t got = 0;
    for (ssize_t more = 1; got < LARGE && more > 0; got += (size_t)more)
        more = recv(slow, back + got, LARGE - got, 0);
    ok(got == LARGE && memcmp(back, bytes.text, LARGE) == 0, "all of it");
    ok(strstr(heard(slow), "step 8\n") != NULL, "and what it said meanwhile is heard");
    say(slow, "{\"get\": \"large\"}\n");
    close(slow);
    say(fd, "{\"stop\": 2}\n");
    is_text(answer(fd), "{\"stop\":false}", "one that is gone before it has read does no harm");
    close(fd);
    free(back);
    str_free(&bytes);
    heard(-1);
}

/* ---- one trial must not make Wick hold more than its limit ---- */

/* Says that a value comes, and sends so much of it. */
static int put_part(const char *text, size_t sent, const char *bytes)
{
    int fd = greet();
    say(fd, text);
    say_bytes(fd, bytes, sent);
    return fd;
}

static void unfinished_values(void)
{
    char *bytes = memory_new(LARGE, 1);
    int half = put_part("{\"put\": \"k\", \"bytes\": 8388608}\n", LARGE / 2, bytes);
    heard(greet());
    int more = put_part("{\"put\": \"k\", \"bytes\": 8388608}\n", LARGE, bytes);
    ok(strstr(answer(more), "there is no room for this value: Wick keeps at most 12 MiB") != NULL,
       "a second large value is refused while the first is not complete");
    is_text(heard(more), "", "and its connection stays in step");
    say_bytes(half, bytes + LARGE / 2, LARGE / 2);
    ok(strncmp(answer(half), "{\"version\":", 11) == 0, "the first is not harmed");
    say(more, "{\"put\": \"k\", \"bytes\": 8388608}\n");
    say_bytes(more, bytes, LARGE);
    ok(strncmp(answer(more), "{\"version\":", 11) == 0, "then there is room again");
    int reader = greet(), other = greet();
    say(reader, "{\"get\": \"k\"}\n");
    heard(greet());
    say(other, "{\"get\": \"k\"}\n");
    ok(strstr(answer(other), "there is no room for this value") != NULL,
       "an answer that is not read counts, too");
    close(reader);
    close(other);
    close(half);
    close(more);
    free(bytes);
    heard(greet());
}

/* Whoever hangs up before a value is stored does not get the room for another one. */
static void values_that_are_not_stored_yet(void)
{
    char *bytes = memory_new(LARGE, 1);
    order('l');
    int first = put_part("{\"put\": \"k\", \"bytes\": 8388608}\n", LARGE, bytes);
    ok(strstr(heard(greet()), "put k 8388608") != NULL || strstr(heard(greet()), "put k") != NULL,
       "a value is on its way");
    close(first);
    heard(greet());
    int more = put_part("{\"put\": \"k\", \"bytes\": 8388608}\n", LARGE, bytes);
    ok(strstr(answer(more), "there is no room for this value") != NULL,
       "it counts until it is stored, even without its connection");
    order('l');
    say(more, "{\"put\": \"k\", \"bytes\": 8388608}\n");
    say_bytes(more, bytes, LARGE);
    ok(strncmp(answer(more), "{\"version\":", 11) == 0, "and not longer");
    close(more);
    free(bytes);
    heard(greet());
}

static void unfinished_messages(void)
{
    enum { MANY = 20, SIZE = 900000 };
    int fds[MANY], refused = 0;
    char *bytes = memory_new(SIZE, 1);
    memset(bytes, ' ', SIZE);
    for (int i = 0; i < MANY; i++) {
        fds[i] = greet();
        say_bytes(fds[i], bytes, SIZE);
        heard(greet());
    }
    for (int i = 0; i < MANY; i++) {
        const char *text = answer(fds[i]); /* in the end all of them: nothing more comes */
        refused += strstr(text, "there is no room for this message") != NULL;
        ok(refused || strstr(text, "the rest of this message has not come for too long"),
           "half a message is refused: %.60s", text);
        close(fds[i]);
    }
    ok(refused > 0 && refused < MANY, "%d of them for want of room", refused);
    int idle = greet(), good = greet();
    heard(good);
    ok(strstr(answer(put_part("{\"put\": \"k\", \"bytes\": 5}\n", 2, "ab")),
              "the rest of this message has not come") != NULL,
       "and so is half a value");
    is_text(heard(good), "complain: the rest of this message has not come for too long\n",
            "an idle connection without one is not");
    heard(idle);
    free(bytes);
    close(idle);
    close(good);
}

static void too_many_steps(void)
{
    enum { STEPS = 3 * SOCKET_STEPS };
    struct str text = {0};
    struct timespec began, ended;
    order('e');
    order('b');
    order('q');
    ear.steps = 0;
    for (int i = 0; i < STEPS; i++)
        str_add(&text, "{\"step\": 1}\n");
    int fd = greet();
    clock_gettime(CLOCK_MONOTONIC, &began);
    say_bytes(fd, text.text, text.length);
    heard(fd);
    clock_gettime(CLOCK_MONOTONIC, &ended);
    order('q');
    double seconds =
        (double)(ended.tv_sec - began.tv_sec) + (double)(ended.tv_nsec - began.tv_nsec) * 1e-9;
    ok(ear.steps == STEPS && seconds >= 0.9, "%zu steps take %g s: a flood has to wait", ear.steps,
       seconds);
    close(fd);
    str_free(&text);
}

static bool is_heard(int fd)
{
    say(fd, "{\"stop\": 1}\n");
    return strcmp(answer(fd), "{\"stop\":false}") == 0;
}

static void silent_connections(void)
{
    int fds[SOCKET_CONNECTIONS], early, late;
    order('h'); /* nothing is accepted or read until the next order */
    early = greet();
    order('q');
    order('q');
    for (int i = 0; i < SOCKET_CONNECTIONS; i++)
        fds[i] = call();
    late = greet();
    ok(is_heard(late), "connections that do not greet keep no other out");
    ok(is_heard(early), "nor do they replace one that has greeted");
    ok(strstr(answer(fds[0]), "too many connections") != NULL, "the oldest of them is closed");
    say(fds[SOCKET_CONNECTIONS - 1], "{\"hello\": 7, \"try\": 2, \"secret\": 1234}\n");
    ok(is_heard(fds[SOCKET_CONNECTIONS - 1]), "the newest is not");
    for (int i = 0; i < SOCKET_CONNECTIONS; i++)
        close(fds[i]);
    close(early);
    close(late);
    order('e');
    order('b');
}

static void many_connections(void)
{
    int fds[SOCKET_CONNECTIONS];
    for (int i = 0; i < SOCKET_CONNECTIONS; i++)
        fds[i] = greet();
    say(fds[SOCKET_CONNECTIONS - 1], "{\"stop\": 1}\n");
    is_text(answer(fds[SOCKET_CONNECTIONS - 1]), "{\"stop\":false}",
            "the last connection is heard");
    int more = call();
    ok(strstr(answer(more), "too many connections") != NULL, "one more is refused");
    close(more);
    for (int i = 0; i < SOCKET_CONNECTIONS; i++)
        close(fds[i]);
    for (int round = 0; round < 1000; round++) { /* lost connections are noticed one by one */
        more = greet();
        say(more, "{\"stop\": 1}\n");
        bool good = strcmp(answer(more), "{\"stop\":false}") == 0;
        close(more);
        if (good)
            break;
    }
    int again = greet();
    is_text(heard(again), "", "when they are closed there is room again");
    close(again);
}

/* ---- the end ---- */

static void all_is_heard_at_the_end(void)
{
    enum { SENDERS = 20, STEPS = 500 };
    int fds[SENDERS], waiting = greet();
    say(waiting, "{\"wait\": \"k\", \"known\": 1000}\n{\"step\": 77}\n");
    order('q');
    ear.steps = 0;
    for (int i = 0; i < SENDERS; i++) {
        fds[i] = greet();
        for (int k = 0; k < STEPS; k++)
            say(fds[i], "{\"step\": 1}\n");
        if (i % 2)
            close(fds[i]);
    }
    int late = greet();
    say(late, "{\"get\": \"k\"}\n{\"put\": \"k\", \"bytes\": 2}\nab{\"stop\": 1}\n{\"step\": 2}\n");
    order('e');
    ok(ear.steps == SENDERS * STEPS + 2, "all of %d steps are heard (%zu)", SENDERS * STEPS + 2,
       ear.steps);
    const char *all = heard(-1);
    ok(strstr(all, "put k 2 0\n") != NULL, "a value that was put is kept");
    ok(strstr(all, "forget the wait\n") != NULL, "nobody waits any more");
    while (answer(late)[0])
        ;
    is_text(answer(waiting), "", "connections are closed");
    int after = greet();
    say(after, "{\"stop\": 1}\n");
    is_text(answer(after), "", "and none is taken until the next trial begins");
    for (int i = 0; i < SENDERS; i += 2)
        close(fds[i]);
    close(after);
    close(late);
    close(waiting);
}

/* As in a shell script, where each report is a program of its own. */
static void the_end_keeps_the_order_of_connections(void)
{
    order('b');
    order('q'); /* the test before was silent */
    order('h');
    for (int i = 1; i <= 3; i++) {
        char text[32];
        int fd = greet();
        snprintf(text, sizeof text, "{\"step\": %d}\n", i);
        say(fd, text);
        close(fd);
    }
    order('e');
    is_text(heard(-1), "step 1\nstep 2\nstep 3\n", "connections are read in their order");
}

static void a_stop(void)
{
    order('b');
    order('s');
    int fd = greet();
    say(fd, "{\"stop\": 1}\n");
    is_text(answer(fd), "{\"stop\":true}", "a program is told to stop");
    close(fd);
}

int main(void)
{
    pthread_t thread;
    snprintf(ear.folder, sizeof ear.folder, "/tmp/wick-line-XXXXXX");
    if (!mkdtemp(ear.folder) || pipe(ear.orders) != 0 || pipe(ear.receipts) != 0)
        return 1;
    snprintf(ear.path, sizeof ear.path, "%s/line", ear.folder);
    struct sockaddr_un place = address();
    ear.socket = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (bind(ear.socket, (struct sockaddr *)&place, sizeof place) != 0 ||
        listen(ear.socket, 128) != 0 || pthread_create(&thread, NULL, run_ear, NULL) != 0)
        return 1;
    order('b');
    steps_and_results();
    values();
    bad_messages();
    wrong_greetings();
    too_many_metrics();
    long_messages();
    a_slow_reader();
    unfinished_values();
    values_that_are_not_stored_yet();
    unfinished_messages();
    too_many_steps();
    silent_connections();
    many_connections();
    all_is_heard_at_the_end();
    the_end_keeps_the_order_of_connections();
    a_stop();
    order('x');
    pthread_join(thread, NULL);
    close(ear.socket);
    unlink(ear.path);
    rmdir(ear.folder);
    str_free(&ear.heard);
    str_free(&ear.value);
    return tap_end();
}
