#!/usr/bin/env bash
# Studies as jobs of a real Slurm that continue by themselves: wick submit over all nodes, a chain
# of jobs, SIGKILL, requeue, the loss of a node, and a second job on a running study.
. "$(dirname "$0")/lib.sh"
need_openmpi_4
export WICK_MPIEXEC=mpirun.openmpi

# study NAME TRIALS JOB: each trial reports where it runs; those after the 44th run while the file
# NAME.hold exists, so that no study ends before its job was ended.
study() {
    cat >"$1.sh" <<END_OF_TRIAL
echo \$(hostname) \$PPID >>$T/$1.places
echo on \$(hostname)
sleep 0.4
while [ \$WICK_TRIAL -gt 44 ] && [ -e $T/$1.hold ]; do sleep 0.1; done
echo score: 1
END_OF_TRIAL
    cat >"$1.yaml" <<END_OF_STUDY
model: {command: bash $T/$1.sh, pass: none, grace: 1}
space: {x: {int: [1, 100000]}}
search: {algorithm: random, trials: $2, seed: 4}
job: {scheduler: slurm, $3}
END_OF_STUDY
}
ended() { grep -s '^{"end"' "$1/journal" | grep -vc '"again"'; }
ended_once() { grep '^{"end"' "$1/journal" | grep -v '"again"' | cut -d, -f1 | sort -u | wc -l; }
has_ended() { [ "$(ended "$1")" -ge "$2" ]; }
closed() { [[ "$(tail -n 1 "$1/journal")" == *'"why":"done"'* ]]; }
link() { sed -n 's/^{"submitted".*"id":"\([0-9]*\)".*"link":'"$2"',.*/\1/p' "$1/jobs"; } # FOLDER LINK
begins() { grep -c "^{\"began\".*\"id\":\"$2\"" "$1/jobs"; }
has_begun() { [ "$(begins "$1" "$2")" -ge "$3" ]; }
links() { grep -c '^{"submitted"' "$1/jobs"; }
is_gone() { job_has_ended "$1"; }
workers_have_run() { [ "$(sort -u chain.places | wc -l)" -ge "$1" ]; }
seen_as_lost() { says rough/journal '^{"lost"' || has_begun rough "$second" 3 || has_begun rough "$(link rough 3)" 1; }
says() { grep -qs "$2" "$1"; }

start_cluster --nodes 4 --cpus 2

# ---- jobs that could never run ----

study never 1 'time: 10m'
for wrong in '--nodes 40|the job asks for 40 nodes, but the partition main has 4' \
    '--queue gpu|there is no partition gpu: set '\''queue'\'' to one of main' \
    '--gpus-per-node 1|the nodes of the partition main have none'; do
    refuse 2 "refused: ${wrong%|*}" "${wrong#*|}" on_head "$WICK" submit never.yaml --dir never ${wrong%|*}
done
check 'nothing is made' test ! -e never

# ---- over all nodes, as a chain of three: the first two are told to end early ----

