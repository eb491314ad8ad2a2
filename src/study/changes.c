/*
 * changes.c - what a user has changed about a study since it was recorded, and what of it the study
 * can go on with.
 *
 * Trees are compared, not bytes. Three of them tell an edit from an option: the file when it was
 * last read, the file now, and the recorded study, which is the former with the options of the
 * command line on top. What differs between the two files is put into the recorded study; whatever
 * was given as an option and stayed the same in the file keeps its value.
 */
#include "study/read.h"

/*
 * The keys that may change, with all keys below them: they decide how, where and for how long
 * trials run, but neither what a trial is nor what its score means. All other keys are fixed.
 */
static const char *const takeable[] = {
    /* the top level */
    "name", "keep", "checkpoints",
    /* model: limits and resources of a trial, and with what it is started */
    "model.timeout", "model.grace", "model.retries", "model.memory", "model.cores", "model.gpus",
    "model.env", "model.metrics", "model.interpreter", "model.warm", "model.preload",
    "model.launcher", "model.horovod",
    /* search: the budget, and when to give up */
    "search.trials", "search.time", "search.target", "search.workers", "search.stop", "search.halt",
    "search.interpreter",
    /* whole sections */
    "container", "job", NULL};

/* Mappings that are compared key by key; "" is the whole file. Other values are compared whole. */
static const char *const open_maps[] = {
    "",          "model",     "space",         "search",          "job",
    "container", "model.env", "container.env", "job.environment", NULL,
};

/* Keys, with all keys below them, whose numbers are read as values of parameters are. */
static const char *const typed[] = {"space", "forbid", "search.settings", "search.start", NULL};

/* Keys of numbers that Wick itself reads: there, 30 is the same as 30.0. */
static const char *const numeric[] = {"model.timeout",
                                      "model.grace",
                                      "model.retries",
                                      "model.memory",
                                      "model.gpus",
                                      "model.cores",
                                      "model.ranks",
                                      "search",
                                      "job.nodes",
                                      "job.workers_per_node",
                                      "job.cores",
                                      "job.memory",
                                      "job.gpus_per_node",
                                      "job.time",
                                      "job.notice",
                                      "job.chain",
                                      NULL};

/* Keys of `search`, the rest of which is numeric, that are words of a command or paths. */
static const char *const search_words[] = {"search.command",     "search.python", "search.r",
                                           "search.interpreter", "search.learn",  NULL};

/* True for a key of the table, and for all keys below one. */
static bool is_below(const char *key, const char *const *table)
{
    for (size_t i = 0; table[i]; i++) {
        size_t length = strlen(table[i]);
        if (strncmp(key, table[i], length) == 0 && (key[length] == 0 || key[length] == '.'))
            return true;
    }
    return false;
}

/* ---- a list of changes ---- */

