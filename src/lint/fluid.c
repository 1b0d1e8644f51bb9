// fluid.c: checks of geoms that the fluid model gets wrong.
//
// Lift has the factor P / (|v| Q). The fluid model keeps the denominator above 1e-15 in the units
// of the model, so lift is too small at low speed. In flow onto the broad side of a geom, with the
// largest product A of two semi-axes:
//   Q = A^4 v^2,   floored below  v0 = (1e-15 / A^4)^(1/3),   lift = (v / v0)^3 of what is right

#include <mujoco/api/base.h>

#include "lint/checks.h"
#include "model/behaviour.h"
#include "smooth/fluid.h"

// Speed from which on the lift of a geom is right; 0 if it has no lift or doesn't move.
static mjtNum right_speed(const mjModel* m, int geom) {
  const mjtNum* prm = m->geom_fluid + mjNFLUID * geom;
  mjtNum s[3];
  if (prm[0] <= 0 || prm[4] == 0 || !m->body_weldid[m->geom_bodyid[geom]]) {
    return 0;
  }
  fluid_semi_axes(s, m, geom);
  mjtNum A = num_max(s[0] * s[1], num_max(s[1] * s[2], s[0] * s[2]));
  int sphere = s[0] == s[1] && s[1] == s[2];
  return sphere ? 0
                : mju_pow(mjMINVAL / num_max(A * A * A * A, mjMINVAL * mjMINVAL), (mjtNum)1 / 3);
}

// One finding about the smallest geom.
void check_small_wing(Lint* l) {
  const mjtNum slow = 1;  // m/s; lift that is right from this speed on is not reported
  const mjModel* m = l->m;
  mjtNum worst = slow;
  int which = -1, count = 0;
  int has_floor = m->opt.density > 0 && !behaves(m, cndBEHAVIOUR_smalldrag);
  for (int i = 0; i < m->ngeom && has_floor; i++) {
    mjtNum speed = right_speed(m, i);
    count += speed > slow;
    if (speed > worst) {
      worst = speed;
      which = i;
    }
  }
  if (which >= 0) {
    mjtNum share = 1 / (worst * worst * worst);
    lint_warn(
        l, lint_id(l, mjOBJ_GEOM, which),
        "<option><behaviour smalldrag=\"enable\"/></option>, or write the model in centimetres "
        "and grams (gravity 981, density in g/cm3), so that its numbers are larger",
        "it is too small for its lift: a floor of 1e-15 in the formula makes it right only "
        "above %.3g m/s broadside on, and %.2g of what it should be at 1 m/s%s",
        worst, share, lint_more("; so are %d more geoms", count - 1).text);
  }
}
