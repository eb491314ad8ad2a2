/*
 * top.c - wick top: what the workers of a study are doing, kept up to date.
 *
 * Everything comes from the journal, so it works on any node that sees the study folder. The
 * journal is loaded once and then followed.
 */
#include "cli/cli.h"
#include "cli/jobs.h"

#include <math.h>
#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/signalfd.h>
#include <termios.h>
#include <unistd.h>

enum { LABEL = 10, ROWS_OF_OLD = 24, NODE_LINES = 3 };
enum { WORKERS = 1 << 24 }; /* workers that are counted: a damaged journal may have any number */

struct view {
    struct journal journal;
    struct cli_job job;
    struct cli_status status;
    uint32_t *running; /* indexes of trials, longest running first */
    size_t running_count, running_capacity;
    size_t shown; /* number of them in the table */
};

/* ---- the trials that run ---- */

static int compare_starts(const void *a, const void *b, void *journal)
{
    const struct journal_trial *trials = ((const struct journal *)journal)->trials;
    uint32_t i = *(const uint32_t *)a, k = *(const uint32_t *)b;
    double x = trials[i].started, y = trials[k].started;
    return x != y ? (x > y) - (x < y) : (i > k) - (i < k);
}

static void find_running(struct view *view)
{
    const struct journal *journal = &view->journal;
    view->running_count = 0;
    for (size_t i = 0; i < journal->count; i++) {
        if (journal->trials[i].state != OUTCOME_RUNNING || view->status.state != STANDING_RUNNING)
            continue;
        view->running = memory_grow(view->running, &view->running_capacity, view->running_count + 1,
                                    sizeof *view->running);
        view->running[view->running_count++] = (uint32_t)i;
    }
    if (view->running_count > 0)
        qsort_r(view->running, view->running_count, sizeof *view->running, compare_starts,
                &view->journal);
}

/* ---- the workers, by node ---- */

struct node {
    const char *name;
    size_t workers, busy, lost;
};

struct nodes {
    struct node *nodes;
    size_t count, capacity;
    uint32_t *of;   /* by worker: its index, UINT32_MAX: unknown */
    size_t workers; /* the largest number of one */
};

static size_t find_node(struct nodes *nodes, const char *name)
{
    for (size_t i = nodes->count; i-- > 0;)
        if (strcmp(nodes->nodes[i].name, name) == 0)
            return i;
    nodes->nodes =
        memory_grow(nodes->nodes, &nodes->capacity, nodes->count + 1, sizeof *nodes->nodes);
    nodes->nodes[nodes->count] = (struct node){.name = name};
    return nodes->count++;
}

static void place_workers(struct nodes *nodes, const struct journal *journal)
{
    const struct journal_placement *end = journal->placements + journal->placement_count;
    memset(nodes->of, 0xff, (nodes->workers + 1) * sizeof *nodes->of);
    for (const struct journal_placement *placement = journal_last_placement(journal);
         placement < end; placement++) {
        size_t index = find_node(nodes, placement->node);
        for (size_t w = placement->first; w > 0 && w <= placement->last && w <= nodes->workers;
             w += placement->step) {
            nodes->nodes[index].workers += nodes->of[w] == UINT32_MAX;
            nodes->of[w] = (uint32_t)index;
        }
    }
}

static struct node *node_of(const struct nodes *nodes, uint32_t worker)
{
    bool known = worker > 0 && worker <= nodes->workers && nodes->of[worker] != UINT32_MAX;
    return known ? &nodes->nodes[nodes->of[worker]] : NULL;
}

