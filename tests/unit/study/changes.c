/* What changes about a recorded study: found in its file and in words, taken over or not. */
#include "study/study.h"

#include "describe.h"
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static char folder[64], path[96];

static void write_file(const char *text)
{
    struct err e = {0};
    if (str_write_file(path, text, strlen(text), &e) != 0)
        ok(false, "%s", e.message);
}

/* Each change as "key: old -> now", with ! before those that are not takeable. */
static void list_changes(const struct study_changes *changes, struct str *text)
{
    for (size_t i = 0; i < changes->count; i++) {
        const struct study_change *change = &changes->items[i];
        str_printf(text, "%s%s: %s -> %s\n", change->takeable ? "" : "!", change->key,
                   change->old ? change->old : "-", change->now ? change->now : "-");
    }
}

#define MODEL "model: {function: branin}\n"

static const struct {
    const char *name, *then;
    struct study_words words;
    const char *now, *changes;
} cases[] = {
    {"nothing", MODEL, {0}, MODEL, ""},
    {"comments, layout, quotes and the order of keys",
     MODEL "search: {trials: 5, seed: 7}\n",
     {0},
     "# more\nsearch:\n  seed: '7'\n  trials: 5.0\nmodel:\n  function: \"branin\"\n",
     ""},
    {"options of the command line are no changes",
     MODEL "search: {trials: 5}\n",
     {.trials = "9", .timeout = "1h", .env = WORDS("A=1")},
     MODEL "search: {trials: 5} # same\n",
     ""},
    {"a key that an option has overridden",
     MODEL "search: {trials: 5}\n",
     {.trials = "9"},
     MODEL "search: {trials: 6}\n",
     "search.trials: 9 -> 6\n"},
    {"a key that says now what the option said",
     MODEL "search: {trials: 5, seed: 1}\n",
     {.trials = "9", .seed = "2"},
     MODEL "search: {trials: 9, seed: 2}\n",
     ""},
    {"a value that is set, changed and removed",
     "model: {function: branin, timeout: 1m, grace: 2s}\n",
     {0},
     "model: {function: branin, timeout: 2m, retries: 3}\n",
     "model.timeout: \"1m\" -> \"2m\"\nmodel.grace: \"2s\" -> -\nmodel.retries: - -> 3\n"},
    {"a section that is new, and one that is gone",
     MODEL "search: {trials: 5}\n",
     {0},
     MODEL "job: {nodes: 2, environment: {A: b}}\n",
     "search.trials: 5 -> -\njob.nodes: - -> 2\njob.environment.A: - -> \"b\"\n"},
    {"variables one by one",
     "model: {function: branin, env: {A: 1, B: 2}}\n",
     {.env = WORDS("C=3", "A=9")},
     "model: {function: branin, env: {B: 4, D: 5}}\n",
     "model.env.A: \"9\" -> -\nmodel.env.B: 2 -> 4\nmodel.env.D: - -> 5\n"},
    {"a stopper as a whole",
     "model: {function: curves}\nsearch: {stop: {asha: {reduction: 3}}}\n",
     {0},
     "model: {function: curves}\nsearch: {stop: {median: {from: 2}}}\n",
     "search.stop: {\"asha\": {\"reduction\": 3}} -> {\"median\": {\"from\": 2}}\n"},
    {"what is fixed",
     MODEL "space: {x1: {float: [-5, 10]}, x2: {float: [0, 15]}}\n",
     {0},
     MODEL "space: {x1: {float: [-5, 9]}, x2: {float: [0, 15.0]}}\n"
           "search: {seed: 2}\nconstraints: [x1 < 5]\n",
     "!space.x1: {\"float\": [-5, 10]} -> {\"float\": [-5, 9]}\n"
     "!space.x2: {\"float\": [0, 15]} -> {\"float\": [0, 15.0]}\n"
     "!search.seed: - -> 2\n!constraints: - -> [\"x1 < 5\"]\n"},
    {"a name with a dot in it",
     "model: {command: 'true'}\nspace: {a.b: {int: [1, 2]}, env.c: 1}\n",
     {0},
     "model: {command: 'true'}\nspace: {a.b: {int: [1, 3]}, env.c: 2}\n",
     "!space.a.b: {\"int\": [1, 2]} -> {\"int\": [1, 3]}\n!space.env.c: 1 -> 2\n"},
    {"a number of the space that becomes text",
     "model: {command: 'true'}\nspace: {a: {choice: [1, 2]}}\n",
     {0},
     "model: {command: 'true'}\nspace: {a: {choice: [1, '2']}}\n",
     "!space.a: {\"choice\": [1, 2]} -> {\"choice\": [1, \"2\"]}\n"},
    {"paths of a container start at the file",
     "model: {command: 'true', folder: /}\nspace: {a: {int: [1, 2]}}\ncontainer: image.sif\n",
     {0},
     "model: {command: 'true', folder: /}\nspace: {a: {int: [1, 2]}}\ncontainer: other.sif\n",
     "container.image: \"HERE/image.sif\" -> \"HERE/other.sif\"\n"},
    {"words are compared as text, and numbers as numbers",
     "model: {command: [echo, 3.10], env: {A: 3.10, B: 1}, timeout: 60}\n"
     "space: {a: {int: [1, 2]}}\nsearch: {trials: 5}\n"
     "job: {modules: [gcc/1, 3.10], environment: {C: 1e3}, account: 10, time: 60, nodes: 2}\n",
     {0},
     "model: {command: [echo, 3.1], env: {A: 3.1, B: '1'}, timeout: 60.0}\n"
     "space: {a: {int: [1, 2]}}\nsearch: {trials: 5.0}\n"
     "job: {modules: [gcc/1, 3.1], environment: {C: 1000}, account: 10.0, time: 60.0, nodes: "
     "2.0}\n",
     "!model.command: [\"echo\", 3.10] -> [\"echo\", 3.1]\nmodel.env.A: 3.10 -> 3.1\n"
     "job.modules: [\"gcc/1\", 3.10] -> [\"gcc/1\", 3.1]\n"
     "job.environment.C: 1e3 -> 1000\njob.account: 10 -> 10.0\n"},
    {"a word with a quote, a backslash and a line break",
     MODEL,
     {0},
     "model: {function: branin, env: {A: \"a \\\"b\\\" \\\\ \\n c\"}}\n",
     "model.env.A: - -> \"a \\\"b\\\" \\\\ \\u000a c\"\n"},
};

