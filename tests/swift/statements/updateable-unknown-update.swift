// There are three updates.
// exit: 2
// error: HERE:4: unknown update 'plus'
updateable_float x = 1;
x <plus> := 1.0; // here
