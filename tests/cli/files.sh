#!/usr/bin/env bash
# How often a run creates, renames, removes and opens files in its study folder: on a cluster, that
# is work for one server that all users share. And the output of running trials, which is written
# there only when somebody looks.
. "$(dirname "$0")/lib.sh"
need strace
[ -z "$SANITIZE" ] || skip "a sanitized program cannot be traced"
count=$SOURCE/tests/cli/count-files

strace -f -o /dev/null --seccomp-bpf -e trace=openat true 2>/dev/null || skip "nothing can be traced here"

# A program that prints all the time, until the file `end` is there.
mkfifo silence
cat >prints <<'PROGRAM'
exec 3<>silence
echo >>started
while [ ! -e end ]; do echo "an epoch of trial $WICK_TRIAL"; read -t 0.05 -u 3; done
echo "score: 1"
PROGRAM

# ---- without a viewer ----

"$count" trace trace "$WICK" run --quiet --no-report --dir many.wick --trials 8 -n 8 --set x=1..9 --pass none \
    -- bash prints &
runner=$!
all_print() { [ "$(cat started 2>/dev/null | wc -l)" -ge "$1" ]; }
await all_print 8
from=$(date +%s.%N)
sleep 6
to=$(date +%s.%N)
touch end
check 'eight trials that print all the time' wait $runner
read -r changes opens lookups < <("$count" count trace many.wick "$from" "$to")
echo "# in $(awk "BEGIN {print $to - $from}") s: $changes changes, $opens opens, $lookups lookups"
at_most() { awk -v n="$1" -v limit="$2" -v s="$(awk "BEGIN {print $to - $from}")" 'BEGIN {exit !(n <= limit * s)}'; }
check 'create, rename and remove at most two files a second' at_most "$changes" 2
check 'open at most four' at_most "$opens" 4
check 'the trace has seen what the run opens' test "$opens" -ge 3

# ---- trials without files ----

check 'twenty short trials' "$count" trace trace "$WICK" run --quiet --no-report --dir short.wick --trials 20 -n 2 \
    --set x=1..999 --pass none --keep none -- echo score: 1
read -r changes opens lookups < <("$count" count trace short.wick)
echo "# $changes changes, $opens opens, $lookups lookups"
check 'create and remove nothing for each of them' test "$changes" -lt 20
check 'and open nothing' test "$opens" -lt 20
if command -v python3 >/dev/null; then
    echo 'def f(x): return {"score": x, "other": 2}' >model.py
    check 'the same of Python' "$count" trace trace "$WICK" run --quiet --no-report --dir python.wick --trials 20 -n 2 \
        --set x=1..999 --python model.py:f
    read -r changes opens lookups < <("$count" count trace python.wick)
    echo "# $changes changes, $opens opens, $lookups lookups"
    check 'leave their results on the node' test "$changes" -lt 20
    equals 'and have them' "$("$WICK" list python.wick --json | grep -c '"other":2')" 20
else
    skip_part 'python3 is not installed'
fi

# ---- somebody looks ----

rm -f end started
"$WICK" run --quiet --no-report --dir seen.wick --trials 2 -n 2 --set x=1..9 --pass none -- bash prints &
runner=$!
await all_print 2
equals 'no output is written while nobody looks' "$(ls seen.wick/tmp)" ''
viewers=()
for trial in 1 2 1 2; do
    "$WICK" show seen.wick $trial --log >look.$trial-${#viewers[@]} &
    viewers+=($!)
done
check 'several viewers at once' wait "${viewers[@]}"
equals 'see the trials that they look at' "$(cat look.* | sort -u)" 'an epoch of trial 1
an epoch of trial 2'
equals 'each of them' "$(find . -name 'look.*' -size +0 | wc -l)" 4
"$WICK" show seen.wick 2 --follow >followed 2>ended &
follower=$!
grows() { [ "$(wc -l <followed)" -gt "$1" ]; }
await grows 0
await grows "$(wc -l <followed)" # and again, without a new request by the user
check 'the output can be looked at again meanwhile' grep -q 'an epoch of trial 2' <("$WICK" show seen.wick 2)
contains 'and as JSON' "$("$WICK" show seen.wick 1 --json)" '"log":"an epoch of trial 1\n'
touch end
check 'following ends with the trial' wait $follower
equals 'with its last line' "$(tail -n 1 followed)" 'score: 1'
equals 'and says how it ended' "$(cat ended)" 'wick: trial 2: done'
check 'the run was not disturbed' wait $runner
equals 'nothing of it is left' "$(ls seen.wick/tmp; ls seen.wick | grep look)" ''

# ---- nobody answers ----

rm -f end started
"$WICK" run --quiet --no-report --dir gone.wick --trials 1 -n 1 --set x=1..9 --pass none -- bash prints &
runner=$!
await all_print 1
mkdir gone.wick/look # as if another user's folder did not permit the request
check 'a run that cannot be asked' "$WICK" show gone.wick 1
contains 'is reported' "$ERR" 'note: no output of trial 1, because the run cannot be asked for it: cannot write gone.wick/look'
rmdir gone.wick/look
kill -STOP $runner
check 'a run that does not answer' "$WICK" show gone.wick 1
contains 'is reported, too' "$ERR" 'note: the run has not answered for 6 seconds: no new output of trial 1'
contains 'and all else is shown' "$OUT" 'trial       1 of '
kill -CONT $runner
"$WICK" show gone.wick 1 --follow >followed 2>ended &
follower=$!
await grows 0
kill -KILL $runner
check 'following ends with the run' wait $follower
contains 'and says what to do' "$(cat ended)" '`wick resume gone.wick` runs it again'
check 'a run that is gone' "$WICK" show gone.wick 1
contains 'is named as such' "$ERR" 'note: the run of trial 1 is gone'
touch end
check 'and runs it again' "$WICK" resume --quiet --no-report gone.wick
finish
