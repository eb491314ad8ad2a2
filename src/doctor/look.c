/* look.c - reporting findings, and asking other programs. */
#include "doctor/look.h"

#include "container/container.h"

#include <ctype.h>
#include <pwd.h>
#include <stdarg.h>
#include <unistd.h>

enum { LINE = 200, ANSWER = 256 << 10 }; /* bytes */

/* ---- reporting ---- */

const char *look_say(struct look *look, const char *format, ...)
{
    char text[4096];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    return arena_copy(&look->report->arena, text, strlen(text));
}

void look_tell_needed(struct look *look, const char *subject, bool needed,
                      enum doctor_verdict verdict, const char *text, const char *advice)
{
    struct doctor_report *report = look->report;
    report->findings = memory_grow(report->findings, &report->capacity, report->count + 1,
                                   sizeof *report->findings);
    struct doctor_finding *finding = &report->findings[report->count++];
    *finding = (struct doctor_finding){
        .section = look->section,
        .subject = subject,
        .verdict = needed && verdict == DOCTOR_NONE ? DOCTOR_BAD : verdict,
        .needed = needed,
        .text = text,
        .advice = advice,
    };
    if (look->found)
        look->found(look->self, finding);
}

void look_tell(struct look *look, const char *subject, enum doctor_verdict verdict,
               const char *text, const char *advice)
{
    look_tell_needed(look, subject, false, verdict, text, advice);
}

/* ---- asking ---- */

static bool is_of_a_rank(const char *variable)
{
    static const char *const prefixes[] = {"OMPI_COMM_", "OMPI_MCA_ess", "OMPI_MCA_orte", "PMIX_",
                                           "PMI_",       "ORTE_",        "HYDI_",         "HYDRA_",
                                           "SLURM_PMI",  "MPI_LOCAL"};
    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
        if (strncmp(variable, prefixes[i], strlen(prefixes[i])) == 0)
            return true;
    return false;
}

static bool is_same_name(const char *variable, const char *other)
{
    size_t length = strcspn(variable, "=") + 1;
    return other && strncmp(variable, other, length) == 0;
}

/*
 * The environment with `variable`, unless it is NULL, and without the variables that make a program
 * think it is an MPI rank. free() it.
 */
static char **environment_for(const char *variable)
{
    size_t count = 0, used = 0;
    while (environ[count])
        count++;
    char **list = memory_new(count + 2, sizeof *list);
    for (size_t i = 0; i < count; i++)
        if (!is_of_a_rank(environ[i]) && !is_same_name(environ[i], variable))
            list[used++] = environ[i];
    if (variable)
        list[used] = (char *)variable;
    return list;
}

static bool is_blank(const char *line, size_t length)
{
    return strspn(line, " \t\r") >= length;
}

/* The first line of a text that is not blank, without surrounding white space. */
static const char *first_line(struct look *look, const char *text)
{
    size_t length = strcspn(text, "\n");
    while (text[length] && is_blank(text, length)) {
        text += length + 1;
        length = strcspn(text, "\n");
    }
    size_t start = strspn(text, " \t\r");
    start = start < length ? start : length;
    while (length > start && strchr(" \t\r", text[length - 1]))
        length--;
    length -= start;
    return arena_copy(&look->report->arena, text + start, length < LINE ? length : LINE);
}

/* The last line with a letter in it: some programs draw frames around their messages. */
static struct slice last_words(const char *text)
{
    struct slice rest = slice_of(text), line;
    do {
        line = slice_last_line(rest);
        rest.length = line.length > 0 ? (size_t)(line.text - text) : 0;
        for (size_t i = 0; i < line.length; i++)
            if (isalpha((unsigned char)line.text[i]))
                return line;
    } while (rest.length > 0);
    return rest;
}

/* The message of a program that failed, in one line. */
static const char *reason(struct look *look, const char *program, const struct look_answer *answer)
{
    struct slice last = last_words(str_text(&answer->text));
    int length = last.length < LINE ? (int)last.length : LINE;
    if (length == 0 && answer->status > 128)
        return look_say(look, "%s was killed by signal %d", program, answer->status - 128);
    if (length == 0)
        return look_say(look, "%s exited with code %d and no output", program, answer->status);
    bool named = strncmp(last.text, program, strlen(program)) == 0;
    return look_say(look, "%s%s%.*s (code %d)", named ? "" : program, named ? "" : ": ", length,
                    last.text, answer->status);
}

void look_ask_with(struct look *look, const char *const *argv, double limit, const char *variable,
                   struct look_answer *answer)
{
    struct err e = {0};
    struct str errors = {0};
    char **environment = environment_for(variable);
    struct command_options options = {
        .limit = limit > 0 ? limit : LOOK_ANSWER, .most = ANSWER, .environment = environment};
    *answer = (struct look_answer){0};
    command_run(argv, &options, &answer->text, &errors, &answer->status, &e);
    str_add(&answer->text, str_text(&errors));
    answer->good = !e.code && answer->status == 0;
    answer->line = first_line(look, str_text(&answer->text));
    if (e.code)
        answer->why = look_say(look, "%s", e.message);
    else if (!answer->good)
        answer->why = reason(look, argv[0], answer);
    str_free(&errors);
    free(environment);
}

void look_ask(struct look *look, const char *const *argv, double limit, struct look_answer *answer)
{
    look_ask_with(look, argv, limit, NULL, answer);
}

void look_ask_inside(struct look *look, const char *const *argv, double limit,
                     struct look_answer *answer)
{
    struct container_question question = {.runtime = look->runtime,
                                          .image = look->image,
                                          .study = look->question->study,
                                          .argv = (char *const *)argv,
                                          .limit = limit};
    struct err e = {0};
    double seconds;
    *answer = (struct look_answer){0};
    answer->good = container_ask(&question, &answer->text, &seconds, &e) == 0;
    answer->line = first_line(look, str_text(&answer->text));
    answer->why = answer->good ? NULL : look_say(look, "%s", e.message);
}

void look_answer_free(struct look_answer *answer)
{
    str_free(&answer->text);
}

/* ---- small texts ---- */

const char *look_user(struct look *look)
{
    const struct passwd *user = getpwuid(geteuid());
    const char *name = getenv("USER");
    return look_say(look, "USER=%s", name ? name : user ? user->pw_name : "user");
}

const char *look_file(struct look *look, const char *path)
{
    char text[LINE] = "";
    FILE *file = fopen(path, "re"); /* files of /proc and /sys have no size */
    if (file && !fgets(text, sizeof text, file))
        text[0] = 0;
    if (file)
        fclose(file);
    return first_line(look, text);
}

const char *look_bytes(struct look *look, double bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;
    for (; bytes >= 1024 && unit < 5; unit++)
        bytes /= 1024;
    return look_say(look, bytes < 10 && unit > 0 ? "%.1f %s" : "%.0f %s", bytes, units[unit]);
}

const char *look_count(struct look *look, double count, const char *noun)
{
    return look_say(look, "%.0f %s%s", count, noun, count == 1 ? "" : "s");
}

const char *look_duration(struct look *look, double seconds)
{
    struct str text = {0};
    if (seconds < 0.1)
        str_printf(&text, "%.*f ms", seconds < 0.01, seconds * 1e3);
    else
        str_add_duration(&text, seconds);
    const char *kept = arena_copy(&look->report->arena, text.text, text.length);
    str_free(&text);
    return kept;
}
