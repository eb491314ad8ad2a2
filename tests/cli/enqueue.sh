#!/usr/bin/env bash
# wick enqueue: points of the user's, before, during and after a run.
. "$(dirname "$0")/lib.sh"

cat >study.yaml <<'YAML'
name: s
model: {function: sleep}
space:
  seconds: {float: [0.05, 0.1]}
  layers: {int: [1, 9], default: 4}
  optimizer: {choice: [sgd, adam]}
  momentum: {float: [0, 1], when: {optimizer: sgd}}
forbid:
- {layers: 9, optimizer: adam}
search: {algorithm: random, trials: 4, workers: 2, seed: 7}
YAML
started() { records "$1" | grep -o '"queued":.*' | sed 's/}$//'; }

check 'a study' "$WICK" run study.yaml -q --no-report --dir a

# ---- after it ----
check 'a point' "$WICK" enqueue a layers=7 optimizer=adam seconds=0.05
equals 'is shown as it will be tried' "$OUT" '{"seconds":0.05,"layers":7,"optimizer":"adam"}'
contains 'and when' "$ERR" "\`wick resume a\` will try it first"
check 'what is missing is filled in' "$WICK" enqueue a --json '{"momentum": 0.25}' --json '{"layers": 1, "seconds": 0.06}'
equals 'by defaults, else the middle or the first value' "$OUT" \
    '{"seconds":0.075,"layers":4,"optimizer":"sgd","momentum":0.25}
{"seconds":0.06,"layers":1,"optimizer":"sgd","momentum":0.5}'
check 'points from the input' bash -c 'printf "{\"layers\": 2}\n\n{\"layers\": 3}\n" | "$1" enqueue a -' - "$WICK"
equals 'one a line' "$(wc -l <<<"$OUT")" 2
equals 'all of them wait' "$(wc -l <a/queue)" 5
contains 'status tells of them' "$("$WICK" status a)" "5 points; \`wick resume a\` will try them first"
contains 'also as JSON' "$("$WICK" status a --json)" '"queued":5'
check 'they are tried beyond the budget' "$WICK" resume a -q --no-report
equals 'in their order' "$(started a | cut -c1-10 | tr '\n' ' ')" '"queued":1 "queued":2 "queued":3 "queued":4 "queued":5 '
equals 'with their parameters' "$(started a | head -n 1)" \
    '"queued":1,"params":{"seconds":0.05,"layers":7,"optimizer":"adam"}'
check 'none is tried twice' "$WICK" resume a
contains 'since all are used' "$OUT" 'complete with 9 trials'
lacks 'and status tells of none' "$("$WICK" status a)" queued

# ---- rejected points, which change nothing ----
cp a/queue before
refuse 2 'a wrong name' "did you mean 'layers'" "$WICK" enqueue a lyers=3
refuse 2 'a wrong word' "did you mean 'adam'" "$WICK" enqueue a optimizer=adma
refuse 2 'a number beyond the range' 'a whole number from 1 to 9' "$WICK" enqueue a layers=10
refuse 2 'half a layer' 'a whole number from 1 to 9' "$WICK" enqueue a layers=1.5
refuse 2 'a word for a number' 'a number from 0.05 to 0.1' "$WICK" enqueue a seconds=many
refuse 2 'NaN' 'a number from 0.05 to 0.1' "$WICK" enqueue a seconds=nan
refuse 2 'a name twice' 'given twice' "$WICK" enqueue a layers=1 layers=2
refuse 2 'no value' 'is not name=value' "$WICK" enqueue a layers
refuse 2 'what has no meaning here' "'momentum' is not used with this value of 'optimizer'" \
    "$WICK" enqueue a optimizer=adam momentum=0.5
refuse 2 'a forbidden combination' 'forbids this combination' "$WICK" enqueue a layers=9 optimizer=adam
refuse 2 'no JSON' 'JSON' "$WICK" enqueue a --json '{"layers": '
refuse 2 'a list' 'a point is a JSON object' "$WICK" enqueue a --json '[1]'
refuse 2 'a wrong name in JSON' "did you mean 'layers'" "$WICK" enqueue a --json '{"leyers": 1}'
refuse 2 'a wrong value in JSON' "parameter 'layers' cannot be 10: it is a whole number from 1 to 9" "$WICK" enqueue a --json '{"layers": 10}'
refuse 2 'one bad line of many' 'line 2 of the input' \
    bash -c 'printf "{\"layers\": 1}\n{\"layers\": 99}\n" | "$1" enqueue a -' - "$WICK"
