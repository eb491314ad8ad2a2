#!/usr/bin/env bash
# Mistakes that people make, and the exact message that each of them gets. The table is in
# tests/cli/mistakes: one file per topic, in which a row is
#
#     === a key is misspelled
#     >>> study.yaml
#     model: {comand: python3 train.py}
#     $ wick check study.yaml
#     wick: study.yaml:1:9: unknown key 'comand': did you mean 'command'?
#       1 | model: {comand: python3 train.py}
#         |         ^
#     [2]
#
# "=== TITLE" starts a row in an empty folder, ">>> FILE" writes a file, and "$ COMMAND" runs a line
# of shell. The lines after it are all that it must write to stderr, and "[CODE]" is its exit code if
# not 0. FOLDER stands for the folder of the row, and "..." alone on a line for any lines. What comes
# before the first row of a file is a comment.
#
#     bash tests/cli/mistakes.sh [TOPIC...]           runs all topics, or these
#     bash tests/cli/mistakes.sh --update [TOPIC...]  writes what the commands print into the table
. "$(dirname "$0")/lib.sh"
export LC_ALL=C TZ=UTC
unset COLUMNS NO_COLOR

table=$SOURCE/tests/cli/mistakes
least=60 # rows of the whole table
update=
[ "${1-}" != --update ] || { update=1 && shift; }
mkdir "$T/bin" "$T/home"
ln -s "$WICK" "$T/bin/wick"
export HOME=$T/home PATH=$T/bin:$PATH
cd "$T" || exit 1

rows=0 row=$T/row
topic='' title='' file='' command='' code=0
part=comment text='' # the part of a row that is being read, and its lines

# True when $ERR is the given text, in which "..." alone on a line stands for any lines.
is_expected() {
    local got=$'\n'$ERR$'\n' rest=$'\n'$1$'\n' lines start=
    while [[ $rest == *$'\n...\n'* ]]; do
        lines=${rest%%$'\n...\n'*}$'\n' rest=$'\n'${rest#*$'\n...\n'}
        [[ $got == $start"$lines"* ]] || return
        got=$'\n'${got#*"$lines"} start='*'
    done
    [[ $got == $start"$rest" ]]
}

# Runs the command of a row and compares; --update takes over what it prints.
run_command() {
    local got=0 holds=1
    (cd "$row" && eval "$command") >"$T/.out" 2>"$T/.err" </dev/null || got=$?
    ERR=$(<"$T/.err")
    ERR=${ERR//"$row"/FOLDER}
    is_expected "$text" && [ $got = $code ] && holds=0
    [ -z "$update" ] || [ $holds = 0 ] || { text=$ERR code=$got holds=0; }
    verdict $holds "$topic: $title" "$ $command
expected, with exit code $code:
$text
got, with exit code $got:
$ERR"
}

end_part() {
    while [[ $text == *$'\n' ]]; do text=${text%$'\n'}; done
    case $part in
    file) mkdir -p "$(dirname "$row/$file")" && printf '%s\n' "$text" >"$row/$file" ;;
    command) run_command ;;
    esac
    [ -z "$text" ] || printf '%s\n' "$text" >>"$T/.updated"
    [ $part != command ] || [ $code = 0 ] || echo "[$code]" >>"$T/.updated"
    text=
}

start_row() {
    [ ! -s "$T/.updated" ] || echo >>"$T/.updated"
    rows=$((rows + 1)) title=$1
    rm -rf "$row" && mkdir "$row"
}

run_topic() {
    local line
    topic=$1 part=comment
    : >"$T/.updated"
    while IFS= read -r line || [ -n "$line" ]; do
        case $line in
        '=== '*) end_part && part=title && start_row "${line#* }" ;;
        '>>> '*) end_part && part=file file=${line#* } ;;
        '$ '*) end_part && part=command command=${line#* } code=0 ;;
        '['[0-9]*']') [ $part = command ] && code=${line//[!0-9]/} && continue ;;&
        *) text+=$line$'\n' && continue ;;
        esac
        printf '%s\n' "$line" >>"$T/.updated"
    done <"$table/$topic"
    end_part
    [ -z "$update" ] || cp "$T/.updated" "$table/$topic"
}

if [ $# -gt 0 ]; then
    for topic; do run_topic "$topic"; done
else
    for topic in "$table"/*; do run_topic "${topic##*/}"; done
    check "the table has at least $least rows ($rows)" [ $rows -ge $least ]
fi
finish
