/*
 * Submitting, querying and cancelling jobs through each scheduler's programs. Here these are
 * scripts that answer as the real ones do and record how they were called.
 */
#include "launch/launch.h"
#include "tap.h"

#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static char dir[] = "/tmp/wick-programs-XXXXXX";

/* A program that records its arguments, prints `out` and `errors`, and exits with `code`. */
static void make_program(const char *name, const char *out, const char *errors, int code)
{
    struct str path = {0};
    str_printf(&path, "%s/%s", dir, name);
    FILE *file = fopen(path.text, "w");
    fprintf(file,
            "#!/bin/sh\nfor w in \"$@\"; do printf '%%s ' \"$w\"; done >'%s/said'\n"
            "cat >'%s/input'\npwd >'%s/where'\nenv >'%s/variables'\n"
            "cat <<'END'\n%s\nEND\ncat >&2 <<'END'\n%s\nEND\nexit %d\n",
            dir, dir, dir, dir, out, errors, code);
    fclose(file);
    chmod(path.text, 0755);
    str_free(&path);
}

static const char *content(const char *name)
{
    static struct str text;
    struct err e = {0};
    char path[128];
    snprintf(path, sizeof path, "%s/%s", dir, name);
    str_clear(&text);
    str_read_file(&text, path, 1 << 20, &e);
    return str_text(&text);
}

/* ---- submitting ---- */

struct submission {
    const char *scheduler, *program, *answer;
    const char *id, *words, *after_words; /* expected; after_words: with a job to wait for */
};

static const struct submission submissions[] = {
    {"slurm", "sbatch", "4711", "4711", "--parsable job.sh ",
     "--parsable --dependency=afterany:12 job.sh "},
    {"slurm", "sbatch", "4711;cluster", "4711", "--parsable job.sh ",
     "--parsable --dependency=afterany:12 job.sh "},
    {"pbs", "qsub", "4711.server.example.org", "4711.server.example.org", "job.sh ",
     "-W depend=afterany:12 job.sh "},
    {"pbs", "qsub", "Your project has 7 h left.\n4711[].server\nThank\nyou, user 9.",
     "4711[].server", "job.sh ", "-W depend=afterany:12 job.sh "},
    {"torque", "qsub", "4711.server", "4711.server", "job.sh ", "-W depend=afterany:12 job.sh "},
    {"lsf", "bsub", "Job <4711> is submitted to default queue <normal>.", "4711", "",
     "-w ended(12) "},
    {"sge", "qsub", "4711", "4711", "-terse job.sh ", "-terse -hold_jid 12 job.sh "},
    {"cobalt", "qsub", "Job routed to queue \"default\".\n4711", "4711", "job.sh ",
     "--dependencies 12 job.sh "},
    {"flux", "flux", "f2wYmBYV", "f2wYmBYV", "batch job.sh ",
     "batch --dependency=afterany:12 job.sh "},
};

static bool maybe; /* the last job may have been submitted although that failed */

static void test_submit(const struct submission *s)
{
    struct err e = {0};
    char id[LAUNCH_ID] = "";
    make_program(s->program, s->answer, "warning: something", 0);
    ok(launch_submit(s->scheduler, dir, NULL, id, &maybe, &e) == 0, "%s submits", s->scheduler);
    is_text(id, s->id, "the number of the job");
    is_text(content("said"), s->words, "the words of the program");
    is_text(content("input"), strcmp(s->scheduler, "lsf") == 0 ? "script\n" : "", "its input");
    ok(strncmp(content("where"), dir, strlen(dir)) == 0, "it runs in the study's folder");
    ok(launch_submit(s->scheduler, dir, "12", id, &maybe, &e) == 0, "%s waits", s->scheduler);
    is_text(content("said"), s->after_words, "the words of a job that waits");
}

/* The message of a failed submission; *code is its error. */
static const char *failure(const char *scheduler, const char *after, int *code)
{
    static struct err e;
    char id[LAUNCH_ID] = "";
    e = (struct err){0};
    *code = launch_submit(scheduler, dir, after, id, &maybe, &e);
    return e.message;
}

