/*
 * integrate.c - pi as the area under 4 / (1 + x^2) from 0 to 1, in pieces.
 *
 *     cc integrate.c -o integrate $(pkg-config --cflags --libs wick)
 *     mpiexec -n 8 ./integrate
 *
 * Client 0 puts a task for each piece. Every client, including client 0, gets tasks and answers
 * them until there are none. Then client 0 adds up the answers.
 */
#include <stdio.h>
#include <wick.h>

enum { PIECES = 1000, STEPS = 10000 };

/* The area of one piece, by the midpoint rule. */
static double area(int piece)
{
    double width = 1.0 / PIECES / STEPS, sum = 0;
    for (int i = 0; i < STEPS; i++) {
        double x = (double)piece / PIECES + (i + 0.5) * width;
        sum += 4 / (1 + x * x) * width;
    }
    return sum;
}

int main(void)
{
    struct wick *w;
    if (wick_init(&w, NULL) != 0) {
        fprintf(stderr, "integrate: %s\n", wick_error(w));
        return 1;
    }
    for (int piece = 0; wick_rank(w) == 0 && piece < PIECES; piece++) {
        struct wick_task task = {.bytes = &piece, .length = sizeof piece, .answer = 1};
        wick_put(w, &task, NULL);
    }

    struct wick_assignment got;
    while (wick_get(w, &got) == 0) {
        double part = area(*(const int *)got.bytes);
        wick_answer(w, &part, sizeof part);
    }

    struct wick_result result;
    double total = 0;
    while (wick_result(w, 0, &result) == 0)
        total += *(const double *)result.bytes;
    if (wick_rank(w) == 0)
        printf("pi is about %.9f\n", total);
    return wick_finalize(w) != 0;
}
