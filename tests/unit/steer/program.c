/* program.c - a steering program: what it receives, what it says, and how it ends. */
#include "steer/program.h"
#include "tap.h"

#include <signal.h>
#include <stdlib.h>

struct talk {
    struct comm *comm;
    struct helper *helper;
    const struct program_plan *plan;
    struct program *program;
    const char *told;
    bool stops; /* as soon as it says something */
    struct str said;
    struct program_end end;
    bool ended;
};

static void said(void *self, const char *bytes, size_t length)
{
    struct talk *talk = self;
    str_add_bytes(&talk->said, bytes, length);
    if (talk->stops)
        program_stop(talk->program);
}

static void ended(void *self, const struct program_end *end)
{
    struct talk *talk = self;
    talk->end = *end;
    talk->ended = true;
    comm_stop(talk->comm);
}

static void start(void *self, struct comm *comm)
{
    struct talk *talk = self;
    struct program_observer observer = {talk, said, ended};
    talk->comm = comm;
    talk->program = program_start(comm, talk->helper, 1, talk->plan, &observer);
    program_tell(talk->program, talk->told, strlen(talk->told));
    if (!talk->stops)
        program_hang_up(talk->program);
}

static void message(void *self, const struct comm_message *m)
{
    (void)self;
    (void)m;
}

/* Runs a script to its end; it has this many seconds between SIGTERM and SIGKILL. */
static void run(struct talk *talk, const char *folder, const char *script, const char *told,
                double grace)
{
    const char *const command[] = {"sh", "-c", script, NULL};
    const struct study_variable variables[] = {{"COLOUR", "blue"}};
    struct program_plan plan = {folder, command, variables, 1, grace};
    struct err e = {0};
    struct comm_actor actor = {talk, start, message};
    talk->plan = &plan;
    talk->told = told;
    if (helper_start(&talk->helper, 1, &e) || comm_threads(1, &actor, &e))
        ok(false, "%s", e.message);
}

static void finish(struct talk *talk)
{
    program_free(talk->program);
    helper_stop(talk->helper);
    str_free(&talk->said);
}

int main(void)
{
    signal(SIGPIPE, SIG_IGN);
    struct talk talk = {0};
    struct str log = {0};
    run(&talk, "/", "read a; echo \"$a $COLOUR $PWD\"; echo oh >&2; exit 3", "sky\n", 60);
    is_text(str_text(&talk.said), "sky blue /\n", "it hears, says and has its environment");
    ok(talk.end.exit_code == 3 && talk.end.signal == 0, "how it ended");
    ok(program_log(talk.program, &log) == 3, "its log");
    is_text(str_text(&log), "oh\n", "is what it wrote on its standard error");
    finish(&talk);

    struct str much = {0};
    for (int i = 0; i < 300000; i++)
        str_add(&much, "0123456789\n");
    talk = (struct talk){0};
    run(&talk, "/", "sleep 0.2; wc -c", much.text, 60);
    ok(strtol(str_text(&talk.said), NULL, 10) == 3300000, "more than a pipe holds");
    finish(&talk);

    talk = (struct talk){0};
    run(&talk, "/", "exec 0<&-; sleep 0.1; echo deaf", much.text, 60);
    is_text(str_text(&talk.said), "deaf\n", "one that does not listen");
    finish(&talk);

    talk = (struct talk){.stops = true};
    run(&talk, "/", "echo here; read a", "", 600);
    ok(talk.end.signal == SIGTERM, "it is told to end");
    finish(&talk);

    talk = (struct talk){.stops = true};
    run(&talk, "/", "trap '' TERM; echo here; while :; do sleep 0.1; done", "", 0.2);
    ok(talk.end.signal == SIGKILL, "one that does not want to is killed");
    finish(&talk);

    talk = (struct talk){0};
    run(&talk, "/no/such/folder", "true", "", 60);
    ok(strstr(talk.end.reason, "cannot enter /no/such/folder"), "a folder that is not there");
    finish(&talk);
    str_free(&much);
    str_free(&log);
    return tap_end();
}
