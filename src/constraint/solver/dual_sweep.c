// Steps of a sweep: new forces of a few rows, then their columns times the changes on the residual.

#include "constraint/solver/dual_sweep.h"

#include <string.h>

#include "base/algebra/simd.h"
#include "base/algebra/vec.h"
#include "constraint/law/law.h"
#include "constraint/solver/qcqp.h"

#define MINDIAGONAL ((mjtNum)1e-10)  // lower bound of the diagonal of AR - R

// the residual

// to_c += sum_r change_r A_rc for columns [c, end) in steps of a vector of some width
#define ADD_ROWS(Vector, width)                             \
  for (; c + (width) <= end; c += (width)) {                \
    Vector sum = SIMD_READ(Vector, to + c);                 \
    for (int r = 0; r < n; r++) {                           \
      sum += change[r] * SIMD_READ(Vector, A + r * ld + c); \
    }                                                       \
    SIMD_AT(Vector, to + c) = sum;                          \
  }

// res += sum_r change_r (row r of A), n rows; n is a constant wherever this is inlined
INLINE void add_rows(mjtNum* res, const DualStep* s, const mjtNum* change, int n) {
  ptrdiff_t ld = s->ld;
  for (const DualRun* run = s->run; run < s->run + s->nrun; run++) {
    const mjtNum* A = s->AR + run->column;
    mjtNum* to = res + run->first;
    ptrdiff_t c = 0, end = run->n;
    ADD_ROWS(SimdN, SIMD_N)
    ADD_ROWS(Simd2, 2)
    ADD_ROWS(mjtNum, 1)
  }
}

// Adds what changed forces of a step do to the residual; n as above.
INLINE void add_changes(const DualProblem* p, const DualStep* s, const mjtNum* change, int n) {
  mjtNum size = 0;
  for (int r = 0; r < n; r++) {
    size += mju_abs(change[r]);
  }
  if (size == 0) {
    return;
  }
  add_rows(p->res, s, change, n);
  if (p->R) {
    for (int r = 0; r < n; r++) {
      p->res[s->row + r] -= p->R[s->row + r] * change[r];
    }
  }
}

// The same for any n.
INLINE void add_step(const DualProblem* p, const DualStep* s, const mjtNum* change) {
  switch (s->n) {
    case 1:
      add_changes(p, s, change, 1);
      break;
    case 2:
      add_changes(p, s, change, 2);
      break;
    case 3:
      add_changes(p, s, change, 3);
      break;
    case 4:
      add_changes(p, s, change, 4);
      break;
    case 5:
      add_changes(p, s, change, 5);
      break;
    default:
      add_changes(p, s, change, 6);
      break;
  }
}

INLINE const DualStep* step_at(const DualProblem* p, int k) {
  return p->step + (p->order ? p->order[k] : k);
}

KERNEL
void dual_add_forces(const DualProblem* p) {
  for (int k = 0; k < p->nstep; k++) {
    const DualStep* s = step_at(p, k);
    add_step(p, s, p->f + s->row);
  }
}

// scalar rows

// Each of n rows goes to its minimum, and changes the residual of those after it.
// Also dual_step in lanes/solvers/pgs.h.
INLINE mjtNum step_scalars(const DualProblem* p, const DualStep* s, int n) {
  mjtNum res[DUAL_SCALAR_MOST], change[DUAL_SCALAR_MOST], cost = 0, increase = p->increase;
  mjtNum* f = p->f + s->row;
  const mjtNum* own = s->own;
  const DualRow* row = p->row + s->row;
  for (int r = 0; r < n; r++) {
    res[r] = p->res[s->row + r];
  }
  for (int r = 0; r < n; r++, own += s->ld) {
    mjtNum old = f[r], force = old - res[r] * row[r].inverse;
    force = row[r].low > force ? row[r].low : force;
    force = row[r].high < force ? row[r].high : force;
    mjtNum df = force - old, dcost = df * (df * row[r].half + res[r]);
    if (dcost > increase) {
      df = dcost = 0;
      force = old;
    }
    f[r] = force;
    change[r] = df;
    cost += dcost;
    for (int k = r + 1; k < n; k++) {
      res[k] += df * own[k];
    }
  }
  add_changes(p, s, change, n);
  return cost;
}

