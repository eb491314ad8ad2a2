/*
 * study - what the user wants: a study file, a command line or a UPF becomes a struct study.
 *
 * Reading reports all mistakes at once, each with its file, line and column, the text of the line,
 * and the closest right word. A study that was read without mistakes is complete and consistent: it
 * is not checked again. All memory belongs to the study; study_free() frees it.
 */
#ifndef STUDY_STUDY_H
#define STUDY_STUDY_H

#include "base/base.h"
#include "num/num.h"
#include "search/search.h"
#include "space/space.h"
#include "stop/stop.h"

#include <regex.h>

enum { STUDY_FILE_LIMIT = 16 << 20, STUDY_UPF_LIMIT = 256 << 20 };

/* How a program gets the hyperparameters, besides WICK_PARAMS in its environment. */
enum study_pass {
    PASS_FLAGS,    /* --name value, appended; the default when the command has no {name} */
    PASS_TEMPLATE, /* {name} in the command is replaced; the default when it has one */
    PASS_NONE,
};

/* An environment variable. */
struct study_variable {
    const char *name, *value;
};

/* The languages that have a host. */
enum study_language { LANGUAGE_NONE, LANGUAGE_PYTHON, LANGUAGE_R };

/*
 * Code that runs in a language host: a process of the interpreter that imports once and forks for
 * each trial.
 */
struct study_code {
    enum study_language language; /* LANGUAGE_NONE: no code, trials are plain processes */
    const char *interpreter;      /* name or path of the program: python3, Rscript, ... */
    const char *file;             /* as given by the user: relative to model.folder */
    const char *function;         /* to call with the parameters; NULL: `file` is a whole script */
    const char *const *preload;   /* modules that are imported once, ended by NULL; or NULL */
};

/* Who starts the ranks of a trial: the workers of its team, or mpiexec. */
enum study_launch { LAUNCH_PROCESSES, LAUNCH_MPI };

/* What the study runs for a trial. */
struct study_model {
    const char *const *command; /* argv, ended by NULL; NULL for a function, and for `code` calls */
    struct study_code code;     /* python:, r:, or a command with `warm: true` */
    const struct function *function;
    enum study_pass pass;
    bool wants_params_file;     /* the command has {params} */
    bool wants_dir;             /* the command has {dir} */
    const char *score;          /* name of the metric that is the score; NULL: "score" or any */
    const char *const *metrics; /* further metrics to look for, ended by NULL; or NULL */
    const char *pattern; /* regular expression with one group that finds the score; or NULL */
    regex_t *regex;      /* the same, compiled */
    bool maximize;
    bool asktell;     /* the caller of `wick asktell` evaluates the trials: nothing is run */
    double timeout;   /* time limit in seconds; 0: none */
    double grace;     /* seconds from SIGTERM to SIGKILL */
    uint64_t retries; /* how many times a failed trial is started again */
    uint64_t memory;  /* limit in bytes for all processes of a trial; 0: none */
    double gpus;      /* devices of each trial; 0.5: two trials share one */
    uint64_t cores;   /* cores of each trial, 0: an equal share */
    uint64_t
        ranks; /* processes of a trial, 1 or more; the smallest number where it is a parameter */
    const struct parameter *ranks_parameter; /* `ranks` as a hyperparameter, or NULL */
    enum study_launch launch;                /* how the ranks are started */
    bool without_horovod; /* ranks get neither its variables nor a store to meet at */
    const char *const
        *launcher;      /* for LAUNCH_MPI: program and options, ended by NULL; NULL: mpiexec */
    const char *folder; /* where trials run; an absolute path */
    struct study_variable *environment;
    size_t environment_count;
    /* Names of all objectives if there are several; `score` and `maximize` describe the first. */
    const char *scores[SEARCH_OBJECTIVES];
};

/* Whose output is kept as a file: of failed trials and the best ones, of all, or of none. */
enum study_keep { KEEP_FAILED, KEEP_ALL, KEEP_NONE };

/* Whose checkpoints are kept; those that may still be needed are kept in any case. */
enum study_checkpoints { CHECKPOINTS_BEST, CHECKPOINTS_ALL, CHECKPOINTS_NONE };

/* A steering program, in place of an algorithm: `search: {python: ...}` and the like. */
struct study_steer {
    const char *const *command; /* search: {command: ...}; NULL: it is code */
    struct study_code code;     /* search: {python: ...}, {r: ...} */
    const char *settings;       /* text for the program, JSON for a command; NULL: none */
    const char *name;           /* what messages call it: the file, or the command */
};

