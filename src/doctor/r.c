/* r.c - the R that a study gets, and its packages. */
#include "doctor/look.h"

/* Its argument is the file of Wick's own library for R; "" if there is none. */
static const char SCRIPT[] =
    "cat('version', as.character(getRversion()), '\\n')\n"
    "if (requireNamespace('jsonlite', quietly = TRUE))\n"
    "    cat('jsonlite', as.character(packageVersion('jsonlite')), '\\n')\n"
    "path <- commandArgs(TRUE)\n"
    "if (length(path) == 1)\n"
    "    tryCatch({ dyn.load(path); cat('loaded', path, '\\n') },\n"
    "             error = function(e) cat('failed', conditionMessage(e), '\\n'))\n";

static void tell_answer(struct look *look, const char *path, const char *text)
{
    bool needed = look->needs.r != NULL;
    const char *version = strstr(text, "version "), *json = strstr(text, "jsonlite ");
    const char *failed = strstr(text, "failed ");
    look_tell_needed(look, "Rscript", needed, DOCTOR_GOOD,
                     look_say(look, "%.*s, %s", version ? (int)strcspn(version + 8, " \n") : 1,
                              version ? version + 8 : "?", path),
                     NULL);
    look_tell(look, "jsonlite", json ? DOCTOR_GOOD : DOCTOR_NONE,
              json ? look_say(look, "%.*s", (int)strcspn(json + 9, " \n"), json + 9)
                   : "not installed: Wick uses its own JSON parser for R",
              NULL);
    if (failed)
        look_tell_needed(
            look, "wick-r.so", needed, needed ? DOCTOR_BAD : DOCTOR_WARNING,
            look_say(look, "R cannot load it: %.*s", (int)strcspn(failed + 7, "\n"), failed + 7),
            "install the Wick for this system, or build it here");
    else if (strstr(text, "loaded "))
        look_tell_needed(look, "wick-r.so", needed, DOCTOR_GOOD, "R loads it", NULL);
}

void look_r(struct look *look)
{
    bool needed = look->needs.r != NULL;
    const char *interpreter = needed ? look->needs.r : "Rscript";
    char path[PATH_MAX], library[PATH_MAX];
    bool installed = installed_find("wick-r.so", library, NULL);
    const char *const argv[] = {interpreter, "--vanilla", "-e", SCRIPT, installed ? library : NULL,
                                NULL};
    struct look_answer answer;
    if (look->needs.image && !needed)
        return; /* the trials do not use the R of this machine */
    if (!command_find(interpreter, path)) {
        look_tell_needed(look, "Rscript", needed, DOCTOR_NONE,
                         look_say(look, "no %s on PATH", interpreter),
                         needed ? "load the site's R module, or name the interpreter in the "
                                  "study"
                                : NULL);
        return;
    }
    look_ask(look, argv, 4 * LOOK_ANSWER, &answer);
    if (answer.good)
        tell_answer(look, path, str_text(&answer.text));
    else
        look_tell_needed(look, "Rscript", needed, needed ? DOCTOR_BAD : DOCTOR_WARNING,
                         look_say(look, "%s does not work: %s", path, answer.why),
                         "load another R module, or repair its installation");
    look_answer_free(&answer);
}
