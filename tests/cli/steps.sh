#!/usr/bin/env bash
# Trials that report steps, and the stopper that ends them: files, options, and what a user sees.
. "$(dirname "$0")/lib.sh"

count() { "$WICK" sql "$1" --format csv "select count(*) from trials where $2" | tail -n 1 | tr -d '\r'; }
steps() { grep -c "^{\"step\":$2," "$1/journal"; }

# wrong_lines DIR: prints the records of the journal, with their line numbers, that are wrong. The
# steps of a trial are 1, 2, 3, ..., even across a pause, after which it continues as its next try;
# those of a done trial end at 27.
wrong_lines() {
    awk -F'[:,]' '
        function wrong() { print FNR ": " $0 " after step " last[$2] + 0 }
        /^{"step":/ { n = $0; sub(/.*"n":/, "", n); if (n + 0 != last[$2] + 1) wrong(); last[$2] = n + 0 }
        /^{"end":/ && /"state":"done"/ && last[$2] != 27 { wrong() }' "$1/journal"
}

cat >study.yaml <<'END'
model: {function: curves}
space:
  learning_rate: {log: [1e-4, 1]}
  decay: {log: [1e-6, 1e-1]}
  units: {int: [16, 64], log: true}
  optimizer: {choice: [sgd, adam]}
  epochs: 27
search: {algorithm: random, trials: 30, workers: 3}
END

check 'a study with a stopper' "$WICK" run study.yaml --dir a --seed 14 --stop asha --no-report
contains 'it says which' "$ERR" 'random search for the smallest score with asha'
contains 'and how many were stopped' "$OUT" ' stopped) in '
equals 'all trials have ended' "$(count a "state in ('done', 'stopped')")" 30
equals 'no step is lost' "$(wrong_lines a)" ''
equals 'nor when a paused trial goes on, as some do' "$(($(grep -c '^{"start":.*"try":2' a/journal) > 0))" 1
equals 'most trials were stopped' "$(($(count a "state = 'stopped'") > 10))" 1
contains 'status counts them' "$("$WICK" status a)" ' stopped'
contains 'the list has their scores and reasons' "$("$WICK" list a --state stopped)" 'stopped by asha at step '
stopped=$("$WICK" list a --state stopped | awk 'NR == 2 {print $1}')
equals 'show says once that it was stopped' \
    "$("$WICK" show a "$stopped" | grep -c '^state  *stopped by asha at step [0-9]*$')" 1
contains 'so has JSON' "$("$WICK" list a --state stopped --json)" '"reason":"stopped by asha at step '

id=$("$WICK" sql a --format csv "select trial from trials where state = 'done'" | sed -n 2p | tr -d '\r')
check 'show' "$WICK" show a "$id"
contains 'lists steps' "$OUT" '(some of 27; --json has all)'
equals 'JSON has all' "$("$WICK" show a "$id" --json | grep -o '"step":' | wc -l)" 27
stopped=$("$WICK" sql a --format csv "select trial from trials where state = 'stopped'" | sed -n 2p | tr -d '\r')
score=$("$WICK" list a --json | grep "^{\"trial\":$stopped," | sed 's/.*"score":\([^,]*\),.*/\1/')
contains 'the score of a stopped trial is its last value' \
    "$(records a | grep "^{\"step\":$stopped," | tail -n 1)" "\"value\":$score}"

sed 's/trials: 30/trials: 12, stop: {median: {after: 2, from: 3}}/' study.yaml >median.yaml
check 'check takes it' "$WICK" check median.yaml
contains 'and says what it will do' "$OUT" 'median, from 3, after 2, percentile 50'
check 'a study file with a stopper' "$WICK" run median.yaml --dir c --no-report
equals 'no step is lost' "$(wrong_lines c)" ''
check 'it goes on after a resume' "$WICK" resume c --trials 30 --no-report --quiet
equals 'with all trials' "$(count c "state in ('done', 'stopped')")" 30
contains 'by the same stopper' "$("$WICK" list c --state stopped)" 'stopped by median at step '
check 'another one on the command line' "$WICK" run median.yaml --stop patience:steps=2,by=0.05 \
    --dir d --no-report --quiet
contains 'is used' "$("$WICK" list d)" 'stopped by patience at step '
contains 'the best may be one that was stopped' "$("$WICK" best d)" 'trial'
check 'none' "$WICK" run median.yaml --stop none --dir e --no-report --quiet
equals 'stops nothing' "$(count e "state = 'done'")" 12
equals 'and all steps are there' "$(steps e 7)" 27

refuse 2 'an unknown stopper' "unknown stopper 'ahsa': did you mean 'asha'?" \
    "$WICK" run --function curves --stop ahsa
refuse 2 'an unknown option' "asha has no option 'eta': use 'reduction'" \
    "$WICK" run --function curves --stop asha:eta=4
refuse 2 'an option without a value' "'reduction' has no value" \
    "$WICK" run --function curves --stop asha:reduction
refuse 2 'a reproducible study' "'stop' does not go with 'reproducible'" \
    "$WICK" run --function curves --stop asha --search reproducible=true
refuse 2 'a function without steps' "the function 'branin' has no steps to stop at" \
    "$WICK" run --function branin --stop asha

# Metrics that were reported by step stay with a trial that ends with a result or prints a number.
cat >metrics.sh <<'END'
"$1" trial report 1 loss=0.9 accuracy=0.1 rate=0.5
"$1" trial report 2 loss=0.8 accuracy=0.2 size=7
case $2 in
printed) echo 'loss: 0.75' ;;
result) "$1" trial result loss=0.75 accuracy=0.25 ;;
none) ;;
esac
END
check 'a metric of the last step' "$WICK" run --set 'end=printed,result,none' --algorithm grid --score loss \
    --dir metrics --workers 1 --no-report -- bash metrics.sh "$WICK" '{end}'
