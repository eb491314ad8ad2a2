// Flags are -k=v, --k=v, -k and --k; all others are numbered from 1.
// args: -cells=12 first --title='a b' -verbose --quiet second -expr=a=b ''
// expect: trace: 12,a b,,,a=b
// expect: trace: 3,first,second,
// expect: trace: 1,0
import sys;
trace(argv("cells"), argv("title"), argv("verbose"), argv("quiet"), argv("expr"));
trace(argc(), argp(1), argp(2), argp(3));
trace(argv_contains("quiet"), argv_contains("loud"));
