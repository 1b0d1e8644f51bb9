// grounded.h: contacts with the fixed world without a Jacobian, where many share long chains:
// a row is a number y + J a of the twist of the body, a force is a wrench on it, and its stiffness
// is one of the body.
//
//   J s    T = sum of S_j s_j outwards        c_0 = n . p, c_k = phi_k t_k . p,  p = T.u + T.w x r
//   J' f   wrench (r x f, f), summed inwards, S_j . W
//   H      K = stiffness of the contact about the com, summed inwards; H_ij += S_j . K S_i
//
// So their cost hardly grows with their number.        theory/time/lanes.md, Rows without Jacobians

#pragma once

#include "lanes/dynamics/panels.h"
#include "lanes/laws/contact_law.h"
#include "lanes/rows/trees.h"
#include "lanes/work.h"

// Where a contact is.
INLINE Real3 contact_point(const Work* w, const LaneContact* contact, const ContactSlot* slot) {
  return r3_add(slot->r, w->com[w->m->body_rootid[contact_mover(contact)]]);
}

// Motions along the directions of a contact, of a body with twist T whose point is at r.
// Also wrenches_of in constraint/rows/contact_wrench.h.
INLINE void lane_directions_motion(Real out[6], const ContactSlot* slot, const ContactConstants* c,
                                   int dim, Real6 T, Real3 r) {
  Real3 p = r3_crossadd(T.w, r, T.u);
  out[0] = r3_dot(slot->n, p);
  if (dim > 1) {
    out[1] = c->friction[0] * r3_dot(slot->t, p);
    out[2] = c->friction[1] * r3_dot(slot->b, p);
  }
  if (dim > 3) {
    out[3] = c->friction[2] * r3_dot(slot->n, T.w);
  }
  if (dim > 4) {
    out[4] = c->friction[3] * r3_dot(slot->t, T.w);
    out[5] = c->friction[4] * r3_dot(slot->b, T.w);
  }
}

// Of the body that moves against the fixed one.
INLINE void grounded_motion(Real out[6], const ContactSlot* slot, const ContactConstants* c,
                            const LaneContact* contact, const Real6* twist, int dim) {
  lane_directions_motion(out, slot, c, dim, twist[contact_mover(contact)], slot->r);
  for (int i = 0; !contact->body[1] && i < dim; i++) {
    out[i] = -out[i];
  }
}

// Marks a body and all that carry it.
static void ground(Work* w, int body) {
  for (; body && !w->grounded[body]; body = w->m->body_parentid[body]) {
    w->grounded[body] = w->has_grounded = 1;
  }
}

static void grounded_clear(Work* w) {
  for (int b = 0; w->has_grounded && b < w->m->nbody; b++) {
    w->grounded[b] = 0;
  }
  w->has_grounded = 0;
}

// Twists of grounded bodies, outwards.
static void grounded_twists(Work* w, const Real* s) {
  const mjModel* m = w->m;
  w->twist[0] = REAL6_ZERO;
  for (int b = 1; w->has_grounded && b < m->nbody; b++) {
    if (w->grounded[b]) {
      Real6 T = w->twist[m->body_parentid[b]];
      for (int i = m->body_dofadr[b]; i < m->body_dofadr[b] + m->body_dofnum[b]; i++) {
        T = r6_addscale(T, w->cdof[i], s[i]);
      }
      w->twist[b] = T;
    }
  }
}

// The wrench of a contact's force f on the second body, and minus that on the first, each about the
// com of its tree.
INLINE Real6 lane_contact_wrench(Real6* first, const ContactSlot* slot, const ContactConstants* c,
                                 const Real f[6], int dim) {
  Real3 force = r3_scale(slot->n, f[0]), torque = REAL3_ZERO;
  if (dim > 1) {
    force = r3_addscale(force, slot->t, c->friction[0] * f[1]);
    force = r3_addscale(force, slot->b, c->friction[1] * f[2]);
  }
  if (dim > 3) {
    torque = r3_scale(slot->n, c->friction[2] * f[3]);
  }
  if (dim > 4) {
    torque = r3_addscale(torque, slot->t, c->friction[3] * f[4]);
    torque = r3_addscale(torque, slot->b, c->friction[4] * f[5]);
  }
  *first = (Real6){r3_crossadd(slot->r1, force, torque), force};
  return (Real6){r3_crossadd(slot->r, force, torque), force};
}

