# tools/check-layers finds what it is there for.
. "$(dirname "$0")/lib.sh"
tool=$SOURCE/tools/check-layers

mkdir -p src/base src/num src/comm src/cli
cat >src/LAYERS <<'END'
# a comment
base:
num:  base
comm: base
cli:  base num
END
printf '#include "base/err.h"\n#include "comm/private.h"\n#include <mpi.h>\n' >src/comm/good.c
printf '/* printf("x") */\nint x; /* exit(1)\n exit(1) */ char *s = "puts(1)";\n' >src/num/good.c
printf 'void f(void) { str_printf(1); _exit(1); snprintf(a, b, "c"); }\n' >src/num/names.c
printf '#include "num/num.h"\nint main(void) { printf("x"); exit(1); }\n' >src/cli/good.c
printf 'void f(void) { fputs("out of memory", stderr); exit(1); }\n' >src/base/memory.c
check 'a good tree is good' "$tool" src
equals 'and nothing is said' "$OUT$ERR" ''

# bad FILE TEXT EXPECTED NAME: the tree with this one file more is refused.
bad() {
    printf "$2" >"src/$1"
    refuse 1 "$4" "src/$1:$3" "$tool" src
    rm "src/$1"
}
bad num/a.c '\n#include "comm/comm.h"\n' '2: num may not use comm' 'a room that is not allowed'
bad base/a.c '#include "num/num.h"\n' '1: base may not use num' 'a room above'
bad cli/a.c '#include "num/tree.h"\n' '1: num/tree.h is private' 'a private header'
bad cli/b.c '  #  include "none/none.h"\n' '1: src/LAYERS does not have the room none' 'no such room'
bad num/b.c '#include <mpi.h>\n' '1: only comm may include mpi.h' 'MPI outside of comm'
bad num/c.c 'int a;\nvoid f(void) { printf("x"); }\n' '2: only cli may print' 'printing'
bad num/d.c '/* a */ puts("x"); /* b */\n' '1: only cli may print' 'printing between comments'
bad num/e.c 'if (x) exit(1);\n' '1: only cli may print or exit' 'the end of the program'
mkdir src/other
bad other/a.c 'int a;\n' '1: src/LAYERS does not have the room other' 'a room that LAYERS forgot'
rmdir src/other
sed -i 's/^num:  base/num:  base cli/' src/LAYERS
refuse 1 'a circle of rooms' 'src/LAYERS:3: num uses cli, which is not below it' "$tool" src
finish
