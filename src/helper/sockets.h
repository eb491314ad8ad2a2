/*
 * sockets.h - the sockets on which workers listen for what their programs say (private to this
 * room).
 */
#ifndef HELPER_SOCKETS_H
#define HELPER_SOCKETS_H

#include "base/base.h"

/*
 * Makes a folder that only this user may enter, with a name short enough for sockets in it, and
 * removes those that were left behind by runs that were killed.
 */
int sockets_make_folder(struct str *folder, struct err *e);
/* Listens on `count` sockets in the folder; when one fails, none is left open. */
int sockets_make(const char *folder, int *sockets, unsigned count, struct err *e);
/* Appends the path of the socket of a channel, from 1. */
void sockets_address(const char *folder, unsigned channel, struct str *path);
/*
 * True when this is the path of such a folder, and nobody listens in it, or it is gone: its run is
 * over.
 */
bool sockets_are_deserted(const char *folder);
/* Removes the folder and the sockets in it. */
void sockets_remove_folder(const char *folder);

#endif
