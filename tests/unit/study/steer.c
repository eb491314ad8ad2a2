/* steer.c - a program in place of an algorithm: its settings in its own language, and mistakes. */
#include "study/study.h"
#include "tap.h"

#include <stdlib.h>
#include <unistd.h>

static char folder[] = "/tmp/wick-unit-XXXXXX";

static int parse(struct study *study, const char *search, struct err_list *mistakes)
{
    struct str text = {0};
    str_printf(&text, "model: {function: noop}\nspace: {x: {float: [0, 1]}}\nsearch: {%s}\n",
               search);
    int failed = study_parse(study, text.text, text.length, "study.yaml", folder, mistakes);
    str_free(&text);
    return failed;
}

static void test_settings(void)
{
    static const struct {
        const char *search, *settings;
    } cases[] = {
        {"python: a.py, settings: '(1, \"x\")'", "(1, \"x\")"},
        {"python: a.py, settings: [1, 2.50, it's, true, null, [a, 1]]",
         "(1, 2.50, 'it\\'s', True, None, ['a', 1])"},
        {"python: a.py, settings: [1]", "(1,)"},
        {"python: a.py, settings: []", "()"},
        {"python: a.py, settings: {seed: 3, s: {t: false}}", "{'seed': 3, 's': {'t': False}}"},
        {"python: a.py, settings: {s: '3', t: \"a\\nb\\\\\"}", "{'s': '3', 't': 'a\\nb\\\\'}"},
        {"r: a.R, settings: 'pp=2,it=5'", "pp=2,it=5"},
        {"r: a.R, settings: {param.set.file: p.R, max.budget: 1e2, b: true, n: null, l: [1, 2]}",
         "param.set.file='p.R',max.budget=1e2,b=TRUE,n=NULL,l=c(1,2)"},
        {"r: a.R, settings: {a b: 1, l: {m: 2}}", "`a b`=1,l=list(m=2)"},
        {"r: a.R, settings: [1, a]", "1,'a'"},
        {"command: sh -c x, settings: {a: [1.50, x, true, null]}", "{\"a\":[1.5,\"x\",true,null]}"},
        {"command: sh -c x, settings: a text", "\"a text\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        struct err_list mistakes = {0};
        if (!ok(!parse(&study, cases[i].search, &mistakes), "%s", cases[i].search))
            printf("# %s\n", mistakes.items[0].message);
        else
            is_text(study.steer.settings, cases[i].settings, "is what the program gets");
        err_list_free(&mistakes);
        study_free(&study);
    }
}

static void test_study(void)
{
    struct study study;
    struct err_list mistakes = {0};
    parse(&study, "python: a.py, interpreter: /bin/sh", &mistakes);
    is_text(study.search.algorithm, "outside", "the algorithm is outside");
    is_text(study_steers(&study), "a.py", "it is called by its file");
    ok(study.search.trials == 0, "it decides itself when it ends");
    is_text(study.steer.code.interpreter, "/bin/sh", "an interpreter");
    study_free(&study);
    parse(&study, "command: sh -c 'a b', trials: 7", &mistakes);
    is_text(study_steers(&study), "sh -c a b", "a command is called by its words");
    is_text(study.steer.command[2], "a b", "which are as a shell makes them");
    ok(study.search.trials == 7, "a budget holds");
    ok(!study.model.command, "the model has none of it");
    study_free(&study);
    err_list_free(&mistakes);
}

static void test_mistakes(void)
{
    static const struct {
        const char *search, *message;
    } cases[] = {
        {"python: b.py", "there is no file 'b.py' in"},
        {"python: .", "'.' is not a file"},
        {"python: ''", "'python' has no value"},
        {"python: [a.py]", "'python' must be"},
        {"python: a.py, interpreter: no-such-python", "'no-such-python' is not on PATH"},
        {"python: a.py, algorithm: tpe",
         "has both 'python' and 'algorithm': leave one of them out"},
        {"python: a.py, command: sh", "has both 'python' and 'command': leave one of them out"},
        {"command: sh, lag: 3", "has both 'command' and 'lag'"},
        {"command: sh, levels: 3", "has both 'command' and 'levels'"},
        {"command: sh, learn: x.csv", "has both 'command' and 'learn'"},
        {"command: sh, interpreter: sh", "'interpreter' is for 'python' and 'r'"},
        {"command: ./nothing", "there is no program './nothing'"},
        {"command: sh | cat", "'|' means something only to a shell"},
        {"settings: 3", "'settings' is for a steering program"},
        {"interpreter: sh", "'interpreter' is for a steering program"},
        {"algorithm: outside", "'algorithm' cannot be 'outside'"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        struct err_list mistakes = {0};
        parse(&study, cases[i].search, &mistakes);
        const char *message = mistakes.count > 0 ? mistakes.items[0].message : "";
        if (!ok(strstr(message, cases[i].message), "%s", cases[i].search))
            printf("# got: %s\n", message);
        err_list_free(&mistakes);
        study_free(&study);
    }
}

int main(void)
{
    struct err e = {0};
    struct str path = {0};
    if (!mkdtemp(folder))
        return 1;
    static const char *const names[] = {"a.py", "a.R"};
    setenv("PATH", folder, 1); /* contains a python3 and an Rscript that nobody starts */
    static const char *const programs[] = {"python3", "Rscript", "sh"};
    for (size_t i = 0; i < 5; i++) {
        str_clear(&path);
        str_printf(&path, "%s/%s", folder, i < 2 ? names[i] : programs[i - 2]);
        str_write_file(path.text, "", 0, &e);
        if (i >= 2 && symlink("/bin/sh", path.text) != 0 && unlink(path.text) == 0)
            ok(symlink("/bin/sh", path.text) == 0, "a program");
    }
    test_settings();
    test_study();
    test_mistakes();
    for (size_t i = 0; i < 5; i++) {
        str_clear(&path);
        str_printf(&path, "%s/%s", folder, i < 2 ? names[i] : programs[i - 2]);
        unlink(path.text);
    }
    rmdir(folder);
    str_free(&path);
    return tap_end();
}
