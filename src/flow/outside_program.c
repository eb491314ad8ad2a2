/* outside_program.c - programs, which the helper starts; retries. */
#include "flow/outside_parts.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SHOWN = 2000 };                   /* bytes of a command in a message */
static const double MOST_BACKOFF = 3600; /* seconds before a retry */

static const struct outside_end failed = {.state = OUTSIDE_FAILED};
static const char no_helper[] = "the helper process that starts programs has died";

/* ---- commands as text ---- */

/* A word as a shell would read it. */
static void add_word(struct str *text, const char *word)
{
    bool is_plain = *word;
    for (const char *at = word; *at; at++)
        is_plain = is_plain && (isalnum((unsigned char)*at) || strchr("_-./=+:,@%^", *at) ||
                                (unsigned char)*at >= 0x80);
    if (is_plain) {
        str_add(text, word);
        return;
    }
    str_add_char(text, '\'');
    for (const char *at = word; *at; at++)
        if (*at == '\'')
            str_add(text, "'\\''");
        else
            str_add_char(text, *at);
    str_add_char(text, '\'');
}

static void add_stream(struct str *text, const char *sign, const char *file)
{
    if (!file)
        return;
    str_add(text, sign);
    add_word(text, file);
}

void outside_describe(const struct outside_command *command, struct str *text)
{
    size_t start = text->length, end = start + SHOWN;
    for (size_t i = 0; command->words[i] && text->length <= end; i++) {
        if (i > 0)
            str_add_char(text, ' ');
        add_word(text, command->words[i]);
    }
    add_stream(text, " <", command->in);
    add_stream(text, " >", command->out);
    add_stream(text, " 2>", command->err);
    if (text->length <= end)
        return;
    while (((unsigned char)text->text[end] & 0xc0) == 0x80) /* inside of a character */
        end--;
    text->length = end;
    str_add(text, "...");
}

/* ---- the end of a start ---- */

/* A line about the command and what comes behind it. */
static void log_command(struct outside *o, const char *more)
{
    struct str line = {0};
    if (!o->settings.logs)
        return;
    str_add(&line, "app: ");
    outside_describe(&o->command, &line);
    str_add(&line, more);
    o->handler.log(o->handler.self, line.text);
    str_free(&line);
}

/* The random part keeps many workers from trying at the same moment what has just failed. */
static void retry(struct outside *o, const char *why)
{
    double most = fmin(ldexp(o->settings.backoff, (int)o->tries), MOST_BACKOFF);
    double pause = most * random_unit(&o->random) + o->settings.delay * random_unit(&o->random);
    struct str more = {0};
    str_printf(&more, ": %s; retry %u of %u in ", why, o->tries, o->settings.retries);
    str_add_duration(&more, pause);
    log_command(o, more.text);
    str_free(&more);
    outside_schedule(o, pause, outside_program_begin);
}

/* One start of the program has come to its end, good or not. Takes the text. */
static void tried(struct outside *o, struct outside_end end, struct str *text)
{
    bool is_good = end.state == OUTSIDE_GOOD;
    if (!is_good && !o->stopping && o->command.capture == 0 && o->tries <= o->settings.retries) {
        retry(o, str_text(text));
    } else {
        end.text = (struct slice){str_text(text), text->length};
        outside_finish(o, &end);
    }
    str_free(text);
}

/* Nothing ran. ENOENT is also what a script gives whose interpreter is missing. */
static void not_started(struct outside *o, int number, const char *what)
{
    const char *name = o->command.words[0];
    struct outside_end end = failed;
    struct str text = {0};
    end.number = number;
    str_printf(&text, "cannot start %.500s: ", name);
    if (what)
        str_add(&text, what);
    else if (number == ENOENT && !strchr(name, '/'))
        str_add(&text, "there is no such program on the PATH");
    else if (number == ENOENT && access(name, F_OK) == 0)
        str_add(&text, "the interpreter that its first line names does not exist");
    else
        str_add(&text, strerror(number));
    tried(o, end, &text);
}

