// catenary.h: the shape of a rope that hangs between two points.
//
//    x0 o                     o x1        h horizontal, v vertical distance of the ends
//        \                  _/            L length of the rope
//         \_             _-'
//           `-.______.--'                 up = - gravity / |gravity|
//
// Tendons have no weight, but one that is longer than its path is drawn as if it had.
//                                                                   theory/scenes.md, Slack tendons

#pragma once

#include <mujoco/mjtnum.h>

enum {
  CATENARY_POINTS = 100,  // most points of a rope
};

// Points of a rope from x0 to x1, n if it hangs freely. Returns their number: 2 if the rope is too
// short, 3 if it is so long that it hangs like a plumb line. gravity must not be 0.
int catenary(mjtNum point[CATENARY_POINTS][3], const mjtNum x0[3], const mjtNum x1[3],
             const mjtNum gravity[3], mjtNum length, int n);
