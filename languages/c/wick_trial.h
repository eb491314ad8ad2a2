/*
 * wick_trial.h - the trial library: how a program talks to Wick. C99 and C++, POSIX, nothing else.
 *
 *     #include "wick_trial.h"
 *
 *     int main(int argc, char **argv)
 *     {
 *         wick_arguments(argc, argv);
 *         double rate = wick_param_double("learning_rate", 0.1), loss = 1;
 *         for (long epoch = 1; epoch <= 100 && !wick_should_stop(); epoch++) {
 *             loss = train(rate);
 *             wick_report(epoch, {"loss", loss}, {"rate", rate});
 *         }
 *         wick_result({"loss", loss});
 *         return 0;
 *     }
 *
 * Without Wick the same program takes its parameters from the command line (--learning_rate 0.2),
 * prints what it reports, and is never told to stop. A report never ends or fails a program: if
 * Wick is gone there is one warning on stderr. All functions may be called from several threads; a
 * forked process gets its own connection. Of the ranks of a trial only rank 0 reports and sends
 * results; all may ask wick_should_stop(), and all get the same answer to the same question.
 * docs/trial-socket.md describes the protocol. Names that end in _ are private.
 */
#ifndef WICK_TRIAL_H
#define WICK_TRIAL_H

#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <sys/un.h>
#include <unistd.h>

/* ---- what there is ---- */

struct wick_metric {
    const char *name;
    double value;
};

/* A value of the key-value space. Version 0: there is none; -1: see wick_error(). */
struct wick_value {
    long version;
    size_t length;
    char *bytes; /* yours to free(); a zero follows them */
};

/* Reads --name value and --name=value from the command line; parameters set by Wick count more. */
static inline void wick_arguments(int argc, char **argv);
/* A parameter, or the fallback if it is not set. A value of another type ends the program. */
static inline double wick_param_double(const char *name, double fallback);
static inline long wick_param_int(const char *name, long fallback); /* true is 1, false is 0 */
static inline const char *wick_param_text(const char *name, const char *fallback);

/* Reports a step, counted from 1: wick_report(3, {"loss", 0.4}, {"accuracy", 0.9}); */
#define wick_report(step, ...)                                                                     \
    do {                                                                                           \
        const struct wick_metric wick_metrics_[] = {__VA_ARGS__};                                  \
        wick_report_metrics(step, wick_metrics_, sizeof wick_metrics_ / sizeof *wick_metrics_);    \
    } while (0)
static inline void wick_report_metrics(long step, const struct wick_metric *metrics, size_t count);

/* Metrics of the whole trial; the one with the name of the score is the score. */
#define wick_result(...)                                                                           \
    do {                                                                                           \
        const struct wick_metric wick_metrics_[] = {__VA_ARGS__};                                  \
        wick_result_metrics(wick_metrics_, sizeof wick_metrics_ / sizeof *wick_metrics_);          \
    } while (0)
static inline void wick_result_metrics(const struct wick_metric *metrics, size_t count);

/* 1: end soon and in good order, for example after saving a checkpoint. Ask once per step. */
static inline int wick_should_stop(void);

/* The checkpoint folder of the trial, created by this call. NULL: see wick_error(). */
static inline const char *wick_checkpoint_dir(void);

static inline long wick_trial(void);         /* the number of the trial; 0: there is no Wick */
static inline int wick_try(void);            /* the try, counted from 1 */
static inline unsigned long wick_seed(void); /* the same for all tries of a trial; 0 without Wick */
static inline int wick_rank(void);           /* the rank of this process in the trial, from 0 */
static inline int wick_world_size(void);     /* the number of ranks */

/* The key-value space that all trials share. Without Wick it is empty and keeps nothing. */
static inline long wick_put(const char *key, const void *bytes, size_t length); /* its version */
static inline struct wick_value wick_get(const char *key);
/* Waits for a version above `known`; 0: for any. */
static inline struct wick_value wick_wait(const char *key, long known);
static inline long wick_delete(const char *key); /* the deleted version; 0: there was none */
/*
 * The keys that start with the prefix, each ended by a zero, and one more zero after the last of
 * them; yours to free(). NULL: see wick_error().
 */
