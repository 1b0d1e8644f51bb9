#include "derivative/constraint/contact.h"

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "derivative/constraint/contact_flex.h"
#include "derivative/constraint/contact_work.h"
#include "smooth/jacobian.h"

// Along the directions, by twists of both bodies: DA = E_2 x A_2 - E_1 x A_1.
static void move_rows(mjtNum out[6], const ContactMotion* to, const mjtNum A[2][6],
                      const mjtNum E1[6], const mjtNum E2[6]) {
  mjtNum DA[6], t[6];
  const mjtNum rel[6] = {A[1][0] - A[0][0], A[1][1] - A[0][1], A[1][2] - A[0][2],
                         A[1][3] - A[0][3], A[1][4] - A[0][4], A[1][5] - A[0][5]};
  sp_crossmotion(DA, E2, A[1]);
  sp_crossmotion(t, E1, A[0]);
  sp_addtoscl(DA, t, -1);
  contact_move_rows(out, to, rel, DA);
}

static void move_forces(mjtNum answer[6], ContactMotion* to, const ContactWork* w,
                        const mjtNum E1[6], const mjtNum E2[6]) {
  mjtNum x[6], v[6];
  contact_move(to, w, E1, E2);
  move_rows(x, to, w->x, E1, E2);
  move_rows(v, to, w->v, E1, E2);
  contact_move_forces(answer, w, to, x, v);
}

// to the world

// The first body gets the opposite wrench, and motions count by their difference.
static void fill_sides(CouplingBlock block[2][2]) {
  for (int i = 0; i < 36; i++) {
    mjtNum stiff = block[1][1].stiff[i], damp = block[1][1].damp[i];
    block[0][0].stiff[i] = stiff;
    block[0][0].damp[i] = damp;
    block[0][1].stiff[i] = block[1][0].stiff[i] = -stiff;
    block[0][1].damp[i] = block[1][0].damp[i] = -damp;
  }
}

// What answers to accelerations alone.
static void fill_stiffness(Coupling* c, const ContactWork* w, const mjtNum frame[9]) {
  contact_stiffness(c->block[1][1].stiff, w, frame);
  fill_sides(c->block);
}

// Blocks of sides that don't move are left out, as nobody looks at them.
static void fill_coupling(Coupling* c, const ContactWork* w, const mjModel* m,
                          const mjtNum frame[9]) {
  mjtNum own[36], zero[6] = {0}, wrench[6];
  for (int side = 0; side < 2; side++) {
    if (m->body_weldid[c->body[side]] == 0) {
      continue;
    }
    for (int i = 0; i < 6; i++) {
      mjtNum unit[6] = {0}, column[6], answer[6];
      ContactMotion to;
      unit[i] = 1;
      move_forces(answer, &to, w, side ? zero : unit, side ? unit : zero);
      contact_move_wrench(column, w, &to, answer);
      for (int r = 0; r < 6; r++) {
        own[6 * r + i] = column[r];
      }
    }
    contact_block_to_world(c->block[1][side].move, own, frame);
    for (int i = 0; i < 36; i++) {
      c->block[0][side].move[i] = -c->block[1][side].move[i];
    }
  }
  contact_damping(c->block[1][1].damp, w, frame);
  fill_stiffness(c, w, frame);
  v3_copy(wrench, w->force + 3);
  v3_copy(wrench + 3, w->force);
  contact_to_world(c->wrench[0], wrench, frame, -1);
  contact_to_world(c->wrench[1], wrench, frame, 1);
}

// Adds what moves the forces of w, which has all of them and what the rows answer.
static int couple(Couplings* of, ContactWork* w, const mjContact* con) {
  Coupling c;
  w->kinks = contact_geometry(&w->touch, of->m, of->d, con);
  w->kinks += contact_spin(w, of->m, of->d, con);
  for (int side = 0; side < 2; side++) {
    c.body[side] = contact_body(of->m, con, side);
    contact_twist(w->x[side], of->m, of->d, c.body[side], &of->X, con);
    contact_twist(w->v[side], of->m, of->d, c.body[side], &of->V, con);
  }
  fill_coupling(&c, w, of->m, con->frame);
  couplings_add(of, &c, con->pos);
  return w->kinks;
}

int contact_partials(Couplings* of, const RowLaw* law, const mjContact* con) {
  if (contact_is_flex(con)) {
    return contact_flex_partials(of, law, con);
  }
  ContactWork w = {.push = 0};
  if (!contact_take_law(&w, law, con)) {
    return 0;
  }
  if (!of->F_q) {
    Coupling c = {.body = {contact_body(of->m, con, 0), contact_body(of->m, con, 1)}};
    fill_stiffness(&c, &w, con->frame);
    couplings_add(of, &c, con->pos);
    return 0;
  }
  return couple(of, &w, con);
}

int contact_push(Couplings* of, const mjContact* con, mjtNum force) {
  ContactWork w = {.force = {force}};
  return force != 0 ? couple(of, &w, con) : 0;
}

// measures

int contact_measures(const ContactRows* rows, const Couplings* of, const RowLaw* law,
                     const mjContact* con) {
  if (contact_is_flex(con)) {
    return contact_flex_measures(rows, of, law, con);
  }
  static const mjtNum zero[6] = {0};
  ContactWork w = {.push = 0};
  if (!contact_take_law(&w, law, con) && !rows->motion) {
    return 0;
  }
  int kinks = contact_geometry(&w.touch, of->m, of->d, con) + contact_spin(&w, of->m, of->d, con);
  for (int side = 0; side < 2; side++) {
    int body = contact_body(of->m, con, side);
    contact_twist(w.x[side], of->m, of->d, body, &of->X, con);
    contact_twist(w.v[side], of->m, of->d, body, &of->V, con);
  }
  for (int side = 0; side < 2; side++) {
    int n, body = contact_body(of->m, con, side);
    const int* chain = jac_body_chain(&n, of->m, body);
    for (int i = 0; i < n; i++) {
      ContactMover by;
      ContactMotion to;
      mjtNum answer[6];
      contact_mover_make(&by, of, con, body, chain[i], side ? 1 : -1);
      move_forces(answer, &to, &w, side ? zero : by.S, side ? by.S : zero);
      contact_add_measures(rows, &w, &by, answer, &to);
    }
  }
  return kinks;
}
