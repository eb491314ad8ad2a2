// All ranks of this run are on one host.
// ranks: 4
// expect: trace: 1,1,1,1,0,1,1
import location;
string h[] = hostmapList();
int l[] = hostmapLeaders();
trace(size(h), size(hostmap_list()), hostmapOneRank(h[0]) >= 0, size(l), l[0],
      hostmapOneWorkerRank(h[0]) < 3, hostmapOne(h[0]).rank + hostmapOneWorker(h[0]).rank >= 0);