static inline char *wick_keys(const char *prefix);

/* What went wrong last, "" if nothing did. */
static inline const char *wick_error(void);

/* ---- inside: what one process remembers ---- */

struct wick_param_ {
    struct wick_param_ *next;
    char *name, *text;
};

struct wick_state_ {
    pthread_mutex_t lock;
    long process;       /* whose connection this is; 0: nobody has called yet */
    int connection;     /* -1: none */
    int broken;         /* it was lost, and the user knows */
    unsigned long asks; /* how often this process has asked whether to stop */
    int read;           /* WICK_PARAMS was read */
    struct wick_param_ *params;
    char folder[4096];
    char error[256];
};

/* One for the whole program, whichever of its files include this one. */
__attribute__((weak)) struct wick_state_ wick_state_ = {
    PTHREAD_MUTEX_INITIALIZER, 0, -1, 0, 0, 0, NULL, "", ""};

/* After a fork nobody else uses the lock, and the connection is the parent's. */
static inline void wick_enter_(void)
{
    static const pthread_mutex_t fresh = PTHREAD_MUTEX_INITIALIZER;
    struct wick_state_ *s = &wick_state_;
    long me = (long)getpid(), owner = __atomic_load_n(&s->process, __ATOMIC_ACQUIRE);
    if (owner != 0 && owner != me) {
        memcpy(&s->lock, &fresh, sizeof fresh);
        if (s->connection >= 0)
            close(s->connection);
        s->connection = -1;
        s->broken = 0;
        s->asks = 0;
    }
    pthread_mutex_lock(&s->lock);
    __atomic_store_n(&s->process, me, __ATOMIC_RELEASE);
}

static inline void wick_leave_(void)
{
    pthread_mutex_unlock(&wick_state_.lock);
}

static inline const char *wick_error(void)
{
    return wick_state_.error;
}

static inline int wick_fail_(const char *what, const char *why)
{
    snprintf(wick_state_.error, sizeof wick_state_.error, "%s: %s", what, why);
    return -1;
}

static inline long wick_variable_(const char *name, long fallback)
{
    const char *text = getenv(name);
    return text && *text ? strtol(text, NULL, 10) : fallback;
}

static inline long wick_trial(void)
{
    return wick_variable_("WICK_TRIAL", 0);
}

static inline int wick_try(void)
{
    return (int)wick_variable_("WICK_TRY", 1);
}

static inline unsigned long wick_seed(void)
{
    const char *text = getenv("WICK_SEED");
    return text ? strtoul(text, NULL, 10) : 0;
}

/* Ranks that mpiexec started have the names of Open MPI, or of MPICH and its kin. */
static inline int wick_rank(void)
{
    long by_mpi = wick_variable_("OMPI_COMM_WORLD_RANK", wick_variable_("PMI_RANK", 0));
    return (int)wick_variable_("RANK", by_mpi);
}

static inline int wick_world_size(void)
{
    long by_mpi = wick_variable_("OMPI_COMM_WORLD_SIZE", wick_variable_("PMI_SIZE", 1));
    return (int)wick_variable_("WORLD_SIZE", by_mpi);
}

/* ---- a text that grows ---- */

struct wick_text_ {
    char *text;
    size_t length, capacity;
    int full; /* there was no memory: what was added since is not there */
};

static inline struct wick_text_ wick_text_new_(void)
{
    struct wick_text_ empty = {NULL, 0, 0, 0};
    return empty;
}

static inline void wick_add_(struct wick_text_ *t, const char *bytes, size_t length)
{
    size_t needed = t->length + length + 1;
    char *text = t->text;
    if (needed > t->capacity && !t->full)
        text = (char *)realloc(t->text, 2 * needed + 128);
    t->full = t->full || !text;
    if (t->full)
        return;
    t->capacity = needed > t->capacity ? 2 * needed + 128 : t->capacity;
    t->text = text;
    if (length > 0)
        memcpy(text + t->length, bytes, length);
    t->length += length;
    text[t->length] = 0;
}

