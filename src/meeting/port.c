/* port.c - see port.h. */
#include "meeting/port.h"

#include "base/base.h"

#include <netinet/in.h>
#include <stddef.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

enum { PORTS = 10000, LEAST = 1024, USUAL = 32768 };

/* The start of the range from which the kernel gives out ports. */
static unsigned kernel_range(void)
{
    struct str text = {0};
    struct err ignored = {0};
    unsigned long low = USUAL;
    if (str_read_file(&text, "/proc/sys/net/ipv4/ip_local_port_range", 100, &ignored) == 0)
        low = strtoul(str_text(&text), NULL, 10);
    str_free(&text);
    return low >= LEAST + PORTS && low <= 65535 ? (unsigned)low : USUAL;
}

static int lock(unsigned port)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    int length = snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "wick-port-%u", port);
    int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    socklen_t size = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)length);
    if (fd >= 0 && bind(fd, (struct sockaddr *)&name, size) == 0)
        return fd;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* True when a program could listen there, even without SO_REUSEADDR. */
static bool is_free(unsigned port)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool good = fd >= 0 && bind(fd, (struct sockaddr *)&address, sizeof address) == 0;
    if (fd >= 0)
        close(fd);
    return good;
}

/* Starts at a place that differs by process and moment, so that workers seldom try the same port.
 */
int port_reserve(unsigned *port)
{
    unsigned low = kernel_range() - PORTS;
    unsigned first = ((unsigned)getpid() * 7919u + (unsigned)(uint64_t)(clock_now() * 1e6)) % PORTS;
    for (unsigned i = 0; i < PORTS; i++) {
        *port = low + (first + i) % PORTS;
        int fd = lock(*port);
        if (fd >= 0 && is_free(*port))
            return fd;
        if (fd >= 0)
            close(fd);
    }
    return -1;
}
