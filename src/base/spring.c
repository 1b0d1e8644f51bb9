// Stiffness and damping of a reference.
//                                              theory/contact/constraints.md, Stiffness and damping

#pragma STDC FP_CONTRACT OFF  // no fused multiply-add: it would make SIMD and scalar results differ

#include "base/spring.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"

int reference_check(mjtNum out[mjNREF], const mjModel* m, const mjtNum solref[mjNREF],
                    const mjtNum fallback[mjNREF]) {
  int mixed = (solref[0] > 0) != (solref[1] > 0);
  const mjtNum* chosen = mixed ? fallback : solref;
  out[0] = chosen[0];
  out[1] = chosen[1];
  int as_given = m->opt.disableflags & mjDSBL_REFSAFE || m->opt.integrator == mjINT_DISCRETE;
  if (out[0] > 0 && !as_given) {
    out[0] = num_max(out[0], 2 * m->opt.timestep);
  }
  return mixed;
}

static mjtNum largest(const mjtNum solimp[mjNIMP]) {
  return num_clamp(solimp[1], (mjtNum)mjMINIMP, (mjtNum)mjMAXIMP);
}

// K = 1 / (dmax timeconst dampratio)^2,  or  stiffness / dmax^2
mjtNum reference_stiffness(const mjtNum solref[mjNREF], const mjtNum solimp[mjNIMP]) {
  mjtNum square = largest(solimp) * largest(solimp);
  if (solref[0] > 0) {
    return 1 / num_max(mjMINVAL, square * solref[0] * solref[0] * solref[1] * solref[1]);
  }
  return -solref[0] / num_max(mjMINVAL, square);
}

// B = 2 / (dmax timeconst),  or  damping / dmax
mjtNum reference_damping(const mjtNum solref[mjNREF], const mjtNum solimp[mjNIMP]) {
  mjtNum dmax = largest(solimp);
  return solref[1] > 0 ? 2 / num_max(mjMINVAL, dmax * solref[0])
                       : -solref[1] / num_max(mjMINVAL, dmax);
}

// Where h^2 K I > 1 the spring is beyond what a step resolves, and becomes
//
//   K = 1 / (h^2 I),  B = min(2 dampratio sqrt(K), max(0, (smax - 2) / h)),
//   smax = (1 - I) / I  dmax / (1 - dmax),  dmax the largest impedance
//
// unless its reference is direct or not to be made safe.
void reference_resolve(mjtNum* K, mjtNum* B, const mjModel* m, const mjtNum ref[mjNREF], mjtNum I) {
  mjtNum h = m->opt.timestep, most = (mjtNum)mjMAXIMP;
  if (m->opt.disableflags & mjDSBL_REFSAFE || !(h * h * *K * I > 1) || !(ref[0] > 0)) {
    return;
  }
  mjtNum smax = (1 - I) / I * most / (1 - most);
  *K = 1 / (h * h * I);
  *B = num_min(2 * ref[1] * mju_sqrt(*K), num_max(0, (smax - 2) / h));
}

// sqrt(K) = 1 / (h sqrt(I)), so dB/dI = -dampratio / (h I^(3/2)), or that of smax / h
mjtNum reference_resolved_slope(const mjModel* m, const mjtNum ref[mjNREF], mjtNum I) {
  mjtNum h = m->opt.timestep, most = (mjtNum)mjMAXIMP, hardest = most / (1 - most);
  mjtNum damping = 2 * ref[1] / (h * mju_sqrt(I)), largest = ((1 - I) / I * hardest - 2) / h;
  if (damping < largest) {
    return -damping / (2 * I);
  }
  return largest > 0 ? -hardest / (h * I * I) : 0;
}
