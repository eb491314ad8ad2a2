/* swift.c - wick swift: compile and run a dataflow script. */
#include "swift/swift.h"
#include "cli/cli.h"
#include "cli/ranks.h"
#include "flow/flow.h"

#include <errno.h>
#include <unistd.h>

enum { SCRIPT_LIMIT = 16 << 20, RANKS_MOST = 4096 }; /* bytes of a script; ranks of a run */

static const struct cli_option options[] = {
    {.name = "ranks",
     .letter = 'n',
     .value = "N",
     .help = "number of ranks: workers and one server\n"
             "(default: one worker per core)"},
    {.name = "code", .letter = 'E', .value = "CODE", .help = "the script itself"},
    {.name = "define",
     .letter = 'D',
     .many = true,
     .value = "NAME[=VALUE]",
     .help = "define a macro of the preprocessor"},
    {.name = "include",
     .letter = 'I',
     .many = true,
     .value = "DIR",
     .help = "look for modules and included files here"},
    {.name = "import", .letter = 'i', .many = true, .value = "MODULE", .help = "import a module"},
    {.name = "argument",
     .letter = 'A',
     .many = true,
     .value = "NAME=VALUE",
     .help = "give the script an argument, as -NAME=VALUE behind its name does"},
    {.name = "environment",
     .letter = 'e',
     .many = true,
     .value = "NAME=VALUE",
     .help = "set an environment variable of the run"},
    {.name = "optimise",
     .letter = 'O',
     .value = "LEVEL",
     .help = "accepted for compatibility: 0 to 3"},
    {.name = "raw", .letter = 'p', .help = "do not run the preprocessor"},
    {.name = "label", .letter = 'l', .help = "start each line of output with its rank"},
    {.name = "mpi", .help = "start the ranks with mpiexec, on all nodes that it knows"},
    {.name = "memory",
     .value = "BYTES",
     .help = "give up when the run needs more, such as 8G\n"
             "(default: half of the machine's memory)"},
    {.name = "time", .value = "TIME", .help = "give up after this time, such as 90s or 2h"},
    {.name = "simulate",
     .value = "SEED",
     .help = "run in the simulator, in virtual time;\n"
             "the seed decides what comes first"},
    {.name = "preprocess", .help = "print what the preprocessor makes of the script"},
    {.name = "check", .help = "only check the script"},
    {.name = "dump", .help = "print the intermediate form"},
    {0},
};

/* What the user asked for. */
struct request {
    struct cli_arguments *arguments;
    const char *name; /* of the script */
    struct str text;
    struct syntax_options swift;
    const char **script_arguments;
    uint64_t ranks, memory, seed;
    double time;
};

/* ---- reading the command line ---- */

static void add_words(struct request *r, size_t *count, const char *const *words)
{
    for (size_t i = 0; words && words[i]; i++)
        r->script_arguments[(*count)++] = words[i];
}

/* An argument that was given by -A, and behind the script again. */
static int check_twice(const char *const *given, const char *const *rest, struct err *e)
{
    for (size_t i = 0; given[i]; i++) {
        size_t length = strcspn(given[i], "=");
        for (size_t k = 0; rest && rest[k]; k++) {
            const char *name = rest[k] + strspn(rest[k], "-");
            if (rest[k][0] == '-' && strncmp(name, given[i], length) == 0 &&
                (name[length] == '=' || name[length] == 0))
                return err_set(e, ERR_USER, "the argument %.*s was given twice: by -A and as %s",
                               (int)length, given[i], rest[k]);
        }
    }
    return 0;
}

static void collect_arguments(struct request *r)
{
    struct cli_arguments *a = r->arguments;
    bool code = cli_value(a, "code") != NULL;
    const char *const *given = cli_values(a, "argument");
    size_t most = 2, count = 0;
    for (const char *const *word = a->rest; word && *word; word++)
        most++;
    for (const char *const *word = given; *word; word++)
        most++;
    r->script_arguments = arena_new(&a->arena, most + 1, sizeof(char *));
    for (size_t i = 0; given[i]; i++)
        r->script_arguments[count++] = arena_printf(&a->arena, "-%s", given[i]);
    if (code && a->operand_count > 0)
        r->script_arguments[count++] = a->operands[0];
    add_words(r, &count, a->rest);
}

