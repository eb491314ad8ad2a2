// realpath() resolves ., .. and links.
// before: mkdir -p d/e && printf x > d/f && ln -s d l
// expect: trace: 1,/d/f,x
import files;
import string;
string p = realpath_string("d/e/.././../l/f");
trace(find(p, "/", 0, -1) == 0, substring(p, strlen(p) - 4, 4), read(realpath(input("l/f"))));
