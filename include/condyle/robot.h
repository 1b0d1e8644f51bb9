// robot.h: loading robots as their makers ship them.
//
// A robot's description (URDF, xacro that makes one, or SDF) says more than a model of bodies:
// which shapes are for the eye, what drives the joints, what measures. mj_loadXML reads of it what
// the compatible interface reads, and drops the rest. These functions read all of it:
//
//   cndRobotOptions options;
//   cnd_defaultRobotOptions(&options);
//   options.actuators = "position";
//   mjModel* m = cnd_loadRobot("robot.urdf", &options, NULL);
//
// Meshes that were read and compiled are kept in a folder of the user (~/.cache/condyle, or
// $CONDYLE_CACHE unless that is "off"), so that the next load is fast. The model is the same bit
// by bit.
//
// cnd_saveURDF is the way back.

#ifndef CONDYLE_ROBOT_H_
#define CONDYLE_ROBOT_H_

#include <condyle/diagnostic.h>
#include <mujoco/mjexport.h>
#include <mujoco/mujoco.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct cndRobotOptions_ {
  int floating;  // 1: the base is free, 0: fixed, -1: as the file says (fixed, unless it has a
                 // floating joint)
  const char* actuators;  // "position", "velocity", "motor" for every joint; "none"; NULL: for the
                          // joints with a transmission, of its kind
  int visuals;            // 0: shapes for the eye are left out
  const char* exclude;    // pairs of links that never collide: "initial" those that touch in the
                          // zero pose, "all", or "none"
  int simplify;           // 1: hulls of collision meshes have at most 64 vertices; what is equal in
                          // every number is made once
  int scene;              // 1: adds a floor and a light; a free base stands on the floor
  const char* const* packages;  // places of packages: "NAME=DIR", or a folder that is or holds some
  int npackage;
  const char* const* xacro;  // arguments of xacro files: "NAME:=VALUE"
  int nxacro;
  const char* xacroprogram;  // NULL for the first "xacro" on the PATH
  const mjVFS* vfs;          // virtual files, tried first; may be NULL
  int cache;                 // 1: read and compiled meshes are kept on disk, for the next time
} cndRobotOptions;

// Sets the options that a program gets which sets none.
MJAPI void cnd_defaultRobotOptions(cndRobotOptions* options);

// Does the name of a file say that it describes a robot (.urdf, .xacro, .sdf)?
MJAPI int cnd_isRobot(const char* path);

// Reads a robot as an editable model. Shapes for the eye are in group 2 and don't collide, shapes
// that collide are in group 3. Links that can't move against their parent are part of its body, and
// their frames are sites of their names. options may be NULL for the defaults. Problems are added
// to the list, which may be NULL. NULL if there are errors.
MJAPI mjSpec* cnd_parseRobot(const char* path, const cndRobotOptions* options,
                             cndDiagnostics* diagnostics);

// Reads and compiles.
MJAPI mjModel* cnd_loadRobot(const char* path, const cndRobotOptions* options,
                             cndDiagnostics* diagnostics);

// Compiles a copy of a spec and writes it as MJCF that stands alone: its meshes and textures, also
// those given as numbers and pixels, are written to, or copied into, the folder "assets" beside the
// file. Returns 0, or -1 with the reason in error.
MJAPI int cnd_saveAlone(const mjSpec* spec, const char* path, char* error, int error_size);

// Writes a model as URDF, for tools that read nothing else. Bodies become links with the same
// frames, masses and inertias; hinges and slides become joints whose value is the joint's position
// in qpos. Meshes are written as STL into a folder "meshes" beside the file. A single floating body
// is the root; otherwise the root is a link "world". What URDF can't say is left out and told in
// notes (may be NULL) as a warning. Returns 1, or 0 with an error in notes: a joint that URDF
// doesn't have, or a file that can't be written.
MJAPI int cnd_saveURDF(const mjModel* m, const char* filename, cndDiagnostics* notes);

#ifdef __cplusplus
}
#endif

#endif  // CONDYLE_ROBOT_H_
