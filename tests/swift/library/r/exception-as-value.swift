// A failure may be a value.
// needs: R
// contains: trace: __EXCEPTION__
// stderr: any
import R;
trace(R("stop('bad')", "'x'", exceptions_are_errors=false));
