#!/usr/bin/env bash
# The commands that look at a study: what they show, also as JSON, and how they report mistakes.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C
unset COLUMNS NO_COLOR

# write_study DIR [CLOSE-LINE]: writes a study of six trials of all kinds, with known numbers.
write_study() {
    mkdir -p "$1"
    cat >"$1/journal" <<'END'
{"wick":1,"study":"demo","created":1790000000,"folder":"/","definition":"name: demo\nmodel: {command: [echo, it's], score: loss}\nspace:\n  lr: {log: [1e-5, 1e-1]}\n  layers: {int: [1, 5]}\n  optimizer: {choice: [sgd, adam]}\n  momentum: {float: [0.5, 0.99], when: {optimizer: sgd}}\nsearch: {trials: 10, seed: 1}\n"}
{"open":0,"host":"n1","pid":4711,"workers":2,"trials":10}
{"start":1,"time":0,"worker":1,"params":{"lr":0.001,"layers":1,"optimizer":"adam"}}
{"start":2,"time":0,"worker":2,"params":{"lr":0.0123456789,"layers":3,"optimizer":"sgd","momentum":0.9}}
{"end":1,"time":2,"took":2,"worker":1,"state":"done","score":0.5}
{"start":3,"time":2,"worker":1,"params":{"lr":0.1,"layers":5,"optimizer":"sgd","momentum":0.5}}
{"end":2,"time":4,"took":4,"worker":2,"state":"done","score":0.25,"cpu":3.5,"memory":41000000,"metrics":{"accuracy":0.875}}
{"start":4,"time":4,"worker":2,"params":{"lr":0.01,"layers":2,"optimizer":"adam"}}
{"end":3,"time":5,"took":3,"worker":1,"state":"failed","exit":1,"reason":"exit code 1","log":"10%\r20%\r\n\u001b[31mtoo large\u0007\n"}
{"start":5,"time":5,"worker":1,"params":{"lr":0.002,"layers":4,"optimizer":"adam"}}
{"end":5,"time":6,"took":1,"worker":1,"state":"failed","exit":3,"reason":"exit code 3","again":true}
{"start":5,"time":6,"worker":1,"try":2}
{"end":5,"time":7,"took":1,"worker":1,"state":"done","score":0.75}
{"end":4,"time":10,"took":6,"worker":2,"state":"timeout","signal":15,"reason":"longer than 6 s\u001b[2J"}
{"start":6,"time":10,"worker":2,"params":{"lr":0.02,"layers":2,"optimizer":"adam"}}
END
    [ -z "${2-}" ] || printf '%s\n' "$2" >>"$1/journal"
}
write_study demo.wick

script=$(command -v script) || skip_part 'script is not installed: nothing is shown on a terminal'
# on_terminal COLUMNS ARGUMENT...: prints what wick writes to a terminal of this width.
on_terminal() {
    local columns=$1
    shift
    TERM=xterm COLUMNS=$columns script -qec "$(printf '%q ' "$WICK" "$@")" /dev/null </dev/null |
        tr -d '\r'
}

# ---- which study ----

check 'the only study of a folder is found' "$WICK" status
equals 'it says which' "$ERR" 'wick: using demo.wick'
check 'the folder of a study is a study' env -C demo.wick "$WICK" status
equals 'it says nothing of that' "$ERR" ''
check 'a slash at the end does not matter' "$WICK" report demo.wick// -o r.html
mkdir none two two/a.wick two/b.wick
touch two/a.wick/journal two/b.wick/journal
refuse 2 'no study' "wick: no study here: name a study folder, or start a study with \`wick run\`" \
    env -C none "$WICK" status
cp demo.wick/journal two/a.wick
cp demo.wick/journal two/b.wick
touch -d '2026-01-02 00:00' two/a.wick/journal
touch -d '2026-01-01 00:00' two/b.wick/journal
check 'of several studies the newest is meant' env -C two "$WICK" best
equals 'it says so' "$ERR" 'wick: using the newest of 2 studies: a.wick'
: >two/a.wick/journal
refuse 2 'a folder that is not there' \
    "wick: there is no folder 'dmeo.wick': did you mean 'demo.wick'?" "$WICK" status dmeo.wick
