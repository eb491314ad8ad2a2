/* The section `job` of a study: its meaning, and possible mistakes in it. */
#include "means.h"
#include "told.h"

#define MODEL   "model: {command: 'true'}\n"
#define SPACE   "space: {x: {int: [1, 5]}}\n"
#define TEXT(t) t, sizeof(t) - 1

/* ---- mistakes ---- */

static const struct {
    const char *name;
    const char *text;
    size_t length;
    const char *mistakes;
} cases[] = {
    {"words of other tools",
     TEXT(MODEL SPACE "job:\n"
                      "  walltime: 2h\n"
                      "  ppn: 4\n"
                      "  gpus: 4\n"
                      "  cpus: 8\n"
                      "  mem: 2G\n"
                      "  env: {A: 1}\n"
                      "  project: x\n"
                      "  processes: 8\n"
                      "  name: x\n"),
     "4:3: unknown key 'walltime': use 'time'\n"
     "5:3: unknown key 'ppn': use 'workers_per_node'\n"
     "6:3: unknown key 'gpus': use 'gpus_per_node'\n"
     "7:3: unknown key 'cpus': use 'cores'\n"
     "8:3: unknown key 'mem': use 'memory'\n"
     "9:3: unknown key 'env': use 'environment'\n"
     "10:3: unknown key 'project': use 'account'\n"
     "11:3: unknown key 'processes': use nodes and workers_per_node, as in nodes: 4, "
     "workers_per_node: 8\n"
     "12:3: unknown key 'name': a job has the name of its study: set 'name' at the top level of "
     "the file"},
    {"a misspelt key", TEXT(MODEL SPACE "job: {node: 4}\n"),
     "3:7: unknown key 'node': did you mean 'nodes'?"},
    {"keys of other sections", TEXT(MODEL SPACE "job: {trials: 4}\nnodes: 8\nimage: a.sif\n"),
     "3:7: 'trials' belongs under 'search': write search: {trials: 4}\n"
     "4:1: 'nodes' belongs under 'job': write job: {nodes: 8}\n"
     "5:1: 'image' belongs under 'container': write container: {image: a.sif}"},
    {"numbers out of range",
     TEXT(MODEL SPACE "job: {nodes: 0, workers_per_node: 1.5, cores: -1, gpus_per_node: many}\n"),
     "3:14: 'nodes' must be a whole number from 1 to 100000, not '0'\n"
     "3:35: 'workers_per_node' must be a whole number from 1 to 10000, not '1.5'\n"
     "3:47: 'cores' must be a whole number from 1 to 10000, not '-1'\n"
     "3:66: 'gpus_per_node' must be a whole number from 0 to 1024, not 'many'"},
    {"times and sizes", TEXT(MODEL SPACE "job: {time: 2 terms, notice: soon, memory: 64}\n"),
     "3:13: 'time' must be a time such as 90, 30s, 15m, 1h30m, 1d or 01:30:00, not '2 terms'\n"
     "3:30: 'notice' must be a time such as 90, 30s, 15m, 1h30m, 1d or 01:30:00, not 'soon'\n"
     "3:44: 'memory' is less than 1M, too little for any program: add a unit, as in 512M"},
    {"no time at all", TEXT(MODEL SPACE "job: {time: 0}\n"),
     "3:13: 'time', the time limit of one job, must be at least 1s"},
    {"a notice that is too long", TEXT(MODEL SPACE "job: {time: 10m, notice: 10m}\n"),
     "3:26: 'notice' is how long before its end a job is warned, so it must be shorter than "
     "'time'"},
    {"more workers than GPUs for them",
     TEXT("model: {command: 'true', gpus: 1}\n" SPACE
          "job: {workers_per_node: 4, gpus_per_node: 2}\n"),
     "3:43: 4 workers with 1 GPU each need 4 GPUs per node, but 'gpus_per_node' is 2"},
    {"two words for one thing", TEXT(MODEL SPACE "job: {queue: a, partition: a}\n"),
     "3:17: 'partition' is another word for 'queue': leave one of them out"},
    {"mail without an address", TEXT(MODEL SPACE "job: {mail: {on: [end]}}\n"),
     "3:13: 'mail' needs an address, as in mail: {to: me@example.org, on: [end]}"},
    {"mail on strange events", TEXT(MODEL SPACE "job: {mail: {to: me, on: [ends, failed]}}\n"),
     "3:27: 'on' cannot be 'ends': did you mean 'end'?\n"
     "3:33: 'on' cannot be 'failed': did you mean 'fail'?"},
    {"mail in the words of Slurm",
     TEXT(MODEL SPACE "job: {mail_user: me, mail_type: END, exclusive: user}\n"),
     "3:7: unknown key 'mail_user': use 'mail'\n"
     "3:22: unknown key 'mail_type': write it as in mail: {to: me@example.org, on: [begin, end, "
     "fail]}\n"
     "3:49: 'exclusive' must be true or false, not 'user'"},
    {"a scheduler of another name", TEXT(MODEL SPACE "job: {scheduler: OpenPBS}\n"),
     "3:18: unknown scheduler 'OpenPBS': use 'pbs'"},
    {"a misspelt scheduler", TEXT(MODEL SPACE "job: {scheduler: slrum}\n"),
     "3:18: 'scheduler' cannot be 'slrum': did you mean 'slurm'?"},
    {"a site that is a path", TEXT(MODEL SPACE "job: {site: ../../etc/passwd}\n"),
     "3:13: 'site' must be the name of a site file without its ending: at most 100 letters, digits "
     "and any of - _ ."},
    {"a site that is hidden", TEXT(MODEL SPACE "job: {site: .x}\n"),
     "3:13: 'site' must be the name of a site file without its ending: at most 100 letters, digits "
     "and any of - _ ."},
    {"a chain of too many", TEXT(MODEL SPACE "job: {chain: 1001}\n"),
     "3:14: 'chain' must be a whole number from 1 to 1000, not '1001'"},
    {"a chain of none", TEXT(MODEL SPACE "job: {chain: 0}\n"),
     "3:14: 'chain' must be a whole number from 1 to 1000, not '0'"},
    {"modules as commands", TEXT(MODEL SPACE "job: {modules: [module load gcc]}\n"),
     "3:16: 'module load gcc' cannot be the name of a module: write names alone, as in modules: "
     "[gcc/12, cuda]; put other 'module' commands into 'prologue'"},
    {"modules as one command", TEXT(MODEL SPACE "job: {modules: load gcc}\n"),
     "3:16: 'load' cannot be the name of a module: write names alone, as in modules: [gcc/12, "
     "cuda]; put other 'module' commands into 'prologue'"},
    {"modules for a shell", TEXT(MODEL SPACE "job: {modules: ['gcc;id', '$(id)', '-x']}\n"),
     "3:16: 'gcc;id' cannot be the name of a module: write names alone, as in modules: [gcc/12, "
     "cuda]; put other 'module' commands into 'prologue'\n"
     "3:16: '$(id)' cannot be the name of a module: write names alone, as in modules: [gcc/12, "
     "cuda]; put other 'module' commands into 'prologue'\n"
     "3:16: '-x' cannot be the name of a module: write names alone, as in modules: [gcc/12, cuda]; "
     "put other 'module' commands into 'prologue'"},
    {"modules that are none", TEXT(MODEL SPACE "job: {modules: {gcc: 12}}\n"),
     "3:16: 'modules' must be a list of modules to load, as in modules: [gcc/12, cuda]"},
    {"variables", TEXT(MODEL SPACE "job: {environment: {'A;B': 1, C: [1]}}\n"),
     "3:21: 'A;B' cannot be the name of a variable: use letters, digits and _\n"
     "3:34: 'C' must be a single value, not a list"},
    {"variables as a text", TEXT(MODEL SPACE "job: {environment: A=1}\n"),
     "3:20: 'environment' must be a mapping, not text: write it as in environment: "
     "{OMP_NUM_THREADS: 4}"},
    {"directives with their mark",
     TEXT(MODEL SPACE "job:\n"
                      "  directives:\n"
                      "  - '#SBATCH --exclusive'\n"
                      "  - '#PBS -l place=excl'\n"
                      "  - '# flux: -x'\n"),
     "5:5: a directive is only the option, since Wick adds what comes before it: write "
     "'--exclusive'\n"
     "6:5: a directive is only the option, since Wick adds what comes before it: write '-l "
     "place=excl'\n"
     "7:5: a directive is only the option, since Wick adds what comes before it: write '-x'"},
    {"a directive without an option", TEXT(MODEL SPACE "job: {directives: [exclusive]}\n"),
     "3:20: a directive must be an option of the scheduler, as in --exclusive, but 'exclusive' "
     "does not start with -"},
    {"directives of more lines", TEXT(MODEL SPACE "job: {directives: [\"--a\\nid\"]}\n"),
     "3:20: a directive must be an option of the scheduler, as in --exclusive, but 'id' does not "
     "start with -"},
    {"ends of lines that only some know",
     TEXT(MODEL SPACE "job: {directives: [\"--a\\rid\", \"--b\\x85id\", \"--c\\u2028id\"]}\n"),
     "3:20: a directive must have at most 1000 bytes and no control characters\n"
     "3:31: a directive must have at most 1000 bytes and no control characters\n"
     "3:44: a directive must have at most 1000 bytes and no control characters"},
    {"directives that are a mapping", TEXT(MODEL SPACE "job: {directives: {a: 1}}\n"),
     "3:19: 'directives' must be a list of at most 1000 lines, as in directives: [--exclusive]"},
    {"directives among the lines of the shell",
     TEXT(MODEL SPACE "job: {prologue: [\"cd /a\\n  #SBATCH --hold\", '#$ -l x', '#BSUB -x']}\n"),
     "3:18: '  #SBATCH --hold' is for the scheduler, but these lines are for a shell: write "
     "directives: ['--hold']\n"
     "3:45: '#$ -l x' is for the scheduler, but these lines are for a shell: write directives: "
     "['-l x']\n"
     "3:56: '#BSUB -x' is for the scheduler, but these lines are for a shell: write directives: "
     "['-x']"},
    {"a control character for the shell", TEXT(MODEL SPACE "job: {prologue: [\"a\\rb\"]}\n"),
     "3:18: a shell line must have at most 10000 bytes and no control characters"},
    {"a launcher that is none", TEXT(MODEL SPACE "job: {launcher: {srun: 1}}\n"),
     "3:17: 'launcher' must be the program that starts Wick on the nodes, with its options, as in "
     "launcher: srun --mpi=pmix"},
    {"a launcher of two lines", TEXT(MODEL SPACE "job: {launcher: [srun, \"a\\nb\"]}\n"),
     "3:17: 'launcher' must be the program that starts Wick on the nodes, with its options, as in "
     "launcher: srun --mpi=pmix"},
};

