// getenv() gives a variable of the environment, and nothing for one that is not set.
// env: STATION='harbor 9'
// expect: trace: harbor 9,
import sys;
trace(getenv("STATION"), getenv("NOT_SET_ANYWHERE"));
