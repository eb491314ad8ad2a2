// A string becomes a blob with a zero byte at its end.
// expect: trace: 6,hello,1,,6,hello
import blob;
blob b = string2blob("hello");
trace(blob_size(b), blob2string(b), blob_size(string2blob("")), blob2string(string2blob("")),
      blob_size(blob_from_string("hello")), string_from_blob(b));
