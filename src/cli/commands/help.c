/* help.c - wick help: list the commands, or describe one of them. */
#include "cli/cli.h"

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    if (cli_flag(arguments, "list")) {
        cli_list_all();
        return 0;
    }
    if (!arguments->operands[0]) {
        cli_help_all(stdout);
        return 0;
    }
    const struct cli_command *command = cli_command_need(arguments->operands[0], &e);
    if (!command)
        return cli_fail(&e);
    cli_help_command(command);
    return 0;
}

static const struct cli_option options[] = {
    {.name = "list", .help = "list every command and option, for completion scripts"},
    {0},
};

const struct cli_command cli_command_help = {
    .name = "help",
    .summary = "list the commands, or describe one of them",
    .example = "wick help run",
    .synopsis = "[COMMAND]",
    .options = {options},
    .most = 1,
    .run = run,
};