static void count_busy(struct nodes *nodes, const struct view *view)
{
    uint32_t *workers = memory_new(nodes->workers + 1, sizeof *workers);
    bool *seen =
        memory_new(nodes->workers + 1, sizeof *seen); /* a worker may have several trials */
    for (size_t i = 0; i < view->running_count; i++) {
        size_t count = journal_workers(&view->journal, view->running[i], workers, nodes->workers);
        for (size_t k = 0; k < count; k++) {
            struct node *node = node_of(nodes, workers[k]);
            if (node && !seen[workers[k]])
                node->busy++;
            if (node)
                seen[workers[k]] = true;
        }
    }
    for (uint64_t i = 0; i < view->journal.lost; i++) {
        struct node *node = node_of(nodes, view->journal.lost_workers[i]);
        if (node)
            node->lost++;
    }
    free(workers);
    free(seen);
}

/* Nodes with lost workers come first, then those with idle workers. */
static int compare_nodes(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    size_t idle_x = x->workers - x->busy, idle_y = y->workers - y->busy;
    if (x->lost != y->lost)
        return x->lost > y->lost ? -1 : 1;
    if (idle_x != idle_y)
        return idle_x > idle_y ? -1 : 1;
    return strverscmp(x->name, y->name);
}

static int compare_names(const void *a, const void *b)
{
    const struct node *x = a, *y = b;
    return strverscmp(x->name, y->name);
}

static void add_label(struct str *s, const char *label)
{
    cli_add_label(s, label, LABEL);
}

/* "n1 3/4", or with lost workers "n1 2/4, 1 lost"; returns its columns. */
static size_t put_node(struct str *text, const struct node *node)
{
    str_clear(text);
    cli_add_safe(text, node->name, strlen(node->name));
    str_printf(text, " %zu/%zu", node->busy, node->workers);
    if (node->lost > 0)
        str_printf(text, ", %zu lost", node->lost);
    return cli_text_width(text->text, text->length);
}

/* Appends cells of equal width, as many as fit into a few lines; returns how many. */
static size_t add_cells(struct str *s, const struct nodes *nodes)
{
    size_t room = cli_width(stdout), widest = 0, shown = 0;
    struct str text = {0};
    for (size_t i = 0; i < nodes->count; i++) {
        size_t width = put_node(&text, &nodes->nodes[i]);
        widest = width > widest ? width : widest;
    }
    room = room == SIZE_MAX ? 80 : room;
    size_t each = room > LABEL + widest ? (room - LABEL + 2) / (widest + 2) : 1;
    for (; shown < nodes->count && shown < each * NODE_LINES; shown++) {
        const struct node *node = &nodes->nodes[shown];
        size_t width = put_node(&text, node);
        if (shown % each == 0)
            add_label(s, shown == 0 ? "nodes" : "");
        const char *colour = node->lost > 0               ? cli_colour(stdout, CLI_RED)
                             : node->busy < node->workers ? cli_colour(stdout, CLI_YELLOW)
                                                          : "";
        bool last =
            shown % each == each - 1 || shown + 1 == nodes->count || shown + 1 == each * NODE_LINES;
        str_printf(s, "%s%s%s%*s%s", colour, text.text,
                   colour[0] ? cli_colour(stdout, CLI_PLAIN) : "",
                   last ? 0 : (int)(widest - width) + 2, "", last ? "\n" : "");
    }
    str_free(&text);
    return shown;
}

/* How the workers are occupied, per node if there are several. */
static void add_workers(struct str *s, const struct view *view)
{
    const struct journal *journal = &view->journal;
    if (view->status.state != STANDING_RUNNING || !journal_knows_run(journal))
        return;
    size_t last = journal->runs[journal->run_count - 1].last;
    struct nodes nodes = {.workers = last < WORKERS ? last : WORKERS};
    nodes.of = memory_new(nodes.workers + 1, sizeof *nodes.of);
    place_workers(&nodes, journal);
    count_busy(&nodes, view);
    size_t workers = (size_t)journal->workers, busy = 0, lost = (size_t)journal->lost;
    for (size_t i = 0; i < nodes.count; i++)
        busy += nodes.nodes[i].busy;
    add_label(s, "workers");
    str_printf(s, "%zu busy, %zu idle", busy, workers > busy + lost ? workers - busy - lost : 0);
    if (lost > 0)
        str_printf(s, ", %s%zu lost%s", cli_colour(stdout, CLI_RED), lost,
                   cli_colour(stdout, CLI_PLAIN));
    if (nodes.count > 1)
        str_printf(s, " on %zu nodes", nodes.count);
    else if (nodes.count == 1) {
        str_add(s, " on ");
        cli_add_safe(s, nodes.nodes[0].name, strlen(nodes.nodes[0].name));
    }
    str_add_char(s, '\n');
    if (nodes.count > 1) {
        bool all = nodes.count <= NODE_LINES * 4;
        qsort(nodes.nodes, nodes.count, sizeof *nodes.nodes, all ? compare_names : compare_nodes);
        size_t shown = add_cells(s, &nodes);
        if (shown < nodes.count) {
            add_label(s, "");
            str_printf(s, "and %zu more, at most as busy as the last one\n", nodes.count - shown);
        }
    }
    free(nodes.nodes);
    free(nodes.of);
}