refuse 2 'nothing' 'no point to queue' "$WICK" enqueue a
refuse 2 'no study' "there is no folder 'nowhere': start the study first" "$WICK" enqueue nowhere layers=1
refuse 2 'half a point in JSON' 'not both' "$WICK" enqueue a --json '{"seconds": 0.06}' layers=2
refuse 2 'half a point in the input' 'not both' "$WICK" enqueue a - layers=2
check 'nothing of it was queued' cmp a/queue before

# ---- while it runs ----
"$WICK" run study.yaml -q --no-report --trials 100000 --dir b &
pid=$!
await test -s b/journal
check 'a point for a study that runs' "$WICK" enqueue b layers=8 optimizer=sgd momentum=0.125
contains 'comes next' "$ERR" 'the running study will try it next'
check 'it is tried soon' wait_until grep -q '"queued":1,.*"momentum":0.125' b/journal
kill -KILL $pid
wait $pid 2>/dev/null
"$WICK" enqueue b layers=5 momentum=0.5 2>/dev/null >&2
printf '{"layers": 6, "mom' >>b/queue # a writer that was killed
check 'after a kill it goes on' timeout 180 "$WICK" resume b -q --no-report --trials "$(grep -c '"params"' b/journal)"
equals 'a point is used once' "$(grep -c '"queued":1,' b/journal)" 1
equals 'the next as well' "$(grep -c '"queued":2,' b/journal)" 1
equals 'half a line is not' "$(grep -c '"queued":3,' b/journal)" 0
check 'the next writer' "$WICK" enqueue b layers=3
equals 'cuts it off' "$(wc -l <b/queue)" 3
check 'and all goes on' "$WICK" resume b -q --no-report
equals 'with the third' "$(grep -c '"queued":3,.*"layers":3' b/journal)" 1

# A resume does not disturb the search: it gives the points that it would have given.
own() { records "$1" | grep '"params"' | grep -v queued | sed 's/.*"params"://' | head -n 30; }
check 'a run without a queue' "$WICK" run study.yaml -q --no-report --trials 30 --dir calm
equals 'has the same points of the search' "$(own b)" "$(own calm | head -n "$(own b | wc -l)")"

# ---- many writers, and kills ----
# Trials above a certain number wait, so that each run has something left when it is killed.
cat >held.yaml <<'YAML'
model: {command: 'sh held.sh', pass: none}
space: {layers: {int: [1, 9]}}
search: {algorithm: random, trials: 1, workers: 2, seed: 7}
YAML
echo 'while [ "$WICK_TRIAL" -gt "$(cat allowed)" ]; do sleep 0.02; done; sleep 0.05; echo score: 1' >held.sh
allow() { echo "$1" >allowed.new && mv allowed.new allowed; }
allow 1
"$WICK" run held.yaml -q --no-report --dir m
for i in $(seq 40); do
    "$WICK" enqueue m layers=$((i % 8 + 1)) >/dev/null 2>&1 &
done
wait
equals 'writers at the same time do not mix' "$(grep -c '^{.*}$' m/queue)" 40
RANDOM=${SEED:-$$}
echo "# SEED=${SEED:-$$}"
grown() { [ "$(wc -l <m/journal)" -gt "$1" ]; }
kills=$(((KILLS + 3) / 4 < 8 ? (KILLS + 3) / 4 : 8)) # each begins some of the 40 points
for ((i = 0; i < kills; i++)); do
    lines=$(wc -l <m/journal)
    allow $((1 + 4 * (i + 1)))
    "$WICK" resume m -q --no-report >/dev/null 2>&1 &
    pid=$!
    [ $((i % 2)) = 0 ] || await grown "$lines"
    sleep "0.$(printf %02d $((RANDOM % 15 + 5)))"
    kill -KILL $pid 2>/dev/null
    wait $pid 2>/dev/null
