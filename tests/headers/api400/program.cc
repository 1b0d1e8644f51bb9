// program.cc: program.c as a program in C++.

#include "program.c"
