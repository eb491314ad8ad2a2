/* Files: their contents, their lines, their names, and what the system knows about them. */
#include "call.h"

#include <ftw.h>
#include <limits.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

/* ---- names ---- */

static const struct call_case names[] = {
    {"dirname_string(\"/a/b/c.txt\")", "/a/b"},
    {"basename_string(\"/a/b/c.txt\")", "c.txt"},
    {"rootname_string(\"/a/b/c.txt\")", "/a/b/c"},
    {"extension_string(\"/a/b/c.txt\")", ".txt"},
    {"dirname_string(\"c.txt\")", "."},
    {"extension_string(\"c\")", ""},
    {"rootname_string(\"c\")", "c"},
    {"rootname_string(\"a.tar.gz\")", "a.tar"},
    {"extension_string(\"a.tar.gz\")", ".gz"},
    {"dirname_string(\"a/b/c.tar.gz\")", "a/b"},
    {"rootname_string(\"a/b/c.tar.gz\")", "a/b/c.tar"},
    {"rootname_string(\"a.b/c\")", "a.b/c"},
    {"extension_string(\"a.b/c\")", ""},
    {"extension_string(\"a.b/\")", ""},
    {"extension_string(\".bashrc\")", ".bashrc"},
    {"rootname_string(\"a.\")", "a"},
    {"extension_string(\"a.\")", "."},
    {"dirname_string(\"/a\")", "/"},
    {"dirname_string(\"/\")", "/"},
    {"dirname_string(\"a/b/\")", "a"},
    {"dirname_string(\"a//b\")", "a"},
    {"dirname_string(\"\")", "."},
    {"basename_string(\"a/b/\")", "b"},
    {"basename_string(\"/\")", ""},
    {"basename_string(\"\")", ""},
    {"extension_string(\"\")", ""},
    {"dirname(\"in/case1.dat\")", "in"},
    {"basename(\"in/case1.dat\")", "case1.dat"},
    {"rootname(\"in/case1.dat\")", "in/case1"},
    {"extension(\"in/case1.dat\")", ".dat"},
    {"filename(\"out/notes.txt\")", "out/notes.txt"},
    {"input_url(\"gs://there\")", "gs://there"},
    {"urlname(\"gs://there\")", "gs://there"},
};

/* ---- contents ---- */

/* Writes a file as a script would; its text is the whole of the second argument. */
static bool write_file(const char *path, const char *text)
{
    const struct leaf_value input = leaf_text(slice_of(text));
    struct leaf_value output = {.kind = LEAF_FILE, .text = slice_of(path)};
    struct arena arena = {0};
    const struct leaf_call call = {
        .inputs = &input, .input_count = 1, .outputs = &output, .arena = &arena};
    struct err e = {0};
    bool good = leaf_find("write")->run(&call, &e) == 0 && slice_is(output.text, path);
    if (!good)
        printf("# %s\n", e.message);
    arena_free(&arena);
    return good;
}

/* What is in a file. */
static void is_content(const char *path, const char *expected, const char *name)
{
    struct str text = {0};
    struct err e = {0};
    if (str_read_file(&text, path, 1000, &e) != 0)
        printf("# %s\n", e.message);
    is_text(str_text(&text), expected, name);
    str_free(&text);
}

static void is_call(const char *call, const char *expected)
{
    struct str out = {0};
    call_run(call, &out);
    is_text(str_text(&out), expected, call);
    str_free(&out);
}

static void test_contents(void)
{
    ok(write_file("out/new/notes.txt", "alpha\nbeta"), "a file is written, and its folders made");
    is_content("out/new/notes.txt", "alpha\nbeta", "exactly as it is");
    is_call("read(\"out/new/notes.txt\")", "alpha\nbeta");
    ok(write_file("out/new/notes.txt", "x"), "a file is replaced");
    is_content("out/new/notes.txt", "x", "as a whole");
    ok(write_file("empty", ""), "an empty file is written");
    is_call("read(\"empty\")", "");
    symlink("out/new/notes.txt", "link");
    ok(write_file("link", "through"), "a file is written through a link");
    is_content("out/new/notes.txt", "through", "to what the link names");
    ok(write_file("/dev/null", "nothing"), "a device is written to");
    is_call("read(\"none\")", "error: cannot read none: No such file or directory");
    is_call("read(\"out\")", "error: cannot read out: Is a directory");
    is_call("read(\"\")", "error: the path of a file is empty");
    FILE *large = fopen("large", "w");
    ok(large && ftruncate(fileno(large), (off_t)2 << 30) == 0, "a large file");
    fclose(large);
    is_call("read(\"large\")", "error: large is larger than 1073741824 bytes");
    remove("large");
}

