/* The parser: the tree of every construct, each mistake with its place, and that nothing follows
 * it. */
#include "syntax/parse.h"

#include "tap.h"

/* What came of a text. */
struct result {
    struct str tree, messages, warnings; /* a message per line: "LINE:COLUMN: message" */
};

static void show_list(struct str *out, const struct err_list *list)
{
    for (size_t i = 0; i < list->count && i < ERR_LIST_LIMIT; i++)
        str_printf(out, "%s%d:%d: %s", i > 0 ? "\n" : "", list->items[i].line,
                   list->items[i].column, list->items[i].message);
}

static void run(struct result *result, struct slice text)
{
    struct sources sources = {0};
    struct tokens tokens = {0};
    struct arena arena = {0};
    struct syntax_report report = {0};
    *result = (struct result){0};
    lex(&sources, source_add_plain(&sources, "a.swift", text), true, &tokens, &report.mistakes);
    if (report.mistakes.count == 0)
        tree_show(&result->tree, parse(&sources, &tokens, &arena, &report));
    show_list(&result->messages, &report.mistakes);
    show_list(&result->warnings, &report.warnings);
    free(tokens.items);
    arena_free(&arena);
    source_free(&sources);
    err_list_free(&report.mistakes);
    err_list_free(&report.warnings);
}

static void end(struct result *result)
{
    str_free(&result->tree);
    str_free(&result->messages);
    str_free(&result->warnings);
}

/* ---- what is right ---- */

