/*
 * glob.c - glob(): the files whose paths match a pattern.
 *
 *   {a,b}   one of these texts, which may contain patterns themselves
 *   *       any characters, but no slash
 *   ?       one character
 *   [a-c]   one of these characters; [!a-c] one that is none of them
 *   \x      x itself
 *
 * A name that starts with a point is found only if its pattern starts with one, too. The C
 * library's glob() is not used: it counts bytes instead of characters unless a locale is set, which
 * is the business of the whole program.
 */
#include "leaf/files.h"

#include <dirent.h>
#include <errno.h>
#include <sys/stat.h>

enum { ALTERNATIVES_LIMIT = 10000 };

/* Texts in an arena. */
struct texts {
    const char **items;
    size_t count, capacity;
};

static void add(struct texts *texts, const char *text)
{
    texts->items =
        memory_grow(texts->items, &texts->capacity, texts->count + 1, sizeof *texts->items);
    texts->items[texts->count++] = text;
}

/* ---- one name ---- */

/* The bytes of the character at p, which may also be a byte that is not UTF-8. */
static size_t character_length(const char *p)
{
    size_t length = utf8_length(p, strnlen(p, 4));
    return length > 0 ? length : 1;
}

/* Takes a character of [...]; what a backslash precedes is itself. */
static struct slice take_character(const char **at)
{
    *at += **at == '\\' && (*at)[1];
    struct slice character = {*at, character_length(*at)};
    *at += character.length;
    return character;
}

/* In UTF-8, the order of characters is that of their bytes. */
static bool is_at_most(struct slice a, struct slice b)
{
    int order = memcmp(a.text, b.text, a.length < b.length ? a.length : b.length);
    return order != 0 ? order < 0 : a.length <= b.length;
}

/*
 * Matches a character with the set at *at, which moves behind the set; false, and *at stays, if the
 * set is not closed.
 */
static bool match_set(const char **at, struct slice character, bool *matches)
{
    const char *p = *at + 1;
    bool inverse = *p == '!' || *p == '^', found = false;
    p += inverse;
    for (const char *first = p; *p && (*p != ']' || p == first);) {
        struct slice low = take_character(&p), high = low;
        if (*p == '-' && p[1] && p[1] != ']') {
            p++;
            high = take_character(&p);
        }
        found |= is_at_most(low, character) && is_at_most(character, high);
    }
    if (*p != ']')
        return false;
    *matches = found != inverse;
    *at = p + 1;
    return true;
}

/* Matches the character at *name with the pattern at *pattern; both move behind it. */
static bool match_character(const char **pattern, const char **name)
{
    struct slice character = {*name, character_length(*name)};
    bool matches = true;
    if (**pattern == '?') {
        ++*pattern;
    } else if (**pattern != '[' || !match_set(pattern, character, &matches)) {
        struct slice wanted = take_character(pattern);
        matches = slice_equal(wanted, character);
    }
    *name += character.length;
    return matches;
}

/* After a mismatch, the last * takes one character more: earlier ones never need to. */
static bool match(const char *pattern, const char *name)
{
    const char *star = NULL, *star_end = NULL;
    while (*name) {
        if (*pattern == '*') {
            star = ++pattern;
            star_end = name;
        } else if (!*pattern || !match_character(&pattern, &name)) {
            if (!star)
                return false;
            star_end += character_length(star_end);
            pattern = star;
            name = star_end;
        }
    }
    return pattern[strspn(pattern, "*")] == 0;
}

/* ---- folders ---- */

/* A pattern is followed from folder to folder, one component at a time. */
struct walk {
    struct arena arena;
    struct texts paths; /* what the components so far lead to; folders end in a slash */
    struct texts found;
    struct err *e;
};

static bool has_magic(const char *component)
{
    for (; *component; component++) {
        if (strchr("*?[", *component))
            return true;
        component += *component == '\\' && component[1];
    }
    return false;
}

/* Adds a component that is no pattern to each path. */
static void follow_name(struct walk *walk, const char *component, const char *slash)
{
    struct str name = {0};
    for (const char *at = component; *at;) {
        struct slice character = take_character(&at);
        str_add_bytes(&name, character.text, character.length);
    }
    for (size_t i = 0; i < walk->paths.count; i++)
        walk->paths.items[i] =
            arena_printf(&walk->arena, "%s%s%s", walk->paths.items[i], str_text(&name), slash);
    str_free(&name);
}

/* Adds what matches in one folder. One that cannot be read has no matches, as in a shell. */
static int look(struct walk *walk, const char *folder, const char *component, const char *slash,
                struct texts *matches)
{
    DIR *dir = opendir(*folder ? folder : ".");
    if (!dir && err_is_outage(errno)) {
        err_system(walk->e, "glob: cannot read the folder %s", folder);
        walk->e->code = ERR_USER;
        return ERR_USER;
    }
    for (struct dirent *entry; dir && (entry = readdir(dir));) {
        const char *name = entry->d_name;
        bool is_hidden =
            *name == '.' && (*component != '.' || !name[1] || slice_is(slice_of(name), ".."));
        if (is_hidden || (*slash && entry->d_type == DT_REG) || !match(component, name))
            continue;
        add(matches, arena_printf(&walk->arena, "%s%s%s", folder, name, slash));
    }
    if (dir)
        closedir(dir);
    return 0;
}

