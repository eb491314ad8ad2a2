/*
 * Names and types: fragments of scripts with the one mistake that each of them has, or none; the
 * types that variables and expressions get; which overload a call means.
 */
#include "swift/check.h"
#include "syntax/module.h"

#include "tap.h"

/* A script with everything that comes of it. */
struct run {
    struct script script;
    struct sources sources;
    struct arena arena;
    struct syntax_report report;
    struct checked checked;
};

static void run_check(struct run *run, const char *text)
{
    struct syntax_options options = {.raw = true};
    *run = (struct run){.sources = {0}};
    if (module_load(&run->script, &run->sources, "test.swift", slice_of(text), &options,
                    &run->arena, &run->report) == 0)
        check(&run->checked, &run->script, &run->sources, &options, &run->arena, &run->report);
}

static void run_free(struct run *run)
{
    err_list_free(&run->report.mistakes);
    err_list_free(&run->report.warnings);
    free(run->script.modules);
    free(run->checked.functions);
    free(run->checked.variables);
    arena_free(&run->arena);
    source_free(&run->sources);
}

/* `says` is part of the only message; NULL: there is none. */
struct fragment {
    const char *text, *says;
};

static bool has_one(const struct err_list *list, const char *says)
{
    return list->count == 1 && strstr(list->items[0].message, says);
}

static void show(const struct err_list *list)
{
    for (size_t i = 0; i < list->count && i < ERR_LIST_LIMIT; i++)
        printf("# %d:%d: %s\n", list->items[i].line, list->items[i].column, list->items[i].message);
}

static void check_fragment(const struct fragment *fragment, bool warning)
{
    struct run run;
    run_check(&run, fragment->text);
    const struct err_list *list = warning ? &run.report.warnings : &run.report.mistakes,
                          *other = warning ? &run.report.mistakes : &run.report.warnings;
    bool good = fragment->says ? has_one(list, fragment->says) : list->count == 0;
    ok(good && (other->count == 0 || (!warning && fragment->says)), "%s: %s", fragment->text,
       fragment->says ? fragment->says : "fine");
    if (!good)
        show(list);
    if (warning || !fragment->says)
        show(other);
    run_free(&run);
}

#define CHECK_ALL(fragments, warning)                                                              \
    for (size_t i = 0; i < sizeof(fragments) / sizeof *(fragments); i++)                           \
    check_fragment(&(fragments)[i], warning)

/* ---- names ---- */

static const struct fragment names[] = {
    {"int x = 1; trace(x);", NULL},
    {"trace(x);", "variable x is not declared"},
    {"trace(x); trace(x); { trace(x + 1); }", "variable x is not declared"},
    {"int count = 1; trace(cuont);", "did you mean 'count'?"},
    {"trace(x); int x = 1;", "variable x is not declared"},
    {"trace(x); f() { x = 1; }", "variable x is not declared"},
    {"int x; int x;", "variable x has already been declared at test.swift:1"},
    {"int x; { int x; }", "has already been declared"},
    {"{ int x; } { int x; }", NULL},
    {"if (true) { int x; } else { string x; }", NULL},
    {"f(int a) { int a; }", "variable a has already been declared"},
    {"f(int a) { { float a; } }", "variable a has already been declared"},
    {"(int o) f() { int o = 1; }", "variable o has already been declared"},
    {"foreach i in [1:2] { int i; }", "variable i has already been declared"},
    {"int i; foreach i in [1:2] { }", "variable i has already been declared"},
    {"foreach i, i in [1:2] { }", "variable i has already been declared"},
    {"foreach i in [1:2] { } foreach i in [1:2] { }", NULL},
    {"foreach i in [1:2] { } trace(i);", "variable i is not declared"},
    {"int x = 1; f() { trace(x); }", NULL},
    {"f() { trace(x); } int x = 1;", NULL},
    {"f() { int strlen = 1; trace(strlen); }", NULL},
    {"f() { int g = 1; trace(g, g()); } (int o) g() { o = 1; }", NULL},
    {"int size = 1; trace(size, size([1]));", NULL},
    {"f() { } int f;", "already that of a function (defined at test.swift:1)"},
    {"type P { int a; } int P;", "already that of a type"},
    {"f() { int NODE = 1; trace(NODE); } int RANK = 2;", NULL},
    {"f() { } type f int;", "f is already a type"},
    {"global const int f = 1; f() { }", "f is already a global constant"},
    {"type P { int a; } type P { int b; }", "P is already a type (defined at test.swift:1)"},
    {"type int float;", "int is already a type"},
    {"type bag int;", "bag is already a type"},
    {"type size int;", "size is already a type"},
    {"trace(trace);", "trace is a function, not a variable: call it"},
    {"trace(int);", "int is a type, not a variable"},
    {"foo(1); foo(2);", "function foo is not defined"},
    {"trcae(1);", "function trcae is not defined: did you mean 'trace'?"},
    {"trace(strlen(\"a\"));", "function strlen is not defined: write `import string;` to use it"},
    {"trace(PI);", "variable PI is not declared: write `import math;`"},
    {"PartialStats p;", "type PartialStats is not defined: write `import stats;`"},
    {"import string; trace(strlen(\"a\"));", NULL},
    {"trace(strlen(\"a\")); import string;", NULL},
    {"import math; trace(PI * E);", NULL},
    {"int x = 1; x(2);", "x is a variable, not a function (declared at"},
    {"foo v; foo w;", "type foo is not defined"},
    {"double v;", "type double is not defined: did you mean 'float'?"},
    {"bool v;", "did you mean 'boolean'?"},
    {"trace v;", "trace is a function, not a type"},
    {"global const int C = 1; C v;", "C is a global constant, not a type"},
};

static const struct fragment hiding[] = {
    {"int x = 1; f() { int x = 2; trace(x); }", "variable x hides the one of the top level"},
    {"int x = 1; f(int x) { trace(x); }", "hides the one of the top level (declared at test"},
    {"global const int C = 1; f() { int C = 2; trace(C); }", "variable C hides"},
    {"trace(@length(\"a\"));", "@length(...) is an old spelling"},
    {"type image;", "an old spelling: write `type image file;`"},
    {"@deprecated f() { } f();", "function f is deprecated (defined at test.swift:1)"},
};

