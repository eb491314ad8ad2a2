/* rendezvous.c - no requests over HTTP can make the store of the ranks crash, or hang. */
#include "worker/rendezvous.h"
#include "watch.h"

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct sockaddr_in address;

/* A port that is free now, and is kept for the whole run. */
static struct rendezvous *open_somewhere(void)
{
    struct rendezvous *rendezvous = NULL;
    static struct comm *any = (struct comm *)&address; /* not NULL, and never looked at */
    unsigned first = 20000 + (unsigned)getpid() % 20000;
    for (unsigned port = first; !rendezvous && port < first + 1000; port++) {
        address = (struct sockaddr_in){.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        rendezvous = rendezvous_open(any, port, true);
    }
    return rendezvous;
}

/* One connection with these bytes. It is reset at the end, so that no port is used up. */
static void call(const uint8_t *bytes, size_t length)
{
    struct linger reset = {1, 0};
    char answer[4096];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        abort();
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    for (size_t at = 0, piece; at < length; at += piece) {
        piece = length - at < 1500 ? length - at : 1500;
        (void)!send(fd, bytes + at, piece, MSG_NOSIGNAL);
        serve_all();
    }
    while (recv(fd, answer, sizeof answer, MSG_DONTWAIT) > 0)
        ;
    close(fd);
    serve_all();
}

/* Requests are separated by zeros: one finds what others have stored. */
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
