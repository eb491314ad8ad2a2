// string2int() ignores white space around the number and leading zeros; there may be a base.
// expect: trace: 42,90,-7,5
// expect: trace: 31,31,255,10,35
// expect: trace: 7,-9223372036854775808,9223372036854775807
trace(string2int("  42 \n"), string2int("0090"), string2int("-007"), string2int("+5"));
trace(parseInt("0x1f", 16), parseInt("1f", 16), string2int("FF", base=16), parseInt("1010", 2), parseInt("z", 36));
trace(toint("007"), string2int("-9223372036854775808"), toint("9223372036854775807"));
