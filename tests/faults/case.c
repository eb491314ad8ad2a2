/*
 * case.c - one fault in one command: is it handled?
 *
 * Whatever fails, the command ends by itself with 0 or 1, in the latter case with a message that
 * names what failed; if it ends with 0, its work is done. It leaves no process and no temporary
 * file behind. What it has announced is in the journal, and the study can be completed without a
 * fault, with the same results as always.
 */
#include "harness.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

void case_name(char *name, size_t size, const struct fault_case *c)
{
    char call[64];
    fault_call_name(call, sizeof call, c->process, c->fault->call);
    snprintf(name, size, "%s:%s:%llu:%s", c->scenario->name, call, (unsigned long long)c->number,
             c->fault->name);
}

/* ---- running ---- */

static void prepare(const struct bench *bench, const struct scenario *scenario)
{
    char path[512], fixture[512], name[64];
    snprintf(name, sizeof name, "fixture-%s", scenario->fixture);
    folder_remove(bench_path(bench, path, "tmp"));
    mkdir(path, 0777);
    folder_remove(bench_path(bench, path, "case"));
    folder_copy(bench_path(bench, fixture, name), path);
}

static void run(struct bench *bench, const char *const *words, const char *input,
                const struct scenario *faulty, struct ended *ended)
{
    const char *argv[SCENARIO_WORDS + 2] = {bench->program};
    for (size_t i = 0; words[i]; i++)
        argv[i + 1] = words[i];
    program_run(bench, argv, input, faulty, ended);
    programs_left(bench);
}

static bool run_scenario(struct bench *bench, const struct scenario *scenario, struct ended *ended)
{
    prepare(bench, scenario);
    memset(bench->faults->counts, 0, sizeof bench->faults->counts);
    memset(bench->faults->places, 0, sizeof bench->faults->places);
    bench->faults->failed = 0;
    if (!scenario->beside) {
        run(bench, scenario->command, scenario->input, scenario, ended);
        return ended->status == 0;
    }
    const char *argv[SCENARIO_WORDS + 2] = {bench->program};
    for (size_t i = 0; scenario->command[i]; i++)
        argv[i + 1] = scenario->command[i];
    pid_t beside = program_beside(bench, scenario->beside);
    program_run(bench, argv, scenario->input, scenario, ended);
    program_beside_end(bench, beside, ended->status != 0);
    programs_left(bench);
    return ended->status == 0;
}

/* The trials of the study as text, a line each; freed by the caller. */
static char *read_rows(struct bench *bench)
{
    struct ended ended;
    run(bench,
        (const char *const[]){"sql", "s", "--format", "csv",
                              "select trial, state, score, x, k, reason from trials order by trial",
                              NULL},
        NULL, NULL, &ended);
    char *rows = ended.out;
    if (ended.status != 0)
        problem_add(bench, "the journal cannot be read: %s\n", ended.err);
    ended.out = NULL;
    ended_free(&ended);
    return rows;
}

/* ---- how it ended ---- */

/* Where the cause is known only to another process, or to a library, a message says what that
 * knows. */
static bool says_why(const char *message, const struct fault_case *c)
{
    static const char *const others[] = {
        "out of memory",        "helper process", "database",
        "disk I/O error",       "write error",    "no trial reported a score",
        "cannot start a thread" /* libc says EAGAIN if it has no memory for one */};
    if (c->fault->error <= 0 || c->process != FAULTS_DRIVER || c->scenario->inside ||
        c->fault->error == EPIPE || strstr(message, strerror(c->fault->error)))
        return true;
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strstr(message, others[i]))
            return true;
    return false;
}

/* A file that could not be read is damaged, which may be what the command says. */
static bool found_it(const struct scenario *scenario, const struct ended *ended)
{
    return scenario->verdict && strstr(ended->out, scenario->verdict);
}

