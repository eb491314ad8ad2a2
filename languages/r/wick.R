# wick.R - the trial library for R: how a model talks to Wick.
#
#     source(file.path(Sys.getenv("WICK_LIBRARY"), "r", "wick.R"))
#
#     p <- wick_params(lr = 0.01, layers = 2)
#     for (epoch in 1:20) {
#         loss <- train(p$lr, p$layers)
#         wick_report(epoch, val_loss = loss)
#         if (wick_should_stop()) break
#     }
#     wick_result(val_loss = loss)
#
# Run by Wick, the parameters are those of the trial, each report reaches the search while the model
# still trains, and wick_should_stop() says when more training is not worthwhile. Run by itself, the
# same script takes its parameters from the command line (Rscript model.R --lr 0.1) and prints what
# it reports.
#
# No packages, R 3.5 or newer. R cannot talk over Unix sockets: wick-r.so, next to this folder, does
# that. Without it, the program `wick` is called for each message. docs/trial-socket.md of Wick
# describes the protocol. Names with a dot are private.

# ---- where this process is ----

# The number in a variable of the environment.
.wick_number <- function(name, otherwise) {
    text <- Sys.getenv(name)
    if (nzchar(text)) as.numeric(text) else otherwise
}

# True if Wick started this program.
wick_is_running <- function() nzchar(Sys.getenv("WICK_TRIAL"))

# The number of the trial (0 without Wick), and of the try, counted from 1.
wick_trial <- function() .wick_number("WICK_TRIAL", 0)
wick_try <- function() .wick_number("WICK_TRY", 1)

# A seed for set.seed(), the same for all tries of a trial.
wick_seed <- function(otherwise = 0) {
    as.integer(.wick_number("WICK_SEED", otherwise) %% .Machine$integer.max)
}

# Ranks started by mpiexec have the variables of their MPI: Open MPI, or MPICH and its relatives.
.wick_place <- function(ours, open_mpi, mpich, otherwise)
    .wick_number(ours, .wick_number(open_mpi, .wick_number(mpich, otherwise)))

