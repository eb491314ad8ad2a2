// A failure ends the programs that are still running.
// needs: parallel
// exit: 1
// ranks: 3
// error: the command failed
// after: p=$(cat pid); for i in $(seq 1000); do kill -0 $p || exit 0; sleep 0.01; done; exit 1
app long() { "sh" "-c" "echo $$ > pid.new && mv pid.new pid && exec sleep 3000" }
app fails() { "sh" "-c" "until [ -e pid ]; do sleep 0.01; done; exit 1" }
long();
fails();