static const struct {
    const char *name, *text, *tree;
} trees[] = {
    {"an empty text", "", ""},
    {"stray semicolons", ";;", ""},

    /* expressions */
    {"literals", "f(1, 2.5, \"a\\\"b\", true, false, inf);",
     "call f(1, 2.50000, \"a\\x22b\", true, false, inf)\n"},
    {"products before sums", "x = a + b * c - d;", "assign x = ((a + (b * c)) - d)\n"},
    {"operators group from the left", "x = 2 ** 3 ** 2 - 1 - 1;",
     "assign x = ((((2 ** 3) ** 2) - 1) - 1)\n"},
    {"signs bind tighter than powers", "x = -2 ** -1 + !a;",
     "assign x = (((-2) ** (-1)) + (!a))\n"},
    {"all ranks", "x = a || b && c == d < e + f * g ** h;",
     "assign x = (a || (b && (c == (d < (e + (f * (g ** h)))))))\n"},
    {"all operators of a rank",
     "x = a * b / c %/ d %% e % f; y = a < b <= c > d >= e; z = a == b != c;",
     "assign x = (((((a * b) / c) %/ d) %% e) % f)\nassign y = ((((a < b) <= c) > d) >= e)\n"
     "assign z = ((a == b) != c)\n"},
    {"a format", "x = \"%s\" % a + b;", "assign x = ((\"%s\" % a) + b)\n"},
    {"a format of a tuple", "x = \"%s %i\" % (a, 1);", "assign x = (\"%s %i\" % (a, 1))\n"},
    {"brackets", "x = (a + b) * ((c));", "assign x = ((a + b) * c)\n"},
    {"elements and fields", "x = a[i][\"k\"].b.c[0] + f(x)[1].y;",
     "assign x = (a[i][\"k\"].b.c[0] + f(x)[1].y)\n"},
    {"signs before elements", "x = -a[0] - !b.c;", "assign x = ((-a[0]) - (!b.c))\n"},
    {"arrays, ranges, dictionaries", "f([], [1], [1, 2], [0:9], [0:9:2], {}, {1: 2, \"a\": [b]});",
     "call f([], [1], [1, 2], [0 : 9], [0 : 9 : 2], {}, {1: 2, \"a\": [b]})\n"},
    {"keywords of a call", "x = f(a, g(), b=1, c=a == b);",
     "assign x = f(a, g(), b=1, c=(a == b))\n"},
    {"annotations of a call", "x = @prio=i @par=2*n f(i) + @location=L[0] g();",
     "assign x = (@prio=i @par=(2 * n) f(i) + @location=L[0] g())\n"},
    {"an annotation whose value is a call", "@prio=f(3) g(x); @location=(L, SOFT) g(x);",
     "call @prio=f(3) g(x)\ncall @location=(L, SOFT) g(x)\n"},
    {"a name as an annotation", "@prio f(i);", "call @prio f(i)\n"},
    {"the old spelling of calls", "@f(x); y = @f(@g());", "call @f(x)\nassign y = @f(@g())\n"},
    {"the old spelling behind an annotation", "@prio=1 @f(x);", "call @prio=1 @f(x)\n"},

    /* simple statements */
    {"declarations", "int a; float b = 1, c[], d[string][]; bag<int[]> e[]; bag<bag<int>> f;",
     "declare int a\ndeclare float b = 1, c[], d[string][]\ndeclare bag<int[]> e[]\n"
     "declare bag<bag<int>> f\n"},
    {"keys of any type", "int a[bag<int>][int[string]];", "declare int a[bag<int>][int[string]]\n"},
    {"mappings", "file f <\"a\" + i> = g(), h<n>; file k<\"%i\" % (a > b)>;",
     "declare file f <(\"a\" + i)> = g(), h <n>\ndeclare file k <(\"%i\" % (a > b))>\n"},
    {"names of types are not reserved", "int = 3; input = int; file input<x>;",
     "assign int = 3\nassign input = int\ndeclare file input <x>\n"},
    {"assignments",
     "x = 1; a[0].b = 2; a, b[i], c.d = f(); (q, r) = g(); x, y = 1, 2; a, b = (1, 2);",
     "assign x = 1\nassign a[0].b = 2\nassign a, b[i], c.d = f()\nassign q, r = g()\n"
     "assign x, y = 1, 2\nassign a, b = (1, 2)\n"},
    {"an assignment to one variable in brackets", "(x) = f();", "assign x = f()\n"},
    {"appending", "b += 1; a[i] += f(x);", "append b += 1\nappend a[i] += f(x)\n"},
    {"a variable as a statement", "x;", "name x\n"},
    {"updates", "x <incr> := 1; x <min> := a < b; x <scale> := 2;",
     "update x <incr> := 1\nupdate x <min> := (a < b)\nupdate x <scale> := 2\n"},
    {"chains", "f() => int x = 1 => y = x = > z => b += 1 => g();",
     "chain\n  call f()\n  declare int x = 1\n  assign y = x\n  name z\n  append b += 1\n  call "
     "g()\n"},
    {"a declaration before an arrow", "int x => f();", "chain\n  declare int x\n  call f()\n"},
    {"what ends a chain",
     "f() => { g(); } f() => if (x) { } f() => foreach i in A { } "
     "f() => wait (x) { } f() => x <incr> := 1; f() => @sync for (;a;) { } g();",
     "chain\n  call f()\n  block\n    call g()\nchain\n  call f()\n  if x\n"
     "chain\n  call f()\n  foreach i in A\nchain\n  call f()\n  wait x\n"
     "chain\n  call f()\n  update x <incr> := 1\nchain\n  call f()\n  @sync for while a\ncall "
     "g()\n"},
    {"a chain in a chain", "f() => { g() => h(); }",
     "chain\n  call f()\n  block\n    chain\n      call g()\n      call h()\n"},

    /* branches and loops */
    {"blocks", "{ } { int x; { } }", "block\nblock\n  declare int x\n  block\n"},
    {"if", "if (a) { b(); } else if (c == 1) { } else { d(); } if (e) { }",
     "if a\n  call b()\nelse\n  if (c == 1)\n  else\n    call d()\nif e\n"},
    {"switch", "switch (a) { case 0: f(); g(); case 17: default: int x; { } }",
     "switch a\ncase 0\n  call f()\n  call g()\ncase 17\ndefault\n  declare int x\n  block\n"},
    {"a switch without cases", "switch (a) { }", "switch a\n"},
    {"foreach", "foreach v in A { } foreach v, k in {1: 2} { f(v, k); }",
     "foreach v in A\nforeach v, k in {1: 2}\n  call f(v, k)\n"},
    {"annotations of loops",
     "@sync @splitdegree=4 foreach v in [0:9] { } @waiton=a for (; true; ) { }",
     "@sync @splitdegree=4 foreach v in [0 : 9]\n@waiton=a for while true\n"},
    {"for", "for (int i = 0, x = 1.0, bag<int> b[] = c; i < 9; i = i + 1, y = 3) { f(i); }",
     "for int i = 0 then (i + 1), x = 1.00000, bag<int> b[] = c, stray y, while (i < 9)\n"
     "  call f(i)\n"},
    {"iterate", "iterate i { f(i); } until (i > 3 || done); g();",
     "iterate i until ((i > 3) || done)\n  call f(i)\ncall g()\n"},
    {"wait", "wait (a, f(b)) { } wait deep (A) { g(); }",
     "wait a, f(b)\nwait deep A\n  call g()\n"},

    /* definitions */
    {"a function", "(int a, float b[]) f(string s, int k[string], int n=-3) { a = n; }",
     "function (int a, float b[]) f(string s, int k[string], int n=(-3))\n  assign a = n\n"},
    {"lists that are left out", "main { } f() { } g { } (int a) h { } () k() { }",
     "function () main()\nfunction () f()\nfunction () g()\nfunction (int a) h()\nfunction () "
     "k()\n"},
    {"a call and a function", "f(x); f(int x) { } f();",
     "call f(x)\nfunction () f(int x)\ncall f()\n"},
    {"outputs and targets", "(a, b) = f(); (int a, int b) f() { } (a) = f(); (bag<int> b) f() { }",
     "assign a, b = f()\nfunction (int a, int b) f()\nassign a = f()\nfunction (bag<int> b) f()\n"},
    {"types of leaf functions", "<K, V> (boolean b) f(V A[K], K... key) { } f(int|float... x) { }",
     "function <K> <V> (boolean b) f(V A[K], K... key)\nfunction () f(int|float... x)\n"},
    {"words of a command",
     "app (file o) f(file i, int n) {\n  \"cmd\" n 1 2.5 true (n + 1) [1, 2] {1: 2} @i x (y) name\n"
     "  @stdin=i @stdout=o @stderr=g(e);\n}",
     "app (file o) f(file i, int n)\n  word \"cmd\"\n  word n\n  word 1\n  word 2.50000\n  word "
     "true\n"
     "  word (n + 1)\n  word [1, 2]\n  word {1: 2}\n  word i\n  word x\n  word y\n  word name\n"
     "  stdin i\n  stdout o\n  stderr g(e)\n"},
    {"app functions without lists", "app f { \"ls\" } app (void v) g { ls }",
     "app () f()\n  word \"ls\"\napp (void v) g()\n  word ls\n"},
    {"leaf functions",
     "(int o) f(int a) \"p\" \"1.0\" \"proc\"; f \"p\" \"1\" [ \"set x\" ];\n"
     "(int o) g() \"p\" \"1\" \"proc\" [ \"t\" ];",
     "leaf (int o) f(int a) \"p\" \"1.0\" \"proc\"\nleaf () f() \"p\" \"1\" \"\" [\"set x\"]\n"
     "leaf (int o) g() \"p\" \"1\" \"proc\" [\"t\"]\n"},
    {"a leaf function with a single string", "@par (float t) name(int bf) \"name\";",
     "@par leaf (float t) name(int bf) \"\" \"\" \"name\"\n"},
    {"annotations of functions",
     "@pure @dispatch=WORKER (int r) f(int n) \"a\" \"b\" \"c\"; @suppress=x app f() { ls }\n"
     "@sync f { } @n=3 <T> f(T x) { } @pure f(int x) { }",
     "@pure @dispatch=WORKER leaf (int r) f(int n) \"a\" \"b\" \"c\"\n@suppress=x app () f()\n"
     "  word ls\n@sync function () f()\n@n=3 function <T> () f(T x)\n@pure function () f(int x)\n"},
    {"structs", "type p { int x; float y[]; q z[string][]; } type e { }",
     "struct p int x, float y[], q z[string][]\nstruct e\n"},
    {"subtypes and aliases", "type t float; type u int[string][]; type f; typedef g bag<int>[];",
     "subtype t float\nsubtype u int[string][]\nsubtype f\nalias g bag<int>[]\n"},
    {"constants", "global const int N = 3; global const string S = \"a\" + \"b\";",
     "constant int N = 3\nconstant string S = (\"a\" + \"b\")\n"},
    {"imports", "import io; import a . b.c; import \"d/e\";",
     "import io\nimport a.b.c\nimport file d/e\n"},
    {"pragmas", "pragma worktypedef W; pragma appexecdef X \"p\" \"1\" \"t\"; pragma x;",
     "pragma worktypedef W\npragma appexecdef X, \"p\", \"1\", \"t\"\npragma x\n"},
};

