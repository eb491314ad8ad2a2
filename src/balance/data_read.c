/* data_read.c - how values, keys and answers lie in a message, and in the bytes of a task. */
#include "balance/data.h"

const unsigned char *data_read_bytes(struct data_reader *reader, size_t size)
{
    return bytes_next(reader->bytes, reader->length, &reader->at, size);
}

void data_read(struct data_reader *reader, void *out, size_t size)
{
    memcpy(out, data_read_bytes(reader, size), size);
}

bool data_read_operation(struct data_reader *reader, struct data_head *head,
                         struct data_reader *body)
{
    if (reader->at == reader->length)
        return false;
    data_read(reader, head, sizeof *head);
    *body = (struct data_reader){.bytes = data_read_bytes(reader, head->length),
                                 .length = head->length};
    return true;
}

struct balance_value data_read_value(struct data_reader *reader)
{
    struct data_value head;
    data_read(reader, &head, sizeof head);
    struct balance_value value = {.length = head.length, .id_count = head.id_count};
    value.ids = data_read_bytes(reader, value.id_count * sizeof(uint64_t));
    value.bytes = data_read_bytes(reader, value.length);
    return value;
}

struct slice data_read_key(struct data_reader *reader)
{
    uint32_t length;
    data_read(reader, &length, sizeof length);
    return (struct slice){(const char *)data_read_bytes(reader, length), length};
}

struct slice *data_read_keys(struct data_reader *reader, size_t count)
{
    if (count > (reader->length - reader->at) / sizeof(uint32_t))
        BUG("%zu keys do not fit into their message", count);
    struct slice *keys = memory_new(count, sizeof *keys);
    for (size_t i = 0; i < count; i++)
        keys[i] = data_read_key(reader);
    return keys;
}

void data_write_value(struct str *out, const struct balance_value *value)
{
    struct data_value head = {(uint32_t)value->length, (uint32_t)value->id_count};
    str_add_bytes(out, &head, sizeof head);
    str_add_bytes(out, value->ids, value->id_count * sizeof(uint64_t));
    str_add_bytes(out, value->bytes, value->length);
}

void data_write_key(struct str *out, struct slice key)
{
    uint32_t length = (uint32_t)key.length;
    str_add_bytes(out, &length, sizeof length);
    str_add_bytes(out, key.text, key.length);
}

/* ---- what a task reads ---- */

uint64_t balance_data_id(const struct balance_value *value, size_t index)
{
    uint64_t id;
    memcpy(&id, (const unsigned char *)value->ids + index * sizeof id, sizeof id);
    return id;
}

void balance_data_answers(struct balance_answers *answers, const void *bytes, size_t length)
{
    struct data_reader reader = {bytes, length, 0};
    struct data_trailer trailer;
    if (length < sizeof trailer)
        BUG("a task without answers is read as one with answers");
    memcpy(&trailer, reader.bytes + length - sizeof trailer, sizeof trailer);
    reader.length -= sizeof trailer;
    *answers = (struct balance_answers){.bytes = data_read_bytes(&reader, trailer.own_length),
                                        .length = trailer.own_length,
                                        .count = trailer.answers,
                                        .rest = reader.bytes + reader.at,
                                        .left = reader.length - reader.at};
}

bool balance_data_answer(struct balance_answers *answers, struct balance_answer *answer)
{
    struct data_reader reader = {answers->rest, answers->left, 0};
    struct data_answer head;
    if (answers->count == 0)
        return false;
    data_read(&reader, &head, sizeof head);
    *answer = (struct balance_answer){.present = head.present,
                                      .count = head.count,
                                      .rest = data_read_bytes(&reader, head.length),
                                      .left = head.length};
    answers->count--;
    answers->rest += reader.at;
    answers->left -= reader.at;
    return true;
}

bool balance_data_member(struct balance_answer *answer, struct balance_member *member)
{
    struct data_reader reader = {answer->rest, answer->left, 0};
    uint32_t row;
    if (answer->left == 0)
        return false;
    data_read(&reader, &row, sizeof row);
    member->row = row != 0;
    member->key = data_read_key(&reader);
    member->value = data_read_value(&reader);
    answer->count--;
    answer->rest += reader.at;
    answer->left -= reader.at;
    return true;
}
