#!/usr/bin/env bash
# Results of earlier studies to learn from, and their best points to start with.
. "$(dirname "$0")/lib.sh"

cat >old.yaml <<'YAML'
name: old
space:
  lr: {log: [1e-5, 1e-1]}
  layers: {int: [1, 8]}
  optimizer: {choice: [sgd, adam]}
  momentum: {float: [0, 1], when: {optimizer: sgd}}
search: {algorithm: random}
YAML
# An old study of 12 trials: scores 1 to 10, one failure, one without an answer.
{
    echo '{"ask": 12}'
    for i in $(seq 10); do echo "{\"tell\": {\"id\": $i, \"score\": $i}}"; done
    echo '{"tell": {"id": 11, "failed": true}}'
} | "$WICK" asktell old.yaml --dir old.wick >/dev/null
"$WICK" export old.wick -o old.csv 2>/dev/null
params() { records "$1" | sed -n "s/^{\"start\":$2,.*\"params\":\(.*\)}$/\1/p"; }

# session DIR OPTION... : asks once; notes are in ERR, the answer in OUT.
session() {
    local dir=$1
    shift
    echo '{"ask": 3}' >in
    capture bash -c '"$@" <in' - "$WICK" asktell "$@" --dir "$dir"
}

# ---- learn ----
session a old.yaml --algorithm tpe --learn old.wick
contains 'a study is learned from' "$ERR" 'learned from 10 of the 11 results of'
contains 'what has no score is left out' "$ERR" 'left out: 1 without a score (trial 11)'
equals 'the journal has them' "$(grep -c '^{"earlier":' a/journal)" 10
equals 'with their scores' "$(records a | sed -n '2p' | grep -o '"scores":.*')" '"scores":[1]}'
contains 'trials begin with 1' "$OUT" '{"id":1,'
equals 'they are no trials' "$("$WICK" list a 2>/dev/null | wc -l)" 4
session b old.yaml --algorithm tpe --learn old.csv
contains 'a CSV file gives the same' "$ERR" 'learned from 10 of the 12 results of'
equals 'in the journal' "$(records b | grep '^{"earlier":')" "$(records a | grep '^{"earlier":')"
mv old.wick moved.wick
check 'no other file is needed to go on' bash -c 'echo "{\"ask\": 4}" | "$1" asktell a' - "$WICK"
equals 'and it suggests the same' "$(grep -o '"id":4,.*' <<<"$OUT")" \
    "$(printf '{"ask": 4}\n' | "$WICK" asktell b | grep -o '"id":4,.*')"
mv moved.wick old.wick

# ---- another space ----
cat >new.yaml <<'YAML'
name: new
space:
  lr: {log: [1e-4, 1e-1]}
  layers: {int: [1, 8]}
  width: {int: [8, 64], default: 32}
  optimizer: {choice: [sgd, adam]}
  momentum: {float: [0, 1], when: {optimizer: sgd}}
search: {algorithm: random, learn: [old.wick, old.csv], trials: 3}
YAML
session c new.yaml
contains 'values outside of the space' "$ERR" 'outside the space (lr = '
equals 'both sources are told of' "$(grep -c 'does not learn from them' <<<"$ERR")" 2
contains 'a new parameter has its default' "$(grep -m 1 '^{"earlier":' c/journal)" '"width":32'
sed -i 's/, default: 32//' new.yaml
session d new.yaml
contains 'without a default the rows say nothing' "$ERR" 'without a value that has no default (width in'
session e old.yaml --set optimizer=sgd --learn old.wick
contains 'of a fixed parameter the other values' "$ERR" 'outside the space (optimizer = adam in trial'
lacks 'do not count' "$(grep '^{"earlier":' e/journal)" 'adam'
session e2 old.yaml --set epochs=10 --learn old.wick
contains 'a constant that is new is no obstacle' "$ERR" '10 of the 11 results'

# ---- CSV as others write it ----
printf 'y;layers;optimizer;momentum;lr\r\n0.5;3;"sgd";0.5;1e-3\r\n0.25;4;adam;NA;1e-2\r\n;4;adam;;1e-2\r\n' >candle.csv
session f old.yaml --learn candle.csv
contains 'a CANDLE restart file' "$ERR" '2 of the 3 results'
equals 'has the score in y' "$(records f | grep -o '"scores":.*' | head -n 1)" '"scores":[0.5]}'
printf '"lr","layers","optimizer","loss"\n0.01,2,"adam",3\n' >named.csv
session g old.yaml --score loss --learn named.csv
contains 'the score has its own name' "$ERR" '1 of the 1 results'

printf 'score,lr,layers,optimizer,momentum\n1,0.01,2,adam,77\n2,0.01,2,sgd,77\n' >unused.csv
session g2 old.yaml --learn unused.csv
contains 'what is not active may have any value' "$ERR" '1 of the 2 results'

# ---- several scores ----
cat >two.yaml <<'YAML'
model: {score: [loss, speed], direction: [minimize, maximize]}
space: {x: {int: [0, 99]}}
search: {algorithm: nsga2}
YAML
printf '%s\n' '{"ask": 2}' '{"tell": [{"id": 1, "scores": [2, 5]}, {"id": 2, "failed": true}]}' |
    "$WICK" asktell two.yaml --dir two.wick >/dev/null
session t1 two.yaml --learn two.wick
contains 'several scores are learned' "$ERR" 'learned from 1 of the 2 results'
equals 'all of them' "$(records t1 | grep -o '"scores":.*')" '"scores":[2,5]}'
sed 's/score: .loss, speed./score: [speed, loss]/; s/minimize, maximize/maximize, minimize/' two.yaml >swapped.yaml
session t2 swapped.yaml --learn two.wick
equals 'by their names' "$(records t2 | grep -o '"scores":.*')" '"scores":[5,2]}'
printf 'x,loss,speed\n7,3,4\n' >two.csv
session t3 two.yaml --learn two.csv
equals 'also from a CSV file' "$(records t3 | grep -o '"scores":.*')" '"scores":[3,4]}'
refuse 2 'a score that the old study lacks' "has no score 'loss'" "$WICK" asktell two.yaml --learn old.wick

