// robot.h: robots in the formats of other tools.

#ifndef CONDYLE_ROBOT_H_
#define CONDYLE_ROBOT_H_

#include <condyle/diagnostic.h>
#include <mujoco/mjexport.h>
#include <mujoco/mjmodel.h>

#ifdef __cplusplus
extern "C" {
#endif

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
