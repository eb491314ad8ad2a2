/*
 * ask.c - runs a program in an image for `wick doctor`, which changes nothing: what a study would
 * create in the image is left out, and the rest is in a temporary folder.
 */
#include "container/inside.h"

#include <sys/stat.h>
#include <unistd.h>

/* Leaves out binds whose target a study would have to create in the image. */
static void drop_pointless(struct container *c)
{
    size_t kept = 0;
    if (!c->runtime->needs_points || !c->is_folder)
        return;
    for (size_t i = 0; i < c->binds.count; i++) {
        const struct bind *bind = &c->binds.all[i];
        bool has_point = binds_has(c, bind->target);
        for (size_t k = 0; k < kept && !has_point; k++)
            has_point = binds_is_in(bind->target, c->binds.all[k].target);
        if (has_point)
            c->binds.all[kept++] = *bind;
    }
    c->binds.count = kept;
}

static int open_for(struct container *c, const struct container_question *question, bool is_machine,
                    struct err *e)
{
    const struct runtime *runtime = runtime_of(question->runtime);
    if (container_image_kind(c->wish->image, &c->kind, e) || binds_collect(c, e))
        return e->code;
    const char *reason = container_refusal(c, runtime);
    if (reason)
        return err_set(e, ERR_USER, "%s %s", question->runtime, reason);
    if (c->kind == IMAGE_OCI || c->kind == IMAGE_TAR)
        return err_set(e, ERR_USER, "only a study unpacks such an image");
    if (mkdir(c->place, 0700) != 0)
        return err_system(e, "cannot make %s", c->place);
    if (readonly_make_place(c, e))
        return e->code;
    c->runtime = runtime;
    container_find(question->runtime, c->program);
    container_use_root(c);
    if (is_machine)
        machine_binds(c);
    if (binds_settle(c, e))
        return err_wrap(e, "%s", question->runtime);
    drop_pointless(c);
    return 0;
}

/* Asks in a container whose files are in `dir`. */
static int ask_in(const struct container_question *question, const char *dir, bool is_machine,
                  struct str *said, double *seconds, struct err *e)
{
    struct study study = {.container = {.clean = true}};
    if (question->study)
        study = *question->study; /* it keeps what the copy points to */
    study.container.runtime = question->runtime;
    study.container.workdir = "/";
    struct str root = {0};
    str_printf(&root, "%s/root", dir);
    study.container.image = is_machine ? root.text : question->image;
    struct container *c = container_new(&study, dir);
    if (!open_for(c, question, is_machine, e)) {
        double start = clock_now();
        int code = container_run_inside(c, question->argv, question->limit, said);
        *seconds = clock_now() - start;
        struct slice line = slice_last_line((struct slice){str_text(said), said->length});
        if (code != 0)
            err_set(e, ERR_USER, "%.*s", (int)line.length, line.text);
    }
    readonly_remove_place(c);
    rmdir(c->place);
    container_close(c);
    str_free(&root);
    return e->code;
}

int container_ask(const struct container_question *question, struct str *said, double *seconds,
                  struct err *e)
{
    char dir[] = "/tmp/wick-try-XXXXXX", path[64];
    bool is_machine = strcmp(question->image, "/") == 0;
    *seconds = 0;
    if (!mkdtemp(dir))
        return err_system(e, "cannot create a folder in /tmp");
    snprintf(path, sizeof path, "%s/root", dir);
    if (is_machine && (mkdir(path, 0700) != 0 || !machine_root(path)))
        err_system(e, "cannot fill %s", path);
    else
        ask_in(question, dir, is_machine, said, seconds, e);
    if (is_machine)
        machine_remove(path);
    rmdir(dir);
    return e->code;
}

int container_try(const struct container_question *question, double *seconds, struct err *e)
{
    static const char *const argv[] = {"true", NULL};
    struct container_question whether = *question;
    struct str said = {0};
    whether.argv = (char *const *)argv;
    if (container_ask(&whether, &said, seconds, e) && container_lacks_true(&said))
        *e = (struct err){0};
    if (e->code && strncmp(e->message, question->runtime, strlen(question->runtime)) != 0)
        err_wrap(e, "%s does not work", question->runtime);
    str_free(&said);
    return e->code;
}
