/* Valid study files, their meaning, and that they come back from a journal unchanged. */
#include "study/study.h"

#include "describe.h"
#include "tap.h"

#include <sys/stat.h>
#include <unistd.h>

#define USUAL  "timeout 0, grace 5, retries 0, memory 0, gpus 0, cores 0, in /\n"
#define TRUE   "command <true>\npass flags, score -, pattern -, minimize\n" USUAL
#define RANDOM "auto, trials 100, time 0, seed 1, workers 0, levels 5, keep failed\n"

static const struct {
    const char *name, *text, *meaning;
} cases[] = {
    {"the smallest study", "model: {command: 'true'}\nspace: {x: {int: [1, 5]}}\n",
     TRUE "x: int 1 to 5\n" RANDOM},
    {"every key",
     "name: every key\n"
     "model:\n"
     "  command: ['true', --lr, '{lr}', --out, '{dir}', --in, '{params}']\n"
     "  score: val_loss\n"
     "  metrics: [loss, accuracy]\n"
     "  pattern: 'val_loss: ([-0-9.e]+)'\n"
     "  direction: maximize\n"
     "  timeout: 01:30:00\n"
     "  grace: 10s\n"
     "  retries: 2\n"
     "  memory: 2G\n"
     "  gpus: 0.5\n"
     "  cores: 4\n"
     "  folder: usr\n"
     "  env: {OMP_NUM_THREADS: 4, NAME: a b, EMPTY: , FLAG: yes}\n"
     "  pass: template\n"
     "space:\n"
     "  lr: {log: [1e-5, 1e-1], default: 1e-3}\n"
     "search:\n"
     "  algorithm: grid\n"
     "  trials: 1e3\n"
     "  time: 2h\n"
     "  target: 0.99\n"
     "  seed: 9223372036854775807\n"
     "  workers: 8\n"
     "  levels: 7\n"
     "  shuffle: true\n"
     "keep: all\n"
     "job: {nodes: 8, environment: {A: ~}}\n",
     "command <true><--lr><{lr}><--out><{dir}><--in><{params}>\n"
     "pass template params dir, score val_loss, pattern val_loss: ([-0-9.e]+), maximize\n"
     "timeout 5400, grace 10, retries 2, memory 2147483648, gpus 0.5, cores 4, in /usr\n"
     "metric loss\nmetric accuracy\n"
     "OMP_NUM_THREADS=4\nNAME=a b\nEMPTY=\nFLAG=yes\n"
     "lr: float 1e-05 to 0.1 log default 0.001\n"
     "grid, trials 1000, time 7200, seed 9223372036854775807, workers 8, levels 7, shuffle, "
     "maximize, keep all, target 0.99\n"
     "job nodes=8\nvariable A=<>\n"},
    {"every form of a parameter",
     "model: {command: 'true'}\n"
     "space:\n"
     "  a: {float: [0, 0.5]}\n"
     "  b: {float: [-1e300, 1e+300], levels: 9}\n"
     "  c: {float: [0, 1], step: .25, default: 0.5}\n"
     "  d: {float: [1, 1000], log: true}\n"
     "  e: {int: [-5, 5]}\n"
     "  f: {int: [16, 128], step: 16}\n"
     "  g: {int: [1, 1024], log: true, default: 32}\n"
     "  h: {log: [1e-5, 1E-1]}\n"
     "  i: {int: [3, 3]}\n"
     "  j: {float: [1.0, 2], log: false}\n"
     "  k: {ordered: [small, large]}\n"
     "  l_2.x-y: cifar10\n",
     TRUE "a: float 0 to 0.5\n"
          "b: float -1e+300 to 1e+300 levels 9\n"
          "c: float 0 to 1 step 0.25 default 0.5\n"
          "d: float 1 to 1000 log\n"
          "e: int -5 to 5\n"
          "f: int 16 to 128 step 16\n"
          "g: int 1 to 1024 log default 32\n"
          "h: float 1e-05 to 0.1 log\n"
          "i: int 3 to 3\n"
          "j: float 1 to 2\n"
          "k: ordered small(\"small\") large(\"large\")\n"
          "l_2.x-y: constant cifar10(\"cifar10\")\n" RANDOM},
    {"values as they are written",
     "model: {command: 'true'}\n"
     "space:\n"
     "  a: {choice: [1, 1.0, .5, 1e5, +7, -0, 010]}\n"
     "  b: {choice: [true, False, yes, no, on, off, null]}\n"
     "  c: {choice: ['1', \"true\", 'null', !!str 5]}\n"
     "  d: {choice: [1_000, 0x10, 1e999, nan, .inf, 12:30:00, 2026-11-15]}\n"
     "  e: ~\n"
     "  f: ''\n"
     "  g: \"a\\nb \\u00e4\"\n"
     "  h: |\n"
     "    two\n"
     "    lines\n"
     "  i: /data/a..b/c\n",
     TRUE "a: choice 1(1) 1.0(1.0) .5(0.5) 1e5(1e5) +7(7) -0(-0) 010(10)\n"
          "b: choice true(true) False(false) yes(\"yes\") no(\"no\") on(\"on\") off(\"off\") "
          "null(null)\n"
          "c: choice 1(\"1\") true(\"true\") null(\"null\") 5(\"5\")\n"
          "d: choice 1_000(\"1_000\") 0x10(\"0x10\") 1e999(\"1e999\") nan(\"nan\") .inf(\".inf\") "
          "12:30:00(\"12:30:00\") 2026-11-15(\"2026-11-15\")\n"
          "e: constant null(null)\n"
          "f: constant (\"\")\n"
          "g: constant a\nb \xc3\xa4(\"a\\nb \xc3\xa4\")\n"
          "h: constant two\nlines\n(\"two\\nlines\\n\")\n"
          "i: constant /data/a..b/c(\"/data/a..b/c\")\n" RANDOM},
    {"conditions and combinations",
     "model: {command: 'true'}\n"
     "space:\n"
     "  damping: {float: [0, 1], when: {nesterov: true, layers: [1, 2]}}\n"
     "  nesterov: {choice: [True, False], when: {optimizer: [sgd, rmsprop]}, default: true}\n"
     "  optimizer: {choice: [sgd, adam, rmsprop]}\n"
     "  layers: {int: [1, 5]}\n"
     "  rate: {float: [0, 1], step: 0.1, when: {layers: 3.0}}\n"
     "forbid:\n"
     "- {optimizer: adam, layers: [4, 5]}\n"
     "- {rate: 0.30}\n",
     TRUE "damping: float 0 to 1 when nesterov in True layers in 1,2\n"
          "nesterov: choice True(true) False(false) default True when optimizer in sgd,rmsprop\n"
          "optimizer: choice sgd(\"sgd\") adam(\"adam\") rmsprop(\"rmsprop\")\n"
          "layers: int 1 to 5\n"
          "rate: float 0 to 1 step 0.1 when layers in 3\n"
          "forbid optimizer in adam layers in 4,5\n"
          "forbid rate in 0.3\n" RANDOM},
    {"several scores and constraints",
     "model: {command: 'true', score: [loss, speed], direction: [minimize, maximize],\n"
     "        metrics: [memory_mb]}\n"
     "space: {x: {int: [1, 5]}, y: {choice: [a, b]}}\n"
     "constraints:\n"
     "- x * 2 <= 8\n"
     "- y == 'a' or x > 1\n"
     "- memory_mb <= 100 * x\n"
     "- loss < 3\n",
     "command <true>\npass flags, score loss, pattern -, minimize\n" USUAL "metric memory_mb\n"
     "minimize loss\nmaximize speed\n"
     "keeps x * 2 <= 8\nkeeps y == 'a' or x > 1\n"
     "measured memory_mb <= 100 * x\nmeasured loss < 3\n"
     "x: int 1 to 5\ny: choice a(\"a\") b(\"b\")\n" RANDOM},
    {"one direction for all scores",
     "model: {command: 'true', score: [a, b], direction: maximize}\nspace: {x: {int: [1, 5]}}\n"
     "search: {algorithm: random}\n",
     "command <true>\npass flags, score a, pattern -, maximize\n" USUAL
     "maximize a\nmaximize b\nx: int 1 to 5\n"
     "random, trials 100, time 0, seed 1, workers 0, levels 5, maximize, keep failed\n"},
    {"a list of one score", "model: {command: 'true', score: [a]}\nspace: {x: {int: [1, 5]}}\n",
     "command <true>\npass flags, score a, pattern -, minimize\n" USUAL "x: int 1 to 5\n" RANDOM},
    {"a function with two scores", "model: {function: zdt1}\nspace: {a: {float: [0, 1]}, b: 0}\n",
     "function zdt1\npass flags, score f1, pattern -, minimize\n" USUAL
     "minimize f1\nminimize f2\na: float 0 to 1\nb: constant 0(0)\n" RANDOM},
    {"one score of a function with two",
     "model: {function: zdt1, score: f2}\nspace: {a: {float: [0, 1]}, b: 0}\n",
     "function zdt1\npass flags, score f2, pattern -, minimize\n" USUAL
     "a: float 0 to 1\nb: constant 0(0)\n" RANDOM},
    {"a function with its own space", "model: {function: branin}\n",
     "function branin\npass flags, score -, pattern -, minimize\n" USUAL
     "x1: float -5 to 10\nx2: float 0 to 15\n" RANDOM},
    {"a function with another space",
     "model: {function: branin}\nspace: {a: {int: [0, 5]}, b: {choice: [1, 2]}}\n",
     "function branin\npass flags, score -, pattern -, minimize\n" USUAL
     "a: int 0 to 5\nb: choice 1(1) 2(2)\n" RANDOM},
    {"a grid ends by itself",
     "model: {command: 'true'}\nspace: {x: {int: [1, 5]}}\nsearch: {algorithm: grid}\n",
     TRUE "x: int 1 to 5\n"
          "grid, trials 0, time 0, seed 1, workers 0, levels 5, keep failed\n"},
    {"a time is a budget, too",
     "model: {command: 'true'}\nspace: {x: {int: [1, 5]}}\nsearch: {time: 10m}\n",
     TRUE "x: int 1 to 5\n"
          "auto, trials 0, time 600, seed 1, workers 0, levels 5, keep failed\n"},
    {"a byte order mark, a marker and line ends of Windows",
     "\xef\xbb\xbf---\r\nmodel: {command: 'true'}\r\nspace: {x: {int: [1, 5]}}\r\n...\r\n",
     TRUE "x: int 1 to 5\n" RANDOM},
    {"JSON is YAML",
     "{\"model\": {\"command\": [\"true\"]}, \"space\": {\"x\": {\"int\": [1, 5]}}}",
     TRUE "x: int 1 to 5\n" RANDOM},
};

