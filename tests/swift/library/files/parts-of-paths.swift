// The folder, name, root and extension of a path.
// expect: trace: /a/b,c.txt,/a/b/c,.txt
// expect: trace: .,c.txt,c,.txt
// expect: trace: .,a.tar.gz,a.tar,.gz
// expect: trace: a,b,a/b,
import files;
parts("/a/b/c.txt");
parts("c.txt");
parts("a.tar.gz");
parts("a/b");
parts(string s) { trace(dirname_string(s), basename_string(s), rootname_string(s), extension_string(s)); }