static void test_failures(void)
{
    call_path = "empty/x/y";
    is_call("write(\"text\")", "error: cannot write empty/x/y: Not a directory");
    call_path = "out";
    is_call("write(\"text\")", "error: cannot write out: Is a directory");
    call_path = "/proc/none/x";
    is_call("write(\"text\")", "error: cannot make the folder /proc/none of the file /proc/none/x: "
                               "No such file or directory");
    call_path = "/dev/full";
    is_call("write(\"text\")", "error: cannot write /dev/full: No space left on device");
    call_path = "";
    is_call("write(\"text\")", "error: the path of a file is empty");
    call_path = NULL;
}

static void test_arrays(void)
{
    call_path = "lines/a.txt";
    is_call("write_array_string([\"x\", \"y z\"], 100)", "lines/a.txt");
    is_content("lines/a.txt", "0 x\n1 y z\n", "an array is written with its keys");
    is_call("write_array_string({7: \"x\", -1: \"y\"}, 100)", "lines/a.txt");
    is_content("lines/a.txt", "-1 y\n7 x\n", "whatever they are");
    is_call("write_array_string_ordered([\"b\", \"a\", \"\"])", "lines/a.txt");
    is_content("lines/a.txt", "b\na\n\n", "an array is written without its keys");
    is_call("write_array_string_ordered([])", "lines/a.txt");
    is_content("lines/a.txt", "", "an empty one as well");
    is_call(
        "write_array_string_ordered({0: \"a\", 2: \"b\"})",
        "error: write_array_string_ordered: the array has no member 1: its keys must be 0 to 1");
    call_path = NULL;
}

/* ---- lines and chunks ---- */

static const struct {
    const char *text, *call, *result;
} lines[] = {
    {"# site, depth, reading\nnorth, 3, 1.25\n\nsouth, 8, 2.5   # noisy\neast, 5, 0.75\n",
     "file_lines('t', '#')", "1 north, 3, 1.25 3 south, 8, 2.5 4 east, 5, 0.75"},
    {"", "file_lines('t', '#')", ""},
    {"\n\n", "file_lines('t', '#')", ""},
    {"a", "file_lines('t', '#')", "0 a"},
    {"  a\t\r\nb\r\n", "file_lines('t', '#')", "0 a 1 b"},
    {"a # b\n#c", "file_lines('t', '')", "0 a # b 1 #c"},
    {"a // b\n// c\nd / e", "file_lines('t', '//')", "0 a 2 d / e"},
    {"a;b\nc#d\ne", "file_lines('t', '[;#]')", "0 a 1 c 2 e"},
    {"# a\nb # c", "file_lines('t', '^#')", "1 b # c"},
    {"a rem b\nremark", "file_lines('t', '(rem |xyz)')", "0 a 1 remark"},
    {"aXXXb", "file_lines('t', 'X+')", "0 a"},
    {"a.b", "file_lines('t', '\\.')", "0 a"},
    {"a", "file_lines('t', '(')",
     "error: file_lines: '(' is not a regular expression: Unmatched ( or \\("},
    {"one\ntwo\n----\nthree\n----\n", "file_chunks('t', '----', '#')", "0 one\ntwo 1 three 2 "},
    {"a # b\n\n  c\n#d\n----\n", "file_chunks('t', '----', '#')", "0 a \n  c 1 "},
    {"----\na\n", "file_chunks('t', '----', '#')", "0  1 a"},
    {"a\n ----\nb\r\n----\r\nc", "file_chunks('t', '----', '#')", "0 a\n ----\nb 1 c"},
    {"a\n==\nb#c", "file_chunks('t', '==', '')", "0 a 1 b#c"},
    {"", "file_chunks('t', '----', '#')", "0 "},
    {"a", "file_chunks('t', '----', '(')",
     "error: file_chunks: '(' is not a regular expression: Unmatched ( or \\("},
};

