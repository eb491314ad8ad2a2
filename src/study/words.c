/* words.c - the words of a command line become nodes of the tree. */
#include "study/words.h"

#include <stddef.h>

/* Where a word goes: options of a section have the names of its keys. */
static const struct word_option {
    const char *section; /* NULL: the top level */
    const char *key;
    size_t offset;    /* in struct study_words */
    const char *name; /* the name of the option if it is not the key; else NULL */
} options[] = {
    {NULL, "name", offsetof(struct study_words, name), NULL},
    {NULL, "keep", offsetof(struct study_words, keep), NULL},
    {"model", "function", offsetof(struct study_words, function), NULL},
    {"model", "python", offsetof(struct study_words, python), NULL},
    {"model", "r", offsetof(struct study_words, r), NULL},
    {"model", "warm", offsetof(struct study_words, warm), NULL},
    {"model", "preload", offsetof(struct study_words, preload), NULL},
    {"model", "interpreter", offsetof(struct study_words, interpreter), NULL},
    {"model", "score", offsetof(struct study_words, score), NULL},
    {"model", "metrics", offsetof(struct study_words, metrics), NULL},
    {"model", "pattern", offsetof(struct study_words, pattern), NULL},
    {"model", "direction", offsetof(struct study_words, direction), NULL},
    {"model", "timeout", offsetof(struct study_words, timeout), NULL},
    {"model", "grace", offsetof(struct study_words, grace), NULL},
    {"model", "retries", offsetof(struct study_words, retries), NULL},
    {"model", "memory", offsetof(struct study_words, memory), NULL},
    {"model", "gpus", offsetof(struct study_words, gpus), NULL},
    {"model", "cores", offsetof(struct study_words, cores), NULL},
    {"model", "ranks", offsetof(struct study_words, ranks), NULL},
    {"model", "launch", offsetof(struct study_words, launch), NULL},
    {"model", "launcher", offsetof(struct study_words, launcher), NULL},
    {"model", "folder", offsetof(struct study_words, folder), NULL},
    {"model", "pass", offsetof(struct study_words, pass), NULL},
    {"search", "algorithm", offsetof(struct study_words, algorithm), NULL},
    {"search", "trials", offsetof(struct study_words, trials), NULL},
    {"search", "time", offsetof(struct study_words, time), NULL},
    {"search", "target", offsetof(struct study_words, target), NULL},
    {"search", "halt", offsetof(struct study_words, halt), NULL},
    {"search", "seed", offsetof(struct study_words, seed), NULL},
    {"search", "workers", offsetof(struct study_words, workers), NULL},
    {"search", "levels", offsetof(struct study_words, levels), NULL},
    {"search", "stop", offsetof(struct study_words, stop), NULL},
    {"search", "shuffle", offsetof(struct study_words, shuffle), NULL},
    {"container", "image", offsetof(struct study_words, container), "container"},
    {"container", "runtime", offsetof(struct study_words, runtime), NULL},
    {"job", "site", offsetof(struct study_words, site), NULL},
    {"job", "scheduler", offsetof(struct study_words, scheduler), NULL},
    {"job", "nodes", offsetof(struct study_words, nodes), NULL},
    {"job", "workers_per_node", offsetof(struct study_words, workers_per_node), "workers-per-node"},
    {"job", "cores", offsetof(struct study_words, cores_per_worker), "cores-per-worker"},
    {"job", "memory", offsetof(struct study_words, memory_per_worker), "memory-per-worker"},
    {"job", "gpus_per_node", offsetof(struct study_words, gpus_per_node), "gpus-per-node"},
    {"job", "time", offsetof(struct study_words, job_time), "job-time"},
    {"job", "notice", offsetof(struct study_words, notice), NULL},
    {"job", "queue", offsetof(struct study_words, queue), NULL},
    {"job", "account", offsetof(struct study_words, account), NULL},
    {"job", "qos", offsetof(struct study_words, qos), NULL},
    {"job", "constraint", offsetof(struct study_words, node_constraint), "node-constraint"},
    {"job", "gpu_type", offsetof(struct study_words, gpu_type), "gpu-type"},
    {"job", "mail", offsetof(struct study_words, mail), NULL},
    {"job", "reservation", offsetof(struct study_words, reservation), NULL},
    {"job", "exclusive", offsetof(struct study_words, exclusive), NULL},
    {"job", "modules", offsetof(struct study_words, modules), NULL},
    {"job", "chain", offsetof(struct study_words, chain), NULL},
};
enum { OPTIONS = sizeof options / sizeof *options };

