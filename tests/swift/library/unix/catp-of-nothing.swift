// So does catp().
// needs: processes
// exit: 1
// error: catp
import unix;
file none[];
catp(none);
