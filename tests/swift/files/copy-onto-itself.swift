// A file that is copied to its own path keeps its contents.
// expect: trace: abc
// after: [ "$(cat same.txt)" = abc ]
// before: printf abc > same.txt
import files;
file a = input("same.txt");
file b<"same.txt"> = a;
trace(read(b));
