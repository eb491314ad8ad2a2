/* command.c - the command of a trial: how its parameters are passed. */
#include "model/model.h"
#include "tap.h"

static const struct model_paths paths = {"p.json", "r.json", "dir", "checkpoint"};

/* The words of trial 7 of a study at a point, separated by blanks. */
static void check(const char *what, const char *text, const double *point, const char *expected)
{
    struct study study;
    struct err_list mistakes = {0};
    struct arena arena = {0};
    struct str words = {0};
    ok(study_parse(&study, text, strlen(text), "study.yaml", "/", &mistakes) == 0, "%s", what);
    char **argv = model_command(&study, &paths, 7, point, &arena);
    for (size_t i = 0; argv[i]; i++)
        str_printf(&words, "%s%s", i ? " " : "", argv[i]);
    is_text(str_text(&words), expected, what);
    str_free(&words);
    arena_free(&arena);
    study_free(&study);
}

int main(void)
{
    static const char flags[] = "model: {command: 'true -v'}\n"
                                "space:\n"
                                "  lr: {float: [0, 1]}\n"
                                "  augment: {flag: [true, false]}\n"
                                "  kind: {choice: [a, b]}\n"
                                "  deep: {flag: [true, false], when: {kind: b}}\n";
    static const char template[] =
        "model: {command: 'true {augment} lr={lr} a={augment} {trial}'}\n"
        "space:\n"
        "  lr: {float: [0, 1]}\n"
        "  augment: {flag: [false, true]}\n";
    check("a flag that is true is passed bare", flags, (double[]){0.5, 0, 1, 0},
          "true -v --lr 0.5 --augment --kind b --deep");
    check("a flag that is false is left out", flags, (double[]){0.5, 1, 1, 1},
          "true -v --lr 0.5 --kind b");
    check("a flag that is not active is left out", flags, (double[]){0.5, 0, 0, NAN},
          "true -v --lr 0.5 --augment --kind a");
    check("in a template, a word of its own is the flag", template, (double[]){0.5, 1},
          "true --augment lr=0.5 a=true 7");
    check("or nothing; inside a word it is a value", template, (double[]){0.5, 0},
          "true lr=0.5 a=false 7");
    return tap_end();
}
