// What Python prints is output of the run.
// needs: processes python
// expect: from Python
// expect: trace: done
import python;
trace(python("print('from Python')", "'done'"));
