/* python.c - the Python that a study gets, and its packages. */
#include "doctor/look.h"

#include <unistd.h>

/*
 * The interpreter itself is asked. importlib.metadata needs no import, which takes seconds for a
 * framework. Wick's own modules are imported in the same way as in a trial.
 */
static const char SCRIPT[] =
    "import sys\n"
    "print('python', '.'.join(map(str, sys.version_info[:3])), sys.executable or '?')\n"
    "try:\n"
    "    from importlib import metadata\n"
    "except ImportError:\n"
    "    metadata = None\n"
    "names = {'torch': ('torch',), 'tensorflow': ('tensorflow', 'tensorflow-cpu', 'tf-nightly'),\n"
    "         'numpy': ('numpy',), 'mpi4py': ('mpi4py',)}\n"
    "for name, packages in names.items():\n"
    "    for package in packages:\n"
    "        try:\n"
    "            print('package', name, metadata.version(package))\n"
    "            break\n"
    "        except Exception:\n"
    "            pass\n"
    "try:\n"
    "    import wick, wick_host\n"
    "    print('wick', wick.__file__)\n"
    "except Exception as e:\n"
    "    print('nowick', type(e).__name__ + ':', e)\n";

static const char TORCH[] =
    "import time\n"
    "start = time.time()\n"
    "import torch\n"
    "print('%.2f %d %s' % (time.time() - start, torch.cuda.device_count(), torch.version.cuda))\n";

/* The rest of the line that starts with `word` and a blank; NULL if there is none. */
static const char *line_of(struct look *look, const char *text, const char *word)
{
    size_t length = strlen(word);
    for (const char *at = text; at && *at; at = strchr(at, '\n')) {
        at += *at == '\n';
        if (strncmp(at, word, length) == 0 && at[length] == ' ')
            return look_say(look, "%.*s", (int)strcspn(at + length + 1, "\n"), at + length + 1);
    }
    return NULL;
}

/* True for a script in front of the interpreter, as of pyenv: it costs time at every start. */
static bool is_shim(const char *path)
{
    char begin[2] = "";
    FILE *file = fopen(path, "re");
    bool script = file && fread(begin, 1, 2, file) == 2 && begin[0] == '#' && begin[1] == '!';
    if (file)
        fclose(file);
    return script;
}

static void tell_interpreter(struct look *look, const char *path, const char *python)
{
    char version[32] = "?", executable[PATH_MAX] = "?";
    unsigned major = 0, minor = 0;
    sscanf(python, "%31s %4095s", version, executable);
    sscanf(version, "%u.%u", &major, &minor);
    bool needed = look->needs.python != NULL;
    if (major < 3 || (major == 3 && minor < 6))
        look_tell_needed(look, "python", needed, needed ? DOCTOR_BAD : DOCTOR_WARNING,
                         look_say(look, "%s, %s", version, path),
                         "Wick's library needs Python 3.6 or later: load a newer module");
    else if (is_shim(path))
        look_tell_needed(look, "python", needed, DOCTOR_WARNING,
                         look_say(look, "%s, %s, through the script %s", version, executable, path),
                         look_say(look,
                                  "each start runs the script first: name %s in the study, or put "
                                  "its folder first on PATH",
                                  executable));
    else
        look_tell_needed(look, "python", needed, DOCTOR_GOOD,
                         look_say(look, "%s, %s", version, path), NULL);
}

static void look_torch(struct look *look, const char *interpreter, bool inside, const char *version)
{
    const char *const argv[] = {interpreter, "-c", TORCH, NULL};
    struct look_answer answer;
    double seconds = 0;
    int devices = 0;
    char cuda[32] = "None";
    if (inside)
        look_ask_inside(look, argv, 60, &answer);
    else
        look_ask(look, argv, 60, &answer);
    bool driver = access("/dev/nvidia0", F_OK) == 0;
    if (!answer.good)
        look_tell(look, "torch", DOCTOR_WARNING, look_say(look, "%s: %s", version, answer.why),
                  "it is installed but cannot be imported: reinstall it in this environment");
    else if (sscanf(answer.line, "%lf %d %31s", &seconds, &devices, cuda) >= 2 && driver &&
             devices == 0)
        look_tell(look, "torch", DOCTOR_WARNING,
                  look_say(look,
                           "%s sees no GPU (built for CUDA: %s), although the machine has one",
                           version, cuda),
                  "install a build of PyTorch for the CUDA of this driver");
    else
        look_tell(
            look, "torch", DOCTOR_GOOD,
            look_say(look, "%s, importing takes %s%s", version, look_duration(look, seconds),
                     devices ? look_say(look, ", sees %s", look_count(look, devices, "GPU")) : ""),
            NULL);
    look_answer_free(&answer);
}

