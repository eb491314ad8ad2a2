// A struct may contain an array of its own type.
// expect: trace: 6
import stats;
type tree { int n; tree kids[]; }
tree none[] = [];
tree t = tree(1, [tree(2, none), tree(3, none)]);
trace(total(t));
(int s) total(tree node)
{
  int below[];
  foreach k, i in node.kids { below[i] = total(k); }
  s = node.n + sum(below);
}