/* The events of a job about which the scheduler may send mail, as bits. */
enum study_mail { MAIL_BEGIN = 1, MAIL_END = 2, MAIL_FAIL = 4 };

/* Whether a job shares its nodes with no other; if a study does not say, the site decides. */
enum study_exclusive { EXCLUSIVE_UNSAID, EXCLUSIVE_NO, EXCLUSIVE_YES };

/*
 * A job on a cluster: `job:` of the study, completed by the site file. `wick run` ignores it. Zero
 * or NULL means not set, and launch_plan() chooses.
 */
struct study_job {
    const char *site;      /* the name of the site file that has the defaults */
    const char *scheduler; /* slurm, pbs, torque, lsf, sge, cobalt, flux, local */
    uint64_t nodes;
    uint64_t workers_per_node;
    uint64_t cores, memory; /* per worker; memory in bytes */
    uint64_t gpus_per_node;
    const char *gpu_type;                   /* as in the words below */
    double time;                            /* time limit of one job in seconds */
    bool time_is_bare;                      /* `time` was written without a unit */
    double notice;                          /* how many seconds before its end a job is warned */
    const char *queue;                      /* also called `partition` */
    const char *account, *qos, *constraint; /* without blanks, quotes and control characters */
    const char *reservation;                /* the same */
    const char *mail;                       /* the same: who is told about the job */
    unsigned mail_on;                       /* enum study_mail, with `mail`; 0: the usual */
    enum study_exclusive exclusive;         /* share its nodes with no other job? */
    const char *const *modules;             /* modules to load; ended by NULL, as the next two */
    const char *const *prologue, *const *directives; /* lines for the shell; for the scheduler */
    const char *const *launcher;                     /* program and options that start the ranks */
    struct study_variable *environment;
    size_t environment_count;
    uint64_t chain; /* the largest number of jobs in a chain; 0 and 1: a single job */
};

/* A site file: what all studies on a cluster share, in NAME.yaml of a folder of sites. */
struct study_site {
    struct arena arena;
    const char *name, *path, *description;
    const char *const
        *hosts;           /* patterns for the names of its login nodes, ended by NULL; or NULL */
    const char *gpus;     /* directive that asks for GPUs, with {gpus} in it; NULL: the usual */
    const char *runtime;  /* container runtime; NULL: no preference */
    struct study_job job; /* defaults */
};

/* A folder of the machine that is visible in the container. */
struct study_bind {
    const char *source, *target; /* absolute; a relative source starts at the study file */
    bool read_only;
};

/* The image that trials run in. */
struct study_container {
    const char
        *image; /* folder, SIF, OCI layout, tarball (absolute), or docker://NAME; NULL: none */
    const char *runtime; /* a word of study_runtimes() */
    const struct study_bind *binds;
    size_t bind_count;
    struct study_variable
        *environment; /* `env`: set inside, in addition to the usual variables of a trial */
    size_t environment_count;
    bool clean;   /* `inherit: false`: Wick's own environment is not visible inside */
    bool gpu;     /* the GPUs and drivers of the machine are visible inside */
    bool offline; /* `network: none` */
    const char
        *workdir; /* where trials start inside; NULL: in the same folder as without a container */
    const char *const *options; /* further options for the runtime, ended by NULL; or NULL */
};

/* A whole study. */
struct study {
    struct arena arena;
    const char *name;
    const char *path; /* the file it came from, or NULL */
    const char *home; /* the folder of that file, or where it was typed; an absolute path */
    const char *text; /* what the journal keeps: study_restore() turns it into the same study */
    /*
     * The study file, so that edits can be found later: its absolute path, and what it says without
     * the words of the command line. NULL if there is none that can be read again.
     */
    const char *file, *file_text;
    struct study_model model;
    struct space space;
    struct search_settings search; /* trials, seed, algorithm, ... */
    struct study_steer steer;      /* if the algorithm is "outside" */
    struct study_container container;
    struct study_job job;
    struct stop_settings stop; /* the early stopper; .name is NULL: none */
    double time;               /* wall time in seconds, 0: no limit */
    bool has_target;
    double target;        /* end the run at a score at least this good */
    uint64_t halt;        /* end the run after this many equal failures; 0: never */
    uint64_t workers;     /* 0: as many as suit the machine */
    enum study_keep keep; /* whose output is kept as a file */
    enum study_checkpoints checkpoints;
    const char *const *learn;   /* studies and CSV files to learn from, ended by NULL; or NULL */
    const char *start_of;       /* the study, or CSV file, whose best points come first; or NULL */
    uint64_t start_best;        /* how many of them */
    const char *const *upf_ids; /* the `id` of each line of a UPF; NULL: it is not one */
    /* Constraints on metrics: only the result of a trial shows whether they hold. */
    struct expression **measured;
    size_t measured_count;
    const char *const *measures; /* the metrics that they may name, ended by NULL */
    bool shows_secrets;          /* the user wants to see the values of `env`: --secrets */
    /* What is valid but probably not meant, each with its place; none for a restored study. */
    struct err_list notes;
};

