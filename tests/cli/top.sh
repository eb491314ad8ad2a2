#!/usr/bin/env bash
# wick top, and what status and watch show about a job: from another node, through the folder alone.
. "$(dirname "$0")/lib.sh"
need python3 # another process that holds a lock

cat >study.yaml <<'YAML'
name: s
model: {command: ./train, score: loss, pass: none}
space:
  rate: {float: [0, 1]}
  layers: {int: [1, 9]}
  optimizer: {choice: [sgd, adam]}
search: {algorithm: random, trials: 50, workers: 3, seed: 7}
YAML
cat >train <<END
#!/bin/sh
"$WICK" trial report 4 loss=0.75
while [ ! -e go ]; do sleep 0.05; done
"$WICK" trial result loss=0.5
END
chmod +x train
elsewhere() { unshare --uts sh -c 'hostname n7; exec "$@"' - "$@"; }
node=n7
if ! elsewhere true 2>/dev/null; then
    skip_part 'the name of the machine cannot be changed: the run is on this node'
    elsewhere() { "$@"; }
    node=$(hostname)
fi
three_step() { [ "$(grep -c '"step"' a/journal 2>/dev/null)" = 3 ]; }

elsewhere "$WICK" run study.yaml --dir a --no-report >run.out 2>&1 &
check 'three trials run' wait_until three_step

# ---- once ----
check 'where there is no terminal it is printed once' "$WICK" top a
contains 'with the state' "$OUT" "state     running: process"
contains 'and the workers' "$OUT" "workers   3 busy, 0 idle on $node"
contains 'and a table' "$OUT" 'trial  worker '
contains 'that has the parameters' "$(grep '^trial ' <<<"$OUT")" 'step  loss '
equals 'of all trials that run' "$(grep -cE '^ +[123] +[123] .* s +4  0\.75 ' <<<"$OUT")" 3
contains 'show names the node' "$("$WICK" show a 1)" "of $node"
contains 'also as JSON' "$("$WICK" show a 1 --json)" "\"node\":\"$node\""
check 'a point is queued from here' "$WICK" enqueue a layers=7
contains 'and tried by the run there' "$ERR" 'the running study will try it next'

# ---- on a terminal ----
if ! command -v tmux >/dev/null; then
    skip_part 'tmux is not installed: wick top on a terminal is not tested'
else
    unset COLUMNS TMUX
    export LC_ALL=C TERM=xterm
    screen=1
    mux() { tmux -S "$T/screen$screen" -f /dev/null "$@"; }
    trap 'mux kill-server 2>/dev/null; clean_up' EXIT
    one_study() { [ "$(mux capture-pane -p | grep -c '^study ')" = 1 ]; }
    seen() { mux capture-pane -p | grep -qE -e "$1"; }
    mux new-session -d -x 100 -y 16 "$(printf '%q ' "$WICK" top a); echo the end; sleep 1000"
    check 'the table is there' wait_until seen '^trial  worker .* optimizer$'
    check 'and how to leave it' wait_until seen 'q quits$'
    mux resize-window -x 44 -y 12
    check 'a narrow terminal has fewer columns' wait_until seen '^trial  worker +time  step  loss +rate$'
    check 'and no line is wrapped' wait_until one_study # between two frames
    mux resize-window -x 100 -y 14
    check 'a low one has fewer rows, and says so' wait_until seen '^[23] more running; q quits$'
    mux resize-window -x 100 -y 24
    check 'all come back' wait_until seen '^q quits$'
    mux send-keys x
    check 'other keys do nothing' wait_until seen '^trial '
    mux send-keys q
    check 'q ends it' wait_until seen '^the end$'
    check 'and the screen of before is back' eval '! seen "^trial "'
    mux kill-server
    screen=2
    mux new-session -d -x 100 -y 16 "$(printf '%q ' "$WICK" top a); echo the end; sleep 1000"
    check 'it is there again' wait_until seen '^trial '
    mux send-keys C-c
    check 'Ctrl-C ends it, too' wait_until seen '^the end$'
    check 'and not the study' three_step
fi
touch go
wait
check 'after its end' "$WICK" top a
contains 'the state is shown' "$OUT" 'state     done'
lacks 'and no workers' "$OUT" 'workers'

