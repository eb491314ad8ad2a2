/* Which word of a command is the script that it runs. */
#include "script/script.h"

#include "tap.h"

enum { WORDS = 12 };

static const struct {
    const char *command[WORDS];
    enum script_sight sight;
    size_t index;
} cases[] = {
    {{"python3", "train.py"}, SCRIPT_SURE, 1},
    {{"/usr/bin/python3.11", "train.py"}, SCRIPT_SURE, 1},
    {{"python3", "train"}, SCRIPT_SURE, 1},
    {{"python3", "-u", "-OO", "train.py", "other.py"}, SCRIPT_SURE, 3},
    {{"python3", "-W", "ignore", "-Xdev", "train.py"}, SCRIPT_SURE, 4},
    {{"python3", "-m", "train"}, SCRIPT_NONE, 0},
    {{"python3", "-um", "train"}, SCRIPT_NONE, 0},
    {{"python3", "-c", "import train", "x.py"}, SCRIPT_NONE, 0},
    {{"python3", "-", "x.py"}, SCRIPT_NONE, 0},
    {{"python3"}, SCRIPT_NONE, 0},
    {{"python3", "-W"}, SCRIPT_NONE, 0},
    {{"python3", "train-{model}.py"}, SCRIPT_NONE, 0},
    {{"pythonic", "x"}, SCRIPT_NONE, 0},
    {{"Rscript", "--vanilla", "train.R"}, SCRIPT_SURE, 2},
    {{"Rscript", "-e", "train()"}, SCRIPT_NONE, 0},
    {{"bash", "-eo", "pipefail", "train.sh"}, SCRIPT_SURE, 3},
    {{"bash", "+x", "train.sh"}, SCRIPT_SURE, 2},
    {{"bash", "-ec", "python3 train.py", "x.sh"}, SCRIPT_NONE, 0},
    {{"sh", "-s", "x.sh"}, SCRIPT_NONE, 0},
    {{"julia", "--threads", "4", "train.jl"}, SCRIPT_SURE, 3},
    {{"julia", "-t", "4", "-e", "train()"}, SCRIPT_NONE, 0},
    {{"perl", "-w", "-I", "lib", "train.pl"}, SCRIPT_SURE, 4},
    {{"torchrun", "--nproc_per_node", "2", "train.py", "x.py"}, SCRIPT_SURE, 3},
    {{"torchrun", "--standalone", "-m", "train"}, SCRIPT_NONE, 0},
    {{"accelerate", "launch", "--num_processes", "2", "train.py"}, SCRIPT_SURE, 4},
    {{"timeout", "60", "python3", "train.py"}, SCRIPT_SURE, 3},
    {{"env", "A=b", "nice", "bash", "train.sh"}, SCRIPT_SURE, 4},
    {{"srun", "-n", "2", "python3", "-m", "train"}, SCRIPT_NONE, 0},
    {{"srun", "--chdir=/tmp", "python3", "train.py"}, SCRIPT_NONE, 0},
    {{"env", "-C", "/tmp", "python3", "train.py"}, SCRIPT_NONE, 0},
    {{"uv", "run", "train.py"}, SCRIPT_LIKELY, 2},
    {{"uv", "run", "--file=train.py"}, SCRIPT_NONE, 0},
    {{"apptainer", "exec", "a.sif", "python3", "/opt/train.py"}, SCRIPT_NONE, 0},
    {{"./train", "--lr", "1"}, SCRIPT_NONE, 0},
};

static const struct {
    const char *command[WORDS];
    enum script_use use;
} shells[] = {
    {{"bash", "-c", "train"}, SCRIPT_IGNORES},
    {{"timeout", "9", "sh", "-ec", "train $HOME", "sh"}, SCRIPT_IGNORES},
    {{"bash", "-c", "train \"$@\""}, SCRIPT_SKIPS_ONE},
    {{"bash", "-c", "train ${@}", "bash"}, SCRIPT_USES},
    {{"bash", "-c", "train $2"}, SCRIPT_USES},
    {{"bash", "-c", "jq .lr <<<$WICK_PARAMS"}, SCRIPT_USES},
    {{"bash", "-c"}, SCRIPT_USES},
    {{"bash", "train.sh", "-c", "x"}, SCRIPT_USES},
    {{"python3", "-c", "import train"}, SCRIPT_USES},
    {{"train", "-c", "x"}, SCRIPT_USES},
};

static void shell_texts(void)
{
    for (size_t i = 0; i < sizeof shells / sizeof *shells; i++) {
        size_t index;
        ok(script_shell_text(shells[i].command, &index) == shells[i].use, "shell %zu: %s", i,
           shells[i].command[0]);
    }
}

int main(void)
{
    shell_texts();
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t index;
        struct str text = {0};
        for (size_t k = 0; cases[i].command[k]; k++)
            str_printf(&text, "%s%s", k ? " " : "", cases[i].command[k]);
        enum script_sight sight = script_find(cases[i].command, "/nowhere", &index);
        ok(sight == cases[i].sight && index == cases[i].index, "%s: word %zu", text.text, index);
        str_free(&text);
    }
    return tap_end();
}
