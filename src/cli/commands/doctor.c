/* doctor.c - wick doctor: find out what this machine lacks and what to do about it. */
#include "doctor/doctor.h"

#include "cli/cli.h"
#include "comm/comm.h"

#include <sys/stat.h>
#include <unistd.h>

enum { MARK = 5, SUBJECT = 17, INDENT = 2 + MARK + SUBJECT, WIDEST = 100 };

static const struct mark {
    const char *word;
    enum cli_colour colour;
} marks[] = {
    [DOCTOR_GOOD] = {"ok", CLI_GREEN},
    [DOCTOR_NONE] = {"-", CLI_DIM},
    [DOCTOR_WARNING] = {"warn", CLI_YELLOW},
    [DOCTOR_BAD] = {"BAD", CLI_RED},
};

struct printer {
    const char *section; /* the section whose title was printed last */
    const char *host;    /* prefix of each line on a rank other than the first; or NULL */
    bool json;
    size_t counts[DOCTOR_BAD + 1];
    struct str line;
};

/* ---- for people ---- */

/* Appends a text; on a terminal, lines are wrapped at blanks and indented to its start. */
static void add_wrapped(struct str *s, const char *text, size_t indent)
{
    size_t width = cli_width(stdout), column = indent;
    width = width == SIZE_MAX ? width : width > WIDEST ? WIDEST : width < 50 ? 50 : width - 1;
    while (*text) {
        size_t length = strcspn(text, " ");
        if (column > indent && column + 1 + cli_text_width(text, length) > width) {
            str_printf(s, "\n%*s", (int)indent, "");
            column = indent;
        } else if (column > indent) {
            str_add_char(s, ' ');
            column++;
        }
        str_add_bytes(s, text, length);
        column += cli_text_width(text, length);
        text += length + (text[length] == ' ');
    }
}

static void add_safe_wrapped(struct str *s, const char *text, size_t indent)
{
    struct str safe = {0};
    cli_add_safe(&safe, text, strlen(text));
    for (size_t i = 0; i < safe.length; i++) /* output of programs may have several lines */
        if (safe.text[i] == '\n' || safe.text[i] == '\t')
            safe.text[i] = ' ';
    add_wrapped(s, str_text(&safe), indent);
    str_free(&safe);
}

static void print_finding(struct printer *printer, const struct doctor_finding *finding)
{
    struct str *s = &printer->line;
    const struct mark *mark = &marks[finding->verdict];
    const char *plain = cli_colour(stdout, CLI_PLAIN), *dim = cli_colour(stdout, CLI_DIM);
    bool quiet = finding->verdict == DOCTOR_NONE;
    str_clear(s);
    if (!printer->section || strcmp(printer->section, finding->section) != 0)
        str_printf(s, "%s%s%s%s\n", printer->section ? "\n" : "", cli_colour(stdout, CLI_BOLD),
                   finding->section, plain);
    printer->section = finding->section;
    str_printf(s, "  %s%-*s%s%s", cli_colour(stdout, mark->colour), MARK, mark->word, plain,
               quiet ? dim : "");
    size_t width = cli_text_width(finding->subject, strlen(finding->subject));
    str_printf(s, "%s%*s", finding->subject, width < SUBJECT ? (int)(SUBJECT - width) : 1, " ");
    add_safe_wrapped(s, finding->text, INDENT);
    str_add(s, quiet ? plain : "");
    if (finding->advice) {
        str_printf(s, "\n%*s%s ", INDENT, "", cli_utf8() ? "\u2192" : "->");
        add_safe_wrapped(s, finding->advice, INDENT + (cli_utf8() ? 2 : 3));
    }
    str_add_char(s, '\n');
    fwrite(s->text, 1, s->length, stdout);
    fflush(stdout);
}

/* Other nodes report only what is bad, in one line, since several nodes write at the same time. */
static void print_brief(struct printer *printer, const struct doctor_finding *finding)
{
    struct str *s = &printer->line;
    if (finding->verdict != DOCTOR_BAD)
        return;
    str_clear(s);
    str_printf(s, "%s: %s, %s: %s%s%s", printer->host, finding->section, finding->subject,
               finding->text, finding->advice ? "; " : "", finding->advice ? finding->advice : "");
    struct str safe = {0};
    cli_add_safe(&safe, s->text, s->length);
    str_add_char(&safe, '\n');
    fwrite(safe.text, 1, safe.length, stdout);
    fflush(stdout);
    str_free(&safe);
}

static void print_verdict(const struct printer *printer)
{
    struct str s = {0};
    size_t bad = printer->counts[DOCTOR_BAD], warnings = printer->counts[DOCTOR_WARNING];
    enum cli_colour colour = bad ? CLI_RED : warnings ? CLI_YELLOW : CLI_GREEN;
    if (bad)
        str_printf(&s, "%zu bad", bad);
    else
        str_add(&s, "nothing bad");
    str_add(&s, ", ");
    cli_add_count(&s, warnings, "warning");
    str_printf(&s, ", %zu good", printer->counts[DOCTOR_GOOD]);
    printf("\n%s%s%s\n", cli_colour(stdout, colour), s.text, cli_colour(stdout, CLI_PLAIN));
    str_free(&s);
}

/* ---- for programs ---- */

