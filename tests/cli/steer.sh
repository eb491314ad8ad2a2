#!/usr/bin/env bash
# search: {command: ...}: a program that makes suggestions as lines of JSON.
. "$(dirname "$0")/lib.sh"

# study NAME COMMAND SEARCH-KEYS [MODEL]
study() {
    cat >"$1.yaml" <<YAML
name: $1
model: ${4:-{function: ackley\}}
space:
  x: {float: [0, 1], default: 0.5}
  y: {float: [0, 1]}
search: {command: '$2', workers: 2${3:+, $3}}
YAML
}
run() { rm -rf "$1" && timeout 180 "$WICK" run "$1.yaml" --dir "$1" --no-report -q; }
trials() { "$WICK" status "$1" --json | grep -o '"ended":[0-9]*' | head -n 1 | cut -d: -f2; }
params() { "$WICK" list "$1" --json | grep -o '"params":{[^}]*}' | cut -d: -f2-; }

# A program that records what it receives, and answers the questions as its arguments say.
cat >program.sh <<'SH'
: >"$1"
file=$1
shift
while IFS= read -r line; do
    echo "$line" >>"$file"
    case $line in
    '{"ask":'*) [ $# -eq 0 ] || { echo "$1"; shift; } ;;
    '{"end":'*) echo '{"final": {"all": 1}}' ;;
    esac
done
SH

# ---- the protocol ----
study talk "bash program.sh seen \"{\\\"suggest\\\": [{\\\"x\\\": 0, \\\"y\\\": 0}]}\" \"{\\\"suggest\\\": [{\\\"params\\\": {\\\"x\\\": 1, \\\"y\\\": 1}, \\\"tag\\\": [7]}, {\\\"x\\\": 0, \\\"y\\\": 1}]}\" \"{\\\"end\\\": true}\"" 'settings: {a: [1, yes, true]}, seed: 3'
check 'a program suggests' run talk
contains 'it is told the space' "$(head -n 1 seen)" '"space":[{"name":"x","kind":"float","low":0,"high":1,"log":false,"default":0.5},{"name":"y",'
contains 'its settings' "$(head -n 1 seen)" '"settings":{"a":[1,"yes",true]}'
contains 'and the rest' "$(head -n 1 seen)" '"objectives":[{"name":"score","direction":"minimize"}],"seed":3,"trials":null,"workers":2,"past":0'
contains 'a result' "$(grep '"id":1,' seen)" '{"tell":{"id":1,"params":{"x":0,"y":0},"state":"done","score":0,'
contains 'a tag comes back' "$(grep '"x":1,' seen)" '"tag":[7]'
equals 'three results in all' "$(grep -c '"tell"' seen)" 3
equals 'at the end it is told so' "$(tail -n 1 seen)" '{"end":"done"}'
equals 'what it found is kept' "$(cat talk/final.txt)" '{"all": 1}'

# ---- one that counts, for the budget and a resume ----
cat >count.sh <<'SH'
n=0
while IFS= read -r line; do
    echo "$line" >>count.txt
    case $line in
    '{"tell":'*) n=$((n + 1)) ;;
    '{"ask":'*)
        [ ! -e stop ] || { rm stop; echo 'I cannot go on' >&2; exit 5; }
        m=$((m + 1))
        echo "{\"suggest\": [{\"x\": 0.$((10 + n + m)), \"y\": 0}]}" ;;
    esac
done
SH
study count 'bash count.sh' 'trials: 5'
check 'a budget' run count
equals 'holds' "$(trials count)" 5
contains 'the program ends in order' "$(tail -n 1 count.txt)" '"end"'
: >count.txt
check 'it goes on' timeout 180 "$WICK" resume count --trials 8 -q --no-report
contains 'it hears how much is past' "$(head -n 1 count.txt)" '"trials":8,"workers":2,"past":5'
equals 'and the past' "$(grep -c '"past":true' count.txt)" 5
equals 'and what is new' "$(grep '"tell"' count.txt | grep -vc past)" 3
touch stop
refuse 1 'a death' 'ended with exit code 5 before it said that it was done: I cannot go on' timeout 180 "$WICK" resume count --trials 9 -q --no-report
check 'after which it goes on' timeout 180 "$WICK" resume count --trials 9 -q --no-report
equals 'to its budget' "$(trials count)" 9

