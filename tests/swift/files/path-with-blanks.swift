// Blanks and other signs are part of a path.
// after: [ "$(cat 'a b;$c "d".txt')" = text ]
// expect: text
import files;
file f<"a b;$c \"d\".txt"> = write("text\n");
show(f);
app show(file i) { "cat" i }
