#!/usr/bin/env bash
# The Debian packages: what is in them, and what they need.
. "$(dirname "$0")/../cli/lib.sh"
[ -z "$SANITIZE" ] || skip 'a build with sanitizers is not packed'
need cpack dpkg-shlibdeps dpkg-deb file

check 'the packages are made' cpack --config "$BUILD/CPackConfig.cmake" -B "$T"
field() { dpkg-deb -f "$T/$1"_*.deb "$2"; }
files() { dpkg-deb -c "$T/$1"_*.deb | awk '{ print $6 }'; }

wick=$(files wick)
for file in bin/wick lib/wick/python/wick.py lib/wick/r/wick.R lib/wick/c/wick_trial.h lib/wick/wick-r.so \
    share/man/man1/wick-run.1.gz share/doc/wick/copyright share/doc/wick/docs/tutorial.md \
    share/wick/sites/slurm.yaml share/bash-completion/completions/wick; do
    contains "wick has $file" "$wick" "./usr/$file"
done
lacks 'it has no file of the build' "$wick$(files libwick-dev)" "$BUILD"
lacks 'nor what Python compiled' "$wick" __pycache__
contains 'it needs the libraries that it is linked with' "$(field wick Depends)" libsqlite3-0
lacks 'it needs no MPI' "$(field wick Depends)" mpi
contains 'but asks for one' "$(field wick Recommends)" 'wick-'
contains 'the library has its name' "$(files libwick0)" ./usr/lib/libwick.so.0
contains 'its headers are apart' "$(files libwick-dev)" ./usr/include/wick.h
contains 'with the examples' "$(files libwick-dev)" examples/integrate.c
declare -A library=([openmpi]=libopenmpi [mpich]=libmpich)
for mpi in openmpi mpich; do
    [ -e "$BUILD/lib/wick/wick-$mpi.so" ] || { skip_part "wick is built without $mpi"; continue; }
    equals "wick-$mpi is the plug-in" "$(files wick-$mpi | grep '\.so')" ./usr/lib/wick/wick-$mpi.so
    contains 'it needs its MPI' "$(field wick-$mpi Depends)" ${library[$mpi]}
    contains 'and the same wick' "$(field wick-$mpi Depends)" "wick (= $(field wick Version))"
done
equals 'all belongs to root, and others write nothing' \
    "$(for package in "$T"/*.deb; do dpkg-deb -c "$package"; done |
        awk '$2 != "root/root" || $1 ~ /^[-d](....w|.......w)/')" ''
if command -v lintian >/dev/null; then
    # Whose packages they are, and that they are not Debian's, is the packager's matter.
    equals 'lintian finds no error' "$(lintian --suppress-tags \
        bogus-mail-host,bogus-mail-host-in-debian-changelog,root-in-contact "$T"/*.deb 2>&1 | grep '^E:')" ''
else
    echo '# there is no lintian, which would look closer'
fi

# DESTDIR, and a tree that was moved.
check 'DESTDIR is heard' env "DESTDIR=$T/stage" cmake --install "$BUILD" --prefix /opt/wick
equals 'nothing else is installed' "$(ls "$T/stage")" opt
mv "$T/stage/opt/wick" "$T/elsewhere"
check 'a tree that was moved runs' "$T/elsewhere/bin/wick" run --trials 2 --function branin --set x1=-5..10 --set x2=0..15 --dir "$T/a"
check 'and finds the sites that came with it' env HOME="$T" "$T/elsewhere/bin/wick" submit --site cray --trials 2 \
    --function branin --dry-run
contains 'with their launchers' "$OUT" '-- srun --mpi=cray_shasta'
printf 'def run(params):\n    return params["x"]\n' >model.py
check 'and finds what Python needs' "$T/elsewhere/bin/wick" run --trials 2 --python model.py:run --set x=0..1 --dir "$T/b"
finish
