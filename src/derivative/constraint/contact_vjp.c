#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "derivative/constraint/constraint_gradient.h"
#include "derivative/constraint/contact.h"
#include "derivative/constraint/contact_flex.h"
#include "derivative/constraint/contact_work.h"

// As in contact_work.h, all is in the frame of the contact.

// What multiplies the motions of a contact: of both bodies, of its place, of the turning of its
// frame, of its distance; and the rates of axes, for the second body.
typedef struct {
  mjtNum E[2][6], pos[3], turn[3], dist;
  mjtNum rate[NVJP][6];
} Weights;

// Adds h . D(J) z, the weights h in the order of directions, A the twists of z:
//
//   h . (E_2 x A_2 - E_1 x A_1) + h_F . (w x dp - turn x c) - h_T . (turn x w)
static void weigh_rows(Weights* out, int z, const mjtNum h[6], mjtNum A[2][6]) {
  const mjtNum *force = h, *torque = h + 3;
  mjtNum wrench[6], t[6], rel[6];
  v3_copy(wrench, torque);
  v3_copy(wrench + 3, force);
  for (int i = 0; i < 6; i++) {
    rel[i] = A[1][i] - A[0][i];
  }
  sp_crossforce(t, A[1], wrench);
  sp_addto(out->E[1], t);
  sp_crossforce(t, A[0], wrench);
  sp_addtoscl(out->E[0], t, -1);
  v3_cross(t, force, rel);
  v3_addto(out->pos, t);
  v3_cross(t, rel + 3, force);
  v3_subfrom(out->turn, t);
  v3_cross(t, rel, torque);
  v3_subfrom(out->turn, t);
  sp_addto(out->rate[z], wrench);
}

// From the motions of the contact to those of the geoms, as in contact_move.
static void weigh_motions(mjtNum geom[2][6], const Weights* out, const ContactWork* w) {
  const mjtNum dn[2] = {out->turn[2] + out->turn[0] * w->spin[1],
                        -out->turn[1] + out->turn[0] * w->spin[2]};
  mjtNum U[6];
  for (int i = 0; i < 6; i++) {
    U[i] = out->dist * w->touch.dist[i] + dn[0] * w->touch.normal[0][i] +
           dn[1] * w->touch.normal[1][i] + out->pos[0] * w->touch.pos[0][i] +
           out->pos[1] * w->touch.pos[1][i] + out->pos[2] * w->touch.pos[2][i];
  }
  for (int i = 0; i < 6; i++) {
    geom[1][i] = U[i];
    geom[0][i] = -U[i];
  }
  v3_addtoscl(geom[1], w->about, out->turn[0]);
  v3_addto(geom[0] + 3, out->pos);
  geom[0][2] += dn[0];
  geom[0][1] -= dn[1];
}

static void add_weights(ConstraintVjp* of, const Weights* weights, const mjContact* con) {
  for (int side = 0; side < 2; side++) {
    mjtNum motion[6], rate[NVJP][6];
    contact_to_world(motion, weights->E[side], con->frame, 1);
    for (int i = 0; i < NVJP; i++) {
      contact_to_world(rate[i], weights->rate[i], con->frame, side ? 1 : -1);
    }
    vjp_add(of, contact_body(of->m, con, side), con->pos, motion, rate);
  }
}

// J lambda along the directions, and of those what the rows answer, -Hs J lambda, also times their
// damping.
typedef struct {
  mjtNum A[NVJP][2][6];
  mjtNum along[6], answer[6], damped[6];
} Responses;

static void find_responses(Responses* out, const ConstraintVjp* of, const ContactWork* w,
                           const mjContact* con) {
  for (int z = 0; z < NVJP; z++) {
    for (int side = 0; side < 2; side++) {
      int body = contact_body(of->m, con, side);
      contact_twist(out->A[z][side], of->m, of->d, body, of->W + z, con);
    }
  }
  for (int k = 0; k < 6; k++) {
    int from = (k + 3) % 6;
    out->along[k] = out->A[VJP_LAMBDA][1][from] - out->A[VJP_LAMBDA][0][from];
  }
  contact_responses(out->answer, out->damped, w, of->law, con, out->along);
}

// What the row of direction k measures of the accelerations, J (x + b v).
static mjtNum measured(const Responses* a, const ContactWork* w, int k) {
  int from = (k + 3) % 6;
  return a->A[VJP_X][1][from] - a->A[VJP_X][0][from] +
         w->damping[k] * (a->A[VJP_V][1][from] - a->A[VJP_V][0][from]);
}

int contact_vjp(ConstraintVjp* of, const mjContact* con) {
  if (contact_is_flex(con)) {
    return contact_flex_vjp(of, con);
  }
  ContactWork w = {.push = 0};
  Weights weights = {.dist = 0};
  Responses a;
  if (!contact_take_law(&w, of->law, con)) {
    return 0;
  }
  int kinks = contact_geometry(&w.touch, of->m, of->d, con) + contact_spin(&w, of->m, of->d, con);
  find_responses(&a, of, &w, con);
  weigh_rows(&weights, VJP_LAMBDA, w.force, a.A[VJP_LAMBDA]);
  weigh_rows(&weights, VJP_X, a.answer, a.A[VJP_X]);
  weigh_rows(&weights, VJP_V, a.damped, a.A[VJP_V]);
  weights.dist = w.sigma * sp_dot(a.along, w.force) + w.spring * a.answer[0];
  mjtNum geom[2][6];
  weigh_motions(geom, &weights, &w);
  if (of->gradient) {
    mjtNum motion[2][6], rows[6];
    for (int side = 0; side < 2; side++) {
      contact_to_world(motion[side], geom[side], con->frame, 1);
    }
    for (int k = 0; k < 6; k++) {
      rows[k] = measured(&a, &w, k);
    }
    constraint_gradient_motion(of, con, motion, w.touch.is_witness);
    constraint_gradient_friction(of, con, a.along, rows);
  }
  sp_addto(weights.E[0], geom[0]);
  sp_addto(weights.E[1], geom[1]);
  add_weights(of, &weights, con);
  return kinks;
}
