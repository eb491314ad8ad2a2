# A study file that was edited after the study started: what resume, submit and job take over, what
# they refuse, and what they leave alone.
. "$(dirname "$0")/lib.sh"

# The program notes what it sees of its environment.
cat >model.sh <<'END'
#!/bin/sh
echo "score: $2"
echo "A=${A-} B=${B-} C=${C-}" >>seen
END
chmod +x model.sh

# new DIR [OPTION...]: a study of two trials from the file study.yaml.
new() {
    local dir=$1
    shift
    cat >study.yaml <<'END'
# the first version
name: first
model: {command: ./model.sh, timeout: 30m, env: {A: 1}}
space:
  x: {float: [0, 1]}
  y: {choice: [a, b]}
search: {trials: 2, workers: 1, algorithm: random, seed: 3}
END
    "$WICK" run study.yaml --dir "$dir" --no-report -q "$@" || echo "cannot run $dir"
}

resume() { "$WICK" resume --no-report "$@"; }
# edit SED: edits the study file.
edit() { sed -i "$1" study.yaml; }
# changes DIR: how many records of changes it has.
changes() { grep -c '^{"change"' "$1/journal"; }

# ---- nothing has changed ----

new same.wick --env B=2 --timeout 1h --set x=0..0.5
contains 'the journal has the path of the study file' "$(head -n 1 same.wick/journal)" "\"file\":\"$(realpath study.yaml)\""
edit 's/first version/second version/; s/{float: \[0, 1\]}/\n    float: [0,  1]  # wide/'
check 'comments and layout' resume same.wick --trials 3
lacks 'are no change, nor are the options of the first run' "$ERR" '->'
equals 'and no record' "$(changes same.wick)" 0
contains 'the options of the first run stay' "$(tail -n 1 seen)" 'A=1 B=2'

# ---- what is taken over ----

# taken KEY SED TEXT: an edit that is taken over, on a fresh study.
taken() {
    new taken.wick
    edit "$2"
    check "$1 is taken over" resume taken.wick --trials 3
    contains 'and a note says so' "$ERR" "note: study.yaml: $3, taken over"
    check 'only once' resume taken.wick --trials 4
    lacks 'since the journal has it' "$ERR" 'taken over'
    rm -r taken.wick
}
taken 'a time limit' 's/30m/1h/' 'model.timeout: 30m -> 1h'
taken 'a limit that is removed' 's/timeout: 30m, //' 'model.timeout: 30m -> not set'
taken 'a memory limit' 's/30m/30m, memory: 1G/' 'model.memory: not set -> 1G'
taken 'grace' 's/30m/30m, grace: 1s/' 'model.grace: not set -> 1s'
taken 'retries' 's/30m/30m, retries: 2/' 'model.retries: not set -> 2'
taken 'cores' 's/30m/30m, cores: 1/' 'model.cores: not set -> 1'
taken 'a metric' 's/30m/30m, metrics: [loss]/' 'model.metrics: not set -> [loss]'
taken 'a variable' 's/A: 1/A: 7/' 'model.env.A: 1 -> 7'
taken 'a variable that is the same number' 's/A: 1/A: 1.0/' 'model.env.A: 1 -> 1.0'
taken 'the last variable, removed' 's/, env: {A: 1}//' 'model.env.A: 1 -> not set'
taken 'the number of workers' 's/workers: 1/workers: 2/' 'search.workers: 1 -> 2'
taken 'a target' 's/seed: 3/seed: 3, target: -1/' 'search.target: not set -> -1'
taken 'a time' 's/seed: 3/seed: 3, time: 1h/' 'search.time: not set -> 1h'
taken 'a stopper' 's/seed: 3/seed: 3, stop: asha/' 'search.stop: not set -> asha'
taken 'when to halt' 's/seed: 3/seed: 3, halt: 5/' 'search.halt: not set -> 5'
taken 'what is kept' '$akeep: all' 'keep: not set -> all'
taken 'checkpoints' '$acheckpoints: none' 'checkpoints: not set -> none'
taken 'a job' '$ajob: {nodes: 2, time: 1h}' 'job.nodes: not set -> 2'
taken 'lines, a tab, quotes and a backslash' '$ajob: {prologue: "a\\n\\tb \\"c\\" \\\\u1"}' 'job.prologue: not set -> a  b "c" \u1'
taken 'a container' '$acontainer: {image: /, runtime: none}' 'container.runtime: not set -> none'
taken 'a name' 's/name: first/name: second/' 'name: first -> second'

