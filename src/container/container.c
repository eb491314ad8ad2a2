/* container.c - see container.h. */
#include "container/container.h"
