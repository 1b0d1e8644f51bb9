// Steps that all contacts share: the frame, how it turns with the normal, the motion of the contact
// by a pair of twists, and the change of rows, forces and wrench that follows.

#include "derivative/constraint/contact_work.h"

#include "base/algebra/vec.h"
#include "derivative/constraint/row_reference.h"

int contact_body(const mjModel* m, const mjContact* con, int side) {
  return m->geom_bodyid[con->geom[side]];
}

// The first tangent is the projection of a vector e across the normal, g = e - n (n.e),
// t1 = g / |g|. e is constant, or the axis of a capsule on a plane. The frame turns by n x dn + tau
// n with
//
//   tau = t2 . (e' - dn (n.e)) / |g|
//                                              theory/time/constraint-derivatives.md, Contact frame
// Also contact_frame in collision/contact_param.c.
int contact_spin(ContactWork* w, const mjModel* m, const mjData* d, const mjContact* con) {
  const mjtNum* n = con->frame;
  int is_capsule = con->geom[0] >= 0 && con->geom[1] >= 0 &&
                   m->geom_type[con->geom[0]] == mjGEOM_PLANE &&
                   m->geom_type[con->geom[1]] == mjGEOM_CAPSULE;
  mjtNum e[3] = {0, 0, 0};
  if (is_capsule) {
    m3_column(e, d->geom_xmat + 9 * con->geom[1], 2);
  } else {
    e[mju_abs(n[1]) < (mjtNum)0.5 ? 1 : 2] = 1;
  }
  mjtNum along = v3_dot(n, e), across = mju_sqrt(num_max(0, 1 - along * along));
  v3_zero(w->spin);
  v3_zero(w->about);
  if (across < (mjtNum)1e-7) {
    return 1;
  }
  w->spin[2] = -along / across;
  if (is_capsule) {
    // t2 . (turn x e) = turn . (e x t2)
    mjtNum t[3];
    v3_cross(t, e, con->frame + 6);
    m3_mulv(w->about, con->frame, t);
    v3_scl(w->about, w->about, 1 / across);
  }
  return !is_capsule && mju_abs(mju_abs(n[1]) - (mjtNum)0.5) < (mjtNum)1e-12;
}

void contact_move(ContactMotion* out, const ContactWork* w, const mjtNum E1[6],
                  const mjtNum E2[6]) {
  mjtNum U[6], dn[3] = {0, E1[2], -E1[1]};
  for (int i = 0; i < 6; i++) {
    U[i] = E2[i] - E1[i];
  }
  out->dist = sp_dot(w->geometry.dist, U);
  for (int i = 0; i < 3; i++) {
    out->pos[i] = E1[3 + i] + sp_dot(w->geometry.pos[i], U);
  }
  dn[1] += sp_dot(w->geometry.normal[0], U);
  dn[2] += sp_dot(w->geometry.normal[1], U);
  v3_set(out->turn, v3_dot(w->spin, dn) + v3_dot(w->about, E2), -dn[2], dn[1]);
}

void contact_move_rows(mjtNum out[6], const ContactMotion* to, const mjtNum A[6],
                       const mjtNum DA[6]) {
  mjtNum turned[3];
  v3_cross(turned, to->turn, A);
  v3_sub(out + 3, DA, turned);
  v3_cross(turned, to->turn, A + 3);
  v3_sub(out, DA + 3, turned);
  v3_crossadd(out, A, to->pos, out);
}

void contact_move_forces(mjtNum response[6], const ContactWork* w, const ContactMotion* to,
                         const mjtNum x[6], const mjtNum v[6]) {
  mjtNum y[6];
  for (int k = 0; k < 6; k++) {
    y[k] = x[k] + w->damping[k] * v[k] + w->spring[k] * to->dist;
  }
  for (int k = 0; k < 6; k++) {
    response[k] = w->sigma * to->dist * w->weighed[k] - sp_dot(w->Hs + 6 * k, y);
  }
  response[0] += w->push * to->dist;
}

void contact_move_wrench(mjtNum out[6], const ContactWork* w, const ContactMotion* to,
                         const mjtNum response[6]) {
  mjtNum t[3];
  v3_cross(out + 3, to->turn, w->force);
  v3_addto(out + 3, response);
  v3_cross(out, to->turn, w->force + 3);
  v3_cross(t, to->pos, w->force);
  v3_addto(out, t);
  v3_addto(out, response + 3);
}

void contact_to_world(mjtNum out[6], const mjtNum wrench[6], const mjtNum frame[9], mjtNum sign) {
  m3_tmulv(out, frame, wrench);
  m3_tmulv(out + 3, frame, wrench + 3);
  for (int i = 0; i < 6; i++) {
    out[i] *= sign;
  }
}

