#!/usr/bin/env bash
# search: {r: FILE}: scripts for the queues of EMEWS, as they are.
. "$(dirname "$0")/lib.sh"
command -v Rscript >/dev/null || skip 'there is no R'

# study NAME SCRIPT SEARCH-KEYS
study() {
    cat >"$1.yaml" <<YAML
name: $1
model: {function: ackley}
space: {x: {float: [0, 1]}, y: {float: [0, 1]}}
search: {r: $2, workers: 2${3:+, $3}}
YAML
}
run() { rm -rf "$1" && timeout 100 "$WICK" run "$1.yaml" --dir "$1" --no-report -q; }
trials() { "$WICK" status "$1" --json | grep -o '"ended":[0-9]*' | head -n 1 | cut -d: -f2; }
params() { "$WICK" list "$1" --json | grep -o '"params":{[^}]*}' | cut -d: -f2-; }

# ---- a script as EMEWS has them: all at its top level, helpers from a file ----
cat >helpers.R <<'R'
to_json <- function(x, y) sprintf('{"x": %.6f, "y": %.6f}', x, y)
R
cat >design.R <<'R'
set.seed(3)
source("helpers.R")
OUT_put("Params")
res <- IN_get()
writeLines(res, "settings.txt")
l <- eval(parse(text = paste0("list(", res, ")")))
source(l$param.set.file)
l$param.set.file <- NULL
main_function <- function(max.budget = 10, propose.points = 2, flag = FALSE) {
  stopifnot(flag)
  for (i in seq_len(max.budget / propose.points)) {
    OUT_put(paste0(to_json(runif(propose.points), runif(propose.points)), collapse = ";"))
    result <- IN_get()
    cat(result, "\n", file = "results.txt", append = i > 1)
    if (file.exists("die") && i == 2) {
      file.remove("die")
      stop("in round ", i)
    }
  }
  param.set
}
final <- do.call(main_function, l)
OUT_put("DONE")
OUT_put(paste("Look at", final))
print("algorithm done.")
R
echo 'param.set <- "the file"' >set.R
study design design.R "settings: {max.budget: 12, propose.points: 4, param.set.file: set.R, flag: true}"
check 'a script runs' run design
equals 'a mapping becomes arguments' "$(cat settings.txt)" "max.budget=12,propose.points=4,param.set.file='set.R',flag=TRUE"
equals 'it has its trials' "$(trials design)" 12
equals 'and their results, in rounds' "$(tr -cd ';\n' <results.txt)" ';;;
;;;
;;;'
equals 'its last word is kept' "$(cat design/final.txt)" 'Look at the file'
contains 'its output is the log' "$(cat design/logs/algorithm.log)" 'algorithm done.'
params design | sort >whole.txt
touch die
refuse 1 'an error in the middle' 'died: Error in ' run design
contains 'with its reason' "$ERR" 'in round 2'
contains 'and its calls' "$ERR" 'Traceback, the last call at the end'
equals 'what had ended stays' "$(trials design)" 8
check 'it goes on' timeout 100 "$WICK" resume design -q --no-report
equals 'with no trial twice' "$(params design | sort)" "$(cat whole.txt)"

# ---- a script with run(), odd texts, failures ----
cat >named.R <<'R'
run <- function() {
  OUT_put("Params")
  stopifnot(identical(IN_get(), ""))
  OUT_put("")
  stopifnot(identical(IN_get(), ""))
  OUT_put(c('{"x": 0, "y": 0}', '{"x": 1, "y": 0}'))
  scores <- as.numeric(strsplit(IN_get(), ";")[[1]])
  stopifnot(length(scores) == 2, scores[1] == 0)
  OUT_put("DONE")
  IN_get()
}
R
study named named.R
check 'a script that has run()' run named

broken() { # NAME TEXT: the script on the standard input must end the study with this text
    cat >broken.R
    study broken broken.R
    refuse 1 "$1" "$2" run broken
    contains "$1: and how to go on" "$ERR" 'wick resume broken'
}
broken 'nothing to do' 'asks for its settings by OUT_put("Params")' <<<'x <- 1'
broken 'a mistake in the file' "unexpected" <<<'x <- (1'
broken 'the end without DONE' 'it must say DONE' <<<'OUT_put("Params"); IN_get()'
broken 'quit' 'exit code 3' <<<'quit(status = 3)'
broken 'an abort of its own' 'died: my reason' <<<'OUT_put("EQR_ABORT"); OUT_put("my reason")'
broken 'no JSON' 'no list of JSON objects' <<<'OUT_put("Params"); IN_get(); OUT_put("x=3"); IN_get()'
broken 'out of range' "parameter 'x' cannot be 2" <<<'OUT_put("{\"x\": 2, \"y\": 0}"); IN_get()'
study broken missing.R
refuse 2 'a file that is missing' "there is no file 'missing.R'" run broken
finish