done
allow 1000
check "after $kills kills" timeout 600 "$WICK" resume m -q --no-report
equals 'each point was started once' "$(grep -o '"queued":[0-9]*' m/journal | sort -u | wc -l)" 40
equals 'and none twice' "$(grep -c '"queued":' m/journal)" 40

# ---- with wick asktell ----
echo 'space: {x: {int: [0, 9]}}' >asked.yaml
check 'asktell' bash -c 'echo "{\"ask\": 1}" | "$1" asktell asked.yaml --dir k' - "$WICK"
check 'takes points' "$WICK" enqueue k x=7
contains 'when it goes on' "$ERR" "\`wick asktell k\` will try it first"
check 'and gives them out after what was asked before' bash -c 'echo "{\"ask\": 2}" | "$1" asktell k' - "$WICK"
contains 'with the next number' "$OUT" '{"id":2,"params":{"x":7}}'

# ---- a parameter file ----
printf '{"id": "a", "x": 1}\n' >points.txt
check 'a parameter file' "$WICK" upf points.txt -q --no-report --dir f -- echo score=1
refuse 2 'takes no other points' 'only the lines of its parameter file' "$WICK" enqueue f x=1

# ---- a queue that is no file of points ----
check 'a study' "$WICK" run study.yaml -q --no-report --dir odd
mkfifo odd/queue
check 'a pipe as the queue: status does not wait for it' timeout 180 "$WICK" status odd
contains 'and says what is wrong' "$OUT" 'queued    none of odd/queue: it is not a regular file; remove it'
check 'nor does a run' timeout 180 "$WICK" resume odd -q --no-report --trials 6
equals 'which says so once' "$ERR" 'note: no points are taken from odd/queue: it is not a regular file; remove it'
refuse 1 'and no point goes in' 'odd/queue: it is not a regular file' timeout 180 "$WICK" enqueue odd layers=1
rm odd/queue
truncate -s 300M odd/queue # one line of zeros that does not end
check '300 MB without a newline: status does not wait for it' timeout 180 "$WICK" status odd
contains 'and says so' "$OUT" 'queued    none of odd/queue: its last line is longer than 1 MiB; remove that line'
check 'nor does a run' timeout 180 "$WICK" resume odd -q --no-report --trials 8
contains 'which says so, too' "$ERR" 'note: no points are taken from odd/queue: its last line'
check 'a point takes the place of what no newline ends' timeout 180 "$WICK" enqueue odd layers=1
equals 'alone' "$(wc -l <odd/queue)" 1

# ---- other files of the study folder ----
# odd FILE: a pipe, a folder and an endless device in its place; no command waits for it or grows.
odd() {
    local file=$1 kind command
    for kind in pipe folder device; do
        rm -rf strange && cp -r odd strange && rm -rf strange/$file
        case $kind in
            pipe) mkfifo strange/$file ;;
            folder) mkdir -p strange/$file/x ;;
            device) ln -s /dev/zero strange/$file ;;
        esac
        for command in 'status strange' 'top strange --once' 'show strange 1' 'enqueue strange layers=1' \
            'stop strange' 'resume strange -q --no-report --trials 10'; do
            timeout 60 bash -c 'ulimit -v 4000000; exec "$@"' sh "$WICK" $command >out 2>&1 </dev/null
            code=$?
            [ $code -le 2 ] || echo "$command with a $kind as $file: $code $(tail -n 1 out)"
        done
    done
}
[ -n "$SANITIZE" ] && ulimit() { :; } && export -f ulimit # they map terabytes
for file in lock jobs stop look journal tmp logs study.yaml job.sh; do
    equals "whatever is in place of $file, nothing hangs" "$(odd $file)" ''
done
mkfifo fifo.yaml && cp study.yaml edited.yaml
check 'a study' "$WICK" run edited.yaml -q --no-report --dir edited
mv fifo.yaml edited.yaml
check 'a pipe in place of its study file is not waited for' timeout 60 "$WICK" resume edited -q --no-report --trials 10

finish