// Adds the wrenches of a contact's force to those of its bodies.
INLINE void lane_contact_push(Work* w, const LaneContact* contact, const ContactSlot* slot,
                              const ContactConstants* c, const Real f[6], int dim) {
  Real6 first, second = lane_contact_wrench(&first, slot, c, f, dim);
  Real6 *one = w->wrench + contact->body[0], *two = w->wrench + contact->body[1];
  if (contact->body[1]) {
    *two = r6_add(*two, second);
  }
  if (contact->body[0]) {
    *one = r6_addscale(*one, first, lane_real_of(-1));
  }
}

static void wrenches_clear(Work* w) {
  for (int b = 0; b < w->m->nbody; b++) {
    w->wrench[b] = REAL6_ZERO;
  }
}

// Wrenches of grounded bodies inwards, and onto their dofs.
static void grounded_forces(Work* w, Real* out) {
  const mjModel* m = w->m;
  for (int b = m->nbody - 1; w->has_grounded && b > 0; b--) {
    int parent = m->body_parentid[b];
    if (w->grounded[b]) {
      for (int i = m->body_dofadr[b]; i < m->body_dofadr[b] + m->body_dofnum[b]; i++) {
        out[i] += r6_dot(w->cdof[i], w->wrench[b]);
      }
      if (parent) {
        w->wrench[parent] = r6_add(w->wrench[parent], w->wrench[b]);
      }
    }
  }
}

// stiffness

// a b' added to a symmetric matrix xx yy zz xy xz yz
INLINE void lane_add_outer(Real out[6], Real3 a, Real3 b) {
  out[0] = real_muladd(a.x, b.x, out[0]);
  out[1] = real_muladd(a.y, b.y, out[1]);
  out[2] = real_muladd(a.z, b.z, out[2]);
  out[3] = real_muladd(a.x, b.y, out[3]);
  out[4] = real_muladd(a.x, b.z, out[4]);
  out[5] = real_muladd(a.y, b.z, out[5]);
}

INLINE void lane_add_product(Real out[9], Real3 a, Real3 b) {
  out[0] = real_muladd(a.x, b.x, out[0]);
  out[1] = real_muladd(a.x, b.y, out[1]);
  out[2] = real_muladd(a.x, b.z, out[2]);
  out[3] = real_muladd(a.y, b.x, out[3]);
  out[4] = real_muladd(a.y, b.y, out[4]);
  out[5] = real_muladd(a.y, b.z, out[5]);
  out[6] = real_muladd(a.z, b.x, out[6]);
  out[7] = real_muladd(a.z, b.y, out[7]);
  out[8] = real_muladd(a.z, b.z, out[8]);
}

INLINE Real3 r3_combine(Real a, Real3 x, Real b, Real3 y, Real c, Real3 z) {
  return r3_addscale(r3_addscale(r3_scale(x, a), y, b), z, c);
}

