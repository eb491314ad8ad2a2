/*
 * end.c - find out that all work is done, and send the workers home.
 *
 * A server is quiet when all its workers are idle (or gone) and, on the first one, the owner puts
 * no more tasks and no team is at work. It is not enough that all servers are quiet: a task may be
 * on its way from one server to another, and wake one that was asked a moment before. So servers
 * count the messages that they send to and receive from each other. The first server asks all of
 * them, and each answers once it is quiet. The work is done when two rounds in a row find the same
 * counts, with as many messages received as sent: then nothing was on its way between the rounds,
 * and nobody did anything (F. Mattern's four counters, "Algorithms for distributed termination
 * detection", 1987).
 *
 * Messages of workers need no counting. What a worker puts or answers reaches its own server before
 * the worker says, over the same connection, that it is idle, and an idle worker sends nothing;
 * requests to the key-value space are answered before a worker asks for a task. Operations on data
 * can release tasks, so they are counted when they go between servers. A task that waits for data
 * keeps nobody busy: if it still waits when all work is done, it waits in vain, and the servers
 * report it before they close.
 *
 * Then every server sends its workers home, and the first one waits for all servers.
 */
#include "balance/data.h"
#include "balance/server.h"

static bool quiet(const struct balance_server *s)
{
    if (server_is_first(s) && (!s->ending.finishing || gather_pending(s)))
        return false;
    for (int i = 0; i < s->seat_count; i++)
        if (s->seats[i].state == SEAT_AWAY || s->seats[i].state == SEAT_BUSY)
            return false;
    return true;
}

static void close_all(struct balance_server *s)
{
    server_send_all(s, MESSAGE_CLOSE, NULL, 0);
    end_close(s);
}

static void begin_wave(struct balance_server *s)
{
    struct ending *end = &s->ending;
    end->before = end->sum;
    end->sum = (struct check_head){.wave = ++end->waves};
    end->answers = 0;
    server_send_all(s, MESSAGE_CHECK, &end->sum, sizeof end->sum);
    server_send(s, s->rank, MESSAGE_CHECK, &end->sum, sizeof end->sum);
}

static bool nothing_happened(const struct ending *end)
{
    if (!GUARD(GUARD_COUNTS))
        return true;
    return end->waves > 1 && end->sum.sent == end->sum.received &&
           end->sum.sent == end->before.sent && end->sum.received == end->before.received;
}

static void add_answer(struct balance_server *s, const struct check_head *answer)
{
    struct ending *end = &s->ending;
    end->sum.sent += answer->sent;
    end->sum.received += answer->received;
    end->sum.left += answer->left;
    if (++end->answers < s->roles.servers)
        return;
    if (nothing_happened(end)) {
        end->left = end->sum.left;
        close_all(s);
    } else {
        begin_wave(s);
    }
}

/* Answers the current round. */
static void answer_wave(struct balance_server *s)
{
    struct ending *end = &s->ending;
    struct check_head answer = {end->wave, end->sent, end->received, queue_count(s->queue)};
    end->wave = 0;
    if (server_is_first(s))
        add_answer(s, &answer);
    else
        comm_send(s->comm, 0, MESSAGE_QUIET, &answer, sizeof answer);
}

static void leave_if_empty(struct balance_server *s)
{
    struct ending *end = &s->ending;
    if (end->closed || s->present > 0)
        return;
    if (server_is_first(s) && end->servers_closed < s->roles.servers - 1)
        return;
    end->closed = true;
    alive_stop(s);
    seats_stop(s);
    if (!server_is_first(s))
        comm_send(s->comm, 0, MESSAGE_CLOSED, NULL, 0);
    if (server_is_first(s))
        data_tell_stuck(s);
    if (s->owner.finished)
        s->owner.finished(s->owner.self, end->left);
}

void end_look(struct balance_server *s)
{
    struct ending *end = &s->ending;
    if (end->finishing && end->waves == 0)
        begin_wave(s);
    if (end->wave && !end->closing && quiet(s))
        answer_wave(s);
    if (end->closing)
        leave_if_empty(s);
}

void end_check(struct balance_server *s, const struct comm_message *message)
{
    struct check_head check;
    memcpy(&check, message->bytes, sizeof check);
    s->ending.wave = check.wave;
}

void end_quiet(struct balance_server *s, const struct comm_message *message)
{
    struct check_head answer;
    memcpy(&answer, message->bytes, sizeof answer);
    add_answer(s, &answer);
}

void end_close(struct balance_server *s)
{
    s->ending.closing = true;
    data_report(s);
    for (struct task *task; (task = queue_any(s->queue));) { /* tasks that nobody takes */
        queue_remove(s->queue, task);
        ledger_discard(s, task, BALANCE_BACK);
    }
    for (int i = 0; i < s->seat_count; i++)
        if (s->seats[i].state != SEAT_GONE)
            comm_send(s->comm, s->seats[i].seeker.rank, MESSAGE_FINISH, NULL, 0);
}

void end_closed(struct balance_server *s, const struct comm_message *message)
{
    s->peers[roles_index(&s->roles, message->from)].closed = true;
    s->ending.servers_closed++;
}
