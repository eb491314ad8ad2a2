// With sys, sleep() is overloaded: an int literal picks the one of unix.
// expect: trace: 1
import sys;
import unix;
sleep(0) => sleep(0.001) => trace(1);
