// printenv() shows the environment of programs.
// env: STATION=harbor
// contains: STATION=harbor
import unix;
printenv();