/* ---- the table ---- */

static bool has_steps(const struct view *view)
{
    for (size_t i = 0; i < view->running_count; i++)
        if (view->journal.trials[view->running[i]].steps > 0)
            return true;
    return false;
}

static bool is_shown(const struct parameter *parameter)
{
    return parameter->kind != PARAMETER_CONSTANT;
}

static void add_columns(struct text_table *table, const struct study *study, bool nodes, bool steps)
{
    text_table_column(table, "trial", CLI_RIGHT);
    if (study->upf_ids)
        text_table_column(table, "id", CLI_LEFT);
    text_table_column(table, "worker", CLI_RIGHT);
    if (nodes)
        text_table_column(table, "node", CLI_LEFT);
    text_table_column(table, "time", CLI_RIGHT);
    if (steps) {
        text_table_column(table, "step", CLI_RIGHT);
        text_table_column(table, study_score_name(&study->model), CLI_RIGHT);
    }
    for (size_t i = 0; i < study->space.count; i++)
        if (is_shown(&study->space.parameters[i]))
            text_table_parameter(table, &study->space.parameters[i]);
}

static void add_number(struct text_table *table, enum cli_colour colour, uint64_t number)
{
    char text[24];
    snprintf(text, sizeof text, "%llu", (unsigned long long)number);
    text_table_cell(table, colour, text);
}

static void add_step_cells(struct text_table *table, const struct journal *journal, size_t index)
{
    struct journal_step step;
    struct str text = {0};
    bool stepped = journal_last_step(journal, index, &step);
    uint64_t last = stepped ? step.step : journal_progress(journal, index)->curve.last;
    if (stepped || journal->trials[index].steps > 0)
        add_number(table, CLI_PLAIN, last);
    else
        text_table_cell(table, CLI_PLAIN, "-");
    cli_add_score(&text, stepped ? step.value : NAN);
    text_table_cell(table, CLI_PLAIN, text.text);
    str_free(&text);
}

static int add_row(struct text_table *table, const struct view *view, size_t index, bool nodes,
                   bool steps, struct err *e)
{
    const struct journal *journal = &view->journal;
    const struct space *space = &journal->study.space;
    double *point = memory_new(space->count, sizeof *point);
    struct str text = {0};
    if (!journal_point(journal, index, point, e)) {
        add_number(table, CLI_BOLD, index + 1);
        if (journal->study.upf_ids)
            text_table_id(table, &journal->study, index);
        add_number(table, CLI_PLAIN, journal->trials[index].worker);
        if (nodes) {
            const char *node = journal_node(journal, index);
            cli_add_safe(&text, node[0] ? node : "-", strlen(node[0] ? node : "-"));
            text_table_cell(table, CLI_PLAIN, text.text);
        }
        str_clear(&text);
        str_add_duration(&text, fmax(cli_took(journal, index), 0));
        text_table_cell(table, CLI_BLUE, text.text);
        if (steps)
            add_step_cells(table, journal, index);
        for (size_t i = 0; i < space->count; i++) {
            str_clear(&text);
            cli_add_parameter(&text, &space->parameters[i], point[i]);
            if (is_shown(&space->parameters[i]))
                text_table_cell(table, CLI_PLAIN, text.text);
        }
    }
    str_free(&text);
    free(point);
    return e->code;
}

