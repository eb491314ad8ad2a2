#!/usr/bin/env bash
# Trials of several ranks on the ranks of an MPI job; workers are killed while they run them.
# ROUNDS=20 tests/cli/ranks-mpi.sh does so more often.
. "$(dirname "$0")/lib.sh"
mpis=$(mpis_here)
[ -n "$mpis" ] || skip 'no MPI here (see tools/packages)'
RANDOM=${SEED:-$$}
echo "# SEED=${SEED:-$$}"
ROUNDS=${ROUNDS:-2}
TRIALS=8
MARK=8$$ # what these trials sleep, so that they are known from those of other tests

no_sleeper() { ! pgrep -f "^sleep [0-9.]*$MARK\$" >/dev/null; }
ended() { grep '^{"end"' "$1/journal" | grep -vc '"again"'; }
gone() { ! kill -0 "$@" 2>/dev/null; }

# The last trial goes on as long as there is a file `hold`: no study ends before its worker is lost.
cat >model.sh <<END
sleep 0.3$MARK
while [ \$WICK_TRIAL = $TRIALS ] && [ -e hold ]; do sleep 0.1$MARK; done
[ "\$RANK" != 0 ] || echo "score: \$WORLD_SIZE"
END
cat >study.yaml <<END
model: {command: bash model.sh, pass: none}
space: {ranks: {choice: [1, 2, 3]}, x: {float: [0, 1]}}
search: {algorithm: random, trials: $TRIALS}
END

# begin DIR COMMAND...: starts the job; RANK[i] becomes the process of rank i.
begin() {
    local dir=$1 process name
    shift
    "$@" "$WICK" run study.yaml --dir "$dir" --no-report --lost-after 2s >out 2>err </dev/null &
    JOB=$!
    await eval "[ -f $dir/journal ] && grep -q '^{\"group\"' $dir/journal"
    RANK=()
    for process in $(pgrep -x wick); do
        name=$({ tr "\0" "\n" <"/proc/$process/environ" |
            sed -n 's/^\(OMPI_COMM_WORLD_RANK\|PMI_RANK\)=//p'; } 2>/dev/null)
        [ -z "$name" ] || [ "$(readlink "/proc/$process/cwd")" != "$T" ] || RANK[name]=$process
    done
}

for mpi in $mpis; do
    check "$mpi: ranks on two servers" $(mpirun_of "$mpi" 6) "$WICK" run study.yaml --dir "$mpi" \
        --servers 2 --no-report
    equals "$mpi: all trials are done" "$(grep -c '"state":"done"' "$mpi/journal")" $TRIALS
    check "$mpi: nothing is left" no_sleeper
    sed 's/\[1, 2, 3\]/[4]/' study.yaml >many.yaml
    refuse 2 "$mpi: more ranks than workers" 'a trial of 4 ranks needs as many workers, and there are 2' \
        $(mpirun_of "$mpi" 3) "$WICK" run many.yaml --dir "many-$mpi"
done

if [[ $mpis == *openmpi* ]]; then
    for ((round = 1; round <= ROUNDS; round++)); do
        touch hold
        begin "lost$round" $(mpirun_of openmpi 6 --enable-recovery)
        equals "lost$round: all ranks run" ${#RANK[@]} 6
        sleep "0.$((RANDOM % 900 + 100))"
        victim=$((RANDOM % 5 + 1))
        kill -KILL "${RANK[victim]}"
        await grep -q '^{"lost"' "lost$round/journal"
        rm hold
        wait $JOB
        contains "lost$round: the end" "$(tail -n 1 "lost$round/journal")" '"why":"done"'
        equals "lost$round: a worker was lost" "$(grep -c '^{"lost"' "lost$round/journal")" 1
        equals "lost$round: every trial has ended, once" "$(ended "lost$round")" $TRIALS
        equals "lost$round: all are done" "$(grep -c '"state":"done"' "lost$round/journal")" $TRIALS
        check "lost$round: nothing is left" wait_until no_sleeper
    done

    sed -i 's/\[1, 2, 3\]/[3]/' study.yaml
    touch hold
    begin few $(mpirun_of openmpi 4 --enable-recovery)
    kill -KILL "${RANK[2]}"
    wait $JOB
    rm hold
    contains 'too few are left' "$(cat err)" \
        'a trial of 3 ranks needs as many workers, and 2 of 3 are left: go on with more of them'
    check 'nothing runs on' wait_until no_sleeper
    check 'it goes on elsewhere' timeout 100 "$WICK" resume few -n 3 --no-report --quiet
    equals 'to its end' "$(ended few)" $TRIALS
fi
finish
