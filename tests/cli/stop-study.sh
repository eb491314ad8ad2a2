#!/usr/bin/env bash
# wick stop: a run ends gently or at once, from another node, and waiting jobs are cancelled.
. "$(dirname "$0")/lib.sh"

cat >study.yaml <<'YAML'
name: s
model: {command: ./train, pass: none}
space: {x: {int: [1, 1000]}}
search: {algorithm: random, trials: 50, workers: 2, seed: 7}
YAML
cat >train <<'END'
#!/bin/sh
while [ ! -e go ]; do sleep 0.05; done
echo score: 1
END
chmod +x train

# elsewhere COMMAND...: runs it as on a node of another name; only root may do so.
elsewhere() { unshare --uts sh -c 'hostname n7; exec "$@"' - "$@"; }
if ! elsewhere true 2>/dev/null; then
    skip_part 'the name of the machine cannot be changed: the runs are on this node'
    elsewhere() { "$@"; }
fi
# begin DIR: starts or resumes the study in the background, and waits until two trials run.
begin() {
    rm -f go
    if [ -e "$1" ]; then set -- "$1" resume "$1"; else set -- "$1" run study.yaml --dir "$1"; fi
    elsewhere "$WICK" "${@:2}" --no-report >"$1.out" 2>&1 &
    run=$!
    await two_run "$1"
}
two_run() { "$WICK" status "$1" 2>/dev/null | grep -q '2 running'; }
ended() { records "$1" | tail -n 1 | sed 's/.*"why"://; s/}//'; }

# ---- softly ----
begin a

job() { # ID LINK [AFTER]
    printf '{"submitted":1,"id":"%s","scheduler":"slurm","link":%s,"links":3%s}\n' "$1" "$2" "${3:+,\"after\":\"$3\"}"
}
# Continues at once although the previous job stays listed: this waits for it in the background.
mkdir f stays
head -n 1 a/journal >f/journal
unseal f/journal
printf '%s\n' '{"open":0,"host":"n7","pid":1,"workers":2,"trials":50,"limit":0}' '{"close":5,"why":"stopped"}' >>f/journal
{ job 130 1 && echo '{"began":2,"id":"130"}'; } >f/jobs
printf '#!/bin/sh\necho 132\n' >stays/sbatch
printf '#!/bin/sh\necho "RUNNING|n7"\n' >stays/squeue
chmod +x stays/*
again() { "$WICK" submit "$1" --nodes 1 --workers-per-node 1 --job-time 1h -q; }
PATH=$T/stays:$PATH again f >again.out 2>again.err </dev/null &
again=$!

"$WICK" stop a >stop.out 2>stop.err &
stop=$!
check 'the request is taken away' wait_until eval '[ -s stop.err ] && [ ! -e a/stop ]'
check 'the trials that run go on' two_run a
touch go
check 'then wick stop ends' wait $stop
contains 'with what it has waited for' "$(cat stop.out)" "a stopped with 2 trials; \`wick resume a\` continues it"
contains 'it has said whom it asked' "$(cat stop.err)" 'it waits for 2 running trials'
wait $run
equals 'the journal tells it from a signal' "$(ended a)" '"stopped"'
contains 'the run says so' "$(cat a.out)" 'stopped by `wick stop`'
contains 'and so does status' "$("$WICK" status a)" "stopped by \`wick stop\`; \`wick resume a\` continues it"
contains 'also as JSON' "$("$WICK" status a --json)" '"state":"stopped","why":"stopped"'
check 'without a run there is nothing to stop' "$WICK" stop a
contains 'and it says so' "$OUT" 'a is not running, and no job is waiting to run it'
equals 'no request is left' "$(ls a | grep -cx stop)" 0

# ---- at once ----
begin a
check 'wick stop --now' "$WICK" stop a --now
contains 'stops the trials' "$ERR" 'it stops 2 running trials'
wait $run
equals 'which ends it the same way' "$(ended a)" '"stopped"'
contains 'they run again later' "$("$WICK" status a)" '2 interrupted'

# ---- a request that came too late does not end the next run ----
echo now >a/stop
sleep 0.1
begin a
check 'the next run takes it away' wait_until test ! -e a/stop
check 'and goes on' two_run a
check 'wick stop --no-wait' "$WICK" stop a --no-wait
check 'comes back while it runs' two_run a
check 'the request is taken away later' wait_until test ! -e a/stop
touch go
wait $run
equals 'it has ended softly' "$(ended a)" '"stopped"'

# ---- nor does one that came while the run was starting, and it is written again ----
begin a
holder=$(sed -n 's/^process \([0-9]*\) on .*/\1/p' a/lock)
kill -STOP "$holder"
"$WICK" stop a --now >stop.out 2>&1 &
stop=$!
check 'a request that is not looked at' wait_until test -s a/stop
rm a/stop
touch a/lock
check 'is written again for a run that began since' wait_until test -s a/stop
kill -CONT "$holder"
check 'and that one ends' wait $stop
wait $run
equals 'as it was asked to' "$(ended a)" '"stopped"'

