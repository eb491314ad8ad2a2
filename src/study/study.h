/*
 * study - what the user wants: a study file, a command line or a UPF becomes a struct study.
 *
 * Reading reports every mistake at once, each with file, line, column, the line and the nearest
 * right word. A study that was read is complete and consistent: nobody checks it again.
 * All memory is the study's own; study_free() gives it back.
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

/* How a program is given the hyperparameters, beside WICK_PARAMS in its environment. */
enum study_pass {
    PASS_FLAGS,    /* --name value, appended; the default when the command has no {name} */
    PASS_TEMPLATE, /* {name} in the command is replaced; the default when it has one */
    PASS_NONE,
};

struct study_variable {
    const char *name, *value;
};

enum study_language { LANGUAGE_NONE, LANGUAGE_PYTHON, LANGUAGE_R };

/*
 * Code that runs in a language host: a process of the interpreter that imports once and forks for
 * each trial.
 */
struct study_code {
    enum study_language language; /* LANGUAGE_NONE: there is none, trials are plain processes */
    const char *interpreter;      /* program name or path: python3, Rscript, ... */
    const char *file;             /* as it was given: relative to model.folder */
    const char *function;         /* to call with the parameters; NULL: `file` is a whole script */
    const char *const *preload;   /* modules that are imported once, ended by NULL; or NULL */
};

enum study_launch { LAUNCH_PROCESSES, LAUNCH_MPI };

/* The program that is tuned. */
struct study_model {
    const char *const *command; /* argv, ended by NULL; NULL for a function, and for `code` calls */
    struct study_code code;     /* python:, r:, or a command with `warm: true` */
    const struct function *function;
    enum study_pass pass;
    bool wants_params_file;     /* the command has {params} */
    bool wants_dir;             /* the command has {dir} */
    const char *score;          /* name of the metric that is the score; NULL: "score" or any */
    const char *const *metrics; /* further metrics to look for, ended by NULL; or NULL */
    const char *pattern;        /* regular expression with one group, or NULL */
    regex_t *regex;             /* the same, compiled */
    bool maximize;
    bool asktell;     /* the caller of `wick asktell` evaluates the trials: nothing is run */
    double timeout;   /* seconds, 0: none */
    double grace;     /* seconds from SIGTERM to SIGKILL */
    uint64_t retries; /* how often a failed trial is tried again */
    uint64_t memory;  /* bytes, of all processes of a trial, 0: no limit */
    double gpus;      /* devices of each trial; 0.5: two trials share one */
    uint64_t cores;   /* cores of each trial, 0: an equal share */
    uint64_t ranks;   /* processes of a trial, 1 or more; the least where it is a parameter */
    const struct parameter *ranks_parameter; /* `ranks` as a hyperparameter; NULL: it is none */
    enum study_launch launch;                /* how the ranks are started */
    const char *const
        *launcher;      /* of LAUNCH_MPI: program and options, ended by NULL; NULL: mpiexec */
    const char *folder; /* where trials run (absolute) */
    struct study_variable *environment;
    size_t environment_count;
    /* Names of all objectives where there are several; `score` and `maximize` are of the first. */
    const char *scores[SEARCH_OBJECTIVES];
};

enum study_keep { KEEP_FAILED, KEEP_ALL, KEEP_NONE };

/* Whose checkpoints are kept; those that are still needed are in any case. */
enum study_checkpoints { CHECKPOINTS_BEST, CHECKPOINTS_ALL, CHECKPOINTS_NONE };

/* A program of the user's that steers the search: `search: {python: ...}` and the like. */
struct study_steer {
    const char *const *command; /* search: {command: ...}; NULL: it is code */
    struct study_code code;     /* search: {python: ...}, {r: ...} */
    const char *settings;       /* text for the program (of a command JSON), NULL: none */
    const char *name;           /* what people call it: the file, or the command */
};

/*
 * A job of a cluster: `job:` of the study, over what the site's file says. Nothing of it concerns
 * `wick run`. Zero or NULL: not said, and then launch_plan() chooses.
 */
struct study_job {
    const char *site;      /* the name of the site file that has the defaults */
    const char *scheduler; /* slurm, pbs, torque, lsf, sge, cobalt, flux, local */
    uint64_t nodes;
    uint64_t workers_per_node;
    uint64_t cores, memory; /* of each worker; bytes */
    uint64_t gpus_per_node;
    double time;                            /* seconds that one job may take */
    bool time_is_bare;                      /* it was written without a unit */
    double notice;                          /* seconds before its end at which it is told */
    const char *queue;                      /* `partition` is another word for it */
    const char *account, *qos, *constraint; /* without blanks, quotes and control characters */
    const char *const *modules;             /* to load; this and the next are ended by NULL */
    const char *const *prologue, *const *directives; /* lines of a shell; of the scheduler */
    const char *const *launcher;                     /* program and options that start the ranks */
    struct study_variable *environment;
    size_t environment_count;
    uint64_t chain; /* the most jobs one after the other; 0 and 1: just one */
};

