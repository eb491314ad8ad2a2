// Options of wick behind the script's name are arguments of the script.
// args: -n=7 -D --help
// expect: trace: 7,,
import sys;
trace(argv("n"), argv("D"), argv("help"));