static void check_end(struct bench *bench, const struct fault_case *c, const struct ended *ended)
{
    int code = WIFEXITED(ended->status) ? WEXITSTATUS(ended->status) : -1;
    if (bench->problem[0] || strstr(ended->err, "AddressSanitizer: CHECK failed"))
        return; /* it was killed by us, or the sanitizer itself had no memory */
    if (WIFSIGNALED(ended->status))
        problem_add(bench, "it is ended by %s\n", strsignal(WTERMSIG(ended->status)));
    else if (code != 0 && code != 1 && code != c->scenario->code)
        problem_add(bench, "its exit code is %d\n", code);
    else if (code == 1 && c->scenario->code == 0 && !found_it(c->scenario, ended) &&
             !strstr(ended->err, "wick:"))
        problem_add(bench, "it fails without a message\n");
    else if (code == 1 && c->scenario->code == 0 && !found_it(c->scenario, ended) &&
             !says_why(ended->err, c))
        problem_add(bench, "its message does not say why\n");
    if (strstr(ended->err, "wick: a bug at") || strstr(ended->err, "runtime error:"))
        problem_add(bench, "it calls it a bug\n");
}

/* The number of bytes of a file in the folder of the case; -1 if there is none. */
static long long size_of(const struct bench *bench, const char *name)
{
    char path[512], below[256];
    struct stat info;
    snprintf(below, sizeof below, "case/%s", name);
    return stat(bench_path(bench, path, below), &info) == 0 ? (long long)info.st_size : -1;
}

static void check_work(struct bench *bench, const struct fault_case *c, const struct usual *usual,
                       const struct ended *ended)
{
    const char *file = c->scenario->file;
    if (ended->status == 0 && c->scenario->exact && strcmp(ended->out, usual->out) != 0 &&
        !strstr(ended->err, "note: "))
        problem_add(bench, "it ends with 0, but its output differs:\n%s", ended->out);
    if (!file)
        return;
    long long size = size_of(bench, file), expected = strtoll(usual->file, NULL, 10);
    if (ended->status == 0 && size < expected - 64)
        problem_add(bench, "it ends with 0, but %s has %lld bytes, not %lld\n", file, size,
                    expected);
    if (c->scenario->denial && size >= 0 && strstr(ended->err, c->scenario->denial))
        problem_add(bench, "it says '%s', but there is %s\n", c->scenario->denial, file);
    if (ended->status != 0 && size > 0 && size < expected - 64)
        problem_add(bench, "it leaves a part of %s: %lld bytes of %lld\n", file, size, expected);
}

/* ---- what is left ---- */

/*
 * The output of a trial that failed is kept, the checkpoint and the files of one that will run
 * again, a request to stop or to look that came too late, and the folder of an R that was ended.
 */
static bool may_be_left(const char *name)
{
    return strncmp(name, "/s/logs", 7) == 0 || strncmp(name, "/s/checkpoints", 14) == 0 ||
           strncmp(name, "/s/tmp/", 7) == 0 || strcmp(name, "/s/stop\n") == 0 ||
           strcmp(name, "/s/look\n") == 0 || strncmp(name, "/Rtmp", 5) == 0;
}

/* Each line of `some` that is not in `all`. */
static void check_lines(struct bench *bench, const char *some, const char *all, const char *what)
{
    for (const char *at = some; *at;) {
        size_t length = strcspn(at, "\n");
        char line[600];
        snprintf(line, sizeof line, "\n%.*s\n", (int)length, at);
        char *padded = NULL;
        if (asprintf(&padded, "\n%s", all) > 0 && !strstr(padded, line) && !may_be_left(line + 1))
            problem_add(bench, "%s: %.*s\n", what, (int)length, at);
        free(padded);
        at += length + (at[length] == '\n');
    }
}

static void check_left(struct bench *bench, const struct usual *usual)
{
    char path[512];
    char *names = folder_list(bench_path(bench, path, "tmp"));
    check_lines(bench, names, "", "it leaves a temporary file");
    free(names);
    names = folder_list(bench_path(bench, path, "case"));
    check_lines(bench, names, usual->files, "it leaves a file");
    free(names);
}

/* ---- what is in the journal ---- */

