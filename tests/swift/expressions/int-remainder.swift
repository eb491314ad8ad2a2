// %% has the sign of the dividend.
// expect: trace: 2,-2,1,-1
int a = 17;
trace(a %% 5, -a %% 5, 7 %% -3, -7 %% -3);
