/* files.c - files: their contents, the parts of their names, and what the system knows of them. */
#include "leaf/files.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

enum { FILE_LIMIT = 1 << 30 }; /* bytes of a file that becomes a string or blob */

/* ---- whole files ---- */

const char *leaf_file_path(const struct leaf_call *call, const struct leaf_value *value,
                           struct err *e)
{
    struct slice path = value->text;
    if (path.length == 0)
        err_set(e, ERR_USER, "the path of a file is empty");
    else if (memchr(path.text, 0, path.length))
        err_set(e, ERR_USER, "the path '%s' contains a zero byte", leaf_excerpt(path, call->arena));
    else
        return arena_copy(call->arena, path.text, path.length);
    return NULL;
}

/* A file that cannot be used is a mistake of the script or of who runs it. */
static int mistake(struct err *e)
{
    e->code = ERR_USER;
    return ERR_USER;
}

int leaf_file_load(const struct leaf_call *call, struct slice *content, struct err *e)
{
    struct str text = {0};
    const char *path = leaf_file_path(call, &call->inputs[0], e);
    if (!path)
        return ERR_USER;
    if (str_read_file(&text, path, FILE_LIMIT, e) != 0) {
        str_free(&text);
        return mistake(e);
    }
    *content = leaf_take(&text, call->arena).text;
    return 0;
}

/* Makes the folders of a path; false and errno, with *path cut to the folder that failed. */
static bool make_folders(char *path)
{
    for (char *slash = strchr(path + 1, '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (mkdir(path, 0777) != 0 && errno != EEXIST)
            return false;
        *slash = '/';
    }
    return true;
}

/*
 * Opens a file to write it from its start. What exists is written in place: it may be a device, or
 * a link to somewhere else.
 */
static int open_new(const struct leaf_call *call, const char *path, struct err *e)
{
    int flags = O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC;
    int fd = open(path, flags, 0666);
    if (fd < 0 && errno == ENOENT) {
        char *folder = arena_copy(call->arena, path, strlen(path));
        if (!make_folders(folder)) {
            err_system(e, "cannot make the folder %s of the file %s", folder, path);
            return -1;
        }
        fd = open(path, flags, 0666);
    }
    if (fd < 0)
        err_system(e, "cannot write %s", path);
    return fd;
}

static bool write_all(int fd, struct slice content)
{
    while (content.length > 0) {
        ssize_t done = write(fd, content.text, content.length);
        if (done < 0 && errno == EINTR)
            continue;
        if (done < 0)
            return false;
        content = (struct slice){content.text + done, content.length - (size_t)done};
    }
    return true;
}

int leaf_file_save(const struct leaf_call *call, struct slice content, struct err *e)
{
    const char *path = leaf_file_path(call, &call->outputs[0], e);
    int fd = path ? open_new(call, path, e) : -1;
    if (fd < 0)
        return mistake(e);
    bool good = write_all(fd, content);
    if (!good)
        err_system(e, "cannot write %s", path);
    if (close(fd) != 0 && good) {
        good = false;
        err_system(e, "cannot write %s", path);
    }
    return good ? 0 : mistake(e);
}

/* ---- reading and writing ---- */

static int run_read(const struct leaf_call *call, struct err *e)
{
    struct slice content;
    int failed = leaf_file_load(call, &content, e);
    return failed ? failed : leaf_give(call, leaf_text(content));
}

static int run_write(const struct leaf_call *call, struct err *e)
{
    return leaf_file_save(call, call->inputs[0].text, e);
}

static int save_lines(const struct leaf_call *call, struct str *lines, struct err *e)
{
    int result = leaf_file_save(call, (struct slice){str_text(lines), lines->length}, e);
    str_free(lines);
    return result;
}

static int run_write_array_string(const struct leaf_call *call, struct err *e)
{
    const struct leaf_members *members = call->inputs[0].members;
    struct str lines = {0};
    for (size_t i = 0; i < members->count; i++) {
        leaf_show(&lines, &members->items[i].key);
        str_add_char(&lines, ' ');
        leaf_show(&lines, &members->items[i].value);
        str_add_char(&lines, '\n');
    }
    return save_lines(call, &lines, e);
}

static int run_write_array_string_ordered(const struct leaf_call *call, struct err *e)
{
    const struct leaf_members *members = call->inputs[0].members;
    struct str lines = {0};
    for (size_t i = 0; i < members->count; i++) {
        if (members->items[i].key.whole != (int64_t)i) {
            str_free(&lines);
            return err_set(e, ERR_USER,
                           "write_array_string_ordered: the array has no member %zu: its keys must "
                           "be 0 to %zu",
                           i, members->count - 1);
        }
        leaf_show(&lines, &members->items[i].value);
        str_add_char(&lines, '\n');
    }
    return save_lines(call, &lines, e);
}

/* ---- files that exist, and temporary ones ---- */

static struct leaf_value file_at(const char *path)
{
    return (struct leaf_value){.kind = LEAF_FILE, .text = slice_of(path)};
}

static int run_input(const struct leaf_call *call, struct err *e)
{
    struct stat info;
    const char *path = leaf_file_path(call, &call->inputs[0], e);
    if (!path)
        return ERR_USER;
    if (stat(path, &info) == 0)
        return leaf_give(call, file_at(path));
    if (errno == ENOENT)
        return err_set(e, ERR_USER, "input_file: file '%s' does not exist", path);
    err_system(e, "input_file: file '%s' cannot be used", path);
    return mistake(e);
}

static int run_input_url(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, (struct leaf_value){.kind = LEAF_URL, .text = call->inputs[0].text});
}