static void each_mistake_is_told(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        tells(cases[i].name, cases[i].text, cases[i].length, cases[i].mistakes);
}

/* Each of these keys rejects what a shell or a scheduler would misinterpret. */
static void no_word_of_a_directive_needs_quotes(void)
{
    static const char *const keys[] = {"queue",      "partition", "account",     "qos",
                                       "constraint", "mail",      "reservation", "gpu_type"};
    static const char *const texts[] = {"a b",   "a'b",  "a\\\"b", "a\\\\b",   "a\\nb", "a\\tb",
                                        "$(id)", "`id`", "a;b",    "a#b",      "a<b",   "a>b",
                                        "ü",     "-x",   "a\\x7f", "a\\u2028b"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
            struct study study;
            struct err_list mistakes = {0};
            struct str text = {0};
            str_printf(&text, MODEL SPACE "job: {%s: \"%s\"}\n", keys[i], texts[k]);
            study_parse(&study, text.text, text.length, "study.yaml", "/", &mistakes);
            bool told = mistakes.count == 1 && strstr(mistakes.items[0].message, "no blanks") &&
                        strncmp(mistakes.items[0].message + 1, keys[i], strlen(keys[i])) == 0;
            ok(told, "%s: %s is refused", keys[i], texts[k]);
            err_list_free(&mistakes);
            str_free(&text);
        }
    }
}