/* ---- what is wrong ---- */

static const struct {
    const char *text, *messages;
} mistakes[] = {
    /* the end of a statement */
    {"int a = 3\ntrace(a);", "1:10: ';' is missing after this statement"},
    {"main { f() }", "1:11: ';' is missing after this statement"},
    {"f(); g()", "1:9: ';' is missing after this statement"},
    {"x = 1 if (x) { } import io", "1:6: ';' is missing after this statement\n"
                                   "1:27: ';' is missing after this import"},
    {"int x = 3 trace(x); y = ;",
     "1:11: ';' is expected here, not 'trace'\n1:25: an expression is expected here, not ';'"},
    {"x = y = 3;", "1:7: ';' is expected here, not '='"},
    {"x = \"a\" \"b\";", "1:9: ';' is expected here, not \"b\""},
    {"f(a)); g(;", "1:5: this ')' closes nothing\n1:10: an expression is expected here, not ';'"},
    {"x = a[0]];", "1:9: this ']' closes nothing"},

    /* expressions */
    {"x = 1 + ;", "1:9: an expression is expected here, not ';'"},
    {"x = 1 + * 2;", "1:9: an expression is expected here, not '*'"},
    {"x = (1 + 2;", "1:11: ')' is missing after this expression"},
    {"x = f(a b);", "1:8: ',' or ')' is missing after this argument"},
    {"f(a, b,);", "1:7: remove this comma: nothing comes between it and ')'"},
    {"x = [1, 2,];", "1:10: remove this comma: nothing comes between it and ']'"},
    {"int a, b,;", "1:9: remove this comma: nothing comes between it and ';'"},
    {"x = [1:2, 3];", "1:9: ']' is missing after this range"},
    {"x = [1 2];", "1:7: ',' or ']' is missing after this member"},
    {"x = {\"a\" 1}; y = {1, 2};",
     "1:9: ':' is missing after this key\n1:20: ':' is missing after this key"},
    {"x = a[0; y = b.[1];", "1:8: ']' is missing after this index\n"
                            "1:16: the name of a field is expected here, not '['"},
    {"f(a=1, 2);", "1:8: an argument without a name cannot follow one that has a name"},
    {"if (x = 3) { }", "1:7: this assigns: write '==' to compare"},
    {"x = a and b; if (a or b) { y = 1 | 2; }",
     "1:7: write '&&' instead of 'and'\n1:20: write '||' instead of 'or'\n"
     "1:34: write '||' for a logical or"},
    {"x = @f;", "1:6: '@f' is not an expression: write filename(f) for the path of a file"},
    {"@prio=1 x = f();", "1:9: annotations stand directly before a call, as in x = @prio=1 f();"},

    /* simple statements */
    {"x + 1; y = 2 z;",
     "1:3: an expression is not a statement: assign it, or pass it to a function\n"
     "1:14: ';' is expected here, not 'z'"},
    {"x ++; x -= 1;", "1:3: a variable never changes: assign the result to a new one\n"
                      "1:9: a variable never changes: assign the result to a new one"},
    {"x == 3;", "1:3: '==' compares: write '=' to assign"},
    {"x := 3;", "1:3: write '=' to assign, or name the update, as in x <incr> := 1"},
    {"x <incr> = 3;", "1:9: ':=' is missing before the value of an update"},
    {"x <mix> := 3;", "1:4: unknown update 'mix': did you mean 'min'?"},
    {"x <product> := 3;", "1:4: unknown update 'product': there are incr, min and scale"},
    {"a, b += 1;", "1:6: '+=' appends to one bag"},
    {"(a, b = f();", "1:6: ')' is missing after this variable"},
    {"(a, b) f();", "1:7: '=' is missing: a value must be assigned"},
    {"(int x, int y) = f();", "1:6: ',' is missing before this name (a type cannot stand here)"},
    {"trace \"hello\";", "1:7: '(' is missing before the arguments of a call"},
    {"a[0] => f();",
     "1:6: '=>' can only follow a variable, a call, a declaration or an assignment"},
    {"a[0]\nb = 3;", "1:5: '=' is missing: a value must be assigned"},
    {"if (x) { } => f();",
     "1:12: '=>' can only follow a variable, a call, a declaration or an assignment"},
    {"f(); => g();",
     "1:6: '=>' can only follow a variable, a call, a declaration or an assignment"},
    {"f() => { } => g();",
     "1:12: '=>' can only follow a variable, a call, a declaration or an assignment"},
    {"f() => ;", "1:8: a statement is expected here, not ';'"},
    {"3;", "1:1: a statement is expected here, not '3'"},
    {"int|float x;", "1:4: a variable has one type"},

    /* declarations */
    {"int[] a; int[string][] b = f(x y);", "1:4: brackets follow the name: write int a[]\n"
                                           "1:13: brackets follow the name: write int b[string][]\n"
                                           "1:31: ',' or ')' is missing after this argument"},
    {"int a[5]; int b[int[3]];", "1:7: an array has no size: write []\n"
                                 "1:21: an array has no size: write []"},
    {"int a[string;", "1:13: ']' is missing after the type of the keys"},
    {"bag<int x;", "1:8: '>' is missing after the type of the members"},
    {"int in = 3;", "1:5: a name is expected here, not 'in'"},
    {"file f<\"x\">= g(y z);", "1:11: write '> =' with a blank: '>=' is one sign\n"
                               "1:17: ',' or ')' is missing after this argument"},
    {"file f<\"x\";", "1:11: '>' is missing after the path of this file"},

    /* branches */
    {"if (x) f(); else g(); h(;",
     "1:8: the body of 'if' needs braces: { ... }\n1:25: an expression is expected here, not ';'"},
    {"if (x) { } else g();", "1:17: the body of 'else' needs braces: { ... }"},
    {"if (x); wait (x) f(;", "1:7: the body of 'if' needs braces: { ... }\n"
                             "1:18: the body of 'wait' needs braces: { ... }\n"
                             "1:20: an expression is expected here, not ';'"},
    {"if x > 3 { f() } else { g() }", "1:3: '(' is missing before the condition\n"
                                      "1:15: ';' is missing after this statement\n"
                                      "1:28: ';' is missing after this statement"},
    {"if (x > 3 { f() }",
     "1:10: ')' is missing after the condition\n1:16: ';' is missing after this statement"},
    {"else { }", "1:1: this 'else' belongs to no 'if'"},
    {"switch (x) { case 0x1: f(); case -1: g() default: h(); case 4: }",
     "1:19: the label of a case is a decimal number without a sign\n"
     "1:34: the label of a case is a decimal number without a sign\n"
     "1:41: ';' is missing after this statement\n"
     "1:56: 'default' must be the last of the cases"},
    {"switch (x) { f(); } g(;", "1:14: 'case' or 'default' is expected here, not 'f'\n"
                                "1:23: an expression is expected here, not ';'"},
    {"switch (x) { case 1 f(); }", "1:20: ':' is missing after this label"},
    {"case 1: f();", "1:1: there is no 'switch' around this case"},

    /* loops */
    {"foreach int i in A { f() }", "1:9: a variable of 'foreach' has no type: remove it\n"
                                   "1:25: ';' is missing after this statement"},
    {"foreach i on A { f() }", "1:10: 'in' is missing after the loop variable\n"
                               "1:21: ';' is missing after this statement"},
    {"foreach (i in A) { f(); }", "1:9: a loop variable is expected here, not '('"},
    {"for (int i = 0; i < 3; i++) { f() }", "1:25: an update is an assignment, as in i = i + 1\n"
                                            "1:34: ';' is missing after this statement"},
    {"for (int i = 0; i < 3, i = i + 1) { }", "1:22: ';' is missing after the condition"},
    {"for (int i; i < 3; i = i + 1) { }",
     "1:11: '=' is missing after this loop variable: it needs a start value"},
    {"for (i = 0; a; i = 1, i = 2) { }", "1:23: loop variable i is updated twice"},
    {"for (;;) { }", "1:7: the condition is missing: write true for a loop without end"},
    {"for i in A { }", "1:4: '(' is missing after 'for'"},
    {"iterate i { }", "1:14: 'until' is missing after the body of 'iterate'"},
    {"iterate i { f() } until x;", "1:16: ';' is missing after this statement\n"
                                   "1:24: '(' is missing before the condition"},
    {"wait deep a { f() }", "1:10: '(' is missing after 'wait deep'\n"
                            "1:18: ';' is missing after this statement"},
    {"while (x) { f() }", "1:1: there is no statement 'while': did you mean 'for'? (parameters of "
                          "functions need types)\n"
                          "1:16: ';' is missing after this statement"},
    {"main { iff (x > 3) { } elif (y) { } }",
     "1:8: there is no statement 'iff': did you mean 'if'? (parameters of functions need types)\n"
     "1:24: there is no statement 'elif': did you mean 'else if'? (parameters of functions need "
     "types)"},

    {"if (x) { } els { f() }", "1:12: there is no statement 'els': did you mean 'else'?\n1:21: ';' "
                               "is missing after this statement"},

    /* functions */
    {"compute(x, int y) { f() }", "1:9: parameter x has no type: write it before the name\n"
                                  "1:24: ';' is missing after this statement"},
    {"(int o) f(int[] a, int b c) { }", "1:14: brackets follow the name: write int a[]\n"
                                        "1:25: ',' or ')' is missing after this parameter"},
    {"f(int x { f() }",
     "1:8: ',' or ')' is missing after this parameter\n1:14: ';' is missing after this statement"},
    {"(int o) f(int x);", "1:17: the body of function f is missing: { ... } or \"package\""},
    {"main { g { } (int o) f() { o = }  }", "1:8: functions are only allowed at the top level of "
                                            "the program: is a '}' missing before this "
                                            "one?\n1:32: an expression is expected here, not '}'"},
    {"main { import io; f() }", "1:8: imports are only allowed at the top level of the program\n"
                                "1:22: ';' is missing after this statement"},
    {"{ type t int; }", "1:3: type definitions are only allowed at the top level of the program"},
    {"{ typedef t int; }",
     "1:3: type definitions are only allowed at the top level of the program"},
    {"{ global const int N = 1; }",
     "1:3: global constants are only allowed at the top level of the program"},
    {"{ pragma p; }", "1:3: pragmas are only allowed at the top level of the program"},
    {"{ app f() { ls } }",
     "1:3: functions are only allowed at the top level of the program: is a '}' "
     "missing before this one?"},
    {"app f() { \"ls\" -l }", "1:16: an option stands in quotes, a negative number in brackets"},
    {"app f() { }  g(;", "1:11: an app function needs a command: a program and its arguments\n"
                         "1:16: an expression is expected here, not ';'"},
    {"app f() { ls @stdout=o @stdout=p }", "1:24: this is redirected twice"},
    {"app f() { ls @stdout=o x }", "1:23: '}' is missing after this command"},
    {"app f() { ls @3 }", "1:15: the name of a file is expected here, not '3'"},
    {"(int o) f() \"a\" \"b\"; g(;", "1:9: function f has neither a procedure nor a template\n"
                                     "1:24: an expression is expected here, not ';'"},
    {"(int o) f() \"a\" [ \"b\" ];", "1:9: the version of the package of function f is missing"},
    {"(int o) f() \"a\" \"b\" [ x ];", "1:23: a template in quotes is expected here, not 'x'"},
    {"@dispatch=\"W\" app f() { ls }", "1:15: annotations stand directly before a call, as in x = "
                                       "@prio=1 f();"},

    /* other items */
    {"type p { int x, y; } type q { int[] a; float b }",
     "1:15: ';' is expected here, not ','\n1:34: brackets follow the name: write int a[]\n"
     "1:47: ';' is missing after this field"},
    {"type p { int x;", "1:8: this '{' is never closed"},
    {"global int N = 1; global const int M;", "1:7: 'const' is missing after 'global'\n"
                                              "1:37: a constant needs a value: '=' is missing"},
    {"import a..b; import 3;", "1:10: the name of a module is expected here, not '.'\n"
                               "1:21: the name of a module is expected here, not '3'"},
    {"main { f(); } } g(;",
     "1:15: this '}' closes nothing\n1:19: an expression is expected here, not ';'"},
    {"main { if (x) { f(); }", "1:6: this '{' is never closed"},
    {"main {\n  if (x) {\n    f();\n}\ng() { h() }\nk() { h(); }",
     "5:1: functions are only allowed at the top level of the program: is a '}' missing before "
     "this "
     "one?\n5:10: ';' is missing after this statement"},
    {"f(1;\nx = 2;\nmain { g(3; }\ny = (4;",
     "1:4: ',' or ')' is missing after this argument\n3:11: ',' or ')' is missing after this "
     "argument\n"
     "4:7: ')' is missing after this expression"},
};

