/*
 * read.h - inside the room: a tree becomes a struct study.
 *
 * Each section is a table of its keys, a function a key. A function that finds a mistake notes it
 * and goes on, so that the user sees all of them at once; whether there was one is asked at the
 * end.
 */
#ifndef STUDY_READ_H
#define STUDY_READ_H

#include "study/study.h"
#include "tree/tree.h"

enum {
    READ_PARAMETERS = 1000,    /* the most of a study */
    READ_VALUES = 100000,      /* of a choice */
    READ_NAME = 64,            /* bytes of a parameter's name */
    READ_COMBINATIONS = 10000, /* of forbid */
    READ_CONSTRAINTS = 1000,
    READ_METRICS = 63 /* further metrics of a trial, with all objectives but the first */
};

/* What is kept while a tree is read. */
struct reader {
    struct study *study;
    struct err_list *mistakes;
    struct place start;       /* where something is missing that has no better place */
    const char *folder;       /* where relative paths begin */
    bool asktell;             /* a study without a program is wanted */
    bool is_restored;         /* from a journal: the machine is not looked at, `folder` is final */
    const struct source *upf; /* the parameter file that has the space, or NULL */
    struct study_site *site;  /* the file is that of a site; NULL: of a study */
    /* Parts of the tree that are read when others are known; NULL where there is none. */
    const struct node *model, *space, *forbid, *constraints, *search, *container;
    const struct node *command, *function, *pass, *score, *direction;
    const struct node *code, *warm, *preload, *interpreter; /* of `model`; code: python or r */
    const struct option *options;                           /* of the algorithm, when it is known */
    const struct node *stop;                                /* of `search` */
    const size_t *word_starts;     /* of a command in one text: where in it each word begins */
    const struct node *parameters; /* the mapping that became the space */
    const char **names;            /* parameter_names() */
    bool has_moved; /* a path was relative: the text that is kept must have it absolute */
};

/* ---- read.c: single values ---- */

/* A key of a section. `read` is NULL for one known from elsewhere; `instead` says what to do. */
struct field {
    const char *name;
    void (*read)(struct reader *reader, const struct node *value);
    const char *instead;
};

/* The tables, each ended by a row without a name. */
extern const struct field section_fields[], model_fields[], search_fields[];
extern const struct field job_fields[], container_fields[];
/* The keys of a parameter, ended by NULL; the first ones are its kinds. */
enum { PARAMETER_KINDS = 5 };
extern const char *const parameter_keys[];

/*
 * Each reads one value; false when it is not right, and then the mistake is noted. What is wrong is
 * told by the key of the value.
 */
bool read_text(struct reader *reader, const struct node *value, const char **text);
bool read_number(struct reader *reader, const struct node *value, double *number);
bool read_whole(struct reader *reader, const struct node *value, uint64_t least, uint64_t most,
                uint64_t *number);
bool read_bool(struct reader *reader, const struct node *value, bool *flag);
bool read_seconds(struct reader *reader, const struct node *value, double *seconds);
bool read_size(struct reader *reader, const struct node *value, uint64_t *bytes);
/* A mapping of names to values; on a mistake what is right is there nevertheless. */
bool read_variables(struct reader *reader, const struct node *value, const char *example,
                    struct study_variable **variables, size_t *count);
/* Words that are a list, or one text with blanks between them, ended by NULL; NULL: there are none.
 */
const char *const *read_plain_words(struct reader *reader, const struct node *value);
/* The index of the value in words, which are ended by NULL. */
bool read_word(struct reader *reader, const struct node *value, const char *const *words,
               size_t *index);
/* True when it is a mapping with something in it; `example` shows how one looks. */
bool read_map_of(struct reader *reader, const struct node *value, const char *example);

/* "did you mean 'trials'?" or, when no word is near, "use one of a, b, c". */
struct advice {
    char text[400];
};
struct advice advice(struct reader *reader, const char *word, const char *const *words);

/* Names that people know from elsewhere, and what is the same here; ended by a row without one. */
struct synonym {
    const char *name, *here;
};
/* What is the same here, or NULL. */
const char *find_synonym(const struct synonym *synonyms, const char *name);

/* Notes that `what` ("key", "parameter") is not one of the words, and which may be meant. */
void unknown_word(struct reader *reader, struct place place, const char *what, const char *word,
                  const char *const *words);

/*
 * Where a relative path begins: at the study file's folder, or at the current one when a word of
 * the command line says it.
 */
const char *path_base(struct reader *reader, const struct node *value);

/* True for a name of a parameter or a variable: a letter or _, then those, digits and `others`. */
bool is_name(const char *text, const char *others);
/* True for trial, params, result, dir and seed, which mean something in a command. */
bool is_built_in(const char *name);

/* Names of all parameters, ended by NULL; for when the space is read. */
const char *const *parameter_names(struct reader *reader);

/* ---- keys.c ---- */

