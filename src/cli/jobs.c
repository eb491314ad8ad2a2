/*
 * jobs.c - the job of a study, according to the record in its folder and to the scheduler.
 *
 * The record says which jobs there were, but a job that was killed leaves no trace in it, so the
 * scheduler is queried about those that may still exist. It can be queried only where its programs
 * are; elsewhere the record must do. A busy scheduler takes time to answer, so commands that watch
 * a study query it only from time to time.
 */
#include "cli/jobs.h"

#include <fcntl.h>
#include <math.h>
#include <sys/stat.h>
#include <unistd.h>

static const double ASK_INTERVAL = 30, WIND_UP = 10; /* seconds */

/* ---- which jobs may still be there ---- */

/*
 * A scheduler that does not answer is queried only once, since each query costs seconds. A process
 * on another machine costs nothing, and says nothing about other jobs.
 */
size_t jobs_open(const struct launch_record *record, struct jobs_one jobs[JOBS_OPEN])
{
    size_t count = 0;
    const char *silent = "";
    for (size_t i = record->count; i-- > 0 && count < JOBS_OPEN;) {
        const struct launch_entry *entry = &record->entries[i];
        if (!launch_entry_open(entry))
            continue;
        jobs[count] = (struct jobs_one){.entry = *entry};
        if (strcmp(entry->scheduler, silent) != 0)
            launch_ask(entry->scheduler, entry->id, &jobs[count].report);
        if (jobs[count].report.state == LAUNCH_UNKNOWN && strcmp(entry->scheduler, "local") != 0)
            silent = entry->scheduler;
        if (jobs_runs(&jobs[count++]))
            break; /* those before it have ended */
    }
    return count;
}

bool jobs_runs(const struct jobs_one *job)
{
    return job->report.state == LAUNCH_RUNNING || job->report.state == LAUNCH_ENDING;
}

bool jobs_waits(const struct jobs_one *job)
{
    return job->report.state == LAUNCH_WAITING;
}

bool jobs_winds_up(const struct jobs_one *job, const struct journal *journal)
{
    double closed = journal->created + journal->last_time;
    return !standing_continues(journal->end) && jobs_runs(job) && job->entry.began > 0 &&
           job->entry.began < closed;
}

bool jobs_await_end(struct jobs_one *job, const struct journal *journal)
{
    double start = clock_now();
    while (jobs_winds_up(job, journal) && clock_now() < start + WIND_UP) {
        cli_wait(clock_now(), 1);
        launch_ask(job->entry.scheduler, job->entry.id, &job->report);
    }
    return !jobs_winds_up(job, journal);
}

/* What is known about a job if the scheduler cannot be queried. */
static bool has_begun(const struct jobs_one *job)
{
    return jobs_runs(job) || (job->report.state == LAUNCH_UNKNOWN && job->entry.began > 0);
}

/* Chooses the running job and the first waiting one; if none runs, the waiting one is current. */
static void choose(struct cli_job *job, const struct jobs_one *open, size_t count)
{
    for (size_t i = count; i-- > 0;) { /* the earliest comes last */
        if (open[i].report.state == LAUNCH_ENDED)
            continue;
        if (has_begun(&open[i]))
            job->current = open[i];
        else if (!job->next.entry.id[0])
            job->next = open[i];
    }
    if (job->current.entry.id[0])
        return;
    job->current = job->next;
    job->next = (struct jobs_one){0};
}

/* If all jobs have ended, the last one that ran: a later one was cancelled before it started. */
static const struct launch_entry *last_of(const struct launch_record *record)
{
    for (size_t i = record->count; i-- > 0;)
        if (record->entries[i].began > 0)
            return &record->entries[i];
    return &record->entries[record->count - 1];
}

