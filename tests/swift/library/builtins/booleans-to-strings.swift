// Booleans become true and false.
// expect: trace: true,false,true,0,1
trace(toString(true), bool2string(false), boolean2string(true), bool2int(false), bool2int(true));
