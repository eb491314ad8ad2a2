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

case=0
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

study halted 3 'sleep 0.1; [ ! -e broken ] && echo score: 1'
touch broken
refuse 1 'a job whose trials fail alike' '2 trials failed alike' job 101 "$WICK" job halted --halt 2 --workers 1
contains 'cancels the next' "$ERR" 'Slurm job 102 cancelled: the study was halted because its trials fail alike'
contains 'and says how to go on' "$ERR" 'wick submit'
lacks 'once' "$ERR" 'submit the next job with'
contains 'the record has its end' "$(cat halted/jobs)" '"id":"101","why":"halted"'
check 'a next job that could not be cancelled' job 102 "$WICK" job halted
contains 'does not continue' "$OUT" 'was halted because its trials fail alike'
equals 'and starts nothing' "$(starts halted) $(calls sbatch)" '2 2'
rm broken
check 'a study can be submitted again' "$WICK" submit halted --retry-failed --halt 9
contains 'for a job that runs the failed trials again' "$(cat halted/job.sh)" ' --retry-failed'
lacks 'the script does not override later changes' "$(cat halted/job.sh)" --halt
contains 'since the journal has them' "$(grep '^{"change"' halted/journal)" '"search.halt",'
check 'not when it is started again' job 103 env SLURM_RESTART_COUNT=1 "$WICK" job halted --retry-failed --trials 2
equals 'since it has done so' "$(starts halted)" 2
check 'as it does' job 103 "$WICK" job halted --retry-failed
equals 'up to the end of the study' "$("$WICK" status halted --json | grep -o '"done":[0-9]*')" '"done":4'
refuse 2 'a new study has no failed trials' "'--retry-failed' is for the folder of an existing study" \
    "$WICK" submit halted.yaml --retry-failed --dry-run

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

# ---- what runs before Wick in the script ----

# prologue NAME LINES: submits a study whose prologue has these lines; its trials print $WHO.
prologue() {
    mkdir -p "$1-home"
    printf '%s\n' 'model: {command: [bash, -c, "echo who $WHO; echo score: 1"], pass: none}' \
        'space: {x: {int: [1, 100000]}}' 'search: {trials: 2}' 'keep: all' \
        'job:' '  scheduler: slurm' '  chain: 3' '  prologue: |' >"$1-home/$1.yaml"
    sed 's/^/    /' <<<"$2" >>"$1-home/$1.yaml"
    export CALLS=$T/$1.calls
    check "$1: it is submitted" "$WICK" submit "$1-home/$1.yaml" --dir "$1"
}
script() { (cd "$1" && env SLURM_JOB_ID="$2" SLURM_JOB_NUM_NODES=1 bash job.sh); }

prologue venv 'source venv/bin/activate
if true; then
  cat >here <<X
  $(pwd)
X
fi
cd /'
mkdir -p venv-home/venv/bin
printf 'false\ngrep -q x /dev/null\nexport WHO=venv\n' >venv-home/venv/bin/activate
check 'a prologue that works' script venv 101
contains 'runs in the folder of the study file' "$(cat venv-home/here)" "$(realpath venv-home)"
contains 'and what it sets reaches the trials' "$(cat venv/logs/1.log)" 'who venv'

prologue wrong 'WHO=none
  source env/bin/activate
export WHO=other'
refuse 1 'a prologue that fails' 'failed with exit code 1 in this line: source env/bin/activate' script wrong 101
contains 'its own words come first' "$ERR" 'No such file'
equals 'runs no trials' "$(starts wrong)" 0
equals 'leaves the next job, which may do better' "$(calls sbatch) $(calls scancel)" '2 0'
contains 'the record has its end' "$(cat wrong/jobs)" '"id":"101","why":"error"'
refuse 1 'the next one fails as well' 'in this line: source env/bin/activate' script wrong 102
contains 'and the one after that is cancelled' "$ERR" 'cancelled: no trial ended in this job'
for line in 'exit 3|exit code 3' '(exit 5)|in this line: (exit 5)' 'f() { return 4; }; f|exit code 4' \
    'if true; then|exit code 2' 'nosuch thing|exit code 127 in this line: nosuch thing'; do
    prologue "case$((case += 1))" "${line%|*}"
    refuse 1 "so does ${line%|*}" "${line#*|}" script "case$case" 101
    equals 'and no trial has run' "$(starts "case$case")" 0
