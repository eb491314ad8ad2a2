// So does catp().
// exit: 1
// error: catp
import unix;
file none[];
catp(none);
