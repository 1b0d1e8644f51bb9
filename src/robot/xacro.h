// xacro.h: URDF from xacro, by ROS's own program.
//
// xacro is a language of macros with expressions in Python, so only its own program reads it right.
// It is run without a shell: no name of a file can become a command.

#pragma once

#include <condyle/robot.h>

// The URDF that xacro makes of a file, with the arguments of the options. The caller frees it
// (heap_free). NULL with the program's own words, or what to install, in message.
char* xacro_run(char* message, int size, const cndRobotOptions* options, const char* path);