/* What is so for all studies on a cluster: a file NAME.yaml in a folder of sites. */
struct study_site {
    struct arena arena;
    const char *name, *path, *description;
    const char *const *hosts; /* patterns of the names of its login nodes, ended by NULL; or NULL */
    const char *gpus;         /* directive that asks for GPUs, with {gpus} in it; NULL: the usual */
    const char *runtime;      /* of containers; NULL: none is preferred */
    struct study_job job;     /* defaults */
};

/* A folder of the machine that is seen in a container. */
struct study_bind {
    const char *source, *target; /* absolute; of relative sources, relative to the study's file */
    bool read_only;
};

/* The image that trials run in. */
struct study_container {
    const char
        *image; /* folder, SIF, OCI layout, tarball (absolute), or docker://NAME; NULL: none */
    const char *runtime; /* a name of container.h's table, "auto" or "none" */
    const struct study_bind *binds;
    size_t bind_count;
    struct study_variable *environment; /* `env`: set inside, over what trials have anyway */
    size_t environment_count;
    bool clean;          /* `inherit: false`: nothing of the environment of Wick is seen inside */
    bool gpu;            /* the devices and drivers of the machine are there */
    bool offline;        /* `network: none` */
    const char *workdir; /* where trials begin inside; NULL: where they would without */
    const char *const *options; /* further words for the runtime, ended by NULL; or NULL */
};

struct study {
    struct arena arena;
    const char *name;
    const char *path; /* the file it came from, or NULL */
    const char *text; /* what the journal keeps: study_restore() makes the same study of it */
    struct study_model model;
    struct space space;
    struct search_settings search; /* trials, seed, algorithm, ... */
    struct study_steer steer;      /* when the algorithm is "outside" */
    struct study_container container;
    struct study_job job;
    struct stop_settings stop; /* the early stopper; .name is NULL: none */
    double time;               /* wall time in seconds, 0: no limit */
    bool has_target;
    double target;        /* stop at a score at least as good */
    uint64_t workers;     /* 0: chosen by the machine */
    enum study_keep keep; /* whose output is kept as a file */
    enum study_checkpoints checkpoints;
    const char *const *learn;   /* studies and CSV files to learn from, ended by NULL; or NULL */
    const char *start_of;       /* the study, or CSV file, whose best points come first; or NULL */
    uint64_t start_best;        /* how many of them */
    const char *const *upf_ids; /* of a UPF: the `id` of each line; else NULL */
    /* Constraints that name metrics: only a trial can tell whether they hold. */
    struct expression **measured;
    size_t measured_count;
    const char *const *measures; /* the metrics that they may name, ended by NULL */
};

/*
 * Reads a study file. On mistakes returns ERR_USER, and *mistakes has them all in the order of the
 * file. A file that cannot be read is one mistake.
 */
int study_load(struct study *study, const char *path, struct err_list *mistakes);

/* The same for a text; `path` is for messages and `folder` is where relative paths begin. */
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
    const char *python, *r, *warm, *preload, *interpreter; /* preload: with commas between them */
    const char *function, *score, *metrics, *pattern, *direction, *timeout, *grace, *retries,
        *memory, *gpus, *cores, *ranks, *launch, *launcher, *folder, *pass;
    const char *container, *runtime; /* the image, and what runs it */
    /* Of a job. Modules have commas between them; those whose names are taken have others. */
    const char *site, *scheduler, *nodes, *workers_per_node, *cores_per_worker, *memory_per_worker,
        *gpus_per_node, *job_time, *notice, *queue, *account, *qos, *node_constraint, *modules,
        *chain;
    const char *const *directives; /* added to those of the file, ended by NULL; or NULL */
    const char *algorithm, *trials, *time, *target, *seed, *workers, *levels, *shuffle, *stop;
    /* Conditions that are added to those of the file, ended by NULL; or NULL. */
    const char *const *constraints;
    const char *start_from; /* the study whose best points come first */
    bool asktell; /* for `wick asktell`: no program is needed, and one that is named is left out */
};

/*
 * Reads words from the command line. They become the same tree as a file does, so both ways in have
 * one meaning; the `source` of a mistake is the option that it is in, and its `file` is "". With a
 * study file (path not NULL) the words override what the file says, and the parts that they do not
 * mention stay.
 */
int study_from_words(struct study *study, const char *path, const struct study_words *words,
                     struct err_list *mistakes);

/*
 * An unrolled parameter file and a command: `wick upf`. Each line is a trial of a list search. It
 * takes all words but --set, --algorithm, --levels and --shuffle, which are mistakes.
 */
int study_from_upf(struct study *study, const char *path, const struct study_words *words,
                   struct err_list *mistakes);

/*
 * Reads back study->text from a journal. `folder` is model.folder as it was; nobody looks whether
 * it and the program exist, since a journal is also read on other machines.
 */
int study_restore(struct study *study, const char *text, size_t length, const char *folder,
                  struct err_list *mistakes);

/* Frees a study, in any state. */
void study_free(struct study *study);

