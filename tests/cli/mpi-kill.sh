#!/usr/bin/env bash
# Kills ranks of an MPI job at random moments. Workers: the study continues without them, and each of its
# trials is done exactly once. Rank 0 or a server: the job ends by itself, and a resume continues it. KILLS
# scales the number of rounds; SEED repeats the moments and victims of an earlier run.
. "$(dirname "$0")/lib.sh"
mpis=$(mpis_here)
[ -n "$mpis" ] || skip "none of these MPIs is here: $MPIS (see tools/packages)"
SEED=${SEED:-$$}
echo "# SEED=$SEED"
ROUNDS=$(((KILLS + 39) / 40))
[ -z "$SANITIZE" ] || ROUNDS=1
TRIALS=24

# The last four trials run while the file `hold` exists: there is always something to kill.
cat >model.sh <<'EOF'
rest() {
    (exec -a "$1-sleep" sleep "0.0$((RANDOM % 80 + 20))") &
    wait
}
rest "$1"
while [ "$WICK_TRIAL" -gt 20 ] && [ -e hold ]; do rest "$1"; done
echo score: 1
EOF
study=(--search reproducible=true --trials $TRIALS --set x=1..100000 --seed 4 --pass none --no-report
    --lost-after 8s -- bash "$T/model.sh")

ended() { grep '^{"end"' "$1/journal" | grep -vc '"again"'; }
ended_once() { grep '^{"end"' "$1/journal" | grep -v '"again"' | cut -d, -f1 | sort -u | wc -l; }
was_lost() { grep -q "^{\"lost\":$2," "$1/journal"; }
suggestions() { records "$1" | sed -n 's/^{"start":\([0-9]*\),.*"params":/\1 /p' | sort -n; }
no_trial_runs() { ! pgrep -f "$MARK" >/dev/null; }
gone() { ! kill -0 "$@" 2>/dev/null; }