static int set_environment(struct cli_arguments *arguments, struct err *e)
{
    const char *const *values = cli_values(arguments, "environment");
    for (size_t i = 0; values[i]; i++) {
        const char *equals = strchr(values[i], '=');
        if (!equals || equals == values[i])
            return err_set(e, ERR_USER, "'-e %s': write NAME=VALUE", values[i]);
        char *name = arena_copy(&arguments->arena, values[i], (size_t)(equals - values[i]));
        setenv(name, equals + 1, 1);
    }
    return 0;
}

static int read_script(struct request *r, struct err *e)
{
    struct cli_arguments *a = r->arguments;
    const char *code = cli_value(a, "code");
    if (code) {
        r->name = "-E";
        str_add(&r->text, code);
        str_add(&r->text, "\n");
        return 0;
    }
    if (a->operand_count == 0)
        return err_set(e, ERR_USER, "missing argument: wick swift [options] SCRIPT [arguments]");
    r->name = a->operands[0];
    if (access(r->name, F_OK) != 0 && errno == ENOENT)
        return err_set(e, ERR_USER, "cannot read %s: there is no such file", r->name);
    return str_read_file(&r->text, r->name, SCRIPT_LIMIT, e);
}

static int read_memory(struct request *r, struct err *e)
{
    const char *text = cli_value(r->arguments, "memory");
    if (text && !study_bytes(text, &r->memory))
        return err_set(e, ERR_USER, "'--memory %s': use a size such as 500M or 8G", text);
    return 0;
}

static int read_request(struct request *r, struct err *e)
{
    struct cli_arguments *a = r->arguments;
    long cores = sysconf(_SC_NPROCESSORS_ONLN);
    r->ranks = (uint64_t)(cores > 0 ? cores : 1) + 1;
    r->memory = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE) / 2;
    if (cli_whole(a, "ranks", 1, RANKS_MOST, &r->ranks, e) || set_environment(a, e) ||
        read_memory(r, e) || cli_seconds(a, "time", &r->time, e) ||
        cli_whole(a, "simulate", 0, UINT64_MAX, &r->seed, e) || flow_check(e) || read_script(r, e))
        return e->code;
    if (a->ranks)
        r->ranks = (uint64_t)comm_size(a->ranks->comm);
    if (r->ranks < 2)
        return err_set(e, ERR_USER,
                       "-n 1 leaves no worker, because one rank serves: use -n 2 or more");
    r->swift = (struct syntax_options){.folders = cli_values(a, "include"),
                                       .defines = cli_values(a, "define"),
                                       .imports = cli_values(a, "import"),
                                       .arguments = cli_values(a, "argument"),
                                       .raw = cli_flag(a, "raw")};
    collect_arguments(r);
    return check_twice(r->swift.arguments, a->rest, e);
}

/* ---- running ---- */

static void print(void *self, const char *text, size_t length)
{
    (void)self;
    fwrite(text, 1, length, stdout);
    fflush(stdout);
}

static void print_error(void *self, const char *text, size_t length)
{
    (void)self;
    fwrite(text, 1, length, stderr);
}

static void complain(void *self, const char *text)
{
    struct str safe = {0};
    (void)self;
    cli_add_safe(&safe, text, strlen(text));
    fprintf(stderr, "wick: %s\n", str_text(&safe));
    str_free(&safe);
}

/* In the simulator, messages take some time, each another. */
static int run_simulated(const struct request *r, const struct flow_options *flow,
                         enum flow_end *end, struct err *e)
{
    struct comm_world world = {.seed = r->seed, .latency = 1e-4};
    return flow_simulate(flow, &world, end, e);
}

static int run_on_threads(const struct flow_options *flow, enum flow_end *end, struct err *e)
{
    struct helper *helper;
    if (helper_start(&helper, (unsigned)flow->workers, e))
        return e->code;
    int result = flow_run_threads(flow, helper, end, e);
    helper_stop(helper);
    return result;
}

