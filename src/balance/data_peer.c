/*
 * data_peer.c - operations for other servers, and what is held back until these have arrived.
 *
 * The operations of an event for one server travel in one message. The messages to a server are
 * numbered, and each that somebody waits for ends in a fence: when it has been handled, its number
 * comes back.
 */
#include "balance/data.h"
#include "balance/server.h"

static struct data_peer *open_peer(struct data *d, int index)
{
    struct data_peer *peer = &d->peers[index];
    if (!peer->open) {
        peer->open = true;
        d->open[d->open_count++] = index;
    }
    return peer;
}

static void add(struct data_peer *peer, const struct data_head *head, const void *body)
{
    str_add_bytes(&peer->out, head, sizeof *head);
    if (body)
        str_add_bytes(&peer->out, body, head->length);
}

void data_pass(struct data *d, int index, const struct data_head *head, const void *body,
               bool change)
{
    struct data_peer *peer = open_peer(d, index);
    add(peer, head, body);
    if (change)
        peer->changed = peer->sent + 1;
}

bool data_unsettled(const struct data *d, int index)
{
    return index != d->server->index && d->peers[index].arrived < d->peers[index].changed &&
           GUARD(GUARD_SETTLED);
}

static void add_fence(struct data_peer *peer, struct fence fence)
{
    if (peer->count > 0) {
        const struct fence *last = &peer->fences[peer->first + peer->count - 1];
        if (last->hold == fence.hold && last->number == fence.number)
            return;
    }
    if (peer->first > peer->count) { /* the queue never runs empty: move it to the front */
        memcpy(peer->fences, peer->fences + peer->first, peer->count * sizeof *peer->fences);
        peer->first = 0;
    }
    size_t end = peer->first + peer->count++;
    peer->fences = memory_grow(peer->fences, &peer->capacity, end + 1, sizeof *peer->fences);
    peer->fences[end] = fence;
    fence.hold->missing++;
}

void data_hold(struct data *d, struct hold *hold, int index)
{
    struct data_peer *peer = &d->peers[index];
    if (!data_unsettled(d, index))
        return;
    if (peer->asked < peer->changed) { /* the next message asks for all before it as well */
        open_peer(d, index);
        peer->asked = peer->sent + 1;
    }
    add_fence(peer, (struct fence){peer->changed, hold});
}

void data_unmiss(struct data *d, struct hold *hold)
{
    if (--hold->missing == 0)
        hold->go(d, hold);
}

void data_arrived(struct data *d, int index, uint64_t number)
{
    struct data_peer *peer = &d->peers[index];
    if (number > peer->sent || number < peer->arrived)
        BUG("server %d says that message %llu of %llu has arrived", index,
            (unsigned long long)number, (unsigned long long)peer->sent);
    peer->arrived = number;
    while (peer->count > 0 && peer->fences[peer->first].number <= number) {
        struct hold *hold = peer->fences[peer->first++].hold;
        if (--peer->count == 0)
            peer->first = 0;
        data_unmiss(d, hold);
    }
}

void data_flush(struct data *d)
{
    for (int i = 0; i < d->open_count; i++) {
        struct data_peer *peer = &d->peers[d->open[i]];
        struct data_head fence = {.id = ++peer->sent, .operation = DATA_FENCE};
        if (peer->asked == peer->sent)
            add(peer, &fence, NULL);
        server_send(d->server, roles_server(&d->server->roles, d->open[i]), MESSAGE_DATA_PASSED,
                    peer->out.text, peer->out.length);
        str_clear(&peer->out);
        peer->open = false;
    }
    d->open_count = 0;
}

void data_peers_free(struct data *d)
{
    for (int i = 0; i < d->server->roles.servers; i++) {
        struct data_peer *peer = &d->peers[i];
        for (; peer->count > 0; peer->count--) {
            struct hold *hold = peer->fences[peer->first++].hold;
            if (--hold->missing == 0 && hold->discard)
                hold->discard(hold);
        }
        free(peer->fences);
        str_free(&peer->out);
    }
    free(d->peers);
    free(d->open);
}
