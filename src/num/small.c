/* small.c - what is too small for a file of its own. */
#include "num/num.h"

#include <math.h>

int num_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double num_fold(double number)
{
    number = fabs(fmod(number, 2));
    return number > 1 ? 2 - number : number;
}
