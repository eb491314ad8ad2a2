#!/usr/bin/env bash
# Plays rounds of mpi-deaths: ranks are killed at random moments, and the others must end properly.
#   tests/mpi/deaths.sh openmpi|mpich PROGRAM
# KILLS is the number of rounds (20: each kind once), SEED the seed of the first one; it is printed.
# Three rounds are played at a time, as a round mostly waits.
set -u
mpi=$1 program=$2
here=$(cd "$(dirname "$0")" && pwd)
KILLS=${KILLS:-20}
rounds=$((KILLS / 20)) seed=${SEED:-$RANDOM}
kinds=(one several block stopped first server)
[ $rounds -ge ${#kinds[@]} ] || rounds=${#kinds[@]}
launcher=$(command -v "mpirun.$mpi" || command -v mpirun) || {
    echo "1..0 # skipped: there is no mpirun.$mpi"
    exit 77
}
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
echo "# SEED=$seed"

# result CODE TEXT OUTPUT
result() {
    if [ "$1" = 0 ]; then
        echo "ok - $2"
    else
        echo "not ok - $2"
        sed 's/^/# /' "$3"
    fi
}

# play KIND SEED OUTPUT: plays a round. Each has its own folder, in which Open MPI puts its files.
play() {
    local folder=$3.folder code=0
    mkdir "$folder"
    TMPDIR=$folder timeout 400 bash "$here/run" "$mpi" "$program" 8 "$1" "$2" >"$3" 2>&1 || code=$?
    rm -rf "$folder"
    return $code
}

# Over sockets, Open MPI itself sometimes ends a rank when it finds that another rank, which leaves
# properly, has closed the connection. It says so. What counts then is that some rank ended in
# order, that all tasks were done if an owner is left, and that no crash was the reason.
ended_by_open_mpi() { # OUTPUT ENDED KIND
    grep -q 'unexpectedly disconnected\|Connection reset' "$1" && ! grep -q 'signal\|Sanitizer' "$1" &&
        { grep -q '^ok .* tasks are done' "$1" || [[ $2:$3 =~ ^[1-9][0-9]*:(first|server)$ ]]; }
}

# With the launcher's help, the others survive. A stopped rank ends as well, or the launcher ends it
# if it wakes too late.
survive() { # KIND SEED OUTPUT
    local plan code=0 ended missing holds=1
    plan=$("$program" "$1" "$2")
    play "$1" "$2" "$3" || code=$?
    ended=$(grep -c '^ok .* has ended' "$3")
    missing=${plan##*, }
    missing=$((${missing%% *} - ended))
    if [ $missing -le 0 ]; then
        [ $code = 0 ] && holds=0
    elif [ $code != 124 ] && ended_by_open_mpi "$3" "$ended" "$1"; then
        echo "# Open MPI itself ended $missing ranks"
        holds=0
    fi
    ! grep -q '^not ok' "$3" || holds=1
    result $holds "$plan, $ended ended, code $code$([ $code != 124 ] || echo ': it hangs')" "$3"
    grep -E '^ok .* tasks are done|^# ' "$3" | sed 's/^ok [0-9]* -/#/'
}

survive_over_sockets() {
    export OMPI_MCA_btl=self,tcp
    survive "$@"
}

# Without it, all die at once, and none hangs.
perish() { # KIND SEED OUTPUT
    local code=0
    WITHOUT_RECOVERY=1 play "$1" "$2" "$3" || code=$?
    [ $code != 0 ] && [ $code != 124 ]
    result $? "$("$program" "$1" "$2"); without recovery all end, code $code" "$3"
}

# begin COMMAND KIND SEED: runs it in the background; after every third one, waits for all.
begun=0
begin() {
    begun=$((begun + 1))
    "$@" "$work/$begun" >"$work/$begun.result" &
    [ $((begun % 3)) != 0 ] || wait
}

if [ "$mpi" = mpich ]; then
    :
elif "$launcher" --version | grep -q '(OpenRTE) 4'; then
    for ((round = 0; round < rounds; round++)); do
        how=survive
        [ $((round % 3)) != 2 ] || how=survive_over_sockets
        begin $how "${kinds[round % ${#kinds[@]}]}" $((seed + round))
    done
else
    echo '# skipped: this Open MPI ends the whole job when a rank dies: surviving ranks are not tested'
fi
begin perish one "$seed"
begin perish first "$seed"
wait
for ((number = 1; number <= begun; number++)); do
    cat "$work/$number.result"
done >"$work/results"
awk '/^(not )?ok - / { sub(/ok -/, "ok " ++n " -") } { print } END { print "1.." n }' "$work/results"
[ "$(grep -c '^ok' "$work/results")" = $begun ]
