#!/usr/bin/env bash
# A study as an MPI job: what is chosen and printed, exit codes, wrong uses, what a trial sees,
# Ctrl-C, and that the suggestions do not depend on where a study runs. The tests of one MPI run at
# the same time, as they mostly wait.
. "$(dirname "$0")/lib.sh"
mpis=$(mpis_here)
[ -n "$mpis" ] || skip "none of these MPIs is here: $MPIS (see tools/packages)"

suggestions() { records "$1" | sed -n 's/^{"start":\([0-9]*\),.*"params":/\1 /p' | sort -n; }
ended() { grep -c '^{"end".*"state":"done"' "$1/journal"; }
count() { "$WICK" sql "$1" --format csv "select count(*) from trials where $2" | tail -n 1 | tr -d '\r'; }
states() {
    "$WICK" sql "$1" --format csv 'select group_concat(state) from (select state from trials order by x)' |
        tail -n 1 | tr -d '\r"'
}
first_process() { sed -n 's/.*"pid":\([0-9]*\).*/\1/p' "$1/journal" | tail -n 1; }
# Prints what is on stderr besides the first line and the lines of progress.
other_lines() { grep -Ev '^[a-z]+: [a-z]+ search for the [^(]*(, | \()|^[0-9]+/[0-9]+ ' <<<"$ERR"; }

cat >study.yaml <<'EOF'
name: squares
model: {command: [sh, -c, 'echo score: {x} {layers} {optimizer}']}
space:
  x: {float: [0, 1]}
  layers: {int: [1, 9]}
  optimizer: {choice: [sgd, adam]}
search: {trials: 24, seed: 11, reproducible: true}
EOF
for i in 1 2 3 4 5 6; do echo "{\"id\": \"line$i\", \"x\": $i}"; done >lines.txt
echo 'model: {command: sh, scroe: x}' >wrong.yaml
function_study=(run --function branin --trials 40 --seed 3 --search reproducible=true)
upf_study=(upf "$T/lines.txt" -- sh -c 'echo score: $RUNID | tr -d a-z:; echo score: {x}')

# ---- the same on threads ----

check 'a study on threads' "$WICK" run study.yaml --dir calm -n 3
contains 'says that it runs here' "$ERR" '24 trials, 3 workers on this machine, results in calm'
check 'a function on threads' "$WICK" "${function_study[@]}" --dir calm-function -q
check 'a UPF on threads' "$WICK" "${upf_study[@]:0:2}" --dir calm-upf -q "${upf_study[@]:2}"

# ---- what is chosen ----

check_choice() {
    local mpi=$1 run=$(mpirun_of "$1" 4) name='Open MPI v'
    [ "$mpi" = openmpi ] || name='MPICH '
    check "$mpi: a study of programs" $run "$WICK" run ../study.yaml --dir "$mpi"
    contains "$mpi: one line says what was chosen" "$ERR" \
        "), 24 trials, 3 workers on 1 node with MPI ($name"
    equals "$mpi: nobody says anything else" "$(other_lines)" ''
    equals "$mpi: what came of it stands there once" "$(grep -c '^best ' <<<"$OUT")" 1
    equals "$mpi: the suggestions are those of threads" "$(suggestions "$mpi")" "$(suggestions ../calm)"
    equals "$mpi: each trial ran once" "$(ended "$mpi")" 24

    check "$mpi: a study of a function" $run "$WICK" "${function_study[@]}" --dir "$mpi-function" --json
    equals "$mpi: JSON has a line for each trial" "$(grep -c '"event":"trial"' <<<"$OUT")" 40
    equals "$mpi: JSON begins and ends once" "$(grep -c '"event":"\(begin\|end\)"' <<<"$OUT")" 2
    equals "$mpi: and nothing else is said" "$ERR" ''
    equals "$mpi: its suggestions are those of threads" \
        "$(suggestions "$mpi-function")" "$(suggestions ../calm-function)"

    check "$mpi: a UPF" $run "$WICK" "${upf_study[@]:0:2}" --dir "$mpi-upf" --quiet "${upf_study[@]:2}"
    equals "$mpi: --quiet says nothing" "$OUT$ERR" ''
    equals "$mpi: all its lines ran" "$(ended "$mpi-upf")" 6

    check "$mpi: two servers" $(mpirun_of "$mpi" 5) "$WICK" run ../study.yaml --dir "$mpi-servers" --servers 2
    contains "$mpi: it says so" "$ERR" '3 workers and 2 servers on 1 node with MPI'
    equals "$mpi: the suggestions are the same" "$(suggestions "$mpi-servers")" "$(suggestions ../calm)"
    check "$mpi: a job of one rank runs on threads" $(mpirun_of "$mpi" 1) "$WICK" run ../study.yaml \
        --dir "$mpi-alone" --workers 2
    contains "$mpi: it says that, too" "$ERR" '2 workers on this machine'
}

