/* labels.c - where in the script a datum or a task comes from. */
#include "flow/worker.h"

uint32_t *labels_make(const struct code *code)
{
    uint32_t *labels = memory_new(code->function_count + 1, sizeof *labels), next = 0;
    for (size_t i = 0; i < code->function_count; i++) {
        labels[i] = next;
        next += (uint32_t)code->functions[i].slot_count;
    }
    return labels;
}

static void show_place(struct str *s, const struct code *code, uint32_t number)
{
    const struct code_place *place = &code->places[number];
    const struct slice *file = &code->texts[place->file];
    str_add_bytes(s, file->text, file->length);
    str_printf(s, ":%u", place->line);
}

/* The slot of a label; NULL if there is none. */
static const struct code_slot *find_slot(const struct code *code, const uint32_t *labels,
                                         uint32_t label)
{
    size_t f = code->function_count;
    while (f > 0 && labels[f - 1] >= label)
        f--;
    if (label == 0 || f == 0)
        return NULL;
    return &code->functions[f - 1].slots[label - 1 - labels[f - 1]];
}

bool labels_has_name(const struct code *code, const uint32_t *labels, uint32_t label)
{
    const struct code_slot *slot = find_slot(code, labels, label);
    return slot && slot->name != CODE_NONE;
}

void labels_show_slot(struct str *s, const struct code *code, const uint32_t *labels,
                      uint32_t label)
{
    const struct code_slot *slot = find_slot(code, labels, label);
    if (!slot)
        return;
    if (slot->name == CODE_NONE)
        str_add(s, "a value");
    else
        str_add_bytes(s, code->texts[slot->name].text, code->texts[slot->name].length);
    str_add(s, " (");
    show_place(s, code, slot->place);
    str_add(s, ")");
}

void labels_show_place(struct str *s, const struct code *code, uint32_t label)
{
    if (label > 0)
        show_place(s, code, label - 1);
}
