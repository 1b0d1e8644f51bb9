// Rows of contacts: one, the directions of an elliptic cone, or the edges of a pyramid.
//                                                       theory/contact/constraints.md, Contact rows

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/rows/makers.h"
#include "model/behaviour.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/rod.h"

// Whether a contact is one of two geoms.
static int has_geoms(const mjContact* contact) {
  return contact->geom[0] >= 0 && contact->geom[1] >= 0;
}

void contact_bodies(RowBodies* bodies, const mjModel* m, const mjData* d,
                    const mjContact* contact) {
  if (has_geoms(contact)) {
    bodies->n = 2;  // the rest is too large to be cleared each time
    for (int side = 0; side < 2; side++) {
      bodies->body[side] = m->geom_bodyid[contact->geom[side]];
      bodies->weight[side] = side ? 1 : -1;
    }
    return;
  }
  FlexBodies flex;
  flex_contact_bodies(&flex, m, d, contact, 0);
  bodies->n = flex.n;
  memcpy(bodies->body, flex.body, (size_t)flex.n * sizeof(int));
  memcpy(bodies->weight, flex.weight, (size_t)flex.n * sizeof(mjtNum));
}

void contact_weight(mjtNum out[2], const mjModel* m, const mjData* d, const mjContact* contact) {
  if (has_geoms(contact)) {
    const int* body = m->geom_bodyid;
    const mjtNum* weight1 = m->body_invweight0 + 2 * body[contact->geom[0]];
    const mjtNum* weight2 = m->body_invweight0 + 2 * body[contact->geom[1]];
    out[0] = weight1[0] + weight2[0];
    out[1] = weight1[1] + weight2[1];
    return;
  }
  FlexBodies of;
  out[0] = out[1] = 0;
  int is_signed = behaves(m, cndBEHAVIOUR_flex);  // quadratic cells have negative weights
  flex_contact_bodies(&of, m, d, contact, !is_signed);
  for (int i = 0; i < of.n; i++) {
    const mjtNum* invweight = m->body_invweight0 + 2 * of.body[i];
    mjtNum own = i < of.second ? -of.weight[i] : of.weight[i];
    mjtNum weight = is_signed ? own : mju_abs(own);
    out[0] += weight * invweight[0];
    out[1] += weight * invweight[1];
  }
}

int contact_rows(int type[1], const mjModel* m, const mjContact* contact) {
  if (contact->dim == 1) {
    *type = mjCNSTR_CONTACT_FRICTIONLESS;
    return 1;
  }
  if (mj_isPyramidal(m)) {
    *type = mjCNSTR_CONTACT_PYRAMIDAL;
    return 2 * (contact->dim - 1);
  }
  *type = mjCNSTR_CONTACT_ELLIPTIC;
  return contact->dim;
}

// Wrenches of the rows of a contact, in whole vectors. Its directions are c_0 = normal force, c_1,
// c_2 = tangential forces, c_3..c_5 = torques about the same axes, phi_k = friction[k - 1] their
// coefficients.
//
//   frictionless   c_0
//   elliptic       c_0 .. c_{dim-1}
//   pyramidal      c_0 + phi_k c_k, c_0 - phi_k c_k   for k = 1..dim-1
//
// dim and pyramidal are constants where this is inlined.
//                                                       theory/contact/constraints.md, Contact rows
INLINE void wrenches_of(BodyWrench w, const mjContact* contact, const mjtNum arm[3], int dim,
                        int pyramidal) {
  mjtNum c[8][6] = {{0}}, phi[6] = {0};
  for (int k = 0; k < dim; k++) {
    if (k < 3) {
      v3_cross(c[k], arm, contact->frame + 3 * k);
      v3_copy(c[k] + 3, contact->frame + 3 * k);
    } else {
      v3_copy(c[k], contact->frame + 3 * (k - 3));
    }
  }
  for (int k = 0; k < dim - 1; k++) {
    phi[k] = contact->friction[k];
  }
  for (int i = 0; i < 6; i++) {
    for (int v = 0; pyramidal && 4 * v < 2 * (dim - 1); v++) {
      int k = 2 * v + 1;
      const Simd4 slide = {c[k][i], c[k][i], c[k + 1][i], c[k + 1][i]};
      const Simd4 edge = {phi[k - 1], -phi[k - 1], phi[k], -phi[k]};
      SIMD_AT(Simd4, w[i] + 4 * v) = c[0][i] + edge * slide;
    }
    for (int v = 0; !pyramidal && v < dim; v += 4) {
      SIMD_AT(Simd4, w[i] + v) = (Simd4){c[v][i], c[v + 1][i], c[v + 2][i], c[v + 3][i]};
    }
  }
}