/* The program has ended with this status, as from wait(). */
static void ended(struct outside *o, int status)
{
    struct outside_pipe *out = &o->program.pipes[OUTSIDE_OUT];
    struct outside_end end = {.wrote_errors = o->program.pipes[OUTSIDE_ERR].has_any};
    struct str text = {0};
    if (out->is_over) {
        end.state = OUTSIDE_FAILED;
        str_printf(&text, "it printed more than the %zu bytes that can be taken", out->most);
    } else if (WIFSIGNALED(status)) {
        end.state = OUTSIDE_SIGNAL;
        end.signal = WTERMSIG(status);
        str_printf(&text, "killed by signal %d (%s)", end.signal, strsignal(end.signal));
    } else if (WEXITSTATUS(status) != 0) {
        end.state = OUTSIDE_EXIT;
        end.exit_code = WEXITSTATUS(status);
        str_printf(&text, "exit code %d", end.exit_code);
    } else if (out->most > 0) {
        text = out->text;
        out->text = (struct str){0};
        if (text.length > 0 && text.text[text.length - 1] == '\n')
            text.text[--text.length] = 0;
    }
    str_clear(&out->text);
    tried(o, end, &text);
}

/* ---- its streams ---- */

static bool make_folders(const char *path)
{
    struct str folder = {0};
    bool good = true;
    str_add(&folder, path);
    for (char *slash = strchr(folder.text + 1, '/'); slash && good;
         slash = strchr(slash + 1, '/')) {
        *slash = 0;
        good = mkdir(folder.text, 0777) == 0 || errno == EEXIST;
        *slash = '/';
    }
    int number = errno;
    str_free(&folder);
    errno = number;
    return good;
}

/* Opens a file, without waiting for the other side of a FIFO; -1 and errno when it cannot. */
static int open_file(const char *path, int flags)
{
    if (!*path) {
        errno = ENOENT;
        return -1;
    }
    if ((flags & O_CREAT) && !make_folders(path))
        return -1;
    int fd = open(path, flags | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0666);
    if (fd >= 0)
        fcntl(fd, F_SETFL, 0);
    return fd;
}

static void close_streams(const int streams[3])
{
    for (int i = 0; i < 3; i++)
        if (streams[i] >= 0)
            close(streams[i]);
}

/* Opens an output of the program: its file, that of the other output, or a pipe. */
static int open_output(struct outside *o, enum outside_stream stream, const int streams[3])
{
    const struct outside_command *command = &o->command;
    struct outside_pipe *pipe = &o->program.pipes[stream];
    const char *file = stream == OUTSIDE_OUT ? command->out : command->err;
    pipe->most = stream == OUTSIDE_OUT ? command->capture : 0;
    pipe->has_any = pipe->is_over = false;
    str_clear(&pipe->text);
    if (!file)
        return outside_pipe_open(pipe);
    if (stream == OUTSIDE_ERR && command->out && strcmp(file, command->out) == 0)
        return fcntl(streams[1], F_DUPFD_CLOEXEC, 3);
    return open_file(file, O_WRONLY | O_CREAT | O_TRUNC);
}

/* Opens all three; if one fails, says why and returns false. */
static bool open_streams(struct outside *o, int streams[3], struct str *why)
{
    const struct outside_command *command = &o->command;
    const char *doing = "read", *file = command->in ? command->in : "/dev/null";
    streams[0] = open_file(file, O_RDONLY);
    for (int i = 1; i < 3 && streams[i - 1] >= 0; i++) {
        doing = "write";
        file = i == 1 ? command->out : command->err;
        streams[i] = open_output(o, i == 1 ? OUTSIDE_OUT : OUTSIDE_ERR, streams);
    }
    if (streams[0] >= 0 && streams[1] >= 0 && streams[2] >= 0)
        return true;
    int number = errno;
    close_streams(streams);
    outside_pipe_close(&o->program.pipes[OUTSIDE_OUT]);
    if (file)
        str_printf(why, "cannot %s %s: %s", doing, file, strerror(number));
    else
        str_printf(why, "cannot make a pipe: %s", strerror(number));
    errno = number;
    return false;
}

/* ---- while it runs ---- */

void outside_program_signal(struct outside *o, int number)
{
    if (!o->program.running)
        return;
    if (o->is_direct) {
        kill(-o->program.pid, number);
        return;
    }
    struct helper_request request = {
        .type = HELPER_SIGNAL, .signal = number, .trial = o->program.id};
    helper_tell(helper_channel(o->helper, o->slot->channel), &request);
    helper_wake(o->helper);
}

