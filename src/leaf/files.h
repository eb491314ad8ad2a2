/* files.h - files as a whole, for the functions that read and write them (private to this room). */
#ifndef LEAF_FILES_H
#define LEAF_FILES_H

#include "leaf/modules.h"

/* The path that a value names, ended by a zero byte; NULL and ERR_USER if it cannot be one. */
const char *leaf_file_path(const struct leaf_call *call, const struct leaf_value *value,
                           struct err *e);
/* Reads the file of the first input, of at most 1 GiB, into the arena of the call. */
int leaf_file_load(const struct leaf_call *call, struct slice *content, struct err *e);
/* Writes the file of the first output, and makes the folders that it needs. */
int leaf_file_save(const struct leaf_call *call, struct slice content, struct err *e);

/* Functions of the module that have a file of their own. */
int leaf_glob(const struct leaf_call *call, struct err *e);
/* file_lines() */
int leaf_file_lines(const struct leaf_call *call, struct err *e);
/* file_chunks() */
int leaf_file_chunks(const struct leaf_call *call, struct err *e);

#endif
