/* ends.c - why runs end, as the journal names it. */
#include "journal/journal.h"

static const char *const names[] = {
    [END_NONE] = "",
    [END_DONE] = "done",
    [END_EXHAUSTED] = "exhausted",
    [END_TIME] = "time",
    [END_DEADLINE] = "deadline",
    [END_TARGET] = "target",
    [END_STOPPED] = "stopped",
    [END_INTERRUPTED] = "interrupted",
    [END_HALTED] = "halted",
    [END_BROKEN] = "broken",
    [END_PREPARED] = "prepared",
    [END_OTHER] = "",
};

const char *journal_end_name(enum journal_end end)
{
    return names[end];
}

enum journal_end journal_end_read(const char *name)
{
    enum journal_end end = END_DONE;
    while (end < END_OTHER && strcmp(names[end], name) != 0)
        end++;
    return end;
}