void cli_job_look(struct cli_job *job, const char *dir)
{
    struct launch_record record = {0};
    struct jobs_one open[JOBS_OPEN];
    struct err ignored = {0};
    if (job->asked > 0 && clock_now() < job->asked + ASK_INTERVAL)
        return;
    *job = (struct cli_job){0};
    if (launch_record_load(&record, dir, &ignored))
        return;
    choose(job, open, jobs_open(&record, open));
    if (!job->current.entry.id[0] && record.count > 0) {
        job->current.entry = *last_of(&record);
        job->current.report.state = LAUNCH_ENDED;
    }
    job->asked = clock_now();
    launch_record_free(&record);
}

/* ---- for people ---- */

const char *cli_resume_command(const struct journal *journal, bool had_jobs)
{
    return had_jobs ? "submit" : study_resume_command(&journal->study.model);
}

void cli_add_job_name(struct str *s, const struct launch_entry *entry)
{
    char name[LAUNCH_ID + 64];
    launch_name(entry->scheduler, entry->id, name, sizeof name);
    cli_add_safe(s, name, strlen(name));
}

/* Seconds until the time limit of the job, NaN: unknown. */
static double time_left(const struct jobs_one *job)
{
    if (!has_begun(job) || job->entry.until <= 0)
        return NAN;
    return fmax(job->entry.until - clock_wall(), 0);
}

/* Slurm's reasons why a job waits, by their first letters: the first match counts. */
static const char *meaning_of(const char *word)
{
    static const struct {
        const char *word, *meaning;
    } words[] = {
        {"Resources", "waiting for free nodes"},
        {"Priority", "other jobs have a higher priority"},
        {"Dependency", "waiting for another job to end"},
        {"PartitionConfig", "it asks for more than the partition has"},
        {"PartitionNodeLimit", "it asks for more or fewer nodes than the partition allows"},
        {"PartitionTimeLimit", "it asks for more time than the partition allows"},
        {"PartitionDown", "the partition is down"},
        {"PartitionInactive", "the partition is down"},
        {"ReqNodeNotAvail", "required nodes are down or reserved"},
        {"Assoc", "limited by the account"},
        {"QOS", "limited by the QOS"},
        {"JobHeld", "held until it is released"},
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strncmp(word, words[i].word, strlen(words[i].word)) == 0)
            return words[i].meaning;
    return NULL;
}

/* "(Resources)" becomes " (Resources: waiting for free nodes)", which keeps Slurm's own word. */
static void add_why(struct str *s, const char *detail)
{
    size_t length = strlen(detail);
    if (length == 0 ||
        strcmp(detail, "(None)") == 0) /* the scheduler has not looked at the job yet */
        return;
    const char *meaning = detail[0] == '(' ? meaning_of(detail + 1) : NULL;
    bool inside = meaning && detail[length - 1] == ')';
    str_add(s, detail[0] == '(' ? " " : ": ");
    cli_add_safe(s, detail, length - inside);
    if (inside)
        str_printf(s, ": %s)", meaning);
}

static void add_state(struct str *s, const struct jobs_one *job)
{
    const struct launch_report *report = &job->report;
    const char *detail = report->detail;
    switch (report->state) {
    case LAUNCH_RUNNING: str_add(s, detail[0] ? ", running on " : ", running"); break;
    case LAUNCH_WAITING:
        str_add(s, ", waiting");
        add_why(s, detail);
        return;
    case LAUNCH_ENDING: str_add(s, detail[0] ? ", ending on " : ", ending"); break;
    case LAUNCH_ENDED:
        str_add(s, ", ended");
        if (job->entry.end[0]) {
            str_add(s, " (");
            cli_add_safe(s, job->entry.end, strlen(job->entry.end));
            str_add_char(s, ')');
        }
        return;
    case LAUNCH_UNKNOWN:
        str_printf(s, ", %s according to its record (the scheduler cannot be queried here)",
                   job->entry.began > 0 ? "running" : "waiting");
        return;
    }
    cli_add_safe(s, detail, strlen(detail));
}

