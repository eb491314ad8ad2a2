/* Unrolled parameter files: the meaning of their lines, and mistakes in them. */
#include "study/study.h"

#include "describe.h"
#include "tap.h"

#include <unistd.h>

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define HEAD                                                                                       \
    "command <true>\npass flags, score -, pattern -, minimize\n"                                   \
    "timeout 0, grace 5, retries 0, memory 0, gpus 0, cores 0, in HERE\n"
#define TAIL    "list, trials 0, time 0, seed 1, workers 0, levels 5, keep failed\n"
#define TEXT(t) t, sizeof(t) - 1

static char path[] = "/tmp/wick-upf-XXXXXX";

static void write_file(const char *text, size_t length)
{
    struct err e = {0};
    if (str_write_file(path, text, length, &e) != 0)
        ok(false, "%s", e.message);
}

static const struct {
    const char *name, *text;
    size_t length;
    const char *meaning;
} good[] = {
    {"a file of CANDLE",
     TEXT("{\"id\": \"RUN000\", \"epochs\": 4, \"dense\": \"2000 1000\", \"lr\": 1e-3}\n"
          "{\"id\": \"RUN001\", \"epochs\": 8, \"dense\": \"2000 1000\", \"lr\": 0.0010}\n"),
     HEAD "epochs: choice 4(4) 8(8)\n"
          "dense: choice 2000 1000(\"2000 1000\")\n"
          "lr: choice 1e-3(1e-3) 0.0010(0.0010)\n" TAIL
          "RUN000 {\"epochs\":4,\"dense\":\"2000 1000\",\"lr\":1e-3}\n"
          "RUN001 {\"epochs\":8,\"dense\":\"2000 1000\",\"lr\":0.0010}\n"},
    {"comments, blank lines, line ends of Windows, no last newline",
     TEXT("# a comment with \"quotes\n\n  \t\r\n{\"a\": 1} # one\r\n"
          "{\"a\": \"x#y\\\"#\", \"b\": 2}#two\n   {\"b\": 2}"),
     HEAD "a: choice 1(1) x#y\"#(\"x#y\\\"#\")\nb: choice 2(2)\n" TAIL "0 {\"a\":1}\n"
          "1 {\"a\":\"x#y\\\"#\",\"b\":2}\n2 {\"b\":2}\n"},
    {"every kind of value",
     TEXT("{\"v\": null}\n{\"v\": true}\n{\"v\": false}\n{\"v\": [1, \"a\"]}\n{\"v\": {\"a\": 1}}\n"
          "{\"v\": \"true\"}\n{\"v\": 1}\n{\"v\": \"1\"}\n{\"v\": 1.0}\n{\"v\": \"\"}\n"
          "{\"v\": NaN}\n{\"v\": true}\n"),
     HEAD "v: choice null(null) true(true) false(false) [1, \"a\"]([1, \"a\"]) {\"a\": 1}({\"a\": "
          "1}) true(\"true\") 1(1) 1(\"1\") 1.0(1.0) (\"\") NaN(NaN)\n" TAIL "0 {\"v\":null}\n"
          "1 {\"v\":true}\n2 {\"v\":false}\n3 {\"v\":[1, \"a\"]}\n4 {\"v\":{\"a\": 1}}\n"
          "5 {\"v\":\"true\"}\n6 {\"v\":1}\n7 {\"v\":\"1\"}\n8 {\"v\":1.0}\n9 {\"v\":\"\"}\n"
          "10 {\"v\":NaN}\n11 {\"v\":true}\n"},
    {"strings that are escaped in several ways are one value",
     TEXT("{\"v\": \"a\\u0062c\"}\n{\"v\": \"abc\"}\n{\"v\": \"\\u00e4\\n\"}\n"),
     HEAD "v: choice abc(\"abc\") \xc3\xa4\n(\"\xc3\xa4\\n\")\n" TAIL
          "0 {\"v\":\"abc\"}\n1 {\"v\":\"abc\"}\n2 {\"v\":\"\xc3\xa4\\n\"}\n"},
    {"lines with other keys in another order",
     TEXT("{\"a\": 1, \"b\": 2}\n{\"c\": 3, \"b\": 2, \"a\": 4}\n{}\n"),
     HEAD "a: choice 1(1) 4(4)\nb: choice 2(2)\nc: choice 3(3)\n" TAIL "0 {\"a\":1,\"b\":2}\n"
          "1 {\"a\":4,\"b\":2,\"c\":3}\n2 {}\n"},
    {"ids that are numbers, keys that mean something in a command",
     TEXT("{\"id\": 7, \"seed\": 1, \"candle_image\": \"a.sif\"}\n{\"seed\": 2, \"id\": 5}\n"),
     HEAD "seed: choice 1(1) 2(2)\ncandle_image: choice a.sif(\"a.sif\")\n" TAIL
          "7 {\"seed\":1,\"candle_image\":\"a.sif\"}\n5 {\"seed\":2}\n"},
    {"a byte order mark", TEXT("\xef\xbb\xbf{\"a\": 1}\n"),
     HEAD "a: choice 1(1)\n" TAIL "0 {\"a\":1}\n"},
};