/* filename(), urlname() */
static int run_filename(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_text(call->inputs[0].text));
}

static const char *temporary_folder(void)
{
    static const char *const names[] = {"SWIFT_TMP", "TMP"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *folder = getenv(names[i]);
        if (folder && *folder)
            return folder;
    }
    return "/tmp";
}

static int run_mktemp_string(const struct leaf_call *call, struct err *e)
{
    static const char suffix[] = ".turbine";
    char *path = arena_printf(call->arena, "%s/swift-XXXXXX%s", temporary_folder(), suffix);
    int fd = mkostemps(path, (int)sizeof suffix - 1, O_CLOEXEC);
    if (fd < 0) {
        err_system(e, "mktemp_string: cannot make a file in %s", temporary_folder());
        return mistake(e);
    }
    close(fd);
    return leaf_give(call, leaf_text(slice_of(path)));
}

static int run_mktemp(const struct leaf_call *call, struct err *e)
{
    return leaf_file_save(call, slice_of(""), e);
}

/* ---- what the system knows ---- */

/* Looks at the file of the first input; `name` is the function's. */
static int look(const struct leaf_call *call, const char *name, struct stat *info, struct err *e)
{
    const char *path = leaf_file_path(call, &call->inputs[0], e);
    if (!path)
        return ERR_USER;
    if (stat(path, info) == 0)
        return 0;
    err_system(e, "%s: file '%s'", name, path);
    return mistake(e);
}

static int run_file_exists(const struct leaf_call *call, struct err *e)
{
    struct stat info;
    struct err ignored = {0};
    (void)e;
    return leaf_give(call, leaf_truth(look(call, "file_exists", &info, &ignored) == 0));
}

static int run_file_size(const struct leaf_call *call, struct err *e)
{
    struct stat info;
    int failed = look(call, "file_size", &info, e);
    return failed ? failed : leaf_give(call, leaf_whole(info.st_size));
}

static int run_file_size0(const struct leaf_call *call, struct err *e)
{
    struct stat info;
    struct err ignored = {0};
    (void)e;
    bool exists = look(call, "file_size0", &info, &ignored) == 0;
    return leaf_give(call, leaf_whole(exists ? info.st_size : 0));
}

static int run_file_mtime(const struct leaf_call *call, struct err *e)
{
    struct stat info;
    int failed = look(call, "file_mtime", &info, e);
    return failed ? failed : leaf_give(call, leaf_whole(info.st_mtime));
}

static const char *type_name(mode_t mode)
{
    switch (mode & S_IFMT) {
    case S_IFDIR: return "directory";
    case S_IFLNK: return "link";
    case S_IFIFO: return "fifo";
    case S_IFSOCK: return "socket";
    case S_IFCHR: return "characterSpecial";
    case S_IFBLK: return "blockSpecial";
    default: return "file";
    }
}

/* A link is a type of its own here, so it is not followed. */
static int run_file_type(const struct leaf_call *call, struct err *e)
{
    struct stat info;
    const char *path = leaf_file_path(call, &call->inputs[0], e);
    if (!path)
        return ERR_USER;
    if (lstat(path, &info) == 0)
        return leaf_give(call, leaf_text(slice_of(type_name(info.st_mode))));
    err_system(e, "file_type: file '%s'", path);
    return mistake(e);
}

/* ---- the parts of a name, without a look at the disk ---- */

/* The number of bytes up to and with the last slash. */
static size_t folder_length(struct slice path)
{
    const char *slash = path.length > 0 ? memrchr(path.text, '/', path.length) : NULL;
    return slash ? (size_t)(slash - path.text) + 1 : 0;
}

/* Without slashes at its end; a path of slashes becomes empty. */
static struct slice without_slashes(struct slice path)
{
    while (path.length > 0 && path.text[path.length - 1] == '/')
        path.length--;
    return path;
}

