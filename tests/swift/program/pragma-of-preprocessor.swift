// #pragma is only a line for the preprocessor.
// expect: trace: 1
#pragma once
trace(1);