static const char *copy_of(struct arena *arena, const char *text)
{
    return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

void study_changes_add(struct study_changes *changes, const char *key, const char *old,
                       const char *now)
{
    struct arena *arena = &changes->arena;
    changes->items =
        memory_grow(changes->items, &changes->capacity, changes->count + 1, sizeof *changes->items);
    changes->items[changes->count++] = (struct study_change){
        copy_of(arena, key), copy_of(arena, old), copy_of(arena, now), is_below(key, takeable)};
}

void study_changes_free(struct study_changes *changes)
{
    free(changes->items);
    arena_free(&changes->arena);
    *changes = (struct study_changes){0};
}

/* ---- keys of a tree ---- */

enum { PARTS = 3 }; /* "model.env.NAME" */

/* Splits a key into the keys of nested mappings; returns their number. */
static size_t split_key(struct arena *arena, const char *key, const char *parts[PARTS])
{
    const char *start = key;
    size_t count = 0;
    for (const char *dot = strchr(key, '.'); dot && count + 1 < PARTS; dot = strchr(start, '.')) {
        if (!is_one_of(arena_copy(arena, key, (size_t)(dot - key)), open_maps))
            break; /* a dot in the name of a parameter */
        parts[count++] = arena_copy(arena, start, (size_t)(dot - start));
        start = dot + 1;
    }
    parts[count++] = copy_of(arena, start);
    return count;
}

static struct node *find_value(struct arena *arena, struct node *root, const char *key)
{
    const char *parts[PARTS];
    size_t count = split_key(arena, key, parts);
    struct node *node = root;
    for (size_t i = 0; node && i < count; i++)
        node = node_find(node, parts[i]);
    return node;
}

/* An empty section would be a mistake, so it goes with its last key. */
static void remove_value(struct node *map, const char *const *parts, size_t count)
{
    struct node *child = node_find(map, parts[0]);
    if (child && count > 1)
        remove_value(child, parts + 1, count - 1);
    if (child && (count == 1 || (child->kind == NODE_MAP && child->count == 0)))
        node_remove(map, parts[0]);
}

/* Sets the value of a key, or removes it if `value` is NULL. */
static void set_value(struct arena *arena, struct node *root, const char *key,
                      const struct node *value)
{
    const char *parts[PARTS];
    size_t count = split_key(arena, key, parts);
    struct node *map = root;
    if (!value) {
        remove_value(root, parts, count);
        return;
    }
    for (size_t i = 0; i + 1 < count; i++) {
        struct node *child = node_find(map, parts[i]);
        if (!child || child->kind != NODE_MAP) {
            child = node_new(arena, NODE_MAP, value->place);
            node_set(map, parts[i], value->key_place, child);
        }
        map = child;
    }
    node_set(map, parts[count - 1], value->key_place, node_copy(arena, value));
}

/* ---- comparing ---- */

/* What counts about a scalar. Words and values of parameters are passed on as they are written. */
enum meaning { MEANS_TEXT, MEANS_VALUE, MEANS_NUMBER };

static enum meaning meaning_of(const char *key)
{
    if (is_below(key, typed))
        return MEANS_VALUE;
    return is_below(key, numeric) && !is_below(key, search_words) ? MEANS_NUMBER : MEANS_TEXT;
}

static bool is_same_scalar(const struct node *a, const struct node *b, enum meaning meaning)
{
    double x, y;
    if (meaning == MEANS_VALUE && node_value_kind(a) != node_value_kind(b))
        return false;
    return strcmp(a->text, b->text) == 0 ||
           (meaning == MEANS_NUMBER && decimal_number(a->text, &x) && decimal_number(b->text, &y) &&
            x == y);
}

static bool is_same(const struct node *a, const struct node *b, enum meaning meaning)
{
    if (a->kind != b->kind || a->count != b->count)
        return false;
    if (a->kind == NODE_SCALAR)
        return is_same_scalar(a, b, meaning);
    const struct node *other = b->first;
    for (const struct node *item = a->first; item; item = item->next) {
        const struct node *pair = item->key ? node_find(b, item->key) : other;
        if (!pair || !is_same(item, pair, meaning))
            return false;
        other = other->next;
    }
    return true;
}

static const char *text_of(struct arena *arena, const struct node *node)
{
    struct str text = {0};
    if (!node)
        return NULL;
    node_put(node, &text);
    const char *copy = arena_copy(arena, text.text, text.length);
    str_free(&text);
    return copy;
}

/* Adds what differs between two trees; NULL is a value that is not there. */
static void compare(struct study_changes *changes, const char *key, const struct node *old,
                    const struct node *now)
{
    struct arena *arena = &changes->arena;
    const char *dot = key[0] ? "." : "";
    bool maps = (!old || old->kind == NODE_MAP) && (!now || now->kind == NODE_MAP);
    if (!maps || !is_one_of(key, open_maps)) {
        if (!old || !now || !is_same(old, now, meaning_of(key)))
            study_changes_add(changes, key, text_of(arena, old), text_of(arena, now));
        return;
    }
    for (const struct node *item = old ? old->first : NULL; item; item = item->next)
        compare(changes, arena_printf(arena, "%s%s%s", key, dot, item->key), item,
                now ? node_find(now, item->key) : NULL);
    for (const struct node *item = now ? now->first : NULL; item; item = item->next)
        if (!old || !node_find(old, item->key))
            compare(changes, arena_printf(arena, "%s%s%s", key, dot, item->key), NULL, item);
}

/* ---- the recorded study ---- */

/* A recorded study that is read again with something else in its tree. */
struct revision {
    struct study study; /* scratch, with the arena of all nodes */
    struct reader reader;
    struct recorded parts;
    struct node *recorded, *root; /* the recorded tree, and the one that is changed */
};

static struct node *parse(struct revision *r, const char *name, const char *text)
{
    struct arena *arena = &r->study.arena;
    struct source *source = arena_new(arena, 1, sizeof *source);
    *source = (struct source){name, text, strlen(text)};
    return node_read_yaml(arena, source, r->reader.mistakes);
}

/* False, and mistakes, if the recorded study is not valid: that can only be a mistake of Wick. */
static bool revision_begin(struct revision *r, const struct study *study, struct err_list *mistakes)
{
    *r = (struct revision){.parts = recorded_parts(study->text, strlen(study->text))};
    struct arena *arena = &r->study.arena;
    r->reader = (struct reader){.study = &r->study,
                                .mistakes = mistakes,
                                .folder = study->model.folder,
                                .is_restored = true,
                                .upf = r->parts.upf.text ? &r->parts.upf : NULL};
    r->reader.start.source = &r->parts.tree;
    r->recorded = node_read_yaml(arena, &r->parts.tree, mistakes);
    r->root = node_read_yaml(arena, &r->parts.tree, mistakes);
    return r->recorded && r->root;
}

/* Reads the changed tree as a study, for its mistakes, and adds what differs. */
static void revision_compare(struct revision *r, struct study_changes *changes)
{
    if (read_study(&r->reader, r->root) != 0)
        return;
    if (r->reader.has_moved)
        put_container_paths(&r->reader, r->root);
    compare(changes, "", r->recorded, r->root);
}

static int revision_end(struct revision *r)
{
    study_free(&r->study);
    return r->reader.mistakes->count > 0 ? ERR_USER : 0;
}

/* ---- the study file ---- */

/* The file as it is now; NULL and mistakes if it is not even a mapping. */
static struct node *read_file(struct revision *r, const struct study *study, const char *path)
{
    struct arena *arena = &r->study.arena;
    const struct source *source = read_source(&r->reader, path, STUDY_FILE_LIMIT);
    struct node *now = source ? node_read_yaml(arena, source, r->reader.mistakes) : NULL;
    r->reader.edited = source;
    r->reader.edited_folder = study->home;
    if (now && now->kind != NODE_MAP) {
        read_study(&r->reader, now);
        return NULL;
    }
    return now;
}

/* Puts what has changed in the file into the recorded tree; false if nothing has. */
static bool take_edits(struct revision *r, const struct node *then, struct node *now)
{
    struct arena *arena = &r->study.arena;
    struct study_changes edits = {0};
    compare(&edits, "", then, now);
    for (size_t i = 0; i < edits.count; i++)
        set_value(arena, r->root, edits.items[i].key, find_value(arena, now, edits.items[i].key));
    bool any = edits.count > 0;
    study_changes_free(&edits);
    return any;
}

int study_compare_file(const struct study *study, const char *path, struct study_changes *changes,
                       struct err_list *mistakes)
{
    struct revision r;
    bool good = revision_begin(&r, study, mistakes);
    const struct node *then = good ? parse(&r, "the recorded file", study->file_text) : NULL;
    struct node *now = then ? read_file(&r, study, path) : NULL;
    if (now) {
        if (take_edits(&r, then, now))
            changes->file_text = text_of(&changes->arena, now);
        revision_compare(&r, changes);
    }
    return revision_end(&r);
}

/* ---- options ---- */

int study_compare_words(const struct study *study, const struct study_words *words,
                        struct study_changes *changes, struct err_list *mistakes)
{
    struct revision r;
    if (revision_begin(&r, study, mistakes) && words_merge(&r.reader, r.root, words))
        revision_compare(&r, changes);
    return revision_end(&r);
}

/* ---- the changed study ---- */

/* Puts the changes into the tree; false, and mistakes, if one has a value that is not YAML. */
static bool put_changes(struct revision *r, const struct study_changes *changes)
{
    for (size_t i = 0; i < changes->count; i++) {
        const struct study_change *change = &changes->items[i];
        const struct node *value = change->now ? parse(r, "a change", change->now) : NULL;
        if (change->now && !value)
            return false;
        if (change->takeable)
            set_value(&r->study.arena, r->root, change->key, value);
    }
    return true;
}

int study_change(struct study *changed, const struct study *study,
                 const struct study_changes *changes, struct err_list *mistakes)
{
    struct revision r;
    struct str text = {0};
    int failed = ERR_USER;
    *changed = (struct study){0};
    if (revision_begin(&r, study, mistakes) && put_changes(&r, changes)) {
        node_put(r.root, &text);
        str_add(&text, r.parts.rest);
        failed = study_restore(changed, text.text, text.length, study->model.folder, mistakes);
    }
    if (!failed) {
        struct arena *arena = &changed->arena;
        if (!node_find(r.root, "name")) /* a study named after its file */
            changed->name = copy_of(arena, study->name);
        changed->path = copy_of(arena, study->path);
        changed->home = copy_of(arena, study->home);
        changed->file = copy_of(arena, study->file);
        changed->file_text =
            copy_of(arena, changes->file_text ? changes->file_text : study->file_text);
    }
    str_free(&text);
    study_free(&r.study);
    return failed;
}
