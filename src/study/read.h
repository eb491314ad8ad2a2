/*
 * read.h - private to the room: a tree becomes a struct study.
 *
 * Each section has a table with one function per key. A function that finds a mistake adds it to
 * the list and continues, so that the user sees all of them at once; the result is checked at the
 * end.
 */
#ifndef STUDY_READ_H
#define STUDY_READ_H

#include "study/study.h"
#include "tree/tree.h"

enum {
    READ_PARAMETERS = 1000,    /* parameters of a study */
    READ_VALUES = 100000,      /* values of a choice */
    READ_NAME = 64,            /* bytes of a parameter's name */
    READ_COMBINATIONS = 10000, /* combinations of forbid */
    READ_CONSTRAINTS = 1000,
    READ_METRICS = 63 /* further metrics of a trial, with all objectives but the first */
};

/* The state while a tree is read. */
struct reader {
    struct study *study;
    struct err_list *mistakes;
    struct place start; /* where a missing part is reported if there is no better place */
    const char *folder; /* where relative paths start */
    bool elsewhere;     /* the trials may run on machines that have other files */
    bool asktell;       /* a study without a program, for `wick asktell` */
    bool is_restored;   /* it comes from a journal: nothing on the machine is checked, `folder` is
                           final */
    const struct source *upf; /* the parameter file that has the space, or NULL */
    /* Where some nodes of a restored study come from: a later version of the file; or NULL. */
    const struct source *edited;
    const char *edited_folder; /* its folder */
    struct study_site *site;   /* the site, for a site file; NULL: a study file */
    /* Parts of the tree that are read after others; NULL if missing. */
    const struct node *model, *space, *forbid, *constraints, *search, *container;
    const struct node *command, *function, *pass, *score, *direction;
    const struct node *code, *warm, *preload, *interpreter; /* keys of `model`; code: python or r */
    const struct option *options;  /* options of the algorithm, once it is known */
    const struct node *stop;       /* key of `search` */
    const size_t *word_starts;     /* where each word starts in a command given as one text */
    const struct node *parameters; /* the mapping that became the space */
    const char **names;            /* parameter_names() */
    bool has_moved; /* a path was relative: it must be absolute in the text of the journal */
};

/* ---- read.c: single values ---- */

/* A key of a section. `read` is NULL for a key of other tools; `instead` says what to use. */
struct field {
    const char *name;
    void (*read)(struct reader *reader, const struct node *value);
    const char *instead;
};

/* The tables, each ended by a row without a name. */
extern const struct field section_fields[], model_fields[], search_fields[];
extern const struct field job_fields[], container_fields[];
/* The keys of a parameter, ended by NULL; the first ones are its kinds. */
enum { PARAMETER_KINDS = 6 };
extern const char *const parameter_keys[];

/*
 * Each reads one value; false, after adding the mistake, if it is wrong. The message names the key
 * of the value.
 */
bool read_text(struct reader *reader, const struct node *value, const char **text);
bool read_number(struct reader *reader, const struct node *value, double *number);
bool read_whole(struct reader *reader, const struct node *value, uint64_t least, uint64_t most,
                uint64_t *number);
bool read_bool(struct reader *reader, const struct node *value, bool *flag);
bool read_seconds(struct reader *reader, const struct node *value, double *seconds);
bool read_size(struct reader *reader, const struct node *value, uint64_t *bytes);
/* Reads a mapping of names to values; after a mistake, the valid ones are kept. */
bool read_variables(struct reader *reader, const struct node *value, const char *example,
                    struct study_variable **variables, size_t *count);
/* Reads words from a list, or from text with blanks between them; ended by NULL, or NULL. */
const char *const *read_plain_words(struct reader *reader, const struct node *value);
/* Reads one of the words, which are ended by NULL; sets its index. */
bool read_word(struct reader *reader, const struct node *value, const char *const *words,
               size_t *index);