static void test_trees(void)
{
    for (size_t i = 0; i < sizeof trees / sizeof *trees; i++) {
        struct result result;
        run(&result, slice_of(trees[i].text));
        is_text(str_text(&result.tree), trees[i].tree, trees[i].name);
        is_text(str_text(&result.messages), "", "it has no mistakes");
        end(&result);
    }
}

static void test_mistakes(void)
{
    for (size_t i = 0; i < sizeof mistakes / sizeof *mistakes; i++) {
        struct result result;
        run(&result, slice_of(mistakes[i].text));
        is_text(str_text(&result.messages), mistakes[i].messages, mistakes[i].text);
        end(&result);
    }
}

static void test_warnings(void)
{
    struct result result;
    run(&result, slice_of("foreach i in 0:N - 1 { } foreach i in a:b:c { }"));
    is_text(str_text(&result.tree), "foreach i in [0 : (N - 1)]\nforeach i in [a : b : c]\n",
            "a range of foreach may lack brackets");
    is_text(str_text(&result.warnings),
            "1:14: a range stands in brackets: write [0:N - 1]\n"
            "1:39: a range stands in brackets: write [a:b:c]",
            "that is warned of");
    end(&result);
}

/* A bit of everything. */
static const char sample[] =
    "import io;\n"
    "import pkg.name;\n"
    "type point { float x; float y[string]; }\n"
    "typedef count int;\n"
    "global const int N = 3;\n"
    "@dispatch=WORKER\n"
    "(int o, float p) leaf(int n, string s=\"x\") \"package\" \"1.0\" [ \"set <<o>> 1\" ];\n"
    "app (file o) command(file i, int n)\n"
    "{\n"
    "  \"program\" n (n + 1) @i [1, 2] @stdin=i @stdout=o\n"
    "}\n"
    "(int sum) add(int a, int b[])\n"
    "{\n"
    "  if (a < size(b)) { sum = a + b[a]; }\n"
    "  else if (a == 0) { sum = -1; }\n"
    "  else { sum = add(a - 1, b); }\n"
    "}\n"
    "main\n"
    "{\n"
    "  int a, b[];\n"
    "  bag<int> c[string];\n"
    "  file f <\"out-%i\" % N> = command(input(\"in\"), 3);\n"
    "  (a, x) = leaf(2, s=\"y\");\n"
    "  foreach i in [0:9:3] {\n"
    "    b[i] = @prio=i add(i, [1, 2, i]);\n"
    "    c[\"k\"] += i;\n"
    "  }\n"
    "  for (int k = 0, string s = \"\"; k < N; k = k + 1, s = s + \"x\") {\n"
    "    printf(\"%i %s\", k, s) => trace(k) =>\n"
    "    {\n"
    "      p = point(1.0, {\"a\": 2.5, \"b\": 1e3});\n"
    "    }\n"
    "  }\n"
    "  switch (a) {\n"
    "    case 0:\n"
    "      trace(a);\n"
    "    default:\n"
    "      wait deep (b, x) { trace(b[0], p.y[\"a\"] * 2.0 ** 3.0 - 1.0); }\n"
    "  }\n"
    "}\n"
    "total <incr> := 2.0;\n"
    "iterate round { trace(round); } until (round >= 3 || !go);\n";

