@dispatch=WORKER (string o) clojure(string code, string expr) "wick" "1" "clojure";
@dispatch=WORKER (string o) groovy(string code) "wick" "1" "groovy";
@dispatch=WORKER (string o) javascript(string code) "wick" "1" "javascript";
@dispatch=WORKER (string o) scala(string code) "wick" "1" "scala";