// Calls f(..., dim, pyramidal) with constants for the dimensions that models have.
#define WITH_KIND(type, dim, f, ...)                              \
  switch ((type) == mjCNSTR_CONTACT_PYRAMIDAL ? -(dim) : (dim)) { \
    case -3:                                                      \
      f(__VA_ARGS__, 3, 1);                                       \
      break;                                                      \
    case -4:                                                      \
      f(__VA_ARGS__, 4, 1);                                       \
      break;                                                      \
    case -6:                                                      \
      f(__VA_ARGS__, 6, 1);                                       \
      break;                                                      \
    case 3:                                                       \
      f(__VA_ARGS__, 3, 0);                                       \
      break;                                                      \
    case 4:                                                       \
      f(__VA_ARGS__, 4, 0);                                       \
      break;                                                      \
    case 6:                                                       \
      f(__VA_ARGS__, 6, 0);                                       \
      break;                                                      \
    case 1:                                                       \
      f(__VA_ARGS__, 1, 0);                                       \
      break;                                                      \
    default:                                                      \
      f(__VA_ARGS__, dim, (type) == mjCNSTR_CONTACT_PYRAMIDAL);   \
      break;                                                      \
  }

// Also in lanes/rows/grounded.h and lanes/rows/contacts.h.
static KERNEL void contact_wrenches(BodyWrench w, const mjContact* contact, int type,
                                    const mjtNum arm[3]) {
  WITH_KIND(type, contact->dim, wrenches_of, w, contact, arm)
}

// The last dof that moves a body, -1 if none does.
static inline int last_dof(const mjModel* m, int body) {
  int weld = m->body_weldid[body], ndof = m->body_dofnum[weld];
  return ndof ? m->body_dofadr[weld] + ndof - 1 : -1;
}

// Whether the same dofs move both geoms of a contact.
static int moves_nothing(const mjModel* m, const mjContact* contact) {
  const int* body = m->geom_bodyid;
  return has_geoms(contact) &&
         last_dof(m, body[contact->geom[0]]) == last_dof(m, body[contact->geom[1]]);
}

// One column of nrow rows: sign times the power of the wrenches along the dof's axis.
INLINE void put_column(mjtNum* J, int nv, const mjtNum cdof[6], mjtNum sign, const BodyWrench w,
                       int nrow) {
  for (int v = 0; v < nrow; v += 4) {
    Simd4 sum = {0};
    for (int i = 0; i < 6; i++) {
      sum += cdof[i] * SIMD_READ(Simd4, w[i] + v);
    }
    sum *= sign;
    for (int r = v; r < nrow && r < v + 4; r++) {
      J[(size_t)r * nv] = sum[r - v];
    }
  }
}

// The rows of a contact of two geoms, computed in place, from the last dof to the first. It ends at
// a dof that moves both bodies: that dof and its ancestors move neither against the other.
INLINE void columns_of(mjtNum* J, const mjModel* m, const mjData* d, const mjContact* contact,
                       int dim, int pyramidal) {
  const int nrow = pyramidal ? 2 * (dim - 1) : dim;
  const int *parent = m->dof_parentid, *body = m->geom_bodyid;
  int root[2], dof[2];
  BodyWrench w[2];
  for (int side = 0; side < 2; side++) {
    root[side] = m->body_rootid[body[contact->geom[side]]];
    dof[side] = last_dof(m, body[contact->geom[side]]);
  }
  int same = root[0] == root[1];
  for (int side = 0; side < 2; side++) {
    if (dof[side] >= 0 && (!side || !same || dof[0] < 0)) {
      mjtNum arm[3];
      v3_sub(arm, contact->pos, d->subtree_com + 3 * root[side]);
      wrenches_of(w[same ? 0 : side], contact, arm, dim, pyramidal);
    }
  }
  while (dof[0] != dof[1]) {
    int side = dof[1] > dof[0], i = dof[side];
    put_column(J + i, m->nv, d->cdof + 6 * i, side ? 1 : -1, w[same ? 0 : side], nrow);
    dof[side] = parent[i];
  }
}

static KERNEL void contact_columns(mjtNum* J, const mjModel* m, const mjData* d,
                                   const mjContact* contact, int type) {
  WITH_KIND(type, contact->dim, columns_of, J, m, d, contact)
}

