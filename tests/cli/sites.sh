#!/usr/bin/env bash
# The site files that come with Wick: the job script of each, and how it starts ranks. The programs that
# start them are stand-ins which check their options as the real ones do (tests/cli/jobs/launcher.py).
#
# The expected scripts are in tests/cli/jobs/site-*.golden. After an intended change:
#     UPDATE=yes WICK=build/wick bash tests/cli/sites.sh
. "$(dirname "$0")/lib.sh"
need python3
golden=$SOURCE/tests/cli/jobs
unset WICK_SITE WICK_SITES WICK_MPIEXEC SLURM_JOB_ID
export HOME=$T XDG_CONFIG_HOME=''
mkdir bin
for program in srun jsrun flux mpiexec; do
    { echo "#!$(type -P python3)" && cat "$golden/launcher.py"; } >bin/$program
    chmod +x bin/$program
done
for answer in 'sbatch 12' 'qsub 12' 'bsub Job <12> is submitted'; do
    printf '#!/bin/sh\necho "%s"\n' "${answer#* }" >"bin/${answer%% *}"
    chmod +x "bin/${answer%% *}"
done
PATH=$T/bin:$PATH

cat >study.yaml <<'YAML'
name: nt3
model: {command: echo 1, gpus: 1}
space: {lr: {log: [1e-5, 1e-1]}}
search: {trials: 100}
job: {nodes: 3, workers_per_node: 4, gpus_per_node: 4, memory: 8G, time: 2h}
YAML

# The variables of a job on three nodes with four cores each, as each scheduler sets them.
hosts=('LSB_MCPU_HOSTS=batch 1 node1 4 node2 4 node3 4') # with the node on which the script runs
printf 'node%d\n' 1 1 1 1 2 2 2 2 3 3 3 3 >nodes
printf 'node%d 4 all.q@node%d UNDEFINED\n' 1 1 2 2 3 3 >hosts
declare -A variables=(
    [slurm]='SLURM_JOB_ID=12 SLURM_JOB_NUM_NODES=3 SLURM_JOB_NODELIST=node[1-3]'
    [pbs]="PBS_JOBID=12 PBS_NODEFILE=$T/nodes PBS_O_WORKDIR=."
    [lsf]="LSB_JOBID=12 CSM_ALLOCATION_ID=7 LSB_DJOB_HOSTFILE=$T/nodes"
    [flux]='FLUX_URI=local:///x FLUX_ENCLOSING_ID=f12'
    [sge]="JOB_ID=12 SGE_TASK_ID=undefined NHOSTS=3 PE_HOSTFILE=$T/hosts")

# site NAME SCHEDULER RANKS LAUNCHER: the script, and what its last line starts.
site() {
    local name=$1 scheduler=$2 ranks=$3 launcher=$4 got
    check "the site $name" "$WICK" submit study.yaml --site "$name" --dry-run -q
    got=${OUT//$(realpath "$WICK")/WICK}
    [ -z "${UPDATE-}" ] || printf '%s\n' "$got" >"$golden/site-$name.golden"
    equals "the script of $name" "$got" "$(cat "$golden/site-$name.golden")"
    equals "which $scheduler accepts" "$(python3 "$golden/reader.py" $scheduler <<<"$OUT")" ''
    rm -rf launched study
    check 'it is submitted' "$WICK" submit study.yaml --site "$name" --dir study -q
    (cd study && env "${hosts[@]}" ${variables[$scheduler]} LAUNCHER_CORES=4 LAUNCHED="$T/launched" bash job.sh) >job.out 2>&1
    equals "$name starts" "$(head -n 1 launched 2>&1)" "$ranks ranks on 3 nodes: $(basename "$WICK") resume"
    contains 'by its launcher' "$(tail -n 1 launched)" "$launcher"
}
site slurm slurm 13 'srun'
site slurm-gpu slurm 13 'srun'
site cray slurm 13 'srun'
contains 'with the plug-in for Cray MPICH' "$(tail -n 1 launched)" --mpi=cray_shasta
site pbs pbs 13 'mpiexec'
site lsf-jsrun lsf 15 'jsrun -n 3 -r 1 -a 5 -c ALL_CPUS -g ALL_GPUS -b none '
site flux flux 15 'flux run -N 3 --tasks-per-node=5 -o cpu-affinity=off -o gpu-affinity=off '
site sge sge 13 'mpiexec'
equals 'all sites are tested' "$(ls "$SOURCE/share/wick/sites" | sed 's/.yaml//')" \
    "$(ls "$golden" | sed -n 's/^site-\(.*\).golden$/\1/p')"
for name in slurm-gpu pbs; do
    check "a type of GPUs at $name" "$WICK" submit study.yaml --site $name --gpu-type a100 --dry-run
    contains 'is asked for' "$OUT" a100
done

# The stand-ins refuse what the real programs refuse.
wrong() { # TEXT PROGRAM OPTION...
    local text=$1
    shift
    refuse 1 "$*" '' env LAUNCHED="$T/launched" LAUNCHER_CORES=4 "$@"
    contains "is refused: $text" "$(head -n 1 launched)" "$text"
}
wrong 'exclude each other' flux run -N3 -n 13 --tasks-per-node=5 wick resume
wrong 'not so many cores' flux run -N 3 -n 13 wick resume
wrong 'insufficient resources' jsrun -n 4 -r 1 -a 5 wick resume
wrong 'wrong value of --mpi: pmx' srun --mpi=pmx -n 3 wick resume

# ---- where they are found ----

mkdir -p .config/wick/sites mine
printf 'scheduler: slurm\nqueue: user\n' >.config/wick/sites/slurm.yaml
check 'a file of the user' "$WICK" submit study.yaml --site slurm --dry-run
contains 'comes before one that came with Wick' "$OUT" '#SBATCH --partition=user'
refuse 2 'a misspelled site' "did you mean 'lsf-jsrun'?" "$WICK" submit study.yaml --site lsf-jsrn --dry-run
check 'without a name' "$WICK" submit study.yaml --scheduler slurm --dry-run
lacks 'none of them is meant' "$OUT" '-- srun'

finish
