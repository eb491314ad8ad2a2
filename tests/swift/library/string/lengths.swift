// strlen() counts characters.
// expect: trace: 0,5,3
import string;
trace(strlen(""), strlen("hello"), strlen("hé→"));
