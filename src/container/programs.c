/* programs.c - runs a program for its exit code, and for its output if that is not 0. */
#include "container/inside.h"

int container_run_program(char *const *argv, char *const *environment, double seconds,
                          struct str *said)
{
    struct command_options options = {.limit = seconds, .environment = environment};
    struct err e = {0};
    int status = 0;
    if (command_run((const char *const *)argv, &options, said, said, &status, &e)) {
        str_printf(said, "%s%s", said->length ? "\n" : "", e.message);
        return -1;
    }
    return status;
}
