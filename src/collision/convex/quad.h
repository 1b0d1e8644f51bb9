// quad.h: four corners of a convex polygon that span a large area.

#pragma once

#include <mujoco/mjtnum.h>

enum {
  FEW = 4  // points that are enough to support a shape
};

// What is made large: of the quadrilateral of four vertices, in the order of the polygon.
typedef mjtNum QuadArea(mjtNum (*v)[3], const int quad[FEW]);

// The area of a quadrilateral.
QuadArea quad_area;

// Four of num vertices, at least four. For each of the first `firsts` vertices in turn the other
// three advance along the polygon as long as the area grows.
void largest_quad(int best[FEW], mjtNum (*v)[3], int num, int firsts, QuadArea* area);
