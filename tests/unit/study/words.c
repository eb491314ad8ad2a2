/* Studies from the command line: the meaning of words, alone and on top of a file, and mistakes. */
#include "study/study.h"

#include "describe.h"
#include "tap.h"

#include <unistd.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

/* Texts contain the folder, which differs between machines, so it is cut out. */
static void describe_here(struct study *study, struct str *text)
{
    study->model.folder = "HERE";
    describe(study, text);
}

#define COMMAND(command, pass)                                                                     \
    "command " command "\npass " pass ", score -, pattern -, minimize\n"                           \
    "timeout 0, grace 5, retries 0, memory 0, gpus 0, cores 0, in HERE\n"
#define RANDOM "auto, trials 100, time 0, seed 1, workers 0, levels 5, keep failed\n"

static const struct {
    const char *name;
    struct study_words words;
    const char *meaning;
} good[] = {
    {"a command and a range",
     {.set = WORDS("x=1..5"), .command = WORDS("true", "a b", "|")},
     COMMAND("<true><a b><|>", "flags") "x: int 1 to 5\n" RANDOM},
    {"every kind of range",
     {.set = WORDS("a=1..5", "b=0..0.5", "c=-5..-1", "d=1e2..1e3", "e=log:1e-5..1e-1",
                   "f=int:1..1e3", "g=float:1..5", "h=.5..1."),
      .command = WORDS("true", "{a}")},
     COMMAND("<true><{a}>", "template") "a: int 1 to 5\n"
                                        "b: float 0 to 0.5\n"
                                        "c: int -5 to -1\n"
                                        "d: float 100 to 1000\n"
                                        "e: float 1e-05 to 0.1 log\n"
                                        "f: int 1 to 1000\n"
                                        "g: float 1 to 5\n"
                                        "h: float 0.5 to 1\n" RANDOM},
    {"kinds together and steps",
     {.set = WORDS("a=log:int:16..1024", "b=int:log:1..8", "c=16..512:step=16", "d=0..1:step=0.1",
                   "e=int:1..1e3:step=3", "f=log:float:1..8"),
      .command = WORDS("true")},
     COMMAND("<true>", "flags") "a: int 16 to 1024 log\n"
                                "b: int 1 to 8 log\n"
                                "c: int 16 to 512 step 16\n"
                                "d: float 0 to 1 step 0.1\n"
                                "e: int 1 to 1000 step 3\n"
                                "f: float 1 to 8 log\n" RANDOM},
    {"constants that are not ranges",
     {.set = WORDS("a=2024-01-02", "b=12:30:00", "c=http://a:80", "d=cifar-10", "e=1e-5", "f=-3",
                   "g=[128]", "h=image:v1", "i=choice:12:30", "j=to", "k=5-fold",
                   "l=choice:0.1 .. 1", "m=a, b", "n=f(x),g(y)", "o=.."),
      .command = WORDS("true")},
     COMMAND("<true>", "flags") "a: constant 2024-01-02(\"2024-01-02\")\n"
                                "b: constant 12:30:00(\"12:30:00\")\n"
                                "c: constant http://a:80(\"http://a:80\")\n"
                                "d: constant cifar-10(\"cifar-10\")\n"
                                "e: constant 1e-5(1e-5)\n"
                                "f: constant -3(-3)\n"
                                "g: constant [128](\"[128]\")\n"
                                "h: constant image:v1(\"image:v1\")\n"
                                "i: choice 12:30(\"12:30\")\n"
                                "j: constant to(\"to\")\n"
                                "k: constant 5-fold(\"5-fold\")\n"
                                "l: choice 0.1 .. 1(\"0.1 .. 1\")\n"
                                "m: choice a(\"a\") b(\"b\")\n"
                                "n: choice f(x)(\"f(x)\") g(y)(\"g(y)\")\n"
                                "o: constant ..(\"..\")\n" RANDOM},
    {"constraints",
     {.set = WORDS("x=1..5"),
      .command = WORDS("true"),
      .constraints = WORDS("x > 1", "x^2 < 20 and score > 0")},
     COMMAND("<true>", "flags") "keeps x > 1\nmeasured x^2 < 20 and score > 0\n"
                                "x: int 1 to 5\n" RANDOM},
    {"several scores",
     {.set = WORDS("x=1..5"),
      .command = WORDS("true"),
      .score = "loss, speed",
      .direction = "minimize,maximize"},
     "command <true>\npass flags, score loss, pattern -, minimize\n"
     "timeout 0, grace 5, retries 0, memory 0, gpus 0, cores 0, in HERE\n"
     "minimize loss\nmaximize speed\n"
     "x: int 1 to 5\n" RANDOM},
    {"one trial of constants",
     {.set = WORDS("x=5"), .command = WORDS("true"), .trials = "1"},
     COMMAND("<true>",
             "flags") "x: constant 5(5)\n"
                      "auto, trials 1, time 0, seed 1, workers 0, levels 5, keep failed\n"},
    {"values",
     {.set = WORDS("a=sgd,adam", "b=16,32", "c=true,false", "d=ordered:s,m,l", "e=choice:one",
                   "f=5", "g=../data", "h=a..b", "i=x=y,z", "j=a b", "k=null"),
      .command = WORDS("true")},
     COMMAND("<true>", "flags") "a: choice sgd(\"sgd\") adam(\"adam\")\n"
                                "b: choice 16(16) 32(32)\n"
                                "c: choice true(true) false(false)\n"
                                "d: ordered s(\"s\") m(\"m\") l(\"l\")\n"
                                "e: choice one(\"one\")\n"
                                "f: constant 5(5)\n"
                                "g: constant ../data(\"../data\")\n"
                                "h: constant a..b(\"a..b\")\n"
                                "i: choice x=y(\"x=y\") z(\"z\")\n"
                                "j: constant a b(\"a b\")\n"
                                "k: constant null(null)\n" RANDOM},
    {"every option",
     {.set = WORDS("x=0..1.5"),
      .command = WORDS("true"),
      .env = WORDS("A=1", "B=x=y", "C="),
      .name = "mine",
      .keep = "none",
      .score = "loss",
      .metrics = "a,b",
      .pattern = "x: (.*)",
      .direction = "maximize",
      .timeout = "1h",
      .grace = "0",
      .retries = "3",
      .memory = "1G",
      .gpus = "2",
      .cores = "8",
      .pass = "none",
      .algorithm = "grid",
      .trials = "7",
      .time = "1:00:00",
      .target = "-1e-3",
      .seed = "5",
      .workers = "4",
      .levels = "3",
      .shuffle = "true"},
     "command <true>\n"
     "pass none, score loss, pattern x: (.*), maximize\n"
     "timeout 3600, grace 0, retries 3, memory 1073741824, gpus 2, cores 8, in HERE\n"
     "metric a\nmetric b\nA=1\nB=x=y\nC=\n"
     "x: float 0 to 1.5\n"
     "grid, trials 7, time 3600, seed 5, workers 4, levels 3, shuffle, maximize, keep none, target "
     "-0.001\n"},
    {"a function",
     {.function = "branin", .algorithm = "sobol", .trials = "16"},
     "function branin\npass flags, score -, pattern -, minimize\n"
     "timeout 0, grace 5, retries 0, memory 0, gpus 0, cores 0, in HERE\n"
     "x1: float -5 to 10\nx2: float 0 to 15\n"
     "sobol, trials 16, time 0, seed 1, workers 0, levels 5, keep failed\n"},
};

