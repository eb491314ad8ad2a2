// Programs that use MPI, each on the workers of its task: @par=n launch("./program", arguments).

global const int EXIT_SUCCESS = 0;
global const int EXIT_TIMEOUT = 124;
global const int EXIT_NOTFOUND = 127;
string EMPTY_SS[][] = [];

@par @dispatch=WORKER
(int status) launch(string program, string arguments[]) "wick" "1" "launch";
@par @dispatch=WORKER
(int status) launch_envs(string program, string arguments[], string environment[])
    "wick" "1" "launch_envs";
@par @dispatch=WORKER
(int status) launch_multi(int processes[], string programs[], string arguments[][],
                          string environments[][], string color_setting="")
    "wick" "1" "launch_multi";
