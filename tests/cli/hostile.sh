#!/usr/bin/env bash
# Environments and programs that once broke Wick: each has its test here.
. "$(dirname "$0")/lib.sh"

count() { "$WICK" sql "$1" --format csv "select count(*) from trials where $2" | tail -n 1 | tr -d '\r'; }
plain="--set x=1..100000 --pass none --no-report"
# has FILE PATTERN COUNT: checks that this number of lines of the file match.
has() { [ "$(cat "$1" 2>/dev/null | grep -c "$2")" -ge "$3" ]; }
# A trial that lasts until the test lets it go: bash until-there FILE [EXIT-CODE].
printf 'until [ -e "$1" ]; do sleep 0.02; done; echo score: 1; exit ${2-0}\n' >until-there

# Closed standard files: our output must not land in the journal.
"$WICK" run --dir closed --function sleep --trials 60 -n 2 --no-report <&- >&- 2>&-
equals 'closed standard files: the journal is whole' "$(count closed "state = 'done'")" 60
"$WICK" run --dir closed2 $plain --trials 4 -n 2 -- bash -c 'echo score: 1' >&- 2>&-
equals 'closed output: programs run' "$(count closed2 "state = 'done'")" 4

# Signals that the caller ignores.
if python=$(command -v python3); then
    ignoring=(timeout 180 "$python" -c 'import os, signal, sys; signal.signal(signal.SIGCHLD, signal.SIG_IGN)
os.execv(sys.argv[1], sys.argv[1:])')
    check 'SIGCHLD is ignored: trials still end' "${ignoring[@]}" "$WICK" run --quiet --dir chld $plain \
        --trials 3 -- bash -c 'echo score: 1'
    mkdir fake && printf '#!/bin/bash\necho 42\n' >fake/sbatch && chmod +x fake/sbatch
    equals 'and so do the programs of a scheduler' "$(PATH="$PWD/fake:$PATH" "${ignoring[@]}" "$WICK" submit \
        --quiet --scheduler slurm --site none --dir submitted --function noop --trials 1)" 42
else
    skip_part 'python3 is not installed: a caller that ignores SIGCHLD is not tested'
fi
nohup "$WICK" run --quiet --dir nohup $plain --trials 6 -n 2 -- bash until-there hung-up >/dev/null 2>&1 &
PID=$!
await has nohup/journal '^{"start"' 2
check 'nohup: a SIGHUP while it runs' kill -HUP $PID
touch hung-up
wait $PID
equals 'nohup: SIGHUP does not stop it' "$? $(count nohup "state = 'done'")" '0 6'
"$WICK" run --dir pipe $plain --trials 4 -n 1 -- bash until-there reader-gone \
    > >(head -n 1 >first; exec <&-; touch reader-gone) 2>&1
equals 'a reader that goes away does not end the study' "$(count pipe "state = 'done'")" 4
check 'it has read a line' test -s first

# A limit on the size of files (ulimit -f): a write that fails, as on a full disk.
refuse 1 'a journal that reaches the limit' 'cannot write limited/journal: File too large' \
    bash -c 'ulimit -f 64; exec "$@"' sh "$WICK" run --quiet --no-report --dir limited --function noop \
    --algorithm random --trials 1000000
check 'what was written is whole' "$WICK" status limited
contains 'it is known why the run ended' "$OUT" \
    "broken: cannot write limited/journal: File too large (ulimit -f limits the size of files); \`wick resume limited\`"
contains 'also as JSON' "$("$WICK" status limited --json)" '"state":"broken","why":"broken","error":"cannot write limited/j'
# limit BLOCKS COMMAND...: no file that it writes may be larger; what it prints may.
limit() { (ulimit -f "$1" && shift && exec "$@") 2>&1 | cat; return "${PIPESTATUS[0]}"; }
check 'a study of many rows' "$WICK" run --quiet --no-report --dir rows --function noop --algorithm random --trials 1000
refuse 1 'a report that reaches the limit' 'cannot write rows/report.html: File too large' limit 64 "$WICK" report rows
refuse 1 'an export' 'cannot write out.csv: File too large' limit 8 "$WICK" export rows --format csv --output out.csv
refuse 1 'a database' 'out.db' limit 8 "$WICK" export rows --format sqlite --output out.db
refuse 1 'a script' 'job.sh: File too large' limit 0 "$WICK" submit limited --scheduler slurm --site none
for i in {1..999}; do echo '{"ask": 1}'; done >asks
refuse 1 'asktell' 'cannot write asked/journal: File too large' \
    limit 8 bash -c '"$@" <asks' sh "$WICK" asktell --dir asked --set x=0..1.0 --trials 1000
contains 'whose study knows it, too' "$("$WICK" status asked)" 'broken: cannot write asked/journal: File too large'
refuse 1 'points to try' 'cannot write asked/queue: File too large' limit 0 "$WICK" enqueue asked x=0.5
equals 'nothing is left of these files' "$(find . -name '*.tmp' -o -name 'out.*' -o -name report.html)" ''
N=$(($(count limited 1=1) + 100)) # there may be none yet: many records are written at once
check 'without the limit it goes on' "$WICK" resume limited --quiet --no-report --trials $N
equals 'to its end' "$(count limited "state = 'done'")" $N
check 'programs do not ignore its signal' "$WICK" run --quiet --keep all --dir ignored $plain --trials 1 -- \
    bash -c 'grep SigIgn /proc/self/status; echo score: 1'
ignored=$("$WICK" show ignored 1 --log | awk '/SigIgn/ {print $2}')
equals 'SIGXFSZ (25) has its default' "$((0x${ignored:-ffffffff} >> 24 & 1))" 0

# A helper that cannot send an answer: its worker learns of it, and nothing hangs.
# A sanitizer has a send() of its own.
if ! command -v cc >/dev/null; then
    skip_part 'without a compiler, no send() can be made to fail'
elif [ -z "$SANITIZE" ]; then
    cat >no-answer.c <<'CODE'
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>
ssize_t send(int fd, const void *bytes, size_t length, int flags)
{
    if (getsid(0) != getpid()) /* only the helper leads a session */
        return sendto(fd, bytes, length, flags, 0, 0);
    errno = ENOBUFS;
    return -1;
}
CODE
    check 'a send() that fails in the helper' cc -shared -fPIC -o no-answer.so no-answer.c
    refuse 1 'ends the study with a message' 'the helper process that starts trials has died' \
        env LD_PRELOAD="$PWD/no-answer.so" timeout 180 "$WICK" run --quiet --dir unanswered $plain --trials 2 -n 1 \
        -- bash -c 'echo score: 1'
    cat >no-request.c <<'CODE'
#include <errno.h>
#include <sys/socket.h>
#include <unistd.h>
ssize_t send(int fd, const void *bytes, size_t length, int flags)
{
    int type = 0;
    socklen_t size = sizeof type;
    getsockopt(fd, SOL_SOCKET, SO_TYPE, &type, &size);
    if (getsid(0) == getpid() || type != SOCK_SEQPACKET) /* only channels to the helper */
        return sendto(fd, bytes, length, flags, 0, 0);
    errno = ENOMEM;
    return -1;
}
CODE
    check 'a send() that fails before the helper' cc -shared -fPIC -o no-request.so no-request.c
    refuse 1 'no trial runs for ever because a signal was lost' 'the helper process that starts trials has died' \
        env LD_PRELOAD="$PWD/no-request.so" timeout 180 "$WICK" run --quiet --dir unasked $plain --trials 2 -n 1 \
        --timeout 0.2 -- sleep 1000
    contains 'and the status says so' "$("$WICK" status unasked)" 'broken: the helper process that starts trials has died'
fi

# A result file that is a pipe, and one that calls the score `score`.
check 'a pipe as result file does not hang' timeout 180 "$WICK" run --quiet --dir fifo $plain --trials 2 -n 1 \
    --retries 0 -- bash -c '[ $WICK_TRIAL = 1 ] && mkfifo "$WICK_RESULT"; echo score: 1'
contains 'it is told' "$("$WICK" show fifo 1)" 'it is not an ordinary file'
check 'the result file beats what was printed' "$WICK" run --quiet --dir beats $plain --trials 1 --score loss \
    -- bash -c 'echo loss: 9; echo "{\"score\": 1}" >"$WICK_RESULT"'
equals 'also by the name score' "$(count beats 'score = 1')" 1

# More metrics than a trial has room for: scores are kept, and the log says what is not.
printf '%s\n' 'for i in {1..70}; do many+="\"m$i\": $i, "; done' \
    'echo "{$many \"loss\": 0.5, \"size\": 7}" >"$WICK_RESULT"' >many.sh
check 'a result of 72 metrics' "$WICK" run --quiet --keep all --dir many $plain --trials 1 --score loss,size \
    -- bash many.sh
equals 'has both scores' "$("$WICK" list many --json | grep -o '"loss":0.5\|"size":7' | sort -u | tr '\n' ' ')" \
    '"loss":0.5 "size":7 '
contains 'and says what is left out' "$("$WICK" show many 1 --log)" "wick: a trial has at most 64 metrics: 'm65', 'm66', "
contains 'also as its reason' "$("$WICK" show many 1)" "done: a trial has at most 64 metrics: 'm65', 'm66', "
contains 'which other programs can read' "$("$WICK" list many --json)" "\"reason\":\"a trial has at most 64 metrics: 'm65'"
printf '%s\n' 'for i in {1..60}; do a+=" m$i=$i"; b+=" n$i=$i"; done' \
    '"$1" trial result $a; "$1" trial result $b; "$1" trial result loss=0.25' >several.sh
check 'results in several messages' "$WICK" run --quiet --keep all --dir several $plain --trials 1 --score loss \
    -- bash several.sh "$WICK"
equals 'keep the score, too' "$(count several 'score = 0.25')" 1
contains 'in place of another metric' "$("$WICK" show several 1 --log)" "a trial has at most 64 metrics: 'n5', 'n6', "
printf '%s\n' 'm=$(printf "\"%s\": 1, " a{1..900}); for k in step result; do' \
    '[ $k = step ] && begin="{\"step\": 1, \"metrics\": " end="}" || begin="{\"result\": " end=' \
    'printf "{\"hello\": %s, \"try\": %s, \"secret\": %s}\n%s{%s\"size\": 7, \"loss\": 0.5}%s}\n" $WICK_TRIAL $WICK_TRY $WICK_SECRET "$begin" "$m" "$end" |' \
    '    python3 -c "import os, socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(os.environ[\"WICK_LINE\"]); s.sendall(sys.stdin.buffer.read()); s.shutdown(1); s.recv(9)"' \
    'done' >flood.sh
if command -v python3 >/dev/null; then
    check 'a step and a result of 902 metrics' "$WICK" run --quiet --dir flood $plain --trials 1 --score loss --constraint 'size < 9' --metrics size \
        -- bash flood.sh
    equals 'keep the score and what a constraint needs' "$(count flood 'score = 0.5 and violation = 0')" 1
    contains 'and the trial says so' "$("$WICK" show flood 1)" "done: a trial has at most 64 metrics: 'a65', "
fi

# A lack of descriptors is not the trials' fault.
check 'many workers with few descriptors' bash -c 'ulimit -Sn 256; exec "$@"' sh "$WICK" run --quiet --dir files \
    $plain --trials 120 -n 60 -- bash -c 'sleep 0.2; ulimit -n; echo score: 1'
equals 'all are done' "$(count files "state = 'done'")" 120
check 'programs keep the limit of the user' bash -c 'ulimit -Sn 256; exec "$@"' sh "$WICK" run --quiet \
    --keep all --dir limit $plain --trials 1 -- bash -c 'ulimit -n; echo score: 1'
equals 'which is 256' "$("$WICK" show limit 1 --log | head -n 1)" 256

# Short trials first, long ones later: no trial waits behind a long one.
cat >fastslow <<'EOF'
#!/bin/bash
[ "$WICK_TRIAL" -gt 60 ] || exit 1
touch "long.$WICK_TRIAL"
for _ in {1..1200}; do # a minute, until all four of them run
    [ "$(ls long.* | wc -l)" = 4 ] && echo score: 1 && exit
    sleep 0.05
done
exit 1
EOF
chmod +x fastslow
check 'failures at once, then long trials' "$WICK" run --quiet --dir batch $plain --halt off --trials 64 -n 4 -- ./fastslow
equals 'the long ones run side by side' "$("$WICK" sql batch --format csv \
    "select count(distinct worker) from trials where state = 'done'" | tail -n 1 | tr -d '\r')" 4

# A suspended Wick (Ctrl-Z): trials that ended in the meantime are judged by what they did. A
# machine may be too slow to suspend it within the time limit: then the limit is raised.
for limit in 1 5 25 125; do
    rm -rf stopped woken over.*
    began=$SECONDS
    "$WICK" run --quiet --dir stopped $plain --trials 2 -n 2 --timeout $((2 * limit)) -- \
        bash -c 'until [ -e woken ]; do sleep 0.02; done; echo score: 1; touch over.$WICK_TRIAL' &
    PID=$!
    await has stopped/journal '^{"start"' 2
    kill -STOP $PID
    slow=$((SECONDS - began > limit))
    touch woken
    [ $slow = 1 ] || { await test -e over.1 -a -e over.2 && sleep $((2 * limit)).2; }
    kill -CONT $PID
    wait $PID
    [ $slow = 1 ] || break
done
equals 'Ctrl-Z: no trial is timed out for it' "$(count stopped "state = 'done'")" 2

# A study folder that disappears stops the run, with a message.
"$WICK" run --dir deleted $plain --trials 1000 -n 1 -- bash -c 'sleep 0.1; echo score: 1' >out 2>err &
PID=$!
await has deleted/journal '^{"end"' 1
rm -rf deleted
wait $PID
equals 'a deleted folder: the exit code' $? 1
contains 'a deleted folder: the message' "$(cat err)" 'cannot write deleted/journal'

# A journal with only a header has the budget of its study.
check 'a run' "$WICK" run --quiet --dir header --function noop --trials 5 --no-report
head -n 1 header/journal >j && mv j header/journal
check 'resumed from its header' "$WICK" resume header --quiet --no-report
equals 'keeps its budget' "$(count header 1=1)" 5

# Retries: a failure while draining waits for the resume; an interruption is not a failure.
"$WICK" run --dir drain $plain --trials 2 -n 1 --retries 2 -- bash until-there draining 3 >/dev/null 2>err &
PID=$!
await has drain/journal '^{"start"' 1
kill -INT $PID
await grep -q '^waiting for' err
touch draining
wait $PID
equals 'a failure while draining is not final' "$(count drain "state = 'interrupted'")" 1
"$WICK" run --quiet --dir term $plain --trials 1 -n 1 --retries 1 -- \
    bash -c 'touch begun; [ $WICK_TRY = 1 ] && sleep 1000; [ $WICK_TRY = 3 ] && echo score: 1' &
PID=$!
await test -e begun
kill -TERM $PID
wait $PID
check 'an interruption costs no retry' "$WICK" resume term --quiet --no-report
equals 'so it is done at the third start' "$(count term "state = 'done' and tries = 3")" 1

# The output of an earlier try is not shown as that of a later one.
printf '#!/bin/bash\n[ $WICK_TRY = 1 ] && { echo BOOM; exit 1; }; echo score: $WICK_TRIAL\n' >twice
chmod +x twice
check 'a retry' "$WICK" run --quiet --dir boom $plain --trials 3 -n 1 --retries 1 -- ./twice
lacks 'shows its own output' "$("$WICK" show boom 2)" BOOM

# Budgets over several runs.
check 'a target' "$WICK" run --quiet --no-report --dir target --function branin --target 100 --trials 1000
N=$(count target 1=1)
check 'that is reached' "$WICK" resume target
contains 'stays so' "$OUT" 'Its target has been reached'
equals 'and starts nothing' "$(count target 1=1)" "$N"
for seconds in 0.5 5 50; do # until the machine is fast enough for some trials of 0.05 s or more
    rm -rf time
    capture "$WICK" run --quiet --no-report --dir time --function sleep --time $seconds -n 2
    code=$? N=$(count time 1=1)
    [ "$N" -lt 3 ] || break
done
equals 'a time' $code 0
sed -i '$d' time/journal # as if the run had been killed ...
grep -v '^{"end":'"$N"',' time/journal >j && mv j time/journal # ... with a trial under way
check 'that is used up' "$WICK" resume time --quiet --no-report --time 0.04
equals 'ends what had begun, and starts nothing' "$(count time "state = 'done'")" "$N"

# Trials that were given back wait in a queue: a stop must not start them.
cat >later <<'EOF'
#!/bin/bash
[ "$WICK_TRIAL" -le 100 ] || until [ -e later.go ]; do sleep 0.02; done
echo score: 1
EOF
chmod +x later
handed_out() { grep -c '^{"start"\|^{"move"' "$1"; }
for signal in INT TERM; do
    rm -f later.go
    "$WICK" run --dir queue-$signal $plain --trials 160 -n 2 --grace 1 -- ./later >/dev/null 2>err &
    PID=$!
    await has queue-$signal/journal '^{"start":10[1-9]' 1
    sleep 0.3 # so that what waits behind the two is given back: without it the test would be easier
    kill -$signal $PID
    await grep -q '^waiting for\|^stopping' err
    before=$(handed_out queue-$signal/journal)
    touch later.go
    wait $PID
    equals "after SIG$signal nothing more is started" "$(handed_out queue-$signal/journal)" "$before"
done
check 'what had not begun can be resumed' "$WICK" status queue-INT
"$WICK" run --quiet --dir named --trials 1 --set x=1..9 --pass none --timeout 0.3 -- sleep 1000 {params} 2>/dev/null
equals 'a trial that was timed out leaves no files' "$(ls named/tmp)" ''

# A study that is named after its file keeps its name.
printf 'model: {command: [bash, -c, "echo $WICK_STUDY; echo score: 1"], pass: none}\nspace: {x: {int: [1, 9]}}\nsearch: {trials: 1}\nkeep: all\n' >mine.yaml
check 'a study with the name of its file' "$WICK" run mine.yaml --quiet --no-report
check 'resumed' "$WICK" resume mine.wick --trials 2 --quiet --no-report
equals 'keeps its name' "$("$WICK" show mine.wick 2 --log | head -n 1)" mine

# Two writers: removing the lock does not let a second writer in.
"$WICK" run --quiet --dir locked $plain --trials 100 -n 1 -- sleep 1000 2>/dev/null &
PID=$!
await has locked/journal '^{"start"' 1
rm locked/lock
refuse 2 'a journal that is in use' 'is being written by another process' "$WICK" resume locked --quiet
kill -TERM $PID
wait $PID
finish
