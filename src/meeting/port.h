/*
 * port.h - a port of this node for the ranks of a trial to meet at (private to this room).
 *
 * Nobody else on the node may get the same one while the trial runs: not another trial of this or
 * of another study, nor a program that asks the kernel for any free port. A socket that stays bound
 * would keep the port, but then a program that listens without SO_REUSEADDR could not have it. So
 * the port lies below the range from which the kernel gives out ports, it is tried for a moment,
 * and what is kept is a lock with the port's number as its name: an abstract Unix socket, which
 * lives in the network namespace, as ports do, and goes with its process.
 */
#ifndef MEETING_PORT_H
#define MEETING_PORT_H

/* Chooses a port and returns the lock, to be closed when the trial is over; -1: none is free. */
int port_take(unsigned *port);

#endif
