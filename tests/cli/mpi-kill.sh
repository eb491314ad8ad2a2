#!/usr/bin/env bash
# Kill ranks of an MPI job at random moments. Workers: the study goes on without them, and each of
# its trials is done exactly once. Rank 0 or a server: the job ends by itself, and resume goes on.
. "$(dirname "$0")/lib.sh"
mpis=$(mpis_here)
[ -n "$mpis" ] || skip 'no MPI here (see tools/packages)'
RANDOM=${SEED:-$$}
echo "# SEED=${SEED:-$$}"
ROUNDS=5
[ -z "$SANITIZE" ] || ROUNDS=2
TRIALS=50
# The number makes what these trials start different from what other tests start.
model='sleep 0.$((RANDOM % 20 + 5))'"$$"' & wait; echo score: 1'
study=(--search reproducible=true --trials $TRIALS --set x=1..100000 --seed 4 --pass none --no-report --lost-after 2s -- bash -c "$model")

ended() { grep '^{"end"' "$1/journal" | grep -vc '"again"'; }
ended_once() { grep '^{"end"' "$1/journal" | grep -v '"again"' | cut -d, -f1 | sort -u | wc -l; }
lost() { grep -c '^{"lost"' "$1/journal"; }
suggestions() { sed -n 's/^{"start":\([0-9]*\),.*"params":/\1 /p' "$1/journal" | sort -n; }
no_trial_runs() { ! pgrep -f "sleep 0\.[0-9]*$$\$" >/dev/null; }
gone() { ! kill -0 "$@" 2>/dev/null; }