static void test_lines(void)
{
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        write_file("t", lines[i].text);
        is_call(lines[i].call, lines[i].result);
    }
    is_call("file_lines(\"none\", \"#\")", "error: cannot read none: No such file or directory");
    is_call("file_chunks(\"none\", \"-\", \"#\")",
            "error: cannot read none: No such file or directory");
}

/* ---- what the system knows ---- */

static void test_facts(void)
{
    struct timeval times[2] = {{1234567890, 0}, {1234567890, 0}};
    write_file("facts/eleven", "alpha\nbeta\n");
    utimes("facts/eleven", times);
    symlink("nowhere", "facts/dangling");
    mkfifo("facts/fifo", 0600);
    is_call("file_exists(\"facts/eleven\")", "1");
    is_call("file_exists(\"facts\")", "1");
    is_call("file_exists(\"facts/none\")", "0");
    is_call("file_exists(\"\")", "0");
    is_call("file_size(\"facts/eleven\")", "11");
    is_call("file_size(\"facts/none\")",
            "error: file_size: file 'facts/none': No such file or directory");
    is_call("file_size0(\"facts/eleven\")", "11");
    is_call("file_size0(\"facts/none\")", "0");
    is_call("file_mtime(\"facts/eleven\")", "1234567890");
    is_call("file_mtime(\"facts/none\")",
            "error: file_mtime: file 'facts/none': No such file or directory");
    is_call("file_type_string(\"facts/eleven\")", "file");
    is_call("file_type(\"facts\")", "directory");
    is_call("file_type(\"facts/dangling\")", "link");
    is_call("file_type(\"facts/fifo\")", "fifo");
    is_call("file_type(\"/dev/null\")", "characterSpecial");
    is_call("file_type(\"facts/none\")",
            "error: file_type: file 'facts/none': No such file or directory");
    is_call("input(\"facts/eleven\")", "facts/eleven");
    is_call("input_file(\"facts/none\")", "error: input_file: file 'facts/none' does not exist");
    is_call("unsafe_uncached_input_file(\"facts/eleven/x\")",
            "error: input_file: file 'facts/eleven/x' cannot be used: Not a directory");
}

static void test_real_paths(const char *folder)
{
    char expected[PATH_MAX + 32];
    mkdir("real", 0777);
    symlink("real", "alias");
    write_file("real/x", "");
    snprintf(expected, sizeof expected, "%s/real/x", folder);
    is_call("realpath_string(\"alias/../alias/./x\")", expected);
    is_call("realpath(\"real/x\")", expected);
    snprintf(expected, sizeof expected, "%s/real/new", folder);
    is_call("realpath_string(\"alias/new\")", expected);
    is_call("realpath_string(\"none/new\")",
            "error: realpath: file 'none/new': No such file or directory");
    is_call("realpath_string(\"/none\")", "/none");
    is_call("realpath_string(\"/\")", "/");
}

/* ---- glob() ---- */

