// package.h: the files that a robot names by its package.
//
// A URDF names a mesh as package://NAME/meshes/arm.stl and leaves open where the package NAME lies:
// that is decided by the machine on which it is read. So the places are tried in an order that
// begins with what the user says and ends with a guess that only a file of this very path confirms:
//
//   1. packages given as NAME=DIR, or as a folder that bears the name or holds such a one
//   2. folders above the robot's file that bear the name, or hold a package.xml with it, or a
//      folder of that name
//   3. ROS_PACKAGE_PATH, AMENT_PREFIX_PATH/share, GZ_SIM_RESOURCE_PATH, GAZEBO_MODEL_PATH
//   4. folders above the robot's file that hold the rest of the path
//   5. all of these again, with names in any case
//
// Names are files, too, if they begin with file:// or model://, or with no scheme at all. A path
// that isn't beside the file is looked for in the folders above: xacro's output belongs to another
// folder than its source, and what is absolute on one machine is relative to a project on another.

#pragma once

#include <mujoco/mjmodel.h>
#include <stddef.h>

typedef struct PackagePlaces_ {
  const char* directory;        // of the robot's file, "" for the working directory
  const char* const* packages;  // NAME=DIR or DIR; may be NULL
  int npackage;
  const mjVFS* vfs;  // may be NULL
} PackagePlaces;

// Does a name begin with package://, model:// or file://?
int package_isnamed(const char* name);

// The path of the file that is meant, which the caller frees. NULL if there is none; then `looked`
// lists the paths that were tried, as far as they fit.
char* package_find(char* looked, size_t size, const PackagePlaces* places, const char* name);