void cli_add_job(struct str *s, const struct cli_job *job)
{
    const struct jobs_one *current = &job->current;
    double left = time_left(current);
    cli_add_job_name(s, &current->entry);
    add_state(s, current);
    if (current->entry.links > 1)
        str_printf(s, ", job %llu of at most %llu", (unsigned long long)current->entry.link,
                   (unsigned long long)current->entry.links);
    if (!isnan(left)) {
        str_add(s, ", ");
        str_add_duration(s, left);
        str_add(s, " left");
    }
    if (job->next.entry.id[0]) {
        bool waits_for_it = strcmp(job->next.entry.after, current->entry.id) == 0;
        str_add(s, "; next: ");
        cli_add_safe(s, job->next.entry.id, strlen(job->next.entry.id));
        str_add(s, waits_for_it ? " waits for it" : " waits");
    }
}

/* ---- a job that came to nothing ---- */

static bool came_to_nothing(const struct cli_status *status)
{
    bool unfinished = status->state == STANDING_PREPARED || status->state == STANDING_CRASHED ||
                      status->state == STANDING_INTERRUPTED || status->state == STANDING_BROKEN;
    if (!unfinished || !status->job || status->job->current.report.state != LAUNCH_ENDED)
        return false;
    const char *end = status->job->current.entry.end; /* "": it ended before it could record why */
    return end[0] == 0 || strcmp(end, "error") == 0;
}

/* Reads the end of a job's output; false if there is no such file. */
static bool read_output(const char *path, struct str *text)
{
    enum { TAIL = 1 << 16 };
    struct stat info;
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK); /* a pipe must not block */
    bool found = fd >= 0 && fstat(fd, &info) == 0 && S_ISREG(info.st_mode);
    if (found) {
        char *bytes = memory_new(TAIL, 1);
        ssize_t length = pread(fd, bytes, TAIL, info.st_size > TAIL ? info.st_size - TAIL : 0);
        str_add_bytes(text, bytes, length > 0 ? (size_t)length : 0);
        free(bytes);
    }
    if (fd >= 0)
        close(fd);
    return found;
}

void cli_add_job_failure(struct str *s, const struct journal *journal,
                         const struct cli_status *status)
{
    struct str path = {0}, output = {0};
    if (!came_to_nothing(status))
        return;
    const struct launch_entry *entry = &status->job->current.entry;
    str_printf(&path, "%s/job-%s.out", journal->dir, entry->id);
    bool found = !strchr(entry->id, '/') && read_output(path.text, &output);
    struct slice line = launch_output_cause((struct slice){str_text(&output), output.length});
    str_add(s, "job ");
    cli_add_safe(s, entry->id, strlen(entry->id));
    str_add(s, journal->count == 0 ? " ended without running a trial" : " did not end cleanly");
    str_add(s, found ? ": see " : ", and left no ");
    cli_add_safe(s, path.text, path.length);
    if (line.length > 0) {
        str_add(s, ": ");
        cli_add_safe(s, line.text, line.length);
    }
    str_free(&path);
    str_free(&output);
}

/* ---- for programs ---- */

/* Appends an object without its closing brace. */
static void put_job(struct str *s, const struct jobs_one *job)
{
    static const char *const states[] = {
        [LAUNCH_UNKNOWN] = "unknown", [LAUNCH_WAITING] = "waiting", [LAUNCH_RUNNING] = "running",
        [LAUNCH_ENDING] = "ending",   [LAUNCH_ENDED] = "ended",
    };
    json_add_object(s);
    json_set_text(s, "id", job->entry.id);
    cli_set_text(s, "scheduler", job->entry.scheduler);
    cli_set_text(s, "state", states[job->report.state]);
    cli_set_text(s, "word", job->report.word);
    cli_set_text(s, "detail", job->report.detail);
    json_set_whole(s, "link", job->entry.link);
    json_set_whole(s, "links", job->entry.links);
    json_set_number(s, "left", time_left(job));
}

void cli_add_job_json(struct str *s, const struct cli_job *job)
{
    put_job(s, &job->current);
    json_add_key(s, "next");
    if (job->next.entry.id[0]) {
        put_job(s, &job->next);
        json_end_object(s);
    } else {
        json_add_null(s);
    }
    json_end_object(s);
}
