/*
 * peer.c - talks to bench/peers/optuna_peer.py, which provides the searches of Optuna.
 *
 * The protocol is JSON, one line each way. Peers see the same problems and the same order of
 * completions as our own searches, and the C function is evaluated here.
 */
#include "bench/search/contest.h"

#include <math.h>
#include <sys/wait.h>
#include <unistd.h>

struct peer {
    pid_t pid;
    FILE *in, *out; /* on our side: we read `in` */
    char *line;
    size_t capacity;
};

static const char *const program = BENCH_FOLDER "/peers/optuna_peer.py";

static void send(struct peer *peer, const struct str *line)
{
    if (fprintf(peer->out, "%s\n", line->text) < 0 || fflush(peer->out))
        BUG("the peer takes no line");
}

static struct json receive(struct peer *peer)
{
    struct json json = {0};
    ssize_t length = getline(&peer->line, &peer->capacity, peer->in);
    if (length > 0)
        json_open(&json, peer->line, (size_t)length);
    return json;
}

struct peer *peer_open(void)
{
    int to[2], from[2];
    if (pipe(to) || pipe(from))
        BUG("no pipe for the peer");
    struct peer *peer = memory_new(1, sizeof *peer);
    peer->pid = fork();
    if (peer->pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        close(to[1]);
        close(from[0]);
        setenv("OMP_NUM_THREADS", "1", 1); /* the processes of the benchmark share the cores */
        setenv("OPENBLAS_NUM_THREADS", "1", 1);
        execl("/usr/bin/python3", "python3", program, (char *)NULL);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    peer->out = fdopen(to[1], "w");
    peer->in = fdopen(from[0], "r");
    struct json hello = receive(peer); /* it says {} when it is ready */
    if (hello.start)
        return peer;
    peer_close(peer);
    return NULL;
}

void peer_close(struct peer *peer)
{
    if (!peer)
        return;
    fclose(peer->out); /* it ends at the end of its input */
    fclose(peer->in);
    waitpid(peer->pid, NULL, 0);
    free(peer->line);
    free(peer);
}

static void put_clauses(struct str *s, const struct parameter *parameter)
{
    str_add(s, ", \"when\": [");
    for (size_t i = 0; i < parameter->when_count; i++) {
        const struct clause *clause = &parameter->when[i];
        str_printf(s, "%s[%zu, [", i ? ", " : "", clause->parameter);
        for (size_t j = 0; j < clause->count; j++) {
            str_add(s, j ? ", " : "");
            json_put_number(s, clause->values[j]);
        }
        str_add(s, "]]");
    }
    str_add(s, "]}");
}

static void put_parameter(struct str *s, const struct space *space, size_t index)
{
    static const char *const kinds[] = {"float", "int", "choice", "ordered", "constant"};
    const struct parameter *parameter = &space->parameters[index];
    str_printf(s, "{\"index\": %zu, \"name\": ", index);
    json_put_string(s, parameter->name, strlen(parameter->name));
    str_printf(s, ", \"kind\": \"%s\", \"log\": %s, \"values\": %zu", kinds[parameter->kind],
               parameter->log ? "true" : "false", parameter->value_count);
    str_add(s, ", \"low\": ");
    json_put_number(s, parameter->low);
    str_add(s, ", \"high\": ");
    json_put_number(s, parameter->high);
    str_add(s, ", \"step\": ");
    json_put_number(s, parameter->step);
    put_clauses(s, parameter);
}

void peer_begin(struct peer *peer, const char *algorithm, const struct problem *problem,
                uint64_t seed, size_t parallel)
{
    const struct space *space = &problem->study.space;
    struct str s = {0};
    str_printf(&s, "{\"begin\": \"%s\", \"seed\": %ju, \"parallel\": %zu, \"conditional\": %s, ",
               algorithm, (uintmax_t)seed, parallel, problem->conditional ? "true" : "false");
    str_add(&s, "\"space\": [");
    for (size_t i = 0; i < space->count; i++) {
        str_add(&s, i ? ", " : "");
        put_parameter(&s, space, space->order[i]);
    }
    str_add(&s, "]}");
    send(peer, &s);
    str_free(&s);
}

void peer_ask(struct peer *peer, const struct problem *problem, uint64_t k, double *point)
{
    struct str s = {0};
    str_printf(&s, "{\"ask\": %ju}", (uintmax_t)k);
    send(peer, &s);
    str_free(&s);
    struct json json = receive(peer);
    size_t count = 0, width = problem->study.space.count;
    json_enter(&json, '[');
    while (json_item(&json) && count < width) {
        bool active = json_peek(&json) == JSON_NUMBER;
        point[count] = active ? json_number(&json) : NAN;
        if (!active)
            json_skip(&json);
        count++;
    }
    if (count != width)
        BUG("the peer gave %zu of %zu numbers", count, width);
}

void peer_tell(struct peer *peer, uint64_t k, double score)
{
    struct str s = {0};
    str_printf(&s, "{\"tell\": %ju, \"score\": ", (uintmax_t)k);
    json_put_number(&s, score);
    str_add(&s, "}");
    send(peer, &s);
    str_free(&s);
}
