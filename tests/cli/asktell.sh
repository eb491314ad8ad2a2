#!/usr/bin/env bash
# wick asktell: the loop in the caller's hands.
. "$(dirname "$0")/lib.sh"

cat >study.yaml <<'YAML'
space:
  lr: {log: [1e-5, 1e-1]}
  layers: {int: [1, 5]}
  optimizer: {choice: [sgd, adam]}
  momentum: {float: [0.5, 0.99], when: {optimizer: sgd}}
search: {algorithm: random, seed: 3}
YAML

# say LINE... : runs a session with these lines; its answers are in OUT.
say() {
    local dir=$1
    shift
    printf '%s\n' "$@" >in
    "$WICK" asktell "${options[@]}" --dir "$dir" <in >out 2>err
    code=$?
    OUT=$(cat out) ERR=$(cat err)
}
line() { sed -n "$1p" <<<"$OUT"; }
options=(study.yaml)

# ---- answers ----
say a '{"best": true}' '{"ask": 2}' '{"tell": {"id": 1, "score": 0.3, "metrics": {"loss": 2}}}' '' \
    '{"tell": [{"id": 2, "failed": true, "reason": "no memory"}]}' '{"best": true}' '{"tell": []}'
equals 'it ends well' "$code" 0
equals 'nothing goes to stderr' "$ERR" ''
equals 'each line but the blank one has an answer' "$(wc -l <out)" 6
equals 'before the first result there is no best' "$(line 1)" '{"best":null}'
contains 'trials have ids from 1' "$(line 2)" '{"trials":[{"id":1,"params":{"lr":'
equals 'a result is confirmed' "$(line 3)" '{"ok":true}'
equals 'a list with a failure as well' "$(line 4)" '{"ok":true}'
contains 'the best has its parameters' "$(line 5)" '{"best":{"id":1,"params":{"lr":'
contains 'and its score' "$(line 5)" ',"score":0.3}}'
equals 'an empty list is no mistake' "$(line 6)" '{"ok":true}'
check 'the other commands read its journal' "$WICK" best a
contains 'the best' "$OUT" '0.3 in trial 1 of 2'
check 'the list' "$WICK" list a
contains 'has the reason of a failure' "$OUT" 'no memory'
check 'the report' "$WICK" report a
check 'the table' "$WICK" export a
contains 'has the metric' "$OUT" 'loss'
check 'the state' "$WICK" status a
contains 'is done' "$OUT" 'done'

# ---- wrong lines ----
# wrong NAME LINE TEXT: checks that the answer is an error with this text, and that nothing has changed.
wrong() {
    say "w$((++number))" '{"ask": 2}' '{"tell": {"id": 1, "score": 7}}' "$2" '{"best": true}'
    contains "$1" "$(line 3)" '{"error":"'
    contains "$1: it says why" "$(line 3)" "$3"
    contains "$1: it goes on" "$(line 4)" '"score":7}}'
    equals "$1: one result is kept" "$(grep -c '"state":"\(done\|failed\)"' "w$number/journal")" 1
}
number=0
wrong 'no JSON' 'ask 8' 'this is not JSON'
wrong 'half an object' '{"tell": {"id": 2, "score": 1}' 'this is not JSON'
wrong 'a number' '8' 'a line must be an object'
wrong 'an empty object' '{}' 'one of ask, tell and best'
wrong 'a misspelt key' '{"aks": 1}' "did you mean 'ask'"
wrong 'two commands' '{"ask": 1, "best": true}' 'this one has more'
wrong 'ask for nothing' '{"ask": 0}' 'a whole number from 1'
wrong 'ask for less' '{"ask": -3}' 'a whole number from 1'
wrong 'ask for half a trial' '{"ask": 0.5}' 'a whole number from 1'
wrong 'ask for a word' '{"ask": "one"}' 'a whole number from 1'
wrong 'ask for too many' '{"ask": 1e9}' 'a whole number from 1'
wrong 'a wrong best' '{"best": 1}' '{\"best\": true}'
wrong 'an unknown trial' '{"tell": {"id": 9, "score": 1}}' 'there is no trial 9'
wrong 'no trial' '{"tell": {"score": 1}}' "the 'id' of a trial is missing"
wrong 'a trial that is no number' '{"tell": {"id": "2", "score": 1}}' "the 'id' of a trial must be a number"
wrong 'half a trial' '{"tell": {"id": 1.5, "score": 1}}' 'there is no trial 1.5'
wrong 'told twice' '{"tell": {"id": 1, "score": 1}}' 'the result of trial 1 was already told'
wrong 'told twice in one line' '{"tell": [{"id": 2, "score": 1}, {"id": 2, "score": 1}]}' \
    'the result of trial 2 was already told'
