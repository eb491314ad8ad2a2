# A study as a page, as tables and as a database; the page in a real browser.
. "$(dirname "$0")/lib.sh"
need python3

# ---- a small real study ----
cat >train.py <<'END'
import sys
given = dict(zip(sys.argv[1::2], sys.argv[2::2]))
x = float(given["--x"])
print("</script><b>training</b>")
if x > 0.8:
    sys.exit("x is too large")
print("score:", (x - 0.3) ** 2)
END
check 'a study runs' "$WICK" run --trials 20 --seed 3 --set x=0..1.0 --set score=a,b \
    --dir "$T/real" -- python3 "$T/train.py"
check 'it becomes a page' "$WICK" report "$T/real" -o "$T/real.html"
equals 'the page stands where it was asked for' "$OUT" "$T/real.html"
equals 'nothing else was written' "$(ls "$T" | grep -c '\.tmp$')" 0
refuse 1 'a folder that is not there' 'cannot write' "$WICK" report "$T/real" -o "$T/none/a.html"

# ---- more metrics than a table has columns for ----

cat >crowd.sh <<'END'
printf '{"score": 1'
for i in {2..64}; do printf ', "m%d.%d": 1' "$WICK_TRIAL" "$i"; done
printf '}'
END
check 'a study with more than 1000 metrics' "$WICK" run --set x=0..1.0 --trials 17 --dir crowd --quiet --no-report \
    --pass none -- bash -c "bash $PWD/crowd.sh >\"\$WICK_RESULT\""
check 'as CSV' "$WICK" export crowd -o crowd.csv
contains 'has a note' "$ERR" 'note: 72 metrics are left out, since a CSV has at most 1000 columns of metrics: use --format json'
equals 'which is true' "$(head -n 1 crowd.csv | tr ',' '\n' | grep -c '^m[0-9]')" 999
check 'as JSON' "$WICK" export crowd -o crowd.json
lacks 'it has none' "$ERR" note

# ---- the page that a run writes ----
reported() { [ -s "$1/report.html" ] && rm "$1/report.html"; }
noop="--function noop --set x=0..1.0"
check 'a quiet run' "$WICK" run $noop --trials 2 --dir page --quiet
equals 'prints nothing' "$OUT$ERR" ''
check 'and writes its report' reported page
check 'so does a quiet resume' "$WICK" resume page --trials 3 --quiet
check 'after which none is stale' reported page
check 'and one with JSON' "$WICK" resume page --trials 4 --json
check 'which does not print where' reported page
lacks 'among its events' "$OUT" report.html
check 'the one for whom it takes too long' "$WICK" resume page --trials 5 --no-report
refuse 1 'has none' '' reported page
check 'a report of an earlier run' "$WICK" report page
check 'stays without another one' "$WICK" resume page --trials 6 --no-report
contains 'with a note' "$ERR" 'page/report.html is from before this run: `wick report page` writes it again'

# ---- links in place of files ----
echo precious >mine
ln -sf ../mine page/report.html
check 'a link in place of the report' "$WICK" report page
equals 'is replaced' "$(test -L page/report.html || head -c 15 page/report.html)" '<!doctype html>'
equals 'and what it names stays' "$(cat mine)" precious
ln -sf ../mine page/stop
"$WICK" stop page >/dev/null 2>&1
equals 'nor does a request to stop go there' "$(cat mine)" precious
rm -f page/stop
ln -s mine asked
check 'a link that the user names' "$WICK" report page -o asked
equals 'becomes the page' "$(test -L asked || head -c 15 asked)" '<!doctype html>'
equals 'and what it names stays' "$(cat mine)" precious
for format in csv json sqlite; do
    ln -sf mine rows
    check "a link that the user names, as $format" "$WICK" export page -o rows --format $format
    equals "$format: becomes the file" "$(test -L rows || cat mine)" precious
done
refuse 2 'a database in a device' '/dev/stdout is not a regular file' \
    "$WICK" export page -o /dev/stdout --format sqlite
