/*
 * Any bytes as the text of a script: nothing may crash or hang, every mistake has a place and a
 * message, and what was parsed is a whole tree whose depth is limited, even if there are mistakes.
 */
#include "syntax/parse.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_list(const struct err_list *list)
{
    for (size_t i = 0; i < list->count && i < ERR_LIST_LIMIT; i++) {
        const struct err *e = &list->items[i];
        if (e->code != ERR_USER || !e->message[0] || !e->file[0] || e->line < 1 || e->column < 1)
            BUG("a mistake without its place or its message");
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct sources sources = {0};
    struct tokens tokens = {0};
    struct arena arena = {0};
    struct syntax_report report = {0};
    struct str tree = {0};
    struct slice text = {(const char *)data, size};
    lex(&sources, source_add_plain(&sources, "a.swift", text), true, &tokens, &report.mistakes);
    struct module *module = parse(&sources, &tokens, &arena, &report);
    tree_show(&tree, module);
    check_list(&report.mistakes);
    check_list(&report.warnings);
    if (report.mistakes.count == 0 && module->item_count == 0 && tokens.count > 1)
        for (size_t i = 0; i + 1 < tokens.count; i++)
            if (tokens.items[i].kind != TOKEN_SEMICOLON)
                BUG("a text is lost");
    str_free(&tree);
    free(tokens.items);
    arena_free(&arena);
    source_free(&sources);
    err_list_free(&report.mistakes);
    err_list_free(&report.warnings);
    return 0;
}
