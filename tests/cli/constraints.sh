# Constraints: known ones are never broken; measured ones are told of, and never the best.
. "$(dirname "$0")/lib.sh"
export LC_ALL=C
unset COLUMNS NO_COLOR

cat >train.sh <<'END'
#!/bin/sh
# layers and width; the score is better the larger they are, and so is the memory
echo "memory_mb: $(($2 * $4 * 10))"
echo "score: $((1000 - $2 * $4))"
END
chmod +x train.sh
cat >study.yaml <<'END'
model: {command: ./train.sh, metrics: [memory_mb]}
space:
  layers: {int: [1, 4]}
  width: {choice: [8, 16, 32]}
  kind: {choice: [plain, residual]}
search: {algorithm: grid, workers: 1}
constraints:
  - layers * width <= 64
  - kind != 'residual' or layers > 1
  - memory_mb <= 400
END
check 'constraints are right' "$WICK" check study.yaml
contains 'those on parameters are shown' "$OUT" 'keeps     layers * width <= 64'
contains 'and those on metrics' "$OUT" 'measured  memory_mb <= 400'
contains 'they make the budget of a grid smaller' "$OUT" 'budget    17 trials'
check 'a study runs' "$WICK" run study.yaml --dir a
contains 'the best breaks none' "$OUT" 'score 968'
# answer QUERY: prints the only value of its only row.
answer() {
    "$WICK" sql a "$1" --format csv | tail -n 1 | tr -d '\r'
}
equals 'no trial breaks what is known' "$(answer 'select count(*) from trials where
    layers * width > 64 or (kind = '\''residual'\'' and layers = 1)')" 0
equals 'some break what is measured' "$(answer 'select count(*) from trials where violation > 0')" 6
check 'the best of them' "$WICK" best a -k 100
equals 'are those that break none' "$(printf '%s\n' "$OUT" | wc -l)" 12
check 'the list' "$WICK" list a --sort score
contains 'tells what is broken' "$OUT" 'breaks: memory_mb <= 400'
equals 'last, although its score is better' \
    "$(printf '%s\n' "$OUT" | tail -n 6 | grep -c 'breaks')" 6
broken=$(answer 'select min(trial) from trials where violation > 0')
check 'a trial that breaks one' "$WICK" show a "$broken"
contains 'says so' "$OUT" 'breaks: memory_mb <= 400'
check 'as JSON' "$WICK" show a "$broken" --json
contains 'with the amount' "$OUT" '"violation":0.'
check 'the CSV' "$WICK" export a
contains 'has the amount' "$OUT" ',reason,violation,layers'
check 'the page is written' "$WICK" report a -o a.html
contains 'and knows what is broken' "$(cat a.html)" '"broken":["memory_mb \u003c= 400"]'

# ---- what is never the best ----
check 'a target is not reached by breaking one' "$WICK" run study.yaml --target 937 --dir target
contains 'all trials run' "$ERR$OUT" '17 trials'
cat >none.yaml <<'END'
model: {command: ./train.sh, metrics: [memory_mb]}
space: {layers: {int: [1, 4]}, width: {choice: [8, 16]}}
search: {algorithm: grid}
constraints: [memory_mb < 0]
END
refuse 1 'a study where every trial breaks one' 'every finished trial breaks a constraint' \
    "$WICK" run none.yaml --dir every
refuse 2 'has no best' 'breaks a constraint' "$WICK" best every
cat >missing.yaml <<'END'
model: {command: ./train.sh, metrics: [memory_mb, power]}
space: {layers: {int: [1, 2]}, width: {choice: [8, 16]}}
search: {algorithm: grid}
constraints: [power < 3]
END
refuse 1 'a metric that is never printed fails a trial' \
    "no metric 'power', which a constraint needs" "$WICK" run missing.yaml --dir missing

# ---- on the command line ----
check 'a constraint is an option' "$WICK" check study.yaml --constraint 'layers < 4'
contains 'beside those of the file' "$OUT" 'layers * width <= 64
          kind != '\''residual'\'' or layers > 1
          layers < 4'
refuse 2 'one that is wrong' '| --constraint layers < x
    |                       ^' "$WICK" check study.yaml --constraint 'layers < x'

# ---- mistakes ----
cat >wrong.yaml <<'END'
model: {command: ./train.sh, metrics: [memory_mb]}
space: {layers: {int: [1, 4]}, width: {choice: [8, 16]}}
constraints:
  - layers * widht <= 64
  - memory <= 400
  - layers < 0
END
refuse 2 'a misspelt parameter' "wrong.yaml:4:14: unknown name 'widht': did you mean 'width'?" \
    "$WICK" check wrong.yaml
contains 'and a metric' "$ERR" "unknown name 'memory': did you mean 'memory_mb'?"
sed -i '/widht/d; /memory </d' wrong.yaml
refuse 2 'nothing left to try' 'wrong.yaml:3:1: the constraints leave nothing to try' \
    "$WICK" check wrong.yaml
finish
