// cost.h: the price s(jar) of violating the constraints, and its derivatives. The only place that
// knows the force law.
//
//   equality          1/2 D x^2                     quadratic everywhere
//   friction loss     Huber: quadratic for |x| < R eta, then linear with slope eta
//   unilateral        quadratic for x < 0, else 0
//   elliptic contact  by zones of (N, T), N = mu x_0, T = |phi_j x_j|:
//
//        T |  bottom  .   middle          .
//          |           .   (distance     .    top
//          |            .   to cone)   .     cost 0
//          |  quadratic  .           .   N = mu T
//          |   mu N = -T  .        .
//          |_______________.____.______________ N
//
// The force is minus the gradient, always.                                       spec 06, section 3

#ifndef CONDYLE_CONSTRAINT_COST_H_
#define CONDYLE_CONSTRAINT_COST_H_

#include "constraint/solver/problem.h"

// Zone (mjtConstraintState: SATISFIED, QUADRATIC, CONE) of a point (N, T) of a cone.
static inline int cone_zone(mjtNum N, mjtNum T, mjtNum mu) {
  if (N >= mu * T || (T <= 0 && N >= 0)) {
    return mjCNSTRSTATE_SATISFIED;
  }
  return mu * N + T <= 0 || T <= 0 ? mjCNSTRSTATE_QUADRATIC : mjCNSTRSTATE_CONE;
}

// Stiffness of the middle zone: D of the normal row over mu^2 (1 + mu^2).
static inline mjtNum cone_stiffness(mjtNum D0, mjtNum mu) {
  return D0 / (mu * mu * (1 + mu * mu));
}

// Zone of a friction-loss row.
static inline int frictionloss_state(mjtNum x, mjtNum bound) {
  return x <= -bound  ? mjCNSTRSTATE_LINEARNEG
         : x >= bound ? mjCNSTRSTATE_LINEARPOS
                      : mjCNSTRSTATE_QUADRATIC;
}

// Rows that form one elliptic contact beginning at row i: its dim; 1 for any other row.
static inline int rows_block(const Rows* rows, int i) {
  return rows->type[i] == mjCNSTR_CONTACT_ELLIPTIC ? rows->contact[rows->id[i]].dim : 1;
}

// Cost s(jar); writes force and state of every row and, if hessian, contact.H of the contacts in
// the middle zone.
mjtNum rows_cost(mjtNum* force, int* state, const Rows* rows, const mjtNum* jar, int hessian);

// The rows of d, whole.
Rows rows_whole(const mjModel* m, const mjData* d);

#endif  // CONDYLE_CONSTRAINT_COST_H_
