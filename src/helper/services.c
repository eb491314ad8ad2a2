/* services.c - programs that serve a worker for longer than a trial. */
#include "helper/services.h"

#include <signal.h>
#include <sys/socket.h>

static const double GRACE = 1; /* seconds: R removes its temporary files at its end */

/* The same answer that the program itself would give: it failed, and why. */
static void say_why(int socket, const struct start_plan *plan)
{
    struct str text = {0}, frame = {0};
    str_printf(&text, "cannot %s %s: %s", plan->in_folder ? "enter" : "start",
               plan->in_folder ? plan->folder : plan->argv[0], strerror(plan->number));
    uint32_t header[2] = {0, (uint32_t)text.length};
    str_add_bytes(&frame, header, sizeof header);
    str_add_bytes(&frame, text.text, text.length);
    (void)!send(socket, frame.text, frame.length, MSG_NOSIGNAL | MSG_DONTWAIT);
    str_free(&text);
    str_free(&frame);
}

void services_start(struct services *services, const struct helper_request *request, char *strings,
                    const int *descriptors)
{
    struct arena arena = {0};
    struct start_words words;
    start_split(&arena, request, strings, &words);
    struct start_plan plan = {.request = request,
                              .argv = words.host,
                              .environment = start_environment(&arena, words.variables),
                              .folder = words.folder,
                              .in = descriptors[0],
                              .out = descriptors[1],
                              .err = descriptors[1],
                              .keeps_orphans = true,
                              .group = -1};
    pid_t pid = start_program(&plan);
    if (pid > 0) {
        services->all = memory_grow(services->all, &services->capacity, services->count + 1,
                                    sizeof *services->all);
        services->all[services->count++] = (struct service){request->trial, pid, 0};
    } else {
        say_why(descriptors[0], &plan);
    }
    arena_free(&arena);
}

bool services_know(const struct services *services, pid_t pid)
{
    for (size_t i = 0; i < services->count; i++)
        if (services->all[i].pid == pid)
            return true;
    return false;
}

void services_ended(struct services *services, pid_t pid)
{
    for (size_t i = 0; i < services->count; i++)
        if (services->all[i].pid == pid)
            services->all[i--] = services->all[--services->count];
}

void services_end(struct services *services, uint64_t id)
{
    for (size_t i = 0; i < services->count; i++)
        if (services->all[i].id == id)
            services->all[i].due = clock_now() + GRACE;
}

bool services_sweep(const struct services *services)
{
    bool others = false;
    for (size_t i = 0; i < services->count; i++) {
        const struct service *service = &services->all[i];
        if (service->due != 0 && clock_now() >= service->due)
            kill(-service->pid, SIGKILL);
        else
            others = others || service->due != 0;
    }
    return others;
}

void services_kill(const struct services *services)
{
    for (size_t i = 0; i < services->count; i++)
        kill(-services->all[i].pid, SIGKILL);
}
