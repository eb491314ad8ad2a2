// A case runs to the next label, without falling through.
// expect: trace: one
// expect: trace: and still one
// expect: trace: other,9
foreach n in [1, 9] {
  switch (n) {
    case 1:
      trace("one");
      trace("and still one");
    case 2:
      trace("two");
    default:
      trace("other", n);
  }
}
