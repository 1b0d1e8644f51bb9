// Rows of contacts: one, the directions of an elliptic cone, or the edges of a pyramid.
//                                                               theory/constraints.md, Contact rows

#include <mujoco/api/base.h>
#include <mujoco/api/model.h>
#include <string.h>

#include "base/vec.h"
#include "constraint/rows/makers.h"
#include "smooth/flex/flex.h"

void contact_bodies(RowBodies* bodies, const mjModel* m, const mjData* d,
                    const mjContact* contact) {
  if (contact->geom[0] >= 0 && contact->geom[1] >= 0) {
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
  if (contact->geom[0] >= 0 && contact->geom[1] >= 0) {
    const int* body = m->geom_bodyid;
    const mjtNum* weight1 = m->body_invweight0 + 2 * body[contact->geom[0]];
    const mjtNum* weight2 = m->body_invweight0 + 2 * body[contact->geom[1]];
    out[0] = weight1[0] + weight2[0];
    out[1] = weight1[1] + weight2[1];
    return;
  }
  FlexBodies of;
  out[0] = out[1] = 0;
  flex_contact_bodies(&of, m, d, contact, 1);
  for (int i = 0; i < of.n; i++) {
    const mjtNum *invweight = m->body_invweight0 + 2 * of.body[i], weight = mju_abs(of.weight[i]);
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

// Wrenches of the rows of a contact. Its directions are c_0 = normal force, c_1, c_2 = tangential
// forces, c_3..c_5 = torques about the same axes, phi_k = friction[k - 1] their coefficients.
//
//   frictionless   c_0
//   elliptic       c_0 .. c_{dim-1}
//   pyramidal      c_0 + phi_k c_k, c_0 - phi_k c_k   for k = 1..dim-1
//                                                               theory/constraints.md, Contact rows
static void contact_wrenches(BodyWrench w, const mjContact* contact, int type,
                             const mjtNum arm[3]) {
  mjtNum c[6][6];
  for (int k = 0; k < contact->dim; k++) {
    if (k < 3) {
      v3_cross(c[k], arm, contact->frame + 3 * k);
      v3_copy(c[k] + 3, contact->frame + 3 * k);
    } else {
      v3_copy(c[k], contact->frame + 3 * (k - 3));
      v3_zero(c[k] + 3);
    }
  }
  for (int i = 0; i < 6; i++) {
    if (type != mjCNSTR_CONTACT_PYRAMIDAL) {
      for (int k = 0; k < contact->dim; k++) {
        w[i][k] = c[k][i];
      }
    } else {
      for (int k = 0; k < contact->dim - 1; k++) {
        mjtNum slide = contact->friction[k] * c[k + 1][i];
        w[i][2 * k] = c[0][i] + slide;
        w[i][2 * k + 1] = c[0][i] - slide;
      }
    }
  }
}

static void add_contact(RowSink* sink, BodyJacobian* bodies, mjContact* contact, int id) {
  RowBodies of;
  int type, nrow = contact_rows(&type, sink->m, contact);
  // dense rows have room for all dofs
  if (sink->measuring && !sink->sparse) {
    sink_wants(sink, nrow, sink->m->nv);
    return;
  }
  contact_bodies(&of, sink->m, sink->d, contact);
  int ncolumn = bodies_select(bodies, sink, &of);
  if (!sink_wants(sink, nrow, ncolumn)) {
    if (sink->sparse && !ncolumn) {
      contact->exclude = 3;
    }
    return;
  }
  for (int i = 0; i < of.n; i++) {
    mjtNum arm[3];
    if (bodies_arm(arm, bodies, sink, i, contact->pos)) {
      contact_wrenches(bodies->wrench[i], contact, type, arm);
    }
  }

  // friction dimensions of an elliptic cone have no position
  mjtNum pos[MAXROW], margin[MAXROW];
  for (int r = 0; r < nrow; r++) {
    int positioned = type != mjCNSTR_CONTACT_ELLIPTIC || r == 0;
    pos[r] = positioned ? contact->dist : 0;
    margin[r] = positioned ? contact->includemargin : 0;
  }
  contact->efc_address = sink->d->nefc;
  RowJacobian jacobian = bodies_jacobian(bodies, sink->d, nrow);
  sink_put(sink, type, id, nrow, &jacobian, pos, margin, 0);
}

void rows_contact(RowSink* sink, BodyJacobian* bodies) {
  const mjModel* m = sink->m;
  mjData* d = sink->d;
  if (m->opt.disableflags & mjDSBL_CONTACT || !m->nv) {
    return;
  }
  for (int i = 0; i < d->ncon; i++) {
    if (m->nflex && flex_is_passive(m, d->contact + i)) {
      d->contact[i].exclude = 4;
      d->contact[i].efc_address = -1;
    }
    if (!d->contact[i].exclude) {
      add_contact(sink, bodies, d->contact + i, i);
    }
  }
}
