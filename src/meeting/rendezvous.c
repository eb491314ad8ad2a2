/* rendezvous.c - see rendezvous.h. */
#include "meeting/rendezvous.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HEAD_LIMIT = 8 << 10,
    BODY_LIMIT = 1 << 20,
    STORE_LIMIT = 64 << 20, /* bytes of all entries */
    PATH_LIMIT = 512
};

static const double ACCEPT_PAUSE = 0.1; /* seconds, when there are no descriptors left */

struct entry {
    struct entry *next;
    char *path;
    struct str value;
    bool finished; /* the rank that put it has found the others */
};

struct caller {
    struct caller *next;
    struct rendezvous *all;
    int fd;
    struct str in, out;
    size_t sent;
};

struct rendezvous {
    struct comm *comm; /* NULL: gone */
    int fd;
    uint64_t pause; /* timer that listens again; 0: it listens */
    struct caller *callers;
    struct entry *entries;
    size_t bytes;
};

/* ---- the store ---- */

static struct entry *find(struct rendezvous *r, const char *path)
{
    struct entry *entry = r->entries;
    while (entry && strcmp(entry->path, path) != 0)
        entry = entry->next;
    return entry;
}

/* The memory of an entry without its value. */
static size_t size_of(const char *path)
{
    return sizeof(struct entry) + strlen(path) + 1;
}

static bool put(struct rendezvous *r, const char *path, const char *bytes, size_t length)
{
    struct entry *entry = find(r, path);
    if (r->bytes + size_of(path) + length > STORE_LIMIT)
        return false;
    if (!entry) {
        entry = memory_new(1, sizeof *entry);
        entry->path = memory_copy(path);
        entry->next = r->entries;
        r->entries = entry;
        r->bytes += size_of(path);
    }
    r->bytes += length - entry->value.length;
    str_clear(&entry->value);
    str_add_bytes(&entry->value, bytes, length);
    entry->finished = false;
    return true;
}

static void remove_entry(struct rendezvous *r, struct entry **at)
{
    struct entry *entry = *at;
    *at = entry->next;
    r->bytes -= size_of(entry->path) + entry->value.length;
    str_free(&entry->value);
    free(entry->path);
    free(entry);
}

static size_t scope_length(const char *path)
{
    return (size_t)(strrchr(path, '/') - path) + 1;
}

/* A value whose key is a rank. */
static bool is_rank(const char *path)
{
    const char *key = path + scope_length(path);
    return *key && key[strspn(key, "0123456789")] == 0;
}

static void finish(struct rendezvous *r, const char *path)
{
    struct entry *found = find(r, path);
    size_t scope = scope_length(path);
    if (found)
        found->finished = true;
    for (const struct entry *entry = r->entries; entry; entry = entry->next)
        if (strncmp(entry->path, path, scope) == 0 && is_rank(entry->path) && !entry->finished)
            return;
    for (struct entry **at = &r->entries; *at;) {
        if (strncmp((*at)->path, path, scope) == 0)
            remove_entry(r, at);
        else
            at = &(*at)->next;
    }
}

/* ---- requests ---- */

static void free_caller(struct caller *caller)
{
    if (caller->all->comm)
        comm_unwatch(caller->all->comm, caller->fd);
    close(caller->fd);
    str_free(&caller->in);
    str_free(&caller->out);
    free(caller);
}

static void hang_up(struct caller *caller)
{
    struct caller **at = &caller->all->callers;
    while (*at != caller)
        at = &(*at)->next;
    *at = caller->next;
    free_caller(caller);
}

