/* sections.c - the top level of a study file, and the order in which its parts are read. */
#include "study/read.h"

static void read_name(struct reader *reader, const struct node *value)
{
    enum { LIMIT = 100 };
    const char *name;
    if (!read_text(reader, value, &name))
        return;
    bool control = false;
    for (const char *p = name; *p; p++)
        control = control || (unsigned char)*p < ' ' || *p == 0x7f;
    if (strlen(name) > LIMIT || strchr(name, '/') || control || name[0] == '.' || name[0] == '-')
        mistake(reader->mistakes, value->place,
                "'name' becomes the name of a folder: it must have at most %d bytes and no '/', "
                "and must not start with '.' or '-'",
                LIMIT);
    reader->study->name = name;
}

static void read_keep(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"failed", "all", "none", NULL};
    static const enum study_keep meanings[] = {KEEP_FAILED, KEEP_ALL, KEEP_NONE};
    size_t index;
    if (read_word(reader, value, words, &index))
        reader->study->keep = meanings[index];
}

static void read_checkpoints(struct reader *reader, const struct node *value)
{
    static const char *const words[] = {"best", "all", "none", NULL};
    static const enum study_checkpoints meanings[] = {CHECKPOINTS_BEST, CHECKPOINTS_ALL,
                                                      CHECKPOINTS_NONE};
    size_t index;
    if (read_word(reader, value, words, &index))
        reader->study->checkpoints = meanings[index];
}

static void note_model(struct reader *reader, const struct node *value)
{
    if (read_map_of(reader, value, "model: {command: python3 train.py}"))
        reader->model = value;
}

static void note_space(struct reader *reader, const struct node *value)
{
    if (read_map_of(reader, value, "space: {lr: {log: [1e-5, 1e-1]}}"))
        reader->space = value;
}

static void note_search(struct reader *reader, const struct node *value)
{
    if (read_map_of(reader, value, "search: {trials: 100}"))
        reader->search = value;
}

static void note_forbid(struct reader *reader, const struct node *value)
{
    reader->forbid = value;
}

static void note_constraints(struct reader *reader, const struct node *value)
{
    reader->constraints = value;
}

/* A container may be just an image. */
static void note_container(struct reader *reader, const struct node *value)
{
    bool is_image = value->kind == NODE_SCALAR && value->text[0];
    if (is_image || read_map_of(reader, value, "container: {image: image.sif}"))
        reader->container = value;
}

const struct field section_fields[] = {
    {"name", read_name, NULL},
    {"model", note_model, NULL},
    {"space", note_space, NULL},
    {"search", note_search, NULL},
    {"forbid", note_forbid, NULL},
    {"constraints", note_constraints, NULL},
    {"keep", read_keep, NULL},
    {"checkpoints", read_checkpoints, NULL},
    {"job", read_job, NULL},
    {"container", note_container, NULL},
    {0},
};

/* Reports parts that are missing altogether; mistakes inside a part were reported already. */
static void check_missing(struct reader *reader, const struct node *root)
{
    bool in_file = reader->start.source;
    bool has_model = node_find(root, "model");
    bool model_told = !has_model && is_explained(root, section_fields, "model");
    if (!has_model && !model_told)
        mistake(reader->mistakes, reader->start,
                in_file ? "'model' is missing: say what to run, as in model: {command: python3 "
                          "train.py}"
                        : "there is no program to run: add it after --, as in -- python3 train.py");
    /* A function has its own space, and so may a model that has a mistake. */
    bool may_have_space = reader->function || reader->upf || node_find(root, "space") ||
                          model_told || is_explained(root, section_fields, "space") ||
                          (reader->model && is_explained(reader->model, model_fields, "function"));
    if (may_have_space)
        return;
    mistake(reader->mistakes, reader->start,
            in_file
                ? "'space' is missing: say what to search, as in space: {lr: {log: [1e-5, 1e-1]}}"
                : "there is nothing to search: add a parameter, as in --set lr=log:1e-5..1e-1");
}

int read_study(struct reader *reader, const struct node *root)
{
    if (root->kind != NODE_MAP) {
        mistake(
            reader->mistakes, root->place,
            "a study file must be a mapping with the keys model, space and search, but this is %s",
            node_kind_name(root));
        return ERR_USER;
    }
    if (reader->start.source)
        reader->start = root->place;
    read_fields(reader, root, section_fields);
    read_model(reader);
    read_container(reader);
    check_missing(reader, root);
    if (reader->upf)
        read_upf(reader);
    else
        read_space(reader);
    read_conditions(reader);
    read_constraints(reader);
    check_inputs(reader);
    check_command(reader);
    if (!reader->is_restored) {
        check_program(reader);
        check_script(reader);
    }
    read_search(reader);
    check_ranks(reader);
    if (!reader->is_restored)
        check_job_gpus(reader, root);
    mistakes_sort(reader->mistakes);
    mistakes_sort(&reader->study->notes);
    return reader->mistakes->count > 0 ? ERR_USER : 0;
}
