#!/usr/bin/env bash
# The trial library for C, in real trials and by itself.
. "$(dirname "$0")/lib.sh"
. "$SOURCE/tests/cli/one-trial.sh"
header=$SOURCE/languages/c

cat >model.c <<'END'
#include "wick_trial.h"

int main(int argc, char **argv)
{
    wick_arguments(argc, argv);
    double x = wick_param_double("x", 1), loss = 0;
    long count = wick_param_int("count", 3);
    for (long step = 1; step <= count && !wick_should_stop(); step++) {
        loss = x / (double)step;
        wick_report(step, {"loss", loss}, {"double \"quotes\"", 0.1}, {"wrong", -1 / 0.0});
    }
    wick_put("from c", "a\0b", 3);
    struct wick_value value = wick_get("from c");
    char *keys = wick_keys("from");
    printf("%s: %ld %zu %s\n", wick_param_text("name", "-"), value.version, value.length,
           keys && *keys ? keys : "no keys");
    free(value.bytes);
    free(keys);
    wick_result({"loss", loss});
    return 0;
}
END
cc='' missing=''
for compiler in 'gcc -std=c99' 'gcc -std=c17' 'g++ -x c++ -std=c++11' 'g++ -x c++ -std=c++17' \
    'clang -std=c99' 'clang++ -x c++ -std=c++17'; do
    if ! command -v "${compiler%% *}" >/dev/null; then
        [[ $missing == *"${compiler%% *}" ]] || missing="$missing ${compiler%% *}"
        continue
    fi
    case $compiler in *++*) ;; *) cc=${cc:-${compiler%% *}} ;; esac
    check "the header with $compiler" $compiler -O2 -Wall -Wextra -Wpedantic -Wshadow -Wconversion \
        -Werror -I "$header" -o model model.c
done
[ -n "$cc" ] || skip 'neither gcc nor clang is installed'
[ -z "$missing" ] || skip_part "the header is not tested with what is not installed:$missing"
check 'C without Wick' ./model --x 0.5 --count=2 --name me
equals 'C without Wick prints' "$OUT" 'step 1  loss 0.5  double "quotes" 0.1  wrong -inf
step 2  loss 0.25  double "quotes" 0.1  wrong -inf
me: 0 0 no keys
loss: 0.25'
refuse 2 'C: what is no number' "the parameter 'x' is 'much', not a number" ./model --x much
refuse 2 'C: what is no whole number' "'count' is '1.5', not a whole number" ./model --count 1.5
check 'C: a trial socket that does not exist' env WICK_LINE=/nowhere ./model --count 100
contains 'C: it is told once' "$ERR" 'wick: the connection to Wick is lost: No such file or directory'
equals 'C: and only once' "$(grep -c lost <<<"$ERR")" 1
contains 'C: the result is printed' "$OUT" 'loss: 0.01'

study c --pass none --score loss -- ./model
equals 'C in a trial: its steps' "$(steps c)" 3
contains 'C in a trial: a value' "$OUT" '-: 1 3 from c'
contains 'C in a trial: names are kept' "$(wick show c.wick 1 --json)" '"double \"quotes\"":0.1'
study many --score loss -- ./model --count 10000
equals 'C: ten thousand steps' "$(steps many)" 10000

cat >threads.c <<'END'
#include "wick_trial.h"

#include <sys/wait.h>

static void *work(void *argument)
{
    for (long i = 1; i <= 250; i++) {
        wick_report(i, {"loss", 1});
        if (wick_should_stop() || wick_put("key", argument, 4) < 1)
            exit(1);
    }
    return NULL;
}

int main(void)
{
    pthread_t threads[4];
    char text[] = "text";
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, work, text);
    for (int i = 0; i < 4; i++)
        if (fork() == 0) {
            work(text);
            _exit(0);
        }
    for (int i = 0; i < 4; i++) {
        int status = 0;
        pthread_join(threads[i], NULL);
        wait(&status);
        if (status)
            return 1;
    }
    return 0;
}
END
check 'threads and forks build' "$cc" -std=c99 -D_POSIX_C_SOURCE=200809L -O2 -Wall -Wextra -Werror \
    -pthread -I "$header" -o threads threads.c
study threads --pass none --score loss -- ./threads
equals 'C: threads and forks lose nothing' "$(steps threads)" 2000

cat >refused.c <<'END'
#include "wick_trial.h"
/* All connections that a trial may have are taken: what does the library say about one more? */
int main(void)
{
    struct timespec moment = {0, 20000000};
    for (int i = 0; i < 256; i++)
        if (wick_connect_(getenv("WICK_LINE")) < 0)
            return 1;
    while (!strstr(wick_error(), "is lost")) {
        wick_report(1, {"loss", 1.0});
        nanosleep(&moment, NULL);
    }
    return 0;
}
END
check 'one that takes all connections builds' "$cc" -std=c99 -D_GNU_SOURCE -O2 -Wall -Wextra -Werror \
    -I "$header" -o refused refused.c
wick run --quiet --no-report --trials 1 -n 1 --keep all --dir refused.wick --set x=1,2 --pass none -- ./refused 2>/dev/null
contains 'C: a connection that is refused is told why' "$(wick show refused.wick 1 --log)" \
    'is lost: too many connections of one trial are open'
finish
