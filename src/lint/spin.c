// spin.c: checks of bodies that spin so fast that an explicit step turns them ever faster.
//
// Euler and implicitfast take the gyroscopic torque w x I w at the start of the step. In a body
// that floats freely, each step then amplifies the motion across the axis of spin by about
//   (h W)^2 / 2,   W = |I_j - I_k| / I_i |w| <= |w|
// where W is the rate of tumbling.

#include <mujoco/api/base.h>
#include <mujoco/api/smooth.h>

#include "base/joint.h"
#include "lint/checks.h"
#include "model/behaviour.h"

static int takes_gyroscopic(const mjModel* m) {
  return m->opt.integrator == mjINT_IMPLICIT || m->opt.integrator == mjINT_RK4 ||
         m->opt.integrator == mjINT_DISCRETE;
}

// Energy after a time, divided by the energy before, of a body that turns without other torques:
//   w+ = w - h I^-1 (w x I w)
// Stops early once the growth is obvious. w is in principal axes.
static mjtNum energy_growth(const mjtNum inertia[3], const mjtNum start[3], mjtNum h, mjtNum time) {
  mjtNum w[3], momentum[3], torque[3], before = 0, now = 0;
  v3_copy(w, start);
  for (int k = 0; k < 3; k++) {
    before += inertia[k] * w[k] * w[k];
  }
  for (mjtNum t = 0; t < time && now < 100 * before; t += h) {
    now = 0;
    for (int k = 0; k < 3; k++) {
      momentum[k] = inertia[k] * w[k];
    }
    v3_cross(torque, w, momentum);
    for (int k = 0; k < 3; k++) {
      w[k] -= h * torque[k] / inertia[k];
      now += inertia[k] * w[k] * w[k];
    }
  }
  return now / num_max(before, mjMINVAL * mjMINVAL);
}

// Only a keyframe tells how fast a body will spin.
void check_spinning_key(Lint* l) {
  const mjtNum time = 1, grave = (mjtNum)1.5;
  const mjModel* m = l->m;
  for (int key = 0; key < m->nkey && !takes_gyroscopic(m); key++) {
    const mjtNum* qvel = m->key_qvel + (size_t)key * (size_t)m->nv;
    for (int body = 1; body < m->nbody; body++) {
      if (!lint_turns_alone(m, body)) {
        continue;
      }
      mjtNum w[3], back[4];
      const mjtNum* turn = qvel + m->body_dofadr[body] + m->body_dofnum[body] - 3;
      mju_negQuat(back, m->body_iquat + 4 * body);
      mju_rotVecQuat(w, turn, back);
      mjtNum growth = energy_growth(m->body_inertia + 3 * body, w, m->opt.timestep, time);
      if (growth > grave) {
        lint_warn(l, lint_id(l, mjOBJ_KEY, key),
                  "integrator=\"RK4\", or \"implicit\", which loses energy instead; implicitfast "
                  "leaves this torque out",
                  "%s spins with %.3g rad/s: its energy grows %.3g times within a second, because "
                  "its gyroscopic torque is integrated explicitly",
                  lint_name(l, mjOBJ_BODY, body).text, v3_norm(turn), growth);
        break;
      }
    }
  }
}

// RK4 of 3.3.7 adds up angular velocities of its stages as if turns commuted, so that what can turn
// about all axes is of second order. With the behaviour rkmk it is of fourth.
void check_rough_turns(Lint* l) {
  const mjModel* m = l->m;
  if (m->opt.integrator != mjINT_RK4 || behaves(m, cndBEHAVIOUR_rkmk)) {
    return;
  }
  int which = -1, count = 0;
  for (int j = 0; j < m->njnt; j++) {
    if (joint_has_quat(m->jnt_type[j])) {
      which = which < 0 ? j : which;
      count++;
    }
  }
  if (which >= 0) {
    lint_warn(l, lint_id(l, mjOBJ_JOINT, which), "<option><behaviour rkmk=\"enable\"/></option>",
              "it is integrated by RK4 to second order alone, as its turns are added up: at half "
              "the timestep the error is a quarter, not a sixteenth%s",
              lint_more("; so are %d more joints", count - 1).text);
  }
}

// A slender body that falls on a floor rolls about its thin axis at some v = 0.5 m/s and spins with
// W = v/r. In simulations of dropped rods, a growth of h W^2 / 2 = 50/s and more ended in bad
// accelerations.
void check_thin_spin(Lint* l) {
  const mjtNum speed = (mjtNum)0.5, slender = (mjtNum)0.02, grave = 50;
  const mjModel* m = l->m;
  for (int body = 1; body < m->nbody && !takes_gyroscopic(m); body++) {
    const mjtNum* inertia = m->body_inertia + 3 * body;
    mjtNum least = num_min(inertia[0], num_min(inertia[1], inertia[2]));
    mjtNum largest = num_max(inertia[0], num_max(inertia[1], inertia[2]));
    if (!lint_turns_alone(m, body) || m->jnt_type[m->body_jntadr[body]] != mjJNT_FREE ||
        (m->opt.disableflags & (mjDSBL_CONTACT | mjDSBL_CONSTRAINT)) || least > slender * largest ||
        m->body_mass[body] < mjMINVAL || !(m->body_contype[body] || m->body_conaffinity[body]) ||
        m->dof_damping[m->body_dofadr[body] + 3] > 0 ||
        m->dof_armature[m->body_dofadr[body] + 3] > 0) {
      continue;
    }
    mjtNum radius = mju_sqrt(2 * least / m->body_mass[body]);  // of a solid cylinder
    mjtNum spin = speed / num_max(radius, mjMINVAL);
    if (m->opt.timestep * spin * spin / 2 > grave) {
      lint_warn(l, lint_id(l, mjOBJ_BODY, body),
                "integrator=\"implicit\"; implicitfast leaves this torque out, and a shorter "
                "timestep helps little",
                "it is slender and as thin as %.2g m: rolling at 0.5 m/s it spins with %.3g rad/s, "
                "and its gyroscopic torque, integrated explicitly, speeds it up until "
                "accelerations are bad",
                2 * radius, spin);
    }
  }
}