static void write_more(void *argument)
{
    struct caller *caller = argument;
    const struct str *out = &caller->out;
    ssize_t sent =
        send(caller->fd, out->text + caller->sent, out->length - caller->sent, MSG_NOSIGNAL);
    if (sent < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (sent > 0)
        caller->sent += (size_t)sent;
    if (sent <= 0 || caller->sent == out->length)
        hang_up(caller);
}

static void reply(struct caller *caller, const char *status, const struct str *value)
{
    size_t length = value ? value->length : 0;
    str_printf(&caller->out, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
               status, length);
    if (length > 0)
        str_add_bytes(&caller->out, value->text, length);
    comm_unwatch(caller->all->comm, caller->fd);
    comm_watch_writable(caller->all->comm, caller->fd, write_more, caller);
}

static void answer(struct caller *caller, const char *method, const char *path, const char *body,
                   size_t length)
{
    struct rendezvous *r = caller->all;
    const struct entry *entry = find(r, path);
    if (strcmp(method, "GET") == 0) {
        reply(caller, entry ? "200 OK" : "404 Not Found", entry ? &entry->value : NULL);
    } else if (strcmp(method, "PUT") == 0) {
        bool good = put(r, path, body, length);
        reply(caller, good ? "200 OK" : "507 Insufficient Storage", NULL);
    } else if (strcmp(method, "DELETE") == 0) {
        finish(r, path);
        reply(caller, "200 OK", NULL);
    } else {
        reply(caller, "501 Not Implemented", NULL);
    }
}

/* The length of the body, from the head of a request; -1: it is malformed. */
static long body_length(const char *head)
{
    static const char name[] = "\r\ncontent-length:";
    for (const char *at = head; (at = strstr(at, "\r\n")); at += 2) {
        if (strncasecmp(at, name, sizeof name - 1) != 0)
            continue;
        char *end;
        long length = strtol(at + sizeof name - 1, &end, 10);
        return length >= 0 && length <= BODY_LIMIT && *end == '\r' ? length : -1;
    }
    return 0;
}

/* Answers when all of the request is there. */
static void take_request(struct caller *caller)
{
    char method[16], path[PATH_LIMIT + 1];
    char *text = caller->in.text, *end = strstr(text, "\r\n\r\n");
    if (!end && caller->in.length <= HEAD_LIMIT)
        return;
    if (!end || (size_t)(end - text) > HEAD_LIMIT) {
        reply(caller, "431 Request Header Fields Too Large", NULL);
        return;
    }
    char after = end[2]; /* the head as a text of its own, with the end of its last line */
    end[2] = 0;
    long length = body_length(text);
    bool good = sscanf(text, "%15s %512s HTTP/1.%*d", method, path) == 2;
    end[2] = after;
    size_t head = (size_t)(end - text) + 4;
    if (!good || length < 0 || path[0] != '/' || strrchr(path, '/') == path)
        reply(caller, "400 Bad Request", NULL);
    else if (caller->in.length >= head + (size_t)length)
        answer(caller, method, path, text + head, (size_t)length);
}

static void read_more(void *argument)
{
    struct caller *caller = argument;
    char bytes[16384];
    ssize_t got = recv(caller->fd, bytes, sizeof bytes, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (got <= 0) {
        hang_up(caller);
        return;
    }
    str_add_bytes(&caller->in, bytes, (size_t)got);
    take_request(caller);
}

static void listen_again(void *argument);

static void take_call(void *argument)
{
    struct rendezvous *r = argument;
    int fd = accept4(r->fd, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        /* The connection stays in the queue, and would wake us again and again. */
        comm_unwatch(r->comm, r->fd);
        r->pause = comm_after(r->comm, ACCEPT_PAUSE, listen_again, r);
    }
    if (fd < 0)
        return;
    struct caller *caller = memory_new(1, sizeof *caller);
    caller->all = r;
    caller->fd = fd;
    caller->next = r->callers;
    r->callers = caller;
    comm_watch(r->comm, fd, read_more, caller);
}

static void listen_again(void *argument)
{
    struct rendezvous *r = argument;
    r->pause = 0;
    comm_watch(r->comm, r->fd, take_call, r);
}

/* ---- start and end ---- */

struct rendezvous *rendezvous_open(struct comm *comm, unsigned port, bool loopback)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(loopback ? INADDR_LOOPBACK : INADDR_ANY);
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return NULL;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, SOMAXCONN) != 0) {
        close(fd);
        return NULL;
    }
    struct rendezvous *r = memory_new(1, sizeof *r);
    r->comm = comm;
    r->fd = fd;
    comm_watch(comm, fd, take_call, r);
    return r;
}

void rendezvous_drop(struct rendezvous *r)
{
    r->comm = NULL;
    rendezvous_close(r);
}

void rendezvous_close(struct rendezvous *r)
{
    for (struct caller *caller = r->callers, *next; caller; caller = next) {
        next = caller->next;
        free_caller(caller);
    }
    while (r->entries)
        remove_entry(r, &r->entries);
    if (r->comm && r->pause)
        comm_cancel(r->comm, r->pause);
    else if (r->comm)
        comm_unwatch(r->comm, r->fd);
    close(r->fd);
    free(r);
}
