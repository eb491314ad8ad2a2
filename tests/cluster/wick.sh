#!/usr/bin/env bash
# Studies as jobs of a real Slurm: srun and mpirun of both MPIs over several nodes, copies that know
# nothing of each other, a node that does not see the study folder, lost nodes, scancel.
. "$(dirname "$0")/lib.sh"
mpis=$(mpis_here)
[ -n "$mpis" ] || skip "none of these MPIs is here: $MPIS (see tools/packages)"
if [[ $mpis == *openmpi* ]] && ! recovers openmpi; then
    skip_part 'it is about Open MPI 4, and here is another: jobs of Open MPI'
    mpis=${mpis/openmpi/}
fi
has() { grep -qx "$1" <<<"$mpis"; }

TRIALS=40
# The last eight trials run while the file `hold` exists.
cat >trial.sh <<'END'
sleep 0.1
while [ "$WICK_TRIAL" -gt 32 ] && [ -e hold ]; do sleep 0.1; done
hostname
echo score: 1
END
study=(--algorithm random --trials $TRIALS --set x=1..100000 --seed 4 --pass none --no-report --lost-after 8s
    -- bash "$T/trial.sh")

ended() { grep -s '^{"end"' "$1/journal" | grep -vc '"again"'; }
ended_once() { grep '^{"end"' "$1/journal" | grep -v '"again"' | cut -d, -f1 | sort -u | wc -l; }
suggestions() { records "$1" | sed -n 's/^{"start":\([0-9]*\),.*"params":/\1 /p' | sort -n; }
has_ended() { [ "$(ended "$1")" -ge "$2" ]; }
wick_runs_on() { on_node "$1" pgrep --runstates R,S,D,T -x wick >/dev/null; } # not zombies
no_wick_on() { ! wick_runs_on "$1"; }

whole() {
    equals "$1: each trial has ended once" "$(ended_once "$1") $(ended "$1")" "$TRIALS $TRIALS"
    equals "$1: the suggestions are those of a calm run" "$(suggestions "$1")" "$(suggestions calm)"
}
goes_on() {
    check "$1: it goes on" "$WICK" resume "$1" --quiet --no-report -n 4
    whole "$1"
}

# job NAME LINE...: writes a batch script.
job() {
    local name=$1
    shift
    printf '#!/bin/bash\n' >"$name.job"
    printf '%s\n' "$@" >>"$name.job"
}
words() { printf '%q ' "$@"; }

# tried NAME COMMAND...: Debian 12's MPIs sometimes fail when they start or end over several nodes
# (Open MPI under srun in MPI_Init, in btl_tcp; MPICH in both): a failed start has no journal and is
# repeated; a complete study whose MPI did not end in order is only noted.
tried() {
    local name=$1 code
    shift
    for _ in 1 2 3 4; do
        code=0
        capture "$@" || code=$?
        [ $code != 0 ] && ! has_ended "$name" 1 || break
        echo "# $name: MPI did not start (code $code)"
    done
    [ $code = 0 ] || echo "# $name: MPI did not end in order (code $code)"
    contains "$name: it came to its end" "$(tail -n 1 "$name/journal")" '"why":"done"'
    [[ "$OUT$ERR" == *"with MPI"* ]] || ERR=$(cat "$name.out")
}

check 'a run that nobody disturbs' "$WICK" run --quiet --dir calm -n 4 "${study[@]}"
start_cluster --nodes 3 --cpus 2

# ---- the ways to start it ----

place='5 workers on 3 nodes with MPI ('
if has openmpi; then
    tried srun-openmpi on_head srun -N3 -n6 --mpi=pmix "$WICK" run --dir srun-openmpi "${study[@]}"
    contains 'srun --mpi=pmix: one line says what was chosen' "$ERR" "${place}Open MPI v"
    whole srun-openmpi
    job mpirun-openmpi "mpirun.openmpi --enable-recovery $(words "$WICK" run --dir mpirun-openmpi "${study[@]}")"
    tried mpirun-openmpi run_job -N3 -n6 -o mpirun-openmpi.out mpirun-openmpi.job
    contains 'mpirun of Open MPI in a job: the line' "$ERR" "${place}Open MPI v"
    whole mpirun-openmpi
