/* check.c - wick check: find all mistakes in a study, or show what it would do. */
#include "cli/cli.h"
#include "container/container.h"
#include "machine/machine.h"
#include "report/report.h"

#include <math.h>
#include <sys/stat.h>

static void label(const char *name)
{
    printf("%s%-10s%s", cli_colour(stdout, CLI_DIM), name, cli_colour(stdout, CLI_PLAIN));
}

/* ---- the space ---- */

static const char *kind_name(const struct parameter *parameter)
{
    switch (parameter->kind) {
    case PARAMETER_FLOAT: return "float";
    case PARAMETER_INT: return "int";
    case PARAMETER_CHOICE: return parameter->bare ? "flag" : "choice";
    case PARAMETER_ORDERED: return "ordered";
    case PARAMETER_CONSTANT: return "constant";
    }
    return "";
}

static bool is_grid(const struct study *study)
{
    return strcmp(study->search.algorithm, "grid") == 0;
}

static void add_range(struct str *s, const struct study *study, const struct parameter *parameter)
{
    if (parameter->kind <= PARAMETER_INT) {
        str_printf(s, "%.6g .. %.6g", parameter->low, parameter->high);
        if (parameter->log)
            str_add(s, ", log");
        if (parameter->step > 0)
            str_printf(s, ", step %.6g", parameter->step);
        if (is_grid(study) && isinf(space_levels(parameter))) {
            str_add(s, ", ");
            cli_add_count(s, parameter->levels ? parameter->levels : study->search.levels, "level");
        }
        return;
    }
    for (size_t i = 0; i < parameter->value_count; i++) {
        const char *text = parameter->values[i].text;
        str_add(s, i ? ", " : "");
        cli_add_safe(s, text, strlen(text));
    }
}

/* "optimizer is sgd and layers is 3 or 4" */
static void add_clauses(struct str *s, const struct space *space, const struct clause *clauses,
                        size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const struct clause *clause = &clauses[i];
        const struct parameter *parent = &space->parameters[clause->parameter];
        str_printf(s, "%s%s is ", i ? " and " : "", parent->name);
        for (size_t k = 0; k < clause->count; k++) {
            str_add(s, k ? " or " : "");
            cli_add_parameter(s, parent, clause->values[k]);
        }
    }
}

static void print_forbidden(const struct space *space)
{
    enum { SHOWN = 5 };
    struct str text = {0};
    for (size_t i = 0; i < space->forbidden_count && i < SHOWN; i++) {
        str_clear(&text);
        add_clauses(&text, space, space->forbidden[i].clauses, space->forbidden[i].count);
        label(i ? "" : "forbid");
        puts(str_text(&text));
    }
    if (space->forbidden_count > SHOWN) {
        label("");
        printf("and %zu more\n", space->forbidden_count - SHOWN);
    }
    str_free(&text);
}

static void print_expressions(const char *name, struct expression *const *list, size_t count)
{
    struct str text = {0};
    for (size_t i = 0; i < count; i++) {
        const char *expression = expression_text(list[i]);
        str_clear(&text);
        cli_add_safe(&text, expression, strlen(expression));
        label(i ? "" : name);
        puts(text.text);
    }
    str_free(&text);
}

static void print_constraints(const struct study *study)
{
    print_expressions("keeps", study->space.constraints, study->space.constraint_count);
    print_expressions("measured", study->measured, study->measured_count);
}

static void print_space(const struct study *study)
{
    const struct space *space = &study->space;
    struct text_table table = {.out = stdout};
    bool defaults = false, conditions = false;
    for (size_t i = 0; i < space->count; i++) {
        defaults |= !isnan(space->parameters[i].fallback);
        conditions |= space->parameters[i].when_count > 0;
    }
    text_table_column(&table, "parameter", CLI_LEFT);
    text_table_column(&table, "kind", CLI_LEFT);
    text_table_column(&table, "range", CLI_LEFT);
    if (defaults)
        text_table_column(&table, "default", CLI_LEFT);
    if (conditions)
        text_table_column(&table, "when", CLI_LEFT);
    struct str text = {0};
    for (size_t i = 0; i < space->count; i++) {
        const struct parameter *parameter = &space->parameters[i];
        text_table_cell(&table, CLI_PLAIN, parameter->name);
        text_table_cell(&table, CLI_PLAIN, kind_name(parameter));
        str_clear(&text);
        add_range(&text, study, parameter);
        text_table_cell(&table, CLI_PLAIN, str_text(&text));
        str_clear(&text);
        if (!isnan(parameter->fallback))
            cli_add_parameter(&text, parameter, parameter->fallback);
        if (defaults)
            text_table_cell(&table, CLI_PLAIN, str_text(&text));
        str_clear(&text);
        add_clauses(&text, space, parameter->when, parameter->when_count);
        if (conditions)
            text_table_cell(&table, CLI_PLAIN, str_text(&text));
    }
    text_table_end(&table);
    str_free(&text);
}