/* One finding per line. */
static void print_json(const struct doctor_report *report)
{
    struct str s = {0};
    json_add_array(&s);
    for (size_t i = 0; i < report->count; i++) {
        const struct doctor_finding *finding = &report->findings[i];
        str_add(&s, i ? ",\n " : "");
        json_add_object(&s);
        json_set_text(&s, "section", finding->section);
        json_set_text(&s, "subject", finding->subject);
        json_set_text(&s, "verdict", doctor_verdict_name(finding->verdict));
        json_set_bool(&s, "needed", finding->needed);
        json_set_text(&s, "text", finding->text);
        json_set_text(&s, "advice", finding->advice);
        json_end_object(&s);
    }
    json_end_array(&s);
    puts(s.text);
    str_free(&s);
}

/* ---- the command ---- */

static void show_finding(void *self, const struct doctor_finding *finding)
{
    struct printer *printer = self;
    printer->counts[finding->verdict]++;
    if (printer->json)
        return;
    if (printer->host)
        print_brief(printer, finding);
    else
        print_finding(printer, finding);
}

/* One of the two ranks with which doctor tests mpiexec: see doctor.h. */
static int be_rank(void)
{
    struct str text = {0};
    struct err e = {0};
    if (doctor_rank(&text, &e))
        return cli_fail(&e);
    puts(text.text);
    str_free(&text);
    return 0;
}

/* The index of this rank on its node: 0 for the first, or if unknown. */
static bool is_first_of_node(void)
{
    static const char *const names[] = {"OMPI_COMM_WORLD_LOCAL_RANK", "MPI_LOCALRANKID",
                                        "SLURM_LOCALID"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *value = getenv(names[i]);
        if (value)
            return strcmp(value, "0") == 0;
    }
    return true;
}

/* The study that the user asks about. */
struct patient {
    struct journal journal;
    struct study study;
    struct err_list mistakes;
    bool has_journal, has_study;
};

/*
 * Reads a study file. If only something it names is missing on this machine (a program, a folder),
 * that is no error here: reporting it is what doctor is for.
 */
static int read_file(struct patient *patient, const char *path, struct doctor_question *question)
{
    struct err_list others = {0};
    struct err e = {0};
    struct str text = {0};
    char absolute[PATH_MAX];
    patient->has_study = study_load(&patient->study, path, &patient->mistakes) == 0;
    question->study = &patient->study;
    if (patient->has_study)
        return 0;
    if (realpath(path, absolute) && str_read_file(&text, path, STUDY_FILE_LIMIT, &e) == 0) {
        char *slash = strrchr(absolute, '/');
        *slash = 0;
        patient->has_study = study_restore(&patient->study, str_text(&text), text.length,
                                           slash > absolute ? absolute : "/", &others) == 0;
    }
    str_free(&text);
    err_list_free(&others);
    question->missing = &patient->mistakes;
    return patient->has_study ? 0 : cli_fail_all(&patient->mistakes);
}

/* Finds out what the operand is: a study file, a study folder, or any folder. */
static int read_operand(struct patient *patient, const char *operand,
                        struct doctor_question *question)
{
    struct err e = {0};
    struct stat info;
    if (!operand)
        return 0;
    if (stat(operand, &info) != 0 || !S_ISDIR(info.st_mode))
        return read_file(patient, operand, question);
    question->dir = operand;
    if (!cli_is_study(operand))
        return 0;
    if (cli_load_journal(operand, &patient->journal, &e))
        return cli_fail(&e);
    patient->has_journal = true;
    question->study = &patient->journal.study;
    return 0;
}

static void free_patient(struct patient *patient)
{
    if (patient->has_study)
        study_free(&patient->study);
    if (patient->has_journal)
        journal_free(&patient->journal);
    err_list_free(&patient->mistakes);
}

static int look(const struct cli_arguments *arguments, struct doctor_question *question)
{
    struct comm_launch launched = comm_launched();
    struct doctor_report report = {0};
    struct printer printer = {.json = cli_flag(arguments, "json")};
    char host[256] = "";
    question->other = launched.start != COMM_ALONE && launched.rank > 0;
    if (question->other && !is_first_of_node())
        return 0;
    if (question->other && gethostname(host, sizeof host - 1) == 0)
        printer.host = host;
    doctor_look(&report, question, show_finding, &printer);
    if (!question->other && printer.json)
        print_json(&report);
    else if (!question->other)
        print_verdict(&printer);
    doctor_free(&report);
    str_free(&printer.line);
    return printer.counts[DOCTOR_BAD] > 0;
}

static int run(struct cli_arguments *arguments)
{
    struct doctor_question question = {.version = WICK_VERSION,
                                       .image = cli_value(arguments, "image")};
    struct patient patient = {0};
    if (getenv(DOCTOR_RANK_VARIABLE))
        return be_rank();
    int code = read_operand(&patient, arguments->operands[0], &question);
    if (code == 0)
        code = look(arguments, &question);
    free_patient(&patient);
    return code;
}

static const struct cli_option options[] = {
    {.name = "image", .value = "IMAGE", .help = "test the container runtimes with this image"},
    {.name = "json", .help = "print the findings as a JSON array"},
    {0},
};

const struct cli_command cli_command_doctor = {
    .name = "doctor",
    .summary = "find out what this machine lacks and what to do about it",
    .example = "wick doctor\n"
               "wick doctor study.yaml --image debian.sif",
    .synopsis = "[STUDY.yaml|DIR] [--image IMAGE] [--json]",
    .details =
        "Checks cores, the scheduler, MPI, containers, the file system of the folder, GPUs,\n"
        "Python and R, and tests what it can. Given a study, whatever that study needs and\n"
        "is missing counts as bad. In a job, the first rank prints the report, and the\n"
        "other nodes report only what is bad there.\n"
        "Exit code 0: nothing is bad; 1: something is.",
    .options = {options},
    .most = 1,
    .run = run,
};
