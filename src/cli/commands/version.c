/* version.c - wick version. */
#include "cli/cli.h"

static int run(struct cli_arguments *arguments)
{
    (void)arguments;
    puts("wick " WICK_VERSION);
    return 0;
}

const struct cli_command cli_command_version = {
    .name = "version",
    .summary = "print the version of Wick",
    .example = "wick --version",
    .synopsis = "",
    .run = run,
};
