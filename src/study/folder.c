/* folder.c - the layout of a study folder: the name of every file in it, and its folders. */
#include "study/study.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>

/* In a folder with one entry per trial, the entry is called ID followed by `entry`. */
static const struct {
    const char *name, *entry;
} files[] = {
    [STUDY_JOURNAL] = {"journal", NULL},    [STUDY_LOCK] = {"lock", NULL},
    [STUDY_COPY] = {"study.yaml", NULL},    [STUDY_QUEUE] = {"queue", NULL},
    [STUDY_STOP] = {"stop", NULL},          [STUDY_LOOK] = {"look", NULL},
    [STUDY_JOBS] = {"jobs", NULL},          [STUDY_JOB_SCRIPT] = {"job.sh", NULL},
    [STUDY_LOGS] = {"logs", ".log"},        [STUDY_ALGORITHM_LOG] = {"logs/algorithm.log", NULL},
    [STUDY_FINAL] = {"final.txt", NULL},    [STUDY_CHECKPOINTS] = {"checkpoints", ""},
    [STUDY_TRIALS] = {"trials", ""},        [STUDY_TMP] = {"tmp", "."},
    [STUDY_RERUN] = {"rerun", ""},          [STUDY_IMAGE] = {"image", NULL},
    [STUDY_REPORT] = {"report.html", NULL}, [STUDY_DAMAGED] = {"journal.damaged", NULL},
};

const char *study_file_name(enum study_file file)
{
    return files[file].name;
}

const char *study_path(struct str *path, const char *dir, enum study_file file)
{
    str_clear(path);
    str_add(path, dir);
    str_add_char(path, '/');
    str_add(path, files[file].name);
    return path->text;
}

const char *study_trial_path(struct str *path, const char *dir, enum study_file file, uint64_t id)
{
    study_path(path, dir, file);
    str_add_char(path, '/');
    str_add_whole(path, id);
    str_add(path, files[file].entry);
    return path->text;
}

int study_check_folder(const char *path, struct err *e)
{
    struct stat info;
    if (lstat(path, &info) != 0 || S_ISDIR(info.st_mode))
        return 0;
    return err_set(e, ERR_SYSTEM,
                   "%s is %s, but Wick needs a folder of its own there: move it away", path,
                   S_ISLNK(info.st_mode) ? "a link" : "not a folder");
}

int study_make_folder(const char *path, struct err *e)
{
    int fd = -1;
    if (mkdir(path, 0777) == 0 || errno == EEXIST)
        fd = open(path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
    int number = errno;
    if (fd < 0 && study_check_folder(path, e) == 0) {
        errno = number;
        err_system(e, "cannot make the folder %s", path);
    }
    return fd;
}