# ---- jobs that wait ----
# A scheduler: the file `queue` has one line per job.
mkdir bin
cat >bin/squeue <<'END'
#!/bin/sh
for word; do case $word in --jobs=*) id=${word#--jobs=} ;; esac; done
sed -n "s/^$id //p" "$QUEUE"
END
cat >bin/scancel <<'END'
#!/bin/sh
for id; do :; done
sed -i "/^$id /d" "$QUEUE"
END
cp bin/scancel bin/sbatch
chmod +x bin/*
export QUEUE=$T/queue PATH=$T/bin:$PATH
{ job 123 1 && job 124 2 123; } >a/jobs
printf '123 PENDING|(Priority)\n124 PENDING|(Dependency)\n' >queue
contains 'a study whose job waits, waits' "$("$WICK" status a)" 'waiting: its next job will continue it'
check 'wick stop of a study that waits' "$WICK" stop a
contains 'cancels its job' "$OUT" 'cancelled Slurm job 123'
contains 'and the one after it' "$OUT" 'cancelled Slurm job 124'
equals 'so that none is left' "$(cat queue)" ''
equals 'and leaves no request' "$(ls a | grep -cx stop)" 0
check 'a second time there is nothing to do' "$WICK" stop a
contains 'as it says' "$OUT" 'no job is waiting to run it'

{ job 125 2 && job 126 3 125; } >>a/jobs
printf '125 RUNNING|n7\n126 PENDING|(Dependency)\n' >queue
begin a
"$WICK" stop a >stop.out 2>stop.err &
stop=$!
await eval '[ -s stop.err ] && [ ! -e a/stop ]'
touch go
check 'wick stop of a study that runs' wait $stop
contains 'cancels the job that waits to go on' "$(cat stop.out)" 'cancelled Slurm job 126'
wait $run
equals 'and lets the one that ran come to its end' "$(cat queue)" '125 RUNNING|n7'
job 127 3 >>a/jobs
refuse 2 'where the scheduler cannot be asked, it is not said that all is well' \
    'Slurm job 127 may still be waiting or running' env PATH=/nowhere "$WICK" stop a
printf '{"submitted":1,"id":"5.6@elsewhere","scheduler":"local","link":1,"links":1}\n' >>a/jobs
echo '127 PENDING|(Priority)' >queue
refuse 2 'a process of another machine cannot be asked about' 'local job 5.6@elsewhere may still be waiting or running' \
    "$WICK" stop a
contains 'and the jobs that can be are cancelled' "$OUT" 'cancelled Slurm job 127'

# ---- what cannot be stopped so ----
echo '{"ask": 1}' | "$WICK" asktell study.yaml --dir b >/dev/null 2>&1
check 'a study of asktell' test -e b/journal
refuse 2 'a study in the hands of another program' "stop that program" "$WICK" stop b

# ---- a job that is listed for a while ----
mkdir c
head -n 1 a/journal >c/journal
unseal c/journal
printf '%s\n' '{"open":0,"host":"n7","pid":1,"workers":2,"trials":50,"limit":0}' '{"close":5,"why":"stopped"}' >>c/journal
{ job 130 1 && echo '{"began":2,"id":"130"}'; } >c/jobs
for state in RUNNING COMPLETING; do
    echo "130 $state|n7" >queue
    check "the job of a study that was stopped, $state" "$WICK" stop c
    contains 'is none to cancel' "$OUT" 'c is not running, and no job is waiting to run it'
    equals 'and comes to its end' "$(cat queue)" "130 $state|n7"
done
job 131 2 130 >>c/jobs
printf '130 RUNNING|n7\n131 PENDING|(Dependency)\n' >queue
printf '#!/bin/sh\n' >bin/scancel
check 'one that stays in the list although it is cancelled' "$WICK" stop c
equals 'is cancelled once, and no other' "$OUT" 'cancelled Slurm job 131'

# ---- continuing at once: the previous job is still listed ----
wait $again
equals 'one that does not go away' "$? $(cat again.out)" '2 '
contains 'is told' "$(cat again.err)" 'the study in f has ended, and Slurm job 130 is about to end: try again'
echo '130 RUNNING|n7' >queue
printf '#!/bin/sh\necho 132\n' >bin/sbatch
cat >bin/squeue.again <<'END'
#!/bin/sh
[ -e asked ] || echo 'COMPLETING|n7'
touch asked
END
chmod +x bin/squeue.again
mv bin/squeue.again bin/squeue
sed -i '/"131"/d' c/jobs
check 'one that does is waited for' again c
equals 'and the study is submitted' "$OUT" 132

# ---- which study: never a guess ----
mkdir several
cp -r a several/one.wick
rm several/one.wick/jobs
check 'without a name the only study here is meant' sh -c "cd several && '$WICK' stop"
contains 'and said' "$OUT" 'one.wick is not running, and no job is waiting to run it'
cp -r several/one.wick several/two.wick
refuse 2 'of several none is' 'there are 2 studies here: name the folder of one: one.wick, two.wick' \
    sh -c "cd several && '$WICK' stop"
refuse 2 'no study' 'there is no folder' "$WICK" stop nowhere

finish
