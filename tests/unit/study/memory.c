/* memory.c - a study file that is read while there is no memory. */
#include "study/study.h"
#include "tap.h"

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

static const char definition[] = "model: {function: noop}\n"
                                 "space:\n"
                                 "  x: {float: [0, 1]}\n"
                                 "  c: {choice: [a, b]}\n";
static long allowed; /* allocations of libyaml that still succeed */

/* libyaml allocates with these, which are found here first. */
void *yaml_malloc(size_t size);
void *yaml_realloc(void *memory, size_t size);

void *yaml_malloc(size_t size)
{
    return allowed-- > 0 ? malloc(size ? size : 1) : NULL;
}

void *yaml_realloc(void *memory, size_t size)
{
    return allowed-- > 0 ? realloc(memory, size ? size : 1) : NULL;
}

/* Parses in a process of its own; returns its exit code, and fills what it said. */
static int parse_with(long count, char *said, size_t size)
{
    int ends[2], status = 0;
    if (pipe(ends) != 0)
        return -1;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        struct study study;
        struct err_list mistakes = {0};
        dup2(ends[1], STDERR_FILENO);
        allowed = count;
        _exit(study_parse(&study, definition, strlen(definition), "s.yaml", "/", &mistakes) ? 2
                                                                                            : 0);
    }
    close(ends[1]);
    ssize_t length = read(ends[0], said, size - 1);
    said[length > 0 ? length : 0] = 0;
    close(ends[0]);
    waitpid(pid, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

int main(void)
{
    int code = -1, wrong = 0;
    char said[200];
    long count = 0;
    for (; code != 0 && count < 10000; count++) {
        code = parse_with(count, said, sizeof said);
        wrong += code != 0 && (code != 1 || strcmp(said, "wick: out of memory\n") != 0);
    }
    ok(code == 0, "with enough memory the file is read");
    ok(count > 10, "and it needs some");
    ok(wrong == 0, "without, the program says so, whatever could not be allocated");
    return tap_end();
}
