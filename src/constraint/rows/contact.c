#include "base/vec.h"
#include "constraint/rows/rows.h"

void contact_bodies(int body[2], const mjModel* m, const mjContact* contact) {
  for (int side = 0; side < 2; side++) {
    body[side] = m->geom_bodyid[contact->geom[side]];
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

// Directions of a contact: c_0 = normal, c_1, c_2 = tangents (forces), c_3..c_5 = torques about the
// same axes.
//
//   frictionless   c_0
//   elliptic       c_0 .. c_{dim-1}
//   pyramidal      c_0 + mu_k c_k, c_0 - mu_k c_k   for k = 1..dim-1           spec 06, section 1.7
static void contact_wrenches(mjtNum w[6][MAXLANE], const mjContact* contact, int type,
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

static void add_contact(RowSink* sink, BodyPair* pair, mjContact* contact, int id) {
  int body[2], type;
  contact_bodies(body, sink->m, contact);
  int ncolumn = pair_columns(pair, sink, body[0], body[1]);
  int nrow = contact_rows(&type, sink->m, contact);
  if (!sink_wants(sink, nrow, ncolumn)) {
    if (sink->sparse && !ncolumn) {
      contact->exclude = 3;
    }
    return;
  }

  BodyWrench wrench;
  wrench.nrow = nrow;
  for (int side = 0; side < 2; side++) {
    if (pair_moves(pair, side)) {
      mjtNum arm[3];
      pair_arm(arm, pair, sink->m, sink->d, side, contact->pos);
      contact_wrenches(wrench.w[side], contact, type, arm);
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
  RowJacobian jacobian = pair_jacobian(pair, sink->d, &wrench);
  sink_put(sink, type, id, nrow, &jacobian, pos, margin, 0);
}

void rows_contact(RowSink* sink, BodyPair* pair) {
  const mjModel* m = sink->m;
  mjData* d = sink->d;
  if (m->opt.disableflags & mjDSBL_CONTACT || !m->nv) {
    return;
  }
  for (int i = 0; i < d->ncon; i++) {
    if (!d->contact[i].exclude) {
      add_contact(sink, pair, d->contact + i, i);
    }
  }
}