/* True if it is a mapping that is not empty; `example` is for the message. */
bool read_map_of(struct reader *reader, const struct node *value, const char *example);

/* "did you mean 'trials'?" or, if no word is close, "use one of a, b, c". */
struct advice {
    char text[400];
};
struct advice advice(struct reader *reader, const char *word, const char *const *words);

/* Names that people know from other tools, and ours; ended by a row without a name. */
struct synonym {
    const char *name, *here;
};
/* Our name for it, or NULL. */
const char *find_synonym(const struct synonym *synonyms, const char *name);

/* Reports that `what` ("key", "parameter") is not one of the words, and the closest one. */
void unknown_word(struct reader *reader, struct place place, const char *what, const char *word,
                  const char *const *words);

/*
 * Where a relative path starts: at the folder of the study file, or, for a word of the command
 * line, at the current folder.
 */
const char *path_base(struct reader *reader, const struct node *value);

/* True if what this value names is looked for on this machine. */
bool is_checked(const struct reader *reader, const struct node *value);

/* True for the name of a parameter or variable: a letter or _, then also digits and `others`. */
bool is_name(const char *text, const char *others);
/* True for trial, params, result, dir, checkpoint and seed, which have a meaning in commands. */
bool is_built_in(const char *name);

/* The names of all parameters, ended by NULL, once the space is read. */
const char *const *parameter_names(struct reader *reader);

/* ---- keys.c ---- */

/* Reads a mapping with the table of its keys. */
void read_fields(struct reader *reader, const struct node *map, const struct field *fields);
/* True, and a mistake, if an unknown key of the mapping belongs elsewhere in the file. */
bool is_misplaced(struct reader *reader, const struct node *map, const struct node *item);
/* The same for an item of `space` that is a section, or a kind of parameter without a name. */
bool is_no_parameter(struct reader *reader, const struct node *item);
/*
 * True if an unknown key is likely to be the missing one, misspelled or in the wrong place: then
 * that was reported already.
 */
bool is_explained(const struct node *map, const struct field *fields, const char *key);

/* ---- elsewhere.c ---- */

/* True if an unknown key is one of other tools; *here is what to write instead. */
bool key_elsewhere(const struct node *item, struct shown *here);
/*
 * What to write instead of a kind of parameter, or a key of one, that other tools have: in a file,
 * or after --set NAME=; NULL if it is not known.
 */
const char *kind_elsewhere(const char *word, bool is_option);
/* The same for a call in a program for such a tool: loguniform(1e-5, 1e-1). */
const char *call_elsewhere(const char *text, bool is_option);

/* ---- units.c ---- */

/* The text without surrounding spaces. */
struct slice slice_trim(struct slice text);
/* True if the text is two decimal numbers with the separator, and perhaps spaces, between them. */
bool number_pair(struct slice text, const char *separator, struct slice *low, struct slice *high);

/* ---- the sections ---- */

/* sections.c: reads a whole study; 0 or ERR_USER. */
int read_study(struct reader *reader, const struct node *root);

/* model.c: the section; and the name of a metric. */
void read_model(struct reader *reader);
bool read_metric(struct reader *reader, const struct node *value, const char **name);

/* objectives.c: `score` and `direction`, once the rest of the model is known. */
void read_objectives(struct reader *reader);

/* pattern.c: the regular expression that finds a score. */
void read_pattern(struct reader *reader, const struct node *value);

/* command.c: the command itself; then, once the space is known, the {names} in it. */
void read_command(struct reader *reader, const struct node *value);
void check_command(struct reader *reader);
/* The words of any command, ended by NULL; NULL after a mistake. */
const char *const *read_words(struct reader *reader, const struct node *value);
/* Reports a script that is not there, and notes parameters that it never gets. */
void check_script(struct reader *reader);
/* Reports a file that trials need and that is not in their folder, to one of the two lists. */
void missing_file(struct reader *reader, struct err_list *list, struct place place,
                  const char *name);