new more.wick
check 'a study that is complete' resume more.wick
contains 'says so' "$OUT" 'complete with 2 trials'
edit 's/trials: 2/trials: 5/'
check 'goes on with a larger budget' resume more.wick
equals 'to its end' "$("$WICK" export more.wick --format csv | tail -n +2 | wc -l)" 5
contains 'which status knows' "$("$WICK" status more.wick)" '5 of 5'
edit 's/trials: 5/trials: 6/; s/30m/2h/'
check 'edited twice' resume more.wick
contains 'only the last edit is new' "$ERR" 'search.trials: 5 -> 6, taken over'
equals 'and each has its record' "$(changes more.wick)" 2
contains 'the copy of the study has it' "$(cat more.wick/study.yaml)" '"timeout": "2h"'
contains 'and the report' "$("$WICK" report more.wick -o page.html && cat page.html)" '2h'

new complete.wick
check 'an option of a complete study' resume complete.wick --timeout 9m
contains 'which stays complete' "$OUT" 'complete with 2 trials'
contains 'is noted' "$ERR" 'note: model.timeout: 30m -> 9m'
equals 'and recorded' "$(changes complete.wick)" 1
edit 's/trials: 2/trials: 1/'
check 'a smaller budget' resume complete.wick
contains 'is taken over' "$ERR" 'search.trials: 2 -> 1, taken over'
check 'once' resume complete.wick
lacks 'and no more' "$ERR" 'taken over'
edit 's/A: 1/A: 4/'
check 'the same for submit, where a dry run' "$WICK" submit complete.wick --dry-run
equals 'records nothing' "$(changes complete.wick)" 2
check 'and submit itself' "$WICK" submit complete.wick
contains 'takes over the edit' "$ERR" 'model.env.A: 1 -> 4, taken over'
check 'all of it is there' resume complete.wick --trials 3
contains 'for later trials' "$(tail -n 1 seen) $(cat complete.wick/study.yaml)" 'A=4 B= C='
contains 'with their limit' "$(cat complete.wick/study.yaml)" '"timeout": "9m"'

new env.wick --env B=2 --timeout 1h
edit 's/A: 1/A: 1, C: 3/'
check 'a new variable' resume env.wick --trials 3
contains 'does not drop that of an option' "$(tail -n 1 seen)" 'A=1 B=2 C=3'
lacks 'nor change another key' "$ERR" 'timeout'
edit 's/30m/1h/'
check 'the file says now what the option said' resume env.wick --trials 4
lacks 'which is no change' "$ERR" 'taken over'
edit 's/timeout: 1h/timeout: 3h/'
check 'an edit of a key that was an option' resume env.wick --trials 5
contains 'counts' "$ERR" 'model.timeout: 1h -> 3h, taken over'

new agree.wick --timeout 1h
edit 's/30m/1h/'
check 'the file agrees with an option' resume agree.wick --trials 3 --timeout 2h
contains 'and another option changes the study' "$ERR" 'note: model.timeout: 1h -> 2h'
check 'then' resume agree.wick --trials 4
lacks 'the file is not new' "$ERR" 'taken over'
contains 'and the option stays' "$(cat agree.wick/study.yaml)" '"timeout": "2h"'

# ---- options of resume ----

new options.wick
check 'options change the study' resume options.wick --trials 3 --timeout 2h --memory 1G --grace 2s \
    --retries 1 --env A=8 --env C=9 --target -1 --stop median --keep all
for text in 'model.timeout: 30m -> 2h' 'model.memory: not set -> 1G' 'model.grace: not set -> 2s' \
    'model.retries: not set -> 1' 'model.env.A: 1 -> 8' 'model.env.C: not set -> 9' \
    'search.target: not set -> -1' 'search.stop: not set -> median' 'keep: not set -> all'; do
    contains 'it says so' "$ERR" "note: $text"
done
check 'for good' resume options.wick --trials 4
contains 'the trials see it' "$(tail -n 1 seen)" 'A=8 B= C=9'
edit 's/A: 1/A: 5/'
check 'a later edit of the file' resume options.wick --trials 5 --env C=4
contains 'counts' "$ERR" 'study.yaml: model.env.A: 8 -> 5, taken over'
contains 'together with options' "$(tail -n 1 seen)" 'A=5 B= C=4'
refuse 2 'a wrong value of an option' "'timeout' must be a time" resume options.wick --timeout soon
refuse 2 'a wrong stopper' "unknown stopper 'ash'" resume options.wick --stop ash

# ---- what is refused ----