# ---- a launcher that starts more ranks than were wanted: those beyond the plan rest ----

check_resting() {
    local mpi=$1
    check "$mpi: more ranks than the plan has" env WICK_LAYOUT='1 2 3' $(mpirun_of "$mpi" 6) \
        "$WICK" run ../study.yaml --dir "$mpi-resting"
    contains "$mpi: it says who works" "$ERR" '2 workers on 1 node with MPI'
    contains "$mpi: so does the journal" "$(grep '^{"open"' "$mpi-resting/journal")" '"workers":2,'
    contains "$mpi: and the status" "$("$WICK" status "$mpi-resting" --json)" '"workers":2,'
    equals "$mpi: each trial ran once" "$(ended "$mpi-resting")" 24
}

# ---- exit codes and wrong uses: mpirun passes on the code of rank 0, and nothing hangs ----

once() { equals "$1" "$(grep -cF "$2" <<<"$ERR")" 1; }

check_refusals() {
    local mpi=$1 other run=$(mpirun_of "$1" 4)
    # When rank 0 has failed, Open MPI need not wait for the other ranks, which takes two seconds.
    export OMPI_MCA_odls_base_sigkill_timeout=0
    refuse 1 "$mpi: no trial reported a score" 'no trial reported a score' $run "$WICK" run --trials 3 \
        --set x=1..9 --dir "$mpi-none" --no-report -- true
    refuse 2 "$mpi: a wrong study file" "unknown key 'scroe'" $run "$WICK" run ../wrong.yaml
    once "$mpi: is told once" "unknown key 'scroe'"
    refuse 2 "$mpi: a wrong option" "did you mean '--trials'" $run "$WICK" run --trails 3
    once "$mpi: is told once" 'did you mean'
    refuse 2 "$mpi: a program that is not there" "there is no program '/nowhere/model'" \
        $run "$WICK" run --trials 3 --set x=1..9 --dir "$mpi-missing" -- /nowhere/model
    refuse 2 "$mpi: a folder that has a study" 'already has a study' $run "$WICK" run ../study.yaml --dir ../calm
    refuse 2 "$mpi: --mpi in a job" 'omit --mpi' $run "$WICK" run ../study.yaml --dir "$mpi-x" --mpi 2
    once "$mpi: is told once" 'omit --mpi'
    refuse 2 "$mpi: --workers in a job" 'omit --workers' $run "$WICK" run ../study.yaml \
        --dir "$mpi-x" --workers 2
    refuse 2 "$mpi: no plug-in" 'there is no plug-in wick-other.so' \
        env WICK_MPI=other $run "$WICK" run ../study.yaml --dir "$mpi-x"
    once "$mpi: is told once" 'there is no plug-in'
    other=$(mpis_installed | grep -vx "$mpi")
    if [ -n "$other" ]; then
        # Open MPI in processes that do not know of each other: they disturb each other when all of
        # them make its folder in TMPDIR at the same time.
        echo 'TMPDIR=$PWD/own.${PMI_RANK-}; export TMPDIR; mkdir -p "$TMPDIR"; exec "$@"' >own
        refuse 2 "$mpi: the plug-in of the other MPI" 'sees only this process, though' \
            env WICK_MPI=$other $run sh own "$WICK" run ../study.yaml --dir "$mpi-x"
        once "$mpi: is told once" 'sees only this process'
    else
        skip_part "$mpi is the only MPI here: a plug-in of another"
    fi
    refuse 2 "$mpi: a plug-in that is none" 'cannot load' \
        env WICK_MPI="$T/study.yaml" $run "$WICK" run ../study.yaml --dir "$mpi-x"
    equals "$mpi: none of them made a folder" "$(ls -d "$mpi-x" "$mpi-missing" 2>/dev/null)" ''
    check "$mpi: help" $run "$WICK" run --help
    equals "$mpi: is shown once" "$(grep -c '^Example' <<<"$OUT")" 1
}

