/* files.h - files that the runtime itself makes (private to this room). */
#ifndef FLOW_FILES_H
#define FLOW_FILES_H

#include "base/base.h"

/* Copies a file; the folders of the copy are made. ERR_USER with both paths if it cannot. */
int files_copy(struct slice from, struct slice to, struct err *e);
/* Makes an empty file for an output that is not mapped, and appends its path. */
int files_temporary(struct str *path, struct err *e);

#endif