/* ---- types ---- */

static const struct fragment types[] = {
    {"int x = \"a\";", "cannot assign to x: it has type int, but the value has type string"},
    {"int a = 1; string s = a;", "convert it with int2string()"},
    {"int i = 1; float f = i;", "convert it with int2float()"},
    {"float f = 1.5; int i = f;", "convert it with float2int()"},
    {"boolean b = 1;", "it has type boolean, but the value has type int"},
    {"int x = true;", "convert it with bool2int()"},
    {"float x = 3; float y = 1 + 1 * 2; float z[] = [1, 2.5];", NULL},
    {"float x = -3; float y[][] = [[1], [], [2.5, -1]];", NULL},
    {"int x = 2 ** 3;", "it has type int, but the value has type float"},
    {"file f = \"a.txt\";", "open the file of this path with input()"},
    {"file f<\"a\">; string s = f;", "filename() gives its path"},
    {"int a[] = [1, 2]; float b[] = a;", "it has type float[], but the value has type int[]"},
    {"int a[string]; int b[] = a;", "it has type int[], but the value has type int[string]"},
    {"int a[] = [1, 2.5];",
     "cannot assign to a: it has type int[], but the value has type float[]"},
    {"int a[] = [];  string b[string][] = {}; int c[][] = [[], [1]];", NULL},
    {"float a[float] = {1: 2, 2.5: 3};", NULL},
    {"int i = 1; float a[] = [i, 2.5];", "members of an array must have the same type"},
    {"int a[string] = {\"x\": 1, 2: 3};", "keys of an array must have the same type"},
    {"trace([1, \"a\"][0]);", "this one has type string, but the ones before have type int"},
    {"int a[blob];", "keys of an array are int, string, float or boolean, not blob"},
    {"file f<\"a\">; int a[file]; ", "keys of an array are int, string, float or boolean"},
    {"int a[boolean]; a[true] = 1; int b[float]; b[2] = 1; b[2.5] = 2;", NULL},
    {"int a[string]; a[1] = 2;", "array key type mismatch: the keys have type string"},
    {"int a[] = [1]; trace(a[\"x\"]);", "the keys have type int, but this has type string"},
    {"int x = 1; trace(x[0]);", "only an array can be indexed, but this has type int"},
    {"string s = \"a\"; trace(s[0]);", "see substring()"},
    {"bag<int> b; trace(b[0]);", "a bag has no keys"},
    {"type P { int a; } P p; p.a = 1; trace(p.z);", "struct P has no field z"},
    {"type P { int length; } P p; trace(p.lenght);", "did you mean 'length'?"},
    {"int x = 1; trace(x.y);", "only a struct has fields such as y, but this has type int"},
    {"type P { int a; P b; }", "struct P would contain itself"},
    {"type P { Q b; } type Q { R c; } type R { P d; }", "would contain itself"},
    {"type P { int a; P b[]; }", NULL},
    {"type P { Q q; } type Q { int a; } P p = P(Q(3)); trace(p.q.a);", NULL},
    {"type P { int a; int a; }", "field a is already in this struct"},
    {"type P { bag<int> b; }", "a field of a struct cannot be a bag"},
    {"type b bag<int>; type P { b x[]; }", "a field of a struct cannot be a bag"},
    {"type P { updateable_float u; }", "cannot be an updateable_float"},
    {"type P { string n; int i; } P p = P(\"a\", 3); trace(p.n, p.i);", NULL},
    {"type P { string n; float f; } P p = P(\"a\", 3); trace(p.f);", NULL},
    {"type P { string n; int i; } P p = P(\"a\");", "P(...) needs its 2 fields in their order"},
    {"type P { string n; int i; } P p = P(1, 2);", "field n of P must have type string"},
    {"type P { string n; } P p = P(n=\"a\");", "values are given in order, without names"},
    {"type P { int a; } type Q { int a; } P p = Q(1);", "it has type P, but the value has type Q"},
    {"P p = P(1); type P { int a; }", NULL},
    {"typedef count int; count c = 3; int i = c; c = i + 1;", NULL},
    {"typedef a b; typedef b a;", "is defined by itself"},
    {"type a a;", "type a is defined by itself"},
    {"typedef outer inner[]; typedef inner int[string]; outer d; d[0][\"a\"] = 1;", NULL},
    {"type meters float; meters m = 2.0;", "it has type meters, but the value has type float: "
                                           "convert it with meters()"},
    {"type meters float; meters m = meters(2); float f = m; float g = m * 2 + m;", NULL},
    {"type meters float; meters m = meters(2.0); meters n = m * 2.0;", "has type float"},
    {"type meters float; type yards float; meters m = yards(1.0);", "it has type meters, but"},
    {"type meters float; meters m = meters(\"a\");", "converts a value of type float"},
    {"type meters float; meters m = meters(1.0, 2.0);", "converts one value, but got 2"},
    {"typedef count int; count c = count(3); trace(c, int(4), float(4));", NULL},
    {"int i = 3; trace(float(i));", "converts a value of type float, but this is int: convert it "
                                    "with int2float()"},
    {"type grid int[string][]; grid g; g[\"a\"][0] = 1; int r[] = g[\"a\"]; trace(size(r));", NULL},
    {"bag<int> b; b += 1; bag<int[]> c; c += [1, 2];", NULL},
    {"bag<int> b; b += 1.5;", "cannot append to bag<int>: the value has type float"},
    {"bag b;", "the type of the members is missing"},
    {"array<int> a;", "only bag takes a type in <>"},
    {"bag<updateable_float> b;", "a bag cannot hold updateable_float"},
    {"updateable_float a[];", "an array cannot hold updateable_float"},
    {"int x; x += 1;", "+= appends to a bag, but this has type int"},
    {"int a[]; a += 1;", "+= appends to a bag, but this has type int[]"},
    {"b += 1;", "variable b is not declared: declare it, as in bag<int> b;"},
    {"bag<string> by[]; by[3] += \"a\"; bag<int> d[string][]; d[\"a\"][0] += 1;", NULL},
    {"external e; void v = e;", NULL},
    {"location l = location(1, HARD, RANK); trace(l.rank); location m = location(0, SOFT, NODE);",
     NULL},
    {"location l = location(1, NODE, RANK);", "field strictness of location must have type "
                                              "LocationStrictness"},
};

