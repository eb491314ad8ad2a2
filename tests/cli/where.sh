#!/usr/bin/env bash
# When and where each trial ran, and what a study cost: node, job and times in every table, the
# node-hours, and the questions in SQL that the documentation answers.
. "$(dirname "$0")/lib.sh"

# A chain: a job on two nodes for an hour, the next on three nodes for two hours, then half an hour on
# a workstation. n17 is slow. Trial 4 moves from the first job to the second.
mkdir s.wick
cat >s.wick/journal <<'END'
{"wick":1,"study":"s","created":1790000000,"folder":"/","definition":"name: s\nmodel: {command: [train]}\nspace:\n  lr: {float: [0, 1]}\n  optimizer: {choice: [sgd, adam]}\nsearch: {trials: 14}\n"}
{"open":0,"host":"n1","pid":1,"workers":4,"trials":14,"limit":0,"job":"4711"}
{"nodes":2,"time":0,"seats":[["n1",1,2],["n17",3,4]]}
{"start":1,"time":10,"worker":1,"params":{"lr":0.1,"optimizer":"sgd"}}
{"start":2,"time":10,"worker":3,"params":{"lr":0.2,"optimizer":"adam"}}
{"start":3,"time":20,"worker":2,"params":{"lr":0.3,"optimizer":"sgd"}}
{"start":4,"time":30,"worker":4,"params":{"lr":0.4,"optimizer":"adam"}}
{"end":1,"time":110,"took":100,"worker":1,"state":"done","score":1}
{"end":3,"time":140,"took":120,"worker":2,"state":"done","score":3}
{"end":2,"time":310,"took":300,"worker":3,"state":"done","score":2}
{"close":3600,"why":"deadline"}
{"open":10000,"host":"n2","pid":1,"workers":3,"trials":14,"limit":0,"job":"4712"}
{"nodes":3,"time":10000,"seats":[["n2",1,1],["n17",2,2],["n1",3,3]]}
{"start":4,"time":10010,"worker":3,"try":2}
{"start":5,"time":10010,"worker":2,"params":{"lr":0.5,"optimizer":"adam"}}
{"end":4,"time":10110,"took":100,"worker":3,"state":"done","score":4}
{"end":5,"time":10410,"took":400,"worker":2,"state":"failed","exit":1,"reason":"exit code 1"}
{"close":17200,"why":"interrupted"}
{"open":20000,"host":"desk","pid":1,"workers":1,"trials":14,"limit":0}
{"start":6,"time":20000,"worker":1,"params":{"lr":0.6,"optimizer":"sgd"}}
{"end":6,"time":20100,"took":100,"worker":1,"state":"done","score":6}
{"start":7,"time":21800,"worker":1,"params":{"lr":0.7,"optimizer":"sgd"}}
END

# ---- tables ----

check 'list --long' "$WICK" list s.wick --long
contains 'has times, nodes and jobs' "$OUT" 'started_at            ended_at              node  job '
contains 'of each trial' "$OUT" '2026-09-21T14:13:30Z  2026-09-21T14:18:30Z  n17   4711'
contains 'of the last try' "$OUT" '2026-09-21T17:00:10Z  2026-09-21T17:01:50Z  n1    4712'
contains 'without a job' "$OUT" '2026-09-21T19:46:40Z  2026-09-21T19:48:20Z  desk  -'
contains 'and while it runs' "$OUT" '2026-09-21T20:16:40Z  -                     desk  -'
lacks 'without it, list stays short' "$("$WICK" list s.wick)" 4711
check 'JSON always has them' "$WICK" list s.wick --json
contains 'of a job' "$OUT" \
    '"started_at":"2026-09-21T17:00:10Z","ended_at":"2026-09-21T17:01:50Z","node":"n1","job":"4712"'
contains 'of a running trial' "$OUT" '"started_at":"2026-09-21T20:16:40Z","ended_at":null,"node":"desk","job":null'
check 'show names the job' "$WICK" show s.wick 4
contains 'with the node' "$OUT" 'from 2026-09-21T17:00:10Z on worker 3 of n1, in job 4712'
for format in csv json; do
    check "export as $format" "$WICK" export s.wick --format $format
    contains 'has the time' "$OUT" '2026-09-21T14:13:30Z'
    contains 'and the node' "$OUT" n17
    contains 'and the job' "$OUT" 4712
done
sql() { "$WICK" sql s.wick "$1" --format csv | tail -n +2 | tr -d '\r'; }
equals 'SQLite understands the times' \
    "$(sql "select trial, strftime('%s', ended_at) - strftime('%s', started_at) from trials where trial = 2")" 2,300

# ---- as the documentation has it ----

n=0
while read -r query; do
    n=$((n + 1))
    check "the page about reports: $query" "$WICK" sql s.wick "$query"
    [[ "$query" != *"by node"* ]] || slow=$OUT
done < <(sed -n 's/^    wick sql DIR "\(.*\)"\( --format csv\)\{0,1\}$/\1/p' "$SOURCE/docs/report.md")
check 'it has several questions' test "$n" -ge 4
equals 'n17 is slow' "$(sed -n '3s/ .*//p' <<<"${slow-}")" n17

# ---- node-hours ----

# 2 nodes for 1 h, 3 nodes for 2 h, 1 node for half an hour; 6 of 14 trials took 3.5 h.
check 'the cost of a study' "$WICK" status s.wick
contains 'is in node-hours' "$OUT" '
cost      8.50 node-hours, about 4.67 more
'
check 'and in JSON' "$WICK" status s.wick --json
contains 'with what is left' "$OUT" '"node_hours":8.5,"node_hours_left":4.66666666'
equals 'and in SQL' "$(sql "select value from study where key = 'node_hours'")" 8.5
check 'and in the report' "$WICK" report s.wick -o page.html
check 'which has both' grep -q '"nodeHours":8.5,"nodeHoursLeft":4.66666' page.html

# Its job runs: half an hour is left, and three more jobs of an hour each may follow.
mkdir bin
printf '#!/bin/sh\necho "RUNNING|n[1-2]"\n' >bin/squeue
chmod +x bin/squeue
now=$(date +%s)
cat >s.wick/jobs <<END
{"submitted":1,"id":"4713","scheduler":"slurm","link":2,"links":5}
{"began":$((now - 1800)),"id":"4713","until":$((now + 1800))}
END
mkdir chain.wick
cp s.wick/jobs chain.wick
head -n 10 s.wick/journal >chain.wick/journal # on two nodes
check 'a study in a chain of jobs' env PATH="$T/bin:$PATH" "$WICK" status chain.wick --json
hours=$(sed -n 's/.*"node_hours_of_jobs":\([0-9.]*\).*/\1/p' <<<"$OUT")
check 'says what its jobs may use' awk -v hours="$hours" 'BEGIN {exit !(hours > 6.5 && hours <= 7)}'
check 'and in words' env PATH="$T/bin:$PATH" "$WICK" status chain.wick
contains 'after its cost' "$OUT" '; its jobs may use up to '

# ---- a real study ----

check 'a study in a job' env SLURM_JOB_ID=77 "$WICK" run --quiet --no-report --dir real.wick --trials 2 \
    --function noop
equals 'its node is this machine, and its job that of the scheduler' \
    "$("$WICK" sql real.wick 'select distinct node, job from trials' --format csv | tail -n 1 | tr -d '\r')" \
    "$(uname -n),77"
check 'a study that has just ended' "$WICK" status real.wick
lacks 'has cost nothing to speak of' "$OUT" node-hours
finish
