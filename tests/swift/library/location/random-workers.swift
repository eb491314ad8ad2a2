// A random worker is one of the run.
// ranks: 4
// expect: trace: 1,1,1
import location;
int a = randomWorkerRank();
trace(a >= 0 && a < 3, randomWorker().rank < 3, random_worker().rank + random_engine().rank < 6);