static const char *row_of(const char *rows, long trial)
{
    char start[32];
    snprintf(start, sizeof start, "\n%ld,", trial);
    const char *found = rows ? strstr(rows, start) : NULL;
    return found ? found + 1 : NULL;
}

static void check_announced_one(struct bench *bench, const char *rows, long trial,
                                const char *state)
{
    char expected[64];
    const char *row = row_of(rows, trial);
    snprintf(expected, sizeof expected, "%ld,%s", trial, state);
    if (!row || strncmp(row, expected, strlen(expected)) != 0)
        problem_add(bench, "trial %ld was announced as '%s', but the journal says: %.*s\n", trial,
                    state, row ? (int)strcspn(row, "\r\n") : 7, row ? row : "nothing");
}

/*
 * Results that the run printed as lines of JSON, or accepted, are in the journal. A trial that
 * failed may since have run again.
 */
static void check_announced(struct bench *bench, const struct fault_case *c,
                            const struct ended *ended)
{
    static const char event[] = "{\"event\":\"trial\",\"trial\":";
    const char *tell = c->scenario->input, *at;
    char *rows = NULL;
    if (!strstr(ended->out, event) && !strstr(ended->out, "\"ok\""))
        return;
    rows = read_rows(bench);
    for (at = ended->out; (at = strstr(at, event)); at++) {
        char state[32] = "";
        const char *says = strstr(at, "\"state\":\"");
        if (says && sscanf(says, "\"state\":\"%31[a-z -]", state) == 1 &&
            strcmp(state, "done") == 0)
            check_announced_one(bench, rows, strtol(at + sizeof event - 1, NULL, 10), state);
    }
    for (at = ended->out; tell && (at = strstr(at, "\"ok\"")); at++) {
        tell = strstr(tell, "\"tell\"");
        if (!tell)
            break;
        bool failed = strncmp(tell + 16, ", \"failed", 9) == 0;
        check_announced_one(bench, rows, strtol(tell + 15, NULL, 10), failed ? "failed" : "done");
        tell++;
    }
    free(rows);
}

/* The score of these trials is their x. */
static bool is_consistent(const char *row)
{
    double score, x;
    return sscanf(row, "%*d,done,%lf,%lf,", &score, &x) == 2 && score == x;
}

/*
 * A trial may have failed, if the journal says why: it is then the user's to run it again.
 * `unlike`: the trials may have other parameters.
 */
static void check_rows(struct bench *bench, const struct scenario *scenario, const char *rows,
                       const char *usual, bool unlike)
{
    for (const char *at = usual; rows && *at; at += strcspn(at, "\n"), at += *at == '\n') {
        size_t length = strcspn(at, "\n");
        long trial = strtol(at, NULL, 10);
        const char *row = trial ? row_of(rows, trial) : rows;
        if (row && strncmp(row, at, length + 1) == 0)
            continue;
        char state[32] = "";
        if (row && (scenario->varies || unlike) && is_consistent(row))
            continue;
        if (row && sscanf(row, "%*d,%31[a-z -]", state) == 1 && strcmp(state, "failed") == 0 &&
            row[strcspn(row, "\r\n") - 1] != ',')
            continue;
        problem_add(bench, "a trial differs: %.*s, not %.*s\n", row ? (int)strcspn(row, "\r\n") : 7,
                    row ? row : "nothing", (int)strcspn(at, "\r\n"), at);
    }
}

