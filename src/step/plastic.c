// Return mapping of plastic springs: what is beyond the yield moves the rest.
//                                                         theory/smooth/passive.md, Plastic springs

#include "step/plastic.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "constraint/hard/hard.h"
#include "model/data/arena.h"
#include "model/plastic.h"
#include "smooth/flex/plastic.h"
#include "smooth/passive.h"
#include "smooth/tendon.h"

// |q - r| <= Y: else r = q - Y towards where it was
static void scalar_yield(mjtNum* rest, mjtNum q, mjtNum yield) {
  mjtNum x = q - *rest;
  if (mju_abs(x) > yield) {
    *rest = x > 0 ? q - yield : q + yield;
  }
}

// The same of a ball: r turns about the axis of the displacement, by what is beyond Y.
static void ball_yield(mjtNum rest[4], const mjtNum q[4], mjtNum yield) {
  mjtNum turn[3];
  passive_turn(turn, q, rest);
  mjtNum angle = v3_norm(turn);
  if (angle > yield) {
    mju_quatIntegrate(rest, turn, (angle - yield) / angle);
  }
}

PlasticPaths plastic_paths(const mjModel* m, mjData* d) {
  PlasticPaths begin = {NULL, NULL, NULL, NULL, NULL};
  if (m->nplastic && m->nflex) {
    mjtNum *vertex = arena_num(d, 3 * m->nflexvert), *node = arena_num(d, 3 * m->nflexnode);
    mju_copy(vertex, d->flexvert_xpos, 3 * m->nflexvert);
    flex_all_nodes(node, m, d);
    begin.vertex = vertex;
    begin.node = node;
    mjtNum* plastic = arena_num(d, (int)m->nplastic);
    flex_move_frames(plastic, m, d);
    begin.plastic = plastic;
  }
  if (!m->nplastic || !m->ntendon) {
    return begin;
  }
  mjtNum* length = arena_num(d, m->ntendon);
  mjtNum* gradient = arena_num(d, m->ntendon * m->nv);
  mju_copy(length, d->ten_length, m->ntendon);
  for (int i = 0; i < m->ntendon; i++) {
    tendon_row(gradient + (size_t)i * m->nv, m, d, i);
  }
  begin.length = length;
  begin.gradient = gradient;
  return begin;
}

// The length of a tendon after a step, by its path at the beginning.
static mjtNum length_after(const mjModel* m, const mjData* d, int tendon, const mjtNum* qvel,
                           const PlasticPaths* begin) {
  mjtNum h = m->opt.timestep;
  int corrected = hard_is_on(m);
  if (begin) {
    const mjtNum* gradient = begin->gradient + (size_t)tendon * m->nv;
    mjtNum length = begin->length[tendon] + h * mju_dot(gradient, qvel, m->nv);
    return corrected ? length + h * mju_dot(gradient, d->cnd_correction, m->nv) : length;
  }
  TendonRow row = tendon_view(m, d, tendon);
  mjtNum length = d->ten_length[tendon] + h * tendon_dot(&row, qvel);
  return corrected ? length + h * tendon_dot(&row, d->cnd_correction) : length;
}

// Both lengths follow. A rope (slack from length 0 on) that is pulled becomes longer but stays
// slack from 0.
static void tendon_yield(mjtNum rest[2], mjtNum length, mjtNum yield) {
  if (length > rest[1] + yield) {
    mjtNum shift = length - yield - rest[1];
    if (!(rest[0] == 0 && rest[1] > 0)) {
      rest[0] += shift;
    }
    rest[1] += shift;
  } else if (length < rest[0] - yield) {
    mjtNum shift = length + yield - rest[0];
    rest[0] += shift;
    rest[1] += shift;
  }
}

void plastic_yield(const mjModel* m, mjData* d, const mjtNum* qvel, const PlasticPaths* begin) {
  if (m->nflex && begin) {
    flex_copy_frames(d->plastic, m, begin->plastic);
  } else if (m->nflex) {
    flex_move_frames(d->plastic, m, d);
  }
  if (m->opt.disableflags & mjDSBL_SPRING) {
    return;
  }
  for (int i = 0; i < m->njnt; i++) {
    mjtNum* rest = d->plastic + m->jnt_plasticadr[i];
    const mjtNum* q = d->qpos + m->jnt_qposadr[i];
    if (m->jnt_plasticadr[i] < 0) {
      continue;
    }
    if (m->jnt_type[i] == mjJNT_BALL) {
      ball_yield(rest, q, m->jnt_springyield[i]);
    } else {
      scalar_yield(rest, q[0], m->jnt_springyield[i]);
    }
  }
  for (int i = 0; i < m->ntendon; i++) {
    if (m->tendon_plasticadr[i] < 0) {
      continue;
    }
    mjtNum length = length_after(m, d, i, qvel, begin);
    tendon_yield(d->plastic + m->tendon_plasticadr[i], length, m->tendon_springyield[i]);
  }
  if (m->nflex) {
    flex_yield(m, d, qvel, begin ? begin->vertex : NULL, begin ? begin->node : NULL);
  }
}