wrong 'one bad item' '{"tell": [{"id": 2, "score": 1}, {"id": 3, "score": 1}]}' 'there is no trial 3'
wrong 'no score' '{"tell": {"id": 2}}' "needs a 'score'"
wrong 'NaN' '{"tell": {"id": 2, "score": NaN}}' 'a score must be a finite number'
wrong 'infinity' '{"tell": {"id": 2, "score": -Infinity}}' 'a score must be a finite number'
wrong 'a number that is too large' '{"tell": {"id": 2, "score": 1e999}}' 'a score must be a finite number'
wrong 'null' '{"tell": {"id": 2, "score": null}}' 'a score must be a finite number'
wrong 'a score in quotes' '{"tell": {"id": 2, "score": "1"}}' 'a score must be a finite number'
wrong 'a score and a failure' '{"tell": {"id": 2, "score": 1, "failed": true}}' 'tell only one of them'
wrong 'failed is a word' '{"tell": {"id": 2, "failed": "yes"}}' "'failed' must be true or false"
wrong 'two scores' '{"tell": {"id": 2, "scores": [1, 2]}}' 'needs 1 score, but has 2'
wrong 'a misspelt score' '{"tell": {"id": 2, "scroe": 1}}' "did you mean 'score'"
wrong 'metrics in a list' '{"tell": {"id": 2, "score": 1, "metrics": [1]}}' "'metrics' must be an object"
wrong 'a metric in quotes' '{"tell": {"id": 2, "score": 1, "metrics": {"a": "1"}}}' 'a metric must be a number'
wrong 'bytes that are no text' $'\xff\xfe' 'this is not JSON'

head -c 17000000 /dev/zero | tr '\0' ' ' >in
printf '%s\n' '' '{"ask": 1}' >>in
check 'a line of 17 MB' bash -c '"$1" asktell study.yaml --dir long <in' - "$WICK"
contains 'is too long' "$(line 1)" 'longer than 16 MiB'
contains 'and the next is answered' "$(line 2)" '{"trials":[{"id":1,'

# ---- a last line without its newline ----
check 'the last line needs no newline' bash -c 'printf "{\"ask\": 1}" | "$1" asktell study.yaml --dir n' \
    - "$WICK"
contains 'it is answered' "$OUT" '"id":1'

# ---- the end of the search ----
cat >small.yaml <<'YAML'
space: {a: {choice: [x, y]}, b: {int: [1, 2]}}
search: {algorithm: grid}
YAML
options=(small.yaml)
say g '{"ask": 3}' '{"ask": 3}' '{"ask": 1}'
lacks 'a grid has more' "$(line 1)" '"end"'
contains 'its end is told' "$(line 2)" '}],"end":true}'
equals 'and again' "$(line 3)" '{"trials":[],"end":true}'
options=(study.yaml --trials 2)
say t '{"ask": 5}'
equals 'a budget that is given holds' "$(grep -o '"id"' <<<"$OUT" | wc -l)" 2
contains 'and is an end' "$OUT" '"end":true'
options=(study.yaml --trials 1)
say spent '{"ask": 2}' '{"tell": {"id": 1, "score": 1}}'
contains 'with which the study is done' "$(tail -n 1 spent/journal)" '"why":"done"'
options=(study.yaml)
say u '{"ask": 150}'
equals 'without one there is none' "$(grep -o '"id"' <<<"$OUT" | wc -l)" 150
options=(study.yaml --search reproducible=true --search lag=2 --algorithm tpe)
say r '{"ask": 5}' '{"tell": {"id": 1, "score": 1}}' '{"ask": 5}'
contains 'a search that needs a result says so' "$(line 1)" '"wait":true}'
contains 'and goes on with it' "$(line 3)" '{"trials":[{"id":4,'

