// Force laws of constraint rows: cost, force and zone at a point, derivatives along a line, and the
// zone of a force.                                                      theory/solvers.md, Row laws

#include "constraint/law.h"

#include <mujoco/api/base.h>

ConePoint cone_point(const mjContact* contact, const mjtNum* x) {
  mjtNum mu = contact->mu, square = 0;
  ConePoint at = {.U = {mu * x[0]}};
  for (int j = 1; j < contact->dim; j++) {
    at.U[j] = contact->friction[j - 1] * x[j];
    square += at.U[j] * at.U[j];
  }
  mjtNum N = at.N = at.U[0], T = at.T = mju_sqrt(square);
  at.zone = N >= mu * T || (T <= 0 && N >= 0) ? mjCNSTRSTATE_SATISFIED
            : mu * N + T <= 0 || T <= 0       ? mjCNSTRSTATE_QUADRATIC
                                              : mjCNSTRSTATE_CONE;
  return at;
}

// Stiffness Dm = D_0 / (mu^2 (1 + mu^2)) of the middle zone, equal to the bottom zone's at their
// border.
static mjtNum cone_stiffness(mjtNum D0, mjtNum mu) {
  return D0 / (mu * mu * (1 + mu * mu));
}

// The law of an elliptic cone, with mu = contact.mu, phi_j = friction[j - 1], N = mu x_0, U_j =
// phi_j x_j for j > 0, T = sqrt(sum_j U_j^2) and Dm of cone_stiffness:
//
//   top     N >= mu T      SATISFIED  cost 0                    f = 0
//   bottom  mu N + T <= 0  QUADRATIC  cost sum_j 1/2 D_j x_j^2  f_j = -D_j x_j
//   middle  otherwise      CONE       cost 1/2 Dm (N - mu T)^2  f_0 = -Dm (N - mu T) mu
//                                                               f_j = -f_0 phi_j U_j / T
//
// T = 0 is top for N >= 0 and bottom below.
mjtNum cone_cost(mjtNum* force, const ConePoint* at, const mjContact* contact, const mjtNum* D,
                 const mjtNum* x) {
  int dim = contact->dim;
  mjtNum mu = contact->mu, cost = 0;
  if (at->zone == mjCNSTRSTATE_CONE) {
    mjtNum Dm = cone_stiffness(D[0], mu), gap = at->N - mu * at->T;
    force[0] = -Dm * gap * mu;
    for (int j = 1; j < dim; j++) {
      force[j] = -force[0] * contact->friction[j - 1] * at->U[j] / at->T;
    }
    return Dm * gap * gap / 2;
  }
  for (int j = 0; j < dim; j++) {
    force[j] = at->zone == mjCNSTRSTATE_QUADRATIC ? -D[j] * x[j] : 0;
    cost -= force[j] * x[j] / 2;
  }
  return cost;
}

// Second derivative H of the cost of an elliptic cone by x in its middle zone, with N, U, T and Dm
// of cone_cost and sigma = (mu, phi_1, phi_2, ...):
//
//   H_ab = Dm sigma_a sigma_b h_ab
//   h_00 = 1    h_0j = -mu U_j / T    h_jk = mu N U_j U_k / T^3 + (mu^2 - mu N / T) delta_jk
//                                                              theory/solvers.md, Cone Hessian
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

// middle:  with V_j = phi_j v_j,   T' = U.V / T,   T'' = V.V / T - (U.V)^2 / T^3
//
//   slope Dm (N - mu T) (N' - mu T')      curvature Dm ((N' - mu T')^2 - mu (N - mu T) T'')
void cone_line(LawPoint* sum, const mjContact* contact, const mjtNum* D, const mjtNum* x,
               const mjtNum* v) {
  ConePoint at = cone_point(contact, x);
  if (at.zone == mjCNSTRSTATE_QUADRATIC) {
    for (int j = 0; j < contact->dim; j++) {
      sum->cost += D[j] * x[j] * x[j] / 2;
      sum->slope += D[j] * x[j] * v[j];
      sum->curvature += D[j] * v[j] * v[j];
    }
  } else if (at.zone == mjCNSTRSTATE_CONE) {
    mjtNum mu = contact->mu, UV = 0, VV = 0;
    for (int j = 1; j < contact->dim; j++) {
      mjtNum V = contact->friction[j - 1] * v[j];
      UV += at.U[j] * V;
      VV += V * V;
    }
    mjtNum T = at.T, Dm = cone_stiffness(D[0], mu), gap = at.N - mu * T;
    mjtNum T1 = UV / T, T2 = VV / T - UV * T1 / (T * T), gap1 = mu * v[0] - mu * T1;
    sum->cost += Dm * gap * gap / 2;
    sum->slope += Dm * gap * gap1;
    sum->curvature += Dm * (gap1 * gap1 - mu * gap * T2);
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

// The zones by n = f_0 / mu and t = |f_j / phi_j|, as by N and T.
int cone_force_zone(const mjContact* contact, const mjtNum* force) {
  mjtNum square = 0, mu = contact->mu, normal = force[0] / mu;
  for (int j = 1; j < contact->dim; j++) {
    mjtNum g = force[j] / contact->friction[j - 1];
    square += g * g;
  }
  mjtNum T = mju_sqrt(square);
  return mu * normal >= T       ? mjCNSTRSTATE_SATISFIED
         : normal + mu * T <= 0 ? mjCNSTRSTATE_QUADRATIC
                                : mjCNSTRSTATE_CONE;
}

KERNEL mjtNum law_cost(mjtNum* force, int* zone, const Rows* rows, const mjtNum* x, int hessian) {
  return law_cost_inline(force, zone, rows, x, hessian);
}
