// members.cc: members.c as a program in C++.

#include "members.c"
