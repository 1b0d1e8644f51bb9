// law.h: the force law of each kind of constraint row; nothing else depends on the kind.
//
// The cost of a row is s(x), with x = J a - aref, and its force is f = -ds/dx:
//
//   equality        1/2 D x^2                     everywhere
//   friction loss   Huber: 1/2 D x^2 for |x| < R eta, then straight lines of slope +-eta
//   one-sided       1/2 D x^2 for x < 0, else 0   (limits, frictionless contacts, pyramid edges)
//   elliptic cone   by zones of (N, T), N = mu x_0, T = |U|, U_j = phi_j x_j for j > 0:
//
//        T |  bottom  .   middle          .
//          |           .   (distance     .    top
//          |            .   to cone)   .     cost 0
//          |  quadratic  .           .   N = mu T
//          |   mu N = -T  .        .
//          |_______________.____.______________ N
//
// s is convex and once differentiable. D = 1/R. A zone is a mjtConstraintState. Primal solvers need
// the cost, its slope and its curvature, at a point or along a line. Dual solvers need the set of
// forces that the law can give (its conjugate is 1/2 R f^2 on that set), and the zone of a force.
//                                                               theory/contact/solvers.md, Row laws

#pragma once

#include <mujoco/api/base.h>
#include <mujoco/mjdata.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/law/problem.h"

typedef enum {
  LAW_EQUALITY,
  LAW_FRICTIONLOSS,
  LAW_ONESIDED,
  LAW_CONE,  // all rows of an elliptic contact
} LawKind;

static inline LawKind law_kind(const Rows* rows, int i) {
  return i < rows->ne                                ? LAW_EQUALITY
         : i < rows->ne + rows->nf                   ? LAW_FRICTIONLOSS
         : rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC ? LAW_CONE
                                                     : LAW_ONESIDED;
}

// Number of rows that share a law, from row i on: the dim of an elliptic contact, else 1.
static inline int law_rows(const Rows* rows, int i) {
  return rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC ? rows->contact[rows->id[i]].dim : 1;
}

// Cost and its derivatives at a point.
typedef struct {
  mjtNum cost, slope, curvature;
  int zone;
} LawPoint;

// scalar rows

INLINE LawPoint law_equality(mjtNum D, mjtNum x) {
  return (LawPoint){D * x * x / 2, D * x, D, mjCNSTRSTATE_QUADRATIC};
}

// Outside |x| < R eta the cost is +-eta x - 1/2 R eta^2.
INLINE LawPoint law_frictionloss(mjtNum D, mjtNum R, mjtNum eta, mjtNum x) {
  mjtNum bound = R * eta, offset = bound * eta / 2;
  if (x <= -bound) {
    return (LawPoint){-eta * x - offset, -eta, 0, mjCNSTRSTATE_LINEARNEG};
  }
  if (x >= bound) {
    return (LawPoint){eta * x - offset, eta, 0, mjCNSTRSTATE_LINEARPOS};
  }
  return law_equality(D, x);
}

// min(x, 0): only the negative part of x costs anything in a one-sided row.
INLINE mjtNum law_below(mjtNum x) {
  return x < 0 ? x : 0;
}

INLINE void law_below_lanes(SimdN* x) {
  const SimdN zero = {0};
  MaskN below = *x < zero;
  *x = (SimdN)(below & (MaskN)*x);
}

// The stiffness D where x is below zero, 0 elsewhere.
INLINE void law_below_stiffness(SimdN* D, const SimdN* x) {
  const SimdN zero = {0};
  MaskN below = *x < zero;
  *D = (SimdN)(below & (MaskN)*D);
}

// Curvature of a scalar row in a zone.
static inline mjtNum law_curvature(mjtNum D, int zone) {
  return zone == mjCNSTRSTATE_QUADRATIC ? D : 0;
}

// elliptic cones

// The position of x = (x_0 .. x_dim-1) relative to the cone, and its zone.
typedef struct {
  mjtNum N, T, U[6];  // U_0 = N
  int zone;
} ConePoint;

