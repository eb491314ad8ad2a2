#!/usr/bin/env bash
# A real Slurm reads the directives of job scripts: what keys, options and directives of the user become,
# with whatever they replace, is accepted, and asks for what they say.
. "$(dirname "$0")/lib.sh"

cat >study.yaml <<'YAML'
name: nt3
model: {command: echo 1}
space: {lr: {log: [1e-5, 1e-1]}}
search: {trials: 100}
job: {scheduler: slurm, site: none, time: 1h}
YAML
start_cluster --nodes 2 --cpus 4 --gpus 2
check 'there is a reservation' on_head scontrol create reservation ReservationName=night StartTime=now \
    Duration=120 Nodes=ALL Users=root

# accepts OPTION...: sbatch reads the script of a job with these options, and finds a place for it.
accepts() {
    "$WICK" submit study.yaml --dry-run -q "$@" >script 2>&1
    check "sbatch accepts $*" on_head sbatch --test-only script
}
accepts --nodes 2
accepts --nodes 2 --workers-per-node 2 --cores-per-worker 2 --memory-per-worker 500M --notice 5m --queue main \
    --account bio --node-constraint fast --mail me@example.org --reservation night --exclusive
accepts --gpus-per-node 2 --gpu-type a100
for gpus in --gres=gpu:a100:2 --gpus=2 -G2 --gpus-per-task=1 --gpus-per-node=a100:1; do
    accepts --gpus-per-node 1 "--directive=$gpus"
done
for directive in '-p main' -N2 '-t 10' '-n 2' '-c 2' '-J x -o y' --mem-per-cpu=100M '--mem 1G' --exclusive=user \
    '-w n1' '-C fast' --no-requeue; do
    accepts --memory-per-worker 500M --node-constraint fast --exclusive "--directive=$directive"
done
accepts --site slurm-gpu --gpus-per-node 2 --gpu-type a100 --nodes 2

# The numbers that count are those of the user.
job=$(submit --hold script)
equals 'a site with types of GPUs' "$(on_head scontrol show job "$job" | sed -n 's/.*TresPerNode=//p')" gres:gpu:a100:2
"$WICK" submit study.yaml --dry-run -q --nodes 2 --gpus-per-node 1 --job-time 2h --directive='-N1 -t 10' \
    --directive=--gres=gpu:a100:2 >script
job=$(submit --hold script)
equals 'a directive of the user replaces ours' \
    "$(on_head scontrol show job "$job" | grep -oE '(NumNodes|TimeLimit|TresPerNode)=[^ ]*' | sort | tr '\n' ' ')" \
    'NumNodes=1-1 TimeLimit=00:10:00 TresPerNode=gres:gpu:a100:2 '

finish
