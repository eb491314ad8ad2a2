/* small.c - functions that are too small for their own files. */
#include "num/num.h"

#include <math.h>

int num_compare(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

bool num_covers(const double *a, const double *b, size_t count, const bool *maximize)
{
    for (size_t i = 0; i < count; i++)
        if (maximize && maximize[i] ? a[i] < b[i] : a[i] > b[i])
            return false;
    return true;
}

bool num_dominates(const double *a, const double *b, size_t count)
{
    return num_covers(a, b, count, NULL) && !num_covers(b, a, count, NULL);
}

double num_fold(double number)
{
    number = fabs(fmod(number, 2));
    return number > 1 ? 2 - number : number;
}
