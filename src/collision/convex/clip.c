// Clipping by one plane.

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it breaks ties of features differently

#include "collision/convex/clip.h"

#include <mujoco/mjmodel.h>

#include "base/algebra/vec.h"

int clip_polygon(mjtNum (*out)[3], int most, mjtNum (*in)[3], int num, const mjtNum a[3],
                 const mjtNum m[3]) {
  int count = 0;
  mjtNum level = v3_dot(m, a);
  for (int i = 0; i < num; i++) {
    const mjtNum *p = in[i], *q = in[(i + 1) % num];
    mjtNum arm[3];
    v3_sub(arm, p, a);
    int is_in = v3_dot(arm, m) > -mjMINVAL;
    v3_sub(arm, q, a);
    int comes_in = v3_dot(arm, m) > -mjMINVAL;
    if (is_in != comes_in) {
      mjtNum way[3];
      v3_sub(way, q, p);
      mjtNum t = (level - v3_dot(m, p)) / v3_dot(m, way);
      if (t >= 0 && t <= 1 && count < most) {
        v3_addscl(out[count++], p, way, t);
      }
    }
    if (comes_in && count < most) {
      v3_copy(out[count++], q);
    }
  }
  return count;
}

int clip_by_heights(mjtNum (*out)[3], int most, mjtNum (*in)[3], int num, const mjtNum a[3],
                    const mjtNum m[3]) {
  int count = 0;
  for (int i = 0; i < num; i++) {
    const mjtNum *p = in[i], *q = in[(i + 1) % num];
    mjtNum arm[3];
    v3_sub(arm, p, a);
    mjtNum here = v3_dot(arm, m);
    v3_sub(arm, q, a);
    mjtNum there = v3_dot(arm, m);
    int is_in = here > -mjMINVAL, comes_in = there > -mjMINVAL;
    if (is_in != comes_in) {
      mjtNum way[3], t = here / (here - there);
      v3_sub(way, q, p);
      if (t >= 0 && t <= 1 && count < most) {
        v3_addscl(out[count++], p, way, t);
      }
    }
    if (comes_in && count < most) {
      v3_copy(out[count++], q);
    }
  }
  return count;
}
