# Links in a study folder, where Wick keeps files and folders of its own: none is followed, so nobody
# can have Wick write or remove something else with a folder that they prepared.
. "$(dirname "$0")/lib.sh"

noop="--function noop --set x=0..1.0"
new_study() { rm -rf s && "$WICK" run $noop --trials 2 --dir s --quiet --no-report >/dev/null; }
precious() { ls precious && cat precious/file; }
prepare() {
    rm -rf precious
    mkdir precious
    echo precious >precious/file
}
stays() { equals "$1: what it names stays" "$(precious)" "file
precious"; }

# ---- folders ----

# tmp is emptied, old checkpoints are removed: where the link leads, too, if it were followed.
for name in tmp logs trials checkpoints; do
    new_study
    prepare
    rm -rf "s/$name"
    ln -s "$T/precious" "s/$name"
    program=(-- bash -c 'echo "score: 1"')
    if [ $name = checkpoints ]; then # only programs have some
        rm -rf s
        "$WICK" run --set x=0..1.0 --trials 1 --dir s --quiet --no-report "${program[@]}" >/dev/null
        rm -rf s/checkpoints
        ln -s "$T/precious" s/checkpoints
    fi
    refuse 1 "a link in place of $name" "s/$name is a link, but Wick needs a folder of its own there" \
        "$WICK" resume s --trials 3
    stays "$name"
done

# ---- the folder of a new study ----

mkdir -p mine/tmp
echo precious >mine/tmp/file
refuse 2 'a new study in a folder with a tmp' 'mine/tmp already exists and is not empty' \
    "$WICK" run $noop --trials 2 --dir mine
equals 'which is not emptied' "$(cat mine/tmp/file)" precious

# ---- files ----

# linked NAME CODE COMMAND...: what the command does with a link in place of DIR/NAME.
linked() {
    local name=$1 code=$2
    shift 2
    new_study
    prepare
    ln -sf ../precious/file "s/$name"
    capture "$@"
    equals "a link in place of $name" $? "$code"
    stays "$name"
    ln -sfn ../precious/new "s/$name" # one to nowhere
    capture "$@"
    stays "$name, to nowhere"
}
job="--scheduler local --workers-per-node 1"
linked report.html 0 "$WICK" report s
linked stop 0 "$WICK" stop s
linked queue 1 "$WICK" enqueue s x=0.5
linked study.yaml 0 "$WICK" resume s --trials 3 --no-report
linked job.sh 0 "$WICK" submit s $job --trials 3
check 'the job ends' "$WICK" watch s
linked jobs 1 "$WICK" submit s $job --trials 3

# The journal is read through a link, and nothing is written there.
new_study
mv s/journal real
cp real before
ln -s ../real s/journal
check 'a linked journal is read' "$WICK" status s
equals 'all of it' "$("$WICK" list s --json | wc -l)" 2
refused() { # NAME COMMAND...
    refuse 1 "a linked journal: $1" 's/journal is a link, but Wick writes only to a file of its own there' "${@:2}"
    check 'stays as it was' cmp real before
}
refused 'a resume' "$WICK" resume s --trials 3
refused 'a change with a job' "$WICK" submit s $job --trials 3 --timeout 1m
sed -i '3s/time/tome/' real
cp real before
refused 'a repair' "$WICK" repair s

# ---- what the kernel is asked ----

# Whatever is opened for writing may not be a link, not even one that came a moment before.
if command -v strace >/dev/null; then
    rm -rf s
    code='echo "score: 1"; [ -z "${WICK_RESULT-}" ] || echo "{\"score\": 2}" >"$WICK_RESULT"'
    traced() { strace -f -qq -e trace=open,openat,creat -o "trace.$1" "${@:2}" >/dev/null 2>&1; }
    traced run "$WICK" run --set x=0..1.0 --trials 3 --dir s -- bash -c "$code" sh '{params}' '{result}' '{dir}'
    traced resume "$WICK" resume s --trials 4
    traced enqueue "$WICK" enqueue s x=0.5
    traced report "$WICK" report s -o page
    traced export "$WICK" export s -o rows.db
    traced submit "$WICK" submit s $job --trials 5
    "$WICK" watch s >/dev/null
    traced doctor "$WICK" doctor
    for trace in trace.*; do # a program's own files, and special ones, are none of Wick's
        grep -E 'O_WRONLY|O_RDWR|O_CREAT|creat\(' "$trace" | grep -vE 'O_NOFOLLOW|O_EXCL|"/(dev|proc|sys)/|ENOENT' \
            >opened
        contains "${trace#trace.}: it opens files" "$(cat "$trace")" open
        equals "${trace#trace.}: none through a link" "$(grep -vE 'result.json"|"/newroot/|/ompi\.' opened)" ''
    done
else
    skip_part 'no strace: how files are opened'
fi

# ---- a trial that puts links in their place while its study runs ----

cat >swap.sh <<'END'
if [ "$WICK_TRIAL" = 1 ]; then
    for name in tmp logs trials checkpoints; do
        rm -rf "$WICK_FOLDER/$name" && ln -s "$PWD/precious" "$WICK_FOLDER/$name"
    done
    for name in report.html stop look queue study.yaml; do
        rm -f "$WICK_FOLDER/$name" && ln -s "$PWD/precious/$name" "$WICK_FOLDER/$name"
    done
fi
echo "score: $WICK_TRIAL"
END
for words in "" "{params}" "{dir}"; do
    rm -rf s
    prepare
    check "a trial makes links: ${words:-no files}" "$WICK" run --set x=0..1.0 --trials 3 -n 1 --pass none --dir s \
        --keep all -- bash swap.sh $words
    stays 'the other trials'
    equals 'all of them have ended' "$("$WICK" list s --json | wc -l)" 3
done
contains 'who cannot have its folder says so' "$("$WICK" show s 3)" 'cannot write the files of the trial'
rm -rf s
prepare
echo '{"score": 7}' | tee precious/1.result.json >precious/2.result.json
check 'a trial makes links to results' "$WICK" run --set x=0..1.0 --trials 3 -n 1 --pass none --dir s -- bash swap.sh
equals 'which are not removed' "$(cd precious && echo *)" '1.result.json 2.result.json file'

# A trial whose output somebody looks at: DIR/look.
rm -rf s
prepare
"$WICK" run --set x=0..1.0 --trials 1 --dir s --no-report -- \
    bash -c 'until [ -e end ]; do sleep 0.05; done; echo "score: 1"' >/dev/null 2>&1 &
await grep -qs '^{"start":1,' s/journal
ln -s ../precious/file s/look
refuse 1 'a link in place of look' 'cannot write s/look' timeout 60 "$WICK" show s 1 --follow
stays look
touch end
wait $!
finish