# refused KEY SED TEXT: an edit that needs a new study.
refused() {
    new refused.wick
    cp study.yaml before.yaml
    edit "$2"
    refuse 2 "$1 needs a new study" "  $3" resume refused.wick --trials 3
    contains 'and nothing was taken over' "$(wc -l <refused.wick/journal) $(changes refused.wick)" ' 0'
    contains 'one can go on without the edit' "$ERR" 'wick resume refused.wick --ignore-edits'
    check 'so' resume refused.wick --trials 3 --ignore-edits
    cp before.yaml study.yaml
    check 'or without the option once the file is as it was' resume refused.wick --trials 4
    rm -r refused.wick
}
refused 'a range' 's/\[0, 1\]/[0, 2]/' 'space.x: {float: [0, 1]} -> {float: [0, 2]}'
refused 'another parameter' 's/  y:.*/&\n  z.1: {int: [1, 3]}/' 'space.z.1: not set -> {int: [1, 3]}'
refused 'the command' 's/model.sh,/model.sh --fast,/' 'model.command: ./model.sh -> ./model.sh --fast'
refused 'a constraint' '$aconstraints: [x < 0.9]' 'constraints: not set -> [x < 0.9]'
refused 'forbid' '$aforbid: [{y: a}]' 'forbid: not set -> [{y: a}]'
refused 'the algorithm' 's/random/sobol/' 'search.algorithm: random -> sobol'
refused 'the seed' 's/seed: 3/seed: 4/' 'search.seed: 3 -> 4'
refused 'the score' 's/30m/30m, score: score2/' 'model.score: not set -> score2'
refused 'the direction' 's/30m/30m, direction: maximize/' 'model.direction: not set -> maximize'

new both.wick --retries 1
edit 's/30m/1h/; s/\[0, 1\]/[0, 0.9]/'
refuse 2 'of two edits, one refused' 'space.x: {float: [0, 1]} -> {float: [0, 0.9]}' resume both.wick
lacks 'the other is not taken over' "$ERR$(cat both.wick/journal)" '1h'
contains 'and the message has the way out' "$ERR" 'wick run study.yaml --learn both.wick'
contains 'with the options' "$ERR" 'add the options of the first run'
check 'which works' "$WICK" run study.yaml --learn both.wick --dir learned.wick --no-report --algorithm gp
contains 'with what fits into the new space' "$ERR" 'learned from'
edit 's/30m/1h/; s/30m/30m, direction: maximize/; s/1h/1h, direction: maximize/'
refuse 2 'a study with another direction' 'wick run study.yaml' resume both.wick
lacks 'cannot learn' "$ERR" '--learn'
refuse 2 'a limit and a typo' "unknown key 'timout': did you mean 'timeout'?" eval 'new typo.wick; edit s/timeout/timout/; resume typo.wick'
contains 'has its place' "$ERR" 'study.yaml:3:'
contains 'and the way around' "$ERR" 'wick resume typo.wick --ignore-edits'
edit 's/timout/timeout/; $acontainer: missing.sif'
refuse 2 'an image that is not there' "there is no image 'missing.sif' in $T" resume typo.wick
echo 'model: [' >study.yaml
refuse 2 'a file that is not even YAML' 'study.yaml:' resume typo.wick --trials 3
: >study.yaml
refuse 2 'an empty file' 'the file is empty' resume typo.wick --trials 3

# ---- files that are not there ----

rm study.yaml
check 'a file that is gone' resume typo.wick --trials 3
equals 'is not mentioned' "$(grep -c study.yaml <<<"$ERR")" 0
check 'a study without a file' "$WICK" run --set x=0..1.5 --trials 2 --dir words.wick --no-report -- ./model.sh
lacks 'records none' "$(head -n 1 words.wick/journal)" '"file"'
check 'and is resumed' resume words.wick --trials 3 --timeout 1m
contains 'with options' "$ERR" 'model.timeout: not set -> 1m'
new old.wick
unseal old.wick/journal
sed -i '1s/,"file":"[^"]*"//' old.wick/journal
edit 's/\[0, 1\]/[0, 2]/; s/30m/1h/'
check 'a journal that does not know its file' resume old.wick --trials 3
lacks 'has no edits' "$ERR" '->'
"$WICK" run /dev/stdin --folder . --dir input.wick --no-report -q < <(cat study.yaml)
lacks 'standard input is no file' "$(head -n 1 input.wick/journal)" '"file"'
mkdir elsewhere
new moved.wick
mv moved.wick elsewhere
edit 's/30m/1h/'
check 'from another folder' eval '(cd elsewhere && resume moved.wick --trials 3)'
contains 'the file has its whole path' "$ERR" "$(realpath study.yaml): model.timeout: 30m -> 1h, taken over"

# ---- jobs ----

