// join_args() joins values of different types.
// expect: trace: v-3-0.5,,a
import string;
trace(join_args("-", "v", 3, 0.5), join_args("-"), join_args("-", "a"));
