/* processes.c - read processes from /proc. */
#include "helper/processes.h"

#include "base/base.h"

#include <dirent.h>
#include <fcntl.h>
#include <unistd.h>

static bool read_small(const char *path, char *text, size_t size)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    ssize_t length = read(fd, text, size - 1);
    close(fd);
    text[length > 0 ? length : 0] = 0;
    return length > 0;
}

void processes_count_bytes(pid_t pid, uint64_t *read, uint64_t *written)
{
    char path[32], text[512];
    unsigned long long got, put;
    snprintf(path, sizeof path, "/proc/%d/io", (int)pid);
    if (!read_small(path, text, sizeof text) ||
        sscanf(text, "rchar: %llu wchar: %llu", &got, &put) != 2)
        return;
    *read = got;
    *written = put;
}

/* The name in parentheses may hold anything, so fields are counted from its last ')'. */
bool processes_read(pid_t pid, struct process *process)
{
    char path[32], text[1024];
    snprintf(path, sizeof path, "/proc/%d/stat", (int)pid);
    if (!read_small(path, text, sizeof text))
        return false;
    const char *at = strrchr(text, ')');
    int parent, session;
    unsigned long long started;
    long long resident;
    if (!at || sscanf(at + 1,
                      " %*c %d %*d %d %*d %*d %*u %*u %*u %*u %*u %*u %*u %*d %*d %*d %*d %*d %*d "
                      "%llu %*u %lld",
                      &parent, &session, &started, &resident) != 4)
        return false;
    *process =
        (struct process){parent, session, started, (uint64_t)resident * (uint64_t)getpagesize()};
    return true;
}

void processes_visit(void (*visit)(void *self, pid_t pid, const struct process *process),
                     void *self)
{
    DIR *proc = opendir("/proc");
    if (!proc)
        return;
    for (struct dirent *entry; (entry = readdir(proc));) {
        char *end;
        long pid = strtol(entry->d_name, &end, 10);
        struct process process;
        if (*end == 0 && pid > 1 && processes_read((pid_t)pid, &process))
            visit(self, (pid_t)pid, &process);
    }
    closedir(proc);
}

bool processes_environment(pid_t pid, struct str *text)
{
    char path[32];
    struct err ignored = {0};
    snprintf(path, sizeof path, "/proc/%d/environ", (int)pid);
    str_clear(text);
    return str_read_file(text, path, 4 << 20, &ignored) == 0;
}

const char *processes_variable(const struct str *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = str_text(text); at < str_text(text) + text->length; at += strlen(at) + 1)
        if (strncmp(at, name, length) == 0 && at[length] == '=')
            return at + length + 1;
    return NULL;
}

uint64_t processes_trial(pid_t pid)
{
    struct str text = {0};
    const char *number =
        processes_environment(pid, &text) ? processes_variable(&text, "WICK_TRIAL") : NULL;
    uint64_t trial = number ? strtoull(number, NULL, 10) : 0;
    str_free(&text);
    return trial;
}

bool processes_are_ours(void)
{
    char text[32] = "";
    ssize_t length = readlink("/proc/self", text, sizeof text - 1);
    return length > 0 && strtol(text, NULL, 10) == getpid();
}