contains 'is on the screen' "$OUT" 'accuracy 0.2, size 7'
for row in '1|0.75|{"accuracy":0.2,"size":7}' '2|0.75|{"loss":0.75,"accuracy":0.25,"size":7}' \
    '3|0.8|{"loss":0.8,"accuracy":0.2,"size":7}'; do
    IFS='|' read -r id score metrics <<<"$row"
    contains "trial $id has its score" "$("$WICK" show metrics "$id" --json)" "\"score\":$score,"
    contains 'and those metrics of its last step that its result lacks' "$("$WICK" show metrics "$id" --json)" \
        "\"metrics\":$metrics"
done
contains 'best shows them' "$("$WICK" best metrics)" 'accuracy'
contains 'list shows them' "$("$WICK" list metrics | head -n 1)" 'accuracy  size'
contains 'export has them' "$("$WICK" export metrics --format csv | head -n 1)" ',accuracy,size,loss'

[ -n "$(mpis_here)" ] || skip_part 'no MPI: steps under mpirun are not tested'
for mpi in $(mpis_here); do
    read -ra start <<<"$(mpirun_of "$mpi" 5)"
    check "$mpi: a study with a stopper" "${start[@]}" "$WICK" run study.yaml --dir "$mpi" \
        --seed 14 --stop asha --servers 2 --no-report --quiet
    equals "$mpi: all trials have ended" "$(count "$mpi" "state in ('done', 'stopped')")" 30
    equals "$mpi: no step is lost" "$(wrong_lines "$mpi")" ''
    equals "$mpi: most trials were stopped" "$(($(count "$mpi" "state = 'stopped'") > 10))" 1
done

# ---- a stopper that has nothing to compare ----
check 'trials without steps run' "$WICK" run --dir silent --set x=1..9 --trials 3 -n 1 --pass none \
    --stop asha --no-report -- echo score: 1
equals 'it is noted once' "$(grep -c 'reported no step with its score, so asha could not' <<<"$ERR")" 1
check 'trials with steps run' "$WICK" run --dir heard --function curves --stop asha --trials 3 --no-report
lacks 'there is nothing to note' "$ERR" 'note:'
finish