# ---- several nodes, lost workers, groups ----
mkdir b
head -n 1 a/journal >b/journal
unseal b/journal
cat >>b/journal <<'END'
{"open":0,"host":"n1","pid":1,"workers":8,"trials":50,"limit":0}
{"nodes":3,"time":0,"seats":[["n1",1,3,2],["n2",2,4,2],["n3",5,8]]}
{"start":1,"time":1,"worker":2,"params":{"rate":0.5,"layers":1,"optimizer":"adam"}}
{"start":2,"time":0.5,"worker":5,"params":{"rate":0.25,"layers":2,"optimizer":"sgd"}}
{"group":2,"time":0.5,"members":[5,6]}
{"lost":7,"time":2,"node":"n3"}
END
# Another process holds the lock of the folder, on another node.
python3 - b/lock held <<'END' &
import fcntl, os, sys, time
file = open(sys.argv[1], 'w')
fcntl.lockf(file, fcntl.LOCK_EX)
open(sys.argv[2], 'w').close()
while os.path.exists(sys.argv[2]):
    time.sleep(0.05)
END
await test -e held
check 'several nodes' "$WICK" top b --once
contains 'all workers are counted' "$OUT" 'workers   3 busy, 4 idle, 1 lost on 3 nodes'
contains 'and those of each node' "$OUT" 'n1 0/2          n2 1/2          n3 2/4, 1 lost'
equals 'the trial that runs longest comes first' "$(grep -E '^ +[12] +[0-9]' <<<"$OUT" | awk '{print $1, $3}' | tr '\n' ' ')" '2 n3 1 n2 '
rm held
wait