/* ---- operators ---- */

static const struct fragment operators[] = {
    {"int i = 1; trace(i + 2.5);", "operator + is not defined for int and float: convert the int"},
    {"int i = 1; trace(i < 2.5);", "operator < is not defined for int and float"},
    {"int i = 1; trace(i == 1.0);", "operator == is not defined for int and float"},
    {"int i = 1; float g = i * 3;", "cannot assign to g"},
    {"float f = 1.5; trace(f * 2 + 1, 2 ** f);", NULL},
    {"int i = 1; trace(i / 2);", "operator / is not defined for int and int: use %/ for ints"},
    {"trace(3 / 2, 3 %/ 2, 3 %% 2, 2 ** 3);", NULL},
    {"float f = 7 %/ 2;", "it has type float, but the value has type int"},
    {"trace(2.5 %/ 2);", "operator %/ is not defined for float and int: floats are divided by /"},
    {"trace(7 % 2);", "operator % is not defined for int and int: the remainder of ints is %%"},
    {"trace(1 + 2 + \"a\", \"a\" + 1 + 2.5, \"a\" + \"b\", \"a\"/\"b\");", NULL},
    {"trace(\"a\" + true);", "for string and boolean: convert the boolean with toString()"},
    {"trace(\"a\" - \"b\");", "operator - is not defined for string and string"},
    {"trace(\"a\" < \"b\");", "operator < is not defined for string and string"},
    {"trace(\"a\" == \"b\", true != false, 1 == 1, 1.5 == 1);", NULL},
    {"trace([1] == [1]);", "operator == is not defined for int[] and int[]"},
    {"trace(\"a\" == 1);", "operator == is not defined for string and int"},
    {"trace(!1);", "operator ! is not defined for int: compare an int, as in x != 0"},
    {"trace(1 && true);", "operator && is not defined for int and boolean"},
    {"trace(!true || true && false);", NULL},
    {"trace(-\"a\");", "operator - is not defined for string"},
    {"trace(-true);", "operator - is not defined for boolean"},
    {"trace(\"%i %f %s %b\" % (1, 2.5, \"a\", true), \"%i\" % 3);", NULL},
    {"trace(\"%i\" % [1]);", "operator % is not defined for string and int[]"},
    {"trace(\"%i %i\" % (1, [1]));", "operator % is not defined for string and int[]"},
    {"trace(1 % (1, 2));", "operator % is not defined for int and int"},
    {"trace((1, 2));", "a tuple is no value"},
    {"trace([1:5:2][0], [0.0:1:0.5][1], size([1:3]));", NULL},
    {"int i = 1; trace([i:2.5][0]);", "the parts of a range must have the same type"},
    {"trace([\"a\":\"b\"][0]);", "the parts of a range must be int or float, not string"},
    {"type m float; m a = m(1.0); trace(a + 1, a < 2, -a, a == 1.0);", NULL},
    {"int x = y + 1; int z = y;", "variable y is not declared"},
};

/* ---- assignments ---- */

static const struct fragment assignments[] = {
    {"x = 1; y = 2.5; z = \"a\"; a = [1, 2]; trace(x, y, z, a[0]);", NULL},
    {"x = 1; float y = x;", "it has type float, but the value has type int"},
    {"A[0][1] = 3; D[\"x\"] = 1.5; trace(A[0][1], D[\"x\"]); A[1][0] = 4;", NULL},
    {"A[0] = 3; A[1] = 2.5;", "cannot assign to an element of A: it has type int"},
    {"A[0] = 3; A[\"a\"] = 4;", "array key type mismatch"},
    {"a = [];", "the type of a cannot be told from an empty literal"},
    {"a = [[], [1]]; int b[][] = a;", NULL},
    {"a.b = 1;", "variable a is not declared"},
    {"int x = x;", "variable x is assigned to itself"},
    {"int x; x = x;", "variable x is assigned to itself"},
    {"x = x;", "variable x is not declared"},
    {"f(int x) { x = 3; }", "assigning variable x is not permitted here: it is an input"},
    {"f(int x[]) { x[0] = 3; }", "assigning variable x is not permitted here"},
    {"foreach i in [1:2] { i = 3; }", "not permitted here: it is a loop variable"},
    {"foreach r in [[1]] { r[0] = 3; }", "not permitted here: it is a loop variable"},
    {"global const int C = 1; C = 2;", "not permitted here: it is a global constant"},
    {"int x; f() { x = 3; }", "it belongs to the top level, and functions can only read it"},
    {"int x; { x = 3; }", NULL},
    {"(int o, int p[]) f() { o = 3; p[0] = 1; }", NULL},
    {"type P { int n; } P a[]; a[0].n = 1;", "a field of an element of a cannot be assigned"},
    {"type P { int n; } a[0] = P(1); trace(a[0].n);", NULL},
    {"type P { int w[]; P2 q; } type P2 { int v; } P p; p.w[0] = 1; p.q.v = 2;", NULL},
    {"type P { P2 w[]; } type P2 { int v; } P p; p.w[0].v = 1;", "a field of an element of p"},
    {"type P { int n; } P p; p.n = \"a\";", "cannot assign to field n: it has type int"},
    {"int x, y; x, y = 3, 4;", NULL},
    {"(x, y) = (1, 2.5); float z = y;", NULL},
    {"float x; int y; (x, y) = (1, 2);", NULL},
    {"x, y = 1, 2, 3;", "3 values cannot be assigned to 2 variables"},
    {"int x = 1; (a, b) = x;", "1 value cannot be assigned to 2 variables"},
    {"(int a, float b) f() { a = 1; b = 2.5; } x, y = f(); float z = y;", NULL},
    {"(int a, float b) f() { a = 1; b = 2.5; } int x, y; x, y = f();",
     "cannot assign to y: it has type int, but the value has type float"},
    {"(int a, float b) f() { a = 1; b = 2.5; } int x; x = f();",
     "function f has 2 outputs, but 1 variable is on the left"},
    {"(int a, float b) f() { a = 1; b = 2.5; } int x = f();",
     "function f has 2 outputs, but one value is needed"},
    {"(int a, int b) f() { a = 1; b = 2; } trace(f());", "function f has 2 outputs"},
    {"f() { } int x; x = f();", "function f has no output to assign"},
    {"f() { } int x = f();", "function f has no output, so a call of it is no value"},
    {"f() { } trace(f());", "function f has no output"},
    {"(int a, int b, int d) f() { a = 1; b = 2; d = 3; } type S { int n; } S s; int c[]; x, c[0], "
     "s.n = f();",
     NULL},
    {"int a, b = 2, c[]; trace(b);", NULL},
    {"int x; x = y; z = y;", "variable y is not declared"},
    {"int i = 1; x = i + 2.5; trace(x); int z = x;", "operator + is not defined"},
    {"int i = 1; a, b = i + 2.5, i; trace(a, b);", "operator + is not defined"},
};

