/* image.h - tries a runtime without an image; compares the MPI of an image with the host's. */
#ifndef DOCTOR_IMAGE_H
#define DOCTOR_IMAGE_H

#include "doctor/look.h"

enum image_result { IMAGE_WORKS, IMAGE_FAILED, IMAGE_UNTRIED };

/*
 * Runs `true` with a runtime in a root that is made of the host's own files. IMAGE_UNTRIED: this
 * runtime cannot do that.
 */
enum image_result image_try_host(struct look *look, const char *runtime, const char *path,
                                 double *seconds, struct err *e);

/* Compares the MPI of an image that is a folder with that of the host. */
void image_look_mpi(struct look *look, const char *image);

#endif
