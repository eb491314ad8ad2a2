#!/usr/bin/env bash
# Kills the driver at random moments and resumes each time: no trial that had ended is lost or
# counted twice, and the suggestions are those of an undisturbed run.
. "$(dirname "$0")/lib.sh"
[ -z "$SANITIZE" ] || [ "$KILLS" -le 40 ] || KILLS=40
RANDOM=${SEED:-$$}
echo "# SEED=${SEED:-$$}"

cat >study.yaml <<'EOF'
name: killed
model: {function: sleep}
space:
  seconds: {float: [0, 0.004]}
  layers: {int: [1, 9]}
  optimizer: {choice: [sgd, adam]}
  momentum: {float: [0, 1], when: {optimizer: sgd}}
search: {algorithm: genetic, population_size: 20, reproducible: true, trials: 100000, seed: 5, workers: 3}
EOF

# Prints the whole records of the journal that say that a trial has ended, sorted.
ends() { head -n "$(wc -l <d/journal)" d/journal | grep '^{"end"' | sort; }
# grown DIR LINES: true if its journal has more lines.
grown() { [ "$(cat "$1/journal" 2>/dev/null | wc -l)" -gt "$2" ]; }
lines_of() { cat "$1/journal" 2>/dev/null | wc -l; }

lost=0 n=0
: >before
while [ $n -lt $KILLS ]; do
    lines=$(lines_of d)
    if [ -f d/journal ]; then
        "$WICK" resume d --quiet 2>err &
    else
        "$WICK" run study.yaml --quiet --dir d 2>err &
    fi
    pid=$!
    # Kill at any moment from the start on; or after some trials, however slow the machine is.
    [ $((n % 2)) = 0 ] || await grown d $((lines + 6))
    sleep "0.0$((RANDOM % 70 + 10))"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
    n=$((n + 1))
    grep -q . err && { echo "# kill $n: $(cat err)"; lost=$((lost + 1)); }
    [ -f d/journal ] || continue
    ends >after
    missing=$(comm -23 before after | wc -l)
    lost=$((lost + missing))
    mv after before
done
equals "no end of a trial was lost over $KILLS kills" $lost 0
done_so_far=$(grep -v '"again"' before | wc -l)
echo "# $done_so_far trials had ended by then"
check 'and some had ended' test "$done_so_far" -gt 0
total=$((done_so_far + 300))
check 'the study goes on to its end' "$WICK" resume d --quiet --no-report --trials $total
equals 'each trial has ended once' "$(ends | grep -v '"again"' | cut -d, -f1 | sort -u | wc -l)" $total
equals 'and none twice' "$(ends | grep -v '"again"' | wc -l)" $total

check 'a run that nobody disturbs' "$WICK" run study.yaml --quiet --no-report --dir calm --trials $total
suggestions() { records "$1" | sed -n 's/^{"start":\([0-9]*\),.*"params":/\1 /p'; }
suggestions d >disturbed
suggestions calm >calm.list
equals 'has as many suggestions' "$(wc -l <disturbed)" "$(wc -l <calm.list)"
check 'and the same ones' cmp disturbed calm.list

# With real programs: when Wick is killed, its trials are killed with it, and run again.
leftover=0
gone() { ! pgrep -f "$MARK" >/dev/null; }
for ((round = 0; round < KILLS / 4 + 1; round++)); do
    lines=$(lines_of p)
    if [ -f p/journal ]; then
        "$WICK" resume p --quiet &
    else
        "$WICK" run --quiet --dir p --trials 1000000 --set x=1..100000 -n 2 --pass none -- \
            bash -c '(exec -a "$0" sleep 0.05) & wait; echo score: 1' "$MARK" &
    fi
    pid=$!
    await grown p $((lines + 1))
    sleep "0.$((RANDOM % 400 + 100))"
    kill -KILL $pid
    wait $pid 2>/dev/null
    wait_until gone || leftover=$((leftover + 1))
done
equals 'no program outlives a killed Wick' $leftover 0
total=$(($(grep -c '"params"' p/journal) + 20))
check 'the rest runs' "$WICK" resume p --quiet --no-report --trials $total
equals 'and is done' "$(grep -c '"state":"done"' p/journal)" $total

# ---- folders of sockets whose run was killed with its helper ----

lines=/tmp/wick-line-$MARK
mkdir "$lines".{killed,empty,alive,young} && touch "$lines.link.target"
ln -s "$T" "$lines.link"
python3 -c '
import socket, sys, time
kept = []
for name in sys.argv[1:]:
    kept.append(socket.socket(socket.AF_UNIX))
    kept[-1].bind(name + "/1")
    kept[-1].listen()
kept.pop(0).close() # of the first folder
open("listens", "w").close()
time.sleep(1000)' "$lines.killed" "$lines.alive" &
await test -e listens
touch -h -d '2 minutes ago' "$lines".{killed,empty,alive,link}
check 'a run' "$WICK" run --set x=0..1.0 --trials 1 -n 1 --dir tidy --quiet --no-report --pass none -- echo score: 1
equals 'removes those at which nobody listens, and nothing else' "$(cd /tmp && echo wick-line-"$MARK".*)" \
    "wick-line-$MARK.alive wick-line-$MARK.link wick-line-$MARK.link.target wick-line-$MARK.young"
check 'nor what a link leads to' test -e tidy/journal
kill $!
rm -r "$lines".*
finish