/* ---- what it means ---- */

static void every_key_is_read(void)
{
    means("all keys",
          MODEL SPACE "job:\n"
                      "  site: my-site_2.x\n"
                      "  scheduler: slurm\n"
                      "  nodes: 4\n"
                      "  workers_per_node: 8\n"
                      "  cores: 2\n"
                      "  memory: 4G\n"
                      "  gpus_per_node: 8\n"
                      "  time: 02:00:00\n"
                      "  notice: 5m\n"
                      "  queue: batch@server\n"
                      "  account: proj.12\n"
                      "  qos: normal\n"
                      "  constraint: '[rack1|rack2]&a*2'\n"
                      "  gpu_type: a100\n"
                      "  reservation: night\n"
                      "  exclusive: false\n"
                      "  mail: {to: me@example.org, on: [begin, fail]}\n"
                      "  modules: [gcc/12.2.0, PrgEnv-gnu, a+b:c@d=e]\n"
                      "  environment: {A: 1, B: , C: true}\n"
                      "  prologue: [source venv/bin/activate, 'ulimit -s unlimited']\n"
                      "  directives: [--exclusive, -l place=excl]\n"
                      "  launcher: srun --mpi=pmix\n"
                      "  chain: 5\n",
          "job site=my-site_2.x scheduler=slurm nodes=4 workers_per_node=8 cores=2 "
          "memory=4294967296 gpus_per_node=8 time=7200 notice=300 queue=batch@server "
          "account=proj.12 qos=normal constraint=[rack1|rack2]&a*2 gpu_type=a100 "
          "reservation=night mail=me@example.org mail_on=5 exclusive=1 chain=5\n"
          "modules <gcc/12.2.0><PrgEnv-gnu><a+b:c@d=e>\n"
          "prologue <source venv/bin/activate><ulimit -s unlimited>\n"
          "directives <--exclusive><-l place=excl>\n"
          "launcher <srun><--mpi=pmix>\n"
          "variable A=<1>\nvariable B=<>\nvariable C=<true>\n");
}

