// Widths may be arguments, and arguments may be named by their positions.
// expect: [   42] [3.14] [42   ]
// expect: b a b
// expect: 	é€😀|   x|x   |
import io;
printf("[%*d] [%.*f] [%-*d]", 5, 42, 2, 3.14159, 5, 42);
printf("%2$s %1$s %2$s", "a", "b");
printf("\t%c%c%c|%4s|%-4s|", 233, 8364, 128512, "x", "x");