/* The program no longer runs: what it has printed is all there is. */
static void stop_listening(struct outside *o)
{
    o->program.running = false;
    if (!o->is_direct)
        comm_unwatch(o->comm, helper_channel(o->helper, o->slot->channel));
    for (int i = 0; i < 2; i++) {
        outside_pipe_drain(&o->program.pipes[i]);
        outside_pipe_close(&o->program.pipes[i]);
    }
}

static void take_answer(void *outside)
{
    struct outside *o = outside;
    struct helper_answer answer;
    ssize_t length =
        recv(helper_channel(o->helper, o->slot->channel), &answer, sizeof answer, MSG_DONTWAIT);
    if (length < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    stop_listening(o);
    if (length != sizeof answer)
        not_started(o, 0, no_helper);
    else if (answer.type == HELPER_FAILED)
        not_started(o, answer.number, NULL);
    else
        ended(o, answer.status);
}

/* ---- its start ---- */

static void add_string(struct str *packet, unsigned *count, const char *string)
{
    str_add_bytes(packet, string, strlen(string) + 1);
    (*count)++;
}

/* Of two values of a variable, the first is used: the command's own. */
static void build_request(const struct outside *o, struct str *packet)
{
    struct machine_variable variables[MACHINE_VARIABLES];
    struct helper_request request = {.type = HELPER_START,
                                     .trial = o->program.id,
                                     .pin = CPU_COUNT(&o->slot->pinned) > 0,
                                     .cores = o->slot->pinned,
                                     .descriptors = helper_descriptors(o->helper)};
    str_add_bytes(packet, &request, sizeof request);
    str_add_bytes(packet, ".", 2);
    for (size_t i = 0; o->command.words[i]; i++)
        add_string(packet, &request.arguments, o->command.words[i]);
    for (size_t i = 0; o->command.variables[i]; i++)
        add_string(packet, &request.variables, o->command.variables[i]);
    size_t count = o->slot->devices[0] ? machine_slot_variables(o->slot, variables) : 0;
    for (size_t i = 0; i < count; i++) {
        str_printf(packet, "%s=%s", variables[i].name, variables[i].value);
        str_add_char(packet, 0);
        request.variables++;
    }
    memcpy(packet->text, &request, sizeof request);
}

/* Hands the program to the helper; take_answer() hears of its end. */
static void launch(struct outside *o, const int streams[3])
{
    const int in_order[] = {streams[1], streams[2], streams[0]};
    int channel = helper_channel(o->helper, o->slot->channel);
    struct str packet = {0}, what = {0};
    o->program.id++;
    build_request(o, &packet);
    if (packet.length > HELPER_REQUEST_LIMIT)
        str_printf(&what, "its words and variables have %zu bytes, and at most %d can be passed on",
                   packet.length, HELPER_REQUEST_LIMIT);
    else if (helper_send(channel, &packet, in_order, 3, 0) != 0)
        str_printf(&what, "%s", errno == EPIPE ? no_helper : strerror(errno));
    str_free(&packet);
    close_streams(streams);
    o->program.running = true;
    comm_watch(o->comm, channel, take_answer, o);
    if (what.length > 0) {
        stop_listening(o);
        not_started(o, 0, what.text);
    }
    str_free(&what);
}

static void run_directly(struct outside *o, const int streams[3])
{
    int status = outside_direct_run(o, streams), number = errno;
    stop_listening(o);
    if (status < 0)
        not_started(o, number, NULL);
    else
        ended(o, status);
}

void outside_program_begin(void *outside)
{
    struct outside *o = outside;
    struct str why = {0};
    int streams[3] = {-1, -1, -1};
    o->timer = 0;
    o->tries++;
    log_command(o, "");
    if (!open_streams(o, streams, &why)) {
        struct outside_end end = failed;
        end.number = errno;
        tried(o, end, &why);
    } else if (o->is_direct) {
        run_directly(o, streams);
    } else {
        launch(o, streams);
    }
}

void outside_program_free(struct outside *o)
{
    if (o->program.running && !o->is_direct) {
        outside_program_signal(o, SIGKILL);
        comm_unwatch(o->comm, helper_channel(o->helper, o->slot->channel));
    }
    for (int i = 0; i < 2; i++) {
        outside_pipe_close(&o->program.pipes[i]);
        str_free(&o->program.pipes[i].text);
    }
}
