// Programs that every Unix has.

app (file o) cp(file i) { "cp" i o }
app (file o) sed(file i, string command) { "sed" command i @stdout=o }
app (file o) touch() { "touch" o }
app printenv() { "printenv" }
app (file o) echo(string s) { "printf" "%s\\n" s @stdout=o }
app (void o) sleep(int seconds) { "sleep" seconds }
app (void o) mkdir(string path) { "mkdir" "-p" path }

// Without files, cat would wait for the keyboard.
(void o) __cat_check(string name, int files) "wick" "1" "cat_check";
app (file o) __cat(file f[]) { "cat" f @stdout=o }
app __catp(file f[]) { "cat" f }

(file o) cat(file f[])
{
    wait (__cat_check("cat", size(f))) {
        o = __cat(f);
    }
}

catp(file f[])
{
    wait (__cat_check("catp", size(f))) {
        __catp(f);
    }
}

// There may be several flags, or none.
@pure (string o[]) __words(string s, string delimiters) "wick" "1" "split";
app (void o) __rm(string flags[], string path) { "rm" flags path }

(void o) rm(string flags, string path)
{
    o = __rm(__words(flags, " "), path);
}
