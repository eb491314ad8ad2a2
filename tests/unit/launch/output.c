/* The line of a job's output that says why the job failed. */
#include "launch/launch.h"
#include "tap.h"

static const struct {
    const char *what, *output, *cause;
} cases[] = {
    {"the last line, if nothing looks like a cause", "loading\nbye\n\n", "bye"},
    {"nothing", "", ""},
    {"the time limit, not what follows it",
     "trial 1: 0.5\n"
     "slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-11-18T07:00:00 DUE TO TIME LIMIT ***\n"
     "srun: Job step aborted: Waiting up to 32 seconds for job step to finish.\n"
     "srun: error: n2: task 1: Killed\n",
     "slurmstepd: error: *** JOB 12 ON n1 CANCELLED AT 2026-11-18T07:00:00 DUE TO TIME LIMIT ***"},
    {"memory",
     "slurmstepd: error: Detected 1 oom_kill event in StepId=12.batch. Some of the step tasks have "
     "been OOM Killed.\nsrun: error: n1: task 0: Out Of Memory\n",
     "slurmstepd: error: Detected 1 oom_kill event in StepId=12.batch. Some of the step tasks have "
     "been OOM Killed."},
    {"Wick's own error before those of the launcher",
     "wick: node n2 cannot write to the study folder /scratch/s\n"
     "--------\nPrimary job  terminated normally, but 1 process returned\na non-zero exit code.\n"
     "--------\n",
     "wick: node n2 cannot write to the study folder /scratch/s"},
    {"a note is no error", "note: each node has one worker\nbye\n", "bye"},
    {"a command that is missing, before what follows from it",
     "/etc/job: line 12: module: command not found\npython: No such file or directory\nend\n",
     "/etc/job: line 12: module: command not found"},
    {"the exception of a traceback",
     "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\n    import torch\n"
     "ModuleNotFoundError: No module named 'torch'\nsrun: error: n1: task 0: Exited with exit code "
     "1\n",
     "ModuleNotFoundError: No module named 'torch'"},
    {"Lmod",
     "Lmod has detected the following error:  The following module(s) are unknown: \"torch\"\n"
     "\nPlease check the spelling or version number.\nAlso make sure that all modulefiles\n",
     "Lmod has detected the following error:  The following module(s) are unknown: \"torch\""},
    {"a restart makes what was before it irrelevant",
     "bash: a: command not found\n"
     "slurmstepd: error: *** JOB 5 ON n1 CANCELLED AT 2026 DUE TO PREEMPTION ***\n"
     "bash: b: command not found\nbye\n",
     "bash: b: command not found"},
    {"a restart alone",
     "slurmstepd: error: *** JOB 5 CANCELLED AT 2026 DUE TO NODE FAILURE ***\nx\n",
     "slurmstepd: error: *** JOB 5 CANCELLED AT 2026 DUE TO NODE FAILURE ***"},
};

int main(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct slice cause = launch_output_cause(slice_of(cases[i].output));
        char text[512];
        snprintf(text, sizeof text, "%.*s", (int)cause.length, cause.text ? cause.text : "");
        is_text(text, cases[i].cause, cases[i].what);
    }
    return tap_end();
}
