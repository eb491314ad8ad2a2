// What Python prints is output of the run.
// needs: python
// expect: from Python
// expect: trace: done
import python;
trace(python("print('from Python')", "'done'"));
