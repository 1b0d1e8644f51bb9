// xacro.c: what a page can do for xacro, which is a program: say so.

#include "robot/xacro.h"

#include <stdio.h>

char* xacro_run(char* message, int size, const char* path, const char* const* arguments,
                int count) {
  (void)path;
  (void)arguments;
  (void)count;
  snprintf(message, (size_t)size,
           "xacro is a program, which a page can't run: make the robot by \"xacro FILE > "
           "robot.urdf\"");
  return NULL;
}
