/*
 * port.h - a port of this node for the ranks of a trial to meet at (private to this room).
 *
 * Nobody else on the node may get the same port while the trial runs: no other trial of this or
 * another study, and no program that asks the kernel for any free port. A socket that stays bound
 * would keep the port, but then a program that listens without SO_REUSEADDR could not use it. So
 * the port lies below the range from which the kernel gives out ports, it is bound for a moment to
 * see that it is free, and what is kept is a lock named after it: an abstract Unix socket, which
 * lives in the network namespace, as ports do, and vanishes with its process.
 */
#ifndef MEETING_PORT_H
#define MEETING_PORT_H

/* Chooses a port and returns its lock, to be closed after the trial; -1: none is free. */
int port_reserve(unsigned *port);

#endif
