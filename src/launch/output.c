/*
 * output.c - finds the line of a job's output that says why the job failed. The last line rarely
 * does: launchers, shells and schedulers add their own below it.
 */
#include "launch/launch.h"

enum rank { NOTHING, RESTARTED, SUSPECT, EXCEPTION, WICK, ENDED };

/* Signs of a cause; of those that a line has, the first counts. Case matters. */
static const struct sign {
    const char *text;
    enum rank rank;
    bool starts; /* it must be at the start of the line */
} signs[] = {
    {"DUE TO PREEMPTION", RESTARTED, false},
    {"DUE TO NODE FAILURE", RESTARTED, false},
    {"DUE TO JOB REQUEUE", RESTARTED, false},
    {"DUE TO TIME LIMIT", ENDED, false},
    {"oom-kill", ENDED, false},
    {"oom_kill", ENDED, false},
    {"PBS: job killed", ENDED, false},
    {"TERM_RUNLIMIT", ENDED, false},
    {"TERM_MEMLIMIT", ENDED, false},
    {" CANCELLED AT ", ENDED, false},
    {"wick: ", WICK, true},
    {"command not found", SUSPECT, false},
    {"error:", SUSPECT, false},
    {"Error:", SUSPECT, false},
    {"ERROR:", SUSPECT, false},
    {"No such file or directory", SUSPECT, false},
    {"Permission denied", SUSPECT, false},
    {"Disk quota exceeded", SUSPECT, false},
    {"No space left on device", SUSPECT, false},
    {"Segmentation fault", SUSPECT, false},
    {"error while loading shared libraries", SUSPECT, false},
};

static enum rank rank_of(struct slice line)
{
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const char *text = signs[i].text;
        size_t length = strlen(text);
        if (signs[i].starts ? line.length >= length && memcmp(line.text, text, length) == 0
                            : memmem(line.text, line.length, text, length) != NULL)
            return signs[i].rank;
    }
    return NOTHING;
}

static bool is_blank(struct slice line)
{
    for (size_t i = 0; i < line.length; i++)
        if (!strchr(" \t\r", line.text[i]))
            return false;
    return true;
}

/*
 * Of the lines with the highest rank, the first one: the others usually follow from it. The
 * exception of a Python program is the first line after its Traceback that is not indented. A job
 * that was started again failed for another reason than the one before.
 */
struct slice launch_output_cause(struct slice output)
{
    static const char traceback[] = "Traceback (most recent call last):";
    struct slice cause = slice_last_line(output);
    enum rank best = NOTHING;
    bool in_traceback = false;
    for (size_t at = 0; at < output.length;) {
        const char *start = output.text + at, *end = memchr(start, '\n', output.length - at);
        struct slice line = {start, end ? (size_t)(end - start) : output.length - at};
        at += line.length + 1;
        if (is_blank(line))
            continue;
        enum rank rank = rank_of(line);
        if (in_traceback && line.text[0] != ' ') {
            rank = EXCEPTION;
            in_traceback = false;
        } else if (memmem(line.text, line.length, traceback, sizeof traceback - 1)) {
            in_traceback = true;
            continue;
        }
        if (rank > best || rank == RESTARTED) {
            best = rank;
            cause = slice_last_line(line); /* without blanks at its end */
        }
    }
    return cause;
}