fi
if has mpich; then
    tried srun-mpich on_head srun -N3 -n6 --mpi=pmi2 "$WICK" run --dir srun-mpich "${study[@]}"
    contains 'srun --mpi=pmi2: the line' "$ERR" "${place}MPICH "
    whole srun-mpich
    job mpirun-mpich "mpirun.mpich $(words "$WICK" run --dir mpirun-mpich "${study[@]}")"
    tried mpirun-mpich run_job -N3 -n6 -o mpirun-mpich.out mpirun-mpich.job
    contains 'mpirun of MPICH in a job: the line' "$ERR" "${place}MPICH "
    whole mpirun-mpich
fi

refuse 2 'srun without MPI is refused' 'add --mpi=pmix to srun' \
    on_head srun -N2 -n4 "$WICK" run --dir copies "${study[@]}"
equals 'it is told once' "$(grep -c 'add --mpi=pmix' <<<"$ERR")" 1
equals 'and nothing has run' "$(ls -d copies 2>/dev/null)" ''
job alone "$(words "$WICK" run --dir alone "${study[@]}")"
check 'a job without srun' run_job -N2 -n4 -o alone.out alone.job
contains 'runs on its first node' "$(cat alone.out)" 'workers on this machine, results in alone'
whole alone

# ---- a folder that not all nodes see ----

if has openmpi; then
    for node in n1 n2 n3; do
        on_node $node sh -c "mkdir -p '$T/private' && mount -t tmpfs tmpfs '$T/private'"
    done
    job private "mpirun.openmpi $(words "$WICK" run --dir private/study "${study[@]}")"
    capture run_job -N3 -n6 -o private.out private.job
    contains 'a node that does not see the folder is named' "$(cat private.out)" \
        "cannot write to the study folder $T/private/study"
    equals 'once' "$(grep -c 'cannot write to' private.out)" 1
    # The same path, another study on each node but the first.
    cat >apart.job <<END
#!/bin/bash
srun -N3 -n3 --ntasks-per-node=1 sh -c '[ \$SLURM_PROCID = 0 ] || { mkdir -p private/study && echo >private/study/journal; }'
rm -rf private/study
mpirun.openmpi $(words "$WICK" run --dir private/study "${study[@]}")
END
    capture run_job -N3 -n6 -o apart.out apart.job
    contains 'a node with another folder is named, too' "$(cat apart.out)" \
        "the folder $T/private/study is another one on node n"
fi

# ---- the doctor ----

if has openmpi; then
    capture on_head srun -N3 -n3 --mpi=pmix "$WICK" doctor .
    contains 'the doctor sees that the nodes share a folder' "$OUT" '3 nodes see this folder'
    refuse 1 'and that they do not' 'only 1 of 3 see this folder' \
        on_head srun -N3 -n3 --mpi=pmix "$WICK" doctor private
    for node in n2 n3; do
        contains 'which are named' "$OUT" "$node: folder, nodes: $T/private is another folder here than on the first node"
    done
    equals 'no file is left' "$(find . -name '.wick-doctor*')" ''
fi

# ---- scancel ----

if has openmpi; then
    touch hold
    job cancelled "mpirun.openmpi $(words "$WICK" run --dir cancelled "${study[@]}")"
    number=$(submit -N3 -n6 -o cancelled.out cancelled.job)
    check 'a job is under way' wait_until has_ended cancelled 3
    check 'it is cancelled' on_head scancel "$number"
    equals 'and is gone' "$(wait_for_job "$number")" CANCELLED
    for node in n1 n2 n3; do
        check "from $node" wait_until no_wick_on $node
    done
    rm hold
    goes_on cancelled
fi

# ---- the loss of a node: the study continues without it if neither Slurm nor mpirun ends the job ----

both_lost() { [ "$(grep -c '^{"lost".*"node":"n3"' lost/journal)" = 2 ]; }
closed() { [[ "$(tail -n 1 "$1/journal")" == *'"why":"done"'* ]]; }
if has openmpi; then
    touch hold
    # Slurm also ends the step through which mpirun reaches the nodes, unless it is told not to.
    job lost 'export OMPI_MCA_plm_slurm_args=--no-kill' \
        "mpirun.openmpi --enable-recovery $(words "$WICK" run --dir lost "${study[@]}")"
    submit --no-kill --no-requeue -N3 -n6 -o lost.out lost.job >/dev/null # it ends with the cluster
    check 'a job is under way on three nodes' wait_until has_ended lost 3
    power_off n3
    check 'the journal names the node of both workers' wait_until both_lost
    rm hold
    check 'the study comes to its end without the node' wait_until closed lost
    contains 'so does the message' "$(cat lost.out)" ' on n3 no longer responds'
    whole lost
    for node in n1 n2; do
        check "no rank is left on $node" wait_until no_wick_on $node
    done
fi
finish
