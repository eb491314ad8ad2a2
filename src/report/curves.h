/* curves.h - the values by step of some trials, for the page (private to this room). */
#ifndef REPORT_CURVES_H
#define REPORT_CURVES_H

#include "report/report.h"

enum { CURVES_TRIALS = 200, CURVES_POINTS = 120 };

/*
 * Adds "curves":[{trial, steps, values}, ...]: of trials that are kept and told of steps the best
 * ten and an even choice, CURVES_TRIALS at most, each with about CURVES_POINTS of its last try's
 * steps.
 */
void curves_put(const struct journal *journal, const unsigned char *keep, struct str *s);

#endif
