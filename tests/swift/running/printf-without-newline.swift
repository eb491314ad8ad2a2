// TURBINE_PRINTF_NL=0 leaves the newline out.
// env: TURBINE_PRINTF_NL=0
// ranks: 2
// expect: ab
import io;
printf("a") => printf("b\n");
