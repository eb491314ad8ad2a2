/* curves.h - private to the room: the values that some trials reported, by step, for the page. */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

#include "report/report.h"

enum { CURVES_TRIALS = 200, CURVES_POINTS = 120 };

/*
 * Adds "curves":[{trial, steps, values}, ...] for kept trials that reported steps: the best ten and
 * an even selection, CURVES_TRIALS at most, each with about CURVES_POINTS steps of its last try.
 */
void curves_put(const struct journal *journal, const unsigned char *keep, struct str *s);

#endif
