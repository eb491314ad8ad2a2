/* rendezvous.c - see rendezvous.h. */
#include "meeting/rendezvous.h"
#include "meeting/peer.h"

#include <errno.h>
#include <netinet/in.h>
#include <strings.h>
#include <sys/socket.h>
#include <unistd.h>

enum {
    HEAD_LIMIT = 8 << 10,
    BODY_LIMIT = 1 << 20,
    STORE_LIMIT = 64 << 20, /* bytes of all entries */
    ENTRIES = 64,           /* and their number, and that of callers at a time: so many, and */
    CALLERS = 16,
    ENTRIES_PER_RANK = 32, /* so many for each rank; a rank puts a few values, one by one */
    CALLERS_PER_RANK = 4,
    CALLERS_LIMIT = 256,
    CALLS_LIMIT = 32 << 20, /* bytes of all requests and answers under way */
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
    uint64_t timer; /* hangs up */
    struct str in, out;
    size_t sent;
};

struct rendezvous {
    struct rendezvous_setup setup; /* its comm is NULL when that is gone */
    int fd, kernel;                /* kernel: see peer_open() */
    bool listens;
    uint64_t pause; /* timer that listens again; 0: none */
    struct caller *callers;
    size_t caller_count, call_bytes;
    struct entry *entries;
    size_t entry_count, bytes;
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
    if (!entry && r->entry_count >= ENTRIES + (size_t)ENTRIES_PER_RANK * r->setup.ranks)
        return false;
    if (!entry) {
        entry = memory_new(1, sizeof *entry);
        entry->path = memory_copy(path);
        entry->next = r->entries;
        r->entries = entry;
        r->bytes += size_of(path);
        r->entry_count++;
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
    r->entry_count--;
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

static void listen_again(struct rendezvous *r);

static void free_caller(struct caller *caller)
{
    struct rendezvous *r = caller->all;
    if (r->setup.comm) {
        comm_unwatch(r->setup.comm, caller->fd);
        comm_cancel(r->setup.comm, caller->timer);
    }
    close(caller->fd);
    r->caller_count--;
    r->call_bytes -= caller->in.length + caller->out.length;
    str_free(&caller->in);
    str_free(&caller->out);
    free(caller);
}

static void hang_up(struct caller *caller)
{
    struct caller **at = &caller->all->callers;
    while (*at != caller)
        at = &(*at)->next;
    struct rendezvous *r = caller->all;
    *at = caller->next;
    free_caller(caller);
    if (!r->listens && !r->pause)
        listen_again(r);
}

static void run_late(void *argument)
{
    hang_up(argument);
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
    struct rendezvous *r = caller->all;
    size_t length = value ? value->length : 0;
    if (r->call_bytes + length > CALLS_LIMIT) {
        status = "503 Service Unavailable";
        length = 0;
    }
    str_printf(&caller->out, "HTTP/1.1 %s\r\nContent-Length: %zu\r\nConnection: close\r\n\r\n",
               status, length);
    if (length > 0)
        str_add_bytes(&caller->out, value->text, length);
    r->call_bytes += caller->out.length;
    comm_unwatch(r->setup.comm, caller->fd);
    comm_watch_writable(r->setup.comm, caller->fd, write_more, caller);
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
    caller->all->call_bytes += (size_t)got;
    if (caller->all->call_bytes > CALLS_LIMIT)
        reply(caller, "503 Service Unavailable", NULL);
    else
        take_request(caller);
}

/* ---- callers ---- */

/* The same user on this node, or one of the trial's other nodes. */
static bool may_call(const struct rendezvous *r, int fd, const struct sockaddr_in *from)
{
    uid_t user;
    if (peer_user(r->kernel, fd, &user))
        return user == geteuid();
    for (unsigned i = 0; i < r->setup.ranks; i++)
        if (comm_node_has_address(r->setup.comm, r->setup.nodes[i], from->sin_addr.s_addr))
            return r->setup.nodes[i] != r->setup.nodes[0];
    return false;
}

/* A connection that is reset takes no place in the kernel afterwards. */
static void refuse(int fd)
{
    struct linger reset = {.l_onoff = 1};
    setsockopt(fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    close(fd);
}

static void stop_listening(struct rendezvous *r)
{
    comm_unwatch(r->setup.comm, r->fd);
    r->listens = false;
}

static void end_pause(void *argument)
{
    struct rendezvous *r = argument;
    r->pause = 0;
    listen_again(r);
}

/* The one that has waited longest without a complete request; NULL: there is none. */
static struct caller *find_silent(const struct rendezvous *r)
{
    struct caller *silent = NULL;
    for (struct caller *caller = r->callers; caller; caller = caller->next)
        if (caller->out.length == 0)
            silent = caller;
    return silent;
}

static bool is_full(const struct rendezvous *r)
{
    size_t most = CALLERS + (size_t)CALLERS_PER_RANK * r->setup.ranks;
    return r->caller_count >= (most < CALLERS_LIMIT ? most : CALLERS_LIMIT);
}

/* A request mostly comes with the call: it is read at once, before its caller could be dropped. */
static void add_caller(struct rendezvous *r, int fd)
{
    if (is_full(r))
        hang_up(find_silent(r));
    struct caller *caller = memory_new(1, sizeof *caller);
    caller->all = r;
    caller->fd = fd;
    caller->next = r->callers;
    caller->timer = comm_after(r->setup.comm, r->setup.seconds, run_late, caller);
    r->callers = caller;
    r->caller_count++;
    comm_watch(r->setup.comm, fd, read_more, caller);
    read_more(caller);
}

static void take_call(void *argument)
{
    struct rendezvous *r = argument;
    struct sockaddr_in from = {0};
    socklen_t length = sizeof from;
    if (is_full(r) && !find_silent(r)) {
        stop_listening(r); /* until one has its answer; others wait in the kernel's queue */
        return;
    }
    int fd = accept4(r->fd, (struct sockaddr *)&from, &length, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (fd < 0 && errno != EAGAIN && errno != EINTR && errno != ECONNABORTED) {
        /* The connection stays in the queue, and would wake us again and again. */
        stop_listening(r);
        r->pause = comm_after(r->setup.comm, ACCEPT_PAUSE, end_pause, r);
    }
    if (fd < 0)
        return;
    if (may_call(r, fd, &from))
        add_caller(r, fd);
    else
        refuse(fd);
}

static void listen_again(struct rendezvous *r)
{
    r->listens = true;
    comm_watch(r->setup.comm, r->fd, take_call, r);
}

/* ---- start and end ---- */

struct rendezvous *rendezvous_open(const struct rendezvous_setup *setup)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)setup->port),
                                  .sin_addr.s_addr = setup->address};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0)
        return NULL;
    if (bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, SOMAXCONN) != 0) {
        close(fd);
        return NULL;
    }
    struct rendezvous *r = memory_new(1, sizeof *r);
    r->setup = *setup;
    r->fd = fd;
    r->kernel = peer_open();
    listen_again(r);
    return r;
}

void rendezvous_drop(struct rendezvous *r)
{
    r->setup.comm = NULL;
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
    if (r->setup.comm && r->pause)
        comm_cancel(r->setup.comm, r->pause);
    if (r->setup.comm && r->listens)
        comm_unwatch(r->setup.comm, r->fd);
    close(r->fd);
    if (r->kernel >= 0)
        close(r->kernel);
    free(r);
}