/* Replaces the folder of the test, whose name is random. */
static void hide_folder(struct str *text)
{
    struct str hidden = {0};
    size_t length = strlen(folder);
    for (const char *at = str_text(text); *at;) {
        bool here = strncmp(at, folder, length) == 0;
        if (here)
            str_add(&hidden, "HERE");
        else
            str_add_char(&hidden, *at);
        at += here ? length : 1;
    }
    str_free(text);
    *text = hidden;
}

/* The changed study is the same as one that is read from its text, and its file has no edits. */
static void check_changed(const struct study *study, const struct study_changes *changes,
                          const char *name)
{
    struct study changed, again;
    struct err_list mistakes = {0};
    struct study_changes rest = {0};
    struct str first = {0}, second = {0};
    if (!ok(study_change(&changed, study, changes, &mistakes) == 0, "%s: it changes", name))
        return;
    ok(study_restore(&again, changed.text, strlen(changed.text), changed.model.folder, &mistakes) ==
           0,
       "%s: it is restored", name);
    describe(&changed, &first);
    describe(&again, &second);
    is_text(str_text(&second), str_text(&first), "as it was");
    is_text(changed.name, study->name, "with its name");
    ok(study_compare_file(&changed, path, &rest, &mistakes) == 0, "the file is compared again");
    for (size_t i = 0; i < rest.count; i++)
        ok(!rest.items[i].takeable, "%s was not taken over", rest.items[i].key);
    study_changes_free(&rest);
    study_free(&changed);
    study_free(&again);
    err_list_free(&mistakes);
    str_free(&first);
    str_free(&second);
}

static void test_file(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        struct err_list mistakes = {0};
        struct study_changes changes = {0};
        struct str text = {0};
        write_file(cases[i].then);
        if (!ok(study_from_words(&study, path, &cases[i].words, &mistakes) == 0, "%s: it is right",
                cases[i].name))
            continue;
        is_text(study.file, path, "it knows its file");
        write_file(cases[i].now);
        ok(study_compare_file(&study, path, &changes, &mistakes) == 0, "%s: no mistakes",
           cases[i].name);
        list_changes(&changes, &text);
        ok(changes.count == 0 || changes.file_text, "%s: what the file says now", cases[i].name);
        hide_folder(&text);
        is_text(str_text(&text), cases[i].changes, cases[i].name);
        check_changed(&study, &changes, cases[i].name);
        str_free(&text);
        study_changes_free(&changes);
        study_free(&study);
        err_list_free(&mistakes);
    }
}

