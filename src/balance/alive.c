/*
 * alive.c - which ranks have been silent for too long.
 *
 * Four times within rules.lost_after, workers tell their server, and servers tell the first server,
 * that they are alive; the answer shows that the server is alive, too. A rank that is silent for
 * that long counts as dead. It may only be slow, so it is told, whatever it still sends is ignored,
 * and its tasks can be given to others.
 *
 * A server that was itself stopped for a while (a suspended job, a swapping machine) has heard from
 * nobody, and would give up on everyone when it wakes. It notices that its own timer is late, and
 * judges nobody until it has listened again.
 */
#include "balance/server.h"

enum { SIGNS = 4 }; /* number of signs of life within rules.lost_after */

static double period(const struct balance_server *s)
{
    return s->rules.lost_after / SIGNS;
}

static bool watches_peer(const struct balance_server *s, int index)
{
    bool far = server_is_first(s) ? index != 0 : index == 0;
    return far && !s->peers[index].closed;
}

static void listen_anew(struct balance_server *s, double now)
{
    for (int i = 0; i < s->seat_count; i++)
        s->seats[i].heard = now;
    for (int i = 0; i < s->roles.servers; i++)
        s->peers[i].heard = now;
}

/* Tells everyone, so that nobody has to find out alone; even the dead server: it may be alive. */
static void give_up_server(struct balance_server *s, int32_t dead)
{
    s->peers[roles_index(&s->roles, dead)].closed = true;
    if (server_is_first(s))
        server_send_all(s, MESSAGE_BROKEN, &dead, sizeof dead);
    if (dead != s->rank)
        comm_forget(s->comm, dead);
    for (int i = 0; i < s->seat_count; i++)
        if (s->seats[i].state != SEAT_GONE)
            comm_send(s->comm, s->seats[i].seeker.rank, MESSAGE_BROKEN, &dead, sizeof dead);
    if (s->owner.server_lost)
        s->owner.server_lost(s->owner.self, dead);
}

void alive_broken(struct balance_server *s, const struct comm_message *message)
{
    int32_t dead;
    memcpy(&dead, message->bytes, sizeof dead);
    give_up_server(s, dead);
}

static void judge(struct balance_server *s, double now)
{
    double since = now - s->rules.lost_after;
    for (int i = 0; i < s->seat_count; i++)
        if (s->seats[i].state != SEAT_GONE && s->seats[i].heard < since)
            seat_lost(s, &s->seats[i]);
    for (int i = 0; i < s->roles.servers; i++) {
        if (!watches_peer(s, i) || s->peers[i].heard >= since)
            continue;
        give_up_server(s, roles_server(&s->roles, i));
    }
}

static void look(void *self)
{
    struct balance_server *s = self;
    double now = comm_now(s->comm);
    bool late = now > s->alive_due + period(s);
    s->alive_due = now + period(s);
    s->alive_timer = comm_after(s->comm, period(s), look, s);
    if (!server_is_first(s))
        comm_send(s->comm, 0, MESSAGE_PING, NULL, 0);
    s->handling = true;
    if (late && GUARD(GUARD_LATE))
        listen_anew(s, now);
    else
        judge(s, now);
    s->handling = false;
    server_settle(s);
}

void alive_start(struct balance_server *s)
{
    if (s->rules.lost_after <= 0)
        return;
    double now = comm_now(s->comm);
    listen_anew(s, now);
    s->alive_due = now + period(s);
    s->alive_timer = comm_after(s->comm, period(s), look, s);
}

void alive_stop(struct balance_server *s)
{
    if (s->alive_timer)
        comm_cancel(s->comm, s->alive_timer);
    s->alive_timer = 0;
}

void alive_heard(struct balance_server *s, int rank)
{
    struct seat *seat = seat_of(s, rank);
    if (s->rules.lost_after <= 0)
        return;
    if (seat)
        seat->heard = comm_now(s->comm);
    else if (rank == s->rank || roles_is_server(&s->roles, rank))
        s->peers[roles_index(&s->roles, rank)].heard = comm_now(s->comm);
}

bool alive_message(struct balance_server *s, const struct comm_message *message)
{
    if (message->type == MESSAGE_PING)
        comm_send(s->comm, message->from, MESSAGE_PONG, NULL, 0);
    return message->type == MESSAGE_PING || message->type == MESSAGE_PONG;
}
