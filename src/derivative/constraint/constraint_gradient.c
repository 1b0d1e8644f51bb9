// Contributions of one contact to the gradients with respect to friction, poses and sizes of geoms,
// from vectors that constraint_vjp has computed.

#include "derivative/constraint/constraint_gradient.h"

#include <mujoco/api/base.h>

#include "base/algebra/vec.h"
#include "constraint/law/law.h"
#include "derivative/geometry/rules.h"

// places and sizes

static void add_size(const ConstraintVjp* of, const mjContact* con, int side,
                     const mjtNum shift[3]) {
  int geom = con->geom[side];
  mjtNum point[2][3], n[3], growth[3][3];
  witness_points(point[0], point[1], con);
  v3_scl(n, con->frame, side ? -1 : 1);
  surface_growth(growth, of->m, of->d, geom, point[side], n);
  for (int k = 0; k < 3; k++) {
    of->gradient->geom_size[3 * geom + k] += v3_dot(growth[k], shift);
  }
}

// d(number) = turn . d(turn of the geom) + shift . d(shift at the contact), in the axes of body and
// geom
void constraint_gradient_motion(const ConstraintVjp* of, const mjContact* con, mjtNum motion[2][6],
                                int is_witness) {
  const ConstraintGradient* out = of->gradient;
  if (out->geom_size && !is_witness) {
    mju_error(
        "no derivative by the sizes of geoms %d and %d: their contact is not of closest points",
        con->geom[0], con->geom[1]);
  }
  for (int side = 0; side < 2; side++) {
    int geom = con->geom[side];
    const mjtNum *turn = motion[side], *shift = motion[side] + 3;
    mjtNum arm[3], t[3];
    if (geom < 0) {
      continue;
    }
    if (out->geom_pos) {
      m3_tmulv(t, of->d->xmat + 9 * of->m->geom_bodyid[geom], shift);
      v3_addto(out->geom_pos + 3 * geom, t);
    }
    if (out->geom_turn) {
      v3_sub(arm, con->pos, of->d->geom_xpos + 3 * geom);
      v3_cross(t, arm, shift);
      v3_addto(t, turn);
      m3_tmulv(t, of->d->geom_xmat + 9 * geom, t);
      v3_addto(out->geom_turn + 3 * geom, t);
    }
    if (out->geom_size) {
      add_size(of, con, side, shift);
    }
  }
}

// friction

// Elliptic cone. Sticking (quadratic zone): f_j = -D_j y_j with D_j = D_1 phi_j^2 / phi_1^2.
//
// Sliding (on the cone), with T = |phi_j y_j| and mu = phi_1 / sqrt(impratio):
//
//   f_0 = -D_0 (y_0 - T) / (1 + mu^2)        f_j = -f_0 c_j,  c_j = phi_j^2 y_j / T
// Also adjust_friction in constraint/rows/contact_parameters.c.
static void cone_friction(mjtNum out[5], const RowLaw* law, const mjContact* con,
                          const mjtNum along[6]) {
  int row = con->efc_address, dim = con->dim, zone = law->zone[row];
  const mjtNum *phi = con->friction, *f = law->force + row, *y = law->y + row;
  if (zone == mjCNSTRSTATE_QUADRATIC) {
    for (int j = 2; j < dim; j++) {
      out[j - 1] += 2 * f[j] * along[j] / phi[j - 1];
      out[0] -= 2 * f[j] * along[j] / phi[0];
    }
  }
  if (zone != mjCNSTRSTATE_CONE) {
    return;
  }
  mjtNum T = cone_point(con, y).T, mu2 = con->mu * con->mu, slide = 0;
  for (int j = 1; j < dim; j++) {
    slide += phi[j - 1] * phi[j - 1] * y[j] / T * along[j];
  }
  for (int k = 1; k < dim; k++) {
    mjtNum dT = phi[k - 1] * y[k] * y[k] / T;
    mjtNum df = law->d->efc_D[row] * dT / (1 + mu2);
    if (k == 1) {
      df -= f[0] * 2 * mu2 / ((1 + mu2) * phi[0]);
    }
    out[k - 1] +=
        df * (along[0] - slide) - f[0] * (2 * phi[k - 1] * y[k] / T * along[k] - slide * dT / T);
  }
}

