// isint() recognises decimal numbers, with blanks around.
// expect: trace: 1,1,1,0,0,0,0,0
import string;
trace(isint("-42"), isint(" 7 "), isint("0"), isint(""), isint("4.2"), isint("a1"), isint("1a"),
      isint("99999999999999999999"));