/* ---- files and updateables ---- */

static const struct fragment files[] = {
    {"file f<\"a\">; url u<\"b\">; type image file; image i<\"c\" + 1>;", NULL},
    {"int x<\"a\">;", "variable x of type int cannot be mapped"},
    {"file f<3>;", "f is mapped to a path, a string, but this has type int"},
    {"file f[]<\"a\">;", "variable f of type file[] cannot be mapped"},
    {"foreach i in [1:2] { file f<\"out%i.txt\" % i> = input(\"a\"); }", NULL},
    {"url u = input_url(\"a\"); file f = u;", "it has type file, but the value has type url"},
    {"url u = input_url(\"a\"); url v = u;", NULL},
    {"url u = input_url(\"a\"); url v<\"b\"> = u;", "url v is mapped, so no other url"},
    {"app (url u) get() { \"get\" u } url v = get();", "url v needs a mapping"},
    {"app (url u) get() { \"get\" u } url v<\"a\"> = get();", NULL},
    {"updateable_float x = 1; x <incr> := 2.5; x <min> := 1; x <scale> := 2; float y = x;", NULL},
    {"updateable_float x = 1; trace(x + 1.0, x, [x][0]); y = x; float z = y; wait (x) { }", NULL},
    {"updateable_float x;", "needs a first value"},
    {"float y = 1; updateable_float x = y;", "must be a number, such as 0.0"},
    {"updateable_float x = -1.5; x = 2.0;", "change it as in x <incr> := 1.0, not by ="},
    {"updateable_float x = 1; x <incr> := \"a\";", "an update needs a float"},
    {"updateable_float x = 1; int i = 1; x <incr> := i;", "convert it with int2float()"},
    {"float x; x <incr> := 1.0;", ":= updates an updateable_float, but this has type float"},
    {"x <incr> := 1.0;", "declare it, as in updateable_float x = 0.0;"},
    {"updateable_float x = 1; f() { x <incr> := 1.0; }", "it belongs to the top level"},
    {"trace(1) => updateable_float x = 1;", "cannot be declared in a chain"},
    {"trace(1) => { updateable_float x = 1; x <incr> := 2; }", NULL},
    {"f(updateable_float x) { }", "x cannot be an updateable_float"},
    {"type u updateable_float;", "updateable_float cannot have subtypes"},
};

/* ---- statements ---- */