static inline void wick_add_text_(struct wick_text_ *t, const char *text)
{
    wick_add_(t, text, strlen(text));
}

/* A string of JSON. */
static inline void wick_add_string_(struct wick_text_ *t, const char *text)
{
    wick_add_(t, "\"", 1);
    for (; *text; text++) {
        char escaped[8] = "\\";
        if ((unsigned char)*text < 0x20)
            snprintf(escaped, sizeof escaped, "\\u%04x", (unsigned)*text);
        if (*text == '"' || *text == '\\' || escaped[1])
            wick_add_text_(t, escaped);
        if (!escaped[1])
            wick_add_(t, text, 1);
    }
    wick_add_(t, "\"", 1);
}

/* The fewest digits that read back as the same number, whatever the locale is. */
static inline void wick_add_number_(struct wick_text_ *t, double number)
{
    char digits[48];
    for (int precision = 6; precision <= 17; precision++) {
        snprintf(digits, sizeof digits, "%.*g", precision, number);
        if (!(strtod(digits, NULL) < number || strtod(digits, NULL) > number))
            break;
    }
    for (char *at = digits; *at; at++)
        if (*at == *localeconv()->decimal_point)
            *at = '.';
    wick_add_text_(t, digits);
}

static inline void wick_add_metrics_(struct wick_text_ *t, const struct wick_metric *metrics,
                                     size_t count)
{
    wick_add_(t, "{", 1);
    for (size_t i = 0; i < count; i++) {
        double value = metrics[i].value;
        wick_add_text_(t, i ? ", " : "");
        wick_add_string_(t, metrics[i].name);
        wick_add_(t, ": ", 2);
        if (value != value)
            wick_add_text_(t, "\"nan\"");
        else if (value - value != 0)
            wick_add_text_(t, value > 0 ? "\"inf\"" : "\"-inf\"");
        else
            wick_add_number_(t, value);
    }
    wick_add_(t, "}", 1);
}

/* ---- reading JSON, which Wick wrote ---- */

#define WICK_SPACE_ " \t\r\n"

/* What follows a backslash. Wick writes only control characters by their number. */
static inline const char *wick_read_escape_(const char *at, struct wick_text_ *out)
{
    static const char letters[] = "bfnrt", meant[] = "\b\f\n\r\t";
    const char *letter = *at ? strchr(letters, *at) : NULL;
    if (*at != 'u') {
        wick_add_(out, letter ? meant + (letter - letters) : at, *at ? 1 : 0);
        return at + (*at != 0);
    }
    char digits[5] = {0, 0, 0, 0, 0};
    for (int i = 0; i < 4 && *++at; i++)
        digits[i] = *at;
    char code = (char)strtoul(digits, NULL, 16);
    wick_add_(out, &code, 1);
    return at + (*at != 0);
}

/* Takes a string, from its first quote on. */
static inline const char *wick_read_string_(const char *at, struct wick_text_ *out)
{
    wick_add_(out, "", 0);
    for (at++; *at && *at != '"';) {
        if (*at == '\\') {
            at = wick_read_escape_(at + 1, out);
        } else {
            wick_add_(out, at, 1);
            at++;
        }
    }
    return at + (*at == '"');
}

/* Takes any value: a string as what it means, all else as it is written. */
static inline const char *wick_read_value_(const char *at, struct wick_text_ *out)
{
    int depth = 0;
    if (*at == '"')
        return wick_read_string_(at, out);
    while (*at && (depth > 0 || !strchr(",]}" WICK_SPACE_, *at))) {
        const char *start = at;
        if (*at == '"') {
            struct wick_text_ skipped = wick_text_new_();
            at = wick_read_string_(at, &skipped);
            free(skipped.text);
        } else {
            depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
            at++;
        }
        wick_add_(out, start, (size_t)(at - start));
    }
    return at;
}