/*
 * Reads a study file. Returns 0, or ERR_USER with all mistakes in the order of the file. A file
 * that cannot be read is one mistake.
 */
int study_load(struct study *study, const char *path, struct err_list *mistakes);

/* The same for text in memory; `path` is for messages, relative paths start at `folder`. */
int study_parse(struct study *study, const char *text, size_t length, const char *path,
                const char *folder, struct err_list *mistakes);

/* A study from the command line: wick run --set lr=log:1e-5..1e-1 -- python3 train.py */
struct study_words {
    const char *const *set;     /* name=range, ended by NULL */
    const char *const *command; /* argv, ended by NULL, or NULL */
    const char *const *env;     /* NAME=VALUE, ended by NULL, or NULL */
    const char *const *search;  /* KEY=VALUE of the section `search`, ended by NULL, or NULL */
    const char *const *learn;   /* studies and CSV files to learn from, ended by NULL, or NULL */
    /* Each as it was typed, or NULL; named as in a study file. Metrics are separated by commas. */
    const char *name, *keep;
    const char *python, *r, *warm, *preload, *interpreter; /* preload: separated by commas */
    const char *function, *score, *metrics, *pattern, *direction, *timeout, *grace, *retries,
        *memory, *gpus, *cores, *ranks, *launch, *launcher, *folder, *pass;
    const char *container, *runtime; /* the image, and what runs it */
    /*
     * For a job. Modules are separated by commas. job_time and node_constraint are `time` and
     * `constraint`.
     */
    const char *site, *scheduler, *nodes, *workers_per_node, *cores_per_worker, *memory_per_worker,
        *gpus_per_node, *job_time, *notice, *queue, *account, *qos, *node_constraint, *modules,
        *gpu_type, *mail, *reservation, *exclusive, *chain;
    const char *const *directives; /* in addition to those of the file, ended by NULL; or NULL */
    const char *algorithm, *trials, *time, *target, *halt, *seed, *workers, *levels, *shuffle,
        *stop;
    /* Constraints in addition to those of the file, ended by NULL; or NULL. */
    const char *const *constraints;
    const char *start_from; /* the study whose best points come first */
    bool elsewhere; /* for `wick submit` and MPI: trials may run on machines with other files */
    bool asktell;   /* for `wick asktell`: no program is needed, and a named one is ignored */
};

/*
 * Reads the words of a command line. They become the same tree as a file, so both mean the same;
 * the `source` of a mistake is the option it is in, and its `file` is "". With a study file (path
 * not NULL), the words override the file, and what they do not mention stays.
 */
int study_from_words(struct study *study, const char *path, const struct study_words *words,
                     struct err_list *mistakes);

/*
 * Reads an unrolled parameter file and a command: `wick upf`. Each line is a trial of a list
 * search. The words --set, --algorithm, --levels and --shuffle are mistakes.
 */
int study_from_upf(struct study *study, const char *path, const struct study_words *words,
                   struct err_list *mistakes);

/*
 * Reads study->text back from a journal. `folder` is the model.folder of that time. Whether it and
 * the program exist is not checked, since a journal may be read on another machine.
 */
int study_restore(struct study *study, const char *text, size_t length, const char *folder,
                  struct err_list *mistakes);

/* Frees all memory of a study. */
void study_free(struct study *study);

/* ---- changes.c: what a user has changed about a study since it was recorded ---- */

/* A key that has changed. */
struct study_change {
    const char *key;       /* "model.timeout" */
    const char *old, *now; /* its value as YAML on one line; NULL: not set */
    bool takeable;         /* finished trials keep their meaning: the study may go on with it */
};

