#!/usr/bin/env bash
# A job is told that it ends soon: trials that asked for it write their checkpoints, leave, and continue
# from there in the next job; the others are ended. SIGUSR1 gives the notice, or the known deadline.
. "$(dirname "$0")/lib.sh"

export SLURM_JOB_ID=7 # this is a job
unset SLURM_JOB_END_TIME
PYTHON=$(command -v /usr/bin/python3 || command -v python3) || skip 'python3 is not installed'

# Each epoch leaves a line: none may be done twice. While NAME.slow exists, a process does three
# epochs quickly and then one per second: it does not end before the test is ready.
cat >train.py <<'END_OF_PYTHON'
import os, sys, time, wick

mine = sys.argv[1]
state, done = wick.load_checkpoint()
here = lambda rank: f"{mine}.try{os.environ['WICK_TRY']}.rank{rank}"
open(here(os.environ.get("RANK", 0)), "w").close()
for rank in range(int(os.environ.get("WORLD_SIZE", 0))):  # the ranks of a trial begin together
    while not os.path.exists(here(rank)):
        time.sleep(0.01)
for epoch in wick.steps(40, done):
    if os.path.exists(mine + ".slow"):
        time.sleep(0.05 if epoch <= done + 3 else 1)
    wick.report(epoch, loss=1 / epoch)
    wick.save_checkpoint("state", epoch)
    with open(f"{mine}.{wick.trial()}.epochs", "a") as f:
        f.write(f"{epoch}\n")
wick.result(loss=1 / epoch)
END_OF_PYTHON
study() { # NAME TRIALS
    cat >"$1.yaml" <<END_OF_STUDY
model: {command: '$PYTHON train.py $T/$1 {x}', score: loss, grace: 1}
space: {x: {int: [1, 1000]}}
search: {algorithm: random, trials: $2, seed: 3}
END_OF_STUDY
}
epochs() { cat "$1".*.epochs 2>/dev/null | wc -l; }
has_made() { [ "$(epochs "$1")" -ge "$2" ]; }
closes() { grep -c "\"why\":\"$2\"" "$1/journal"; }
interrupted() { grep '^{"end"' "$1/journal" | grep '"state":"interrupted"' | grep -c '"again":true'; }

# ---- SIGUSR1; the end of the job is not known ----

study told 3
touch told.slow
"$WICK" run told.yaml --dir told -n 2 --no-report --notice 10m >told.out 2>&1 </dev/null &
pid=$!
check 'two trials are under way' wait_until has_made told 6
kill -USR1 $pid
wait $pid
equals 'it ends in order, long before the job' "$?" 0
contains 'and says why' "$(cat told.out)" 'the job ends in 10 m'
equals 'the journal says so' "$(closes told deadline)" 1
equals 'both trials wait for the next job' "$(interrupted told)" 2
equals 'they ended by themselves' "$(grep '^{"end"' told/journal | grep -c '"exit":0\|"signal"')" \
    "$(grep '^{"end"' told/journal | grep -c '"exit":0')"
rm told.slow
check 'a resume goes on' "$WICK" resume told -n 2 --quiet --no-report
equals 'all trials are done' "$(closes told done)" 1
for trial in 1 2 3; do
    equals "trial $trial has made each epoch once" "$(sort -n told.$trial.epochs | uniq | wc -l) $(wc -l <told.$trial.epochs)" '40 40'
done

# ---- the end is known: the notice comes before it; trials that do not fit continue all the same ----

study known 2
touch known.slow
check 'a first job' "$WICK" run known.yaml --dir known -n 2 --no-report --deadline 21s --notice 20s
equals 'ends before its trials do' "$(closes known deadline) $(interrupted known)" '1 2'
made=$(epochs known)
check 'the next job' "$WICK" resume known -n 2 --no-report --deadline 23s --notice 20s
verdict "$((made >= $(epochs known)))" 'goes on with trials that are longer than itself'
rm known.slow
check 'the last job' "$WICK" resume known -n 2 --quiet --no-report
equals 'no epoch was made twice' "$(sort known.*.epochs | uniq -c | awk '{print $1}' | sort -u) $(epochs known)" '2 80'

# ---- the processes of one trial leave together, after the same epoch ----

study ranks 1
touch ranks.slow
sed -i 's/grace: 1/grace: 1, ranks: 2/' ranks.yaml
sed -i 's/{mine}.{wick.trial()}/{mine}.{wick.trial()}.{wick.rank()}/' train.py
"$WICK" run ranks.yaml --dir ranks -n 2 --no-report --notice 10m >ranks.out 2>&1 </dev/null &
pid=$!
check 'a trial of two ranks is under way' wait_until has_made ranks 6
kill -USR1 $pid
wait $pid
equals 'it is interrupted once' "$(closes ranks deadline) $(interrupted ranks)" '1 1'
equals 'its ranks have made the same epochs' "$(cat ranks.1.0.epochs)" "$(cat ranks.1.1.epochs)"
rm ranks.slow
check 'it goes on' "$WICK" resume ranks -n 2 --quiet --no-report
equals 'and no epoch is made twice' "$(epochs ranks) $(sort -u ranks.1.0.epochs | wc -l)" '80 40'

# ---- a trial that does not ask is ended; one that is about to end is left alone ----

"$WICK" run --dir silent --set x=1..9 --trials 4 -n 2 --no-report --notice 3s --grace 1s --pass none -- \
    bash -c 'sleep 1000; echo score: 1' >silent.out 2>&1 </dev/null &
pid=$!
begun() { [ "$(grep -cs '^{"start"' "$1/journal")" -ge "$2" ]; }
check 'trials that never ask are under way' wait_until begun silent 2
kill -USR2 $pid # as SGE says it
wait $pid
equals 'they are ended before the job is' "$(closes silent deadline) $(interrupted silent)" '1 2'

unset SLURM_JOB_ID
refuse 2 'no time at all' 'notice' "$WICK" run told.yaml --dir wrong --notice soon
finish
