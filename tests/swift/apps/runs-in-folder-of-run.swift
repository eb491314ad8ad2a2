// Programs run in the folder of the run.
// expect: trace: 1
// file: here.txt
//| x
import files;
app (file o) pwd() { "ls" "here.txt" @stdout=o }
trace(length(read(pwd())) - 8);
