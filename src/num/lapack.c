/*
 * lapack.c - the machine's LAPACK, loaded when it is first needed.
 *
 * It is not linked: a program that never fits a Gaussian process need not load 30 MB, and Wick also
 * runs without it. OpenBLAS starts a pool of threads, one per core, as soon as it is loaded. But
 * the driver forks and shares the machine with trials, and sums must not depend on the number of
 * threads. So OpenBLAS is told to use one thread, in the only possible way: through the
 * environment.
 */
#include "base/base.h"
#include "num/cholesky.h"

#include <dlfcn.h>
#include <pthread.h>

typedef void (*potrf)(const char *triangle, const int *size, double *matrix, const int *stride,
                      int *info, size_t length);
typedef void (*trtrs)(const char *triangle, const char *transposed, const char *diagonal,
                      const int *size, const int *count, const double *factor, const int *stride,
                      double *columns, const int *columns_stride, int *info, size_t a, size_t b,
                      size_t c);

/* What load() found, once for all threads. */
static struct {
    pthread_once_t loaded;
    potrf factor, invert;
    trtrs solve;
} lapack = {.loaded = PTHREAD_ONCE_INIT};

static bool lapack_factor(double *matrix, size_t size, size_t stride)
{
    int n = (int)size, step = (int)stride, info = 0;
    lapack.factor("L", &n, matrix, &step, &info, 1);
    return info == 0;
}

static void lapack_invert(double *factor, size_t size, size_t stride)
{
    int n = (int)size, step = (int)stride, info = 0;
    lapack.invert("L", &n, factor, &step, &info, 1);
    if (info != 0)
        BUG("dpotri ended with %d", info);
}

static void solve(const char *transposed, const double *factor, size_t size, size_t stride,
                  double *columns, size_t count)
{
    int n = (int)size, step = (int)stride, all = (int)count, info = 0;
    if (size == 0 || count == 0)
        return;
    lapack.solve("L", transposed, "N", &n, &all, factor, &step, columns, &n, &info, 1, 1, 1);
    if (info != 0)
        BUG("dtrtrs ended with %d", info);
}

static void lapack_forward(const double *factor, size_t size, size_t stride, double *columns,
                           size_t count)
{
    solve("N", factor, size, stride, columns, count);
}

static void lapack_backward(const double *factor, size_t size, size_t stride, double *columns,
                            size_t count)
{
    solve("T", factor, size, stride, columns, count);
}

static void *open_with_one_thread(void)
{
    static const char name[] = "OPENBLAS_NUM_THREADS";
    const char *value = getenv(name);
    char *before = value ? memory_copy(value) : NULL;
    setenv(name, "1", 1);
    void *library = dlopen("liblapack.so.3", RTLD_NOW | RTLD_LOCAL);
    if (before)
        setenv(name, before, 1);
    else
        unsetenv(name);
    free(before);
    return library;
}

/* The library stays loaded until the program ends. */
static void load(void)
{
    void *library = open_with_one_thread();
    if (!library)
        return;
    /* The POSIX way to convert the object pointer of dlsym() to a function pointer. */
    *(void **)&lapack.factor = dlsym(library, "dpotrf_");
    *(void **)&lapack.invert = dlsym(library, "dpotri_");
    *(void **)&lapack.solve = dlsym(library, "dtrtrs_");
}

const struct cholesky *cholesky_lapack(void)
{
    static const struct cholesky table = {.name = "LAPACK",
                                          .factor = lapack_factor,
                                          .invert = lapack_invert,
                                          .forward = lapack_forward,
                                          .backward = lapack_backward};
    pthread_once(&lapack.loaded, load);
    return lapack.factor && lapack.invert && lapack.solve ? &table : NULL;
}