/* The number of points; for a grid this includes its levels of floats. */
static void print_size(const struct study *study, const struct search *search)
{
    const struct space *space = &study->space;
    double points = 1;
    bool exact = space->forbidden_count == 0 && space->constraint_count == 0;
    struct str text = {0};
    for (size_t i = 0; i < space->count; i++) {
        points *= space_levels(&space->parameters[i]);
        exact &= space->parameters[i].when_count == 0;
    }
    label("size");
    if (isinf(points) && is_grid(study)) {
        cli_add_count(&text, (uint64_t)search_total(search), "point");
        printf("%s on the grid\n", text.text);
    } else if (isinf(points)) {
        puts("infinite: it has a float without a step");
    } else if (points < 1e15) {
        cli_add_count(&text, (uint64_t)points, "combination");
        printf("%s%s\n", exact ? "" : "at most ", text.text);
    } else {
        printf("about %.1e combinations\n", points);
    }
    str_free(&text);
}

/* ---- the rest ---- */

static void print_code(const struct study_code *code, struct str *text)
{
    str_add(text, "function ");
    cli_add_safe(text, code->function, strlen(code->function));
    str_add(text, " of ");
    cli_add_safe(text, code->file, strlen(code->file));
    str_add(text, ", called by ");
    cli_add_safe(text, code->interpreter, strlen(code->interpreter));
}

static void print_program(const struct study *study)
{
    struct str text = {0};
    if (study->model.function) {
        label("function");
        printf("%s: %s\n", study->model.function->name, study->model.function->about);
        return;
    }
    if (study->model.code.function)
        print_code(&study->model.code, &text);
    for (const char *const *word = study->model.command; word && *word; word++) {
        str_add(&text, text.length ? " " : "");
        cli_add_safe(&text, *word, strlen(*word));
    }
    if (study->model.command && study->model.code.language)
        str_add(&text, " (warm)");
    label("program");
    printf("%s%s\n", text.text,
           study->model.command && study->model.pass == PASS_FLAGS && study->space.count > 0
               ? " --NAME VALUE ..."
               : "");
    label("folder");
    puts(study->model.folder);
    str_free(&text);
}

static void print_score(const struct study *study)
{
    const struct study_model *model = &study->model;
    struct str limits = {0}, text = {0};
    for (size_t i = 0; i < study_objectives(study); i++) {
        label(i ? "" : study_objectives(study) > 1 ? "scores" : "score");
        cli_add_objective(&text, study, i);
        puts(text.text);
        str_clear(&text);
    }
    if (model->metrics && model->metrics[0])
        label("metrics");
    for (const char *const *name = model->metrics; name && *name; name++)
        printf("%s%s", *name, name[1] ? ", " : "\n");
    if (model->timeout > 0)
        str_add_duration(&limits, model->timeout);
    if (model->memory > 0) {
        str_add(&limits, limits.length ? " and " : "");
        cli_add_bytes(&limits, model->memory);
    }
    str_add(&limits, limits.length ? " per trial" : "");
    if (model->retries > 0) {
        str_add(&limits, limits.length ? "; failed trials are tried " : "failed trials are tried ");
        cli_add_count(&limits, model->retries, "more time");
    }
    if (limits.length > 0) {
        label("limits");
        puts(limits.text);
    }
    str_free(&limits);
    str_free(&text);
}

/* The stopper with its options and defaults: "asha, reduction 3, from 1". */
static void print_stop(const struct stop_settings *stop)
{
    struct str text = {0};
    const struct option *option = stop->name ? stop_options(stop->name) : NULL;
    for (size_t i = 0; option && option[i].name; i++) {
        double value = option_value(&option[i], stop->options[i]);
        if (isnan(value))
            continue;
        str_printf(&text, ", %s ", option[i].name);
        str_add_number(&text, value);
    }
    if (!stop->name)
        return;
    label("stop");
    printf("%s%s\n", stop->name, str_text(&text));
    str_free(&text);
}

static void print_search(const struct study *study, const struct search *search)
{
    struct str budget = {0};
    double total = search_total(search);
    label("search");
    const char *program = study_steers(study);
    printf("%s, seed %llu\n", program ? program : study->search.algorithm,
           (unsigned long long)study->search.seed);
    if (program && study->steer.settings) {
        label("settings");
        puts(study->steer.settings);
    }
    print_stop(&study->stop);
    label("budget");
    if (study->search.trials > 0 && (double)study->search.trials < total)
        cli_add_count(&budget, study->search.trials, "trial");
    else if (!isinf(total))
        cli_add_count(&budget, (uint64_t)total, "trial");
    if (study->time > 0) {
        str_add(&budget, budget.length ? ", or " : "");
        str_add_duration(&budget, study->time);
    }
    if (study->has_target) {
        str_printf(&budget, "%sa score of ", budget.length ? ", or " : "");
        cli_add_score(&budget, study->target);
    }
    puts(budget.length ? budget.text
         : program     ? "none: the program decides when to end"
                       : "none: it runs until Ctrl-C");
    str_free(&budget);
}