/* Takes the next `"key": value` of an object; NULL at its end. */
static inline const char *wick_read_pair_(const char *at, struct wick_text_ *key,
                                          struct wick_text_ *value)
{
    *key = wick_text_new_();
    *value = wick_text_new_();
    at += strspn(at, "{," WICK_SPACE_);
    if (*at != '"')
        return NULL;
    at = wick_read_string_(at, key);
    return wick_read_value_(at + strspn(at, ":" WICK_SPACE_), value);
}

/* The value of a key of an answer, yours to free(); NULL: it is not there. */
static inline char *wick_find_(const char *object, const char *name)
{
    struct wick_text_ key, value;
    while (object && (object = wick_read_pair_(object, &key, &value))) {
        int found = key.text && strcmp(key.text, name) == 0;
        free(key.text);
        if (found)
            return value.text;
        free(value.text);
    }
    return NULL;
}

static inline long wick_find_number_(const char *object, const char *name)
{
    char *text = wick_find_(object, name);
    long number = text ? strtol(text, NULL, 10) : 0;
    free(text);
    return number;
}

/* ---- parameters ---- */

static inline const char *wick_find_param_(const char *name)
{
    for (const struct wick_param_ *param = wick_state_.params; param; param = param->next)
        if (strcmp(param->name, name) == 0)
            return param->text;
    return NULL;
}

/* Takes both texts. The first of a name counts; null is a parameter that this trial lacks. */
static inline void wick_add_param_(char *name, char *text)
{
    struct wick_param_ *param = (struct wick_param_ *)calloc(1, sizeof *param);
    if (param && name && text && strcmp(text, "null") != 0 && !wick_find_param_(name)) {
        param->name = name;
        param->text = text;
        param->next = wick_state_.params;
        wick_state_.params = param;
        return;
    }
    free(param);
    free(name);
    free(text);
}

static inline char *wick_copy_(const char *text, size_t length)
{
    struct wick_text_ copy = wick_text_new_();
    wick_add_(&copy, text, length);
    return copy.text;
}

static inline void wick_read_params_(void)
{
    const char *at = wick_state_.read ? NULL : getenv("WICK_PARAMS");
    struct wick_text_ key, value;
    wick_state_.read = 1;
    while (at && (at = wick_read_pair_(at, &key, &value)))
        wick_add_param_(key.text, value.text);
}

static inline void wick_arguments(int argc, char **argv)
{
    wick_enter_();
    wick_read_params_();
    for (int i = 1; i < argc; i++) {
        const char *name = argv[i] + 2, *value = "true";
        if (strncmp(argv[i], "--", 2) != 0 || !*name)
            continue;
        size_t length = strcspn(name, "=");
        if (name[length])
            value = name + length + 1;
        else if (i + 1 < argc && strncmp(argv[i + 1], "--", 2) != 0)
            value = argv[++i];
        wick_add_param_(wick_copy_(name, length), wick_copy_(value, strlen(value)));
    }
    wick_leave_();
}

static inline const char *wick_param_text(const char *name, const char *fallback)
{
    wick_enter_();
    wick_read_params_();
    const char *text = wick_find_param_(name);
    wick_leave_();
    return text ? text : fallback;
}

/* A number, true or false; the whole text, whatever the locale is. */
static inline int wick_read_number_(const char *text, double *number)
{
    char copy[64], *end = copy;
    snprintf(copy, sizeof copy, "%s", text);
    for (char *at = copy; *at; at++)
        if (*at == '.')
            *at = *localeconv()->decimal_point;
    *number = strtod(copy, &end);
    if (strcmp(text, "true") == 0 || strcmp(text, "false") == 0)
        *number = *text == 't';
    else if (end == copy || *end)
        return -1;
    return 0;
}

static inline void wick_wrong_param_(const char *name, const char *text, const char *kind)
{
    fprintf(stderr, "wick: the parameter '%s' is '%s', not a %s\n", name, text, kind);
    exit(2);
}

