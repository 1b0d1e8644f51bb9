// functions.cc: functions.c as a program in C++.

#include "functions.c"
