/* Site files: their meaning, possible mistakes in them, and how they complete studies. */
#include "describe_job.h"
#include "tap.h"

#include <unistd.h>

static const char *write_site(const char *text)
{
    static char path[] = "/tmp/wick-site-XXXXXX";
    memcpy(path + sizeof path - 7, "XXXXXX", 6);
    int fd = mkstemp(path);
    size_t length = strlen(text);
    ok(fd >= 0 && write(fd, text, length) == (ssize_t)length && close(fd) == 0, "a file");
    return path;
}

static void describe_site(const struct study_site *site, struct str *s)
{
    const struct study study = {.job = site->job};
    describe_text("description", site->description, s);
    describe_text("gpus", site->gpus, s);
    describe_text("runtime", site->runtime, s);
    describe_words(" hosts ", site->hosts, s);
    describe_jobs(&study, s);
}

/* ---- mistakes ---- */

static const struct {
    const char *name, *text, *mistakes;
} cases[] = {
    {"an empty file", "", "0:0: the file is empty"},
    {"a list", "- a\n",
     "1:1: a site file must be a mapping with keys such as scheduler, queue and modules, but this "
     "is a list"},
    {"keys of a study",
     "job: {nodes: 4}\n"
     "container: a.sif\n"
     "name: x\n"
     "site: x\n"
     "trials: 5\n"
     "walltime: 5\n",
     "1:1: unknown key 'job': in a site file, the keys of 'job' are at the top level\n"
     "2:1: unknown key 'container': a site file only names the container runtime, as in runtime: "
     "apptainer\n"
     "3:1: unknown key 'name': a site has the name of its file\n"
     "4:1: unknown key 'site': a site has the name of its file\n"
     "5:1: unknown key 'trials': use one of description, hosts, gpus, runtime, scheduler, nodes, "
     "workers_per_node, cores, memory, gpus_per_node, time, notice, queue, partition, account, "
     "qos, constraint, gpu_type, reservation, exclusive, ...\n"
     "6:1: unknown key 'walltime': use 'time'"},
    {"values that are not right",
     "description: \"a\\nb\"\n"
     "hosts: [a/b, login1]\n"
     "gpus: --gpus=4\n"
     "runtime: docker\n"
     "queue: a b\n"
     "partition: c\n",
     "1:14: 'description' must be a single line without control characters\n"
     "2:8: 'a/b' cannot be the name of a login node: write it as in hosts: ['login*.example.org']\n"
     "3:7: 'gpus' must be the directive that asks for GPUs, with {gpus} for their number, as in "
     "gpus: '--gres=gpu:{gpus}'\n"
     "4:10: unknown runtime 'docker': the closest one here is podman\n"
     "5:9: 'queue' becomes part of a directive for the scheduler: it must not start with -, and "
     "must have no blanks, "
     "no quotes, none of \\ $ ` ; # < > and only ASCII characters\n"
     "6:1: 'partition' is another word for 'queue': leave one of them out"},
    {"GPUs with a mark and of two lines",
     "gpus: '#SBATCH --gpus={gpus}'\n"
     "hosts: {a: b}\n",
     "1:7: a directive is only the option, since Wick adds what comes before it: write "
     "'--gpus={gpus}'\n"
     "2:8: 'hosts' must be names of login nodes, as in hosts: ['login*.example.org']"},
};

static void tells_of_site(const char *name, const char *text, const char *expected)
{
    struct study_site site;
    struct err_list mistakes = {0};
    struct str told = {0};
    const char *path = write_site(text);
    int result = study_site_load(&site, path, &mistakes);
    for (size_t i = 0; i < mistakes.count; i++) {
        const struct err *e = &mistakes.items[i];
        str_printf(&told, "%s%d:%d: %s", i ? "\n" : "", e->line, e->column, e->message);
        ok(strcmp(e->file, path) == 0, "the mistake names the file");
    }
    ok(result == ERR_USER, "it is refused");
    is_text(str_text(&told), expected, name);
    study_site_free(&site);
    unlink(path);
    str_free(&told);
    err_list_free(&mistakes);
}

static void each_mistake_is_told(void)
{
    struct study_site site;
    struct err_list mistakes = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        tells_of_site(cases[i].name, cases[i].text, cases[i].mistakes);
    ok(study_site_load(&site, "/no/such/site.yaml", &mistakes) == ERR_USER, "no file");
    is_text(mistakes.items[0].message, "there is no such file", "which is told");
    study_site_free(&site);
    err_list_free(&mistakes);
}

/* ---- what it means ---- */

