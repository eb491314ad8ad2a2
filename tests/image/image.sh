#!/usr/bin/env bash
# Wick in an image, made by the steps of the recipes of a small Debian: it runs in what can run images
# here, alone and as ranks of the host's launcher, and is removed again.
. "$(dirname "$0")/../cli/lib.sh"
[ -z "$SANITIZE" ] || skip 'a build with sanitizers is not packed'
[ -e "$BUILD/lib/wick/wick-openmpi.so" ] || skip 'Open MPI was not there when Wick was built'
need cpack dpkg-shlibdeps file chroot
image=$T/image
reason=$(bash "$SOURCE/tests/image/bootstrap" "$image") || skip "$reason"

# ---- make it ----

mkdir "$image/packaging"
check 'the packages are made' cpack --config "$BUILD/CPackConfig.cmake" -B "$image/packages"
cp "$SOURCE"/packaging/{install-packages,make-image,entrypoint,versions} "$image/packaging"
check 'they are installed by the steps of the recipes' \
    env VERSIONS=near chroot "$image" sh /packaging/make-image /packages openmpi
[ "$failed" = 0 ] || finish
contains 'the image knows its MPI' "$(cat "$image/etc/wick/image")" openmpi

# ---- run it ----

cat >branin.yaml <<'EOF'
model: {function: branin}
space: {x1: {float: [-5, 10]}, x2: {float: [0, 15]}}
search: {trials: 6}
EOF
cat >python.yaml <<'EOF'
model: {python: model.py:run}
space: {x: {float: [0, 1]}}
search: {trials: 4}
EOF
printf 'import wick\ndef run(params):\n    wick.report(1, score=1)\n    return params["x"]\n' >model.py
export USER=${USER:-root} # ch-run asks for it

# The words that run a command in the image, with $T and the launcher's /tmp inside. As users have
# them: no namespace for processes or the network, which MPI needs.
inside_ch_run() { echo ch-run --bind="$T:$T" --cd="$T" "$image" --; }
inside_bwrap() {
    echo bwrap --bind "$image" / --dev-bind /dev /dev --proc /proc --ro-bind /sys /sys --bind /tmp /tmp \
        --bind "$T" "$T" --chdir "$T"
}
inside_proot() { echo proot -R "$image" -b /tmp -b "$T" -w "$T"; }
mkdir -p "$image$T"

runtimes=
for runtime in ch_run bwrap proot; do
    $(inside_$runtime) true >/dev/null 2>&1 || { skip_part "${runtime/_/-} does not work here"; continue; }
    runtimes="$runtimes $runtime"
    check "a function, in $runtime" $(inside_$runtime) wick run branin.yaml --dir "function-$runtime"
    check "a model in Python, in $runtime" $(inside_$runtime) wick run python.yaml --dir "python-$runtime"
    check 'the wick of the host reads it' "$WICK" status "python-$runtime"
done
[ -n "$runtimes" ] || skip_part 'nothing here can run an image'

if [[ " $(mpis_installed | tr '\n' ' ')" == *' openmpi '* ]]; then
    for runtime in $runtimes; do
        check "3 ranks of the host's Open MPI, in $runtime" \
            $(mpirun_of openmpi 3) $(inside_$runtime) wick run branin.yaml --dir "ranks-$runtime"
        contains 'they are one study' "$OUT$ERR" '2 workers on 1 node with MPI'
    done
else
    skip_part 'there is no mpirun of Open MPI: ranks in an image'
fi
if [[ " $(mpis_installed | tr '\n' ' ')" == *' mpich '* ]]; then
    for runtime in $runtimes; do
        capture $(mpirun_of mpich 3) $(inside_$runtime) wick run branin.yaml --dir "other-$runtime"
        contains "the host's MPICH does not fit, in $runtime" "$OUT$ERR" \
            'the launcher is that of MPICH, but this image has only Open MPI'
        break # that it says so does not depend on the runtime
    done
else
    skip_part 'there is no MPICH: a launcher that does not fit the image'
fi

# ---- remove it ----

check 'the packages are removed' chroot "$image" dpkg --purge wick-openmpi wick
equals 'and their files with them' "$(find "$image/usr/bin" "$image/usr/share" -name 'wick*')" ''
finish
