/* message.c - no bytes that a program sends over its trial socket can make Wick crash. */
#include "trial/message.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct message message = {0};
    const char *text = (const char *)data;
    for (size_t at = 0; at < size;) {
        const char *newline = memchr(text + at, '\n', size - at);
        size_t length = newline ? (size_t)(newline - text) - at : size - at;
        struct err e = {0};
        if (message_read(&message, text + at, length, &e) == 0 && message.kind == MESSAGE_NONE)
            abort();
        at += length + 1;
    }
    message_free(&message);
    return 0;
}