static const struct fragment statements[] = {
    {"if (1.5) { }", "the condition of an if statement must be boolean or int, but it has type"},
    {"if (1) { } if (true) { } else { }", NULL},
    {"switch (1.5) { case 1: trace(1); }", "switch needs an int, but this has type float"},
    {"switch (1) { case 1: case 2: case 1: trace(1); }", "duplicate case label 1 (first at"},
    {"switch (2) { case 1: int x = 1; trace(x); case 2: int x = 2; default: int x; }", NULL},
    {"foreach i in 5 { }", "foreach needs an array, a bag or a range"},
    {"bag<int> b; foreach v in b { trace(v); }", NULL},
    {"bag<int> b; foreach v, k in b { trace(k); }", "the members of a bag have no keys"},
    {"foreach v, k in {\"a\": 1.5} { string s = k; float f = v; }", NULL},
    {"foreach v, k in [1.0:2] { int i = k; float f = v; }", NULL},
    {"foreach v in [] { trace(v); }", NULL},
    {"@sync @unroll=4 foreach i in [1:2] { } @async @nosplit foreach i in [1:2] { }", NULL},
    {"@sync @async foreach i in [1:2] { }", "a loop cannot be both @sync and @async"},
    {"@foo foreach i in [1:2] { }", "annotation @foo is not known for a foreach loop"},
    {"@asinc foreach i in [1:2] { }", "did you mean '@async'?"},
    {"@splitdegree foreach i in [1:2] { }", "annotation @splitdegree needs a number"},
    {"@unroll=0 foreach i in [1:2] { }", "needs a number of at least 1"},
    {"@sync=3 foreach i in [1:2] { }", "annotation @sync takes no value"},
    {"@sync @sync foreach i in [1:2] { }", "annotation @sync is given twice"},
    {"int x; for (x = 0, int i = 0; i < 3; i = i + 1, x = y) { int y = x + 1; } trace(x);", NULL},
    {"for (; true; ) { }", NULL},
    {"for (i = 0; i < 3; i = i + 1) { }", "variable i is not declared: declare it here, as in int"},
    {"for (int i = 0; i < 3; ) { }", "loop variable i must be updated between iterations"},
    {"int k; for (int i = 0; i < 3; i = i + 1, k = 2) { }", "k is not a loop variable"},
    {"for (int i = 0; i < 3; i = i + 1, i = i + 2) { }", "loop variable i is updated twice"},
    {"for (int i = 0, int i = 1; i < 3; i = i + 1) { }", "loop variable i is initialised twice"},
    {"int n; for (n = 0, n = 1; n < 3; n = n + 1) { }", "loop variable n is initialised twice"},
    {"for (int i = \"a\"; i < 3; i = i + 1) { }", "cannot assign to i: it has type int"},
    {"for (int i = 0; i < 3; i = 1.5) { }", "cannot assign to i: it has type int, but the value"},
    {"for (int i = 0; \"a\"; i = i + 1) { }", "the condition of a for loop must be boolean or int"},
    {"for (int i = 0; i < 3; i = i + 1) { i = 5; }", "it is a loop variable"},
    {"for (int i = 0; j < 3; i = j) { int j = i + 1; }", "variable j is not declared"},
    {"int n; for (n = 0; n < 3; n = n + 1) { for (n = 0; n < 3; n = n + 1) { } }",
     "assigning variable n is not permitted here: it is a loop variable"},
    {"int n; f() { for (n = 0; n < 3; n = n + 1) { } }", "it belongs to the top level"},
    {"bag<int> b; bag<int> c; for (b = c; true; b = c) { }", "a loop variable cannot have type"},
    {"for (int a[] = [1], float x = 1; size(a) < 3; a = [1, 2, 3], x = 2) { }", NULL},
    {"@waiton=i @waiton=j for (int i = 0, int j = 0; i < 3; i = i + 1, j = 2) { }", NULL},
    {"@waiton=k for (int i = 0; i < 3; i = i + 1) { }", "k is not a variable of this loop"},
    {"@unroll=2 for (int i = 0; i < 3; i = i + 1) { }", "@unroll is not known for a for loop"},
    {"iterate i { int x = i; } until (i > 3 && x > 2);", NULL},
    {"iterate i { } until (1);", "the condition of an iterate loop must be boolean, but it has"},
    {"iterate i { i = 1; } until (true);", "it is a loop variable"},
    {"int a[] = [1]; wait (a, trace(1), 3) { } wait deep (a) { }", NULL},
    {"f() { } wait (f()) { }", "function f has no output"},
    {"wait (x) { }", "variable x is not declared"},
    {"int x; trace(1) => x = 2 => x => trace(x) => { }", NULL},
    {"f() { } f() => trace(1);", "function f has no output to wait for: give it a void output"},
    {"trace(1) => int x = 2 => y = 3; trace(x, y);", NULL},
    {"trace(1) => { int x = 2; } trace(x);", "variable x is not declared"},
    {"f() { } trace(1) => f();", NULL},
};

/* ---- functions ---- */

static const struct fragment functions[] = {
    {"f(int a) { } f(1, 2);", "too many arguments for f(int a): expected 1, but got 2 (defined at"},
    {"f(int a, int b) { } f(1);", "too few arguments for f(int a, int b): expected 2, but got 1"},
    {"f(int a, int b=2) { } f();", "too few arguments for f(int a, int b): expected at least 1"},
    {"f(int a, int b=2) { } f(1, 2, 3);",
     "too many arguments for f(int a, int b): expected at most"},
    {"f(float x) { } int i = 1; f(i);", "argument x of function f must have type float, but this "
                                        "has type int: convert it with int2float() (defined at"},
    {"f(float x, float y[]) { } f(3, [1, 2]);", NULL},
    {"trace([1]);", "argument v of function trace must have type int|float|string|boolean"},
    {"(int o) f(int a, string b=\"x\", float c=-1) { o = a; } trace(f(1), f(1, c=2), f(1, \"y\", "
     "3), "
     "f(1, c=2.5, b=\"z\"));",
     NULL},
    {"f(int a, int b=1) { } f(a=1);", "input a of f(int a, int b) has no default"},
    {"f(int a, int b=1) { } f(1, c=1);", "f(int a, int b) has no input c"},
    {"f(int a, int b=1) { } f(1, 2, b=1);", "input b of f(int a, int b) is given twice"},
    {"f(int a, int b=1) { } f(1, b=\"x\");", "argument b of function f must have type int"},
    {"f(int a=1, int b) { }", "input b needs a default, since a before it has one"},
    {"f(int a=1+2) { }", "the default of a must be a literal"},
    {"f(int a=\"x\") { }", "the default of a must have type int, but it has type string"},
    {"(int o=1) f() { o = 1; }", "output o cannot have a default"},
    {"f(int a, float a) { }", "duplicate parameter name a in function f"},
    {"(int a) f(int a) { }", "duplicate parameter name a in function f"},
    {"f(int... a) { trace(a); }",
     "input a cannot have a variable number, since this is a composite function"},
    {"f(int|float a) { trace(a); }",
     "input a cannot have a union type, since this is a composite function"},
    {"<T> f(T a) { trace(a); }", "a composite function cannot have type variables"},
    {"(int... o) f() { }", "output o cannot have a variable number"},
    {"(int|float o) f() \"p\" \"1\" \"f\";", "output o cannot have a union type"},
    {"f(int... a, int b) \"p\" \"1\" \"f\";", "input a is not the last one"},
    {"main { } main { }", "main has already been defined at test.swift:1"},
    {"main(int a) { }", "main has neither inputs nor outputs"},
    {"(int o) main() { o = 1; }", "main has neither inputs nor outputs"},
    {"main { trace(1); }", NULL},
    {"(int o) f(int n) { if (n == 0) { o = 0; } else { o = g(n - 1); } } (int o) g(int n) "
     "{ o = f(n); }",
     NULL},
    {"f(int a) { } f(float a) { } f(string a) { } f(int a[]) { } f(int a, int b) { } f(1); f(1.5); "
     "f(\"a\"); f([1]); f(1, 2);",
     NULL},
    {"f(int a) { } f(int b) { }",
     "overloads of f are ambiguous: a call could mean this one and the "
     "one at test.swift:1"},
    {"type m float; f(m a) { } f(float a) { }", "overloads of f are ambiguous"},
    {"(int o) f(int a) { o = a; } f(float a) { }", "must have the same number of outputs: this one "
                                                   "has 0, but the one at test.swift:1 has 1"},
    {"f(int a) { } f(float a=1) { }", "f cannot be overloaded, since the one here has a default"},
    {"f(int a=1) { } f(float a) { }", "f cannot be overloaded, since the one at test.swift:1"},
    {"f(int a) { } f(float... a) \"p\" \"1\" \"f\";", "f cannot be overloaded"},
    {"f(int a, float b) { } f(float a, int b) { } f(1, 2.5); f(1.5, 2);", NULL},
    {"f(int a, float b) { } f(float a, int b) { } f(1, 1);",
     "this call is ambiguous: it could be f(int a, float b) or f(float a, int b)"},
    {"f(int a) { } f(float a) { } f(\"x\");", "no function f takes (string): there is f(int a) and "
                                              "f(float a)"},
    {"f(int a) { } f(int a, int b) { } f(1, \"x\");",
     "argument b of function f must have type int"},
    {"f(int a) { } f(float a) { } f(x);", "variable x is not declared"},
    {"(int o) length(string s) { o = 1; }", "overloads of length are ambiguous: a call could mean "
                                            "this one and the one in the library"},
    {"(int o) length(int a[]) { o = 1; } trace(length([1]), length(\"a\"));", NULL},
    {"(int o) size(string s) { o = 1; }",
     "size cannot be overloaded, since the one in the library"},
    {"import sys; import unix; sleep(1); sleep(0.5);", NULL},
    {"trace(); trace(1, 2.5, \"a\", true);", NULL},
    {"x = size([1, 2]); y = size({\"a\": 1}); z = contains({\"a\": 1}, \"a\");", NULL},
    {"trace(contains({\"a\": 1}, 1));", "argument key of function contains must have type string"},
    {"trace(size(3));", "argument A of function size must have type T[K]"},
    {"<T> (T o) same(T a, T b) \"p\" \"1\" \"f\"; float f = same(1, 2); int i = same(1, 2); string "
     "s = same(\"a\", \"b\");",
     NULL},
    {"<T> (T o) same(T a, T b) \"p\" \"1\" \"f\"; trace(same(1, \"a\"));",
     "argument b of function"},
    {"<T> (T o[]) wrap(T a) \"p\" \"1\" \"f\"; float f[] = wrap(1); int g[][] = wrap([]);", NULL},
    {"<T> (T o) make() \"p\" \"1\" \"f\"; int i = make(); string s[] = make();", NULL},
    {"<T, T> f(T a) \"p\" \"1\" \"f\";", NULL},
    {"import stats; import string; a, b = stats([1.5]); trace(a, sum([1, 2]), sum([1, 2.5]), "
     "join([\"a\"], \"-\"));",
     NULL},
    {"import sys; trace(argv(\"a\"), argv(\"a\", \"b\"), clock_format(\"%d\", 3));", NULL},
    {"import python; trace(python(\"\", \"1\", exceptions_are_errors=false));", NULL},
};