# ---- the job ----
mkdir bin
cat >bin/squeue <<'END'
#!/bin/sh
for word; do case $word in --jobs=*) id=${word#--jobs=} ;; esac; done
echo "$id" >>"$QUEUE.asked"
sed -n "s/^$id //p" "$QUEUE"
END
chmod +x bin/squeue
export QUEUE=$T/queue PATH=$T/bin:$PATH
{
    echo '{"submitted":1,"id":"123","scheduler":"slurm","link":2,"links":5}'
    echo '{"began":2,"id":"123"}'
    echo '{"submitted":3,"id":"124","scheduler":"slurm","link":3,"links":5,"after":"123"}'
} >b/jobs
printf '123 RUNNING|n[1-4]\n124 PENDING|(Dependency)\n' >queue
check 'the status of a study in a job' "$WICK" status b
contains 'that runs by its job where locks do not reach' "$OUT" 'state     running: process 1 on n1'
contains 'names the job and the next' "$OUT" \
    'job       Slurm job 123, running on n[1-4], job 2 of at most 5; next: 124 waits for it'
contains 'also as JSON' "$("$WICK" status b --json)" \
    '"job":{"id":"123","scheduler":"slurm","state":"running","word":"RUNNING","detail":"n[1-4]","link":2,"links":5'
echo "{\"began\":2,\"id\":\"123\",\"until\":$(($(date +%s) + 7315))}" >>b/jobs
contains 'and the time that is left, by what the job itself was told' "$("$WICK" status b)" 'job 2 of at most 5, 2 h 1 min left;'
contains 'top shows it, too' "$("$WICK" top b)" 'job       Slurm job 123, running on n[1-4]'
rm queue.asked
"$WICK" watch b --interval 0.1 >watch.out &
watch=$!
both_asked() { [ "$(cat queue.asked 2>/dev/null | wc -l)" -ge 2 ]; }
await both_asked
sleep 1 # ten intervals
kill $watch
wait $watch
equals 'who watches asks the scheduler now and then only' "$(wc -l <queue.asked)" 2
printf '124 PENDING|(Priority)\n' >queue
contains 'when it was killed the next one is the job' "$("$WICK" status b)" \
    'job       Slurm job 124, waiting (Priority: other jobs have a higher priority), job 3 of at most 5'
check 'a point for it' "$WICK" enqueue b layers=3
contains 'is tried by that' "$ERR" "the study's next job will try it first"
: >queue
contains 'with no job left it has crashed' "$("$WICK" status b)" 'state     crashed: its process on n1 is gone'
contains 'without a scheduler the record has to do' "$(env PATH=/nowhere "$WICK" status b)" \
    'Slurm job 123, running according to its record (the scheduler cannot be queried here)'

# ---- a study that waits for its first job, and a stopped one ----
mkdir c
head -n 1 a/journal >c/journal
unseal c/journal
printf '%s\n' '{"open":0,"host":"login","pid":1,"workers":0,"trials":50,"limit":0}' \
    '{"close":0,"why":"prepared"}' >>c/journal
echo '{"submitted":1,"id":"200","scheduler":"slurm","link":1,"links":1}' >c/jobs
printf '200 PENDING|(Resources)\n' >queue
check 'a study that has not begun' "$WICK" status c
contains 'waits for its job' "$OUT" 'state     waiting for its job'
contains 'which says why' "$OUT" 'job       Slurm job 200, waiting (Resources: waiting for free nodes)'
waits() { # DETAIL: what is said of it
    echo "200 PENDING|$1" >queue
    "$WICK" status c | sed -n 's/^job  *Slurm job 200, //p'
}
equals 'no reason is none' "$(waits '(None)')" 'waiting'
equals 'one for ever is told' "$(waits '(PartitionNodeLimit)')" \
    'waiting (PartitionNodeLimit: it asks for more or fewer nodes than the partition allows)'
equals 'one of many of a kind' "$(waits '(AssocGrpNodeLimit)')" 'waiting (AssocGrpNodeLimit: limited by the account)'
equals 'and one that is not known stays' "$(waits '(Cleaning)')" 'waiting (Cleaning)'
echo '200 RUNNING|n1' >queue
contains 'one that runs, and has not said so, begins' "$("$WICK" status c)" 'state     waiting: its job is starting'
: >queue
contains 'a job that was never there has no output' "$("$WICK" status c)" \
    'job 200 ended without running a trial, and left no c/job-200.out'
printf 'loading\nmodule: \033[1mno such runtime\n\n' >c/job-200.out
contains 'one that ended before the first trial says where to look' "$("$WICK" status c)" \
    'job 200 ended without running a trial: see c/job-200.out: module: '
contains 'and why' "$("$WICK" status c)" 'no such runtime'
lacks 'without what a terminal would obey' "$("$WICK" status c)" "$(printf '\033')"
contains 'watch says it, too' "$("$WICK" watch c)" '; job 200 ended without running a trial: see c/job-200.out: module: '
printf '%s\n' 'slurmstepd: error: *** JOB 200 ON n1 CANCELLED AT 2026-11-18T07:00:00 DUE TO TIME LIMIT ***' \
    'srun: error: n2: task 1: Killed' >c/job-200.out
contains 'the cause is told, not the last line' "$("$WICK" status c)" 'DUE TO TIME LIMIT'
check 'takes points' "$WICK" enqueue c layers=2
check 'that it tries first' sh -c "touch go; '$WICK' resume c --trials 2 --no-report -q"
contains 'when it begins' "$("$WICK" show c 1 --json)" '"layers":2'

mkdir d
head -n 1 a/journal >d/journal
unseal d/journal
printf '%s\n' '{"open":0,"host":"n1","pid":1,"workers":4,"trials":50,"limit":0}' '{"close":5,"why":"stopped"}' >>d/journal
printf '%s\n' '{"submitted":1,"id":"300","scheduler":"slurm","link":1,"links":2}' '{"began":2,"id":"300"}' \
    '{"submitted":3,"id":"301","scheduler":"slurm","link":2,"links":2,"after":"300"}' >d/jobs
printf '300 RUNNING|n1\n' >queue
contains 'a study that was stopped waits for no job that is about to end' "$("$WICK" status d)" \
    "state     stopped by \`wick stop\`; \`wick submit d\` continues it"
: >queue
contains 'the last job is the last that ran' "$("$WICK" status d)" 'job       Slurm job 300, ended, job 1 of at most 2'
lacks 'which came to its end as it was told to' "$("$WICK" status d)" 'job-300.out'

# ---- a study that is stuck ----
mkdir e
now=$(date +%s)
head -n 1 a/journal | sed "s/\"created\":[0-9.]*/\"created\":$((now - 3300))/" >e/journal
unseal e/journal
record() { printf '{"start":%d,"time":%d,"worker":1,"params":%s}\n' "$1" "$2" "$params"; }
params=$(grep -m 1 '^{"start"' a/journal | sed 's/.*"params"://; s/}.*/}/')
{
    echo '{"open":0,"host":"n1","pid":1,"workers":1,"trials":50,"limit":0}'
    for i in 1 2 3 4 5; do
        record $i $((180 * (i - 1)))
        printf '{"end":%d,"time":%d,"took":180,"worker":1,"state":"done","score":1}\n' $i $((180 * i))
    done
    record 6 900
} >>e/journal
printf '%s\n' '{"submitted":1,"id":"400","scheduler":"slurm","link":1,"links":1}' '{"began":2,"id":"400"}' >e/jobs
echo '400 RUNNING|n1' >queue
contains 'a study in which nothing ends' "$("$WICK" status e)" 'stuck?    nothing has ended for 40 min'
contains 'says how long trials take' "$("$WICK" status e)" '; the median trial takes 3 min'
contains 'so does top' "$("$WICK" top e --once)" 'stuck?    nothing has ended for 40 min'
contains 'and JSON' "$("$WICK" status e --json)" '"median":180}'
echo '{"end":6,"time":3290,"took":2390,"worker":1,"state":"done","score":1}' >>e/journal
record 7 3290 >>e/journal
lacks 'until something ends' "$("$WICK" status e)" stuck
contains 'which JSON says, too' "$("$WICK" status e --json)" '"stuck":null'
: >queue

finish