static void tell_packages(struct look *look, const char *interpreter, bool inside, const char *text)
{
    static const char *const names[] = {"numpy", "mpi4py", "tensorflow"};
    struct str found = {0};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *version = line_of(look, text, look_say(look, "package %s", names[i]));
        if (version)
            str_printf(&found, "%s%s %s", found.length ? ", " : "", names[i], version);
    }
    look_tell(look, "packages", found.length ? DOCTOR_GOOD : DOCTOR_NONE,
              found.length ? look_say(look, "%s", found.text) : "no numpy, mpi4py, tensorflow",
              NULL);
    const char *torch = line_of(look, text, "package torch");
    if (torch)
        look_torch(look, interpreter, inside, torch);
    else
        look_tell(look, "torch", DOCTOR_NONE, "not installed", NULL);
    str_free(&found);
}

static void tell_library(struct look *look, const char *text)
{
    bool needed = look->needs.python != NULL;
    const char *wick = line_of(look, text, "wick"), *why = line_of(look, text, "nowick");
    if (wick)
        look_tell_needed(look, "wick", needed, DOCTOR_GOOD, look_say(look, "import wick: %s", wick),
                         NULL);
    else
        look_tell_needed(look, "wick", needed, needed ? DOCTOR_BAD : DOCTOR_WARNING,
                         look_say(look, "import wick fails: %s", why ? why : "no answer"),
                         "another module of that name may come first on PYTHONPATH; otherwise "
                         "reinstall Wick");
}

/* PYTHONPATH as trials have it: Wick's folder comes after the user's. */
static const char *python_path(struct look *look)
{
    char path[PATH_MAX];
    const char *before = getenv("PYTHONPATH");
    if (!installed_find("python", path, NULL))
        path[0] = 0;
    return look_say(look, "PYTHONPATH=%s%s%s", before ? before : "", before && *before ? ":" : "",
                    path);
}

/* The Python of the image, which is the one that counts for its trials. */
static void look_image_python(struct look *look)
{
    bool needed = look->needs.inside != NULL;
    const char *interpreter = needed ? look->needs.inside : "python3";
    const char *const argv[] = {interpreter, "-c", SCRIPT, NULL};
    struct look_answer answer;
    if (!look->runtime) {
        look_tell(look, "in the image", DOCTOR_NONE,
                  "not examined: the image cannot be run here as it is", NULL);
        return;
    }
    look_ask_inside(look, argv, 4 * LOOK_ANSWER, &answer);
    const char *python = line_of(look, str_text(&answer.text), "python");
    if (answer.good && python) {
        look_tell_needed(look, "in the image", needed, DOCTOR_GOOD, python, NULL);
        tell_packages(look, interpreter, true, str_text(&answer.text));
    } else {
        look_tell_needed(look, "in the image", needed, needed ? DOCTOR_BAD : DOCTOR_NONE,
                         look_say(look, "%s does not run: %s", interpreter,
                                  answer.why ? answer.why : answer.line),
                         needed ? "use an image with Python, or name its interpreter in the study"
                                : NULL);
    }
    look_answer_free(&answer);
}

static void look_host_python(struct look *look)
{
    bool needed = look->needs.python != NULL;
    const char *interpreter = needed ? look->needs.python : "python3";
    const char *const argv[] = {interpreter, "-c", SCRIPT, NULL};
    char path[PATH_MAX];
    struct look_answer answer;
    if (!command_find(interpreter, path)) {
        look_tell_needed(look, "python", needed, DOCTOR_NONE,
                         look_say(look, "no %s on PATH", interpreter),
                         needed ? "load the site's Python module, or name the interpreter in "
                                  "the study"
                                : NULL);
        return;
    }
    look_ask_with(look, argv, 4 * LOOK_ANSWER, python_path(look), &answer);
    const char *python = line_of(look, str_text(&answer.text), "python");
    if (!answer.good || !python) {
        look_tell_needed(
            look, "python", needed, needed ? DOCTOR_BAD : DOCTOR_WARNING,
            look_say(look, "%s does not work: %s", path, answer.why ? answer.why : answer.line),
            "load another Python module, or repair its environment");
    } else {
        tell_interpreter(look, path, python);
        tell_library(look, str_text(&answer.text));
        tell_packages(look, interpreter, false, str_text(&answer.text));
    }
    look_answer_free(&answer);
}

void look_python(struct look *look)
{
    if (look->needs.image)
        look_image_python(look);
    if (!look->needs.image || look->needs.python)
        look_host_python(look);
}
