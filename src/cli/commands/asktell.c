/* asktell.c - wick asktell: suggest trials to a program, in lines of JSON. */
#include "asktell/asktell.h"
#include "cli/drive.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <unistd.h>

/* ---- lines in, lines out ---- */

enum { CHUNK = 64 << 10 };

struct conversation {
    struct asktell *asktell;
    int requests;    /* readable when the user asks to stop */
    struct str in;   /* starts at the start of a line */
    size_t looked;   /* bytes of `in` known to have no newline */
    bool skipping;   /* the line was too long: skip the rest of it */
    struct str out;  /* answers not written yet */
    bool ended;      /* nothing more to read or write */
    bool terminated; /* ended by a signal */
};

/* Waits until a descriptor is ready; false if the user asks to stop. */
static bool wait_for(struct conversation *c, int fd, short what)
{
    struct pollfd polled[] = {{.fd = fd, .events = what}, {.fd = c->requests, .events = POLLIN}};
    while (poll(polled, 2, -1) < 0 && errno == EINTR)
        ;
    c->terminated = polled[1].revents != 0;
    c->ended = c->ended || c->terminated;
    return !c->terminated;
}

/*
 * Writes the answers. A writable pipe accepts PIPE_BUF bytes at once, so a sleeping reader cannot
 * keep us from noticing a signal.
 */
static int give(struct conversation *c, struct err *e)
{
    enum { PIECE = 4096 };
    size_t done = 0;
    while (done < c->out.length && !c->ended && wait_for(c, STDOUT_FILENO, POLLOUT)) {
        size_t left = c->out.length - done;
        ssize_t n = write(STDOUT_FILENO, c->out.text + done, left < PIECE ? left : PIECE);
        if (n < 0 && errno == EPIPE)
            c->ended = true; /* the reader is gone: as if the input had ended */
        else if (n < 0 && errno != EINTR && errno != EAGAIN)
            return err_system(e, "cannot write the answers");
        done += n > 0 ? (size_t)n : 0;
    }
    str_clear(&c->out);
    return 0;
}

static void answer_line(struct conversation *c, struct slice line)
{
    if (!c->skipping)
        asktell_line(c->asktell, line, &c->out);
    c->skipping = false;
}

/*
 * Answers the complete lines received so far; at the end of the input, the rest is a line as well.
 */
static void answer_lines(struct conversation *c, bool at_end)
{
    size_t from = 0;
    char *newline;
    while (c->looked < c->in.length &&
           (newline = memchr(c->in.text + c->looked, '\n', c->in.length - c->looked))) {
        size_t to = (size_t)(newline - c->in.text);
        answer_line(c, (struct slice){c->in.text + from, to - from});
        from = c->looked = to + 1;
    }
    str_drop(&c->in, from);
    c->looked = c->in.length;
    if (at_end && c->in.length > 0)
        answer_line(c, (struct slice){c->in.text, c->in.length});
    if (c->in.length <= ASKTELL_LINE)
        return;
    if (!c->skipping)
        asktell_too_long(&c->out);
    c->skipping = true;
    c->looked = 0;
    str_clear(&c->in);
}

