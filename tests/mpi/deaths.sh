#!/usr/bin/env bash
# Rounds of mpi-deaths: ranks are killed at random moments, and the others must end as they should.
#   tests/mpi/deaths.sh openmpi|mpich PROGRAM
# ROUNDS says how many rounds, SEED with which the first one is played; both are printed.
set -u
mpi=$1 program=$2
here=$(cd "$(dirname "$0")" && pwd)
rounds=${ROUNDS:-10} seed=${SEED:-$RANDOM}
kinds=(one several block stopped several first block server)
output=$(mktemp) || exit 1
trap 'rm -f "$output"' EXIT
number=0 failed=0

result() { # CODE TEXT
    local word=ok
    [ "$1" = 0 ] || { word='not ok'; failed=$((failed + 1)); }
    echo "$word $((++number)) - $2"
    [ "$1" = 0 ] || sed 's/^/# /' "$output"
}

# With the launcher's help the others live on. Some rounds go over sockets. A rank that was stopped
# ends as well, or is ended by the launcher if it wakes too late.
survive() { # KIND SEED
    local plan code ended survivors
    plan=$("$program" "$1" "$2") survivors=${plan##*, }
    [ $((number % 3)) != 2 ] || export OMPI_MCA_btl=self,tcp
    timeout 60 bash "$here/run" "$mpi" "$program" 8 "$1" "$2" >"$output" 2>&1
    code=$?
    unset OMPI_MCA_btl
    ended=$(grep -c '^ok .* has ended' "$output")
    [ $code = 0 ] && [ "$ended" -ge "${survivors%% *}" ] && ! grep -q '^not ok' "$output"
    result $? "$plan, $ended ended, code $code$([ $code = 124 ] && echo ': it hangs')"
    grep -E '^ok .* tasks are done|^# ' "$output" | sed 's/^ok [0-9]* -/#/'
}

# Without it all die at once, and nobody hangs.
perish() { # KIND SEED
    local code
    WITHOUT_RECOVERY=1 timeout 60 bash "$here/run" "$mpi" "$program" 8 "$1" "$2" >"$output" 2>&1
    code=$?
    [ $code != 0 ] && [ $code != 124 ]
    result $? "$("$program" "$1" "$2"); without recovery all end, code $code"
}

if [ "$mpi" = openmpi ]; then
    for ((round = 0; round < rounds; round++)); do
        survive "${kinds[round % ${#kinds[@]}]}" $((seed + round))
    done
fi
perish one "$seed"
perish first "$seed"
echo "1..$number"
[ $failed = 0 ]