/* ---- app and leaf functions ---- */

static const struct fragment commands[] = {
    {"app (file o, void v) f(file i, int n, string a[][]) { \"cat\" i n a (n * 2) @i @stdout=o }",
     NULL},
    {"app (int o) f() { \"a\" }", "the outputs of an app function are files or void, but o is int"},
    {"app (file o[]) f() { \"a\" o }", "the outputs of an app function are files or void, but o is "
                                       "file[]"},
    {"type image file; app (image o) f() { \"a\" o }", NULL},
    {"app f(int n) { n \"a\" }",
     "the first word of a command is the program, a string, but this is "
     "int"},
    {"app f() { cp \"a\" }", "put a word of the command in quotes: \"cp\""},
    {"app f(string program) { program \"a\" }", NULL},
    {"string program = \"a\"; app f() { program }", NULL},
    {"type P { int a; } app f(P p) { \"a\" p }", "a word of a command is a string"},
    {"app f(int d[string]) { \"a\" d }", "a word of a command is a string"},
    {"app f(int n) { \"a\" @stdin=n }", "@stdin needs a file, but this is int"},
    {"app (file o) f() { \"a\" @stdout=\"x\" }", "@stdout needs a file, but this is string"},
    {"app (file o) f(url u) { \"a\" u o @stdin=u }", "@stdin needs a file, but this is url"},
    {"app f(int|float a) { \"a\" a }", "since this is an app function"},
    {"@suppress=unused_output app (file o) f() { \"a\" } @pure @deterministic app g() { \"a\" }",
     NULL},
    {"@suppress=all app (file o) f() { \"a\" o }", "@suppress=all is not known"},
    {"@foo app f() { \"a\" }", "annotation @foo is not known for an app function"},
    {"(int o) f(int n) \"turbine\" \"0.0\" [ \"set <<o>> [ expr <<n>> + 1 << 2 ]\" ];", NULL},
    {"(int o) f(int n) \"turbine\" \"0.0\" [ \"set <<o>> <<zz>>\" ];",
     "<<zz>> in the template is no parameter of function f"},
    {"(int o) f(int count) \"turbine\" \"0.0\" [ \"set <<o>> <<cuont>>\" ];",
     "did you mean 'count'?"},
    {"(int o) f(int n) \"turbine\" \"0.0\" [ \"set <<o>> <<<n>>> \\\\<<zz>>\" ];", NULL},
    {"@pure @commutative @dispatch=WORKER (int o) f(int n) \"p\" \"1\" \"f\";", NULL},
    {"@dispatch=leaf (int o) f(int n) \"p\" \"1\" \"f\";", NULL},
    {"@dispatch=NOPE (int o) f(int n) \"p\" \"1\" \"f\";", "@dispatch=NOPE is not known"},
    {"@dispatch=WORKR (int o) f(int n) \"p\" \"1\" \"f\";", "did you mean 'WORKER'?"},
    {"@dispatch (int o) f(int n) \"p\" \"1\" \"f\";", "annotation @dispatch needs a name"},
    {"@foo (int o) f(int n) \"p\" \"1\" \"f\";",
     "annotation @foo is not known for a leaf function"},
    {"@pure @pure (int o) f(int n) \"p\" \"1\" \"f\";", "annotation @pure is given twice"},
    {"@pure=3 (int o) f(int n) \"p\" \"1\" \"f\";", "annotation @pure takes no value"},
    {"@par @dispatch=CONTROL f(int n) \"p\" \"1\" \"f\";", "a function with @par needs"},
    {"@par (float t) f(int n) \"f\"; float t = @par=4 f(1);", NULL},
    {"@commutative f(int n) { }", "annotation @commutative is not known for a composite function"},
    {"@sync @checkpoint f(int n) { }", NULL},
    {"@checkpoint f(int n) { } f(float n) { }", "f cannot be overloaded, since it has @checkpoint"},
    {"pragma worktypedef fast; @dispatch=FAST f(int n) \"p\" \"1\" \"f\";", NULL},
    {"@dispatch=fast f(int n) \"p\" \"1\" \"f\"; pragma worktypedef fast;", NULL},
    {"pragma worktypedef fast; pragma worktypedef FAST;", "FAST has already been defined at"},
    {"pragma worktypedef 3;", "a work type has a name"},
    {"pragma appexecdef slow \"p\" \"1\" \"t\"; @dispatch=slow app f() { \"a\" }", NULL},
    {"pragma appexecdef slow;", "an executor is defined by"},
    {"pragma worktypdef fast;", "pragma worktypdef is not known: did you mean 'worktypedef'?"},
};

