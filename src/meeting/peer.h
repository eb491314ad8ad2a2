/*
 * peer.h - whose program is at the other end of a TCP connection (private to this room).
 *
 * The kernel knows which user each socket of this node belongs to, also if its program runs in
 * a container with users of its own. Of a socket of another node it knows nothing.
 */
#ifndef MEETING_PEER_H
#define MEETING_PEER_H

#include <stdbool.h>
#include <sys/types.h>

/* A socket over which the kernel answers peer_user(); -1: it has none. To be closed. */
int peer_open(void);
/*
 * True if the other end of the connection `fd` is on this node, and then its user, as this process
 * sees users. `kernel` is what peer_open() gave: without it, /proc is searched, which takes longer.
 */
bool peer_user(int kernel, int fd, uid_t *user);

#endif
