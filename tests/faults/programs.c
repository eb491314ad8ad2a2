/* programs.c - running a program, and what it leaves behind. */
#include "harness.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const double LEAVE = 20; /* seconds in which what a program started must have ended */

void problem_add(struct bench *bench, const char *format, ...)
{
    size_t used = strlen(bench->problem);
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(bench->problem + used, sizeof bench->problem - used, format, arguments);
    va_end(arguments);
}

const char *bench_path(const struct bench *bench, char path[512], const char *name)
{
    snprintf(path, 512, "%s/%s", bench->folder, name);
    return path;
}

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* ---- files ---- */

char *file_text(const char *path)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    struct stat info;
    if (fd < 0 || fstat(fd, &info) != 0)
        return NULL;
    char *text = calloc(1, (size_t)info.st_size + 1);
    ssize_t got = read(fd, text, (size_t)info.st_size);
    text[got > 0 ? got : 0] = 0;
    close(fd);
    return text;
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info, (void)kind, (void)place;
    return remove(path);
}

void folder_remove(const char *path)
{
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void copy_file(const char *from, const char *to, mode_t mode)
{
    char part[65536];
    int in = open(from, O_RDONLY | O_CLOEXEC), out = open(to, O_WRONLY | O_CREAT | O_CLOEXEC, mode);
    for (ssize_t got; (got = read(in, part, sizeof part)) > 0;)
        if (write(out, part, (size_t)got) != got)
            break;
    close(in);
    close(out);
}

void folder_copy(const char *from, const char *to)
{
    DIR *folder = opendir(from);
    mkdir(to, 0777);
    for (struct dirent *entry; folder && (entry = readdir(folder));) {
        char a[512], b[512];
        struct stat info;
        if (strcmp(entry->d_name, ".") == 0 || strcmp(entry->d_name, "..") == 0)
            continue;
        if (snprintf(a, sizeof a, "%s/%s", from, entry->d_name) >= (int)sizeof a ||
            snprintf(b, sizeof b, "%s/%s", to, entry->d_name) >= (int)sizeof b ||
            stat(a, &info) != 0)
            continue;
        if (S_ISDIR(info.st_mode))
            folder_copy(a, b);
        else
            copy_file(a, b, info.st_mode);
    }
    if (folder)
        closedir(folder);
}

static void list_into(FILE *out, const char *path, const char *prefix)
{
    struct dirent **names;
    int count = scandir(path, &names, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        char below[512], name[512];
        const char *own = names[i]->d_name;
        if (strcmp(own, ".") != 0 && strcmp(own, "..") != 0 &&
            snprintf(below, sizeof below, "%s/%s", path, own) < (int)sizeof below &&
            snprintf(name, sizeof name, "%s/%s", prefix, own) < (int)sizeof name) {
            fprintf(out, "%s\n", name);
            if (names[i]->d_type == DT_DIR)
                list_into(out, below, name);
        }
        free(names[i]);
    }
    if (count >= 0)
        free(names);
}

char *folder_list(const char *path)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    list_into(out, path, "");
    fclose(out);
    return text;
}

/* ---- programs ---- */

void ended_free(struct ended *ended)
{
    free(ended->out);
    free(ended->err);
}

/* A terminal whose other end a process copies into the file `out`; -1 if there is none. */
static int open_terminal(struct bench *bench, pid_t *reader)
{
    char path[512], bytes[4096];
    int master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (master < 0 || grantpt(master) != 0 || unlockpt(master) != 0)
        return -1;
    int terminal = open(ptsname(master), O_RDWR | O_NOCTTY | O_CLOEXEC);
    *reader = fork();
    if (*reader == 0) {
        int out = open(bench_path(bench, path, "out"), O_WRONLY | O_CREAT | O_TRUNC, 0666);
        close(terminal);
        for (ssize_t got; (got = read(master, bytes, sizeof bytes)) > 0;)
            if (write(out, bytes, (size_t)got) != got)
                break;
        _exit(0);
    }
    close(master);
    return terminal;
}

static _Noreturn void become(struct bench *bench, const char *const *words, int out, int err,
                             const struct scenario *faulty)
{
    char path[512], programs[5000];
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setpgid(0, 0);
    snprintf(programs, sizeof programs, "%s:%s", bench_path(bench, path, "case/bin"),
             getenv("PATH"));
    setenv("PATH", programs, 1); /* a fixture may have programs of its own */
    int in = open(bench_path(bench, path, "in"), O_RDONLY | O_CLOEXEC);
    dup2(in, 0);
    dup2(out, 1);
    dup2(err, 2);
    setenv("TMPDIR", bench_path(bench, path, "tmp"), 1);
    if (faulty)
        setenv(faulty->inside ? "FAULTS_INSIDE" : FAULTS_VARIABLE,
               bench_path(bench, path, "faults"), 1);
    if (chdir(bench_path(bench, path, "case")) == 0)
        execvp(words[0], (char *const *)words);
    _exit(126);
}