/* Reads the file of a site. On mistakes as study_load(); study_site_free() it in any case. */
int study_site_load(struct study_site *site, const char *path, struct err_list *mistakes);
/* Frees it, in any state. */
void study_site_free(struct study_site *site);
/*
 * Fills what the study does not say by what the site says, which must outlive the job. Modules,
 * prologue, directives and environment of the site come first, then those of the study.
 */
void study_job_complete(struct study_job *job, const struct study_site *site, struct arena *arena);

/* What is known of each of these is a row of a table in room launch. */
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
/* The words that `scheduler` of a job may be, in that order, ended by NULL. */
const char *const *study_schedulers(void);

/* The same for room container; with `runtime: auto`, an earlier one is preferred. */
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
/* What a runtime is called in a study. */
const char *study_runtime_name(enum study_runtime runtime);
/* The words that `runtime` of a container may be: these, auto and none, ended by NULL. */
const char *const *study_runtimes(void);

/* The interpreter of code: the one that the study names, else the usual one of its language. */
const char *study_interpreter(const struct study_code *code);

/* How many ranks a trial at this point has: 1 or more. */
unsigned study_ranks(const struct study *study, const double *point);
/* The most that any trial of the study has. */
uint64_t study_most_ranks(const struct study *study);

/* What the user has set a variable to: in the study, else where Wick was started; NULL: not. */
const char *study_variable_value(const struct study_model *model, const char *name);

/* What the score is called in the output: as the study says, else "score". */
const char *study_score_name(const struct study_model *model);

/* How many scores a trial has: 1 or more. */
size_t study_objectives(const struct study *study);
/* What objective `index` is called; the first is the score. */
const char *study_objective_name(const struct study *study, size_t index);
/* True when this is the name of a score. */
bool study_is_objective(const struct study *study, const char *name);

/* The program that steers the search, as people call it; NULL: an algorithm does. */
const char *study_steers(const struct study *study);

/* The command that goes on with the study: "resume", or "asktell". */
const char *study_resume_command(const struct study_model *model);

/* The `id` of a trial (counted from 0) in its parameter file; NULL when the study has none. */
const char *study_upf_id(const struct study *study, size_t trial);

/*
 * A word of a command is plain text with {name} in it. Takes the next piece from *at: PIECE_TEXT is
 * to be copied, PIECE_NAME is the name of a parameter or of what is built in (trial, params,
 * result, dir, seed). {{name}} is the plain text {name}, and ${name} is left to a shell.
 */
enum study_piece { PIECE_END, PIECE_TEXT, PIECE_NAME };
/* The kind of the next piece, and its text. */
enum study_piece study_next_piece(const char **at, struct slice *piece);

/* Seconds of "90", "30s", "15m", "2h", "1d", "hh:mm:ss"; false when it is none of these. */
bool study_seconds(const char *text, double *seconds);
/* Bytes of "4096", "512M", "2G", "1.5 GiB"; false when it is none of these. */
bool study_bytes(const char *text, uint64_t *bytes);

/*
 * What a study keeps in its folder, DIR: nobody else spells these names. Folders with an entry for
 * each trial are marked with it.
 */
enum study_file {
    STUDY_JOURNAL,       /* journal: the record of the study; its format is in journal.h */
    STUDY_LOCK,          /* lock: held, and written, by the run that writes the journal */
    STUDY_COPY,          /* study.yaml: the study file as it was at the start */
    STUDY_QUEUE,         /* queue: points that the user wants tried first */
    STUDY_STOP,          /* stop: a request to stop, until the run obeys it */
    STUDY_JOBS,          /* jobs: the jobs of a cluster that were submitted and started */
    STUDY_JOB_SCRIPT,    /* job.sh: the script of all jobs of this study */
    STUDY_LOGS,          /* logs/ID.log: the output of trials that is kept */
    STUDY_ALGORITHM_LOG, /* logs/algorithm.log: the output of a steering program */
    STUDY_FINAL,         /* final.txt: what a steering program leaves for the user */
    STUDY_CHECKPOINTS,   /* checkpoints/ID: folders that outlive a try of a trial */
    STUDY_TRIALS,        /* trials/ID: folders that {dir} of a command stands for */
    STUDY_TMP,           /* tmp/ID.*: files of running trials; emptied when a run starts */
    STUDY_RERUN,         /* rerun/ID: for a trial that the user runs again by hand */
    STUDY_IMAGE,         /* image: what a container runtime needs, made once for all nodes */
    STUDY_REPORT,        /* report.html: the page that `wick report` writes */
};

/* The name of a file in the folder, relative to it. */
const char *study_file_name(enum study_file file);
/* Replaces the content of `path` by DIR/NAME and returns its text. */
const char *study_path(struct str *path, const char *dir, enum study_file file);
/*
 * The same for the entry of a trial in one of the marked folders: DIR/logs/7.log. Of STUDY_TMP it
 * is only the start of a file's name, DIR/tmp/7. with the dot.
 */
const char *study_trial_path(struct str *path, const char *dir, enum study_file file, uint64_t id);

#endif
