// A bag may be an output that many statements append to.
// ranks: 2 4
// expect: trace: 11
bag<int> b = f();
trace(bag_size(b));
(bag<int> o) f()
{
  foreach i in [1:10] { o += i; }
  if (size([1]) == 1) { o += 0; }
}
