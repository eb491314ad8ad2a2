/* driver.h - rank 0: serves, prints, and says what went wrong (private to this room). */
#ifndef FLOW_DRIVER_H
#define FLOW_DRIVER_H

#include "flow/flow.h"

struct flow_driver;

/* Makes the driver; its actor follows. */
struct flow_driver *flow_driver_create(const struct flow_options *options);
/* Frees it in any state. */
void flow_driver_free(struct flow_driver *driver);
/* The actor that comm runs. */
struct comm_actor flow_driver_actor(struct flow_driver *driver);
/* How the run ended. */
enum flow_end flow_driver_end(const struct flow_driver *driver);

#endif
