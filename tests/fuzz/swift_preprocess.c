/*
 * Any bytes as a script with directives, and as a file that it includes: nothing may crash or take
 * long, every byte of what is made has a place, and whoever reads it again finds tokens.
 */
#include "folder.h"
#include "syntax/lex.h"
#include "syntax/preprocess.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_places(const struct sources *sources, const struct preprocessed *made,
                         uint32_t first)
{
    for (size_t i = 0; i < made->count; i++) {
        const struct source_segment *segment = &made->segments[i];
        uint32_t next = i + 1 < made->count ? segment[1].at : (uint32_t)made->text.length;
        if ((i == 0 && segment->at != 0) || segment->at > next || segment->column < 1 ||
            segment->file >= sources->file_count)
            BUG("a segment that is out of place");
        if (!source_place(sources, first + segment->at).file[0])
            BUG("text without a place");
    }
    if (made->text.length > 0 && made->count == 0)
        BUG("text without a segment");
}

static void check_list(const struct err_list *list)
{
    for (size_t i = 0; i < list->count && i < ERR_LIST_LIMIT; i++)
        if (!list->items[i].message[0] || !list->items[i].file[0])
            BUG("a mistake without its message or place");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static const char *const defines[] = {"ONE", "ADD(x,y)=(x + y)", NULL};
    static char path[80];
    const struct syntax_options options = {.defines = defines};
    struct slice text = {(const char *)data, size};
    struct sources sources = {0};
    struct preprocessed made;
    struct syntax_report report = {0};
    struct tokens tokens = {0};
    struct str printed = {0};
    struct err e = {0};
    if (!path[0]) {
        fuzz_folder_open();
        snprintf(path, sizeof path, "%s/a", fuzz_folder);
    }
    if (str_write_file(path, data, size, &e))
        abort();
    int code = preprocess(&sources, path, text, &options, &made, &report);
    if ((code == 0) != (report.mistakes.count == 0))
        BUG("a code that does not tell of mistakes");
    struct slice all = {str_text(&made.text), made.text.length};
    size_t index = source_add_text(&sources, all, made.segments, made.count);
    check_places(&sources, &made, sources.texts[index].first);
    lex(&sources, index, false, &tokens, &report.mistakes);
    check_list(&report.mistakes);
    check_list(&report.warnings);
    syntax_preprocess(path, text, &options, &printed, &report);
    free(tokens.items);
    preprocessed_free(&made);
    source_free(&sources);
    err_list_free(&report.mistakes);
    err_list_free(&report.warnings);
    str_free(&printed);
    return 0;
}