// contacts

// Sets f to `force` unless that raises the cost. Returns the change of the cost. A: n x n.
INLINE mjtNum accept(mjtNum* f, mjtNum* change, const mjtNum* force, const mjtNum* A,
                     const mjtNum* res, int n) {
  mjtNum cost = 0;
  for (int r = 0; r < n; r++) {
    change[r] = force[r] - f[r];
  }
  for (int r = 0; r < n; r++) {
    mjtNum sum = 0;
    for (int c = 0; c < n; c++) {
      sum += A[r * n + c] * change[c];
    }
    cost += change[r] * (sum / 2 + res[r]);
  }
  if (cost > DUAL_MAXINCREASE) {
    memset(change, 0, n * sizeof(mjtNum));
    return 0;
  }
  for (int r = 0; r < n; r++) {
    f[r] = force[r];
  }
  return cost;
}

// Friction forces y (n) that minimise 1/2 y'Ay + y'b in the section of the cone at the given
// normal force.
INLINE void solve_friction(mjtNum* y, const DualStep* s, const mjtNum* A, const mjtNum* b,
                           mjtNum normal, int n) {
  const mjtNum* friction = s->contact->friction;
  if (normal < mjMINVAL) {
    memset(y, 0, n * sizeof(mjtNum));
    return;
  }
  int slides = n == QCQP_MOST ? qcqp_solve_most(y, s->axes, A, b, friction, normal)
                              : qcqp_solve(y, A, b, friction, normal, n);
  if (slides) {
    cone_to_surface(y, friction, normal, n);
  }
}

INLINE void copy_block(mjtNum* A, const DualProblem* p, const DualStep* s, int n) {
  for (int r = 0; r < n; r++) {
    for (int c = 0; c < n; c++) {
      A[r * n + c] = s->own[r * s->ld + c];
    }
    if (p->R) {
      A[r * n + r] = num_max(MINDIAGONAL, A[r * n + r] - p->R[s->row + r]);
    }
  }
}

// The normal force after the first half of a step: the best along the ray of the present force f,
// or along the normal if there is none. Av = A f.
INLINE mjtNum step_normal(const mjtNum* f, const mjtNum* Av, const mjtNum* res, mjtNum A, int dim) {
  if (f[0] < mjMINVAL) {
    return num_max(0, f[0] - res[0] / A);
  }
  mjtNum slope = 0, curvature = 0;
  for (int r = 0; r < dim; r++) {
    slope += f[r] * res[r];
    curvature += f[r] * Av[r];
  }
  mjtNum scale = curvature >= mjMINVAL ? -slope / curvature : 0;
  return f[0] + scale * f[0] < 0 ? 0 : f[0] + scale * f[0];
}

// An elliptic contact in two halves: the normal force, then friction at that normal force, for
// which b = res_f - A_ff old_f + A_f0 (normal - old_0).
INLINE mjtNum step_cone(const DualProblem* p, const DualStep* s, int dim) {
  mjtNum change[DUAL_MOST];
  mjtNum A[DUAL_MOST * DUAL_MOST], Af[25], b[5], Av[DUAL_MOST], force[DUAL_MOST];
  mjtNum* f = p->f + s->row;
  const mjtNum* res = p->res + s->row;
  copy_block(A, p, s, dim);
  for (int r = 0; r < dim; r++) {
    Av[r] = 0;
    for (int c = 0; c < dim; c++) {
      Av[r] += A[r * dim + c] * f[c];
    }
  }
  force[0] = step_normal(f, Av, res, A[0], dim);
  for (int r = 1; r < dim; r++) {
    b[r - 1] = res[r] - Av[r] + A[r * dim] * force[0];
    for (int c = 1; c < dim; c++) {
      Af[(r - 1) * (dim - 1) + c - 1] = A[r * dim + c];
    }
  }
  solve_friction(force + 1, s, Af, b, force[0], dim - 1);
  mjtNum cost = accept(f, change, force, A, res, dim);
  add_changes(p, s, change, dim);
  return cost;
}

