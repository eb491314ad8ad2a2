// sleep() of unix alone takes no float.
// exit: 2
// error: HERE
import unix;
sleep(0.01); // here
