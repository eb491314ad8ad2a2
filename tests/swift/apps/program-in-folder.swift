// A program with a / is not looked for on the PATH.
// expect: own program: x
// file: tool.sh
//| #!/bin/sh
//| echo "own program: $1"
// before: chmod +x tool.sh
run("x");
app run(string s) { "./tool.sh" s }
