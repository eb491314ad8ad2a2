/* upf.c - wick upf: run a trial for each line of an unrolled parameter file. */
#include "cli/drive.h"

static int upf(struct cli_arguments *arguments)
{
    struct study study;
    struct study_words words;
    struct err_list mistakes = {0};
    cli_words(arguments, &words);
    if (study_from_upf(&study, arguments->operands[0], &words, &mistakes))
        return cli_fail_all(&mistakes);
    return drive_new(arguments, &study);
}

const struct cli_command cli_command_upf = {
    .name = "upf",
    .summary = "run a trial for each line of an unrolled parameter file (UPF)",
    .example = "wick upf parameters.txt --score val_loss -- python3 train.py",
    .synopsis = "FILE [options] -- COMMAND ...",
    .details =
        "Each line of FILE is a JSON object with the parameters of one trial and an `id`, which\n"
        "the trial finds in its environment as RUNID. Blank lines and # comments are ignored.",
    .options = {cli_folder_options, drive_options, cli_model_options},
    .least = 1,
    .most = 1,
    .takes_command = true,
    .drives = true,
    .run = upf,
};
