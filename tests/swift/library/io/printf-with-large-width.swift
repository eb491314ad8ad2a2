// Widths have a limit.
// exit: 1
// error: a width or precision is larger than
import io;
printf("%1000000000d", 1);
