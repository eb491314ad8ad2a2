# Which parameters matter: what the command says of a real study, and when it says nothing.
. "$(dirname "$0")/lib.sh"

cat >train.sh <<'END_OF_SCRIPT'
x=$2 layers=$4 optimizer=$6
case $optimizer in adam) extra=0 ;; *) extra=300 ;; esac
echo "score: $((${x%.*} + 10 * layers + extra))"
END_OF_SCRIPT
check 'a study runs' "$WICK" run --trials 150 --seed 3 --search algorithm=random --quiet \
    --set x=0..1000.0 --set layers=1..4 --set optimizer=adam,sgd --set fixed=7 \
    --dir "$T/a" -- sh "$T/train.sh"
check 'what matters' env LC_ALL=C "$WICK" importance a
contains 'it says how good it is' "$OUT" 'What explains score, from 150 trials (R2 '
equals 'in the order of importance' "$(sed -n '4,6s/ .*//p' <<<"$OUT" | tr '\n' ' ')" \
    'x optimizer layers '
contains 'smaller is better' "$(grep '^x' <<<"$OUT")" 'smaller is better'
contains 'the best choice' "$(grep '^optimizer' <<<"$OUT")" 'best: adam'
contains 'the largest bar is full' "$(grep '^x' <<<"$OUT")" '####################'
lacks 'constants are not in it' "$OUT" fixed
equals 'nothing is to be doubted' "$ERR" ''
equals 'it is the same each time' "$(env LC_ALL=C "$WICK" importance a)" "$OUT"

check 'near the best' "$WICK" importance a --best 20
contains 'worse scores count as the same' "$ERR" 'worse scores count as'
check 'a few of them' "$WICK" importance a -k 1
contains 'and how many there are' "$OUT" '(2 more explain '
check 'JSON' "$WICK" importance a --json
equals 'is one line' "$(wc -l <<<"$OUT")" 1
contains 'with the most important first' "$OUT" '"parameters":[{"parameter":"x","share":0.'
contains 'and its curve' "$OUT" '"curve":[{"value":0,"mean":'
check 'the score by its name' "$WICK" importance a --objective score
refuse 2 'another score' "'--objective size': the study has no such score; it has 'score'" \
    "$WICK" importance a --objective size
refuse 2 'a share of nothing' "'--best 0': use a whole number from 1 to 100" \
    "$WICK" importance a --best 0

# ---- two scores ----
cat >two.yaml <<'END_OF_STUDY'
model:
  command: [sh, -c, 'echo "loss: $2, size: $4"', '-']
  score: [loss, size]
  direction: [minimize, maximize]
space: {x: {float: [0, 9]}, y: {int: [0, 9]}}
search: {algorithm: random, trials: 60, seed: 1}
END_OF_STUDY
check 'a study with two scores runs' "$WICK" run two.yaml --dir two --quiet
check 'what matters for both' "$WICK" importance two
contains 'for the first' "$(sed -n 4p <<<"$OUT" | tr -s ' ')" 'x 100 %'
contains 'and for the second' "$(grep -A3 'What explains size' <<<"$OUT" | sed -n 4p)" \
    'larger is better'
equals 'one of them' "$("$WICK" importance two --objective size --json | cut -c -20)" \
    '{"objective":"size",'

check 'near the best of both' "$WICK" importance two --best 20
contains 'a note names its score' "$ERR" 'note: loss: '
contains 'and the other its own' "$ERR" 'note: size: '

# ---- little to tell ----
check 'a study of pure noise runs' "$WICK" run --trials 60 --seed 3 --algorithm random --quiet \
    --set x=0..1.0 --set y=0..9 --dir "$T/noise" -- \
    sh -c 'echo "score: $(echo "$WICK_TRIAL" | cksum | cut -c -4)"'
check 'what matters in noise' "$WICK" importance noise
contains 'is nothing that can be seen' "$OUT" 'the parameters do not explain the scores'
lacks 'and has no shares' "$OUT" ' %'
check 'a short study runs' "$WICK" run --trials 9 --seed 3 --function ackley --set x=0..1.0 \
    --dir "$T/few" --quiet
refuse 2 'too few trials' \
    '9 trials have a score: at least 10 are needed to tell what matters' "$WICK" importance few
check 'with one more' "$WICK" run --trials 12 --seed 3 --function ackley --set x=0..1.0 \
    --set y=0..1.0 --dir "$T/some" --quiet
check 'something can be said' "$WICK" importance some
contains 'with a doubt' "$ERR" 'note: '
contains 'and how many would tell more' "$ERR" '12 trials are few for 2 parameters: 30 would give a clearer answer.'
check 'a study without parameters that vary runs' "$WICK" run --trials 1 --quiet --dir "$T/none" \
    --set x=1 -- sh -c 'echo score: 1'
refuse 2 'nothing varies' 'no parameter varies, so none can matter' "$WICK" importance none
finish