done
prologue tolerant 'false || true
[ -n "" ] && echo never
! true
export WHO=me'
check 'a line that may fail' script tolerant 101
sed -i 's/^  prologue: .*/  modules: [gcc\/12]/; /^    /d' tolerant-home/tolerant.yaml
check 'modules' "$WICK" submit tolerant-home/tolerant.yaml --dir modules
refuse 1 'that cannot be loaded end it, too' 'in this line: module load gcc/12' script modules 101

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
cat >bin/mpirun.site <<'END_OF_PROGRAM'
#!/bin/bash
[ "$1" != --version ] || { echo 'mpirun.site (OpenRTE) 4.1.4'; exit; }
echo "$@" >>launched
exit 7
END_OF_PROGRAM
chmod +x bin/mpirun.site
refuse 7 'an mpirun that is named without options' '' nodes -- mpirun.site
contains 'gets those that Open MPI needs, as without a name' "$(tail -n 1 launched)" \
    '--oversubscribe --bind-to none --enable-recovery '
refuse 7 'one with options' '' nodes -- mpirun.site -x A
contains 'has room for the driver' "$(tail -n 1 launched)" '--oversubscribe -x A -n 13 '
refuse 7 'unless they say something about that' '' nodes -- mpirun.site --map-by node:NOOVERSUBSCRIBE
contains 'then they decide' "$(tail -n 1 launched)" '--map-by node:NOOVERSUBSCRIBE -n 13 '
lacks 'alone' "$(tail -n 1 launched)" '--oversubscribe'
refuse 7 'a job that is not of wick submit' '' env SLURM_JOB_ID=555 "$WICK" job ranks -- launch
contains 'is in the record all the same' "$(cat ranks/jobs)" '"id":"555","scheduler":"slurm","link":1,"links":1}'
sed 's/^echo/echo srun/' bin/launch >bin/srun
chmod +x bin/srun
refuse 7 'srun' '' nodes -- srun --mpi=pmix --nodes=2
contains 'takes no cores for the driver, and its own options win' "$(tail -n 1 launched)" \
    "srun --overcommit --cpu-bind=none --distribution=cyclic --nodes=3 --mpi=pmix --nodes=2 -n 13 $(realpath "$WICK") resume $T/ranks"
refuse 2 'several nodes and no mpiexec' "cannot start '/nowhere/mpiexec'" \
    env WICK_MPIEXEC=/nowhere/mpiexec SLURM_JOB_ID=101 SLURM_JOB_NUM_NODES=3 "$WICK" job ranks
# An MPI that knows nothing of the scheduler: all ranks are on this machine, with and without names.
for mpi in $(mpis_here); do
    cat >bin/blind <<END_OF_PROGRAM
#!/bin/bash
file=\$(grep -oe '/proc/self/fd/[0-9]*' <<<"\$*")
[ -z "\$file" ] || { echo "\$@"; cat "\$file"; } >$T/hosts
while [ "\$1" = --hostfile ] || [ "\$1" = -f ]; do shift 2; done
unset "\${!SLURM@}" "\${!PBS@}" "\${!LSB@}" "\${!COBALT@}" PE_HOSTFILE JOB_ID
exec $(mpirun_of $mpi 5 | sed 's/ -n 5$//') "\$@"
END_OF_PROGRAM
    chmod +x bin/blind
    printf 'n1\nn1\nn2\nn2\n' >nodefile
    for job in PBS_JOBID=7,PBS_NODEFILE="$T/nodefile" 'SLURM_JOB_ID=7,SLURM_JOB_NUM_NODES=2,SLURM_JOB_NODELIST=n[1-2]' \
        'LSB_JOBID=7,LSB_MCPU_HOSTS=n1 2 n2 2' \
        JOB_ID=7,SGE_TASK_ID=undefined,NHOSTS=2,PE_HOSTFILE="$T/nodefile" \
        COBALT_JOBID=7,COBALT_JOBSIZE=2,COBALT_NODEFILE="$T/nodefile"; do
        IFS=, read -ra variables <<<"$job"
        rm -f hosts
        refuse 2 "$mpi, ${job%%=*}: ranks on one of two nodes are an error" \
            'the job has 2 nodes, but blind started its ranks on only 1 of them, so no trial was run' \
            env WICK_MPIEXEC=blind "${variables[@]}" "$WICK" job ranks --workers 2
        if [ $mpi = openmpi ]; then
            equals 'after it was told their names' "$(sed 1d hosts | paste -sd,)" 'n1 slots=3,n2 slots=2'
        else
            equals 'after it was told their names' "$(sed 1d hosts | paste -sd,)" 'n1:3,n2:2'
        fi
    done
    equals 'no trial has run' "$(starts ranks)" 0
    contains 'a launcher that helps is named' "$ERR" 'launcher: aprun -n {ranks} -N {per_node}'
done
refuse 2 'a folder without a study' 'has no journal' "$WICK" job bin
check 'a job that nobody has recorded runs' wait $lost
contains 'and tells that it is alone' "$(cat lost.err)" "job 101 is not in $T/lost/jobs"
finish