/* ---- annotations of calls, constants ---- */

#define WORKER   "@dispatch=WORKER (int o) w(int n) \"p\" \"1\" \"w\"; "
#define PARALLEL "@par @dispatch=WORKER (int o) p(int n) \"p\" \"1\" \"p\"; "

static const struct fragment annotations[] = {
    {WORKER "foreach i in [1:2] { int v = @prio=i w(i); } @prio=3 trace(1);", NULL},
    {WORKER "@prio=\"a\" w(1);", "annotation @prio needs type int, but this has type string"},
    {WORKER "@prio=1.5 w(1);", "annotation @prio needs type int, but this has type float"},
    {WORKER
     "location l = location(0, HARD, RANK); int v = @location=l w(1); @soft_location=l w(2);",
     NULL},
    {WORKER "location l = location(0, HARD, RANK); @location=(l, SOFT) w(1);", NULL},
    {WORKER "@location=3 w(1);", "annotation @location needs type location, but this has type int"},
    {WORKER "location l = location(0, HARD, RANK); @location=l @location=l w(1);",
     "annotation @location is given twice"},
    {WORKER "location l = location(0, HARD, RANK); @location=l @soft_location=l w(1);",
     "a call has one place"},
    {"location l = location(0, HARD, RANK); @location=l trace(1);",
     "@location needs a function that runs as a task of a worker, but trace does not"},
    {"f() { } location l = location(0, HARD, RANK); @location=l f();", "but f does not"},
    {"app f() { \"a\" } location l = location(0, HARD, RANK); @location=l f();", NULL},
    {PARALLEL "int n = 2; int x = @par=2*n p(1); @par=2.0 p(1);", NULL},
    {PARALLEL "@par=\"a\" p(1);", "annotation @par needs type int, but this has type string"},
    {WORKER "@par=2 w(1);", "function w is not parallel"},
    {WORKER "@foo=2 w(1);", "annotation @foo is not known for a call"},
    {WORKER "@pro=2 w(1);", "annotation @pro is not known for a call: did you mean '@prio'?"},
    {WORKER "@prio w(1);", "annotation @prio needs a value"},
    {WORKER "@prio=x w(1);", "variable x is not declared"},
    {"type P { int a; } P p = @prio=1 P(1);", "P is a type: only calls of functions have"},
    {"global const int A = 1; global const float B = -2; global const string C = \"a\"; f() { "
     "trace("
     "A, B, C); }",
     NULL},
    {"global const int A = 1 + 2;", "the value of A must be a literal"},
    {"global const int A = 2.5;", "the value of A must have type int, but it has type float"},
    {"global const int A[] = 2;", "a global constant must be an int, float, string or boolean"},
    {"global const file A = 2;", "a global constant must be an int, float, string or boolean"},
    {"global const int A = 1; int A;", "variable A has already been declared"},
    {"trace(A); global const int A = 1;", NULL},
};

/* ---- what things become ---- */

/* The type of variable x, or of the first argument of the last call of trace(). */
static const struct {
    const char *text, *type;
} results[] = {
    {"x = 1;", "int"},
    {"x = 2.5;", "float"},
    {"x = 1 + 2 * 3;", "int"},
    {"x = 3 / 2;", "float"},
    {"x = 2 ** 3;", "float"},
    {"x = 1 + \"a\";", "string"},
    {"x = 1 < 2;", "boolean"},
    {"x = [1, 2];", "int[]"},
    {"x = [1, 2.5];", "float[]"},
    {"x = [[1], [2.5], []];", "float[][]"},
    {"x = {1: 2.5, 2.5: 1};", "float[float]"},
    {"x = {\"a\": [1]};", "int[string][]"},
    {"x = [1:3];", "int[]"},
    {"x = [1:3:0.5];", "float[]"},
    {"x[0][\"a\"] = 1;", "int[][string]"},
    {"x[true] = [1.5];", "float[boolean][]"},
    {"a, x = 1, 2.5;", "float"},
    {"updateable_float u = 1; x = u;", "float"},
    {"type m float; m a = m(1.0); x = [a, a];", "m[]"},
    {"type m float; m a = m(1.0); x = [a, 2];", "float[]"},
    {"type m float; m a = m(1.0); x = a + 1;", "float"},
    {"<T> (T o[]) wrap(T a) \"p\" \"1\" \"f\"; x = wrap(wrap(1));", "int[][]"},
    {"x = toString;", NULL},
};

static const struct variable *variable_x(const struct checked *checked)
{
    for (size_t i = 0; i < checked->variable_count; i++)
        if (slice_is(checked->variables[i]->name, "x"))
            return checked->variables[i];
    return NULL;
}