/* Removes a token of the sample, or doubles it. */
static void damage(struct str *out, const struct sources *sources, const struct token *token,
                   bool twice)
{
    size_t at = token->at - sources->texts[0].first;
    str_clear(out);
    str_add_bytes(out, sample, at);
    for (int i = 0; i < 2 * twice; i++) {
        str_add_bytes(out, sample + at, token->length);
        str_add_char(out, ' ');
    }
    str_add(out, sample + at + token->length);
}

static void test_damage(void)
{
    struct sources sources = {0};
    struct tokens tokens = {0};
    struct err_list none = {0};
    struct str text = {0};
    lex(&sources, source_add_plain(&sources, "a", slice_of(sample)), true, &tokens, &none);
    for (size_t i = 0; i + 1 < tokens.count; i++)
        for (int twice = 0; twice < 2; twice++) {
            struct result result;
            damage(&text, &sources, &tokens.items[i], twice);
            run(&result, (struct slice){text.text, text.length});
            bool few = !strchr(str_text(&result.messages), '\n');
            ok(few, "token %zu %s: at most one message", i, twice ? "twice" : "removed");
            if (!few)
                printf("# %s\n%s\n", result.messages.text, text.text);
            end(&result);
        }
    str_free(&text);
    free(tokens.items);
    source_free(&sources);
    err_list_free(&none);
}

