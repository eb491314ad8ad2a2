/* eigen.c - eigenvalues and eigenvectors of a small symmetric matrix. */
#include "num/num.h"

#include <math.h>

/* Rotates rows and columns p and q so that their common element becomes 0. */
static void rotate(double *matrix, double *vectors, size_t n, size_t p, size_t q)
{
    double off = matrix[p * n + q];
    double angle = (matrix[q * n + q] - matrix[p * n + p]) / (2 * off);
    double tangent = copysign(1, angle) / (fabs(angle) + sqrt(1 + angle * angle));
    double cosine = 1 / sqrt(1 + tangent * tangent), sine = tangent * cosine;
    for (size_t i = 0; i < n; i++) {
        double a = matrix[i * n + p], b = matrix[i * n + q];
        matrix[i * n + p] = cosine * a - sine * b;
        matrix[i * n + q] = sine * a + cosine * b;
    }
    for (size_t i = 0; i < n; i++) {
        double a = matrix[p * n + i], b = matrix[q * n + i];
        matrix[p * n + i] = cosine * a - sine * b;
        matrix[q * n + i] = sine * a + cosine * b;
    }
    for (size_t i = 0; i < n; i++) {
        double a = vectors[i * n + p], b = vectors[i * n + q];
        vectors[i * n + p] = cosine * a - sine * b;
        vectors[i * n + q] = sine * a + cosine * b;
    }
    matrix[p * n + q] = matrix[q * n + p] = 0;
}

/* Makes one rotation for each pair; false when nothing was left to rotate. */
static bool sweep(double *matrix, double *vectors, size_t n)
{
    bool turned = false;
    for (size_t p = 0; p < n; p++)
        for (size_t q = p + 1; q < n; q++) {
            double scale = fabs(matrix[p * n + p]) + fabs(matrix[q * n + q]);
            if (fabs(matrix[p * n + q]) > 1e-15 * scale) {
                rotate(matrix, vectors, n, p, q);
                turned = true;
            }
        }
    return turned;
}

void num_eigen(double *matrix, size_t n, double *values, double *vectors)
{
    enum { SWEEPS = 60 }; /* about ten are enough */
    for (size_t i = 0; i < n * n; i++)
        vectors[i] = i % (n + 1) == 0;
    for (int i = 0; i < SWEEPS && sweep(matrix, vectors, n); i++)
        ;
    for (size_t i = 0; i < n; i++)
        values[i] = matrix[i * n + i];
}