static void inferred_types(void)
{
    for (size_t i = 0; i < sizeof results / sizeof *results; i++) {
        struct run run;
        run_check(&run, results[i].text);
        if (!results[i].type) {
            ok(run.report.mistakes.count == 1, "%s", results[i].text);
        } else if (ok(run.report.mistakes.count == 0, "%s", results[i].text)) {
            const struct variable *x = variable_x(&run.checked);
            is_text(type_text(run.checked.types, x->type), results[i].type, results[i].text);
        }
        show(results[i].type ? &run.report.mistakes : &(struct err_list){0});
        run_free(&run);
    }
}

#define OVERLOADS                                                                                  \
    "(string o) f(int a) { o = \"int\"; } (string o) f(float b) { o = \"float\"; } "               \
    "(string o) f(int c[]) { o = \"ints\"; } (string o) f(float d[]) { o = \"floats\"; } "         \
    "(string o) f(string e) { o = \"string\"; } (string o) f(int g, int h) { o = \"two\"; } "

/* The name of the first input of the overload that the last statement calls. */
static const struct {
    const char *text, *input;
} choices[] = {
    {OVERLOADS "f(1);", "a"},
    {OVERLOADS "f(1 + 2);", "a"},
    {OVERLOADS "f(1.0);", "b"},
    {OVERLOADS "f(1 + 2.0);", "b"},
    {OVERLOADS "f([1]);", "c"},
    {OVERLOADS "f([1, 2.5]);", "d"},
    {OVERLOADS "f([]);", "c"},
    {OVERLOADS "f(\"a\");", "e"},
    {OVERLOADS "f(1, 2);", "g"},
    {OVERLOADS "type t float; t x = t(1); f(x);", "b"},
    {"type t float; type u t; f(t a, int b) { } f(float c, float d) { } u x = u(t(1)); f(x, 1);",
     "a"},
    {"import assert; assertEqual(1, 2, \"\");", "a"},
};

static void chosen_overloads(void)
{
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        struct run run;
        run_check(&run, choices[i].text);
        show(&run.report.mistakes);
        const struct module *module = run.script.modules[run.script.module_count - 1];
        const struct item *last = &module->items[module->item_count - 1];
        const struct script_function *function = last->statement->values[0]->call->function;
        ok(function && slice_is(function->inputs[0].name, choices[i].input), "%s", choices[i].text);
        run_free(&run);
    }
}

/* Arguments stand in the order of the inputs, with the defaults and then those of `...`. */
static void arguments_in_order(void)
{
    struct run run;
    run_check(&run, "f(int a, float b=2, string c=\"x\") { } f(1, c=\"y\");");
    const struct module *module = run.script.modules[run.script.module_count - 1];
    const struct call *call = module->items[1].statement->values[0]->call;
    ok(call->argument_count == 3, "all three inputs have an argument");
    ok(call->arguments[0]->whole == 1, "the first by its position");
    ok(call->arguments[1]->kind == EXPRESSION_FLOAT && call->arguments[1]->number == 2,
       "the second by its default, which is a float");
    ok(slice_is(call->arguments[2]->text, "y"), "the third by its name");
    run_free(&run);
    run_check(&run, "import io; printf(\"%i %i\", 1, 2);");
    module = run.script.modules[run.script.module_count - 1];
    call = module->items[1].statement->values[0]->call;
    ok(call->argument_count == 3 && call->arguments[2]->whole == 2, "a variable number");
    run_free(&run);
}

/* The place of a mistake is that of the part that is wrong. */
static const struct {
    const char *text;
    int line, column;
} places[] = {
    {"int x =\n  \"a\";", 2, 3},          {"trace(1,\n  y);", 2, 3},
    {"f(int a) { }\nf(\n \"a\");", 3, 2}, {"int a = 1;\ntrace(a + 2.5);", 2, 9},
    {"int a[];\na[\"x\"] = 1;", 2, 3},    {"type P {\n  int a;\n  int a;\n}", 3, 7},
};

static void places_of_mistakes(void)
{
    for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
        struct run run;
        run_check(&run, places[i].text);
        const struct err *first = run.report.mistakes.items;
        ok(run.report.mistakes.count == 1 && first->line == places[i].line &&
               first->column == places[i].column,
           "a mistake in line %d, column %d", places[i].line, places[i].column);
        run_free(&run);
    }
}

/* What is nested without end is a mistake, not a crash. */
static void limits(void)
{
    struct run run;
    struct str text = {0};
    for (int i = 0; i < 1000; i++)
        str_printf(&text, "type t%d t%d[];", i, i + 1);
    str_add(&text, "type t1000 int;");
    run_check(&run, text.text);
    ok(run.report.mistakes.count > 0, "a long row of types");
    run_free(&run);
    str_clear(&text);
    str_add(&text, "x0 = 1;");
    for (int i = 0; i < 1000; i++)
        str_printf(&text, "x%d = [x%d];", i + 1, i);
    run_check(&run, text.text);
    ok(has_one(&run.report.mistakes, "nested too deeply"), "an array of arrays of arrays");
    run_free(&run);
    str_clear(&text);
    str_add(&text, "type t0 { int a; }");
    for (int i = 0; i < 60; i++)
        str_printf(&text, "type t%d { t%d a; t%d b; }", i + 1, i, i);
    run_check(&run, text.text);
    ok(run.report.mistakes.count > 0, "a struct with more fields than there are atoms");
    run_free(&run);
    str_free(&text);
}

int main(void)
{
    CHECK_ALL(names, false);
    CHECK_ALL(hiding, true);
    CHECK_ALL(types, false);
    CHECK_ALL(operators, false);
    CHECK_ALL(assignments, false);
    CHECK_ALL(files, false);
    CHECK_ALL(statements, false);
    CHECK_ALL(functions, false);
    CHECK_ALL(commands, false);
    CHECK_ALL(annotations, false);
    inferred_types();
    chosen_overloads();
    arguments_in_order();
    places_of_mistakes();
    limits();
    return tap_end();
}