/* ---- a word as a source ---- */

/* False, and a mistake, if the value is not UTF-8 text. */
static bool word_open(struct word *word, struct reader *reader, const char *option,
                      const char *value)
{
    struct arena *arena = &reader->study->arena;
    struct source *source = arena_new(arena, 1, sizeof *source);
    source->file = "";
    source->text = arena_printf(arena, "%s %s", option, value);
    source->length = strlen(source->text);
    *word = (struct word){reader, source, strlen(option) + 1};
    size_t good = utf8_check(source->text, source->length);
    if (good == source->length)
        return true;
    mistake(reader->mistakes, place_of_byte(source, good), "this is not UTF-8 text");
    return false;
}

const char *word_text(const struct word *word, size_t from)
{
    return word->source->text + word->offset + from;
}

struct place word_place(const struct word *word, size_t from)
{
    int column = utf8_count(word->source->text, word->offset + from) + 1;
    return (struct place){word->source, 1, column};
}

struct node *word_scalar(const struct word *word, size_t from, size_t to)
{
    struct arena *arena = &word->reader->study->arena;
    return node_scalar(arena, arena_copy(arena, word_text(word, from), to - from), true,
                       word_place(word, from));
}

struct node *word_list(const struct word *word, size_t from)
{
    const char *text = word_text(word, 0);
    struct node *list = node_new(&word->reader->study->arena, NODE_LIST, word_place(word, from));
    for (;;) {
        size_t comma = from + strcspn(text + from, ","), to = comma;
        while (text[from] == ' ')
            from++;
        while (to > from && text[to - 1] == ' ')
            to--;
        node_add(list, NULL, (struct place){0}, word_scalar(word, from, to));
        if (!text[comma])
            return list;
        from = comma + 1;
    }
}

/* asha, or asha:reduction=4,to=81 */
static struct node *word_stop(const struct word *word)
{
    struct arena *arena = &word->reader->study->arena;
    const char *text = word_text(word, 0);
    size_t from = strcspn(text, ":"), to;
    if (!text[from])
        return word_scalar(word, 0, from);
    struct node *map = node_new(arena, NODE_MAP, word_place(word, 0));
    struct node *settings = node_new(arena, NODE_MAP, word_place(word, from + 1));
    node_add(map, arena_copy(arena, text, from), word_place(word, 0), settings);
    for (; text[from]; from = to) {
        from++;
        to = from + strcspn(text + from, ",");
        size_t equals = from + strcspn(text + from, "=,");
        size_t value = equals < to ? equals + 1 : to;
        node_set(settings, arena_copy(arena, text + from, equals - from), word_place(word, from),
                 word_scalar(word, value, to));
    }
    return map;
}

/* ---- into the tree ---- */

/* Puts an item into a section, replacing that of the file. */
static void put(struct reader *reader, struct node *root, const char *section, const char *key,
                struct node *item)
{
    struct node *map = root;
    if (section) {
        map = node_find(root, section);
        if (!map) {
            map = node_new(&reader->study->arena, NODE_MAP, item->place);
            node_add(root, section, item->place, map);
        }
    }
    if (map->kind != NODE_MAP)
        return; /* a mistake of the file, reported when the section is read */
    node_set(map, key, item->place, item);
}

