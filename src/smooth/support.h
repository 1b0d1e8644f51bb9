// support.h: forces that the user applies to bodies, and frames of objects.

#pragma once

#include <mujoco/mjdata.h>

// Adds the generalized force of all xfrc_applied, each (force, torque) acting at the com of its
// body.
void xfrc_accumulate(mjtNum* qfrc, const mjModel* m, const mjData* d);

// mj_integratePos on d->qpos, for what is awake.
void integrate_awake(const mjModel* m, mjData* d, const mjtNum* qvel, mjtNum dt);

// The body of an object, and its position and orientation in the world.
typedef struct {
  int body;
  const mjtNum* pos;
  const mjtNum* mat;
} ObjectFrame;

// Frame of a body (inertial), xbody, geom, site or camera; an error for other types.
ObjectFrame object_frame(const mjModel* m, const mjData* d, int type, int id);

// The frame of a site's shape: that of the site, but for a mesh that of the mesh, whose pose is not
// a part of the site's.                                          theory/model/shapes.md, Mesh sites
void site_shape(mjtNum pos[3], mjtNum mat[9], const mjModel* m, const mjData* d, int site);
