#!/usr/bin/env bash
# Trials of several ranks on the ranks of an MPI job; workers are killed while they run them. KILLS
# scales the number of kills; SEED repeats the moments and victims of an earlier run.
. "$(dirname "$0")/lib.sh"
mpis=$(mpis_here)
[ -n "$mpis" ] || skip "none of these MPIs is here: $MPIS (see tools/packages)"
SEED=${SEED:-$$}
echo "# SEED=$SEED"
ROUNDS=$(((KILLS + 99) / 100))
TRIALS=8

no_trial_runs() { ! pgrep -f "$MARK" >/dev/null; }
ended() { grep '^{"end"' "$1/journal" | grep -vc '"again"'; }

# The last trial runs while the file `hold` exists: no study ends before its worker is lost.
cat >model.sh <<END
mark=\$1
rest() { (exec -a "\$mark-sleep" sleep 0.1); }
rest
while [ \$WICK_TRIAL = $TRIALS ] && [ -e hold ]; do rest; done
[ "\$RANK" != 0 ] || echo "score: \$WORLD_SIZE"
END
# study RANKS: writes study.yaml, whose trials have RANKS ranks.
study() {
    cat >study.yaml <<END
model: {command: bash ../model.sh $MARK, pass: none}
space: {ranks: {choice: [$1]}, x: {float: [0, 1]}}
search: {algorithm: random, trials: $TRIALS}
END
}

# begin DIR RANKS COMMAND...: starts the job; RANK[i] becomes the process of rank i.
begin() {
    local dir=$1 ranks=$2 process name
    shift 2
    RANDOM=$((SEED + 0x$(md5sum <<<"$dir" | cut -c1-6))) # each its own moment
    touch hold
    "$@" "$WICK" run study.yaml --dir "$dir" --no-report --lost-after 8s >out 2>err </dev/null &
    JOB=$!
    await grep -qs '^{"group"' "$dir/journal"
    RANK=()
    for process in $(pgrep -x wick); do
        name=$({ tr "\0" "\n" <"/proc/$process/environ" |
            sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p'; } 2>/dev/null)
        [ -z "$name" ] || [ "$(readlink "/proc/$process/cwd")" != "$PWD" ] || RANK[name]=$process
    done
    equals "$dir: all ranks run" ${#RANK[@]} "$ranks"
    [ ${#RANK[@]} = "$ranks" ] || finish
}

check_servers() {
    local mpi=$1
    study '1, 2, 3'
    check "$mpi: ranks on two servers" $(mpirun_of "$mpi" 6) "$WICK" run study.yaml --dir "$mpi" \
        --servers 2 --no-report
    equals "$mpi: all trials are done" "$(grep -c '"state":"done"' "$mpi/journal")" $TRIALS
    check "$mpi: nothing is left" wait_until no_trial_runs
    study 4
    refuse 2 "$mpi: more ranks than workers" 'a trial of 4 ranks needs 4 workers, but only 2 are available' \
        $(mpirun_of "$mpi" 3) "$WICK" run study.yaml --dir "many-$mpi"
}

check_lost() {
    local dir=lost$1 victim
    study '1, 2, 3'
    begin "$dir" 6 $(mpirun_of openmpi 6 --enable-recovery)
    sleep "0.$((RANDOM % 900 + 100))"
    victim=$((RANDOM % 5 + 1))
    kill -KILL "${RANK[victim]}"
    check "$dir: a worker was lost" wait_until grep -q "^{\"lost\":$victim," "$dir/journal"
    rm hold
    wait $JOB
    contains "$dir: the end" "$(tail -n 1 "$dir/journal")" '"why":"done"'
    equals "$dir: every trial has ended, once" "$(ended "$dir")" $TRIALS
    equals "$dir: all are done" "$(grep -c '"state":"done"' "$dir/journal")" $TRIALS
    check "$dir: nothing is left" wait_until no_trial_runs
}

check_few() {
    study 3
    begin few 4 $(mpirun_of openmpi 4 --enable-recovery)
    kill -KILL "${RANK[2]}"
    wait $JOB
    rm hold
    contains 'too few are left' "$(cat err)" \
        'a trial of 3 ranks needs 3 workers, but only 2 of 3 are left: continue with more workers'
    check 'nothing runs on' wait_until no_trial_runs
    check 'it goes on elsewhere' timeout 300 "$WICK" resume few -n 3 --no-report --quiet
    equals 'to its end' "$(ended few)" $TRIALS
}

for mpi in $mpis; do
    if recovers $mpi; then
        side_by_side "check_servers $mpi" 'check_lost 1' check_few
        for ((round = 2; round <= ROUNDS; round++)); do
            side_by_side "check_lost $round"
        done
    else
        [ $mpi = mpich ] || skip_part 'this Open MPI ends the whole job when a rank dies: surviving ranks are not tested'
        side_by_side "check_servers $mpi"
    fi
done
finish