/* Without a fault, the study comes to its usual end; `unlike`: with other suggestions. */
static void check_finish(struct bench *bench, const struct fault_case *c, const struct usual *usual,
                         bool done, bool unlike)
{
    struct ended ended = {0};
    char path[512];
    bool exists = access(bench_path(bench, path, "case/s/journal"), F_OK) == 0;
    if (exists && (!done || unlike))
        run(bench, c->scenario->finish, NULL, NULL, &ended);
    else if (!done)
        run(bench, c->scenario->command, c->scenario->input, NULL, &ended);
    if (ended.status != 0)
        problem_add(bench, "it cannot be completed afterwards: code %d: %s\n",
                    WEXITSTATUS(ended.status), ended.err);
    ended_free(&ended);
    if (bench->problem[0])
        return;
    char *names = folder_list(bench_path(bench, path, "case/s/tmp"));
    /* in a folder that cannot be opened, nothing can be removed */
    if (c->fault->call != FAULTS_UNLINK && c->fault->call != FAULTS_OPEN)
        check_lines(bench, names, "", "a file of a trial is left when all have ended");
    free(names);
    if (done || !exists || strcmp(c->scenario->finish[0], "asktell") != 0) {
        char *rows = read_rows(bench);
        check_rows(bench, c->scenario, rows, usual->rows, unlike);
        free(rows);
    }
}

static void check_unchanged(struct bench *bench, const struct usual *usual)
{
    char path[512];
    char *journal = file_text(bench_path(bench, path, "case/s/journal"));
    if (journal && usual->journal && strcmp(journal, usual->journal) != 0)
        problem_add(bench, "the journal has changed\n");
    free(journal);
}

/* ---- a case ---- */

void case_usual(struct bench *bench, const struct scenario *scenario, struct usual *usual)
{
    struct ended ended;
    char path[512];
    bench->problem[0] = 0;
    bench->faults->number = 0;
    run_scenario(bench, scenario, &ended);
    int code = WIFEXITED(ended.status) ? WEXITSTATUS(ended.status) : -1;
    if (bench->problem[0] || (code != scenario->code && scenario->code >= 0)) {
        fprintf(stderr, "faults: %s without a fault ends with %d: %s\n%s", scenario->name, code,
                ended.err, bench->problem);
        exit(1);
    }
    memcpy(usual->counts, bench->faults->counts, sizeof usual->counts);
    usual->out = ended.out;
    ended.out = NULL;
    ended_free(&ended);
    usual->files = folder_list(bench_path(bench, path, "case"));
    usual->journal = file_text(bench_path(bench, path, "case/s/journal"));
    usual->rows = scenario->finish[0] ? read_rows(bench) : NULL;
    if (scenario->file && asprintf(&usual->file, "%lld", size_of(bench, scenario->file)) < 0)
        abort();
}

bool case_try(struct bench *bench, const struct fault_case *c, const struct usual *usual)
{
    struct faults *faults = bench->faults;
    struct ended ended;
    bench->problem[0] = 0;
    faults->process = (int)c->process;
    faults->call = (int)c->fault->call;
    faults->number = c->number;
    faults->onwards = c->fault->onwards;
    faults->error = c->fault->error;
    bool good = run_scenario(bench, c->scenario, &ended);
    bool reached = faults->failed > 0;
    check_end(bench, c, &ended);
    check_work(bench, c, usual, &ended);
    if (c->fault->call != FAULTS_UNLINK)
        check_left(bench, usual);
    if (c->scenario->finish[0]) {
        check_announced(bench, c, &ended);
        /* points that could not be read are tried later, or not at all, as the study said */
        bool unlike = strstr(ended.err, "note: no points are taken from s/queue: it cannot be ");
        check_finish(bench, c, usual, good, unlike);
    } else if (!c->scenario->beside) {
        check_unchanged(bench, usual);
    }
    if (bench->problem[0])
        problem_add(bench, "stderr: %s\n", ended.err);
    ended_free(&ended);
    return reached;
}

void case_print_place(const struct bench *bench)
{
    char command[5000];
    int used = snprintf(command, sizeof command, "addr2line -spfie '%s'", bench->program);
    for (int i = 0; i < FAULTS_DEPTH && bench->faults->places[i]; i++)
        used += snprintf(command + used, sizeof command - (size_t)used, " %llx",
                         (unsigned long long)bench->faults->places[i] - 1);
    snprintf(command + used, sizeof command - (size_t)used,
             " 2>/dev/null | grep -v -e '^?' -e shim.c | head -n 8 | sed 's/^/    at /'");
    fflush(stdout);
    shell(command, NULL);
}
