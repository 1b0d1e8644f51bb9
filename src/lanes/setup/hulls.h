// hulls.h: the vertices of a model's meshes with tables for quick support points, made once for a
// batch and only read from then on.

#pragma once

#include <mujoco/mjmodel.h>

#include "collision/convex/shape/support_points.h"

// One for each mesh; NULL where no geom that may meet others has it, or where its vertices are not
// finite. Returns NULL if memory is out.
const SupportPoints** hulls_make(const mjModel* m, const mjtByte* used);
void hulls_free(const SupportPoints** hulls, int nmesh);