# ---- --mpi N ----

check_front() {
    local mpi=$1
    export WICK_MPIEXEC=mpirun.$mpi
    check "$mpi: --mpi starts the job" "$WICK" run ../study.yaml --mpi 3 --dir "$mpi-front"
    contains "$mpi: with so many workers" "$ERR" '3 workers on 1 node with MPI'
    equals "$mpi: and says nothing else" "$(other_lines)" ''
    equals "$mpi: with the same suggestions" "$(suggestions "$mpi-front")" "$(suggestions ../calm)"
    check "$mpi: beside its servers" "$WICK" run ../study.yaml --mpi=3 --servers 2 --dir "$mpi-front2"
    contains "$mpi: it says so" "$ERR" '3 workers and 2 servers on 1 node'
    refuse 1 "$mpi: its code is that of rank 0" 'no trial reported a score' "$WICK" run --mpi 2 \
        --trials 3 --set x=1..9 --dir "$mpi-front3" --no-report -- false
    equals "$mpi: and mpiexec does not comment on it" "$(wc -l <<<"$ERR")" 4
    refuse 2 "$mpi: a wrong study file is told before" "unknown key 'scroe'" \
        "$WICK" run ../wrong.yaml --mpi 2
    check "$mpi: a note is said once" "$WICK" run --mpi 2 --trials 2 --set x=0..1 --dir "$mpi-front4" \
        -- echo score: 1
    once "$mpi: one note" 'note:'
    unset WICK_MPIEXEC
}

# ---- trials ----

