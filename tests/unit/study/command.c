/* Commands: how a text becomes words, and what {names} mean in them. */
#include "study/study.h"

#include "tap.h"

#define SPACE "space: {lr: {log: [1e-5, 1e-1]}, layers: {int: [1, 5]}}\n"

/* The words of a study's command, each in <>; "" if the study has a mistake. */
static void words_of(const char *command, struct str *out)
{
    struct str text = {0};
    struct study study;
    struct err_list mistakes = {0};
    str_printf(&text, "model:\n  command: %s\n" SPACE, command);
    str_clear(out);
    str_add(out, "");
    if (study_parse(&study, text.text, text.length, "study.yaml", "/", &mistakes) == 0) {
        for (size_t i = 0; study.model.command[i]; i++)
            str_printf(out, "<%s>", study.model.command[i]);
        study_free(&study);
    } else {
        str_add(out, mistakes.items[0].message);
    }
    err_list_free(&mistakes);
    str_free(&text);
}

static void texts_become_words(void)
{
    static const struct {
        const char *yaml, *words;
    } cases[] = {
        {"true", "<true>"},
        {"true  --a   5 ", "<true><--a><5>"},
        {"true 'a b' \"c d\"", "<true><a b><c d>"},
        {"true a'b c'd\"e f\"", "<true><ab cde f>"},
        {"true '' \"\"", "<true><><>"},
        {"true a\\ b \\'x\\\" \\\\", "<true><a b><'x\"><\\>"},
        {"true '|>;&$(a)`'", "<true><|>;&$(a)`>"},
        {"true \"$x|\\$y \\\" \\a\"", "<true><$x|$y \" \\a>"},
        {"true \\| \\; \\$x", "<true><|><;><$x>"},
        {"true 5$ a$%", "<true><5$><a$%>"},
        {"true * ~ a=b # c", "<true><*><~><a=b>"},
        {">\n    true --a 1\n    --b 2", "<true><--a><1><--b><2>"},
        {"|\n    true --a 1 \\\n      --b 2", "<true><--a><1><--b><2>"},
        {"\"true \\u00e4\"", "<true><\xc3\xa4>"},
        {"[true, --a, 5, 1.50, null, 'x y', '|', '']", "<true><--a><5><1.50><null><x y><|><>"},
        {"bash -c 'echo ${HOME} $(date) | cat'", "<bash><-c><echo ${HOME} $(date) | cat>"},
        {"true {lr} --l={layers}{trial}", "<true><{lr}><--l={layers}{trial}>"},
        {"true {params} {result} {dir} {seed}", "<true><{params}><{result}><{dir}><{seed}>"},
        {"true {} { } {1} {a b} {{x}} }{", "<true><{}><{><}><{1}><{a><b}><{{x}}><}{>"},
    };
    struct str words = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        words_of(cases[i].yaml, &words);
        is_text(words.text, cases[i].words, cases[i].yaml);
    }
    str_free(&words);
}

static void pieces(void)
{
    static const struct {
        const char *word, *pieces; /* text in <>, names in {} */
    } cases[] = {
        {"", ""},
        {"abc", "<abc>"},
        {"{lr}", "{lr}"},
        {"--lr={lr}", "<--lr=>{lr}"},
        {"{a}{b}", "{a}{b}"},
        {"x{a}y{b-1.c}z", "<x>{a}<y>{b-1.c}<z>"},
        {"{}", "<{}>"},
        {"{1}", "<{1}>"},
        {"{a", "<{a>"},
        {"a}", "<a}>"},
        {"{a b}", "<{a b}>"},
        {"{\"a\": {\"b\": 1}}", "<{\"a\": {\"b\": 1}}>"},
        {"{{lr}}", "<{lr}>"},
        {"x{{lr}}y", "<x><{lr}><y>"},
        {"{{lr}", "<{>{lr}"},
        {"{{{lr}}}", "<{><{lr}><}>"},
        {"${HOME}/{dir}", "<${HOME}/>{dir}"},
        {"$x{a}", "<$x>{a}"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str out = {0};
        const char *at = cases[i].word;
        struct slice piece;
        enum study_piece kind;
        str_add(&out, "");
        while ((kind = study_next_piece(&at, &piece)) != PIECE_END)
            str_printf(&out, kind == PIECE_NAME ? "{%.*s}" : "<%.*s>", (int)piece.length,
                       piece.text);
        is_text(out.text, cases[i].pieces, cases[i].word);
        str_free(&out);
    }
}

static void ways_to_pass(void)
{
    static const struct {
        const char *model;
        enum study_pass pass;
        bool params, dir;
    } cases[] = {
        {"command: true", PASS_FLAGS, false, false},
        {"command: true {lr}", PASS_TEMPLATE, false, false},
        {"command: true {{lr}} {trial}", PASS_FLAGS, false, false},
        {"command: true {params}", PASS_FLAGS, true, false},
        {"command: true {dir}/x\n  pass: none", PASS_NONE, false, true},
        {"command: true {lr} {params}\n  pass: template", PASS_TEMPLATE, true, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct str text = {0};
        struct study study;
        struct err_list mistakes = {0};
        str_printf(&text, "model:\n  %s\n" SPACE, cases[i].model);
        if (ok(study_parse(&study, text.text, text.length, "s.yaml", "/", &mistakes) == 0, "%s",
               cases[i].model)) {
            ok(study.model.pass == cases[i].pass, "how the parameters are passed");
            ok(study.model.wants_params_file == cases[i].params, "whether a file is wanted");
            ok(study.model.wants_dir == cases[i].dir, "whether a folder is wanted");
            study_free(&study);
        }
        err_list_free(&mistakes);
        str_free(&text);
    }
}

int main(void)
{
    texts_become_words();
    pieces();
    ways_to_pass();
    return tap_end();
}