static inline double wick_param_double(const char *name, double fallback)
{
    const char *text = wick_param_text(name, NULL);
    double number = fallback;
    if (text && wick_read_number_(text, &number))
        wick_wrong_param_(name, text, "number");
    return number;
}

static inline long wick_param_int(const char *name, long fallback)
{
    const char *text = wick_param_text(name, NULL);
    double number = 0;
    if (text && (wick_read_number_(text, &number) || number - (double)(long)number != 0))
        wick_wrong_param_(name, text, "whole number");
    return text ? (long)number : fallback;
}

static inline const char *wick_checkpoint_dir(void)
{
    const char *given = getenv("WICK_CHECKPOINT");
    char *folder = wick_state_.folder;
    wick_enter_();
    snprintf(folder, sizeof wick_state_.folder, "%s", given && *given ? given : "checkpoints");
    for (char *slash = folder + 1; (slash = strchr(slash, '/')); slash++) {
        *slash = 0;
        (void)mkdir(folder, 0777); /* what cannot be made shows at the last part */
        *slash = '/';
    }
    int failed = mkdir(folder, 0777) < 0 && errno != EEXIST;
    if (failed)
        wick_fail_("cannot make the folder for checkpoints", strerror(errno));
    wick_leave_();
    return failed ? NULL : folder;
}

/* ---- the connection to Wick ---- */

/* Says once that the connection is lost; the program continues without it. */
static inline int wick_lost_(const char *why)
{
    struct wick_state_ *s = &wick_state_;
    char line[256] = "", *said = NULL; /* by Wick, when it refused this connection */
    if (s->connection >= 0 && recv(s->connection, line, sizeof line - 1, MSG_DONTWAIT) > 0)
        said = wick_find_(line, "error");
    if (s->connection >= 0)
        close(s->connection);
    s->connection = -1;
    wick_fail_("the connection to Wick is lost", said ? said : why);
    free(said);
    if (!s->broken)
        fprintf(stderr, "wick: %s; this program continues without it\n", s->error);
    s->broken = 1;
    return -1;
}

static inline int wick_send_(int connection, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t sent = send(connection, bytes, length, MSG_NOSIGNAL);
        if (sent < 0 && errno != EINTR)
            return -1;
        bytes += sent < 0 ? 0 : sent;
        length -= sent < 0 ? 0 : (size_t)sent;
    }
    return 0;
}

/* A new connection; -1 with errno. */
static inline int wick_connect_(const char *path)
{
    struct sockaddr_un address;
    char hello[96];
    const char *secret = getenv("WICK_SECRET");
    address.sun_family = AF_UNIX;
    if (snprintf(address.sun_path, sizeof address.sun_path, "%s", path) >=
        (int)sizeof address.sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    int connection = socket(AF_UNIX, SOCK_STREAM, 0);
    if (connection < 0)
        return -1;
    fcntl(connection, F_SETFD, FD_CLOEXEC);
    snprintf(hello, sizeof hello, "{\"hello\": %ld, \"try\": %d, \"secret\": %.20s}\n",
             wick_trial(), wick_try(), secret ? secret : "0");
    if (connect(connection, (const struct sockaddr *)&address, sizeof address) == 0 &&
        wick_send_(connection, hello, strlen(hello)) == 0)
        return connection;
    int number = errno;
    close(connection);
    errno = number;
    return -1;
}

/* 1: connected; 0: nobody listens, do without; -1: the connection is lost. Inside wick_enter_(). */
static inline int wick_open_(void)
{
    const char *path = getenv("WICK_LINE");
    if (!path || !*path)
        return 0;
    if (wick_state_.broken)
        return -1;
    if (wick_state_.connection < 0)
        wick_state_.connection = wick_connect_(path);
    return wick_state_.connection < 0 ? wick_lost_(strerror(errno)) : 1;
}

/* Reads on until `length` bytes are there. */
static inline int wick_receive_(int connection, struct wick_text_ *input, size_t length)
{
    char bytes[4096];
    while (input->length < length && !input->full) {
        ssize_t count = recv(connection, bytes, sizeof bytes, 0);
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0) {
            errno = count == 0 ? ECONNRESET : errno;
            return -1;
        }
        wick_add_(input, bytes, (size_t)count);
    }
    errno = ENOMEM;
    return input->full ? -1 : 0;
}