static void restore(const struct study *study, const char *meaning)
{
    struct study again;
    struct err_list mistakes = {0};
    struct str text = {0};
    if (ok(study_restore(&again, study->text, strlen(study->text), "/", &mistakes) == 0,
           "it comes back from its text")) {
        describe_here(&again, &text);
        is_text(text.text, meaning, "it means the same");
        is_text(again.name, study->name, "and has the same name");
        study_free(&again);
    }
    err_list_free(&mistakes);
    str_free(&text);
}

static void words_have_their_meaning(void)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct study study;
        struct err_list mistakes = {0};
        struct str text = {0};
        int result = study_from_words(&study, NULL, &good[i].words, &mistakes);
        for (size_t k = 0; k < mistakes.count; k++)
            printf("# %s\n", mistakes.items[k].message);
        if (ok(result == 0, "%s: it is right", good[i].name)) {
            describe_here(&study, &text);
            is_text(text.text, good[i].meaning, "what it means");
            restore(&study, good[i].meaning);
            study_free(&study);
        }
        err_list_free(&mistakes);
        str_free(&text);
    }
}

static const struct {
    const char *name;
    struct study_words words;
    const char *mistakes; /* the word | column: message */
} wrong[] = {
    {"nothing at all",
     {0},
     "| 0: there is no program to run: add it after --, as in -- python3 train.py\n"
     "| 0: there is nothing to search: add a parameter, as in --set lr=log:1e-5..1e-1\n"},
    {"options without a program",
     {.set = WORDS("x=1..5"), .score = "loss"},
     "| 0: there is no program to run: add it after --, as in -- python3 train.py\n"},
    {"a log range from 0",
     {.set = WORDS("lr=log:0..1"), .command = WORDS("true")},
     "--set lr=log:0..1 | 14: a log range must be above 0, but this one starts at 0\n"},
    {"a range the wrong way round",
     {.set = WORDS("x=5..1"), .command = WORDS("true")},
     "--set x=5..1 | 9: the range is the wrong way round: write 1..5\n"},
    {"half of a range",
     {.set = WORDS("x=1..y"), .command = WORDS("true")},
     "--set x=1..y | 12: 'y' is not a number\n"},
    {"a range without its end",
     {.set = WORDS("x=1.."), .command = WORDS("true")},
     "--set x=1.. | 12: '' is not a number\n"},
    {"three numbers",
     {.set = WORDS("x=1..2..3"), .command = WORDS("true")},
     "--set x=1..2..3 | 12: '2..3' is not a number\n"},
    {"a kind without a range",
     {.set = WORDS("x=log:5"), .command = WORDS("true")},
     "--set x=log:5 | 13: a range is expected here, as in log:1e-5..1e-1\n"},
    {"an int range with a fraction",
     {.set = WORDS("x=int:1..2.5"), .command = WORDS("true")},
     "--set x=int:1..2.5 | 16: '2.5' is not a whole number: use a float range, or whole numbers\n"},
    {"a range with a colon",
     {.set = WORDS("lr=1e-3:1e-1"), .command = WORDS("true")},
     "--set lr=1e-3:1e-1 | 10: write 1e-3..1e-1 for a range, or choice:1e-3:1e-1 for just this "
     "text\n"},
    {"a range with a hyphen",
     {.set = WORDS("lr=0.1-0.9"), .command = WORDS("true")},
     "--set lr=0.1-0.9 | 10: write 0.1..0.9 for a range, or choice:0.1-0.9 for just this text\n"},
    {"a range of exponents with a hyphen",
     {.set = WORDS("lr=1e-5-1e-1"), .command = WORDS("true")},
     "--set lr=1e-5-1e-1 | 10: write 1e-5..1e-1 for a range, or choice:1e-5-1e-1 for just this "
     "text\n"},
    {"a range with three dots",
     {.set = WORDS("lr=0.1...1"), .command = WORDS("true")},
     "--set lr=0.1...1 | 10: write 0.1..1 for a range, or choice:0.1...1 for just this text\n"},
    {"a range with a space",
     {.set = WORDS("lr=0.1 1"), .command = WORDS("true")},
     "--set lr=0.1 1 | 10: write 0.1..1 for a range, or choice:0.1 1 for just this text\n"},
    {"a range with spaces around its dots",
     {.set = WORDS("lr=0.1 .. 1"), .command = WORDS("true")},
     "--set lr=0.1 .. 1 | 10: write 0.1..1 for a range, or choice:0.1 .. 1 for just this text\n"},
    {"a range in words",
     {.set = WORDS("lr=1 to 5"), .command = WORDS("true")},
     "--set lr=1 to 5 | 10: write 1..5 for a range, or choice:1 to 5 for just this text\n"},
    {"a range in brackets",
     {.set = WORDS("lr=[0.1,1]"), .command = WORDS("true")},
     "--set lr=[0.1,1] | 10: write 0.1..1 for a range, or 0.1,1 for a choice\n"},
    {"a range in parentheses",
     {.set = WORDS("lr=(0.1, 1)"), .command = WORDS("true")},
     "--set lr=(0.1, 1) | 10: write 0.1..1 for a range, or 0.1,1 for a choice\n"},
    {"a proper range in brackets",
     {.set = WORDS("lr=[0.1..1]"), .command = WORDS("true")},
     "--set lr=[0.1..1] | 10: write 0.1..1 for a range\n"},
    {"values that are left out",
     {.set = WORDS("lr=0.1,..,1"), .command = WORDS("true")},
     "--set lr=0.1,..,1 | 14: values cannot be left out here: write all of them, or a range such "
     "as "
     "1..5\n"},
    {"a range among values",
     {.set = WORDS("x=1..3,5"), .command = WORDS("true")},
     "--set x=1..3,5 | 9: a range cannot be one of several values: write a range alone, or all "
     "values\n"},
    {"a list in brackets",
     {.set = WORDS("x=[a,b,c]"), .command = WORDS("true")},
     "--set x=[a,b,c] | 9: a comma ends a value, but a bracket is still open here: leave out the "
     "brackets, or write the values in a study file\n"},
    {"a kind with two numbers",
     {.set = WORDS("lr=log:1e-5,1e-1"), .command = WORDS("true")},
     "--set lr=log:1e-5,1e-1 | 14: write 1e-5..1e-1 for a range\n"},
    {"a kind with three dots",
     {.set = WORDS("lr=log:0.1...1"), .command = WORDS("true")},
     "--set lr=log:0.1...1 | 14: write 0.1..1 for a range\n"},
    {"a misspelt kind",
     {.set = WORDS("lr=lag:0.1..1"), .command = WORDS("true")},
     "--set lr=lag:0.1..1 | 10: unknown kind 'lag': did you mean 'log'?\n"},
    {"a misspelt kind after another",
     {.set = WORDS("lr=log:itn:1..8"), .command = WORDS("true")},
     "--set lr=log:itn:1..8 | 14: unknown kind 'itn': did you mean 'int'?\n"},
    {"a kind of another program",
     {.set = WORDS("lr=uniform:0.1..1"), .command = WORDS("true")},
     "--set lr=uniform:0.1..1 | 10: unknown kind 'uniform': write it as 0..1.0\n"},
    {"a list of another program",
     {.set = WORDS("x=categorical:a,b"), .command = WORDS("true")},
     "--set x=categorical:a,b | 9: unknown kind 'categorical': write it as a,b,c\n"},
    {"a call of another program",
     {.set = WORDS("lr=tune.loguniform(1e-5,1e-1)"), .command = WORDS("true")},
     "--set lr=tune.loguniform(1e-5,1e-1) | 10: 'tune.loguniform(1e-5,1e-1)' is a range of another "
     "tool: write log:1e-5..1e-1\n"},
    {"a misspelt kind of a list",
     {.set = WORDS("x=choise:a,b"), .command = WORDS("true")},
     "--set x=choise:a,b | 9: unknown kind 'choise': did you mean 'choice'?\n"},
    {"a kind twice",
     {.set = WORDS("x=int:int:1..8"), .command = WORDS("true")},
     "--set x=int:int:1..8 | 13: 'int:1' is not a number\n"},
    {"a misspelt step",
     {.set = WORDS("x=1..9:stpe=2"), .command = WORDS("true")},
     "--set x=1..9:stpe=2 | 14: unknown key 'stpe': did you mean 'step'?\n"},
    {"a step without its name",
     {.set = WORDS("x=1..9:2"), .command = WORDS("true")},
     "--set x=1..9:2 | 14: write step=2 for steps of this size\n"},
    {"a step without its value",
     {.set = WORDS("x=1..9:step"), .command = WORDS("true")},
     "--set x=1..9:step | 14: 'step' has no value: write it as in step=2\n"},
    {"a step of nothing",
     {.set = WORDS("x=1..9:step="), .command = WORDS("true")},
     "--set x=1..9:step= | 14: 'step' has no value\n"},
    {"a step that is too large",
     {.set = WORDS("x=1..9:step=20"), .command = WORDS("true")},
     "--set x=1..9:step=20 | 19: the step 20 is larger than the whole range\n"},
    {"a step of a log range",
     {.set = WORDS("x=log:1..9:step=2"), .command = WORDS("true")},
     "--set x=log:1..9:step=2 | 18: 'log' and 'step' do not go together: leave one of them out\n"},
    {"nothing but constants",
     {.set = WORDS("x=5"), .command = WORDS("true")},
     "--set x=5 | 9: there is nothing to search: all parameters are constants; give one a range, "
     "as in --set lr=log:1e-5..1e-1, or use --trials 1\n"},
    {"no equals sign",
     {.set = WORDS("x", "y=1..2"), .command = WORDS("true")},
     "--set x | 7: --set needs a name and a range or values, as in --set lr=log:1e-5..1e-1\n"},
    {"no name",
     {.set = WORDS("=1..5", "y=1..2"), .command = WORDS("true")},
     "--set =1..5 | 7: --set needs a name and a range or values, as in --set lr=log:1e-5..1e-1\n"},
    {"no value",
     {.set = WORDS("x=", "y=1..2"), .command = WORDS("true")},
     "--set x= | 8: --set needs a name and a range or values, as in --set lr=log:1e-5..1e-1\n"},
    {"a bad name",
     {.set = WORDS("2x=1..5"), .command = WORDS("true")},
     "--set 2x=1..5 | 7: '2x' cannot be the name of a parameter: use letters, digits, _ . and -, "
     "at "
     "most 64, with a letter or _ first\n"},
    {"a built-in name",
     {.set = WORDS("trial=1..5"), .command = WORDS("true")},
     "--set trial=1..5 | 7: a parameter cannot be called 'trial': {trial} has its own meaning in "
     "commands\n"},
    {"a name twice",
     {.set = WORDS("x=1..5", "x=1..6"), .command = WORDS("true")},
     "--set x=1..6 | 7: 'x' is set twice\n"},
    {"a value twice",
     {.set = WORDS("x=a,b,a"), .command = WORDS("true")},
     "--set x=a,b,a | 13: the value 'a' is listed twice\n"},
    {"a flag without its values",
     {.set = WORDS("x=flag"), .command = WORDS("true")},
     "--set x=flag | 9: write flag:true,false for a flag that is passed or left out, or "
     "choice:flag for just this text\n"},
    {"a value that is missing",
     {.set = WORDS("x=a,,b"), .command = WORDS("true")},
     "--set x=a,,b | 11: a value is missing here: write null, or \"\" for an empty text\n"},
    {"a metric that is missing",
     {.set = WORDS("x=1..5"), .command = WORDS("true"), .metrics = "a,"},
     "--metrics a, | 13: a value is missing here\n"},
    {"options that are not right",
     {.set = WORDS("x=1..5"),
      .command = WORDS("true"),
      .trials = "many",
      .algorithm = "randm",
      .time = "an hour",
      .target = "x",
      .shuffle = "maybe",
      .direction = "up",
      .retries = "-1",
      .memory = "2X",
      .keep = "everything",
      .pass = "by",
      .folder = "/no/such/folder",
      .pattern = "(",
      .name = "a/b"},
     "--name a/b | 8: 'name' becomes the name of a folder: it must have at most 100 bytes and no "
     "'/', and must not start with '.' or '-'\n"
     "--keep everything | 8: 'keep' cannot be 'everything': use one of failed, all, none\n"
     "--pattern ( | 11: the pattern is not a regular expression: Unmatched ( or \\(\n"
     "--retries -1 | 11: 'retries' must be a whole number from 0 to 100, not '-1'\n"
     "--memory 2X | 10: 'memory' must be a size such as 512M or 2G, not '2X'\n"
     "--folder /no/such/folder | 10: there is no folder '/no/such/folder'\n"
     "--pass by | 8: 'pass' cannot be 'by': use one of flags, template, none\n"
     "--direction up | 13: 'direction' cannot be 'up': use one of minimize, maximize\n"
     "--algorithm randm | 13: 'algorithm' cannot be 'randm': did you mean 'random'?\n"
     "--trials many | 10: 'trials' must be a whole number from 1 to 1000000000, not 'many'\n"
     "--time an hour | 8: 'time' must be a time such as 90, 30s, 15m, 1h30m, 1d or 01:30:00, not "
     "'an "
     "hour'\n"
     "--target x | 10: 'target' must be a number, not 'x'\n"
     "--shuffle maybe | 11: 'shuffle' must be true or false, not 'maybe'\n"},
    {"an option without text",
     {.set = WORDS("x=1..5"), .command = WORDS("true"), .score = ""},
     "--score  | 9: 'score' has no value\n"},
    {"a name in braces",
     {.set = WORDS("lr=1..5"), .command = WORDS("true", "--l", "{rl}")},
     "-- true --l {rl} | 13: unknown name {rl} in the command: did you mean {lr}?\n"},
    {"a program that is not there",
     {.set = WORDS("x=1..5"), .command = WORDS("no-such-program")},
     "-- no-such-program | 4: the program 'no-such-program' is not on PATH\n"},
    {"a variable without a value",
     {.set = WORDS("x=1..5"), .command = WORDS("true"), .env = WORDS("A")},
     "--env A | 7: --env needs a name and a value, as in --env OMP_NUM_THREADS=4\n"},
    {"a bad name of a variable",
     {.set = WORDS("x=1..5"), .command = WORDS("true"), .env = WORDS("A-B=1")},
     "--env A-B=1 | 7: 'A-B' cannot be the name of a variable: use letters, digits and _\n"},
    {"a command and a function",
     {.set = WORDS("x=1..5"), .command = WORDS("true"), .function = "branin"},
     "--function branin | 12: 'model' has both 'command' and 'function': leave one of them out\n"},
    {"bytes that are not text",
     {.set = WORDS("x=a\xff", "y=1..5"), .command = WORDS("true")},
     "--set x=a\xff | 10: this is not UTF-8 text\n"},
    {"bytes in the command",
     {.set = WORDS("x=1..5"), .command = WORDS("true", "\xff")},
     "-- true \xff | 9: this is not UTF-8 text\n"
     "| 0: there is no program to run: add it after --, as in -- python3 train.py\n"},
};

