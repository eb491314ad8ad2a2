/* doctor.c - see doctor.h. */
#include "doctor/doctor.h"
