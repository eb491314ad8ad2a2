/* hosts.c - the keys of language hosts: their meaning, and possible mistakes in them. */
#include "told.h"

#define SPACE   "space: {x: {int: [1, 5]}}\n"
#define TEXT(t) t, sizeof(t) - 1

static const struct {
    const char *name;
    const char *text;
    size_t length;
    const char *mistakes; /* line:column: message, one per line */
} cases[] = {
    {"a file of Python that is not there",
     TEXT(SPACE "model: {python: no/train.py, interpreter: /bin/sh}\n"),
     "2:17: there is no file 'no/train.py' in /"},
    {"a file of R that is a folder", TEXT(SPACE "model: {r: usr, interpreter: /bin/sh}\n"),
     "2:12: 'usr' is a folder: name the file in it"},
    {"a function without a file", TEXT(SPACE "model: {python: ':run', interpreter: /bin/sh}\n"),
     "2:17: 'python' names no file: write it as in python: train.py:run"},
    {"a function that has no name",
     TEXT(SPACE "model: {python: 'usr/bin/id:', interpreter: /bin/sh}\n"),
     "2:29: '' cannot be the name of a function: write it as in python: train.py:run"},
    {"a function that is none", TEXT(SPACE "model: {r: 'usr/bin/id:a b', interpreter: /bin/sh}\n"),
     "2:24: 'a b' cannot be the name of a function: write it as in r: train.R:run"},
    {"an interpreter that is not there",
     TEXT(SPACE "model: {python: usr/bin/id, interpreter: no-such-python}\n"),
     "2:42: the program 'no-such-python' is not on PATH"},
    {"R that Python should run", TEXT(SPACE "model: {python: no/model.R, interpreter: /bin/sh}\n"),
     "2:17: 'no/model.R' contains R code: write it as in r: train.R:run\n"
     "2:17: there is no file 'no/model.R' in /"},
    {"Python that R should run", TEXT(SPACE "model: {r: 'no/a.py:fit', interpreter: /bin/sh}\n"),
     "2:12: 'no/a.py' contains Python code: write it as in python: train.py:run\n"
     "2:12: there is no file 'no/a.py' in /"},
    {"an interpreter of R for Python",
     TEXT(SPACE "model: {python: usr/bin/id, interpreter: /no/Rscript}\n"),
     "2:42: '/no/Rscript' runs R, but 'python' is for Python: name another, as in interpreter: "
     "python3\n"
     "2:42: there is no program '/no/Rscript'"},
    {"the terminal of R for Python",
     TEXT(SPACE "model: {python: usr/bin/id, interpreter: /no/R}\n"),
     "2:42: '/no/R' runs R, but 'python' is for Python: name another, as in interpreter: python3\n"
     "2:42: there is no program '/no/R'"},
    {"an interpreter of Python for R",
     TEXT(SPACE "model: {r: usr/bin/id, interpreter: /no/python3.11}\n"),
     "2:37: '/no/python3.11' runs Python, but 'r' is for R: name another, as in interpreter: "
     "Rscript\n"
     "2:37: there is no program '/no/python3.11'"},
    {"two languages",
     TEXT(SPACE "model: {python: usr/bin/id, r: usr/bin/id, interpreter: /bin/sh}\n"),
     "2:29: 'model' has both 'python' and 'r': leave one of them out"},
    {"a command and a function of Python",
     TEXT(SPACE "model: {python: usr/bin/id, command: 'true', interpreter: /bin/sh}\n"),
     "2:9: 'model' has both 'command' and 'python': leave one of them out"},
    {"a test function and one of Python",
     TEXT(SPACE "model: {python: usr/bin/id, function: noop, interpreter: /bin/sh}\n"),
     "2:9: 'model' has both 'function' and 'python': leave one of them out"},
    {"flags for a function",
     TEXT(SPACE "model: {r: usr/bin/id, pass: flags, interpreter: /bin/sh}\n"),
     "2:24: 'pass' is for a command: a function of 'r' is called with the parameters"},
    {"a function that the file does not name",
     TEXT(SPACE "model: {r: 'etc/passwd:no.such', interpreter: /bin/sh}\n"),
     "2:12: there is no function 'no.such' in etc/passwd: define it, or name another, as in r: "
     "train.R:run"},
    {"warm without a command", TEXT(SPACE "model: {function: noop, warm: true}\n"),
     "2:25: 'warm' needs a command, as in command: python3 train.py"},
    {"warm that is not yes or no", TEXT(SPACE "model: {command: 'true', warm: 5}\n"),
     "2:32: 'warm' must be true or false, not '5'"},
    {"warm for another program", TEXT(SPACE "model: {command: 'true', warm: true}\n"),
     "2:26: 'warm' is for scripts in Python and R: the command must start with python3 or Rscript, "
     "not 'true'"},
    {"warm without a script",
     TEXT(SPACE "model: {command: /usr/bin/python3 -m train, warm: true}\n"),
     "2:45: 'warm' needs a script in the command, as in command: python3 train.py"},
    {"warm ranks of MPI",
     TEXT(SPACE
          "model: {command: /usr/bin/python3 usr/bin/id, warm: true, ranks: 2, launch: mpi}\n"),
     "2:47: 'warm' does not go with 'launch: mpi': mpiexec starts fresh processes"},
    {"warm for many scripts",
     TEXT(SPACE "model: {command: '/usr/bin/python3 {x}.py', warm: true}\n"),
     "2:45: 'warm' is for one script: '{x}.py' depends on the hyperparameters"},
    {"a warm script that is not there",
     TEXT(SPACE "model: {command: /usr/bin/python3 -u train.py, warm: true}\n"),
     "2:18: there is no file 'train.py' in /"},
    {"two interpreters",
     TEXT(SPACE
          "model: {command: /usr/bin/python3 usr/bin/id, warm: true, interpreter: python3}\n"),
     "2:59: the command names its interpreter: leave 'interpreter' out"},
    {"preload without a language host", TEXT(SPACE "model: {command: 'true', preload: [torch]}\n"),
     "2:26: 'preload' is for code in a language host: add warm: true to the command, or name a "
     "function, as in python: train.py:run"},
    {"preload of what is no module",
     TEXT(SPACE "model: {python: usr/bin/id, interpreter: /bin/sh, preload: [torch, '-x']}\n"),
     "2:68: '-x' cannot be the name of a module: write it as in preload: [torch, numpy]"},
    {"preload that is a mapping",
     TEXT(SPACE "model: {python: usr/bin/id, interpreter: /bin/sh, preload: {torch: 1}}\n"),
     "2:60: 'preload' must be a list of at most 100 modules, as in preload: [torch, numpy]"},
};

