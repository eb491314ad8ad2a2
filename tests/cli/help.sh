#!/usr/bin/env bash
# Help, manual pages and completion all cover everything that the program accepts.
. "$(dirname "$0")/lib.sh"

list=$("$WICK" help --list)
commands=$(cut -f 1 <<<"$list" | uniq)
check 'there are commands' test "$(wc -w <<<"$commands")" -ge 10

# ---- help ----

check 'help lists the commands' "$WICK" help
for command in $commands; do
    contains "help lists $command" "$OUT" "
  $command "
done
help=$OUT
check '--help is help' "$WICK" --help
equals '--help says what help says' "$OUT" "$help"
refuse 2 'wick alone shows the commands' "$help" "$WICK"

for command in $commands; do
    check "wick help $command" "$WICK" help "$command"
    text=$OUT
    contains "$command shows an example first" "$(sed -n 3,4p <<<"$text")" "Example
  "
    equals "the lines of $command fit into 88 columns" "$(grep -c '.\{89\}' <<<"$text")" 0
    check "wick $command --help" "$WICK" "$command" --help
    equals "$command --help says the same" "$OUT" "$text"
    [ "$command" = swift ] || # what follows a script belongs to it
        check "wick $command -h wins over all else" "$WICK" "$command" a b c d -h
done
refuse 2 'help of an unknown command' "wick: unknown command 'bets': did you mean 'best'?" \
    "$WICK" help bets

check 'wick version' "$WICK" version
equals 'the version is that of the build' "$OUT" \
    "wick $(sed -n 's/^project(wick VERSION \([0-9.]*\).*/\1/p' "$SOURCE/CMakeLists.txt")"
version=$OUT
check 'wick --version' "$WICK" --version
equals '--version says the same' "$OUT" "$version"

# ---- manual pages ----

while IFS=$'\t' read -r command summary; do
    contains "wick-$command.1 has the summary of the help" "$(cat "$SOURCE/docs/man/wick-$command.1")" ".Nd $summary
"
    contains "so has wick.1 for $command" "$(cat "$SOURCE/docs/man/wick.1")" ".It Xr wick-$command 1
$summary
"
done < <(awk -F '\t' '$2 == "" {print $1 "\t" $4}' <<<"$list")

while read -r command option; do
    page=$SOURCE/docs/man/wick-$command.1
    if [ -z "$option" ]; then
        contains "wick-$command.1 exists" "$(cat "$page")" ".Nm wick $command"
        for section in NAME SYNOPSIS DESCRIPTION OPTIONS EXAMPLES 'EXIT STATUS' 'SEE ALSO'; do
            contains "wick-$command.1 has $section" "$(cat "$page")" ".Sh $section"
        done
        contains "wick.1 names wick-$command" "$(cat "$SOURCE/docs/man/wick.1")" \
            ".It Xr wick-$command 1"
    else
        grep -Eq -e "Fl ${option#-}( |\$)" "$page"
        verdict $? "wick-$command.1 tells of $option"
    fi
done < <(cut -f 1,2 <<<"$list")

