/* command.c - the command of a trial, as one types it. */
#include "report/report.h"

#include <math.h>
#include <unistd.h>

/* Quotes a word for a POSIX shell, where it needs quotes. */
static void put_quoted(struct str *s, const char *word)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                "_-+=./,:@%";
    if (word[0] && strspn(word, plain) == strlen(word)) {
        str_add(s, word);
        return;
    }
    str_add_char(s, '\'');
    for (; *word; word++) {
        if (*word == '\'')
            str_add(s, "'\\''");
        else
            str_add_char(s, *word);
    }
    str_add_char(s, '\'');
}

static void put_call(const struct study *study, const double *point, struct str *s)
{
    const char *separator = "";
    str_printf(s, "%s(", study->model.function->name);
    for (size_t i = 0; i < study->space.count; i++) {
        if (isnan(point[i]))
            continue;
        str_printf(s, "%s%s=", separator, study->space.parameters[i].name);
        space_put_text(&study->space.parameters[i], point[i], s);
        separator = ", ";
    }
    str_add_char(s, ')');
}

void report_command(const struct study *study, const char *dir, uint64_t id, const double *point,
                    struct str *s)
{
    if (study->model.function) {
        put_call(study, point, s);
        return;
    }
    struct arena arena = {0};
    char *here = getcwd(NULL, 0);
    if (here && strcmp(here, study->model.folder) != 0) {
        str_add(s, "cd ");
        put_quoted(s, study->model.folder);
        str_add(s, " && ");
    }
    free(here);
    char **words = trial_command(study, dir, id, point, &arena);
    for (size_t i = 0; words[i]; i++) {
        str_add(s, i ? " " : "");
        put_quoted(s, words[i]);
    }
    arena_free(&arena);
}