// Pyramid with edges n +- phi_k e_k: y of an edge changes by +-e_k . (x + b v), and the common R is
// proportional to phi_1^2 (1 + phi_1^2).
static void pyramid_friction(mjtNum out[5], const RowLaw* law, const mjContact* con,
                             const mjtNum along[6], const mjtNum measured[6]) {
  mjtNum total = 0;
  for (int k = 1; k < con->dim; k++) {
    for (int side = 0; side < 2; side++) {
      int row = con->efc_address + 2 * (k - 1) + side;
      mjtNum sign = side ? -1 : 1, edge = along[0] + sign * con->friction[k - 1] * along[k];
      out[k - 1] +=
          sign * (law->force[row] * along[k] + row_response(law, row, edge) * measured[k]);
      total += law->weighed[row] * edge;
    }
  }
  if (law->d->efc_R[con->efc_address] > mjMINVAL) {
    mjtNum phi = con->friction[0];
    out[0] -= total * (2 / phi + 2 * phi / (1 + phi * phi));
  }
}

// Friction and priority of one side of a contact.
static const mjtNum* side_friction(const mjModel* m, const mjContact* con, int side,
                                   int* priority) {
  int geom = con->geom[side], flex = con->flex[side];
  *priority = geom >= 0 ? m->geom_priority[geom] : m->flex_priority[flex];
  return geom >= 0 ? m->geom_friction + 3 * geom : m->flex_friction + 3 * flex;
}

// Adds the gradient to the geom whose friction the contact has: the side of higher priority, else
// the larger friction; equal ones get half each.
// Also param_of_surfaces in collision/contact_param.c.
static void share_friction(mjtNum* out, const mjModel* m, const mjContact* con,
                           const mjtNum gradient[5]) {
  static const int source[5] = {0, 0, 1, 2, 2};
  int priority[2];
  const mjtNum* friction[2] = {side_friction(m, con, 0, &priority[0]),
                               side_friction(m, con, 1, &priority[1])};
  for (int k = 0; k < 5; k++) {
    mjtNum a = friction[0][source[k]], b = friction[1][source[k]];
    mjtNum first = a == b ? (mjtNum)0.5 : a > b;
    if (priority[0] != priority[1]) {
      first = priority[0] > priority[1];
    }
    for (int side = 0; side < 2; side++) {
      if (con->friction[k] > (mjtNum)mjMINMU && con->geom[side] >= 0) {
        out[3 * con->geom[side] + source[k]] += (side ? 1 - first : first) * gradient[k];
      }
    }
  }
}

void constraint_gradient_friction(const ConstraintVjp* of, const mjContact* con,
                                  const mjtNum along[6], const mjtNum measured[6]) {
  const mjModel* m = of->m;
  const ConstraintGradient* out = of->gradient;
  mjtNum gradient[5] = {0, 0, 0, 0, 0};
  int type = of->d->efc_type[con->efc_address], pair = contact_pair(m, con);
  if (type == mjCNSTR_CONTACT_FRICTIONLESS || m->opt.enableflags & mjENBL_OVERRIDE) {
    return;
  }
  if (type == mjCNSTR_CONTACT_ELLIPTIC) {
    cone_friction(gradient, of->law, con, along);
  } else {
    pyramid_friction(gradient, of->law, con, along, measured);
  }
  if (pair >= 0 && out->pair_friction) {
    for (int k = 0; k < 5; k++) {
      int counts = con->friction[k] > (mjtNum)mjMINMU;
      out->pair_friction[5 * pair + k] += counts ? gradient[k] : 0;
    }
  } else if (pair < 0 && out->geom_friction) {
    share_friction(out->geom_friction, m, con, gradient);
  }
}

void constraint_gradient_frictionloss(const ConstraintVjp* of) {
  const mjData* d = of->d;
  for (int row = d->ne; row < d->ne + d->nf; row++) {
    int is_tendon = d->efc_type[row] == mjCNSTR_FRICTION_TENDON, zone = of->law->zone[row];
    mjtNum* out = is_tendon ? of->gradient->tendon_frictionloss : of->gradient->dof_frictionloss;
    if (out && (zone == mjCNSTRSTATE_LINEARNEG || zone == mjCNSTRSTATE_LINEARPOS)) {
      out[d->efc_id[row]] += of->law->force[row] > 0 ? of->along[row] : -of->along[row];
    }
  }
}