# begin DIR RANKS COMMAND...: starts the job; RANK[i] becomes the process of rank i.
begin() {
    local dir=$1 ranks=$2 process name
    shift 2
    "$@" >out 2>err </dev/null &
    JOB=$!
    await eval '[ -f '"$dir"'/journal ] && [ "$(ended '"$dir"')" -ge 2 ]'
    RANK=()
    for process in $(pgrep -x wick); do
        name=$(cat "/proc/$process/environ" 2>/dev/null | tr "\0" "\n" |
            sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p')
        [ -z "$name" ] || [ "$(readlink "/proc/$process/cwd")" != "$T" ] || RANK[name]=$process
    done
    equals "all ranks of $dir run" "${#RANK[@]}" "$ranks"
}

# whole DIR: the study is at its end, and nothing is lost or doubled.
whole() {
    equals "$1: every trial has ended" "$(ended_once "$1")" $TRIALS
    equals "$1: and none twice" "$(ended "$1")" $TRIALS
    equals "$1: the suggestions are those of a calm run" "$(suggestions "$1")" "$(suggestions calm)"
    check "$1: no trial runs on" wait_until no_trial_runs
}

# resumes DIR COMMAND...: ends the study; what had ended before stays as it was.
resumes() {
    local dir=$1
    shift
    grep '^{"end"' "$dir/journal" | grep -v '"again"' | sort >before
    check "$dir: no trial runs on" wait_until no_trial_runs
    check "$dir: it goes on" "$@" "$WICK" resume "$dir" --quiet --no-report
    equals "$dir: nothing that had ended is lost" \
        "$(grep '^{"end"' "$dir/journal" | sort | comm -23 before - | wc -l)" 0
    whole "$dir"
}

moment() { sleep "0.$((RANDOM % 900 + 100))"; }

check 'a run that nobody disturbs' "$WICK" run --quiet --dir calm -n 4 "${study[@]}"

# Open MPI can go on when a rank dies; its mpirun then ends with code 0, whatever rank 0 says.
check_workers() {
    local run=$(mpirun_of openmpi 5 --enable-recovery) round victim
    for ((round = 1; round <= ROUNDS; round++)); do
        begin "worker$round" 5 $run "$WICK" run --dir "worker$round" "${study[@]}"
        moment
        victim=$((RANDOM % 4 + 1))
        kill -KILL "${RANK[victim]}"
        wait $JOB
        equals "worker$round: it ends" $? 0
        contains "worker$round: it says who was lost" "$(cat err)" \
            "worker $victim on $(hostname) does not answer any more"
        contains "worker$round: so does the journal" "$(grep '^{"lost"' "worker$round/journal")" \
            "{\"lost\":$victim,"
        contains "worker$round: its trial ran again" \
            "$(grep '"again":true' "worker$round/journal")" "worker $victim was lost"
        contains "worker$round: the end" "$(tail -n 1 "worker$round/journal")" '"why":"done"'
        whole "worker$round"
    done

    begin two 5 $run "$WICK" run --dir two "${study[@]}"
    kill -KILL "${RANK[1]}" "${RANK[3]}"
    wait $JOB
    equals 'two: two workers were lost' "$(lost two)" 2
    whole two

    begin stopped 5 $run "$WICK" run --dir stopped "${study[@]}"
    kill -STOP "${RANK[2]}"
    await eval '[ "$(lost stopped)" = 1 ]'
    kill -CONT "${RANK[2]}"
    wait $JOB
    equals 'stopped: a worker that slept is given up' "$(lost stopped)" 1
    check 'stopped: and leaves when it wakes up' wait_until gone "${RANK[2]}"
    whole stopped

    begin all 5 $run "$WICK" run --dir all "${study[@]}"
    kill -KILL "${RANK[@]:1}"
    wait $JOB
    contains 'all: it says so' "$(cat err)" 'all workers were lost: what had ended is saved'
    resumes all $run
}

check_first() {
    local run=$(mpirun_of openmpi 5 --enable-recovery) round
    for ((round = 1; round <= ROUNDS; round++)); do
        begin "first$round" 5 $run "$WICK" run --dir "first$round" "${study[@]}"
        moment
        kill -KILL "${RANK[0]}"
        wait $JOB
        check "first$round: the others leave by themselves" wait_until gone "${RANK[@]:1}"
        resumes "first$round" $([ $((round % 2)) = 0 ] || echo "$run")
    done
}

check_server() {
    local run=$(mpirun_of openmpi 6 --enable-recovery) server
    # Where the second server is, the journal does not say: it is the rank that is no worker.
    begin server 6 $run "$WICK" run --dir server --servers 2 "${study[@]}"
    server=$(server_rank)
    moment
    kill -KILL "${RANK[server]}"
    wait $JOB
    contains 'server: it says which was lost' "$(cat err)" \
        "the server on rank $server (node $(hostname)) was lost: what had ended is saved"
    check 'server: nobody is left' wait_until gone "${RANK[@]}"
    resumes server $run
}

# The rank beside 0 whose helper never starts a program.
server_rank() {
    local rank helper
    for rank in 1 2 3 4 5; do
        helper=$(pgrep -P "${RANK[rank]}" -x wick-helper)
        await eval "[ -n \"\$(pgrep -P $helper)\" ]" || echo $rank
    done
}

check_front() {
    export WICK_MPIEXEC=mpirun.$1
    begin "front-$1" 5 "$WICK" run --mpi 4 --dir "front-$1" "${study[@]}"
    kill -KILL "${RANK[0]}"
    wait $JOB
    equals "front-$1: rank 0 was killed: the exit code" $? 1
    contains "front-$1: it says so" "$(cat err)" 'rank 0 of the job was lost: what had ended is saved'
    check "front-$1: the others are gone" wait_until gone "${RANK[@]:1}"
    unset WICK_MPIEXEC
    resumes "front-$1"
}

# MPICH ends the job at once, and so does Open MPI when it is not told to go on.
check_end_at_once() {
    local mpi=$1 victim=$((RANDOM % 5)) run=$(mpirun_of "$1" 5)
    begin "$mpi" 5 $run "$WICK" run --dir "$mpi" "${study[@]}"
    moment
    kill -KILL "${RANK[victim]}"
    wait $JOB
    equals "$mpi: rank $victim was killed: the exit code is not 0" "$(($? != 0))" 1
    check "$mpi: nobody is left" wait_until gone "${RANK[@]}"
    resumes "$mpi" $run
}

for mpi in $mpis; do
    if [ "$mpi" = openmpi ]; then
        check_workers
        check_first
        check_server
    fi
    check_end_at_once "$mpi"
    check_front "$mpi"
done
finish