touch chain.hold
study chain 70 'nodes: 4, workers_per_node: 2, time: 10m, notice: 5s, chain: 3'
check 'a study is submitted' on_head "$WICK" submit chain.yaml --dir chain
first=$(link chain 1)
contains 'its job is named' "$OUT" "Slurm job $first"
check 'it is under way' wait_until has_ended chain 8
await workers_have_run 8
second=$(link chain 2)
equals 'the next job waits for it' "$(job_state "$second")" PENDING
check 'the first is told that it ends' on_head scancel --batch --signal=USR1 "$first"
check 'it ends' wait_until is_gone "$first"
equals 'in order' "$(job_state "$first") $(grep -c '"why":"deadline"' chain/journal)" 'COMPLETED 1'
contains 'the log says why' "$(cat "chain/job-$first.out")" 'the job ends in 5'
check 'the second goes on by itself' wait_until has_begun chain "$second" 1
check 'and makes progress' wait_until has_ended chain 36
await workers_have_run 16
holds() {
    held=$(on_head "$WICK" sql chain --format csv "select trial, node from trials where state = 'running' and trial > 44" |
        sed -n '2s/\r//p')
    [[ "$held" == *,n[1-4] ]]
}
check 'a trial runs for long' wait_until holds
equals 'its output is fetched from its node' "$(on_head "$WICK" show chain "${held%,*}" --log)" "on ${held#*,}"
check 'the second is told, too' on_head scancel --batch --signal=USR1 "$second"
check 'it ends' wait_until is_gone "$second"
rm chain.hold
check 'the third completes the study' wait_until closed chain
equals 'there is no fourth' "$(links chain)" 3
equals 'each trial has ended once' "$(ended_once chain) $(ended chain)" '70 70'
equals 'two workers on each of four nodes, in each job' \
    "$(sort -u chain.places | cut -d' ' -f1 | uniq -c | awk '{print $2, $1}' | tr '\n' ' ')" \
    'n1 6 n2 6 n3 6 n4 6 '
# The trials of the second job may all have been interrupted, and have ended in the third.
equals 'each trial names its job and its node' \
    "$(on_head "$WICK" sql chain --format csv "select sum(job in ('$first', '$second', '$(link chain 3)')),
        count(distinct job) > 1, count(distinct node) from trials" | sed -n '2s/\r//p')" 70,1,4
contains 'the last line of the log' "$(cat "chain/job-$(link chain 3).out")" '70 trials'

# ---- a second job is refused; SIGKILL, requeue, and a lost node ----

touch rough.hold
study rough 60 'nodes: 3, workers_per_node: 1, time: 10m, notice: 5s, chain: 4'
check 'another study' on_head "$WICK" submit rough.yaml --dir rough
first=$(link rough 1)
check 'is under way' wait_until has_ended rough 6
intruder=$(cd rough && submit --output=intruder.out job.sh)
equals 'a second job on it fails' "$(wait_for_job "$intruder")" FAILED
contains 'and names the first' "$(cat rough/intruder.out)" "is being run by Slurm job $first (process "
check 'the first goes on' wait_until has_ended rough 12
before=$(ended rough)
check 'it is killed with all that it has' on_head scancel --signal=KILL --full "$first"
second=$(link rough 2)
check 'the next job begins by itself' wait_until has_begun rough "$second" 1
verdict $((before > $(ended rough))) 'what had ended is there'
check 'it makes progress' wait_until has_ended rough 30
check 'it is started anew' on_head scontrol requeue "$second"
check 'and begins again' wait_until has_begun rough "$second" 2
check 'and goes on' wait_until has_ended rough 44
equals 'with one job that waits for it' "$(links rough)" 3
if [ "$KILLS" -ge 100 ]; then # long variant only: Slurm needs half a minute to see the loss
    lost=$(on_head scontrol --oneliner show job "$second" | sed -n 's/.* NodeList=\([^ ]*\).*/\1/p')
    lost=$(on_head scontrol show hostnames "$lost" | tail -n 1)
    power_off "$lost"
    check "node $lost is lost" wait_until seen_as_lost
fi
rm rough.hold
check 'the study completes all the same' wait_until closed rough
equals 'each trial of it has ended once' "$(ended_once rough) $(ended rough)" '60 60'
equals 'and none has failed, whatever ended it' "$(grep -c '"state":"failed"' rough/journal)" 0
check 'the job that waited is not needed' wait_until is_gone "$(link rough 3)"

# ---- nodes are filled if the number of workers is not given ----

study whole 8 'nodes: 2, time: 10m'
check 'a study without a number of workers' on_head "$WICK" submit whole.yaml --dir whole
equals 'it runs' "$(wait_for_job "$(link whole 1)")" COMPLETED
contains 'on all processors of two nodes' "$(cat whole/job-*.out)" '4 workers on 2 nodes'
finish
