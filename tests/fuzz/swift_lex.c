/*
 * Any bytes as a script: nothing may crash, tokens lie in the text one after the other, the last is
 * its end, and a mistake has a message and a place.
 */
#include "syntax/lex.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void check_tokens(const struct sources *sources, const struct tokens *tokens)
{
    uint32_t end = sources->texts[0].first;
    struct str description = {0};
    for (size_t i = 0; i < tokens->count; i++) {
        const struct token *token = &tokens->items[i];
        bool is_last = i + 1 == tokens->count;
        if ((token->kind == TOKEN_END) != is_last)
            BUG("the end is not the last token");
        if (token->at < end || token->at + token->length >= sources->end)
            BUG("a token outside of its place");
        if ((token->kind == TOKEN_NAME || token->kind == TOKEN_STRING) && !token->text.text)
            BUG("a token without its text");
        if (!is_last && token->length == 0)
            BUG("an empty token");
        end = token->at + token->length;
        str_clear(&description);
        token_describe(&description, sources, token);
        if (description.length == 0)
            BUG("a token that cannot be described");
    }
    str_free(&description);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    for (int raw = 0; raw < 2; raw++) {
        struct sources sources = {0};
        struct tokens tokens = {0};
        struct err_list mistakes = {0};
        source_add_plain(&sources, "script", (struct slice){(const char *)data, size});
        lex(&sources, 0, raw, &tokens, &mistakes);
        check_tokens(&sources, &tokens);
        for (size_t i = 0; i < mistakes.count && i < ERR_LIST_LIMIT; i++)
            if (!mistakes.items[i].message[0] || mistakes.items[i].line < 1 ||
                mistakes.items[i].column < 1)
                BUG("a mistake without its message or place");
        free(tokens.items);
        err_list_free(&mistakes);
        source_free(&sources);
    }
    return 0;
}
