/* What can be wrong in a study file: every mistake with its place and its exact message. */
#include "told.h"

#define CURVES  "model: {function: curves}\n"
#define MODEL   "model: {command: 'true'}\n"
#define SPACE   "space: {x: {int: [1, 5]}}\n"
#define TEXT(t) t, sizeof(t) - 1

static const struct {
    const char *name;
    const char *text;
    size_t length;
    const char *mistakes; /* line:column: message, one per line */
} cases[] = {
    {"an empty file", TEXT(""), "0:0: the file is empty"},
    {"a file of comments",
     TEXT("# nothing\n"
          "\n"),
     "0:0: the file is empty"},
    {"a list",
     TEXT("- a\n"
          "- b\n"),
     "1:1: a study file must be a mapping with the keys model, space and search, but this is a "
     "list"},
    {"a plain text", TEXT("hello\n"),
     "1:1: a study file must be a mapping with the keys model, space and search, but this is "
     "text"},
    {"two documents", TEXT(MODEL SPACE "---\n" MODEL),
     "3:1: a second document starts here: a study file has only one"},
    {"bytes that are not UTF-8", TEXT(MODEL "# caf\xe9\n" SPACE), "2:6: this is not UTF-8 text"},
    {"a zero byte", TEXT(MODEL "\0space: {x: {int: [1, 5]}}\n"), "2:1: this is not UTF-8 text"},
    {"a zero byte in quotes", TEXT(MODEL "space: {x: \"a\\0b\"}\n"),
     "2:12: text cannot contain a zero byte"},
    {"a control character",
     TEXT(MODEL "space: {x: a\x01"
                "b}\n"),
     "2:13: a control character is not allowed here"},
    {"nothing but a name", TEXT("name: x\n"),
     "1:1: 'model' is missing: say what to run, as in model: {command: python3 train.py}\n"
     "1:1: 'space' is missing: say what to search, as in space: {lr: {log: [1e-5, 1e-1]}}"},
    {"no space", TEXT(MODEL),
     "1:1: 'space' is missing: say what to search, as in space: {lr: {log: [1e-5, 1e-1]}}"},
    {"no model", TEXT(SPACE),
     "1:1: 'model' is missing: say what to run, as in model: {command: python3 train.py}"},
    {"an unknown section", TEXT(MODEL SPACE "serach: {trials: 5}\n"),
     "3:1: unknown key 'serach': did you mean 'search'?"},
    {"a key that is like no other", TEXT(MODEL SPACE "zzzzzz: 1\n"),
     "3:1: unknown key 'zzzzzz': use one of name, model, space, search, forbid, constraints, "
     "keep, checkpoints, job, container"},
    {"empty sections",
     TEXT("model:\n"
          "space: {}\n"
          "search:\n"),
     "1:1: 'model' is empty: write it as in model: {command: python3 train.py}\n"
     "2:1: 'space' is empty: write it as in space: {lr: {log: [1e-5, 1e-1]}}\n"
     "3:1: 'search' is empty: write it as in search: {trials: 100}"},
    {"sections of a wrong type",
     TEXT("model: 5\n"
          "space: [a]\n"
          "search: fast\n"
          "job: 3\n"),
     "1:8: 'model' must be a mapping, not text: write it as in model: {command: python3 "
     "train.py}\n"
     "2:8: 'space' must be a mapping, not a list: write it as in space: {lr: {log: [1e-5, 1e-1]}}\n"
     "3:9: 'search' must be a mapping, not text: write it as in search: {trials: 100}\n"
     "4:6: 'job' must be a mapping, not text: write it as in job: {nodes: 8, time: 2h}"},
    {"the same key twice",
     TEXT(MODEL SPACE "keep: all\n"
                      "keep: none\n"),
     "4:1: the key 'keep' appears twice"},
    {"the same key twice inside", TEXT("model: {command: 'true', score: a, score: b}\n" SPACE),
     "1:36: the key 'score' appears twice"},
    {"an anchor", TEXT(MODEL "space: {x: &a {int: [1, 5]}}\n"),
     "2:12: anchors such as &a are not supported: leave it out, or put text that starts with & in "
     "quotes"},
    {"an alias", TEXT(MODEL "space: {x: *a}\n"),
     "2:12: aliases such as *a are not supported: write the value out, or put text that starts "
     "with * in quotes"},
    {"a tag", TEXT(MODEL "space: {x: !!int 5}\n"),
     "2:12: tags such as !!int are not supported: leave it out"},
    {"a list as a key", TEXT(MODEL "space: {[a, b]: 5}\n"),
     "2:9: a list cannot be a key: text is expected here"},
    {"a deep file",
     TEXT(
         MODEL SPACE
         "job: [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]\n"),
     "3:38: lists and mappings are nested too deeply here"},
    {"a name with a slash", TEXT("name: a/b\n" MODEL SPACE),
     "1:7: 'name' becomes the name of a folder: it must have at most 100 bytes and no '/', and "
     "must not start with '.' or '-'"},
    {"a name that begins with a dot", TEXT("name: .hidden\n" MODEL SPACE),
     "1:7: 'name' becomes the name of a folder: it must have at most 100 bytes and no '/', and "
     "must not start with '.' or '-'"},
    {"keep with another word", TEXT("keep: everything\n" MODEL SPACE),
     "1:7: 'keep' cannot be 'everything': use one of failed, all, none"},
    {"keep with a near word", TEXT("keep: fail\n" MODEL SPACE),
     "1:7: 'keep' cannot be 'fail': did you mean 'failed'?"},
    {"a bracket that is not closed",
     TEXT(MODEL "space: {x: {int: [1, 5]\n"
                "search: {trials: 5}\n"),
     "3:1: ',' or '}' is expected here: a bracket is not closed, or text with one of ,[]{} in it "
     "needs quotes"},
    {"a quote that is not closed", TEXT("model: {command: 'true}\n" SPACE),
     "1:18: the file ends inside quoted text: a closing quote is missing"},
    {"a tab for indentation",
     TEXT("model:\n"
          "\tcommand: 'true'\n" SPACE),
     "2:1: a tab is used for indentation: use spaces"},
    {"two colons in a line", TEXT("model: command: 'true'\n" SPACE),
     "1:15: ':' is not expected here: text with ': ' in it needs quotes, and the keys of a section "
     "need the same indentation"},
    {"keys that do not line up",
     TEXT("model:\n"
          "  command: 'true'\n"
          " score: loss\n" SPACE),
     "3:2: a key is expected here: the keys of a section need the same indentation, and text that "
     "starts with a quote must end with one"},
    {"braces inside of braces", TEXT("model: {command: train --lr {lr}, score: loss}\n" SPACE),
     "1:29: ',' or '}' is expected here: a bracket is not closed, or text with one of ,[]{} in it "
     "needs quotes"},
    {"a key without a value",
     TEXT(MODEL "space:\n"
                "  x: {int: [1, 5]}\n"
                "  lr\n"),
     "4:3: a ':' and a value are missing after this key"},
    {"a percent sign first", TEXT(MODEL "space: {x: %5}\n"),
     "2:12: no value can start with this character: put the text in quotes"},
    {"an unknown escape", TEXT(MODEL "space: {x: \"a\\qb\"}\n"),
     "2:14: unknown escape: use single quotes, which leave a backslash as it is"},
    {"a text after a quote",
     TEXT(MODEL "space:\n"
                "  x: 'a' b\n"),
     "3:10: a key is expected here: the keys of a section need the same indentation, and text that "
     "starts with a quote must end with one"},
    {"a list on the line of its key", TEXT(MODEL SPACE "forbid: - {x: 5}\n"),
     "3:9: a list with '-' starts on its own line, below its key"},
    {"neither command nor function", TEXT("model: {score: loss}\n" SPACE),
     "1:1: 'model' needs a command, as in command: python3 train.py"},
    {"both command and function", TEXT("model: {command: 'true', function: branin}\n" SPACE),
     "1:26: 'model' has both 'command' and 'function': leave one of them out"},
    {"an unknown key of the model", TEXT("model: {command: 'true', timeot: 5}\n" SPACE),
     "1:26: unknown key 'timeot': did you mean 'timeout'?"},
    {"an unknown function", TEXT("model: {function: brannin}\n"),
     "1:19: 'function' cannot be 'brannin': did you mean 'branin'?"},
    {"a function of too many inputs", TEXT("model: {function: branin}\n" SPACE),
     "2:1: the function 'branin' takes the parameters x1, x2, or 2 numbers with other names: leave "
     "'space' out to use its own"},
    {"a function of numbers with a text",
     TEXT("model: {function: branin}\nspace: {a: {int: [1, 5]}, b: {choice: [x, y]}}\n"),
     "2:1: the function 'branin' takes the parameters x1, x2, or 2 numbers with other names: leave "
     "'space' out to use its own"},
    {"a function of more inputs", TEXT("model: {function: rosenbrock}\n" SPACE),
     "2:1: the function 'rosenbrock' takes at least 2 parameters: leave 'space' out to use its "
     "own"},
    {"a command with a pipe",
     TEXT("model:\n"
          "  command: true --x 5 | tee log\n" SPACE),
     "2:23: '|' means something only to a shell, but Wick starts programs directly: put it in "
     "single quotes, or write bash -c '...' if you want a shell"},
    {"a command with a redirection",
     TEXT("model:\n"
          "  command: 'true > log'\n" SPACE),
     "2:18: '>' means something only to a shell, but Wick starts programs directly: put it in "
     "single quotes, or write bash -c '...' if you want a shell"},
    {"a command with a substitution",
     TEXT("model:\n"
          "  command: 'true $(date)'\n" SPACE),
     "2:18: '$(' means something only to a shell, but Wick starts programs directly: put it in "
     "single quotes, or write bash -c '...' if you want a shell"},
    {"a command with a backtick",
     TEXT("model:\n"
          "  command: 'true `date`'\n" SPACE),
     "2:18: '`' means something only to a shell, but Wick starts programs directly: put it in "
     "single quotes, or write bash -c '...' if you want a shell"},
    {"a command with a variable",
     TEXT("model:\n"
          "  command: 'true $HOME/train.py'\n" SPACE),
     "2:18: '$' means something only to a shell, but Wick starts programs directly: put it in "
     "single quotes, or write bash -c '...' if you want a shell"},
    {"two commands",
     TEXT("model:\n"
          "  command: 'true; true'\n" SPACE),
     "2:17: ';' means something only to a shell, but Wick starts programs directly: put it in "
     "single quotes, or write bash -c '...' if you want a shell"},
    {"a command in the background",
     TEXT("model:\n"
          "  command: 'true &'\n" SPACE),
     "2:18: '&' means something only to a shell, but Wick starts programs directly: put it in "
     "single quotes, or write bash -c '...' if you want a shell"},
    {"a command with an open quote",
     TEXT("model:\n"
          "  command: true 'abc\n" SPACE),
     "2:17: this quote ' is never closed"},
    {"a command with an open double quote",
     TEXT("model:\n"
          "  command: true --a \"abc\n" SPACE),
     "2:21: this quote \" is never closed"},
    {"a command with a backslash at its end",
     TEXT("model:\n"
          "  command: true \\\n" SPACE),
     "2:17: a backslash at the end has nothing to escape: leave it out"},
    {"an empty command",
     TEXT("model:\n"
          "  command: ''\n" SPACE),
     "2:3: 'command' names no program: write it as in command: python3 train.py"},
    {"a command of nothing",
     TEXT("model:\n"
          "  command: \n" SPACE),
     "2:3: 'command' names no program: write it as in command: python3 train.py"},
    {"a mapping as a command",
     TEXT("model:\n"
          "  command: {lr}\n" SPACE),
     "2:12: 'command' must be text or a list, not a mapping: a command that starts with { needs "
     "quotes"},
    {"a command list with a list in it",
     TEXT("model:\n"
          "  command: ['true', [a]]\n" SPACE),
     "2:21: a word of the command must be text, not a list"},
    {"a command list with nothing in it",
     TEXT("model:\n"
          "  command: []\n" SPACE),
     "2:3: 'command' names no program: write it as in command: python3 train.py"},
    {"a program that is not there",
     TEXT("model:\n"
          "  command: no-such-program-here --lr 1\n" SPACE),
     "2:12: the program 'no-such-program-here' is not on PATH"},
    {"a program that is not at its place",
     TEXT("model:\n"
          "  command: ./no-such-program\n" SPACE),
     "2:12: there is no program './no-such-program' in /"},
    {"a program that is a folder",
     TEXT("model:\n"
          "  command: /usr\n" SPACE),
     "2:12: '/usr' is a folder, not a program"},
    {"a program that is not executable",
     TEXT("model:\n"
          "  command: /etc/passwd\n" SPACE),
     "2:12: '/etc/passwd' is not executable: run chmod +x on it, or name what runs it, as in "
     "python3 /etc/passwd"},
    {"an unknown name in braces",
     TEXT("model:\n"
          "  command: 'true {y}'\n" SPACE),
     "2:18: unknown name {y} in the command: it is neither a parameter nor trial, params, result, "
     "dir, checkpoint or seed; for plain text in braces, write {{y}}"},
    {"a near name in braces",
     TEXT("model:\n"
          "  command: 'true --x {xx} --t {trail}'\n" SPACE),
     "2:22: unknown name {xx} in the command: did you mean {x}?\n"
     "2:31: unknown name {trail} in the command: did you mean {trial}?"},
    {"an unknown name in a list",
     TEXT("model:\n"
          "  command: ['true', '--x={yyyy}']\n" SPACE),
     "2:26: unknown name {yyyy} in the command: it is neither a parameter nor trial, params, "
     "result, dir, checkpoint or seed; for plain text in braces, write {{yyyy}}"},
    {"flags and a name in braces", TEXT("model: {command: 'true {x}', pass: flags}\n" SPACE),
     "1:24: {x} is only replaced with pass: template"},
    {"a template without a name", TEXT("model: {command: 'true', pass: template}\n" SPACE),
     "1:32: pass: template needs a parameter in the command, as in --x {x}"},
    {"a way to pass that is unknown", TEXT("model: {command: 'true', pass: flag}\n" SPACE),
     "1:32: 'pass' cannot be 'flag': did you mean 'flags'?"},
    {"a direction", TEXT("model: {command: 'true', direction: up}\n" SPACE),
     "1:37: 'direction' cannot be 'up': use one of minimize, maximize"},
    {"a time without a known unit", TEXT("model: {command: 'true', timeout: 5 minuten}\n" SPACE),
     "1:35: 'timeout' must be a time such as 90, 30s, 15m, 1h30m, 1d or 01:30:00, not '5 minuten'"},
    {"a negative time", TEXT("model: {command: 'true', timeout: -5}\n" SPACE),
     "1:35: 'timeout' must be a time such as 90, 30s, 15m, 1h30m, 1d or 01:30:00, not '-5'"},
    {"too many retries", TEXT("model: {command: 'true', retries: 101}\n" SPACE),
     "1:35: 'retries' must be a whole number from 0 to 100, not '101'"},
    {"retries that are a text", TEXT("model: {command: 'true', retries: often}\n" SPACE),
     "1:35: 'retries' must be a whole number from 0 to 100, not 'often'"},
    {"a size without a known unit", TEXT("model: {command: 'true', memory: 2 bananas}\n" SPACE),
     "1:34: 'memory' must be a size such as 512M or 2G, not '2 bananas'"},
    {"a size without its unit", TEXT("model: {command: 'true', memory: 512}\n" SPACE),
     "1:34: 'memory' is less than 1M, too little for any program: add a unit, as in 512M"},
    {"a negative number of devices", TEXT("model: {command: 'true', gpus: -1}\n" SPACE),
     "1:32: 'gpus' must be a whole number up to 1024, or a share such as 0.5, not '-1'"},
    {"one and a half devices", TEXT("model: {command: 'true', gpus: 1.5}\n" SPACE),
     "1:32: 'gpus' must be a whole number up to 1024, or a share such as 0.5, not '1.5'"},
    {"a part of a core", TEXT("model: {command: 'true', cores: 0.5}\n" SPACE),
     "1:33: 'cores' must be a whole number from 0 to 100000, not '0.5'"},
    {"a folder that is not there", TEXT("model: {command: 'true', folder: no-such-folder}\n" SPACE),
     "1:34: there is no folder 'no-such-folder' in /"},
    {"a program in a folder that is not there",
     TEXT("model: {command: ./train, folder: no-such-folder}\n" SPACE),
     "1:35: there is no folder 'no-such-folder' in /"},
    {"a folder that is a file", TEXT("model: {command: 'true', folder: /etc/passwd}\n" SPACE),
     "1:34: '/etc/passwd' is not a folder"},
    {"a list of variables", TEXT("model: {command: 'true', env: [A]}\n" SPACE),
     "1:31: 'env' must be a mapping, not a list: write it as in env: {OMP_NUM_THREADS: 4}"},
    {"a bad name of a variable", TEXT("model: {command: 'true', env: {A-B: 1}}\n" SPACE),
     "1:32: 'A-B' cannot be the name of a variable: use letters, digits and _"},
    {"a list as a variable", TEXT("model: {command: 'true', env: {A: [1]}}\n" SPACE),
     "1:35: 'A' must be a single value, not a list"},
    {"a score with a space", TEXT("model: {command: 'true', score: val loss}\n" SPACE),
     "1:33: 'val loss' cannot be the name of a metric: use at most 47 bytes without spaces, =, : "
     "and ,"},
    {"a mapping as a score", TEXT("model: {command: 'true', score: {a: 1}}\n" SPACE),
     "1:33: 'score' must be a name, or a list of at most 8 names, as in score: [loss, size]"},
    {"a mapping as a direction", TEXT("model: {command: 'true', direction: {a: 1}}\n" SPACE),
     "1:37: 'direction' must be a single value, not a mapping"},
    {"a metric with an equals sign", TEXT("model: {command: 'true', metrics: [a, b=c]}\n" SPACE),
     "1:39: 'b=c' cannot be the name of a metric: use at most 47 bytes without spaces, =, : and ,"},
    {"metrics as a mapping", TEXT("model: {command: 'true', metrics: {a: b}}\n" SPACE),
     "1:35: 'metrics' must be a list of at most 63 names, as in metrics: [loss, accuracy]"},
    {"a pattern without a group", TEXT("model: {command: 'true', pattern: 'loss [0-9]+'}\n" SPACE),
     "1:35: the pattern needs exactly one group, but it has 0: put the number in parentheses, as "
     "in 'loss: ([0-9.]+)'"},
    {"a pattern of two groups",
     TEXT("model: {command: 'true', pattern: '(loss) ([0-9]+)'}\n" SPACE),
     "1:35: the pattern needs exactly one group, but it has 2: put the number in parentheses, as "
     "in 'loss: ([0-9.]+)'"},
    {"a pattern that does not compile",
     TEXT("model: {command: 'true', pattern: 'loss ([0-9]+'}\n" SPACE),
     "1:35: the pattern is not a regular expression: Unmatched ( or \\("},
    {"a pattern that is too large",
     TEXT("model: {command: 'true', pattern: '((a{1,500}){1,500})'}\n" SPACE),
     "1:35: the pattern is too large: use at most 1000 bytes and fewer repeats"},
    {"a pattern that doubles with each of its signs",
     TEXT("model: {command: 'true', pattern: '(a+++++++++++++++++++++++++++++++++++++)'}\n" SPACE),
     "1:35: the pattern is too large: use at most 1000 bytes and fewer repeats"},
    {"a range the wrong way round", TEXT(MODEL "space: {x: {float: [1, 0]}}\n"),
     "2:21: the range is the wrong way round: write [0, 1]"},
    {"a log range from 0", TEXT(MODEL "space: {x: {log: [0, 1]}}\n"),
     "2:19: a log range must be above 0, but this one starts at 0"},
    {"a log scale below 0", TEXT(MODEL "space: {x: {int: [-1, 8], log: true}}\n"),
     "2:19: a log range must be above 0, but this one starts at -1"},
    {"a log range with a step", TEXT(MODEL "space: {x: {log: [1, 8], step: 2}}\n"),
     "2:26: 'log' and 'step' do not go together: leave one of them out"},
    {"a log scale with a step", TEXT(MODEL "space: {x: {int: [1, 8], log: true, step: 2}}\n"),
     "2:37: 'log' and 'step' do not go together: leave one of them out"},
    {"log as a text", TEXT(MODEL "space: {x: {int: [1, 8], log: yes}}\n"),
     "2:31: 'log' must be true or false, not 'yes'"},
    {"a range of one number", TEXT(MODEL "space: {x: {float: [1]}}\n"),
     "2:20: 'float' needs two numbers, as in float: [0, 1]"},
    {"a range that is a number", TEXT(MODEL "space: {x: {int: 5}}\n"),
     "2:18: 'int' needs two numbers, as in int: [1, 5]"},
    {"a range of texts", TEXT(MODEL "space: {x: {float: [low, high]}}\n"),
     "2:21: 'low' is not a number\n"
     "2:26: 'high' is not a number"},
    {"a number with an underscore", TEXT(MODEL "space: {x: {int: [1, 1_000]}}\n"),
     "2:22: '1_000' is not a number"},
    {"a fraction in an int range", TEXT(MODEL "space: {x: {int: [1, 2.5]}}\n"),
     "2:22: '2.5' is not a whole number: use a float range, or whole numbers"},
    {"a huge int", TEXT(MODEL "space: {x: {int: [1, 1e16]}}\n"),
     "2:22: '1e16' is too large: an int goes up to 10^15"},
    {"a number beyond doubles", TEXT(MODEL "space: {x: {float: [0, 1e999]}}\n"),
     "2:24: '1e999' is not a number"},
    {"a number that is nearly infinite", TEXT(MODEL "space: {x: {float: [0, 1e305]}}\n"),
     "2:24: '1e305' is out of range: a number must be 0 or between 1e-300 and 1e300"},
    {"a step of 0", TEXT(MODEL "space: {x: {int: [1, 5], step: 0}}\n"),
     "2:32: 'step' must be above 0, not '0'"},
    {"a step that is a fraction", TEXT(MODEL "space: {x: {int: [1, 5], step: 0.5}}\n"),
     "2:32: the step of an int must be a whole number, not '0.5'"},
    {"a step beyond the range", TEXT(MODEL "space: {x: {float: [0, 1], step: 2}}\n"),
     "2:34: the step 2 is larger than the whole range"},
    {"a tiny step", TEXT(MODEL "space: {x: {float: [0, 1], step: 1e-20}}\n"),
     "2:34: the step 1e-20 is too small for this range"},
    {"a step too small for its numbers",
     TEXT(MODEL "space: {x: {float: [1e14, 1.00000000000001e14], step: 0.01}}\n"),
     "2:55: the step 0.01 is too small for this range"},
    {"a step with a choice", TEXT(MODEL "space: {x: {choice: [a, b], step: 1}}\n"),
     "2:29: 'step' does not go with 'choice'"},
    {"levels of an int", TEXT(MODEL "space: {x: {int: [1, 5], levels: 3}}\n"),
     "2:26: 'levels' is only for a float without a step"},
    {"no levels", TEXT(MODEL "space: {x: {float: [1, 5], levels: 0}}\n"),
     "2:36: 'levels' must be a whole number from 1 to 100000, not '0'"},
    {"two kinds", TEXT(MODEL "space: {x: {float: [0, 1], int: [1, 5]}}\n"),
     "2:28: 'x' already has 'float': leave one of the two out"},
    {"a range beside log", TEXT(MODEL "space: {x: {float: [0, 1], log: [1, 5]}}\n"),
     "2:28: 'x' already has 'float': write log: true for a log scale"},
    {"no kind", TEXT(MODEL "space: {x: {step: 2}}\n"),
     "2:9: 'x' has no kind: give it one of float, int, log, choice, ordered or flag"},
    {"an unknown kind", TEXT(MODEL "space: {x: {flaot: [0, 1]}}\n"),
     "2:13: unknown key 'flaot': did you mean 'float'?"},
    {"a list that is no choice", TEXT(MODEL "space: {x: [a, b]}\n"),
     "2:12: 'x' is a list: write {choice: [...]} to choose one of its values, or put it in quotes "
     "to pass it on as text"},
    {"a choice that is no list", TEXT(MODEL "space: {x: {choice: a}}\n"),
     "2:21: 'choice' needs a list of values, as in choice: [a, b, c]"},
    {"an empty choice", TEXT(MODEL "space: {x: {choice: []}}\n"),
     "2:21: 'choice' needs a list of values, as in choice: [a, b, c]"},
    {"a list in a choice", TEXT(MODEL "space: {x: {choice: [[1, 2], [3]]}}\n"),
     "2:22: a value must be text, a number, true, false or null, not a list: put it in quotes to "
     "pass it on as text\n"
     "2:30: a value must be text, a number, true, false or null, not a list: put it in quotes to "
     "pass it on as text"},
    {"a value twice", TEXT(MODEL "space: {x: {choice: [a, b, a]}}\n"),
     "2:28: the value 'a' is listed twice"},
    {"a value twice in another way", TEXT(MODEL "space: {x: {choice: [1, \"1\"]}}\n"),
     "2:25: the value '1' is listed twice"},
    {"a flag of other values", TEXT(MODEL "space: {x: {flag: [yes, no]}}\n"),
     "2:19: a flag is true or false, as in flag: [true, false]: write choice: [...] for other "
     "values"},
    {"a flag that is no list", TEXT(MODEL "space: {x: {flag: true}}\n"),
     "2:19: 'flag' needs a list of values, as in flag: [true, false]"},
    {"a flag twice", TEXT(MODEL "space: {x: {flag: [true, true]}}\n"),
     "2:26: the value 'true' is listed twice"},
    {"a parameter without a value", TEXT(MODEL "space: {x: }\n"),
     "2:9: 'x' has no value: give a constant, or one of float, int, log, choice, ordered or flag"},
    {"a range of the command line", TEXT(MODEL "space: {x: 1..5}\n"),
     "2:12: '1..5' is a range as on the command line: in a study file, write {float: [0, 1]}, "
     "{int: [1, 5]} or {log: [1e-5, 1e-1]}"},
    {"a bad name of a parameter", TEXT(MODEL "space: {2x: 5}\n"),
     "2:9: '2x' cannot be the name of a parameter: use letters, digits, _ . and -, at most 64, "
     "with a letter or _ first"},
    {"a parameter with the name of a built-in", TEXT(MODEL "space: {seed: {int: [1, 5]}}\n"),
     "2:9: a parameter cannot be called 'seed': {seed} has its own meaning in commands"},
    {"a default out of range", TEXT(MODEL "space: {x: {int: [1, 5], default: 7}}\n"),
     "2:35: 7 is not a value of 'x', which goes from 1 to 5"},
    {"a default between the steps", TEXT(MODEL "space: {x: {int: [1, 9], step: 4, default: 3}}\n"),
     "2:44: 3 is not a value of 'x', which goes from 1 to 9 in steps of 4"},
    {"a default that is no value",
     TEXT(MODEL "space: {x: {choice: [adam, sgd], default: adamm}}\n"),
     "2:43: 'adamm' is not a value of 'x': did you mean 'adam'?"},
    {"a default that is like no value",
     TEXT(MODEL "space: {x: {choice: [adam, sgd], default: zzzzz}}\n"),
     "2:43: 'zzzzz' is not a value of 'x': use one of adam, sgd"},
    {"a condition that is a text", TEXT(MODEL "space: {x: {int: [1, 5], when: y}}\n"),
     "2:32: 'when' must be a mapping, not text: write it as in when: {optimizer: sgd}"},
    {"a condition on nothing", TEXT(MODEL "space: {x: {int: [1, 5], when: {}}}\n"),
     "2:26: 'when' is empty: write it as in when: {optimizer: sgd}"},
    {"a condition on an unknown parameter",
     TEXT(MODEL "space: {xx: {int: [1, 5]}, y: {int: [1, 2], when: {xy: 3}}}\n"),
     "2:52: unknown parameter 'xy': did you mean 'xx'?"},
    {"a condition on an unknown value",
     TEXT(MODEL "space: {o: {choice: [sgd, adam]}, y: {int: [1, 2], when: {o: sdg}}}\n"),
     "2:62: 'sdg' is not a value of 'o': did you mean 'sgd'?"},
    {"a condition on a value out of range",
     TEXT(MODEL "space: {o: {int: [1, 3]}, y: {int: [1, 2], when: {o: [3, 4]}}}\n"),
     "2:58: 4 is not a value of 'o', which goes from 1 to 3"},
    {"a condition on an empty list",
     TEXT(MODEL "space: {o: {int: [1, 3]}, y: {int: [1, 2], when: {o: []}}}\n"),
     "2:54: this list needs a value of 'o'"},
    {"a circle",
     TEXT(MODEL "space: {a: {int: [1, 2], when: {b: 1}}, b: {int: [1, 2], when: {a: 1}}}\n"),
     "2:26: the conditions are circular: 'a' would depend on itself"},
    {"a condition on itself", TEXT(MODEL "space: {a: {int: [1, 2], when: {a: 1}}}\n"),
     "2:26: the conditions are circular: 'a' would depend on itself"},
    {"forbid as a mapping", TEXT(MODEL SPACE "forbid: {x: 5}\n"),
     "3:9: 'forbid' must be a list of combinations, as in forbid: [{optimizer: sgd, layers: 5}]"},
    {"forbid with a text", TEXT(MODEL SPACE "forbid: [x]\n"),
     "3:10: a forbidden combination must be a mapping, as in - {optimizer: sgd, layers: 5}"},
    {"forbid with nothing", TEXT(MODEL SPACE "forbid: []\n"),
     "3:9: 'forbid' must be a list of combinations, as in forbid: [{optimizer: sgd, layers: 5}]"},
    {"forbid with an empty combination", TEXT(MODEL SPACE "forbid: [{}]\n"),
     "3:10: a forbidden combination must be a mapping, as in - {optimizer: sgd, layers: 5}"},
    {"forbid with an unknown parameter", TEXT(MODEL SPACE "forbid: [{xx: 5}]\n"),
     "3:11: unknown parameter 'xx': did you mean 'x'?"},
    {"forbid with a value out of range", TEXT(MODEL SPACE "forbid: [{x: 6}]\n"),
     "3:14: 6 is not a value of 'x', which goes from 1 to 5"},
    {"an unknown key of the search", TEXT(MODEL SPACE "search: {trails: 5}\n"),
     "3:10: unknown key 'trails': did you mean 'trials'?"},
    {"an unknown algorithm", TEXT(MODEL SPACE "search: {algorithm: gird}\n"),
     "3:21: 'algorithm' cannot be 'gird': did you mean 'grid'?"},
    {"the algorithm of parameter files", TEXT(MODEL SPACE "search: {algorithm: list}\n"),
     "3:21: the algorithm 'list' is for parameter files: use wick upf"},
    {"no trials", TEXT(MODEL SPACE "search: {trials: 0}\n"),
     "3:18: 'trials' must be a whole number from 1 to 1000000000, not '0'"},
    {"a fraction of a trial", TEXT(MODEL SPACE "search: {trials: 1.5}\n"),
     "3:18: 'trials' must be a whole number from 1 to 1000000000, not '1.5'"},
    {"too many trials", TEXT(MODEL SPACE "search: {trials: 1e10}\n"),
     "3:18: 'trials' must be a whole number from 1 to 1000000000, not '1e10'"},
    {"a time that is none", TEXT(MODEL SPACE "search: {time: soon}\n"),
     "3:16: 'time' must be a time such as 90, 30s, 15m, 1h30m, 1d or 01:30:00, not 'soon'"},
    {"a target that is no number", TEXT(MODEL SPACE "search: {target: best}\n"),
     "3:18: 'target' must be a number, not 'best'"},
    {"halt after no failure", TEXT(MODEL SPACE "search: {halt: 0}\n"),
     "3:16: 'halt' must be a number of trials that fail alike, such as 10, or off, not '0'"},
    {"a negative seed", TEXT(MODEL SPACE "search: {seed: -1}\n"),
     "3:16: 'seed' must be a whole number from 0 to 9223372036854775807, not '-1'"},
    {"no workers", TEXT(MODEL SPACE "search: {workers: 0}\n"),
     "3:19: 'workers' must be a whole number from 1 to 1000000, not '0'"},
    {"shuffle as a text", TEXT(MODEL SPACE "search: {shuffle: yes}\n"),
     "3:19: 'shuffle' must be true or false, not 'yes'"},
    {"a stopper of a function without steps",
     TEXT("model: {function: branin}\nsearch: {stop: asha}\n"),
     "2:10: the function 'branin' has no steps to stop at: leave 'stop' out, or use the function "
     "curves"},
    {"a misspelt stopper", TEXT(CURVES "search: {stop: ahsa}\n"),
     "2:16: unknown stopper 'ahsa': did you mean 'asha'?"},
    {"no stopper of that name", TEXT(CURVES "search: {stop: xyz}\n"),
     "2:16: unknown stopper 'xyz': use one of asha, hyperband, median, patience"},
    {"a stopper that has another name here", TEXT(CURVES "search: {stop: successive_halving}\n"),
     "2:16: unknown stopper 'successive_halving': the closest one here is asha"},
    {"a list of stoppers", TEXT(CURVES "search: {stop: [asha, median]}\n"),
     "2:16: 'stop' must be the name of a stopper or a mapping, not a list: write it as in stop: "
     "asha, or in stop: {asha: {reduction: 4}}"},
    {"two stoppers", TEXT(CURVES "search: {stop: {asha: {}, median: {}}}\n"),
     "2:16: 'stop' takes one stopper, but there are 2 here: write it as in stop: {asha: "
     "{reduction: 4}}"},
    {"an option without its stopper", TEXT(CURVES "search: {stop: {reduction: 4}}\n"),
     "2:17: 'reduction' is an option of a stopper, whose name is missing: write it as in stop: "
     "{asha: {reduction: 4}}"},
    {"options without their stopper", TEXT(CURVES "search: {stop: {eta: 4, from: 1}}\n"),
     "2:17: 'eta' is an option of a stopper, whose name is missing: write it as in stop: {asha: "
     "{reduction: 4}}"},
    {"a stopper with one number", TEXT(CURVES "search: {stop: {asha: 4}}\n"),
     "2:23: 'asha' must be a mapping, not text: write it as in stop: {asha: {reduction: 4}}"},
    {"an option of another name", TEXT(CURVES "search: {stop: {asha: {eta: 4}}}\n"),
     "2:24: asha has no option 'eta': use 'reduction'"},
    {"a misspelt option of a stopper", TEXT(CURVES "search: {stop: {asha: {reducton: 4}}}\n"),
     "2:24: asha has no option 'reducton': did you mean 'reduction'?"},
    {"an option of no stopper", TEXT(CURVES "search: {stop: {patience: {percentile: 4}}}\n"),
     "2:28: patience has no option 'percentile': use one of steps, by, from"},
    {"a reduction of one", TEXT(CURVES "search: {stop: {asha: {reduction: 1}}}\n"),
     "2:35: 'reduction' must be a number from 1.5 to 1000: one in this many trials goes on to the "
     "next rung, which has this many times the steps"},
    {"half a step", TEXT(CURVES "search: {stop: {median: {from: 1.5}}}\n"),
     "2:32: 'from' must be a whole number from 1 to 1e+09: no trial is stopped before this step"},
    {"no room for a rung", TEXT(CURVES "search: {stop: {asha: {from: 9, to: 9}}}\n"),
     "2:16: there is no rung from step 9 to step 9: 'from' must be less than 'to'"},
    {"rounds and a lag", TEXT(CURVES "search: {batch: 4, lag: 8}\n"),
     "2:20: 'lag' does not go with 'batch', where a suggestion knows the results of all rounds "
     "before its own: leave one of them out"},
    {"a stopper of a reproducible search",
     TEXT(CURVES "search: {stop: asha, reproducible: true}\n"),
     "2:10: 'stop' does not go with 'reproducible': where a trial is stopped depends on the timing "
     "of the others; leave one of them out"},
    {"a grid that is too large",
     TEXT(MODEL "space: {a: {int: [1, 1000000]}, b: {int: [1, 1000000]}}\n"
                "search: {algorithm: grid}\n"),
     "3:1: a grid over this space has 1e+12 points, more than the limit of 10^9: 'a' alone has "
     "1000000 levels; give it a larger `step`, or use the algorithm random or sobol"},
    {"an alias in the place of a section", TEXT("model: *m\n" SPACE),
     "1:8: aliases such as *m are not supported: write the value out, or put text that starts with "
     "* in quotes"},
    {"an alias in the place of a command", TEXT("model: {command: *m}\n" SPACE),
     "1:18: aliases such as *m are not supported: write the value out, or put text that starts "
     "with * in quotes"},
    {"a misspelt model", TEXT("modle: {command: 'true'}\n" SPACE),
     "1:1: unknown key 'modle': did you mean 'model'?"},
    {"a misspelt space", TEXT(MODEL "spaec: {x: {int: [1, 5]}}\n"),
     "2:1: unknown key 'spaec': did you mean 'space'?"},
    {"a misspelt command", TEXT("model: {comand: 'true'}\n" SPACE),
     "1:9: unknown key 'comand': did you mean 'command'?"},
    {"a misspelt function", TEXT("model: {functoin: branin}\n"),
     "1:9: unknown key 'functoin': did you mean 'function'?"},
    {"a misspelt key that is no command", TEXT("model: {scor: a}\n" SPACE),
     "1:1: 'model' needs a command, as in command: python3 train.py\n"
     "1:9: unknown key 'scor': did you mean 'score'?"},
    {"keys of the search at the top", TEXT(MODEL SPACE "trials: 5\nalgorithm: grid\n"),
     "3:1: 'trials' belongs under 'search': write search: {trials: 5}\n"
     "4:1: 'algorithm' belongs under 'search': write search: {algorithm: grid}"},
    {"keys of the model at the top", TEXT("command: 'true {x}'\nenv: {A: 1}\nmetrics: [a]\n" SPACE),
     "1:1: 'command' belongs under 'model': write model: {command: 'true {x}'}\n"
     "2:1: 'env' belongs under 'model': write model: {env: ...}\n"
     "3:1: 'metrics' belongs under 'model': write model: {metrics: ...}"},
    {"a function at the top", TEXT("function: branin\n"),
     "1:1: 'function' belongs under 'model': write model: {function: branin}"},
    {"a parameter at the top", TEXT(MODEL "lr: {log: [1e-5, 1e-1]}\n"),
     "2:1: 'lr' belongs under 'space': write space: {lr: ...}"},
    {"a kind at the top", TEXT(MODEL SPACE "float: [0, 1]\n"),
     "3:1: 'float' belongs to a parameter: write it as in space: {x: {int: [1, 5], float: ...}}"},
    {"keys of the search in the model", TEXT("model: {command: 'true', trials: 5}\n" SPACE),
     "1:26: 'trials' belongs under 'search': write search: {trials: 5}"},
    {"keys of the model in the search", TEXT(MODEL SPACE "search: {retries: 5}\n"),
     "3:10: 'retries' belongs under 'model': write model: {retries: 5}"},
    {"a time limit in the search", TEXT(MODEL SPACE "search: {timeout: 5m}\n"),
     "3:10: unknown key 'timeout': write time: 2h for the whole study, or timeout under 'model' "
     "for "
     "each trial"},
    {"a key of the search in a parameter", TEXT(MODEL "space: {x: {int: [1, 5], trials: 5}}\n"),
     "2:26: 'trials' belongs under 'search': write search: {trials: 5}"},
    {"a section in the model", TEXT("model: {command: 'true', keep: all}\n" SPACE),
     "1:26: 'keep' belongs at the top level of the file, not under 'model'"},
    {"a section in the space", TEXT(MODEL "space: {x: {int: [1, 5]}, search: {trials: 5}}\n"),
     "2:27: 'search' belongs at the top level of the file, not under 'space'"},
    {"a kind without a name", TEXT(MODEL "space: {log: [1e-5, 1e-1]}\n"),
     "2:9: 'log' is a kind of parameter whose name is missing: write it as in x: {log: ...}"},
    {"nothing but constants", TEXT(MODEL "space: {x: 5, y: a}\n"),
     "2:1: there is nothing to search: all parameters are constants; give one a range, as in lr: "
     "{log: [1e-5, 1e-1]}, or set trials: 1"},
    {"a condition on a float",
     TEXT(MODEL "space: {a: {float: [0, 1]}, b: {int: [1, 5], when: {a: 0.5}}}\n"),
     "2:56: 'a' is a float, which rarely has exactly this value: give it a step, or make it a "
     "choice"},
    {"forbid with a float",
     TEXT(MODEL "space: {a: {log: [1e-3, 1]}, b: {int: [1, 5]}}\nforbid: [{a: 1, b: 5}]\n"),
     "3:14: 'a' is a float, which rarely has exactly this value: give it a step, or make it a "
     "choice"},
    {"forbid with every value",
     TEXT(MODEL "space: {a: {choice: [x, y]}}\nforbid:\n- {a: [x, y]}\n"),
     "3:1: 'forbid' leaves nothing to try: all combinations are forbidden, or nearly all"},
    {"forbid with every value beside a float",
     TEXT(MODEL "space: {a: {choice: [x, y]}, b: {float: [0, 1]}}\nforbid: [{a: x}, {a: y}]\n"),
     "3:1: 'forbid' leaves nothing to try: all combinations are forbidden, or nearly all"},
    {"forbid with every value of a large space",
     TEXT(MODEL "space: {a: {choice: [x, y]}, b: {int: [1, 1e9]}}\nforbid: [{a: x}, {a: y}]\n"),
     "3:1: 'forbid' leaves nothing to try: all combinations are forbidden, or nearly all"},
    {"a misspelt option of the algorithm", TEXT(MODEL SPACE "search: {algorithm: gp, inital: 5}\n"),
     "3:25: unknown key 'inital': did you mean 'initial'?"},
    {"an option of another algorithm", TEXT(MODEL SPACE "search: {algorithm: gp, tournsize: 5}\n"),
     "3:25: 'tournsize' is an option of genetic, but the algorithm here is gp"},
    {"an option out of its range", TEXT(MODEL SPACE "search: {algorithm: tpe, GAMMA: 7}\n"),
     "3:33: 'gamma' must be a number from 0.001 to 0.9: share of the results that count as good"},
    {"an algorithm of another program", TEXT(MODEL SPACE "search: {algorithm: smac}\n"),
     "3:21: unknown algorithm 'smac': the closest one here is forest"},
    {"an algorithm of another program in capitals",
     TEXT(MODEL SPACE "search: {algorithm: CMA-ES}\n"),
     "3:21: unknown algorithm 'CMA-ES': the closest one here is cmaes"},
    {"an algorithm that nobody knows", TEXT(MODEL SPACE "search: {algorithm: magical}\n"),
     "3:21: 'algorithm' cannot be 'magical': use one of auto, random, sobol, lhs, grid, forest, "
     "tpe, gp, cmaes, genetic, nsga2, hyperspace, pbt"},
    {"a mistake after letters of two bytes",
     TEXT(MODEL "space: {x: {choice: [\xc3\xa4\xc3\xb6, \xc3\xa4\xc3\xb6]}}\n"),
     "2:26: the value '\xc3\xa4\xc3\xb6' is listed twice"},
    {"many mistakes, in the order of the file",
     TEXT("search: {trails: 5}\n"
          "space: {y: {int: [3, 1]}}\n"
          "model: {command: 'true {z}', scor: a}\n"
          "keep: x\n"),
     "1:10: unknown key 'trails': did you mean 'trials'?\n"
     "2:19: the range is the wrong way round: write [1, 3]\n"
     "3:24: unknown name {z} in the command: it is neither a parameter nor trial, params, result, "
     "dir, checkpoint or seed; for plain text in braces, write {{z}}\n"
     "3:30: unknown key 'scor': did you mean 'score'?\n"
     "4:7: 'keep' cannot be 'x': use one of failed, all, none"},
    {"too many scores",
     TEXT("model: {command: 'true', score: [a, b, c, d, e, f, g, h, i]}\n" SPACE),
     "1:33: 'score' must be a name, or a list of at most 8 names, as in score: [loss, size]"},
    {"no score in a list", TEXT("model: {command: 'true', score: []}\n" SPACE),
     "1:33: 'score' must be a name, or a list of at most 8 names, as in score: [loss, size]"},
    {"a score twice", TEXT("model: {command: 'true', score: [a, b, a]}\n" SPACE),
     "1:40: the score 'a' is listed twice"},
    {"a score that cannot be a name", TEXT("model: {command: 'true', score: [a, 'b c']}\n" SPACE),
     "1:37: 'b c' cannot be the name of a metric: use at most 47 bytes without spaces, =, : and ,"},
    {"directions that are too few",
     TEXT("model: {command: 'true', score: [a, b, c], direction: [minimize, maximize]}\n" SPACE),
     "1:55: 'direction' must be one word, or one per score, of which there are 3"},
    {"a direction that is none",
     TEXT("model: {command: 'true', score: [a, b], direction: [minimize, maximise]}\n" SPACE),
     "1:63: 'direction' cannot be 'maximise': did you mean 'maximize'?"},
    {"several scores of a function that has one",
     TEXT("model: {function: branin, score: [a, b]}\n"),
     "1:34: the function 'branin' has only one score"},
    {"a score that a function has not", TEXT("model: {function: zdt1, score: [f1, f3]}\n"),
     "1:37: unknown score 'f3': did you mean 'f1'?"},
    {"a target for several scores",
     TEXT("model: {command: 'true', score: [a, b]}\n" SPACE "search: {target: 0.1}\n"),
     "3:10: 'target' is for a study with one score, but this one has 2: leave it out"},
    {"constraints that are no list", TEXT(MODEL SPACE "constraints: x < 3\n"),
     "3:14: 'constraints' must be a list of conditions, as in constraints: [layers * width <= "
     "4096]"},
    {"a constraint that is a mapping", TEXT(MODEL SPACE "constraints: [{x: 3}]\n"),
     "3:15: a single value is expected here, not a mapping"},
    {"mistakes in constraints",
     TEXT(MODEL SPACE "constraints:\n"
                      "  - x < 3\n"
                      "  - 2 * y < 3\n"
                      "  - 'x << 3'\n"),
     "5:9: unknown name 'y': it is neither a parameter nor a metric of 'model', as in metrics: "
     "[y]\n"
     "6:9: a number or a name is expected here, not '<'"},
    {"constraints that leave nothing", TEXT(MODEL SPACE "constraints: [x > 2, x < 3]\n"),
     "3:1: the constraints leave nothing to try: no combination satisfies all of them, or hardly "
     "any does"},
    {"constraints and forbid that leave nothing",
     TEXT(MODEL SPACE "forbid: [{x: 5}]\nconstraints: [x > 4]\n"),
     "4:1: the constraints leave nothing to try, together with 'forbid': no combination satisfies "
     "all of them, or hardly any does"},
    {"constraints on a float that leave nothing",
     TEXT(MODEL "space: {x: {float: [0, 1]}}\n"
                "constraints: [x * x < 0]\n"),
     "3:1: the constraints leave nothing to try: no combination satisfies all of them, or hardly "
     "any does"},
};

