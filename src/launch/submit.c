/* submit.c - submits a job, asks for its state and cancels it, with the scheduler's programs. */
#include "launch/schedulers.h"

#include <unistd.h>

static const double SUBMIT_SECONDS = 120, CANCEL_SECONDS = 60, ASK_SECONDS = 5;

enum { WORDS = 16 };

/* The name may come from a record of another version of Wick, or of unknown origin. */
static const struct scheduler *need(const char *name, struct err *e)
{
    const struct scheduler *row = scheduler_find(name);
    if (!row)
        err_set(e, ERR_USER, "there is no scheduler '%.100s'", name);
    return row;
}

static bool is_local(const char *scheduler)
{
    return strcmp(scheduler, "local") == 0;
}

/* ---- the words of a command ---- */

static const char *with_id(const char *word, const char *id, struct arena *arena)
{
    const char *place = strstr(word, "{id}");
    if (!place || !id)
        return word;
    return arena_printf(arena, "%.*s%s%s", (int)(place - word), word, id, place + strlen("{id}"));
}

static void fill_words(const struct scheduler *row, const char *const *template, const char *id,
                       const char **words, struct arena *arena)
{
    const char *here = launch_here().scheduler;
    bool inside = row->inside && here && strcmp(here, scheduler_name(row)) == 0;
    size_t count = 0;
    for (; *template; template ++) {
        if (strcmp(*template, "{after}") == 0)
            for (size_t i = 0; id && row->after[i]; i++)
                words[count++] = with_id(row->after[i], id, arena);
        else if (strcmp(*template, "{inside}") != 0)
            words[count++] = with_id(*template, id, arena);
        else if (inside)
            words[count++] = row->inside;
    }
    words[count] = NULL;
}

/* ---- submitting ---- */

/* Reports why a program failed, in its own words, with its name first unless they start with it. */
static int failed(const struct program_call *call, const struct program_answer *answer,
                  struct err *e)
{
    char line[512];
    const char *name = call->words[0];
    answer_line(answer, line, sizeof line);
    if (!line[0])
        return err_set(e, ERR_SYSTEM, "%s exited with code %d and printed nothing", name,
                       answer->status);
    if (strncmp(line, name, strlen(name)) == 0)
        return err_set(e, ERR_USER, "%s", line);
    return err_set(e, ERR_USER, "%s: %s", name, line);
}

/* The job may exist unless its program was not started, or has refused it. */
static bool may_exist(const struct program_answer *answer)
{
    char line[8];
    answer_line(answer, line, sizeof line);
    bool killed = answer->status > 128 && !line[0];
    return answer->status != COMMAND_MISSING && (answer->status <= 0 || killed);
}

int launch_submit(const char *scheduler, const char *dir, const char *after, char id[LAUNCH_ID],
                  bool *maybe, struct err *e)
{
    *maybe = false;
    const struct scheduler *row = need(scheduler, e);
    if (!row)
        return e->code;
    if (after && !answer_is_id(after))
        return err_set(e, ERR_USER, "'%.100s' is not a job ID", after);
    if (is_local(scheduler))
        return local_submit(dir, after, id, maybe, e);
    const char *words[WORDS];
    struct arena arena = {0};
    struct program_answer answer;
    fill_words(row, row->submit, after, words, &arena);
    struct program_call call = {
        .scheduler = row, .words = words, .folder = dir, .seconds = SUBMIT_SECONDS};
    if (program_run(&call, &answer, e) == 0) {
        if (answer.status != 0)
            failed(&call, &answer, e);
        else if (!answer_id(row, &answer.out, id))
            err_set(e, ERR_SYSTEM, "%s did not print a job ID; it said: %.300s", words[0],
                    str_text(&answer.out));
    }
    *maybe = e->code && may_exist(&answer);
    program_answer_free(&answer);
    arena_free(&arena);
    return e->code;
}

const char *launch_jobs_command(const char *scheduler)
{
    const struct scheduler *row = scheduler_find(scheduler);
    return row && row->jobs ? row->jobs : "ps -u $USER";
}

/* ---- asking and cancelling ---- */

int launch_cancel(const char *scheduler, const char *id, struct err *e)
{
    const struct scheduler *row = need(scheduler, e);
    if (!row)
        return e->code;
    if (!answer_is_id(id))
        return err_set(e, ERR_USER, "'%.100s' is not a job ID", id);
    if (is_local(scheduler))
        return local_cancel(id, e);
    const char *words[WORDS];
    struct arena arena = {0};
    struct program_answer answer;
    fill_words(row, row->cancel, id, words, &arena);
    struct program_call call = {.scheduler = row, .words = words, .seconds = CANCEL_SECONDS};
    if (program_run(&call, &answer, e) == 0 && answer.status != 0 &&
        !answer_is_unknown(row, &answer))
        failed(&call, &answer, e);
    program_answer_free(&answer);
    arena_free(&arena);
    return e->code;
}

void launch_ask(const char *scheduler, const char *id, struct launch_report *report)
{
    const struct scheduler *row = scheduler_find(scheduler);
    const char *words[WORDS];
    struct err e = {0};
    struct arena arena = {0};
    struct program_answer answer;
    *report = (struct launch_report){.state = LAUNCH_UNKNOWN};
    if (!row || !answer_is_id(id))
        return;
    if (is_local(scheduler)) {
        local_ask(id, report);
        return;
    }
    fill_words(row, row->list, id, words, &arena);
    struct program_call call = {.scheduler = row, .words = words, .seconds = ASK_SECONDS};
    if (program_run(&call, &answer, &e) == 0) {
        if (answer.status == 0)
            answer_read(row, id, str_text(&answer.out), report);
        else if (answer_is_unknown(row, &answer))
            report->state = LAUNCH_ENDED;
        else
            answer_line(&answer, report->detail, sizeof report->detail);
    }
    program_answer_free(&answer);
    arena_free(&arena);
}

static bool has_waited_for(const char *dir, const char *id)
{
    struct launch_here here = launch_here();
    struct launch_record record;
    struct err ignored = {0};
    launch_record_load(&record, dir, &ignored);
    bool waited = here.scheduler && launch_record_follows(&record, here.id, id);
    launch_record_free(&record);
    return waited;
}

enum launch_state launch_ask_earlier(const char *dir, const char *scheduler, const char *id)
{
    enum { TIMES = 3, PAUSE = 2 /* seconds */ };
    struct launch_report report;
    if (has_waited_for(dir, id))
        return LAUNCH_ENDED;
    launch_ask(scheduler, id, &report);
    for (int i = 1; i < TIMES && report.state == LAUNCH_UNKNOWN; i++) {
        sleep(PAUSE);
        launch_ask(scheduler, id, &report);
    }
    return report.state;
}