/* The resources of a trial, and what is kept of it. */
static void print_trials(const struct study *study)
{
    static const char *const keeps[] = {
        [KEEP_FAILED] = "failed: the output of trials that fail, and of the best",
        [KEEP_ALL] = "all: the output of every trial",
        [KEEP_NONE] = "none: no output is kept as a file",
    };
    static const char *const checkpoints[] = {
        [CHECKPOINTS_ALL] = "the checkpoints of every trial",
        [CHECKPOINTS_NONE] = "checkpoints only while they are needed",
    };
    const struct study_model *model = &study->model;
    struct str text = {0};
    if (model->cores > 0) {
        label("cores");
        printf("%llu per trial\n", (unsigned long long)model->cores);
    }
    if (study_most_ranks(study) > 1) {
        label("ranks");
        printf("%s%llu per trial%s\n", model->ranks_parameter ? "up to " : "",
               (unsigned long long)study_most_ranks(study),
               model->launch == LAUNCH_MPI ? ", started by mpiexec" : "");
    }
    if (model->gpus > 0) {
        label("gpus");
        printf("%g per trial\n", model->gpus);
    }
    for (size_t i = 0; i < model->environment_count; i++) {
        const char *value = model->environment[i].value;
        str_clear(&text);
        str_printf(&text, "%s=", model->environment[i].name);
        if (!study->shows_secrets && study_is_secret(value))
            value = STUDY_HIDDEN;
        cli_add_safe(&text, value, strlen(value));
        label(i ? "" : "env");
        puts(text.text);
    }
    if (model->command) {
        label("keep");
        puts(keeps[study->keep]);
    }
    if (checkpoints[study->checkpoints]) {
        label("");
        puts(checkpoints[study->checkpoints]);
    }
    str_free(&text);
}

/* Appends a name and a text, after a comma if needed. */
static void add_part(struct str *line, const char *name, const char *text)
{
    if (!text)
        return;
    str_printf(line, "%s%s", line->length ? ", " : "", name);
    cli_add_safe(line, text, strlen(text));
}

static void add_amount(struct str *line, uint64_t amount, const char *name)
{
    if (amount == 0)
        return;
    str_add(line, line->length ? ", " : "");
    cli_add_count(line, amount, name);
}

/* Shows only what the study says; `wick submit --dry-run` shows what the site adds. */
static void print_job(const struct study_job *job)
{
    struct str line = {0};
    add_amount(&line, job->nodes, "node");
    add_amount(&line, job->workers_per_node, "worker");
    str_add(&line, job->workers_per_node ? " a node" : "");
    add_amount(&line, job->cores, "core");
    str_add(&line, job->cores ? " a worker" : "");
    if (job->memory > 0) {
        str_add(&line, line.length ? ", " : "");
        cli_add_bytes(&line, job->memory);
        str_add(&line, " a worker");
    }
    add_amount(&line, job->gpus_per_node, "GPU");
    str_add(&line, job->gpus_per_node ? " a node" : "");
    if (job->time > 0) {
        str_add(&line, line.length ? ", " : "");
        str_add_duration(&line, job->time);
    }
    add_part(&line, "queue ", job->queue);
    add_part(&line, "account ", job->account);
    add_part(&line, "qos ", job->qos);
    add_part(&line, "constraint ", job->constraint);
    add_part(&line, "by ", job->scheduler);
    add_part(&line, "site ", job->site);
    if (job->chain > 1)
        str_printf(&line, "%sup to %llu jobs", line.length ? ", " : "",
                   (unsigned long long)job->chain);
    if (line.length > 0) {
        label("job");
        puts(line.text);
    }
    str_free(&line);
}

static void print_container(const struct study_container *container)
{
    struct str line = {0};
    if (!container->runtime)
        return;
    label("container");
    if (!container->image) {
        puts("none: trials run on the machine itself");
        return;
    }
    add_part(&line, "", container->image);
    if (strcmp(container->runtime, "auto") != 0)
        add_part(&line, "by ", container->runtime);
    add_amount(&line, container->bind_count, "bind");
    add_part(&line, "", container->gpu ? "with GPUs" : NULL);
    add_part(&line, "", container->offline ? "without network" : NULL);
    add_part(&line, "", container->clean ? "with a clean environment" : NULL);
    add_part(&line, "in ", container->workdir);
    puts(line.text);
    str_free(&line);
}