static void drop(struct node *root, const char *section, const char *key)
{
    struct node *map = node_find(root, section);
    if (map && map->kind == NODE_MAP)
        node_remove(map, key);
}

/* Removes the keys of code that runs in a language host. */
static void drop_code(struct node *root)
{
    static const char *const keys[] = {"python", "r", "warm", "preload", "interpreter"};
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        drop(root, "model", keys[i]);
}

/* A program on the command line replaces that of the file, unless both are given here. */
static void drop_others(struct node *root, const struct study_words *words)
{
    bool has_command = words->command && words->command[0], has_code = words->python || words->r;
    if ((has_command || has_code) && !words->function)
        drop(root, "model", "function");
    if ((words->function || has_code) && !has_command)
        drop(root, "model", "command");
    if ((has_command || words->function) && !has_code) {
        drop(root, "model", "python");
        drop(root, "model", "r");
    }
}

static bool merge_options(struct reader *reader, struct node *root, const struct study_words *words)
{
    static const char *const lists[] = {"metrics", "preload", "modules", NULL};
    bool any = false;
    for (size_t i = 0; i < OPTIONS; i++) {
        const struct word_option *option = &options[i];
        const char *value = *(const char *const *)((const char *)words + option->offset);
        char name[32];
        struct word word;
        if (!value)
            continue;
        any = true;
        snprintf(name, sizeof name, "--%s", option->name ? option->name : option->key);
        if (!word_open(&word, reader, name, value))
            continue;
        bool may_be_list =
            strcmp(option->key, "score") == 0 || strcmp(option->key, "direction") == 0;
        bool is_list = is_one_of(option->key, lists) || (may_be_list && strchr(value, ','));
        bool is_stop = strcmp(option->key, "stop") == 0;
        put(reader, root, option->section, option->key,
            is_list   ? word_list(&word, 0)
            : is_stop ? word_stop(&word)
                      : word_scalar(&word, 0, strlen(value)));
    }
    return any;
}

/* The command keeps the words that the shell made: each is quoted text. */
static bool merge_command(struct reader *reader, struct node *root, const char *const *command)
{
    struct arena *arena = &reader->study->arena;
    struct str joined = {0};
    for (size_t i = 0; command[i]; i++)
        str_printf(&joined, "%s%s", i ? " " : "", command[i]);
    struct word word;
    if (word_open(&word, reader, "--", str_text(&joined))) {
        struct node *list = node_new(arena, NODE_LIST, word_place(&word, 0));
        size_t offset = 0;
        for (size_t i = 0; command[i]; i++) {
            struct node *item = word_scalar(&word, offset, offset + strlen(command[i]));
            item->plain = false;
            node_add(list, NULL, (struct place){0}, item);
            offset += strlen(command[i]) + 1;
        }
        put(reader, root, "model", "command", list);
    }
    str_free(&joined);
    return true;
}

static void merge_variable(struct reader *reader, struct node *root, const char *text)
{
    struct arena *arena = &reader->study->arena;
    struct word word;
    if (!word_open(&word, reader, "--env", text))
        return;
    const char *equals = strchr(text, '=');
    if (!equals) {
        mistake(reader->mistakes, word_place(&word, 0),
                "--env needs a name and a value, as in --env OMP_NUM_THREADS=4");
        return;
    }
    size_t length = (size_t)(equals - text);
    struct node *model = node_find(root, "model"), *env = model ? node_find(model, "env") : NULL;
    if (!env) {
        env = node_new(arena, NODE_MAP, word_place(&word, 0));
        put(reader, root, "model", "env", env);
    }
    if (env->kind != NODE_MAP)
        return;
    struct node *value = word_scalar(&word, length + 1, strlen(text));
    value->plain = false;
    const char *name = arena_copy(arena, text, length);
    node_set(env, name, word_place(&word, 0), value);
}

