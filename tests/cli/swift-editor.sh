#!/usr/bin/env bash
# The grammar for editors, share/wick/editors/swift-t.tmLanguage.json: its patterns compile, it gives the
# parts of a script the right names, and it comes to the end of every script outside of all brackets.
. "$(dirname "$0")/lib.sh"
need python3

cat >scopes.py <<'EOF'
"""Prints each piece of a script with its innermost scope, as an editor would find it; at the end "open" if
a rule is still open there. Without a script, only checks the grammar."""
import json, re, sys

grammar = json.load(open(sys.argv[1]))
patterns = {}


def compiled(text):
    if text not in patterns:
        patterns[text] = re.compile(text)
    return patterns[text]


def check(rule):
    for key in "match", "begin", "end":
        if key in rule:
            compiled(rule[key])
    if "include" in rule and rule["include"][1:] not in grammar["repository"]:
        sys.exit("nothing is called " + rule["include"])
    for inner in rule.get("patterns", []):
        check(inner)


def rules(outer):
    for rule in outer.get("patterns", []):
        if "include" in rule:
            rule = grammar["repository"][rule["include"][1:]]
        if "match" in rule or "begin" in rule:
            yield rule
        else:
            yield from rules(rule)


def captures(rule, key, found, scope):
    names = rule.get(key, {})
    if not names:
        return [(found.group(), scope)]
    return [(found.group(int(n)), names[n]["name"]) for n in sorted(names) if found.group(int(n))]


def scopes(lines):
    stack = [(grammar, None)]
    for line in lines:
        at = 0
        while True:
            rule, scope = stack[-1]
            best, which = None, None
            if "end" in rule:
                best, which = compiled(rule["end"]).search(line, at), rule
            for inner in rules(rule):
                found = compiled(inner.get("match") or inner["begin"]).search(line, at)
                if found and (best is None or found.start() < best.start()):
                    best, which = found, inner
            if best is None:
                if scope and line[at:].strip():
                    yield line[at:], scope
                break
            if scope and line[at:best.start()].strip():
                yield line[at:best.start()], scope
            if which is rule:
                yield from captures(rule, "endCaptures", best, scope)
                stack.pop()
            elif "match" in which:
                yield from captures(which, "captures", best, which.get("name"))
            else:
                name = which.get("name", scope)
                yield from captures(which, "beginCaptures", best, name)
                stack.append((which, name))
            if best.end() == at and which is not rule and "match" in which:
                at += 1
            else:
                at = best.end()
    if len(stack) > 1 and "$" not in stack[-1][0]["end"]:
        yield "open", stack[-1][0].get("name")


check(grammar)
for rule in grammar["repository"].values():
    check(rule)
for script in sys.argv[2:]:
    for text, scope in scopes(open(script, encoding="utf-8", errors="replace").read().split("\n")):
        if text.strip() and scope:
            print(text.strip() + "\t" + scope.replace(".swift-t", ""))
EOF
grammar=$SOURCE/share/wick/editors/swift-t.tmLanguage.json

check 'the patterns of the grammar compile' python3 scopes.py "$grammar"
check 'the extension names the grammar' python3 -c '
import json, os, sys
path = json.load(open(sys.argv[1]))["contributes"]["grammars"][0]["path"]
assert os.path.exists(os.path.join(os.path.dirname(sys.argv[1]), path))' "$SOURCE/share/wick/editors/package.json"

cat >sample.swift <<'EOF'
#include <common.swift>
#define STEPS 10
import tools.plot; // a module
/* two
   lines */
type point { float x; int n[]; }
global const float G = 9.81e-1;
@suppress=unused_output
app (file out) simulate(float rate, string words[])
{
    "./sim" "--rate" rate words @stdout=out
}
(int o) twice(int n)
{
    o = 2 * n;
}
main {
    foreach v, k in [0:STEPS:2] {
        string s = "%5.2f\n" % 0.5;
        @prio=k twice(v) => printf("done \"%s\"", s);
    }
    x <incr> := 1.0;
    if (true && a[1] >= 0x1f) { wait deep (x) { } }
}
string text = """
not // a comment
""";
EOF
check 'a script has scopes' python3 scopes.py "$grammar" sample.swift
while IFS='|' read -r text scope; do
    contains "$text is $scope" $'\n'"$OUT"$'\n' $'\n'"$text"$'\t'"$scope"$'\n'
done <<'EOF'
#|punctuation.definition.directive
include|keyword.control.directive
<common.swift>|string.quoted.other.lt-gt.include
10|constant.numeric.decimal
import|keyword.control.import
tools.plot|entity.name.namespace
// a module|comment.line.double-slash
lines|comment.block
point|entity.name.type
float|storage.type
9.81e-1|constant.numeric.float
@suppress|storage.modifier.annotation
app|storage.type.function.app
simulate|entity.name.function
rate|variable.parameter
@stdout|variable.language.redirection
./sim|string.quoted.double
twice|entity.name.function
main|entity.name.function.main
foreach|keyword.control
in|keyword.control
%5.2f|constant.other.placeholder
\n|constant.character.escape
\"|constant.character.escape
printf|entity.name.function.call
=>|keyword.operator.chain
<incr> :=|keyword.operator.update
>=|keyword.operator.comparison
0x1f|constant.numeric.hex
deep|keyword.control
true|constant.language
not // a comment|string.quoted.triple
EOF
lacks 'it ends outside of everything' "$OUT" $'\nopen\t'

unpack_page swift.md
for script in *.swift "$SOURCE"/src/syntax/library/*.swift; do
    check "the grammar reads ${script##*/}" python3 ../scopes.py "$grammar" "$script"
    lacks "it ends outside of everything in ${script##*/}" "$OUT" $'\nopen\t'
done
finish
