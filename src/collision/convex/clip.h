// clip.h: clipping of convex polygons (Sutherland and Hodgman, 1974).

#pragma once

#include <mujoco/mjtnum.h>

// The part of a polygon on m's side of the plane through point a with normal m. There is room for
// `most` corners in out; more are left out. Returns their number.
int clip_polygon(mjtNum (*out)[3], int most, mjtNum (*in)[3], int num, const mjtNum a[3],
                 const mjtNum m[3]);

// The same for a unit vector m, in the order of operations of release 4.0: a corner between heights
// h and k above the plane is at h / (h - k) of the way.
int clip_by_heights(mjtNum (*out)[3], int most, mjtNum (*in)[3], int num, const mjtNum a[3],
                    const mjtNum m[3]);