static void test_submit_fails(void)
{
    int code;
    make_program("sbatch", "", "sbatch: error: invalid partition specified: gpx\nmore", 1);
    is_text(failure("slurm", NULL, &code), "sbatch: error: invalid partition specified: gpx",
            "a wrong partition, in sbatch's words");
    ok(code == ERR_USER && !maybe, "which the user can change");
    make_program("qsub", "", "illegally formed job identifier", 1);
    is_text(failure("pbs", NULL, &code), "qsub: illegally formed job identifier",
            "a program that does not name itself is named");
    make_program("sbatch", "", "", 3);
    is_text(failure("slurm", NULL, &code), "sbatch exited with code 3 and printed nothing",
            "one that says nothing");
    ok(!maybe, "has refused, too");
    make_program("sbatch", "--all", "", 0);
    failure("slurm", NULL, &code);
    ok(code == ERR_SYSTEM && maybe, "an option is no number of a job, which may exist");
    make_program("bsub", "Request aborted by esub.", "", 0);
    failure("lsf", NULL, &code);
    ok(code == ERR_SYSTEM && maybe, "nor is nothing");
    make_program("sbatch", "", "", 137);
    failure("slurm", NULL, &code);
    ok(code == ERR_SYSTEM && maybe, "nobody knows what a program has done that was killed");
    make_program("qsub", "", "qsub: Unauthorized Request", 159);
    failure("pbs", NULL, &code);
    ok(code == ERR_USER && !maybe, "unless it said why it failed");
    failure("slurm", "1 --uid=0", &code);
    ok(code == ERR_USER && !maybe, "what is waited for must be one");
}

/* What a job knows about itself does not reach the next one. */
static void test_environment(void)
{
    struct err e = {0};
    char id[LAUNCH_ID];
    make_program("sbatch", "1", "", 0);
    setenv("SLURM_JOB_ID", "5", 1);
    setenv("SLURM_CONF", "/etc/slurm.conf", 1);
    setenv("WICK_JOB_END", "17", 1);
    setenv("WICK_SCHEDULER", "slurm", 1);
    setenv("MINE", "yes", 1);
    launch_submit("slurm", dir, NULL, id, &maybe, &e);
    const char *variables = content("variables");
    ok(!strstr(variables, "SLURM_JOB_ID=") && !strstr(variables, "WICK_JOB_END=") &&
           !strstr(variables, "WICK_SCHEDULER="),
       "variables of this job are forgotten");
    ok(strstr(variables, "SLURM_CONF=") && strstr(variables, "MINE=yes"), "others are not");
    unsetenv("SLURM_JOB_ID");
    make_program("bsub", "Job <9> is submitted to queue <q>.", "", 0);
    setenv("LSB_QUEUE", "short", 1);
    setenv("LSB_DEFAULTQUEUE", "long", 1);
    launch_submit("lsf", dir, NULL, id, &maybe, &e);
    variables = content("variables");
    ok(!strstr(variables, "LSB_QUEUE=") && strstr(variables, "LSB_DEFAULTQUEUE=long"),
       "what a user of LSF has set stays, beside what the job was given");
    unsetenv("LSB_QUEUE");
    unsetenv("LSB_DEFAULTQUEUE");
    setenv("WICK_SCHEDULER", "flux", 1);
    setenv("WICK_JOB_ID", "f1", 1);
    make_program("flux", "f2", "", 0);
    launch_submit("flux", dir, "f1", id, &maybe, &e);
    is_text(content("said"), "--parent batch --dependency=afterany:f1 job.sh ",
            "a job of Flux submits to the instance that it is a job of");
    unsetenv("WICK_SCHEDULER");
    unsetenv("WICK_JOB_ID");
}

/* ---- asking ---- */

struct question {
    const char *scheduler, *program, *out, *errors;
    int code;
    enum launch_state state;
    const char *word, *detail;
};

