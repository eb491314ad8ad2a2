/* run.c - wick run: run a study. */
#include "cli/drive.h"

static int run(struct cli_arguments *arguments)
{
    struct study study;
    int code = cli_read_study(arguments, &study);
    return code ? code : drive_new(arguments, &study);
}

const struct cli_command cli_command_run = {
    .name = "run",
    .summary = "run a study",
    .example =
        "wick run study.yaml\n"
        "wick run --trials 50 --set lr=log:1e-5..1e-1 --set layers=1..4 -- python3 train.py\n"
        "wick run --function branin --trials 30",
    .synopsis = "[STUDY.yaml] [options] [-- COMMAND ...]",
    .details =
        "Runs the study on this machine, with as many trials at a time as there are cores.\n"
        "Options override the study file. Ctrl-C waits for the running trials, and a second\n"
        "Ctrl-C stops them; either way nothing is lost, and `wick resume` continues.",
    .options = {cli_folder_options, drive_options, cli_space_options, cli_model_options},
    .least = 0,
    .most = 1,
    .takes_command = true,
    .drives = true,
    .run = run,
};