# ---- continuing ----
options=(study.yaml)
say c '{"ask": 3}' '{"tell": {"id": 2, "score": 0.5}}'
asked=$(line 1)
check 'its state is' "$WICK" status c
contains 'interrupted' "$OUT" "interrupted: \`wick asktell c\` continues it"
refuse 2 'a folder that has a study is not overwritten' 'continue it with `wick asktell c`' \
    "$WICK" asktell study.yaml --dir c
refuse 2 'there is nothing to resume' 'wick asktell c' "$WICK" resume c
options=(study.yaml --resume)
say c '{"ask": 3}' '{"tell": {"id": 1, "score": 0.25}}' '{"tell": {"id": 2, "score": 0.1}}' '{"best": true}'
contains 'what nobody told of is given out again' "$(line 1)" '{"trials":[{"id":1,'
equals 'with the same parameters' "$(grep -o '{"id":[13],[^}]*}}' <<<"$OUT" | head -n 2)" \
    "$(grep -o '{"id":[13],[^}]*}}' <<<"$asked")"
contains 'and new ones follow' "$(line 1)" '"id":4'
contains 'what was told stays told' "$(line 3)" 'the result of trial 2 was already told'
contains 'the best is over all runs' "$(line 4)" '"id":1'
check 'the folder alone is enough' bash -c 'echo "{\"tell\": {\"id\": 3, \"score\": 9}}" | "$1" asktell c' - "$WICK"
equals 'a trial of an earlier run can be told at once' "$OUT" '{"ok":true}'
sed 's/seed: 3/seed: 4/' study.yaml >other.yaml
refuse 2 'another study is not mixed in' 'a different study' "$WICK" asktell other.yaml --resume --dir c
for option in --direction=maximize --set=x=1..2 --seed=9 --algorithm=tpe --score=loss --learn=a \
    --name=n --search=levels=2 --stop=asha --shuffle --dir=d; do
    refuse 2 "the study of a folder takes no $option" "the study in c is already defined: ${option%%=*}" \
        "$WICK" asktell c "$option"
done
refuse 2 'fewer trials than it has' '--trials 3 is too small: 4 trials were already handed out' \
    "$WICK" asktell c --trials 3
check 'a larger budget' bash -c 'echo "{\"ask\": 9}" | "$1" asktell c --trials 6' - "$WICK"
contains 'holds' "$OUT" '{"id":6,'
lacks 'and is the end' "$OUT" '{"id":7,'
say new '{"ask": 1}'
contains '--resume begins where there is nothing' "$(line 1)" '"id":1'
refuse 2 'a study with a program' 'continue it with `wick resume p`' bash -c \
    '"$1" run -q --no-report --function noop --set x=0..9 --trials 2 --dir p && "$1" asktell p' - "$WICK"

# The same questions get the same answers, over any number of runs.
options=(study.yaml)
say once '{"ask": 6}'
grep -o '"params":{[^}]*}' <<<"$OUT" >calm
options=(study.yaml --resume)
: >parts
for i in 1 2 3; do
    say parts.d '{"ask": 2}' "{\"tell\": [{\"id\": $((2 * i - 1)), \"score\": 1}, {\"id\": $((2 * i)), \"score\": 2}]}"
    grep -o '"params":{[^}]*}' <<<"$(line 1)" >>parts
done
check 'a search in parts is the same search' cmp calm parts

# ---- studies that are described in other ways ----
options=(--set x=0..1.5 --name words)
say words.d '{"ask": 1}'
contains 'no file is needed' "$OUT" '{"x":'
options=(--set x=0..1 --name bits)
say bits.d '{"ask": 1}'
equals 'a range that may be meant otherwise is noted' "$ERR" \
    'note: x is a whole number, 0 or 1; write 0..1.0 for a float'
cat >program.yaml <<'YAML'
model: {command: ./there-is-none.py, score: loss, direction: maximize}
space: {x: {float: [0, 1]}}
YAML
options=(program.yaml)
say prog '{"ask": 2}' '{"tell": [{"id": 1, "score": 1}, {"id": 2, "score": 2}]}' '{"best": true}'
contains 'a program is not looked for, and maximize holds' "$(line 3)" '"id":2'
refuse 2 'a mistake in the study is told' "did you mean 'choice'" \
    "$WICK" asktell --set x=chioce:a,b