#define PBS_JOB(state, more)                                                                       \
    "Job Id: 4711.server\n    Job_Name = nt3\n    job_state = " state "\n    queue = gpu\n" more
#define SGE_TABLE(state)                                                                           \
    "job-ID  prior   name       user         state submit/start at     queue    slots "            \
    "ja-task-ID\n"                                                                                 \
    "------------------------------------------------------------------------------------------\n" \
    "   4710 0.55500 nt3        me           r     01/31/2026 12:00:00 all.q@n1     1\n"           \
    "   4711 0.55500 nt3        me           " state "   01/31/2026 12:00:00             4"
#define COBALT_TABLE(state) "JobID  State  Location\n==========\n4711   " state "  None"

static const struct question questions[] = {
    {"slurm", "squeue", "PENDING|(Priority)", "", 0, LAUNCH_WAITING, "PENDING", "(Priority)"},
    {"slurm", "squeue", "RUNNING|n[1-4]", "", 0, LAUNCH_RUNNING, "RUNNING", "n[1-4]"},
    {"slurm", "squeue", "COMPLETING|n1", "", 0, LAUNCH_ENDING, "COMPLETING", "n1"},
    {"slurm", "squeue", "CANCELLED|n1", "", 0, LAUNCH_ENDED, "CANCELLED", "n1"},
    {"slurm", "squeue", "", "", 0, LAUNCH_ENDED, "", ""},
    {"slurm", "squeue", "", "slurm_load_jobs error: Invalid job id specified", 1, LAUNCH_ENDED, "",
     ""},
    {"slurm", "squeue", "", "slurm_load_jobs error: Unable to contact slurm controller", 1,
     LAUNCH_UNKNOWN, "", "slurm_load_jobs error: Unable to contact slurm controller"},
    {"pbs", "qstat", PBS_JOB("Q", "    comment = Not Running: too few nodes"), "", 0,
     LAUNCH_WAITING, "Q", "Not Running: too few nodes"},
    {"pbs", "qstat", PBS_JOB("R", "    exec_host = n1/0*8+n2/0*8"), "", 0, LAUNCH_RUNNING, "R",
     "n1/0*8+n2/0*8"},
    {"pbs", "qstat", PBS_JOB("E", ""), "", 0, LAUNCH_ENDING, "E", ""},
    {"pbs", "qstat", "", "qstat: 4711.server Job has finished, use -x or -H", 35, LAUNCH_ENDED, "",
     ""},
    {"pbs", "qstat", "", "qstat: Unknown Job Id 4711.server", 153, LAUNCH_ENDED, "", ""},
    {"pbs", "qstat", "", "Connection refused\nqstat: cannot connect to server", 255, LAUNCH_UNKNOWN,
     "", "Connection refused"},
    {"torque", "qstat", PBS_JOB("H", ""), "", 0, LAUNCH_WAITING, "H", ""},
    {"torque", "qstat", PBS_JOB("C", ""), "", 0, LAUNCH_ENDED, "C", ""},
    {"lsf", "bjobs", "PEND|-", "", 0, LAUNCH_WAITING, "PEND", ""},
    {"lsf", "bjobs", "RUN|8*n1:8*n2", "", 0, LAUNCH_RUNNING, "RUN", "8*n1:8*n2"},
    {"lsf", "bjobs", "EXIT|n1", "", 0, LAUNCH_ENDED, "EXIT", "n1"},
    {"lsf", "bjobs", "", "Job <4711> is not found", 255, LAUNCH_ENDED, "", ""},
    {"sge", "qstat", SGE_TABLE("qw"), "", 0, LAUNCH_WAITING, "qw", ""},
    {"sge", "qstat", SGE_TABLE("hqw"), "", 0, LAUNCH_WAITING, "hqw", ""},
    {"sge", "qstat", SGE_TABLE("Eqw"), "", 0, LAUNCH_WAITING, "Eqw", ""},
    {"sge", "qstat", SGE_TABLE("r"), "", 0, LAUNCH_RUNNING, "r", ""},
    {"sge", "qstat", SGE_TABLE("Rr"), "", 0, LAUNCH_RUNNING, "Rr", ""},
    {"sge", "qstat", SGE_TABLE("dr"), "", 0, LAUNCH_ENDING, "dr", ""},
    {"sge", "qstat", "", "", 0, LAUNCH_ENDED, "", ""},
    {"cobalt", "qstat", COBALT_TABLE("queued"), "", 0, LAUNCH_WAITING, "queued", ""},
    {"cobalt", "qstat", COBALT_TABLE("dep_hold"), "", 0, LAUNCH_WAITING, "dep_hold", ""},
    {"cobalt", "qstat", COBALT_TABLE("running"), "", 0, LAUNCH_RUNNING, "running", ""},
    {"cobalt", "qstat", COBALT_TABLE("exiting"), "", 0, LAUNCH_ENDING, "exiting", ""},
    {"cobalt", "qstat", "JobID  State  Location", "", 0, LAUNCH_ENDED, "", ""},
    {"flux", "flux", "DEPEND|", "", 0, LAUNCH_WAITING, "DEPEND", ""},
    {"flux", "flux", "RUN|n[1-4]", "", 0, LAUNCH_RUNNING, "RUN", "n[1-4]"},
    {"flux", "flux", "CLEANUP|n1", "", 0, LAUNCH_ENDING, "CLEANUP", "n1"},
    {"flux", "flux", "INACTIVE|n1", "", 0, LAUNCH_ENDED, "INACTIVE", "n1"},
    {"flux", "flux", "", "flux-jobs: ERROR: JobID f4711 unknown", 1, LAUNCH_ENDED, "", ""},
};

