/*
 * shim.c - makes one system call of Wick fail (see faults.h).
 *
 * It is linked into `wick-faults`, which is otherwise the same program as `wick`. Its functions
 * take the place of those of libc, also for the shared libraries that Wick uses, and pass every
 * call on, except for the one that is to fail. Because it is not preloaded, no other program has
 * it: not a trial, nor a `wick` that a trial starts. It works the same under the address sanitizer,
 * whose interceptors it calls instead of libc.
 */
#include "faults.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/statfs.h>
#include <sys/statvfs.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static struct faults *faults; /* NULL: nothing fails */
static enum faults_process process;
static pid_t self;
static __thread bool busy; /* this thread is in the shim */

extern const char __ehdr_start[]; /* where the program was loaded */

/* Notes where the call comes from. A child of vfork() may not allocate, as backtrace() does. */
static void note_place(enum faults_process who, void *caller)
{
    void *stack[FAULTS_DEPTH] = {caller};
    int depth = 1;
    if (who != FAULTS_CHILD)
        depth = backtrace(stack, FAULTS_DEPTH);
    for (int i = 0; i < depth; i++)
        faults->places[i] = (uint64_t)((const char *)stack[i] - __ehdr_start);
}

/* Counts a call; true, with errno, when it is to fail. */
static bool fails(enum faults_call call, void *caller)
{
    if (!faults || busy)
        return false;
    pid_t now = (pid_t)syscall(SYS_getpid);
    enum faults_process who = now == self ? process : FAULTS_CHILD;
    uint64_t number = __atomic_add_fetch(&faults->counts[who][call], 1, __ATOMIC_RELAXED);
    if (faults->number == 0 || (int)call != faults->call || (int)who != faults->process ||
        number < faults->number || (number > faults->number && !faults->onwards))
        return false;
    busy = true;
    if (__atomic_add_fetch(&faults->failed, 1, __ATOMIC_RELAXED) == 1)
        note_place(who, caller);
    busy = false;
    errno = faults->error;
    return true;
}

__attribute__((constructor)) static void start(void)
{
    const char *path = getenv(FAULTS_VARIABLE);
    int fd = path ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *mapped = (void *)syscall(SYS_mmap, NULL, sizeof *faults, PROT_READ | PROT_WRITE,
                                   MAP_SHARED, fd, (off_t)0);
    syscall(SYS_close, fd);
    unsetenv(FAULTS_VARIABLE);
    void *none[1];
    backtrace(none, 1); /* loads what it needs */
    self = getpid();
    faults = mapped == MAP_FAILED ? NULL : mapped;
}

/* ---- functions that fail or are passed on ---- */

#define CALLER __builtin_return_address(0)