/* Texts that are `start`, many times `part`, `middle`, as many times `close`, and `end`. */
static const struct {
    const char *start, *part, *middle, *close, *end;
    int most; /* repetitions that are allowed */
    const char *message;
} deep[] = {
    {"x = ", "(", "1", ")", ";", 190, "this is nested too deeply: at most 200 levels are allowed"},
    {"x = ", "[", "1", "]", ";", 190, "this is nested too deeply: at most 200 levels are allowed"},
    {"x = ", "{1: ", "1", "}", ";", 190,
     "this is nested too deeply: at most 200 levels are allowed"},
    {"x = ", "f(", "1", ")", ";", 190, "this is nested too deeply: at most 200 levels are allowed"},
    {"x = ", "a[", "1", "]", ";", 190, "this is nested too deeply: at most 200 levels are allowed"},
    {"x = ", "-", "1", "", ";", 190, "this is nested too deeply: at most 200 levels are allowed"},
    {"x = ", "@a=", "1", " f()", ";", 190,
     "this is nested too deeply: at most 200 levels are allowed"},
    {"", "bag<", "int", ">", " x;", 190,
     "this is nested too deeply: at most 200 levels are allowed"},
    {"int x", "[int", "", "]", ";", 190,
     "this is nested too deeply: at most 200 levels are allowed"},
    {"int x", "[]", "", "", ";", 200, "an array has at most 200 dimensions"},
    {"", "{ ", "", "} ", "", 190, "this is nested too deeply: at most 200 levels are allowed"},
    {"", "f() => { ", "", "} ", "", 190,
     "this is nested too deeply: at most 200 levels are allowed"},
    {"", "if (x) { ", "", "} ", "", 190,
     "this is nested too deeply: at most 200 levels are allowed"},
    {"", "foreach i in A { ", "", "} ", "", 190,
     "this is nested too deeply: at most 200 levels are allowed"},
    {"", "switch (x) { case 1: ", "", "} ", "", 190,
     "this is nested too deeply: at most 200 levels are allowed"},
    {"x = 1", " + 1", "", "", ";", 990,
     "this expression is too long: more than 1000 parts hang on each other"},
    {"x = a", "[1]", "", "", ";", 990,
     "this expression is too long: more than 1000 parts hang on each other"},
    {"x = a", ".b", "", "", ";", 990,
     "this expression is too long: more than 1000 parts hang on each other"},
    {"f()", " => f()", "", "", ";", 990,
     "this is too long: more than 1000 statements hang on each other"},
    {"if (x) { }", " else if (x) { }", "", "", "", 990,
     "this is too long: more than 1000 statements hang on each other"},
    {"for (", "i = 1, ", "j = 1; true; ) { }", "", "", 99, "a loop has at most 100 variables"},
};

