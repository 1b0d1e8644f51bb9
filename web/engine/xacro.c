// xacro.c: what a page can do for xacro, which is a program: say so.

#include "robot/xacro.h"

#include <stdio.h>

char* xacro_run(char* message, int size, const cndRobotOptions* options, const char* path) {
  (void)options;
  (void)path;
  snprintf(message, (size_t)size,
           "xacro is a program, which a page can't run: make the robot by \"xacro FILE > "
           "robot.urdf\"");
  return NULL;
}
