# Completion of wick for bash. Everything comes from `wick help --list`, so it is never out of date.

# Completes the folders of studies, and other folders that may hold some.
_wick_studies() {
    local folder
    while IFS= read -r folder; do
        [ -f "$folder/journal" ] && COMPREPLY+=("$folder")
    done < <(compgen -d -- "$1")
    [ ${#COMPREPLY[@]} -gt 0 ] || _wick_folders "$1"
}

_wick_folders() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$1")
}

_wick_files() {
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -f -- "$1")
}

# Completes study files, and folders that may hold some; any file when there are none.
_wick_study_files() {
    local name
    compopt -o filenames
    while IFS= read -r name; do
        case $name in *.yaml | *.yml) COMPREPLY+=("$name") ;; esac
    done < <(compgen -f -- "$1")
    if [ ${#COMPREPLY[@]} -eq 0 ]; then
        _wick_files "$1"
        return
    fi
    while IFS= read -r name; do
        COMPREPLY+=("$name")
    done < <(compgen -d -- "$1")
}

# Completes dataflow scripts, and folders that may hold some; any file behind a script.
_wick_scripts() {
    local name
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [[ ${COMP_WORDS[i]} == *.swift ]]; then
            _wick_files "$1"
            return
        fi
    done
    compopt -o filenames
    mapfile -t COMPREPLY < <(compgen -d -- "$1")
    while IFS= read -r name; do
        case $name in *.swift) COMPREPLY+=("$name") ;; esac
    done < <(compgen -f -- "$1")
}

# Completes the value of an option by what the list calls it.
_wick_value() {
    case $1 in
    *'|'*) mapfile -t COMPREPLY < <(compgen -W "${1//|/ }" -- "$2") ;;
    FILE) _wick_files "$2" ;;
    D | F | DIR) _wick_folders "$2" ;;
    esac
}

_wick() {
    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
    local command=${COMP_WORDS[1]-} list option value i
    COMPREPLY=()
    list=$("${COMP_WORDS[0]}" help --list 2>/dev/null) || return

    if [ "$COMP_CWORD" -eq 1 ]; then
        mapfile -t COMPREPLY < <(compgen -W "$(cut -f 1 <<<"$list" | sort -u) --help --version" -- "$word")
        return
    fi
    for ((i = 2; i < COMP_CWORD; i++)); do
        if [ "${COMP_WORDS[i]}" = -- ]; then # the user's own command
            _wick_files "$word"
            return
        fi
    done

    # bash cuts --format=csv into three words
    if [ "$word" = = ]; then
        word=
    elif [ "$before" = = ]; then
        before=${COMP_WORDS[COMP_CWORD - 2]}
    fi
    while IFS=$'\t' read -r _ option value; do
        if [ "$option" = "$before" ] && [ -n "$value" ]; then
            _wick_value "$value" "$word"
            return
        fi
    done < <(awk -F '\t' -v c="$command" '$1 == c && $2 != "" && $3 != "" {print $1 "\t" $2 "\t" $3}' <<<"$list")

    case $word in
    -*) mapfile -t COMPREPLY < <(compgen -W "$(awk -F '\t' -v c="$command" '$1 == c {print $2}' <<<"$list")" -- "$word") ;;
    *)
        case $(awk -F '\t' -v c="$command" '$1 == c && $2 == "" {print $3}' <<<"$list") in
        *STUDY*) _wick_study_files "$word" ;;
        *SCRIPT*) _wick_scripts "$word" ;;
        *DIR*) _wick_studies "$word" ;;
        *'|'*) # verbs
            if [ "$COMP_CWORD" -eq 2 ]; then
                _wick_value "$(awk -F '\t' -v c="$command" '$1 == c && $2 == "" {print $3}' <<<"$list")" "$word"
            else
                _wick_files "$word"
            fi
            ;;
        *COMMAND]) mapfile -t COMPREPLY < <(compgen -W "$(cut -f 1 <<<"$list" | sort -u)" -- "$word") ;;
        *) _wick_files "$word" ;;
        esac
        ;;
    esac
}

complete -F _wick wick
