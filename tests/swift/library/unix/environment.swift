// printenv() shows the environment of programs.
// needs: processes
// env: STATION=harbor
// contains: STATION=harbor
import unix;
printenv();