/* Declares real_NAME, and find_NAME() that sets it: the sanitizer's, or else libc's. */
#define REAL(type, name, parameters)                                                               \
    extern __attribute__((weak)) type __interceptor_##name parameters;                             \
    static type(*real_##name) parameters;                                                          \
    static inline void find_##name(void)                                                           \
    {                                                                                              \
        if (!real_##name)                                                                          \
            real_##name = __interceptor_##name ? __interceptor_##name                              \
                                               : (__typeof__(real_##name))dlsym(RTLD_NEXT, #name); \
    }

/* A function that returns `failed` when it fails. */
#define WRAP(call, failed, type, name, parameters, arguments)                                      \
    REAL(type, name, parameters)                                                                   \
    type name parameters                                                                           \
    {                                                                                              \
        if (fails(call, CALLER))                                                                   \
            return failed;                                                                         \
        find_##name();                                                                             \
        return real_##name arguments;                                                              \
    }

WRAP(FAULTS_OPEN, NULL, FILE *, fopen, (const char *path, const char *mode), (path, mode))
WRAP(FAULTS_OPEN, NULL, DIR *, opendir, (const char *path), (path))
WRAP(FAULTS_OPEN, NULL, DIR *, fdopendir, (int fd), (fd))
WRAP(FAULTS_OPEN, -1, int, mkostemp, (char *name, int flags), (name, flags))
WRAP(FAULTS_OPEN, -1, int, memfd_create, (const char *name, unsigned flags), (name, flags))
WRAP(FAULTS_OPEN, -1, int, scandir,
     (const char *restrict path, struct dirent ***restrict names,
      int (*filter)(const struct dirent *),
      int (*order)(const struct dirent **, const struct dirent **)),
     (path, names, filter, order))
WRAP(FAULTS_FSYNC, -1, int, fsync, (int fd), (fd))
WRAP(FAULTS_FSYNC, -1, int, fdatasync, (int fd), (fd))
WRAP(FAULTS_RENAME, -1, int, rename, (const char *from, const char *to), (from, to))
WRAP(FAULTS_RENAME, -1, int, renameat, (int a, const char *from, int b, const char *to),
     (a, from, b, to))
WRAP(FAULTS_RENAME, -1, int, linkat, (int a, const char *from, int b, const char *to, int flags),
     (a, from, b, to, flags))
WRAP(FAULTS_READ, NULL, struct dirent *, readdir, (DIR * folder), (folder))
WRAP(FAULTS_MMAP, MAP_FAILED, void *, mmap, (void *a, size_t n, int p, int f, int fd, off_t at),
     (a, n, p, f, fd, at))
WRAP(FAULTS_MMAP, MAP_FAILED, void *, mmap64, (void *a, size_t n, int p, int f, int fd, off64_t at),
     (a, n, p, f, fd, at))
WRAP(FAULTS_PIPE, -1, int, pipe, (int pair[2]), (pair))
WRAP(FAULTS_PIPE, -1, int, pipe2, (int pair[2], int flags), (pair, flags))
WRAP(FAULTS_SOCKET, -1, int, socket, (int domain, int type, int protocol), (domain, type, protocol))
WRAP(FAULTS_SOCKET, -1, int, socketpair, (int domain, int type, int protocol, int pair[2]),
     (domain, type, protocol, pair))
WRAP(FAULTS_BIND, -1, int, bind, (int fd, const struct sockaddr *a, socklen_t n), (fd, a, n))
WRAP(FAULTS_BIND, -1, int, listen, (int fd, int most), (fd, most))
WRAP(FAULTS_ACCEPT, -1, int, accept, (int fd, struct sockaddr *restrict a, socklen_t *restrict n),
     (fd, a, n))
WRAP(FAULTS_ACCEPT, -1, int, accept4,
     (int fd, struct sockaddr *restrict a, socklen_t *restrict n, int flags), (fd, a, n, flags))
WRAP(FAULTS_CONNECT, -1, int, connect, (int fd, const struct sockaddr *a, socklen_t n), (fd, a, n))
WRAP(FAULTS_FORK, -1, pid_t, vfork, (void), ()) /* must be a jump: it returns twice */
WRAP(FAULTS_EPOLL, -1, int, epoll_create1, (int flags), (flags))
WRAP(FAULTS_SEND, -1, ssize_t, send, (int fd, const void *b, size_t n, int flags),
     (fd, b, n, flags))
WRAP(FAULTS_SEND, -1, ssize_t, sendmsg, (int fd, const struct msghdr *m, int flags), (fd, m, flags))
WRAP(FAULTS_EVENT, -1, int, eventfd, (unsigned value, int flags), (value, flags))
WRAP(FAULTS_EVENT, -1, int, signalfd, (int fd, const sigset_t *mask, int flags), (fd, mask, flags))
WRAP(FAULTS_TRUNCATE, -1, int, ftruncate, (int fd, off_t length), (fd, length))
WRAP(FAULTS_TRUNCATE, -1, int, ftruncate64, (int fd, off64_t length), (fd, length))
WRAP(FAULTS_STAT, -1, int, stat, (const char *restrict p, struct stat *restrict s), (p, s))
WRAP(FAULTS_STAT, -1, int, lstat, (const char *restrict p, struct stat *restrict s), (p, s))
WRAP(FAULTS_STAT, -1, int, fstat, (int fd, struct stat *s), (fd, s))
WRAP(FAULTS_STAT, -1, int, fstatat,
     (int fd, const char *restrict p, struct stat *restrict s, int flags), (fd, p, s, flags))
WRAP(FAULTS_STAT, -1, int, stat64, (const char *restrict p, struct stat64 *restrict s), (p, s))
WRAP(FAULTS_STAT, -1, int, lstat64, (const char *restrict p, struct stat64 *restrict s), (p, s))
WRAP(FAULTS_STAT, -1, int, fstat64, (int fd, struct stat64 *s), (fd, s))
WRAP(FAULTS_STAT, -1, int, statfs, (const char *p, struct statfs *s), (p, s))
WRAP(FAULTS_STAT, -1, int, statvfs, (const char *restrict p, struct statvfs *restrict s), (p, s))
WRAP(FAULTS_STAT, -1, int, access, (const char *p, int mode), (p, mode))
WRAP(FAULTS_STAT, -1, int, faccessat, (int fd, const char *p, int mode, int flags),
     (fd, p, mode, flags))
WRAP(FAULTS_STAT, NULL, char *, realpath, (const char *restrict p, char *restrict to), (p, to))
WRAP(FAULTS_MKDIR, -1, int, mkdir, (const char *path, mode_t mode), (path, mode))
WRAP(FAULTS_MKDIR, -1, int, mkdirat, (int fd, const char *path, mode_t mode), (fd, path, mode))
WRAP(FAULTS_MKDIR, NULL, char *, mkdtemp, (char *name), (name))
WRAP(FAULTS_MKDIR, -1, int, symlink, (const char *to, const char *path), (to, path))
WRAP(FAULTS_UNLINK, -1, int, unlink, (const char *path), (path))
WRAP(FAULTS_UNLINK, -1, int, unlinkat, (int fd, const char *path, int flags), (fd, path, flags))
WRAP(FAULTS_UNLINK, -1, int, rmdir, (const char *path), (path))
WRAP(FAULTS_LOCK, -1, int, flock, (int fd, int how), (fd, how))
WRAP(FAULTS_DUPLICATE, -1, int, dup2, (int from, int to), (from, to))
WRAP(FAULTS_POLL, -1, int, poll, (struct pollfd * all, nfds_t n, int limit), (all, n, limit))
WRAP(FAULTS_POLL, -1, int, epoll_wait, (int fd, struct epoll_event *all, int n, int limit),
     (fd, all, n, limit))
WRAP(FAULTS_CHMOD, -1, int, chmod, (const char *path, mode_t mode), (path, mode))
WRAP(FAULTS_CHMOD, -1, int, fchmod, (int fd, mode_t mode), (fd, mode))
WRAP(FAULTS_CHMOD, -1, int, fchmodat, (int fd, const char *p, mode_t mode, int flags),
     (fd, p, mode, flags))
WRAP(FAULTS_FOLDER, NULL, char *, getcwd, (char *path, size_t size), (path, size))
WRAP(FAULTS_FOLDER, -1, int, chdir, (const char *path), (path))
WRAP(FAULTS_RANDOM, -1, ssize_t, getrandom, (void *bytes, size_t n, unsigned flags),
     (bytes, n, flags))

/* ---- functions that can do a part of their work ---- */

/*
 * An eventfd, a signalfd and the like cannot fail; a pipe or a socket can, but not as a file does.
 */
static bool transfer_fails(int fd, enum faults_call file, enum faults_call other, void *caller)
{
    struct stat info;
    if (!faults || busy || syscall(SYS_fstat, fd, &info) != 0)
        return false;
    if (S_ISREG(info.st_mode))
        return fails(file, caller);
    if (S_ISFIFO(info.st_mode) || S_ISSOCK(info.st_mode) || S_ISCHR(info.st_mode))
        return fails(other, caller);
    return false;
}

#define WRAP_TRANSFER(file, other, type, name, parameters, arguments)                              \
    REAL(type, name, parameters)                                                                   \
    type name parameters                                                                           \
    {                                                                                              \
        if (transfer_fails(fd, file, other, CALLER)) {                                             \
            if (errno != FAULTS_SHORT)                                                             \
                return -1;                                                                         \
            n = n > 1 ? n / 2 : n;                                                                 \
        }                                                                                          \
        find_##name();                                                                             \
        return real_##name arguments;                                                              \
    }

WRAP_TRANSFER(FAULTS_WRITE, FAULTS_PUT, ssize_t, write, (int fd, const void *b, size_t n),
              (fd, b, n))
WRAP_TRANSFER(FAULTS_WRITE, FAULTS_PUT, ssize_t, pwrite,
              (int fd, const void *b, size_t n, off_t at), (fd, b, n, at))
WRAP_TRANSFER(FAULTS_WRITE, FAULTS_PUT, ssize_t, pwrite64,
              (int fd, const void *b, size_t n, off64_t at), (fd, b, n, at))
WRAP_TRANSFER(FAULTS_WRITE, FAULTS_PUT, ssize_t, copy_file_range,
              (int in, off64_t *a, int fd, off64_t *b, size_t n, unsigned flags),
              (in, a, fd, b, n, flags))
WRAP_TRANSFER(FAULTS_READ, FAULTS_GET, ssize_t, read, (int fd, void *b, size_t n), (fd, b, n))
WRAP_TRANSFER(FAULTS_READ, FAULTS_GET, ssize_t, pread, (int fd, void *b, size_t n, off_t at),
              (fd, b, n, at))
WRAP_TRANSFER(FAULTS_READ, FAULTS_GET, ssize_t, pread64, (int fd, void *b, size_t n, off64_t at),
              (fd, b, n, at))

/* ---- functions with a peculiarity ---- */

extern void *__libc_malloc(size_t size), *__libc_calloc(size_t count, size_t size),
    *__libc_realloc(void *old, size_t size);
extern __attribute__((weak)) void *__interceptor_malloc(size_t size);
extern __attribute__((weak)) void *__interceptor_calloc(size_t count, size_t size);
extern __attribute__((weak)) void *__interceptor_realloc(void *old, size_t size);

void *malloc(size_t size)
{
    if (fails(FAULTS_MALLOC, CALLER))
        return NULL;
    return __interceptor_malloc ? __interceptor_malloc(size) : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    if (fails(FAULTS_MALLOC, CALLER))
        return NULL;
    return __interceptor_calloc ? __interceptor_calloc(count, size) : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    if (fails(FAULTS_MALLOC, CALLER))
        return NULL;
    return __interceptor_realloc ? __interceptor_realloc(old, size) : __libc_realloc(old, size);
}

#define WRAP_OPEN(name, parameters, arguments)                                                     \
    REAL(int, name, parameters)                                                                    \
    int name parameters                                                                            \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        mode_t mode = flags & (O_CREAT | O_TMPFILE) ? va_arg(more, mode_t) : 0;                    \
        va_end(more);                                                                              \
        if (fails(FAULTS_OPEN, CALLER))                                                            \
            return -1;                                                                             \
        find_##name();                                                                             \
        return real_##name arguments;                                                              \
    }

WRAP_OPEN(open, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(open64, (const char *path, int flags, ...), (path, flags, mode))
WRAP_OPEN(openat, (int fd, const char *path, int flags, ...), (fd, path, flags, mode))

/* Locking and copying a descriptor can fail; the rest of fcntl() cannot. */
static bool fcntl_fails(int command, void *caller)
{
    if (command == F_SETLK || command == F_SETLKW || command == F_OFD_SETLK ||
        command == F_OFD_SETLKW)
        return fails(FAULTS_LOCK, caller);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        return fails(FAULTS_DUPLICATE, caller);
    return false;
}

#define WRAP_FCNTL(name)                                                                           \
    REAL(int, name, (int fd, int command, ...))                                                    \
    int name(int fd, int command, ...)                                                             \
    {                                                                                              \
        va_list more;                                                                              \
        va_start(more, command);                                                                   \
        void *argument = va_arg(more, void *);                                                     \
        va_end(more);                                                                              \
        if (fcntl_fails(command, CALLER))                                                          \
            return -1;                                                                             \
        find_##name();                                                                             \
        return real_##name(fd, command, argument);                                                 \
    }

WRAP_FCNTL(fcntl)
WRAP_FCNTL(fcntl64)

/* What is taken away is taken away, as in the kernel: only ADD and MOD can fail. */
REAL(int, epoll_ctl, (int epoll, int what, int fd, struct epoll_event *event))
int epoll_ctl(int epoll, int what, int fd, struct epoll_event *event)
{
    if (what != EPOLL_CTL_DEL && fails(FAULTS_WATCH, CALLER))
        return -1;
    find_epoll_ctl();
    return real_epoll_ctl(epoll, what, fd, event);
}

/* The kernel hands out what has arrived before it says that the other end is gone. */
static bool receive_fails(int fd, void *caller)
{
    char byte;
    if (!fails(FAULTS_RECEIVE, caller))
        return false;
    int number = errno;
    bool has_more = syscall(SYS_recvfrom, fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT, NULL, NULL) > 0;
    errno = number;
    return number != ECONNRESET || !has_more;
}

#define WRAP_RECEIVE(name, parameters, arguments)                                                  \
    REAL(ssize_t, name, parameters)                                                                \
    ssize_t name parameters                                                                        \
    {                                                                                              \
        if (receive_fails(fd, CALLER))                                                             \
            return -1;                                                                             \
        find_##name();                                                                             \
        return real_##name arguments;                                                              \
    }

WRAP_RECEIVE(recv, (int fd, void *b, size_t n, int flags), (fd, b, n, flags))
WRAP_RECEIVE(recvmsg, (int fd, struct msghdr *m, int flags), (fd, m, flags))

/* Only a call that waits can be interrupted. */
#define WRAP_WAIT(type, name, parameters, arguments)                                               \
    REAL(type, name, parameters)                                                                   \
    type name parameters                                                                           \
    {                                                                                              \
        if (!(flags & WNOHANG) && fails(FAULTS_WAIT, CALLER))                                      \
            return -1;                                                                             \
        find_##name();                                                                             \
        return real_##name arguments;                                                              \
    }

WRAP_WAIT(pid_t, waitpid, (pid_t pid, int *status, int flags), (pid, status, flags))
WRAP_WAIT(int, waitid, (idtype_t type, id_t id, siginfo_t *info, int flags),
          (type, id, info, flags))
WRAP_WAIT(pid_t, wait4, (pid_t pid, int *status, int flags, struct rusage *usage),
          (pid, status, flags, usage))

/* The descriptor is closed even when close() fails. */
REAL(int, close, (int fd))
int close(int fd)
{
    bool failed = fails(FAULTS_CLOSE, CALLER);
    int number = errno;
    find_close();
    int closed = real_close(fd);
    if (!failed)
        return closed;
    errno = number;
    return -1;
}

REAL(pid_t, fork, (void))
pid_t fork(void)
{
    if (fails(FAULTS_FORK, CALLER))
        return -1;
    find_fork();
    pid_t pid = real_fork();
    if (pid == 0) {
        self = getpid();
        process = FAULTS_HELPER;
    }
    return pid;
}

/* What libraries do when they are loaded is not Wick's: that of Fortran recurses without memory. */
REAL(void *, dlopen, (const char *path, int flags))
void *dlopen(const char *path, int flags)
{
    bool was_busy = busy;
    find_dlopen();
    busy = true;
    void *handle = real_dlopen(path, flags);
    busy = was_busy;
    return handle;
}

REAL(int, pthread_create,
     (pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
      void *(*function)(void *), void *restrict argument))
int pthread_create(pthread_t *restrict thread, const pthread_attr_t *restrict attributes,
                   void *(*function)(void *), void *restrict argument)
{
    if (fails(FAULTS_THREAD, CALLER))
        return errno;
    find_pthread_create();
    return real_pthread_create(thread, attributes, function, argument);
}

/* ---- streams ---- */

static const int STREAM_FAILED = 0x20; /* what ferror() looks at in glibc */

/* What was not written is lost. */
static void fail_stream(FILE *stream)
{
    int number = errno;
    __fpurge(stream);
    stream->_flags |= STREAM_FAILED;
    errno = number;
}

REAL(int, fflush, (FILE * stream))
int fflush(FILE *stream)
{
    if (stream && __fpending(stream) > 0 && fails(FAULTS_FLUSH, CALLER)) {
        fail_stream(stream);
        return EOF;
    }
    find_fflush();
    return real_fflush(stream);
}

REAL(int, fclose, (FILE * stream))
int fclose(FILE *stream)
{
    bool failed = fails(FAULTS_FLUSH, CALLER);
    int number = errno;
    if (failed)
        __fpurge(stream);
    find_fclose();
    int closed = real_fclose(stream);
    if (!failed)
        return closed;
    errno = number;
    return EOF;
}

REAL(size_t, fread, (void *restrict b, size_t size, size_t n, FILE *restrict stream))
size_t fread(void *restrict b, size_t size, size_t n, FILE *restrict stream)
{
    if (fails(FAULTS_READ, CALLER)) {
        fail_stream(stream);
        return 0;
    }
    find_fread();
    return real_fread(b, size, n, stream);
}

REAL(char *, fgets, (char *restrict b, int n, FILE *restrict stream))
char *fgets(char *restrict b, int n, FILE *restrict stream)
{
    if (fails(FAULTS_READ, CALLER)) {
        fail_stream(stream);
        return NULL;
    }
    find_fgets();
    return real_fgets(b, n, stream);
}

REAL(ssize_t, __getdelim, (char **restrict b, size_t *restrict n, int end, FILE *restrict stream))
ssize_t __getdelim(char **restrict b, size_t *restrict n, int end, FILE *restrict stream)
{
    if (fails(FAULTS_READ, CALLER)) {
        fail_stream(stream);
        return -1;
    }
    find___getdelim();
    return real___getdelim(b, n, end, stream);
}