static int run_code(struct request *r, const struct code *code)
{
    struct err e = {0};
    enum flow_end end = FLOW_FAILED;
    struct flow_options flow = {.code = code,
                                .program = r->name,
                                .arguments = r->script_arguments,
                                .workers = (int)r->ranks - 1,
                                .memory = r->memory,
                                .time = r->time,
                                .labels_lines = cli_flag(r->arguments, "label"),
                                .print = print,
                                .print_error = print_error,
                                .complain = complain};
    int failed = 0;
    if (r->arguments->ranks)
        end = flow_run_mpi(&flow, r->arguments->ranks->comm);
    else if (cli_value(r->arguments, "simulate"))
        failed = run_simulated(r, &flow, &end, &e);
    else
        failed = run_on_threads(&flow, &end, &e);
    if (failed)
        return cli_fail(&e);
    return end == FLOW_GOOD ? 0 : 1;
}

/* --mpi: the command of all ranks is what was typed, without --mpi itself. */
static int start_mpi(const struct request *r)
{
    struct cli_arguments *a = r->arguments;
    struct mpiexec_plan plan = {.workers = r->ranks - 1, .rules = {.servers = 1}};
    size_t typed = 0, count = 0;
    while (a->typed[typed])
        typed++;
    const char **words = arena_new(&a->arena, typed + 2, sizeof *words);
    words[count++] = a->command->name;
    bool ours = true; /* what follows the script belongs to it */
    for (size_t i = 0; i < typed; i++) {
        ours = ours && (a->operand_count == 0 || a->typed[i] != a->operands[0]);
        if (!ours || strcmp(a->typed[i], "--mpi") != 0)
            words[count++] = a->typed[i];
    }
    plan.command = words;
    return mpiexec_run(&plan);
}

static int compile_and_run(struct request *r, struct syntax_report *report)
{
    struct code code = {0};
    struct str out = {0};
    int result = 0;
    if (cli_flag(r->arguments, "preprocess")) {
        result = syntax_preprocess(r->name, (struct slice){r->text.text, r->text.length}, &r->swift,
                                   &out, report);
    } else {
        result = swift_compile(r->name, (struct slice){r->text.text, r->text.length}, &r->swift,
                               &code, report);
        if (result == 0 && cli_flag(r->arguments, "dump"))
            code_show(&out, &code);
    }
    fwrite(str_text(&out), 1, out.length, stdout);
    cli_print_warnings(&report->warnings);
    bool runs = !cli_flag(r->arguments, "check") && !cli_flag(r->arguments, "dump") &&
                !cli_flag(r->arguments, "preprocess");
    int exit_code = result ? cli_fail_all(&report->mistakes) : runs ? run_code(r, &code) : 0;
    code_free(&code);
    str_free(&out);
    return exit_code;
}

static int swift(struct cli_arguments *arguments)
{
    struct request request = {.arguments = arguments};
    struct syntax_report report = {0};
    struct err e = {0};
    int code = 0;
    if (read_request(&request, &e))
        code = cli_fail(&e);
    else if (cli_flag(arguments, "mpi") && !arguments->ranks)
        code = start_mpi(&request);
    else
        code = compile_and_run(&request, &report);
    str_free(&request.text);
    err_list_free(&report.warnings);
    return cli_finish(code);
}

static const struct cli_followers followers = {.follow = flow_follow, .dismiss = flow_dismiss};

const struct cli_command cli_command_swift = {
    .name = "swift",
    .summary = "compile and run a dataflow script",
    .example = "wick swift script.swift\n"
               "wick swift -n 9 sweep.swift -steps=100 data.csv",
    .synopsis = "[options] SCRIPT [arguments]",
    .details = "What follows the script's name are arguments of the script. With -E CODE there is\n"
               "no script file, and its arguments follow `--`.",
    .options = {options},
    .least = 0,
    .most = 1,
    .passes_on = true,
    .drives = true,
    .followers = &followers,
    .run = swift,
};