// Of normal and tangents: K += the stiffness C = frame h frame' of the point, moved to the com:
//
//   | [r] C [r]'   [r] C |
//   | ([r] C)'     C     |
INLINE void point_stiffness(Stiffness21* K, const ContactSlot* slot, const ContactConstants* c,
                            const Real h[6][6], int dim) {
  Real3 n = slot->n, t = r3_scale(slot->t, real_constant(c->friction[0]));
  Real3 b = r3_scale(slot->b, real_constant(c->friction[1])), column[3];
  if (dim == 1) {
    column[0] = r3_scale(n, h[0][0] * n.x);
    column[1] = r3_scale(n, h[0][0] * n.y);
    column[2] = r3_scale(n, h[0][0] * n.z);
  } else {
    Real3 gn = r3_combine(h[0][0], n, h[1][0], t, h[2][0], b);
    Real3 gt = r3_combine(h[1][0], n, h[1][1], t, h[2][1], b);
    Real3 gb = r3_combine(h[2][0], n, h[2][1], t, h[2][2], b);
    column[0] = r3_combine(gn.x, n, gt.x, t, gb.x, b);
    column[1] = r3_combine(gn.y, n, gt.y, t, gb.y, b);
    column[2] = r3_combine(gn.z, n, gt.z, t, gb.z, b);
    column[1].x = column[0].y;
    column[2].x = column[0].z;
    column[2].y = column[1].z;
  }
  Real3 x = r3_cross(slot->r, column[0]), y = r3_cross(slot->r, column[1]);
  Real3 z = r3_cross(slot->r, column[2]), r = slot->r;
  // rows of [r] C, whose columns are x, y, z; those of [r] C [r]' are r x row
  const Real3 row[3] = {{x.x, y.x, z.x}, {x.y, y.y, z.y}, {x.z, y.z, z.z}};
  Real3 turned[3];
  for (int i = 0; i < 3; i++) {
    turned[i] = r3_cross(r, row[i]);
    K->wu[3 * i] += row[i].x;
    K->wu[3 * i + 1] += row[i].y;
    K->wu[3 * i + 2] += row[i].z;
  }
  const Real ww[6] = {turned[0].x, turned[1].y, turned[2].z, turned[0].y, turned[0].z, turned[1].z};
  const Real uu[6] = {column[0].x, column[1].y, column[2].z, column[0].y, column[0].z, column[1].z};
  for (int i = 0; i < 6; i++) {
    K->ww[i] += ww[i];
    K->uu[i] += uu[i];
  }
}

// Of spin and rolling: torques, and what couples them to the forces at the point. With the wrenches
// w_i of unit forces along the directions K += w_i h_ij w_j' for i >= 3 or j >= 3.
INLINE void spin_stiffness(Stiffness21* K, const ContactSlot* slot, const ContactConstants* c,
                           const Real h[6][6], int dim) {
  const Real3 axis[3] = {slot->n, slot->t, slot->b};
  Real3 a[6], torque[6];
  for (int i = 0; i < dim; i++) {
    a[i] = i ? r3_scale(axis[i % 3], real_constant(c->friction[i - 1])) : axis[0];
    torque[i] = i < 3 ? r3_cross(slot->r, a[i]) : a[i];
  }
  for (int i = 3; i < dim; i++) {
    for (int j = 0; j <= i; j++) {
      Real3 scaled = r3_scale(torque[i], h[i][j]);
      lane_add_outer(K->ww, scaled, torque[j]);
      if (j < i) {
        lane_add_outer(K->ww, torque[j], scaled);
      }
      if (j < 3) {
        lane_add_product(K->wu, scaled, a[j]);
      }
    }
  }
}

// Also contact_stiffness in derivative/constraint/contact_work.c.
INLINE void lane_contact_stiffness(Stiffness21* K, const ContactSlot* slot,
                                   const ContactConstants* c, const Real h[6][6], int dim) {
  point_stiffness(K, slot, c, h, dim);
  spin_stiffness(K, slot, c, h, dim);
}

INLINE void stiffness_addto(Stiffness21* sum, const Stiffness21* K) {
  for (int i = 0; i < 6; i++) {
    sum->ww[i] += K->ww[i];
    sum->uu[i] += K->uu[i];
  }
  for (int i = 0; i < 9; i++) {
    sum->wu[i] += K->wu[i];
  }
}

INLINE void stiffness_copy(Stiffness21* to, const Stiffness21* K) {
  copy_reals(to->ww, K->ww, 6);
  copy_reals(to->wu, K->wu, 9);
  copy_reals(to->uu, K->uu, 6);
}

INLINE Real3 symmetric_mul(const Real K[6], Real3 a) {
  return (Real3){real_muladd(K[4], a.z, real_muladd(K[3], a.y, K[0] * a.x)),
                 real_muladd(K[5], a.z, real_muladd(K[1], a.y, K[3] * a.x)),
                 real_muladd(K[2], a.z, real_muladd(K[5], a.y, K[4] * a.x))};
}