refuse 2 'a folder that is not a study' \
    "wick: 'none' is not a study folder: it has no journal" "$WICK" list none
refuse 2 'a file' \
    "wick: 'r.html' is a file: name a study folder, as created by \`wick run\`" \
    "$WICK" list r.html
refuse 2 'an empty journal' 'two/a.wick/journal is empty: start the study again with `wick run`' \
    "$WICK" list two/a.wick
write_study hurt.wick
sed -i '5s/"end"/"end/' hurt.wick/journal
check 'of a damaged journal everything else is read' "$WICK" best hurt.wick
contains 'with a note' "$ERR" \
    'note: hurt.wick/journal has 1 damaged place; what is whole was read: `wick check hurt.wick` says more'
rm -rf hurt.wick

# ---- status ----

check 'the status of a study that crashed' "$WICK" status demo.wick
equals 'it shows all that matters' "$OUT" "\
study     demo in demo.wick
state     crashed: its process on n1 is gone; \`wick resume demo.wick\` continues it
trials    ####################====................  5 of 10
          3 done, 1 failed, 1 timeout, 1 cut off
score     loss, smaller is better
best      0.25 in trial 2: lr 0.01235, layers 3, optimizer sgd, momentum 0.9
time      10 s (30 trials a minute)
failures  trial 4: longer than 6 s\\x1b[2J
          trial 3: \\x1b[31mtoo large\\x07"
[ -z "$script" ] || contains 'long lines are cut to a narrow terminal' \
    "$(NO_COLOR=1 on_terminal 40 status demo.wick)" 'best      0.25 in trial 2: lr 0.01235...'
for end in 'interrupted|interrupted: '"\`wick resume e.wick\` continues it" 'target|done: target reached' \
    "time|done: time is up; \`wick resume e.wick --time T\` gives it more" \
    'exhausted|done: nothing left to try' 'done|done'; do
    rm -rf e.wick
    write_study e.wick "{\"close\":10,\"why\":\"${end%%|*}\"}"
    equals "a study that ended: ${end%%|*}" "$("$WICK" status e.wick | grep ^state)" \
        "state     ${end#*|}"
done
check 'a grid that ended' "$WICK" run --quiet --function noop --set a=1..3 --algorithm grid \
    --dir ended.wick
contains 'its bar is full' "$("$WICK" status ended.wick)" \
    'trials    ########################################  3 of 3'
unseal ended.wick/journal
sed -i 's/"\(open\|time\|close\)":[0-9.e-]*/"\1":0/; s/"close":0/"close":0.003/' ended.wick/journal
contains 'a rate is written out' "$("$WICK" status ended.wick)" '(1000 trials a second)'
check 'status --json' "$WICK" status demo.wick --json
contains 'it has the state' "$OUT" '{"study":"demo","dir":"demo.wick","state":"crashed","why":null,'
contains 'it has the direction' "$OUT" '"objectives":[{"name":"loss","direction":"minimize"}]'
contains 'it has the counts' "$OUT" '"trials":{"budget":10,"started":6,"ended":5,"running":1,"done":3,'
contains 'it has the best' "$OUT" '"best":{"trial":2,"state":"done","score":0.25,'
contains 'it has the times' "$OUT" '"elapsed":10,"rate":0.5,"left":null,"stuck":null,"node_hours":0.002777777777777778,"node_hours_left":0.002777777777777778,"node_hours_of_jobs":null,"failures":[{"trial":4,'

# LAPACK is large, and its run-time library crashes if there is no memory to start it.
equals 'commands that only read load no LAPACK' \
    "$(LD_DEBUG=files "$WICK" status ended.wick 2>&1 >/dev/null | grep -c 'liblapack\|libgfortran')" 0

# ---- watch ----

check 'watch ends when nothing runs' "$WICK" watch e.wick
equals 'it is one line' "$OUT" '5 of 10 trials, 2 failed, best 0.25 in trial 2, done'
refuse 2 'a wrong interval' "wick: '--interval soon': use a time such as 90, 30s, 15m or 1h30m" \
    "$WICK" watch e.wick --interval soon
refuse 2 'no interval' "wick: '--interval 0': use a time from 0.1s to 1d" \
    "$WICK" watch e.wick --interval 0

# ---- best ----

check 'the best' "$WICK" best demo.wick
equals 'its parameters and its command' "$OUT" "\
0.25 in trial 2 of 6 (loss, smaller is better)

parameter  value
lr         0.01235
layers     3
optimizer  sgd
momentum   0.9

metric    value
accuracy  0.875

cd / && echo 'it'\\''s' --lr 0.0123456789 --layers 3 --optimizer sgd --momentum 0.9"
check 'best -k' "$WICK" best demo.wick -k2
equals 'a table' "$OUT" "\
trial  score       lr  layers  optimizer  momentum  accuracy
    2   0.25  0.01235       3  sgd             0.9     0.875
    1    0.5    0.001       1  adam              -         -"
equals 'it says on stderr which way is better' "$ERR" 'wick: loss, smaller is better'
check 'best --command' "$WICK" best demo.wick --command --count=9
equals 'commands, the best first' "$(sed -n 3p <<<"$OUT")" \
    "cd / && echo 'it'\\''s' --lr 0.002 --layers 4 --optimizer adam"
equals 'a shell runs it' "$(sh -c "$("$WICK" best demo.wick --command)")" \
    "it's --lr 0.0123456789 --layers 3 --optimizer sgd --momentum 0.9"
check 'best --json' "$WICK" best demo.wick --json
equals 'one object' "$OUT" '{"trial":2,"state":"done","score":0.25,"started":0,"ended":4,"duration":4,"started_at":"2026-09-21T14:13:20Z","ended_at":"2026-09-21T14:13:24Z","node":"n1","job":null,"worker":2,"tries":1,"processor":3.5,"peak_memory":41000000,"bytes_read":null,"bytes_written":null,"energy":null,"exit_code":0,"signal":null,"reason":null,"params":{"lr":0.0123456789,"layers":3,"optimizer":"sgd","momentum":0.9},"metrics":{"accuracy":0.875}}'
equals 'two objects' "$("$WICK" best demo.wick --json -k 2 | wc -l)" 2
mkdir fresh.wick
head -n 2 demo.wick/journal >fresh.wick/journal
refuse 2 'nothing is best yet' \
    "wick: no trial of fresh.wick has a score yet: see \`wick status fresh.wick\`" \
    "$WICK" best fresh.wick
refuse 2 'best of none' "wick: '--count 0': use a whole number from 1 to 100000" \
    "$WICK" best demo.wick -k 0

# ---- list ----

check 'list' "$WICK" list demo.wick
equals 'a row a trial' "$OUT" "\
trial  state    score    time       lr  layers  optimizer  momentum  reason                  accuracy
    1  done       0.5  2.00 s    0.001       1  adam              -                                 -
    2  done      0.25  4.00 s  0.01235       3  sgd             0.9                             0.875
    3  failed       -  3.00 s      0.1       5  sgd             0.5  \\x1b[31mtoo large\\x07          -
    4  timeout      -  6.00 s     0.01       2  adam              -  longer than 6 s\\x1b[2J         -
    5  done      0.75  1.00 s    0.002       4  adam              -                                 -
    6  running      -       -     0.02       2  adam              -                                 -"
equals 'failures say why before all else' "$("$WICK" list demo.wick --state timeout)" "\
trial  state    reason                    time    lr  layers  optimizer  momentum
    4  timeout  longer than 6 s\\x1b[2J  6.00 s  0.01       2  adam              -"
# order ARGUMENT...: prints the numbers of the trials that list shows, in its order.
order() {
    "$WICK" list demo.wick --json "$@" | sed 's/{"trial":\([0-9]*\).*/\1/' | paste -sd ' '
}
equals 'the best score first, none last' "$(order --sort score)" '2 1 5 3 4 6'
equals 'the longest first' "$(order --sort duration)" '4 2 3 1 5 6'
equals 'in the order of ending' "$(order --sort ended)" '1 2 3 5 4 6'
equals 'by a parameter' "$(order --sort lr)" '1 5 4 2 6 3'
equals 'by the name of the score' "$(order --sort loss)" '2 1 5 3 4 6'
equals 'by a metric, what has none last' "$(order --sort accuracy)" '2 1 3 4 5 6'
equals 'reversed' "$(order -r)" '6 5 4 3 2 1'
equals 'limited' "$(order --limit 2)" '1 2'
equals 'failed is every failure' "$(order --state failed)" '3 4'
equals 'a kind of failure' "$(order --state timeout)" '4'
equals 'several states' "$(order --state 'done' --state running)" '1 2 5 6'
[ -z "$script" ] || equals 'a narrow terminal leaves columns out' \
    "$(NO_COLOR=1 on_terminal 50 list demo.wick --limit 1)" "\
trial  state  score    time     lr  layers
    1  done     0.5  2.00 s  0.001       1
(2 more columns: widen the window)"
equals 'no trials, no table' "$("$WICK" list fresh.wick)" ''
refuse 2 'an unknown state' "wick: '--state dead': use running, done, failed, timeout," \
    "$WICK" list demo.wick --state dead
refuse 2 'an unknown order' \
    "wick: '--sort size': use trial, score, duration, ended, a parameter or a metric" \
    "$WICK" list demo.wick --sort size
refuse 2 'an order that is nearly right' "wick: '--sort accurcy': did you mean 'accuracy'?" \
    "$WICK" list demo.wick --sort accurcy
refuse 2 'a state that is nearly right' "wick: '--state interupted': did you mean 'interrupted'?" \
    "$WICK" list demo.wick --state interupted
[ -z "$script" ] || equals 'a terminal that is not wide enough has no metrics' \
    "$(NO_COLOR=1 on_terminal 100 list demo.wick --limit 4 | sed -n 4p)" \
    '    3  failed       -  3.00 s      0.1       5  sgd             0.5  \x1b[31mtoo large\x07'

# ---- show ----

check 'show a trial that is done' "$WICK" show demo.wick 2
equals 'everything' "$OUT" "\
trial       2 of demo
state       done
score       0.25
time        4.00 s, from 2026-09-21T14:13:20Z on worker 2 of n1
exit code   0
processor   3.50 s
memory      39.1 MiB

parameters
  lr         0.0123456789
  layers     3
  optimizer  sgd
  momentum   0.9

metrics
  accuracy   0.875

command
  cd / && echo 'it'\\''s' --lr 0.0123456789 --layers 3 --optimizer sgd --momentum 0.9

output      not kept (use keep: all)"
check 'show a trial that failed' "$WICK" show demo.wick 3
contains 'its output cannot steer the terminal' "$OUT" "
output
10%
20%
\\x1b[31mtoo large\\x07"
check 'show a trial that was retried' "$WICK" show demo.wick 5
contains 'its tries are counted' "$OUT" 'tries       2'
check 'show a trial that was ended' "$WICK" show demo.wick 4
contains 'its signal is named' "$OUT" 'signal      15 (Terminated)'
contains 'its reason cannot steer the terminal' "$OUT" 'timeout: longer than 6 s\x1b[2J'
check 'show a trial that runs' "$WICK" show demo.wick 6
contains 'it has no end' "$OUT" 'time        from 2026-09-21T14:13:30Z on worker 2'
equals 'show --log is the output as it was' "$("$WICK" show demo.wick 3 --log | od -An -c | tr -d ' \n')" \
    '10%\r20%\r\n033[31mtoolarge\a\n'
if [ -n "$script" ]; then
    contains 'show --log cannot steer a terminal' "$(on_terminal 80 show demo.wick 3 --log)" '20%
\x1b[31mtoo large\x07'
    lacks 'nor show --follow' "$(on_terminal 80 show demo.wick 3 --follow)" $'\033[31m'
fi
mkdir demo.wick/logs
printf 'kept' >demo.wick/logs/3.log
equals 'a kept file has more' "$("$WICK" show demo.wick 3 --log)" kept
check 'show --json' "$WICK" show demo.wick 3 --json
contains 'it has the output' "$OUT" '"metrics":{},"log":"kept"'
check 'show needs no folder' env -C demo.wick "$WICK" show 1
refuse 2 'a trial that is not there' 'wick: there is no trial 7: demo.wick has 6' \
    "$WICK" show demo.wick 7
refuse 2 'not a trial' "wick: 'best' is not a trial: trials are numbered from 1" \
    "$WICK" show demo.wick best
refuse 2 'show without a trial' \
    'wick: missing argument: wick show [DIR] TRIAL [--follow | --log | --json]' "$WICK" show
refuse 2 'show of a study' 'wick: missing trial number: wick show demo.wick 1' \
    "$WICK" show demo.wick
refuse 2 'sql of a study' 'wick: missing query: wick sql demo.wick "select' "$WICK" sql demo.wick
check 'follow a trial that has ended' "$WICK" show demo.wick 3 --follow
equals 'its output' "$OUT" kept
equals 'and its end' "$ERR" 'wick: trial 3: failed'

# ---- sql, export, report ----

check 'sql' "$WICK" sql demo.wick 'select state, count(*) as n from trials group by state order by n, 1'
equals 'its rows' "$(tail -n 1 <<<"$OUT" | tr -s ' ')" 'done 3'
check 'sql --format csv' "$WICK" sql demo.wick 'select trial, score from trials limit 1' --format csv
equals 'a title and a row' "$(tr -d '\r' <<<"$OUT")" 'trial,score
1,0.5'
check 'sql --format json' "$WICK" sql --format=json demo.wick 'select trial, score from trials limit 1'
equals 'an object' "$(tr -d ' ' <<<"$OUT")" '{"trial":1,"score":0.5}'
refuse 2 'a query that SQLite does not like' 'no such column: scores' \
    "$WICK" sql demo.wick 'select scores from trials'
refuse 2 'a query that writes' '' "$WICK" sql demo.wick 'delete from trials'
check 'export writes CSV' "$WICK" export demo.wick
equals 'a title and a row a trial' "$(wc -l <<<"$OUT")" 7
for form in csv json db; do
    check "the name of a file tells its form: $form" "$WICK" export demo.wick -o "trials.$form"
    equals "it says what it wrote: $form" "$ERR" "wick: 6 trials in trials.$form"
done
check 'a file without an ending is CSV' "$WICK" export demo.wick -o ./trials
check 'a file that is called -' "$WICK" export demo.wick --format csv -o -
equals 'is the screen' "$OUT" "$("$WICK" export demo.wick)"
equals 'and no file' "$(ls -- -* 2>/dev/null)" ''
equals 'as on the screen' "$(cat trials)" "$("$WICK" export demo.wick)"
refuse 2 'an ending that says nothing' \
    "wick: cannot tell the format from 'x.xlsx': use .csv, .json, .sqlite or .db, or add" \
    "$WICK" export demo.wick -o x.xlsx
check 'unless the form is told' "$WICK" export demo.wick -o x.xlsx --format csv
equals 'CSV in a file' "$(cat trials.csv)" "$OUT$("$WICK" export demo.wick)"
contains 'JSON in a file' "$(head -c 20 trials.json | tr -d ' \n')" '{"study":'
equals 'a database in a file' "$(head -c 15 trials.db)" 'SQLite format 3'
refuse 2 'a database on the screen' 'wick: a database needs a file: add -o results.db' \
    "$WICK" export demo.wick --format sqlite
refuse 2 'an unknown form' "wick: '--format xml': use csv, json or sqlite" \
    "$WICK" export demo.wick --format xml
check 'report' "$WICK" report demo.wick
equals 'it says where it is' "$OUT" demo.wick/report.html
contains 'it is a page' "$(head -c 15 demo.wick/report.html)" '<!'
refuse 1 'a report that cannot be written' 'wick: cannot write /no/where' \
    "$WICK" report demo.wick -o /no/where

# ---- a parameter file ----

printf '%s\n' '{"id":"run7","x":1}' '{"id":"run8","x":2}' '{"x":3}' >points.txt
check 'a parameter file runs' "$WICK" upf points.txt --no-report -n 1 --score loss --dir upf.wick -- \
    sh -c '[ "$RUNID" != run8 ] || exit 4; echo "loss: $2"' me
contains 'failures have the id' "$ERR" 'trial 2 (id run8): exit code 4'
contains 'so has the best' "$OUT" 'best     trial 1 (id run7), loss 1'
equals 'list' "$("$WICK" list upf.wick | sed 's/ *[0-9.]* s / T /' | tr -s ' ')" "\
trial id state score time x reason
 1 run7 done 1 T 1
 2 run8 failed - T 2 exit code 4
 3 2 done 3 T 3"
contains 'list --json' "$("$WICK" list upf.wick --json)" '{"trial":1,"id":"run7","state":"done",'
contains 'show' "$("$WICK" show upf.wick 2)" 'id          run8'
contains 'status' "$("$WICK" status upf.wick)" 'failures  trial 2 (id run8): exit code 4'
contains 'best' "$("$WICK" best upf.wick)" '1 in trial 1 (id run7) of 3'
equals 'best -k' "$("$WICK" best upf.wick -k 2 | tail -n 1 | tr -s ' ')" ' 3 2 3 3'
equals 'CSV' "$("$WICK" export upf.wick | cut -d , -f 1-3 | tr -d '\r' | paste -sd ' ')" \
    'trial,id,state 1,run7,done 2,run8,failed 3,2,done'
contains 'JSON' "$("$WICK" export upf.wick --format json)" '{"trial":2,"id":"run8","state":"failed",'
equals 'SQL' "$("$WICK" sql upf.wick --format csv "select trial, x from trials where id = 'run8'" |
    tr -d '\r' | tail -n 1)" '2,2'
contains 'an event of a run' "$("$WICK" upf points.txt --json --score loss --dir upf2.wick -- \
    sh -c 'echo "loss: 1"')" '"trial":1,"id":"run7","state":"done"'

# ---- check ----

cat >good.yaml <<'END'
name: good
model: {command: echo hello, score: loss, timeout: 90, retries: 2, memory: 2G, folder: /}
space:
  lr: {log: [1e-5, 1e-1], default: 1e-3}
  layers: {int: [1, 5]}
  optimizer: {choice: [sgd, adam]}
  momentum: {float: [0.5, 0.99], when: {optimizer: sgd}}
search: {trials: 200, seed: 3, time: 2h, target: 0.01, workers: 4}
END
check 'a good study' "$WICK" check good.yaml
equals 'what it will do' "$OUT" "\
study     good: no mistakes
program   echo hello --NAME VALUE ...
folder    /
score     loss, smaller is better
limits    90 s and 2 GiB per trial; failed trials are tried 2 more times
keep      failed: the output of trials that fail, and of the best
search    auto, seed 3
budget    200 trials, or 2 h 0 min, or a score of 0.01
workers   4 trials at a time
size      infinite: it has a float without a step
first     cd / && echo hello --lr 0.001 --layers 3 --optimizer sgd --momentum 0.745

parameter  kind    range              default  when
lr         float   1e-05 .. 0.1, log  0.001
layers     int     1 .. 5
optimizer  choice  sgd, adam
momentum   float   0.5 .. 0.99                 optimizer is sgd"
check 'words override the file' "$WICK" check good.yaml --trials 7 --set layers=1,2 -n 2
contains 'the budget is that of the words' "$OUT" 'budget    7 trials'
contains 'so are the workers' "$OUT" 'workers   2 trials at a time'
check 'words alone' "$WICK" check --set a=1..3 --set b=x,y --algorithm grid -- echo hello
contains 'a grid knows its size' "$OUT" 'size      6 combinations'
contains 'and its budget' "$OUT" 'budget    6 trials'
contains 'and its first command' "$OUT" '&& echo hello --a 1 --b x'
check 'a grid over floats' "$WICK" check --set a=0.5..1 --set b=x,y --algorithm grid --levels 5 \
    -- echo hello
contains 'its size is that of the grid' "$OUT" 'size      10 points on the grid'
contains 'its levels are shown' "$OUT" '0.5 .. 1, 5 levels'
check 'one combination' "$WICK" check --set a=1 --trials 1 -- echo hello
contains 'is one' "$OUT" 'size      1 combination'
cat >full.yaml <<'END'
model: {command: echo hello, score: loss, metrics: [f1, auc], env: {A: 1, B: two}, cores: 1}
space: {a: {int: [1, 5]}, b: {choice: [x, y]}}
forbid: [{a: 1, b: x}, {a: [2, 3]}]
keep: all
END
check 'a study that says much' "$WICK" check full.yaml
contains 'all of it is shown' "$OUT" "\
metrics   f1, auc
cores     1 per trial
env       A=1
          B=***
keep      all: the output of every trial"
contains 'also what is forbidden' "$OUT" "\
forbid    a is 1 and b is x
          a is 2 or 3"
equals 'nothing is to be noted' "$ERR" ''
check 'a note' "$WICK" check --trials 1 --set drop=0..1 --set n=0..9 --folder / -- echo {drop} {n}
equals 'is on stderr' "$ERR" 'note: drop is a whole number, 0 or 1; write 0..1.0 for a float'
check 'not when it is to be quiet' "$WICK" run --quiet --no-report --trials 1 --function noop \
    --set drop=0..1 --dir noted.wick
lacks 'there is no note' "$ERR" note:
CUDA_VISIBLE_DEVICES= check 'more than the machine has' \
    "$WICK" check --trials 1 --set x=1..9 --cores 5000 --gpus 1 -- echo
contains 'cores are noted' "$ERR" 'note: a trial needs 5000 cores, but this machine has only '
contains 'GPUs are noted' "$ERR" 'note: the study asks for 1 GPU per trial, but this machine has none'
printf 'model: {command: echo, score: loss}\nspace: {x: {float: [0, 1]}}\nsearch: {trails: 3}\nmodle: 3\n' >bad.yaml
refuse 2 'all mistakes at once' '2 mistakes in bad.yaml' "$WICK" check bad.yaml
contains 'each with its place' "$ERR" "\
wick: bad.yaml:3:10: unknown key 'trails': did you mean 'trials'?
  3 | search: {trails: 3}
    |          ^"
refuse 2 'a mistake in a word shows the word' "
    | --trials many
    |          ^" "$WICK" check good.yaml --trials many
refuse 2 'nothing to check' \
    "wick: nothing to run: give a study file or '-- COMMAND'" "$WICK" check
refuse 2 'a study that is not there' 'nowhere.yaml' "$WICK" check nowhere.yaml

# ---- wrong words ----

refuse 2 'an unknown command' "wick: unknown command 'stats': did you mean 'status'?" "$WICK" stats
refuse 2 'a command like no other' "wick: unknown command 'xyzzy': \`wick help\` lists the commands" \
    "$WICK" xyzzy
refuse 2 'an option before the command' \
    "wick: the option '--json' must follow a command: see \`wick help\`" "$WICK" --json
refuse 2 'an unknown option' "wick: unknown option '--trails': did you mean '--trials'?" \
    "$WICK" run --trails 3
refuse 2 'an option of another command' "wick: \`wick upf\` has no option '--set', but \`wick run\` does" \
    "$WICK" upf points.txt --set x=1 -- true
refuse 2 'an option like no other' \
    "wick: unknown option '--xyzzy': \`wick best --help\` lists the options" "$WICK" best --xyzzy=1
refuse 2 'an unknown letter' "wick: unknown option '-z': \`wick best --help\` lists the options" \
    "$WICK" best -z
refuse 2 'an option without its value' "wick: '--trials' needs a value: --trials N" \
    "$WICK" run --trials
refuse 2 'an option in place of a value' "wick: '--trials' needs a value: --trials N" \
    "$WICK" run --trials --seed 3
refuse 2 'a value that is too much' "wick: '--json' takes no value" "$WICK" list --json=yes
refuse 2 'an option twice' "wick: '--limit' was given twice" "$WICK" list --limit 1 --limit 2
refuse 2 'a word too many' "wick: unexpected argument 'b': wick status [DIR] [--json]" \
    "$WICK" status a b
refuse 2 'a command without --' "wick: unexpected argument 'train.py': a command must follow '--'" \
    "$WICK" run python3 train.py
refuse 2 'nothing after --' "wick: the command after '--' is missing" "$WICK" run --
mkdir -- -odd.wick
cp demo.wick/journal -- -odd.wick
check '-- ends the options' "$WICK" status -- -odd.wick

# ---- output that goes nowhere ----

refuse 1 'a full disk' 'wick: cannot write the output: No space left on device' \
    sh -c "'$WICK' list demo.wick >/dev/full"
refuse 1 'a full disk, written directly' 'No space left on device' \
    sh -c "'$WICK' export demo.wick >/dev/full"
equals 'a reader that has enough is no error' \
    "$( (trap '' PIPE; "$WICK" list demo.wick 2>&1 >&3 | cat) 3> >(:) )" ''
equals 'colours stay off in a pipe' "$(TERM=xterm "$WICK" status demo.wick | tr -cd '\033')" ''
if [ -n "$script" ]; then
    contains 'a terminal has colours' "$(on_terminal 80 status demo.wick)" $'\033[31mcrashed\033[0m'
    contains 'NO_COLOR turns them off' "$(NO_COLOR=1 on_terminal 80 status demo.wick)" 'state     crashed:'
    contains 'so does a dumb terminal' "$(script -qec "TERM=dumb $WICK status demo.wick" /dev/null)" 'state     crashed:'
fi
equals 'a pipe is never narrow' "$(COLUMNS=40 "$WICK" list demo.wick)" "$("$WICK" list demo.wick)"

# ---- a real study ----

check 'a real study runs' "$WICK" run --function branin --trials 20 --seed 5 -n 2 --dir real.wick
check 'its status' "$WICK" status real.wick
contains 'it is done' "$OUT" 'state     done'
contains 'all trials are' "$OUT" '20 done'
check 'its best' "$WICK" best real.wick
contains 'a function is called' "$OUT" 'branin('
refuse 2 'a function has no command' \
    "wick: real.wick has no command: its model is the function 'branin'" \
    "$WICK" best real.wick --command
equals 'list and export agree' "$("$WICK" list real.wick --json)" \
    "$("$WICK" export real.wick --format json | grep '^{"trial"' | sed 's/[],}]*$/}}/')"
equals 'list and best agree' "$("$WICK" list real.wick --sort score --limit 1 --json)" \
    "$("$WICK" best real.wick --json)"

"$WICK" run --quiet --no-report --trials 6 -n 1 --set x=0.5..1 --dir live.wick \
    -- sh -c '[ "$WICK_TRIAL" -lt 4 ] || until [ -e watched ]; do sleep 0.02; done; echo score: 1' &
runner=$!
live_runs() { [[ $("$WICK" status live.wick --json 2>&1) == *'"state":"running"'* ]]; }
await live_runs
"$WICK" watch live.wick --interval 0.1 >watch.out 2>&1 &
watcher=$!
await grep -q ' of 6 trials' watch.out
touch watched
check 'watch follows a run to its end' wait $watcher
check 'it has shown it under way' grep -q '^[0-5] of 6 trials' watch.out
equals 'its last line is the end' "$(tail -n 1 watch.out)" \
    '6 of 6 trials, best 1 in trial 1, done'
check 'the run was not disturbed' wait $runner

"$WICK" run --quiet --no-report --trials 1 -n 1 --set x=1 --keep all --pass none --dir long.wick -- \
    sh -c 'echo first; printf "sec"; while [ ! -e go ]; do sleep 0.05; done
           printf "ond\nscore: 1"' &
runner=$!
printed() { "$WICK" show long.wick 1 --log 2>/dev/null | grep -q '^sec'; }
await printed
"$WICK" show long.wick 1 --follow >followed 2>ended &
follower=$!
await test -s followed
equals 'follow shows whole lines while a trial runs' "$(cat followed)" first
equals 'a trial that runs has a time in list' \
    "$("$WICK" list long.wick | grep -Ec 'running +- +[0-9.]+ s\+')" 1
equals 'and in show' "$("$WICK" show long.wick 1 | grep -Ec '^time +[0-9.]+ s so far, from ')" 1
contains 'show has the output so far' "$("$WICK" show long.wick 1)" "
output
first
sec"
touch go
check 'follow ends with the trial' wait $follower
equals 'with all of its output' "$(cat followed)" "first
second
score: 1"
equals 'and says how it ended' "$(cat ended)" 'wick: trial 1: done'
wait $runner
finish