static void each_mistake_is_told(void)
{
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        tells(cases[i].name, cases[i].text, cases[i].length, cases[i].mistakes);
}

/* Reads a text that has one mistake. */
static struct err one_mistake(const char *text)
{
    struct study study;
    struct err_list mistakes = {0};
    struct err e = {0};
    if (study_parse(&study, text, strlen(text), "study.yaml", "/", &mistakes) == 0)
        study_free(&study);
    else
        e = mistakes.items[0];
    ok(mistakes.count == 1, "there is one mistake");
    err_list_free(&mistakes);
    return e;
}

static void the_line_is_shown(void)
{
    struct err e = one_mistake("\n" MODEL "space:\n  x: {\tint: [1, 5], stpe: 2}\n");
    is_text(e.source, "  x: { int: [1, 5], stpe: 2}", "tabs of the line become spaces");
    ok(e.caret == 21 && e.column == 21, "the caret is at the key: %d", e.caret);

    struct str text = {0};
    str_add(&text, MODEL "space: {x: {choice: [");
    for (int i = 0; i < 200; i++)
        str_printf(&text, "value%d, ", i);
    str_add(&text, "value7, end]}}\n");
    e = one_mistake(text.text);
    ok(e.column > 256 && strncmp(e.source, "...", 3) == 0, "of a long line a part is shown");
    ok(strncmp(e.source + e.caret - 1, "value7, end]}}", 14) == 0, "the caret is at the mistake");
    str_free(&text);

    e = one_mistake(MODEL "space: {x: {choice: [a, b], default: \"" /* the rest is cut off */
                          "----------------------------------------------------------------------"
                          "----------------------------------------------------------------------"
                          "----------------------------------------------------------------------"
                          "----------------------------------------------------------------------"
                          "\"}}\n");
    ok(strlen(e.source) == sizeof e.source - 1, "the end of a long line is cut");
}

