// ldl.h: L'DL factors of matrices on the pattern of the joint-space inertia M.
//
// Row i of M holds the dofs that are ancestors of i, ascending, and i itself last. Dofs are numbered
// depth first, so
//   - row i without its diagonal is the beginning of row i - 1 (of its columns),
//   - the descendants of i are the rows right after it that are longer than row i.
//
//   row a   a                one path from the root, a b c, is open at a time; what belongs to its
//   row b   a b              dofs stands in a short array by depth, and every row meets the
//   row c   a b c            beginning of it: contiguous runs, no column is looked up
//   row e   a b e            c's place has become e's
//
// Any matrix on this pattern (M, M plus damping) is factored and solved by the same two functions.
//                                                                                 spec 04, section 6

#ifndef CONDYLE_SMOOTH_LDL_H_
#define CONDYLE_SMOOTH_LDL_H_

#include <mujoco/mujoco.h>

// Factors M + scale diag(shift) into LD (nC): L strictly below the diagonal, D on it, and
// diaginv = 1 / D (nv). M (nC) may be LD itself; shift (nv) may be NULL. No pivot is checked.
void ldl_factor(mjtNum* LD, mjtNum* diaginv, const mjModel* m, const mjtNum* M, const mjtNum* shift,
                mjtNum scale);

// Solves L'DL x = b in place: x holds b on entry. path: scratch, nv numbers.
void ldl_solve(mjtNum* x, const mjModel* m, const mjtNum* LD, const mjtNum* diaginv, mjtNum* path);

// Solves L' y = b in place: the first half of ldl_solve.
void ldl_solveUpper(mjtNum* x, const mjModel* m, const mjtNum* LD, mjtNum* path);

#endif  // CONDYLE_SMOOTH_LDL_H_