mkfifo pipe
cat pipe >rows &
check 'a pipe is written into' "$WICK" export page -o pipe --format csv
wait $!
contains 'as rows' "$(cat rows)" trial,
rm -f rows
check 'the output of a program is no file to replace' bash -c '"$1" export page -o /dev/stdout --format csv >rows' sh "$WICK"
contains 'and gets the rows' "$(cat rows)" trial,

cat >dies.sh <<'END'
read -r line
read -r line && echo '{"suggest": [{"x": 0.5}]}'
read -r line
exit 5
END
printf "%s\n" "model: {function: noop}" "space: {x: {float: [0, 1]}}" \
    "search: {command: bash dies.sh, workers: 1}" >dies.yaml
refuse 1 'a run that ends with an error' 'the algorithm' "$WICK" run dies.yaml --dir dies
check 'writes its report, too' reported dies
refuse 1 'and again' 'the algorithm' "$WICK" resume dies --quiet
check 'after a resume' reported dies
refuse 2 'a run that never starts' 'already has a study' "$WICK" run $noop --dir dies
refuse 1 'writes nothing into the folder of another study' '' reported dies

check 'it becomes a CSV' "$WICK" export "$T/real"
equals 'with a line a trial' "$(printf '%s\n' "$OUT" | wc -l)" 21
contains 'a parameter that is called score' "$OUT" ',x,param_score'
check 'it becomes JSON' "$WICK" export "$T/real" --format json -o "$T/real.json"
equals 'that other programs read' \
    "$(python3 -c 'import json,sys; print(len(json.load(open(sys.argv[1]))["trials"]))' real.json)" 20
check 'it becomes a database' "$WICK" export "$T/real" -o "$T/real.db"
if command -v sqlite3 >/dev/null; then
    equals 'that SQLite reads' "$(sqlite3 real.db 'select count(*) from trials')" 20
    equals 'with the logs of failures' \
        "$(sqlite3 real.db 'select count(*) = (select count(*) from trials where state = "failed") from logs')" 1
else
    skip_part 'sqlite3 is not installed: the database is not read'
fi
check 'a question is answered' "$WICK" sql "$T/real" 'select count(*) as n from trials' --format csv
contains 'with the number' "$OUT" 20
refuse 2 'a wrong column' 'the tables are trials(' "$WICK" sql "$T/real" 'select y from trials'
refuse 2 'a change' 'more than read' "$WICK" sql "$T/real" 'delete from trials'

# ---- the browser ----
command -v chromium >/dev/null && browser=yes || browser=
[ -n "$browser" ] || skip_part 'chromium is not installed: the pages are made, and not opened'

# dom FILE [FLAG...]: prints the page as the browser has it after its scripts have run.
dom() {
    local file=$1
    shift
    timeout 600 chromium --headless --no-sandbox --disable-gpu --disable-quic --no-first-run \
        --disable-background-networking --disable-component-update --disable-sync \
        --user-data-dir="$(mktemp -d -p "$T")" --virtual-time-budget=5000 --dump-dom "$@" \
        "file://$file" 2>"$T/browser.log"
}

# looks NAME FILE CHARTS: checks that the page opens without an error and has drawn CHARTS charts.
# The number of curves about what matters depends on the trials, so CHARTS may be a pattern.
looks() {
    local body holds=1
    [ -n "$browser" ] || return
    body=$(dom "$2" | grep -o '<body[^>]*>')
    [[ "$body" == "<body data-ready=\""$3"\">" ]] && holds=0
    verdict $holds "$1" "got: $body, expected: $3 charts"
}

# checks_of NAME COUNT FILE [FLAG...]: checks that the page's own checks all ran, and hold.
checks_of() {
    local checks
    [ -n "$browser" ] || return
    dom "${@:3}" >"$T/dom.html"
    checks=$(sed -n '/<pre id="checks">/,/<\/pre>/p' "$T/dom.html")
    equals "$1" "$(grep -c '^ok\|^not ok' <<<"$checks")" "$2"
    equals 'and none failed' "$(grep '^not ok' <<<"$checks")" ''
}

