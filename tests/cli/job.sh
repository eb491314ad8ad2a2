#!/usr/bin/env bash
# wick job, with programs that imitate those of Slurm: when the next job of a chain is submitted and
# cancelled, which jobs are refused, and how the ranks are started. tests/cluster/jobs.sh uses a real Slurm.
. "$(dirname "$0")/lib.sh"

mkdir bin
export PATH=$T/bin:$PATH
unset "${!SLURM@}"
cat >bin/sbatch <<'END_OF_PROGRAM'
#!/bin/bash
echo "sbatch $*" >>"$CALLS"
[ ! -e "$CALLS.forbidden" ] || { echo 'sbatch: error: not from a compute node' >&2; exit 1; }
echo $((100 + $(grep -c ^sbatch "$CALLS")))
END_OF_PROGRAM
cat >bin/scancel <<'END_OF_PROGRAM'
#!/bin/bash
echo "scancel $*" >>"$CALLS"
END_OF_PROGRAM
cat >bin/squeue <<'END_OF_PROGRAM'
#!/bin/bash
[ ! -e "$CALLS.runs" ] || { echo 'RUNNING|n1'; exit; }
[ ! -e "$CALLS.silent" ] || { echo 'slurm_load_jobs error: Unable to contact slurm controller' >&2; exit 1; }
echo 'slurm_load_jobs error: Invalid job id specified' >&2
exit 1
END_OF_PROGRAM
chmod +x bin/*

# study NAME CHAIN COMMAND: submits it; the job's number is 101.
study() {
    cat >"$1.yaml" <<END_OF_STUDY
model: {command: "bash -c '$3'", pass: none, grace: 1}
space: {x: {int: [1, 100000]}}
search: {algorithm: random, trials: 4, seed: 4}
job: {scheduler: slurm, chain: $2}
END_OF_STUDY
    export CALLS=$T/$1.calls
    check "$1: it is submitted" "$WICK" submit "$1.yaml" --dir "$1"
}
# job ID COMMAND...: runs the command inside that job.
job() { env SLURM_JOB_ID="$1" SLURM_JOB_NUM_NODES=1 WICK_SCHEDULER=slurm "${@:2}"; }
begun() { grep -qs '^{"start"' "$1/journal"; }
starts() { cat "$1/journal" 2>/dev/null | grep -c '^{"start"'; }
started_since() { [ "$(starts "$1")" -gt "$2" ]; }
# signalled SIGNAL DIR ID COMMAND...: runs the command inside that job and sends the signal as soon
# as it has begun a trial of the study in DIR.
signalled() {
    local before pid
    before=$(starts "$2")
    env SLURM_JOB_ID="$3" SLURM_JOB_NUM_NODES=1 WICK_SCHEDULER=slurm "${@:4}" &
    pid=$!
    wait_until started_since "$2" "$before"
    kill -"$1" $pid
    wait $pid
}
# pid_of DIR: prints the process that runs the study.
pid_of() { sed -n 's/.*(process \([0-9]*\) on .*/\1/p' "$1/lock"; }
calls() { grep -c "^$1" "$CALLS"; }

# The job looks for its record for ten seconds; the other tests run in the meantime.
study lost 3 'echo score: 1'
rm lost/jobs
job 101 "$WICK" job lost >lost.out 2>lost.err </dev/null &
lost=$!

# ---- a chain ----

study good 3 'echo score: 1'
check 'a job that completes the study' job 101 "$WICK" job good
contains 'has submitted the next, to wait for itself' "$(cat good.calls)" '--dependency=afterany:101'
contains 'and cancels it' "$(cat good.calls)" 'scancel 102'
contains 'and says so' "$ERR" 'Slurm job 102 cancelled: the study is complete'
contains 'the record has its end' "$(cat good/jobs)" '"id":"101","why":"done"'
check 'a job on a complete study' job 102 "$WICK" job good
contains 'has nothing to do' "$OUT" 'is complete'
equals 'and submits nothing' "$(calls sbatch)" 2

study cut 3 'sleep 1000; echo score: 1'
check 'a job that ends before its trials do' signalled USR1 cut 101 "$WICK" job cut --notice 2s --workers 2
equals 'leaves the next job' "$(calls sbatch) $(calls scancel)" '2 0'
check 'the same job, started anew' signalled USR1 cut 101 "$WICK" job cut --notice 2s --workers 2
equals 'does not submit another one' "$(calls sbatch) $(calls scancel)" '2 0'

