#!/usr/bin/env bash
# A study whose trials all fail alike is halted: what a user sees, and how the study goes on.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C.UTF-8

state() { "$WICK" status "$1" --json | sed 's/.*"state":"\([^"]*\)","why":"\([^"]*\)".*/\1 \2/'; }
trials() { "$WICK" status "$1" --json | grep -o "\"$2\":[0-9]*" | head -n 1 | cut -d: -f2; }

cat >train.sh <<'END'
echo "loading $1"
[ -e module ] || { echo "ModuleNotFoundError: No module named 'torch'" >&2; exit 1; }
echo "score: $1"
END
# A search that learns has one trial per worker under way, so that the counts are exact.
cat >study.yaml <<'END'
model: {command: 'bash train.sh {x}'}
space: {x: {int: [1, 100000]}}
search: {algorithm: tpe, trials: 50, workers: 1}
END

# ---- halted ----
refuse 1 'trials that fail alike halt a run' "10 trials failed alike: ModuleNotFoundError: No module named 'torch'" \
    "$WICK" run study.yaml --dir a
contains 'it shows the last lines of one of them' "$ERR" $'\n  loading '
contains 'and where the rest is' "$ERR" '`wick show a 1` has all'
contains 'and how to go on' "$ERR" 'run the failed trials again:  wick resume a --retry-failed'
contains 'and how to prevent it' "$ERR" '--halt off'
contains 'the last line says so, too' "$OUT" ', halted'
check 'the report is written' test -s a/report.html
contains 'with its state' "$(cat a/report.html)" 'Halted: its trials failed alike.'
equals 'the journal has the end' "$(state a)" 'halted halted'
equals 'no more trials were started' "$(grep -c '^{"start"' a/journal)" 10
contains 'status says what to do' "$("$WICK" status a)" \
    'halted: its trials failed alike; fix the cause, then run them again with `wick resume a --retry-failed`'
contains 'so does top' "$("$WICK" top a --once)" 'halted: its trials failed alike'
contains 'watch ends' "$(timeout 60 "$WICK" watch a)" '10 failed, halted'

# ---- it goes on ----
refuse 1 'a resume goes on, and is halted again' '10 trials failed alike' "$WICK" resume a
contains 'with a note' "$ERR" 'its 10 failed trials stay failed unless you add --retry-failed'
equals 'only failures of this run count' "$(trials a failed)" 20
refuse 1 'an error is all that --quiet prints' '10 trials failed alike' "$WICK" resume a --retry-failed --quiet
equals 'and nothing on standard output' "$OUT" ''
equals 'the same trials failed again' "$(trials a started) $(trials a failed)" '20 20'
touch module
check 'with the cause fixed, failed trials run again' "$WICK" resume a --retry-failed --quiet
equals 'and all are done' "$(trials a done) $(state a)" '50 done done'
rm module

# ---- with all of its budget ----
refuse 1 'the last trials of the budget halt a run, too' '10 trials failed alike' \
    "$WICK" run study.yaml --trials 10 --dir all --no-report
refuse 1 'then a resume says what to do' \
    'was halted because its trials failed alike, and its budget is used up: fix the cause, then run its 10 failed trials again with `wick resume all --retry-failed`' \
    "$WICK" resume all
equals 'and not that the study is complete' "$OUT" ''
refuse 1 'so does a submission' 'again with `wick resume all --retry-failed`' "$WICK" submit all --scheduler local
touch module
check 'which helps' "$WICK" resume all --retry-failed --quiet --no-report
equals 'to the end' "$(trials all done) $(state all)" '10 done done'
contains 'of a study that is complete' "$("$WICK" resume all)" 'is complete with 10 trials. To run more'
rm module

# ---- how many ----
refuse 1 'an option says after how many' '3 trials failed alike' "$WICK" run study.yaml --dir b --halt 3 --no-report
refuse 1 'or a resume' '2 trials failed alike' "$WICK" resume b --halt 2 --no-report
refuse 1 'or the study file' '4 trials failed alike' "$WICK" run study.yaml --search halt=4 --dir c --no-report
refuse 1 'or that it never halts' 'no trial reported a score' "$WICK" run study.yaml --halt off --dir d --no-report
equals 'then all trials run' "$(trials d failed) $(state d)" '50 done done'
refuse 1 'also after a resume' 'no trial reported a score' "$WICK" resume b --halt off --trials 20 --no-report
equals 'to its end' "$(trials b failed) $(state b)" '20 done done'
for wrong in 0 no -1 1.5 ''; do
    refuse 2 "--halt '$wrong'" "halt" "$WICK" run study.yaml --dir e "--halt=$wrong"
    refuse 2 "resume --halt '$wrong'" "halt" "$WICK" resume b "--halt=$wrong"