static void mistakes_name_their_word(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct study study;
        struct err_list mistakes = {0};
        struct str told = {0};
        if (study_from_words(&study, NULL, &wrong[i].words, &mistakes) == 0)
            study_free(&study);
        for (size_t k = 0; k < mistakes.count; k++) {
            const struct err *e = &mistakes.items[k];
            str_printf(&told, "%s%s| %d: %s\n", e->source, e->source[0] ? " " : "", e->column,
                       e->message);
            if (e->file[0] || e->line != (e->source[0] ? 1 : 0) || e->caret != e->column)
                ok(false, "%s: a word is no file", wrong[i].name);
        }
        is_text(str_text(&told), wrong[i].mistakes, wrong[i].name);
        err_list_free(&mistakes);
        str_free(&told);
    }
}

/* ---- on top of a file ---- */

static const char file_text[] = "model: {command: 'true', score: loss, env: {A: 1, B: 2}}\n"
                                "space:\n"
                                "  lr: {log: [1e-5, 1e-1]}\n"
                                "  optimizer: {choice: [sgd, adam]}\n"
                                "  momentum: {float: [0, 1], when: {optimizer: sgd}}\n"
                                "search: {trials: 50, seed: 3}\n";

static const struct {
    const char *name;
    struct study_words words;
    const char *meaning;
} over[] = {
    {"no words",
     {0},
     "command <true>\npass flags, score loss, pattern -, minimize\n"
     "timeout 0, grace 5, retries 0, memory 0, gpus 0, cores 0, in HERE\nA=1\nB=2\n"
     "lr: float 1e-05 to 0.1 log\n"
     "optimizer: choice sgd(\"sgd\") adam(\"adam\")\n"
     "momentum: float 0 to 1 when optimizer in sgd\n"
     "auto, trials 50, time 0, seed 3, workers 0, levels 5, keep failed\n"},
    {"words take the place of what the file says",
     {.set = WORDS("lr=0.1..0.2", "momentum=0.9", "layers=1..3"),
      .command = WORDS("true", "x"),
      .env = WORDS("B=3", "C=4"),
      .trials = "60"},
     "command <true><x>\npass flags, score loss, pattern -, minimize\n"
     "timeout 0, grace 5, retries 0, memory 0, gpus 0, cores 0, in HERE\nA=1\nB=3\nC=4\n"
     "lr: float 0.1 to 0.2\n"
     "optimizer: choice sgd(\"sgd\") adam(\"adam\")\n"
     "momentum: choice 0.9(0.9) when optimizer in sgd\n"
     "layers: int 1 to 3\n"
     "auto, trials 60, time 0, seed 3, workers 0, levels 5, keep failed\n"},
    {"a function takes the place of the command",
     {.function = "noop"},
     "function noop\npass flags, score loss, pattern -, minimize\n"
     "timeout 0, grace 5, retries 0, memory 0, gpus 0, cores 0, in HERE\nA=1\nB=2\n"
     "lr: float 1e-05 to 0.1 log\n"
     "optimizer: choice sgd(\"sgd\") adam(\"adam\")\n"
     "momentum: float 0 to 1 when optimizer in sgd\n"
     "auto, trials 50, time 0, seed 3, workers 0, levels 5, keep failed\n"},
};

