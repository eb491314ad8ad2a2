// The escapes of C are known, with octal and hexadecimal codes.
// opts: -p
// expect: trace: A|A|A|A1|	|\|"|?
// expect: trace: 7,8,12,13,11,10,1
trace("\101|\x41|\x41|\1011|\t|\\|\"|\?");
trace(code("\a"), code("\b"), code("\f"), code("\r"), code("\v"), code("\n"), code("\1"));
(int n) code(string s)
{
  // The place of the character in a text of all of them.
  n = find("\1\2\3\4\5\6\a\b\t\n\v\f\r", s, 0, -1) + 1;
}
import string;