/* Runs such a text; returns how many mistakes it has. */
static size_t run_deep(struct result *result, size_t which, int times)
{
    struct str text = {0};
    str_add(&text, deep[which].start);
    for (int i = 0; i < times; i++)
        str_add(&text, deep[which].part);
    str_add(&text, deep[which].middle);
    for (int i = 0; i < times; i++)
        str_add(&text, deep[which].close);
    str_add(&text, deep[which].end);
    run(result, (struct slice){text.text, text.length});
    str_free(&text);
    size_t count = result->messages.length > 0;
    for (size_t i = 0; i < result->messages.length; i++)
        count += result->messages.text[i] == '\n';
    return count;
}

static void test_limits(void)
{
    for (size_t i = 0; i < sizeof deep / sizeof *deep; i++) {
        struct result result;
        ok(run_deep(&result, i, deep[i].most) == 0, "%s%s many times: allowed", deep[i].start,
           deep[i].part);
        end(&result);
        ok(run_deep(&result, i, 20000) == 1 &&
               strstr(str_text(&result.messages), deep[i].message) != NULL,
           "%s%s too often: one message", deep[i].start, deep[i].part);
        end(&result);
    }
}

int main(void)
{
    test_trees();
    test_mistakes();
    test_warnings();
    test_damage();
    test_limits();
    return tap_end();
}