study killed 2 'sleep 1000; echo score: 1'
refuse 143 'a job that is terminated' 'stopping' signalled TERM killed 101 "$WICK" job killed
equals 'leaves the next job' "$(calls sbatch) $(calls scancel)" '2 0'
refuse 143 'the last one of the chain, too' 'stopping' signalled TERM killed 102 "$WICK" job killed
contains 'says how to go on' "$ERR" "wick submit $T/killed"
study stopped 5 'sleep 1000; echo score: 1'
ctrl_c_twice() {
    job 101 bash -c 'exec "$0" job stopped 2>stopped.err' "$WICK" &
    wait_until begun stopped
    kill -INT "$(pid_of stopped)"
    wait_until grep -q '^waiting for' stopped.err
    kill -INT "$(pid_of stopped)"
    wait $!
    local code=$?
    cat stopped.err >&2
    return $code
}
refuse 130 'a user stops the study' 'interrupted' ctrl_c_twice
contains 'no further job is to come' "$ERR" 'cancelled: the study was stopped'

study ended 5 'sleep 1000; echo score: 1'
job 101 "$WICK" job ended >ended.out 2>&1 </dev/null &
ended=$!
check 'another study is under way' wait_until begun ended
check 'it is stopped from elsewhere' "$WICK" stop ended --now
wait $ended
contains 'and its job lets no other come' "$(cat ended.out)" 'the study was stopped by `wick stop`'

study broken 100 'exit 3'
refuse 1 'trials that all fail' 'no trial reported a score' job 101 "$WICK" job broken
contains 'use up the budget' "$ERR" 'cancelled: the study is complete'
study missing 100 'echo score: 1'
rm -rf missing/checkpoints
touch missing/checkpoints
refuse 1 'a job that cannot begin' 'missing/checkpoints' job 101 "$WICK" job missing
equals 'leaves the next one, which may do better' "$(calls sbatch) $(calls scancel)" '2 0'
refuse 1 'that fails, too' 'missing/checkpoints' job 102 "$WICK" job missing
contains 'and does not make others fail as well' "$ERR" \
    'cancelled: no trial ended in this job, and the next job would fail the same way'

study forbidden 3 'sleep 1000; echo score: 1'
touch forbidden.calls.forbidden
check 'nothing can be submitted from here' signalled USR1 forbidden 101 "$WICK" job forbidden --notice 2s
contains 'that is said' "$ERR" 'cannot submit the next job from here: sbatch: error: not from a compute node'
contains 'and how to go on' "$ERR" "wick submit $T/forbidden"

# ---- a scheduler that ends all processes of a job sends SIGTERM to trials, too ----

study terminated 1 '[ -e $WICK_TRIAL.ended ] || { touch $WICK_TRIAL.ended; kill -TERM $$; }; echo score: 1'
check 'trials that get a SIGTERM from outside' job 101 "$WICK" job terminated
equals 'have not failed, and run again' \
    "$(grep -c '"state":"interrupted".*"again":true' terminated/journal) $(grep -c '"state":"done"' terminated/journal)" '4 4'
study always 1 'kill -TERM $$'
refuse 1 'but not for ever' 'no trial reported a score' job 101 "$WICK" job always

# ---- who runs it ----

study busy 1 'sleep 1000; echo score: 1'
job 101 "$WICK" job busy >busy.out 2>&1 </dev/null &
check 'a job is under way' wait_until begun busy
touch busy.calls.runs
refuse 2 'a second job is refused with the name of the first' 'is being run by Slurm job 101 (process ' \
    job 102 "$WICK" job busy
contains 'and told what to do' "$ERR" 'wick stop '"$T/busy"
refuse 2 'and so is a second one in the same job, without a wait' 'is being run by Slurm job 101 (process ' \
    job 101 timeout 180 "$WICK" resume busy
rm busy.calls.runs
holder=$(pid_of busy)
before=$(starts busy)
echo '{"submitted":1,"id":"102","scheduler":"slurm","link":1,"links":1}' >>busy/jobs
job 102 "$WICK" job busy --notice 2s >second.out 2>&1 </dev/null &
second=$!
check 'one whose holder has ended waits for the lock' wait_until grep -q "its lock on $T/busy is still held" second.out
kill -KILL "$holder"
check 'and gets it' wait_until started_since busy "$before"
kill -USR1 "$(pid_of busy)"
wait $second

if [ -n "$SANITIZE" ]; then
    : # it takes no libraries of our own
elif ! command -v cc >/dev/null; then
    skip_part 'cc is not installed: locks that stay, and file systems without locks, are not tested'
