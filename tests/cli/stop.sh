#!/usr/bin/env bash
# Ctrl-C once, twice, SIGTERM; a folder in use; a helper that dies; budgets and targets.
. "$(dirname "$0")/lib.sh"

count() { "$WICK" sql "$1" --format csv "select count(*) from trials where $2" | tail -n 1 | tr -d '\r'; }
two_began() { [ "$(cat "$1/journal" 2>/dev/null | grep -c '^{"start"')" -ge 2 ]; }
# start DIR: runs a study of 100 trials on 2 workers in the background; trials last until DIR.go exists
start() {
    "$WICK" run --dir "$1" --set x=1..100000 --trials 100 -n 2 --pass none --grace 1 --no-report -- \
        bash -c "until [ -e '$1.go' ]; do sleep 0.02; done; echo score: 1" >out 2>err &
    PID=$!
    await two_began "$1"
}

start soft
refuse 2 'a folder in use is refused' 'is being run by process' "$WICK" resume soft
refuse 2 'for a new run, too' 'is being run by process' "$WICK" run --dir soft --function branin
contains 'status says that it runs' "$("$WICK" status soft)" 'running'
kill -INT $PID
await grep -q '^waiting for' err
touch soft.go
wait $PID
equals 'Ctrl-C: the exit code' $? 130
equals 'Ctrl-C: what ran was waited for' "$(count soft "state = 'done'") of $(count soft 1=1)" '2 of 2'
contains 'Ctrl-C: it says how to go on' "$(cat out)" 'wick resume soft'
contains 'Ctrl-C: status says so' "$("$WICK" status soft)" 'interrupted'
budget=$(($(count soft 1=1) + 2))
check 'it goes on' "$WICK" resume soft --trials $budget --quiet
equals 'to the new budget' "$(count soft "state = 'done'")" $budget
check 'a complete study says so' "$WICK" resume soft --trials $budget
contains 'and how to have more' "$OUT" '--trials N'

start hard
kill -INT $PID
await grep -q '^waiting for' err
kill -INT $PID
wait $PID
equals 'Ctrl-C twice: the exit code' $? 130
equals 'Ctrl-C twice: what ran is interrupted' "$(count hard "state = 'interrupted'")" 2

start term
kill -TERM $PID
wait $PID
equals 'SIGTERM: the exit code' $? 143
equals 'SIGTERM: what ran is interrupted' "$(count term "state = 'interrupted'")" 2

start helper
kill -KILL "$(pgrep -P $PID)"
wait $PID
equals 'the helper dies: the exit code' $? 1
contains 'the helper dies: the message' "$(cat err)" 'the helper process that starts trials has died'
check 'the helper dies: the study can go on' "$WICK" status helper

check 'a target ends the study' "$WICK" run --quiet --dir target --function sleep --target 0.15 \
    --trials 100000 --seed 2 -n 2
contains 'the journal says so' "$(tail -n 1 target/journal)" '"why":"target"'
equals 'a target: nothing is left running' "$(count target "state in ('running', 'interrupted')")" 0
check 'a time ends the study' "$WICK" run --quiet --dir time --function sleep --time 1 -n 2
contains 'the journal says so' "$(tail -n 1 time/journal)" '"why":"time"'
check 'a grid ends by itself' "$WICK" run --quiet --dir grid --function noop --algorithm grid \
    --set a=1..3 --set b=x,y
equals 'with all its points' "$(count grid "state = 'done'")" 6
# Failed trials can be run again.
touch broken
capture "$WICK" run --quiet --no-report --dir again --set x=1..9 --trials 4 -n 1 --pass none -- \
    bash -c '[ ! -e broken ] && echo score: 1'
equals 'all trials failed' "$(count again "state = 'failed'")" 4
rm broken
check 'they run again' "$WICK" resume again --quiet --no-report --retry-failed
equals 'and are done' "$(count again "state = 'done'")" 4
check 'a complete study has nothing to retry' "$WICK" resume again --retry-failed --no-report

check 'maximize' "$WICK" run --quiet --dir max --function branin --direction maximize --trials 50
equals 'the best is the largest' "$("$WICK" sql max --format csv \
    'select round(max(score), 6) from trials' | tail -n 1 | tr -d '\r')" \
    "$("$WICK" best max --json | sed 's/.*"score":\([-0-9.e]*\).*/\1/' | awk '{printf "%.6f", $1}' | sed 's/0*$//')"
finish
