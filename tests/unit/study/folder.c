/* Where the files of a study's folder are. */
#include "study/study.h"

#include "tap.h"

static void files(void)
{
    static const struct {
        enum study_file file;
        const char *path;
    } cases[] = {
        {STUDY_JOURNAL, "d/journal"},    {STUDY_LOCK, "d/lock"},
        {STUDY_COPY, "d/study.yaml"},    {STUDY_QUEUE, "d/queue"},
        {STUDY_STOP, "d/stop"},          {STUDY_LOOK, "d/look"},
        {STUDY_JOBS, "d/jobs"},          {STUDY_JOB_SCRIPT, "d/job.sh"},
        {STUDY_LOGS, "d/logs"},          {STUDY_ALGORITHM_LOG, "d/logs/algorithm.log"},
        {STUDY_FINAL, "d/final.txt"},    {STUDY_CHECKPOINTS, "d/checkpoints"},
        {STUDY_TRIALS, "d/trials"},      {STUDY_TMP, "d/tmp"},
        {STUDY_RERUN, "d/rerun"},        {STUDY_IMAGE, "d/image"},
        {STUDY_REPORT, "d/report.html"},
    };
    struct str path = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        is_text(study_path(&path, "d", cases[i].file), cases[i].path, cases[i].path);
        is_text(study_file_name(cases[i].file), cases[i].path + 2, "and its name");
    }
    str_free(&path);
}

static void entries_of_trials(void)
{
    static const struct {
        enum study_file file;
        const char *path;
    } cases[] = {
        {STUDY_LOGS, "/a b/logs/7.log"}, {STUDY_CHECKPOINTS, "/a b/checkpoints/7"},
        {STUDY_TRIALS, "/a b/trials/7"}, {STUDY_TMP, "/a b/tmp/7."},
        {STUDY_RERUN, "/a b/rerun/7"},
    };
    struct str path = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        is_text(study_trial_path(&path, "/a b", cases[i].file, 7), cases[i].path, cases[i].path);
    str_free(&path);
}

int main(void)
{
    files();
    entries_of_trials();
    return tap_end();
}
