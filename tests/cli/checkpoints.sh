#!/usr/bin/env bash
# A trial's checkpoint survives retries, kill -9 and a resume; a trial that needs none keeps none.
. "$(dirname "$0")/lib.sh"

count() { "$WICK" sql "$1" --format csv "select count(*) from trials where $2" | tail -n 1 | tr -d '\r'; }
folders() { (cd "$1/checkpoints" && echo *); }

# A program that fails at its first try, and continues from its checkpoint.
cat >retry.sh <<'END'
mkdir -p "$WICK_CHECKPOINT"
echo x >>"$WICK_CHECKPOINT/tries"
[ "$(wc -l <"$WICK_CHECKPOINT/tries")" -ge 2 ] || exit 1
[ "$WICK_CHECKPOINT" = "$1" ] || exit 1
echo "score: $2"
END
cat >retry.yaml <<'END'
model: {command: 'bash retry.sh {checkpoint} {x}', retries: 1}
space: {x: {int: [1, 100]}}
search: {algorithm: random, trials: 12, seed: 3}
END
check 'a retry finds its checkpoint' "$WICK" run retry.yaml --dir retry -n 2 --quiet --no-report
equals 'all trials are done' "$(count retry "state = 'done'")" 12
equals 'only the checkpoint of the best is left' "$(folders retry)" \
    "$("$WICK" best retry --json | sed 's/.*"trial":\([0-9]*\).*/\1/')"
check 'a complete study is left as it is' "$WICK" resume retry
for words in all none; do
    (cat retry.yaml; echo "checkpoints: $words") >$words.yaml
    check "checkpoints: $words" "$WICK" run $words.yaml --dir $words -n 2 --quiet --no-report
done
equals 'all of them are kept' "$(folders all | wc -w)" 12
equals 'none is kept' "$(folders none)" '*'
check 'wick check says what is kept' "$WICK" check none.yaml
contains 'in words' "$OUT" 'only while they are needed'
sed 's/^checkpoints.*/checkpoints: bst/' none.yaml >wrong.yaml
refuse 2 'a wrong word' 'best' "$WICK" check wrong.yaml

# What a checkpoint links to is not touched when the checkpoint is removed.
mkdir outside
echo precious >outside/file
cat >link.sh <<END
mkdir -p "\$WICK_CHECKPOINT/a/b"
ln -s "$T/outside" "\$WICK_CHECKPOINT/a/out"
ln -s "$T/outside/file" "\$WICK_CHECKPOINT/file"
chmod 400 "$T/outside/file"
echo score: 1
END
check 'trials with links' "$WICK" run --dir link --set x=1..100 --trials 4 -n 1 --quiet --no-report \
    -- bash link.sh
equals 'one checkpoint is left' "$(folders link | wc -w)" 1
equals 'links are not followed' "$(cat outside/file)" precious

# After a kill, the trial continues where it was, and checkpoints that are not needed are removed.
cat >slow.sh <<'END'
mkdir -p "$WICK_CHECKPOINT"
echo "$WICK_TRY" >>"$WICK_CHECKPOINT/tries"
[ "$WICK_TRY" -ge 2 ] || sleep 1000
echo "score: $(head -n 1 "$WICK_CHECKPOINT/tries")"
END
"$WICK" run --dir killed --set x=1..100 --trials 2 -n 2 --pass none --quiet --no-report -- \
    bash slow.sh >/dev/null 2>&1 &
PID=$!
both_have() { [ -s killed/checkpoints/1/tries ] && [ -s killed/checkpoints/2/tries ]; }
await both_have
kill -KILL $PID
wait $PID 2>/dev/null
mkdir killed/checkpoints/3 killed/checkpoints/.copy.9.1 killed/checkpoints/.gone.8 killed/checkpoints/notes
check 'a killed study goes on' "$WICK" resume killed --quiet
equals 'from its checkpoints' "$("$WICK" list killed --json | grep -o '"score":1' | wc -l)" 2
contains 'what is not a checkpoint is left alone' "$(ls -A killed/checkpoints)" notes
lacks 'a trial that nobody knows leaves none' "$(ls -A killed/checkpoints | tr '\n' ' ')" '3'
lacks 'nor half a copy' "$(ls -A killed/checkpoints)" copy
lacks 'nor half of what was removed' "$(ls -A killed/checkpoints)" gone

# Wick does not touch a folder that the user chose.
mkdir -p own/checkpoints/1
refuse 2 'a folder with checkpoints is refused' 'already exists and is not empty' \
    "$WICK" run --dir own --set x=1..9 --trials 2 -- true
equals 'and left as it is' "$(ls own/checkpoints)" 1
finish