static const char full[] = "description: the cluster of the department\n"
                           "hosts: ['login*.example.org', gateway]\n"
                           "gpus: '--gres=gpu:a100:{gpus}'\n"
                           "runtime: apptainer\n"
                           "scheduler: slurm\n"
                           "nodes: 2\n"
                           "workers_per_node: 4\n"
                           "cores: 8\n"
                           "memory: 2G\n"
                           "time: 1h\n"
                           "notice: 2m\n"
                           "queue: batch\n"
                           "account: shared\n"
                           "gpu_type: a100\n"
                           "reservation: night\n"
                           "exclusive: true\n"
                           "mail: {to: site@example.org, on: begin}\n"
                           "modules: gcc\n"
                           "environment: {A: site, B: site}\n"
                           "prologue: [cd /site]\n"
                           "directives: [--site]\n"
                           "launcher: [srun]\n"
                           "chain: 3\n";

static void every_key_is_read(void)
{
    struct study_site site;
    struct err_list mistakes = {0};
    struct str text = {0};
    const char *path = write_site(full);
    ok(study_site_load(&site, path, &mistakes) == 0, "it is read");
    describe_site(&site, &text);
    is_text(text.text,
            " description=the cluster of the department gpus=--gres=gpu:a100:{gpus} "
            "runtime=apptainer hosts <login*.example.org><gateway>\n"
            "job scheduler=slurm nodes=2 workers_per_node=4 cores=8 memory=2147483648 time=3600 "
            "notice=120 queue=batch account=shared gpu_type=a100 reservation=night "
            "mail=site@example.org mail_on=1 exclusive=2 chain=3\n"
            "modules <gcc>\nprologue <cd /site>\ndirectives <--site>\nlauncher <srun>\n"
            "variable A=<site>\nvariable B=<site>\n",
            "what it means");
    is_text(site.name, strrchr(path, '/') + 1, "its name is that of the file");
    is_text(site.path, path, "its path");
    study_site_free(&site);
    unlink(path);
    str_free(&text);
    err_list_free(&mistakes);
}

static void completes(const char *name, const char *job, const char *expected)
{
    struct study study;
    struct study_site site;
    struct err_list mistakes = {0};
    struct arena arena = {0};
    struct str text = {0}, told = {0};
    const char *path = write_site(full);
    ok(study_site_load(&site, path, &mistakes) == 0, "the site");
    str_printf(&text, "model: {command: 'true'}\nspace: {x: {int: [1, 5]}}\n%s", job);
    ok(study_parse(&study, text.text, text.length, "study.yaml", "/", &mistakes) == 0, "a study");
    study_job_complete(&study.job, &site, &arena);
    describe_jobs(&study, &told);
    is_text(told.text, expected, name);
    study_free(&study);
    study_site_free(&site);
    arena_free(&arena);
    unlink(path);
    str_free(&text);
    str_free(&told);
    err_list_free(&mistakes);
}

static void a_study_is_completed(void)
{
    completes("a study that says nothing", "",
              "job scheduler=slurm nodes=2 workers_per_node=4 cores=8 memory=2147483648 time=3600 "
              "notice=120 queue=batch account=shared gpu_type=a100 reservation=night "
              "mail=site@example.org mail_on=1 exclusive=2 chain=3\n"
              "modules <gcc>\nprologue <cd /site>\ndirectives <--site>\nlauncher <srun>\n"
              "variable A=<site>\nvariable B=<site>\n");
    completes("a study that says it all",
              "job:\n"
              "  scheduler: pbs\n"
              "  nodes: 1\n"
              "  workers_per_node: 1\n"
              "  cores: 1\n"
              "  memory: 1M\n"
              "  gpus_per_node: 1\n"
              "  time: 1m\n"
              "  notice: 1s\n"
              "  queue: mine\n"
              "  account: mine\n"
              "  qos: mine\n"
              "  constraint: mine\n"
              "  gpu_type: mine\n"
              "  reservation: mine\n"
              "  exclusive: false\n"
              "  mail: mine\n"
              "  modules: [mine]\n"
              "  environment: {A: mine}\n"
              "  prologue: [cd /mine]\n"
              "  directives: [--mine]\n"
              "  launcher: [mine]\n"
              "  chain: false\n",
              "job scheduler=pbs nodes=1 workers_per_node=1 cores=1 memory=1048576 "
              "gpus_per_node=1 time=60 notice=1 queue=mine account=mine qos=mine "
              "constraint=mine gpu_type=mine reservation=mine mail=mine exclusive=1 chain=1\n"
              "modules <gcc><mine>\nprologue <cd /site><cd /mine>\ndirectives <--site><--mine>\n"
              "launcher <mine>\n"
              "variable A=<site>\nvariable B=<site>\nvariable A=<mine>\n");
}

int main(void)
{
    each_mistake_is_told();
    every_key_is_read();
    a_study_is_completed();
    return tap_end();
}
