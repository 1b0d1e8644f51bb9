// link.h: what the writers of a URDF file share.

#pragma once

#include <condyle/diagnostic.h>
#include <mujoco/mjmodel.h>

#include "base/diagnostic.h"
#include "mjcf/write/context.h"

enum {
  LINK_NAME_BYTES = 256,
};

typedef struct UrdfSave_ {
  Writer w;
  const mjModel* m;
  const char* filename;
  SourcePlace place;  // of the whole file
  cndDiagnostics* notes;
  int root;    // the body whose link is the root
  int failed;  // 1 after a file of a mesh couldn't be written
  char* made;  // by mesh: 1 if its file is written
  int ball;    // 1 if the file of the unit ball is written
} UrdfSave;

// The name of an element, or its kind and number where it has none.
const char* urdf_name_of(char text[LINK_NAME_BYTES], const mjModel* m, int type, int id);

// <origin xyz rpy>
//
//   R = Rz(yaw) Ry(pitch) Rx(roll)
void urdf_origin(Writer* w, const mjtNum pos[3], const mjtNum quat[4]);

// <visual> and <collision> of all geoms of a body.
void urdf_geoms(UrdfSave* s, int body);