static void print_mistakes(const struct err_list *mistakes)
{
    for (size_t i = 0; i < mistakes->count; i++)
        printf("# %d:%d: %s\n", mistakes->items[i].line, mistakes->items[i].column,
               mistakes->items[i].message);
}

/* The text of a study, when parsed again, gives the same study. */
static void restore(const struct study *study, const char *meaning, const char *name)
{
    struct study again;
    struct err_list mistakes = {0};
    struct str text = {0};
    int result =
        study_restore(&again, study->text, strlen(study->text), study->model.folder, &mistakes);
    print_mistakes(&mistakes);
    if (ok(result == 0, "%s: it comes back from its text", name)) {
        describe(&again, &text);
        is_text(text.text, meaning, "it means the same");
        is_text(again.text, study->text, "its text is the same");
        study_free(&again);
    }
    err_list_free(&mistakes);
    str_free(&text);
}

static void files_have_their_meaning(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        struct err_list mistakes = {0};
        struct str text = {0};
        int result =
            study_parse(&study, cases[i].text, strlen(cases[i].text), "study.yaml", "/", &mistakes);
        print_mistakes(&mistakes);
        if (ok(result == 0, "%s: it is right", cases[i].name)) {
            describe(&study, &text);
            is_text(text.text, cases[i].meaning, "what it means");
            is_text(study.text, cases[i].text, "its text is what was written");
            restore(&study, cases[i].meaning, cases[i].name);
            study_free(&study);
        }
        err_list_free(&mistakes);
        str_free(&text);
    }
}

