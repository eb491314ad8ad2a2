/* Words of the command line for jobs and containers, alone and on top of a file. */
#include "describe_job.h"
#include "tap.h"

#include <unistd.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static const char file_text[] = "model: {command: 'true'}\n"
                                "space: {x: {int: [1, 5]}}\n"
                                "job: {nodes: 2, partition: file, directives: --file}\n"
                                "container: /etc\n";

static const struct {
    const char *name;
    struct study_words words;
    const char *meaning;
} cases[] = {
    {"no words",
     {0},
     "job nodes=2 queue=file\ndirectives <--file>\n"
     "container image=/etc runtime=auto\n"},
    {"every word of a job",
     {.site = "here",
      .scheduler = "pbs",
      .nodes = "4",
      .workers_per_node = "3",
      .cores_per_worker = "2",
      .memory_per_worker = "1G",
      .gpus_per_node = "1",
      .job_time = "2h",
      .notice = "1m",
      .queue = "word",
      .account = "a",
      .qos = "b",
      .node_constraint = "c",
      .gpu_type = "d",
      .mail = "me@example.org",
      .reservation = "e",
      .exclusive = "true",
      .modules = "gcc/12, cuda",
      .chain = "true",
      .directives = WORDS("--one", "--two")},
     "job site=here scheduler=pbs nodes=4 workers_per_node=3 cores=2 memory=1073741824 "
     "gpus_per_node=1 time=7200 notice=60 queue=word account=a qos=b constraint=c gpu_type=d "
     "reservation=e mail=me@example.org exclusive=2 chain=100\n"
     "modules <gcc/12><cuda>\ndirectives <--file><--one><--two>\n"
     "container image=/etc runtime=auto\n"},
    {"a runtime beside the image of the file",
     {.runtime = "proot"},
     "job nodes=2 queue=file\ndirectives <--file>\ncontainer image=/etc runtime=proot\n"},
    {"another image",
     {.container = "/usr"},
     "job nodes=2 queue=file\ndirectives <--file>\ncontainer image=/usr runtime=auto\n"},
    {"without the image",
     {.runtime = "none"},
     "job nodes=2 queue=file\ndirectives <--file>\ncontainer runtime=none\n"},
    {"a word that YAML would take for nothing",
     {.queue = "~"},
     "job nodes=2 queue=~\ndirectives <--file>\ncontainer image=/etc runtime=auto\n"},
    {"who asks and tells needs no container",
     {.asktell = true},
     "job nodes=2 queue=file\ndirectives <--file>\n"},
};

static void words_have_their_meaning(const char *path)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study, again;
        struct err_list mistakes = {0};
        struct str first = {0}, second = {0};
        ok(study_from_words(&study, path, &cases[i].words, &mistakes) == 0, "%s", cases[i].name);
        describe_jobs(&study, &first);
        is_text(first.text, cases[i].meaning, "what it means");
        ok(study_restore(&again, study.text, strlen(study.text), "/", &mistakes) == 0,
           "it is restored");
        describe_jobs(&again, &second);
        is_text(second.text, first.text, "as it was");
        study_free(&study);
        study_free(&again);
        str_free(&first);
        str_free(&second);
        err_list_free(&mistakes);
    }
}

/* ---- mistakes ---- */

static const struct {
    const char *name;
    struct study_words words;
    const char *source, *message;
} wrong[] = {
    {"a job's time",
     {.job_time = "soon"},
     "--job-time soon",
     "'time' must be a time such as 90, 30s, 15m, 1h30m, 1d or 01:30:00, not 'soon'"},
    {"a queue",
     {.queue = "a b"},
     "--queue a b",
     "'queue' becomes part of a directive for the scheduler: it must not start with -, and must "
     "have no blanks, no "
     "quotes, none of \\ $ ` ; # < > and only ASCII characters"},
    {"a directive",
     {.directives = WORDS("#PBS -x")},
     "--directive #PBS -x",
     "a directive is only the option, since Wick adds what comes before it: write '-x'"},
    {"a runtime",
     {.runtime = "docker"},
     "--runtime docker",
     "unknown runtime 'docker': the closest one here is podman"},
    {"an image",
     {.container = "/no/such.sif"},
     "--container /no/such.sif",
     "there is no image '/no/such.sif': name a file or a folder, or write docker://NAME for an "
     "image to be fetched"},
};

static void mistakes_name_their_word(const char *path)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct study study;
        struct err_list mistakes = {0};
        int result = study_from_words(&study, path, &wrong[i].words, &mistakes);
        ok(result == ERR_USER && mistakes.count == 1, "%s: one mistake", wrong[i].name);
        is_text(mistakes.items[0].source, wrong[i].source, "in its word");
        is_text(mistakes.items[0].message, wrong[i].message, "what is wrong");
        err_list_free(&mistakes);
    }
}

/* ---- paths and names ---- */

/* A path in a word is relative to the current folder, one in a file to the folder of the file. */
static void paths_begin_where_they_stand(void)
{
    struct study study;
    struct err_list mistakes = {0};
    const struct study_words words = {
        .set = WORDS("x=1..5"), .command = WORDS("no-such"), .container = "etc"};
    char *here = getcwd(NULL, 0);
    ok(here && chdir("/") == 0, "at the root");
    ok(study_from_words(&study, NULL, &words, &mistakes) == 0, "an image that is here");
    is_text(study.container.image, "/etc", "its path is absolute");
    ok(strstr(study.text, "\"/etc\"") != NULL, "also in what is kept");
    study_free(&study);
    err_list_free(&mistakes);
    ok(chdir(here) == 0, "back");
    free(here);
}

/* No file could have such a key, so its journal could not be read again. */
static void long_names_are_refused(void)
{
    struct study study;
    struct err_list mistakes = {0};
    struct str variable = {0};
    for (int i = 0; i < 4096; i++)
        str_add_char(&variable, 'a');
    str_add(&variable, "=x");
    const struct study_words words = {
        .set = WORDS("x=1..5"), .command = WORDS("true"), .env = WORDS(variable.text)};
    ok(study_from_words(&study, NULL, &words, &mistakes) == ERR_USER, "a long name of a variable");
    is_text(mistakes.items[0].message, "the name of a variable has more than 200 bytes",
            "which is told");
    err_list_free(&mistakes);
    str_free(&variable);
}

int main(void)
{
    char path[] = "/tmp/wick-job-words-XXXXXX";
    int fd = mkstemp(path);
    ok(fd >= 0 && write(fd, file_text, strlen(file_text)) == (ssize_t)strlen(file_text), "a file");
    close(fd);
    words_have_their_meaning(path);
    mistakes_name_their_word(path);
    unlink(path);
    paths_begin_where_they_stand();
    long_names_are_refused();
    return tap_end();
}