INLINE ConePoint cone_point(const mjContact* contact, const mjtNum* x) {
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

// Stiffness Dm = D_0 / (mu^2 (1 + mu^2)) of the middle zone. It equals the stiffness of the bottom
// zone at their common border.
INLINE mjtNum cone_stiffness(mjtNum D0, mjtNum mu) {
  return D0 / (mu * mu * (1 + mu * mu));
}

// Cost at x; force receives minus its gradient, D holds the D of all rows.
//
// The law of an elliptic cone, with mu = contact.mu, phi_j = friction[j - 1], N = mu x_0,
// U_j = phi_j x_j for j > 0, T = sqrt(sum_j U_j^2) and Dm of cone_stiffness:
//
//   top     N >= mu T      SATISFIED  cost 0                    f = 0
//   bottom  mu N + T <= 0  QUADRATIC  cost sum_j 1/2 D_j x_j^2  f_j = -D_j x_j
//   middle  otherwise      CONE       cost 1/2 Dm (N - mu T)^2  f_0 = -Dm (N - mu T) mu
//                                                               f_j = -f_0 phi_j U_j / T
//
// T = 0 is top for N >= 0 and bottom below.
// Also lanes_cone_law in constraint/solver/lane_law.h, cone_at in lanes/laws/cone.h and cone_law in
// derivative/constraint/row_law.c.
INLINE mjtNum cone_cost(mjtNum* force, const ConePoint* at, const mjContact* contact,
                        const mjtNum* D, const mjtNum* x) {
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

// Curvature of the cost in the middle zone, dim x dim: contact->H.
void cone_hessian(mjContact* contact, const ConePoint* at, mjtNum D0);

// forces

// The force nearest to f that the law of a scalar row admits. eta: the bound of friction loss.
static inline mjtNum law_admissible(LawKind kind, mjtNum eta, mjtNum f) {
  return kind == LAW_EQUALITY       ? f
         : kind == LAW_FRICTIONLOSS ? num_clamp(f, -eta, eta)
                                    : num_max(0, f);
}

// The zone in which the law gives a force: of a scalar row, of a cone.
//                                                            theory/contact/solvers.md, Dual states
int law_force_zone(LawKind kind, mjtNum eta, mjtNum f);

// The zones of a cone by n = f_0 / mu and t = |f_j / phi_j|, as by N and T.
static inline int cone_force_zone(const mjContact* contact, const mjtNum* force) {
  mjtNum square = 0, mu = contact->mu, normal = force[0] / mu;
  for (int j = 1; j < contact->dim; j++) {
    square += num_square(force[j] / contact->friction[j - 1]);
  }
  mjtNum T = mju_sqrt(square);
  return mu * normal >= T       ? mjCNSTRSTATE_SATISFIED
         : normal + mu * T <= 0 ? mjCNSTRSTATE_QUADRATIC
                                : mjCNSTRSTATE_CONE;
}

// Scales n friction forces to the surface of the ellipsoid |f_j / phi_j| = normal.
INLINE void cone_to_surface(mjtNum* force, const mjtNum* phi, mjtNum normal, int n) {
  mjtNum square = 0;
  for (int j = 0; j < n; j++) {
    square += force[j] * force[j] / (phi[j] * phi[j]);
  }
  mjtNum scale = mju_sqrt(normal * normal / num_max(mjMINVAL, square));
  for (int j = 0; j < n; j++) {
    force[j] *= scale;
  }
}

// all rows

// Cost s(x); writes force and zone of every row and, if hessian, contact.H of the contacts in the
// middle zone.
mjtNum law_cost(mjtNum* force, int* zone, const Rows* rows, const mjtNum* x, int hessian);

// The same, for kernels.

// One-sided rows, in vector lanes without branches. The force of a satisfied row is +0.
INLINE mjtNum law_onesided_cost(mjtNum* restrict force, int* restrict zone,
                                const mjtNum* restrict D, const mjtNum* restrict x, int n) {
  const SimdN zero = {0};
  SimdN costs = zero;
  int i = 0;
  for (; i + SIMD_N <= n; i += SIMD_N) {
    SimdN below = SIMD_READ(SimdN, x + i);
    law_below_lanes(&below);
    SimdN pull = SIMD_READ(SimdN, D + i) * below;
    SIMD_AT(SimdN, force + i) = zero - pull;
    costs += pull * below;
  }
  mjtNum cost = simdn_sum(&costs);
  for (; i < n; i++) {
    mjtNum below = law_below(x[i]);
    force[i] = 0 - D[i] * below;
    cost += D[i] * below * below;
  }
  for (i = 0; i < n; i++) {
    zone[i] = x[i] < 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_SATISFIED;
  }
  return cost / 2;
}

// Equalities, in vector lanes.
INLINE mjtNum law_equality_cost(mjtNum* restrict force, int* restrict zone,
                                const mjtNum* restrict D, const mjtNum* restrict x, int n) {
  SimdN costs = {0};
  int i = 0;
  for (; i + SIMD_N <= n; i += SIMD_N) {
    SimdN at = SIMD_READ(SimdN, x + i), pull = SIMD_READ(SimdN, D + i) * at;
    SIMD_AT(SimdN, force + i) = -pull;
    costs += pull * at;
  }
  mjtNum cost = simdn_sum(&costs) / 2;
  for (; i < n; i++) {
    LawPoint at = law_equality(D[i], x[i]);
    force[i] = -at.slope;
    cost += at.cost;
  }
  for (i = 0; i < n; i++) {
    zone[i] = mjCNSTRSTATE_QUADRATIC;
  }
  return cost;
}

// Cost s(x), forces -ds/dx: quadratic D x^2 / 2; one-sided where x < 0; Huber beyond R
// frictionloss; cones by cone_cost.
INLINE mjtNum law_cost_inline(mjtNum* force, int* zone, const Rows* rows, const mjtNum* x,
                              int hessian) {
  mjtNum cost = law_equality_cost(force, zone, rows->D, x, rows->ne);
  int i = rows->ne;
  for (; i < rows->ne + rows->nf; i++) {
    LawPoint at = law_frictionloss(rows->D[i], rows->R[i], rows->frictionloss[i], x[i]);
    force[i] = -at.slope;
    zone[i] = at.zone;
    cost += at.cost;
  }
  while (i < rows->nefc) {
    // up to the next cone
    int end = rows->elliptic ? i : rows->nefc;
    while (end < rows->nefc && rows->type[end] != mjCNSTR_CONTACT_ELLIPTIC) {
      end++;
    }
    cost += law_onesided_cost(force + i, zone + i, rows->D + i, x + i, end - i);
    for (i = end; i < rows->nefc && rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC;) {
      mjContact* contact = rows->contact + rows->id[i];
      ConePoint at = cone_point(contact, x + i);
      cost += cone_cost(force + i, &at, contact, rows->D + i, x + i);
      if (hessian && at.zone == mjCNSTRSTATE_CONE) {
        cone_hessian(contact, &at, rows->D[i]);
      }
      for (int last = i + contact->dim; i < last; i++) {
        zone[i] = at.zone;
      }
    }
  }
  return cost;
}