/* --search KEY=VALUE: any key of the section, above all the options of an algorithm. */
static void merge_search(struct reader *reader, struct node *root, const char *text)
{
    struct word word;
    if (!word_open(&word, reader, "--search", text))
        return;
    size_t length = strcspn(text, "=");
    if (length == 0 || !text[length] || !text[length + 1]) {
        mistake(reader->mistakes, word_place(&word, 0),
                "--search needs a key and a value, as in --search population_size=20");
        return;
    }
    const char *key = arena_copy(&reader->study->arena, text, length);
    put(reader, root, "search", key, word_scalar(&word, length + 1, strlen(text)));
}

/* --constraint 'a < b': one more, in addition to those of the file. */
static void merge_constraint(struct reader *reader, struct node *root, const char *text)
{
    struct word word;
    if (!word_open(&word, reader, "--constraint", text))
        return;
    struct node *list = node_find(root, "constraints");
    if (!list) {
        list = node_new(&reader->study->arena, NODE_LIST, word_place(&word, 0));
        put(reader, root, NULL, "constraints", list);
    }
    if (list->kind == NODE_LIST) /* else a mistake of the file, reported later */
        node_add(list, NULL, word_place(&word, 0), word_scalar(&word, 0, strlen(text)));
}

/* --directive: one more, after those of the file. */
static void merge_directive(struct reader *reader, struct node *root, const char *text)
{
    struct arena *arena = &reader->study->arena;
    struct word word;
    if (!word_open(&word, reader, "--directive", text))
        return;
    struct node *job = node_find(root, "job"), *old = job ? node_find(job, "directives") : NULL;
    struct node *list = old && old->kind == NODE_LIST ? old : NULL;
    if (!list) {
        list = node_new(arena, NODE_LIST, word_place(&word, 0));
        if (old)
            node_add(list, NULL, old->place, node_copy(arena, old));
        put(reader, root, "job", "directives", list);
    }
    node_add(list, NULL, word_place(&word, 0), word_scalar(&word, 0, strlen(text)));
}

/* An image alone becomes a mapping, so that a runtime can be added. */
static void open_container(struct reader *reader, struct node *root)
{
    struct arena *arena = &reader->study->arena;
    struct node *old = node_find(root, "container");
    if (!old || old->kind != NODE_SCALAR)
        return;
    struct place place = old->key_place;
    struct node *map = node_new(arena, NODE_MAP, old->place);
    if (old->text[0])
        node_add(map, "image", place, node_copy(arena, old));
    node_set(root, "container", place, map);
}

/*
 * Bytes 0..to as the path of an earlier study. It is recorded as an absolute one, since a run that
 * was killed before it had read that study may be resumed in another folder.
 */
static struct node *word_earlier(const struct word *word, size_t to)
{
    struct node *node = word_scalar(word, 0, to);
    char *path = node->text[0] == '/' ? NULL : realpath(node->text, NULL);
    if (path)
        node->text = arena_copy(&word->reader->study->arena, path, strlen(path));
    free(path);
    return node;
}

/* --learn replaces all that the file names. */
static void merge_learn(struct reader *reader, struct node *root, const char *const *paths)
{
    struct node *list = node_new(&reader->study->arena, NODE_LIST, (struct place){0});
    for (size_t i = 0; paths[i]; i++) {
        struct word word;
        if (word_open(&word, reader, "--learn", paths[i]))
            node_add(list, NULL, word_place(&word, 0), word_earlier(&word, strlen(paths[i])));
    }
    if (list->first)
        list->place = list->first->place;
    put(reader, root, "search", "learn", list);
}

/* --start-from PATH, or PATH:N for the N best. */
static void merge_start(struct reader *reader, struct node *root, const char *path)
{
    struct word word;
    if (!word_open(&word, reader, "--start-from", path))
        return;
    const char *colon = strrchr(path, ':');
    size_t length = colon && colon[1] && strspn(colon + 1, "0123456789") == strlen(colon + 1)
                        ? (size_t)(colon - path)
                        : strlen(path);
    struct node *start = node_new(&reader->study->arena, NODE_MAP, word_place(&word, 0));
    node_add(start, "of", start->place, word_earlier(&word, length));
    if (path[length])
        node_add(start, "best", start->place, word_scalar(&word, length + 1, strlen(path)));
    put(reader, root, "search", "start", start);
}