static void test_mistakes(void)
{
    static const struct {
        const char *now, *message;
        int line;
    } wrong[] = {
        {"model: {function: branin, timeout: soon}\n", "'timeout' must be a time", 1},
        {MODEL "serch: {trials: 5}\n", "unknown key 'serch': did you mean 'search'?", 2},
        {MODEL "container: {image: missing.sif}\n", "Wick evaluates functions itself", 2},
        {"- a list\n", "a study file must be a mapping", 1},
        {"model: [\n", "", 2},
        {"", "the file is empty", 0},
    };
    struct study study;
    struct err_list mistakes = {0};
    write_file(MODEL);
    ok(study_load(&study, path, &mistakes) == 0, "a study");
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct study_changes changes = {0};
        write_file(wrong[i].now);
        ok(study_compare_file(&study, path, &changes, &mistakes) == ERR_USER &&
               mistakes.count > 0 && strstr(mistakes.items[0].message, wrong[i].message) &&
               mistakes.items[0].line == wrong[i].line,
           "%s", mistakes.count > 0 ? mistakes.items[0].message : wrong[i].now);
        study_changes_free(&changes);
        err_list_free(&mistakes);
    }
    study_free(&study);
}

static void test_words(void)
{
    struct study_words words = {
        .timeout = "1h", .env = WORDS("A=1"), .stop = "median:from=2", .target = "0"};
    struct study study;
    struct err_list mistakes = {0};
    struct study_changes changes = {0};
    struct str text = {0};
    write_file("model: {function: curves, timeout: 1m}\n");
    ok(study_load(&study, path, &mistakes) == 0, "a study");
    ok(study_compare_words(&study, &words, &changes, &mistakes) == 0 && !changes.file_text,
       "words are compared");
    list_changes(&changes, &text);
    is_text(text.text,
            "model.timeout: \"1m\" -> \"1h\"\nmodel.env.A: - -> \"1\"\nsearch.target: - -> 0\n"
            "search.stop: - -> {\"median\": {\"from\": 2}}\n",
            "each is a change");
    check_changed(&study, &changes, "words");
    study_changes_free(&changes);
    ok(study_compare_words(&study, &(struct study_words){.timeout = "soon"}, &changes, &mistakes) ==
               ERR_USER &&
           strcmp(mistakes.items[0].source, "--timeout soon") == 0,
       "a mistake is shown in its word");
    study_changes_free(&changes);
    err_list_free(&mistakes);
    study_free(&study);
    str_free(&text);
}

/* A parameter file stays behind the tree. */
static void test_upf(void)
{
    struct study study, changed;
    struct err_list mistakes = {0};
    struct study_changes changes = {0};
    write_file("{\"id\": \"a\", \"x\": 1}\n{\"id\": \"b\", \"x\": 2}\n");
    ok(study_from_upf(&study, path, &(struct study_words){.command = WORDS("true")}, &mistakes) ==
           0,
       "a parameter file");
    ok(!study.file, "is no study file");
    ok(study_compare_words(&study, &(struct study_words){.timeout = "1h"}, &changes, &mistakes) ==
               0 &&
           changes.count == 1 && study_change(&changed, &study, &changes, &mistakes) == 0,
       "it changes");
    ok(changed.model.timeout == 3600 && changed.search.list_count == 2 &&
           strcmp(study_upf_id(&changed, 1), "b") == 0,
       "and keeps its lines");
    study_changes_free(&changes);
    study_free(&changed);
    study_free(&study);
    err_list_free(&mistakes);
}

/* A journal may have anything in it. */
static void test_fixed(void)
{
    struct study study, changed;
    struct err_list mistakes = {0};
    struct study_changes changes = {0};
    const char text[] = MODEL;
    study_restore(&study, text, strlen(text), "/", &mistakes);
    study_changes_add(&changes, "space.x1", NULL, "{\"int\": [1, 2]}");
    study_changes_add(&changes, "model.function", NULL, "\"noop\"");
    ok(study_change(&changed, &study, &changes, &mistakes) == 0 &&
           strcmp(changed.model.function->name, "branin") == 0 && changed.space.count == 2,
       "a fixed key does not change");
    study_free(&changed);
    study_changes_add(&changes, "model.timeout", NULL, "[");
    ok(study_change(&changed, &study, &changes, &mistakes) == ERR_USER, "a value that is no YAML");
    study_changes_free(&changes);
    study_free(&study);
    err_list_free(&mistakes);
}

int main(void)
{
    char image[128];
    snprintf(folder, sizeof folder, "/tmp/wick-changes-%d", (int)getpid());
    if (mkdir(folder, 0700) != 0)
        return 1;
    snprintf(path, sizeof path, "%s/study.yaml", folder);
    static const char *const images[] = {"image.sif", "other.sif"};
    for (size_t i = 0; i < 2; i++) {
        snprintf(image, sizeof image, "%s/%s", folder, images[i]);
        fclose(fopen(image, "w"));
    }
    test_file();
    test_mistakes();
    test_words();
    test_upf();
    test_fixed();
    for (size_t i = 0; i < 2; i++) {
        snprintf(image, sizeof image, "%s/%s", folder, images[i]);
        unlink(image);
    }
    unlink(path);
    rmdir(folder);
    return tap_end();
}
