/* str - slices, growing text, the nearest word, durations, files. */
#include "base/base.h"
#include "tap.h"

#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static void text_grows(void)
{
    struct str s = {0};
    is_text(str_text(&s), "", "nothing was appended: the text is empty");
    str_add(&s, "abc");
    str_add_char(&s, 'd');
    str_add_bytes(&s, "\0e", 2);
    str_add_bytes(&s, NULL, 0);
    ok(s.length == 6 && memcmp(s.text, "abcd\0e", 7) == 0, "bytes are appended, zero after them");
    str_clear(&s);
    str_printf(&s, "%d-%s", 12, "x");
    is_text(s.text, "12-x", "printf appends after a clear");
    for (int i = 0; i < 10000; i++)
        str_printf(&s, ",%d", i);
    ok(s.length == 4 + 48890 && strlen(s.text) == s.length, "it grows as far as it must");
    str_free(&s);
    ok(!s.text && s.length == 0 && s.capacity == 0, "free makes it new");
    str_clear(&s);
    is_text(str_text(&s), "", "clear of a new one is fine");
}

static void begins_are_dropped(void)
{
    struct str s = {0};
    str_drop(&s, 0);
    str_add(&s, "one two");
    str_drop(&s, 4);
    is_text(s.text, "two", "the begin is gone");
    str_drop(&s, 3);
    ok(s.length == 0 && s.text[0] == 0, "all may be dropped");
    str_free(&s);
}

static void slices_are_compared(void)
{
    ok(slice_is(slice_of("abc"), "abc"), "same texts");
    ok(!slice_is(slice_of("abc"), "abd"), "another letter");
    ok(!slice_is(slice_of("abc"), "abcd"), "a longer text");
    ok(!slice_is(slice_of("abc"), "ab"), "a shorter text");
    ok(slice_is((struct slice){"abcdef", 3}, "abc"), "a slice ends where it says");
    ok(slice_is((struct slice){NULL, 0}, ""), "the slice of an empty str is empty");
    ok(slice_is(slice_last_line(slice_of("one\ntwo three \n\r\n")), "two three"), "the last line");
    ok(slice_is(slice_last_line(slice_of("10%\r20%")), "20%"), "a carriage return ends a line");
    ok(slice_is(slice_last_line(slice_of(" \n")), ""), "a blank text has no last line");
}

static void the_nearest_word_is_found(void)
{
    static const char *const words[] = {"trials",  "time",  "target",        "seed",
                                        "workers", "sobol", "learning_rate", NULL};
    static const struct {
        const char *word, *nearest;
    } cases[] = {
        {"trails", "trials"},
        {"trial", "trials"},
        {"trialss", "trials"},
        {"TRIALS", "trials"},
        {"Sobol", "sobol"},
        {"soobl", "sobol"},
        {"learn", "learning_rate"},
        {"learning-rate", "learning_rate"},
        {"worker", "workers"},
        {"sed", "seed"},
        {"sd", NULL},
        {"x", NULL},
        {"", NULL},
        {"zzzzzz", NULL},
        {"quite another thing", NULL},
        {"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
         "aa",
         NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *nearest = str_nearest(cases[i].word, words);
        is_text(nearest ? nearest : "(none)", cases[i].nearest ? cases[i].nearest : "(none)",
                cases[i].word);
    }
    ok(!str_nearest("trials", (const char *const[]){NULL}), "no words, none is near");
}

static void durations_are_said(void)
{
    static const struct {
        double seconds;
        const char *text;
    } cases[] = {
        {0, "0.00 s"},
        {0.0049, "0.00 s"},
        {0.524, "0.52 s"},
        {9.5, "9.50 s"},
        {42, "42 s"},
        {99, "99 s"},
        {200, "3 min 20 s"},
        {3599.4, "59 min 59 s"},
        {3599.6, "1 h 0 min"},
        {7500, "2 h 5 min"},
        {86400, "24 h 0 min"},
        {2 * 86400 + 3600, "2 days 1 h"},
        {1e9, "11574 days 1 h"},
        {-1.5, "-1.50 s"},
        {INFINITY, "forever"},
        {1e300, "forever"},
        {NAN, "unknown"},
    };
    struct str s = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        str_clear(&s);
        str_add_duration(&s, cases[i].seconds);
        is_text(s.text, cases[i].text, cases[i].text);
    }
    str_free(&s);
}

static void files_are_written_and_read(const char *folder)
{
    char path[300];
    struct err e = {0};
    struct str s = {0}, large = {0};
    snprintf(path, sizeof path, "%s/a", folder);
    ok(str_write_file(path, "one\0two", 7, &e) == 0, "a file is written");
    str_add(&s, "before ");
    ok(str_read_file(&s, path, 1000, &e) == 0 && s.length == 14, "and read, after what was there");
    ok(memcmp(s.text, "before one\0two", 15) == 0, "with all its bytes");
    ok(str_write_file(path, "new", 3, &e) == 0, "it is replaced");
    str_clear(&s);
    ok(str_read_file(&s, path, 3, &e) == 0, "a file as large as the limit is read");
    is_text(s.text, "new", "the new text is there");
    ok(str_write_file(path, NULL, 0, &e) == 0, "a file may be empty");
    str_clear(&s);
    ok(str_read_file(&s, path, 0, &e) == 0 && s.length == 0 && s.text[0] == 0, "and is read so");
    for (int i = 0; i < 300000; i++)
        str_add_char(&large, (char)('a' + i % 26));
    ok(str_write_file(path, large.text, large.length, &e) == 0, "a large file is written");
    str_clear(&s);
    ok(str_read_file(&s, path, large.length, &e) == 0 && s.length == large.length &&
           memcmp(s.text, large.text, s.length) == 0,
       "and read");
    str_free(&s);
    str_free(&large);
}

