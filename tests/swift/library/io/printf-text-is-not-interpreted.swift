// Arguments are never interpreted, and surplus ones are ignored.
// expect: %d %s \n
// expect: 1
import io;
printf("%s", "%d %s \\n");
printf("%d", 1, 2, "x");
