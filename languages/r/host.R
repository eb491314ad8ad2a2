# The R language host: loads packages once, and forks for each trial. src/helper/hosts.h describes how
# it talks to Wick's helper; what R cannot do itself is in host.c, which becomes wick-r.so.
#
#   host.R LIBRARY call FILE FUNCTION auto|list [PACKAGE...]    FUNCTION of FILE is called
#   host.R LIBRARY script FILE - auto|list [PACKAGE...]         FILE is run as Rscript runs it
#   host.R LIBRARY evaluate - - list [PACKAGE...]               code is evaluated here, as it comes
#   host.R LIBRARY once FILE FUNCTION                           FUNCTION of FILE is called here, as in
#                                                               one trial, and what it returns printed
#
# auto: the packages that FILE names in library(), require() and :: are loaded; list: those named.
# They are loaded, not attached: a script has the same search path as in a fresh R.
local({
    words <- commandArgs(trailingOnly = TRUE)
    dyn.load(words[1])
    kind <- words[2]
    file <- words[3]
    name <- words[4]
    packages <- if (length(words) < 5 || words[5] == "list") words[-(1:5)]

    # ---- what is loaded once ----

    named_packages <- function(code) {
        found <- character()
        if (is.expression(code) || is.pairlist(code))
            return(unlist(lapply(as.list(code), named_packages)))
        if (!is.call(code))
            return(found)
        verb <- if (is.name(code[[1]])) as.character(code[[1]]) else ""
        takes <- c("library", "require", "requireNamespace", "loadNamespace", "::", ":::")
        if (verb %in% takes && length(code) > 1 && (is.name(code[[2]]) || is.character(code[[2]])))
            found <- as.character(code[[2]])
        for (part in as.list(code))
            if (!missing(part))
                found <- c(found, named_packages(part))
        found
    }

    load_ahead <- function() {
        if (!is.null(packages)) {
            for (package in packages)
                tryCatch(loadNamespace(package), error = function(e) {
                    cat("Error: ", conditionMessage(e), "\n", sep = "", file = stderr())
                    quit(save = "no", status = 1)
                })
        } else {
            code <- tryCatch(parse(file, keep.source = FALSE), error = function(e) expression())
            for (package in unique(named_packages(code)))
                try(suppressWarnings(loadNamespace(package)), silent = TRUE) # the trial will tell
        }
    }

    # ---- JSON, as Wick writes it ----

    read_json <- function(text) {
        token <- "\"([^\"\\\\]|\\\\.)*\"|[][{}:,]|[^][{}:,\" \t\r\n]+"
        tokens <- regmatches(text, gregexpr(token, text, perl = TRUE))[[1]]
        at <- 0
        take <- function() tokens[at <<- at + 1]
        text_of <- function(token)
            eval(parse(text = gsub("\\/", "/", token, fixed = TRUE), keep.source = FALSE))
        value <- function() {
            token <- take()
            if (token == "{") {
                result <- list()
                while (tokens[at + 1] != "}") {
                    if (tokens[at + 1] == ",") take()
                    key <- text_of(take())
                    take()
                    result[key] <- list(value())
                }
                take()
                result
            } else if (token == "[") {
                result <- list()
                while (tokens[at + 1] != "]") {
                    if (tokens[at + 1] == ",") take()
                    result[length(result) + 1] <- list(value())
                }
                take()
                result
            } else if (startsWith(token, "\"")) text_of(token)
            else switch(token, "true" = TRUE, "false" = FALSE, "null" = NULL, as.numeric(token))
        }
        value()
    }

    write_json <- function(metrics, file) {
        number <- function(x) if (is.nan(x) || is.na(x)) "NaN"
            else if (is.infinite(x)) if (x > 0) "Infinity" else "-Infinity"
            else format(x, digits = 17)
        keys <- vapply(names(metrics), function(key) encodeString(key, quote = "\""), "")
        values <- vapply(metrics, function(x) number(as.numeric(x)), "")
        writeLines(paste0("{", paste0(keys, ": ", values, collapse = ", "), "}"), file)
    }

    # ---- a trial ----

    leave <- function(status) {
        flush(stdout())
        flush(stderr())
        .C("wick_host_leave", as.integer(status))
    }

    # R would remove the folder for temporary files, which belongs to the host.
    replace_base <- function(name, value) {
        base <- baseenv()
        unlockBinding(name, base)
        assign(name, value, envir = base)
        lockBinding(name, base)
    }

    become_script <- function(arguments) {
        script <- if (length(arguments)) arguments[1] else file
        all <- c("R", "--no-echo", "--no-restore", paste0("--file=", script),
                 if (length(arguments) > 1) c("--args", arguments[-1]))
        replace_base("commandArgs", function(trailingOnly = FALSE) {
            if (trailingOnly) as.character(arguments[-1]) else all
        })
        quit <- function(save = "no", status = 0, runLast = TRUE) {
            if (runLast && exists(".Last", envir = globalenv(), inherits = FALSE))
                try(get(".Last", envir = globalenv())())
            leave(status)
        }
        replace_base("quit", quit)
        replace_base("q", quit)
        # Forked processes would all draw the same random numbers.
        suppressWarnings(rm(".Random.seed", envir = globalenv()))
        options(warn = 1)
    }

    as_metrics <- function(value) {
        if (is.null(value))
            return(NULL)
        if (is.numeric(value) && length(value) == 1 && is.null(names(value)))
            return(structure(list(value), names = Sys.getenv("WICK_SCORE", "score")))
        what <- paste("a value of type", class(value)[1], "and length", length(value))
        value <- as.list(value)
        value <- value[vapply(value, function(x) (is.numeric(x) || is.logical(x)) && length(x) == 1, NA)]
        if (length(value) == 0 || is.null(names(value)))
            stop("the function returned ", what, ": it must be a number (the score), ",
                 "a named list of metrics, or NULL", call. = FALSE)
        value
    }

    call_model <- function() {
        source(file, local = globalenv(), keep.source = FALSE)
        if (!exists(name, envir = globalenv(), mode = "function", inherits = FALSE)) {
            others <- grep("^wick_", ls(globalenv()), value = TRUE, invert = TRUE)
            others <- Filter(function(other) is.function(get(other, envir = globalenv())), others)
            stop(file, " has no function '", name, "'",
                 if (length(others)) paste0("; it has ", paste(head(others, 10), collapse = ", ")),
                 call. = FALSE)
        }
        params <- read_json(Sys.getenv("WICK_PARAMS", "{}"))
        run <- get(name, envir = globalenv(), mode = "function")
        wanted <- formals(run)
        required <- names(wanted)[vapply(wanted, function(x) is.name(x) && !nzchar(x), NA)]
        required <- setdiff(required, "...")
        whole <- if (length(required)) length(required) == 1 && !(required %in% names(params))
                 else length(wanted) == 1 && !(names(wanted) %in% c("...", names(params)))
        metrics <- as_metrics(if (whole) run(params) else do.call(run, params))
        if (!is.null(metrics) && nzchar(Sys.getenv("WICK_RESULT")))
            write_json(metrics, Sys.getenv("WICK_RESULT"))
        else if (!is.null(metrics))
            cat(paste0(names(metrics), ": ", vapply(metrics, format, "", digits = 15), "\n"), sep = "")
    }

    # The calls come first, so that the last line, which Wick shows as the reason, is the error itself.
    tell_error <- function(e) {
        shown <- vapply(sys.calls(), function(call) substr(deparse(call)[1], 1, 100), "")
        from <- which(grepl("^(source\\(file, local|run\\(params|do\\.call\\(run, params)", shown))
        to <- which(grepl("^(stop\\(|\\.handleSimpleError\\(|h\\(simpleError)", shown))
        if (length(from) && length(to) && from[1] + 1 < to[1]) {
            inside <- shown[(from[1] + 1):(to[1] - 1)]
            ours <- grepl("^(withVisible\\(eval\\(ei, envir|eval\\(ei, envir)", inside)
            cat(paste0("  ", c("calls:", inside[!ours]), "\n"), sep = "", file = stderr())
        }
        where <- conditionCall(e)
        # The message about a file that does not parse ends with its lines and a mark below the place.
        lines <- strsplit(conditionMessage(e), "\n", fixed = TRUE)[[1]]
        if (length(lines) > 1 && grepl("^ *\\^$", lines[length(lines)])) {
            cat(paste0(lines[-1], "\n"), sep = "", file = stderr())
            lines <- lines[1]
            where <- NULL
        }
        cat("Error", if (is.null(where)) ": " else paste0(" in ", deparse(where)[1], " : "),
            paste(lines, collapse = "\n"), "\n", sep = "", file = stderr())
        leave(1)
    }

    run_trial <- function(bytes) {
        texts <- .C("wick_host_arguments", raw(bytes))[[1]]
        ends <- which(texts == 0)
        starts <- c(1, ends[-length(ends)] + 1)
        arguments <- if (bytes > 0) mapply(function(from, to)
            if (to >= from) rawToChar(texts[from:to]) else "", starts, ends - 1)
        become_script(arguments)
        withCallingHandlers(
            if (kind == "call") call_model()
            else source(file, local = globalenv(), print.eval = TRUE, keep.source = FALSE),
            error = tell_error)
        quit(status = 0)
    }

    # ---- evaluation that keeps its state ----

    receive <- function(length) {
        if (length == 0)
            return("")
        text <- rawToChar(.C("wick_host_read", raw(length), length)[[1]])
        Encoding(text) <- "UTF-8"
        text
    }

    parsed <- new.env()
    parsed_count <- 0

    # Parsing code takes longer than running it, and most of it comes more than once.
    prepared <- function(text) {
        if (nchar(text, "bytes") > 5000) # too long for a name
            return(parse(text = text, keep.source = FALSE))
        code <- parsed[[text]]
        if (is.null(code)) {
            if (parsed_count == 1000) {
                parsed <<- new.env()
                parsed_count <<- 0
            }
            code <- parse(text = text, keep.source = FALSE)
            assign(text, code, envir = parsed)
            parsed_count <<- parsed_count + 1
        }
        code
    }

    evaluate_one <- function(code, expression) {
        if (nzchar(code))
            eval(prepared(code), globalenv())
        if (!nzchar(expression))
            return("")
        value <- as.character(eval(prepared(expression), globalenv()))
        if (length(value) == 1) value else paste(value, collapse = "\n")
    }

    answer <- function(good, text) {
        bytes <- charToRaw(enc2utf8(text))
        .C("wick_host_answer", good, bytes, length(bytes))
    }

    # One handler for all evaluations that succeed: making a handler costs as much as evaluating.
    evaluate_until_error <- function() {
        lengths <- integer(2)
        repeat {
            wanted <- .C("wick_host_receive", lengths)[[1]]
            if (wanted[1] < 0)
                quit(save = "no")
            code <- receive(wanted[1])
            expression <- receive(wanted[2]) # now: R is lazy, and the code may fail before
            answer(1L, evaluate_one(code, expression))
        }
    }

    evaluate <- function() {
        repeat
            tryCatch(evaluate_until_error(), error = function(e) {
                where <- conditionCall(e)
                answer(0L, paste0("Error", if (!is.null(where)) paste0(" in ", deparse(where)[1]),
                                  ": ", conditionMessage(e)))
            })
    }

    load_ahead()
    if (kind == "evaluate") {
        evaluate()
    } else if (kind == "once") {
        call_model()
    } else {
        bytes <- .C("wick_host_next", integer(1))[[1]]
        if (bytes >= 0)
            run_trial(bytes)
    }
    quit(save = "no")
})