static void restore(const struct study *study, const char *meaning)
{
    struct study again;
    struct err_list mistakes = {0};
    struct str text = {0};
    if (ok(study_restore(&again, study->text, strlen(study->text), "HERE", &mistakes) == 0,
           "it comes back from its text")) {
        describe(&again, &text);
        is_text(text.text, meaning, "it means the same");
        is_text(again.name, study->name, "and has the same name");
        study_free(&again);
    }
    err_list_free(&mistakes);
    str_free(&text);
}

static void lines_are_trials(void)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct study study;
        struct err_list mistakes = {0};
        struct str text = {0};
        write_file(good[i].text, good[i].length);
        int result = study_from_upf(&study, path, &(struct study_words){.command = WORDS("true")},
                                    &mistakes);
        for (size_t k = 0; k < mistakes.count; k++)
            printf("# %d:%d: %s\n", mistakes.items[k].line, mistakes.items[k].column,
                   mistakes.items[k].message);
        if (ok(result == 0, "%s: it is right", good[i].name)) {
            study.model.folder = "HERE";
            describe(&study, &text);
            is_text(text.text, good[i].meaning, "what it means");
            restore(&study, good[i].meaning);
            study_free(&study);
        }
        err_list_free(&mistakes);
        str_free(&text);
    }
}

static const struct {
    const char *name, *text;
    size_t length;
    const char *mistakes;
} wrong[] = {
    {"an empty file", TEXT(""), "0:0: the file has no trials: it needs one JSON object per line\n"},
    {"a file of comments", TEXT("# a\n# b\n"),
     "0:0: the file has no trials: it needs one JSON object per line\n"},
    {"lines without a hyperparameter", TEXT("{}\n{\"id\": \"a\"}\n"),
     "0:0: no line of the file has a hyperparameter\n"},
    {"a list", TEXT("[1]\n"), "1:1: an object {...} is expected\n"},
    {"a line that does not end", TEXT("{\"a\": 1}\n{\"a\": 1\n"), "2:8: ',' or '}' is expected\n"},
    {"two objects in a line", TEXT("{\"a\": 1} {\"a\": 2}\n"),
     "1:10: more text follows the value\n"},
    {"an object on two lines", TEXT("{\"a\": 1,\n\"b\": 2}\n"),
     "1:9: a string in quotes is expected\n2:1: an object {...} is expected\n"},
    {"a value without quotes", TEXT("{\"a\": adam}\n"), "1:7: a value is expected\n"},
    {"single quotes", TEXT("{'a': 1}\n"), "1:2: a string in quotes is expected\n"},
    {"a key twice", TEXT("{\"a\": 1, \"a\": 2}\n"), "1:11: this key appears twice in the line\n"},
    {"an id twice", TEXT("{\"id\": \"x\", \"a\": 1}\n\n{\"id\": \"x\", \"a\": 2}\n"),
     "3:1: the id 'x' is already used by trial 1\n"},
    {"an id that another line has by its place", TEXT("{\"id\": 1, \"a\": 1}\n{\"a\": 2}\n"),
     "2:1: the id '1' is already used by trial 1\n"},
    {"an id twice in a line", TEXT("{\"id\": 1, \"id\": 2, \"a\": 1}\n"),
     "1:12: the key 'id' appears twice\n"},
    {"an id that is a list", TEXT("{\"id\": [1], \"a\": 1}\n"),
     "1:8: 'id' must be text or a number of at most 100 bytes that has no '/' and does not start "
     "with '.'\n"},
    {"an id that leaves its folder", TEXT("{\"id\": \"../x\", \"a\": 1}\n"),
     "1:8: 'id' must be text or a number of at most 100 bytes that has no '/' and does not start "
     "with '.'\n"},
    {"a bad key", TEXT("{\"a b\": 1, \"c\": 2}\n"),
     "1:3: this key cannot be the name of a parameter: use letters, digits, _ . and -, at most 64, "
     "with a letter or _ first\n"},
    {"a zero byte in a value", TEXT("{\"a\": \"x\\u0000y\"}\n"),
     "1:7: a value cannot contain a zero byte\n"},
    {"a bad escape", TEXT("{\"a\": \"x\\qy\"}\n"), "1:7: unknown escape in a string\n"},
    {"bytes that are not UTF-8", TEXT("{\"a\": \"\xff\"}\n"), "1:8: this is not UTF-8 text\n"},
    {"a column after letters of two bytes", TEXT("{\"a\": \"\xc3\xa4\", b}\n"),
     "1:12: a string in quotes is expected\n"},
};