check_trials() {
    local mpi=$1 inner run=$(mpirun_of "$1" 4)
    check "$mpi: trials that print their environment" $run "$WICK" run --trials 3 --set x=1..9 \
        --dir "$mpi-env" --keep all --quiet -- sh -c 'env; echo score: 1'
    equals "$mpi: they see nothing of the job" \
        "$(cat "$mpi-env"/logs/* | grep -E '^(OMPI|ORTE|PMIX?|HYD|SLURM_PROCID|MPIR_CVAR_CH3|WICK_FRONT)')" ''
    # Ranks are counted by the files that they make, not by what mpirun prints: MPICH's passes its empty
    # input on to a node whose ranks may have ended already, and dies of SIGPIPE with their output.
    for inner in $(mpis_installed); do
        check "$mpi: a trial that is an MPI job ($inner)" $run "$WICK" run --trials 2 --set x=1..9 \
            --dir "$mpi-$inner" --no-report --keep all -- sh -c \
            "export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
             export TMPDIR=\$PWD/own.\$WICK_TRIAL # see check_refusals
             mkdir -p \$TMPDIR
             $(mpirun_of "$inner" 2) sh -c ': >$mpi-$inner.\$WICK_TRIAL.\${OMPI_COMM_WORLD_RANK-\$PMI_RANK}'
             echo score: 1"
        equals "$mpi: has its ranks ($inner)" "$(echo "$mpi-$inner".*)" \
            "$(echo "$mpi-$inner".{1,2}.{0,1})"
        [ $failed = 0 ] || sed 's/^/#   /' "$mpi-$inner"/logs/* # what mpirun says when it fails
    done
    check "$mpi: trials that fail, flood and crash" $run "$WICK" run --algorithm grid \
        --set x=1..5 --memory 300M --dir "$mpi-bad" --no-report --pass template -- bash -c \
        'case {x} in 1) exit 3 ;; 2) head -c 30000000 /dev/zero | tr "\0" y ;; 3) kill -SEGV $$ ;;
         4) echo score: nan; exit ;; esac; echo; echo score: {x}'
    equals "$mpi: end as they should" "$(states "$mpi-bad")" 'failed,done,failed,nan,done'
    refuse 1 "$mpi: a trial that hangs" 'no trial reported a score' $run "$WICK" run --trials 1 \
        --set x=1..9 --timeout 1 --dir "$mpi-hangs" --no-report --pass none -- sleep 100
    equals "$mpi: ends by its time limit" "$(states "$mpi-hangs")" 'timeout'
}

# ---- ending early ----

# All trials but the first three run while the file `hold` exists.
cat >slow.sh <<'EOF'
echo trial $WICK_TRIAL holds
while [ "$WICK_TRIAL" -gt 3 ] && [ -e hold ]; do sleep 0.05; done
echo score: 1
EOF
slow=(--search reproducible=true --trials 60 --set x=1..100000 --seed 4 --pass none --no-report
    -- bash "$T/slow.sh")
no_trial_runs() { ! pgrep -f "slow.sh $MARK" >/dev/null; }
check 'a slow study on threads' "$WICK" run --dir slow -n 4 "${slow[@]}"

# begin DIR COMMAND...: starts the slow study with the command in the background, and waits until
# three trials have ended and others have begun.
begin() {
    local dir=$1
    shift
    touch hold
    "$@" --dir "$dir" "${slow[@]}" "$MARK" >out 2>err </dev/null &
    JOB=$!
    await is_under_way "$dir"
}
is_under_way() { [ -f "$1/journal" ] && [ "$(ended "$1")" = 3 ] && [ "$(grep -c '^{"start"' "$1/journal")" -gt 3 ]; }

# let_end NAME: the study waits for the running trials, which end now.
let_end() {
    check "$1: what runs is waited for" wait_until grep -q '^waiting for .*Ctrl-C again' err
    rm hold
    wait $JOB
}

# stopped NAME DIR COMMAND...: checks that the journal is whole, that nothing runs, and that the
# study continues to its end with the words of COMMAND before wick.
stopped() {
    local name=$1 dir=$2 before
    shift 2
    before=$(ended "$dir")
    check "$name: no trial runs on" wait_until no_trial_runs
    rm -f hold
    contains "$name: status knows" "$("$WICK" status "$dir")" 'interrupted'
    check "$name: it goes on" "$@" "$WICK" resume "$dir" --quiet --no-report
    equals "$name: to the end, and none twice" "$(ended "$dir")" 60
    equals "$name: with the same suggestions" "$(suggestions "$dir")" "$(suggestions ../slow)"
    equals "$name: what had ended is kept" "$((before >= 3 && before < 60))" 1
}

check_interrupt() {
    local mpi=$1 run=$(mpirun_of "$1" 4)
    begin "$mpi-int" $run "$WICK" run
    prints() { "$WICK" show "$mpi-int" 4 --log 2>/dev/null | grep -q 'trial 4 holds'; }
    check "$mpi: the output of a running trial comes from its rank" wait_until prints
    kill -INT "$(first_process "$mpi-int")"
    let_end "$mpi: Ctrl-C at rank 0"
    equals "$mpi: Ctrl-C at rank 0: the exit code" $? 130
    equals "$mpi: Ctrl-C at rank 0: and ends" "$(count "$mpi-int" "state = 'done'")" "$(count "$mpi-int" 1=1)"
    stopped "$mpi: Ctrl-C, then threads" "$mpi-int"

    begin "$mpi-threads" "$WICK" run -n 2
    kill -INT $JOB
    let_end "$mpi: begun on threads"
    stopped "$mpi: begun on threads, then MPI" "$mpi-threads" $run

    check "$mpi: a target ends the study" $run "$WICK" run --quiet --dir "$mpi-target" --function sleep \
        --target 0.15 --trials 100000 --seed 2
    contains "$mpi: the journal says so" "$(tail -n 1 "$mpi-target/journal")" '"why":"target"'
    equals "$mpi: and nothing is left running" \
        "$(count "$mpi-target" "state in ('running', 'interrupted')")" 0
}

# ended_by_launcher SIGNAL DIR COMMAND...: begins the study in DIR, and sends the signal to mpirun.
# Open MPI then ends its ranks, and kills them some seconds later: these seconds are raised until
# the machine is fast enough for the ranks to end in order. MPICH passes the signal on.
ended_by_launcher() {
    local signal=$1 dir=$2
    for OMPI_MCA_odls_base_sigkill_timeout in 3 20 120; do
        export OMPI_MCA_odls_base_sigkill_timeout
        rm -rf "$dir"
        begin "$dir" "${@:3}" "$WICK" run
        kill -"$signal" "$(pgrep -P $JOB)"
        if [ "$mpi-$signal" = mpich-INT ]; then let_end "$mpi: Ctrl-C at mpirun"; else wait $JOB; fi
        ! tail -n 1 "$dir/journal" | grep -q '^{"close"' || break
    done
    unset OMPI_MCA_odls_base_sigkill_timeout
}

check_launcher() {
    local mpi=$1 run=$(mpirun_of "$1" 4)
    ended_by_launcher INT "$mpi-launcher" $run
    stopped "$mpi: Ctrl-C at mpirun, then MPI" "$mpi-launcher" $run

    ended_by_launcher TERM "$mpi-term" $run
    if [ "$mpi" = mpich ] || recovers "$mpi"; then
        contains "$mpi: SIGTERM at mpirun: it stops at once" "$(cat err)" 'stopping '
    else # Open MPI 5 drops what its ranks say from then on
        skip_part 'what ranks say at a SIGTERM is not seen with this Open MPI'
    fi
    stopped "$mpi: SIGTERM at mpirun, then MPI" "$mpi-term" $run
}

check_front_ends() {
    local mpi=$1
    export WICK_MPIEXEC=mpirun.$mpi
    begin "$mpi-fint" "$WICK" run --mpi 3
    kill -INT $JOB
    let_end "$mpi: Ctrl-C with --mpi"
    equals "$mpi: Ctrl-C with --mpi: the exit code" $? 130
    contains "$mpi: Ctrl-C with --mpi: it says how to go on" "$(cat out)" "wick resume $mpi-fint"
    stopped "$mpi: Ctrl-C with --mpi" "$mpi-fint"
    begin "$mpi-fterm" "$WICK" run --mpi 3
    kill -TERM $JOB
    wait $JOB
    equals "$mpi: SIGTERM with --mpi: the exit code" $? 143
    stopped "$mpi: SIGTERM with --mpi" "$mpi-fterm"
    begin "$mpi-fkill" "$WICK" run --mpi 3
    kill -KILL $JOB
    wait $JOB 2>/dev/null
    check "$mpi: SIGKILL with --mpi: its job ends, too" wait_until eval \
        '! kill -0 '"$(first_process "$mpi-fkill")"' 2>/dev/null'
    check "$mpi: SIGKILL with --mpi: no trial runs on" wait_until no_trial_runs
    unset WICK_MPIEXEC
}

# ---- a node that does not see the study's folder: rank 2 has other mounts than the others ----

check_folder() {
    local mpi=$1
    unshare --mount true 2>/dev/null || {
        skip_part 'only root can give a rank other mounts: a node without the folder'
        return
    }
    mkdir -p shared
    cat >apart <<EOF
[ "\${OMPI_COMM_WORLD_RANK-\${PMI_RANK-}}" = 2 ] || exec "\$@"
exec unshare --mount sh -c 'mount -t tmpfs tmpfs shared && { [ ! -e other ] || cp -r other shared/$mpi; } && exec "\$@"' \\
    sh "\$@"
EOF
    capture $(mpirun_of "$mpi" 4) sh apart "$WICK" run ../study.yaml --dir shared/"$mpi"
    equals "$mpi: a node without the folder ends the study" "$?" 1
    once "$mpi: it says which and why" "node $(hostname) cannot write to the study folder $T/shared/$mpi"
    mkdir other
    printf '{"wick":1,"study":"study","created":1}\n' >other/journal
    capture $(mpirun_of "$mpi" 4) sh apart "$WICK" resume shared/"$mpi"
    equals "$mpi: so does one with another folder of that name" "$?" 2
    once "$mpi: it is named as well" \
        "the folder $T/shared/$mpi is another one on node $(hostname) than on node $(hostname)"
    check "$mpi: elsewhere it goes on" $(mpirun_of "$mpi" 3) "$WICK" resume shared/"$mpi" --quiet
    equals "$mpi: to the end" "$(ended shared/"$mpi")" 24
}

# ---- MPI that does not finish: this happens with MPICH at times, over several nodes ----

# Wick waits ten seconds for MPI_Finalize() and thirty for mpirun; in the short variant, these
# seconds pass ten times as fast.
check_hang() {
    local mpi=$1 flags=
    [ -z "$SANITIZE" ] || return 0
    command -v cc >/dev/null || {
        skip_part 'there is no cc: MPI that does not come to its end'
        return
    }
    cat >hang.c <<'EOF'
#define _GNU_SOURCE
#include <poll.h>
#include <sys/time.h>
#include <unistd.h>
int MPI_Finalize(void) { for (;;) pause(); }
#ifdef HASTE
unsigned alarm(unsigned seconds)
{
    struct itimerval timer = {.it_value = {seconds / 10, seconds % 10 * 100000}};
    return setitimer(ITIMER_REAL, &timer, NULL);
}
int poll(struct pollfd *polls, nfds_t count, int milliseconds)
{
    struct timespec time = {3, 0};
    if (milliseconds >= 0 && milliseconds != 30000)
        time = (struct timespec){milliseconds / 1000, milliseconds % 1000 * 1000000L};
    return ppoll(polls, count, milliseconds < 0 ? NULL : &time, NULL);
}
#endif
EOF
    [ "$KILLS" -ge 100 ] || flags=-DHASTE # long variant only: real seconds
    cc $flags -shared -fPIC -o hang.so hang.c
    # What mpirun reports about it is its own affair, and varies.
    capture env LD_PRELOAD="$T/hang.so" $(mpirun_of "$mpi" 4) "$WICK" run ../study.yaml --dir "$mpi-hang"
    equals "$mpi: a study ends although MPI does not" "$(($? != 124))" 1
    contains "$mpi: and says what came of it" "$OUT" 'best '
    check "$mpi: with --mpi it is a success" env LD_PRELOAD="$T/hang.so" WICK_MPIEXEC="mpirun.$mpi" \
        timeout 300 "$WICK" run ../study.yaml --mpi 3 --dir "$mpi-hang2"
}

check_first() {
    check_choice "$1"
    check_front "$1"
}
check_rest() {
    check_trials "$1"
    check_resting "$1"
    check_folder "$1"
}
for mpi in $mpis; do
    side_by_side "check_first $mpi" "check_refusals $mpi" "check_rest $mpi" "check_interrupt $mpi" \
        "check_launcher $mpi" "check_front_ends $mpi" "check_hang $mpi"
done
refuse 2 '--mpi without mpiexec' "cannot start '/nowhere/mpiexec' (No such file or directory)" \
    env WICK_MPIEXEC=/nowhere/mpiexec "$WICK" run study.yaml --mpi 2 --dir x
refuse 2 '--mpi 0' "'--mpi" "$WICK" run study.yaml --mpi 0 --dir x
finish
