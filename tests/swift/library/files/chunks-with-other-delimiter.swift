// The delimiter may be another one.
// file: a.txt
//| a
//| %%
//| b %%
// expect: trace: 2,a,b %%
import files;
string c[] = file_chunks(input("a.txt"), "%%");
trace(size(c), c[0], c[1]);
