# steer.R - runs an algorithm that was written for EQ/R: Rscript steer.R FILE
#
# The channel to Wick is on the descriptors 3 and 4, where Wick has put it, since R cannot redirect its
# own output. The algorithm gets two functions, OUT_put(text) and IN_get(); docs/steer.md describes what
# they say. Each message is its length, in 12 decimal digits, and its bytes.

local({
  reader <- file("/dev/fd/3", "rb", raw = TRUE)
  writer <- file("/dev/fd/4", "wb", raw = TRUE)

  # Scripts may call closeAllConnections(); the descriptors stay open, and no byte waits in between.
  reopen <- function() {
    works <- function(connection) tryCatch(isOpen(connection), error = function(condition) FALSE)
    if (!works(reader)) reader <<- file("/dev/fd/3", "rb", raw = TRUE)
    if (!works(writer)) writer <<- file("/dev/fd/4", "wb", raw = TRUE)
  }

  done <- FALSE
  puts <- 0

  read_bytes <- function(count) {
    bytes <- readBin(reader, "raw", count)
    if (length(bytes) < count) quit(save = "no", status = 0, runLast = FALSE) # Wick is gone
    text <- rawToChar(bytes)
    Encoding(text) <- "UTF-8"
    text
  }

  OUT_put <- function(text) {
    text <- paste(as.character(text), collapse = ";")
    if (any(Encoding(text) == "latin1")) text <- enc2utf8(text)
    bytes <- charToRaw(text)
    reopen()
    writeBin(c(charToRaw(sprintf("%012d", length(bytes))), bytes), writer)
    flush(writer)
    puts <<- puts + 1
    done <<- done || text %in% c("DONE", "FINAL")
    invisible(text)
  }

  IN_get <- function() {
    if (done) quit(save = "no", status = 0, runLast = FALSE) # there is nothing more to come
    if (puts == 0) OUT_put("Params") # it expects its settings without asking for them
    reopen()
    count <- as.numeric(read_bytes(12))
    if (count == 0) "" else read_bytes(count)
  }

  # The calls that led to an error, outermost first, without those of this file.
  describe <- function(condition, calls) {
    lines <- vapply(calls, function(call) paste0("  ", deparse(call, nlines = 1)[1]), "")
    ours <- grepl("^  (tryCatch|withCallingHandlers|source|withVisible|eval|steer|run_it|local|doTryCatch|\\.handleSimpleError|h\\(|stop\\(|\\(function)", lines)
    at <- conditionCall(condition)
    where <- if (is.null(at)) "" else paste0(" in ", deparse(at, nlines = 1)[1])
    paste(c("Traceback, the last call at the end:", utils::tail(lines[!ours], 20),
            paste0("Error", where, ": ", conditionMessage(condition))), collapse = "\n")
  }

  abort <- function(text) {
    flush(stdout())
    OUT_put("EQR_ABORT")
    OUT_put(text)
    quit(save = "no", status = 1, runLast = FALSE)
  }

  run_it <- function(path) {
    source(path, local = globalenv(), echo = FALSE)
    if (puts > 0) return(invisible())
    for (name in c("run", "main"))
      if (exists(name, globalenv(), mode = "function", inherits = FALSE))
        return(invisible(get(name, globalenv(), mode = "function")()))
    abort(paste0(path, " called neither OUT_put() nor defines a function run(): an algorithm for EQ/R ",
                 "asks for its settings by OUT_put(\"Params\") and IN_get()"))
  }

  # Not in the global environment: scripts often start with rm(list = ls()).
  attach(list(OUT_put = OUT_put, IN_get = IN_get), name = "queues", warn.conflicts = FALSE)
  path <- commandArgs(trailingOnly = TRUE)[1]
  trace <- list()
  tryCatch(
    withCallingHandlers(run_it(path), error = function(condition) trace <<- sys.calls()),
    error = function(condition) abort(describe(condition, trace)))
  quit(save = "no", status = 0, runLast = FALSE)
})
