/* log.c - what is kept of a program's output: its start, and a ring of its end. */
#include "outcome/outcome.h"

void outcome_log_clear(struct outcome_log *log)
{
    log->head_length = 0;
    log->tail_bytes = 0;
}

void outcome_log_add(struct outcome_log *log, const char *bytes, size_t length)
{
    size_t room = sizeof log->head - log->head_length;
    size_t first = length < room ? length : room;
    memcpy(log->head + log->head_length, bytes, first);
    log->head_length += first;
    bytes += first;
    length -= first;
    if (length > sizeof log->tail) { /* only the end of it can be kept */
        log->tail_bytes += length - sizeof log->tail;
        bytes += length - sizeof log->tail;
        length = sizeof log->tail;
    }
    size_t at = log->tail_bytes % sizeof log->tail;
    size_t upper = length < sizeof log->tail - at ? length : sizeof log->tail - at;
    memcpy(log->tail + at, bytes, upper);
    memcpy(log->tail, bytes + upper, length - upper);
    log->tail_bytes += length;
}

uint64_t outcome_log_bytes(const struct outcome_log *log)
{
    return log->head_length + log->tail_bytes;
}

uint64_t outcome_log_copy(const struct outcome_log *log, struct str *text)
{
    uint64_t size = sizeof log->tail, dropped = 0;
    str_add_bytes(text, log->head, log->head_length);
    if (log->tail_bytes > size) {
        dropped = log->tail_bytes - size;
        str_printf(text, "\n[... %llu bytes left out ...]\n", (unsigned long long)dropped);
        size_t at = log->tail_bytes % size;
        str_add_bytes(text, log->tail + at, size - at);
        str_add_bytes(text, log->tail, at);
    } else {
        str_add_bytes(text, log->tail, log->tail_bytes);
    }
    return dropped;
}