/* Reads a mapping by its table. */
void read_fields(struct reader *reader, const struct node *map, const struct field *fields);
/* True, and a mistake, when an unknown key of the mapping has its place elsewhere in the file. */
bool is_misplaced(struct reader *reader, const struct node *map, const struct node *item);
/* The same for an item of `space` that is a section, or a kind without a name. */
bool is_no_parameter(struct reader *reader, const struct node *item);
/*
 * True when a key that the table does not know is likely to be the one that is missing, misspelt or
 * with parts of it at the wrong place: then it was told already.
 */
bool is_explained(const struct node *map, const struct field *fields, const char *key);

/* ---- units.c ---- */

/* Without the spaces around it. */
struct slice slice_trim(struct slice text);
/* True when the text is two such numbers with the separator, and perhaps spaces, between them. */
bool number_pair(struct slice text, const char *separator, struct slice *low, struct slice *high);

/* ---- the sections ---- */

/* sections.c: reads a whole study; 0 or ERR_USER. */
int read_study(struct reader *reader, const struct node *root);

/* model.c; a metric is the name of something that a trial measures. */
void read_model(struct reader *reader);
bool read_metric(struct reader *reader, const struct node *value, const char **name);

/* objectives.c: `score` and `direction`, when the rest of the model is known. */
void read_objectives(struct reader *reader);

/* pattern.c */
void read_pattern(struct reader *reader, const struct node *value);

/* command.c: the command itself; then, when the space is known, what stands in it. */
void read_command(struct reader *reader, const struct node *value);
void check_command(struct reader *reader);
/* The words of any command, ended by NULL; NULL when there is a mistake, which is noted. */
const char *const *read_words(struct reader *reader, const struct node *value);
/* Notes a mistake when the program cannot be started from here; `value` is what names it. */
void check_program(struct reader *reader);
void check_program_at(struct reader *reader, const char *program, const struct node *value);

/* hosts.c: keys of `model` for language hosts; then whether they go together. */
void read_python(struct reader *reader, const struct node *value);
void read_r(struct reader *reader, const struct node *value);
void read_warm(struct reader *reader, const struct node *value);
void read_preload(struct reader *reader, const struct node *value);
void read_interpreter(struct reader *reader, const struct node *value);
void read_hosts(struct reader *reader);
/* Notes a mistake when the file of the code or its interpreter is of the other language. */
void check_code_language(struct reader *reader);
/* Notes a mistake when the file of the code cannot be read from here. */
void check_code_file(struct reader *reader);

/* parameters.c: `space` or, when that is NULL, the space of the model's function. */
void read_space(struct reader *reader);
/* Notes a mistake when the function of the model cannot work with the space: see num.h. */
void check_inputs(struct reader *reader);

/* conditions.c: what refers to other parameters: defaults, `when` and `forbid`. */
void read_conditions(struct reader *reader);

/* constraints.c: `constraints`, when the space and the metrics are known. */
void read_constraints(struct reader *reader);

/* settings.c: `search`; and a key that is an option of an algorithm: false when it is none. */
bool read_option(struct reader *reader, const struct node *item);
/* A number of an option of an algorithm or a stopper: one out of its range is a mistake. */
void read_option_number(struct reader *reader, const struct node *item, const struct option *option,
                        double *value);
void read_search(struct reader *reader);

/* steer.c: a program of the user's in place of an algorithm; true when the study names one. */
bool read_steer(struct reader *reader);

/* earlier.c: keys of `search` about earlier studies. */
void read_learn(struct reader *reader, const struct node *value);
void read_start(struct reader *reader, const struct node *value);

/* stopper.c: `stop`; and, when all else is known, whether it goes with that. */
void read_stop(struct reader *reader, const struct node *value);
void check_stop(struct reader *reader);

/* ranks.c: keys of `model`; and, when the space and the search are known, what goes with them. */
void read_ranks(struct reader *reader, const struct node *value);
void read_launch(struct reader *reader, const struct node *value);
void read_launcher(struct reader *reader, const struct node *value);
void check_ranks(struct reader *reader);

/* script_lines.c: lines of a shell and of a scheduler, ended by NULL; and a text that is one such
 * line. */
const char *const *read_prologue(struct reader *reader, const struct node *value);
const char *const *read_directives(struct reader *reader, const struct node *value);
bool read_line(struct reader *reader, const struct node *value, const char **line);
/* Offset of the first character that is a control or ends a line, or the length. */
size_t line_length(const char *text);

/* job.c: `job`, or the keys of it in the file of a site. */
void read_job(struct reader *reader, const struct node *value);
void check_job(struct reader *reader, const struct node *map);
void check_job_gpus(struct reader *reader, const struct node *root);

/* container.c: `container`, when the model is known; and its paths, absolute, for the tree. */
void read_runtime_word(struct reader *reader, const struct node *value, const char **runtime);
void read_container(struct reader *reader);
void put_container_paths(struct reader *reader, struct node *root);

/* study.c: a file as a source; NULL and a mistake when it cannot be read. */
struct source *read_source(struct reader *reader, const char *path, size_t limit);

/* upf.c: the lines of reader->upf become the space and the points of the search. */
void read_upf(struct reader *reader);

/* words.c: puts words of the command line over what is in the tree; true when there are any. */
bool words_merge(struct reader *reader, struct node *root, const struct study_words *words);

#endif