/* Reads what is available and answers it: many lines at once cost one write to the journal. */
static int serve(struct conversation *c, struct err *e)
{
    char chunk[CHUNK];
    while (!c->ended && wait_for(c, STDIN_FILENO, POLLIN)) {
        ssize_t n = read(STDIN_FILENO, chunk, sizeof chunk);
        if (n < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (n < 0)
            return err_system(e, "cannot read standard input");
        if (n > 0)
            str_add_bytes(&c->in, chunk, (size_t)n);
        c->ended = n == 0;
        answer_lines(c, n == 0);
        if (asktell_save(c->asktell, e))
            return e->code;
        c->ended = false; /* the last answers are written */
        if (give(c, e))
            return e->code;
        c->ended = c->ended || n == 0;
    }
    return 0;
}

/* ---- the study ---- */

static int read_study(struct cli_arguments *arguments, struct study *study)
{
    struct study_words words;
    struct err_list mistakes = {0};
    cli_words(arguments, &words);
    words.asktell = true;
    if (study_from_words(study, arguments->operands[0], &words, &mistakes))
        return cli_fail_all(&mistakes);
    return 0;
}

static int converse(const struct study *study, const struct asktell_options *options)
{
    struct err e = {0}, late = {0};
    struct conversation conversation = {0};
    sigset_t none, old;
    sigemptyset(&none);
    conversation.requests = drive_signals(none, &old, &e);
    if (conversation.requests < 0)
        return cli_fail(&e);
    signal(SIGPIPE, SIG_IGN);
    int failed = asktell_open(&conversation.asktell, study, options, &e);
    if (!failed) {
        failed = serve(&conversation, &e);
        if (asktell_close(conversation.asktell, &late) && !failed) {
            e = late;
            failed = e.code;
        }
    }
    str_free(&conversation.in);
    str_free(&conversation.out);
    close(conversation.requests);
    if (failed)
        return cli_fail(&e);
    return conversation.terminated ? 128 + SIGTERM : 0;
}

/*
 * An existing study is already defined, so an option that would change it is an error. Its number
 * of trials may grow, but not below those that were handed out.
 */
static int read_budget(const struct cli_arguments *arguments, const struct journal *journal,
                       uint64_t *trials, struct err *e)
{
    static const char *const allowed[] = {"trials", "resume", NULL};
    const char *other = cli_other_option(arguments, allowed);
    if (other)
        return err_set(
            e, ERR_USER,
            "the study in %s is already defined: --%s cannot change it, but --trials can "
            "give it more trials",
            journal->dir, other);
    if (cli_whole(arguments, "trials", 1, 1000000000, trials, e))
        return e->code;
    if (cli_value(arguments, "trials") && *trials < journal->count)
        return err_set(e, ERR_USER,
                       "--trials %llu is too small: %zu trials were already handed out",
                       (unsigned long long)*trials, journal->count);
    return 0;
}

/* Continues an existing study. */
static int resume(struct cli_arguments *arguments, const char *dir, const struct study *expected)
{
    struct err e = {0};
    struct journal journal;
    int code = 0;
    if (journal_load(&journal, dir, &e))
        return cli_fail(&e);
    cli_note_damage(&journal);
    if (cli_mend(&journal, &e))
        return cli_fail(&e);
    struct asktell_options options = {
        .dir = journal.dir, .journal = &journal, .trials = journal.budget};
    if (!journal.study.model.asktell)
        err_set(&e, ERR_USER, "the study in %s runs a program: continue it with `wick resume %s`",
                dir, dir);
    else if (expected && strcmp(expected->text, journal.study.text) != 0)
        err_set(&e, ERR_USER,
                "%s has a different study than %s: choose another folder with --dir, or continue "
                "it with `wick asktell %s`",
                dir, arguments->operands[0] ? arguments->operands[0] : "this", dir);
    else if (!expected)
        read_budget(arguments, &journal, &options.trials, &e);
    struct earlier *earlier = NULL;
    if (!e.code && !journal_is_begun(&journal))
        options.earlier = earlier = drive_earlier(&journal.study, false, &e);
    code = e.code ? cli_fail(&e) : converse(&journal.study, &options);
    earlier_free(earlier);
    journal_free(&journal);
    return code;
}

static int start(const struct study *study, const char *dir)
{
    struct err e = {0};
    struct earlier *earlier = drive_earlier(study, false, &e);
    if (e.code)
        return cli_fail(&e);
    struct asktell_options options = {
        .dir = dir, .trials = study->search.trials, .earlier = earlier};
    int code = converse(study, &options);
    earlier_free(earlier);
    return code;
}

static int run(struct cli_arguments *arguments)
{
    const char *operand = arguments->operands[0];
    if (operand && cli_is_study(operand))
        return resume(arguments, operand, NULL);
    struct study study;
    int code = read_study(arguments, &study);
    if (code)
        return code;
    cli_print_notes(&study.notes);
    cli_note_whole(arguments);
    bool resumes = cli_flag(arguments, "resume");
    struct str usual = {0};
    str_printf(&usual, "%s.wick", study.name);
    const char *given = cli_value(arguments, "dir");
    char *dir = resumes ? memory_copy(given ? given : usual.text) : drive_folder(arguments, &study);
    if (resumes && cli_is_study(dir))
        code = resume(arguments, dir, &study);
    else
        code = start(&study, dir);
    str_free(&usual);
    free(dir);
    study_free(&study);
    return code;
}

static const struct cli_option options[] = {
    {.name = "resume", .help = "continue the study in the folder if there is one"},
    {.name = "trials", .value = "N", .help = "hand out at most N trials in total"},
    {.name = "seed", .value = "N", .help = "random seed: the same seed gives the same trials"},
    {.name = "score", .value = "NAME", .help = "name of the score"},
    {.name = "direction", .value = "WORD", .help = "minimize (default) or maximize"},
    {.name = "name", .value = "NAME", .help = "name of the study"},
    {0},
};

const struct cli_command cli_command_asktell = {
    .name = "asktell",
    .summary = "suggest trials to your own program, in lines of JSON",
    .example = "wick asktell study.yaml\n"
               "echo '{\"ask\": 8}' | wick asktell --set lr=log:1e-5..1e-1 --set layers=1..4\n"
               "wick asktell study.wick",
    .synopsis = "[STUDY.yaml | DIR] [options]",
    .details =
        "Reads lines of JSON and answers each with one line:\n"
        "  {\"ask\": 2}                            {\"trials\": [{\"id\": 1, \"params\": "
        "...}, ...]}\n"
        "  {\"tell\": {\"id\": 1, \"score\": 0.3}}     {\"ok\": true}\n"
        "  {\"tell\": {\"id\": 2, \"failed\": true}}   {\"ok\": true}\n"
        "  {\"best\": true}                        {\"best\": {\"id\": 1, ...}}\n"
        "An invalid line is answered with {\"error\": ...} and changes nothing. No program is\n"
        "started, and the study needs no model. Given a study folder, it continues that study as\n"
        "it was defined; then only --trials may be given, to raise the number of trials.",
    .options = {cli_folder_options, options, cli_space_options},
    .least = 0,
    .most = 1,
    .run = run,
};
