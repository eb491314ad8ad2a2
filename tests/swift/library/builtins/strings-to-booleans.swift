// string2boolean() takes words in any case, their beginnings, and numbers.
// expect: trace: 1,1,1,1,1,1
// expect: trace: 0,0,0,0,0,0
trace(string2boolean("true"), string2bool("Yes"), string2bool("ON"), string2bool("y"), string2bool("t"), string2bool("-2"));
trace(string2boolean("false"), string2bool("No"), string2bool("off"), string2bool("n"), string2bool("F"), string2bool("0"));