# begin DIR RANKS COMMAND...: starts the study with the command; RANK[i] becomes the process of rank i.
begin() {
    local dir=$1 ranks=$2 process name
    shift 2
    RANDOM=$((SEED + 0x$(md5sum <<<"$dir" | cut -c1-6))) # each its own moment
    touch hold
    "$@" --dir "$dir" "${study[@]}" "$MARK" >out 2>err </dev/null &
    JOB=$!
    await is_under_way "$dir"
    RANK=()
    for process in $(pgrep -x wick); do
        name=$({ tr "\0" "\n" <"/proc/$process/environ" |
            sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p'; } 2>/dev/null)
        [ -z "$name" ] || [ "$(readlink "/proc/$process/cwd")" != "$PWD" ] || RANK[name]=$process
    done
    equals "all ranks of $dir run" "${#RANK[@]}" "$ranks"
    [ "${#RANK[@]}" = "$ranks" ] || finish
}
is_under_way() { [ -f "$1/journal" ] && [ "$(ended "$1")" -ge 2 ]; }

# whole DIR: checks that the study has ended, and that nothing is lost or duplicated.
whole() {
    equals "$1: every trial has ended" "$(ended_once "$1")" $TRIALS
    equals "$1: and none twice" "$(ended "$1")" $TRIALS
    equals "$1: the suggestions are those of a calm run" "$(suggestions "$1")" "$(suggestions ../calm)"
    check "$1: no trial runs on" wait_until no_trial_runs
}

# resumes DIR COMMAND...: finishes the study; what had ended before stays unchanged.
resumes() {
    local dir=$1
    shift
    grep '^{"end"' "$dir/journal" | grep -v '"again"' | sort >before
    check "$dir: no trial runs on" wait_until no_trial_runs
    rm hold
    check "$dir: it goes on" "$@" "$WICK" resume "$dir" --quiet --no-report
    equals "$dir: nothing that had ended is lost" \
        "$(grep '^{"end"' "$dir/journal" | sort | comm -23 before - | wc -l)" 0
    whole "$dir"
}

moment() { sleep "0.$((RANDOM % 900 + 100))"; }

# Prints trials that worker $2 had when it was lost, and those that had to run again because of that.
had() {
    awk -v worker="$2" '
        $0 ~ "^{\"lost\":" worker "," { for (id in open) print id; exit }
        { id = $0; sub(/^{"[a-z]*":/, "", id); sub(/,.*/, "", id) }
        /^{"start":/ && $0 ~ "\"worker\":" worker "[,}]" { open[id] = 1 }
        /^{"end":/ { delete open[id] }
    ' "$1/journal" | sort
}
ran_again() { records "$1" | sed -n 's/^{"end":\([0-9]*\),.*"worker '"$2"' was lost","again":true}$/\1/p' | sort; }

# ---- workers: Open MPI can continue; its mpirun then exits with code 0, whatever rank 0 returns ----

five() { mpirun_of openmpi 5 --enable-recovery; }

check_worker() {
    local dir=worker$1 victim
    begin "$dir" 5 $(five) "$WICK" run
    victim=$((RANDOM % 4 + 1))
    moment
    kill -KILL "${RANK[victim]}"
    await was_lost "$dir" $victim
    rm hold
    wait $JOB
    equals "$dir: it ends" $? 0
    contains "$dir: it says who was lost" "$(cat err)" \
        "worker $victim on $(hostname) no longer responds"
    equals "$dir: its trial ran again" "$(ran_again "$dir" $victim)" "$(had "$dir" $victim)"
    contains "$dir: the end" "$(tail -n 1 "$dir/journal")" '"why":"done"'
    whole "$dir"
}

check_two() {
    begin two 5 $(five) "$WICK" run
    kill -KILL "${RANK[1]}" "${RANK[3]}"
    check 'two: two workers are lost' wait_until eval 'was_lost two 1 && was_lost two 3'
    rm hold
    wait $JOB
    whole two
}

check_stopped() {
    begin stopped 5 $(five) "$WICK" run
    kill -STOP "${RANK[2]}"
    check 'stopped: a worker that slept is given up' wait_until was_lost stopped 2
    rm hold
    kill -CONT "${RANK[2]}"
    wait $JOB
    check 'stopped: and leaves when it wakes up' wait_until gone "${RANK[2]}"
    whole stopped
}

check_all() {
    begin all 5 $(five) "$WICK" run
    kill -KILL "${RANK[@]:1}"
    wait $JOB
    contains 'all: it says so' "$(cat err)" 'all workers were lost: finished trials are saved'
    resumes all $(five)
}

# ---- rank 0, a server ----

check_first() {
    local dir=first$1
    begin "$dir" 5 $(five) "$WICK" run
    moment
    kill -KILL "${RANK[0]}"
    wait $JOB
    check "$dir: the others leave by themselves" wait_until gone "${RANK[@]:1}"
    resumes "$dir" $([ $(($1 % 2)) = 0 ] || five)
}

check_server() {
    local run=$(mpirun_of openmpi 6 --enable-recovery) works=() server
    begin server 6 $run "$WICK" run --servers 2
    # The journal does not say where the second server is: it is the rank that is not a worker.
    await four_work
    server=$(for rank in 1 2 3 4 5; do [ -n "${works[rank]-}" ] || echo $rank; done)
    moment
    kill -KILL "${RANK[server]}"
    wait $JOB
    contains 'server: it says which was lost' "$(cat err)" \
        "the server on rank $server (node $(hostname)) was lost: finished trials are saved"
    check 'server: nobody is left' wait_until gone "${RANK[@]}"
    resumes server $run
}

# Notes in works[] which ranks have been seen with a trial, by the children of their helpers.
four_work() {
    local rank helper
    for rank in 1 2 3 4 5; do
        helper=$(pgrep -P "${RANK[rank]}" -x wick-helper)
        [ -z "$(pgrep -P "$helper")" ] || works[rank]=yes
    done
    [ ${#works[@]} -ge 4 ]
}

# ---- a job that ends at once: MPICH, and Open MPI unless it is told to continue ----

check_front() {
    export WICK_MPIEXEC=mpirun.$1
    begin "front-$1" 5 "$WICK" run --mpi 4
    kill -KILL "${RANK[0]}"
    wait $JOB
    equals "front-$1: rank 0 was killed: the exit code" $? 1
    contains "front-$1: it says so" "$(cat err)" 'rank 0 of the job was lost: finished trials are saved'
    check "front-$1: the others are gone" wait_until gone "${RANK[@]:1}"
    unset WICK_MPIEXEC
    resumes "front-$1"
}

check_end_at_once() {
    local mpi=$1 victim run=$(mpirun_of "$1" 5)
    begin "$mpi" 5 $run "$WICK" run
    victim=$((RANDOM % 5))
    moment
    kill -KILL "${RANK[victim]}"
    wait $JOB
    equals "$mpi: rank $victim was killed: the exit code is not 0" "$(($? != 0))" 1
    check "$mpi: nobody is left" wait_until gone "${RANK[@]}"
    resumes "$mpi" $run
}

check 'a run that nobody disturbs' "$WICK" run --quiet --dir calm -n 4 "${study[@]}" "$MARK"
for mpi in $mpis; do
    if recovers $mpi; then
        side_by_side 'check_worker 1' 'check_first 1' check_two check_stopped
        side_by_side check_all check_server "check_end_at_once $mpi" "check_front $mpi"
        for ((round = 2; round <= ROUNDS; round++)); do
            side_by_side "check_worker $round" "check_first $round"
        done
    else
        [ $mpi = mpich ] || skip_part 'this Open MPI ends the whole job when a rank dies: surviving ranks are not tested'
        side_by_side "check_end_at_once $mpi" "check_front $mpi"
    fi
done
finish
