/*
 * clock.h - the system's clocks. Balance, worker and run never call these: they ask comm, whose
 * time is virtual in the simulator.
 */
#ifndef BASE_CLOCK_H
#define BASE_CLOCK_H

/* Seconds since some moment in the past; never goes backwards. */
double clock_now(void);
/* Seconds since 1970. */
double clock_wall(void);
/*
 * Writes a wall time as 2026-01-31T12:00:00Z and returns the text; outside 1970-9999: 1970. NaN is
 * empty.
 */
char *clock_format(double wall, char text[32]);

#endif
