// direction.h: triangles grouped by about the same direction, the first step to flat polygons.
//
// There are two rules. By that of 3.3.7 a triangle joins the first group whose first triangle looks
// the same way, to a tenth of a degree. By that of 4.0 azimuth and polar angle are rounded to .01
// rad: of nearly equal directions two on both sides of a wall stay apart, while others that are
// .014 rad apart are one group. Either rule has its own order of the groups.
//                                                                  theory/model/meshes.md, Polygons

#pragma once

#include "compile/mesh/context.h"

// group[nface]: the group of each triangle, counted in the order of their first triangles.
// order[nface]: the groups in the order of their polygons. Returns their number.
int directions_bycosine(int* group, int* order, const FaceNormal* facing, int nface);
int directions_byangles(int* group, int* order, const FaceNormal* facing, int nface);