# The rank of this process in the trial, counted from 0, and the number of ranks.
wick_rank <- function() .wick_place("RANK", "OMPI_COMM_WORLD_RANK", "PMI_RANK", 0)
wick_world_size <- function() .wick_place("WORLD_SIZE", "OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1)

# ---- the library in C, or else the program ----

.wick <- new.env() # what this process remembers

# How Wick is reached: "library", "program", or "nobody" if there is no trial socket.
.wick_way <- function() {
    if (!nzchar(Sys.getenv("WICK_LINE"))) return("nobody")
    if (is.null(.wick$way)) .wick$way <- if (.wick_load()) "library" else "program"
    .wick$way
}

.wick_load <- function() {
    if (is.loaded("wick_r_report")) return(TRUE)
    path <- file.path(Sys.getenv("WICK_LIBRARY"), "wick-r.so")
    file.exists(path) && !inherits(try(dyn.load(path), silent = TRUE), "try-error")
}

# `wick trial` with these words: its exit code and what it wrote, as bytes.
.wick_program <- function(..., input = raw(0)) {
    program <- Sys.which("wick")
    if (!nzchar(program))
        stop("neither wick-r.so (in WICK_LIBRARY) nor the program 'wick' (in PATH) is there")
    files <- c(tempfile(), tempfile())
    on.exit(unlink(files))
    writeBin(input, files[1])
    words <- vapply(list("trial", ...), function(word) shQuote(as.character(word)), "")
    code <- system2(program, words, stdin = files[1], stdout = files[2])
    list(code = code, bytes = readBin(files[2], "raw", file.size(files[2])))
}

# The bytes that the library keeps for us.
.wick_take <- function(length) {
    if (length <= 0) {
        .C("wick_r_take", raw(1))
        return(raw(0))
    }
    .C("wick_r_take", bytes = raw(length))$bytes
}

.wick_stop <- function() {
    reason <- .wick_take(.C("wick_r_reason", length = 0)$length)
    stop(rawToChar(reason), call. = FALSE)
}

# ---- parameters ----

# The parameters: the defaults, then what the command line says (--name value), then what Wick sets
# for this trial.
wick_params <- function(...) {
    chosen <- list(...)
    if (length(chosen) == 1 && is.null(names(chosen))) chosen <- as.list(chosen[[1]])
    given <- .wick_arguments(commandArgs(trailingOnly = TRUE), chosen)
    chosen[names(given)] <- given
    set <- .wick_json(Sys.getenv("WICK_PARAMS", "{}"))
    set <- set[!vapply(set, is.null, NA)] # null: this trial does not have it
    chosen[names(set)] <- set
    chosen
}

.wick_arguments <- function(words, defaults) {
    found <- list()
    at <- 1
    while (at <= length(words)) {
        word <- words[at]
        at <- at + 1
        if (!grepl("^--[A-Za-z_.]", word)) next
        name <- sub("^--([^=]*).*", "\\1", word)
        if (is.null(defaults[[name]]) && !is.null(defaults[[gsub("-", "_", name)]]))
            name <- gsub("-", "_", name)
        value <- "TRUE"
        if (grepl("=", word, fixed = TRUE)) {
            value <- sub("^[^=]*=", "", word)
        } else if (at <= length(words) && !grepl("^--", words[at])) {
            value <- words[at]
            at <- at + 1
        }
        found[[name]] <- .wick_value(name, value, defaults[[name]])
    }
    found
}

# A word of the command line as a value of the same kind as the default.
.wick_value <- function(name, text, default) {
    if (is.character(default)) return(text)
    logical <- as.logical(if (tolower(text) %in% c("yes", "no")) tolower(text) == "yes" else text)
    number <- suppressWarnings(as.numeric(text))
    value <- if (is.logical(default)) logical else number
    if (is.null(default)) return(if (!is.na(number)) number else if (!is.na(logical)) logical else text)
    if (is.na(value)) {
        kind <- if (is.logical(default)) "true or false" else "a number"
        message("wick: --", name, " ", text, ": it is ", kind, ", such as ", default)
        quit(status = 2)
    }
    if (is.integer(default)) as.integer(value) else value
}

# A text of JSON as a value of R. Lists of numbers or of texts become vectors.
.wick_json <- function(text) {
    if (requireNamespace("jsonlite", quietly = TRUE))
        return(as.list(jsonlite::fromJSON(text, simplifyDataFrame = FALSE)))
    .wick_parse(text)
}

.wick_parse <- function(text) {
    letters <- strsplit(text, "")[[1]]
    at <- 1
    space <- function() while (at <= length(letters) && letters[at] %in% c(" ", "\t", "\n", "\r")) at <<- at + 1
    expect <- function(letter) {
        space()
        if (at > length(letters) || letters[at] != letter)
            stop("this is no JSON: '", letter, "' is missing at ", at, " in ", text, call. = FALSE)
        at <<- at + 1
    }
    follows <- function(letter) {
        space()
        found <- at <= length(letters) && letters[at] == letter
        if (found) at <<- at + 1
        found
    }
    string <- function() {
        expect("\"")
        start <- at
        while (at <= length(letters) && letters[at] != "\"")
            at <<- at + if (letters[at] == "\\") 2 else 1
        found <- paste(letters[seq_len(at - start) + start - 1], collapse = "")
        expect("\"")
        .wick_unescape(found)
    }
    object <- function() {
        found <- list()
        if (follows("}")) return(found)
        repeat {
            space()
            name <- string()
            expect(":")
            found[name] <- list(value())
            if (!follows(",")) break
        }
        expect("}")
        found
    }
    array <- function() {
        found <- list()
        if (follows("]")) return(found)
        repeat {
            found <- c(found, list(value()))
            if (!follows(",")) break
        }
        expect("]")
        simple <- vapply(found, function(x) is.atomic(x) && length(x) == 1, NA)
        if (all(simple)) unlist(found) else found
    }
    value <- function() {
        space()
        if (at <= length(letters) && letters[at] == "\"") return(string())
        if (follows("{")) return(object())
        if (follows("[")) return(array())
        start <- at
        while (at <= length(letters) && grepl("[-+.0-9A-Za-z]", letters[at])) at <<- at + 1
        word <- paste(letters[seq_len(at - start) + start - 1], collapse = "")
        if (word == "null") return(NULL)
        if (word %in% c("true", "false")) return(word == "true")
        number <- suppressWarnings(as.numeric(word)) # also NaN and Infinity
        if (is.na(number) && word != "NaN") expect("a value")
        number
    }
    value()
}

.wick_unescape <- function(text) {
    if (!grepl("\\", text, fixed = TRUE)) return(text)
    found <- gregexpr("\\\\(u[0-9A-Fa-f]{4}|.)", text)
    meant <- c(n = "\n", t = "\t", r = "\r", b = "\b", f = "\f")
    regmatches(text, found) <- lapply(regmatches(text, found), function(parts) vapply(parts, function(part) {
        letter <- substr(part, 2, 2)
        if (letter == "u") intToUtf8(strtoi(substr(part, 3, 6), 16L))
        else if (letter %in% names(meant)) meant[[letter]]
        else letter
    }, ""))
    text
}

# ---- metrics ----

# Named numbers: of wick_report(1, loss = 0.5) and of wick_report(1, list(loss = 0.5)).
.wick_metrics <- function(...) {
    metrics <- list(...)
    if (length(metrics) == 1 && is.null(names(metrics))) metrics <- as.list(metrics[[1]])
    good <- vapply(metrics, function(x) (is.numeric(x) || is.logical(x)) && length(x) == 1, NA)
    if (is.null(names(metrics)) || any(!nzchar(names(metrics))) || any(!good))
        stop("metrics are named numbers, as in val_loss = 0.41", call. = FALSE)
    numbers <- vapply(metrics, as.numeric, 0)
    names(numbers) <- enc2utf8(names(metrics))
    numbers[is.na(numbers) & !is.nan(numbers)] <- NaN # NA, which is R's own
    numbers
}

# "val_loss=0.41" for the program.
.wick_words <- function(numbers) {
    paste0(names(numbers), "=", tolower(trimws(formatC(numbers, digits = 17, format = "g"))))
}

# What was measured at a step, from 1: wick_report(3, val_loss = 0.41).
wick_report <- function(step, ...) {
    if (!is.numeric(step) || length(step) != 1 || !is.finite(step) || step < 0 || step != round(step))
        stop("wick_report(", deparse(step)[1], "): the first is the step, a whole number; steps are ",
             "counted from 1, as in wick_report(3, val_loss = 0.41)", call. = FALSE)
    numbers <- .wick_metrics(...)
    if (wick_rank() != 0) return(invisible())
    switch(.wick_way(),
        library = .C("wick_r_report", as.numeric(step), names(numbers), numbers, length(numbers),
                     NAOK = TRUE),
        program = do.call(.wick_program, as.list(c("report", format(step, scientific = FALSE), .wick_words(numbers)))),
        cat("step ", format(step),
            paste0("  ", names(numbers), " ", vapply(numbers, format, "", digits = 6)), "\n", sep = ""))
    invisible()
}

# Metrics of the whole trial; the one with the name of the score is the score.
wick_result <- function(...) {
    given <- list(...)
    if (length(given) == 1 && is.null(names(given)) && is.numeric(given[[1]])) {
        names(given) <- Sys.getenv("WICK_SCORE", "score") # wick_result(0.4)
    }
    numbers <- do.call(.wick_metrics, given)
    if (wick_rank() != 0) return(invisible())
    switch(.wick_way(),
        library = .C("wick_r_result", names(numbers), numbers, length(numbers), NAOK = TRUE),
        program = do.call(.wick_program, as.list(c("result", .wick_words(numbers)))),
        cat(paste0(names(numbers), ": ", vapply(numbers, format, "", digits = 15), "\n"), sep = ""))
    invisible()
}

# TRUE when the trial is to end now, for example after saving a checkpoint. Ask once a step.
wick_should_stop <- function() {
    switch(.wick_way(),
        library = .C("wick_r_should_stop", answer = 0L)$answer == 1L,
        program = .wick_program("should-stop")$code == 0,
        FALSE)
}

# A folder of the trial's own, which survives retries and interruption. It is made when asked for.
wick_checkpoint_dir <- function(otherwise = "checkpoints") {
    folder <- Sys.getenv("WICK_CHECKPOINT", otherwise)
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    folder
}

# Saves any object, and the step after which it was so. A crash leaves the old one or the new one.
wick_save_checkpoint <- function(state, step) {
    path <- file.path(wick_checkpoint_dir(), "checkpoint.rds")
    if (wick_rank() != 0) return(invisible(path))
    new <- tempfile("checkpoint.", dirname(path), ".new")
    saveRDS(list(step = step, state = state), new)
    file.rename(new, path)
    invisible(path)
}

# What was saved last: a list of state and step; the step is 0 when there is none.
wick_load_checkpoint <- function() {
    path <- file.path(Sys.getenv("WICK_CHECKPOINT", "checkpoints"), "checkpoint.rds")
    if (file.exists(path)) readRDS(path) else list(step = 0, state = NULL)
}

# ---- the key-value space that all trials share; without Wick it is the process's own ----

.wick$values <- list()

# Puts a text, raw bytes, or any other object under a key, for all trials to get.
wick_put <- function(key, value) {
    if (is.character(value) && length(value) == 1) value <- charToRaw(enc2utf8(value))
    if (!is.raw(value)) value <- serialize(value, NULL)
    way <- .wick_way()
    if (way == "library") {
        version <- .C("wick_r_put", enc2utf8(key), value, as.numeric(length(value)), version = 0)$version
        if (version < 0) .wick_stop()
    } else if (way == "program") {
        if (.wick_program("put", key, input = value)$code != 0) stop("the value was not put", call. = FALSE)
    } else {
        .wick$values[[key]] <- value
    }
    invisible()
}

# The value of a key: an object that was put, else a text, else raw bytes (as = "raw"); NULL: none.
wick_get <- function(key, as = "any") .wick_get(key, as, wait = FALSE)

# The same, as soon as the key was put more often than `known` times.
wick_wait <- function(key, known = 0, as = "any") .wick_get(key, as, wait = TRUE, known = known)

.wick_get <- function(key, as, wait, known = 0) {
    way <- .wick_way()
    if (way == "library") {
        got <- .C("wick_r_get", enc2utf8(key), as.numeric(known), as.integer(wait), version = 0, length = 0)
        bytes <- .wick_take(got$length)
        if (got$version < 0) .wick_stop()
        if (got$version == 0) return(NULL)
    } else if (way == "program") {
        got <- if (wait) .wick_program("wait", key, known) else .wick_program("get", key)
        if (got$code != 0) return(NULL)
        bytes <- got$bytes
    } else {
        bytes <- .wick$values[[key]]
        if (is.null(bytes)) return(NULL)
    }
    .wick_object(bytes, as)
}

.wick_object <- function(bytes, as) {
    if (as == "raw") return(bytes)
    if (length(bytes) > 2 && identical(bytes[1:2], charToRaw("X\n"))) return(unserialize(bytes))
    if (any(bytes == 0)) return(bytes)
    text <- rawToChar(bytes)
    Encoding(text) <- "UTF-8"
    text
}

wick_delete <- function(key) {
    switch(.wick_way(),
        library = if (.C("wick_r_delete", enc2utf8(key), version = 0)$version < 0) .wick_stop(),
        program = .wick_program("delete", key),
        .wick$values[[key]] <- NULL)
    invisible()
}

# The keys that begin so.
wick_keys <- function(prefix = "") {
    way <- .wick_way()
    if (way == "nobody") {
        found <- names(.wick$values)
        return(sort(found[startsWith(as.character(found), prefix)]))
    }
    if (way == "library") {
        length <- .C("wick_r_keys", enc2utf8(prefix), length = 0)$length
        bytes <- .wick_take(length)
        if (length < 0) .wick_stop()
    } else {
        bytes <- .wick_program("list", prefix)$bytes
    }
    found <- rawToChar(bytes)
    Encoding(found) <- "UTF-8"
    if (nzchar(found)) strsplit(found, "\n", fixed = TRUE)[[1]] else character(0)
}