static void mistakes_have_their_place(void)
{
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct study study;
        struct err_list mistakes = {0};
        struct str told = {0};
        write_file(wrong[i].text, wrong[i].length);
        if (study_from_upf(&study, path, &(struct study_words){.command = WORDS("true")},
                           &mistakes) == 0)
            study_free(&study);
        for (size_t k = 0; k < mistakes.count; k++) {
            str_printf(&told, "%d:%d: %s\n", mistakes.items[k].line, mistakes.items[k].column,
                       mistakes.items[k].message);
            if (strcmp(mistakes.items[k].file, path) != 0)
                ok(false, "%s: the file is named", wrong[i].name);
        }
        is_text(str_text(&told), wrong[i].mistakes, wrong[i].name);
        err_list_free(&mistakes);
        str_free(&told);
    }
}

/* Words that cannot be combined with a parameter file. */
static void words_that_do_not_fit(void)
{
    const struct {
        struct study_words words;
        const char *message;
    } cases[] = {
        {{0}, "there is no program to run: add it after --, as in -- python3 train.py"},
        {{.command = WORDS("true"), .set = WORDS("x=1..5")},
         "the parameter file says what to try: --set does not apply"},
        {{.command = WORDS("true"), .levels = "5"},
         "a parameter file is run line by line: 'levels' does not apply"},
        {{.command = WORDS("true"), .shuffle = "true"},
         "a parameter file is run line by line: 'shuffle' does not apply"},
        {{.function = "hartmann6"},
         "the function 'hartmann6' takes the parameters x1, x2, x3, x4, x5, x6, or 6 numbers with "
         "other names"},
        {{.command = WORDS("true"), .algorithm = "random"},
         "a parameter file is run line by line: 'algorithm' does not apply"},
        {{.command = WORDS("true", "{aa}")}, "unknown name {aa} in the command: did you mean {a}?"},
        {{.command = WORDS("true", "{seed}")},
         "{seed} is ambiguous, since the parameter file has a key of this name: pass the "
         "parameters as flags"},
    };
    static const char text[] = "{\"a\": 1, \"seed\": 2}\n";
    write_file(text, sizeof text - 1);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct study study;
        struct err_list mistakes = {0};
        ok(study_from_upf(&study, path, &cases[i].words, &mistakes) == ERR_USER &&
               mistakes.count == 1,
           "there is one mistake");
        is_text(mistakes.items[0].message, cases[i].message, "it says what is wrong");
        err_list_free(&mistakes);
    }
}

static void options_and_templates(void)
{
    struct study study;
    struct err_list mistakes = {0};
    static const char text[] = "{\"a\": 1}\n{\"a\": 2}\n";
    const struct study_words words = {
        .command = WORDS("true", "{a}"), .trials = "1", .name = "mine"};
    write_file(text, sizeof text - 1);
    if (ok(study_from_upf(&study, path, &words, &mistakes) == 0, "options go with the file")) {
        ok(study.model.pass == PASS_TEMPLATE && study.search.trials == 1 &&
               study.search.list_count == 2,
           "a template, and a limit of trials");
        is_text(study.name, "mine", "the name is given");
        study_free(&study);
    }
    err_list_free(&mistakes);
}

/* Many lines, each with its own value: nothing is searched line by line. */
static void a_large_file(void)
{
    enum { LINES = 20000 };
    struct study study;
    struct err_list mistakes = {0};
    struct str text = {0};
    for (int i = 0; i < LINES; i++)
        str_printf(&text, "{\"id\": \"RUN%06d\", \"lr\": %d.5, \"batch\": %d}\n", i, i, i % 7);
    write_file(text.text, text.length);
    if (ok(study_from_upf(&study, path, &(struct study_words){.command = WORDS("true")},
                          &mistakes) == 0,
           "a large file is right")) {
        ok(study.search.list_count == LINES && study.space.parameters[0].value_count == LINES,
           "each line is a trial");
        is_text(study_upf_id(&study, LINES - 1), "RUN019999", "with its id");
        ok(!study_upf_id(&study, LINES), "and no trial behind it has one");
        study_free(&study);
    }
    err_list_free(&mistakes);
    str_free(&text);
}

int main(void)
{
    int fd = mkstemp(path);
    ok(fd >= 0, "a temporary file");
    lines_are_trials();
    mistakes_have_their_place();
    words_that_do_not_fit();
    options_and_templates();
    a_large_file();
    close(fd);
    unlink(path);
    return tap_end();
}
