// glob() finds files by patterns, and gives none if nothing matches.
// before: mkdir in && touch in/a1.dat in/a2.dat in/b1.dat in/c.txt 'in/x*y'
// expect: trace: 3,2,2,1,0,1,3
import files;
trace(size(glob("in/*.dat")), size(glob("in/a?.dat")), size(glob("in/[ab]1.dat")),
      size(glob("in/*.txt")), size(glob("in/*.zip")), size(glob("in/x\\*y")), size(glob("in/{a,b}*")));