static void test_ask(const struct question *q)
{
    struct launch_report report;
    make_program(q->program, q->out, q->errors, q->code);
    launch_ask(q->scheduler, "4711", &report);
    ok(report.state == q->state, "%s: '%s' is state %d, got %d", q->scheduler, q->word, q->state,
       report.state);
    is_text(report.word, q->word, "its word");
    is_text(report.detail, q->detail, "and what else it says");
}

static void test_ask_nobody(void)
{
    struct launch_report report;
    make_program("squeue", "RUNNING|n1", "", 0);
    launch_ask("slurm", "--all", &report);
    ok(report.state == LAUNCH_UNKNOWN, "an option is no job");
    launch_ask("nonsense", "1", &report);
    ok(report.state == LAUNCH_UNKNOWN, "there is no such scheduler");
    setenv("PATH", "/nonexistent", 1);
    launch_ask("slurm", "1", &report);
    ok(report.state == LAUNCH_UNKNOWN, "nor its program");
}

/* ---- cancelling ---- */

static void test_cancel(void)
{
    static const struct {
        const char *scheduler, *program, *words, *unknown;
    } rows[] = {
        {"slurm", "scancel", "4711 ", "scancel: error: Invalid job id 4711"},
        {"pbs", "qdel", "4711 ", "qdel: Unknown Job Id 4711"},
        {"torque", "qdel", "4711 ", "qdel: Unknown Job Id 4711"},
        {"lsf", "bkill", "4711 ", "Job <4711>: No matching job found"},
        {"sge", "qdel", "4711 ", "denied: job \"4711\" does not exist"},
        {"cobalt", "qdel", "4711 ", "No jobs found"},
        {"flux", "flux", "cancel 4711 ", "flux-cancel: ERROR: 4711: unknown job id"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err e = {0};
        make_program(rows[i].program, "", "", 0);
        ok(launch_cancel(rows[i].scheduler, "4711", &e) == 0, "%s cancels", rows[i].scheduler);
        is_text(content("said"), rows[i].words, "with these words");
        make_program(rows[i].program, "", rows[i].unknown, 1);
        ok(launch_cancel(rows[i].scheduler, "4711", &e) == 0, "a job that is gone is cancelled");
        make_program(rows[i].program, "", "Permission denied", 1);
        ok(launch_cancel(rows[i].scheduler, "4711", &e) == ERR_USER, "one of somebody else is not");
    }
    struct err e = {0};
    ok(launch_cancel("slurm", "-u root", &e) == ERR_USER, "an option is no job");
}

/* ---- processes of this machine ---- */

static void write_job(const char *text)
{
    char path[128];
    snprintf(path, sizeof path, "%s/job.sh", dir);
    FILE *file = fopen(path, "w");
    fputs(text, file);
    fclose(file);
}

static enum launch_state state_of(const char *id)
{
    struct launch_report report;
    launch_ask("local", id, &report);
    return report.state;
}

static bool comes_to(const char *id, enum launch_state state)
{
    struct timespec moment = {.tv_nsec = 20000000};
    for (int i = 0; i < 9000 && state_of(id) != state; i++)
        nanosleep(&moment, NULL);
    return state_of(id) == state;
}

static bool comes_to_say(const char *name, const char *words)
{
    struct timespec moment = {.tv_nsec = 20000000};
    for (int i = 0; i < 9000 && strncmp(content(name), words, strlen(words)) != 0; i++)
        nanosleep(&moment, NULL);
    return strncmp(content(name), words, strlen(words)) == 0;
}

static void test_local(void)
{
    struct err e = {0};
    char first[LAUNCH_ID] = "", second[LAUNCH_ID] = "", other[LAUNCH_ID], name[LAUNCH_ID + 16];
    write_job("echo \"$WICK_JOB_ID\"\nexec sleep 1000\n");
    ok(launch_submit("local", dir, NULL, first, &maybe, &e) == 0, "a local job: %s", first);
    ok(launch_submit("local", dir, first, second, &maybe, &e) == 0, "and one that waits for it");
    ok(comes_to(first, LAUNCH_RUNNING) && state_of(second) == LAUNCH_WAITING,
       "one runs and one waits");
    snprintf(name, sizeof name, "job-%s.out", first);
    ok(comes_to_say(name, first), "its output is in the study's folder");
    snprintf(other, sizeof other, "%.*s.1%s", (int)strcspn(first, "."), first, strchr(first, '@'));
    ok(state_of(other) == LAUNCH_ENDED, "a number that was used before is another job");
    ok(launch_cancel("local", other, &e) == 0 && state_of(first) == LAUNCH_RUNNING,
       "which ends nobody");
    ok(launch_cancel("local", first, &e) == 0 && comes_to(first, LAUNCH_ENDED), "it is cancelled");
    ok(comes_to(second, LAUNCH_RUNNING), "then the next one runs");
    ok(launch_cancel("local", second, &e) == 0 && comes_to(second, LAUNCH_ENDED), "and ends");
    ok(launch_cancel("local", second, &e) == 0, "to cancel it again is no mistake");
    ok(wait(NULL) < 0, "no zombie is left");
    snprintf(other, sizeof other, "%d.1@elsewhere", getpid());
    ok(state_of(other) == LAUNCH_UNKNOWN && launch_cancel("local", other, &e) == ERR_USER,
       "those of other machines are not known");
    ok(launch_submit("local", "/nonexistent", NULL, other, &maybe, &(struct err){0}) == ERR_SYSTEM,
       "no folder, no job");
}

int main(void)
{
    struct str path = {0};
    struct err e = {0};
    if (!mkdtemp(dir))
        return 1;
    str_printf(&path, "%s:/usr/bin:/bin", dir);
    setenv("PATH", path.text, 1);
    write_job("script\n");
    for (size_t i = 0; i < sizeof submissions / sizeof *submissions; i++)
        test_submit(&submissions[i]);
    test_submit_fails();
    test_environment();
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++)
        test_ask(&questions[i]);
    test_cancel();
    test_local();
    test_ask_nobody();
    setenv("PATH", "/usr/bin:/bin", 1);
    command_run((const char *const[]){"rm", "-rf", dir, NULL}, NULL, NULL, NULL, NULL, &e);
    str_free(&path);
    return tap_end();
}