# ---- mistakes ----
refuse 2 'no such file' "there is no file or folder 'none.csv'" "$WICK" asktell old.yaml --learn none.csv
sed 's/old.csv/none.wick/' new.yaml >bad.yaml
refuse 2 'no such folder in the study file' 'bad.yaml:8:' "$WICK" check bad.yaml
mkdir empty
refuse 2 'a folder without a study' 'it has no journal' "$WICK" asktell old.yaml --learn empty
: >empty.csv
refuse 2 'an empty file' 'the file is empty' "$WICK" asktell old.yaml --learn empty.csv
printf 'lr,layers\n0.1,1\n' >unscored.csv
refuse 2 'a file without a score' 'no column has the score' "$WICK" asktell old.yaml --learn unscored.csv
printf 'score,a,b\n1,2,3\n' >others.csv
refuse 2 'a file about something else' 'no column has the name of a parameter' "$WICK" asktell old.yaml --learn others.csv
printf 'score,lr\n1,0.01\n1,0.01,7\n' >ragged.csv
refuse 2 'a line with too many fields' 'ragged.csv:3: this line has 3 fields' "$WICK" asktell old.yaml --learn ragged.csv
printf 'score,lr\n1,"0.01\n' >quote.csv
refuse 2 'an open quote' 'quote.csv:2: a quote in this line is never closed' "$WICK" asktell old.yaml --learn quote.csv
head -c 300 /dev/zero >zero.bin
refuse 2 'no text' 'neither a study folder nor a CSV file' "$WICK" asktell old.yaml --learn zero.bin
refuse 2 'the other direction' 'minimizes its score, but this study maximizes it' \
    "$WICK" asktell old.yaml --direction maximize --learn old.wick
equals 'none of them made a folder' "$(ls -d old-*.wick 2>/dev/null)" ''

# ---- start ----
session h old.yaml --start-from old.wick:2
contains 'the best points come first' "$ERR" 'tries the 2 best points of'
equals 'the best' "$(params h 1)" "$(params old.wick 1)"
equals 'the second' "$(params h 2)" "$(params old.wick 2)"
equals 'then the search' "$(grep -c '"queued"' h/journal)" 2
session i old.yaml --start-from old.csv
contains 'five of them where nothing is said' "$ERR" 'tries the 5 best points of'
cat >start.yaml <<'YAML'
model: {function: sleep}
space: {seconds: {float: [0, 0.01]}, layers: {int: [1, 8]}, lr: {log: [1e-5, 1e-1]}}
search: {trials: 4, learn: old.wick, start: {best: 3, of: old.wick}}
YAML
check 'a study that runs a program' "$WICK" run start.yaml --no-report --dir j
contains 'says what it learned' "$ERR" 'without a value that has no default (seconds in'
contains 'and what it starts with' "$ERR" 'tries the 3 best points of'
equals 'they count as trials' "$(grep -c '"params"' j/journal)" 4
contains 'what the old study lacks is filled in' "$(params j 1)" '"seconds":0.005'
check 'it is quiet when it should be' "$WICK" run start.yaml -q --no-report --dir k
equals 'quite' "$ERR$OUT" ''
check 'the copy in the folder reads' "$WICK" status j
refuse 2 'start without a study' "'start' needs the study" bash -c \
    'sed "s/, of: old.wick//" start.yaml >bad.yaml; "$1" check bad.yaml' - "$WICK"
refuse 2 'a misspelt key' "did you mean 'best'" bash -c \
    'sed "s/best: 3/bset: 3/" start.yaml >bad.yaml; "$1" check bad.yaml' - "$WICK"
refuse 2 'a list where a path belongs' "'learn' must be" bash -c \
    'sed "s/learn: old.wick/learn: {a: b}/" start.yaml >bad.yaml; "$1" check bad.yaml' - "$WICK"

# ---- a run that was killed while it set the study up ----
options=(--learn old.wick --start-from old.wick:2)
check 'a study with both' "$WICK" run --function noop --set lr=log:1e-5..1e-1 --set layers=1..8 --trials 4 \
    --algorithm random --seed 1 -n 1 --no-report -q --dir full "${options[@]}"
for kept in 0 4 10; do # earlier results that had reached the disk
    rm -rf cut
    cp -r full cut
    head -n $((1 + kept)) full/journal >cut/journal
    [ "$kept" = 10 ] || rm cut/queue
    check "a resume goes on behind $kept of them" "$WICK" resume cut --no-report -q
    equals 'it learns from all of them' "$(records cut | grep '^{"earlier":')" "$(records full | grep '^{"earlier":')"
    equals 'and tries the same points' "$(for i in 1 2 3 4; do params cut $i; done)" \
        "$(for i in 1 2 3 4; do params full $i; done)"
done
mv full/journal all
head -n 6 all >full/journal
mv old.wick away
refuse 1 'what is not recorded must still be there' 'old.wick' "$WICK" resume full --no-report -q
mv away old.wick
session n old.yaml "${options[@]}"
head -n 6 n/journal >cut-journal
mv cut-journal n/journal
rm n/queue
echo '{"ask": 2}' >in
check 'so does a conversation' bash -c '"$1" asktell n <in' - "$WICK"
equals 'with all of them' "$(grep -c '^{"earlier":' n/journal)" 10
equals 'and the best point first' "$(params n 1)" "$(params old.wick 1)"

finish