mandoc=$(command -v mandoc) || skip_part 'mandoc is not installed: the pages are not checked for their form'
for page in "$SOURCE"/docs/man/*.1; do
    name=$(basename "$page" .1)
    [ "$name" = wick ] || contains "$name.1 is of a command" "
$commands
" "
${name#wick-}
"
    [ -z "$mandoc" ] || check "$name.1 is clean" mandoc -T lint -W warning "$page"
done

# ---- completion ----

mkdir bin demo.wick folder
touch good.yaml other.yml text.txt flow.swift
ln -s "$WICK" bin/wick
PATH=$T/bin:$PATH
touch demo.wick/journal

# Prints what bash would offer for these words; the last one is being typed.
offer() {
    bash -c '. "$0"; compopt() { :; }
             COMP_WORDS=("$@") COMP_CWORD=$(($# - 1)); _wick; printf "%s\n" "${COMPREPLY[@]}"' \
        "$SOURCE/completion/wick.bash" "$@"
}
equals 'bash completes every command' "$(offer wick '' | grep -v '^-' | sort)" \
    "$(sort <<<"$commands")"
for command in $commands; do
    equals "bash completes every option of $command" "$(offer wick "$command" - | sort)" \
        "$(awk -F '\t' -v c="$command" '$1 == c && $2 != "" {print $2}' <<<"$list" | sort)"
done
equals 'bash completes a study' "$(offer wick status d)" demo.wick
equals 'bash completes a word of an option' "$(offer wick export --format = j)" json
equals 'bash completes the words of help' "$(offer wick help ver)" version
equals 'bash completes study files, and folders that may have some' \
    "$(offer wick run '' | sort | paste -sd ' ')" 'bin demo.wick folder good.yaml other.yml'
equals 'bash completes any file when there is no study file' "$(offer wick check t)" text.txt
equals 'bash completes dataflow scripts, and folders that may have some' \
    "$(offer wick swift '' | sort | paste -sd ' ')" 'bin demo.wick flow.swift folder'
equals 'bash completes any file behind a dataflow script' "$(offer wick swift flow.swift t)" text.txt
equals 'bash completes folders for modules' "$(offer wick swift -I f)" folder
equals 'bash completes folders only where one is wanted' "$(offer wick run --folder f)" folder
equals 'bash completes files where one is wanted' "$(offer wick export -o t)" text.txt

# The options whose values are known, and these values.
while read -r command option words; do
    equals "bash completes the values of $option" \
        "$(offer wick "$command" "$option" '' | paste -sd ' ')" "$words"
done <<'END'
run --algorithm auto random sobol lhs grid forest tpe gp cmaes genetic nsga2 hyperspace pbt
run --direction minimize maximize
run --pass flags template none
run --keep failed all none
list --sort trial score duration ended
list --state running done failed timeout out-of-memory no-score nan stopped interrupted
export --format csv json sqlite
END
equals 'bash completes the verbs of trial' "$(offer wick trial re | paste -sd ' ')" 'report result'
equals 'bash completes files behind a verb' "$(offer wick trial put t)" text.txt
equals 'bash completes the test functions' "$(offer wick run --function bra)" branin
for option in --set --algorithm --levels --shuffle --function; do
    lacks "upf does not take $option" "$(offer wick upf -)" "$option"
done

if command -v fish >/dev/null; then
    for command in $commands; do
        equals "fish completes every option of $command" \
            "$(HOME=$T fish -c "source $SOURCE/completion/wick.fish
                                complete -C 'wick $command --'" | cut -f 1 | sort)" \
            "$(awk -F '\t' -v c="$command" '$1 == c && $2 ~ /^--/ {print $2}' <<<"$list" | sort)"
    done
    equals 'fish completes the verbs of trial' \
        "$(HOME=$T fish -c "source $SOURCE/completion/wick.fish
                            complete -C 'wick trial re'" | cut -f 1 | sort | paste -sd ' ')" 'report result'
    equals 'fish completes a study' "$(HOME=$T fish -c "source $SOURCE/completion/wick.fish
                                     complete -C 'wick status '" | cut -f 1)" demo.wick
    equals 'fish completes study files first' "$(HOME=$T fish -c "source $SOURCE/completion/wick.fish
                                     complete -C 'wick run '" | cut -f 1 | paste -sd ' ')" \
        'good.yaml other.yml bin/ demo.wick/ folder/'
    equals 'fish completes dataflow scripts first' "$(HOME=$T fish -c "source $SOURCE/completion/wick.fish
                                     complete -C 'wick swift '" | cut -f 1 | paste -sd ' ')" \
        'flow.swift bin/ demo.wick/ folder/'
    equals 'fish completes folders only where one is wanted' \
        "$(HOME=$T fish -c "source $SOURCE/completion/wick.fish
                            complete -C 'wick run --folder '" | cut -f 1 | paste -sd ' ')" \
        'bin/ demo.wick/ folder/'
else
    skip_part 'fish is not installed: its completion is not tested'
fi
if command -v zsh >/dev/null; then
    check 'the completion of zsh reads' zsh -n "$SOURCE/completion/_wick"
else
    skip_part 'zsh is not installed: its completion is not read'
fi
finish
