/* Whether a script takes a parameter as an option, judging by its text. */
#include "script/script.h"

#include "tap.h"

#include <unistd.h>

#define PARSER "p = argparse.ArgumentParser()\n"
#define LR     "p.add_argument('--lr', type=float)\n"
#define PARSE  "args = p.parse_args()\n"

static const struct {
    const char *text, *parameter;
    bool takes;
    const char *meant; /* NULL: none */
} cases[] = {
    {PARSER LR PARSE, "lr", true, NULL},
    {PARSER LR PARSE, "dropout", false, NULL},
    {PARSER LR "p.add_argument(\"--momentum\")\n" PARSE, "momentun", false, "momentum"},
    {PARSER LR "p.add_argument('--weight-decay')\n" PARSE "args.weight_decay", "weight_decay",
     false, "weight-decay"},
    {PARSER "p.add_argument('--batch_size')\n" PARSE, "batch", true, NULL},
    {PARSER LR "for n in ('dropout', 'width'):\n  p.add_argument('-' + n)\n" PARSE, "width", true,
     NULL},
    {PARSER LR "for n in names: p.add_argument(f'--{n}')\n" PARSE, "width", true, NULL},
    {PARSER LR "for n in names: p.add_argument('--' + n)\n" PARSE, "width", true, NULL},
    {PARSER LR "args, rest = p.parse_known_args()\n", "width", true, NULL},
    {PARSER LR "args, _ = p.parse_known_args()\n", "width", false, NULL},
    {PARSER LR "args = p.parse_known_args()[0]\n", "width", false, NULL},
    {PARSER LR "models.add_options(p)\n" PARSE, "width", true, NULL},
    {PARSER LR "models.add_options(parser=p)\n" PARSE, "width", true, NULL},
    {PARSER LR "import json, os; json.load(open(os.environ['WICK_PARAMS']))\n", "width", true,
     NULL},
    {PARSER LR PARSE "train(**kwargs)\n", "width", true, NULL},
    {"return argparse.ArgumentParser()\n" LR, "width", true, NULL},
    {"import sys\nlr = float(sys.argv[2])\n", "width", true, NULL},
    {"print('score: 1')\n", "width", true, NULL},
    {"os.system('tool --fast')\n", "width", true, NULL},
    {"@click.option('--lr')\ndef main(lr): pass\n", "width", false, NULL},
    {"option_list <- list(make_option(c('-l', '--lr')))\n", "width", false, NULL},
};

static bool write_text(const char *path, const char *text)
{
    struct err e = {0};
    return str_write_file(path, text, strlen(text), &e) == 0;
}

int main(void)
{
    char path[] = "/tmp/script-options-XXXXXX";
    int descriptor = mkstemp(path);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct script script;
        const char *meant = NULL;
        bool is_read = write_text(path, cases[i].text) && script_read(&script, path);
        bool takes = is_read && script_takes(&script, cases[i].parameter, &meant);
        bool same = cases[i].meant ? meant && strcmp(meant, cases[i].meant) == 0 : takes || !meant;
        ok(is_read && takes == cases[i].takes && same, "case %zu: --%s %s", i, cases[i].parameter,
           takes ? "may be taken" : "is not taken");
        script_free(&script);
    }
    struct script script;
    ok(!script_read(&script, "/nowhere/train.py"), "a file that is not there");
    ok(write_text(path, "") && !script_read(&script, path), "an empty file");
    close(descriptor);
    unlink(path);
    return tap_end();
}
