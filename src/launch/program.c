/* program.c - runs a program of the scheduler in a suitable environment. */
#include "launch/schedulers.h"

#include <unistd.h>

static bool begins(const char *text, const char *start)
{
    return strncmp(text, start, strlen(start)) == 0;
}

/*
 * The variables of this job must not reach a job that it submits: most schedulers pass on the whole
 * environment, and would read their own variables as requests.
 */
static bool is_forgotten(const struct scheduler *scheduler, const char *variable)
{
    if (begins(variable, "WICK_JOB_") || begins(variable, "WICK_SCHEDULER=") ||
        begins(variable, "PWD="))
        return true;
    if (!scheduler->forget || !begins(variable, scheduler->forget))
        return false;
    for (size_t i = 0; scheduler->keep[i]; i++) {
        size_t length = strlen(scheduler->keep[i]);
        if (strncmp(variable, scheduler->keep[i], length) == 0 && variable[length] == '=')
            return false;
    }
    return true;
}

/* Sets PWD to the folder, since some schedulers start the job in the folder that PWD names. */
static char **environment_of(const struct scheduler *scheduler, const char *folder,
                             struct arena *arena)
{
    size_t count = 0;
    while (environ[count])
        count++;
    char **variables = arena_new(arena, count + 3, sizeof *variables);
    char here[PATH_MAX];
    count = 0;
    for (char **variable = environ; *variable; variable++)
        if (!is_forgotten(scheduler, *variable))
            variables[count++] = *variable;
    if (realpath(folder ? folder : ".", here))
        variables[count++] = arena_printf(arena, "PWD=%s", here);
    variables[count++] = arena_printf(arena, "FLUX_F58_FORCE_ASCII=1"); /* job IDs in ASCII */
    return variables;
}

int program_run(const struct program_call *call, struct program_answer *answer, struct err *e)
{
    struct arena arena = {0};
    struct command_options options = {.limit = call->seconds, .folder = call->folder};
    options.environment = environment_of(call->scheduler, call->folder, &arena);
    struct str script = {0};
    if (call->folder && call->scheduler->reads_input)
        options.input = study_path(&script, call->folder, STUDY_JOB_SCRIPT);
    *answer = (struct program_answer){0};
    command_run(call->words, &options, &answer->out, &answer->errors, &answer->status, e);
    arena_free(&arena);
    str_free(&script);
    return e->code;
}

void program_answer_free(struct program_answer *answer)
{
    str_free(&answer->out);
    str_free(&answer->errors);
}