equals 'on stderr alone' "$OUT" ''

# ---- several scores, and constraints ----
cat >two.yaml <<'YAML'
model: {score: [loss, speed], direction: [minimize, maximize], metrics: [memory]}
space: {x: {int: [0, 9]}, y: {int: [0, 9]}}
constraints: [x != y, memory <= 100]
search: {algorithm: nsga2}
YAML
options=(two.yaml --resume)
say two '{"best": true}' '{"ask": 4}' '{"tell": {"id": 1, "scores": [2, 5], "metrics": {"memory": 1}}}' \
    '{"tell": [{"id": 2, "scores": [1, 1], "metrics": {"memory": 1}}, {"id": 3, "scores": [3, 4], "metrics": {"memory": 1}}]}' \
    '{"tell": {"id": 4, "score": 1, "metrics": {"memory": 1}}}' '{"tell": {"id": 4, "scores": [0, 9]}}' \
    '{"tell": {"id": 4, "scores": [0, 9], "metrics": {"memory": 101}}}' '{"best": true}'
equals 'before the first result the front is empty' "$(line 1)" '{"front":[]}'
equals 'two scores are told' "$(line 3)$(line 4)" '{"ok":true}{"ok":true}'
contains 'both must be there' "$(line 5)" 'trial 4 needs 2 scores, but has 1'
contains 'and what a constraint needs' "$(line 6)" "no metric 'memory', which a constraint needs"
equals 'a result that breaks a constraint is taken' "$(line 7)" '{"ok":true}'
front=$(line 8)
equals 'and the front has those that do not' "$(grep -o '"id":[0-9]*\|"scores":[^]]*]' <<<"$front" | tr '\n' ' ')" \
    '"id":2 "scores":[1,1] "id":1 "scores":[2,5] '
say two '{"best": true}'
equals 'it is the same when it goes on' "$(line 1)" "$front"
check 'wick best' "$WICK" best two --json
equals 'shows the same front' "$(grep -o '"trial":[0-9]*' <<<"$OUT" | tr '\n' ' ')" '"trial":2 "trial":1 '

# ---- killed ----
# A confirmed result is in the journal, whenever wick is killed.
RANDOM=${SEED:-$$}
echo "# SEED=${SEED:-$$}"
lost=0 told=0
for kill in $(seq $(((KILLS + 1) / 2))); do
    mkfifo to from
    "$WICK" asktell study.yaml --resume --dir k <to >from 2>/dev/null &
    pid=$!
    exec 7>to 8<from
    stop=$((RANDOM % 20 + 1))
    for ((i = 0; i < stop; i++)); do
        echo '{"ask": 1}' >&7
        read -r -t 180 answer <&8 || { lost=$((lost + 1)); break; }
        id=${answer#*\"id\":}
        id=${id%%,*}
        echo "{\"tell\": {\"id\": $id, \"score\": $kill}}" >&7
        read -r -t 180 answer <&8 && [ "$answer" = '{"ok":true}' ] && told=$((told + 1))
    done
    echo '{"ask": 1}' >&7
    kill -KILL $pid
    wait $pid 2>/dev/null
    exec 7>&- 8<&-
    rm to from
    ended=$(grep -c '"state":"done"' k/journal)
    [ "$ended" = "$told" ] || lost=$((lost + 1))
done
echo "# $told results"
equals 'no result is lost when it is killed' $lost 0
check 'and some were told' test $told -gt 0
options=(study.yaml --resume)
say k '{"ask": 1}'
check 'and its journal is whole' "$WICK" list k

# ---- signals ----
mkfifo hold
"$WICK" asktell study.yaml --dir term <hold >term.out &
pid=$!
exec 7>hold
echo '{"ask": 1}' >&7
await grep -q trials term.out
kill -TERM $pid
wait $pid
equals 'SIGTERM ends it' $? 143
exec 7>&-
contains 'in order' "$(tail -n 1 term/journal)" '"why":"interrupted"'
check 'a reader that goes away ends it' bash -c \
    'yes "{\"ask\": 100}" | timeout 180 "$1" asktell study.yaml --dir gone | head -n 1 >/dev/null' - "$WICK"
contains 'in order, too' "$(tail -n 1 gone/journal)" '"close"'

finish