// out = diag(R, R)' A diag(R, R)
void contact_block_to_world(mjtNum out[36], const mjtNum A[36], const mjtNum R[9]) {
  mjtNum half[36];
  for (int i = 0; i < 6; i++) {
    m3_tmulv(half + 6 * i, R, A + 6 * i);
    m3_tmulv(half + 6 * i + 3, R, A + 6 * i + 3);
  }
  for (int c = 0; c < 6; c++) {
    for (int part = 0; part < 2; part++) {
      const mjtNum* from = half + 18 * part + c;
      for (int i = 0; i < 3; i++) {
        out[18 * part + 6 * i + c] = R[i] * from[0] + R[3 + i] * from[6] + R[6 + i] * from[12];
      }
    }
  }
}

// Hs diag(scale) with rows and columns in the order of spatial vectors, torques first; directions
// of the contact have forces first.
static void reorder(mjtNum out[36], const mjtNum Hs[36], const mjtNum* scale) {
  for (int i = 0; i < 6; i++) {
    for (int j = 0; j < 6; j++) {
      int from = (j + 3) % 6;
      out[6 * i + j] = Hs[6 * ((i + 3) % 6) + from] * (scale ? scale[from] : 1);
    }
  }
}

// Also lane_contact_stiffness in lanes/rows/grounded.h.
void contact_stiffness(mjtNum out[36], const ContactWork* w, const mjtNum frame[9]) {
  mjtNum in_frame[36];
  reorder(in_frame, w->Hs, NULL);
  contact_block_to_world(out, in_frame, frame);
}

void contact_damping(mjtNum out[36], const ContactWork* w, const mjtNum frame[9]) {
  mjtNum in_frame[36];
  reorder(in_frame, w->Hs, w->damping);
  contact_block_to_world(out, in_frame, frame);
}

// The spatial vector S of a body about the contact, in its frame.
static void contact_in_frame(mjtNum out[6], const mjModel* m, const mjData* d, int body,
                             const mjtNum S[6], const mjContact* con) {
  mjtNum world[6];
  twist_at(world, m, d, body, S, con->pos);
  m3_mulv(out, con->frame, world);
  m3_mulv(out + 3, con->frame, world + 3);
}

void contact_twist(mjtNum out[6], const mjModel* m, const mjData* d, int body, const Twists* W,
                   const mjContact* con) {
  contact_in_frame(out, m, d, body, W->body + 6 * body, con);
}

// Also mj_passive in smooth/passive.c.
int contact_take_law(ContactWork* w, const RowLaw* law, const mjContact* con) {
  int any = 0;
  if (con->efc_address < 0) {
    return 0;
  }
  contact_law(w->force, w->Hs, w->damping, law, con);
  reference_springs(w->spring, law->m, law->d, con);
  w->sigma = row_sigma(law, con->efc_address);
  contact_weighed(w->weighed, law, con);
  for (int k = 0; k < 6; k++) {
    any |= w->force[k] != 0 || w->Hs[7 * k] != 0;
  }
  mjtNum attraction = law->attracts ? con->adhesion : 0;
  w->force[0] -= attraction;
  return any || attraction != 0;
}

void contact_responses(mjtNum response[6], mjtNum damped[6], const ContactWork* w,
                       const RowLaw* law, const mjContact* con, const mjtNum along[6]) {
  for (int k = 0; k < 6; k++) {
    response[k] = -sp_dot(w->Hs + 6 * k, along);
  }
  contact_response(response, law, con);
  for (int k = 0; k < 6; k++) {
    damped[k] = w->damping[k] * response[k];
  }
}

static mjtNum direction_response(const ContactWork* w, int k, const mjtNum motion[6],
                                 const mjtNum* scale) {
  mjtNum sum = 0;
  for (int i = 0; i < 6; i++) {
    sum -= w->Hs[6 * k + i] * motion[(i + 3) % 6] * (scale ? scale[i] : 1);
  }
  return sum;
}

void contact_mover_make(ContactMover* out, const Couplings* of, const mjContact* con, int body,
                        int dof, mjtNum weight) {
  out->dof = dof;
  out->weight = weight;
  contact_in_frame(out->S, of->m, of->d, body, of->d->cdof + 6 * dof, con);
  contact_in_frame(out->rate[0], of->m, of->d, body, of->rate_x + 6 * dof, con);
  contact_in_frame(out->rate[1], of->m, of->d, body, of->rate_v + 6 * dof, con);
}

void contact_add_measures(const ContactRows* rows, const ContactWork* w, const ContactMover* by,
                          const mjtNum response[6], const ContactMotion* to) {
  int j = by->dof;
  for (int k = 0; k < rows->forces; k++) {
    rows->q[k][j] += response[k] + by->weight * (direction_response(w, k, by->rate[0], NULL) +
                                                 direction_response(w, k, by->rate[1], w->damping));
    rows->v[k][j] += by->weight * direction_response(w, k, by->S, w->damping);
    rows->x[k][j] += by->weight * direction_response(w, k, by->S, NULL);
  }
  if (rows->motion) {
    rows->motion[j].dist += to->dist;
    v3_addto(rows->motion[j].turn, to->turn);
    v3_addto(rows->motion[j].pos, to->pos);
  }
}