else
    study held 3 'sleep 1000; echo score: 1'
    job 101 "$WICK" job held >held.out 2>&1 </dev/null &
    held=$!
    check 'a job whose lock will stay' wait_until begun held
    echo 'unsigned sleep(unsigned seconds) { return seconds - seconds; }' >nosleep.c
    cc -shared -fPIC -o nosleep.so nosleep.c
    refuse 2 'the job after it waits in vain' 'is being run by Slurm job 101 (process ' \
        job 102 env LD_PRELOAD="$T/nosleep.so" "$WICK" job held
    contains 'and leaves the study to the next' "$(cat held.calls)" '--dependency=afterany:102'
    contains 'as the record tells' "$(cat held/jobs)" '"id":"102","why":"locked"'
    refuse 2 'the last of a chain' 'is being run by Slurm job 101 (process ' \
        job 103 env LD_PRELOAD="$T/nosleep.so" "$WICK" job held
    contains 'says how to go on' "$ERR" "wick submit $T/held"
    kill -KILL "$(pid_of held)"
    wait $held 2>/dev/null
    export CALLS=$T/busy.calls
    cat >nolock.c <<'END_OF_PROGRAM'
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
static int none(int fd, int command, void *argument)
{
    int (*next)(int, int, ...) = (int (*)(int, int, ...))dlsym(RTLD_NEXT, "fcntl");
    if (command == F_OFD_SETLK || command == F_OFD_GETLK) {
        errno = ENOLCK;
        return -1;
    }
    return next(fd, command, argument);
}
#define TAKE va_list list; va_start(list, command); void *argument = va_arg(list, void *); va_end(list)
int fcntl(int fd, int command, ...) { TAKE; return none(fd, command, argument); }
int fcntl64(int fd, int command, ...) { TAKE; return none(fd, command, argument); }
END_OF_PROGRAM
    cc -shared -fPIC -o nolock.so nolock.c -ldl
    printf 'Slurm job 102 (process 7 on n9)\njob slurm 102\n' >busy/lock
    touch busy.calls.runs
    refuse 2 'without locks, a job that runs keeps others out' 'is being run by Slurm job 102 (process ' \
        job 103 env LD_PRELOAD="$T/nolock.so" "$WICK" resume busy
    mv busy.calls.runs busy.calls.silent
    refuse 2 'and so does one that nobody can be asked about' 'may still be run by Slurm job 102 (process ' \
        job 103 env LD_PRELOAD="$T/nolock.so" "$WICK" resume busy
    rm busy.calls.silent
    check 'and one that has ended does not' signalled USR1 busy 103 env LD_PRELOAD="$T/nolock.so" \
        "$WICK" resume busy --notice 2s --no-report
    touch busy.calls.runs
    check 'nor does one whose run has ended, though the job goes on' signalled USR1 busy 104 \
        env LD_PRELOAD="$T/nolock.so" "$WICK" resume busy --notice 2s --no-report
    rm busy.calls.runs
fi

# ---- how ranks are started ----

study ranks 1 'echo score: 1'
cat >bin/launch <<'END_OF_PROGRAM'
#!/bin/bash
echo "$@" >>launched
exit 7
END_OF_PROGRAM
chmod +x bin/launch
nodes() { env SLURM_JOB_ID=101 SLURM_JOB_NUM_NODES=3 "$WICK" job ranks --workers 4 "$@"; }
refuse 7 'a launcher of words, whose code counts where no rank tells one' '' nodes -- launch -v
equals 'it is told how many ranks' "$(cat launched)" "-v -n 13 $(realpath "$WICK") resume $T/ranks"
refuse 7 'with numbers in its words' '' nodes --notice 90 -- launch '-n{ranks}' '-N{nodes}:{per_node}'
equals 'they are filled in' "$(tail -n 1 launched)" "-n13 -N3:5 $(realpath "$WICK") resume $T/ranks --notice 90"
refuse 7 'as many workers as the smallest node has cores for' '' env SLURM_JOB_ID=101 \
    SLURM_JOB_NUM_NODES=3 'SLURM_JOB_CPUS_PER_NODE=8(x2),5' "$WICK" job ranks --cores 2 -- launch -v
contains 'two on each, and the driver' "$(tail -n 1 launched)" '-n 7 '
refuse 7 'a job that is not of wick submit' '' env SLURM_JOB_ID=555 "$WICK" job ranks -- launch
contains 'is in the record all the same' "$(cat ranks/jobs)" '"id":"555","scheduler":"slurm","link":1,"links":1}'
refuse 2 'several nodes and no mpiexec' "cannot start '/nowhere/mpiexec'" \
    env WICK_MPIEXEC=/nowhere/mpiexec SLURM_JOB_ID=101 SLURM_JOB_NUM_NODES=3 "$WICK" job ranks
refuse 2 'a folder without a study' 'has no journal' "$WICK" job bin
check 'a job that nobody has recorded runs' wait $lost
contains 'and tells that it is alone' "$(cat lost.err)" "job 101 is not in $T/lost/jobs"
finish
