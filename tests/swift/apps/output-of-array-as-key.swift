// A program is started once for each file, also if several variables share it.
// expect: trace: 2,2
// after: [ "$(wc -l < count)" = 1 ]
import files;
app (file o) f() { "sh" "-c" "echo x >> count; echo y" @stdout=o }
file a = f();
file b = a;
trace(length(read(a)), length(read(b)));