static int follow_pattern(struct walk *walk, const char *component, const char *slash)
{
    struct texts matches = {0};
    int failed = 0;
    for (size_t i = 0; i < walk->paths.count && !failed; i++)
        failed = look(walk, walk->paths.items[i], component, slash, &matches);
    free(walk->paths.items);
    walk->paths = matches;
    return failed;
}

/* Finds the files of a pattern without braces. */
static int follow(struct walk *walk, const char *pattern)
{
    struct stat info;
    bool is_last = false, is_name = true;
    int failed = 0;
    walk->paths.count = 0;
    add(&walk->paths, "");
    while (!is_last && !failed) {
        size_t length = strcspn(pattern, "/");
        const char *component = arena_copy(&walk->arena, pattern, length);
        is_last = !pattern[length];
        is_name = !has_magic(component);
        pattern += length + !is_last;
        if (is_name)
            follow_name(walk, component, is_last ? "" : "/");
        else
            failed = follow_pattern(walk, component, is_last ? "" : "/");
    }
    for (size_t i = 0; i < walk->paths.count && !failed; i++)
        if (!is_name || lstat(walk->paths.items[i], &info) == 0)
            add(&walk->found, walk->paths.items[i]);
    return failed;
}

/* ---- braces ---- */

/* The end of the text before the comma or brace that ends an alternative; NULL if there is none. */
static const char *alternative_end(const char *at)
{
    int depth = 0;
    for (; *at; at++) {
        if (depth == 0 && (*at == ',' || *at == '}'))
            return at;
        depth += (*at == '{') - (*at == '}');
        at += *at == '\\' && at[1];
    }
    return NULL;
}

static const char *first_brace(const char *at)
{
    for (; *at && *at != '{'; at++)
        at += *at == '\\' && at[1];
    return *at ? at : NULL;
}

/* Adds the pattern with each alternative of its first brace; false if the brace is not closed. */
static bool expand(struct walk *walk, const char *pattern, const char *brace,
                   struct texts *patterns)
{
    const char *close = brace;
    do
        close = alternative_end(close + 1);
    while (close && *close == ',');
    if (!close)
        return false;
    for (const char *at = brace; *at != '}';) {
        const char *start = at + 1;
        at = alternative_end(start);
        add(patterns, arena_printf(&walk->arena, "%.*s%.*s%s", (int)(brace - pattern), pattern,
                                   (int)(at - start), start, close + 1));
    }
    return true;
}

static int find(struct walk *walk, const char *pattern)
{
    struct texts patterns = {0};
    int failed = 0;
    add(&patterns, pattern);
    for (size_t i = 0; i < patterns.count && !failed; i++) {
        const char *brace = first_brace(patterns.items[i]);
        if (!brace)
            failed = follow(walk, patterns.items[i]);
        else if (!expand(walk, patterns.items[i], brace, &patterns))
            failed = err_set(walk->e, ERR_USER, "glob: '{' is not closed in '%s'", pattern);
        if (patterns.count > ALTERNATIVES_LIMIT)
            failed = err_set(walk->e, ERR_USER,
                             "glob: the braces in '%s' have more than %d combinations", pattern,
                             ALTERNATIVES_LIMIT);
    }
    free(patterns.items);
    return failed;
}

static int compare(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* In the order of their names, each once: two alternatives may match the same file. */
static void give(const struct leaf_call *call, struct texts *found)
{
    size_t count = 0;
    if (found->count > 0)
        qsort(found->items, found->count, sizeof *found->items, compare);
    struct leaf_member *items =
        leaf_list_start(&call->outputs[0], LEAF_ARRAY, found->count, call->arena);
    for (size_t i = 0; i < found->count; i++) {
        struct slice path = slice_of(found->items[i]);
        if (i > 0 && slice_is(path, found->items[i - 1]))
            continue;
        path.text = arena_copy(call->arena, path.text, path.length);
        items[count++].value = (struct leaf_value){.kind = LEAF_FILE, .text = path};
    }
    leaf_array_cut(&call->outputs[0], count);
}

int leaf_glob(const struct leaf_call *call, struct err *e)
{
    enum { PATTERN_LIMIT = 4096 };
    struct walk walk = {.e = e};
    struct slice pattern = call->inputs[0].text;
    if (pattern.length > PATTERN_LIMIT)
        return err_set(e, ERR_USER, "glob: the pattern is longer than %d bytes", PATTERN_LIMIT);
    int failed = find(&walk, arena_copy(call->arena, pattern.text, pattern.length));
    if (!failed)
        give(call, &walk.found);
    free(walk.paths.items);
    free(walk.found.items);
    arena_free(&walk.arena);
    return failed;
}