/* Reports a program that cannot be started from here; `value` is what names it. */
void check_program(struct reader *reader);
void check_program_at(struct reader *reader, const char *program, const struct node *value);

/* hosts.c: keys of `model` for language hosts; then whether they go together. */
void read_python(struct reader *reader, const struct node *value);
void read_r(struct reader *reader, const struct node *value);
void read_warm(struct reader *reader, const struct node *value);
void read_preload(struct reader *reader, const struct node *value);
void read_interpreter(struct reader *reader, const struct node *value);
void read_hosts(struct reader *reader);
/* Reports a file or an interpreter that belongs to the other language. */
void check_code_language(struct reader *reader);
/* Reports a code file that cannot be read from here. */
void check_code_file(struct reader *reader);

/* parameters.c: `space` or, without it, the space of the model's function. */
void read_space(struct reader *reader);
/* Reports a space that the function of the model cannot use: see num.h. */
void check_inputs(struct reader *reader);

/* conditions.c: defaults, and what refers to other parameters: `when` and `forbid`. */
void read_conditions(struct reader *reader);
/* Then `constraints`, once the metrics are known, too. */
void read_constraints(struct reader *reader);

/* settings.c: `search`; and a key that is an option of the algorithm, else false. */
bool read_option(struct reader *reader, const struct node *item);
/* Reads the number of an option of an algorithm or a stopper, and checks its range. */
void read_option_number(struct reader *reader, const struct node *item, const struct option *option,
                        double *value);
void read_search(struct reader *reader);

/* steer.c: a steering program in place of an algorithm; true if the study names one. */
bool read_steer(struct reader *reader);

/* earlier.c: keys of `search` about earlier studies. */
void read_learn(struct reader *reader, const struct node *value);
void read_start(struct reader *reader, const struct node *value);

/* stopper.c: `stop`; and, once all else is known, whether it goes with that. */
void read_stop(struct reader *reader, const struct node *value);
void check_stop(struct reader *reader);

/*
 * ranks.c: keys of `model`; and, once the space and the search are known, whether they go together.
 */
void read_ranks(struct reader *reader, const struct node *value);
void read_launch(struct reader *reader, const struct node *value);
void read_launcher(struct reader *reader, const struct node *value);
void read_horovod(struct reader *reader, const struct node *value);
void check_ranks(struct reader *reader);

/*
 * script_lines.c: lines for the shell and for the scheduler, ended by NULL; and text of one line.
 */
const char *const *read_prologue(struct reader *reader, const struct node *value);
const char *const *read_directives(struct reader *reader, const struct node *value);
bool read_line(struct reader *reader, const struct node *value, const char **line);
/* Offset of the first character that is a control character or ends a line, or the length. */
size_t line_length(const char *text);

/* job.c: `job`, or its keys in a site file. */
void read_job(struct reader *reader, const struct node *value);
void check_job(struct reader *reader, const struct node *map);
void check_job_gpus(struct reader *reader, const struct node *root);

/* container.c: `container`, once the model is known; and its absolute paths for the tree. */
void read_runtime_word(struct reader *reader, const struct node *value, const char **runtime);
void read_container(struct reader *reader);
void put_container_paths(struct reader *reader, struct node *root);

/* study.c: the parts of the text that a journal keeps. */
struct recorded {
    struct source tree, upf; /* upf.text is NULL if it has no parameter file */
    const char *rest;        /* what follows the tree, with its mark; "": nothing */
};
struct recorded recorded_parts(const char *text, size_t length);
/* study.c: a file as a source; NULL and a mistake if it cannot be read. */
struct source *read_source(struct reader *reader, const char *path, size_t limit);

/* upf.c: the lines of reader->upf become the space and the points of the search. */
void read_upf(struct reader *reader);

/* words.c: puts the words of the command line over what is in the tree; true if there are any. */
bool words_merge(struct reader *reader, struct node *root, const struct study_words *words);

#endif