/*
 * Asks, and reads the answer into `answer`: its line, ended by a zero, and what bytes follow it, of
 * which `value` gets a copy. 0: good; 1: Wick answered by an error; -1: the connection is lost, see
 * errno.
 */
static inline int wick_ask_(int connection, const struct wick_text_ *question,
                            struct wick_text_ *answer, struct wick_value *value)
{
    char *end = NULL;
    /* Wick would wait for the rest of a question that found no memory. */
    if (question->full || wick_send_(connection, question->text, question->length))
        return -1;
    while (!end) {
        if (wick_receive_(connection, answer, answer->length + 1))
            return -1;
        end = (char *)memchr(answer->text, '\n', answer->length);
    }
    size_t begin = (size_t)(end - answer->text) + 1;
    *end = 0;
    char *wrong = wick_find_(answer->text, "error");
    if (wrong) {
        wick_fail_("Wick says", wrong);
        free(wrong);
        return 1;
    }
    value->version = wick_find_number_(answer->text, "version");
    value->length = (size_t)wick_find_number_(answer->text, "bytes");
    if (wick_receive_(connection, answer, begin + value->length))
        return -1;
    if (value->version > 0)
        value->bytes = wick_copy_(answer->text + begin, value->length);
    return 0;
}

/* One message, and its answer where one is wanted. 1: good; 0: nobody listens; -1: it failed. */
static inline int wick_say_(const struct wick_text_ *message, struct wick_text_ *answer,
                            struct wick_value *value)
{
    wick_enter_();
    wick_state_.error[0] = 0;
    int heard = message->full ? wick_fail_("a message to Wick", "out of memory") : wick_open_();
    if (heard > 0) {
        int connection = wick_state_.connection;
        int wrong = answer ? wick_ask_(connection, message, answer, value)
                           : wick_send_(connection, message->text, message->length);
        heard = wrong < 0 ? wick_lost_(strerror(errno)) : wrong ? -1 : 1;
    }
    wick_leave_();
    return heard;
}

/* ---- reports ---- */

static inline void wick_report_metrics(long step, const struct wick_metric *metrics, size_t count)
{
    char begin[64];
    struct wick_text_ message = wick_text_new_();
    snprintf(begin, sizeof begin, "{\"step\": %ld, \"metrics\": ", step);
    wick_add_text_(&message, begin);
    wick_add_metrics_(&message, metrics, count);
    wick_add_text_(&message, "}\n");
    if (wick_rank() == 0 && wick_say_(&message, NULL, NULL) == 0) {
        printf("step %ld", step);
        for (size_t i = 0; i < count; i++)
            printf("  %s %.6g", metrics[i].name, metrics[i].value);
        printf("\n");
        fflush(stdout);
    }
    free(message.text);
}

/* What cannot be sent is printed: Wick reads it there, too. */
static inline void wick_result_metrics(const struct wick_metric *metrics, size_t count)
{
    struct wick_text_ message = wick_text_new_();
    wick_add_text_(&message, "{\"result\": ");
    wick_add_metrics_(&message, metrics, count);
    wick_add_text_(&message, "}\n");
    int printed = wick_rank() == 0 && wick_say_(&message, NULL, NULL) <= 0;
    for (size_t i = 0; i < count && printed; i++) {
        message.length = 0;
        wick_add_number_(&message, metrics[i].value);
        printf("%s: %s\n", metrics[i].name, message.text);
    }
    fflush(stdout);
    free(message.text);
}