/* True if the last run has several nodes. */
static bool is_spread(const struct journal *journal)
{
    return journal->run_count > 0 && journal->runs[journal->run_count - 1].nodes > 1;
}

/* The first rows of the table, up to `most`. */
static int add_trials(struct str *s, struct view *view, size_t most, struct err *e)
{
    size_t shown = view->running_count < most ? view->running_count : most;
    bool steps = has_steps(view), nodes = is_spread(&view->journal);
    char *text = NULL;
    size_t length = 0;
    view->shown = shown;
    if (shown == 0)
        return 0;
    FILE *out = open_memstream(&text, &length);
    if (!out)
        return err_system(e, "cannot print the table");
    struct text_table table = {.out = out, .terminal = stdout};
    add_columns(&table, &view->journal.study, nodes, steps);
    for (size_t i = 0; i < shown && !e->code; i++)
        add_row(&table, view, view->running[i], nodes, steps, e);
    text_table_end(&table);
    fclose(out);
    str_add_char(s, '\n');
    str_add_bytes(s, text, length);
    free(text);
    return e->code;
}

/* ---- all of it ---- */

static size_t count_lines(const struct str *s)
{
    size_t lines = 0;
    for (size_t i = 0; i < s->length; i++)
        lines += s->text[i] == '\n';
    return lines;
}

/* Appends what fits on a screen with this many rows. */
static int add_view(struct str *s, struct view *view, size_t rows, struct err *e)
{
    enum { TITLES = 2, LAST = 3 }; /* lines around the rows of the table */
    cli_job_look(&view->job, view->journal.dir);
    cli_status(&view->journal, &view->job, &view->status);
    find_running(view);
    if (cli_add_summary(s, &view->journal, &view->status, e))
        return e->code;
    add_workers(s, view);
    size_t used = count_lines(s) + TITLES + LAST;
    size_t most = rows == SIZE_MAX ? rows : rows > used ? rows - used : 1;
    return add_trials(s, view, most, e);
}

static int print_once(struct view *view, struct err *e)
{
    struct str text = {0};
    if (!add_view(&text, view, SIZE_MAX, e))
        fputs(text.text, stdout);
    str_free(&text);
    return e->code;
}

/* ---- the live screen ---- */

struct screen {
    struct termios before;
    bool keys; /* keys are read one by one */
    sigset_t signals;
    int signal_descriptor;
};

static size_t screen_rows(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_row > 0 ? size.ws_row
                                                                           : ROWS_OF_OLD;
}

/* Uses the alternate screen, so that the user's screen comes back as it was. */
static int screen_open(struct screen *screen, struct err *e)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGHUP);
    sigaddset(&signals, SIGWINCH);
    sigprocmask(SIG_BLOCK, &signals, &screen->signals);
    screen->signal_descriptor = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    if (screen->signal_descriptor < 0)
        return err_system(e, "cannot receive signals");
    screen->keys = tcgetattr(STDIN_FILENO, &screen->before) == 0;
    if (screen->keys) {
        struct termios raw = screen->before;
        raw.c_lflag &= ~(tcflag_t)(ICANON | ECHO);
        tcsetattr(STDIN_FILENO, TCSANOW, &raw);
    }
    fputs("\033[?1049h\033[?25l\033[?7l", stdout); /* no cursor; long lines are cut */
    return 0;
}

static void screen_close(struct screen *screen)
{
    if (screen->keys)
        tcsetattr(STDIN_FILENO, TCSANOW, &screen->before);
    fputs("\033[?7h\033[?25h\033[?1049l", stdout);
    fflush(stdout);
    close(screen->signal_descriptor);
    sigprocmask(SIG_SETMASK, &screen->signals, NULL);
}

