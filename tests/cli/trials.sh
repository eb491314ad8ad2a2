#!/usr/bin/env bash
# Trials that misbehave in every known way: each harms only itself, and its reason is recorded.
. "$(dirname "$0")/lib.sh"

# one NAME STATE REASON [OPTION...] -- COMMAND...: runs a study of two trials that both end like this.
one() {
    local name=$1 state=$2 reason=$3 options=()
    shift 3
    while [ "$1" != -- ]; do
        options+=("$1")
        shift
    done
    rm -rf d
    capture "$WICK" run --quiet --dir d --set x=1..9 --trials 2 -n 2 --pass none \
        ${options[@]+"${options[@]}"} "$@"
    equals "$name: the state" "$("$WICK" sql d --format csv \
        'select distinct state from trials' | tail -n +2 | tr -d '\r')" "$state"
    contains "$name: the reason" "$("$WICK" sql d --format csv \
        'select distinct reason from trials' | tail -n +2)" "$reason"
}

# gone WORD: checks that no process with this word on its command line is left.
gone() { ! pgrep -f "$1" >/dev/null; }
# together NAME: prints the body of a trial that lasts until two of them run at the same time, on
# two workers.
together() {
    echo "touch $1.\$WICK_WORKER; for _ in {1..1200}; do [ -e $1.1 -a -e $1.2 ] && break; sleep 0.05; done"
}

one 'an exit code' failed 'exit code 3' -- bash -c 'echo score: 1; exit 3'
one 'a crash' failed 'signal 11 (Segmentation fault)' -- bash -c 'kill -SEGV $$'
one 'killed from outside' failed 'signal 9 (Killed)' -- bash -c 'kill -KILL $$'
one 'exit code 124' timeout 'exit code 124' -- bash -c 'exit 124'
one 'no score' 'no score' 'it printed no line like `score: 0.5`' -- echo hello
one 'a forgotten score' 'no score' 'if that is the score, say `score: val_loss`' -- echo val_loss: 3
one 'a score with a longer name' 'no score' 'if that is the score, say `score: val_score`' -- echo 'val_score: 3 val_acc: 4'
one 'a score with a dash' 'no score' 'it printed `val_loss: 3`: print it as `val-loss: 0.5`' --score val-loss -- \
    echo 'val_loss: 3'
one 'a score on stderr' 'no score' 'it printed `score: 3` on standard error' -- bash -c 'echo score: 3 >&2'
one 'a tensor' 'no score' \
    'it printed `score: tensor(0.9700)`: print the number alone, as .item() or float() give it: `score: 0.5`' -- \
    echo 'epoch: 3 score: tensor(0.9700)'
one 'a decimal comma' 'no score' 'it printed `score: 0,97`: print the number with a decimal point' -- echo 'score: 0,97'
one 'a score without its colon' 'no score' 'it printed `Score is 0.97 now`: print it as `score: 0.5`' -- \
    echo 'The Score is 0.97 now'
one 'a pattern on stderr' 'no score' 'it printed `loss 0.5` on standard error' --pattern 'loss ([0-9.]+)' -- \
    bash -c 'echo loss 0.5 >&2'
one 'a score as text in the result file' 'no score' 'cannot parse its result file: the score in it is not a number' -- \
    bash -c 'echo "{\"score\": \"0.5\"}" >"$WICK_RESULT"'
one 'other results' 'no score' 'it gave `f1`, but no `score`: name the one that is the score' -- \
    bash -c 'echo "{\"f1\": 2}" >"$WICK_RESULT"'
one 'other steps' 'no score' 'it gave `loss`, `f1`, but no `score`: name the one' -- \
    "$WICK" trial report 1 loss=3 f1=4 --
one 'a score that is not a number' nan 'its score is not a number' -- echo score: nan
one 'an infinite score' nan 'its score is infinite' -- echo score: inf
one 'a hang' timeout 'over its time limit of 0.40 s' --timeout 0.4 -- sleep 1000
for limit in 0.3 3 30; do # until the machine is fast enough for the trials to come to their trap
    rm -f trapped.*
    timeout 180 "$WICK" run --quiet --dir "trap-$limit" --set x=1..9 --trials 2 -n 2 --pass none --timeout $limit \
        --grace 0.3 -- bash -c 'trap "" TERM; touch trapped.$WICK_TRIAL; while :; do sleep 0.05; done' >/dev/null 2>&1
    [ -e trapped.1 -a -e trapped.2 ] && break
done
equals 'SIGTERM is ignored: state and reason' "$("$WICK" sql "trap-$limit" --format csv \
    "select distinct state || ', ' || substr(reason, instr(reason, 'and SIGTERM')) from trials" | tail -n +2 | tr -d '"\r')" \
    'timeout, and SIGTERM did not end it'
