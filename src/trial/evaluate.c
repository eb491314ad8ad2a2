/*
 * evaluate.c - code of another language, evaluated in a process that keeps its state.
 *
 * The process is a language host that runs the code itself. A message is two 32-bit numbers and
 * what they announce: to the process, the lengths of the code and of the expression; back, whether
 * it succeeded and the length of the text.
 */
#include "helper/helper.h"
#include "trial/environment.h"
#include "trial/language.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <unistd.h>

static const double SEND_AGAIN = 0.001; /* seconds, when the socket is full */

struct evaluator {
    struct comm *comm;
    struct helper *helper;
    const struct machine_slot *slot;
    const struct study_code *code;
    const char *folder;
    int output;
    struct evaluator_handler handler;
    uint64_t id;     /* the number of the process */
    int socket;      /* to the process; -1: it does not run */
    bool busy;       /* an answer is awaited */
    struct str sent; /* what is still to be sent */
    struct str got;
    uint64_t timer; /* to send the rest; 0: none */
};

struct evaluator *evaluator_open(struct comm *comm, struct helper *helper,
                                 const struct machine_slot *slot, const struct study_code *code,
                                 const char *folder, int output,
                                 const struct evaluator_handler *handler)
{
    struct evaluator *v = memory_new(1, sizeof *v);
    *v = (struct evaluator){.comm = comm,
                            .helper = helper,
                            .slot = slot,
                            .code = code,
                            .folder = folder,
                            .output = output,
                            .handler = *handler,
                            .id = (uint64_t)slot->channel << 32,
                            .socket = -1};
    return v;
}

/* ---- the process ---- */

static void end_process(struct evaluator *v)
{
    struct helper_request request = {.type = HELPER_SERVICE_END, .trial = v->id};
    if (v->socket < 0)
        return;
    comm_unwatch(v->comm, v->socket);
    comm_cancel(v->comm, v->timer);
    close(v->socket);
    helper_tell(helper_channel(v->helper, v->slot->channel), &request);
    v->socket = -1;
    v->timer = 0;
    str_clear(&v->sent);
    str_clear(&v->got);
}

static void finish(struct evaluator *v, enum evaluator_state state, const char *text, size_t length)
{
    v->busy = false;
    v->handler.done(v->handler.self, state, text, length);
}

static void take_bytes(void *argument);

static bool start_process(struct evaluator *v)
{
    struct helper_request request = {.type = HELPER_SERVICE,
                                     .trial = ++v->id,
                                     .pin = true,
                                     .cores = v->slot->pinned,
                                     .descriptors = helper_descriptors(v->helper)};
    struct str packet = {0};
    int pair[2];
    str_add_bytes(&packet, &request, sizeof request);
    str_add_bytes(&packet, v->folder, strlen(v->folder) + 1);
    environment_add_threads(&packet, &request.variables, v->slot->cores, NULL);
    bool good = language_host(v->code, NULL, 0, "evaluate", &packet, &request.host) &&
                socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) == 0;
    memcpy(packet.text, &request, sizeof request);
    if (good) {
        good = helper_send(helper_channel(v->helper, v->slot->channel), &packet,
                           (int[]){pair[1], v->output}, 2, 0) == 0;
        close(pair[1]);
        if (good)
            v->socket = pair[0];
        else
            close(pair[0]);
    }
    str_free(&packet);
    if (good) {
        fcntl(v->socket, F_SETFL, O_NONBLOCK);
        comm_watch(v->comm, v->socket, take_bytes, v);
    }
    return good;
}

/* ---- answers ---- */

/* The process has ended without an answer. */
static void lost(struct evaluator *v)
{
    static const char text[] = "the evaluating process has ended";
    end_process(v);
    if (v->busy)
        finish(v, EVALUATOR_LOST, text, sizeof text - 1);
}

static void take_answer(struct evaluator *v)
{
    uint32_t header[2];
    if (v->got.length < sizeof header)
        return;
    memcpy(header, v->got.text, sizeof header);
    if (v->got.length < sizeof header + header[1])
        return;
    struct str answer = v->got;
    v->got = (struct str){0};
    if (v->busy) /* the handler may ask the next question, or close the evaluator */
        finish(v, header[0] ? EVALUATOR_GOOD : EVALUATOR_ERROR, answer.text + sizeof header,
               header[1]);
    str_free(&answer);
}

static void take_bytes(void *argument)
{
    struct evaluator *v = argument;
    char bytes[65536];
    ssize_t got = recv(v->socket, bytes, sizeof bytes, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        lost(v);
        return;
    }
    str_add_bytes(&v->got, bytes, (size_t)got);
    if (v->got.length > sizeof(uint32_t[2]) + EVALUATOR_LIMIT + sizeof bytes)
        lost(v);
    else
        take_answer(v);
}

/* ---- questions ---- */

static void send_rest(void *argument)
{
    struct evaluator *v = argument;
    v->timer = 0;
    ssize_t sent = send(v->socket, v->sent.text, v->sent.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    if (sent < 0 && errno != EAGAIN && errno != EINTR) {
        shutdown(v->socket, SHUT_RDWR); /* whatever the cause, reading shows its end */
        return;
    }
    str_drop(&v->sent, sent > 0 ? (size_t)sent : 0);
    if (v->sent.length > 0)
        v->timer = comm_after(v->comm, SEND_AGAIN, send_rest, v);
}

void evaluator_evaluate(struct evaluator *v, const char *code, const char *expression)
{
    size_t code_length = strlen(code), expression_length = strlen(expression);
    if (v->busy)
        BUG("an evaluator has one question at a time");
    v->busy = true;
    if (code_length + expression_length > EVALUATOR_LIMIT) {
        static const char text[] = "the code is longer than 16 MiB";
        finish(v, EVALUATOR_ERROR, text, sizeof text - 1);
        return;
    }
    if (v->socket < 0 && !start_process(v)) {
        static const char text[] = "cannot start the evaluating process";
        finish(v, EVALUATOR_LOST, text, sizeof text - 1);
        return;
    }
    uint32_t header[2] = {(uint32_t)code_length, (uint32_t)expression_length};
    str_add_bytes(&v->sent, header, sizeof header);
    str_add_bytes(&v->sent, code, code_length);
    str_add_bytes(&v->sent, expression, expression_length);
    send_rest(v);
}

void evaluator_close(struct evaluator *v)
{
    end_process(v);
    str_free(&v->sent);
    str_free(&v->got);
    free(v);
}