/* ---- parameters ---- */

/*
 * A parameter with a condition in the file keeps the condition; a constant then becomes a choice of
 * one value.
 */
static struct node *keep_condition(struct reader *reader, const struct node *old, struct node *item)
{
    struct arena *arena = &reader->study->arena;
    struct node *when = old ? node_find(old, "when") : NULL;
    if (!when)
        return item;
    if (item->kind != NODE_MAP) {
        struct node *list = node_new(arena, NODE_LIST, item->place);
        struct node *map = node_new(arena, NODE_MAP, item->place);
        node_add(list, NULL, item->place, item);
        node_add(map, "choice", item->place, list);
        item = map;
    }
    node_add(item, "when", when->key_place, node_copy(arena, when));
    return item;
}

static void merge_parameter(struct reader *reader, struct node *root, const char *text)
{
    struct word word;
    if (!word_open(&word, reader, "--set", text))
        return;
    size_t length = strcspn(text, "=");
    if (length == 0 || !text[length] || !text[length + 1]) {
        mistake(reader->mistakes, word_place(&word, text[length] ? length : 0),
                "--set needs a name and a range or values, as in --set lr=log:1e-5..1e-1");
        return;
    }
    const char *name = arena_copy(&reader->study->arena, text, length);
    const struct node *space = node_find(root, "space");
    const struct node *old = space ? node_find(space, name) : NULL;
    if (old && old->place.source && old->place.source->file[0] == 0) {
        mistake(reader->mistakes, word_place(&word, 0), "'%s' is set twice", shown(name).text);
        return;
    }
    struct node *item = set_parameter(&word, length + 1);
    if (!item->wrong)
        item = keep_condition(reader, old, item);
    put(reader, root, "space", name, item);
    item->key_place = word_place(&word, 0);
}

/* The caller takes the place of the program. A function stays, since it may define the space. */
static void merge_asktell(struct reader *reader, struct node *root)
{
    drop(root, "model", "command");
    drop_code(root);
    node_remove(root, "container");
    put(reader, root, "model", "asktell",
        node_scalar(&reader->study->arena, "true", true, reader->start));
    reader->asktell = true;
}

bool words_merge(struct reader *reader, struct node *root, const struct study_words *words)
{
    if (root->kind != NODE_MAP)
        return false;
    if (words->container || words->runtime)
        open_container(reader, root);
    if (words->queue)
        drop(root, "job", "partition");
    bool any = merge_options(reader, root, words);
    bool has_command = words->command && words->command[0];
    if (has_command)
        any = merge_command(reader, root, words->command);
    drop_others(root, words);
    for (size_t i = 0; words->env && words->env[i]; i++, any = true)
        merge_variable(reader, root, words->env[i]);
    for (size_t i = 0; words->search && words->search[i]; i++, any = true)
        merge_search(reader, root, words->search[i]);
    for (size_t i = 0; words->constraints && words->constraints[i]; i++, any = true)
        merge_constraint(reader, root, words->constraints[i]);
    for (size_t i = 0; words->directives && words->directives[i]; i++, any = true)
        merge_directive(reader, root, words->directives[i]);
    for (size_t i = 0; words->set && words->set[i]; i++, any = true)
        merge_parameter(reader, root, words->set[i]);
    if (words->learn && words->learn[0])
        merge_learn(reader, root, words->learn);
    if (words->start_from)
        merge_start(reader, root, words->start_from);
    if (words->asktell)
        merge_asktell(reader, root);
    return any || words->asktell || words->start_from || (words->learn && words->learn[0]);
}
