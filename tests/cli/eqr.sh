#!/usr/bin/env bash
# search: {r: FILE}: unmodified scripts for the queues of EMEWS.
. "$(dirname "$0")/lib.sh"
need Rscript

# study NAME SCRIPT SEARCH-KEYS
study() {
    cat >"$1.yaml" <<YAML
name: $1
model: {function: ackley}
space: {x: {float: [0, 1]}, y: {float: [0, 1]}}
search: {r: $2, workers: 2${3:+, $3}}
YAML
}
run() { rm -rf "$1" && timeout 600 "$WICK" run "$1.yaml" --dir "$1" --no-report -q; }
trials() { "$WICK" status "$1" --json | grep -o '"ended":[0-9]*' | head -n 1 | cut -d: -f2; }
params() { "$WICK" list "$1" --json | grep -o '"params":{[^}]*}' | cut -d: -f2-; }

# ---- a typical EMEWS script: everything at its top level, helpers from a file ----
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
check 'it goes on' timeout 600 "$WICK" resume design -q --no-report
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

# ---- a project: folders R and data, a replaced function of another environment, rows of values ----
mkdir -p project/R project/data
cat >project/R/utils.R <<'R'
elements_to_rows <- function(x) paste0(sapply(x, function(y) paste0(y, collapse = ",")), collapse = ";")
rows_to_vectors <- function(x) lapply(strsplit(x, ";")[[1]], function(y) as.numeric(strsplit(y, ",")[[1]]))
R
cat >project/R/search.R <<'R'
rm(list = ls())
emews_root <- Sys.getenv("EMEWS_PROJECT_ROOT")
r_root <- if (emews_root == "") getwd() else paste0(emews_root, "/R")
wd <- getwd()
setwd(r_root)
source("utils.R")
map2 <- function(f, points) {
  OUT_put(elements_to_rows(points))
  rows_to_vectors(IN_get())
}
library_env <- new.env(parent = baseenv())
assign("map", function(f, points) stop("not replaced"), library_env)
lockBinding("map", library_env)
unlockBinding("map", library_env)
assign("map", map2, library_env)
lockBinding("map", library_env)
optimise <- local(function(count) map(identity, lapply(seq_len(count), function(i) list(i / 10, TRUE * 0.5))), library_env)
OUT_put("Params")
l <- eval(parse(text = paste0("list(", IN_get(), ")")))
final <- do.call(optimise, l)
stopifnot(length(final) == 3, is.nan(final[[2]][1]), !is.na(final[[3]][1]))
OUT_put("DONE")
turbine_output <- Sys.getenv("TURBINE_OUTPUT")
if (turbine_output != "") setwd(turbine_output)
saveRDS(final, file = "final_res.Rds")
setwd(wd)
OUT_put("Look at final_res.Rds \"here\"\nand \u00e9")
quit()
R
cat >mbo.yaml <<YAML
name: mbo
model: {command: "bash -c '[ {x} != 0.2 ] && echo score: {x}'"}
space: {x: {float: [0, 1]}, k: 3, y: {float: [0, 1]}}
search: {r: project/R/search.R, workers: 2, settings: {count: 3}}
YAML
check 'a project with folders' run mbo
verdict "$([ -s mbo/final_res.Rds ]; echo $?)" 'its files go to the study'
equals 'its last words' "$(cat mbo/final.txt)" $'Look at final_res.Rds "here"\nand \u00e9'
check 'in the locale C' env LC_ALL=C timeout 600 "$WICK" run mbo.yaml --dir c.wick --no-report -q
equals 'the same words' "$(cat c.wick/final.txt)" $'Look at final_res.Rds "here"\nand \u00e9'
# Without folders, it looks in the folder where it runs.
mkdir flat && cp project/R/*.R flat
sed 's|project/R/search.R|search.R|' mbo.yaml >flat/flat.yaml
check 'a script that stands alone' timeout 600 "$WICK" run flat/flat.yaml --dir flat.wick --no-report -q

# ---- a script that closes what it did not open ----
cat >closing.R <<'R'
OUT_put("Params")
closeAllConnections()
IN_get()
for (i in 1:3) {
  OUT_put("0,0")
  stopifnot(as.numeric(IN_get()) == 0)
  closeAllConnections()
}
OUT_put("DONE")
R
study closing closing.R
check 'a script that closes all connections' run closing
equals 'goes on' "$(trials closing)" 3

# ---- long texts ----
cat >long.R <<'R'
settings <- IN_get()
stopifnot(nchar(settings) == 500000)
OUT_put(paste0(c(sprintf("%.15f,%.15f", (1:20000) / 20000, 0.5), strrep(" ", 500000)), collapse = ";"))
res <- as.numeric(strsplit(IN_get(), ";")[[1]])
stopifnot(length(res) == 20000, !anyNA(res))
OUT_put("DONE")
OUT_put(strrep("x", 1000000))
R
study long long.R "settings: '$(printf '%0500000d' 0)'"
check 'long texts in both directions' run long
equals 'all trials are there' "$(trials long)" 20000
equals 'and the last word' "$(tr -cd x <long/final.txt | wc -c)" 1000000

broken() { # NAME TEXT: the script on the standard input must end the study with this text
    cat >broken.R
    study broken broken.R
    refuse 1 "$1" "$2" run broken
    contains "$1: and how to go on" "$ERR" 'Fix it, then continue with `wick resume broken`'
}
broken 'nothing to do' 'asks for its settings by OUT_put("Params")' <<<'x <- 1'
broken 'a mistake in the file' "unexpected" <<<'x <- (1'
broken 'the end without DONE' 'it must say DONE' <<<'OUT_put("Params"); IN_get()'
broken 'quit' 'exit code 3' <<<'quit(status = 3)'
broken 'an abort of its own' 'died: my reason' <<<'OUT_put("EQR_ABORT"); OUT_put("my reason")'
broken 'no JSON' 'it has 1 value, but the space has 2 parameters' <<<'OUT_put("Params"); IN_get(); OUT_put("x=3"); IN_get()'
broken 'out of range' "parameter 'x' cannot be 2" <<<'OUT_put("{\"x\": 2, \"y\": 0}"); IN_get()'
broken 'a package that is missing' 'there is no package called' <<<'library(nowhere)'
broken 'an error with a handler of its own' 'my mistake' <<'R'
options(error = quote({cat("handler\n"); quit(status = 9)}))
f <- function(x) stop("my mistake: ", x)
OUT_put("Params")
res <- IN_get()
f(3)
R
contains 'and the calls that led there' "$ERR" 'f(3)'
study broken missing.R
refuse 2 'a file that is missing' "there is no file 'missing.R'" run broken
finish
