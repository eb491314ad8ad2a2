/* rendezvous.c - no requests over HTTP can make the store of the ranks crash or hang. */
#include "meeting/rendezvous.h"
#include "watch.h"

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Replaces the system's: connections over TCP would use up all ports in a few seconds. */
static int accepted = -1;

int accept4(int fd, struct sockaddr *address, socklen_t *length, int flags)
{
    (void)fd, (void)address, (void)length, (void)flags;
    return accepted;
}

/* All calls come from the other node. */
bool comm_node_has_address(const struct comm *comm, int node, uint32_t address)
{
    (void)comm, (void)address;
    return node == 1;
}

static struct rendezvous *open_somewhere(void)
{
    static int any; /* not NULL, and never dereferenced */
    static const int nodes[] = {0, 1};
    struct rendezvous *rendezvous = NULL;
    unsigned first = 20000 + (unsigned)getpid() % 20000;
    for (unsigned port = first; !rendezvous && port < first + 1000; port++)
        rendezvous = rendezvous_open(&(struct rendezvous_setup){.comm = (struct comm *)&any,
                                                                .port = port,
                                                                .address = htonl(INADDR_LOOPBACK),
                                                                .seconds = 30,
                                                                .ranks = 2,
                                                                .nodes = nodes});
    return rendezvous;
}

/* One connection with these bytes. The listener is the descriptor that was watched first. */
static void call(const uint8_t *bytes, size_t length)
{
    char answer[4096];
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0)
        abort();
    accepted = pair[1];
    watches[0].handler(watches[0].argument);
    for (size_t at = 0, piece; at < length; at += piece) {
        piece = length - at < 1500 ? length - at : 1500;
        (void)!send(pair[0], bytes + at, piece, MSG_NOSIGNAL);
        serve_all();
    }
    while (recv(pair[0], answer, sizeof answer, 0) > 0)
        serve_all();
    close(pair[0]);
    serve_all();
}

/* Zero bytes separate requests: a request finds what others have stored. */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct rendezvous *rendezvous = open_somewhere();
    if (!rendezvous)
        abort();
    for (size_t at = 0; at < size;) {
        const uint8_t *zero = memchr(data + at, 0, size - at);
        size_t length = zero ? (size_t)(zero - data) - at : size - at;
        call(data + at, length);
        at += length + 1;
    }
    rendezvous_close(rendezvous);
    if (watch_count > 0)
        abort();
    return 0;
}