static pid_t start(struct bench *bench, const char *const *words, const struct scenario *faulty,
                   pid_t *reader)
{
    static const int flags = O_WRONLY | O_CREAT | O_APPEND | O_TRUNC | O_CLOEXEC;
    char path[512];
    int out, err;
    fflush(NULL);
    if (faulty && faulty->terminal) {
        out = open_terminal(bench, reader);
        err = fcntl(out, F_DUPFD_CLOEXEC, 3);
    } else {
        out = open(bench_path(bench, path, "out"), flags, 0666);
        err = open(bench_path(bench, path, "err"), flags, 0666);
    }
    pid_t pid = fork();
    if (pid == 0)
        become(bench, words, out, err, faulty);
    close(out);
    close(err);
    return pid;
}

/*
 * Waits for a process, or for all if `pid` is -1; false after the limit. What else has ended is
 * reaped on the way: orphans are ours.
 */
static bool await_end(pid_t pid, double limit, int *status)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (double end = now() + limit;;) {
        int one;
        pid_t ended = waitpid(-1, &one, WNOHANG);
        if (ended < 0) /* none is left; who waits for one that was reaped before has it as well */
            return true;
        if (ended > 0 && ended == pid) {
            *status = one;
            return true;
        }
        double left = end - now();
        if (ended == 0 && left <= 0)
            return false;
        if (ended == 0)
            sigtimedwait(&child, NULL,
                         &(struct timespec){.tv_nsec = left < 0.05 ? 1000000 : 50000000});
    }
}

int shell(const char *script, const char *out)
{
    int status = -1;
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) {
        int fd = out ? open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666) : -1;
        if (fd >= 0)
            dup2(fd, 1);
        execl("/bin/sh", "sh", "-c", script, (char *)NULL);
        _exit(126);
    }
    while (waitpid(pid, &status, 0) < 0 && errno == EINTR)
        ;
    return status;
}

/* Notes a process, with what its threads are doing. */
static void note_process(struct bench *bench, pid_t pid, const char *line)
{
    char command[256], path[512];
    problem_add(bench, "process%s\n", line);
    snprintf(command, sizeof command,
             "timeout -k 1 20 gdb -nx -p %d -batch -ex 'thread apply all bt 10' 2>/dev/null | grep "
             "'^[#T]'",
             pid);
    shell(command, bench_path(bench, path, "stack"));
    char *stack = file_text(path);
    problem_add(bench, "%s", stack ? stack : "");
    free(stack);
}

/* Ends all processes that are left. */
static void end_all(struct bench *bench, bool stacks)
{
    char command[64], path[512], line[256];
    snprintf(command, sizeof command, "ps -o pid,args --no-headers --ppid %d", (int)getpid());
    shell(command, bench_path(bench, path, "processes"));
    FILE *in = fopen(path, "r");
    while (in && fgets(line, sizeof line, in)) {
        pid_t pid = (pid_t)strtol(line, NULL, 10);
        if (strstr(line, command))
            continue;
        line[strcspn(line, "\n")] = 0;
        if (stacks)
            note_process(bench, pid, line);
        kill(-pid, SIGKILL);
        kill(pid, SIGKILL);
    }
    if (in)
        fclose(in);
}

void program_run(struct bench *bench, const char *const *words, const char *input,
                 const struct scenario *faulty, struct ended *ended)
{
    pid_t reader = 0;
    char path[512];
    FILE *in = fopen(bench_path(bench, path, "in"), "w");
    fputs(input ? input : "", in);
    fclose(in);
    *ended = (struct ended){.status = -1};
    pid_t pid = start(bench, words, faulty, &reader);
    if (!await_end(pid, bench->limit, &ended->status)) {
        problem_add(bench, "it hangs:\n");
        end_all(bench, true);
        await_end(pid, LEAVE, &ended->status);
    }
    int ignored;
    if (reader)
        await_end(reader, LEAVE, &ignored);
    ended->out = file_text(bench_path(bench, path, "out"));
    ended->err = file_text(bench_path(bench, path, reader ? "out" : "err"));
}

void programs_left(struct bench *bench)
{
    int status;
    if (await_end(-1, LEAVE, &status))
        return;
    problem_add(bench, "processes are left behind:\n");
    for (int rounds = 0; rounds < 10 && !await_end(-1, 1, &status); rounds++)
        end_all(bench, rounds == 0);
}

/* ---- a study that runs beside ---- */

pid_t program_beside(struct bench *bench, const char *script)
{
    char path[512];
    bench_path(bench, path, "case/ready");
    pid_t pid = start(bench, (const char *const[]){"sh", "-c", script, NULL}, NULL, NULL);
    double end = now() + bench->limit;
    while (access(path, F_OK) != 0 && now() < end)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    return pid;
}

void program_beside_end(struct bench *bench, pid_t pid, bool needed)
{
    int status;
    if (needed) {
        kill(pid, SIGTERM);
        nanosleep(&(struct timespec){.tv_nsec = 5000000}, NULL);
        kill(pid, SIGTERM);
    }
    if (!await_end(pid, bench->limit, &status)) {
        problem_add(bench, "the study beside it does not end\n");
        end_all(bench, true);
    }
}
