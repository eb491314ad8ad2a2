/* The job that a process belongs to, by the variables of each scheduler. */
#include "launch/launch.h"
#include "tap.h"

#include <unistd.h>

struct job {
    const char *variables[6];
    const char *name; /* "": no job */
    double end;
    uint64_t restart, nodes;
};

static char node_file[] = "/tmp/wick-nodes-XXXXXX", nodes[64];

static void check(const struct job *job, const char *what)
{
    char name[256];
    clearenv();
    for (size_t i = 0; job->variables[i]; i++)
        putenv((char *)job->variables[i]);
    struct launch_here here = launch_here();
    launch_here_name(name, sizeof name);
    is_text(name, job->name, what);
    ok(here.end == job->end && here.restart == job->restart && here.nodes == job->nodes,
       "%s: end %.0f, restart %llu, nodes %llu", what, here.end, (unsigned long long)here.restart,
       (unsigned long long)here.nodes);
}

static void write_node_file(void)
{
    int fd = mkstemp(node_file);
    const char text[] = "n1\nn1\nn2\nn2\nn3\n";
    ok(fd >= 0 && write(fd, text, strlen(text)) > 0 && close(fd) == 0, "a file of nodes");
}

static void test_cores(void)
{
    static const struct {
        const char *text;
        uint64_t cores;
    } cases[] = {{"64", 64}, {"64(x4)", 64}, {"64(x3),32", 32}, {"8,128(x2)", 8}, {"x,,(x3)", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        clearenv();
        setenv("SLURM_JOB_ID", "12", 1);
        setenv("SLURM_JOB_CPUS_PER_NODE", cases[i].text, 1);
        ok(launch_here().cores == cases[i].cores, "cores of the smallest node: %s", cases[i].text);
    }
}

static void test_schedulers(void)
{
    check(&(struct job){.name = ""}, "no job");
    check(&(struct job){{"SLURM_JOB_ID=12", "SLURM_JOB_END_TIME=3000000000",
                         "SLURM_RESTART_COUNT=2", "SLURM_JOB_NUM_NODES=4"},
                        "Slurm job 12",
                        3e9,
                        2,
                        4},
          "Slurm");
    check(&(struct job){{"SLURM_JOB_ID=12", "SLURM_JOB_END_TIME=3000000000",
                         "WICK_JOB_END=2900000000", "WICK_SCHEDULER=slurm"},
                        "Slurm job 12",
                        3e9,
                        0,
                        0},
          "the scheduler knows its end better than the script");
    check(&(struct job){{"PBS_JOBID=7.server", nodes, "WICK_JOB_END=2900000000"},
                        "PBS job 7.server",
                        2.9e9,
                        0,
                        3},
          "PBS");
    check(&(struct job){{"PBS_JOBID=8", "PBS_NUM_NODES=2"}, "Torque job 8", 0, 0, 2}, "Torque");
    check(&(struct job){{"PBS_JOBID=8", "WICK_SCHEDULER=torque", nodes}, "Torque job 8", 0, 0, 3},
          "Torque, as the script says");
    check(&(struct job){{"LSB_JOBID=9", "LSB_MCPU_HOSTS=a 8 b 8 "}, "LSF job 9", 0, 0, 2}, "LSF");
    check(
        &(struct job){{"LSB_JOBID=9", "LSB_MCPU_HOSTS=batch5 1 a 42 b 42 ", "CSM_ALLOCATION_ID=3"},
                      "LSF job 9",
                      0,
                      0,
                      2},
        "LSF with a node for the script");
    check(&(struct job){{"JOB_ID=10", "SGE_TASK_ID=undefined", "NHOSTS=3", "RESTARTED=1"},
                        "Grid Engine job 10",
                        0,
                        1,
                        3},
          "Grid Engine");
    check(&(struct job){{"JOB_ID=10"}, "", 0, 0, 0}, "JOB_ID may be anybody's");
    check(&(struct job){{"COBALT_JOBID=11", "COBALT_ENDTIME=2800000000", "COBALT_JOBSIZE=8"},
                        "Cobalt job 11",
                        2.8e9,
                        0,
                        8},
          "Cobalt");
    check(&(struct job){{"WICK_JOB_ID=fABC", "FLUX_URI=local:///x", "WICK_SCHEDULER=flux"},
                        "Flux job fABC",
                        0,
                        0,
                        0},
          "Flux");
    check(&(struct job){{"WICK_JOB_ID=5.6@h", "WICK_SCHEDULER=local", "WICK_JOB_END=4e9"},
                        "local job 5.6@h",
                        4e9,
                        0,
                        1},
          "a process of this machine");
}

/* Tasks of an array share the number that the scheduler's programs accept. */
static void test_arrays(void)
{
    static const struct {
        const char *variables[3], *id, *task, *name;
    } cases[] = {
        {{"JOB_ID=10", "SGE_TASK_ID=3"}, "10", "3", "Grid Engine job 10, task 3"},
        {{"LSB_JOBID=9", "LSB_JOBINDEX=4"}, "9", "4", "LSF job 9, task 4"},
        {{"LSB_JOBID=9", "LSB_JOBINDEX=0"}, "9", "", "LSF job 9"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        check(&(struct job){{cases[i].variables[0], cases[i].variables[1]}, cases[i].name, 0, 0, 0},
              "an array");
        is_text(launch_here().id, cases[i].id, "the number of the whole");
        ok(launch_is_here(cases[i].id, cases[i].task) && !launch_is_here(cases[i].id, "5"),
           "task %s is not task 5", cases[i].task);
    }
    clearenv();
    ok(!launch_is_here("", ""), "no job is not that of nobody");
}

static void test_nonsense(void)
{
    check(&(struct job){{"WICK_SCHEDULER=slurm", "SLURM_JOB_ID="}, "", 0, 0, 0},
          "empty is nothing");
    check(&(struct job){{"WICK_SCHEDULER=nonsense", "LSB_JOBID=9"}, "LSF job 9", 0, 0, 0},
          "an unknown name is not believed");
    check(&(struct job){{"SLURM_JOB_ID=12", "SLURM_JOB_END_TIME=soon", "SLURM_RESTART_COUNT=-1",
                         "SLURM_JOB_NUM_NODES=many"},
                        "Slurm job 12",
                        0,
                        0,
                        0},
          "nor is nonsense");
    check(
        &(struct job){
            {"SLURM_JOB_ID=12", "SLURM_JOB_END_TIME=1600000000"}, "Slurm job 12", 0, 0, 0},
        "an end of years ago is that of another job");
}

int main(void)
{
    write_node_file();
    snprintf(nodes, sizeof nodes, "PBS_NODEFILE=%s", node_file);
    test_schedulers();
    test_arrays();
    test_cores();
    test_nonsense();
    remove(node_file);
    return tap_end();
}