/* A study with a job may run on other machines than this one. */
static void add_places(struct str *text, const struct study_job *job)
{
    uint64_t workers = job->nodes * job->workers_per_node;
    if (workers > 0)
        str_printf(text, " here, %llu in its job", (unsigned long long)workers);
}

/* How many trials run at a time. If this machine has too little for them, that is only a note. */
static void print_workers(const struct study *study)
{
    struct err e = {0};
    struct str text = {0};
    unsigned workers = (unsigned)study->workers;
    if (workers == 0)
        machine_workers(study, &workers, &e);
    label("workers");
    if (e.code) {
        puts("as many as the GPUs allow");
    } else {
        struct machine_slot *slots = memory_new(workers, sizeof *slots);
        machine_slots(study, workers, slots, &e);
        free(slots);
        bool single = study_most_ranks(study) <= 1;
        cli_add_count(&text, workers, single ? "trial" : "worker");
        str_add(&text, single ? " at a time" : ", one per rank of a trial");
        add_places(&text, &study->job);
        puts(text.text);
    }
    if (!e.code && study_most_ranks(study) > workers)
        cli_note("trials have up to %llu ranks, each on its own worker: run the study with -n %llu",
                 (unsigned long long)study_most_ranks(study),
                 (unsigned long long)study_most_ranks(study));
    if (e.code)
        cli_note("%s", e.message);
    str_free(&text);
}

/* The first command as it would run, with {name} and flags filled in. */
static void print_first(const struct study *study, struct search *search)
{
    double *point = memory_new(study->space.count, sizeof *point);
    struct str command = {0}, text = {0};
    if (search_ask(search, point) == SEARCH_POINT) {
        report_command(study, "DIR", 1, point, &command);
        cli_add_safe(&text, str_text(&command), command.length);
        label("first");
        puts(str_text(&text));
    }
    str_free(&command);
    str_free(&text);
    free(point);
}

static void describe(const struct study *study)
{
    struct search *search = search_create(&study->search, &study->space);
    label("study");
    printf("%s%s%s: no mistakes\n", cli_colour(stdout, CLI_BOLD), study->name,
           cli_colour(stdout, CLI_PLAIN));
    print_program(study);
    print_score(study);
    print_container(&study->container);
    print_trials(study);
    print_job(&study->job);
    print_search(study, search);
    print_workers(study);
    print_size(study, search);
    print_forbidden(&study->space);
    print_constraints(study);
    print_first(study, search);
    if (study->space.count > 0)
        putchar('\n');
    print_space(study);
    search_free(search);
}

/* If this machine cannot run the image, that is only a note: the nodes of the job may. */
static void note_container(const struct study *study)
{
    struct container *container = NULL;
    struct err e = {0};
    if (container_wanted(study) && container_open(&container, study, study->model.folder, &e))
        cli_note("on this machine: %s", e.message);
    container_close(container);
}

/* The folder of a study: is its journal whole? */
static int check_folder(const char *dir, bool all)
{
    struct err e = {0};
    struct journal journal;
    struct str text = {0};
    if (journal_load_readable(&journal, dir, &e))
        return cli_fail(&e);
    cli_add_damage(&text, &journal, all);
    fputs(text.text, stdout);
    bool is_whole = journal_is_whole(&journal);
    if (!is_whole)
        printf("`wick repair %s` mends it, and so does `wick %s %s` before it continues\n",
               journal.dir, study_resume_command(&journal.study.model), journal.dir);
    str_free(&text);
    journal_free(&journal);
    return is_whole ? 0 : 1;
}

static int run(struct cli_arguments *arguments)
{
    struct study study;
    const char *operand = arguments->operands[0];
    struct stat info;
    bool is_folder = operand && stat(operand, &info) == 0 && S_ISDIR(info.st_mode);
    if (is_folder || (operand && cli_is_study(operand)))
        return check_folder(operand, cli_flag(arguments, "all"));
    int code = cli_read_study(arguments, &study);
    if (code)
        return code;
    cli_show_secrets(arguments, &study);
    cli_study_notes(arguments, &study);
    cli_job_notes(&study, &study.job);
    note_container(&study);
    describe(&study);
    study_free(&study);
    return 0;
}

const struct cli_command cli_command_check = {
    .name = "check",
    .summary = "find all mistakes in a study before running it",
    .example = "wick check study.yaml\n"
               "wick check study.wick\n"
               "wick check --set lr=log:1e-5..1e-1 -- python3 train.py",
    .synopsis = "[STUDY.yaml | DIR] [options] [-- COMMAND...]",
    .details = "Shows all mistakes at once. If there are none, shows what would be run.\n"
               "Takes the same arguments as `wick run` and starts nothing.\n"
               "Of the folder of a study, checks whether its journal is whole (code 1: it is not).",
    .options = {cli_damage_options, cli_secrets_options, cli_space_options, cli_model_options},
    .most = 1,
    .takes_command = true,
    .run = run,
};
