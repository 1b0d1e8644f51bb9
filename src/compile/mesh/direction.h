// direction.h: triangles grouped by about the same direction, the first step to flat polygons.
//
// MuJoCo's contacts depend on which triangles are one polygon, so its rules are kept with their
// flaws. By that of 3.3.7 a triangle looks for its group in a tree whose order is not quite one: it
// may not find it, or be lost. By that of 4.0 azimuth and polar angle are rounded to .01 rad: two
// nearly equal directions on both sides of a wall stay apart, others .014 rad apart are together.
// Hard contacts need whole faces: by their rule a triangle always joins the first group that looks
// the same way, to a tenth of a degree.                    theory/model/meshes.md, Polygons

#pragma once

#include "compile/mesh/context.h"

// group[nface]: the group of each triangle, counted in the order of their first triangles; -1 if
// the triangle is lost. order[nface]: the groups in the order of their polygons. Returns their
// number.
typedef int Directions(int* group, int* order, const FaceNormal* facing, int nface);

Directions directions_bytree, directions_byangle, directions_whole;