/* {"verb": "key"end */
static inline struct wick_text_ wick_message_(const char *verb, const char *key, const char *end)
{
    struct wick_text_ message = wick_text_new_();
    wick_add_text_(&message, "{\"");
    wick_add_text_(&message, verb);
    wick_add_text_(&message, "\": ");
    wick_add_string_(&message, key);
    wick_add_text_(&message, end);
    return message;
}

/* The answer to the call-th question of this process; 0: one that is not counted. */
static inline int wick_should_stop_at_(unsigned long call)
{
    struct wick_text_ question = wick_text_new_(), answer = wick_text_new_();
    struct wick_value none;
    char text[64];
    snprintf(text, sizeof text, "{\"stop\": %lu}\n", call);
    wick_add_text_(&question, text);
    int heard = wick_say_(&question, &answer, &none);
    char *stop = heard > 0 ? wick_find_(answer.text, "stop") : NULL;
    int result = stop && strcmp(stop, "true") == 0;
    free(stop);
    free(question.text);
    free(answer.text);
    return result;
}

static inline int wick_should_stop(void)
{
    wick_enter_();
    unsigned long call = ++wick_state_.asks;
    wick_leave_();
    return wick_should_stop_at_(call);
}

/* ---- the key-value space ---- */

/* Asks, and frees the question. Without Wick there is no value. */
static inline struct wick_value wick_ask_value_(struct wick_text_ *question)
{
    struct wick_text_ answer = wick_text_new_();
    struct wick_value value = {-1, 0, NULL};
    int heard = wick_say_(question, &answer, &value);
    if (heard <= 0)
        value.version = heard;
    free(question->text);
    free(answer.text);
    return value;
}

static inline long wick_put(const char *key, const void *bytes, size_t length)
{
    char end[48];
    snprintf(end, sizeof end, ", \"bytes\": %zu}\n", length);
    struct wick_text_ message = wick_message_("put", key, end);
    wick_add_(&message, (const char *)bytes, length);
    struct wick_value value = wick_ask_value_(&message);
    free(value.bytes);
    return value.version;
}

static inline struct wick_value wick_get(const char *key)
{
    struct wick_text_ question = wick_message_("get", key, "}\n");
    return wick_ask_value_(&question);
}

static inline long wick_delete(const char *key)
{
    struct wick_text_ message = wick_message_("delete", key, "}\n");
    struct wick_value value = wick_ask_value_(&message);
    free(value.bytes);
    return value.version;
}

/* It has a connection of its own, so that other threads can report meanwhile. */
static inline struct wick_value wick_wait(const char *key, long known)
{
    const char *path = getenv("WICK_LINE");
    struct wick_value value = {0, 0, NULL};
    char end[48];
    if (!path || !*path)
        return value; /* nobody could put it */
    snprintf(end, sizeof end, ", \"known\": %ld}\n", known);
    struct wick_text_ question = wick_message_("wait", key, end), answer = wick_text_new_();
    int connection = wick_connect_(path);
    int failed = connection < 0 ? -1 : wick_ask_(connection, &question, &answer, &value);
    if (failed < 0)
        wick_fail_("the connection to Wick is lost", strerror(errno));
    if (failed)
        value.version = -1;
    if (connection >= 0)
        close(connection);
    free(question.text);
    free(answer.text);
    return value;
}

static inline char *wick_keys(const char *prefix)
{
    struct wick_text_ question = wick_message_("list", prefix, "}\n");
    struct wick_text_ answer = wick_text_new_(), keys = wick_text_new_();
    struct wick_value none;
    int heard = wick_say_(&question, &answer, &none);
    char *list = heard > 0 ? wick_find_(answer.text, "keys") : NULL;
    for (const char *at = list; at && (at = strchr(at, '"'));) {
        at = wick_read_string_(at, &keys);
        wick_add_(&keys, "", 1);
    }
    wick_add_(&keys, "", 1);
    free(list);
    free(question.text);
    free(answer.text);
    if (heard < 0)
        free(keys.text);
    return heard < 0 ? NULL : keys.text;
}

#endif
