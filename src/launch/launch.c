/* launch.c - see launch.h. */
#include "launch/launch.h"