static const struct call_case globs[] = {
    {"glob(\"in/*.dat\")", "0 in/case1.dat 1 in/case2.dat 2 in/case3.dat"},
    {"glob(\"in/*.zip\")", ""},
    {"glob(\"none/*\")", ""},
    {"glob(\"in/readme\")", "0 in/readme"},
    {"glob(\"in/none\")", ""},
    {"glob(\"\")", ""},
    {"glob(\"in/case?.dat\")", "0 in/case1.dat 1 in/case2.dat 2 in/case3.dat"},
    {"glob(\"in/case??.dat\")", ""},
    {"glob(\"in/case[13].dat\")", "0 in/case1.dat 1 in/case3.dat"},
    {"glob(\"in/case[2-9].dat\")", "0 in/case2.dat 1 in/case3.dat"},
    {"glob(\"in/case[!2-9].dat\")", "0 in/case1.dat"},
    {"glob(\"in/case[1.dat\")", ""},
    {"glob(\"in/{case1,case3,none}.dat\")", "0 in/case1.dat 1 in/case3.dat"},
    {"glob(\"{in,odd}/{r*,x{1,2}}\")", "0 in/readme 1 odd/x1 2 odd/x2"},
    {"glob(\"in/{case1,*1}.dat\")", "0 in/case1.dat"},
    {"glob(\"in/case{,1}.dat\")", "0 in/case1.dat"},
    {"glob(\"*/x1\")", "0 odd/x1"},
    {"glob(\"*/deep/*\")", "0 odd/deep/y"},
    {"glob(\"odd/*\")",
     "0 odd/a*b 1 odd/axb 2 odd/b[1] 3 odd/c{d,e} 4 odd/deep 5 odd/x1 6 odd/x2 7 "
     "odd/\xc3\xa9"},
    {"glob(\"odd/*/\")", "0 odd/deep/"},
    {"glob(\"odd//deep\")", "0 odd//deep"},
    {"glob(\"odd/.*\")", "0 odd/.hidden"},
    {"glob(\"odd/*hidden\")", ""},
    {"glob(\"odd/a\\*b\")", "0 odd/a*b"},
    {"glob(\"odd/a[*]b\")", "0 odd/a*b"},
    {"glob(\"odd/b\\[1]\")", "0 odd/b[1]"},
    {"glob(\"odd/b[[]1[]]\")", "0 odd/b[1]"},
    {"glob(\"odd/c\\{d,e\\}\")", "0 odd/c{d,e}"},
    {"glob(\"odd/?\")", "0 odd/\xc3\xa9"},
    {"glob(\"odd/[\xc3\xa0-\xc3\xaf]\")", "0 odd/\xc3\xa9"},
    {"glob(\"odd/{x1\")", "error: glob: '{' is not closed in 'odd/{x1'"},
    {"glob(\"odd/x1}\")", ""},
    {"glob(\"{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}\")",
     "error: glob: the braces in '{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}"
     "{a,b}{a,b}' have more than 10000 combinations"},
    {"glob(\"odd/*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*x*y\")", ""},
};

static void test_glob(const char *folder)
{
    static const char *const paths[] = {
        "in/case1.dat", "in/case2.dat", "in/case3.dat", "in/readme",  "odd/.hidden",
        "odd/a*b",      "odd/axb",      "odd/b[1]",     "odd/c{d,e}", "odd/x1",
        "odd/x2",       "odd/\xc3\xa9", "odd/deep/y"};
    for (size_t i = 0; i < sizeof paths / sizeof *paths; i++)
        write_file(paths[i], "");
    CALL_CHECK(globs);
    char call[PATH_MAX + 32], expected[PATH_MAX + 32];
    snprintf(call, sizeof call, "glob(\"%s/[i]n/readme\")", folder);
    snprintf(expected, sizeof expected, "0 %s/in/readme", folder);
    is_call(call, expected);
    is_call("glob(\"/de[v]/nul?\")", "0 /dev/null");
}

/* ---- temporary files ---- */

static void test_temporary(void)
{
    struct str path = {0};
    struct stat info;
    mkdir("tmp", 0777);
    setenv("TMP", "/nowhere", 1);
    setenv("SWIFT_TMP", "tmp", 1);
    call_run("mktemp_string()", &path);
    ok(strncmp(path.text, "tmp/", 4) == 0 && strstr(path.text, ".turbine"),
       "a temporary file has its folder and its ending");
    ok(stat(path.text, &info) == 0 && info.st_size == 0, "it exists and is empty");
    str_free(&path);
    unsetenv("SWIFT_TMP");
    is_call("mktemp_string()",
            "error: mktemp_string: cannot make a file in /nowhere: No such file or directory");
    setenv("TMP", "tmp", 1);
    call_path = "tmp/made.turbine";
    is_call("mktemp()", "tmp/made.turbine");
    call_path = NULL;
    is_content("tmp/made.turbine", "", "mktemp() makes an empty file");
}

static int remove_one(const char *path, const struct stat *info, int type, struct FTW *at)
{
    (void)info;
    (void)type;
    (void)at;
    return remove(path);
}

int main(void)
{
    char folder[256], real[PATH_MAX];
    CALL_CHECK(names);
    if (!ok(tap_folder(folder, sizeof folder) && chdir(folder) == 0 && getcwd(real, sizeof real),
            "a folder"))
        return tap_end();
    test_contents();
    test_failures();
    test_arrays();
    test_lines();
    test_facts();
    test_real_paths(real);
    test_glob(real);
    test_temporary();
    ok(nftw(real, remove_one, 16, FTW_DEPTH | FTW_PHYS) == 0, "nothing is left behind");
    return tap_end();
}