/* Changes of the study file, or by options. Start with {0}; study_changes_free() it. */
struct study_changes {
    struct arena arena; /* has all texts */
    struct study_change *items;
    size_t count, capacity;
    const char *file_text; /* the new study->file_text; NULL: the file has not changed */
};

/*
 * Finds how the study differs from its file as it is now. Comments, layout and the order of keys do
 * not count, nor do keys that have not changed in the file since it was last read: they may have
 * been overridden by options. `path` is study->file as messages show it. ERR_USER with all mistakes
 * of the file.
 */
int study_compare_file(const struct study *study, const char *path, struct study_changes *changes,
                       struct err_list *mistakes);
/* Finds how the study would differ with these words; ERR_USER with their mistakes. */
int study_compare_words(const struct study *study, const struct study_words *words,
                        struct study_changes *changes, struct err_list *mistakes);
/* Adds a change; the texts are copied. */
void study_changes_add(struct study_changes *changes, const char *key, const char *old,
                       const char *now);
/* Frees the changes. */
void study_changes_free(struct study_changes *changes);
/* Makes the study with these changes, without those that are not takeable; study_free() it. */
int study_change(struct study *changed, const struct study *study,
                 const struct study_changes *changes, struct err_list *mistakes);

/* ---- the values of environment variables, which may be passwords or tokens ---- */

#define STUDY_HIDDEN "***" /* instead of such a value */

/* True for the value of a variable unless it is empty, or a number of at most four characters. */
bool study_is_secret(const char *value);
/* True if the environment of a job, perhaps completed by its site, has such a value. */
bool study_job_has_secrets(const struct study_job *job);
/* True if `env` of the model or the container, or `environment` of its jobs, has such a value. */
bool study_has_secrets(const struct study *study);
/* study->text without these values, unless study->shows_secrets; it may be in the arena. */
const char *study_shown_text(const struct study *study, struct arena *arena);
/* The value of a key, as in struct study_change, without them. NULL stays NULL. */
const char *study_shown_value(const char *key, const char *value, struct arena *arena);

/* Reads a site file; mistakes as for study_load(). Call study_site_free() in any case. */
int study_site_load(struct study_site *site, const char *path, struct err_list *mistakes);
/* Frees all memory of a site. */
void study_site_free(struct study_site *site);
/*
 * Takes over from the site what the job does not set; the site must outlive the job. Modules,
 * prologue, directives and environment of the site come first, then those of the study.
 */
void study_job_complete(struct study_job *job, const struct study_site *site, struct arena *arena);

/* The schedulers; room launch has a table with a row for each. */
enum study_scheduler {
    SCHEDULER_SLURM,
    SCHEDULER_PBS,
    SCHEDULER_TORQUE,
    SCHEDULER_LSF,
    SCHEDULER_SGE,
    SCHEDULER_COBALT,
    SCHEDULER_FLUX,
    SCHEDULER_LOCAL, /* processes of this machine */
    SCHEDULERS,
};
/* Their names, which are the values of `scheduler`, in the order of the enum; ended by NULL. */
const char *const *study_schedulers(void);

/* The container runtimes, in the order of preference; room container has a row for each. */
enum study_runtime {
    RUNTIME_APPTAINER,
    RUNTIME_SINGULARITY,
    RUNTIME_CHARLIECLOUD,
    RUNTIME_BUBBLEWRAP,
    RUNTIME_PODMAN,
    RUNTIME_PROOT,
    RUNTIME_UDOCKER,
    RUNTIMES,
};
/* The name of a runtime. */
const char *study_runtime_name(enum study_runtime runtime);
/* The values of `runtime`: auto, these names, and none; ended by NULL. */
const char *const *study_runtimes(void);

/* The interpreter for this code: as the study says, else the usual one of the language. */
const char *study_interpreter(const struct study_code *code);

/* The number of ranks of a trial at this point: 1 or more. */
unsigned study_ranks(const struct study *study, const double *point);
/* The largest number of ranks that a trial of the study can have. */
uint64_t study_most_ranks(const struct study *study);

/* The value of a variable: from the study, else from the environment of Wick; NULL: not set. */
const char *study_variable_value(const struct study_model *model, const char *name);

/* The name of the score in the output: as the study says, else "score". */
const char *study_score_name(const struct study_model *model);

