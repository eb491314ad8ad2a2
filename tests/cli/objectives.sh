# Several scores: a study of a program and of a function, and what every command shows of the front.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C
unset COLUMNS NO_COLOR

# ---- a program with two scores ----
cat >train.sh <<'END'
#!/bin/sh
# $2 is x from 0 to 9: loss falls with it, speed falls too; 7 says no speed, 8 a speed of nan
case $2 in
7) echo "loss: 3" ;;
8) echo "loss: 3, speed: nan" ;;
*) echo "loss: $((10 - $2)), speed: $((100 - 10 * $2))" ;;
esac
END
chmod +x train.sh
cat >two.yaml <<'END'
model:
  command: ./train.sh
  score: [loss, speed]
  direction: [minimize, maximize]
space: {x: {int: [0, 9]}, y: {choice: [a, b]}}
search: {algorithm: grid, workers: 1}
END
check 'a study with two scores is right' "$WICK" check two.yaml
contains 'it says what is optimised' "$OUT" 'loss, smaller is better'
contains 'and how' "$OUT" 'speed, larger is better'
check 'it runs' "$WICK" run two.yaml --dir two
contains 'at its end it shows the front' "$OUT" 'front    8 trials: loss 1 to 10, speed 10 to 100'
equals 'the journal has all scores' \
    "$(grep -c '"score":10,"scores":\[10,100\]' two/journal)" 2
check 'a failure is told' "$WICK" list two --state failed
contains 'of a score that is missing' "$OUT" "no score 'speed'"
contains 'of one that is no number' "$OUT" 'its speed is not a number'

check 'the front is shown' "$WICK" best two
equals 'with a column for each score, the best first score first' \
    "$(printf '%s\n' "$OUT" | head -n 3 | tr -s ' ')" 'trial loss speed x y
 19 1 10 9 a
 13 4 40 6 a'
equals 'of equal trials the first' "$(printf '%s\n' "$OUT" | wc -l)" 9
check 'the first of it' "$WICK" best two -k 2 --json
equals 'as JSON' "$(printf '%s\n' "$OUT" | grep -o '"scores":.*,"front":[a-z]*')" \
    '"scores":[1,10],"front":true
"scores":[4,40],"front":true'
check 'a command of each' "$WICK" best two --command -k 1
contains 'is the command of the trial' "$OUT" 'train.sh --x 9 --y a'
check 'the list has them, too' "$WICK" list two --sort speed --limit 2
equals 'sorted by the second, with marks' \
    "$(printf '%s\n' "$OUT" | awk '{ print $1, $2, $3, $4, $5 == "*" ? "*" : "-" }')" \
    'trial state loss speed -
1 done 10 100 *
2 done 10 100 -'
check 'the status' "$WICK" status two
contains 'counts the front' "$OUT" 'front     8 trials: loss 1 to 10, speed 10 to 100'
check 'as JSON' "$WICK" status two --json
contains 'lists its trials' "$OUT" '"front":[19,13,11,9,7,5,3,1]'
check 'one trial' "$WICK" show two 19
contains 'has its scores' "$OUT" 'loss 1'
contains 'and is on the front' "$OUT" 'front       yes: no other trial is better'
check 'the CSV' "$WICK" export two
contains 'has columns for them' "$OUT" ',reason,loss,speed,front,x,y'
contains 'and values' "$OUT" ',1,10,1,9,a'
check 'a question' "$WICK" sql two 'select loss, speed from trials where front order by loss limit 1' \
    --format csv
contains 'is answered' "$OUT" '1,10'
check 'the page is written' "$WICK" report two -o two.html
contains 'with the front in words' "$(cat two.html)" 'On the Pareto front: 8.'

# ---- a resume, and the live lines ----
check 'a study in two parts' "$WICK" run two.yaml --trials 9 --dir parts
check 'goes on' "$WICK" resume parts --trials 20
equals 'to the same front' "$("$WICK" best parts | tr -s ' ')" "$("$WICK" best two | tr -s ' ')"
check 'progress as JSON' "$WICK" run --function zdt1 --trials 30 --seed 1 --json --dir json
contains 'has the scores of a trial' "$OUT" '"scores":['
contains 'and the size of the front' "$OUT" '"front":'

# ---- on the command line ----
check 'scores with commas' "$WICK" check --score loss,speed --direction minimize,maximize \
    --set x=0..9 -- ./train.sh
contains 'are several' "$OUT" 'speed, larger is better'
refuse 2 'a direction too many' 'one per score, of which there are 2' "$WICK" check \
    --score loss,speed --direction minimize,minimize,maximize --set x=0..9 -- ./train.sh
refuse 2 'a target' "'target' is for a study with one score" "$WICK" check --score loss,speed \
    --target 3 --set x=0..9 -- ./train.sh
check 'one score of a function that has two' "$WICK" run --function zdt1 --score f2 --trials 5 \
    --dir one
contains 'is a study with one' "$OUT" 'best     trial'
contains 'and the other is a metric' "$OUT" 'metrics  f1'

# ---- three scores, in a browser ----
printf '#!/bin/sh\necho "a: $2, b: $((9 - $2)), c: $((($2 - 4) * ($2 - 4)))"\n' >three.sh
chmod +x three.sh
check 'three scores' "$WICK" run --score a,b,c --trials 10 --set x=0..9 --dir three -- ./three.sh
if command -v chromium >/dev/null; then
    for study in two three; do
        "$WICK" report "$study" >/dev/null
        timeout 600 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
            --disable-background-networking --disable-component-update --disable-sync \
            --user-data-dir="$(mktemp -d -p "$T")" --virtual-time-budget=5000 --dump-dom \
            "file://$T/$study/report.html" >"$T/$study.dom" 2>/dev/null
        contains "the page of $study opens" "$(grep -o '<body[^>]*>' "$study.dom")" 'data-ready'
        lacks "the page of $study has no error" "$(grep -o '<body[^>]*>' "$study.dom")" errors
    done
    equals 'two scores have one chart of the front' "$(grep -o 'id="front-chart' two.dom | wc -l)" 1
    equals 'three have one for each pair' "$(grep -o 'id="front-chart' three.dom | wc -l)" 3
else
    skip_part 'chromium is not installed: the pages are not opened'
fi
finish
