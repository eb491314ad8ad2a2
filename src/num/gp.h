/* gp.h - a Gaussian process: regression with a measure of what is not known. */
#ifndef NUM_GP_H
#define NUM_GP_H

#endif
