#include <mujoco/api/base.h>

#include "base/vec.h"
#include "compile/derive/derive.h"

// Frames closer than this in every component are taken for equal, and kinematics
// then drops the difference.
static const mjtNum frame_eps = (mjtNum)1e-6;

static int near(const mjtNum* a, const mjtNum* b, int n, mjtNum sign) {
  for (int i = 0; i < n; i++) {
    if (!(mju_abs(a[i] - sign * b[i]) < frame_eps)) {
      return 0;
    }
  }
  return 1;
}

static int same_pos(const mjtNum a[3], const mjtNum b[3]) {
  return near(a, b, 3, 1);
}

// q and -q are one rotation
static int same_quat(const mjtNum a[4], const mjtNum b[4]) {
  return near(a, b, 4, 1) || near(a, b, 4, -1);
}

static const mjtNum origin[3] = {0, 0, 0};
static const mjtNum identity[4] = {1, 0, 0, 0};

mjtSameFrame derive_bodyframe(const mjtNum ipos[3], const mjtNum iquat[4]) {
  if (!same_quat(iquat, identity)) {
    return mjSAMEFRAME_NONE;
  }
  return same_pos(ipos, origin) ? mjSAMEFRAME_BODY : mjSAMEFRAME_BODYROT;
}

mjtSameFrame derive_sameframe(const mjtNum pos[3], const mjtNum quat[4], const mjtNum ipos[3],
                              const mjtNum iquat[4]) {
  if (same_quat(quat, identity)) {
    return same_pos(pos, origin) ? mjSAMEFRAME_BODY : mjSAMEFRAME_BODYROT;
  }
  if (same_quat(quat, iquat)) {
    return same_pos(pos, ipos) ? mjSAMEFRAME_INERTIA : mjSAMEFRAME_INERTIAROT;
  }
  return mjSAMEFRAME_NONE;
}
