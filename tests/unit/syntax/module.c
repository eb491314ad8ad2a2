/* Modules: where they are found, in which order they come, and what is said if one is missing. */
#include "syntax/module.h"

#include "tap.h"

#include <errno.h>
#include <ftw.h>
#include <sys/stat.h>
#include <unistd.h>

/* What came of a script. */
struct result {
    int code;
    struct str modules;            /* their names, in order; those of the library in brackets */
    struct str mistakes, warnings; /* a message per line: "FILE:LINE: message" */
};

static void show_list(struct str *out, const struct err_list *list)
{
    for (size_t i = 0; i < list->count && i < ERR_LIST_LIMIT; i++)
        str_printf(out, "%s%s:%d: %s", i > 0 ? "\n" : "", list->items[i].file, list->items[i].line,
                   list->items[i].message);
}

static void run(struct result *result, const char *text, const struct syntax_options *options)
{
    struct script script = {0};
    struct sources sources = {0};
    struct arena arena = {0};
    struct syntax_report report = {0};
    *result = (struct result){0};
    result->code =
        module_load(&script, &sources, "a.swift", slice_of(text), options, &arena, &report);
    for (size_t i = 0; i < script.module_count; i++)
        str_printf(&result->modules, script.modules[i]->builtin ? "%s[%.*s]" : "%s%.*s",
                   i > 0 ? " " : "", (int)script.modules[i]->name.length,
                   script.modules[i]->name.text);
    show_list(&result->mistakes, &report.mistakes);
    show_list(&result->warnings, &report.warnings);
    free(script.modules);
    arena_free(&arena);
    source_free(&sources);
    err_list_free(&report.mistakes);
    err_list_free(&report.warnings);
}

static void end(struct result *result)
{
    str_free(&result->modules);
    str_free(&result->mistakes);
    str_free(&result->warnings);
}

/* Writes a file below the current folder. */
static void put(const char *path, const char *text)
{
    struct err e = {0};
    struct str folder = {0};
    for (const char *at = path; (at = strchr(at, '/')); at++) {
        str_clear(&folder);
        str_add_bytes(&folder, path, (size_t)(at - path));
        if (mkdir(folder.text, 0777) && errno != EEXIST)
            BUG("cannot make %s", folder.text);
    }
    str_free(&folder);
    if (str_write_file(path, text, strlen(text), &e))
        BUG("%s", e.message);
}

static void put_files(void)
{
    put("one.swift", "import two; int one;");
    put("two.swift", "import one; int two;"); /* a circle */
    put("here.swift", "int here;");
    put("io.swift", "int mine;"); /* hidden by the library */
    put("pkg/sub/name.swift", "import \"pkg/other\";");
    put("pkg/other.swift", "");
    put("first/both.swift", "import one;");
    put("second/both.swift", "import two;");
    put("second/far.swift", "");
    put("wrong.swift", "int a;\nint b = ;\n");
    put("letters.swift", "\nint ä; int b = ;");
    put("directives.swift", "# a comment\n#define N 3\nint a = 3;\n#define M 3\n");
    put("folder.swift/x", "");
}

static const char *const folders[] = {"first", "second", NULL};
static const char *const imports[] = {"here", "io", NULL};
static const char *const missing[] = {"strin", NULL};

static const struct {
    const char *name, *text, *modules;
    struct syntax_options options;
} good[] = {
    {"the builtins are always there", "", "[builtins] ", {0}},
    {"a module of the library", "import io;", "[builtins] [io] ", {0}},
    {"a module is loaded once", "import io; import io; import \"io\";", "[builtins] [io] ", {0}},
    {"a module comes behind what it imports",
     "import one; import here;",
     "[builtins] two one here ",
     {0}},
    {"an import may stand behind its use", "f(); import here;", "[builtins] here ", {0}},
    {"points are folders", "import pkg.sub.name;", "[builtins] pkg/other pkg.sub.name ", {0}},
    {"so are slashes in quotes",
     "import \"pkg/sub/name\"; import pkg.sub.name; import pkg.other;",
     "[builtins] pkg/other pkg/sub/name ",
     {0}},
    {"folders of -I in their order",
     "import both; import far;",
     "[builtins] two one both far ",
     {.folders = folders}},
    {"imports of -i come first",
     "import io; import one;",
     "[builtins] here [io] two one ",
     {.imports = imports}},
    {"the script is preprocessed", "#define M here\nimport M;", "[builtins] here ", {0}},
    {"with -p, lines that start with # are comments",
     "#define M here\nimport one;",
     "[builtins] two one ",
     {.raw = true}},
};

static void test_found(void)
{
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        struct result result;
        run(&result, good[i].text, &good[i].options);
        ok(result.code == 0, "%s: loads", good[i].name);
        is_text(str_text(&result.modules), good[i].modules, good[i].name);
        is_text(str_text(&result.mistakes), "", "it has no mistakes");
        end(&result);
    }
}

