// trace, printf and + show booleans as 1 and 0; toString() shows true and false.
// expect: trace: 1,0
// expect: 1 0
// expect: trace: true,false
import io;
boolean t = 2 > 1;
boolean f = !t;
trace(t, f);
printf("%i %s", t, f);
trace(toString(t), toString(f));
