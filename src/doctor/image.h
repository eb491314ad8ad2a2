/* image.h - trying a runtime without an image, and the MPI of an image. */
#ifndef DOCTOR_IMAGE_H
#define DOCTOR_IMAGE_H

#include "doctor/look.h"

enum image_result { IMAGE_WORKS, IMAGE_FAILED, IMAGE_UNTRIED };

/*
 * Runs `true` by a runtime in a root that is made of the host's own files. IMAGE_UNTRIED: there is
 * no way to do so with this one.
 */
enum image_result image_try_host(struct look *look, const char *runtime, const char *path,
                                 double *seconds, struct err *e);

/* Compares the MPI of an image that is a folder with that of the host. */
void image_look_mpi(struct look *look, const char *image);

#endif
