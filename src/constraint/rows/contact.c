// Rows of contacts: one, the directions of an elliptic cone, or the edges of a pyramid.
//                                                       theory/contact/constraints.md, Contact rows

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <stddef.h>
#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/rows/contact_parameters.h"
#include "constraint/rows/contact_wrench.h"
#include "constraint/rows/floating_rows.h"
#include "constraint/rows/makers.h"
#include "model/behaviour.h"
#include "smooth/flex/flex.h"
#include "smooth/flex/rod.h"

static KERNEL void contact_wrenches(BodyWrench w, const mjContact* contact, int type,
                                    const mjtNum arm[3]) {
  WITH_CONE_AND_DIM(type, contact->dim, wrenches_of, w, contact, arm)
}

// The last dof that moves a body, -1 if none does.
static inline int last_dof(const mjModel* m, int body) {
  int weld = m->body_weldid[body], ndof = m->body_dofnum[weld];
  return ndof ? m->body_dofadr[weld] + ndof - 1 : -1;
}

// Whether the same dofs move both geoms of a contact.
static int moves_nothing(const mjModel* m, const mjContact* contact) {
  const int* body = m->geom_bodyid;
  return contact_has_geoms(contact) &&
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
  WITH_CONE_AND_DIM(type, contact->dim, columns_of, J, m, d, contact)
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
  if (contact_has_geoms(contact) && bodies->of.n == 2 &&
      bodies->of.body[0] == body[contact->geom[0]] &&
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
  const RowKind kind = row_kind_of(type, nrow, contact, id);

  // bodies that don't move against each other have no rows; in 3.3.7 dense ones of zeros
  if (behaves(sink->m, cndBEHAVIOUR_pathdofs) && moves_nothing(sink->m, contact)) {
    contact->exclude = 3;
    return;
  }

  // dense rows need no list of dofs, so their count is nv
  if (!sink->sparse && (sink->measuring || contact_has_geoms(contact))) {
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
  if (sink->m->nplastic && !contact_has_geoms(contact)) {
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
    pos[r] = r < kind.npos ? kind.pos : 0;
    margin[r] = r < kind.npos ? kind.margin : 0;
  }
  RowJacobian jacobian = bodies_jacobian(bodies, sink->d, nrow);
  sink_put(sink, type, id, nrow, &jacobian, pos, margin, 0);
}

// The rows of contacts [i, end), which share their parameters, of free bodies.
static void add_floating_contacts(RowSink* sink, const FloatingPair* pair, int i, int end) {
  int type, nrow = contact_rows(&type, sink->m, sink->d->contact + i);
  int column[MOST_FLOATING_COLUMNS];
  if (!sink_wants(sink, (end - i) * nrow, pair->n)) {
    return;
  }
  floating_columns(column, pair);
  mjtNum* J = sink_same_contacts(sink, type, nrow, i, end, column, pair->n);
  floating_rows(J, sink->d, pair, sink->d->contact + i, end - i, type);
}

// The end of the contacts from i on, none of them beyond `end`, that have its geoms and share its
// parameters; these don't matter to who only counts.
static int same_contacts(const RowSink* sink, int i, int end) {
  const mjContact* first = sink->d->contact + i;
  int n = 1;
  while (contact_has_geoms(first) && i + n < end && !first[n].exclude &&
         (sink->measuring ? contact_same_geoms(first, first + n)
                          : contact_same_parameters(first, first + n))) {
    n++;
  }
  return i + n;
}

// The rows of contacts [i, end) that share their parameters, or of one.
static void put_contacts(RowSink* sink, BodyJacobian* bodies, int i, int end) {
  const mjModel* m = sink->m;
  const mjContact* contact = sink->d->contact + i;
  FloatingPair pair;
  pair.n = 0;  // the rest is too large to be cleared each time
  if (sink->sparse && contact_has_geoms(contact)) {
    const int* body = m->geom_bodyid;
    floating_pair(&pair, m, sink->d, body[contact->geom[0]], body[contact->geom[1]]);
  }
  if (pair.n) {
    add_floating_contacts(sink, &pair, i, end);
    return;
  }
  for (; i < end; i++) {
    add_contact(sink, bodies, sink->d->contact + i, i);
  }
}

// Their rows and parameters.
static void add_contacts(RowSink* sink, BodyJacobian* bodies, SpringCache* spring, int i, int end) {
  int row = sink->row;
  put_contacts(sink, bodies, i, end);
  if (sink->row > row) {
    contact_parameters(sink->m, sink->d, sink->d->contact + i, end - i, row, NULL, spring);
  }
}

// Asks for what rows read of the contacts that come AHEAD of [i, end): numbers up to the spring,
// and what says which geoms. Large scenes have more contacts than caches hold.
static void expect_contacts(const RowSink* sink, int i, int end) {
  enum {
    AHEAD = 16,
    LINE = 64
  };
  const size_t numbers = offsetof(mjContact, mu), geoms = offsetof(mjContact, geom);
  const mjContact* contact = sink->d->contact + AHEAD;
  end = int_min(end, sink->d->ncon - AHEAD);
  for (; i < end; i++) {
    const char* at = (const char*)(contact + i);
    __builtin_prefetch(at + geoms);
    for (size_t k = 0; k < numbers && !sink->measuring; k += LINE) {
      __builtin_prefetch(at + k);
    }
  }
}

void rows_contacts(RowSink* sink, BodyJacobian* bodies, int begin, int end) {
  const mjModel* m = sink->m;
  mjData* d = sink->d;
  SpringCache spring = NO_SPRING;
  if (m->opt.disableflags & mjDSBL_CONTACT || !m->nv) {
    return;
  }
  for (int i = begin, next; i < end; i = next) {
    if (m->nflex && flex_is_passive(m, d->contact + i)) {
      d->contact[i].exclude = 4;
      d->contact[i].efc_address = -1;
    }
    next = i + 1;
    if (d->contact[i].exclude) {
      continue;
    }
    if (sink->measuring && !sink->sparse) {
      add_contact(sink, bodies, d->contact + i, i);
    } else {
      next = same_contacts(sink, i, end);
      expect_contacts(sink, i, next);
      add_contacts(sink, bodies, &spring, i, next);
    }
  }
}
