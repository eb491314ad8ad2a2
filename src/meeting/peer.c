/* peer.c - see peer.h. */
#include "meeting/peer.h"

#include "base/base.h"

#include <errno.h>
#include <linux/inet_diag.h>
#include <linux/netlink.h>
#include <linux/sock_diag.h>
#include <netinet/in.h>
#include <sys/socket.h>

/* The two ends of a connection. */
struct ends {
    struct sockaddr_in ours, theirs;
};

enum answer { HERE, ELSEWHERE, UNKNOWN };

int peer_open(void)
{
    return socket(AF_NETLINK, SOCK_DGRAM | SOCK_CLOEXEC, NETLINK_SOCK_DIAG);
}

/* The kernel also finds a program that listens at their port, which says nothing about the caller.
 */
static bool is_their_end(const struct inet_diag_sockid *id, const struct ends *ends)
{
    return id->idiag_sport == ends->theirs.sin_port && id->idiag_dport == ends->ours.sin_port;
}

/* Asks for one socket, so the cost does not depend on how many the node has. */
static enum answer ask_kernel(int kernel, const struct ends *ends, uid_t *user)
{
    struct {
        struct nlmsghdr head;
        struct inet_diag_req_v2 request;
    } question = {
        .head = {.nlmsg_len = sizeof question,
                 .nlmsg_type = SOCK_DIAG_BY_FAMILY,
                 .nlmsg_flags = NLM_F_REQUEST},
        .request = {.sdiag_family = AF_INET,
                    .sdiag_protocol = IPPROTO_TCP,
                    .idiag_states = ~0u,
                    .id = {.idiag_sport = ends->theirs.sin_port,
                           .idiag_dport = ends->ours.sin_port,
                           .idiag_src = {ends->theirs.sin_addr.s_addr},
                           .idiag_dst = {ends->ours.sin_addr.s_addr},
                           .idiag_cookie = {INET_DIAG_NOCOOKIE, INET_DIAG_NOCOOKIE}}},
    };
    union {
        struct nlmsghdr head;
        char bytes[4096];
    } reply = {0};
    if (kernel < 0 || send(kernel, &question, sizeof question, MSG_DONTWAIT) < 0)
        return UNKNOWN;
    ssize_t length = recv(kernel, &reply, sizeof reply, MSG_DONTWAIT);
    size_t least = reply.head.nlmsg_type == NLMSG_ERROR ? sizeof(struct nlmsgerr)
                                                        : sizeof(struct inet_diag_msg);
    if (length < (ssize_t)NLMSG_LENGTH(least))
        return UNKNOWN;
    if (reply.head.nlmsg_type == NLMSG_ERROR) {
        const struct nlmsgerr *error = NLMSG_DATA(&reply.head);
        return error->error == -ENOENT ? ELSEWHERE : UNKNOWN;
    }
    const struct inet_diag_msg *found = NLMSG_DATA(&reply.head);
    if (found->idiag_inode == 0) /* closed already: the kernel calls its user root */
        return ELSEWHERE;
    *user = found->idiag_uid;
    return is_their_end(&found->id, ends) ? HERE : ELSEWHERE;
}

/* How a table names the socket at their end: local address, remote address. */
static void write_name(struct str *name, const struct ends *ends, bool is_mapped)
{
    const struct sockaddr_in *const both[] = {&ends->theirs, &ends->ours};
    for (size_t i = 0; i < 2; i++) {
        str_add(name, i ? " " : ": ");
        if (is_mapped) /* ::ffff:127.0.0.1 */
            str_printf(name, "0000000000000000%08X", htonl(0xffff));
        str_printf(name, "%08X:%04X", both[i]->sin_addr.s_addr, ntohs(both[i]->sin_port));
    }
}

static bool search_table(const char *path, const struct ends *ends, bool is_mapped, uid_t *user)
{
    struct str name = {0};
    FILE *table = fopen(path, "re");
    char *line = NULL;
    size_t room = 0;
    bool found = false;
    unsigned long inode = 0;
    write_name(&name, ends, is_mapped);
    while (table && !found && getline(&line, &room, table) > 0) {
        const char *at = strstr(line, name.text);
        found = at && sscanf(at + name.length, " %*s %*s %*s %*s %u %*s %lu", user, &inode) == 2 &&
                inode > 0;
    }
    if (table)
        fclose(table);
    free(line);
    str_free(&name);
    return found;
}

bool peer_user(int kernel, int fd, uid_t *user)
{
    struct ends ends = {0};
    socklen_t ours = sizeof ends.ours, theirs = sizeof ends.theirs;
    if (getsockname(fd, (struct sockaddr *)&ends.ours, &ours) != 0 ||
        getpeername(fd, (struct sockaddr *)&ends.theirs, &theirs) != 0)
        return false;
    enum answer answer = ask_kernel(kernel, &ends, user);
    return answer == HERE ||
           (answer == UNKNOWN && (search_table("/proc/net/tcp", &ends, false, user) ||
                                  search_table("/proc/net/tcp6", &ends, true, user)));
}