new job.wick
edit 's/30m/1h/; s/trials: 2/trials: 3/'
check 'a job takes over edits' "$WICK" job job.wick
contains 'and says so' "$ERR" 'model.timeout: 30m -> 1h, taken over'
contains 'it ran' "$("$WICK" status job.wick)" '3 of 3'
edit 's/1h/2h/; s/trials: 3/trials: 4/; s/\[0, 1\]/[0, 2]/'
check 'an edit that needs a new study' "$WICK" job job.wick --trials 5
contains 'is noted' "$ERR" 'note: '
contains 'with its keys' "$ERR" 'study.yaml has edits that need a new study (space.x)'
equals 'and not taken over, nor are the others' "$(changes job.wick)" 1
contains 'the job runs' "$("$WICK" status job.wick)" '5 of 5'
check 'the same for resume in a job script' env SLURM_JOB_ID=1 "$WICK" resume job.wick --trials 6 --no-report
contains 'which notes it' "$ERR" 'study.yaml has edits that need a new study (space.x)'
edit 's/search:/serch:/'
check 'a mistake in the file' "$WICK" job job.wick --trials 7
contains 'is shown' "$ERR" "unknown key 'serch'"
contains 'and the job goes on' "$ERR" 'the study continues as it was recorded'
contains 'to its end' "$("$WICK" status job.wick)" '7 of 7'

new submit.wick
edit 's/trials: 2/trials: 3/; $ajob: {scheduler: local, cores: 1, chain: 1}'
check 'a dry run' "$WICK" submit submit.wick --dry-run
equals 'records nothing' "$(changes submit.wick)" 0
check 'submit takes over edits' "$WICK" submit submit.wick --timeout 5m
contains 'of the job as well' "$ERR" 'job.scheduler: not set -> local, taken over'
contains 'and options' "$ERR" 'model.timeout: 30m -> 5m'
await eval '"$WICK" status submit.wick | grep -q "3 of 3"'
await eval '! "$WICK" status submit.wick | grep -q running'
edit 's/\[0, 1\]/[0, 2]/; s/trials: 3/trials: 4/'
refuse 2 'submit refuses others' 'wick submit study.yaml --learn submit.wick' "$WICK" submit submit.wick
contains 'with the way around' "$ERR" 'wick submit submit.wick --ignore-edits'

# ---- ranks of an MPI job ----

for mpi in $(mpis_here); do
    new "$mpi.wick"
    edit 's/A: 1/A: 6/; s/workers: 1, //; s/trials: 2/trials: 4/'
    rm seen
    check "$mpi: the edit reaches all ranks" $(mpirun_of "$mpi" 3) "$WICK" resume "$mpi.wick" --env C=7 --no-report
    contains 'and is noted' "$ERR" 'model.env.A: 1 -> 6, taken over'
    equals 'the trials see it' "$(sort -u seen)" 'A=6 B= C=7'
    edit 's/seed: 3/seed: 4/'
    refuse 2 "$mpi: an edit that is refused" 'search.seed: 3 -> 4' $(mpirun_of "$mpi" 3) "$WICK" resume "$mpi.wick" --trials 6
    edit 's/seed: 4/seed: 3/; s/A: 6/A: 5/'
    check "$mpi: --mpi" env WICK_MPIEXEC="mpirun.$mpi" \
        "$WICK" resume "$mpi.wick" --mpi 2 --trials 6 --no-report
    equals 'has one note' "$(grep -c 'model.env.A: 6 -> 5, taken over' <<<"$ERR")" 1
done

# ---- early stopping ----

cat >curves.yaml <<'END'
model: {function: curves}
space:
  learning_rate: {log: [1e-4, 1]}
  decay: 1e-4
  units: 16
  optimizer: adam
  epochs: 27
search: {trials: 12, workers: 8, stop: asha, algorithm: random}
END
for rule in none median 'asha: {reduction: 4}' patience hyperband; do
    sed -i 's/stop: [^,]*,/stop: asha,/; s/trials: [0-9]*/trials: 12/' curves.yaml
    "$WICK" run curves.yaml --dir curves.wick --no-report -q
    stopped=$(grep -c '"state":"stopped"' curves.wick/journal)
    case $rule in *:*) value="{$rule}" ;; *) value=$rule ;; esac
    sed -i "s/stop: asha,/stop: $value,/; s/trials: 12/trials: 18/" curves.yaml
    check "from asha to $rule" "$WICK" resume curves.wick --no-report
    contains 'is taken over' "$ERR" 'search.stop'
    check 'what was stopped stays stopped' [ "$(grep -c '"state":"stopped"' curves.wick/journal)" -ge "$stopped" ]
    check 'and all can be read again' "$WICK" resume curves.wick --trials 20 --no-report
    rm -r curves.wick
done
sed -i 's/stop: [^,]*,//; s/trials: [0-9]*/trials: 12/' curves.yaml
"$WICK" run curves.yaml --dir curves.wick --no-report -q
check 'from none to asha, by an option' "$WICK" resume curves.wick --trials 36 --stop asha --no-report
check 'trials are stopped from then on' grep -q '"state":"stopped"' curves.wick/journal
finish