done

# ---- trials that still run ----
"$WICK" run --set x=1..8 --algorithm grid --workers 2 --halt 3 --dir hold --no-report \
    -- bash -c '[ "$0" = 1 ] || exit 3; until [ -e go ]; do sleep 0.05; done; echo score: 1' '{x}' >hold.out 2>hold.err &
hold=$!
await grep -q 'note: [3-7] trials failed alike: waiting for 1 running trial before more are started' hold.err
touch go
check 'a run that waits says so, and goes on after a success' wait $hold
equals 'with all others' "$(trials hold started) $(trials hold failed)" '8 7'

# ---- what is alike ----
refuse 1 'numbers and paths do not matter' '10 trials failed alike: exit code 3: /tmp/' \
    "$WICK" run --set x=1..100000 --algorithm tpe --workers 1 --dir numbers --no-report \
    -- bash -c 'echo "/tmp/$0: $0.5 is too much" >&2; exit 3' '{x}'
SHOWN=${ERR%wick: 10 trials*}
refuse 1 'other messages do' 'no trial reported a score' \
    "$WICK" run --set 'x=choice:a,b,c,d,e,f,g,h,i,j,k,l' --algorithm grid --workers 1 --dir words --no-report \
    -- bash -c 'echo "bad choice $0" >&2; exit 1' '{x}'
refuse 1 'other states as well' '10 trials failed alike: it printed no line like' \
    "$WICK" run --set x=1..100000 --algorithm tpe --workers 1 --dir silent --no-report -- true
equals 'of those that differ by a value one is shown' "$(grep -c ' is too much' <<<"$SHOWN")" 2
contains 'when it fails' "$SHOWN" $'\ntrial 1: exit code 3: /tmp/'
contains 'and at the end, with their number' "$SHOWN" $'\n10 × exit code 3: /tmp/'
contains 'and in the status' "$("$WICK" status numbers)" 'failures  10 alike, such as trial 10: exit code 3: /tmp/'
equals 'which shows one line per kind' "$("$WICK" status numbers | grep -c 'too much')" 1
contains 'others are shown one by one' "$("$WICK" status words)" 'failures  trial 12: bad choice l
          trial 11: bad choice k
          trial 10: bad choice j'
equals 'an early success is enough' "$("$WICK" run --set x=1..30 --algorithm grid --workers 1 --dir one --no-report \
    -- bash -c '[ "$0" = 1 ] && echo score: 1' '{x}' 2>/dev/null | grep -c halted)" 0
equals 'for all of the budget' "$(trials one failed) $(state one)" '29 done exhausted'
refuse 1 'a retry does not count' '3 trials failed alike' \
    "$WICK" run study.yaml --retries 1 --halt 3 --dir retries --no-report
equals 'each had its tries' "$(grep -c '^{"start".*"try":2' retries/journal)" "$(trials retries failed)"

# ---- other kinds of studies ----
seq 100 | sed 's/.*/{"id": "p&", "x": &}/' >points.txt
refuse 1 'a parameter file' ' trials failed alike: Module' \
    "$WICK" upf points.txt --workers 1 --dir upf --no-report -- bash train.sh
refuse 1 'a built-in function' '10 trials failed alike: no metric' \
    "$WICK" run --function noop --algorithm tpe --metrics m --constraint 'm < 1' --workers 1 --dir noop --no-report
cat >steer.sh <<'END'
while read -r line; do
    case $line in
    '{"ask":'*) echo '{"suggest": [{"x": 5}]}' ;;
    '{"end":'*) echo "$line" >steer.end ;;
    esac
done
END
sed "s/algorithm: tpe, trials: 50, //; s/search: {/&command: 'bash steer.sh', /" study.yaml >steer.yaml
refuse 1 'an algorithm of your own' '10 trials failed alike' "$WICK" run steer.yaml --dir steer --no-report
equals 'which is told' "$(cat steer.end)" '{"end":"halted"}'

# ---- JSON ----
refuse 1 'as JSON' '"why":"halted","alike":10,"example":1}' "$WICK" run study.yaml --dir json --json --no-report
contains 'errors are still for people' "$ERR" '10 trials failed alike'
finish