static void words_over_a_file(const char *path)
{
    for (size_t i = 0; i < sizeof over / sizeof *over; i++) {
        struct study study;
        struct err_list mistakes = {0};
        struct str text = {0};
        if (ok(study_from_words(&study, path, &over[i].words, &mistakes) == 0, "%s: it is right",
               over[i].name)) {
            describe_here(&study, &text);
            is_text(text.text, over[i].meaning, "what it means");
            ok(strncmp(study.name, "wick-words", 10) == 0, "it has the name of the file");
            ok((strcmp(study.text, file_text) == 0) == (i == 0),
               "the file's own text is kept where nothing was changed");
            if (i > 0)
                restore(&study, over[i].meaning);
            study_free(&study);
        }
        err_list_free(&mistakes);
        str_free(&text);
    }
}

static void mistakes_in_both(const char *path)
{
    const struct study_words words = {.set = WORDS("optimizer=adam,lion"), .trials = "0"};
    struct study study;
    struct err_list mistakes = {0};
    ok(study_from_words(&study, path, &words, &mistakes) == ERR_USER && mistakes.count == 2,
       "a word can make a mistake of a line of the file");
    is_text(mistakes.items[0].message, "'sgd' is not a value of 'optimizer': use one of adam, lion",
            "it is told where it stands");
    ok(mistakes.items[0].line == 5 && mistakes.items[0].file[0], "in the file");
    is_text(mistakes.items[1].source, "--trials 0", "mistakes of words come after the file's");
    err_list_free(&mistakes);
}

