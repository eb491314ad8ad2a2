#!/usr/bin/env bash
# How the ranks of a job are started on a real Slurm that binds tasks to cores: an MPI that does not
# know Slurm, srun as launcher, launchers that start the same number of ranks on each node; and MPI
# inside trials.
. "$(dirname "$0")/lib.sh"
need_openmpi_4
[ "$(nproc)" -ge 2 ] || skip 'needs two processors'
export WICK_MPIEXEC=mpirun.openmpi

# study NAME JOB LINE...: each trial reports its node, its cores and where it runs.
study() {
    cat >"$1.yaml" <<END_OF_STUDY
model: {command: bash $T/trial.sh, pass: none, env: {PLACES: $T/$1.places}}
space: {x: {int: [1, 100000]}}
search: {algorithm: random, trials: 9, seed: 4}
job: {scheduler: slurm, time: 10m, $2}
END_OF_STUDY
    printf '%s\n' "${@:3}" >>"$1.yaml"
}
cat >trial.sh <<'END'
echo "$(hostname) $WICK_WORKER $OMP_NUM_THREADS $(nproc)" >>$PLACES
sleep 0.2
echo score: 1
END
# run NAME STATE: submits the study and waits for its job, which must end in this state. Debian's
# Open MPI fails at times when it starts over several nodes.
run() {
    local job
    for _ in 1 2 3 4; do
        rm -rf "$1" "$1.places"
        check "$1: it is submitted" on_head "$WICK" submit "$1.yaml" --dir "$1"
        [ -e "$1/jobs" ] || finish
        job=$(sed -n 's/.*"id":"\([0-9]*\)".*/\1/p' "$1/jobs" | head -n 1)
        state=$(wait_for_job "$job")
        said=$(cat "$1"/job-*.out)
        [[ $state != "$2" && $said != *'the job has'* ]] || break
        echo "# $1: MPI did not start"
    done
    equals "$1: how its job ends" "$state" "$2"
    [ "$state" = "$2" ] || sed 's/^/# /' <<<"$said"
}
# places NAME: prints the workers of each node, and the cores and the threads that a trial has.
places() { sort -u "$1.places" | awk '{n[$1]++; c[$1] = $3 " " $4} END {for (i in n) print i, n[i], c[i]}' | sort | paste -sd,; }

start_cluster --nodes 3 --cpus 2 --set TaskPlugin=task/affinity

# ---- an MPI that does not know Slurm ----

blind='OMPI_MCA_plm: ^slurm, OMPI_MCA_ras: ^slurm'
printf '#!/bin/bash\nexec srun --overlap -N1 -n1 -w "$1" bash -c "${*:2}"\n' >agent
printf '#!/bin/bash\nexit 1\n' >nowhere
chmod +x agent nowhere
study blind "nodes: 3, workers_per_node: 1, cores: 2, environment: {$blind, OMPI_MCA_plm_rsh_agent: $T/agent}"
run blind COMPLETED
contains 'it starts on one node' "$said" 'started its ranks on only 1 of 3 nodes'
contains 'and then on all of them, by their names' "$said" '3 workers on 3 nodes'
equals 'where the trials run' "$(places blind)" 'n1 1 2 2,n2 1 2 2,n3 1 2 2'
study stuck "nodes: 3, workers_per_node: 1, environment: {$blind, OMPI_MCA_plm_rsh_agent: $T/nowhere}"
run stuck FAILED
contains 'if that does not help, the cure is said' "$said" \
    "the job has 3 nodes, but mpirun.openmpi started its ranks on only 1 of them, so no trial was run: name a launcher"
contains 'in the words of Slurm' "$said" 'launcher: srun --mpi=pmix'
equals 'and no trial has run' "$(cat stuck.places 2>/dev/null)" ''

# ---- srun ----

study srun 'nodes: 3, workers_per_node: 1, cores: 2, launcher: srun --mpi=pmix'
run srun COMPLETED
equals 'each worker has all its cores, on the first node, too' "$(places srun)" 'n1 1 2 2,n2 1 2 2,n3 1 2 2'
study each 'nodes: 3, workers_per_node: 2, cores: 1, launcher: "mpirun.openmpi --oversubscribe --bind-to none -npernode {per_node}"'
run each COMPLETED
contains 'ranks that are too many rest' "$said" '6 workers on 3 nodes'
equals 'so each node has its workers' "$(places each)" 'n1 2 1 1,n2 2 1 1,n3 2 1 1'

# ---- MPI inside trials ----

# In one job with mpirun: ranks that srun starts, and trials of one rank that call mpirun themselves.
study inner 'nodes: 3, workers_per_node: 2, cores: 1'
sed -i 's/trials: 9/trials: 1/; s/{command: [^,]*,/{command: bash rank.sh, ranks: 5, launch: mpi, launcher: srun --mpi=pmix,/' inner.yaml
echo 'echo "$(hostname) $PMIX_RANK of $SLURM_NTASKS" >>$PLACES; echo score: 1' >rank.sh
run inner COMPLETED
equals 'srun starts the ranks of a trial' "$(cut -d' ' -f2- inner.places | sort | paste -sd,)" \
    '0 of 5,1 of 5,2 of 5,3 of 5,4 of 5'
equals 'on the nodes of its workers' "$(cut -d' ' -f1 inner.places | sort | uniq -c | awk '{print $1}' | sort | paste -sd' ')" '1 2 2'
study outer 'nodes: 3, workers_per_node: 2, cores: 1, prologue: [source venv/activate]'
mkdir venv
echo 'export VENV=here' >venv/activate
cat >trial.sh <<'END'
own="$(hostname) $(taskset -cp $$ | sed 's/.*: //')"
for mpi in $MPIS; do
    mpirun.$mpi -n 2 bash -c 'echo "$(hostname) $(taskset -cp $$ | sed "s/.*: //") ${OMPI_COMM_WORLD_SIZE-$PMI_SIZE}"' </dev/null |
        while read -r line; do echo "$mpi $([ "$line" != "$own 2" ] || echo same) $VENV"; done >>$PLACES
done
echo score: 1
END
sed -i "s|PLACES: |MPIS: $(mpis_installed | paste -sd' '), OMPI_ALLOW_RUN_AS_ROOT: 1, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM: 1, PLACES: |" outer.yaml
run outer COMPLETED
for mpi in $(mpis_installed); do
    equals "mpirun of $mpi in a trial stays on its node and its core" \
        "$(grep "^$mpi" outer.places | sort | uniq -c | awk '{$1 = $1; print}')" "18 $mpi same here"
done
finish