# ---- waiting ----
cat >wait.sh <<'SH'
while IFS= read -r line; do
    case $line in
    '{"tell":'*) told=1 ;;
    '{"ask":'*)
        asks=$((asks + 1))
        if [ $asks = 1 ]; then echo '{"suggest": {"x": 0.5, "y": 0.5}}'
        elif [ -n "$told" ]; then echo '{"end": true}'
        else echo '{"wait": true}'; fi ;;
    esac
done
SH
study wait 'bash wait.sh' '' "{command: 'bash -c ''sleep 0.2; echo score: 1'''}"
check 'a program may wait for a result' run wait
equals 'one trial' "$(trials wait)" 1
study wait 'bash -c "while read -r line; do echo {\\\"wait\\\": true}; done"'
refuse 1 'but not without a trial' 'waits for a result, but no trial is running' run wait

# ---- what goes wrong ----
broken() { # NAME TEXT LINE: a program that answers with this line
    printf '%s\n' "$3" >line.json
    study broken 'bash -c "read -r hello; cat line.json; cat >/dev/null"'
    refuse 1 "$1" "$2" run broken
    contains "$1: and how to go on" "$ERR" 'Fix it, then continue with `wick resume broken`'
}
broken 'garbage' 'It is line 1: hello there' 'hello there'
broken 'a number' 'not a JSON object' '3'
broken 'half an object' 'not a JSON object' '{"suggest": [{"x": 1'
broken 'an unknown key' "unknown key 'sugest': did you mean 'suggest'?" '{"sugest": []}'
broken 'a suggestion that is none' "'suggest' must be a list of objects" '{"suggest": 3}'
broken 'a list in it' 'not a JSON object' '{"suggest": [[1]]}'
broken 'out of range' "parameter 'x' cannot be 7: it is a number from 0 to 1" '{"suggest": [{"x": 7, "y": 0}]}'
contains 'with its line' "$ERR" 'It is in line 1: {"x": 7, "y": 0}'
broken 'a parameter that is missing' "parameter 'y' is missing" '{"suggest": [{"x": 1}]}'
broken 'an unknown parameter' "unknown parameter 'z'" '{"suggest": [{"x": 1, "y": 1, "z": 1}]}'
broken 'an unknown key beside params' "unknown key 'teg' beside 'params'" '{"suggest": [{"params": {"x": 1, "y": 1}, "teg": 1}]}'
study broken 'bash -c "yes"'
refuse 1 'a flood of lines' 'It is line 1: y' run broken
study broken 'bash -c "tr \\\\0 x </dev/zero"'
refuse 1 'a line without an end' 'a line of more than 16 MiB' run broken
study broken 'bash -c "exec >&-; yes oh no | head -c 3000000 >&2; exit 1"'
refuse 1 'a flood of errors' 'exit code 1 before it said that it was done: oh no' run broken
study broken 'bash -c "exit 0"'
refuse 1 'the end at once' 'it must say {"end": true}' run broken
echo 'kill -9 $$' >kill.sh
study broken 'bash kill.sh'
refuse 1 'a kill' 'was killed by signal 9' run broken
study broken './nothing'
refuse 2 'a program that is missing' "there is no program './nothing'" run broken
study broken 'bash x.sh' 'interpreter: bash'
refuse 2 'an interpreter' "name it in the command" run broken
study broken 'bash x.sh'
refuse 2 'not for asktell' 'its caller asks for the trials' "$WICK" asktell broken.yaml --dir asktell

# ---- one that never answers, and one that refuses to end ----
study mute 'bash -c "trap : TERM; echo here >&2; while :; do sleep 1; done"' '' '{function: ackley, grace: 0.5s}'
rm -rf mute
"$WICK" run mute.yaml --dir mute --no-report -q &
wick=$!
await grep -qs here mute/logs/algorithm.log
kill -INT $wick
wait $wick
equals 'Ctrl-C ends one that never answers' $? 130

# ---- an early stopper, a target ----
study target 'bash -c "while read -r line; do echo {\\\"suggest\\\": [{\\\"x\\\": 0, \\\"y\\\": 0}]}; done"' 'target: 0.5'
check 'a target ends it' run target
contains 'in order' "$(tail -n 1 target/journal)" '"target"'
finish