static void each_mistake_is_told(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        tells(cases[i].name, cases[i].text, cases[i].length, cases[i].mistakes);
}

/* Reads a text as a journal does, without looking at the machine. */
static struct study restored(const char *text)
{
    struct study study;
    struct err_list mistakes = {0};
    ok(study_restore(&study, text, strlen(text), "/", &mistakes) == 0, "it is read: %.*s",
       (int)strcspn(text, "\n"), text);
    return study;
}

static void a_function_is_named(void)
{
    struct study study = restored("model: {python: models/nt3.py:fit}\n" SPACE);
    const struct study_code *code = &study.model.code;
    ok(code->language == LANGUAGE_PYTHON && !study.model.command, "it is Python");
    is_text(code->file, "models/nt3.py", "the file");
    is_text(code->function, "fit", "the function");
    is_text(code->interpreter, "python3", "the interpreter");
    ok(!code->preload, "what the file imports is imported");
    study_free(&study);
    study = restored("model: {r: a.R, interpreter: /opt/Rscript, preload: []}\n" SPACE);
    ok(code->language == LANGUAGE_R, "it is R");
    is_text(code->function, "run", "a function that is not named");
    is_text(code->interpreter, "/opt/Rscript", "an interpreter that is named");
    ok(code->preload && !code->preload[0], "nothing is imported");
    study_free(&study);
}

static void a_command_is_warm(void)
{
    struct study study = restored("model: {command: python3.11 -u -W ignore train.py --a 1, warm: "
                                  "true, preload: [torch, numpy.linalg]}\n" SPACE);
    const struct study_code *code = &study.model.code;
    ok(code->language == LANGUAGE_PYTHON && !code->function, "a whole script");
    is_text(code->file, "train.py", "it comes after the options");
    ok(code->file == study.model.command[4], "and is that word of the command");
    is_text(code->preload[1], "numpy.linalg", "modules may have dots");
    study_free(&study);
    study = restored("model: {command: Rscript --vanilla train.R, warm: true}\n" SPACE);
    ok(code->language == LANGUAGE_R, "a script of R");
    study_free(&study);
    study = restored("model: {command: python3 train.py, warm: false}\n" SPACE);
    ok(code->language == LANGUAGE_NONE, "one that is not warm is a plain command");
    study_free(&study);
}

static void words_take_the_place_of_the_file(void)
{
    struct study study;
    struct err_list mistakes = {0};
    struct study_words words = {.set = (const char *const[]){"x=0..1", NULL},
                                .python = "usr/bin/id:go",
                                .interpreter = "/bin/sh",
                                .preload = "torch,numpy",
                                .folder = "/"};
    ok(study_from_words(&study, NULL, &words, &mistakes) == 0, "a function by words");
    is_text(study.model.code.function, "go", "its name");
    is_text(study.model.code.preload[1], "numpy", "modules with commas between them");
    study_free(&study);
    err_list_free(&mistakes);
}

int main(void)
{
    each_mistake_is_told();
    a_function_is_named();
    a_command_is_warm();
    words_take_the_place_of_the_file();
    return tap_end();
}