static const struct {
    const char *name, *text, *mistakes;
    int code;
    struct syntax_options options;
} bad[] = {
    {"a missing module",
     "\nimport nothing.at.all;",
     "a.swift:2: could not find module nothing.at.all in the search path [the library, .]",
     ERR_USER,
     {0}},
    {"a misspelt module",
     "import strng;",
     "a.swift:1: could not find module strng in the search path [the library, first, second, .]: "
     "did "
     "you mean 'string'?",
     ERR_USER,
     {.folders = folders}},
    {"a missing module is reported once",
     "import x.y;\nimport x.y;",
     "a.swift:1: could not find module x.y in the search path [the library, .]",
     ERR_USER,
     {0}},
    {"a missing module of the command line",
     "",
     ":0: could not find module strin (option -i) in the search path [the library, .]: did you "
     "mean "
     "'string'?",
     ERR_USER,
     {.imports = missing}},
    {"a mistake in a module",
     "import wrong;\nint c = ;",
     "a.swift:2: an expression is expected here, not ';'\n"
     "wrong.swift:2: an expression is expected here, not ';'",
     ERR_USER,
     {0}},
    {"after a wrong character, the text is not parsed",
     "import letters;",
     "letters.swift:2: unexpected character 'ä': only ASCII characters are allowed outside "
     "strings",
     ERR_USER,
     {0}},
    {"a folder with the name of a module",
     "import folder;",
     "a.swift:1: cannot read folder.swift: it is not a regular file; move it away",
     ERR_SYSTEM,
     {0}},
    {"a zero byte in a name",
     "import \"a\\0b\";",
     "a.swift:1: the name of a module cannot contain a zero byte",
     ERR_USER,
     {0}},
    {"a mistake of the preprocessor",
     "#error no\nimport nothing;",
     "a.swift:1: #error no",
     ERR_USER,
     {0}},
};

static void test_mistakes(void)
{
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct result result;
        run(&result, bad[i].text, &bad[i].options);
        ok(result.code == bad[i].code, "%s: %d", bad[i].name, result.code);
        is_text(str_text(&result.mistakes), bad[i].mistakes, bad[i].name);
        end(&result);
    }
}

static void test_directives(void)
{
    struct syntax_options options = {0};
    struct result result;
    run(&result, "import directives;", &options);
    ok(result.code == 0, "a module with lines for the preprocessor");
    is_text(str_text(&result.warnings),
            "directives.swift:2: modules are not preprocessed: this line has no effect",
            "the first of them is warned of");
    end(&result);
}

/* Modules m0 to m150, each of which imports the next one. */
static void test_depth(void)
{
    struct syntax_options options = {0};
    struct result result;
    for (int i = 0; i <= 150; i++) {
        char path[32], text[32];
        snprintf(path, sizeof path, "m%d.swift", i);
        snprintf(text, sizeof text, i < 150 ? "import m%d;" : "// %d", i + 1);
        put(path, text);
    }
    run(&result, "import m60;", &options);
    ok(result.code == 0, "ninety modules in a row");
    end(&result);
    run(&result, "import m0;", &options);
    is_text(str_text(&result.mistakes),
            "m99.swift:1: more than 100 modules import each other in a row", "too many in a row");
    end(&result);
}

static void test_library(void)
{
    ok(module_library(slice_of("builtins")) != NULL, "the builtins are in the library");
    ok(strstr(module_library(slice_of("io")), "printf") != NULL, "so is the text of io");
    ok(module_library(slice_of("io.swift")) == NULL && module_library(slice_of("")) == NULL,
       "but nothing else");
}

/* All modules of the library can be imported together. */
static void test_whole_library(void)
{
    static const char *const all[] = {
        "assert", "blob",       "files", "io",     "json", "julia",  "jvm",
        "launch", "location",   "math",  "matrix", "mpe",  "python", "R",
        "random", "reductions", "stats", "string", "sys",  "unix",   NULL};
    struct syntax_options options = {.imports = all};
    struct result result;
    run(&result, "", &options);
    ok(result.code == 0, "the whole library loads");
    is_text(str_text(&result.mistakes), "", "it has no mistakes");
    is_text(str_text(&result.warnings), "", "it has no warnings");
    end(&result);
}

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *place)
{
    (void)info;
    (void)kind;
    (void)place;
    return remove(path);
}

int main(void)
{
    char path[100];
    if (!tap_folder(path, sizeof path) || chdir(path))
        return tap_skip("there is no folder for files");
    put_files();
    test_found();
    test_mistakes();
    test_directives();
    test_depth();
    test_library();
    test_whole_library();
    nftw(path, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return tap_end();
}
