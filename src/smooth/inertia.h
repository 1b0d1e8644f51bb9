// inertia.h: the joint-space inertia M and its sparse L'DL factor.
//
// Row i of M holds the dofs that are ancestors of i, ascending, and i itself last. An ancestor's
// row has the same columns as the beginning of its descendants' rows, and that is what makes
// everything here simple and fast:
//
//   row k   a b c k      eliminating k subtracts multiples of the beginning of row k
//   row c   a b c        from rows c, b, a: contiguous updates in place,
//   row b   a b          no new entries, no index search
//
// Any matrix on the same pattern (M plus damping, one island of M) is factored and solved
// by the same two functions.                                                     spec 04, section 6

#ifndef CONDYLE_SMOOTH_INERTIA_H_
#define CONDYLE_SMOOTH_INERTIA_H_

#include <mujoco/mujoco.h>

// Factors in place: L strictly below the diagonal, D on it, diaginv = 1 / D. No pivot is checked.
void ldl_factor(mjtNum* LD, mjtNum* diaginv, int n, const int* rownnz, const int* rowadr,
                const int* colind);

// Solves L'DL x = b in place: x holds b on entry.
void ldl_solve(mjtNum* x, const mjtNum* LD, const mjtNum* diaginv, int n, const int* rownnz,
               const int* rowadr, const int* colind);

// Factor of M + h diag(damping) and the like: M's rows are copied, diag is added to its diagonal.
void ldl_factorShifted(mjtNum* LD, mjtNum* diaginv, const mjModel* m, const mjtNum* M,
                       const mjtNum* diag, mjtNum scale);

// out = M v for M in the reduced sparse format.
void inertia_mul(mjtNum* out, const mjModel* m, const mjtNum* M, const mjtNum* v);

#endif  // CONDYLE_SMOOTH_INERTIA_H_
