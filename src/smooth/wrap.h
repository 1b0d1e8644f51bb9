// wrap.h: the shortest string between two points around, or inside, a sphere or a cylinder.
//
//     outside             x0 .            inside (the side site lies within)      _____
//                           / \                                                 /       `.
//                        __/   |  w0                                     x0 ---/          \  .
//                      /    `. |                                               | `-.  s    |
//                     |   o   )                     the string touches the     |    `.    .'
//                      \ __ .' |  w1                surface at one point w:     \ _ _ w .-' x1
//                             \|
//                              ` x1
//
// A sphere is wrapped in the plane of its center and both points, a cylinder in its cross-section,
// where the string is a helix and the height grows evenly with the length. So both are one problem
// in the plane: a circle and two points.                  theory/smooth/tendons.md, Sphere wrapping

#pragma once

#include <mujoco/mjmodel.h>

// Start, tolerance and most steps of Newton's method for the inside string. They are so coarse that
// the result depends on them: keep MuJoCo's.
#define WRAP_INSIDE_START (1 - 1e-7)
#define WRAP_INSIDE_TOLERANCE 1e-6
enum {
  WRAP_INSIDE_ITERATIONS = 20
};

// The sine z of the angle at which the pieces of an inside string meet the surface, or -1 if
// Newton's method finds none: asin(A z) + asin(B z) - 2 asin(z) + G = 0, where A and B are the
// radius over the distances of the ends from the center and G is the angle between them.
double wrap_inside_root(double A, double B, double G);

// Length of the string on the surface of a geom at (pos, mat), from point[0..2] to point[3..5]; -1
// and no points if the string from x0 to x1 does not touch it. type is mjWRAP_SPHERE or
// mjWRAP_CYLINDER (which has no ends). side: NULL, or a point on the side to pass by; if it lies
// within radius of the center the string passes inside. by_winding: outside, the string stays on
// its side of the center however far it winds (the behaviour `sidesite`). All in the world.
mjtNum wrap_geom(mjtNum point[6], const mjtNum x0[3], const mjtNum x1[3], const mjtNum pos[3],
                 const mjtNum mat[9], mjtNum radius, mjtWrap type, const mjtNum* side,
                 int by_winding);
