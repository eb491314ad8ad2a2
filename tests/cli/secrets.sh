#!/usr/bin/env bash
# Values of environment variables may be passwords or tokens: only the journal has them, which only its
# owner may read. Everything else shows them on request.
. "$(dirname "$0")/lib.sh"

umask 022
secret=hf_s3cret
mode() { stat -c %a "$1"; }
cat >study.yaml <<END
model:
  command: [bash, train.sh]
  env: {TOKEN: $secret, OMP_NUM_THREADS: 4, EMPTY: ""}
space: {x: {int: [1, 9]}}
search: {trials: 2}
job: {environment: {JOB_TOKEN: $secret}}
END
echo '[ "$TOKEN" = hf_s3cret ] && echo score: 1 || echo score: 2' >train.sh

check 'a study with a secret' "$WICK" run study.yaml --no-report --dir s
lacks 'the end of its run does not show it' "$OUT$ERR" $secret
equals 'its trials have it' "$("$WICK" sql s --format csv "select count(*) from trials where score = 1" |
    tail -n 1 | tr -d '\r')" 2
equals 'its journal and the copy of the study are for the owner alone' "$(mode s/journal) $(mode s/study.yaml)" '600 600'
check 'another run' "$WICK" run study.yaml --no-report --quiet --dir plain --env TOKEN=1
chmod 644 s/journal
check 'a resume' "$WICK" resume s --quiet --no-report --trials 3
equals 'protects what was opened to others' "$(mode s/journal)" 600

# ---- who shows it ----
hidden() { # NAME FILE COMMAND...: hides the value, and shows it with --secrets
    local name=$1 file=$2
    shift 2
    check "$name" "$@"
    [ "$file" = - ] && echo "$OUT$ERR" >shown || cp "$file" shown
    lacks "$name: hides it" "$(tr -d "\0" <shown)" $secret
    [ "$file" = - ] || equals "$name: and is for everybody" "$(mode "$file")" 644
    check "$name --secrets" "$@" --secrets
    [ "$file" = - ] && echo "$OUT$ERR" >shown || cp "$file" shown
    contains "$name: shows it on request" "$(tr -d "\0" <shown)" $secret
    [ "$file" = - ] || equals "$name: to its owner" "$(mode "$file")" 600
}
hidden 'wick best' - "$WICK" best s
contains 'the command takes it from the shell' "$("$WICK" best s --command)" \
    'env TOKEN="${TOKEN:?}" OMP_NUM_THREADS=4 EMPTY= bash train.sh'
equals 'where it may be set' "$(TOKEN=$secret bash -c "$("$WICK" best s --command)")" 'score: 1'
equals 'the trial can be run again as it was' "$("$WICK" best s --run)" 'score: 1'
cat >words.sh <<'END'
pid=$$
while [ "$pid" -gt 1 ]; do # its command line, and those of all that started it
    tr '\0' ' ' <"/proc/$pid/cmdline"
    pid=$(ps -o ppid= -p "$pid")
done
echo
echo "$TOKEN $WICK_SEED $WICK_PARAMS"
echo score: 1
END
check 'a study of which nothing is to be seen' "$WICK" run --quiet --no-report --dir unseen --set x=1..9 --trials 1 \
    --pass none --env TOKEN=$secret -- bash words.sh
check 'its trial again' "$WICK" best unseen --run
equals 'it has its variables' "$(grep -c "^$secret [0-9]* {\"x\":[1-9]}$" <<<"$OUT")" 1
equals 'none of them is in a command line' "$(grep -c "$secret\|{\"x\"" <<<"$OUT")" 1
hidden 'wick show' - "$WICK" show s 1
hidden 'wick check' - "$WICK" check study.yaml
hidden 'wick submit --dry-run' - "$WICK" submit study.yaml --dry-run --scheduler slurm --site none
contains 'the script takes it from the shell' "$("$WICK" submit study.yaml --dry-run --scheduler slurm --site none)" \
    'export JOB_TOKEN="${JOB_TOKEN:?}"'
hidden 'wick submit DIR --dry-run' - "$WICK" submit s --trials 9 --dry-run --scheduler slurm --site none
hidden 'wick sql' - "$WICK" sql s 'select value from study'
hidden 'wick export' all.json "$WICK" export s -o all.json
hidden 'a database' all.db "$WICK" export s -o all.db
hidden 'wick report' s/report.html "$WICK" report s
hidden 'a comparison' both.html "$WICK" report s plain -o both.html
contains 'its variables keep their names' "$("$WICK" sql s --format csv "select value from study where key = 'definition'")" \
    '""TOKEN"": ""***"", ""OMP_NUM_THREADS"": 4, ""EMPTY"": """"'
for command in 'list s --json' 'status s --json' 'export s --format csv'; do
    lacks "wick $command has none" "$("$WICK" $command)" $secret
done

# ---- changes ----
sed 's/env:/envv:/' study.yaml >wrong.yaml
"$WICK" check wrong.yaml >out 2>&1
contains 'a mistake beside a secret' "$(cat out)" "unknown key 'envv': did you mean 'env'?"
lacks 'does not show it' "$(cat out)" "$secret"
check 'a study without a secret' "$WICK" run --quiet --no-report --dir open --set x=1..9 --trials 1 --env A=1 -- bash train.sh
equals 'is for everybody' "$(mode open/journal) $(mode open/study.yaml)" '644 644'
exec 5<open/journal
"$WICK" list open --json >before
printf '{"torn' >>open/journal
check 'it gets one' "$WICK" resume open --no-report --trials 2 --env TOKEN=$secret
lacks 'the change is noted without it' "$ERR" $secret
contains 'by its name' "$ERR" 'model.env.TOKEN: not set -> ***'
equals 'from then on it is for the owner alone' "$(mode open/journal) $(mode open/study.yaml)" '600 600'
cat <&5 >opened
contains 'who had opened the journal before' "$(cat opened)" '{"end":1,'
lacks 'does not see it' "$(cat opened)" $secret
contains 'the journal has it' "$(cat open/journal)" $secret
check 'and is whole' "$WICK" check open
equals 'with all results' "$("$WICK" list open --json | head -n 1)" "$(cat before)"
equals 'and nothing else is left' "$(find open -name '*.tmp')" ''
check 'a damaged study without a secret' "$WICK" run --quiet --no-report --dir hurt --set x=1..9 --trials 1 --env A=1 -- bash train.sh
exec 6<hurt/journal
sed -i '3s/time/tome/' hurt/journal
exec 7<hurt/journal
check 'gets one' "$WICK" resume hurt --quiet --no-report --trials 2 --env TOKEN=$secret
lacks 'and nobody sees it who had opened it' "$(cat <&6; cat <&7)" $secret
equals 'since it is for the owner alone' "$(mode hurt/journal)" 600
sed -i "s/TOKEN: $secret/TOKEN: hf_0ther/" study.yaml
check 'an edited secret' "$WICK" resume s --no-report --trials 4
contains 'is taken over, unseen' "$ERR" 'model.env.TOKEN: *** -> ***'

# ---- jobs ----
mkdir fake && printf '#!/bin/bash\necho 42\n' >fake/sbatch && chmod +x fake/sbatch
PATH="$PWD/fake:$PATH" check 'a job' "$WICK" submit study.yaml --quiet --scheduler slurm --site none --dir j
equals 'its script is for the owner alone' "$(mode j/job.sh) $(mode j/journal)" '700 600'
contains 'and has the secret' "$(cat j/job.sh)" hf_0ther
finish