one 'a whole group hangs' timeout 'over its time limit' --timeout 0.4 --grace 0.2 -- \
    bash -c "(exec -a $MARK-1 sleep 1000) & (exec -a $MARK-1 sleep 1000) & wait"
check 'all of the group is gone' wait_until gone "$MARK-1"
[ -n "$SANITIZE" ] ||
    one 'too much memory' 'out of memory' 'over its memory limit of 100 MiB' --memory 100M -- \
        tail /dev/zero
one 'a broken result file' 'no score' 'cannot parse its result file' -- \
    bash -c 'echo "{\"score\": " >"$WICK_RESULT"'

one 'a good result file' done '' -- bash -c 'echo "{\"score\": 0.5, \"f1\": 2}" >"$WICK_RESULT"'
equals 'its metrics are kept' \
    "$("$WICK" sql d --format csv "select sum(value) from metrics where name = 'f1'" | tail -n 1 | tr -d '\r')" 4
one 'children are left behind' done '' -- bash -c "(exec -a $MARK-2 sleep 1000) & echo score: 1"
check 'they are killed' wait_until gone "$MARK-2"
one 'a daemon is left behind' done '' -- bash -c "setsid bash -c 'exec -a $MARK-3 sleep 1000' >/dev/null 2>&1 & echo score: 1"
check 'it is swept' wait_until gone "$MARK-3"
one 'standard input is empty' done '' -- bash -c 'cat; echo score: 1'
one 'binary output' done '' -- bash -c 'head -c 300000 /dev/urandom; echo; echo score: 1'
one 'carriage returns' done '' -- bash -c 'printf "10%%\rscore: 1\r100%%\r"'
one 'a line without an end' done '' -- printf 'score: 1'
one 'a line of a megabyte' done '' -- bash -c 'head -c 1000000 /dev/zero | tr "\0" x; echo; echo score: 1'

# A gigabyte of output: the study continues, and the part that is kept is bounded.
check 'a gigabyte of output' "$WICK" run --quiet --dir flood --keep all --set x=1..2 --trials 2 \
    --pass none -- bash -c 'head -c 1000000000 /dev/zero | tr "\0" x; echo; echo score: 1'
equals 'the score after it is found' "$("$WICK" sql flood --format csv \
    'select count(*) from trials where score = 1' | tail -n 1 | tr -d '\r')" 2
contains 'the log says what is left out' "$("$WICK" show flood 1 --log | tr -d '\0' | grep -a 'left out')" 'bytes left out'
equals 'and is small' "$(($(wc -c <flood/logs/1.log) < 70000))" 1

# A program that exists at first, and then vanishes.
printf '#!/bin/bash\nrm -f "$0"\necho score: 1\n' >vanish
chmod +x vanish
capture "$WICK" run --quiet --dir vanished --set x=1..9 --trials 4 -n 1 -- ./vanish
equals 'a program that vanishes: the first trial is done, the others failed' \
    "$("$WICK" sql vanished --format csv 'select group_concat(state) from trials' | tail -n 1 | tr -d '"\r')" \
    'done,failed,failed,failed'
# ThreadSanitizer turns vfork into fork, and the child cannot say why it failed.
[ "$SANITIZE" = thread ] || contains 'a program that vanishes: the reason' "$("$WICK" show vanished 2)" 'No such file or directory'

# Retries.
cat >flaky <<'EOF'
#!/bin/bash
[ "$WICK_TRY" -ge 3 ] || exit 1
echo score: 1
EOF
chmod +x flaky
check 'a flaky program is tried again' "$WICK" run --quiet --dir flaky.wick --set x=1..9 --trials 3 \
    --retries 2 -- ./flaky
equals 'all trials are done at the third try' "$("$WICK" sql flaky.wick --format csv \
    "select count(*) from trials where state = 'done' and tries = 3" | tail -n 1 | tr -d '\r')" 3
refuse 1 'too few retries' 'no trial reported a score' "$WICK" run --dir flaky2.wick --set x=1..9 \
    --trials 2 --retries 1 --no-report -- ./flaky

# What a trial receives.
check 'flags, environment and files' "$WICK" run --quiet --keep all --dir given --trials 1 -n 1 --seed 3 \
    --set lr=0.5 --set name="a b;\$(id)" --env EXTRA=hello -- bash -c '
        echo "arguments: $*"; echo "json: $WICK_PARAMS"; echo "extra: $EXTRA"
        echo "cores: $OMP_NUM_THREADS"; echo "trial: $WICK_TRIAL"; echo score: 1' me
