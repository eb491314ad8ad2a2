// The members can be read, and have keys from 0.
// before: mkdir in && printf 1 > in/a && printf 2 > in/b
// expect: trace: 3,0,1
import files;
import stats;
file f[] = glob("in/*");
int n[];
foreach x, i in f { n[i] = toint(read(x)); }
trace(sum(n), 0, size(f) - 1);