static void files_that_cannot_be_read(void)
{
    static const struct {
        const char *path, *message;
    } files[] = {
        {"/no/such/study.yaml", "there is no such file"},
        {"/usr", "this is a folder, not a file"},
        {"/dev/zero", "the file is larger than 16 MiB"},
        {"/dev/null", "the file is empty"},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct study study;
        struct err_list mistakes = {0};
        int result = study_load(&study, files[i].path, &mistakes);
        ok(result == ERR_USER && mistakes.count == 1, "%s: one mistake", files[i].path);
        is_text(mistakes.items[0].file, files[i].path, "the file is named");
        is_text(mistakes.items[0].message, files[i].message, files[i].path);
        err_list_free(&mistakes);
    }
}

/* Limits of a file's contents. */
static void too_many(void)
{
    struct str text = {0};
    str_add(&text, MODEL "space:\n");
    for (int i = 0; i < 1001; i++)
        str_printf(&text, "  p%d: 1\n", i);
    is_text(one_mistake(text.text).message, "there are more than 1000 parameters", "parameters");
    str_clear(&text);
    str_add(&text, MODEL "space: {x: {choice: [");
    for (int i = 0; i < 100001; i++)
        str_printf(&text, "%d, ", i);
    str_add(&text, "]}}\n");
    is_text(one_mistake(text.text).message, "'choice' has more than 100000 values", "values");
    str_clear(&text);
    str_add(&text, MODEL SPACE "forbid:\n");
    for (int i = 0; i < 10001; i++)
        str_add(&text, "- {x: 1}\n");
    is_text(one_mistake(text.text).message, "'forbid' has more than 10000 combinations", "forbid");
    str_clear(&text);
    str_add(&text, "model: {command: ['true'");
    for (int i = 0; i < 1000; i++)
        str_add(&text, ", a");
    str_add(&text, "]}\n" SPACE);
    is_text(one_mistake(text.text).message, "'command' has more than 999 words", "words");
    str_free(&text);
}

static void a_flood_of_mistakes_is_counted(void)
{
    struct study study;
    struct err_list mistakes = {0};
    struct str text = {0};
    str_add(&text, MODEL "space:\n  x: {int: [1, 5]}\n");
    for (int i = 0; i < 500; i++)
        str_printf(&text, "key%d: 1\n", i);
    ok(study_parse(&study, text.text, text.length, "study.yaml", "/", &mistakes) == ERR_USER,
       "it is refused");
    ok(mistakes.count == 500 && mistakes.items[99].line == 103, "all are counted, 100 are kept");
    str_free(&text);
    err_list_free(&mistakes);
}

int main(void)
{
    each_mistake_is_told();
    the_line_is_shown();
    files_that_cannot_be_read();
    too_many();
    a_flood_of_mistakes_is_counted();
    return tap_end();
}