LOG=$("$WICK" show given 1 --log)
contains 'the arguments reach it as they are' "$LOG" 'arguments: --lr 0.5 --name a b;$(id)'
contains 'the environment has JSON' "$LOG" 'json: {"lr":0.5,"name":"a b;$(id)"}'
contains 'and what the study sets' "$LOG" 'extra: hello'
contains 'and its number' "$LOG" 'trial: 1'
check 'templates' "$WICK" run --quiet --keep all --dir templates --trials 1 --set lr=0.25 -- \
    bash -c 'cat "$1"; echo; ls -d "$2"; echo "score: $3"' me '{params}' '{dir}' '{lr}'
contains 'a parameter file' "$("$WICK" show templates 1 --log)" '{"lr":0.25}'
contains 'a folder of its own' "$("$WICK" show templates 1 --log)" 'templates/trials/1'
check 'the best command runs again' sh -c "$("$WICK" best templates --command)"
contains 'with its files' "$OUT" '{"lr":0.25}'
contains 'in a folder of its own' "$OUT" 'templates/rerun/1'
check 'a study with an environment' "$WICK" run --quiet --dir env --trials 1 --set lr=0.25 --env GREETING='hello you' \
    -- bash -c 'echo "$GREETING"; echo score: 1'
check 'can be run again, too' bash -c "cd / && $("$WICK" best env --command --secrets)"
contains 'with its environment' "$OUT" 'hello you'
check 'braces that are not templates' "$WICK" run --quiet --keep all --dir braces --trials 1 --set lr=0.25 -- \
    bash -c 'x=1; echo "$1 ${x} {{lr}} {lr}"; echo score: 1' me '{"a":{"b":{lr}}}'
contains 'stay as they are' "$("$WICK" show braces 1 --log)" '{"a":{"b":0.25}} 1 {lr} 0.25'
equals 'temporary files are gone' "$(ls templates/tmp)" ''

# The output of a running trial can be seen.
"$WICK" run --quiet --dir seen --set x=1..9 --trials 1 --pass none -- \
    bash -c 'echo step 1; until [ -e seen.go ]; do sleep 0.02; done; echo score: 1' &
printed() { [ -n "$("$WICK" show seen 1 --log 2>/dev/null)" ]; }
await printed
equals 'what a running trial prints' "$("$WICK" show seen 1 --log)" 'step 1'
touch seen.go
wait $!
equals 'is gone from tmp when it has ended' "$(ls seen/tmp)" ''

# Cores and GPUs: trials that run at the same time have separate ones.
CUDA_VISIBLE_DEVICES=5,7 check 'GPUs are dealt out' "$WICK" run --quiet --keep all --dir gpus --trials 6 \
    --set x=1..9 --gpus 1 -- bash -c 'echo "gpu=$CUDA_VISIBLE_DEVICES worker=$WICK_WORKER"; '"$(together gpu)"'; echo score: 1'
equals 'one a worker' "$(for i in 1 2 3 4 5 6; do "$WICK" show gpus $i --log | grep gpu=; done | sort -u | tr '\n' ' ')" \
    'gpu=5 worker=1 gpu=7 worker=2 '
seen='AMD=$ROCR_VISIBLE_DEVICES,$HIP_VISIBLE_DEVICES,$GPU_DEVICE_ORDINAL Intel=$ZE_AFFINITY_MASK worker=$WICK_WORKER'
for gpus in ROCR_VISIBLE_DEVICES=4,6 ZE_AFFINITY_MASK=0.1,1.0; do
    check "GPUs in $gpus" env $gpus "$WICK" run --quiet --keep all --dir "$gpus" --trials 6 --set x=1..9 --gpus 1 -- \
        bash -c "echo \"$seen\"; $(together "$gpus"); echo score: 1"
    for i in 1 2 3 4 5 6; do "$WICK" show "$gpus" $i --log | grep AMD=; done | sort -u >>makers
done
equals 'in the variables of their maker' "$(cat makers)" 'AMD=4,0,0 Intel= worker=1
AMD=6,0,0 Intel= worker=2
AMD=,, Intel=0.1 worker=1
AMD=,, Intel=1.0 worker=2'
check 'cores are dealt out' "$WICK" run --quiet --keep all --dir cores --trials 6 -n 2 --set x=1..9 --pass none -- \
    bash -c 'grep Cpus_allowed_list /proc/self/status | tr "\t" " "; '"$(together core)"'; echo score: 1'
equals 'each worker has its own' "$(for i in 1 2 3 4 5 6; do "$WICK" show cores $i --log | grep Cpus; done | sort -u | wc -l)" \
    "$(($(nproc) > 1 ? 2 : 1))"
CUDA_VISIBLE_DEVICES=5,7 refuse 2 'too few GPUs' 'use --workers 2' "$WICK" run --quiet --dir gpus2 \
    --trials 1 --set x=1..9 --gpus 1 -n 3 -- true
CUDA_VISIBLE_DEVICES= refuse 2 'no GPU' 'this machine has none' "$WICK" run --quiet --dir gpus3 \
    --trials 1 --set x=1..9 --gpus 1 -- true
finish
