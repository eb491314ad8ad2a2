/*
 * request.c - starting a trial: what the helper is asked for, which is command, environment,
 * limits, and the language host or the launcher that starts it.
 */
#include "trial/environment.h"
#include "trial/language.h"
#include "trial/runner.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/random.h>
#include <unistd.h>

/* The variables of a command; in a container also those of the runtime that starts it. */
struct variables {
    struct str all;
    unsigned count;
};

/*
 * Appends the arguments of the program; in a language host, without the interpreter. With mpiexec,
 * each rank has a container of its own.
 */
static void add_arguments(struct trial_runner *r, struct str *packet,
                          struct helper_request *request, const struct variables *inner,
                          const struct variables *outer)
{
    const struct study_model *model = &r->study->model;
    struct arena arena = {0};
    if (model->command) {
        struct model_paths paths = files_paths(r, &arena);
        char **argv = model_command(r->study, &paths, r->id, r->point, &arena);
        if (r->slot->container && (ranks_by_mpi(r) || !r->model->in_host))
            argv = container_command(r->slot->container, argv, &inner->all, &arena);
        if (ranks_by_mpi(r))
            argv = ranks_command(r, argv, &outer->all, outer->count, &arena);
        else if (r->model->in_host)
            argv += language_script(model);
        for (; argv[request->arguments]; request->arguments++)
            str_add_bytes(packet, argv[request->arguments], strlen(argv[request->arguments]) + 1);
    }
    arena_free(&arena);
}

/* Appends the variables. The PATH and libraries of mpiexec itself are not those of the image. */
static void add_variables(const struct trial_runner *r, const struct variables *variables,
                          struct str *packet, struct helper_request *request)
{
    bool is_launcher = r->slot->container && ranks_by_mpi(r);
    const char *at = variables->all.text;
    for (unsigned i = 0; i < variables->count; i++, at += strlen(at) + 1) {
        if (is_launcher &&
            (!strchr(at, '=') || strncmp(at, "PATH=", 5) == 0 || strncmp(at, "LD_", 3) == 0))
            continue;
        str_add_bytes(packet, at, strlen(at) + 1);
        request->variables++;
    }
}

/* Appends the command of the language host; false when Wick's own files are not found. */
static bool add_host(const struct trial_runner *r, struct str *packet,
                     struct helper_request *request)
{
    struct str words = {0};
    struct arena arena = {0};
    unsigned count = 0;
    bool good = language_model_host(&r->study->model, &words, &count);
    char **argv = arena_new(&arena, count + 1, sizeof *argv), *at = words.text;
    for (unsigned i = 0; good && i < count; i++, at += strlen(at) + 1)
        argv[i] = at;
    if (good && r->slot->container)
        argv = container_command(r->slot->container, argv, NULL, &arena);
    for (; good && argv[request->host]; request->host++)
        str_add_bytes(packet, argv[request->host], strlen(argv[request->host]) + 1);
    arena_free(&arena);
    str_free(&words);
    return good;
}

bool request_has_monitor(const struct trial_runner *r)
{
    return r->slot->container && !r->model->in_host && !ranks_by_mpi(r) &&
           container_has_monitor(r->slot->container);
}

/*
 * Appends the whole request to the helper. False when Wick's own files for the language are not
 * found.
 */
static bool build(struct trial_runner *r, const char *params, struct str *packet)
{
    struct helper_request request = {.type = HELPER_START,
                                     .trial = r->id,
                                     .memory = r->study->model.memory,
                                     .pin = !ranks_by_mpi(r),
                                     .has_monitor = request_has_monitor(r),
                                     .is_inside = r->slot->container,
                                     .cores = r->slot->pinned,
                                     .descriptors = r->descriptors};
    struct variables inner = {0}, outer = {0};
    struct str path = {0};
    bool good = true;
    environment_of_trial(r, params, files_path(r, "result.json", &path), &inner.all, &inner.count);
    str_add_bytes(&outer.all, inner.all.text, inner.all.length);
    outer.count = inner.count;
    if (r->slot->container)
        container_environment(r->slot->container, &outer.all, &outer.count);
    str_add_bytes(packet, &request, sizeof request);
    str_add_bytes(packet, r->study->model.folder, strlen(r->study->model.folder) + 1);
    add_arguments(r, packet, &request, &inner, &outer);
    add_variables(r, &outer, packet, &request);
    if (r->model->in_host)
        good = add_host(r, packet, &request);
    memcpy(packet->text, &request, sizeof request);
    str_free(&inner.all);
    str_free(&outer.all);
    str_free(&path);
    return good;
}

/* ---- starting ---- */

/* Makes the pipes and hands the request to the helper; false when that failed. */
static bool launch(struct trial_runner *r, const struct str *packet)
{
    int out[2] = {-1, -1}, err[2] = {-1, -1};
    bool good = pipe2(out, O_CLOEXEC) == 0 && pipe2(err, O_CLOEXEC) == 0;
    if (good) {
        int ends[2] = {out[1], err[1]};
        good = helper_send(r->channel, packet, ends, 2, 0) == 0;
    }
    int number = errno;
    for (int i = good ? 1 : 0; i < 2; i++) {
        if (out[i] >= 0)
            close(out[i]);
        if (err[i] >= 0)
            close(err[i]);
    }
    if (!good) {
        verdict_cannot(r, number, "start a process");
        return false;
    }
    output_watch(&r->output, r->comm, out[0], err[0]);
    return true;
}

/* Makes the secret of a try, a whole number that JSON keeps exactly; 0 or errno. */
static int make_secret(struct trial_runner *r)
{
    uint64_t bits = 0;
    if (getrandom(&bits, sizeof bits, 0) != (ssize_t)sizeof bits)
        return errno;
    r->secret = bits >> 11;
    return 0;
}

void request_start(struct trial_runner *r)
{
    struct str packet = {0}, params = {0};
    int number = make_secret(r);
    space_put_json(&r->study->space, r->point, &params);
    bool built = build(r, str_text(&params), &packet);
    output_begin(&r->output, &r->study->model);
    r->signalled = r->killed = false;
    reported_begin(r);
    machine_energy_begin(&r->energy);
    bool good = number == 0 && !r->helper_lost && built;
    if (number)
        verdict_cannot(r, number, "make the secret of a trial");
    else if (!built)
        verdict_say(r, OUTCOME_FAILED,
                    "Wick's files for this language are missing from its installation");
    else if (!good)
        verdict_say(r, OUTCOME_INTERRUPTED, "the helper process that starts trials has died");
    if (good && packet.length > HELPER_REQUEST_LIMIT) {
        verdict_say(r, OUTCOME_FAILED, "its command line and environment are longer than %d bytes",
                    HELPER_REQUEST_LIMIT);
        good = false;
    }
    good = good && files_write(r, str_text(&params), params.length) && launch(r, &packet);
    str_free(&packet);
    str_free(&params);
    if (good)
        process_started(r);
    else
        verdict_never_ran(r);
}

void request_run(struct trial_runner *r)
{
    if (!checkpoint_begin(r))
        request_start(r);
}

/* ---- for messages ---- */

const char *request_program(const struct trial_runner *r)
{
    const struct study_model *model = &r->study->model;
    if (ranks_by_mpi(r))
        return ranks_launcher(model)[0];
    if (r->slot->container)
        return container_runtime(r->slot->container);
    return r->model->program(model);
}
