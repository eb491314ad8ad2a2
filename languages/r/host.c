/*
 * host.c - what the R language host (host.R) cannot do in R: forking, and talking to Wick's helper.
 *
 * src/helper/hosts.h describes the protocol. R calls these functions with .C(), so each takes
 * pointers to vectors and no header of R is needed: the library works with every R.
 */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { REQUEST_LIMIT = 256 << 10 };

#define FOR_R __attribute__((visibility("default")))

FOR_R void wick_host_next(int *bytes);
FOR_R void wick_host_arguments(unsigned char *bytes);
FOR_R void wick_host_leave(int *code);
FOR_R void wick_host_receive(int *lengths);
FOR_R void wick_host_read(unsigned char *bytes, int *length);
FOR_R void wick_host_answer(int *good, unsigned char *bytes, int *length);

/* The arguments of the trial that this process has become. */
static char *arguments;
static size_t arguments_length;

static ssize_t receive(int socket, struct msghdr *message)
{
    ssize_t length;
    while ((length = recvmsg(socket, message, 0)) < 0 && errno == EINTR)
        ;
    return length;
}

static void replace(int descriptor, int by)
{
    if (by >= 0 && by != descriptor) {
        dup2(by, descriptor);
        close(by);
    }
}

/* ---- the process that becomes a trial ---- */

static void pin(const char *cores)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (!*cores)
        return;
    for (char *end; *cores; cores = *end ? end + 1 : end)
        CPU_SET(strtoul(cores, &end, 10), &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* Applies the strings of a request: count, cores, folder, arguments, variables. */
static void become(char *text, size_t length)
{
    char *end = text + length, *at = text;
    long count = strtol(at, NULL, 10);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    prctl(PR_SET_CHILD_SUBREAPER, 1); /* its daemons stay its children: src/helper/family.h */
    at += strlen(at) + 1;
    pin(at);
    at += strlen(at) + 1;
    if (chdir(at) != 0)
        _exit(127);
    at += strlen(at) + 1;
    arguments = at;
    while (count-- > 0)
        at += strlen(at) + 1;
    arguments_length = (size_t)(at - arguments);
    for (; at < end; at += strlen(at) + 1)
        putenv(at); /* the text is never freed */
}

/* Waits to be told what to run; ends when nothing comes. */
static void wait_for_request(int socket_fd)
{
    static char text[REQUEST_LIMIT];
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(2 * sizeof(int))];
    } control;
    struct iovec vector = {text, sizeof text};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    int descriptors[2] = {-1, -1};
    replace(0, open("/dev/null", O_RDONLY)); /* in place of the host's socket */
    ssize_t length = receive(socket_fd, &message);
    if (length <= 0)
        _exit(0);
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    if (header && header->cmsg_len == CMSG_LEN(sizeof descriptors))
        memcpy(descriptors, CMSG_DATA(header), sizeof descriptors);
    replace(1, descriptors[0]);
    replace(2, descriptors[1]);
    close(socket_fd);
    become(text, (size_t)length);
}

/* ---- the host ---- */

static void send_ready(const char *text, int socket_fd)
{
    union {
        struct cmsghdr header;
        char bytes[CMSG_SPACE(sizeof(int))];
    } control = {0};
    struct iovec vector = {(void *)text, strlen(text)};
    struct msghdr message = {.msg_iov = &vector,
                             .msg_iovlen = 1,
                             .msg_control = control.bytes,
                             .msg_controllen = sizeof control.bytes};
    struct cmsghdr *header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(sizeof socket_fd);
    memcpy(CMSG_DATA(header), &socket_fd, sizeof socket_fd);
    (void)!sendmsg(0, &message, MSG_NOSIGNAL);
}

/* The two forks of the new process; only that one returns from here. */
static void fork_twice(const int *sockets, const int *numbers)
{
    pid_t second = fork();
    if (second != 0)
        _exit(0);
    char text[32];
    setsid();
    int length = snprintf(text, sizeof text, "ready %d", (int)getpid());
    (void)!write(numbers[1], text, (size_t)length);
    close(numbers[0]);
    close(numbers[1]);
    close(sockets[0]);
    wait_for_request(sockets[1]);
}

/* Makes a process for a trial; true in that process. */
static int fork_one(void)
{
    int sockets[2], numbers[2];
    char text[32] = "";
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, sockets) != 0)
        return 0;
    pid_t first = pipe2(numbers, O_CLOEXEC) == 0 ? fork() : -2;
    if (first == 0) {
        fork_twice(sockets, numbers);
        return 1;
    }
    close(sockets[1]);
    if (first != -2) {
        close(numbers[1]);
        (void)!read(numbers[0], text, sizeof text - 1);
        close(numbers[0]);
        while (first > 0 && waitpid(first, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    if (text[0])
        send_ready(text, sockets[0]);
    else
        (void)!send(0, "failed it cannot fork", 21, MSG_NOSIGNAL);
    close(sockets[0]);
    return 0;
}

/*
 * Forks whenever the helper asks for it. Returns the bytes of its arguments in a process that
 * becomes a trial, and -1 in the host when that is no longer needed.
 */
void wick_host_next(int *bytes)
{
    char text[16];
    for (;;) {
        ssize_t length = recv(0, text, sizeof text, 0);
        if (length < 0 && errno == EINTR)
            continue;
        *bytes = -1;
        if (length <= 0)
            return;
        if (fork_one()) {
            *bytes = (int)arguments_length;
            return;
        }
    }
}

void wick_host_arguments(unsigned char *bytes)
{
    memcpy(bytes, arguments, arguments_length);
}

/* Without R's own clean-up, which would remove the session's folder: it belongs to the host. */
void wick_host_leave(int *code)
{
    fflush(NULL);
    _exit(*code);
}

/* ---- evaluation ---- */

static int read_all(void *bytes, size_t length)
{
    size_t done = 0;
    while (done < length) {
        ssize_t got = recv(0, (char *)bytes + done, length - done, 0);
        if (got <= 0 && !(got < 0 && errno == EINTR))
            return -1;
        done += got > 0 ? (size_t)got : 0;
    }
    return 0;
}

/* The lengths of the next code and expression; -1: there is no next. */
void wick_host_receive(int *lengths)
{
    uint32_t header[2];
    if (read_all(header, sizeof header) != 0) {
        lengths[0] = -1;
        return;
    }
    lengths[0] = (int)header[0];
    lengths[1] = (int)header[1];
}

void wick_host_read(unsigned char *bytes, int *length)
{
    if (read_all(bytes, (size_t)*length) != 0)
        _exit(0);
}

void wick_host_answer(int *good, unsigned char *bytes, int *length)
{
    size_t total = 8 + (size_t)*length, done = 0;
    char *answer = malloc(total);
    if (!answer)
        _exit(1);
    memcpy(answer, (uint32_t[]){(uint32_t)*good, (uint32_t)*length}, 8);
    memcpy(answer + 8, bytes, (size_t)*length);
    while (done < total) {
        ssize_t sent = send(0, answer + done, total - done, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            _exit(0);
        done += sent > 0 ? (size_t)sent : 0;
    }
    free(answer);
}
