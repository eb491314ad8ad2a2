// Chunks are made, processed and joined by programs.
// ranks: 2 4
// expect: 5050
import files;
import io;
import string;
app (file o) numbers(int a, int b) { "seq" a b @stdout=o }
app (file o) total(file i) { "awk" "{ t += $1 } END { print t }" i @stdout=o }
app (file o) joined(file i[]) { "cat" i @stdout=o }
file parts[];
foreach k in [0:3] {
  file n<"work/n%i" % k> = numbers(k * 25 + 1, (k + 1) * 25);
  file t<"work/t%i" % k> = total(n);
  parts[k] = t;
}
file all<"all.txt"> = joined(parts);
file sum<"sum.txt"> = total(all);
printf("%s", trim(read(sum)));