static struct slice dirname_of(struct slice path)
{
    struct slice name = without_slashes(path);
    bool at_root = path.length > 0 && path.text[0] == '/';
    name.length = folder_length(name);
    name = without_slashes(name);
    return name.length > 0 ? name : slice_of(at_root ? "/" : ".");
}

static struct slice basename_of(struct slice path)
{
    struct slice name = without_slashes(path);
    size_t folder = folder_length(name);
    return (struct slice){name.text + folder, name.length - folder};
}

/* The number of bytes before the extension; only the last one counts. */
static size_t root_length(struct slice path)
{
    const char *point = path.length > 0 ? memrchr(path.text, '.', path.length) : NULL;
    bool in_name = point && (size_t)(point - path.text) >= folder_length(path);
    return in_name ? (size_t)(point - path.text) : path.length;
}

static int run_dirname(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_text(dirname_of(call->inputs[0].text)));
}

static int run_basename(const struct leaf_call *call, struct err *e)
{
    (void)e;
    return leaf_give(call, leaf_text(basename_of(call->inputs[0].text)));
}

static int run_rootname(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice path = call->inputs[0].text;
    return leaf_give(call, leaf_text((struct slice){path.text, root_length(path)}));
}

static int run_extension(const struct leaf_call *call, struct err *e)
{
    (void)e;
    struct slice path = call->inputs[0].text;
    size_t root = root_length(path);
    return leaf_give(call, leaf_text((struct slice){path.text + root, path.length - root}));
}

/* ---- absolute paths ---- */

/* The path of the first input without links; the last name need not exist yet. NULL: ERR_USER. */
static const char *resolve(const struct leaf_call *call, struct err *e)
{
    char real[PATH_MAX];
    const char *path = leaf_file_path(call, &call->inputs[0], e);
    if (!path)
        return NULL;
    if (realpath(path, real))
        return arena_copy(call->arena, real, strlen(real));
    struct slice folder = dirname_of(slice_of(path)), name = basename_of(slice_of(path));
    const char *folder_path = arena_copy(call->arena, folder.text, folder.length);
    if (errno == ENOENT && !slice_is(name, "..") && realpath(folder_path, real))
        return arena_printf(call->arena, "%s/%.*s", strcmp(real, "/") == 0 ? "" : real,
                            (int)name.length, name.text);
    err_system(e, "realpath: file '%s'", path);
    mistake(e);
    return NULL;
}

static int run_realpath_string(const struct leaf_call *call, struct err *e)
{
    const char *path = resolve(call, e);
    return path ? leaf_give(call, leaf_text(slice_of(path))) : ERR_USER;
}

static int run_realpath(const struct leaf_call *call, struct err *e)
{
    const char *path = resolve(call, e);
    return path ? leaf_give(call, file_at(path)) : ERR_USER;
}

const struct leaf_function leaf_files[] = {
    {"read", LEAF_TASK, run_read},
    {"write", LEAF_TASK, run_write},
    {"write_array_string", LEAF_TASK, run_write_array_string},
    {"write_array_string_ordered", LEAF_TASK, run_write_array_string_ordered},
    {"file_lines", LEAF_TASK, leaf_file_lines},
    {"file_chunks", LEAF_TASK, leaf_file_chunks},
    {"glob", LEAF_TASK, leaf_glob},
    {"input", LEAF_TASK, run_input},
    {"input_file", LEAF_TASK, run_input},
    {"unsafe_uncached_input_file", LEAF_TASK, run_input},
    {"input_url", LEAF_AT_ONCE, run_input_url},
    {"filename", LEAF_AT_ONCE, run_filename},
    {"urlname", LEAF_AT_ONCE, run_filename},
    {"mktemp_string", LEAF_TASK, run_mktemp_string},
    {"mktemp", LEAF_TASK, run_mktemp},
    {"file_exists", LEAF_TASK, run_file_exists},
    {"file_size", LEAF_TASK, run_file_size},
    {"file_size0", LEAF_TASK, run_file_size0},
    {"file_mtime", LEAF_TASK, run_file_mtime},
    {"file_type", LEAF_TASK, run_file_type},
    {"file_type_string", LEAF_TASK, run_file_type},
    {"dirname", LEAF_AT_ONCE, run_dirname},
    {"dirname_string", LEAF_AT_ONCE, run_dirname},
    {"basename", LEAF_AT_ONCE, run_basename},
    {"basename_string", LEAF_AT_ONCE, run_basename},
    {"rootname", LEAF_AT_ONCE, run_rootname},
    {"rootname_string", LEAF_AT_ONCE, run_rootname},
    {"extension", LEAF_AT_ONCE, run_extension},
    {"extension_string", LEAF_AT_ONCE, run_extension},
    {"realpath", LEAF_TASK, run_realpath},
    {"realpath_string", LEAF_TASK, run_realpath_string},
    {0},
};
