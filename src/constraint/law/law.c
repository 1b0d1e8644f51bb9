// Force laws of constraint rows: cost, force and zone at a point, derivatives along a line, and the
// zone of a force.                                              theory/contact/solvers.md, Row laws

#include "constraint/law/law.h"

#include <mujoco/api/base.h>

// Second derivative H of the cost of an elliptic cone by x in its middle zone, with N, U, T and Dm
// of cone_cost and sigma = (mu, phi_1, phi_2, ...):
//
//   H_ab = Dm sigma_a sigma_b h_ab
//   h_00 = 1    h_0j = -mu U_j / T    h_jk = mu N U_j U_k / T^3 + (mu^2 - mu N / T) delta_jk
//                                                           theory/contact/solvers.md, Cone Hessian
// Also lanes_weigh_cone in constraint/solver/lane_newton.h, cone_curvature in lanes/laws/cone.h and
// cone_law in derivative/constraint/row_law.c.
void cone_hessian(mjContact* contact, const ConePoint* at, mjtNum D0) {
  int dim = contact->dim;
  const mjtNum* U = at->U;
  mjtNum mu = contact->mu, N = at->N, T = at->T, sigma[6] = {mu};
  mjtNum Dm = cone_stiffness(D0, mu);
  for (int j = 1; j < dim; j++) {
    sigma[j] = contact->friction[j - 1];
  }
  for (int a = 0; a < dim; a++) {
    for (int b = a; b < dim; b++) {
      mjtNum h = 1;
      if (a) {
        h = mu * N * U[a] * U[b] / (T * T * T) + (a == b ? mu * mu - mu * N / T : 0);
      } else if (b) {
        h = -mu * U[b] / T;
      }
      contact->H[a * dim + b] = contact->H[b * dim + a] = Dm * sigma[a] * sigma[b] * h;
    }
  }
}

int law_force_zone(LawKind kind, mjtNum eta, mjtNum f) {
  if (kind == LAW_FRICTIONLOSS) {
    return f <= -eta  ? mjCNSTRSTATE_LINEARPOS
           : f >= eta ? mjCNSTRSTATE_LINEARNEG
                      : mjCNSTRSTATE_QUADRATIC;
  }
  return kind == LAW_ONESIDED && f <= 0 ? mjCNSTRSTATE_SATISFIED : mjCNSTRSTATE_QUADRATIC;
}

// Also in lanes/laws/law.h, lanes/laws/pyramid.h and derivative/constraint/row_law.c.
KERNEL mjtNum law_cost(mjtNum* force, int* zone, const Rows* rows, const mjtNum* x, int hessian) {
  return law_cost_inline(force, zone, rows, x, hessian);
}