static void a_file_names_its_study(void)
{
    char folder[] = "/tmp/wick-study-XXXXXX";
    struct str path = {0};
    struct study study;
    struct err_list mistakes = {0};
    struct err e = {0};
    static const char text[] =
        "model: {command: ./train.sh, folder: code}\nspace: {x: {int: [1, 5]}}\n";
    if (!mkdtemp(folder)) {
        ok(false, "a temporary folder");
        return;
    }
    str_printf(&path, "%s/code", folder);
    ok(mkdir(path.text, 0777) == 0, "a folder for the code");
    str_add(&path, "/train.sh");
    ok(str_write_file(path.text, "#!/bin/sh\n", 10, &e) == 0 && chmod(path.text, 0755) == 0,
       "a program");
    str_clear(&path);
    str_printf(&path, "%s/mnist.small.yaml", folder);
    ok(str_write_file(path.text, text, sizeof text - 1, &e) == 0, "a study file");
    if (ok(study_load(&study, path.text, &mistakes) == 0, "the program is found in its folder")) {
        is_text(study.name, "mnist.small", "the study has the name of its file");
        is_text(study.path, path.text, "and knows its path");
        ok(strstr(study.model.folder, "/code") != NULL && study.model.folder[0] == '/',
           "trials run in model.folder, beside the file: %s", study.model.folder);
        study_free(&study);
    }
    unlink(path.text);
    str_clear(&path);
    str_printf(&path, "%s/code/train.sh", folder);
    unlink(path.text);
    path.text[strlen(path.text) - strlen("/train.sh")] = 0;
    rmdir(path.text);
    rmdir(folder);
    err_list_free(&mistakes);
    str_free(&path);
}