/* The number of scores of a trial: 1 or more. */
size_t study_objectives(const struct study *study);
/* The name of objective `index`; the first is the score. */
const char *study_objective_name(const struct study *study, size_t index);
/* "minimize" or "maximize": the direction of objective `index`. */
const char *study_direction(const struct study *study, size_t index);
/* True if this is the name of a score. */
bool study_is_objective(const struct study *study, const char *name);

/* The name of the steering program; NULL: the study uses an algorithm. */
const char *study_steers(const struct study *study);

/* The command that continues the study: "resume" or "asktell". */
const char *study_resume_command(const struct study_model *model);

/* The `id` of a trial (counted from 0) in its parameter file; NULL if the study has none. */
const char *study_upf_id(const struct study *study, size_t trial);

/*
 * Takes the next piece of a word of a command from *at, which is text with {name} in it. PIECE_TEXT
 * is copied as it is; PIECE_NAME is a parameter or one of trial, params, result, dir, checkpoint
 * and seed. {{name}} is the plain text {name}, and ${name} is left to a shell.
 */
enum study_piece { PIECE_END, PIECE_TEXT, PIECE_NAME };
/* The kind of the next piece, and its text. */
enum study_piece study_next_piece(const char **at, struct slice *piece);

/* Reads a time: "90", "30s", "1h30m", "30 minutes", "1d", "hh:mm:ss"; false if it is none. */
bool study_seconds(const char *text, double *seconds);
/* Reads a size: "4096", "512M", "2G", "1.5 GiB"; false if it is none of these. */
bool study_bytes(const char *text, uint64_t *bytes);
/* Reads a number of equal failures: "10", or "off", which is 0; false if it is neither. */
bool study_halt(const char *text, uint64_t *halt);

/* The option to write instead of one of another tool (n-trials, sampler); NULL: it is not known. */
const char *study_option_elsewhere(const char *word);

/* The files of a study folder, DIR. Only folder.c spells their names. ID stands for a trial. */
enum study_file {
    STUDY_JOURNAL,       /* journal: everything that happened; journal.h has its format */
    STUDY_LOCK,          /* lock: held by the run that writes the journal, with its name */
    STUDY_COPY,          /* study.yaml: a copy of the study file */
    STUDY_QUEUE,         /* queue: points that the user wants tried first */
    STUDY_STOP,          /* stop: a request to end the run, which removes it */
    STUDY_LOOK,          /* look: running trials whose output somebody wants to see */
    STUDY_JOBS,          /* jobs: the cluster jobs of this study */
    STUDY_JOB_SCRIPT,    /* job.sh: the script of all jobs of this study */
    STUDY_LOGS,          /* logs/ID.log: the output of trials, where it is kept */
    STUDY_ALGORITHM_LOG, /* logs/algorithm.log: the output of a steering program */
    STUDY_FINAL,         /* final.txt: what a steering program leaves for the user */
    STUDY_CHECKPOINTS,   /* checkpoints/ID: what a trial needs to continue */
    STUDY_TRIALS,        /* trials/ID: the folder {dir} of a command */
    STUDY_TMP,           /* tmp/ID.*: files of running trials; emptied when a run starts */
    STUDY_RERUN,         /* rerun/ID: for trials that the user runs again by hand */
    STUDY_IMAGE,         /* image: what a container runtime needs, made once for all nodes */
    STUDY_REPORT,        /* report.html: the page that `wick report` writes */
    STUDY_DAMAGED,       /* journal.damaged: what the journal was before it was mended */
};

/* The name of a file in the folder, relative to it. */
const char *study_file_name(enum study_file file);
/* Replaces the content of `path` by DIR/NAME and returns its text. */
const char *study_path(struct str *path, const char *dir, enum study_file file);
/*
 * The same for the entry of a trial in a folder that has one per trial: DIR/logs/7.log. For
 * STUDY_TMP it is the start of a file name: DIR/tmp/7. with the dot.
 */
const char *study_trial_path(struct str *path, const char *dir, enum study_file file, uint64_t id);

/*
 * A study folder may have come from a stranger, or lie where others can write: a link in it, where
 * Wick keeps a folder, would have Wick write, and remove, somewhere else. So none is followed.
 *
 * study_make_folder() makes a folder in the study folder, unless there is one, and opens it; -1 if
 * something else is there.
 */
int study_make_folder(const char *path, struct err *e);
/* An error if a link, or something else than a folder, is where Wick will make one. */
int study_check_folder(const char *path, struct err *e);

#endif
