// A semicolon alone is an empty statement.
// expect: trace: 1
;;
main { ; trace(1);; ; }
;
