// reduce_sum_integer() adds rows member by member.
// expect: trace: 3,12,5,7
import reductions;
int a[][] = [[1, 2], [11, 3, 7]];
int s[] = reduce_sum_integer(a);
trace(size(s), s[0], s[1], s[2]);