/* A journal is also read on other machines, which may have neither the folder nor the program. */
static void a_journal_does_not_need_the_program(void)
{
    static const char text[] = "model: {command: no-such-program, folder: no-such-folder}\n"
                               "space: {x: {int: [1, 5]}}\n";
    struct study study;
    struct err_list mistakes = {0};
    if (ok(study_restore(&study, text, sizeof text - 1, "/gone/code", &mistakes) == 0,
           "a study without its program and folder comes back")) {
        is_text(study.model.folder, "/gone/code", "the folder is what the journal says");
        study_free(&study);
    }
    ok(study_restore(&study, "x: [", 4, "/", &mistakes) == ERR_USER && mistakes.count == 1,
       "a text that is damaged is a mistake");
    err_list_free(&mistakes);
}

static void patterns_of_every_form(void)
{
    static const char *const patterns[] = {
        "loss: ([-+0-9.e]+)",
        "^ *epoch +[0-9]+ +loss +([0-9]+[.][0-9]+) +acc +[0-9]+[.][0-9]+ +t +[0-9]+ +x+y+z+ *$",
        "([]+{}[:digit:][.-.]a-z]{1,40})",
        "a\\(b\\+{2}(c|d)?e{3,}",
        "[^]]*=(.*)",
    };
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        struct study study;
        struct err_list mistakes = {0};
        struct str text = {0};
        str_printf(&text, "model: {command: 'true', pattern: '%s'}\nspace: {x: {int: [1, 2]}}\n",
                   patterns[i]);
        if (ok(study_parse(&study, text.text, text.length, "s.yaml", "/", &mistakes) == 0,
               "a pattern: %s", patterns[i])) {
            is_text(study.model.pattern, patterns[i], "it is kept as it is");
            study_free(&study);
        }
        err_list_free(&mistakes);
        str_free(&text);
    }
}

static void functions_bring_their_space(void)
{
    for (const char *const *name = function_names(); *name; name++) {
        struct study study;
        struct err_list mistakes = {0};
        struct str text = {0};
        str_printf(&text, "model: {function: %s}\n", *name);
        if (ok(study_parse(&study, text.text, text.length, "s.yaml", "/", &mistakes) == 0,
               "the function %s has a good space", *name)) {
            ok(study.space.count > 0 && study.model.function == function_find(*name),
               "which has parameters");
            study_free(&study);
        }
        err_list_free(&mistakes);
        str_free(&text);
    }
}

/* Unwise settings are rejected only in a new study: a journal that has them stays readable. */
static void a_journal_may_be_unwise(void)
{
    static const char *const texts[] = {
        "model: {command: 'true'}\nspace: {x: 5}\n",
        "model: {command: 'true'}\nspace: {a: {choice: [x, y]}}\nforbid: [{a: [x, y]}]\n",
        ("model: {command: 'true'}\n"
         "space: {a: {float: [0, 1]}, b: {int: [1, 5], when: {a: 0.5}}}\n"),
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        struct study study;
        struct err_list mistakes = {0};
        size_t length = strlen(texts[i]);
        ok(study_parse(&study, texts[i], length, NULL, "/", &mistakes) == ERR_USER,
           "a new study of this kind is refused");
        err_list_free(&mistakes);
        if (ok(study_restore(&study, texts[i], length, "/", &mistakes) == 0, "an old one is read"))
            study_free(&study);
        err_list_free(&mistakes);
    }
}

int main(void)
{
    a_journal_may_be_unwise();
    functions_bring_their_space();
    patterns_of_every_form();
    files_have_their_meaning();
    a_file_names_its_study();
    a_journal_does_not_need_the_program();
    return tap_end();
}
