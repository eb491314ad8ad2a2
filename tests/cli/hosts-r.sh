# Trials in an R language host: a function, a script as it is, own failures.
. "$(dirname "$0")/lib.sh"
need Rscript
[ -e "$BUILD/lib/wick/wick-r.so" ] || skip 'wick-r.so is not built'

list() { "$WICK" list "$1" | awk 'NR > 1 {print $2}'; }
output() { "$WICK" show "$1" "$2" | sed '1,/^output/d'; }

cat >model.R <<'END'
library(stats)
inner <- function(how) if (how == "fails") stop("it went wrong") else nchar(how)
run <- function(params) {
    cat("to stdout", params$how, runif(1), "\n")
    message("to stderr")
    if (params$how == "quits") quit(status = 4)
    if (params$how == "hangs") Sys.sleep(1000)
    if (params$how == "killed") tools::pskill(Sys.getpid(), 9)
    list(score = inner(params$how), x = params$x, yes = params$flag)
}
named <- function(x, how, ...) x
END
cat >call.yaml <<'END'
model: {r: model.R, timeout: 150, grace: 1}
space: {how: {choice: [works, 'a "b" \ ü/c', fails, quits, killed]}, x: 1.5, flag: true}
search: {algorithm: grid}
keep: all
END
check 'a function is called' timeout 600 "$WICK" run call.yaml --dir call
equals 'each trial ends as it must' "$(list call | tr '\n' ' ')" 'done done failed failed failed '
contains 'its output is its own' "$(output call 2)" 'to stdout a "b" \ ü/c'
contains 'so is its standard error' "$(output call 2)" 'to stderr'
contains 'an error is told with its calls' "$(output call 3)" 'inner(params$how)'
contains 'and last what it is' "$(output call 3 | tail -n 1)" 'Error in inner(params$how) : it went wrong'
contains 'quit() ends the trial with its status' "$("$WICK" show call 4)" 'exit code 4'
contains 'a signal counts' "$("$WICK" show call 5)" 'signal 9'
equals 'no two draw the same numbers' \
    "$(for i in 1 2 3 4; do output call $i | grep -o '0\.[0-9]*'; done | sort -u | wc -l)" 4
sed 's/timeout: 150/timeout: 1/; s/choice: \[.*\]/choice: [hangs]/' call.yaml >hangs.yaml
refuse 1 'one that hangs is ended' 'over its time limit of 1.00 s' timeout 180 "$WICK" run hangs.yaml --dir hangs
check 'parameters by name' "$WICK" run --r model.R:named --set x=0..1 --set how=a,b --trials 3 --dir named
refuse 2 'a function that the file does not name' "there is no function 'gone' in model.R" \
    "$WICK" run --r model.R:gone --set x=0..1 --trials 1 --dir gone
refuse 1 'what is no function' "model.R has no function 'params'; it has" \
    "$WICK" run --r model.R:params --set x=0..1 --trials 1 --dir gone
echo 'run <- function(params) params$x +* 2' >broken.R
refuse 1 'a file that does not parse' "Error: broken.R:1:35: unexpected '*'" \
    "$WICK" run --r broken.R --set x=0..1 --trials 1 --dir broken
echo 'run <- function(params) params$typo * 2' >empty.R
refuse 1 'a function that returns no score' \
    'Error: the function returned a value of type numeric and length 0: it must be a number' \
    "$WICK" run --r empty.R --set x=0..1 --trials 1 --dir empty

cat >train.R <<'END'
args <- commandArgs(trailingOnly = TRUE)
stopifnot(args[1] == "--x")
x <- as.numeric(args[2])
x
warning("take care")
cat("score:", x, "\n")
END
check 'a script runs as it is' "$WICK" run --warm --set x=1..2 --trials 20 --dir script --keep all -- Rscript train.R
equals 'all give a score' "$(list script | sort -u)" done
contains 'values are printed' "$(output script 1)" '[1] '
contains 'warnings, too' "$(output script 1)" 'take care'
cat >best.R <<'END'
run <- function(p) list(score = (p$x - 2)^2, twice = 2 * p$x)
END
check 'a function' "$WICK" run -q --r best.R:run --set x=1..3 --algorithm grid --dir best
equals 'the best of it runs again' "$("$WICK" best best --run)" $'score: 0\ntwice: 4'
refuse 1 'a package that is not there' 'no.such.package' "$WICK" run --warm --preload no.such.package \
    --set x=1..2 --trials 2 --dir missing -- Rscript train.R
finish