// K S
INLINE Real6 stiffness_mul(const Stiffness21* K, Real6 S) {
  const Real33 wu = {{K->wu[0], K->wu[1], K->wu[2]},
                     {K->wu[3], K->wu[4], K->wu[5]},
                     {K->wu[6], K->wu[7], K->wu[8]}};
  return (Real6){r33_muladd(&wu, S.u, symmetric_mul(K->ww, S.w)),
                 r3_add(r33_tmul(&wu, S.w), symmetric_mul(K->uu, S.u))};
}

static void stiffnesses_clear(Work* w) {
  for (int b = 1; b < w->m->nbody; b++) {
    w->is_stiff[b] = 0;
  }
}

// The stiffness of a body, to be added to.
static Stiffness21* stiffness_to_add(Work* w, int body) {
  Stiffness21* K = w->stiffness + body;
  if (!w->is_stiff[body]) {
    w->is_stiff[body] = 1;
    clear_reals(K->ww, 6);
    clear_reals(K->wu, 9);
    clear_reals(K->uu, 6);
  }
  return K;
}

// Adds the stiffness of grounded bodies to those that carry them.
static void stiffnesses_gather(Work* w) {
  const int* parent = w->m->body_parentid;
  for (int b = w->m->nbody - 1; b > 0; b--) {
    int to = parent[b];
    if (!w->is_stiff[b] || !to) {
      continue;
    }
    if (w->is_stiff[to]) {
      stiffness_addto(w->stiffness + to, w->stiffness + b);
    } else {
      stiffness_copy(w->stiffness + to, w->stiffness + b);
      w->is_stiff[to] = 1;
    }
  }
}

// H_ij = M_ij + S_j . K S_i in the first rows of a panel, whose S_j are loaded once for all.
INLINE void grounded_rows(Work* w, const LanePanel* panel, const int* column, int P) {
  Real6 F[PANEL_MOST];
  const Real* from[PANEL_MOST];
  Real* row[PANEL_MOST];
  UNROLL
  for (int q = 0; q < P; q++) {
    int i = panel->first + q;
    F[q] = stiffness_mul(w->stiffness + w->m->dof_bodyid[i], w->cdof[i]);
    from[q] = w->M + lane_row_at(i);
    row[q] = w->H + lane_row_at(i);
    UNROLL
    for (int b = 0; b <= q; b++) {
      int j = panel->first + b;
      row[q][j] = from[q][j] + r6_dot(F[q], w->cdof[j]);
    }
  }
  int a = 0, root = panel->n ? w->m->dof_jntid[column[0]] : 0;
  if (panel->n > 3 && w->m->jnt_type[root] == mjJNT_FREE) {
    UNROLL
    for (int q = 0; q < P; q++) {  // translations of a free joint: S_j is a unit force
      Real* to = row[q] + column[0];
      const Real* M = from[q] + column[0];
      to[0] = M[0] + F[q].u.x;
      to[1] = M[1] + F[q].u.y;
      to[2] = M[2] + F[q].u.z;
    }
    a = 3;
  }
  for (; a < panel->n; a++) {
    Real6 S = w->cdof[column[a]];
    UNROLL
    for (int q = 0; q < P; q++) {
      row[q][column[a]] = from[q][column[a]] + r6_dot(F[q], S);
    }
  }
}

// Stiffness of grounded bodies inwards, and H_ij = M_ij + S_j . K S_i; other rows are M's.
static void grounded_hessian(Work* w) {
  const LanePattern* p = w->own;
  stiffnesses_gather(w);
  for (int k = 0; k < p->npanel; k++) {
    const LanePanel* panel = p->panel + k;
    const int* column = p->column + panel->column;
    int count = 0;
    while (count < panel->count && w->is_stiff[w->m->dof_bodyid[panel->first + count]]) {
      count++;
    }
    if (count) {
      WITH_ROWS(count, grounded_rows, w, panel, column)
    }
    for (int i = panel->first + count; i < panel->first + panel->count; i++) {
      const Real* from = w->M + lane_row_at(i);
      Real* row = w->H + lane_row_at(i);
      for (int a = 0; a < panel->n; a++) {
        row[column[a]] = from[column[a]];
      }
      for (int j = panel->first; j <= i; j++) {
        row[j] = from[j];
      }
    }
  }
}
