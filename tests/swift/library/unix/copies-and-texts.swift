// echo(), cp(), sed() and touch().
// expect: trace: kk,hello,0
// after: [ "$(cat copy.txt)" = kk ]
import files;
import string;
import unix;
file l<"l.txt"> = sed(echo("cc"), "s/c/k/g");
file c<"copy.txt"> = cp(l);
file t<"t.txt"> = touch();
trace(trim(read(c)), trim(read(echo("hello"))), length(read(t)));