static void links_are_replaced(const char *folder)
{
    char path[300], link[300];
    struct err e = {0};
    struct str s = {0};
    struct stat status;
    snprintf(path, sizeof path, "%s/a", folder);
    snprintf(link, sizeof link, "%s/link", folder);
    ok(str_write_file(path, "precious", 8, &e) == 0, "a file");
    ok(symlink("a", link) == 0 && str_write_file(link, "new", 3, &e) == 0, "write to a link");
    ok(lstat(link, &status) == 0 && S_ISREG(status.st_mode), "the link becomes a file");
    ok(str_read_file(&s, path, 100, &e) == 0, "what it led to is read");
    is_text(s.text, "precious", "and is as it was");
    unlink(link);
    ok(mkfifo(link, 0600) == 0 && str_write_file(link, "new", 3, &e) == 0, "so does a pipe");
    ok(lstat(link, &status) == 0 && S_ISREG(status.st_mode), "without waiting for a reader");
    unlink(link);
    str_free(&s);
}

static void temporary_names_are_new(const char *folder)
{
    char path[300];
    struct str first = {0}, second = {0};
    snprintf(path, sizeof path, "%s/a", folder);
    struct stat info = {0};
    int one = str_create_beside(&first, path, 0666), two = str_create_beside(&second, path, 0600);
    ok(one >= 0 && two >= 0, "two files for the same place");
    ok(strcmp(str_text(&first), str_text(&second)) != 0, "have different names");
    ok(strncmp(str_text(&first), path, strlen(path)) == 0, "in its folder");
    ok(fstat(two, &info) == 0 && (info.st_mode & 0777) == 0600,
       "and the mode that they should have");
    close(one);
    close(two);
    unlink(str_text(&first));
    unlink(str_text(&second));
    str_free(&first);
    str_free(&second);
}

/* How many names the folder has that start with b. */
static int count_b(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    for (struct dirent *entry; dir && (entry = readdir(dir));)
        count += entry->d_name[0] == 'b';
    if (dir)
        closedir(dir);
    return count;
}

static void file_errors_are_told(const char *folder)
{
    char path[300], deep[320];
    struct err e = {0};
    struct str s = {0};
    snprintf(path, sizeof path, "%s/b", folder);
    ok(str_read_file(&s, path, 10, &e) == ERR_SYSTEM, "a missing file cannot be read");
    ok(strstr(e.message, "cannot read ") && strstr(e.message, "/b: No such file"), "and why");
    ok(str_read_file(&s, folder, 10, &e) == ERR_SYSTEM && strstr(e.message, "s a directory"),
       "a folder cannot be read");
    snprintf(deep, sizeof deep, "%s/b/c", folder);
    ok(str_write_file(deep, "x", 1, &e) == ERR_SYSTEM, "no file in a missing folder");
    ok(strstr(e.message, "cannot write ") && strstr(e.message, "No such file"), "and why");
    ok(mkdir(path, 0777) == 0 && str_write_file(path, "x", 1, &e) == ERR_SYSTEM,
       "a folder is not replaced by a file");
    rmdir(path);
    ok(count_b(folder) == 0, "and its temporary file is gone");
    ok(str_write_file(path, "12345", 5, &e) == 0, "a file of 5 bytes");
    ok(str_read_file(&s, path, 4, &e) == ERR_USER && strstr(e.message, "larger than 4 bytes"),
       "is larger than 4 bytes");
    unlink(path);
    struct rlimit old, tight = {3, 3};
    getrlimit(RLIMIT_FSIZE, &old);
    tight.rlim_max = old.rlim_max;
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tight);
    int result = str_write_file(path, "12345", 5, &e);
    setrlimit(RLIMIT_FSIZE, &old);
    ok(result == ERR_SYSTEM && strstr(e.message, "File too large"), "a full disk is an error");
    ok(access(path, F_OK) != 0, "and no half of a file appears");
    str_free(&s);
}

int main(void)
{
    char folder[] = "/tmp/wick-str-XXXXXX";
    text_grows();
    begins_are_dropped();
    slices_are_compared();
    the_nearest_word_is_found();
    durations_are_said();
    if (!ok(mkdtemp(folder) != NULL, "a folder for the files"))
        return tap_end();
    files_are_written_and_read(folder);
    links_are_replaced(folder);
    temporary_names_are_new(folder);
    file_errors_are_told(folder);
    char path[300];
    snprintf(path, sizeof path, "%s/a", folder);
    unlink(path);
    ok(rmdir(folder) == 0, "nothing is left behind");
    return tap_end();
}
