# Completion of wick for fish. Everything comes from `wick help --list`, so it is never out of date.

function __wick_studies
    for journal in */journal
        string replace -r '/journal$' '' -- $journal
    end
end

# True when the user's own command has begun, which is not ours to complete.
function __wick_in_command
    contains -- -- (commandline -opc)
end

complete -c wick -n __fish_use_subcommand -f -l help -d 'what there is'
complete -c wick -n __fish_use_subcommand -f -l version -d 'the version'

wick help --list 2>/dev/null | while read -d \t -l command option value text
    set -l here "__fish_seen_subcommand_from $command; and not __wick_in_command"
    if test -z "$option"
        complete -c wick -n __fish_use_subcommand -f -a $command -d "$text"
        if string match -q '*DIR*' -- $value
            complete -c wick -n $here -f -a '(__wick_studies)' -d study
        end
        continue
    end
    set -l name -l (string replace -r '^--' '' -- $option)
    string match -qr '^-[^-]' -- $option; and set name -s (string sub -s 2 -- $option)
    if test -z "$value"
        complete -c wick -n $here -f $name -d "$text"
    else if string match -q '*|*' -- $value
        complete -c wick -n $here -x $name -a "(string split '|' '$value')" -d "$text"
    else if contains -- $value FILE D F
        complete -c wick -n $here -r $name -d "$text"
    else
        complete -c wick -n $here -x $name -d "$text"
    end
end
