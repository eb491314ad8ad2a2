/* What is assigned and read on which paths: mistakes, warnings, and what is neither. */
#include "swift/swift.h"

#include "tap.h"

/* The message that a script must give; NULL: none. */
static const struct {
    const char *name, *script, *mistake, *warning;
} cases[] = {
    {"assigned once", "int x = 1; trace(x);", NULL, NULL},
    {"read before it is assigned", "int x; trace(x); x = 1;", NULL, NULL},
    {"assigned twice", "int x = 1; x = 2; trace(x);", "x cannot be assigned again", NULL},
    {"assigned by a call and again",
     "(int a, int b) f() { a = 1; b = 2; } int x; x, y = f(); x = 3;", "x cannot be assigned again",
     NULL},
    {"never assigned", "int x; trace(x);", "x is read here, but never assigned", NULL},
    {"an empty array", "int a[]; trace(size(a));", NULL, NULL},
    {"an empty bag", "bag<int> b; trace(bag_size(b));", NULL, NULL},
    {"an output never assigned", "(int o) f() { } trace(f());", "the output o is never assigned",
     NULL},
    {"an output assigned in a branch", "(int o) f(int i) { if (i > 0) { o = 1; } } trace(f(1));",
     NULL, "o may be read without having been assigned"},
    {"an output assigned in all branches",
     "(int o) f(int i) { if (i > 0) { o = 1; } else if (i < 0) { o = 2; } else { o = 3; } }"
     "trace(f(1));",
     NULL, NULL},
    {"a switch with all cases",
     "(int o) f(int i) { switch (i) { case 1: o = 1; default: o = 2; } } trace(f(1));", NULL, NULL},
    {"a switch without default",
     "(int o) f(int i) { switch (i) { case 1: o = 1; case 2: o = 2; } } trace(f(1));", NULL,
     "o may be read without having been assigned"},
    {"assigned in a branch and after it", "int x; if (true) { x = 1; } x = 2; trace(x);", NULL,
     "x may be assigned twice"},
    {"assigned in a wait", "int x; int y = 1; wait (y) { x = 2; } trace(x);", NULL, NULL},
    {"assigned in a chain", "int x; trace(1) => x = 2; trace(x);", NULL, NULL},
    {"assigned in a loop", "int x; foreach i in [0:0] { x = i; } trace(x);", NULL,
     "x may be read without having been assigned"},
    {"read where it is assigned in a branch", "int x; if (true) { x = 1; trace(x); }", NULL, NULL},
    {"an array as a whole and by member", "int a[] = [1]; a[1] = 2; trace(size(a));",
     "no part of a can be assigned", NULL},
    {"an array by member and as a whole", "int a[]; a[1] = 2; a = [1]; trace(size(a));",
     "a cannot be assigned as a whole", NULL},
    {"appended to a bag that was assigned",
     "bag<int> a; bag<int> b = a; b += 1; trace(bag_size(b));", "no part of b can be assigned",
     NULL},
    {"a field that is never assigned", "type p { int x; int y; } p q; q.x = 1; trace(q.y);",
     "q.y is read here, but never assigned", NULL},
    {"a field after the whole", "type p { int x; } p q = p(1); q.x = 2; trace(q.x);",
     "no part of q can be assigned", NULL},
    {"a field twice", "type p { int x; } p q; q.x = 1; q.x = 2; trace(q.x);",
     "q.x cannot be assigned again", NULL},
    {"a struct without one of its fields",
     "type p { int x; int y; } f(p v) { trace(v.x); } p q; q.x = 1; f(q);", NULL,
     "q is used as a whole, but q.y is never assigned"},
    {"itself", "int x; x = x;", "x is assigned to itself", NULL},
    {"a condition that its branch assigns", "boolean a; if (a) { a = true; } else { trace(1); }",
     "a is waited for here", NULL},
    {"a switch over what its case assigns", "int a; switch (a) { case 1: a = 1; default: a = 2; }",
     "a is waited for here", NULL},
    {"a variable that is not used", "int x = 1;", NULL, "variable x is not used"},
    {"a file that is not written", "file f <\"a\">; trace(filename(f));", NULL,
     "nothing is written to the file f"},
    {"an app that does not mention its output",
     "app (file o) f() { \"true\" } file x <\"a\"> = f();", NULL,
     "the command does not mention the output o"},
    {"the same, on purpose",
     "@suppress=unused_output app (file o) f() { \"true\" } file x <\"a\"> = f();", NULL, NULL},
    {"the final value of a loop",
     "int x; for (int i = 0, x = 0; i < 3; i = i + 1, x = i) { } trace(x);", NULL, NULL},
    {"a condition over the body of iterate", "iterate i { int x = i; } until (x > 3);", NULL, NULL},
};

static const char *first(const struct err_list *list)
{
    return list->count > 0 ? list->items[0].message : "nothing";
}

static void check_list(const struct err_list *list, const char *expected, const char *name,
                       const char *kind)
{
    bool good = expected ? list->count == 1 && strstr(first(list), expected) : list->count == 0;
    if (!ok(good, "%s: %s", name, expected ? expected : kind))
        printf("# %zu, first: %s\n", list->count, first(list));
}

int main(void)
{
    struct syntax_options options = {.raw = true};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct syntax_report report = {0};
        swift_check("test.swift", slice_of(cases[i].script), &options, &report);
        check_list(&report.mistakes, cases[i].mistake, cases[i].name, "no mistake");
        if (!cases[i].mistake)
            check_list(&report.warnings, cases[i].warning, cases[i].name, "no warning");
        syntax_report_free(&report);
    }
    return tap_end();
}