static void names_of_studies(void)
{
    const struct {
        struct study_words words;
        const char *name;
    } cases[] = {
        {{.set = WORDS("x=1..5"), .command = WORDS("true")}, "true"},
        {{.set = WORDS("x=1..5"), .command = WORDS("true", "code/train.py", "a.b")}, "train"},
        {{.set = WORDS("x=1..5"), .command = WORDS("true", "-c", "a.b")}, "true"},
        {{.set = WORDS("x=1..5"), .command = WORDS("true", "{x}.txt")}, "true"},
        {{.set = WORDS("x=1..5"), .command = WORDS("true", ".a b.sh")}, "a_b"},
        {{.function = "branin"}, "branin"},
        {{.function = "branin", .name = "mine"}, "mine"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        struct err_list mistakes = {0};
        if (ok(study_from_words(&study, NULL, &cases[i].words, &mistakes) == 0, "it is right")) {
            is_text(study.name, cases[i].name, "a study is called after what it runs");
            study_free(&study);
        }
        err_list_free(&mistakes);
    }
}

int main(void)
{
    words_have_their_meaning();
    mistakes_name_their_word();
    names_of_studies();
    char path[] = "/tmp/wick-words-XXXXXX";
    struct err e = {0};
    int fd = mkstemp(path);
    ok(fd >= 0 && str_write_file(path, file_text, sizeof file_text - 1, &e) == 0, "a study file");
    words_over_a_file(path);
    mistakes_in_both(path);
    close(fd);
    unlink(path);
    return tap_end();
}
