/* main.c - the table of commands, and main(). */
#include "cli/cli.h"
#include "cli/ranks.h"
#include "container/container.h"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

extern const struct cli_command cli_command_run, cli_command_resume, cli_command_check,
    cli_command_upf, cli_command_status, cli_command_watch, cli_command_best, cli_command_list,
    cli_command_show, cli_command_sql, cli_command_export, cli_command_report, cli_command_help,
    cli_command_version, cli_command_asktell, cli_command_enqueue, cli_command_importance,
    cli_command_trial, cli_command_doctor, cli_command_submit, cli_command_stop, cli_command_top,
    cli_command_job, cli_command_repair, cli_command_swift;

const struct cli_command *const cli_commands[] = {
    &cli_command_run,        &cli_command_resume,
    &cli_command_submit,     &cli_command_stop,
    &cli_command_job,        &cli_command_check,
    &cli_command_doctor,     &cli_command_upf,
    &cli_command_swift,      &cli_command_asktell,
    &cli_command_enqueue,    &cli_command_repair,
    &cli_command_status,     &cli_command_watch,
    &cli_command_top,        &cli_command_best,
    &cli_command_list,       &cli_command_show,
    &cli_command_importance, &cli_command_sql,
    &cli_command_export,     &cli_command_report,
    &cli_command_trial,      &cli_command_help,
    &cli_command_version,    NULL,
};

/* Headings in the list of commands, each above the command named here. */
static const struct heading {
    const char *first, *title;
} headings[] = {
    {"run", "Run a study"},
    {"status", "Follow a study and look at its results"},
    {"export", "Export the results"},
    {"trial", "Inside a trial"},
    {"help", "Help"},
};

const struct cli_command *cli_command_find(const char *name)
{
    for (size_t i = 0; cli_commands[i]; i++)
        if (strcmp(cli_commands[i]->name, name) == 0)
            return cli_commands[i];
    return NULL;
}

const struct cli_command *cli_command_need(const char *name, struct err *e)
{
    const struct cli_command *command = cli_command_find(name);
    if (command)
        return command;
    size_t count = 0;
    while (cli_commands[count])
        count++;
    const char **names = memory_new(count + 1, sizeof *names);
    for (size_t i = 0; i < count; i++)
        names[i] = cli_commands[i]->name;
    const char *nearest = str_nearest(name, names);
    free(names);
    if (nearest)
        err_set(e, ERR_USER, "unknown command '%s': did you mean '%s'?", name, nearest);
    else
        err_set(e, ERR_USER, "unknown command '%s': `wick help` lists the commands", name);
    return NULL;
}

void cli_help_all(FILE *out)
{
    const char *bold = cli_colour(out, CLI_BOLD), *plain = cli_colour(out, CLI_PLAIN);
    fprintf(out,
            "Wick finds good hyperparameters for any program that reports a score.\n\n"
            "%sExample%s\n"
            "  wick run --trials 50 --set lr=log:1e-5..1e-1 -- python3 train.py\n"
            "  wick run study.yaml\n"
            "  wick best\n",
            bold, plain);
    for (size_t i = 0; cli_commands[i]; i++) {
        for (size_t h = 0; h < sizeof headings / sizeof *headings; h++)
            if (strcmp(headings[h].first, cli_commands[i]->name) == 0)
                fprintf(out, "\n%s%s%s\n", bold, headings[h].title, plain);
        fprintf(out, "  %-10s %s\n", cli_commands[i]->name, cli_commands[i]->summary);
    }
    fputs("\nRun `wick help COMMAND` for the details of a command.\n", out);
}

int cli_run_command(const struct cli_command *command, int count, char **argv,
                    const struct cli_ranks *ranks)
{
    struct err e = {0};
    struct cli_arguments arguments;
    int code = 0;
    if (cli_parse(&arguments, command, count, argv, &e)) {
        code = cli_fail(&e);
    } else if (arguments.help) {
        cli_help_command(command);
    } else {
        arguments.typed = argv;
        arguments.ranks = ranks;
        code = command->run(&arguments);
    }
    cli_arguments_free(&arguments);
    return code;
}

/* If 0, 1 or 2 were closed, the next file opened would get that number, and our output. */
static void open_standard_files(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDWR);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
}

int main(int argc, char **argv)
{
    open_standard_files();
    signal(SIGCHLD, SIG_DFL); /* if it were ignored, as some callers leave it, the ends of programs
                                 would go unnoticed */
    if (argc < 2) {
        cli_help_all(stderr);
        return 2;
    }
    const char *word = argv[1];
    if (strcmp(word, "--version") == 0)
        word = "version";
    if (strcmp(word, "--help") == 0 || strcmp(word, "-h") == 0)
        word = "help";
    struct err e = {0};
    const struct cli_command *command;
    if (strcmp(word, CONTAINER_READ_ONLY) == 0 && container_read_only(argv + 2, &e))
        return cli_fail(&e);
    /* A file that may not grow is an error of write(), as on a full disk. */
    signal(SIGXFSZ, SIG_IGN);
    if (word[0] == '-') {
        err_set(&e, ERR_USER, "the option '%s' must follow a command: see `wick help`", word);
        return cli_fail(&e);
    }
    command = cli_command_need(word, &e);
    if (!command)
        return cli_fail(&e);
    if (command->drives && comm_launched().start != COMM_ALONE)
        return cli_finish(cli_rank(command, argc - 2, argv + 2));
    return cli_finish(cli_run_command(command, argc - 2, argv + 2, NULL));
}
