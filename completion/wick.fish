# Completion of wick for fish. Everything comes from `wick help --list`, so it is never out of date.

# The folders of studies, or any folder when there are none.
function __wick_studies
    set -l journals */journal
    if test (count $journals) -gt 0
        string replace -r '/journal$' '' -- $journals
    else
        __fish_complete_directories (commandline -ct) ''
    end
end

# Study files, and folders that may hold some; any file when there are none.
function __wick_study_files
    set -l word (commandline -ct)
    set -l files $word*.yaml $word*.yml
    if test (count $files) -gt 0
        printf '%s\n' $files
        __fish_complete_directories $word ''
    else
        __fish_complete_path $word
    end
end

# Dataflow scripts, and folders that may hold some.
function __wick_scripts
    set -l word (commandline -ct)
    set -l files $word*.swift
    test (count $files) -gt 0; and printf '%s\n' $files
    __fish_complete_directories $word ''
end

# True when a dataflow script was named: what follows are its arguments.
function __wick_has_script
    string match -q '*.swift' -- (commandline -opc)
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
        if string match -q '*STUDY*' -- $value
            complete -c wick -n $here -f -k -a '(__wick_study_files)'
        else if string match -q '*SCRIPT*' -- $value
            complete -c wick -n "$here; and not __wick_has_script" -f -k -a '(__wick_scripts)'
        else if string match -q '*DIR*' -- $value
            complete -c wick -n $here -f -a '(__wick_studies)' -d study
        else if test "$value" = '[COMMAND]'
            complete -c wick -n $here -f -a '(wick help --list | cut -f 1 | uniq)'
        else if string match -q '*|*' -- $value
            complete -c wick -n "$here; and test (count (commandline -opc)) -eq 2" -f \
                -a "(string split '|' '$value')"
        end
        continue
    end
    set -l name -l (string replace -r '^--' '' -- $option)
    string match -qr '^-[^-]' -- $option; and set name -s (string sub -s 2 -- $option)
    if test -z "$value"
        complete -c wick -n $here -f $name -d "$text"
    else if string match -q '*|*' -- $value
        complete -c wick -n $here -x $name -a "(string split '|' '$value')" -d "$text"
    else if contains -- $value D F DIR
        complete -c wick -n $here -x $name -a "(__fish_complete_directories (commandline -ct) '')" -d "$text"
    else if test "$value" = FILE
        complete -c wick -n $here -r $name -d "$text"
    else
        complete -c wick -n $here -x $name -d "$text"
    end
end