// The n friction forces of an elliptic contact, at its normal force.
INLINE mjtNum step_slide(const DualProblem* p, const DualStep* s, int n) {
  mjtNum A[25], b[5], force[5], change[5], *f = p->f + s->row;
  const mjtNum* res = p->res + s->row;
  copy_block(A, p, s, n);
  for (int r = 0; r < n; r++) {
    b[r] = res[r];
    for (int c = 0; c < n; c++) {
      b[r] -= A[r * n + c] * f[c];
    }
  }
  solve_friction(force, s, A, b, f[-1], n);
  mjtNum cost = accept(f, change, force, A, res, n);
  add_changes(p, s, change, n);
  return cost;
}

// Two opposite edges of a pyramid keep their sum 2 m: f_0 = m + y, f_1 = m - y.
INLINE mjtNum step_pair(mjtNum change[2], mjtNum f[2], const mjtNum A[4], const mjtNum res[2]) {
  mjtNum middle = (f[0] + f[1]) / 2;
  mjtNum b0 = res[0] - A[0] * f[0] - A[1] * f[1], b1 = res[1] - A[2] * f[0] - A[3] * f[1];
  mjtNum K1 = A[0] + A[3] - A[1] - A[2], K0 = middle * (A[0] - A[3]) + b0 - b1;
  mjtNum y = K1 < mjMINVAL ? 0 : num_clamp(-K0 / K1, -middle, middle);
  mjtNum force[2] = {middle + y, middle - y};
  return accept(f, change, force, A, res, 2);
}

// Pairs of edges in order; each changes the residual of those after it.
INLINE mjtNum step_edges(const DualProblem* p, const DualStep* s, int n) {
  mjtNum res[DUAL_SCALAR_MOST], change[DUAL_SCALAR_MOST], cost = 0;
  for (int r = 0; r < n; r++) {
    res[r] = p->res[s->row + r];
  }
  for (int r = 0; r < n; r += 2) {
    const mjtNum *own = s->own + r * s->ld, *R = p->R + s->row + r;
    mjtNum A[4] = {num_max(MINDIAGONAL, own[r] - R[0]), own[r + 1], own[s->ld + r],
                   num_max(MINDIAGONAL, own[s->ld + r + 1] - R[1])};
    cost += step_pair(change + r, p->f + s->row + r, A, res + r);
    for (int k = r + 2; k < n; k++) {
      res[k] += change[r] * own[k] + change[r + 1] * own[s->ld + k];
    }
  }
  add_changes(p, s, change, n);
  return cost;
}

// by the number of rows, a constant of the code for each

INLINE mjtNum step_few(const DualProblem* p, const DualStep* s) {
  return s->n == 1   ? step_scalars(p, s, 1)
         : s->n == 2 ? step_scalars(p, s, 2)
                     : step_scalars(p, s, 3);
}

INLINE mjtNum step_contact(const DualProblem* p, const DualStep* s) {
  int cone = s->kind == DUAL_CONE;
  switch (s->contact->dim) {
    case 3:
      return cone ? step_cone(p, s, 3) : step_slide(p, s, 2);
    case 4:
      return cone ? step_cone(p, s, 4) : step_slide(p, s, 3);
    default:
      return cone ? step_cone(p, s, 6) : step_slide(p, s, 5);
  }
}

// Also lane_dual_sweep in lanes/solvers/dual_cone.h.
KERNEL
mjtNum dual_sweep(const DualProblem* p) {
  mjtNum cost = 0;
  for (int k = 0; k < p->nstep; k++) {
    const DualStep* s = step_at(p, k);
    switch (s->kind) {
      case DUAL_KEEP:
        break;
      case DUAL_SCALARS:
        cost += s->n == DUAL_SCALAR_MOST ? step_scalars(p, s, DUAL_SCALAR_MOST) : step_few(p, s);
        break;
      case DUAL_EDGES:
        cost += s->n == 4 ? step_edges(p, s, 4) : step_edges(p, s, 2);
        break;
      default:
        cost += step_contact(p, s);
        break;
    }
  }
  return cost;
}
