#!/usr/bin/env bash
# submit - the time from the start of `wick submit` until the script is on disk and sbatch is
# called: limit 50 ms. sbatch is a program that records the time; the study uses a site file, and
# its folder and journal are new each time.
set -u
. "$(dirname "$0")/measure.sh"
WICK=$(realpath "${WICK:-build/wick}")
COUNT=${COUNT:-$(size 50 3)}
T=$(mktemp -d)
trap 'rm -rf "$T"' EXIT
cd "$T" || exit 1
mkdir bin sites
cat >bin/sbatch <<'SH'
#!/bin/bash
[ -s job.sh ] && echo "$EPOCHREALTIME" >"$BENCH_CALLED"
echo 4711
SH
chmod +x bin/sbatch
printf 'scheduler: slurm\nqueue: gpu\nmodules: [gcc]\n' >sites/lab.yaml
cat >study.yaml <<'YAML'
name: nt3
model: {command: echo 1}
space: {lr: {log: [1e-5, 1e-1]}, layers: {int: [1, 8]}, optimizer: {choice: [sgd, adam]}}
search: {trials: 1000}
job: {site: lab, nodes: 4, workers_per_node: 8, time: 2h, chain: 5}
YAML
export PATH=$T/bin:$PATH WICK_SITES=$T/sites BENCH_CALLED=$T/called
for ((i = 0; i < COUNT; i++)); do
    rm -rf nt3.wick called
    begun=$EPOCHREALTIME
    "$WICK" submit study.yaml -q >/dev/null || exit 1
    echo "$begun $(cat called)"
done | awk '{ printf "%.3f\n", ($2 - $1) * 1000 }' | sort -g | awk '{ v[NR] = $1 } END {
    median = v[int((NR + 1) / 2)]
    printf "%d submissions: median %.1f ms, %.1f ms at 90 %%   (limit 50 ms, ratio %.2f)\n",
        NR, median, v[int(NR * 0.9)], median / 50 }'