// Replaces the wrenches on the three bodies of an edge of a rod, from `first` on in the list: each
// row has another force on each vertex, and a torque on the hinge.
static void grip_wrenches(BodyJacobian* bodies, const RowSink* sink, const mjContact* contact,
                          int type, int nrow, const RodGrip* grip, int first, mjtNum sign) {
  const mjtNum none[3] = {0, 0, 0};
  BodyWrench at;
  contact_wrenches(at, contact, type, none);
  for (int i = 0; i < 3; i++) {
    bodies->of.weight[first + i] = sign;
  }
  for (int r = 0; r < nrow; r++) {
    mjtNum f[3], s[3], vertex[2][3], torque[3];
    for (int k = 0; k < 3; k++) {
      s[k] = at[k][r];
      f[k] = at[3 + k][r];
    }
    rod_grip_forces(vertex, torque, grip, f, s);
    for (int i = 0; i < 3; i++) {
      mjtNum arm[3], turn[3];
      bodies_arm(arm, bodies, sink, first + i, grip->x[i & 1]);
      v3_cross(turn, arm, vertex[i & 1]);
      for (int k = 0; k < 3; k++) {
        bodies->wrench[first + i][k][r] = i == 2 ? torque[k] : turn[k];
        bodies->wrench[first + i][3 + k][r] = i == 2 ? 0 : vertex[i][k];
      }
    }
  }
}

// The sides of a contact that are edges of rods.
static void grip_rods(BodyJacobian* bodies, const RowSink* sink, const mjContact* contact, int type,
                      int nrow) {
  for (int side = 0; side < 2; side++) {
    RodGrip grip;
    if (rod_grip(&grip, sink->m, sink->d, contact, side)) {
      grip_wrenches(bodies, sink, contact, type, nrow, &grip, side ? bodies->of.n - 3 : 0,
                    side ? 1 : -1);
    }
  }
}

// Selects the bodies of a contact; returns the number of columns of its rows. Contacts of the same
// two geoms follow each other.
static int select_bodies(BodyJacobian* bodies, const RowSink* sink, const mjContact* contact) {
  const int* body = sink->m->geom_bodyid;
  if (has_geoms(contact) && bodies->of.n == 2 && bodies->of.body[0] == body[contact->geom[0]] &&
      bodies->of.body[1] == body[contact->geom[1]]) {
    bodies->of.weight[0] = -1;
    bodies->of.weight[1] = 1;
    return bodies->n;
  }
  RowBodies of;  // too large to be cleared each time
  contact_bodies(&of, sink->m, sink->d, contact);
  return bodies_select(bodies, sink, &of);
}

static void add_contact(RowSink* sink, BodyJacobian* bodies, mjContact* contact, int id) {
  int type, nrow = contact_rows(&type, sink->m, contact);
  // friction dimensions of an elliptic cone have no position
  int npos = type == mjCNSTR_CONTACT_ELLIPTIC ? 1 : nrow;
  const RowKind kind = {type, id, npos, contact->dist, contact->includemargin};

  // bodies that don't move against each other have no rows; in 3.3.7 dense ones of zeros
  if (behaves(sink->m, cndBEHAVIOUR_pathdofs) && moves_nothing(sink->m, contact)) {
    contact->exclude = 3;
    return;
  }

  // dense rows need no list of dofs, so their count is nv
  if (!sink->sparse && (sink->measuring || has_geoms(contact))) {
    if (sink_wants(sink, nrow, sink->m->nv)) {
      contact->efc_address = sink->row;
      contact_columns(sink_rows(sink, &kind, nrow), sink->m, sink->d, contact, type);
    }
    return;
  }

  int ncolumn = select_bodies(bodies, sink, contact);
  if (!sink_wants(sink, nrow, ncolumn)) {
    if (sink->sparse && !ncolumn) {
      contact->exclude = 3;
    }
    return;
  }
  for (int i = 0; i < bodies->of.n; i++) {
    mjtNum arm[3];
    if (bodies_arm(arm, bodies, sink, i, contact->pos)) {
      contact_wrenches(bodies->wrench[i], contact, type, arm);
    }
  }
  if (sink->m->nplastic && !has_geoms(contact)) {
    grip_rods(bodies, sink, contact, type, nrow);
  }
  contact->efc_address = sink->row;
  if (sink->sparse) {
    mjtNum* J = sink_sparse_rows(sink, &kind, nrow, bodies->dof, bodies->n);
    bodies_rows(J, bodies, sink->d, nrow);
    return;
  }
  mjtNum pos[MAXROW], margin[MAXROW];
  for (int r = 0; r < nrow; r++) {
    pos[r] = r < npos ? kind.pos : 0;
    margin[r] = r < npos ? kind.margin : 0;
  }
  RowJacobian jacobian = bodies_jacobian(bodies, sink->d, nrow);
  sink_put(sink, type, id, nrow, &jacobian, pos, margin, 0);
}

void rows_contacts(RowSink* sink, BodyJacobian* bodies, int begin, int end) {
  const mjModel* m = sink->m;
  mjData* d = sink->d;
  if (m->opt.disableflags & mjDSBL_CONTACT || !m->nv) {
    return;
  }
  for (int i = begin; i < end; i++) {
    if (m->nflex && flex_is_passive(m, d->contact + i)) {
      d->contact[i].exclude = 4;
      d->contact[i].efc_address = -1;
    }
    if (!d->contact[i].exclude) {
      add_contact(sink, bodies, d->contact + i, i);
    }
  }
}
