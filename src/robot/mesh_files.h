// mesh_files.h: the mesh files of a robot, read side by side.
//
// A file that was read before comes from the store on disk (base/store.h), if the content of the
// file and of all others that it names is the same.

#pragma once

#include <condyle/robot.h>

#include "meshfile/meshfile.h"

typedef struct RobotFile_ {
  const char* path;
  MeshFile* file;     // NULL if it can't be read
  char problem[600];  // why
  void* packed;       // memory of a file from the store
} RobotFile;

// Reads files whose paths are set, on several threads.
void robot_readfiles(RobotFile* files, int count, const cndRobotOptions* options);

void robot_freefiles(RobotFile* files, int count);