/* Draws over the previous lines, since clearing the screen would flicker. */
static void draw(const struct str *text, size_t rows)
{
    const char *at = str_text(text);
    fputs("\033[H", stdout);
    for (size_t row = 0; row + 1 < rows && *at; row++) {
        size_t length = strcspn(at, "\n");
        printf("%.*s\033[K\n", (int)length, at);
        at += length + (at[length] == '\n');
    }
    fputs("\033[J", stdout);
    fflush(stdout);
}

static void add_last_line(struct str *s, const struct view *view)
{
    size_t hidden = view->running_count - view->shown;
    str_printf(s, "\n%s", cli_colour(stdout, CLI_DIM));
    if (hidden > 0)
        str_printf(s, "%zu more running; ", hidden);
    str_printf(s, "q quits%s\n", cli_colour(stdout, CLI_PLAIN));
}

static int show(struct view *view, struct err *e)
{
    struct str text = {0};
    size_t rows = screen_rows();
    if (!add_view(&text, view, rows, e)) {
        add_last_line(&text, view);
        draw(&text, rows);
    }
    str_free(&text);
    return e->code;
}

/* True if a key or a signal asks to leave. */
static bool wants_to_end(const struct screen *screen, short keyboard)
{
    struct signalfd_siginfo info;
    char key;
    bool gone = keyboard & (POLLHUP | POLLERR | POLLNVAL);
    while (read(screen->signal_descriptor, &info, sizeof info) == sizeof info)
        if (info.ssi_signo != SIGWINCH)
            return true;
    if (keyboard & POLLIN)
        return read(STDIN_FILENO, &key, 1) != 1 || key == 'q' || key == 'Q';
    return gone;
}

/* Waits as cli_wait() does, or until a key or a signal; true if that asks to leave. */
static bool wait_for_user(const struct screen *screen, double start, double interval)
{
    enum { SHARE = 10 };
    double seconds = fmax(interval, SHARE * (clock_now() - start));
    struct pollfd sources[] = {{.fd = screen->signal_descriptor, .events = POLLIN},
                               {.fd = screen->keys ? STDIN_FILENO : -1, .events = POLLIN}};
    if (poll(sources, 2, (int)(seconds * 1000)) <= 0)
        return false;
    return wants_to_end(screen, sources[1].revents);
}

static int live(struct view *view, double interval, struct err *e)
{
    struct screen screen;
    if (screen_open(&screen, e))
        return e->code;
    bool over = false;
    while (!over && !e->code && !ferror(stdout)) {
        double start = clock_now();
        if (show(view, e))
            break;
        over = wait_for_user(&screen, start, interval);
        if (!over)
            journal_follow(&view->journal, e);
    }
    screen_close(&screen);
    return e->code;
}

static int run(struct cli_arguments *arguments)
{
    struct err e = {0};
    struct view view = {0};
    double interval = 1;
    if (cli_interval(arguments, &interval, &e))
        return cli_fail(&e);
    if (cli_load_journal(arguments->operands[0], &view.journal, &e))
        return cli_fail(&e);
    if (cli_flag(arguments, "once") || !cli_terminal(stdout))
        print_once(&view, &e);
    else
        live(&view, interval, &e);
    free(view.running);
    journal_free(&view.journal);
    return e.code ? cli_fail(&e) : 0;
}

static const struct cli_option options[] = {
    {.name = "once", .help = "print it once; the default if the output is not a terminal"},
    {0},
};

const struct cli_command cli_command_top = {
    .name = "top",
    .summary = "show the running trials, where they run, and their progress",
    .example = "wick top digits.wick\n"
               "wick top digits.wick --once",
    .synopsis = "[DIR] [--interval T] [--once]",
    .details =
        "Shows what `wick status` shows, which workers are idle, and the running trials. It\n"
        "reads only the study folder, so it works from a login node while the study runs in a\n"
        "job. Press q or Ctrl-C to leave; the study keeps running.",
    .options = {cli_interval_options, options},
    .most = 1,
    .run = run,
};