static void other_forms_are_read(void)
{
    means("nothing but a number", MODEL SPACE "job: {nodes: 1}\n", "job nodes=1\n");
    means("a partition", MODEL SPACE "job: {partition: gpu}\n", "job queue=gpu\n");
    means("a chain", MODEL SPACE "job: {chain: true}\n", "job chain=100\n");
    means("no chain", MODEL SPACE "job: {chain: false}\n", "job chain=1\n");
    means("modules in a text", MODEL SPACE "job: {modules: gcc/12 cuda}\n",
          "job\nmodules <gcc/12><cuda>\n");
    means("lines in a text",
          MODEL SPACE "job:\n  prologue: |\n    if true; then\n      \tcd /a\n\n    fi\n"
                      "  directives: |\n    --a\n    --b\n",
          "job\nprologue <if true; then><  \tcd /a><fi>\ndirectives <--a><--b>\n");
}

/* The user's own lines and values are kept byte by byte. */
static void nasty_texts_are_kept(void)
{
    means("values of variables",
          MODEL SPACE
          "job: {environment: {A: \"a'b\\\"c\\\\d\\ne\\t$(id);`id`%s%n ü \\u2028 {x}\"}}\n",
          "job\nvariable A=<a'b\"c\\d\ne\t$(id);`id`%s%n ü \u2028 {x}>\n");
    means("lines of the shell",
          MODEL SPACE "job: {prologue: [\"echo \\\"a'b\\\" $(id); `id` %s ü \\\\\"]}\n",
          "job\nprologue <echo \"a'b\" $(id); `id` %s ü \\>\n");
}

static void long_texts_are_kept_or_refused(void)
{
    enum { LONG = 4096 };
    struct str text = {0}, expected = {0}, name = {0};
    for (int i = 0; i < LONG; i++)
        str_add_char(&name, 'a');
    str_printf(&text, MODEL SPACE "job: {environment: {A: %s}}\n", name.text);
    str_printf(&expected, "job\nvariable A=<%s>\n", name.text);
    means("a long value", text.text, expected.text);
    static const char *const keys[] = {"queue", "account", "qos", "constraint", "site", "modules"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        struct study study;
        struct err_list mistakes = {0};
        str_clear(&text);
        str_printf(&text, MODEL SPACE "job: {%s: %s}\n", keys[i], name.text);
        study_parse(&study, text.text, text.length, "study.yaml", "/", &mistakes);
        ok(mistakes.count == 1, "%s of 4 KB is refused", keys[i]);
        err_list_free(&mistakes);
    }
    str_free(&text);
    str_free(&expected);
    str_free(&name);
}

int main(void)
{
    each_mistake_is_told();
    no_word_of_a_directive_needs_quotes();
    every_key_is_read();
    other_forms_are_read();
    nasty_texts_are_kept();
    long_texts_are_kept_or_refused();
    return tap_end();
}
