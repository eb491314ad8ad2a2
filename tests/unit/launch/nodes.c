/* The names of the nodes of a job, as each scheduler gives them. */
#include "launch/launch.h"
#include "tap.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

static char folder[] = "/tmp/wick-nodes-XXXXXX";

static void is_nodes(const char *expected, const char *what)
{
    struct arena arena = {0};
    struct str text = {0};
    size_t count;
    const char *const *names = launch_here_nodes(&arena, &count);
    for (size_t i = 0; names && names[i]; i++)
        str_printf(&text, "%s%s", i > 0 ? " " : "", names[i]);
    is_text(str_text(&text), expected, what);
    str_free(&text);
    arena_free(&arena);
}

static void test_hostlists(void)
{
    static const struct {
        const char *list, *nodes;
    } cases[] = {
        {"n1", "n1"},
        {"n[1-3]", "n1 n2 n3"},
        {"n[1-3,07],gpu1", "n1 n2 n3 n07 gpu1"},
        {"n[08-11]", "n08 n09 n10 n11"},
        {"r[1-2]c[0-1]-x", "r1c0-x r1c1-x r2c0-x r2c1-x"},
        {"a,a,b,a", "a b"},
        {"n[1-3", ""},
        {"n[3-1]", ""},
        {"n[1-]", ""},
        {"n[]", ""},
        {"n[1-999999999]", ""},
        {"n[1-99999]x[1-99999]", ""},
        {"-x", ""},
        {"a b;c", ""},
        {",", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clearenv();
        setenv("SLURM_JOB_ID", "12", 1);
        setenv("SLURM_JOB_NODELIST", cases[i].list, 1);
        is_nodes(cases[i].nodes, cases[i].list);
    }
}

/* Writes a file into the folder and returns its path. */
static const char *file_of(const char *name, const char *text, mode_t mode)
{
    static char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    int fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, mode);
    ok(fd >= 0 && write(fd, text, strlen(text)) > 0 && close(fd) == 0, "a file");
    return path;
}

static void test_files(void)
{
    static const struct {
        const char *id, *also, *file, *text;
    } cases[] = {
        {"PBS_JOBID", "WICK_JOB_END", "PBS_NODEFILE", "n1\nn1\nn2.x.org\nn1\n\n"},
        {"PBS_JOBID", "PBS_NUM_NODES", "PBS_NODEFILE", "n1\nn2.x.org\n"},
        {"JOB_ID", "SGE_TASK_ID", "PE_HOSTFILE", "n1 4 all.q@n1 UNDEFINED\nn2.x.org 4 q <NULL>\n"},
        {"COBALT_JOBID", "COBALT_JOBSIZE", "COBALT_NODEFILE", "n1\nn2.x.org"},
        {"LSB_JOBID", "LSB_JOBINDEX", "LSB_DJOB_HOSTFILE", "n1\nn1\nn2.x.org\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clearenv();
        setenv(cases[i].id, "1", 1);
        setenv(cases[i].also, "2", 1);
        setenv(cases[i].file, file_of("nodes", cases[i].text, 0600), 1);
        is_nodes("n1 n2.x.org", cases[i].file);
        setenv(cases[i].file, "/nowhere", 1);
        is_nodes("", "no file");
    }
}

static void test_pairs(void)
{
    clearenv();
    setenv("LSB_JOBID", "9", 1);
    setenv("LSB_MCPU_HOSTS", "a 8 b 8 ", 1);
    is_nodes("a b", "LSF");
    setenv("LSB_MCPU_HOSTS", "launch 1 a 42 b 42", 1);
    setenv("CSM_ALLOCATION_ID", "3", 1);
    is_nodes("a b", "the node that only runs the script is none of the job");
    ok(launch_here().nodes == 2, "and is not counted");
}

static void test_program(void)
{
    clearenv();
    file_of("flux", "#!/bin/sh\necho 'n[1-2]'\n", 0700);
    setenv("PATH", folder, 1);
    setenv("WICK_JOB_ID", "f1", 1);
    setenv("FLUX_URI", "local:///x", 1);
    is_nodes("n1 n2", "Flux is asked");
    ok(launch_here().nodes == 0, "but not to count nodes");
    file_of("flux", "#!/bin/sh\necho 'n[1-2]'\nexit 1\n", 0700);
    is_nodes("", "and may fail");
}

int main(void)
{
    ok(mkdtemp(folder) != NULL, "a folder");
    test_hostlists();
    test_files();
    test_pairs();
    test_program();
    clearenv();
    is_nodes("", "no job");
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/nodes", folder);
    remove(path);
    snprintf(path, sizeof path, "%s/flux", folder);
    remove(path);
    remove(folder);
    return tap_end();
}
