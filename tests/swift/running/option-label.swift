// -l starts each line with the rank that printed it.
// ranks: 2
// opts: -l
// expect: [0] trace: hello
// expect: [0] two
// expect: [0] lines
import io;
trace("hello");
printf("two\nlines");
