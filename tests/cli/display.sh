#!/usr/bin/env bash
# What a run shows while it runs: the live line on terminals of any width, failures, Ctrl-C, JSON.
. "$(dirname "$0")/lib.sh"
need tmux
unset COLUMNS TMUX
export LC_ALL=C TERM=xterm NO_COLOR=1
screen=0
mux() { tmux -S "$T/screen$screen" -f /dev/null "$@"; }
trap 'mux kill-server 2>/dev/null; clean_up' EXIT

# on_screen COLUMNS ARGUMENT...: starts wick on a terminal of this width.
on_screen() {
    local columns=$1
    shift
    mux kill-server 2>/dev/null
    screen=$((screen + 1))
    mux new-session -d -x "$columns" -y 20 "$(printf '%q ' "$WICK" "$@"); sleep 1000"
}

# seen REGEX: waits until a line of the screen matches, and leaves it in $LINE.
on_line() { LINE=$(mux capture-pane -p | grep -E -m 1 -e "$1"); }
seen() { wait_until on_line "$1" || { mux capture-pane -p && return 1; }; }

# ---- the live line ----

# Half of the trials last until the next screen, so that the line is there when it is looked for; on
# a slow machine, the remaining time is below a minute at some point.
study=(run --no-report --trials 60 -n 2 --set x=1..1000 --score val_loss --pass none)
for columns in 40 50 80 120; do
    on_screen $columns "${study[@]}" --dir "w$columns" -- \
        sh -c '[ "$WICK_TRIAL" -le 30 ] && sleep 0.2 || sleep 1000; echo val_loss: 0.257'
    check "$columns columns: count, best and time left" \
        seen '[0-9]+/60 .*best val_loss 0\.257  [0-9.]+ s left$'
    bare=$(sed -E 's/[#.]{20}/BAR/; s/[0-9]+\/60/N/; s/[0-9.]+ s left/T/; s/[0-9.]+\/(s|min)/R/; s/[0-9]+%/B/
                   s/[0-9] running/W/' <<<"$LINE")
    case $columns in
    40) expected='N  best val_loss 0.257  T' ;;
    50) bare=${bare/  W/} expected='N  best val_loss 0.257  T' ;; # the workers just fit, or not
    80) expected='N  W  R  B busy  best val_loss 0.257  T' ;;
    120) expected='BAR  N  W  R  B busy  best val_loss 0.257  T' ;;
    esac
    equals "$columns columns: what else has room" "$bare" "$expected"
done

# ---- Ctrl-C ----

on_screen 80 run --no-report --trials 50 -n 2 --set x=1..1000 --dir stop --name stop --pass none -- \
    sh -c 'while [ ! -e go ]; do sleep 0.05; done; echo score: 1'
check 'two trials run' seen '0/50  2 running'
mux send-keys C-c
check 'Ctrl-C is answered on a line of its own' \
    seen '^waiting for 2 running trials; Ctrl-C again stops them$'
check 'the live line goes on below it' seen '^[.]*  0/50  2 running .*waiting for running trials$'
touch go
check 'the run ends when they have' seen '^stop: 2 trials in .*, interrupted$'
rm go
on_screen 80 run --no-report --trials 50 -n 1 --set x=1..1000 --dir stop2 --name stop2 --pass none -- \
    sh -c 'while [ ! -e go ]; do sleep 0.05; done; echo score: 1'
check 'one trial runs' seen '0/50  1 running'
mux send-keys C-c
check 'one trial is one' seen '^waiting for the running trial; Ctrl-C again stops it$'
mux send-keys C-c
check 'a second Ctrl-C stops it' seen '^stopping the running trial$'
check 'nothing has ended' seen '^stop2: 0 trials in .*, interrupted$'
check 'it goes on' sh -c "touch go; '$WICK' resume stop2 --trials 3 --no-report"
contains 'the summary tells earlier runs from this one' "$OUT" 'stop2: 3 trials in '
check 'and on' "$WICK" resume stop2 --trials 5 --no-report
contains 'it says how many ran now' "$OUT" 'stop2: 5 trials, 2 of them in this run, in '

# ---- failures ----

cat >train <<'END'
#!/bin/sh
case $2 in
1) echo 'train: error: unrecognized arguments: --x' >&2; exit 2 ;;
2) echo 'no such layer' >&2; exit 1 ;;
esac
printf '%s\n' "val_loss: 0.5" "accuracy: 0.75"
END
chmod +x train
check 'some trials fail' "$WICK" run --no-report --algorithm grid --set x=1,2,3 --set y=1..4 -n 1 \
    --score val_loss --metrics accuracy --dir fail -- ./train
equals 'each kind of failure is shown once, then counted' \
    "$(grep -E 'trial [0-9]|^[0-9]+ x ' <<<"$ERR")" "\
trial 1: exit code 2: train: error: unrecognized arguments: --x
trial 5: no such layer
4 x exit code 2: train: error: unrecognized arguments: --x
4 x no such layer"
contains 'the summary has the metrics of the best' "$OUT" "best     trial 9, val_loss 0.5
         x 3, y 1
metrics  accuracy 0.75"
check 'one failure alone' "$WICK" run --no-report --set x=1 --set y=1..4 --trials 1 -n 1 --retries 1 \
    --score val_loss --dir alone -- sh -c '[ "$WICK_TRY" = 2 ] || exit 3; echo val_loss: 1'
contains 'it says that it is tried again' "$ERR" 'trial 1: exit code 3 (will be retried)'
lacks 'it is not counted' "$ERR" '1 x'

# ---- JSON ----

check 'run --json' "$WICK" run --json --no-report -n 1 --set x=3 --trials 1 --score val_loss \
    --metrics accuracy --dir json -- ./train
contains 'an event has the names of list' "$(sed 's/"duration":[0-9.]*/"duration":D/' <<<"$OUT")" \
    '{"event":"trial","trial":1,"state":"done","score":0.5,"duration":D,"worker":1,"tries":1,"best":true,"params":{"x":3},"metrics":{"accuracy":0.75}}'
check 'several trials, of which some fail' "$WICK" run --json --no-report -n 1 --set x=1..9 --trials 4 \
    --algorithm grid --dir all -- sh -c 'echo score: $WICK_TRIAL; exit $((WICK_TRIAL == 3))'
equals 'every trial has its parameters' "$(sed -n 's/.*"event":"trial".*"params":\({[^}]*}\).*/\1/p' <<<"$OUT" | paste -sd ' ')" \
    '{"x":1} {"x":2} {"x":3} {"x":4}'
equals 'only one is the best' "$(grep -c '"best":true' <<<"$OUT")" 1
finish
