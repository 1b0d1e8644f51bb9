// Velocities that constraints ask for: gaps that may close, rebounds, positions to be corrected.

#include "constraint/hard/target.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "constraint/rows/restitution.h"
#include "constraint/rows/surface.h"

// The velocity after an impact, >= 0 and at most the one before, such that the next apex is e^2
// times as high as the last one if the acceleration stays what it is. before < 0: the velocity at
// the beginning of the step; free: at its end, without forces; dist: the distance, negative if it
// is closed; h: time step.
//
// Semi-implicit Euler keeps E = v^2 / 2 + g z - g h v / 2 of a fall, v < 0 downwards. The rebound
// is to have e^2 of it. The step ends at z + h v1, so
//
//   v1^2 / 2 + g (z + h v1) - g h v1 / 2 = e^2 (v0^2 / 2 + g z - g h v0 / 2)
//
// is solved for v1 (e = 1: v1 = -v0).
static mjtNum target_rebound(mjtNum before, mjtNum free, mjtNum dist, mjtNum e, mjtNum h) {
  mjtNum fall = num_max(0, (before - free) / h), gh = fall * h;
  mjtNum energy = before * before / 2 + fall * dist - gh * before / 2;
  mjtNum square = gh * gh / 4 + 2 * (e * e * energy - fall * dist);
  mjtNum after = square > 0 ? mju_sqrt(square) - gh / 2 : 0;
  return num_clamp(after, 0, -before);
}

static int is_normal(const mjData* d, int row) {
  if (d->efc_type[row] != mjCNSTR_CONTACT_ELLIPTIC) {
    return row >= d->ne + d->nf;
  }
  return d->contact[d->efc_id[row]].efc_address == row;
}

// v_n + dist / h >= 0 of what is open, v_n - rebound >= 0 of an impact; slip against the surfaces
void target_shift(mjtNum* shift, const mjModel* m, const mjData* d, const mjtNum* free) {
  mjtNum h = m->opt.timestep;
  mju_zero(shift, d->nefc);
  for (int i = d->ne + d->nf; i < d->nefc; i++) {
    if (!is_normal(d, i)) {
      continue;
    }
    mjtNum dist = d->efc_pos[i], before = d->efc_vel[i];
    mjtNum e = d->efc_type[i] >= mjCNSTR_CONTACT_FRICTIONLESS
                   ? restitution_of(m, d->contact + d->efc_id[i])
                   : 0;
    if (e > 0 && before < -m->cnd_contact.restitution_threshold && dist + h * free[i] <= 0) {
      shift[i] = -target_rebound(before, free[i], dist, e, h);
    } else if (dist > 0) {
      shift[i] = dist / h;
    }
  }
  if (m->flg_surfacevel) {
    surface_add_velocity(shift, m, d);
  }
}

// p = -correction r / h of equalities, p >= correction (-r - slop) / h of overlaps, p >= -r / h if
// open
int target_correction(mjtNum* b, const mjModel* m, const mjData* d, const mjtNum* after) {
  mjtNum h = m->opt.timestep;
  const cndContactOption* option = &m->cnd_contact;
  int needed = 0;
  for (int i = 0; i < d->nefc; i++) {
    mjtNum error = d->efc_pos[i] + h * after[i], most = option->correction_velocity;
    if (i < d->ne) {
      b[i] = num_clamp(option->correction * error / h, -most, most);
      needed |= b[i] != 0;
    } else if (is_normal(d, i)) {
      // what is leaving needs no help
      int leaves = after[i] > option->restitution_threshold;
      mjtNum over = leaves ? 0 : -error - option->slop;
      b[i] = over > 0 ? -num_min(option->correction * over / h, most) : num_max(0, error) / h;
      needed |= over > 0;
    } else {
      b[i] = 0;
    }
  }
  return needed;
}
