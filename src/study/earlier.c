/* earlier.c - what a search takes over from earlier studies: `learn` and `start`. */
#include "study/read.h"

#include <errno.h>
#include <unistd.h>

enum { LEARN_PATHS = 1000, START_POINTS = 1000, START_BEST = 5 };

/*
 * A file or folder that must exist; NULL and a mistake if it does not. What cannot be looked at for
 * another reason fails when it is read, which says why. It is not checked for a restored study,
 * because all that was taken over is in the journal itself, unless the first run was killed before
 * that.
 */
static const char *read_path(struct reader *reader, const struct node *value)
{
    struct arena *arena = &reader->study->arena;
    const char *text;
    if (!read_text(reader, value, &text))
        return NULL;
    const char *base = path_base(reader, value);
    const char *path = text[0] == '/' ? text : arena_printf(arena, "%s/%s", base, text);
    bool there =
        reader->is_restored || access(path, F_OK) == 0 || (errno != ENOENT && errno != ENOTDIR);
    if (!there && text[0] == '/')
        mistake(reader->mistakes, value->place, "there is no file or folder '%s'",
                shown(text).text);
    else if (!there)
        mistake(reader->mistakes, value->place, "there is no file or folder '%s' in %s",
                shown(text).text, shown(base).text);
    return there ? path : NULL;
}

void read_learn(struct reader *reader, const struct node *value)
{
    bool is_list = value->kind == NODE_LIST;
    if (value->kind == NODE_MAP || value->count > LEARN_PATHS) {
        mistake(reader->mistakes, value->place,
                "'learn' must be a study folder, a CSV file, or a list of them, as in learn: "
                "[old.wick, results.csv]");
        return;
    }
    size_t count = 0;
    const char **paths =
        arena_new(&reader->study->arena, (is_list ? value->count : 1) + 1, sizeof *paths);
    for (const struct node *item = is_list ? value->first : value; item;
         item = is_list ? item->next : NULL) {
        const char *path = read_path(reader, item);
        if (path)
            paths[count++] = path;
    }
    reader->study->learn = paths;
}

static void read_start_best(struct reader *reader, const struct node *value)
{
    read_whole(reader, value, 1, START_POINTS, &reader->study->start_best);
}

static void read_start_of(struct reader *reader, const struct node *value)
{
    reader->study->start_of = read_path(reader, value);
}

void read_start(struct reader *reader, const struct node *value)
{
    static const struct field fields[] = {
        {"best", read_start_best, NULL},
        {"of", read_start_of, NULL},
        {0},
    };
    reader->study->start_best = START_BEST;
    if (value->kind == NODE_SCALAR) {
        read_start_of(reader, value);
    } else if (read_map_of(reader, value, "start: {best: 5, of: old.wick}")) {
        read_fields(reader, value, fields);
        if (!node_find(value, "of") && !is_explained(value, fields, "of"))
            mistake(reader->mistakes, value->key_place,
                    "'start' needs the study whose best points are tried first, as in start: "
                    "{best: 5, of: old.wick}");
    }
}