looks 'the page of the study opens' "$T/real.html" '[678]'

# What people do with a page, on a screen and on a phone.
python3 "$SOURCE/tests/web/journal.py" "$T/made" --trials 300 --workers 8 --wild 60
check 'a made-up study becomes a page' "$WICK" report "$T/made"
{
    cat "$T/made/report.html"
    echo '<script>'
    cat "$SOURCE/tests/web/check.js"
    echo '</script>'
} >"$T/checked.html"
for width in 1280 500; do
    checks_of "in a window of $width pixels all of the page's checks ran" 48 \
        "$T/checked.html" --window-size=$width,900
done

# Trials that reported steps.
python3 "$SOURCE/tests/web/journal.py" "$T/steps" --trials 300 --steps 90
check 'a study with steps becomes a page' "$WICK" report "$T/steps"
{
    cat "$T/steps/report.html"
    echo '<script>'
    cat "$SOURCE/tests/web/curves.js"
    echo '</script>'
} >"$T/curves.html"
checks_of 'all checks of the learning curves ran' 9 "$T/curves.html" --window-size=1280,900

# Studies at their limits.
head -n 1 "$T/made/journal" >"$T/first" && mkdir empty && cp first empty/journal
check 'a study without trials becomes a page' "$WICK" report "$T/empty"
looks 'which opens' "$T/empty/report.html" 3
head -n 5 "$T/made/journal" >"$T/first" && mkdir begun && cp first begun/journal
check 'a study that has just begun becomes a page' "$WICK" report "$T/begun"
looks 'which opens' "$T/begun/report.html" 3

# Several studies: of one score, of another, one without trials, one that is running.
for kind in 'grid --algorithm grid --levels 24 --shuffle' \
    'batch --algorithm forest --search batch=4' 'async --algorithm forest'; do
    set -- $kind
    "$WICK" run --function sleep --set seconds=0.01..0.3 --trials 24 --workers 4 --quiet \
        --name "$1" --dir "$T/$1" --no-report "${@:2}"
done

# A study that is still running.
"$WICK" run --trials 1 --set x=0..1.0 --name live --dir "$T/live" --quiet -- sh -c 'sleep 1000' &
live=$!
await grep -qs '"start"' "$T/live/journal"
check 'a study that runs becomes a page' "$WICK" report "$T/live"
check 'so do several studies together' "$WICK" report "$T/grid" "$T/batch" "$T/async" "$T/made" \
    "$T/empty" "$T/live" -o "$T/compare.html"
[ -z "$browser" ] || contains 'which says so and how to make it anew' \
    "$(dom "$T/live/report.html" | grep -o '<p id="live" class="note">[^<]*<code>[^<]*')" '<code>wick report '
kill "$live"
wait "$live"

# The page about several studies, on a screen and on a phone.
{
    cat "$T/compare.html"
    echo '<script>'
    cat "$SOURCE/tests/web/compare.js"
    echo '</script>'
} >"$T/checked.html"
for width in 1280 500; do
    checks_of "in a window of $width pixels all checks of the comparison ran" 25 \
        "$T/checked.html" --window-size=$width,900
done
check 'without a name it goes to the folder where one is' "$WICK" report "$T/grid" "$T/async"
equals 'as compare.html' "$OUT" compare.html
refuse 2 'a folder that is no study' 'no journal' "$WICK" report "$T/grid" "$T"
refuse 1 'a folder that is not there' 'cannot write' "$WICK" report "$T/grid" "$T/async" \
    -o "$T/none/a.html"

# A hundred thousand trials.
python3 "$SOURCE/tests/web/journal.py" "$T/large" --trials 100000 --workers 64
check 'a hundred thousand trials become a page' "$WICK" report "$T/large"
size=$(wc -c <"$T/large/report.html")
equals 'of less than 15 MB' "$((size < 15000000))" 1
looks 'which opens' "$T/large/report.html" '1[345]'
check 'and a part of a comparison' "$WICK" report "$T/large" "$T/made" -o "$T/thinned.html"
looks 'which opens' "$T/thinned.html" 3
finish
