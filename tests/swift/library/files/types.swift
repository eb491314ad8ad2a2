// file_type() tells what a path is.
// before: mkdir d && mkfifo p && touch f && ln -s f l
// expect: trace: file,directory,fifo,link,characterSpecial,file
import files;
trace(file_type_string("f"), file_type_string("d"), file_type_string("p"), file_type_string("l"),
      file_type_string("/dev/null"), file_type(input("f")));
